"""A real browser without its window: headless Chromium by its driver, as Debian packages both (`chromium`, `chromium-driver`)."""

import json
import shutil
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from . import issued
from .run import REPOSITORY

PICTURES = REPOSITORY / ".local" / "pages"
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


def is_installed() -> bool:
    return shutil.which("chromedriver") is not None and shutil.which("chromium") is not None


class Chromium:
    """Goes by the keyboard, and runs no script of any page."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        PICTURES.mkdir(parents=True, exist_ok=True)

    def stop(self) -> None:
        self.driver.quit()

    def open(self, url: str) -> None:
        self.driver.get(url)

    @property
    def url(self) -> str:
        return self.driver.current_url

    def text(self) -> str:
        """What the page says, without the marks that keep names of either direction apart."""
        return self.driver.find_element(By.TAG_NAME, "body").text.replace("\u2068", "").replace("\u2069", "")

    def wait_for(self, text: str) -> None:
        # What the page says is read anew each time: the one before may be gone by then.
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
        """Presses keys, wherever the focus is."""
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, selector: str) -> None:
        """Goes on from field to field until the one that is meant has the focus, which must be seen."""
        wanted = self.driver.find_element(By.CSS_SELECTOR, selector)
        for _ in range(60):
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
        self.tab_to(selector)
        self.press(Keys.ENTER)

    def size(self, width: int, height: int = 900) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def look(self, name: str) -> None:
        """Nothing is to scroll sideways; a picture is left for people."""
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.driver.execute_script(wide) == 0, f"{name} is too wide"
        for cookie in self.driver.get_cookies():
            issued.noted(cookie["value"])
        (PICTURES / f"{name}.png").write_bytes(self.driver.get_screenshot_as_png())

    def findings(self, axe: Path) -> list[str]:
        """What axe-core finds that is serious or worse."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        self.driver.execute_script(axe.read_text())
        found = self.driver.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        assert len(found["passes"]) > 5, "axe-core looked at nothing"
        serious = (each for each in found["violations"] if each["impact"] in ("serious", "critical"))
        return [f"{each['id']}: {json.dumps([node['html'] for node in each['nodes']])}" for each in serious]

    def scripts(self, *, run: bool) -> None:
        """Whether the pages that are opened from now on run their scripts."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not run})

    def asked_for(self) -> list[str]:
        """What the page that is open fetched."""
        return self.driver.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")

    def complaints(self) -> list[str]:
        """What the browser complained of: scripts, policies, requests."""
        return [entry["message"] for entry in self.driver.get_log("browser")]
