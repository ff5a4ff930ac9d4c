"""The tax authority's checks across reports, and its ledger."""

from dataclasses import replace

import pytest

from local_aws.network.authority.journal import Journal, Lines
from local_aws.network.authority.ledger import Entry, Ledger
from local_aws.network.authority.taxdata import Document, TaxData

US, AUTHORITY = "0242:000001", "0242:000990"
SELLER, BUYER = "0235:1001234501", "0235:1001234502"
HEADER = "6f7b0f59-7c5c-4be4-8e0c-3e9f2f7a4f10"
INVOICE = Document("INV-1", "f12f329f-6430-4399-b661-7c5cd9c3a9e6", "380", "2026-11-22", "1001234501")


def tax_data(kind="S", role="01", **changes) -> TaxData:
    party = SELLER if role == "01" else BUYER
    given = {
        "kind": kind, "scope": "D", "role": role, "reporting_party": party, "receiving_party": AUTHORITY, "representative": US,
        "transport_header_id": HEADER, "document": INVOICE, "number": "INV-1", "sender": party, "receiver": AUTHORITY,
    }  # fmt: skip
    return TaxData(**given | changes)


def entry(data: TaxData, verdict: str | None, instance_id: str) -> Entry:
    code = {"ACCEPTED": "AP", "REFUSED": "RE", None: None}[verdict]
    return Entry(instance_id, US, "2026-11-22T12:00:00+00:00", data, verdict, [], code)


def ledger(*came: tuple[TaxData, str | None]) -> Ledger:
    made = Ledger()
    for number, (data, verdict) in enumerate(came):
        made.add(entry(data, verdict, f"instance-{number}"))
    return made


YES, NO, SILENT = "ACCEPTED", "REFUSED", None


@pytest.mark.parametrize(
    ("before", "kind", "objection"),
    [
        # No report yet.
        ([], "S", None),
        ([], "F", None),
        ([], "R", "never submitted"),
        ([], "W", "never submitted"),
        # A document is submitted once, whatever the verdict.
        ([("S", YES)], "S", "submitted before: instance-0"),
        ([("S", NO)], "S", "submitted before"),
        ([("S", SILENT)], "S", "submitted before"),
        ([("S", YES)], "F", "reported before"),
        ([("S", NO)], "F", None),
        ([("F", YES)], "F", "reported before"),
        ([("F", YES)], "S", "reported before"),
        ([("F", NO)], "F", None),
        # Resubmitted, if it is not accepted.
        ([("S", NO)], "R", None),
        ([("S", SILENT)], "R", None),
        ([("S", YES)], "R", "accepted already: instance-0"),
        ([("S", NO), ("R", NO)], "R", None),
        ([("S", NO), ("R", YES)], "R", "accepted already: instance-1"),
        ([("F", YES)], "R", "never submitted"),
        # Withdrawn, if it is accepted or may be.
        ([("S", YES)], "W", None),
        ([("S", SILENT)], "W", None),
        ([("S", NO)], "W", "nothing stands"),
        ([("S", NO), ("R", YES)], "W", None),
        ([("S", YES), ("W", YES)], "W", "nothing stands"),
        ([("S", YES), ("W", NO)], "W", None),
        ([("S", YES), ("W", SILENT)], "W", "nothing stands"),
        ([("F", YES)], "W", "never submitted"),
        # After a withdrawal it may be submitted again.
        ([("S", YES), ("W", YES)], "S", None),
        ([("S", YES), ("W", YES)], "R", None),
        ([("S", YES), ("W", YES), ("S", YES)], "S", "submitted before: instance-2"),
    ],
)
def test_what_came_before_decides_which_kind_may_come(before, kind, objection):
    held = ledger(*((tax_data(each), verdict) for each, verdict in before))
    found = held.objections(tax_data(kind), US)
    assert (found == []) if objection is None else (len(found) == 1 and objection in found[0]), found


def test_the_two_roles_of_a_transaction_are_reported_each_for_itself():
    held = ledger((tax_data(), YES))
    assert held.objections(tax_data(role="02"), US) == []
    assert "never submitted" in held.objections(tax_data("R", role="02"), US)[0]


