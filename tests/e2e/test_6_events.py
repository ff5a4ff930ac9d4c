"""Section 6: events, their envelope, signature and delivery."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from kit import bodies
from kit.client import detail, sent
from kit.receiver import receiver
from kit.waiting import wait_for

ENVELOPE = {"id", "type", "version", "created_at", "participant_id", "environment", "test", "data"}


def to(taxpayer):
    return bodies.party(taxpayer.tin, taxpayer.name)


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_a_send_emits_document_sent(falcon, run, webhooks, operation):
    """4.1 and 6.2, document.sent: records the send result."""
    body = bodies.BUILDERS[operation](source_id=bodies.unique("erp"))
    document = sent(falcon.send(body, operation))
    delivery = webhooks.wait_for("document.sent", document_id=document["document_id"])[0]
    data = delivery.envelope["data"]
    for same in ("document_id", "taxpayer_id", "message_id", "source_id", "document_type_code", "number", "status", "issue_date",
                 "currency", "total_with_vat", "amount_due", "direction", "type"):
        assert data[same] == document[same], same
    assert delivery.envelope["participant_id"] == run.taxpayer("Falcon").participant_id


def test_a_receipt_emits_document_received(falcon, run, webhooks, oasis):
    """6.2, document.received: an inbound document for the taxpayer."""
    body = bodies.invoice(customer=to(run.taxpayer("Oasis")), source_id=bodies.unique("erp"))
    sent(falcon.send(body))
    (inbound,) = oasis.list(direction="inbound", number=body["invoice_number"]).json()["items"]
    delivery = webhooks.wait_for("document.received", document_id=inbound["document_id"])[0]
    assert delivery.envelope["participant_id"] == run.taxpayer("Oasis").participant_id
    assert delivery.envelope["data"]["taxpayer_id"] == oasis.taxpayer_id
    assert delivery.envelope["data"]["direction"] == "inbound"
    assert delivery.envelope["data"]["status"] == "received"
    assert body["source_id"] not in delivery.body.decode(), "the sender's own id is the sender's"


def test_the_envelope_has_the_fields_of_the_specification(falcon, webhooks):
    """6.3: id, type, version, created_at, participant_id, environment, test, data; id equals the webhook-id header."""
    before = datetime.now(UTC)
    document = sent(falcon.send(bodies.invoice()))
    delivery = webhooks.wait_for("document.sent", document_id=document["document_id"])[0]
    envelope = delivery.envelope
    assert set(envelope) == ENVELOPE
    assert envelope["id"] == delivery.headers["webhook-id"] and envelope["id"].startswith("evt_")
    assert envelope["environment"] == "sandbox" and envelope["test"] is False and envelope["version"] == "1"
    created = datetime.fromisoformat(envelope["created_at"])
    assert created.utcoffset() == timedelta(0)
    assert before - timedelta(seconds=5) <= created <= datetime.now(UTC) + timedelta(seconds=5)


def test_metadata_is_in_no_event(falcon, webhooks):
    """2.5 A, metadata: stored apart from the fiscal document."""
    marker = bodies.unique("metadata")
    document = sent(falcon.send(bodies.invoice(metadata={"marker": marker})))
    delivery = webhooks.wait_for("document.sent", document_id=document["document_id"])[0]
    assert marker not in delivery.body.decode()


def test_a_delivery_is_signed_over_id_timestamp_and_raw_body(falcon, run, webhooks):
    """6.4, point 1: Standard Webhooks; the signature covers the event id, the delivery timestamp and the body."""
    document = sent(falcon.send(bodies.invoice(note="«ضريبة» & <b>")))
    delivery = webhooks.wait_for("document.sent", document_id=document["document_id"])[0]
    verifier = Webhook(run.endpoint_secret)
    signed = {name: delivery.headers[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
    verifier.verify(delivery.body, signed)
    broken = [
        (delivery.body + b" ", signed),
        (delivery.body, signed | {"webhook-id": "evt_other"}),
        (delivery.body, signed | {"webhook-timestamp": str(int(signed["webhook-timestamp"]) - 1)}),
    ]
    for body, headers in broken:
        with pytest.raises(WebhookVerificationError):
            verifier.verify(body, headers)
    assert delivery.headers["content-type"].split(";")[0] == "application/json"


def test_a_refused_send_emits_nothing(falcon, items):
    """6.2: events report changes. A refused send publishes no event."""
    before = items.count_events(falcon.taxpayer_id)
    detail(falcon.send(bodies.invoice(currency="ZZZ")), 422, "validation_failed")
    assert items.count_events(falcon.taxpayer_id) == before


# Subscriptions and delivery


def test_an_event_is_delivered_only_where_grants_cover_it(falcon, run, items, webhooks):
    """6.1, points 1 and 4: for taxpayers that granted the organization access, where active grants cover the document."""
    pearl = run.taxpayer("Pearl")
    body = bodies.invoice(customer=to(pearl))
    document = sent(falcon.send(body))
    webhooks.wait_for("document.sent", document_id=document["document_id"])
    (event,) = items.events_about(pearl.taxpayer_id, number=body["invoice_number"])
    wait_for("the event to be relayed", lambda: items.is_relayed(pearl.taxpayer_id, event))
    assert items.deliveries(run.organization_id, event) == []


@pytest.mark.parametrize(
    ("scopes", "outbound", "inbound"),
    [
        (["invoices:read"], True, True),
        (["inbound:read"], False, True),
        (["invoices:write"], False, False),
        (["taxpayer:read"], False, False),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_an_event_needs_the_scope_to_read_its_document(tenants, items, scopes, outbound, inbound):
    """6.1, point 4: only where the active grants cover the document and required scopes."""
    issuer, reader, taxpayer, sender = tenants.organization(), tenants.organization(), tenants.taxpayer(), tenants.taxpayer()
    tenants.grant(issuer, taxpayer)
    tenants.grant(issuer, sender)
    tenants.grant(reader, taxpayer, scopes=scopes)
    tenants.endpoint(reader, "http://127.0.0.1:9/never")
    out = bodies.invoice()
    sent(tenants.client(issuer, taxpayer).send(out))
    into = bodies.invoice(customer=bodies.party(tenants.tin(taxpayer), "Reader"))
    sent(tenants.client(issuer, sender).send(into))
    for body, expected in ((out, outbound), (into, inbound)):
        (event,) = items.events_about(taxpayer, number=body["invoice_number"])
        wait_for("the event to be relayed", lambda event=event: items.is_relayed(taxpayer, event))
        assert bool(items.deliveries(reader, event)) == expected, body


def test_every_organization_with_a_grant_gets_the_event(tenants):
    """6.1, point 1: a subscription receives events for taxpayers that granted the organization access."""
    with receiver() as first, receiver() as second:
        one, two, taxpayer = tenants.organization(), tenants.organization(), tenants.taxpayer()
        for organization, hook in ((one, first), (two, second)):
            tenants.grant(organization, taxpayer)
            hook.secret = tenants.endpoint(organization, hook.url)
        document = sent(tenants.client(one, taxpayer).send(bodies.invoice()))
        ids = {hook.wait_for("document.sent", document_id=document["document_id"])[0].headers["webhook-id"] for hook in (first, second)}
        assert len(ids) == 1, "one event has one id"


@pytest.mark.parametrize("failure", [500, 404, 301])
def test_a_failed_delivery_is_retried_with_the_same_id_and_a_new_timestamp(tenants, failure):
    """6.4, points 2 and 3: a 2xx status acknowledges; failed deliveries are retried with backoff."""
    with receiver(answers=[failure, 200]) as hook:
        organization, taxpayer = tenants.organization(), tenants.taxpayer()
        tenants.grant(organization, taxpayer)
        hook.secret = tenants.endpoint(organization, hook.url)
        document = sent(tenants.client(organization, taxpayer).send(bodies.invoice()))
        first, second = hook.wait_for("document.sent", document_id=document["document_id"], times=2, seconds=40)
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert first.body == second.body
        assert int(second.headers["webhook-timestamp"]) > int(first.headers["webhook-timestamp"])
        assert first.headers["webhook-signature"] != second.headers["webhook-signature"]


def test_an_endpoint_that_is_gone_gets_no_more(tenants, items):
    """6.4, point 3, with Standard Webhooks: 410 Gone says that the receiver wants no more deliveries."""
    with receiver(answers=[410, 200]) as hook:
        organization, taxpayer = tenants.organization(), tenants.taxpayer()
        tenants.grant(organization, taxpayer)
        hook.secret = tenants.endpoint(organization, hook.url)
        client = tenants.client(organization, taxpayer)
        first = sent(client.send(bodies.invoice()))
        hook.wait_for("document.sent", document_id=first["document_id"])
        wait_for("the endpoint to be disabled", lambda: items.endpoint_states(organization) == ["disabled"])
        second = sent(client.send(bodies.invoice()))
        (event,) = items.events_about(taxpayer, number=second["number"])
        wait_for("the event to be relayed", lambda: items.is_relayed(taxpayer, event))
        assert items.deliveries(organization, event) == []
        assert len(hook.deliveries()) == 1


def test_an_acknowledged_delivery_is_not_repeated(tenants, items):
    """6.4, point 2: answer with a 2xx status after durable acceptance."""
    with receiver(answers=[204]) as hook:
        organization, taxpayer = tenants.organization(), tenants.taxpayer()
        tenants.grant(organization, taxpayer)
        hook.secret = tenants.endpoint(organization, hook.url)
        document = sent(tenants.client(organization, taxpayer).send(bodies.invoice()))
        delivery = hook.wait_for("document.sent", document_id=document["document_id"])[0]
        event = delivery.headers["webhook-id"]
        wait_for("the delivery to be done", lambda: items.delivery_state(organization, event) == "delivered")
        assert len(hook.deliveries()) == 1


def test_an_organization_without_endpoint_can_still_send(tenants):
    """6.1: subscriptions are optional; events without a subscriber hold nothing up."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    assert sent(client.send(bodies.invoice()))["status"] == "sent"


def test_event_ids_are_unique(falcon, webhooks):
    """6.3, id, with 6.4, point 2: deduplicate on webhook-id."""
    documents = [sent(falcon.send(bodies.invoice()))["document_id"] for _ in range(5)]
    ids = [webhooks.wait_for("document.sent", document_id=document)[0].headers["webhook-id"] for document in documents]
    assert len(set(ids)) == 5
    assert all(uuid.UUID(event.removeprefix("evt_")) for event in ids)
