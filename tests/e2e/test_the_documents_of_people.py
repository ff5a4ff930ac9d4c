"""A person finds a document, reads it, follows it and saves it, in a real browser by the keyboard. Once without scripts, and once with
the script that keeps the page current."""

import io
import uuid
import zipfile

import httpx
import pytest

from kit import bodies
from kit.waiting import wait_for
from test_the_portal import invited, signed_in


@pytest.fixture(scope="module")
def member(run, browser):
    """A viewer of the account of the samples, signed in."""
    signed_in(run, browser, invited(run, run.organization_id, "viewer"))


def saved(browser, url: str) -> httpx.Response:
    """A file that the browser would save."""
    cookies = {cookie["name"]: cookie["value"] for cookie in browser.driver.get_cookies()}
    return httpx.get(url, cookies=cookies, trust_env=False, timeout=60, follow_redirects=True)


def address(browser, selector: str) -> str:
    return browser.driver.find_element("css selector", selector).get_attribute("href")


@pytest.mark.usefixtures("member")
def test_a_document_is_found_read_and_saved_by_the_keyboard_without_scripts(run, browser, falcon):
    number = f"FIND-{uuid.uuid4().hex[:8]}"
    body = bodies.invoice()
    body["invoice_number"] = number
    sent = falcon.send(body)
    assert sent.status_code == 201, sent.text
    documents = f"{run.api_url}/sandbox/organization/taxpayers/{falcon.taxpayer_id}/documents"
    browser.size(390)
    browser.open(documents)
    browser.fill("#q", number[:-2].lower())
    browser.push(".search .box button")
    browser.wait_for(number)
    rows = browser.driver.find_elements("css selector", "tbody tr")
    assert len(rows) == 1
    # The first row is on the screen of a phone.
    assert browser.driver.execute_script("return arguments[0].getBoundingClientRect().top", rows[0]) < 800

    table = saved(browser, address(browser, "a[href*='/csv?'][download]"))
    assert table.headers["content-type"].startswith("text/csv")
    assert [line.split(",")[0] for line in table.text.splitlines()] == ["number", number]
    pdfs = saved(browser, address(browser, "a[href*='/pdfs?']"))
    with zipfile.ZipFile(io.BytesIO(pdfs.content)) as files:
        (name,) = files.namelist()
        assert name == f"Tax-Invoice-{number}.pdf" and files.read(name).startswith(b"%PDF")

    browser.push("tbody th a")
    browser.wait_for("Issued")
    steps = [step.text.split("\n")[0] for step in browser.driver.find_elements("css selector", ".steps > li strong")]
    assert steps == ["Issued", "Delivered", "Accepted", "Reported"]
    frame = browser.driver.find_element("css selector", ".paper > iframe")
    browser.driver.execute_script("arguments[0].scrollIntoView()", frame)
    browser.driver.switch_to.frame(frame)
    browser.wait_for(number)
    browser.driver.switch_to.default_content()
    pdf = saved(browser, address(browser, ".head .actions > a.button"))
    assert pdf.content.startswith(b"%PDF")
    data = saved(browser, address(browser, ".choices a[href$='/data']"))
    assert data.json()["invoice_number"] == number
    browser.push(".below summary")
    browser.wait_for("Accepted for sending")


@pytest.mark.usefixtures("member")
def test_a_view_is_saved_used_and_deleted_by_the_keyboard(run, browser):
    documents = f"{run.api_url}/sandbox/organization/documents"
    views = "form[action$='/documents/views']"
    browser.open(f"{documents}?view=sent&q=find")
    browser.push(f"details:has({views}) summary")
    browser.fill("#view-name", "Found ones")
    browser.push(f"{views} button")
    wait_for("the view", lambda: browser.driver.find_elements("link text", "Found ones"))
    browser.open(documents)
    browser.push(".tabs a:last-of-type")
    browser.wait_for_url(f"{documents}?")
    assert browser.driver.find_element("id", "q").get_attribute("value") == "find"
    browser.push(f"{views} button")
    wait_for("the end of the view", lambda: not browser.driver.find_elements("link text", "Found ones"))


@pytest.mark.usefixtures("member")
def test_the_page_of_a_document_on_its_way_keeps_itself_current(run, browser, falcon):
    browser.size(1_280)
    browser.scripts(run=True)
    try:
        body = bodies.invoice()
        queued = falcon.send(body, key=bodies.unique("key"), prefer="respond-async")
        assert queued.status_code == 202, queued.text
        documents = f"{run.api_url}/sandbox/organization/taxpayers/{falcon.taxpayer_id}/documents"
        browser.open(f"{documents}/{queued.json()['document_id']}")
        # The page is never loaded again: it keeps what a script left in it.
        browser.driver.execute_script("window.kept = true")

        def is_final() -> bool:
            steps = browser.driver.find_elements("css selector", ".steps > .busy, [data-refresh]")
            return not steps and "With the recipient" in browser.text()

        wait_for("the steps to end by themselves", is_final)
        assert browser.driver.execute_script("return window.kept")
        complaints = [entry for entry in browser.driver.get_log("browser") if entry["level"] == "SEVERE"]
        assert complaints == []
    finally:
        browser.scripts(run=False)


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.usefixtures("member")
def test_the_lists_of_documents_are_judged_with_their_views_and_searches(run, browser, axe, falcon, language):
    of_all = f"{run.api_url}/sandbox/organization/documents"
    of_one = f"{run.api_url}/sandbox/organization/taxpayers/{falcon.taxpayer_id}/documents"
    for name, url in [
        ("of-all", f"{of_all}?view=sent"),
        ("to-fix", f"{of_all}?view=fix"),
        ("search", f"{of_one}?q=inv&type=invoice"),
        ("none", f"{of_one}?q=nothing+has+this"),
    ]:
        browser.open(f"{url}&lang={language}")
        browser.judge(f"documents-{name}", axe)
