"""Reports to the tax authority: each side reports each document, and the authority answers."""

import pytest
from lxml import etree
from sides import SECONDS, Side, decided

from kit import bodies
from kit.client import sent
from kit.waiting import wait_for
from local_aws.network import letters
from local_aws.network.authority.taxdata import TAX_DATA

SCOPES = {"domestic": "D", "abroad": "INP"}
HAMBURG = bodies.address(line_1="Speicherstadt 4", city="Hamburg", country_subdivision="HH", country_code="DE")


def outbound(side: Side, other: Side, prefix: str = "REPORT") -> tuple[str, str]:
    """Sends a document to the other side: its number, its id."""
    body = bodies.invoice(invoice_number=bodies.unique(prefix), customer=other.party())
    return bodies.number_of(body), sent(side.live.send(body))["document_id"]


def submission_of(document_id: str) -> str:
    return f"sub_{document_id.removeprefix('doc_')}"


def test_both_sides_report_what_was_sent_and_received(a, b, authority):
    number, document_id = outbound(a, b)
    arrived = b.arrived(number)
    reports = {"01": decided(a, document_id, "REPORTED"), "02": decided(b, arrived["document_id"], "REPORTED")}
    held = authority.reports(number)
    assert sorted(each["role"] for each in held) == ["01", "02"]
    for each in held:
        report, side = (reports[each["role"]], a if each["role"] == "01" else b)
        assert (report["kind"], report["role"]) == (each["kind"], each["role"]) == ("S", each["role"])
        assert report["submission_message_id"] == each["instance_id"]
        assert (each["verdict"], each["code"], each["scope"]) == ("ACCEPTED", "AP", "D")
        assert (each["reporting_party"], each["representative"], each["provider"]) == (side.participant, side.spid, side.spid)
        assert each["transport_header_id"] == a.record(document_id)["message_id"]


@pytest.mark.parametrize("role", ["01", "02"])
def test_the_report_and_the_record_say_the_same(a, b, role):
    number, document_id = outbound(a, b)
    side = a if role == "01" else b
    document_id = document_id if side is a else b.arrived(number)["document_id"]
    report = decided(side, document_id, "REPORTED")
    assert report["submission_id"] == submission_of(document_id)
    assert (report["document_type_code"], report["supersedes_id"], report["reasons"]) == ("380", None, [])
    reporting = side.record(document_id)["reporting"]
    assert (reporting["outcome"], reporting["kind"], reporting["report_id"]) == ("REPORTED", "S", report["report_id"])


@pytest.mark.parametrize("role", ["01", "02"])
def test_the_outcome_is_told_once_with_what_correlates_it(a, b, role):
    body = bodies.invoice(customer=b.party(), source_id=bodies.unique("order"))
    document = sent(a.live.send(body))
    side = a if role == "01" else b
    document_id = document["document_id"] if side is a else b.arrived(bodies.number_of(body))["document_id"]
    (event,) = side.webhooks.wait_for("document.reported", document_id)
    report = decided(side, document_id, "REPORTED")
    envelope, data = event.envelope, event.envelope["data"]
    assert (envelope["environment"], envelope["participant_id"]) == ("live", side.participant)
    assert (data["document_id"], data["message_id"]) == (document_id, document["message_id"])
    assert (data["submission_id"], data["submission_message_id"]) == (submission_of(document_id), report["submission_message_id"])
    assert (data["document_type_code"], data.get("supersedes_id")) == ("380", None)
    assert data.get("source_id") == (body["source_id"] if side is a else None)
    told = data["report"]
    assert (told["report_id"], told["kind"], told["role"]) == (report["report_id"], "S", role)
    assert (told["outcome"], told["reasons"]) == ("REPORTED", [])
    assert side.webhooks_of("document.reported", document_id) == 1


def test_what_is_refused_is_not_compliant_and_says_why(a, b, authority):
    number, document_id = outbound(a, b, "REFUSE")
    report = decided(a, document_id, "NOT_COMPLIANT")
    assert any("not believed" in reason["message"] for reason in report["reasons"]), report
    assert a.record(document_id)["reporting"]["outcome"] == "NOT_COMPLIANT"
    (event,) = a.webhooks.wait_for("document.reported", document_id)
    assert event.envelope["data"]["report"]["outcome"] == "NOT_COMPLIANT"
    assert any("not believed" in reason["message"] for reason in event.envelope["data"]["report"]["reasons"])
    (held,) = [each for each in authority.reports(number) if each["role"] == "01"]
    assert (held["instance_id"], held["verdict"]) == (report["submission_message_id"], "REFUSED")
    # The exchange does not depend on the report.
    assert b.arrived(number)["status"] == "received"


