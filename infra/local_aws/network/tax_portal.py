"""The part of the national tax portal that onboarding uses: appointments, details of businesses, and changes.

It implements the interface in infra/OPERATE.md, "Onboard businesses". In addition, PUT changes a business, and PUT /day makes it answer 503
to every request.
"""

import hmac
import json
import tomllib
from pathlib import Path

from aiohttp import web

RULES = Path(__file__).with_name("tax_portal.toml")
# The token of the local network's access points.
TOKEN = "local-tax-portal"
STATUSES = ("active", "suspended", "deregistered")
MEMBERS = {"appointed", "status", "email", "details", "confirm_from"}
PAGE = 100


class PortalError(ValueError):
    """The business is invalid."""


def checked(tin: str, business: object) -> dict:
    """Validates a business."""
    if not (len(tin) == 10 and tin.isdecimal() and tin.startswith("1")):
        raise PortalError(f"{tin} is no TIN: ten digits, the first of which is a 1")
    if not isinstance(business, dict) or not business.keys() <= MEMBERS or not isinstance(business.get("appointed"), bool):
        raise PortalError(f"{tin}: a business has appointed, true or false, and perhaps {', '.join(sorted(MEMBERS - {'appointed'}))}")
    if business["appointed"] and (business.get("status") not in STATUSES or not isinstance(business.get("details"), dict)):
        raise PortalError(f"{tin}: one that appointed us has details, and a status: {', '.join(STATUSES)}")
    return business


def read(path: Path) -> dict[str, dict]:
    """Reads the businesses of a file."""
    content = tomllib.loads(path.read_text())
    return {tin: checked(tin, business) for tin, business in content.get("businesses", {}).items()}


class TaxPortal:
    """Businesses by TIN, the taxpayer that each is registered as, and the TINs of all changes in order."""

    def __init__(self, rules: Path = RULES):
        self.businesses = read(rules)
        self.registered: dict[str, dict] = {}
        self.changes: list[str] = list(self.businesses)
        self.is_down = False

    def application(self) -> web.Application:
        made = web.Application(client_max_size=64 * 1024, middlewares=[self._guard])
        made.router.add_get("/businesses/{tin}", self._show)
        made.router.add_put("/businesses/{tin}/registration", self._register)
        made.router.add_get("/changes", self._changes)
        made.router.add_put("/businesses/{tin}", self._change)
        made.router.add_put("/day", self._day)
        made.router.add_get("/registered", self._registered)
        return made

    @web.middleware
    async def _guard(self, request: web.Request, handler) -> web.StreamResponse:
        """RFC 6750, section 2.1, for requests of the service; manual changes need no token."""
        if handler in (self._show, self._register, self._changes):
            if self.is_down:
                return web.json_response({"error": "down"}, status=503)
            given = request.headers.get("Authorization", "")
            if not hmac.compare_digest(given.encode(), f"Bearer {TOKEN}".encode()):
                return web.json_response({"error": "invalid_token"}, status=401)
        return await handler(request)

    async def _show(self, request: web.Request) -> web.Response:
        business = self.businesses.get(request.match_info["tin"])
        return _unknown() if business is None else web.json_response(business)

    async def _register(self, request: web.Request) -> web.Response:
        tin = request.match_info["tin"]
        if tin not in self.businesses:
            return _unknown()
        body = await request.json()
        if not self.businesses[tin]["appointed"]:
            return web.json_response({"message": "The business has not appointed this service."}, status=422)
        is_new = self.registered.get(tin) is None
        self.registered[tin] = {name: body.get(name) for name in ("taxpayer_id", "participant_id")}
        return web.json_response({}, status=201 if is_new else 200)

    async def _changes(self, request: web.Request) -> web.Response:
        """A cursor is the number of changes so far."""
        try:
            after, limit = int(request.query.get("after", "0")), min(int(request.query.get("limit", PAGE)), PAGE)
        except ValueError:
            return web.json_response({"error": "invalid_cursor"}, status=400)
        page = self.changes[after : after + limit]
        until = after + len(page)
        return web.json_response({"tins": page, "cursor": str(until), "more": until < len(self.changes)})

    async def _change(self, request: web.Request) -> web.Response:
        tin = request.match_info["tin"]
        try:
            self.businesses[tin] = checked(tin, json.loads(await request.text()))
        except ValueError as error:
            return web.json_response({"message": str(error)}, status=400)
        self.changes.append(tin)
        return web.json_response(self.businesses[tin])

    async def _day(self, request: web.Request) -> web.Response:
        body = await request.json()
        if body not in ({"day": "up"}, {"day": "down"}):
            return web.json_response({"message": "day is up or down"}, status=400)
        self.is_down = body["day"] == "down"
        return web.json_response(body)

    async def _registered(self, _: web.Request) -> web.Response:
        return web.json_response(self.registered)


def _unknown() -> web.Response:
    return web.json_response({"error": "unknown_tin"}, status=404)
