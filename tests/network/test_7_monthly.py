"""Monthly statistics for OpenPeppol: by command for the current month, by schedule for the last one."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sides import SECONDS, OpenPeppol, Side, quiet

from kit.waiting import wait_for

KINDS = ["EUSR", "TSR"]
# Statistics are made this long after the end of a month.
SETTLED = timedelta(hours=2)
NOW = datetime.now(UTC)
PRESENT = f"{NOW:%Y-%m}"
ENDED = f"{NOW.replace(day=1) - timedelta(days=1):%Y-%m}"


def shown(side: Side, month: str, folder: Path) -> dict[str, bytes]:
    """Both reports of a dry run, without the XML declaration."""
    side.operate("peppol-report", "--month", month, "--dry-run", "--out", str(folder))
    documents = {kind: (folder / f"{kind.lower()}-{month}.xml").read_bytes() for kind in KINDS}
    return {kind: document.partition(b"?>")[2].strip() for kind, document in documents.items()}


def got(openpeppol: OpenPeppol, side: Side, month: str) -> list[dict]:
    """Waits for both reports, by kind."""

    def look():
        found = openpeppol.reports(month, side)
        return found if len(found) >= len(KINDS) else None

    return sorted(wait_for(f"the reports of {side.name} on {month}", look, SECONDS), key=lambda each: each["kind"])


def settled(side: Side, month: str) -> str:
    """The operator's output, after everything was sent."""

    def look():
        told = side.operate("peppol-report", "--month", month, "--status")
        return told if told.count("\treceipt\t") == len(KINDS) else None

    return wait_for(f"the receipts of {side.name} for {month}", look, SECONDS, every=0.5)


@pytest.fixture(params=["a", "b"])
def side(request, a, b) -> Side:
    return {"a": a, "b": b}[request.param]


def test_an_operator_reports_the_present_month_as_the_dry_run_shows_it(side, a, b, openpeppol, tmp_path):
    quiet(a, b)
    before = shown(side, PRESENT, tmp_path)
    assert side.operate("peppol-report", "--month", PRESENT, "--send").count("made, and goes on its way") == 2
    after = shown(side, PRESENT, tmp_path)
    # A second request sends nothing.
    assert side.operate("peppol-report", "--month", PRESENT, "--send").count("there is one") == 2
    told = settled(side, PRESENT)
    reports = got(openpeppol, side, PRESENT)
    assert [each["kind"] for each in reports] == KINDS
    for each in reports:
        assert (each["faults"], each["from"], each["sender"]) == ([], side.seat, side.spid)
        # Exchanges during the report may be in it, or not.
        assert openpeppol.document(each["instance_id"]) in (before[each["kind"]], after[each["kind"]])
        assert f"{PRESENT} {each['kind']} 1\tsent" in told and each["instance_id"] in told
    transactions = reports[KINDS.index("TSR")]["total"]
    assert transactions["Incoming"] > 0 and transactions["Outgoing"] > 0


def test_the_month_that_ended_is_reported_by_itself_and_once(side, openpeppol, tmp_path):
    if NOW - NOW.replace(day=1, hour=0, minute=0, second=0, microsecond=0) < SETTLED:
        pytest.skip(f"{ENDED} is not settled yet")
    side.invoke("report")
    reports = got(openpeppol, side, ENDED)
    settled(side, ENDED)
    side.invoke("report")
    side.operate("peppol-report", "--month", ENDED, "--send")
    side.sweep()
    expected = shown(side, ENDED, tmp_path)
    assert [each["kind"] for each in reports] == KINDS
    assert len(openpeppol.reports(ENDED, side)) == len(KINDS)
    for each in reports:
        assert (each["faults"], openpeppol.document(each["instance_id"])) == ([], expected[each["kind"]])


def test_a_corrected_report_replaces_the_first_when_it_is_asked_for(a, openpeppol):
    settled(a, PRESENT)
    assert a.operate("peppol-report", "--month", PRESENT, "--send", "--again").count("made") == 2
    wait_for("both again", lambda: len(openpeppol.reports(PRESENT, a)) == 2 * len(KINDS), SECONDS)
    numbers = [line.split("\t")[0] for line in a.operate("peppol-report", "--month", PRESENT).splitlines() if not line.startswith("\t")]
    assert numbers == [f"{PRESENT} {kind} {number}" for kind in reversed(KINDS) for number in (1, 2)]
