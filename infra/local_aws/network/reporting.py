"""Compares the reports of the access points with those of the tax authority, document by document."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass

import aiohttp

from local_aws.console import say
from local_aws.network.corner_5 import TaxAuthority
from local_aws.network.member import Member
from local_aws.network.walk import credentials

SECONDS = 60
EVERY_SECONDS = 0.5
PAGE = 100
# The outcome at the reporter for each verdict of the authority. Without a verdict there is no outcome.
OUTCOMES = {"ACCEPTED": "REPORTED", "REFUSED": "NOT_COMPLIANT", None: None}


@dataclass(frozen=True)
class Reported:
    """A document of an access point, and its reports as the access point lists them."""

    member: str
    document: dict
    reports: list[dict]


def entries(ledger: dict) -> dict[str, dict]:
    """All reports of the authority, by the identifier of their envelope."""
    return {
        report["instance_id"]: report
        for transaction in ledger["transactions"]
        for role in transaction["roles"].values()
        for report in role["reports"]
    }


def expected(document: dict) -> tuple[str, str] | None:
    """Kind and role of the first report about a document; None if the document may have failed before it was sent."""
    if document["direction"] == "outbound":
        return None if document["status"] == "failed" else ("S", "01")
    return ("F" if document["status"] == "rejected" else "S"), "02"


def differences(reported: list[Reported], ledger: dict) -> Iterator[str]:
    """Reports that one side lacks, or that differ."""
    theirs = entries(ledger)
    named: set[str] = set()
    for each in reported:
        document = each.document
        about = f"{document['number']} at {each.member} ({document['document_id']})"
        made = [(report["kind"], report["role"]) for report in each.reports]
        if (first := expected(document)) is not None and first not in made:
            yield f"{about}: no report {'/'.join(first)}, but {made}"
        for report in each.reports:
            yield from (f"{about}, {report['report_id']}: {what}" for what in _against(report, theirs.get(report["submission_message_id"])))
            if report["submission_message_id"] in named:
                yield f"{about}, {report['report_id']}: {report['submission_message_id']} is another report's message, too"
            named.add(report["submission_message_id"])
    for instance_id in theirs.keys() - named:
        found = theirs[instance_id]
        yield f"the authority has {found['kind']}/{found['role']} of {found['number']} in {instance_id}, which nobody says he sent"
    yield from _twice(ledger)


def _against(report: dict, found: dict | None) -> Iterator[str]:
    """Compares one report with the authority's entry of the same identifier."""
    if found is None:
        if report["outcome"] != "FAILED":
            yield f"{report['status']}, and the authority has no {report['submission_message_id']}"
        return
    for name in ("kind", "role"):
        if report[name] != found[name]:
            yield f"{name} {report[name]}, at the authority {found[name]}"
    said = OUTCOMES[found["verdict"]] if found["answered_at"] else None
    if report["outcome"] != said:
        yield f"{report['outcome'] or report['status']}, and the authority said {said or 'nothing'} ({found['mls_instance_id']})"


def _twice(ledger: dict) -> Iterator[str]:
    """Each side submits a document once; further submissions need a resubmission or follow a withdrawal."""
    for transaction in ledger["transactions"]:
        for role, side in transaction["roles"].items():
            kinds = "".join(report["kind"] for report in side["reports"])
            for since in kinds.split("W"):
                if sum(since.count(first) for first in "SF") > 1:
                    yield f"{transaction['transaction']}, role {role}: reported as {kinds}"


def undecided(reported: list[Reported]) -> Iterator[str]:
    """The reports without an outcome."""
    for each in reported:
        outcomes = [report["outcome"] for report in each.reports]
        if None in outcomes or (not outcomes and expected(each.document)):
            yield f"{each.document['number']} at {each.member}: {[report['status'] for report in each.reports] or 'no report'}"


async def documents(session: aiohttp.ClientSession, member: Member) -> list[dict]:
    """All Live documents of the member's taxpayer."""
    found, cursor = [], None
    while True:
        query = {"limit": str(PAGE)} | ({"cursor": cursor} if cursor else {})
        page = await _get(session, member, "invoices", query)
        found += page["items"]
        if (cursor := page.get("next_cursor")) is None:
            return found


async def reported_by(session: aiohttp.ClientSession, member: Member) -> list[Reported]:
    async def one(document: dict) -> Reported:
        answer = await _get(session, member, f"invoices/{document['document_id']}/reports", {})
        return Reported(member.name, document, answer["items"])

    return [await one(document) for document in await documents(session, member)]


async def _get(session: aiohttp.ClientSession, member: Member, path: str, query: dict) -> dict:
    async with session.get(f"{member.api_url}/v1/{path}", params=query, headers=credentials(member)) as answer:
        return await answer.json()


def line(member: str, report: dict, found: dict | None) -> str:
    """Prints a report and the authority's entry."""
    theirs = f"{found['verdict'] or 'silent'}, {found['code'] or '-'} {found['mls_instance_id'] or ''}" if found else "nothing"
    return f"{report['kind']}/{report['role']} of {member}: {report['outcome'] or report['status']}; the authority: {theirs}"


async def compare(authority: TaxAuthority, members: list[Member]) -> list[str]:
    """Waits until all reports of every document are decided, prints each, and returns the differences."""
    say()
    say(f"reports to {authority.spid}, as its ledger has them ({authority.url}/ledger)")
    deadline = time.monotonic() + SECONDS
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60), raise_for_status=True) as session:
        while True:
            reported = [each for member in members for each in await reported_by(session, member)]
            waiting = list(undecided(reported))
            if not waiting or time.monotonic() > deadline:
                break
            await asyncio.sleep(EVERY_SECONDS)
    ledger = await authority.ledger()
    for each in reported:
        for report in each.reports:
            say(f"  {each.document['number']:<10} {line(each.member, report, entries(ledger).get(report['submission_message_id']))}")
    late = [f"{each}: undecided after {SECONDS} s" for each in waiting]
    unwanted = [
        f"{each.document['number']} at {each.member}: {report['kind']}/{report['role']} {report['outcome']}: {report.get('reasons')}"
        for each in reported
        for report in each.reports
        if report["outcome"] not in ("REPORTED", None)
    ]
    return late + unwanted + list(differences(reported, ledger))
