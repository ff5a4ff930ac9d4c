"""Live documents from one access point to the other."""

import uuid

import pytest
from lxml import etree
from sides import decided, quiet, stranger

from kit import bodies
from kit.client import PATHS, detail, sent

SELF_BILLING = "self_billed_"


def body_for(operation: str, other: dict) -> dict:
    party = "supplier" if operation.startswith(SELF_BILLING) else "customer"
    return bodies.BUILDERS[operation](**{party: other})


def envelope_of(text: str) -> etree._Element:
    return etree.fromstring(text.encode())


def said(envelope: etree._Element, path: str) -> str:
    steps = "/".join(f"*[local-name()='{name}']" for name in path.split("/"))
    return envelope.xpath(f"string(//{steps})")


def scope(envelope: etree._Element, kind: str) -> str:
    return envelope.xpath(f"string(//*[local-name()='Scope'][*[local-name()='Type']='{kind}']/*[local-name()='InstanceIdentifier'])")


def canonical(document: bytes) -> bytes:
    return etree.tostring(etree.fromstring(document), method="c14n")


@pytest.mark.parametrize("operation", PATHS)
def test_a_document_of_each_kind_is_sent_in_the_request_and_arrives_as_it_was(a, b, operation):
    body = body_for(operation, b.party())
    document = sent(a.live.send(body, operation))
    assert document["status"] in ("sent", "delivered", "forwarded")
    arrived = b.arrived(bodies.number_of(body))
    assert (arrived["status"], arrived["direction"], arrived["type"]) == ("received", "inbound", operation)
    assert arrived["message_id"] == a.record(document["document_id"])["message_id"]
    ours, theirs = a.live.ubl(document["document_id"]), b.live.ubl(arrived["document_id"])
    assert canonical(ours.content) == canonical(theirs.content)
    a.webhooks.wait_for("document.sent", document["document_id"])
    (event,) = b.webhooks.wait_for("document.received", arrived["document_id"])
    assert event.envelope["data"]["taxpayer_id"] == b.live.taxpayer_id


def test_both_ways(a, b):
    body = bodies.invoice(customer=a.party())
    sent(b.live.send(body))
    assert a.arrived(bodies.number_of(body))["status"] == "received"


def test_an_attempt_says_where_the_message_went_and_who_gave_the_receipt(a, b):
    document = sent(a.live.send(bodies.invoice(customer=b.party())))
    (attempt,) = a.attempts(document["document_id"])
    assert (attempt["number"], attempt["outcome"]) == (1, "received")
    assert (attempt["endpoint"], attempt["receiver"]) == (f"{b.edge_url}/as4", b.seat)
    assert attempt["as4_message_id"].endswith(f"@{a.seat.lower()}.peppol")
    assert (attempt["ebms_code"], attempt["cause"]) == (None, None)
    assert attempt["duration_ms"] > 0


@pytest.mark.parametrize("operation", ["invoice", "self_billed_invoice"])
def test_the_envelope_is_the_same_on_both_sides_and_says_who_sends_whom_what(a, b, operation):
    body = body_for(operation, b.party())
    document = sent(a.live.send(body, operation))
    arrived = b.arrived(bodies.number_of(body))
    ours, theirs = a.envelope(document["document_id"]), b.envelope(arrived["document_id"])
    assert ours == theirs
    envelope = envelope_of(ours)
    # In self-billing, the sender of the envelope is the buyer.
    assert (said(envelope, "Sender/Identifier"), said(envelope, "Receiver/Identifier")) == (a.participant, b.participant)
    assert said(envelope, "DocumentIdentification/InstanceIdentifier") == document["message_id"]
    uuid.UUID(document["message_id"])
    profile = "selfbilling" if operation.startswith(SELF_BILLING) else "billing"
    assert scope(envelope, "DOCUMENTID").endswith(f"::Invoice##urn:peppol:pint:{profile}-1@ae-1::2.1")
    assert scope(envelope, "PROCESSID") == f"urn:peppol:bis:{profile}"
    assert (scope(envelope, "COUNTRY_C1"), scope(envelope, "MLS_TYPE")) == ("AE", document["mls_type"])


