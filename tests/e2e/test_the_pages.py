"""The pages of a business in a real browser: from the application to the account, by keyboard only and without scripts; layout and
findings of axe-core. PICTURES=1 writes screenshots."""

import re
import struct
import threading
import uuid
import zlib
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest
from requests_oauthlib import OAuth2Session

from kit import bodies, lighthouse, npm, operator
from kit.mailbox import newest_link
from kit.waiting import wait_for

SCOPES = ["taxpayer:read", "invoices:read", "invoices:write"]


@pytest.fixture(scope="module")
def callback():
    """The callback of the application."""

    class Application(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Books</title><p>You are back.")

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Application)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/callback"
    server.shutdown()


@pytest.fixture(scope="module")
def application(run, callback):
    return operator.tool(run, "client", "create", "--org", run.organization_id, "--name", "Books & Sons", "--redirect", callback)


@pytest.fixture(autouse=True)
def plain_http(monkeypatch):
    """The library refuses http, also on loopback, without this setting."""
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


def asked(run, application, callback, language: str = "en") -> tuple[OAuth2Session, str]:
    """A session of the application, and its authorization address."""
    session = OAuth2Session(application["client_id"], redirect_uri=callback, scope=SCOPES, pkce="S256")
    session.trust_env = False
    url, _ = session.authorization_url(f"{run.api_url}/sandbox/oauth/authorize", grant_label="Head office")
    return session, f"{url}&lang={language}" if language != "en" else url


def token_of(run, application, session: OAuth2Session, answer: str) -> str:
    """The access token for the code in the callback."""
    token = session.fetch_token(
        f"{run.api_url}/v1/oauth/token",
        authorization_response=answer,
        client_secret=application["client_secret"],
        include_client_id=True,
    )
    return token["access_token"]


def send(run, token: str) -> httpx.Response:
    header = {"authorization": f"Bearer {token}"}
    return httpx.post(f"{run.api_url}/v1/invoices", json=bodies.invoice(), headers=header, trust_env=False, timeout=30)


def test_a_business_connects_sends_takes_back_and_signs_in_by_the_keyboard_without_scripts(run, browser, application, callback):
    session, url = asked(run, application, callback)
    address = f"accounts-{uuid.uuid4().hex[:8]}@palm.example"
    browser.size(1_024)
    browser.open(url)
    browser.wait_for("New test business")
    browser.fill("#name", "Palm Trading LLC")
    browser.fill("#email", address)
    browser.look("1-test-business")
    browser.push("main form button")
    browser.wait_for("Books & Sons wants to act for your business")
    browser.wait_for("Palm Trading LLC")
    browser.look("2-consent")
    browser.push("button[value=approve]")
    browser.wait_for("You are back.")
    assert browser.url.startswith(f"{callback}?code=")
    token = token_of(run, application, session, browser.url)
    sent = send(run, token)
    assert sent.status_code == 201

    # The document is in the list and has its own page, with its history in a folded section.
    browser.open(f"{run.api_url}/sandbox/documents")
    browser.wait_for("Documents")
    browser.push("tbody a")
    browser.wait_for("Timeline")
    document = browser.url
    assert document.endswith(sent.json()["document_id"])
    # With scripts, which show local times, there are no requests to other origins either.
    browser.scripts(run=True)
    browser.open(document)
    assert browser.driver.find_element("css selector", "main time").get_attribute("title")
    assert all(each.startswith(f"{run.api_url}/") for each in browser.asked_for())
    browser.scripts(run=False)
    # Views are available in the chosen languages: the page, and the PDF by its own function.
    cookies = {each["name"]: each["value"] for each in browser.driver.get_cookies()}
    for copy, begins in [("view", b"<!doctype html>"), ("pdf", b"%PDF-")]:
        links = browser.driver.find_elements("css selector", f"main a[href*='/{copy}?language=']")
        assert [link.get_attribute("href").rpartition("=")[2] for link in links] == ["en", "ar", "both"]
        for link in links:
            given = httpx.get(link.get_attribute("href"), cookies=cookies, trust_env=False, timeout=30)
            assert given.status_code == 200 and given.content.lstrip().startswith(begins), given.text[:400]

    # The taxpayer revokes its approval: the next request is refused.
    browser.open(f"{run.api_url}/sandbox/account")
    browser.wait_for("Palm Trading LLC")
    browser.look("3-account")
    # Revoking asks for confirmation.
    browser.push("details:has(form[action$='/account/revoke']) summary")
    browser.wait_for("This cannot be undone")
    browser.push("form[action$='/account/revoke'] button")
    browser.wait_for("No app has access to your business")
    browser.look("4-taken-back")
    refused = send(run, token)
    assert refused.status_code == 403 and refused.json()["detail"]["code"] == "grant_required"

    browser.push("details.person summary")
    browser.push("nav.side form[action$='/sign-out'] button")
    browser.wait_for("You are signed out")
    browser.look("5-signed-out")
    browser.open(f"{run.api_url}/sandbox/account")
    browser.wait_for("E-mail address")
    # The skip link leads past the navigation, and is visible when focused.
    browser.tab_to("a.skip")
    browser.look("6-skip-link")
    browser.press("\ue007")
    browser.fill("#email", address)
    browser.look("7-sign-in")
    browser.push("main form button")
    browser.wait_for("Check your e-mail")
    browser.look("8-sent")
    link = newest_link(run, address)
    browser.open(f"{run.api_url}{link}")
    browser.wait_for("Press the button to sign in")
    browser.look("9-confirm")
    browser.push("main form button")
    browser.wait_for("Palm Trading LLC")
    # A used link is invalid.
    browser.open(f"{run.api_url}{link}")
    browser.wait_for("This link is no longer valid")
    browser.look("10-link-gone")
    # A person who declines returns with an error.
    session, url = asked(run, application, callback)
    browser.open(url)
    browser.wait_for("Books & Sons wants to act")
    browser.push("button[value=decline]")
    browser.wait_for_url(f"{callback}?error=access_denied")
    # Only the expected error pages are reported.
    assert [each for each in browser.complaints() if "410" not in each] == []


