"""The plan: documents of all kinds between both access points, with the authority's verdicts."""

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass

import httpx
from sides import OtherProgram, Side

from kit import bodies
from kit.client import PATHS
from local_aws.network import letters

# The authority's behaviour for numbers with these prefixes, in percent of all documents; it accepts the others.
SHARES = {"REFUSE": 5, "SILENT": 2, "LATE": 3}
OUTCOMES = {"REFUSE": "NOT_COMPLIANT", "SILENT": None, "LATE": "REPORTED", "AGREE": "REPORTED"}
LATE_SECONDS = 15
RULES = [
    {"number": "REFUSE-.*", "answer": "refuse", "reason": "Refused by the ledger test."},
    {"number": "SILENT-.*", "answer": "silent"},
    {"number": "LATE-.*", "after_seconds": LATE_SECONDS},
]
# Shares in percent: documents that only the authority receives, and miscalculated ones from another program.
PREDEFINED, MISCALCULATED = 10, 5
QUEUED = 25
ANSWERED = (201, 202)


@dataclass(frozen=True)
class Planned:
    """A planned document; without a receiver it is for a predefined endpoint."""

    number: str
    sender: Side
    receiver: Side | None
    operation: str = "invoice"
    queued: bool = False
    # The envelope of a valid document between the same parties, from which the other program builds a miscalculated one.
    template: str | None = None

    @property
    def outcome(self) -> str | None:
        """The outcome of every report about it; None if the authority is silent."""
        return OUTCOMES[self.number.partition("-")[0]]


def make(sides: list[Side], count: int, chance: random.Random) -> list[Planned]:
    """Plans documents in both directions between the two `sides`."""
    templates = {receiver: _envelope(sender, receiver) for sender, receiver in (sides, sides[::-1])}
    made = []
    for _ in range(count):
        sender, receiver = chance.sample(sides, 2)
        number, how = bodies.unique(_fate(chance)), chance.uniform(0, 100)
        if how < PREDEFINED:
            made.append(Planned(number, sender, None))
        elif how < PREDEFINED + MISCALCULATED:
            made.append(Planned(number, sender, receiver, template=templates[receiver]))
        else:
            operation, queued = chance.choice(list(PATHS)), chance.uniform(0, 100) < QUEUED
            made.append(Planned(number, sender, receiver, operation, queued))
    return made


def _fate(chance: random.Random) -> str:
    at = chance.uniform(0, 100)
    for fate, share in SHARES.items():
        if at < share:
            return fate
        at -= share
    return "AGREE"


def _envelope(sender: Side, receiver: Side) -> str:
    """The envelope of a valid document."""
    body = bodies.invoice(invoice_number=bodies.unique("AGREE"), customer=receiver.party())
    return sender.envelope(sender.live.send(body).raise_for_status().json()["document_id"])


def _body(document: Planned) -> dict:
    party = bodies.stranger(electronic_address={"id": "9900000098"}) if document.receiver is None else document.receiver.party()
    other = "supplier" if document.operation.startswith("self_billed_") else "customer"
    number = bodies.number_field(document.operation)
    return bodies.BUILDERS[document.operation](**{number: document.number, other: party, "source_id": document.number})


def send(document: Planned, other_program: OtherProgram, deadline: float) -> int:
    """Retries the same send until the answer is final; returns the number of requests."""
    content = _body(document) if document.template is None else letters.miscalculated(document.template, document.number)[1]
    for tries in range(1, sys.maxsize):
        try:
            if document.template is not None:
                last = other_program.send(document.receiver, content)
                fine = last.startswith("receipt verified")
            else:
                prefer = "respond-async" if document.queued else None
                answer = document.sender.live.send(content, document.operation, key=document.number, prefer=prefer)
                last, fine = answer.text, answer.status_code in ANSWERED
        except httpx.HTTPError as error:
            last, fine = repr(error), False
        if fine:
            return tries
        if time.monotonic() > deadline:
            break
        time.sleep(1)
    raise SystemExit(f"{document.number} was not sent: {last}")


def at(side: Side, plan: list[Planned]) -> Counter:
    """The expected number of documents with each number at a side."""
    outbound = [each.number for each in plan if each.sender is side and each.template is None]
    inbound = [each.number for each in plan if each.receiver is side]
    return Counter(outbound + inbound)
