"""Whether every accepted document has reached its end exactly once, as both access points and the authority list it."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from endpoint import ENDED, Endpoint
from sides import Authority, Side

from local_aws.network.reporting import Reported, differences

ASK_EVERY = 2.0
# Without progress for so long, what is open stays open.
PATIENCE = 180.0


def every(side: Side, path: str, **query: str) -> list[dict]:
    """All items of a list."""
    found, asked = [], query | {"limit": "100"}
    while True:
        page = side.live.request("GET", path, params=asked).raise_for_status().json()
        found += page["items"]
        if (cursor := page["next_cursor"]) is None:
            return found
        asked["cursor"] = cursor


def reported(side: Side, numbers: set[str]) -> list[Reported]:
    """The documents with these numbers, and the reports about them."""
    about = defaultdict(list)
    for report in every(side, "/reports"):
        about[report["document_id"]].append(report)
    documents = [each for each in every(side, "/invoices") if each["number"] in numbers]
    return [Reported(side.name, each, about[each["document_id"]]) for each in documents]


def settled(sender: Side, recipient: Side, numbers: set[str]) -> list[Reported]:
    """Waits until both sides list every document with a decided report, or nothing changes any more."""
    before, since = -1, time.monotonic()
    while True:
        found = [each for side in (sender, recipient) for each in reported(side, numbers)]
        decided = sum(bool(each.reports) and all(report["outcome"] for report in each.reports) for each in found)
        if decided >= 2 * len(numbers) or time.monotonic() > since + PATIENCE:
            return found
        if decided != before:
            before, since = decided, time.monotonic()
        time.sleep(ASK_EVERY)


def troubles(sender: Side, recipient: Side, authority: Authority, accepted: dict[str, str], endpoint: Endpoint) -> tuple[list, list]:
    """What is lost, and what is doubled or otherwise differs. `accepted` has the numbers of documents by their ids."""
    numbers = set(accepted.values())
    found = settled(sender, recipient, numbers)
    lost = [f"{document_id}: no webhook {', '.join(sorted(ENDED - endpoint.events[document_id].keys()))}"
            for document_id in accepted if document_id not in endpoint.ended]  # fmt: skip
    wrong = [f"{document_id}: several events {', '.join(kinds)}" for document_id, kinds in endpoint.doubled().items()]
    for side, direction, status in ((sender, "outbound", "delivered"), (recipient, "inbound", "received")):
        documents = [each.document for each in found if each.member == side.name and each.document["direction"] == direction]
        there = Counter(each["number"] for each in documents)
        lost += [f"{number}: not at {side.name}" for number in sorted(numbers - there.keys())]
        wrong += [f"{number}: {times} times at {side.name}" for number, times in there.items() if times > 1]
        lost += [f"{each['number']}: {each['status']} at {side.name}" for each in documents if each["status"] != status]
    for each in found:
        outcomes = [report["outcome"] for report in each.reports]
        if outcomes != ["REPORTED"]:
            (lost if len(outcomes) < 2 else wrong).append(f"{each.document['number']} at {each.member}: reports {outcomes}")
    wrong += differences(found, _of(authority.ledger(), numbers))
    return lost, wrong


def _of(ledger: dict, numbers: set[str]) -> dict:
    """The part of the ledger about these documents."""

    def reports(transaction: dict) -> Iterator[dict]:
        return (report for role in transaction["roles"].values() for report in role["reports"])

    return ledger | {"transactions": [each for each in ledger["transactions"] if any(it["number"] in numbers for it in reports(each))]}
