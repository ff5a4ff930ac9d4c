"""Waits until all reports are decided, then compares the authority with the access points."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from plan import Planned, at
from sides import Authority, Side

from local_aws.network.reporting import Reported, differences

ASK_EVERY = 2.0


def settled(sides: list[Side], plan: list[Planned], deadline: float) -> list[Reported]:
    """Waits until every document has arrived and all its reports are decided."""
    while True:
        found: list[Reported] = []
        waiting = [each for side in sides for each in _waiting(side, plan, found)]
        if not waiting:
            return found
        if time.monotonic() > deadline:
            raise SystemExit(f"{len(waiting)} are undecided: {waiting[:20]}")
        print(f"  {len(found)} decided, {len(waiting)} to come: {Counter(each.rpartition(': ')[2] for each in waiting)}", flush=True)
        time.sleep(ASK_EVERY)


def _waiting(side: Side, plan: list[Planned], found: list[Reported]) -> Iterator[str]:
    """The missing documents and open reports of a side; adds decided ones to `found`."""
    planned = {each.number: each for each in plan}
    reports = defaultdict(list)
    for report in _all(side, "/reports"):
        reports[report["document_id"]].append(report)
    documents = [each for each in _all(side, "/invoices") if each["number"] in planned]
    for number in at(side, plan) - Counter(each["number"] for each in documents):
        yield f"{number} at {side.name}: not there"
    for document in documents:
        about = reports[document["document_id"]]
        if _decided(about, planned[document["number"]]):
            found.append(Reported(side.name, document, about))
        else:
            yield f"{document['number']} at {side.name}, {document['document_id']}: {[(each['kind'], each['status']) for each in about]}"


def _all(side: Side, path: str) -> list[dict]:
    """All items of a list."""
    found, query = [], {"limit": 100}
    while True:
        page = side.live.request("GET", path, params=query).raise_for_status().json()
        found += page["items"]
        if (cursor := page["next_cursor"]) is None:
            return found
        query["cursor"] = cursor


def _decided(reports: list[dict], document: Planned) -> bool:
    silent = document.outcome is None
    return bool(reports) and all(each["outcome"] or (silent and each["status"] == "submitted") for each in reports)


def troubles(sides: list[Side], authority: Authority, plan: list[Planned], reported: list[Reported]) -> Iterator[str]:
    """The differences in documents and reports."""
    planned = {each.number: each for each in plan}
    for side in sides:
        there = Counter(each.document["number"] for each in reported if each.member == side.name)
        if there != at(side, plan):
            yield f"{side.name} has too often: {dict(there - at(side, plan))}"
    for each in reported:
        number, outcomes = each.document["number"], [report["outcome"] for report in each.reports]
        if outcomes != [planned[number].outcome]:
            yield f"{number} at {each.member}: {outcomes}, and {planned[number].outcome} was to be"
    yield from differences(reported, _of(authority.ledger(), planned.keys()))


def _of(ledger: dict, numbers: set[str]) -> dict:
    """The part of the ledger about documents with these numbers."""

    def mine(transaction: dict) -> bool:
        return any(report["number"] in numbers for role in transaction["roles"].values() for report in role["reports"])

    return ledger | {"transactions": [each for each in ledger["transactions"] if mine(each)]}


def untold(side: Side, reported: list[Reported], deadline: float) -> Iterator[str]:
    """Compares the outcomes and the events of a side, one to one."""
    reports = [report for each in reported if each.member == side.name for report in each.reports]
    outcomes = {report["report_id"]: [report["outcome"]] if report["outcome"] else [] for report in reports}
    while (told := _events(side)) is not None:
        missing = [report_id for report_id, outcome in outcomes.items() if outcome and report_id not in told]
        if not missing or time.monotonic() > deadline:
            break
        time.sleep(ASK_EVERY)
    for report_id, outcome in outcomes.items():
        if (events := list(told.get(report_id, {}).values())) != outcome:
            yield f"{report_id} at {side.name}: {outcome}, told as {events}"


def _events(side: Side) -> dict[str, dict[str, str]]:
    """The outcome in each event, by report and event: an event may be delivered more than once."""
    told: dict[str, dict[str, str]] = {}
    for delivery in side.webhooks.deliveries():
        if delivery.envelope["type"] == "document.reported":
            report = delivery.envelope["data"]["report"]
            told.setdefault(report["report_id"], {})[delivery.envelope["id"]] = report["outcome"]
    return told
