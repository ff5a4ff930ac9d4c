"""Shows the errors of an invoice, and retries where a retry can help. Reads API, KEY and TAXPAYER from the environment."""

import json
import os
import time
import urllib.error
import urllib.request

HEADERS = {
    "Authorization": f"Api-Key {os.environ['KEY']}",
    "x-ae-taxpayer-id": os.environ["TAXPAYER"],
    "Content-Type": "application/json",
}


def send(path: str, body: dict, key: str, tries: int = 5) -> dict:
    """Retries 429, 503, and 409 with Retry-After, always with the same payload and key."""
    url = f"{os.environ['API']}/v1{path}"
    request = urllib.request.Request(url, json.dumps(body).encode(), HEADERS | {"Idempotency-Key": key})
    for left in reversed(range(tries)):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            wait = error.headers.get("Retry-After")
            if wait is None or left == 0:
                raise
            time.sleep(min(int(wait), 60))
    raise AssertionError("not reached")


try:
    send("/invoices", {"invoice_number": "INV-1", "currency": "EURO", "line_items": []}, "an-invoice-that-is-wrong")
except urllib.error.HTTPError as error:
    detail = json.load(error)["detail"]
    print(error.code, detail["code"], detail.get("doc_url", ""))
    for finding in detail["errors"]:
        print(finding["rule"], "at", finding["pointer"], finding["message"], finding.get("doc_url", ""))
