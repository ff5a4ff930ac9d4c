"""Sends Live documents between the access points, and prints the whole route of each."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import aiohttp

from local_aws.console import say
from local_aws.network import letters, lookup
from local_aws.network.locator import ZONE
from local_aws.network.member import Member
from local_aws.network.peer import Peer
from local_aws.network.stand_ins import StandIns
from local_aws.samples import decoded

SECONDS = 20
EVERY_SECONDS = 0.1
# Final states, or states that need an event from outside.
ENDED = ("sent", "delivered", "forwarded", "rejected", "failed", "unconfirmed", "received")


@dataclass
class Walk:
    """Prints events to the terminal, and collects errors in `troubles`."""

    network: StandIns
    peer: Peer
    session: aiohttp.ClientSession
    troubles: list[str] = field(default_factory=list)

    async def ask(self, member: Member, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict]:
        """Sends a request for the member's Live taxpayer."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = credentials(member) | {"Content-Type": "application/json"} | given
        async with self.session.request(method, f"{member.api_url}/v1/{path}", data=body, headers=sent) as response:
            return response.status, await decoded(response)

    def expect(self, fine: bool, what: str) -> None:
        if not fine:
            self.troubles.append(what)

    async def eventually(self, what: str, look: Callable) -> dict | None:
        """Waits for a result of `look`; a missing result is a trouble."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            if (found := await look()) is not None:
                return found
            await asyncio.sleep(EVERY_SECONDS)
        self.troubles.append(f"{what}: not within {SECONDS} s")
        return None


def credentials(member: Member) -> dict[str, str]:
    key = member.demo.data["api_keys"]["live"]
    return {"Authorization": f"Api-Key {key}", "x-ae-taxpayer-id": member.taxpayer["taxpayer_id"]}


async def all_ways(network: StandIns, peer: Peer, one: Member, other: Member) -> list[str]:
    """Sends documents in both directions, and one that is rejected; returns the differences from the expected outcome."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as session:
        walk = Walk(network, peer, session)
        await document(walk, one, other, "NET-1", queued=False)
        back = await document(walk, other, one, "NET-2", queued=True)
        if back is not None:
            await invalid(walk, other, one, back)
        await rejected(walk, one)
        return walk.troubles


def told(label: str, text: str) -> None:
    say(f"  {label:<10} {text}")


async def document(walk: Walk, sender: Member, receiver: Member, number: str, *, queued: bool) -> str | None:
    """Sends an invoice from one taxpayer to the other; returns its id at the sender."""
    say()
    say(f"{number}: {sender.taxpayer['name']} ({sender.name}) to {receiver.taxpayer['name']} ({receiver.name})")
    document_id = await send(walk, sender, receiver.taxpayer, number, queued=queued)
    if document_id is None:
        return None
    await show_event(walk, sender, "document.sent", document_id)
    await arrived(walk, receiver, number, "received")
    await show_verdict(walk, sender, document_id, "delivered")
    return document_id


async def send(walk: Walk, sender: Member, recipient: dict, number: str, *, queued: bool) -> str | None:
    """Sends an invoice and waits until it is sent; returns its id."""
    await show_lookup(walk, recipient["participant_id"])
    prefer = {"Prefer": "respond-async"} if queued else {}
    body = letters.invoice(number, recipient)
    status, answer = await walk.ask(sender, "POST", "invoices", body, Idempotency_Key=number, **prefer)
    document_id = answer.get("document_id")
    told("send", f"{status} {answer.get('status', '')} {document_id or answer}")
    walk.expect(status == (202 if queued else 201) and document_id is not None, f"{number}: {status} {answer}")
    if document_id is not None:
        await ended(walk, sender, document_id)
        await show_attempts(walk, sender, document_id)
    return document_id


async def show_lookup(walk: Walk, participant: str) -> None:
    try:
        way = await lookup.find(participant, walk.network.names.address, "Invoice")
    except (LookupError, TimeoutError, aiohttp.ClientError) as error:
        walk.expect(False, f"{participant} is not found: {error!r}")
        return
    told("DNS", f"{participant}: NAPTR {way.dns_name.removesuffix(f'.{ZONE}.')[:16]}…{ZONE} is {way.smp}")
    told("SMP", f"signed by {way.smp_signer}: {way.document_type.partition('##')[2]} goes to {way.as4_url}, certificate of {way.seat}")


async def ended(walk: Walk, member: Member, document_id: str) -> dict | None:
    async def look() -> dict | None:
        _, record = await walk.ask(member, "GET", f"invoices/{document_id}")
        return record if record.get("status") in ENDED else None

    return await walk.eventually(f"{document_id} at its end", look)


async def show_attempts(walk: Walk, member: Member, document_id: str) -> None:
    _, answer = await walk.ask(member, "GET", f"invoices/{document_id}/attempts")
    for attempt in answer.get("items", []):
        told("attempt", f"{attempt['number']}, {attempt['duration_ms']} ms: {attempt['outcome']} by {attempt['receiver']}")
        told("", f"{attempt['as4_message_id']} to {attempt['endpoint']}")
    outcomes = [attempt["outcome"] for attempt in answer.get("items", [])]
    walk.expect(outcomes == ["received"], f"{document_id}: attempts {outcomes}")


