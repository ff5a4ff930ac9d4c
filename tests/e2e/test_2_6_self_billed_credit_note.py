"""Section 2.6: the additional fields of the self-billed credit note, which /credit-notes shares."""

import pytest

from kit import bodies, ubl
from kit.client import findings, refused_at, sent

CREDIT_NOTES = ["credit_note", "self_billed_credit_note"]
REFERENCE = "cac:BillingReference/cac:InvoiceDocumentReference"


@pytest.mark.parametrize("operation", CREDIT_NOTES)
def test_an_external_original_is_written_with_number_and_date(falcon, operation):
    """2.6, kind external: the original number is required; the original issue date (YYYY-MM-DD) is optional."""
    body = bodies.BUILDERS[operation](original_invoice_number="OLD-5", original_issue_date="2026-01-31")
    root = ubl.parse(falcon.ubl(sent(falcon.send(body, operation))["document_id"]).content)
    assert ubl.text(root, f"{REFERENCE}/cbc:ID") == "OLD-5"
    assert ubl.text(root, f"{REFERENCE}/cbc:IssueDate") == "2026-01-31"


@pytest.mark.parametrize("operation", CREDIT_NOTES)
@pytest.mark.parametrize("day", [None, bodies.LEFT_OUT], ids=["null", "left out"])
def test_the_original_issue_date_may_be_left_out(falcon, operation, day):
    """2.6, original issue date: string or null, optional, default none."""
    body = bodies.BUILDERS[operation](original_issue_date=day)
    root = ubl.parse(falcon.ubl(sent(falcon.send(body, operation))["document_id"]).content)
    assert ubl.texts(root, f"{REFERENCE}/cbc:IssueDate") == []


@pytest.mark.parametrize("operation", CREDIT_NOTES)
@pytest.mark.parametrize("number", [None, bodies.LEFT_OUT], ids=["null", "left out"])
def test_an_external_original_needs_its_number(falcon, operation, number):
    """2.6, kind external: the original number is required."""
    refused_at(falcon.send(bodies.BUILDERS[operation](original_invoice_number=number), operation), "/original_invoice_number")


@pytest.mark.parametrize("operation", CREDIT_NOTES)
@pytest.mark.parametrize("wrong", ["AP", "other", "", 1])
def test_another_reference_kind_is_refused(falcon, operation, wrong):
    """2.6, original reference kind: allowed ap, external."""
    body = bodies.BUILDERS[operation](original_reference_kind=wrong)
    refused_at(falcon.send(body, operation), "/original_reference_kind")


@pytest.mark.parametrize("operation", CREDIT_NOTES)
@pytest.mark.parametrize("field", ["original_invoice_number", "original_issue_date"])
def test_an_ap_reference_takes_no_number_or_date_of_its_own(falcon, operation, field):
    """2.6, original invoice number: supplied only for external references, derived for ap references."""
    original = "invoice" if operation == "credit_note" else "self_billed_invoice"
    document = sent(falcon.send(bodies.BUILDERS[original](), original))
    body = bodies.BUILDERS[operation](
        original_reference_kind="ap",
        original_invoice_number=bodies.LEFT_OUT,
        previous_document_id=document["document_id"],
    ) | {field: "2026-01-31"}
    refused_at(falcon.send(body, operation), f"/{field}")


@pytest.mark.parametrize("operation", CREDIT_NOTES)
def test_an_external_reference_takes_no_previous_document_id(falcon, operation):
    """2.6, kind external: a legacy system or another provider, so no document of this access point."""
    body = bodies.BUILDERS[operation](previous_document_id="doc_0190000000007000800000000000dead")
    refused_at(falcon.send(body, operation), "/previous_document_id")


@pytest.mark.parametrize("wrong", ["31-01-2026", "2026-02-30", 5])
def test_an_original_issue_date_of_another_format_is_refused(falcon, wrong):
    """2.6, original issue date: YYYY-MM-DD."""
    body = bodies.self_billed_credit_note(original_issue_date=wrong)
    refused_at(falcon.send(body, "self_billed_credit_note"), "/original_issue_date")


@pytest.mark.parametrize("field", ["customer", "delivery_address", "payment_means"])
def test_the_self_billed_credit_note_body_has_no_such_field(falcon, field):
    """2.6: the body has no customer, delivery_address or payment_means."""
    given = {"customer": bodies.stranger(), "delivery_address": bodies.address(), "payment_means": bodies.credit_transfer()}
    body = bodies.self_billed_credit_note(**{field: given[field]})
    refused_at(falcon.send(body, "self_billed_credit_note"), f"/{field}", field)


def test_the_self_billed_credit_note_has_the_supplier(falcon):
    """2.6: the body has the supplier object."""
    document = sent(falcon.send(bodies.self_billed_credit_note(), "self_billed_credit_note"))
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    assert ubl.text(root, "cac:AccountingSupplierParty/cac:Party/cbc:EndpointID") == bodies.STRANGER_TIN


@pytest.mark.parametrize("operation", ["invoice", "self_billed_invoice"])
@pytest.mark.parametrize(
    "field",
    ["original_reference_kind", "original_invoice_number", "original_issue_date", "credit_note_reason_code", "credit_note_number"],
)
def test_an_invoice_has_none_of_the_credit_note_fields(falcon, operation, field):
    """2.6: these are additional fields of credit notes."""
    errors = findings(falcon.send(bodies.BUILDERS[operation](**{field: "x"}), operation))
    assert any(error["pointer"] == f"/{field}" and field in error["message"] for error in errors), errors
