"""5.4 The connection flow, with independent clients, as their makers publish them: a taxpayer of Sandbox is onboarded, approves,
the application exchanges, refreshes, sends, takes its tokens back; the taxpayer's approval ends and so do the tokens."""

import json
import os
import subprocess
import uuid
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import OAuth2Client
from requests_oauthlib import OAuth2Session

from kit import bodies, npm, operator
from kit.browser import Browser
from kit.mailbox import newest_link
from kit.receiver import Delivery, verify
from kit.run import REPOSITORY
from kit.waiting import wait_for

CALLBACK = "http://127.0.0.1:1/callback?of=erp"
# openid-client sends a redirect_uri without the query that it was registered with.
PLAIN_CALLBACK = "http://127.0.0.1:1/callback"
SCOPES = "invoices:read invoices:write"


@pytest.fixture(scope="module")
def application(run):
    """An application of the demo organization."""
    redirects = f"{CALLBACK},{PLAIN_CALLBACK}"
    return operator.tool(run, "client", "create", "--org", run.organization_id, "--name", "Books", "--redirect", redirects)


@pytest.fixture(scope="module")
def metadata(run):
    """The discovery document of Sandbox (RFC 8414)."""
    answer = httpx.get(f"{run.api_url}/.well-known/oauth-authorization-server/sandbox", trust_env=False)
    assert answer.status_code == 200
    found = answer.json()
    assert found["issuer"] == f"{run.api_url}/sandbox"
    return found


@pytest.fixture(autouse=True)
def plain_http(monkeypatch):
    """Both libraries refuse http, also on loopback, unless a setting allows it."""
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


def tin() -> str:
    return f"1{uuid.uuid4().int % 10**9:09}"


def approve(run, url: str, **business: str) -> str:
    """Creates a test business and approves, like a person. Returns the address to which the browser is sent."""
    browser = Browser(run.api_url)
    page = browser.get(url)
    assert "New test business" in page.text
    page = browser.submit(page, "/sandbox/onboarding", **({"name": "Nakheel Trading LLC", "email": ""} | business))
    assert "Books wants to act for your business" in page.text.replace("\u2068", "").replace("\u2069", "")
    return browser.submit(page, "/sandbox/oauth/consent", decision="approve")


def invoices(run, token: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{run.api_url}/v1/invoices", headers={"authorization": f"Bearer {token}"} | headers, trust_env=False, timeout=30)


def told(webhooks, event_type: str, taxpayer_id: str) -> dict:
    """The event of a type about a taxpayer, which the organization's endpoint got, signed."""

    def found() -> Delivery | None:
        about = (each for each in webhooks.deliveries() if each.envelope["data"].get("taxpayer_id") == taxpayer_id)
        return next((each for each in about if each.envelope["type"] == event_type), None)

    delivery = wait_for(f"{event_type} about {taxpayer_id}", found)
    verify(delivery, webhooks.secret)
    return delivery.envelope


def test_authlib_connects_refreshes_and_revokes(run, application, metadata):
    client = OAuth2Client(
        application["client_id"],
        application["client_secret"],
        token_endpoint_auth_method="client_secret_basic",
        scope=SCOPES,
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        trust_env=False,
    )
    verifier = uuid.uuid4().hex + uuid.uuid4().hex
    number = tin()
    url, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, tin_hint=number)
    callback = approve(run, url)
    assert callback.startswith(CALLBACK + "&code=")
    query = parse_qs(urlsplit(callback).query)
    assert query["state"] == [state] and query["iss"] == [metadata["issuer"]] and query["of"] == ["erp"]
    token = client.fetch_token(metadata["token_endpoint"], authorization_response=callback, code_verifier=verifier)
    assert token["token_type"] == "Bearer" and token["expires_in"] == 900 and token["scope"] == SCOPES

    # It acts for its one taxpayer: the one that was suggested, here.
    taxpayer = httpx.get(
        f"{run.api_url}/v1/me", headers={"authorization": f"Bearer {token['access_token']}"}, trust_env=False
    ).json()["credential"]["grant"]
    assert taxpayer["taxpayer_id"] == token["taxpayer_id"] and taxpayer["grant_id"] == token["grant_id"]
    body = bodies.invoice()
    sent = httpx.post(
        f"{run.api_url}/v1/invoices", json=body, headers={"authorization": f"Bearer {token['access_token']}"}, trust_env=False, timeout=30
    )
    assert sent.status_code == 201, sent.text
    assert len(invoices(run, token["access_token"]).json()["items"]) == 1

    refreshed = client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
    assert refreshed["refresh_token"] != token["refresh_token"]
    assert invoices(run, refreshed["access_token"]).status_code == 200
    assert client.revoke_token(metadata["revocation_endpoint"], token=refreshed["refresh_token"]).status_code == 200
    refused = invoices(run, refreshed["access_token"])
    assert refused.status_code == 401 and refused.json()["detail"]["code"] == "invalid_token"
    assert refused.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    with pytest.raises(OAuthError, match="invalid_grant"):
        client.refresh_token(metadata["token_endpoint"], refresh_token=refreshed["refresh_token"])


