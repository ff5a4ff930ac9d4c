"""The clients: they send invoices, each in a loop of its own or all together at a fixed rate."""

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import aiohttp
from sides import Side

from local_aws.network import letters

# A client repeats a request under its Idempotency-Key when it was not answered, or with one of these.
AGAIN = {409, 429, 500, 502, 503, 504}
REPETITIONS = 6
TIMEOUT_SECONDS = 40
ACCEPTED = (201, 202)


@dataclass(frozen=True)
class Sent:
    """A request and its answer. Times are seconds of the monotonic clock; without a `document_id` it was not accepted."""

    number: str
    begun: float
    answered: float
    status: int
    document_id: str | None
    repetitions: int

    @property
    def seconds(self) -> float:
        return self.answered - self.begun


@dataclass
class Clients:
    """Sends from the taxpayer of one access point to that of the other one. `queued` lets the service answer before it has sent."""

    sender: Side
    recipient: Side
    prefix: str
    queued: bool = False
    # Makes the body of the invoice with a number to a recipient.
    body: Callable[[str, dict], bytes] = letters.invoice
    sent: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._numbers = itertools.count(1)

    def _session(self) -> aiohttp.ClientSession:
        timeout, connector = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS), aiohttp.TCPConnector(limit=0)
        live = self.sender.live
        headers = {"Authorization": f"Api-Key {live.key}", "x-ae-taxpayer-id": live.taxpayer_id, "Content-Type": "application/json"}
        return aiohttp.ClientSession(timeout=timeout, connector=connector, headers=headers)

    async def closed_loops(self, clients: int, seconds: float) -> None:
        """So many clients send for so long, each the next one when the one before is answered."""
        until = time.monotonic() + seconds

        async def client(session: aiohttp.ClientSession) -> None:
            while time.monotonic() < until:
                await self._send(session)

        async with self._session() as session:
            await asyncio.gather(*(client(session) for _ in range(clients)))

    async def fixed_rate(self, rate: float, documents: int) -> None:
        """So many documents at a rate, whether or not those before are answered."""
        begun = time.monotonic()
        async with self._session() as session, asyncio.TaskGroup() as sends:
            for number in range(documents):
                await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
                sends.create_task(self._send(session))

    async def _send(self, session: aiohttp.ClientSession) -> None:
        number = f"{self.prefix}-{next(self._numbers)}"
        recipient = {"participant_id": self.recipient.participant, "name": self.recipient.name}
        headers = {"Idempotency-Key": number} | ({"Prefer": "respond-async"} if self.queued else {})
        body, begun = self.body(number, recipient), time.monotonic()
        for repetition in range(REPETITIONS + 1):
            try:
                async with session.post(f"{self.sender.live.base_url}/v1/invoices", data=body, headers=headers) as response:
                    status, answer = response.status, await response.json()
            except (aiohttp.ClientError, TimeoutError, ValueError):
                status, answer = 0, {}
            if status in ACCEPTED or (status and status not in AGAIN) or repetition == REPETITIONS:
                break
            await asyncio.sleep(2.0**repetition)
        document_id = answer.get("document_id") if status in ACCEPTED else None
        self.sent.append(Sent(number, begun, time.monotonic(), status, document_id, repetition))

    def accepted(self) -> dict[str, str]:
        """The numbers of the accepted documents, by their ids."""
        return {each.document_id: each.number for each in self.sent if each.document_id}
