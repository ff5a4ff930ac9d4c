"""The onboarding pages, and pages that exist only in Live, in a real browser: by keyboard and without scripts, in both languages, light
and dark, narrow and wide. PICTURES=1 writes screenshots."""

import uuid

import httpx
import pytest
from sides import SECONDS, Side, decided
from test_5_onboarding import link

from kit import bodies, house
from kit.client import sent
from kit.mailbox import newest_link
from kit.waiting import wait_for

LANGUAGES = ("en", "ar")
# From the form with the TIN to the account, with the link in the mail: the most clicks of a business.
MOST_CLICKS = 5


def business(network: dict, **changes: dict) -> tuple[str, str]:
    """Adds a business to the national portal, with an appointment: its TIN and address."""
    tin, email = f"1{uuid.uuid4().int % 10**9:09}", f"accounts-{uuid.uuid4().hex[:8]}@silver-dune.example"
    details = {
        "name": "Silver Dune LLC",
        "vat_identifier": f"{tin}00003",
        "tax_registration_identifier": tin,
        "legal_registration": {"id": "CN-4596", "type": "TL", "authority_name": "Department of Economy and Tourism"},
        "address": {"line_1": "Al Wasl Road 9", "city": "Dubai", "country_subdivision": "DXB", "country_code": "AE"},
    }
    known = {"appointed": True, "status": "active", "email": email, "details": details | changes}
    httpx.put(f"{network['network']['tax_portal_url']}/businesses/{tin}", json=known).raise_for_status()
    return tin, email


def judge(browser, axe, name: str, url: str, *, briefly: bool = False) -> None:
    """Checks a page in both languages; the English one stays open."""
    for language in LANGUAGES[::-1]:
        browser.open(f"{url}{'&' if '?' in url else '?'}lang={language}")
        browser.judge(name, axe, briefly=briefly)
    browser.size(1_280)


def ask(browser, side: Side, tin: str, email: str) -> None:
    browser.open(f"{side.run.api_url}/onboard?lang=en")
    browser.write("#tin", tin)
    browser.write("#email", email)
    browser.push("main form button")


def test_a_business_comes_by_the_keyboard_and_each_page_on_its_way_is_judged(network: dict, a: Side, browser, axe):
    site, (tin, email) = a.run.api_url, business(network)
    browser.size(1_280)
    judge(browser, axe, "onboard", f"{site}/onboard")
    for language in LANGUAGES[::-1]:
        browser.open(f"{site}/onboard?lang={language}")
        browser.write("#tin", "7")
        browser.push("main form button")
        wait_for("the problem", lambda: browser.driver.find_elements("css selector", "#tin-problem"))
        browser.judge("onboard-problem", axe, status=400)
    browser.size(1_280)
    browser.clicks.clear()
    ask(browser, a, tin, email)
    browser.wait_for_url(f"{site}/onboard/sent?")
    judge(browser, axe, "onboard-sent", browser.url)
    browser.clicks.append("the link in the mail")
    judge(browser, axe, "onboard-confirm", f"{site}{link(a, email)}")
    browser.push("main form button")
    browser.wait_for_url(f"{site}/onboard/details?")
    browser.wait_for("Silver Dune LLC")
    judge(browser, axe, "onboard-details", browser.url)
    browser.push("main form button")
    browser.wait_for_url(f"{site}/onboard/progress?")
    progress = browser.url
    judge(browser, axe, "onboard-progress", progress)

    def finished():
        browser.open(progress)
        return browser.driver.find_elements("css selector", "form[action='/onboard/progress'] button")

    wait_for("the end of its onboarding", finished, SECONDS)
    judge(browser, axe, "onboard-finished", progress)
    browser.push("form[action='/onboard/progress'] button")
    browser.wait_for_url(f"{site}/account")
    browser.wait_for("Silver Dune LLC")
    assert len(browser.clicks) <= MOST_CLICKS, browser.clicks
    # The business decides whether the Directory lists it, and with which texts.
    browser.open(f"{site}/account/business/card")
    browser.fill("#geographical_information", "Dubai")
    browser.push("main form button")
    browser.wait_for_url(f"{site}/account/business?")
    browser.push("form[action='/account/directory'] button[value=yes]")
    wait_for("the way back", lambda: browser.driver.find_elements("css selector", "button[name=listed][value=no]"))
    # Live shows a business its pending steps, if there are any.
    judge(browser, axe, "live-business", f"{site}/account/business")


