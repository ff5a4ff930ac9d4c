"""The comparison of the access points' reports with the authority's."""

import pytest

from local_aws.network.reporting import Reported, differences, undecided


def document(direction="outbound", status="delivered") -> dict:
    return {"document_id": "doc_1", "number": "INV-1", "direction": direction, "status": status}


def report(message="m1", kind="S", role="01", outcome="REPORTED", status="reported") -> dict:
    return {
        "report_id": f"rep_{message}", "kind": kind, "role": role, "status": status, "outcome": outcome, "submission_message_id": message,
    }  # fmt: skip


def theirs(message="m1", kind="S", role="01", verdict="ACCEPTED", answered="2026-11-22T12:00:00Z") -> dict:
    return {
        "instance_id": message, "kind": kind, "role": role, "number": "INV-1", "verdict": verdict, "answered_at": answered,
        "mls_instance_id": None,
    }  # fmt: skip


def ledger(*reports: dict) -> dict:
    roles: dict = {}
    for each in reports:
        roles.setdefault(each["role"], {"accepted": None, "reports": []})["reports"].append(each)
    return {"transactions": [{"transaction": "t1", "roles": roles}]}


SILENT = {"outcome": None, "status": "submitted"}


@pytest.mark.parametrize(
    ("of", "reports", "held", "said"),
    [
        (document(), [report()], [theirs()], None),
        (document("inbound", "received"), [report(role="02")], [theirs(role="02")], None),
        (document("inbound", "rejected"), [report(kind="F", role="02")], [theirs(kind="F", role="02")], None),
        (document(), [report(outcome="NOT_COMPLIANT")], [theirs(verdict="REFUSED")], None),
        (document(), [report(**SILENT)], [theirs(verdict=None, answered=None)], None),
        (document(), [report(**SILENT)], [theirs(answered=None)], None),
        (document(), [report(outcome="FAILED")], [], None),
        (document(status="failed"), [], [], None),
        (document(), [report(), report("m2", kind="W")], [theirs(), theirs("m2", kind="W")], None),
        (document(), [report(outcome="NOT_COMPLIANT"), report("m2", kind="R")], [theirs(verdict="REFUSED"), theirs("m2", kind="R")], None),
        # One side lacks a report, or has a different one.
        (document(), [], [], "no report S/01"),
        (document("inbound", "rejected"), [report(role="02")], [theirs(role="02")], "no report F/02"),
        (document(), [report()], [], "the authority has no m1"),
        (document(), [report()], [theirs(verdict=None, answered=None)], "the authority said nothing"),
        (document(), [report()], [theirs(answered=None)], "the authority said nothing"),
        (document(), [report()], [theirs(verdict="REFUSED")], "the authority said NOT_COMPLIANT"),
        (document(), [report(**SILENT)], [theirs()], "the authority said REPORTED"),
        (document(), [report(outcome="FAILED")], [theirs()], "the authority said REPORTED"),
        (document(), [report()], [theirs(), theirs("m2", role="02")], "which nobody says he sent"),
        (document(), [report(), report()], [theirs()], "another report's message"),
        (document(), [report(), report("m2", outcome="NOT_COMPLIANT")], [theirs(), theirs("m2", verdict="REFUSED")], "reported as SS"),
    ],
)
def test_what_one_side_has_the_other_has(of, reports, held, said):
    found = list(differences([Reported("a", of, reports)], ledger(*held)))
    assert (found == []) if said is None else (len(found) == 1 and said in found[0]), found


def test_a_document_without_an_outcome_is_waited_for():
    assert list(undecided([Reported("a", document(), [report()]), Reported("a", document(status="failed"), [])])) == []
    assert len(list(undecided([Reported("a", document(), [report(**SILENT)]), Reported("a", document(), [])]))) == 2
