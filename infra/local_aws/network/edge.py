"""What stands before an access point, as a load balancer would, and its bad days."""

import asyncio
from enum import StrEnum

import aiohttp
from aiohttp import web

# As much as the HTTP API behind it takes.
MESSAGE_BYTES = 10 * 1024 * 1024
SECONDS = 30
# How long a slow one waits first. Who sends has more patience than that.
SLOW_SECONDS = 12
_ABOUT_THE_CONNECTION = {"host", "connection", "content-length", "transfer-encoding", "keep-alive", "te", "upgrade"}


class Day(StrEnum):
    """How an edge behaves."""

    UP = "up"
    # It closes the connection without a word.
    DOWN = "down"
    # The message goes through, and the answer to it is lost.
    DEAF = "deaf"
    # It has no time for anybody.
    BUSY = "busy"
    # It takes its time.
    SLOW = "slow"


class Edge:
    """Hands messages to the access point behind it."""

    def __init__(self, name: str, behind: str):
        self.name, self.behind = name, behind
        self.day = Day.UP
        # How many messages came, whatever became of them.
        self.came = 0

    async def message(self, request: web.Request) -> web.StreamResponse:
        self.came += 1
        day = self.day
        if day is Day.DOWN:
            return _hang_up(request)
        if day is Day.BUSY:
            return web.Response(status=503)
        if day is Day.SLOW:
            await asyncio.sleep(SLOW_SECONDS)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _ABOUT_THE_CONNECTION}
        timeout = aiohttp.ClientTimeout(total=SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, auto_decompress=False) as session,
                session.post(self.behind, data=await request.read(), headers=headers) as answer,
            ):
                body, status, kind = await answer.read(), answer.status, answer.headers.get("content-type", "")
        except (aiohttp.ClientError, TimeoutError):
            return web.Response(status=502)
        if day is Day.DEAF:
            return _hang_up(request)
        return web.Response(status=status, body=body, headers={"content-type": kind} if kind else {})

    async def _show(self, _: web.Request) -> web.Response:
        return web.json_response({"day": self.day, "came": self.came})

    async def _change(self, request: web.Request) -> web.Response:
        try:
            self.day = Day((await request.json())["day"])
        except (ValueError, KeyError, TypeError):
            raise web.HTTPBadRequest(text=f'{{"day": …}} is one of {", ".join(Day)}') from None
        return await self._show(request)

    def application(self) -> web.Application:
        made = web.Application(client_max_size=MESSAGE_BYTES)
        made.router.add_post("/as4", self.message)
        made.router.add_get("/day", self._show)
        made.router.add_put("/day", self._change)
        return made


def _hang_up(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=502)
