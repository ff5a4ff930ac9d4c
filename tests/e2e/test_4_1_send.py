"""Section 4.1: the headers and rules of the four send operations. (Idempotency-Key: see 3.3.)"""

from datetime import UTC, datetime, timedelta

import pytest

from kit import bodies
from kit.client import detail, findings, sent
from kit.waiting import wait_for

OPERATIONS = list(bodies.BUILDERS)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_send_answers_201_with_the_document_and_its_address(falcon, operation):
    """4.1: POST on each of the four paths sends the document."""
    body = bodies.BUILDERS[operation]()
    response = falcon.send(body, operation)
    document = sent(response)
    assert response.headers["location"].endswith(f"/v1/invoices/{document['document_id']}")
    assert response.headers["content-type"].split(";")[0] == "application/json"
    assert document["status"] == "sent"
    assert document["direction"] == "outbound"
    assert document["type"] == operation
    assert document["number"] == bodies.number_of(body)
    assert document["taxpayer_id"] == falcon.taxpayer_id
    assert document == falcon.get(document["document_id"]).json()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_send_needs_the_authorization_header(falcon, operation):
    """4.1, Authorization: required."""
    response = falcon.but(key=None).send(bodies.BUILDERS[operation](), operation)
    detail(response, 401, "unauthorized")
    assert response.headers["www-authenticate"].startswith("Api-Key")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_send_with_an_api_key_needs_the_taxpayer(falcon, operation):
    """4.1, x-ae-taxpayer-id: required with an organization API key."""
    response = falcon.but(taxpayer_id=None).send(bodies.BUILDERS[operation](), operation)
    assert "x-ae-taxpayer-id" in detail(response, 400, "invalid_request")["message"].lower()


@pytest.mark.parametrize("wrong", ["1001234501", "0235:1001234501", "org_1", "txpay_", "txpay_a b", ""])
def test_a_taxpayer_id_of_another_shape_is_refused(falcon, wrong):
    """4.1 and 5.1, x-ae-taxpayer-id: txpay_…; not a TIN, not 0235:<TIN>, not an organization id."""
    response = falcon.but(taxpayer_id=wrong).send(bodies.invoice())
    assert "x-ae-taxpayer-id" in detail(response, 400, "invalid_request")["message"].lower()


def test_a_send_may_name_its_grant(falcon, run):
    """4.1, x-ae-grant-id: with an organization API key, act through exactly that grant."""
    sent(falcon.but(grant_id=run.taxpayer("Falcon").grant_id).send(bodies.invoice()))


def test_a_send_through_another_taxpayers_grant_is_refused(falcon, run):
    """4.1, x-ae-grant-id: act through exactly that grant, which must be one on this taxpayer."""
    response = falcon.but(grant_id=run.taxpayer("Oasis").grant_id).send(bodies.invoice())
    detail(response, 403, "grant_required")


@pytest.mark.parametrize("wrong", ["txpay_1", "tgr_", "tgr_a/b", ""])
def test_a_grant_id_of_another_shape_is_refused(falcon, wrong):
    """4.1, x-ae-grant-id: tgr_…"""
    response = falcon.but(grant_id=wrong).send(bodies.invoice())
    assert "x-ae-grant-id" in detail(response, 400, "invalid_request")["message"].lower()


# Prefer


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_queued_send_is_accepted_and_reaches_sent(falcon, webhooks, operation):
    """4.1, Prefer: respond-async together with Idempotency-Key requests durable queued delivery."""
    key = bodies.unique("key")
    body = bodies.BUILDERS[operation](source_id=bodies.unique("erp"))
    response = falcon.send(body, operation, key=key, prefer="respond-async")
    assert response.status_code == 202, response.text
    accepted = response.json()
    assert accepted["status"] == "accepted" and accepted["source_id"] == body["source_id"]
    assert response.headers["location"].endswith(f"/v1/invoices/{accepted['document_id']}")
    document = wait_for(
        "the queued document to be sent",
        lambda: (found := falcon.get(accepted["document_id"]).json())["status"] == "sent" and found,
    )
    assert document["message_id"] == accepted["message_id"]
    assert falcon.ubl(accepted["document_id"]).status_code == 200
    again = falcon.send(body, operation, key=key, prefer="respond-async")
    assert (again.status_code, again.content) == (202, response.content), "the saved response is replayed"
    assert again.headers["idempotent-replayed"] == "true"
    events = webhooks.wait_for("document.sent", document_id=accepted["document_id"])
    assert events[0].envelope["data"]["status"] == "sent"


def test_a_queued_send_makes_one_document_and_one_event(falcon, items):
    """4.1, Prefer: durable queued delivery; each stage runs at least once and takes effect once."""
    response = falcon.send(bodies.invoice(), key=bodies.unique("key"), prefer="respond-async")
    document_id = response.json()["document_id"]
    wait_for("the queued document to be sent", lambda: falcon.get(document_id).json()["status"] == "sent")
    assert len(items.events(falcon.taxpayer_id, document_id)) == 1


