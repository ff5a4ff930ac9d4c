"""An invoice and its credit note that a person writes in the portal by the keyboard, in both languages."""

import pytest
from selenium.webdriver.common.keys import Keys

from kit import bodies
from kit.run import REPOSITORY
from kit.waiting import wait_for
from test_the_portal import invited, signed_in

FIELDS = {
    "customer.name": "Oasis Supplies FZE",
    "customer.electronic_address.id": "1001234502",
    "customer.vat_identifier": "100123450200003",
    "customer.address.line_1": "Jebel Ali",
    "customer.address.city": "Dubai",
    "customer.address.country_subdivision": "DXB",
    "line_items.0.item.name": "Label printer",
    "line_items.0.item.type_code": Keys.DOWN * 2,
    "line_items.0.item.code": "84433250",
    "line_items.0.quantity": "2",
    "line_items.0.price.net_price": "450.10",
    "line_items.0.vat.category_code": Keys.DOWN * 5,
}


def field(name: str) -> str:
    return f"[id='{name}']"


def button(action: str) -> str:
    return f".actions button[value='{action}']"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_an_invoice_is_written_and_credited_with_few_clicks(run, browser, axe, language):
    taxpayer = run.taxpayer("Falcon").taxpayer_id
    signed_in(run, browser, invited(run, run.organization_id, "developer"), language)
    business = f"{run.api_url}/sandbox/organization/taxpayers/{taxpayer}"
    number = bodies.unique("H")
    driver = browser.driver

    def set_day(name: str, day: str) -> None:
        # How a day is typed depends on the locale of the browser.
        element = driver.find_element("css selector", field(name))
        driver.execute_script("arguments[0].value = arguments[1]", element, day)

    def sent() -> str:
        """The document, which the page leads to once it is sent."""

        def there():
            driver.refresh()
            return driver.current_url if "/documents/doc_" in driver.current_url else None

        return wait_for("the document", there, seconds=60).split("?")[0].rsplit("/", 1)[1]

    browser.size(1_440)
    browser.open(f"{run.api_url}/sandbox/organization/write?lang={language}")
    browser.judge("portal-write-begin", axe)
    browser.size(1_440)
    browser.open(business)
    browser.clicks.clear()
    browser.push(f"a[href$='{taxpayer}/write']")
    wait_for("the form", lambda: driver.find_elements("css selector", field("invoice_number")))
    browser.judge("portal-write", axe)
    browser.size(1_440)
    browser.open(f"{business}/write")
    browser.fill(field("invoice_number"), number)
    set_day("due_date", "2030-01-31")
    browser.push(button("check"))
    # Who fills in everything at once needs no check.
    browser.clicks.pop()
    wait_for("the errors", lambda: driver.find_elements("css selector", ".problem a[href='#customer.name']"))
    browser.judge("portal-write-problem", axe)
    browser.size(1_440)
    for name, text in FIELDS.items():
        browser.fill(field(name), text)
    browser.push(button("send"))
    document = sent()
    assert len(browser.clicks) == 2, browser.clicks
    # The credit note has the lines and the reference; it lacks a number and a reason.
    browser.clicks.clear()
    browser.open(f"{business}/write?credit={document}")
    browser.fill(field("credit_note_number"), f"C{number}")
    browser.fill(field("credit_note_reason_code"), Keys.DOWN * 4)
    browser.push(button("send"))
    assert sent() != document
    assert len(browser.clicks) == 1, browser.clicks
    # With scripts the totals follow what is typed.
    browser.scripts(run=True)
    browser.open(f"{business}/write?from={document}")
    # A copy lacks the number and the due date, without which there are no totals.
    set_day("due_date", "2030-01-31")
    browser.write(field("invoice_number"), f"D{number}")
    browser.write(field("line_items.0.quantity"), "4")
    wait_for("the totals", lambda: "1,890.42" in browser.text())
    browser.push(button("save"))
    wait_for("the draft", lambda: driver.find_elements("css selector", ".done[role=status]"))
    browser.open(f"{business}/write/drafts")
    browser.wait_for(f"D{number}")
    browser.judge("portal-write-drafts", axe)
    browser.size(1_440)
    browser.push("tbody form button")
    wait_for("the notice", lambda: driver.find_elements("css selector", ".done[role=status]"))


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_columns_of_a_foreign_table_are_asked_for(run, browser, axe, tmp_path, language):
    taxpayer = run.taxpayer("Falcon").taxpayer_id
    signed_in(run, browser, invited(run, run.organization_id, "developer"), language)
    sample = (REPOSITORY / "events" / "imports" / "invoices.csv").read_text().replace("INV-", bodies.unique("M"))
    # Each language has a heading that nobody has said anything about before.
    heading = f"Number {language} {bodies.unique('')}"
    table = tmp_path / "foreign.csv"
    table.write_text(sample.replace("invoice_number", heading, 1))
    driver = browser.driver
    browser.size(1_440)
    browser.open(f"{run.api_url}/sandbox/organization/taxpayers/{taxpayer}/imports?lang={language}")
    driver.find_element("css selector", "#file").send_keys(str(table))
    browser.push("form[data-drop] button")
    wait_for("the columns", lambda: driver.find_elements("css selector", "#column-0"))
    browser.judge("portal-imports-columns", axe)
    browser.size(1_440)
    browser.write("#column-0", "invoice_number")
    browser.push("main form button")
    wait_for("what the file says", lambda: driver.find_elements("css selector", "form[action$='/imports/create'] button"))
    assert "/columns?" in driver.page_source