def test_what_is_wrong_with_a_business_is_told_on_a_page_like_every_other(network: dict, a: Side, browser, axe):
    tin, email = business(network, legal_registration={"id": "CN-4597", "type": "TL"})
    browser.driver.delete_all_cookies()
    browser.size(1_280)
    ask(browser, a, tin, email)
    browser.wait_for_url(f"{a.run.api_url}/onboard/sent?")
    browser.open(f"{a.run.api_url}{link(a, email)}")
    browser.push("main form button")
    browser.wait_for_url(f"{a.run.api_url}/onboard/details?")
    browser.wait_for("authority")
    judge(browser, axe, "onboard-defects", browser.url)


def signed_in(browser, side: Side, role: str) -> str:
    """Signs in a new member with a role; returns the address of Live's overview."""
    address = f"{role}-{uuid.uuid4().hex[:8]}@books.example"
    side.operate("member", "invite", "--org", side.run.organization_id, "--email", address, "--role", role)
    browser.driver.delete_all_cookies()
    browser.open(f"{side.run.api_url}/sign-in?lang=en")
    browser.fill("#email", address)
    browser.push("main form button")
    browser.wait_for_url(f"{side.run.api_url}/sign-in/sent")
    browser.open(f"{side.run.api_url}{newest_link(side.run, address, mode='')}")
    browser.push("main form button")
    overview = f"{side.run.api_url}/organization"
    browser.wait_for_url(overview)
    return overview


@pytest.fixture
def failing(a: Side):
    """An endpoint of A's organization without a server, and an event whose delivery failed there."""
    nobody = {"url": "http://127.0.0.1:1/hook"}
    made = a.live.request("POST", "/webhook-endpoints", json=nobody)
    assert made.status_code == 201, made.text
    endpoint = f"/webhook-endpoints/{made.json()['endpoint_id']}"
    tried = a.live.request("POST", f"{endpoint}/test", json={"event_type": "document.sent"})
    assert tried.status_code == 202, tried.text
    wait_for("its failure", lambda: a.live.request("GET", f"{endpoint}/deliveries?status=failing").json()["items"], SECONDS)
    yield made.json()["endpoint_id"], tried.json()["event_id"]
    assert a.live.request("DELETE", endpoint).status_code == 204


def test_a_document_that_went_through_the_network_is_shown_in_the_portal_of_live(a: Side, b: Side, browser, axe):
    document = sent(a.live.send(bodies.invoice(customer=b.party())))["document_id"]
    decided(a, document, "REPORTED")
    documents = f"{signed_in(browser, a, 'viewer')}/taxpayers/{a.live.taxpayer_id}/documents"
    judge(browser, axe, "portal-live-business-documents", documents)
    judge(browser, axe, "portal-live-business-document", f"{documents}/{document}")


def test_the_overview_of_live_is_judged_with_all_that_it_can_show(a: Side, other_program, browser, axe, failing):
    """Failures, a failing endpoint, pending answers, and days; and the pages behind them."""
    rejected = bodies.invoice(customer=other_program.party())
    document = sent(a.live.send(rejected))["document_id"]
    other_program.rejects(a, document)
    a.reaches(document, "rejected")
    # Its status is pending; up to eight earlier documents of this network may be listed before it.
    sent(a.live.send(bodies.invoice(customer=other_program.party())))
    endpoint, event = failing
    overview = signed_in(browser, a, "owner")

    def has_all():
        browser.open(overview)
        attention = "\n".join(each.text for each in browser.driver.find_elements("css selector", "main ul.attention"))
        return all(map(attention.__contains__, [bodies.number_of(rejected), "127.0.0.1:1"])) and "Awaited responses" in browser.text()

    wait_for("all of it on the overview", has_all, SECONDS)
    headings = [each.text for each in browser.driver.find_elements("css selector", "main h2")]
    assert headings == ["Documents of the last 14 days", "Needs attention", "Awaited responses", "Latest documents"]
    assert browser.driver.find_elements("css selector", "main a[href$='/organization/events']")
    judge(browser, axe, "portal-live-overview-full", overview)
    for name, path in [
        ("rejected-document", f"taxpayers/{a.live.taxpayer_id}/documents/{document}"),
        ("event", f"events/{event}"),
        ("delivery", f"events/{event}/{endpoint}"),
        ("webhook", f"webhooks/{endpoint}"),
        ("webhook-change", f"webhooks/{endpoint}/change"),
    ]:
        judge(browser, axe, f"portal-live-{name}", f"{overview}/{path}", briefly=True)


def test_no_page_and_no_form_of_onboarding_is_left_out(request):
    house.only_after(request, {__name__})
    of_onboarding = {page for page in house.pages() if page.startswith("/onboard/") or page == "/onboard"}
    assert {language: house.not_judged(language) & of_onboarding for language in LANGUAGES} == {"en": set(), "ar": set()}
    assert {form for form in house.not_pushed() if form.startswith("/onboard/") or form == "/onboard"} == set()
