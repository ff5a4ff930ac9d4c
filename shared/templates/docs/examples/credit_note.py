"""Credits an invoice. Reads API, KEY, TAXPAYER and DOCUMENT (the document_id of the invoice) from the environment."""

import json
import os
import time
import urllib.request

number = f"CN-{time.time_ns()}-py"
credit_note = {
    "credit_note_number": number,
    "credit_note_reason_code": "DL8.61.1.D",
    "previous_document_id": os.environ["DOCUMENT"],
    "customer": {
        "name": "Oasis Supplies FZE",
        "vat_identifier": "100123450200003",
        "address": {"line_1": "Jebel Ali Free Zone, Gate 5", "city": "Dubai", "country_subdivision": "DXB"},
    },
    "line_items": [
        {
            "item": {"name": "Label printer"},
            "quantity": "1",
            "price": {"net_price": "450.00"},
            "vat": {"category_code": "S"},
        }
    ],
}
headers = {
    "Authorization": f"Api-Key {os.environ['KEY']}",
    "x-ae-taxpayer-id": os.environ["TAXPAYER"],
    "Content-Type": "application/json",
    "Idempotency-Key": number,
}
url = f"{os.environ['API']}/v1/credit-notes"
request = urllib.request.Request(url, json.dumps(credit_note).encode(), headers)
with urllib.request.urlopen(request, timeout=30) as answer:
    print(answer.read().decode())
