"""Sections 1 and 4.1: subscriptions from the signed events and the API of the billing provider."""

import json
import secrets
import subprocess
from datetime import UTC, datetime

import httpx
import pytest
from standardwebhooks import Webhook

from kit import bodies
from kit.client import detail, http, sent

PATHS = ["/v1/billing/events", "/api/v1/billing/events", "/api/billing/events"]


@pytest.fixture(scope="module")
def provider(run):
    """The stand-in of the billing provider, as the local runner started it."""
    with httpx.Client(base_url=run.described["billing"]["url"], trust_env=False, timeout=40) as client:
        yield client


def change(provider, organization: str, status: str, lost: bool = False) -> int | None:
    """Has the provider change a subscription; returns what its event was answered with."""
    response = provider.put(f"/subscriptions/{organization}", params={"lost": 1} if lost else {}, json={"status": status, "seats": 5})
    return response.raise_for_status().json()["answered"]


def reconcile(run) -> None:
    """Has the hourly function run now."""
    response = http().post(f"{run.described['invoke_url']}/2015-03-31/functions/billing_reconcile/invocations", content=b"{}")
    assert response.status_code == 200 and "x-amz-function-error" not in response.headers, response.text


def live_client(tenants):
    organization, taxpayer = tenants.organization(mode="live"), tenants.taxpayer(mode="live")
    tenants.grant(organization, taxpayer, mode="live")
    return organization, tenants.client(organization, taxpayer, mode="live")


def test_what_the_provider_tells_decides_over_live_sends(provider, tenants):
    """4.1, send rule 1. With a subscription the send gets as far as the network, which this deployment has none of."""
    organization, live = live_client(tenants)
    detail(live.send(bodies.invoice()), 402, "subscription_required")
    assert change(provider, organization, "active") == 204
    detail(live.send(bodies.invoice()), 503, "service_unavailable")
    assert change(provider, organization, "inactive") == 204
    detail(live.send(bodies.invoice()), 402, "subscription_required")
    provider.delete(f"/subscriptions/{organization}")


def test_an_event_that_was_lost_is_made_up_for_within_the_hour(run, provider, tenants):
    """1: Live mode requires an active subscription; the provider's API is asked every hour."""
    organization, live = live_client(tenants)
    assert change(provider, organization, "active", lost=True) is None
    detail(live.send(bodies.invoice()), 402, "subscription_required")
    reconcile(run)
    detail(live.send(bodies.invoice()), 503, "service_unavailable")
    # What the provider does not know any more is ended.
    provider.delete(f"/subscriptions/{organization}")
    reconcile(run)
    detail(live.send(bodies.invoice()), 402, "subscription_required")


def event(organization: str) -> str:
    now = datetime.now(UTC).isoformat()
    data = {"organization_id": organization, "status": "active", "updated_at": now}
    return json.dumps({"type": "subscription.updated", "timestamp": now, "data": data})


def post(run, path: str, body: str, secret: str, event_id: str | None = None) -> httpx.Response:
    event_id, now = event_id or f"msg_{secrets.token_hex(8)}", datetime.now(UTC)
    headers = {
        "webhook-id": event_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(event_id, now, body),
    }
    return http().post(run.api_url + path, content=body, headers=headers)


@pytest.mark.parametrize("path", PATHS)
def test_an_event_is_taken_once_under_every_base_address(run, tenants, path):
    """9: the aliases keep working. An event that comes again is answered as the first time."""
    organization, live = live_client(tenants)
    secret, body = run.described["billing"]["signing_secret"], event(organization)
    for _ in range(2):
        response = post(run, path, body, secret, event_id=f"msg_{organization}")
        assert response.status_code == 204, response.text
    detail(live.send(bodies.invoice()), 503, "service_unavailable")


def test_an_event_of_somebody_else_is_refused(run, tenants):
    """The callback is signed: who cannot sign changes nothing."""
    organization, live = live_client(tenants)
    stranger = "whsec_" + "A" * 43 + "="
    refused = post(run, PATHS[0], event(organization), stranger)
    detail(refused, 401, "invalid_signature")
    assert refused.headers["www-authenticate"] == "Webhook-Signature"
    detail(live.send(bodies.invoice()), 402, "subscription_required")


def test_what_is_wrong_with_an_event_is_said(run):
    """7: errors have one shape."""
    secret = run.described["billing"]["signing_secret"]
    detail(post(run, PATHS[0], event("org_0"), secret), 404, "not_found")
    detail(post(run, PATHS[0], "no JSON", secret), 400, "malformed_json")
    detail(post(run, PATHS[0], '{"type": "subscription.updated", "data": {}}', secret), 400, "invalid_request")
    detail(post(run, PATHS[0], " " * (64 * 1024 + 1), secret), 413, "payload_too_large")


def operate(run, *arguments: str) -> dict:
    """A command of the operator's, for programs."""
    tool, environment = run.functions / "access-point" / "bootstrap", run.described["environment"]
    done = subprocess.run([tool, *arguments, "--json"], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_an_operator_sets_shows_and_ends_a_subscription(run, tenants):
    """1: Live mode requires an active subscription; a deployment needs no billing provider."""
    organization, live = live_client(tenants)
    shown = operate(run, "subscription", "show", "--org", organization)
    assert (shown["status"], shown["seats"], shown["said_by"]) == ("none", None, None)
    shown = operate(run, "subscription", "set", "--org", organization, "--seats", "3")
    assert (shown["status"], shown["seats"], shown["said_by"], shown["confirmed_at"]) == ("active", 3, "operator", None)
    detail(live.send(bodies.invoice()), 503, "service_unavailable")
    reconcile(run)
    assert operate(run, "subscription", "show", "--org", organization)["status"] == "active", "the provider never heard of it"
    assert operate(run, "subscription", "end", "--org", organization)["status"] == "ended"
    detail(live.send(bodies.invoice()), 402, "subscription_required")


def test_an_operator_gives_an_organization_a_quota_of_its_own(run, tenants):
    """1, point 1: Sandbox has its own test quotas."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    assert operate(run, "org", "quota", "--org", organization, "--sends", "1")["daily_sends"] == 1
    sent(client.send(bodies.invoice()))
    detail(client.send(bodies.invoice()), 429, "quota_exceeded")
    shown = operate(run, "org", "quota", "--org", organization, "--sends", "default")
    assert (shown["daily_sends"], shown["sent"]) == (None, 1)
    sent(client.send(bodies.invoice()))
