"""What the script of the portal adds to its pages, in a real browser: pages with work in progress keep themselves current, and a new key
goes with its reader to the documentation. Other tests use the same pages without scripts."""

import pytest

from kit.receiver import receiver
from kit.waiting import wait_for
from test_the_forms import owner  # noqa: F401
from test_the_journeys import at_home, books, says, with_scripts  # noqa: F401
from test_the_portal import shown_secret


@pytest.fixture(autouse=True)
def complains_of_nothing(browser):
    yield
    assert [entry for entry in browser.driver.get_log("browser") if entry["level"] == "SEVERE"] == []


def there_are(browser, selector: str) -> bool:
    return bool(browser.driver.find_elements("css selector", selector))


def is_in_progress(browser) -> bool:
    """Whether a page updates itself, and has a notice about what is to come."""
    return there_are(browser, "[data-refresh]") and there_are(browser, ".notice[data-fleeting]")


def ends_by_itself(browser) -> None:
    """Waits until a page that a test marked shows the end of its work, without being loaded again: it no longer updates itself, and its
    notice is gone."""
    wait_for("the end of the work", lambda: not there_are(browser, "[data-refresh], [data-fleeting]"), seconds=60)
    assert browser.driver.execute_script("return window.kept === true")


def test_an_endpoint_and_a_delivery_show_the_attempts_at_an_event_by_themselves(browser, at_home):  # noqa: F811
    with receiver() as hook:
        made = at_home.client.but(taxpayer_id=None).request("POST", "/webhook-endpoints", json={"url": hook.url}).json()
        browser.open(f"{at_home.home}/webhooks/{made['endpoint_id']}")
        assert not there_are(browser, "[data-refresh]") and not there_are(browser, "#deliveries tbody tr")
        with hook.held():
            browser.push("form[action$='/webhooks/test'] button")
            browser.wait_for("The test event is being sent")
            browser.driver.execute_script("window.kept = true")
            assert is_in_progress(browser) and there_are(browser, "#deliveries td .badge.busy")
        ends_by_itself(browser)
        assert there_are(browser, "#deliveries td .badge.good") and says(browser, "#deliveries td.number") == "1"

        browser.push("#deliveries tbody a")
        browser.wait_for("HTTP 200")
        assert not there_are(browser, "[data-refresh]")
        with hook.held():
            browser.push("form[action$='/events/retry'] button")
            browser.wait_for("The event is being sent again")
            browser.driver.execute_script("window.kept = true")
            assert is_in_progress(browser) and there_are(browser, "#state .badge.busy")
        ends_by_itself(browser)
        assert there_are(browser, "#state .badge.good")
        assert len(browser.driver.find_elements("css selector", "#attempts .timeline > li")) == 2
        # A screen reader hears the new state.
        assert says(browser, "[data-told]") == says(browser, "#state") == "Delivered"


def test_a_new_key_goes_with_its_reader_to_the_documentation(run, browser, at_home):  # noqa: F811
    browser.open(f"{at_home.home}/keys")
    assert not there_are(browser, "a[data-key]")
    browser.fill("#label", "Reader of the documentation")
    browser.push("form[action$='/keys/create'] button")
    key = shown_secret(browser)
    browser.push("a[data-key]")
    browser.wait_for_url(f"{run.api_url}/docs/guides/first-invoice")
    # The service knows the first business of the key.
    for value in (key, at_home.client.taxpayer_id):
        wait_for(f"{value[:8]} in the example", lambda value=value: value in browser.text())
    browser.look("docs-new-key")
    browser.driver.find_element("css selector", ".own-key button").click()
    assert key not in browser.text() and browser.driver.execute_script("return sessionStorage.length") == 0
