"""Section 2.5, table B: the fields identified by meaning, under the names of the published schema."""

import pytest

from kit import bodies, ubl
from kit.client import refused_at, sent

INVOICES = ["invoice", "self_billed_invoice"]
CREDIT_NOTES = ["credit_note", "self_billed_credit_note"]


def document_of(client, response):
    """The UBL of a send that went through."""
    return ubl.parse(client.ubl(sent(response)["document_id"]).content)


# Document number


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_the_document_number_is_required(falcon, operation):
    """2.5 B, document number: required, no default."""
    field = bodies.number_field(operation)
    body = bodies.BUILDERS[operation](**{field: bodies.LEFT_OUT})
    refused_at(falcon.send(body, operation), f"/{field}", "required")


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_a_document_number_of_64_characters_is_written(falcon, operation):
    """2.5 B and 8, document number: length at most 64."""
    number = bodies.unique("N").ljust(64, "9")
    root = document_of(falcon, falcon.send(bodies.BUILDERS[operation](**{bodies.number_field(operation): number}), operation))
    assert ubl.text(root, "cbc:ID") == number


def test_a_document_number_is_counted_in_characters_not_in_bytes(falcon):
    """2.5 B, document number: at most 64 characters."""
    number = bodies.unique("فاتورة").ljust(64, "٩")
    assert ubl.text(document_of(falcon, falcon.send(bodies.invoice(invoice_number=number))), "cbc:ID") == number


@pytest.mark.parametrize("operation", bodies.BUILDERS)
@pytest.mark.parametrize("number", ["9" * 65, "", None, 12345], ids=["65 characters", "empty", "null", "a number"])
def test_another_document_number_is_refused(falcon, operation, number):
    """2.5 B, document number: a string, required, length at most 64."""
    field = bodies.number_field(operation)
    refused_at(falcon.send(bodies.BUILDERS[operation](**{field: number}), operation), f"/{field}")


@pytest.mark.parametrize("operation", CREDIT_NOTES)
def test_the_number_of_a_credit_note_is_its_credit_note_number(falcon, operation):
    """2.6: its credit note number is the required document number."""
    refused_at(falcon.send(bodies.BUILDERS[operation](invoice_number="1"), operation), "/invoice_number", "invoice_number")


# Due date


@pytest.mark.parametrize("operation", INVOICES)
def test_the_due_date_is_written(falcon, operation):
    """2.5 B, due date: format YYYY-MM-DD."""
    due = bodies.uae_today(45)
    document = sent(falcon.send(bodies.BUILDERS[operation](due_date=due), operation))
    assert document["due_date"] == due
    assert ubl.text(ubl.parse(falcon.ubl(document["document_id"]).content), "cbc:DueDate") == due


@pytest.mark.parametrize("operation", INVOICES)
def test_the_due_date_is_required(falcon, operation):
    """2.5 B, due date: required for invoice and self-billed invoice."""
    body = bodies.BUILDERS[operation](due_date=bodies.LEFT_OUT)
    refused_at(falcon.send(body, operation), "/due_date", "required")


def test_a_validation_needs_the_due_date(falcon):
    """2.5 B, due date: required for validation."""
    refused_at(falcon.validate(bodies.invoice(due_date=bodies.LEFT_OUT)), "/due_date", "required")


DATES_THAT_ARE_NONE = ["2026-2-3", "20260203", "2026-02-30", "03/02/2026", "2026-02-03T00:00:00Z", "tomorrow", "", 20260203]


@pytest.mark.parametrize("wrong", DATES_THAT_ARE_NONE)
def test_a_due_date_of_another_format_is_refused(falcon, wrong):
    """2.5 B and 8, due date: format YYYY-MM-DD, length at most 10."""
    refused_at(falcon.send(bodies.invoice(due_date=wrong)), "/due_date")


