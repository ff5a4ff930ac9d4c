"""A real browser: headless Chromium with its driver, from Debian's packages `chromium` and `chromium-driver`."""

import base64
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from . import house, issued
from .run import REPOSITORY

PICTURES = REPOSITORY / ".local" / "pages"
# Rendering a full screenshot takes longer than the checks.
PAINTS = bool(os.environ.get("PICTURES") or os.environ.get("WRITE_STORY"))
# The checks of each page: first as received, then with scripts if its address can be opened again.
LOOKS = [[(1_440, "light"), (360, "dark")], [(1_440, "dark"), (360, "light")]]
# Other widths: the narrowest screen of WCAG 2.2 (1.4.10), and one in between.
WIDTHS = [320, 1_024]
# Maximum height of a screenshot.
TALLEST = 4_000
MISSING = "!!! THE PAGES ARE NOT LOOKED AT IN A BROWSER: install Debian's chromium and chromium-driver !!!"
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]
# Drops a file on an element, with empty lines after its text.
DROP = """
  const [selector, name, text, lines] = arguments;
  const files = new DataTransfer();
  files.items.add(new File([text, "\\n".repeat(lines)], name));
  document.querySelector(selector).dispatchEvent(new DragEvent("drop", {dataTransfer: files, cancelable: true, bubbles: true}));
"""
# The relevant parts of axe-core's findings.
FINDINGS = """
  const [done] = arguments;
  axe.run().then(({passes, violations}) => {
    const serious = violations.filter((each) => ["serious", "critical"].includes(each.impact));
    done([passes.length, serious.map((each) => [each.id, each.nodes.map((node) => node.html)])]);
  });
"""
# Opens folded elements; returns them, and whether any of their content is visible.
UNFOLD = """
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const each of folded) each.open = true;
  return [folded, folded.some((each) => each.checkVisibility())];
"""


@contextmanager
def started() -> Iterator["Chromium"]:
    """A browser; skips the test if Chromium is not installed."""
    if shutil.which("chromedriver") is None or shutil.which("chromium") is None:
        pytest.skip(MISSING)
    browser = Chromium()
    try:
        yield browser
    finally:
        browser.driver.quit()