def test_what_is_accepted_without_confirmation_is_reported(a, b):
    _, document_id = outbound(a, b, "UNCONFIRMED")
    assert decided(a, document_id, "REPORTED")["reasons"] == []


@pytest.mark.parametrize("where", SCOPES)
def test_a_document_for_a_predefined_endpoint_is_reported_alone(a, authority, where):
    body = bodies.invoice(invoice_number=bodies.unique("REPORT"), customer=bodies.stranger(electronic_address={"id": "9900000098"}))
    if where == "abroad":
        body["customer"] |= {"electronic_address": {"id": "9900000099"}, "address": HAMBURG}
        lines = [bodies.line(vat={"category_code": "Z", "rate": "0"})]
        body |= {"transaction_type_code": "00000001", "delivery_address": HAMBURG, "line_items": lines}
    report = decided(a, sent(a.live.send(body))["document_id"], "REPORTED")
    (held,) = authority.reports(bodies.number_of(body))
    assert (held["instance_id"], held["kind"], held["role"]) == (report["submission_message_id"], "S", "01")
    assert (held["transport_header_id"], held["scope"]) == (None, SCOPES[where])


def test_an_invalid_document_of_another_is_reported_as_failed(a, b, other_program, authority):
    _, document_id = outbound(a, b)
    number = bodies.unique("HAND")
    instance, envelope = letters.miscalculated(a.envelope(document_id), number)
    assert other_program.send(b, envelope).startswith("receipt verified")
    arrived = b.arrived(number)
    assert arrived["status"] == "rejected"
    report = decided(b, arrived["document_id"], "REPORTED")
    (held,) = authority.reports(number)
    assert (report["kind"], report["role"], held["kind"], held["role"]) == ("F", "02", "F", "02")
    assert (held["instance_id"], held["transport_header_id"]) == (report["submission_message_id"], instance)
    b.webhooks.wait_for("document.reported", arrived["document_id"])


def test_silence_decides_nothing(a, b, authority):
    number, document_id = outbound(a, b, "SILENT")
    wait_for("the report to arrive", lambda: [each for each in authority.reports(number) if each["role"] == "01"], SECONDS)
    # Later documents are decided meanwhile.
    decided(a, outbound(a, b)[1], "REPORTED")
    (report,) = wait_for("the receipt", lambda: [each for each in a.reports(document_id) if each["status"] == "submitted"], SECONDS)
    assert (report["outcome"], report["reasons"], report["overdue"]) == (None, [], False)
    assert a.record(document_id)["reporting"]["outcome"] is None
    assert a.webhooks_of("document.reported", document_id) == 0


def test_a_late_answer_is_taken_when_it_comes(a, b, authority):
    number, document_id = outbound(a, b, "LATE")
    (report,) = wait_for("the receipt", lambda: [each for each in a.reports(document_id) if each["status"] == "submitted"], SECONDS)
    assert report["outcome"] is None
    decided(a, document_id, "REPORTED")
    (held,) = [each for each in authority.reports(number) if each["role"] == "01"]
    assert held["answered_at"] > held["received_at"]


def test_the_sandbox_reports_nothing(a, authority):
    body = bodies.invoice(invoice_number=bodies.unique("REPORT"))
    document = sent(a.sandbox.send(body))
    # A Live document that was sent later has long been reported.
    live = bodies.invoice(customer=bodies.stranger(electronic_address={"id": "9900000098"}))
    decided(a, sent(a.live.send(live))["document_id"], "REPORTED")
    response = a.sandbox.request("GET", f"/invoices/{document['document_id']}/reports")
    assert (response.status_code, response.json()["items"]) == (200, [])
    assert a.sandbox.get(document["document_id"]).json().get("reporting") is None
    assert authority.reports(bodies.number_of(body)) == []


def test_the_report_as_filed_is_what_the_authority_got(a, b, authority):
    _, document_id = outbound(a, b)
    report = decided(a, document_id, "REPORTED")
    response = a.live.request("GET", f"/reports/{report['report_id']}/xml")
    assert response.status_code == 200, response.text
    envelope = etree.fromstring(authority.message(report["submission_message_id"]))
    (got,) = envelope.iter(f"{{{TAX_DATA}}}TaxData")
    assert canonical(etree.fromstring(response.content)) == canonical(got)


def canonical(element: etree._Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)