def test_requests_oauthlib_connects_and_loses_access_with_the_grant(run, application, metadata, falcon, webhooks):
    session = OAuth2Session(application["client_id"], redirect_uri=CALLBACK, scope=SCOPES.split(), pkce="S256")
    session.trust_env = False
    url, state = session.authorization_url(metadata["authorization_endpoint"], grant_label="Head office")
    callback = approve(run, url, tin=tin())
    assert parse_qs(urlsplit(callback).query)["state"] == [state]
    token = session.fetch_token(
        metadata["token_endpoint"],
        authorization_response=callback,
        client_secret=application["client_secret"],
        include_client_id=True,
    )
    created = told(webhooks, "taxpayer.created", token["taxpayer_id"])
    assert [grant["grant_id"] for grant in created["data"]["grants"]] == [token["grant_id"]]
    assert session.get(f"{run.api_url}/v1/invoices", timeout=30).status_code == 200
    # Another taxpayer than its own is refused, and so is a business that did not approve.
    assert invoices(run, token["access_token"], **{"x-ae-taxpayer-id": falcon.taxpayer_id}).status_code == 403

    # The organization disconnects: the next request is refused.
    key = {"authorization": f"Api-Key {run.sandbox_key}"}
    ended = httpx.delete(f"{run.api_url}/v1/grants/{token['grant_id']}", headers=key, trust_env=False, timeout=30)
    assert ended.status_code == 200 and ended.json()["status"] == "revoked"
    refused = invoices(run, token["access_token"])
    assert refused.status_code == 403 and refused.json()["detail"]["code"] == "grant_required"
    auth = (application["client_id"], application["client_secret"])
    form = {"grant_type": "refresh_token", "refresh_token": token["refresh_token"]}
    again = httpx.post(metadata["token_endpoint"], data=form, auth=auth, trust_env=False)
    assert again.status_code == 400 and again.json()["error"] == "invalid_grant"
    assert told(webhooks, "taxpayer.deleted", token["taxpayer_id"])["data"]["grants"] == []


def test_who_declines_sends_the_application_access_denied(run, application, metadata):
    session = OAuth2Session(application["client_id"], redirect_uri=CALLBACK, scope=SCOPES.split(), pkce="S256")
    url, _ = session.authorization_url(metadata["authorization_endpoint"])
    browser = Browser(run.api_url)
    page = browser.submit(browser.get(url), "/sandbox/onboarding", name="Palm LLC", email="")
    callback = browser.submit(page, "/sandbox/oauth/consent", decision="decline")
    assert parse_qs(urlsplit(callback).query)["error"] == ["access_denied"]
    with pytest.raises(Exception, match="access_denied"):
        session.fetch_token(metadata["token_endpoint"], authorization_response=callback, client_secret=application["client_secret"])