class Chromium:
    """Uses only the keyboard, and runs no scripts of pages."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        self.scripts(run=False)
        # The address of the page if it was opened directly and not by a form, so it can be opened again.
        self._opened = ""
        # Each press of a link or a button and each choice, since a test emptied the list: the clicks of a person. Typing is none.
        self.clicks: list[str] = []
        PICTURES.mkdir(parents=True, exist_ok=True)

    def open(self, url: str) -> None:
        self.driver.get(url)
        self._opened = self.url

    def adopt(self, site: str, cookies: dict[str, str]) -> None:
        """Has the cookies of another browser of the same person, and no others."""
        self.driver.delete_all_cookies()
        for name, value in cookies.items():
            given = {"name": name, "value": value, "url": site, "path": "/", "secure": True, "httpOnly": True, "sameSite": "Lax"}
            assert self.driver.execute_cdp_cmd("Network.setCookie", given)["success"], name

    @property
    def url(self) -> str:
        return self.driver.current_url

    def text(self) -> str:
        """The text of the page, without the marks that isolate names of either direction."""
        return self.driver.find_element(By.TAG_NAME, "body").text.replace("\u2068", "").replace("\u2069", "")

    def wait_for(self, text: str) -> None:
        # The text is read again each time, since the page may change in between.
        waiting = WebDriverWait(self.driver, 15, ignored_exceptions=[Exception])
        try:
            waiting.until(lambda _: text in self.text())
        except TimeoutException:
            raise AssertionError(f"no {text!r} in {self.text()}") from None

    def wait_for_url(self, start: str) -> None:
        try:
            WebDriverWait(self.driver, 15).until(lambda _: self.url.startswith(start))
        except TimeoutException:
            raise AssertionError(f"not at {start}, but at {self.url}") from None

    def press(self, *keys: str) -> None:
        """Presses keys in the focused element."""
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, held: str, key: str) -> None:
        """Presses a key while another one is held."""
        webdriver.ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def tab_to(self, selector: str) -> None:
        """Presses Tab until the element has the focus, which must be visible."""
        wanted = self.driver.find_element(By.CSS_SELECTOR, selector)
        for _ in range(90):
            self.press(Keys.TAB)
            if self.driver.switch_to.active_element == wanted:
                style = "const s = getComputedStyle(arguments[0]); return s.outlineStyle != 'none' || s.boxShadow != 'none'"
                assert self.driver.execute_script(style, wanted), f"nobody sees that {selector} has the focus"
                return
        raise AssertionError(f"{selector} is not reached by the keyboard")

    def fill(self, selector: str, text: str) -> None:
        self.tab_to(selector)
        self.press(text)

    def push(self, selector: str) -> None:
        """Presses a link or a button."""
        self.tab_to(selector)
        form = "const form = arguments[0].form; return form && form.method == 'post' && new URL(form.action).pathname"
        if action := self.driver.execute_script(form, self.driver.switch_to.active_element):
            house.pushed(action)
        self.clicks.append(selector)
        self.press(Keys.ENTER)

    def choose(self, selector: str) -> None:
        """Toggles a checkbox."""
        self.tab_to(selector)
        self.clicks.append(selector)
        self.press(Keys.SPACE)

    def pick(self, selector: str, file: Path) -> None:
        """Chooses a file in the dialog of a field."""
        self.clicks.append(selector)
        self.driver.find_element(By.CSS_SELECTOR, selector).send_keys(str(file))

    def drop(self, selector: str, name: str, text: str, lines: int = 0) -> None:
        """Drops a file on an element, with this many empty lines after its text."""
        self.driver.execute_script(DROP, selector, name, text, lines)

    def save_to(self, folder: Path) -> None:
        """Saves downloads in a folder from now on."""
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def write(self, selector: str, text: str) -> None:
        """Replaces the text of a field."""
        self.tab_to(selector)
        self.chord(Keys.CONTROL, "a")
        self.press(text or Keys.BACKSPACE)

    def size(self, width: int, height: int = 900) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def look(self, name: str, *, whole: bool = False) -> None:
        """Checks that nothing scrolls sideways. With PICTURES, writes a screenshot of the screen or of the whole page."""
        self._fits(name)
        # The final state after all animations.
        self.driver.execute_script("for (const each of document.getAnimations()) each.finish()")
        for cookie in self.driver.get_cookies():
            issued.noted(cookie["value"])
        if PAINTS:
            picture = self._whole_page() if whole else self.driver.get_screenshot_as_png()
            (PICTURES / f"{name}.png").write_bytes(picture)

    def _whole_page(self) -> bytes:
        size = "const {scrollWidth, scrollHeight} = document.documentElement; return [scrollWidth, scrollHeight]"
        width, height = self.driver.execute_script(size)
        # Beyond a viewport that the page does not fill, the picture of a page from right to left would begin at another place.
        if height <= self.driver.execute_script("return window.innerHeight"):
            return self.driver.get_screenshot_as_png()
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, TALLEST), "scale": 1}
        taken = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        return base64.b64decode(taken["data"])

    @contextmanager
    def _unfolded(self) -> Iterator[bool]:
        """Opens all folded elements for the time of a check; yields whether any of their content is visible."""
        folded, seen = self.driver.execute_script(UNFOLD)
        try:
            yield seen
        finally:
            self.driver.execute_script("for (const each of arguments[0]) each.open = false", folded)

    def _fits(self, name: str) -> None:
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.driver.execute_script(wide) == 0, f"{name} is too wide"

    def judge(self, name: str, axe: Path, status: int = 200, *, briefly: bool = False) -> None:
        """Checks a page in its language and with its status. It must fit narrow and wide screens, light and dark, have no serious
        finding of axe-core, no complaint of the browser, and no request to other origins; all folded elements are opened. A page that
        was opened by its address is checked with its scripts too, unless `briefly`."""
        language = self.driver.find_element(By.TAG_NAME, "html").get_attribute("lang")
        again = self.url == self._opened
        for index, looks in enumerate(LOOKS[:1] if briefly else LOOKS):
            if index and again:
                self.scripts(run=True)
                self.open(self.url)
            for width, scheme in looks:
                self.size(width)
                self.scheme(scheme)
                picture = f"{name}-{language}-{width}-{scheme}"
                self.look(picture, whole=True)
                with self._unfolded() as seen:
                    if seen:
                        self.look(f"{picture}-unfolded", whole=True)
                    findings = self.findings(axe)
                assert findings == [], f"{name}, {language}, {width}, {scheme}: {findings}"
            self.scripts(run=False)
        for width in WIDTHS:
            self.size(width)
            self._fits(f"{name}, {language}, {width}")
            with self._unfolded():
                self._fits(f"{name}, {language}, {width}, unfolded")
        self.scheme("light")
        self.complains_of_nothing(name, status)
        # An error page is not the expected page.
        if status == 200:
            house.judged(self.url, language)

    def status(self) -> int | None:
        """The status of the open page; None while it loads."""
        return self.driver.execute_script("return performance.getEntriesByType('navigation')[0]?.responseStatus")

    def complains_of_nothing(self, name: str, status: int = 200) -> None:
        """The browser complains of nothing except the expected status, and requests no other origin."""
        assert self.status() == status, f"{name}: {self.status()}"
        its_status = f"{self.url} - Failed to load resource: the server responded with a status of {status} "
        complaints = [each for each in self.complaints() if not each.startswith(its_status)]
        assert complaints == [], f"{name}: {complaints}"
        here = "{0.scheme}://{0.netloc}/".format(urlsplit(self.url))
        elsewhere = [each for each in self.asked_for() if not each.startswith(here)]
        assert elsewhere == [], f"{name}: {elsewhere}"

    def findings(self, axe: Path) -> list[str]:
        """The serious findings of axe-core."""
        with self._scripts_of_ours():
            # Loaded once for each page: axe-core has half a megabyte.
            if not self.driver.execute_script("return 'axe' in window"):
                self.driver.execute_script(axe.read_text())
            passes, found = self.driver.execute_async_script(FINDINGS)
        assert passes > 5, "axe-core looked at nothing"
        return [f"{rule}: {json.dumps(nodes)}" for rule, nodes in found]

    @contextmanager
    def _scripts_of_ours(self) -> Iterator[None]:
        """Allows the driver's own scripts to wait, while the page's scripts are off."""
        before = self._runs_scripts
        self.scripts(run=True)
        try:
            yield
        finally:
            self.scripts(run=before)

    def scripts(self, *, run: bool) -> None:
        """Turns the scripts of pages on or off."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not run})
        self._runs_scripts = run

    def asked_for(self) -> list[str]:
        """The requests of the open page."""
        return self.driver.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")

    def complaints(self) -> list[str]:
        """The complaints of the browser about scripts, policies and requests."""
        return [entry["message"] for entry in self.driver.get_log("browser")]