def picture(width: int, height: int) -> bytes:
    """A PNG of one colour (ISO/IEC 15948)."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\x1f\x5f\x8b" * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_every_page_is_judged_in_both_languages_light_and_dark_narrow_and_wide(
    run, browser, application, callback, axe, language, tmp_path
):
    address = f"accounts-{uuid.uuid4().hex[:8]}@palm.example"

    def at(path: str) -> str:
        return f"{run.api_url}{path}{'&' if '?' in path else '?'}lang={language}"

    def refused(name: str, selector: str, field: str, wrong: str) -> None:
        browser.write(selector, wrong)
        browser.push("main form button")
        wait_for("the problem", lambda: browser.driver.find_elements("css selector", field))
        browser.judge(name, axe, status=400)

    session, url = asked(run, application, callback)
    # The chosen language is stored.
    browser.driver.delete_all_cookies()
    browser.open(at("/sandbox/sign-in"))
    browser.judge("sign-in", axe)
    refused("sign-in-problem", "#email", "#email-problem", "nobody")
    browser.open(url)
    browser.judge("test-business", axe)
    browser.fill("#name", "نخيل Palm LLC")
    refused("test-business-problem", "#tin", "#tin-problem", "7")
    browser.write("#tin", "")
    browser.fill("#email", address)
    browser.push("main form button")
    wait_for("the question", lambda: browser.driver.find_elements("css selector", "button[value=approve]"))
    browser.judge("consent", axe)
    browser.push("button[value=approve]")
    browser.wait_for("You are back.")
    sent = send(run, token_of(run, application, session, browser.url))
    assert sent.status_code == 201, sent.text
    document = f"/sandbox/documents/{sent.json()['document_id']}"
    for name, path, status in [
        ("account", "/sandbox/account", 200),
        ("documents", "/sandbox/documents", 200),
        ("documents-not-found", "/sandbox/documents?status=failed", 200),
        ("documents-problem", "/sandbox/documents?status=nothing", 400),
        ("document", document, 200),
        ("view", f"{document}/view", 200),
        ("business", "/sandbox/account/business", 200),
        ("logo", "/sandbox/account/business/logo", 200),
        ("card", "/sandbox/account/business/card", 200),
        ("archives", "/sandbox/account/archives", 200),
        ("status", "/sandbox/status", 200),
        ("settings", "/sandbox/account/settings", 200),
    ]:
        browser.open(at(path))
        browser.judge(name, axe, status)
    refused("settings-problem", "#email", "#email-problem", "nobody")
    # The logo is on the invoice, whose code leads to its verification.
    browser.open(at("/sandbox/account/business/logo"))
    logo = tmp_path / "logo.png"
    logo.write_bytes(picture(120, 60))
    browser.driver.find_element("css selector", "#file").send_keys(str(logo))
    browser.push("form[action$='/business/logo'] button")
    wait_for("the logo", lambda: browser.driver.find_elements("css selector", ".own-logo"))
    browser.judge("logo-set", axe)
    browser.open(at(f"{document}/view"))
    assert "data:image/png" in browser.driver.page_source
    browser.open(at(re.search(r"/sandbox/verify/[\w.~-]+", browser.driver.page_source)[0]))
    browser.judge("verification", axe)
    browser.open(at("/sandbox/verify/unknown"))
    browser.judge("verification-unknown", axe, status=404)
    browser.open(at("/sandbox/account/business/logo"))
    browser.push("form[action$='/logo/remove'] button")
    wait_for("the empty form", lambda: not browser.driver.find_elements("css selector", ".own-logo"))
    browser.open(at("/sandbox/account/business/card"))
    refused("card-problem", "#country_code", "#country_code-problem", "7")
    browser.open(at("/sandbox/account/archives"))
    refused("archives-problem", "#to", "#to-problem", "01012019")
    browser.push("details.person summary")
    browser.push("nav.side form[action$='/sign-out'] button")
    browser.wait_for_url(f"{run.api_url}/sandbox/signed-out")
    browser.judge("signed-out", axe)
    # The same person is a member of an organization: sign-in asks for the account.
    operator.tool(run, "member", "invite", "--org", run.organization_id, "--email", address, "--role", "viewer")
    browser.open(at("/sandbox/sign-in"))
    browser.fill("#email", address)
    browser.push("main form button")
    browser.wait_for_url(f"{run.api_url}/sandbox/sign-in/sent")
    browser.judge("sent", axe)
    link = f"{run.api_url}{newest_link(run, address)}"
    browser.open(link)
    browser.judge("confirm", axe)
    cookies = browser.driver.get_cookies()
    browser.driver.delete_all_cookies()
    browser.open(at("/sandbox/sign-in"))
    browser.open(link)
    browser.judge("other-browser", axe, status=403)
    for cookie in cookies:
        browser.driver.add_cookie(cookie)
    browser.open(link)
    browser.push("main form button")
    wait_for("the choice", lambda: browser.driver.find_elements("css selector", "input[name=account]"))
    browser.judge("choose", axe)
    browser.push("main form button")
    browser.wait_for_url(f"{run.api_url}/sandbox/account")
    # A form of an outdated page.
    browser.driver.delete_cookie("__Host-sandbox-session")
    browser.push("details:has(form[action$='/account/revoke']) summary")
    browser.push("form[action$='/account/revoke'] button")
    wait_for("the refusal", lambda: browser.status() == 403)
    browser.judge("form-refused", axe, status=403)
    browser.open(at("/sandbox/sign-in"))
    # The link that creates an organization.
    founder = f"founder-{uuid.uuid4().hex[:8]}@palm.example"
    browser.open(at("/sandbox/organization/new"))
    browser.fill("#name", "Palm Integrations")
    browser.fill("#email", founder)
    browser.push("main form button")
    browser.wait_for_url(f"{run.api_url}/sandbox/organization/new/sent")
    browser.open(f"{run.api_url}{newest_link(run, founder, page='/organization/new/confirm')}")
    browser.judge("sign-up-confirm", axe)
    for name, path, status in [
        ("not-found", "/sandbox/nothing", 404),
        ("link-gone", "/sandbox/sign-in/confirm", 410),
        ("wrong", "/sandbox/oauth/authorize", 400),
        ("live-sign-in", "/sign-in", 200),
        ("front", "/", 200),
        ("front-sandbox", "/sandbox", 200),
        ("sign-up", "/sandbox/organization/new", 200),
        ("sign-up-sent", "/sandbox/organization/new/sent", 200),
        ("sign-up-gone", "/sandbox/organization/new/confirm", 410),
        ("sign-up-live", "/organization/new", 200),
    ]:
        browser.open(at(path))
        browser.judge(name, axe, status)


@pytest.mark.alone
def test_lighthouse_gives_the_main_pages_95_and_more(run, browser, application, callback):
    folder = npm.install(run.logs.parent / "npm-lighthouse", "lighthouse")
    session, url = asked(run, application, callback)
    browser.driver.delete_all_cookies()
    browser.open(url)
    browser.wait_for("New test business")
    browser.fill("#name", "Palm Trading LLC")
    browser.push("main form button")
    browser.wait_for("Books & Sons wants to act for your business")
    cookies = browser.driver.get_cookies()
    browser.push("button[value=approve]")
    browser.wait_for("You are back.")
    sent = send(run, token_of(run, application, session, browser.url))
    assert sent.status_code == 201, sent.text
    for path in ["/account", "/documents", f"/documents/{sent.json()['document_id']}"]:
        found = lighthouse.scores(folder, f"{run.api_url}/sandbox{path}", cookies, goal=95)
        assert min(found.values()) >= 95, (path, found)
