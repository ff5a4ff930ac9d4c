"""Sends an invoice and reads it back. Reads API, KEY and TAXPAYER from the environment."""

import json
import os
import time
import urllib.request

API = os.environ["API"]
HEADERS = {
    "Authorization": f"Api-Key {os.environ['KEY']}",
    "x-ae-taxpayer-id": os.environ["TAXPAYER"],
    "Content-Type": "application/json",
}


def call(method: str, path: str, body: dict | None = None, **headers: str) -> dict:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{API}/v1{path}", data, HEADERS | headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


number = f"INV-{time.time_ns()}-py"
invoice = {
    "invoice_number": number,
    "due_date": "2030-01-31",
    "customer": {
        "name": "Oasis Supplies FZE",
        "vat_identifier": "100123450200003",
        "address": {"line_1": "Jebel Ali Free Zone, Gate 5", "city": "Dubai", "country_subdivision": "DXB"},
    },
    "line_items": [
        {
            "item": {"name": "Label printer"},
            "quantity": "2",
            "price": {"net_price": "450.00"},
            "vat": {"category_code": "S"},
        }
    ],
}
# Use the same key for each retry of this invoice: repeated sends create only one document.
sent = call("POST", "/invoices", invoice, **{"Idempotency-Key": number})
read = call("GET", f"/invoices/{sent['document_id']}")
print(read["document_id"], read["status"], read["total_with_vat"])
