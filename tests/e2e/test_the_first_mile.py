"""The first mile: from the front page to a first own invoice, in a real browser, with its clicks counted."""

import re
import uuid

from kit.mailbox import newest_link
from kit.waiting import wait_for

MOST_CLICKS = 8


def test_a_stranger_sends_a_first_own_invoice_in_eight_clicks(run, browser):
    address = f"ada-{uuid.uuid4().hex[:8]}@books.example"
    browser.driver.delete_all_cookies()
    browser.size(1_280)
    browser.clicks.clear()
    browser.open(f"{run.api_url}/sandbox?lang=en")
    browser.push("main a[href$='/organization/new']")
    browser.wait_for("Name of your organization")
    browser.fill("#name", "Books & Sons")
    browser.fill("#email", address)
    browser.push("main form button")
    browser.wait_for("Check your e-mail")
    browser.clicks.append("the link in the mail")
    browser.open(f"{run.api_url}{newest_link(run, address, page='/organization/new/confirm')}")
    browser.wait_for("Create your organization")
    browser.push("main form button")
    browser.wait_for("First steps")
    browser.look("first-mile-1-home")
    browser.push("form[action$='/grants/test-business'] button")
    browser.wait_for("The test business is active")
    browser.push("main a[href$='/write?sample=yes']")
    wait_for("the form", lambda: browser.driver.find_elements("css selector", "[name='invoice_number']"))
    browser.look("first-mile-2-sample")
    browser.push("main button[value='send']")

    def there() -> re.Match | None:
        # A page without scripts is loaded again by hand.
        browser.driver.refresh()
        return re.search(r"/documents/(doc_\w+)", browser.url)

    document = wait_for("the document's page", there, seconds=60)
    wait_for("the sample on its page", lambda: "SAMPLE-" in browser.text())
    browser.look("first-mile-3-document")
    assert document[1]
    assert len(browser.clicks) <= MOST_CLICKS, browser.clicks

    # Home ticks what was done, once the relay has told the organization of the document.
    def is_ticked() -> bool:
        browser.open(f"{run.api_url}/sandbox/organization")
        return "2/5 done" in browser.text()

    wait_for("the tick of the first invoice", is_ticked)
