"""The network's name server. It only has NAPTR records of registered participants."""

import asyncio
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from aiohttp import web
from dnslib import NAPTR, QTYPE, RCODE, RR, DNSError, DNSRecord

from local_aws.network.locator import ZONE, Locator, dns_name

# Short, so that a test that withdraws a participant need not wait for caches.
TTL_SECONDS = 1


class Day(StrEnum):
    """Its behaviour for a name."""

    UP = "up"
    # Answers SERVFAIL.
    BROKEN = "broken"
    # Answers NXDOMAIN.
    NOBODY = "nobody"


def answer(question: bytes, locator: Locator, days: Mapping[str, Day] = MappingProxyType({})) -> bytes | None:
    """The answer to a question (RFC 1035), with the days of some names; None for an invalid question."""
    try:
        asked = DNSRecord.parse(question)
    except DNSError:
        return None
    if asked.header.qr or not asked.questions:
        return None
    reply = asked.reply()
    name, kind = str(asked.q.qname), asked.q.qtype
    if not name.lower().endswith(f".{ZONE}."):
        reply.header.rcode = RCODE.REFUSED
    elif (day := days.get(name.lower(), Day.UP)) is not Day.UP:
        reply.header.rcode = RCODE.SERVFAIL if day is Day.BROKEN else RCODE.NXDOMAIN
    elif (address := locator.address_of(name)) is None:
        reply.header.rcode = RCODE.NXDOMAIN
    elif kind == QTYPE.NAPTR:
        # Peppol SML specification: the answer is a literal address (RFC 3403, section 4.1).
        record = NAPTR(100, 10, b"U", b"Meta:SMP", f"!.*!{address}!".encode())
        reply.add_answer(RR(asked.q.qname, QTYPE.NAPTR, ttl=TTL_SECONDS, rdata=record))
    return reply.pack()


class _Protocol(asyncio.DatagramProtocol):
    def __init__(self, locator: Locator, days: dict[str, Day]):
        self._locator, self._days = locator, days

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple) -> None:
        if (reply := answer(data, self._locator, self._days)) is not None:
            self._transport.sendto(reply, addr)


class NameServer:
    """Answers on a free port of loopback, over UDP only: its answers fit in a datagram."""

    def __init__(self, locator: Locator):
        self._locator = locator
        self._days: dict[str, Day] = {}
        self._transport: asyncio.BaseTransport | None = None
        self.address = ""

    async def listen(self) -> None:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: _Protocol(self._locator, self._days), ("127.0.0.1", 0))
        host, port = self._transport.get_extra_info("sockname")
        self.address = f"{host}:{port}"

    def application(self) -> web.Application:
        """The HTTP application that sets its days."""
        made = web.Application(client_max_size=4096)
        made.router.add_put("/day", self._change)
        return made

    async def _change(self, request: web.Request) -> web.Response:
        asked = await request.json()
        try:
            self._days[dns_name(asked["participant"])] = Day(asked["day"])
        except (ValueError, KeyError):
            raise web.HTTPBadRequest(text=f'{{"day": …, "participant": …}}: the day is one of {", ".join(Day)}') from None
        return web.Response(status=204)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
