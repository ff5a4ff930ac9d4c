"""Facts about the layout of pages, measured in a real browser at 1440 pixels. Each is one that a reader would notice if it were wrong, and
that neither axe-core nor the width of the page shows."""

import pytest

from kit import bodies
from kit.client import sent
from kit.waiting import wait_for
from test_the_pages import application, asked, callback, plain_http  # noqa: F401
from test_the_portal import invited, signed_in

# Each fact has a script, which returns what is wrong. All scripts begin with these helpers. They fail on a page that lacks what a fact is
# about.
HELPERS = """
  const missing = (selector) => { throw new Error(`nothing is ${selector}`); };
  const all = (selector) => {
    const found = [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility());
    return found.length ? found : missing(selector);
  };
  const style = (it) => getComputedStyle(it);
  const named = (it) => `${it.localName} ${it.id || it.textContent.trim()}`;
"""
# Identifiers, times and names are on one line each. Two lines are about three times as high as the letters.
UNBROKEN = """
  const is_broken = (it) => it.getBoundingClientRect().height > 2.5 * parseFloat(style(it).fontSize);
  return all("td code, th code, td time, td bdi, th bdi").filter(is_broken).map(named);
"""
# A field for an instant is styled like one for text.
LIKE_TEXT = """
  return all("input[type='datetime-local']").flatMap((it) => {
    const text = it.cloneNode();
    text.type = "text";
    it.after(text);
    const parts = ["padding", "border", "borderRadius", "backgroundColor", "color", "font", "width", "height"];
    const wrong = parts.filter((part) => style(it)[part] !== style(text)[part]).map((part) => `${part}: ${style(it)[part]}`);
    text.remove();
    return wrong;
  });
"""
PADDED = """
  const sides = ["paddingTop", "paddingRight", "paddingBottom", "paddingLeft"];
  return all("main .panel").filter((it) => sides.some((side) => parseFloat(style(it)[side]) < 8)).map(named);
"""
# Names stand beside their values, with a gap between them.
IN_COLUMNS = """
  const gap = (it) => parseFloat(style(it).columnGap) > 0 && parseFloat(style(it).rowGap) > 0;
  const beside = (it) => [...it.querySelectorAll("dt")].every((name) => {
    const [one, other] = [name, name.nextElementSibling].map((each) => each.getBoundingClientRect());
    return Math.abs(one.top - other.top) < 2 && (one.right < other.left || other.right < one.left);
  });
  return all("main dl").filter((it) => style(it).display !== "grid" || !gap(it) || !beside(it)).map(named);
"""
# Red says that something is wrong.
NOT_RED = """
  const it = document.activeElement;
  const [red, green, blue] = style(it).outlineColor.match(/[\\d.]+/g).map(Number);
  const is_shown = style(it).outlineStyle !== "none" && parseFloat(style(it).outlineWidth) >= 2;
  return is_shown && (green >= red || blue >= red) ? [] : [`${named(it)}: ${style(it).outline}`];
"""
# Decimals meet at the right, in both languages.
AT_THE_RIGHT = """
  return all("td.number").filter((it) => {
    const content = document.createRange();
    content.selectNodeContents(it);
    const end = it.getBoundingClientRect().right - parseFloat(style(it).paddingRight);
    return Math.abs(end - content.getBoundingClientRect().right) > 1;
  }).map(named);
"""
# Fields in a row begin and end at the same height, whatever their kind.
IN_A_ROW = """
  const fields = all(".filter input:not([type='hidden']), .filter select").map((it) => [it, it.getBoundingClientRect()]);
  const pairs = fields.flatMap(([a, one]) => fields.map(([b, other]) => [a, one, b, other]));
  const in_a_row = pairs.filter(([, one, , other]) => one.top < other.bottom && other.top < one.bottom);
  if (!in_a_row.some(([a, , b]) => a.type === "text" && b.type === "date")) missing("a row of text and dates");
  return in_a_row.filter(([, one, , other]) => Math.abs(one.top - other.top) > 1).map(([a, , b]) => `${named(a)}, ${named(b)}`);
"""

PORTAL = "/sandbox/organization"
KEYS = f"{PORTAL}/keys"
# A fact, the page that has it, and its script.
FACTS = [
    ("events-are-unbroken", f"{PORTAL}/events", UNBROKEN),
    ("the-audit-trail-is-unbroken", f"{PORTAL}/audit", UNBROKEN),
    ("documents-are-unbroken", f"{PORTAL}/documents", UNBROKEN),
    ("an-instant-looks-like-text", f"{PORTAL}/webhooks/{{endpoint}}?status=failed", LIKE_TEXT),
    ("cards-of-the-documentation-are-padded", "{docs}", PADDED),
    ("panels-of-rows-are-padded", f"{PORTAL}/write", PADDED),
    ("consent-has-columns", "consent", IN_COLUMNS),
    ("the-focus-is-not-red", KEYS, NOT_RED),
    ("numbers-are-at-the-right", f"{PORTAL}/documents", AT_THE_RIGHT),
    ("filters-are-in-a-row", f"{PORTAL}/events", IN_A_ROW),
]


@pytest.fixture(scope="module")
def member(run, browser, falcon):
    """An owner of the account of the samples, which has a document with its events: the cookies of the session."""
    number = bodies.unique("LOOK")
    sent(falcon.send(bodies.invoice(invoice_number=number)))
    signed_in(run, browser, invited(run, run.organization_id, "owner"))

    def told() -> bool:
        browser.open(f"{run.api_url}{PORTAL}/events")
        return number in browser.text()

    wait_for("the event", told, seconds=60)
    return {cookie["name"]: cookie["value"] for cookie in browser.driver.get_cookies()}


def opened(run, browser, page: str, language: str, request) -> None:
    """Opens a page; that of consent after the creation of a test business."""
    if page != "consent":
        browser.adopt(run.api_url, request.getfixturevalue("member"))
        path = page.format(endpoint=run.endpoint_id, docs="/docs" if language == "en" else "/docs/ar")
        browser.open(f"{run.api_url}{path}{'&' if '?' in path else '?'}lang={language}")
        return
    _, url = asked(run, *map(request.getfixturevalue, ("application", "callback")), language)
    browser.driver.delete_all_cookies()
    browser.open(url)
    browser.fill("#name", "Palm Trading LLC")
    browser.push("main form button")
    wait_for("the question", lambda: browser.driver.find_elements("css selector", "button[value=approve]"))


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize(("fact", "page", "script"), FACTS, ids=[fact for fact, *_ in FACTS])
def test_a_page_looks_as_it_should(run, browser, request, fact, page, script, language):
    browser.size(1_440)
    opened(run, browser, page, language, request)
    assert browser.driver.find_element("css selector", "html").get_attribute("lang") == language
    if script is NOT_RED:
        browser.tab_to("#label")
    assert browser.driver.execute_script(HELPERS + script) == []
    browser.look(f"looks-{fact}-{language}")
