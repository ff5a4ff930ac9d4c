# Standard Webhooks 1.0.0: call verify() with the raw body before you parse it. Respond with 401 if it raises.
import base64
import binascii
import hashlib
import hmac
import time

TOLERANCE = 5 * 60  # seconds


class Unverified(Exception):
    """The request is not from the access point, or was signed too long ago."""


def verify(secret: str, headers, body: bytes) -> str:
    """Returns the webhook-id, which stays the same when an event is sent again. `secret` is the signing secret, `whsec_…`."""
    event_id, timestamp, signatures = (headers.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event_id or not timestamp or not signatures:
        raise Unverified("a webhook-… header is missing")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > TOLERANCE:
        raise Unverified("webhook-timestamp is more than five minutes off")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = hmac.digest(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256)
    # During a rotation, there is one signature for each secret.
    for signature in signatures.split(" "):
        version, _, encoded = signature.partition(",")
        try:
            given = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            continue
        if version == "v1" and hmac.compare_digest(given, expected):
            return event_id
    raise Unverified("no signature matches the secret and the body")
