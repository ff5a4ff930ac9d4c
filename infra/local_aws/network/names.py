"""The network's name server: NAPTR records of who is registered, and nothing else."""

import asyncio

from dnslib import NAPTR, QTYPE, RCODE, RR, DNSError, DNSRecord

from local_aws.network.locator import ZONE, Locator

# So short that a test which withdraws a participant need not wait for caches.
TTL_SECONDS = 1


def answer(question: bytes, locator: Locator) -> bytes | None:
    """The answer to a question (RFC 1035); none to what is no question."""
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
    elif (address := locator.address_of(name)) is None:
        reply.header.rcode = RCODE.NXDOMAIN
    elif kind == QTYPE.NAPTR:
        # Peppol SML specification: a literal address for whatever is asked (RFC 3403, section 4.1).
        record = NAPTR(100, 10, b"U", b"Meta:SMP", f"!.*!{address}!".encode())
        reply.add_answer(RR(asked.q.qname, QTYPE.NAPTR, ttl=TTL_SECONDS, rdata=record))
    return reply.pack()


class _Protocol(asyncio.DatagramProtocol):
    def __init__(self, locator: Locator):
        self._locator = locator

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple) -> None:
        if (reply := answer(data, self._locator)) is not None:
            self._transport.sendto(reply, addr)


class NameServer:
    """Answers on a free port of loopback, over UDP: its answers fit a datagram."""

    def __init__(self, locator: Locator):
        self._locator = locator
        self._transport: asyncio.BaseTransport | None = None
        self.address = ""

    async def listen(self) -> None:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: _Protocol(self._locator), ("127.0.0.1", 0))
        host, port = self._transport.get_extra_info("sockname")
        self.address = f"{host}:{port}"

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
