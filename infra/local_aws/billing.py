"""A billing provider on loopback. It stores subscriptions, sends a signed event for each change, and lists all subscriptions."""

import base64
import json
import secrets
from datetime import UTC, datetime

import aiohttp
from aiohttp import web
from standardwebhooks import Webhook

from local_aws.emulator import Emulator
from local_aws.stack import Stack

# Small, so that a few subscriptions need several pages.
_PAGE = 2


class BillingProvider:
    """Subscriptions by organization. `PUT /subscriptions/org_…` with `{"status", "seats"}` changes one and sends an event; with
    `?lost=1` it sends none, as if the event had been lost. `DELETE` removes one and sends no event."""

    def __init__(self) -> None:
        self.url = ""
        self.events_url = ""
        self.token = secrets.token_urlsafe(24)
        self.signing_secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        self.subscriptions: dict[str, dict] = {}
        self._runner: web.AppRunner | None = None

    async def listen(self) -> None:
        made = web.Application(client_max_size=4096)
        made.router.add_get("/subscriptions", self._list)
        made.router.add_put("/subscriptions/{organization}", self._put)
        made.router.add_delete("/subscriptions/{organization}", self._forget)
        self._runner = web.AppRunner(made, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def share_secrets(self, aws: Emulator, stack: Stack) -> None:
        """Gives the access point the secrets that it shares with the provider, before any function starts."""
        client = aws.client("secretsmanager")
        for output, value in (
            ("BillingSigningSecretArn", {"secrets": [self.signing_secret]}),
            ("BillingTokenSecretArn", {"token": self.token}),
        ):
            client.put_secret_value(SecretId=stack.outputs[output], SecretString=json.dumps(value))

    async def _list(self, request: web.Request) -> web.Response:
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return web.Response(status=401)
        known = sorted(self.subscriptions.values(), key=lambda each: each["organization_id"])
        after = request.query.get("cursor", "")
        rest = [each for each in known if each["organization_id"] > after]
        page = rest[:_PAGE]
        next_cursor = page[-1]["organization_id"] if len(rest) > len(page) else None
        return web.json_response({"subscriptions": page, "next_cursor": next_cursor})

    async def _put(self, request: web.Request) -> web.Response:
        """Answers with the status of the access point's answer to the event; without a status if the event was lost."""
        wished, organization = await request.json(), request.match_info["organization"]
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        subscription = {"organization_id": organization, "status": wished["status"], "seats": wished.get("seats"), "updated_at": now}
        self.subscriptions[organization] = subscription
        answered = None if request.query.get("lost") else await self._tell(subscription)
        return web.json_response({"subscription": subscription, "answered": answered})

    async def _forget(self, request: web.Request) -> web.Response:
        self.subscriptions.pop(request.match_info["organization"], None)
        return web.Response(status=204)

    async def _tell(self, subscription: dict) -> int:
        body = json.dumps({"type": "subscription.updated", "timestamp": subscription["updated_at"], "data": subscription})
        event_id, now = f"msg_{secrets.token_hex(12)}", datetime.now(UTC)
        headers = {
            "content-type": "application/json",
            "webhook-id": event_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": Webhook(self.signing_secret).sign(event_id, now, body),
        }
        async with aiohttp.ClientSession() as session, session.post(self.events_url, data=body, headers=headers) as answer:
            return answer.status
