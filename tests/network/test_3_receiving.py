"""Hand-built messages of other access points: accepted, rejected and refused ones."""

import pytest

from kit import bodies
from kit.waiting import wait_for
from local_aws.network import letters
from spoil import Proxy


def test_a_document_of_another_program_is_received(b, other_program, template):
    number = bodies.unique("HAND")
    assert other_program.send(b, letters.renewed(template, number)).startswith("receipt verified")
    arrived = b.arrived(number)
    assert arrived["status"] == "received"
    b.webhooks.wait_for("document.received", arrived["document_id"])


def test_an_invalid_document_is_kept_with_its_findings_and_told_to_nobody(b, other_program, template):
    number = bodies.unique("HAND")
    _, envelope = letters.miscalculated(template, number)
    assert other_program.send(b, envelope).startswith("receipt verified")
    arrived = b.arrived(number)
    assert arrived["status"] == "rejected"
    errors = [finding["rule"] for finding in b.record(arrived["document_id"])["warnings"] if finding["severity"] == "error"]
    assert "ibr-co-16" in errors
    assert ">1.00<" in b.live.ubl(arrived["document_id"]).text
    assert b.envelope(arrived["document_id"])
    assert [each["number"] for each in b.live.list(direction="inbound", status="rejected", number=number).json()["items"]] == [number]
    # Another document's event arrives, but none about this one.
    later = bodies.unique("HAND")
    other_program.send(b, letters.renewed(template, later))
    b.webhooks.wait_for("document.received", b.arrived(later)["document_id"])
    assert "document.received" not in b.events(arrived["document_id"])


def test_a_document_for_somebody_else_than_its_envelope_says_is_rejected(a, b, other_program, template):
    number = bodies.unique("HAND")
    envelope = letters.renewed(template, number)
    head, end, document = envelope.partition("</StandardBusinessDocumentHeader>")
    misdirected = head + end + document.replace(b.tin, bodies.STRANGER_TIN)
    assert other_program.send(b, misdirected).startswith("receipt verified")
    arrived = b.arrived(number)
    assert arrived["status"] == "rejected"
    assert "AP-INBOUND-receiver" in [finding["rule"] for finding in b.record(arrived["document_id"])["warnings"]]


def test_an_envelope_that_comes_again_gets_a_receipt_and_is_one_document(b, other_program, template):
    number = bodies.unique("HAND")
    envelope = letters.renewed(template, number)
    for _ in range(2):
        assert other_program.send(b, envelope).startswith("receipt verified")
    arrived = b.arrived(number)
    b.webhooks.wait_for("document.received", arrived["document_id"])
    assert len(b.inbound(number)) == 1
    assert b.events(arrived["document_id"]).count("document.received") == 1


def test_another_document_under_the_name_of_one_that_came_is_refused(b, other_program, template):
    number, other = bodies.unique("HAND"), bodies.unique("HAND")
    envelope = letters.renewed(template, number)
    assert other_program.send(b, envelope).startswith("receipt verified")
    answer = other_program.send(b, envelope.replace(number, other))
    assert answer.startswith("rejected, proven"), answer
    assert b.arrived(number) and b.inbound(other) == []


def test_a_document_for_a_stranger_is_refused_as_not_serviced(b, other_program, template):
    envelope = letters.renewed(template, bodies.unique("HAND")).replace(b.tin, bodies.STRANGER_TIN)
    answer = other_program.send(b, envelope)
    assert answer.startswith("rejected, proven"), answer
    assert "EBMS:0004" in answer and "PEPPOL:NOT_SERVICED" in answer


def test_a_seat_whose_certificate_was_revoked_is_refused(b, other_program, template):
    number = bodies.unique("HAND")
    answer = other_program.send(b, letters.renewed(template, number), seat=other_program.revoked_seat)
    assert answer.startswith("rejected") and "revoked" in answer, answer
    assert b.inbound(number) == []


def test_a_ping_gets_a_receipt_and_is_nothing_else(b, other_program, template):
    number = bodies.unique("HAND")
    answer = other_program.send_to(f"{b.edge_url}/as4", b, letters.renewed(template, number), None, "--ping")
    assert answer.startswith("receipt verified"), answer
    assert b.inbound(number) == []


@pytest.mark.parametrize(("spoilt", "code"), [("unsigned", "EBMS:0101"), ("unencrypted", "EBMS:0103"), ("tampered", "EBMS:0102")])
def test_what_was_spoilt_on_its_way_is_refused(b, other_program, template, spoilt, code):
    number = bodies.unique("HAND")
    proxy = Proxy(b.edge_url, other_program.key_of(b))
    answer = other_program.send_to(proxy.url(spoilt), b, letters.renewed(template, number))
    assert answer.startswith("rejected") and code in answer, answer
    assert b.inbound(number) == []


def test_a_bad_document_does_not_keep_good_ones_from_the_judge(b, other_program, template):
    numbers = [bodies.unique("HAND") for _ in range(3)]
    other_program.send(b, letters.miscalculated(template, numbers[0])[1])
    for number in numbers[1:]:
        other_program.send(b, letters.renewed(template, number))
    for number in numbers[1:]:
        wait_for(number, lambda number=number: b.inbound(number) and b.inbound(number)[0]["status"] == "received")
