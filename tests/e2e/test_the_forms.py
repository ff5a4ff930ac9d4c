"""Submits the forms that no other test submits, by keyboard only and without scripts, and checks their effects."""

import uuid
from functools import partial

import httpx
import pytest
from selenium.webdriver.common.keys import Keys

from kit import chromium, operator
from kit.receiver import receiver
from kit.waiting import wait_for
from test_the_pages import application, asked, callback, picture, plain_http, send, token_of  # noqa: F401
from test_the_portal import invited, shown_secret, signed_in


@pytest.fixture(scope="module")
def owner(run, browser, tenants):
    """A signed-in owner of a new account: the account, the address, and a key."""

    class Owner:
        organization = tenants.organization()
        key = tenants.client(organization, "").but(taxpayer_id=None)
        address = invited(run, organization, "owner")
        portal = f"{run.api_url}/sandbox/organization"

    browser.size(1_280)
    signed_in(run, browser, Owner.address)
    return Owner


@pytest.fixture
def business(run, browser, application, callback):  # noqa: F811
    """A person who is signed in for a test business with one connected application: the address and the application's token."""

    class Business:
        address = f"accounts-{uuid.uuid4().hex[:8]}@palm.example"

    session, url = asked(run, application, callback)
    browser.size(1_280)
    browser.driver.delete_all_cookies()
    browser.open(url)
    browser.fill("#name", "Palm Trading LLC")
    browser.fill("#email", Business.address)
    browser.push("main form button")
    browser.wait_for("Books & Sons wants to act for your business")
    browser.push("button[value=approve]")
    browser.wait_for("You are back.")
    Business.token = token_of(run, application, session, browser.url)
    return Business


@pytest.fixture
def second_browser():
    """Another browser of the same person."""
    with chromium.started() as browser:
        yield browser


@pytest.fixture(autouse=True)
def complains_of_nothing(browser):
    yield
    assert browser.complaints() == []