def test_a_key_replays_and_nothing_is_sent_twice(a, b):
    body, key = bodies.invoice(customer=b.party()), bodies.unique("key")
    first = a.live.send(body, key=key)
    document = sent(first)
    came = quiet(b)
    again = a.live.send(body, key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotent-replayed"] == "true"
    other = bodies.changed(body, {"invoice_number": bodies.unique()})
    detail(a.live.send(other, key=key), 409, "idempotency_key_reused")
    assert quiet(b) == came
    assert [each["document_id"] for each in b.inbound(bodies.number_of(body))] == [b.arrived(bodies.number_of(body))["document_id"]]
    assert len(a.attempts(document["document_id"])) == 1


def test_a_queued_document_is_accepted_and_then_sent(a, b):
    body = bodies.invoice(customer=b.party())
    response = a.live.send(body, prefer="respond-async", key=bodies.unique("key"))
    assert response.status_code == 202, response.text
    document = response.json()
    assert document["status"] == "accepted"
    a.reaches(document["document_id"], "sent", "delivered", "forwarded")
    assert b.arrived(bodies.number_of(body))["status"] == "received"
    a.webhooks.wait_for("document.sent", document["document_id"])
    assert [each["outcome"] for each in a.attempts(document["document_id"])] == ["received"]


def test_who_is_not_registered_is_named_and_the_key_is_free(a, b):
    key = bodies.unique("key")
    told = detail(a.live.send(bodies.invoice(), key=key), 422, "recipient_not_registered")
    assert f"{bodies.STRANGER_TIN}: the recipient is not registered: DNS has nothing under" in told["message"]
    assert sent(a.live.send(bodies.invoice(customer=b.party()), key=key))["status"] in ("sent", "delivered", "forwarded")


def test_who_takes_no_such_documents_is_told_apart_from_who_is_not_registered(a, participants):
    party = stranger(participants["invoices_only"])
    assert sent(a.live.send(bodies.invoice(customer=party)))["status"] == "sent"
    detail(a.live.send(bodies.credit_note(customer=party), "credit_note"), 422, "recipient_not_capable")


def test_who_is_registered_at_an_access_point_whose_certificate_was_revoked_is_told_so(a, participants):
    told = detail(a.live.send(bodies.invoice(customer=stranger(participants["at_revoked"]))), 422, "recipient_registration_defective")
    assert "revoked" in told["message"]


def test_a_lookup_that_fails_may_be_tried_again_and_the_key_is_free(a, b, participants):
    key = bodies.unique("key")
    response = a.live.send(bodies.invoice(customer=stranger(participants["unanswered"])), key=key)
    detail(response, 503, "recipient_lookup_failed")
    assert int(response.headers["retry-after"]) > 0
    sent(a.live.send(bodies.invoice(customer=b.party()), key=key))


def test_a_queued_document_to_nobody_fails_with_the_cause(a):
    response = a.live.send(bodies.invoice(), prefer="respond-async", key=bodies.unique("key"))
    document_id = response.json()["document_id"]
    record = a.reaches(document_id, "failed")
    assert any("the recipient is not registered" in finding["message"] for finding in record["warnings"])
    (event,) = a.webhooks.wait_for("document.status", document_id)
    assert event.envelope["data"]["status"] == "failed"


def test_another_program_takes_our_documents(a, other_program):
    document = sent(a.live.send(bodies.invoice(customer=other_program.party())))
    (attempt,) = a.attempts(document["document_id"])
    assert (attempt["outcome"], attempt["receiver"]) == ("received", other_program.seat)
    assert attempt["as4_message_id"] in other_program.log.read_text()


def test_a_document_for_a_predefined_endpoint_is_sent_to_nobody(a, b):
    came = quiet(b)
    party = bodies.party("9900000099", "Foreign Buyer Ltd")
    party = {name: value for name, value in party.items() if name not in ("vat_identifier", "legal_registration")}
    party |= {"identifiers": [{"id": "DE-1"}], "address": bodies.address(country_code="DE", country_subdivision="BE")}
    body = bodies.invoice(customer=party)
    response = a.live.send(body)
    assert response.status_code == 201, response.text
    document_id = response.json()["document_id"]
    assert a.attempts(document_id) == []
    # The document is reported; only its sender gets the authority's answer.
    decided(a, document_id, "REPORTED")
    assert quiet(b) == came


def test_what_is_sent_in_the_sandbox_never_leaves(a, b):
    came = quiet(a, b)
    body = bodies.invoice(customer=b.party())
    document = sent(a.sandbox.send(body))
    assert document["status"] == "sent"
    assert a.sandbox.request("GET", f"/invoices/{document['document_id']}/attempts").json()["items"] == []
    assert quiet(a, b) == came
    assert b.inbound(bodies.number_of(body)) == []


def test_a_document_of_the_other_mode_is_not_there(a, b):
    document = sent(a.live.send(bodies.invoice(customer=b.party())))
    assert a.sandbox.get(document["document_id"]).status_code == 404
    assert a.sandbox.request("GET", f"/invoices/{document['document_id']}/attempts").status_code == 404
