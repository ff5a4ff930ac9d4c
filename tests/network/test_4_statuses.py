"""Message Level Statuses of the recipient's access point."""

import json

import pytest
from sides import unchanging, unheard

from kit import bodies
from kit.client import sent
from kit.waiting import wait_for
from local_aws.network import letters
from local_aws.network.locator import SCHEME


@pytest.fixture
def document(a, other_program) -> str:
    """A document at the other program."""
    return sent(a.live.send(bodies.invoice(customer=other_program.party())))["document_id"]


def test_a_rejected_document_has_the_status_the_findings_and_an_event(a, other_program, document):
    assert other_program.rejects(a, document).startswith("receipt verified")
    record = a.reaches(document, "rejected")
    status = record["message_level_status"]
    assert status["code"] == "RE"
    (finding,) = status["findings"]
    assert finding["pointer"] == "/due_date"
    assert "not ours" in finding["message"]
    (event,) = a.webhooks.wait_for("document.status", document)
    assert event.envelope["data"]["status"] == "rejected"
    # Webhooks come in any order.
    assert sorted(a.events(document)) == ["document.sent", "document.status"]
    assert document in [each["document_id"] for each in a.live.list(direction="outbound", status="rejected").json()["items"]]


def test_a_second_verdict_changes_nothing(a, other_program, document):
    other_program.rejects(a, document, why="First.")
    a.reaches(document, "rejected")
    assert other_program.rejects(a, document, why="Second.").startswith("receipt verified")
    settled(a, other_program)
    findings = a.record(document)["message_level_status"]["findings"]
    assert ["First." in finding["message"] for finding in findings] == [True]
    assert a.events(document).count("document.status") == 1


def test_a_status_of_another_provider_than_the_recipients_changes_nothing(a, b, other_program, document):
    assert other_program.rejects(a, document, seat=b.seat).startswith("receipt verified")
    settled(a, other_program)
    record = a.record(document)
    assert (record["status"], record["message_level_status"]) == ("sent", None)


def test_what_the_receiver_has_is_delivered(a, b):
    """The other side's endpoint acknowledged document.received: its access point says AP."""
    body = bodies.invoice(customer=b.party())
    document = sent(a.live.send(body))["document_id"]
    record = a.reaches(document, "delivered")
    assert (record["message_level_status"]["code"], record["message_level_status"]["findings"]) == ("AP", [])
    (event,) = a.webhooks.wait_for("document.status", document)
    assert event.envelope["data"]["status"] == "delivered"
    # Both are sent concurrently: either may arrive first.
    a.webhooks.wait_for("document.sent", document)
    assert sorted(a.events(document)) == ["document.sent", "document.status"]


def test_what_is_invalid_is_answered_with_a_rejection(a, b, other_program):
    """With RE, to the provider whose certificate signed the message."""
    good = a.envelope(sent(a.live.send(bodies.invoice(customer=b.party())))["document_id"])
    came = other_program.statuses_of(b)
    other_program.send(b, letters.miscalculated(good, bodies.unique("HAND"))[1])
    wait_for("a status for the other program", lambda: other_program.statuses_of(b) == came + 1)


def test_what_is_retrieved_is_delivered_though_no_endpoint_took_its_event(a, b):
    """The receiver retrieved its content in the fields of a send."""
    body = bodies.invoice(customer=a.party())
    with unheard(a, "document.received"):
        document = sent(b.live.send(body))["document_id"]
        arrived = a.arrived(bodies.number_of(body))["document_id"]
        a.reaches(arrived, "received")
        assert b.record(document)["status"] == "sent"
        response = a.live.request("GET", f"/invoices/{arrived}/content")
    assert response.status_code == 200, response.text
    content = response.json()
    assert (content["type"], content["direction"], content["unmapped"]) == ("invoice", "inbound", [])
    assert content["content"]["invoice_number"] == bodies.number_of(body)
    assert b.reaches(document, "delivered")["message_level_status"]["code"] == "AP"


def test_a_taxpayer_says_where_statuses_about_its_documents_go(a, b):
    def ask_for(spid: str | None) -> None:
        content = json.dumps({"settings": {"mls_to": spid}})
        response = a.live.request("PATCH", "/taxpayer", headers={"content-type": "application/merge-patch+json"}, content=content)
        assert response.status_code == 200, response.text

    ask_for(a.spid)
    try:
        body = bodies.invoice(customer=b.party())
        document = sent(a.live.send(body))["document_id"]
    finally:
        ask_for(None)
    for envelope in (a.envelope(document), b.envelope(b.arrived(bodies.number_of(body))["document_id"])):
        assert letters.asked(envelope, "MLS_TO") == a.spid
    a.reaches(document, "delivered")
    later = sent(a.live.send(bodies.invoice(customer=b.party())))["document_id"]
    assert letters.asked(a.envelope(later), "MLS_TO") is None


def test_the_operator_sees_how_many_statuses_were_sent_in_time(b, other_program, template):
    came = hushed(other_program, b)
    before = in_time(b)
    other_program.send(b, letters.miscalculated(template, bodies.unique("HAND"))[1])
    wait_for("a status", lambda: other_program.statuses_of(b) > came)
    wait_for("its place in the figures", lambda: in_time(b) == before + 1)


def in_time(side) -> int:
    """The number of statuses within 20 minutes by `access-point mls-sla`."""
    (line,) = (each for each in side.operate("mls-sla").splitlines() if "within 20 minutes" in each)
    return int(line.split("\t")[1])


def test_who_asks_for_failures_alone_hears_of_nothing_else(b, other_program, template):
    came = hushed(other_program, b)
    asked = letters.asking(template, "MLS_TYPE", "FAILURE_ONLY")
    good = bodies.unique("HAND")
    assert other_program.send(b, letters.renewed(asked, good)).startswith("receipt verified")
    b.webhooks.wait_for("document.received", b.arrived(good)["document_id"])
    assert other_program.send(b, letters.miscalculated(asked, bodies.unique("HAND"))[1]).startswith("receipt verified")
    wait_for("a status about the bad one", lambda: other_program.statuses_of(b) > came)
    # A later document that asks for all statuses gets one; the earlier valid one still gets none.
    later = bodies.unique("HAND")
    other_program.send(b, letters.renewed(template, later))
    wait_for("a status about a later one", lambda: other_program.statuses_of(b) > came + 1)
    assert other_program.statuses_of(b) == came + 2


def test_a_status_goes_to_the_part_of_the_sender_that_its_envelope_names(a, b, other_program, template):
    for asked, receiver in ((other_program.statuses, other_program.statuses), (a.spid, other_program.spid)):
        came = hushed(other_program, b)
        envelope = letters.asking(template, "MLS_TO", asked, SCHEME)
        assert other_program.send(b, letters.renewed(envelope, bodies.unique("HAND"))).startswith("receipt verified")
        wait_for("a status", lambda came=came: other_program.statuses_of(b) > came)
        # A status never goes to a provider other than the signer of the message.
        assert [each.upper() for each in other_program.statuses_to(b)[came:]] == [receiver.upper()]


def hushed(other_program, side) -> int:
    """The number of statuses of an access point, after those about earlier tests have arrived."""
    return unchanging("no more statuses", lambda: other_program.statuses_of(side))


def settled(a, other_program) -> None:
    """Waits until earlier statuses were processed, so that a later status takes effect."""
    later = sent(a.live.send(bodies.invoice(customer=other_program.party())))["document_id"]
    other_program.rejects(a, later)
    wait_for("a later verdict", lambda: a.record(later)["status"] == "rejected")
