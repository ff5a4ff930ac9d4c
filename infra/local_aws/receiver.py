"""A webhook receiver on loopback, like that of an integrator."""

import asyncio
import contextlib
import json
import time
from pathlib import Path

from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError


class Receiver:
    """Verifies every delivery with the Standard Webhooks library, and writes it as a JSON line."""

    def __init__(self, log: Path):
        self.log = log
        self.url = ""
        self.secret = ""
        self.verified: list[dict] = []
        self.refused = 0
        self._file = log.open("w", buffering=1)
        self._runner: web.AppRunner | None = None
        self._arrived = asyncio.Condition()

    async def listen(self) -> None:
        application = web.Application()
        application.router.add_post("/webhooks", self._receive)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/webhooks"

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        self._file.close()

    async def _receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        envelope, trouble = {}, None
        try:
            envelope = Webhook(self.secret).verify(body, headers)
        except (WebhookVerificationError, ValueError) as error:
            trouble = str(error) or type(error).__name__
        entry = {
            "received_at": time.time(),
            "verified": trouble is None,
            "error": trouble,
            "headers": headers,
            "body": body.decode(errors="replace"),
        }
        self._file.write(json.dumps(entry) + "\n")
        async with self._arrived:
            if trouble is None:
                self.verified.append(envelope)
            else:
                self.refused += 1
            self._arrived.notify_all()
        return web.Response(status=204 if trouble is None else 400)

    def about(self, document_id: str) -> list[str]:
        """The types of the verified events about a document."""
        return [event["type"] for event in self.verified if event.get("data", {}).get("document_id") == document_id]

    async def wait_for(self, event_type: str, document_ids: set[str], seconds: float) -> set[str]:
        """Waits until an event about each document has arrived; returns the documents that are missing."""

        def missing() -> set[str]:
            return document_ids - {e["data"]["document_id"] for e in self.verified if e["type"] == event_type}

        async with self._arrived:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait_for(lambda: not missing()), seconds)
            return missing()
