"""Creates an endpoint and requests a test event. API, KEY and URL are in the environment. URL receives your events."""

import json
import os
import urllib.request


def post(path: str, body: dict) -> dict:
    headers = {"Authorization": f"Api-Key {os.environ['KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{os.environ['API']}/v1{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


types = ["document.sent", "document.status", "document.reported"]
endpoint = post("/webhook-endpoints", {"url": os.environ["URL"], "event_types": types, "description": "ERP"})
# Only this answer has the signing secret.
print(json.dumps(endpoint))

# Asks the service to send a test event to it, signed like a real one.
print(json.dumps(post(f"/webhook-endpoints/{endpoint['endpoint_id']}/test", {"event_type": "document.sent"})))
