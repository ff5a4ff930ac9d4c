"""The webhook endpoint of the sender: verifies every delivery, and notes what came when."""

import asyncio
import json
import time
from collections import defaultdict

from aiohttp import web
from sides import Side
from standardwebhooks import Webhook, WebhookVerificationError

# A document has reached its end when all of these came about it.
ENDED = frozenset(("document.sent", "document.status", "document.reported"))


class Endpoint:
    """Answers after `delay` seconds. A delivery that the Standard Webhooks library does not verify is refused and counts for nothing."""

    def __init__(self, secret: str, delay: float = 0.0):
        self._webhook, self.delay = Webhook(secret), delay
        self.url = ""
        # The ids of the events of a type about a document.
        self.events: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        # When the last event of those that came about a document came first (seconds of the monotonic clock).
        self.ended: dict[str, float] = {}
        self.refused = 0
        # Deliveries of an event that came before.
        self.repeated = 0
        self.last = time.monotonic()
        self._runner: web.AppRunner | None = None

    async def listen(self) -> None:
        application = web.Application()
        application.router.add_post("/webhooks", self._receive)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/webhooks"

    def take_over(self, side: Side) -> None:
        """Makes this the endpoint of the Live taxpayer of an access point."""
        endpoint_id = side.run.described["demo"]["live"]["webhook_endpoint"]["endpoint_id"]
        headers = {"x-ae-taxpayer-id": None, "content-type": "application/merge-patch+json"}
        content = json.dumps({"url": self.url}).encode()
        side.live.request("PATCH", f"/webhook-endpoints/{endpoint_id}", headers=headers, content=content).raise_for_status()

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        try:
            envelope = self._webhook.verify(body, {name.lower(): value for name, value in request.headers.items()})
        except (WebhookVerificationError, ValueError):
            self.refused += 1
            return web.Response(status=400)
        await asyncio.sleep(self.delay)
        self.note(envelope)
        return web.Response(status=204)

    def note(self, envelope: dict) -> None:
        """Takes an event."""
        document_id = envelope["data"].get("document_id")
        if document_id is None:
            return
        self.last = time.monotonic()
        about = self.events[document_id]
        if envelope["id"] in about[envelope["type"]]:
            self.repeated += 1
            return
        about[envelope["type"]].add(envelope["id"])
        if document_id not in self.ended and about.keys() >= ENDED:
            self.ended[document_id] = self.last

    def doubled(self) -> dict[str, list[str]]:
        """The types of which there are several events, by document."""
        found = {document_id: [kind for kind, ids in about.items() if len(ids) > 1] for document_id, about in self.events.items()}
        return {document_id: kinds for document_id, kinds in found.items() if kinds}