@pytest.mark.parametrize("operation", CREDIT_NOTES)
def test_a_credit_note_has_no_due_date(falcon, operation):
    """2.5 B, due date: not a field of the credit-note body."""
    body = bodies.BUILDERS[operation](due_date=bodies.uae_today(3))
    refused_at(falcon.send(body, operation), "/due_date", "due_date")


# Issue date


@pytest.mark.parametrize("operation", bodies.BUILDERS)
@pytest.mark.parametrize("given", [None, bodies.LEFT_OUT], ids=["null", "left out"])
def test_the_issue_date_is_today_when_not_given(falcon, operation, given):
    """2.5 B, issue date: string or null, default today (in the UAE)."""
    before = bodies.uae_today()
    document = sent(falcon.send(bodies.BUILDERS[operation](issue_date=given), operation))
    assert document["issue_date"] in (before, bodies.uae_today())
    assert ubl.text(ubl.parse(falcon.ubl(document["document_id"]).content), "cbc:IssueDate") == document["issue_date"]


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_an_issue_date_that_is_given_is_written(falcon, operation):
    """2.5 B, issue date: format YYYY-MM-DD."""
    day = bodies.uae_today(-2)
    assert ubl.text(document_of(falcon, falcon.send(bodies.BUILDERS[operation](issue_date=day), operation)), "cbc:IssueDate") == day


@pytest.mark.parametrize("wrong", DATES_THAT_ARE_NONE)
def test_an_issue_date_of_another_format_is_refused(falcon, wrong):
    """2.5 B, issue date: format YYYY-MM-DD."""
    refused_at(falcon.send(bodies.invoice(issue_date=wrong)), "/issue_date")


# PINT profile


@pytest.mark.parametrize(
    ("operation", "profile"),
    [
        ("invoice", "pint:billing-1@ae-1"),
        ("credit_note", "pint:billing-1@ae-1"),
        ("self_billed_invoice", "pint:selfbilling-1@ae-1"),
        ("self_billed_credit_note", "pint:selfbilling-1@ae-1"),
    ],
)
def test_the_profile_is_that_of_the_operation_when_not_given(falcon, operation, profile):
    """2.5 B, PINT profile: default pint:billing-1@ae-1, for self-billing pint:selfbilling-1@ae-1."""
    document = sent(falcon.send(bodies.BUILDERS[operation](), operation))
    assert document["profile"] == profile
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    assert ubl.text(root, "cbc:CustomizationID") == f"urn:peppol:{profile}"


@pytest.mark.parametrize(
    ("operation", "profile"),
    [
        ("invoice", "pint:billing-1"),
        ("invoice", "pint:billing-1@ae-1"),
        ("invoice", "pint:billing-1*"),
        ("invoice", "pint:billing-1@ae-1*"),
        ("invoice", "pint:selfbilling-1@ae-1"),
        ("invoice", "pint:selfbilling-1*"),
        ("self_billed_invoice", "pint:selfbilling-1"),
        ("self_billed_invoice", "pint:selfbilling-1@ae-1*"),
        ("self_billed_credit_note", "pint:selfbilling-1*"),
    ],
)
def test_a_profile_of_the_pattern_is_taken(falcon, operation, profile):
    """2.5 B, PINT profile: pint:(billing or selfbilling)-1, optional @ae-1, optional trailing *; overriding is allowed."""
    document = sent(falcon.send(bodies.BUILDERS[operation](profile=profile), operation))
    if operation == "invoice":
        # Document type and content agree: what counts is the profile of the operation.
        profile = profile.replace("selfbilling", "billing")
    assert document["profile"] == profile


