"""The authority's HTTP server: messages, and requests that read the ledger or change the rules."""

import json
from pathlib import Path

from aiohttp import web

from local_aws.network.authority.office import Office
from local_aws.network.authority.rules import RulesError
from local_aws.network.edge import Edge

_PATH = "/rules"


class Site:
    """`edge` is the proxy before as4-peer that simulates faults. `rules` is the file of the changed rules."""

    def __init__(self, office: Office, edge: Edge, rules: Path):
        self._office, self._edge, self._rules = office, edge, rules

    async def _message(self, request: web.Request) -> web.StreamResponse:
        try:
            return await self._edge.message(request)
        finally:
            # The message may have arrived even if the sender has disconnected.
            self._office.look()

    async def _ledger(self, request: web.Request) -> web.Response:
        if "text/plain" in request.headers.get("accept", ""):
            return web.Response(text=self._office.ledger.as_table())
        return web.json_response(self._office.ledger.as_json())

    async def _envelope(self, request: web.Request) -> web.Response:
        instance_id = request.match_info["instance_id"]
        if instance_id not in self._office.ledger.entries:
            raise web.HTTPNotFound
        return web.Response(body=(self._office.messages / f"{instance_id}.xml").read_bytes(), content_type="application/xml")

    async def _show_rules(self, _: web.Request) -> web.Response:
        return web.json_response(self._office.rules.as_json())

    async def _change_rules(self, request: web.Request) -> web.Response:
        try:
            rules = self._office.rules.changed(await request.json())
        except (RulesError, json.JSONDecodeError) as error:
            raise web.HTTPBadRequest(text=str(error)) from None
        partial = self._rules.with_suffix(".partial")
        partial.write_text(json.dumps(rules.as_json(), indent=2))
        partial.replace(self._rules)
        self._office.rules, self._edge.day = rules, rules.day
        return await self._show_rules(request)

    def application(self) -> web.Application:
        made = web.Application()
        made.router.add_post("/as4", self._message)
        made.router.add_get("/ledger", self._ledger)
        made.router.add_get("/messages/{instance_id}", self._envelope)
        made.router.add_get(_PATH, self._show_rules)
        made.router.add_put(_PATH, self._change_rules)
        return made
