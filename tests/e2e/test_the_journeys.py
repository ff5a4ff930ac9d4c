"""The journeys of people in a real browser, by the keyboard and with scripts, each with its clicks counted. A press of a link, a button
or a fold is a click, and so is the choice of a file; typing is none. Two journeys are counted elsewhere: the first own invoice of a
stranger in test_the_first_mile.py, and an invoice by hand in test_the_handwritten.py."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from selenium.webdriver.common.keys import Keys

from kit import bodies
from kit.client import Client, sent
from kit.receiver import receiver
from kit.run import REPOSITORY
from kit.waiting import wait_for
from test_imports import SEND, numbered
from test_the_forms import business, members, owner  # noqa: F401
from test_the_pages import application, asked, callback, plain_http, send, token_of  # noqa: F401
from test_the_portal import shown_secret

# Each journey, where it begins, and the most clicks that it may take.
MOST = {
    "connect a business, from the link of an app": 2,
    "revoke an app, from the home of the account": 2,
    "create an API key, from Home": 2,
    "create a webhook endpoint, send a test event and see its attempt, from Home": 5,
    "send a failed event again, from Home": 2,
    "find a document by its number and save its PDF, from Home": 3,
    "import a table, from Home": 6,
    "invite a member, from Home": 2,
    "make an archive and save it, from the home of the account": 3,
    "validate a text, on the page of the validator": 1,
    "validate a file, on the page of the validator": 2,
}


@contextmanager
def journey(browser, name: str) -> Iterator[None]:
    """Counts the clicks of a journey."""
    browser.clicks.clear()
    yield
    assert len(browser.clicks) <= MOST[name], browser.clicks


@pytest.fixture(autouse=True)
def with_scripts(browser):
    browser.size(1_440)
    browser.scripts(run=True)
    yield
    browser.scripts(run=False)


@dataclass(frozen=True)
class Books:
    """An account with one test business: its Home, the session of its owner, and a client of the business."""

    home: str
    cookies: dict[str, str]
    client: Client


@pytest.fixture(scope="module")
def books(browser, owner) -> Books:  # noqa: F811
    browser.open(f"{owner.portal}/taxpayers")
    browser.push("form[action$='/grants/test-business'] button")
    browser.wait_for("The test business is active")
    (connected,) = wait_for("the business", lambda: owner.key.request("GET", "/taxpayers").json()["items"])
    cookies = {cookie["name"]: cookie["value"] for cookie in browser.driver.get_cookies()}
    return Books(owner.portal, cookies, owner.key.but(taxpayer_id=connected["taxpayer_id"]))


@pytest.fixture
def at_home(run, browser, books) -> Books:
    """The owner of the account, with Home open."""
    browser.adopt(run.api_url, books.cookies)
    browser.open(books.home)
    return books


def go(browser, place: str) -> None:
    """Presses a place of the navigation."""
    link = f"nav.side a[href$='{place}']"
    address = browser.driver.find_element("css selector", link).get_attribute("href")
    browser.push(link)
    browser.wait_for_url(address)


def there(browser, selector: str):
    """Waits for elements, which may appear without a reload."""
    return wait_for(selector, lambda: browser.driver.find_elements("css selector", selector), seconds=60)


def says(browser, selector: str) -> str:
    """The text of an element at this instant, while the page may replace it."""
    return browser.driver.execute_script("return document.querySelector(arguments[0])?.textContent.trim() ?? ''", selector)


def test_a_business_is_connected_with_an_app(run, browser, application, callback):  # noqa: F811
    session, url = asked(run, application, callback)
    browser.driver.delete_all_cookies()
    with journey(browser, "connect a business, from the link of an app"):
        browser.open(url)
        browser.wait_for("New test business")
        browser.fill("#name", "Palm Trading LLC")
        browser.push("main form button")
        browser.wait_for("Books & Sons wants to act for your business")
        browser.push("button[value=approve]")
        browser.wait_for("You are back.")
    assert send(run, token_of(run, application, session, browser.url)).status_code == 201


def test_an_app_is_revoked(run, browser, business):  # noqa: F811
    browser.open(f"{run.api_url}/sandbox/account")
    with journey(browser, "revoke an app, from the home of the account"):
        browser.push("details:has(form[action$='/account/revoke']) summary")
        browser.push("form[action$='/account/revoke'] button")
        browser.wait_for("No app has access to your business")
    assert send(run, business.token).status_code == 403


def test_a_key_is_created(browser, at_home):
    with journey(browser, "create an API key, from Home"):
        go(browser, "/organization/keys")
        browser.fill("#label", "ERP")
        browser.push("form[action$='/keys/create'] button")
        key = shown_secret(browser)
    assert at_home.client.but(key=key).list().status_code == 200


def test_a_test_event_is_sent_to_a_new_endpoint_and_again(browser, at_home):
    with receiver(answers=[400]) as hook:
        with journey(browser, "create a webhook endpoint, send a test event and see its attempt, from Home"):
            go(browser, "/organization/webhooks")
            browser.fill("#url", hook.url)
            browser.push("form[action$='/webhooks/create'] button")
            shown_secret(browser)
            browser.push("section a[href*='/organization/webhooks/we_']")
            browser.wait_for("No deliveries yet")
            browser.push("form[action$='/webhooks/test'] button")
            # The second attempt follows after five seconds, and the third after minutes: until then, the row stays as it is.
            wait_for("two attempts", lambda: says(browser, "#deliveries td.number") == "2", seconds=60)
            browser.push("#deliveries tbody a")
            browser.wait_for("HTTP 400")

        def failing() -> list:
            browser.open(at_home.home)
            return browser.driver.find_elements("css selector", ".attention a.button[href*='/organization/webhooks/we_']")

        wait_for("the endpoint on Home", failing)
        hook.answer(204)
        with journey(browser, "send a failed event again, from Home"):
            browser.push(".attention a.button[href*='/organization/webhooks/we_']")
            browser.wait_for_url(f"{at_home.home}/webhooks/we_")
            browser.push("form[action$='/webhooks/retry-failed'] button")
            there(browser, "#deliveries td .badge.good")
        assert len({each.headers["webhook-id"] for each in hook.deliveries()}) == 1 < len(hook.deliveries())


def test_a_document_is_found_by_its_number_and_its_pdf_is_saved(browser, at_home, tmp_path):
    number = bodies.unique("PDF")
    document = sent(at_home.client.send(bodies.invoice(invoice_number=number)))["document_id"]
    # Another document, which the search leaves out.
    sent(at_home.client.send(bodies.invoice()))
    browser.save_to(tmp_path)

    def listed() -> bool:
        browser.open(f"{at_home.home}/documents")
        return len(browser.driver.find_elements("css selector", "tbody tr")) > 1

    wait_for("both documents in the list", listed)
    browser.open(at_home.home)
    with journey(browser, "find a document by its number and save its PDF, from Home"):
        go(browser, "/organization/documents")
        browser.fill("#q", number)
        browser.press(Keys.ENTER)
        browser.wait_for_url(f"{at_home.home}/documents?")
        (row,) = there(browser, "tbody tr")
        assert number in row.text
        browser.push("tbody th a")
        browser.wait_for("Timeline")
        browser.push(".head .actions > a.button[download]")
        (file,) = wait_for("the PDF", lambda: list(tmp_path.glob("*.pdf")), seconds=60)
    assert document in browser.url
    assert number in file.name and file.read_bytes().startswith(b"%PDF-")


def test_a_table_is_imported(browser, at_home, tmp_path):
    prefix = bodies.unique("J")
    table = tmp_path / "july.csv"
    table.write_text(numbered(prefix))
    taxpayer = at_home.client.taxpayer_id
    with journey(browser, "import a table, from Home"):
        go(browser, "/organization/taxpayers")
        browser.push(f"tbody a[href$='/taxpayers/{taxpayer}']")
        browser.wait_for_url(f"{at_home.home}/taxpayers/{taxpayer}")
        browser.push("main a[href$='/imports']")
        browser.wait_for_url(f"{at_home.home}/taxpayers/{taxpayer}/imports")
        browser.pick("#file", table)
        there(browser, "form[data-drop] button:enabled")
        browser.push("form[data-drop] button")
        there(browser, SEND)
        browser.push(SEND)
        # The list of imports follows them by itself.
        wait_for("the sent documents", lambda: "2/2" in says(browser, "#imports"), seconds=60)
    first = numbered(prefix).splitlines()[1].split(",")[0]
    assert [each["number"] for each in at_home.client.list(number=first).json()["items"]] == [first]


def test_a_member_is_invited(run, browser, at_home, owner):  # noqa: F811
    address = f"{bodies.unique('new').lower()}@books.example"
    with journey(browser, "invite a member, from Home"):
        go(browser, "/organization/members")
        browser.fill("#email", address)
        browser.push("form[action$='/members/invite'] button")
        browser.wait_for("The invitation was sent.")
    assert members(run, owner)[address]["role"] == "developer"


def test_an_archive_is_made_and_saved(run, browser, business, tmp_path):  # noqa: F811
    document = send(run, business.token).json()["document_id"]
    browser.save_to(tmp_path)
    browser.open(f"{run.api_url}/sandbox/account")
    with journey(browser, "make an archive and save it, from the home of the account"):
        go(browser, "/account/archives")
        browser.push("main form button")
        # The list of archives follows them by itself.
        there(browser, "#archives a[download]")
        browser.push("#archives a[download]")
        (file,) = wait_for("the archive", lambda: list(tmp_path.glob("*.zip")), seconds=60)
    with zipfile.ZipFile(file) as archive:
        assert any(document in name for name in archive.namelist())


def test_a_document_of_anybody_is_validated(run, browser):
    sample = REPOSITORY / "events" / "invoices" / "minimal.json"
    validator = f"{run.api_url}/docs/validator"
    with journey(browser, "validate a text, on the page of the validator"):
        browser.open(validator)
        browser.fill("#text", json.dumps(json.loads(sample.read_text())))
        browser.push("button[value='validate']")
        browser.wait_for("Valid 0 errors")
    with journey(browser, "validate a file, on the page of the validator"):
        browser.open(validator)
        browser.pick("#file", sample)
        browser.push("button[value='validate']")
        browser.wait_for("Valid 0 errors")