def test_a_business_signs_in_by_a_link_and_approves(run, application, metadata):
    """"An already onboarded business signs in through a one-time link sent to its verified e-mail" (5.4, point 3)."""
    address = f"accounts-{uuid.uuid4().hex[:8]}@nakheel.example"
    session = OAuth2Session(application["client_id"], redirect_uri=CALLBACK, scope=["taxpayer:read"], pkce="S256")
    url, _ = session.authorization_url(metadata["authorization_endpoint"])
    first = approve(run, url, email=address)
    assert "code=" in first
    # Another browser, in which nobody is signed in.
    browser = Browser(run.api_url)
    url, _ = session.authorization_url(metadata["authorization_endpoint"])
    page = browser.get(url)
    sign_in = page.text.split('<a href="/sandbox/sign-in?')[1].split('"')[0].replace("&#38;", "&").replace("&amp;", "&")
    page = browser.submit(browser.get(f"/sandbox/sign-in?{sign_in}"), "/sandbox/sign-in", email=address)
    assert "Check your e-mail" in page.text
    link = newest_link(run, address)
    page = browser.get(link)
    consent = browser.submit(page, "/sandbox/sign-in/confirm")
    assert "Nakheel Trading LLC" in consent.text
    callback = browser.submit(consent, "/sandbox/oauth/consent", decision="approve")
    assert callback.startswith(CALLBACK + "&code=")


@pytest.fixture(scope="module")
def node(run):
    """The folder of the clients from npm."""
    return npm.install(run.logs.parent / "npm")


@pytest.mark.parametrize("program", ["openid-client.mjs", "oauth4webapi.mjs"])
def test_the_strict_clients_of_npm_connect_refresh_and_revoke(run, application, metadata, node, program):
    redirect_uri = PLAIN_CALLBACK if program == "openid-client.mjs" else CALLBACK
    connects(run, application, {"ISSUER": metadata["issuer"], "REDIRECT_URI": redirect_uri}, ["node", program], node)


@pytest.fixture(scope="module")
def rust():
    """The client of the crate oauth2, built below .local once."""
    project, built = Path(__file__).parent / "rust", REPOSITORY / ".local" / "oauth2-client"
    command = ["cargo", "build", "--locked", "--quiet", "--manifest-path", project / "Cargo.toml", "--target-dir", built]
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}
    subprocess.run(command, env=environment, check=True, timeout=600)
    return built / "debug" / "oauth2-client"


def test_the_crate_oauth2_connects_refreshes_and_revokes(run, application, rust):
    found = f"{run.api_url}/.well-known/oauth-authorization-server/sandbox"
    connects(run, application, {"METADATA": found, "REDIRECT_URI": CALLBACK}, [rust], rust.parent)


def connects(run, application, told: dict[str, str], command: list, folder: Path) -> None:
    """A client that prints the authorization URL, reads the callback URL, and prints its tokens."""
    told = told | {"CLIENT_ID": application["client_id"], "CLIENT_SECRET": application["client_secret"], "SCOPE": SCOPES}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=os.environ | told, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as client:
        try:
            url = client.stdout.readline().strip()
            assert url, client.stderr.read()
            client.stdin.write(approve(run, url, tin=tin()) + "\n")
            client.stdin.flush()
            line = client.stdout.readline()
            assert line, client.stderr.read()
            given = json.loads(line)
            assert given["tokens"]["grant_id"].startswith("tgr_")
            for tokens in given.values():
                assert tokens["token_type"].lower() == "bearer" and tokens["taxpayer_id"].startswith("txpay_")
                assert invoices(run, tokens["access_token"]).status_code == 200
            client.stdin.write("\n")
            client.stdin.flush()
            assert client.stdout.readline() == "revoked\n", client.stderr.read()
            assert invoices(run, given["refreshed"]["access_token"]).status_code == 401
        finally:
            client.kill()
