"""Sends each Message Level Status to the provider that reported, found by lookup, until it has a receipt."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from local_aws.console import say
from local_aws.network import lookup
from local_aws.network.peer import Peer

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 5.0
AT_ONCE = 4
# How long a lookup result is cached: hundreds of answers to one provider need one lookup.
FOUND_SECONDS = 60.0


@dataclass
class Postman:
    """Sends with the authority's key; `name_server` resolves all participants."""

    peer: Peer
    name_server: str

    def __post_init__(self) -> None:
        self._room = asyncio.Semaphore(AT_ONCE)
        self._found: dict[str, tuple[float, lookup.Way]] = {}

    async def deliver(self, provider: str, instance_id: str, envelope: str) -> None:
        """Retries until the provider's access point has confirmed. The message id stays the same, since an attempt may have arrived
        without an answer."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            async with self._room:
                outcome = await self._try(provider, instance_id, envelope)
            if outcome.startswith("receipt verified"):
                return
            say(f"status {instance_id} to {provider}: {outcome}; again in {pause:g} s")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _try(self, provider: str, instance_id: str, envelope: str) -> str:
        try:
            way = await self._way(provider)
        except (LookupError, OSError, aiohttp.ClientError) as error:
            return f"not found: {error!r}"
        return await self.peer.deliver(way, envelope, f"{instance_id}@{self.peer.seat.lower()}.authority")

    async def _way(self, provider: str) -> lookup.Way:
        found = self._found.get(provider)
        if found is None or time.monotonic() - found[0] > FOUND_SECONDS:
            found = time.monotonic(), await lookup.find(provider, self.name_server, "ApplicationResponse")
            self._found[provider] = found
        return found[1]


def keep(folder: Path, instance_id: str, envelope: str) -> None:
    """Stores an answer on the disk before it is sent."""
    partial = folder / f"{instance_id}.partial"
    partial.write_text(envelope)
    partial.replace(kept(folder, instance_id))


def kept(folder: Path, instance_id: str) -> Path:
    return folder / f"{instance_id}.xml"