@pytest.mark.parametrize(
    ("operation", "profile"),
    [
        ("invoice", "pint:billing-2@ae-1"),
        ("invoice", "pint:billing-1@sg-1"),
        ("invoice", "pint:billing-1@ae-1**"),
        ("invoice", "*pint:billing-1"),
        ("invoice", "PINT:BILLING-1"),
        ("invoice", "urn:peppol:pint:billing-1@ae-1"),
        ("invoice", ""),
        ("invoice", "pint:billing-1".ljust(65, "*")),
        ("self_billed_invoice", "pint:billing-1@ae-1"),
        ("self_billed_credit_note", "pint:billing-1"),
    ],
)
def test_another_profile_is_refused(falcon, operation, profile):
    """2.5 B and 8, PINT profile: the pattern of the operation, length at most 64."""
    refused_at(falcon.send(bodies.BUILDERS[operation](profile=profile), operation), "/profile")


# Message Level Status preference


@pytest.mark.parametrize("operation", bodies.BUILDERS)
@pytest.mark.parametrize(
    ("given", "kept"),
    [(bodies.LEFT_OUT, "ALWAYS_SEND"), ("ALWAYS_SEND", "ALWAYS_SEND"), ("FAILURE_ONLY", "FAILURE_ONLY")],
    ids=["left out", "always", "failure"],
)
def test_the_message_level_status_preference_is_kept(falcon, operation, given, kept):
    """2.5 B, Message Level Status preference: default ALWAYS_SEND; allowed ALWAYS_SEND, FAILURE_ONLY."""
    assert sent(falcon.send(bodies.BUILDERS[operation](mls_type=given), operation))["mls_type"] == kept


@pytest.mark.parametrize("wrong", ["NEVER", "always_send", "", 1])
def test_another_preference_is_refused(falcon, wrong):
    """2.5 B, Message Level Status preference: allowed ALWAYS_SEND, FAILURE_ONLY."""
    refused_at(falcon.send(bodies.invoice(mls_type=wrong)), "/mls_type")


# Currency


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_the_currency_is_aed_when_not_given(falcon, operation):
    """2.5 B, currency: default AED."""
    document = sent(falcon.send(bodies.BUILDERS[operation](), operation))
    assert document["currency"] == "AED"
    assert ubl.text(ubl.parse(falcon.ubl(document["document_id"]).content), "cbc:DocumentCurrencyCode") == "AED"


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_a_foreign_currency_is_written_with_its_amounts_in_aed(falcon, operation):
    """2.5 B, currency: ISO 4217 code; PINT-AE wants VAT and total in AED too."""
    body = bodies.BUILDERS[operation](currency="USD", currency_exchange_rate="3.6725")
    root = document_of(falcon, falcon.send(body, operation))
    assert ubl.text(root, "cbc:DocumentCurrencyCode") == "USD"
    assert ubl.text(root, "cbc:TaxCurrencyCode") == "AED"
    assert ubl.texts(root, "cac:TaxTotal/cbc:TaxAmount") == ["10.00", "36.73"]
    reference = "cac:AdditionalDocumentReference[cbc:DocumentTypeCode='aedtotal-incl-vat']/cbc:DocumentDescription"
    assert ubl.text(root, reference) == "AED 771.23"


@pytest.mark.parametrize("wrong", ["usd", "US", "USDD", "ZZZ", "", 840])
def test_another_currency_is_refused(falcon, wrong):
    """2.5 B and 8, currency: ISO 4217 code, exactly 3 characters."""
    body = bodies.invoice(currency=wrong, currency_exchange_rate="3.6725")
    refused_at(falcon.send(body), "/currency")


# Purchase order reference, source id, note


