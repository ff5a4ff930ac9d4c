"""A proxy before an access point, like a load balancer, that can simulate faults ("days")."""

import asyncio
import contextlib
from dataclasses import dataclass
from enum import StrEnum

import aiohttp
from aiohttp import web

from local_aws.http_api import read
from local_aws.network import signals
from local_aws.network.pki import Seat

SECONDS = 30
# Delay of a slow edge before it forwards, unless its day names another one. Senders wait longer than this.
SLOW_SECONDS = 12
# Delay of each byte of a dripping edge. Senders do not wait until a receipt is complete.
DRIP_SECONDS = 0.05
JUNK_BYTES = 3_000_000
_ABOUT_THE_CONNECTION = {"host", "connection", "content-length", "transfer-encoding", "keep-alive", "te", "upgrade"}


class Day(StrEnum):
    """The behaviour of an edge. It can also refuse every message with an ebMS error: `EBMS:0004`, `EBMS:0004 unsigned`."""

    UP = "up"
    # Closes the connection without an answer.
    DOWN = "down"
    # Answers 503.
    BUSY = "busy"
    # Waits before it forwards.
    SLOW = "slow"
    # In the other cases the message is forwarded. Its answer is lost, or becomes
    DEAF = "deaf"
    # nothing,
    EMPTY = "empty"
    # a page,
    PAGE = "page"
    # 3 MB of something else,
    JUNK = "junk"
    # half of itself,
    CUT = "cut"
    # itself, byte by byte,
    DRIPPING = "dripping"
    # a receipt that nobody signed,
    UNSIGNED = "unsigned"
    # one that was changed after it was signed,
    SPOILT = "spoilt"
    # one for another message,
    ANOTHER = "another"
    # one for other content of the same message.
    DIGESTS = "digests"


def days() -> list[str]:
    """All values of a day."""
    return [*Day, *(f"{code}{signed}" for code in signals.ERRORS for signed in ("", " unsigned"))]


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    kind: str

    def response(self) -> web.Response:
        return web.Response(status=self.status, body=self.body, headers={"content-type": self.kind} if self.kind else {})


class Edge:
    """Forwards messages to the access point, and signs its own answers with the access point's key."""

    def __init__(self, name: str, behind: str, seat: Seat):
        self.name, self.behind, self._seat = name, behind, seat
        self.day: str = Day.UP
        self._slow_seconds: float = SLOW_SECONDS
        # The seat whose messages a slow edge delays; all if there is none.
        self._slow_from: str | None = None
        # The number of messages that arrived, with any outcome.
        self.came = 0

    async def message(self, request: web.Request) -> web.StreamResponse:
        self.came += 1
        # Applies the limit of the HTTP API. aiohttp uses `client_max_size` of the outermost application, 1 MiB by default.
        day, message = self.day, await read(request.content)
        if message is None:
            return web.Response(status=413)
        if day == Day.DOWN:
            return _hang_up(request)
        if day == Day.BUSY:
            return web.Response(status=503)
        code, _, unsigned = day.partition(" ")
        if code in signals.ERRORS:
            content = signals.error(code, signals.message_id_of(message), None if unsigned else self._seat)
            return Answer(200, content, signals.CONTENT_TYPE).response()
        if day == Day.SLOW and (self._slow_from is None or signals.sender_of(message) == self._slow_from):
            await asyncio.sleep(self._slow_seconds)
        answer = await self._hand_on(request, message)
        if day == Day.DEAF:
            return _hang_up(request)
        if day == Day.DRIPPING:
            return await _drip(request, answer)
        return self._changed(day, message, answer).response()

    async def _hand_on(self, request: web.Request, message: bytes) -> Answer:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _ABOUT_THE_CONNECTION}
        timeout = aiohttp.ClientTimeout(total=SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, auto_decompress=False) as session,
                session.post(self.behind, data=message, headers=headers) as answer,
            ):
                return Answer(answer.status, await answer.read(), answer.headers.get("content-type", ""))
        except (aiohttp.ClientError, TimeoutError):
            return Answer(502, b"", "")

    def _changed(self, day: str, message: bytes, given: Answer) -> Answer:
        """The answer after the change of this day."""
        body = given.body
        match day:
            case Day.EMPTY:
                body = b""
            case Day.PAGE:
                return Answer(200, b"<!DOCTYPE html><html><body>Welcome to our gateway</body></html>", "text/html")
            case Day.JUNK:
                body = b"x" * JUNK_BYTES
            case Day.CUT:
                body = body[: len(body) // 2]
            case Day.UNSIGNED:
                body = signals.unsigned(body)
            case Day.SPOILT:
                body = signals.spoilt(body)
            case Day.ANOTHER:
                body = signals.receipt(body, "another@bad-days.local", self._seat)
            case Day.DIGESTS:
                nothing = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
                body = signals.receipt(body, signals.message_id_of(message), self._seat, digest=nothing)
        return Answer(given.status, body, given.kind)

    async def _show(self, _: web.Request) -> web.Response:
        return web.json_response({"day": self.day, "came": self.came})

    async def _change(self, request: web.Request) -> web.Response:
        asked = await request.json()
        day, seconds = asked.get("day"), asked.get("seconds", SLOW_SECONDS)
        if day not in days():
            raise web.HTTPBadRequest(text=f'{{"day": …}} is one of {", ".join(days())}')
        if not isinstance(seconds, (int, float)) or not 0 <= seconds < SECONDS:
            raise web.HTTPBadRequest(text=f'{{"seconds": …}} is a number from 0 to {SECONDS}')
        self.day, self._slow_seconds, self._slow_from = day, seconds, asked.get("from")
        return await self._show(request)

    def application(self) -> web.Application:
        made = web.Application()
        made.router.add_post("/as4", self.message)
        made.router.add_get("/day", self._show)
        made.router.add_put("/day", self._change)
        return made


def _hang_up(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=502)


async def _drip(request: web.Request, answer: Answer) -> web.StreamResponse:
    """Sends the answer byte by byte, until its end or until the sender disconnects."""
    response = web.StreamResponse(headers={"content-type": answer.kind, "content-length": str(len(answer.body))})
    with contextlib.suppress(ConnectionError):
        await response.prepare(request)
        for byte in answer.body:
            await response.write(bytes([byte]))
            await asyncio.sleep(DRIP_SECONDS)
    return response
