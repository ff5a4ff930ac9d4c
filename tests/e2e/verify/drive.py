import base64
import sys

from verify import Unverified, verify

for line in sys.stdin:
    secret, event_id, timestamp, signature, body = line.rstrip("\n").split("\t")
    headers = {"webhook-id": event_id, "webhook-timestamp": timestamp, "webhook-signature": signature}
    try:
        given = verify(secret, {name: value for name, value in headers.items() if value != "-"}, base64.b64decode(body))
        print("verified", given)
    except Unverified as why:
        print("refused", why)