def asked_by(run, business, path: str):
    """The API's answer to the application of a business."""
    header = {"authorization": f"Bearer {business.token}"}
    answer = httpx.get(f"{run.api_url}/v1{path}", headers=header, trust_env=False, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def members(run, owner) -> dict[str, dict]:
    return {each["email"]: each for each in operator.tool(run, "member", "list", "--org", owner.organization)}


def test_a_member_is_invited_gets_another_role_and_is_removed(run, browser, owner):
    address = f"new-{uuid.uuid4().hex[:8]}@books.example"
    browser.open(f"{owner.portal}/members")
    browser.fill("#email", address)
    # Arrow keys select within a group of radio buttons.
    browser.tab_to("#new-developer")
    browser.press(Keys.DOWN, Keys.DOWN)
    browser.push("form[action$='/members/invite'] button")
    browser.wait_for_url(f"{owner.portal}/members?done=invited")
    invitation = members(run, owner)[address]
    assert invitation["role"] == "viewer"
    row = f"tr:has([id='role-{invitation['member_id']}'])"
    browser.push(f"{row} summary")
    browser.tab_to(f"[id='role-{invitation['member_id']}']")
    browser.press("billing")
    browser.push(f"{row} form[action$='/members/role'] button")
    browser.wait_for_url(f"{owner.portal}/members?done=changed")
    assert members(run, owner)[address]["role"] == "billing"
    browser.push(f"{row} summary")
    browser.push(f"{row} form[action$='/members/remove'] button")
    browser.wait_for_url(f"{owner.portal}/members?done=removed")
    assert address not in members(run, owner)
    # The last owner cannot be changed.
    browser.push("tbody tr:first-child summary")
    browser.push("tbody tr:first-child form[action$='/members/remove'] button")
    wait_for("the refusal", lambda: browser.driver.find_elements("css selector", ".problem"))
    browser.complains_of_nothing("the last owner", status=400)
    assert members(run, owner)[owner.address]["role"] == "owner"


def test_a_client_is_made_gets_other_addresses_and_another_secret(run, browser, owner):
    browser.open(f"{owner.portal}/clients")
    browser.fill("#name", "Books")
    browser.fill("#redirects", "https://books.example/back")
    browser.choose("[id='inbound:read']")
    browser.push("form[action$='/clients/create'] button")
    first = shown_secret(browser)
    (made,) = operator.tool(run, "client", "list", "--org", owner.organization)
    assert (made["name"], made["redirect_uris"]) == ("Books", ["https://books.example/back"])
    assert "inbound:read" not in made["scopes"] and "invoices:write" in made["scopes"]

    browser.push("details:has(form[action$='/clients/change']) summary")
    browser.write("form[action$='/clients/change'] input[name=name]", "Books Online")
    browser.write("form[action$='/clients/change'] textarea", "https://books.example/a\nhttps://books.example/b")
    browser.push("form[action$='/clients/change'] button")
    browser.wait_for_url(f"{owner.portal}/clients?done=changed")
    (changed,) = operator.tool(run, "client", "list", "--org", owner.organization)
    assert (changed["name"], changed["redirect_uris"]) == ("Books Online", ["https://books.example/a", "https://books.example/b"])

    browser.push("details:has(form[action$='/clients/rotate']) summary")
    browser.choose("form[action$='/clients/rotate'] input[type=checkbox]")
    browser.push("form[action$='/clients/rotate'] button")
    second = shown_secret(browser)

    def refusal(secret: str) -> str:
        form = {"grant_type": "refresh_token", "refresh_token": "rt_test_none", "client_id": made["client_id"], "client_secret": secret}
        return httpx.post(f"{run.api_url}/v1/oauth/token", data=form, trust_env=False, timeout=30).json()["error"]

    # The leaked secret is invalid at once; with the new one, only the token is invalid.
    assert (refusal(first), refusal(second)) == ("invalid_client", "invalid_grant")

    browser.open(f"{owner.portal}/clients")
    browser.push("details:has(form[action$='/clients/delete']) summary")
    browser.push("form[action$='/clients/delete'] button")
    browser.wait_for_url(f"{owner.portal}/clients?done=deleted")
    assert operator.tool(run, "client", "list", "--org", owner.organization) == []
    assert refusal(second) == "invalid_client"


def test_an_endpoint_is_sent_again_what_failed_is_changed_and_deleted(browser, owner):
    with receiver(answers=[400]) as hook:
        made = owner.key.request("POST", "/webhook-endpoints", json={"url": hook.url}).json()
        path, page = f"/webhook-endpoints/{made['endpoint_id']}", f"{owner.portal}/webhooks/{made['endpoint_id']}"
        browser.open(page)
        browser.push("form[action$='/webhooks/test'] button")
        browser.wait_for_url(f"{page}?done=test")

        def deliveries(status: str) -> list[dict]:
            return owner.key.request("GET", f"{path}/deliveries", params={"status": status}).json()["items"]

        wait_for("the failure", lambda: deliveries("failing"))
        hook.answer(204)
        browser.open(page)
        browser.push("form[action$='/webhooks/retry-failed'] button")
        browser.wait_for_url(f"{page}?done=retried")
        wait_for("the delivery", lambda: deliveries("delivered"))
        assert len({each.headers["webhook-id"] for each in hook.deliveries()}) == 1 < len(hook.deliveries())

        browser.push("main a[href$='/change']")
        browser.wait_for_url(f"{page}/change")
        browser.write("#url", f"{hook.url}/elsewhere")
        browser.write("#description", "of the ERP")
        browser.choose("[id='type-document.reported']")
        browser.choose("#enabled")
        browser.push("form[action$='/webhooks/change'] button")
        browser.wait_for_url(f"{page}?done=changed")
        changed = owner.key.request("GET", path).json()
        assert (changed["url"], changed["description"]) == (f"{hook.url}/elsewhere", "of the ERP")
        assert (changed["event_types"], changed["enabled"]) == (["document.reported"], False)

        browser.push("details:has(form[action$='/webhooks/delete']) summary")
        browser.push("form[action$='/webhooks/delete'] button")
        browser.wait_for_url(f"{owner.portal}/webhooks?done=deleted")
        assert owner.key.request("GET", path).status_code == 404


def test_a_member_ends_his_other_session_and_then_all(run, browser, second_browser, owner):
    second_browser.size(1_280)
    signed_in(run, second_browser, owner.address)
    browser.open(f"{owner.portal}/sessions")
    browser.push("form[action$='/sessions/end'] button")
    browser.wait_for_url(f"{owner.portal}/sessions?done=ended")
    second_browser.open(f"{owner.portal}/sessions")
    second_browser.wait_for("E-mail address")
    signed_in(run, second_browser, owner.address)
    browser.push("form[action$='/sign-out-everywhere'] button")
    browser.wait_for("You are signed out")
    for each in (browser, second_browser):
        each.open(owner.portal)
        each.wait_for("E-mail address")


def test_an_organization_sets_the_logo_of_a_business(run, browser, business, tmp_path):
    taxpayer = asked_by(run, business, "/taxpayer")["taxpayer_id"]
    signed_in(run, browser, invited(run, run.organization_id, "developer"))
    portal = f"{run.api_url}/sandbox/organization"
    browser.open(f"{portal}/taxpayers/{taxpayer}")
    browser.push(f"a[href$='/logos/{taxpayer}']")
    logo = tmp_path / "logo.png"
    logo.write_bytes(picture(120, 60))
    browser.driver.find_element("css selector", "#file").send_keys(str(logo))
    browser.push("form[action$='/logos/replace'] button")
    browser.wait_for("The logo was saved")
    assert browser.driver.find_elements("css selector", ".own-logo")
    browser.push("form[action$='/logos/remove'] button")
    browser.wait_for("The logo was removed")
    assert not browser.driver.find_elements("css selector", ".own-logo")


def test_a_grant_is_given_up(run, browser, business):
    taxpayer = asked_by(run, business, "/taxpayer")["taxpayer_id"]
    signed_in(run, browser, invited(run, run.organization_id, "developer"))
    portal = f"{run.api_url}/sandbox/organization/taxpayers"
    browser.open(f"{portal}/{taxpayer}")
    browser.push("details:has(form[action$='/grants/disconnect']) summary")
    browser.push("form[action$='/grants/disconnect'] button")
    browser.wait_for_url(f"{portal}?")
    refused = send(run, business.token)
    assert refused.status_code == 403 and refused.json()["detail"]["code"] == "grant_required"


def test_a_business_says_how_it_is_written_to_and_what_others_are_told_of_it(run, browser, business):
    account = f"{run.api_url}/sandbox/account"
    browser.open(f"{account}/settings")
    browser.tab_to("#language")
    # The next item of the list.
    browser.press(Keys.DOWN)
    browser.fill("#email", f"books-{business.address}")
    browser.push("main form button")
    browser.wait_for_url(f"{account}/settings?")
    settings = asked_by(run, business, "/taxpayer")["settings"]
    assert (settings["language"], settings["notification_email"]) == ("ar", f"books-{business.address}")

    browser.open(f"{account}/business")
    browser.push("a[href$='/business/card']")
    browser.wait_for_url(f"{account}/business/card")
    browser.fill("#geographical_information", "Dubai")
    browser.fill("#websites-0", "https://palm.example")
    browser.push("main form button")
    browser.wait_for_url(f"{account}/business?")
    (entity,) = asked_by(run, business, "/taxpayer/business-card")["entities"]
    assert (entity["geographical_information"], entity["websites"]) == ("Dubai", ["https://palm.example"])
    # Lists the business in the Directory, and removes it again.
    for wish, other in [("yes", "no"), ("no", "yes")]:
        browser.push(f"form[action$='/account/directory'] button[value={wish}]")
        wait_for("the other wish", partial(browser.driver.find_elements, "css selector", f"button[name=listed][value={other}]"))


def test_a_business_has_its_documents_as_one_file(run, browser, business):
    document = send(run, business.token).json()["document_id"]
    browser.open(f"{run.api_url}/sandbox/account/archives")
    browser.push("main form button")
    browser.wait_for_url(f"{run.api_url}/sandbox/account/archives?")

    def file():
        browser.open(f"{run.api_url}/sandbox/account/archives")
        return browser.driver.find_elements("css selector", "tbody a[download]")

    (link,) = wait_for("the file", file, seconds=60)
    cookies = {each["name"]: each["value"] for each in browser.driver.get_cookies()}
    given = httpx.get(link.get_attribute("href"), cookies=cookies, follow_redirects=True, trust_env=False, timeout=30)
    assert given.content.startswith(b"PK") and document.encode() in given.content


def test_a_business_ends_its_other_session_and_then_all(run, browser, second_browser, business):
    account = f"{run.api_url}/sandbox/account"
    second_browser.size(1_280)
    signed_in(run, second_browser, business.address, at="/sandbox/account")
    browser.open(account)
    browser.push("form[action$='/account/end-session'] button")
    wait_for("the end", lambda: not browser.driver.find_elements("css selector", "form[action$='/account/end-session']"))
    second_browser.open(account)
    second_browser.wait_for("E-mail address")
    signed_in(run, second_browser, business.address, at="/sandbox/account")
    browser.push("form[action$='/sign-out-everywhere'] button")
    browser.wait_for("You are signed out")
    for each in (browser, second_browser):
        each.open(account)
        each.wait_for("E-mail address")
