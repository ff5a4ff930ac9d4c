"""Sends the sample documents, and prints the outcome of each."""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from local_aws.console import elapsed, say, table
from local_aws.options import ROOT
from local_aws.receiver import Receiver

EVENTS = ROOT / "events"
# The folder below events/ is the path of the operation.
FOLDERS = ("invoices", "credit-notes", "self-billing/invoices", "self-billing/credit-notes")
DELIVERY_SECONDS = 60
QUEUE_SECONDS = 60


@dataclass
class Report:
    """The outcomes, and the unexpected ones."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    documents: set[str] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)


class Sender:
    """Sends as the demo organization for its first taxpayer."""

    def __init__(self, session: aiohttp.ClientSession, api_url: str, demo: dict):
        self._session, self._api_url = session, api_url
        taxpayer = demo["taxpayers"][0]
        self._headers = {
            "Authorization": f"Api-Key {demo['api_keys']['sandbox']}",
            "x-ae-taxpayer-id": taxpayer["taxpayer_id"],
            "Content-Type": "application/json",
        }
        if taxpayer.get("grant_id"):
            self._headers["x-ae-grant-id"] = taxpayer["grant_id"]

    async def post(self, path: str, body: bytes, **headers: str) -> tuple[int, dict, dict]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self._session.post(f"{self._api_url}/v1/{path}", data=body, headers=self._headers | named) as response:
            return response.status, dict(response.headers), await decoded(response)

    async def get(self, path: str) -> tuple[int, dict]:
        async with self._session.get(f"{self._api_url}/v1/{path}", headers=self._headers) as response:
            return response.status, await decoded(response)


async def decoded(response: aiohttp.ClientResponse) -> dict:
    text = await response.text()
    try:
        content = json.loads(text)
    except ValueError:
        return {"detail": {"message": text[:200]}}
    return content if isinstance(content, dict) else {"items": content}


def sample_files() -> list[tuple[str, Path]]:
    return [(folder, path) for folder in FOLDERS for path in sorted((EVENTS / folder).glob("*.json"))]


def key_of(folder: str, path: Path) -> str:
    """A sample's idempotency key."""
    return f"sample-{folder.replace('/', '-')}-{path.stem}"


async def send_all(api_url: str, demo: dict, receiver: Receiver) -> Report:
    """Sends every sample (one through the queues, one twice) and waits for the webhooks."""
    report = Report()
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        sender = Sender(session, api_url, demo)
        files = sample_files()
        if not files:
            report.troubles.append(f"{EVENTS} holds no samples")
            return report
        for folder, path in files:
            status, _, answer = await sender.post(folder, path.read_bytes(), Idempotency_Key=key_of(folder, path))
            note(report, f"{folder}/{path.name}", status, answer, 201)
        folder, path = next(((folder, path) for folder, path in files if path.name == "minimal.json"), files[0])
        body = path.read_bytes()
        await replay(sender, report, folder, path, body)
        await validate(sender, report, body)
        await queued(sender, report, folder, path, body)
        begun = elapsed()
        missing = await receiver.wait_for("document.sent", report.documents, DELIVERY_SECONDS)
        waited = elapsed() - begun
    report.troubles += [f"no verified document.sent webhook about {document}" for document in sorted(missing)]
    if receiver.refused:
        report.troubles.append(f"{receiver.refused} webhook(s) whose signature was wrong")
    show(report, receiver, waited)
    return report


def note(report: Report, name: str, status: int, answer: dict, expected: int) -> str | None:
    """Records one answer; returns the document's id, if there is one."""
    document = answer.get("document_id") or answer.get("id")
    if status != expected:
        detail = answer.get("detail") or {}
        detail = detail if isinstance(detail, dict) else {"message": str(detail)}
        report.troubles.append(f"{name}: {status} instead of {expected}: {detail.get('code', '')} {detail.get('message', '')}".rstrip())
        report.troubles += [
            f"    {each.get('pointer', '')} {each.get('rule', '')} {each.get('message', '')}" for each in detail.get("errors", [])
        ]
    elif document:
        report.documents.add(document)
    warnings = len(answer.get("warnings") or [])
    verdict = answer.get("status") or ("refused" if status >= 400 else "")
    report.rows.append((name, str(status), verdict, f"{warnings} warning(s)" if warnings else "", document or "-"))
    return document


async def replay(sender: Sender, report: Report, folder: str, path: Path, body: bytes) -> None:
    status, headers, answer = await sender.post(folder, body, Idempotency_Key=key_of(folder, path))
    document = note(report, f"{folder}/{path.name}, the same key again", status, answer, 201)
    replayed = {name.lower(): value for name, value in headers.items()}.get("idempotent-replayed")
    if status == 201 and replayed != "true":
        report.troubles.append(f"{document}: the repeated send was not answered as a replay")


async def validate(sender: Sender, report: Report, body: bytes) -> None:
    status, _, answer = await sender.post("invoices/validate", body)
    if status != 200 or answer.get("valid") is not True:
        report.troubles.append(f"invoices/validate: {status} {json.dumps(answer)[:300]}")
    report.rows.append(("invoices/validate, nothing recorded", str(status), "valid" if answer.get("valid") else "invalid", "", "-"))


async def queued(sender: Sender, report: Report, folder: str, path: Path, body: bytes) -> None:
    """Sends a sample through the queues."""
    status, _, answer = await sender.post(folder, body, Idempotency_Key="sample-queued", Prefer="respond-async")
    if status == 400 and (answer.get("detail") or {}).get("code") == "queued_delivery_disabled":
        report.rows.append((f"{folder}/{path.name}, queued", "400", "queued delivery is disabled", "", "-"))
        return
    document = note(report, f"{folder}/{path.name}, queued", status, answer, 202)
    if not document:
        return
    deadline = elapsed() + QUEUE_SECONDS
    state = None
    while elapsed() < deadline:
        _, record = await sender.get(f"invoices/{document}")
        state = record.get("status")
        if state in ("sent", "failed"):
            break
        await asyncio.sleep(0.1)
    if state != "sent":
        report.troubles.append(f"{document}: queued, and {state} after {QUEUE_SECONDS} s instead of sent")
    report.rows.append(("    … and out of the queues", "", str(state), "", document))


def show(report: Report, receiver: Receiver, waited: float) -> None:
    say()
    say("Documents")
    table(report.rows)
    say()
    kinds = sorted({event["type"] for event in receiver.verified})
    counts = ", ".join(f"{kind} {sum(event['type'] == kind for event in receiver.verified)}" for kind in kinds)
    say(f"Webhooks: {len(receiver.verified)} received and verified ({counts or 'none'}), {receiver.refused} refused; ")
    say(f"  the last one about a sent document arrived {waited:.1f} s after the last send")