async def arrived(walk: Walk, member: Member, number: str, status: str) -> dict | None:
    """The document with this number at its receiver."""

    async def look() -> dict | None:
        _, answer = await walk.ask(member, "GET", f"invoices?direction=inbound&number={number}")
        return next(iter(answer.get("items", [])), None)

    if (found := await walk.eventually(f"{number} at {member.name}", look)) is None:
        return None
    document_id = found["document_id"]
    told("arrived", f"at {member.name}: {found['status']} {document_id}")
    walk.expect(found["status"] == status, f"{document_id}: {found['status']} instead of {status}")
    if status == "received":
        await show_event(walk, member, "document.received", document_id)
    return found


async def show_event(walk: Walk, member: Member, kind: str, document_id: str) -> None:
    missing = await member.demo.receiver.wait_for(kind, {document_id}, SECONDS)
    told("webhook", f"{member.name} got {kind} about {document_id}, signature verified" if not missing else f"no {kind}")
    walk.expect(not missing, f"{document_id}: no verified {kind} within {SECONDS} s")


async def show_verdict(walk: Walk, member: Member, document_id: str, expected: str) -> None:
    """Prints the Message Level Status of the recipient's access point and its effect."""

    async def look() -> dict | None:
        _, record = await walk.ask(member, "GET", f"invoices/{document_id}")
        return record if record.get("message_level_status") else None

    record = await walk.eventually(f"a Message Level Status about {document_id}", look)
    if record is None:
        return
    status = record["message_level_status"]
    told("MLS", f"{status['code']}, issued {status['issued_at']}")
    for finding in status["findings"]:
        told("finding", f"{finding['pointer']}: {finding['message']}")
    await show_event(walk, member, "document.status", document_id)
    told("finally", f"{record['status']} at {member.name}, events {', '.join(member.demo.receiver.about(document_id))}")
    walk.expect(record["status"] == expected, f"{document_id}: {record['status']} instead of {expected}")


async def invalid(walk: Walk, sender: Member, receiver: Member, like: str) -> None:
    """A document that the product's access point judges invalid. The product never sends such a document, so this one is built by hand."""
    number, peer = "NET-3", walk.peer
    say()
    say(f"{number}: like {like}, but miscalculated: {sender.name} would refuse to send it, another program does")
    envelope = await envelope_of(walk, sender, like)
    instance, envelope = letters.miscalculated(envelope, number)
    url, statuses = f"{receiver.edge_url}/as4", len(peer.messages_of(receiver.spid))
    answer = await peer.send(peer.seat, url, receiver.wanted.seat, envelope)
    told("send", f"{instance} to {url}")
    told("receipt", answer)
    walk.expect(answer.startswith("receipt verified"), f"{number}: {answer}")
    found = await arrived(walk, receiver, number, "rejected")
    if found is None:
        return
    document_id = found["document_id"]
    _, record = await walk.ask(receiver, "GET", f"invoices/{document_id}")
    for finding in [each for each in record.get("warnings", []) if each["severity"] == "error"]:
        told("finding", f"{finding['rule']}: {finding['message']}")

    async def look() -> dict | None:
        came = peer.messages_of(receiver.spid)[statuses:]
        return came[0] if came else None

    if came := await walk.eventually(f"a Message Level Status about {number}", look):
        told("MLS", f"RE, to {peer.spid}: {came['message_id']}, {came['bytes']} bytes")
    # It is still reported, as a failed document.
    events = [each for each in receiver.demo.receiver.about(document_id) if each != "document.reported"]
    walk.expect(events == [], f"{document_id}: {events} about what was rejected")
    told("finally", f"rejected at {receiver.name}, no document.received: an invalid document is nobody's to book")


async def rejected(walk: Walk, sender: Member) -> None:
    """A document that another access point accepts first, and then rejects by its own rules."""
    number, peer = "NET-4", walk.peer
    recipient = {"participant_id": peer.participant, "name": "Pearl Services LLC"}
    say()
    say(f"{number}: {sender.taxpayer['name']} ({sender.name}) to {recipient['name']}, whose access point is another program")
    document_id = await send(walk, sender, recipient, number, queued=False)
    if document_id is None:
        return
    envelope = await envelope_of(walk, sender, document_id)
    status = letters.rejection(peer.spid, sender.spid, letters.instance_of(envelope), "/Invoice/cbc:DueDate", "The due date is not ours.")
    answer = await peer.send(peer.seat, f"{sender.edge_url}/as4", sender.wanted.seat, status)
    told("status", f"by {peer.spid}, {answer}")
    walk.expect(answer.startswith("receipt verified"), f"{number}: {answer}")
    await show_verdict(walk, sender, document_id, "rejected")


async def envelope_of(walk: Walk, member: Member, document_id: str) -> str:
    url = f"{member.api_url}/v1/invoices/{document_id}/sbdh"
    async with walk.session.get(url, headers=credentials(member)) as response:
        return await response.text()
