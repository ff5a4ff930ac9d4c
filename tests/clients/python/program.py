"""Sends, lists, reads and handles errors with the client of openapi-python-client; prints the results."""

import datetime
import gzip
import io
import json
import os

from einvoicing.api.documents import get_document, get_document_pdf, list_documents
from einvoicing.api.imports import create_import
from einvoicing.api.sending import send_invoice
from einvoicing.client import AuthenticatedClient
from einvoicing.models import (
    Address,
    DocumentResponse,
    ErrorResponse,
    ImportResponse,
    InvoiceBody,
    InvoiceBodyMetadata,
    Item,
    Line,
    LineVat,
    ListDocumentsResponse,
    Party,
    PaymentMeans,
    Price,
)
from einvoicing.types import UNSET, File, Unset

TAXPAYER, NUMBER = os.environ["TAXPAYER"], os.environ["NUMBER"]
CLIENT = AuthenticatedClient(f"{os.environ['API']}/v1", token=os.environ["KEY"], prefix="Api-Key")


def invoice(currency: str, suffix: str) -> InvoiceBody:
    address = Address(line_1="Jebel Ali Free Zone, Gate 5", city="Dubai", country_subdivision="DXB")
    printer = Line(item=Item("Label printer"), quantity="2", price=Price(net_price="450.00"), vat=LineVat("S"))
    return InvoiceBody(
        invoice_number=NUMBER + suffix,
        source_id=NUMBER,
        due_date=datetime.date(2030, 1, 31),
        currency=currency,
        customer=Party(name="Oasis Supplies FZE", vat_identifier="100123450200003", address=address),
        line_items=[printer],
        payment_means=[PaymentMeans("10")],
        metadata=InvoiceBodyMetadata.from_dict({"order": "4711"}),
    )


def sent(body: InvoiceBody) -> str:
    answer = send_invoice.sync(client=CLIENT, body=body, x_ae_taxpayer_id=TAXPAYER, idempotency_key=body.invoice_number)
    assert isinstance(answer, DocumentResponse), answer
    return answer.document_id


def pages() -> list[list[str]]:
    found: list[list[str]] = []
    cursor: str | None | Unset = UNSET
    while cursor is not None:
        page = list_documents.sync(client=CLIENT, x_ae_taxpayer_id=TAXPAYER, source_id=NUMBER, limit=1, cursor=cursor)
        assert isinstance(page, ListDocumentsResponse), page
        found.append([document.document_id for document in page.items])
        cursor = page.next_cursor
    return found


def read(document_id: str) -> dict[str, object]:
    document = get_document.sync(document_id, client=CLIENT, x_ae_taxpayer_id=TAXPAYER)
    assert isinstance(document, DocumentResponse), document
    return {
        "status": document.status,
        "total": document.total_with_vat,
        "due": document.due_date.isoformat() if document.due_date else None,
        "customer": document.customer.name,
        "metadata": document.metadata.to_dict(),
        "reporting": document.reporting,
    }


def pdf(document_id: str) -> str:
    file = get_document_pdf.sync(document_id, client=CLIENT, x_ae_taxpayer_id=TAXPAYER)
    assert isinstance(file, File), file
    return file.payload.read(4).decode()


def imported() -> None:
    """Imports a file with one document, which is not in the list."""
    body = invoice("AED", "-4")
    body.source_id = UNSET
    file = File(payload=io.BytesIO(gzip.compress(json.dumps(body.to_dict()).encode())))
    answer = create_import.sync(client=CLIENT, body=file, x_ae_taxpayer_id=TAXPAYER)
    assert isinstance(answer, ImportResponse) and answer.documents == 1, answer


def refused(status: int, answer: object) -> dict[str, object]:
    """The details of an error; 429 and others may come from API Gateway, without a detail."""
    assert isinstance(answer, ErrorResponse), answer
    detail = answer.detail
    return {
        "status": status,
        "code": detail.code,
        "complete": None if isinstance(detail.complete, Unset) else detail.complete,
        "errors": [{"pointer": each.pointer, "rule": each.rule, "severity": each.severity} for each in detail.errors],
    }


first = sent(invoice("AED", "-1"))
again = sent(invoice("AED", "-1"))
second = sent(invoice("AED", "-2"))
invalid = send_invoice.sync_detailed(client=CLIENT, body=invoice("XXY", "-3"), x_ae_taxpayer_id=TAXPAYER)
imported()
unknown = get_document.sync_detailed("doc_0", client=CLIENT, x_ae_taxpayer_id=TAXPAYER)
told = {
    "first": first,
    "again": again,
    "second": second,
    "pages": pages(),
    "read": read(first),
    "pdf": pdf(first),
    "invalid": refused(invalid.status_code, invalid.parsed),
    "unknown": refused(unknown.status_code, unknown.parsed),
}
print(json.dumps(told))
