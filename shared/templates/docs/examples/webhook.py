"""Creates an endpoint and sends it a test event. Reads API, KEY and URL (the address of your program) from the environment."""

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
# The response has the signing secret, only once.
print(json.dumps(endpoint))

# Sends a test event to the endpoint, like a real one.
print(json.dumps(post(f"/webhook-endpoints/{endpoint['endpoint_id']}/test", {"event_type": "document.sent"})))