@pytest.mark.parametrize("term", ["number", "uuid", "type", "issued", "seller"])
def test_the_two_roles_of_a_transaction_are_about_one_document(term):
    held = ledger((tax_data(), YES))
    (found,) = held.objections(tax_data(role="02", document=replace(INVOICE, **{term: "other"})), US)
    assert "about another document" in found


def test_what_was_refused_does_not_speak_against_the_other_role():
    held = ledger((tax_data(), NO))
    other = tax_data(role="02", document=Document("INV-2", "other", "380", "2026-11-22", "1001234501"))
    assert held.objections(other, US) == []


def test_a_failed_document_need_not_be_described():
    held = ledger((tax_data(), YES))
    assert held.objections(tax_data("F", role="02", document=None), US) == []


def test_one_party_does_not_report_both_roles():
    held = ledger((tax_data(), YES))
    (found,) = held.objections(tax_data(role="02", reporting_party=SELLER, sender=SELLER), US)
    assert "the same party" in found


@pytest.mark.parametrize(
    ("changes", "objection"),
    [
        ({"sender": BUYER}, "the envelope is from"),
        ({"receiver": "0242:000991"}, "the envelope is to"),
        ({"representative": "0242:000002"}, "did not send this"),
    ],
)
def test_envelope_provider_and_report_agree(changes, objection):
    (found,) = Ledger().objections(tax_data(**changes), US)
    assert objection in found


def test_documents_that_were_never_exchanged_are_known_by_their_seller_and_number():
    held = ledger((tax_data(transport_header_id=""), YES))
    assert "submitted before" in held.objections(tax_data(transport_header_id=""), US)[0]
    note = Document("INV-1", "other", "381", "2026-11-22", "1001234501")
    assert held.objections(tax_data(transport_header_id="", document=note), US) == []
    assert held.objections(tax_data(), US) == [], "that one was exchanged"
    (transaction,) = held.as_json()["transactions"]
    assert transaction["transaction"] == "1001234501/380/INV-1"


def test_the_ledger_says_what_is_accepted_now():
    held = ledger((tax_data(), NO), (tax_data("R"), YES), (tax_data(role="02"), YES), (tax_data("W", role="02"), YES))
    (transaction,) = held.as_json()["transactions"]
    assert (held.as_json()["reports"], transaction["transaction"]) == (4, HEADER)
    accepted = {role: side["accepted"] for role, side in transaction["roles"].items()}
    assert accepted == {"01": "instance-1", "02": None}
    kinds = {role: [report["kind"] for report in side["reports"]] for role, side in transaction["roles"].items()}
    assert kinds == {"01": ["S", "R"], "02": ["S", "W"]}


def test_the_ledger_can_be_read_by_a_person():
    head, *lines = ledger((tax_data(), YES), (tax_data(role="02"), SILENT)).as_table().splitlines()
    assert "number" in head and "verdict" in head
    assert lines[0].startswith("*  INV-1") and "ACCEPTED AP" in lines[0]
    assert lines[1].startswith("   INV-1") and "silent" in lines[1]


def test_the_journal_makes_the_ledger_again(tmp_path):
    first = Journal(tmp_path / "journal.jsonl")
    assert first.ledger().entries == {}
    held = ledger((tax_data(), YES), (tax_data("F", role="02", document=None), SILENT))
    for each in held.entries.values():
        first.judged(each)
    answered = held.entries["instance-0"]
    answered.answered_at = "2026-11-22T12:00:05+00:00"
    first.answered(answered)
    assert Journal(tmp_path / "journal.jsonl").ledger() == held


def test_a_line_that_was_not_finished_is_no_fact_and_spoils_none(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n{"a": 2')
    assert list(Lines(path).new()) == [{"a": 1}]
    after = Lines(path)
    after.mend()
    after.append({"a": 3})
    assert list(after.new()) == [{"a": 1}, {"a": 3}]
    assert list(after.new()) == []
