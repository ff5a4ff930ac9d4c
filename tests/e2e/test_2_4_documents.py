"""Section 2.4: the four documents, their UBL types and the identifiers on them."""

import pytest

from kit import bodies, ubl
from kit.client import refused_at, sent

TYPES = {
    "invoice": ("Invoice", "cbc:InvoiceTypeCode", "380"),
    "credit_note": ("CreditNote", "cbc:CreditNoteTypeCode", "381"),
    "self_billed_invoice": ("Invoice", "cbc:InvoiceTypeCode", "389"),
    "self_billed_credit_note": ("CreditNote", "cbc:CreditNoteTypeCode", "261"),
}


@pytest.mark.parametrize("operation", TYPES)
def test_each_operation_makes_the_ubl_type_of_its_document(falcon, operation):
    """2.4: POST /invoices makes 380, /self-billing/invoices 389, /self-billing/credit-notes 261; /credit-notes makes 381."""
    document = sent(falcon.send(bodies.BUILDERS[operation](), operation))
    root_name, place, code = TYPES[operation]
    assert document["document_type_code"] == code
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    assert ubl.root_name(root) == root_name
    assert ubl.text(root, place) == code


@pytest.mark.parametrize(
    ("operation", "field", "code"),
    [
        ("invoice", "invoice_type_code", "480"),
        ("credit_note", "credit_note_type_code", "81"),
        ("self_billed_invoice", "invoice_type_code", "480"),
        ("self_billed_credit_note", "credit_note_type_code", "81"),
    ],
)
def test_a_body_may_ask_for_the_out_of_scope_type_of_its_operation(falcon, operation, field, code):
    """2.4 with PINT-AE: out-of-scope documents are 480 and 81, where the body says so."""
    out_of_scope = bodies.line(vat={"category_code": "O"})
    document = sent(falcon.send(bodies.BUILDERS[operation](**{field: code}, line_items=[out_of_scope]), operation))
    assert document["document_type_code"] == code


@pytest.mark.parametrize("operation", TYPES)
def test_a_type_code_of_another_operation_is_refused(falcon, operation):
    """2.4: the operation decides the document; a code of another one is a finding."""
    field = "credit_note_type_code" if operation.endswith("credit_note") else "invoice_type_code"
    other = "380" if operation != "invoice" else "389"
    refused_at(falcon.send(bodies.BUILDERS[operation](**{field: other}), operation), f"/{field}", other)


@pytest.mark.parametrize("operation", TYPES)
def test_a_document_carries_the_identifiers_to_correlate_it_by(falcon, operation):
    """2.4: document_id, message_id, source_id and document_type_code appear on documents."""
    source_id = bodies.unique("erp")
    document = sent(falcon.send(bodies.BUILDERS[operation](source_id=source_id), operation))
    assert document["document_id"].startswith("doc_")
    assert document["message_id"]
    assert document["source_id"] == source_id
    assert document["document_type_code"] == TYPES[operation][2]


def test_the_document_id_is_not_the_ubl_uuid(falcon):
    """2.1: document_id identifies a document on the access point, not the UBL document_uuid."""
    document = sent(falcon.send(bodies.invoice()))
    uuid = ubl.text(ubl.parse(falcon.ubl(document["document_id"]).content), "cbc:UUID")
    assert uuid and uuid not in document["document_id"] and document["uuid"] == uuid


def test_in_self_billing_the_taxpayer_is_the_buyer_and_the_supplier_the_counterparty(falcon, run):
    """2.5 A, supplier: the seller being self-billed; the customer is the taxpayer's registered profile."""
    document = sent(falcon.send(bodies.self_billed_invoice(), "self_billed_invoice"))
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    party = "cac:Party/cbc:EndpointID"
    assert ubl.text(root, f"cac:AccountingSupplierParty/{party}") == bodies.STRANGER_TIN
    assert ubl.text(root, f"cac:AccountingCustomerParty/{party}") == run.taxpayer("Falcon").tin
