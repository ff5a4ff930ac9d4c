"""Section 1: Sandbox behaviour, points 1 to 5."""

import pytest

from kit import bodies, ubl
from kit.client import detail, findings, sent
from kit.waiting import wait_for

PREDEFINED = {
    "9900000097": {"transaction_type_code": "01000000"},
    "9900000098": {},
    "9900000099": {
        "transaction_type_code": "00000001",
        "delivery_address": {
            "line_1": "Speicherstadt 4", "city": "Hamburg", "country_subdivision": "HH", "country_code": "DE",
        },
        "line_items": [bodies.line(vat={"category_code": "Z", "rate": "0"})],
    },
}


def to(taxpayer):
    return bodies.party(taxpayer.tin, taxpayer.name)


@pytest.mark.parametrize("operation", ["invoice", "credit_note"])
def test_the_recipient_gets_its_inbound_document(falcon, oasis, run, operation):
    """1, point 4: when the recipient is an active taxpayer in the same Sandbox, its inbound document is created too."""
    body = bodies.BUILDERS[operation](customer=to(run.taxpayer("Oasis")))
    outbound = sent(falcon.send(body, operation))
    (inbound,) = oasis.list(direction="inbound", number=bodies.number_of(body)).json()["items"]
    assert inbound["document_id"] != outbound["document_id"]
    assert inbound["taxpayer_id"] == oasis.taxpayer_id
    assert inbound["status"] == "received" and inbound["direction"] == "inbound" and inbound["type"] == operation
    for same in ("message_id", "uuid", "document_type_code", "issue_date", "currency", "total_with_vat", "supplier", "customer"):
        assert inbound[same] == outbound[same], same
    assert oasis.ubl(inbound["document_id"]).content == falcon.ubl(outbound["document_id"]).content


@pytest.mark.parametrize("operation", ["self_billed_invoice", "self_billed_credit_note"])
def test_the_recipient_of_a_self_billed_document_is_the_seller(falcon, oasis, run, operation):
    """1, point 4, with 2.5 A: in self-billing the buyer sends, so the seller receives."""
    body = bodies.BUILDERS[operation](supplier=to(run.taxpayer("Oasis")))
    outbound = sent(falcon.send(body, operation))
    (inbound,) = oasis.list(direction="inbound", number=bodies.number_of(body)).json()["items"]
    assert inbound["type"] == operation and inbound["uuid"] == outbound["uuid"]
    root = ubl.parse(oasis.ubl(inbound["document_id"]).content)
    assert ubl.text(root, "cac:AccountingSupplierParty/cac:Party/cbc:EndpointID") == run.taxpayer("Oasis").tin


def test_the_recipient_does_not_learn_what_the_sender_keeps_for_itself(falcon, oasis, run):
    """2.5 A, metadata, and 2.5 B, source id: kept on the sender's record, never sent."""
    secret = bodies.unique("secret")
    body = bodies.invoice(customer=to(run.taxpayer("Oasis")), metadata={"k": secret}, source_id=secret)
    sent(falcon.send(body))
    response = oasis.list(direction="inbound", number=body["invoice_number"])
    (inbound,) = response.json()["items"]
    assert secret not in response.text
    assert secret not in oasis.get(inbound["document_id"]).text
    assert secret.encode() not in oasis.ubl(inbound["document_id"]).content


def test_a_queued_send_reaches_the_recipient_too(falcon, oasis, run):
    """1, point 5: queued delivery is simulated locally."""
    body = bodies.invoice(customer=to(run.taxpayer("Oasis")))
    assert falcon.send(body, key=bodies.unique("key"), prefer="respond-async").status_code == 202
    inbound = wait_for(
        "the recipient's document",
        lambda: oasis.list(direction="inbound", number=body["invoice_number"]).json()["items"],
    )
    assert len(inbound) == 1


def test_a_replayed_send_does_not_reach_the_recipient_again(falcon, oasis, run):
    """3.3 with 1, point 4: replayed without resending."""
    body, key = bodies.invoice(customer=to(run.taxpayer("Oasis"))), bodies.unique("key")
    for _ in range(3):
        assert falcon.send(body, key=key).status_code == 201
    assert len(oasis.list(direction="inbound", number=body["invoice_number"]).json()["items"]) == 1


def test_a_taxpayer_without_grants_receives_all_the_same(falcon, run, items):
    """1, point 4: an active taxpayer in the same Sandbox; receiving needs no organization."""
    pearl = run.taxpayer("Pearl")
    body = bodies.invoice(customer=to(pearl))
    sent(falcon.send(body))
    assert items.anywhere(pearl.taxpayer_id, body["invoice_number"])


def test_an_inactive_taxpayer_receives_nothing(falcon, tenants, items):
    """1, point 4: an active taxpayer."""
    inactive = tenants.taxpayer(status="inactive")
    body = bodies.invoice(customer=bodies.party(tenants.tin(inactive), "Asleep LLC"))
    sent(falcon.send(body))
    assert not items.anywhere(inactive, body["invoice_number"])


def test_a_stranger_receives_nothing_and_is_not_looked_up(falcon, items):
    """1, point 3: no external SMP lookup or AS4 dispatch takes place, so a recipient outside the Sandbox is no error."""
    body = bodies.invoice()
    document = sent(falcon.send(body))
    assert document["status"] == "sent"
    assert items.documents_numbered(body["invoice_number"]) == [document["document_id"]]


@pytest.mark.parametrize("endpoint", PREDEFINED)
def test_a_predefined_endpoint_reaches_no_one(falcon, items, endpoint):
    """1, point 4, with PINT-AE 3.4: documents to the predefined endpoints have no recipient."""
    customer = bodies.stranger(electronic_address={"id": endpoint})
    if endpoint == "9900000099":
        customer["address"] = PREDEFINED[endpoint]["delivery_address"]
    body = bodies.invoice(customer=customer) | PREDEFINED[endpoint]
    document = sent(falcon.send(body))
    assert document["status"] == "sent"
    assert items.documents_numbered(body["invoice_number"]) == [document["document_id"]]


def test_nobody_invoices_itself(falcon, run):
    """Where the specification is silent: seller and buyer are two businesses."""
    body = bodies.invoice(customer=to(run.taxpayer("Falcon")))
    assert "AP-PARTY-itself" in [finding["rule"] for finding in findings(falcon.send(body))]
    assert falcon.list(number=body["invoice_number"]).json()["items"] == []


def test_the_sandbox_has_a_quota_of_its_own(tenants):
    """1, point 1: Sandbox has its own test quotas. Other refused sends and replays do not count."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    tenants.quota(organization, 2)
    client = tenants.client(organization, taxpayer)
    detail(client.send({}), 422, "validation_failed")
    key, body = bodies.unique("key"), bodies.invoice()
    sent(client.send(body, key=key))
    assert client.send(body, key=key).headers["idempotent-replayed"] == "true"
    sent(client.send(bodies.invoice()))
    key = bodies.unique("key")
    for prefer in (None, "respond-async"):
        refused = client.send(bodies.invoice(), key=key, **({"prefer": prefer} if prefer else {}))
        assert "2 documents" in detail(refused, 429, "quota_exceeded")["message"]
        assert 0 < int(refused.headers["retry-after"]) <= 24 * 60 * 60
    assert client.send(body, key=key).status_code == 429, "its key is free"
    assert len(client.list().json()["items"]) == 2
    assert client.validate(bodies.invoice()).status_code == 200
    # More was agreed on.
    tenants.quota(organization, 1_000)
    sent(client.send(bodies.invoice()))
