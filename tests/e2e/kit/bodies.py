"""Minimal valid bodies of the four operations, which tests change."""

import copy
import itertools
import os
from datetime import UTC, datetime, timedelta

_numbers = itertools.count(1)
_process = f"{datetime.now(UTC):%y%m%d%H%M%S}{os.getpid() % 10000:04}"


def unique(prefix: str = "E2E") -> str:
    """A text that is unique over all tests and runs."""
    return f"{prefix}-{_process}-{next(_numbers)}"


def uae_today(days: int = 0) -> str:
    """The calendar day in the UAE (UTC+4), this many days from now."""
    return (datetime.now(UTC) + timedelta(hours=4, days=days)).date().isoformat()


def address(**changes) -> dict:
    return {"line_1": "Al Wasl Road 12", "city": "Dubai", "country_subdivision": "DXB", "country_code": "AE"} | changes


def party(tin: str, name: str, /, **changes) -> dict:
    """A business registered for VAT in the UAE; its TRN begins with its TIN."""
    return {
        "name": name,
        "electronic_address": {"id": tin},
        "vat_identifier": f"{tin}00003",
        "legal_registration": {"id": f"CN-{tin[-6:]}", "type": "TL", "authority_name": "Dubai Economy and Tourism"},
        "address": address(),
    } | changes


# A TIN that no taxpayer of the Sandbox has.
STRANGER_TIN = "1987654321"


def stranger(**changes) -> dict:
    return party(STRANGER_TIN, "Stranger Contracting LLC", **changes)


def line(**changes) -> dict:
    """Two hours of consulting at 100, standard rated: 200 net, 10 VAT."""
    return {
        "quantity": "2",
        "unit_code": "HUR",
        "item": {
            "name": "Consulting",
            "description": "Consulting by the hour",
            "type_code": "S",
            "service_accounting_codes": [{"code": "998311"}],
        },
        "vat": {"category_code": "S", "rate": "5"},
        "price": {"net_price": "100"},
    } | changes


def credit_transfer(**changes) -> dict:
    return {
        "means_code": "30",
        "credit_transfer": {"account_identifier": {"id": "AE070331234567890123456", "scheme_id": "IBAN"}},
    } | changes


def invoice(**changes) -> dict:
    body = {
        "invoice_number": unique("INV"),
        "due_date": uae_today(30),
        "customer": stranger(),
        "payment_means": credit_transfer(),
        "line_items": [line()],
    }
    return changed(body, changes)


def credit_note(**changes) -> dict:
    """Credits an invoice of another issuer."""
    body = {
        "credit_note_number": unique("CN"),
        "customer": stranger(),
        "credit_note_reason_code": "DL8.61.1.A",
        "original_reference_kind": "external",
        "original_invoice_number": "OLD-77",
        "line_items": [line()],
    }
    return changed(body, changes)


def self_billed_invoice(**changes) -> dict:
    body = {
        "invoice_number": unique("SBI"),
        "due_date": uae_today(30),
        "supplier": stranger(),
        "payment_means": credit_transfer(),
        "line_items": [line()],
    }
    return changed(body, changes)


def self_billed_credit_note(**changes) -> dict:
    body = {
        "credit_note_number": unique("SBC"),
        "supplier": stranger(),
        "credit_note_reason_code": "DL8.61.1.A",
        "original_reference_kind": "external",
        "original_invoice_number": "OLD-78",
        "line_items": [line()],
    }
    return changed(body, changes)


BUILDERS = {
    "invoice": invoice,
    "credit_note": credit_note,
    "self_billed_invoice": self_billed_invoice,
    "self_billed_credit_note": self_billed_credit_note,
}


def changed(body: dict, changes: dict) -> dict:
    """The body with members added, replaced or removed (the value `LEFT_OUT`)."""
    merged = copy.deepcopy(body) | changes
    return {name: value for name, value in merged.items() if value is not LEFT_OUT}


LEFT_OUT = object()


def number_field(operation: str) -> str:
    return "credit_note_number" if operation.endswith("credit_note") else "invoice_number"


def number_of(body: dict) -> str:
    return body.get("invoice_number") or body["credit_note_number"]
