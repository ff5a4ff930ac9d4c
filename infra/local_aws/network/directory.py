"""The Directory: adds and removes participants (Peppol Directory specification 1.1, indexer)."""

from aiohttp import web

from local_aws.network.locator import SCHEME

_PREFIX = f"{SCHEME}::"


class Directory:
    """The listed participants, and all requests to the indexer in order."""

    def __init__(self) -> None:
        self.listed: set[str] = set()
        self.asked: list[tuple[str, str]] = []

    def application(self) -> web.Application:
        made = web.Application(client_max_size=4096)
        made.router.add_put("/indexer/1.0/", self._add)
        made.router.add_put("/indexer/1.0/{participant}", self._add)
        made.router.add_delete("/indexer/1.0/{participant}", self._remove)
        made.router.add_get("/indexer/1.0/{participant}", self._show)
        return made

    async def _add(self, request: web.Request) -> web.Response:
        """The participant is in the body or in the path."""
        participant = _participant(request.match_info.get("participant") or await request.text())
        self.listed.add(participant)
        self.asked.append(("PUT", participant))
        return web.Response(status=204)

    async def _remove(self, request: web.Request) -> web.Response:
        participant = _participant(request.match_info["participant"])
        self.listed.discard(participant)
        self.asked.append(("DELETE", participant))
        return web.Response(status=204)

    async def _show(self, request: web.Request) -> web.Response:
        participant = _participant(request.match_info["participant"])
        return web.Response(status=204 if participant in self.listed else 404)


def _participant(text: str) -> str:
    text = text.strip()
    if not text.startswith(_PREFIX):
        raise web.HTTPBadRequest(text=f"a participant begins with {_PREFIX}")
    return text.removeprefix(_PREFIX).lower()