@pytest.mark.parametrize("operation", bodies.BUILDERS)
@pytest.mark.parametrize(
    ("field", "place"),
    [("purchase_order_reference", "cac:OrderReference/cbc:ID"), ("note", "cbc:Note")],
)
def test_a_text_is_written_and_null_writes_nothing(falcon, operation, field, place):
    """2.5 B, buyer's purchase order reference and free-text note: string or null, default none."""
    said = "PO-4711 & <urgent> طلب"
    assert ubl.text(document_of(falcon, falcon.send(bodies.BUILDERS[operation](**{field: said}), operation)), place) == said
    assert ubl.text(document_of(falcon, falcon.send(bodies.BUILDERS[operation](**{field: None}), operation)), place) is None


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_the_callers_own_document_id_is_stored_and_not_sent(falcon, operation):
    """2.5 B, caller's own document id: stored on the record. (Its echo in events is shown in section 6.)"""
    source_id = bodies.unique("erp")
    document = sent(falcon.send(bodies.BUILDERS[operation](source_id=source_id), operation))
    assert falcon.get(document["document_id"]).json()["source_id"] == source_id
    assert source_id.encode() not in falcon.ubl(document["document_id"]).content


def test_a_null_source_id_is_none(falcon):
    """2.5 B, caller's own document id: string or null."""
    assert not sent(falcon.send(bodies.invoice(source_id=None))).get("source_id")


@pytest.mark.parametrize("field", ["purchase_order_reference", "source_id", "note"])
def test_a_text_of_another_type_is_refused(falcon, field):
    """2.5 B: string or null."""
    refused_at(falcon.send(bodies.invoice(**{field: 5})), f"/{field}", "string")


# Transaction-type code


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_no_transaction_flag_is_set_when_not_given(falcon, operation):
    """2.5 B, transaction-type code: default 00000000, which means none."""
    root = document_of(falcon, falcon.send(bodies.BUILDERS[operation](), operation))
    assert ubl.text(root, "cbc:ProfileExecutionID") == "00000000"


def abroad():
    return {"line_1": "Speicherstadt 4", "city": "Hamburg", "country_subdivision": "HH", "country_code": "DE"}


def with_endpoint(endpoint):
    return bodies.stranger(electronic_address={"id": endpoint})


FLAGS = {
    "10000000": lambda: {"beneficiary_identifier": f"{bodies.STRANGER_TIN}00003"},
    "01000000": lambda: {"customer": with_endpoint("9900000097")},
    "00100000": lambda: {"line_items": [bodies.line(vat={"category_code": "N", "rate": "5"})]},
    "00010000": lambda: {"invoice_period": {"start_date": bodies.uae_today(-31), "end_date": bodies.uae_today(-1)}},
    "00001000": lambda: {
        "invoice_period": {"start_date": bodies.uae_today(-31), "end_date": bodies.uae_today(-1), "frequency_code": "MTH"},
        "contract_reference": "C-1",
        "contract_value": "AED200000",
    },
    "00000100": lambda: {"principal_identifier": "123456789100003"},
    "00000010": lambda: {"delivery_address": bodies.address()},
    "00000001": lambda: {
        "customer": with_endpoint("9900000099") | {"address": abroad()},
        "delivery_address": abroad(),
        "line_items": [bodies.line(vat={"category_code": "Z", "rate": "0"})],
    },
    "00011010": lambda: {
        "delivery_address": bodies.address(),
        "invoice_period": {"start_date": bodies.uae_today(-31), "end_date": bodies.uae_today(-1), "frequency_code": "MTH"},
    },
}


@pytest.mark.parametrize("flags", FLAGS)
def test_each_transaction_flag_and_several_at_once_are_written(falcon, flags):
    """2.5 B, transaction-type code (BTAE-02): 1 means the scenario applies; several may be 1."""
    body = bodies.invoice(transaction_type_code=flags) | FLAGS[flags]()
    assert ubl.text(document_of(falcon, falcon.send(body)), "cbc:ProfileExecutionID") == flags


@pytest.mark.parametrize("wrong", ["0000000", "000000000", "0000000x", "00000002", "", 0])
def test_another_transaction_type_code_is_refused(falcon, wrong):
    """2.5 B and 8, transaction-type code: exactly 8 characters, each 0 or 1."""
    refused_at(falcon.send(bodies.invoice(transaction_type_code=wrong)), "/transaction_type_code")