def test_a_queued_send_needs_a_key(falcon):
    """4.1, Idempotency-Key: required with queued delivery."""
    response = falcon.send(bodies.invoice(), prefer="respond-async")
    assert "idempotency-key" in detail(response, 400, "idempotency_key_required")["message"].lower()


def test_a_queued_send_is_refused_at_once_when_the_document_is_wrong(falcon):
    """4.1, Prefer: errors that the service can find at once are in the answer."""
    key = bodies.unique("key")
    body = bodies.invoice()
    findings(falcon.send(body | {"currency": "ZZZ"}, key=key, prefer="respond-async"))
    assert falcon.send(body, key=key, prefer="respond-async").status_code == 202, "the key is free again"


@pytest.mark.parametrize("other", ["return=minimal", "wait=10", "respond-sync", "respond-async=no", ""])
def test_another_preference_is_ignored(falcon, other):
    """RFC 7240, section 2: a preference that is not understood is ignored."""
    response = falcon.send(bodies.invoice(), key=bodies.unique("key"), prefer=other)
    assert response.status_code == 201, response.text
    assert "preference-applied" not in response.headers


@pytest.mark.parametrize("several", ["respond-async, wait=10", "respond-async; foo", "wait=10, Respond-Async"])
def test_the_preference_for_the_queue_is_found_among_others_and_named_in_the_answer(falcon, several):
    """RFC 7240, sections 2 and 3."""
    response = falcon.send(bodies.invoice(), key=bodies.unique("key"), prefer=several)
    assert response.status_code == 202, response.text
    assert response.headers["preference-applied"] == "respond-async"


@pytest.mark.queued_delivery_disabled
def test_a_queued_send_is_refused_where_it_is_not_enabled(falcon):
    """4.1, Prefer: requires server enablement."""
    key = bodies.unique("key")
    response = falcon.send(bodies.invoice(), key=key, prefer="respond-async")
    assert "queued" in detail(response, 400, "queued_delivery_disabled")["message"].lower()
    sent(falcon.send(bodies.invoice(), key=key))


# Send rules


def test_a_live_send_needs_a_subscription_and_a_sandbox_send_does_not(falcon, tenants):
    """4.1, send rules 1 and 3: in Live 402 with detail.code subscription_required; Sandbox needs none."""
    sent(falcon.send(bodies.invoice()))
    organization = tenants.organization(mode="live")
    taxpayer = tenants.taxpayer(mode="live")
    tenants.grant(organization, taxpayer, mode="live")
    live = tenants.client(organization, taxpayer, mode="live")
    detail(live.send(bodies.invoice()), 402, "subscription_required")
    assert live.list().json()["items"] == []


@pytest.mark.parametrize(("active", "status", "code"), [(False, 402, "subscription_required"), (True, 503, "service_unavailable")])
def test_a_live_send_looks_at_the_subscription(tenants, active, status, code):
    """4.1, send rule 1: in Live, no active subscription is 402. With one, Live dispatch is not there yet and says so."""
    organization, taxpayer = tenants.organization(mode="live"), tenants.taxpayer(mode="live")
    tenants.grant(organization, taxpayer, mode="live")
    tenants.subscription(organization, active)
    live = tenants.client(organization, taxpayer, mode="live")
    detail(live.send(bodies.invoice()), status, code)
    assert live.validate(bodies.invoice()).json()["valid"] is True, "validation is no send"
    assert live.list().json()["items"] == []


def test_a_live_send_is_503_where_the_billing_status_is_stale(tenants):
    """4.1, send rule 2: when billing status is stale, HTTP 503 with detail.code billing_status_unavailable."""
    organization, taxpayer = tenants.organization(mode="live"), tenants.taxpayer(mode="live")
    tenants.grant(organization, taxpayer, mode="live")
    live = tenants.client(organization, taxpayer, mode="live")
    for age, code in [(timedelta(hours=25), "billing_status_unavailable"), (timedelta(hours=23), "service_unavailable")]:
        heard = (datetime.now(UTC) - age).strftime("%Y-%m-%dT%H:%M:%SZ")
        tenants.subscription(organization, active=True, confirmed_at=heard)
        response = live.send(bodies.invoice())
        detail(response, 503, code)
        assert int(response.headers["retry-after"]) > 0
    assert live.list().json()["items"] == []


def test_a_send_needs_the_scope_invoices_write(tenants):
    """4.1, send rule 6: required scope for send, invoices:write."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer, scopes=["taxpayer:read", "invoices:read", "inbound:read"])
    client = tenants.client(organization, taxpayer)
    for operation, build in bodies.BUILDERS.items():
        told = detail(client.send(build(), operation), 403, "insufficient_scope")
        assert "invoices:write" in told["message"]
    assert client.list().json()["items"] == []


def test_a_send_needs_no_other_scope(tenants):
    """4.1, send rule 6: required scope for send, invoices:write."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer, scopes=["invoices:write"])
    sent(tenants.client(organization, taxpayer).send(bodies.invoice()))
