"""Section 2.5, table A: the named fields of the bodies."""

import json

import pytest

from kit import bodies, ubl
from kit.client import detail, findings, refused_at, sent

WITH_PAYMENT_MEANS = ["invoice", "self_billed_invoice", "credit_note"]


def document_of(client, response):
    """The UBL of a send that went through."""
    return ubl.parse(client.ubl(sent(response)["document_id"]).content)


# line_items


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_a_body_without_line_items_is_refused(falcon, operation):
    """2.5 A, line_items: required."""
    body = bodies.BUILDERS[operation](line_items=bodies.LEFT_OUT)
    refused_at(falcon.send(body, operation), "/line_items", "required")


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_an_empty_list_of_lines_is_refused(falcon, operation):
    """2.5 A, line_items: length 1 to 1000."""
    refused_at(falcon.send(bodies.BUILDERS[operation](line_items=[]), operation), "/line_items", "1")


def test_1000_lines_are_sent(falcon):
    """2.5 A and 8, line_items: length 1 to 1000."""
    root = document_of(falcon, falcon.send(bodies.invoice(line_items=[bodies.line()] * 1000)))
    assert len(ubl.texts(root, "cac:InvoiceLine/cbc:ID")) == 1000
    assert ubl.text(root, "cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount") == "210000.00"


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_a_1001st_line_is_refused_with_its_pointer(falcon, operation):
    """2.5 A and 8, line_items: length 1 to 1000."""
    body = bodies.BUILDERS[operation](line_items=[bodies.line()] * 1001)
    refused_at(falcon.send(body, operation), "/line_items/1000", "1000")


@pytest.mark.parametrize("wrong", [{}, "line", 5, None, True])
def test_line_items_of_another_type_are_refused(falcon, wrong):
    """2.5 A, line_items: an array of objects."""
    refused_at(falcon.send(bodies.invoice(line_items=wrong)), "/line_items")


@pytest.mark.parametrize("wrong", ["line", 5, None, []])
def test_a_line_that_is_no_object_is_refused(falcon, wrong):
    """2.5 A, line_items: an array of objects."""
    refused_at(falcon.send(bodies.invoice(line_items=[bodies.line(), wrong])), "/line_items/1")


# customer and supplier


@pytest.mark.parametrize("operation", ["invoice", "credit_note"])
def test_a_billing_document_needs_a_customer(falcon, operation):
    """2.5 A, customer: required for POST /invoices; credit notes mirror it."""
    body = bodies.BUILDERS[operation](customer=bodies.LEFT_OUT)
    refused_at(falcon.send(body, operation), "/customer", "required")


def test_a_validation_needs_a_customer(falcon):
    """2.5 A, customer: required for validation."""
    refused_at(falcon.validate(bodies.invoice(customer=bodies.LEFT_OUT)), "/customer", "required")


@pytest.mark.parametrize("operation", ["invoice", "credit_note"])
def test_the_registered_profile_is_the_supplier_when_omitted(falcon, run, operation):
    """2.5 A, customer: the supplier is the taxpayer's registered profile, used when supplier is omitted."""
    root = document_of(falcon, falcon.send(bodies.BUILDERS[operation](), operation))
    seller = "cac:AccountingSupplierParty/cac:Party"
    assert ubl.text(root, f"{seller}/cbc:EndpointID") == run.taxpayer("Falcon").tin
    assert ubl.text(root, f"{seller}/cac:PartyLegalEntity/cbc:RegistrationName") == run.taxpayer("Falcon").name
    assert ubl.text(root, "cac:AccountingCustomerParty/cac:Party/cbc:EndpointID") == bodies.STRANGER_TIN


def test_a_supplier_that_is_given_is_used(falcon, run):
    """2.5 A, customer: the registered profile is used when supplier is omitted, so a given one counts."""
    root = document_of(falcon, falcon.send(bodies.invoice(supplier=branch(run))))
    seller = "cac:AccountingSupplierParty/cac:Party"
    assert ubl.text(root, f"{seller}/cac:PartyName/cbc:Name") == "Falcon, Branch Two"
    assert ubl.text(root, f"{seller}/cac:PostalAddress/cbc:StreetName") == bodies.address()["line_1"]
    assert ubl.text(root, f"{seller}/cac:PartyLegalEntity/cbc:RegistrationName") == run.taxpayer("Falcon").name


def branch(run, **changes):
    """A branch of the demo taxpayer: its identity, and a trade name and an address of its own."""
    taxpayer = run.taxpayer("Falcon")
    registered = {"id": "CN-1001234", "type": "TL", "authority_name": "Dubai Department of Economy and Tourism"}
    return bodies.party(taxpayer.tin, taxpayer.name, legal_registration=registered, trading_name="Falcon, Branch Two") | changes


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("name", "Falcon Trading LLC, Branch Two", "AP-PROFILE-name"),
        ("vat_identifier", "100123450200003", "AP-PROFILE-vat"),
        ("tax_registration_identifier", "1001234502", "AP-PROFILE-tax-registration"),
    ],
)
def test_a_supplier_has_the_identity_that_is_registered(falcon, run, field, value, rule):
    """2.5 A, customer: the supplier is the taxpayer, whose identity no body changes."""
    supplier = branch(run, **{field: value})
    for response in falcon.send(bodies.invoice(supplier=supplier)), falcon.validate(bodies.invoice(supplier=supplier)):
        [error] = findings(response)
        assert (error["pointer"], error["rule"]) == (f"/supplier/{field}", rule)


def test_a_supplier_that_is_another_business_is_refused(falcon):
    """2.5 A, customer: the supplier is the taxpayer. A caller cannot send in the name of another taxpayer."""
    errors = findings(falcon.send(bodies.invoice(supplier=bodies.stranger())))
    assert any(error["pointer"].startswith("/supplier") for error in errors), errors


@pytest.mark.parametrize("operation", ["self_billed_invoice", "self_billed_credit_note"])
def test_a_self_billing_document_needs_a_supplier(falcon, operation):
    """2.5 A, supplier: required for self-billing operations."""
    body = bodies.BUILDERS[operation](supplier=bodies.LEFT_OUT)
    refused_at(falcon.send(body, operation), "/supplier", "required")


@pytest.mark.parametrize("operation", ["self_billed_invoice", "self_billed_credit_note"])
def test_the_registered_profile_is_the_customer_of_a_self_billing_document(falcon, run, operation):
    """2.5 A, supplier: the customer is the taxpayer's registered profile."""
    root = document_of(falcon, falcon.send(bodies.BUILDERS[operation](), operation))
    buyer = "cac:AccountingCustomerParty/cac:Party"
    assert ubl.text(root, f"{buyer}/cbc:EndpointID") == run.taxpayer("Falcon").tin
    assert ubl.text(root, f"{buyer}/cac:PartyLegalEntity/cbc:RegistrationName") == run.taxpayer("Falcon").name


@pytest.mark.parametrize("operation", ["self_billed_invoice", "self_billed_credit_note"])
def test_a_self_billing_body_has_no_customer(falcon, operation):
    """2.5: self-billing bodies have supplier instead of customer."""
    body = bodies.BUILDERS[operation](customer=bodies.stranger())
    refused_at(falcon.send(body, operation), "/customer", "customer")


# delivery_address


def export(**changes):
    """An export of services to a buyer outside Peppol."""
    buyer = bodies.stranger(
        name="Hansa Handel GmbH",
        electronic_address={"id": "9900000099"},
        address=bodies.address(line_1="Speicherstadt 4", city="Hamburg", country_subdivision="HH", country_code="DE"),
    )
    del buyer["vat_identifier"]
    del buyer["legal_registration"]
    return bodies.invoice(
        transaction_type_code="00000001",
        customer=buyer,
        delivery_address={
            "line_1": "Speicherstadt 4", "city": "Hamburg", "country_subdivision": "HH", "country_code": "DE",
        },
        line_items=[bodies.line(vat={"category_code": "Z", "rate": "0"})],
    ) | changes


def test_an_export_goes_out_with_its_delivery_address(falcon):
    """2.5 A, delivery_address: the actual delivery location, present on invoice bodies."""
    root = document_of(falcon, falcon.send(export()))
    assert ubl.text(root, "cac:Delivery/cac:DeliveryLocation/cac:Address/cbc:CityName") == "Hamburg"


def test_an_export_of_services_needs_a_delivery_address(falcon):
    """2.5 A, delivery_address: required for exports, including services; never inferred from the buyer address."""
    body = export()
    del body["delivery_address"]
    errors = findings(falcon.send(body))
    assert any(error["pointer"].startswith("/delivery_address") for error in errors), errors


def test_without_a_delivery_address_none_is_written(falcon):
    """2.5 A, delivery_address: never inferred from the buyer address."""
    root = document_of(falcon, falcon.send(bodies.invoice()))
    assert ubl.texts(root, "cac:Delivery/cac:DeliveryLocation/cac:Address/cbc:StreetName") == []


def test_a_validation_body_may_have_a_delivery_address(falcon):
    """2.5 A, delivery_address: present on invoice and validation bodies."""
    assert falcon.validate(export()).json()["valid"] is True


# payment_means


@pytest.mark.parametrize("operation", WITH_PAYMENT_MEANS)
def test_payment_means_are_written(falcon, operation):
    """2.5 A, payment_means: present on invoice, self-billed invoice and validation bodies."""
    body = bodies.BUILDERS[operation](payment_means=bodies.credit_transfer())
    root = document_of(falcon, falcon.send(body, operation))
    assert ubl.text(root, "cac:PaymentMeans/cbc:PaymentMeansCode") == "30"
    assert ubl.text(root, "cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID") == "AE070331234567890123456"


def test_a_validation_body_may_have_payment_means(falcon):
    """2.5 A, payment_means: present on validation bodies."""
    assert falcon.validate(bodies.invoice(payment_means=bodies.credit_transfer())).json()["valid"] is True


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_payment_means_may_be_left_out(falcon, operation):
    """2.5 A, payment_means: not required."""
    sent(falcon.send(bodies.BUILDERS[operation](payment_means=bodies.LEFT_OUT), operation))


# invoice_period


def test_a_summary_invoice_needs_its_period(falcon):
    """2.5 A, invoice_period: required when the summary-invoice transaction flag is set."""
    errors = findings(falcon.send(bodies.invoice(transaction_type_code="00010000")))
    assert any(error["pointer"].startswith("/invoice_period") for error in errors), errors


def test_a_summary_invoice_goes_out_with_its_period(falcon):
    """2.5 A, invoice_period: the invoicing period (IBG-14)."""
    period = {"start_date": bodies.uae_today(-40), "end_date": bodies.uae_today(-10)}
    body = bodies.invoice(transaction_type_code="00010000", invoice_period=period)
    root = document_of(falcon, falcon.send(body))
    assert ubl.text(root, "cac:InvoicePeriod/cbc:StartDate") == period["start_date"]
    assert ubl.text(root, "cac:InvoicePeriod/cbc:EndDate") == period["end_date"]


def test_a_period_that_ends_before_it_starts_is_refused(falcon):
    """2.5 A, invoice_period with ibr-029: the end is not before the start."""
    period = {"start_date": bodies.uae_today(), "end_date": bodies.uae_today(-1)}
    errors = findings(falcon.send(bodies.invoice(invoice_period=period)))
    assert any(error["pointer"].startswith("/invoice_period") for error in errors), errors


# metadata


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_metadata_is_kept_apart_from_the_fiscal_document(falcon, operation):
    """2.5 A, metadata: string key-value pairs, stored apart from the fiscal document."""
    metadata = {"cost-centre": bodies.unique("marker"), "مركز": "تكلفة", "empty": ""}
    document = sent(falcon.send(bodies.BUILDERS[operation](metadata=metadata), operation))
    assert falcon.get(document["document_id"]).json()["metadata"] == metadata
    xml = falcon.ubl(document["document_id"]).content
    assert metadata["cost-centre"].encode() not in xml and b"cost-centre" not in xml


def test_metadata_of_100_keys_of_100_characters_is_kept(falcon):
    """2.5 A and 8, metadata: up to 100 keys, 100 characters per key."""
    metadata = {f"{number:03}".rjust(100, "k"): "v" for number in range(100)}
    document = sent(falcon.send(bodies.invoice(metadata=metadata)))
    assert falcon.get(document["document_id"]).json()["metadata"] == metadata


def test_a_metadata_key_is_counted_in_characters_not_in_bytes(falcon):
    """2.5 A, metadata: 100 characters per key."""
    key = "ضريبة" * 20
    document = sent(falcon.send(bodies.invoice(metadata={key: "v"})))
    assert falcon.get(document["document_id"]).json()["metadata"] == {key: "v"}


@pytest.mark.parametrize(
    ("metadata", "mention"),
    [
        pytest.param({f"k{number}": "v" for number in range(101)}, "100", id="101 keys"),
        pytest.param({"k" * 101: "v"}, "100", id="a key of 101 characters"),
        pytest.param({"k": "v" * 16_384}, "16", id="more than 16 KiB in one value"),
        pytest.param({f"k{number:02}": "v" * 170 for number in range(100)}, "16", id="more than 16 KiB in all"),
    ],
)
def test_metadata_over_a_limit_is_refused(falcon, metadata, mention):
    """2.5 A and 8, metadata: up to 100 keys, 100 characters per key, 16 KiB in total."""
    errors = findings(falcon.send(bodies.invoice(metadata=metadata)))
    assert any(error["pointer"].startswith("/metadata") and mention in error["message"] for error in errors), errors


def test_metadata_of_exactly_16_kib_is_kept(falcon):
    """2.5 A and 8, metadata: 16 KiB in total, keys and values together."""
    metadata = {"k": "v" * 16_383}
    document = sent(falcon.send(bodies.invoice(metadata=metadata)))
    assert falcon.get(document["document_id"]).json()["metadata"] == metadata


@pytest.mark.parametrize("value", [1, True, None, {}, ["v"]])
def test_a_metadata_value_that_is_no_string_is_refused(falcon, value):
    """2.5 A, metadata: customer-defined string key-value pairs."""
    refused_at(falcon.send(bodies.invoice(metadata={"ok": "v", "wrong": value})), "/metadata/wrong", "string")


def test_metadata_that_is_no_object_is_refused(falcon):
    """2.5 A, metadata: an object."""
    refused_at(falcon.send(bodies.invoice(metadata=["v"])), "/metadata", "object")


def test_a_metadata_key_that_comes_twice_is_refused(falcon):
    """2.5 A, metadata: key-value pairs; of two values for one key neither is silently dropped."""
    body = json.dumps(bodies.invoice(metadata={"once": "v"})).replace('"once": "v"', '"twice": "a", "twice": "b"')
    assert "twice" in detail(falcon.send(body), 400, "malformed_json")["message"]


# corrects_document_id


def test_a_null_corrects_document_id_is_the_same_as_none(falcon):
    """2.5 A, corrects_document_id: string or null."""
    sent(falcon.send(bodies.invoice(corrects_document_id=None)))


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_a_correction_needs_an_idempotency_key(falcon, operation):
    """2.5 A, corrects_document_id, and 4.1, Idempotency-Key: required with corrects_document_id."""
    original = sent(falcon.send(bodies.BUILDERS[operation](), operation))
    body = bodies.BUILDERS[operation](corrects_document_id=original["document_id"])
    response = falcon.send(body, operation, prefer="respond-async")
    assert "idempotency-key" in detail(response, 400, "idempotency_key_required")["message"].lower()


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_a_document_that_was_not_rejected_cannot_be_corrected(falcon, operation):
    """2.5 A, corrects_document_id: a document rejected at stage C3; in Sandbox nothing is (1, point 2)."""
    number = bodies.unique("COR")
    field = bodies.number_field(operation)
    original = sent(falcon.send(bodies.BUILDERS[operation](**{field: number}), operation))
    body = bodies.BUILDERS[operation](**{field: number, "corrects_document_id": original["document_id"]})
    detail(falcon.send(body, operation, key=bodies.unique("key"), prefer="respond-async"), 409, "not_correctable")


# previous_document_id


@pytest.mark.parametrize(
    ("operation", "original"),
    [("credit_note", "invoice"), ("self_billed_credit_note", "self_billed_invoice")],
)
def test_a_credit_note_names_the_original_behind_previous_document_id(falcon, operation, original):
    """2.5 A, previous_document_id: document_id of the original invoice; number and date are derived (2.6)."""
    credited = bodies.BUILDERS[original](issue_date=bodies.uae_today(-3))
    document = sent(falcon.send(credited, original))
    body = bodies.BUILDERS[operation](
        original_reference_kind=bodies.LEFT_OUT,
        original_invoice_number=bodies.LEFT_OUT,
        previous_document_id=document["document_id"],
    )
    note = sent(falcon.send(body, operation))
    assert note["previous_document_id"] == document["document_id"]
    root = ubl.parse(falcon.ubl(note["document_id"]).content)
    reference = "cac:BillingReference/cac:InvoiceDocumentReference"
    assert ubl.text(root, f"{reference}/cbc:ID") == credited["invoice_number"]
    assert ubl.text(root, f"{reference}/cbc:IssueDate") == credited["issue_date"]


@pytest.mark.parametrize("operation", ["credit_note", "self_billed_credit_note"])
@pytest.mark.parametrize("kind", ["ap", bodies.LEFT_OUT])
def test_previous_document_id_is_required_for_an_ap_reference(falcon, operation, kind):
    """2.5 A, previous_document_id: required when the original reference kind is ap, which is the default (2.6)."""
    body = bodies.BUILDERS[operation](original_reference_kind=kind, original_invoice_number=bodies.LEFT_OUT)
    refused_at(falcon.send(body, operation), "/previous_document_id")


@pytest.mark.parametrize("operation", ["invoice", "self_billed_invoice"])
def test_previous_document_id_is_a_field_of_credit_notes_only(falcon, operation):
    """2.5 A, previous_document_id: credit-note only."""
    body = bodies.BUILDERS[operation](previous_document_id="doc_1")
    refused_at(falcon.send(body, operation), "/previous_document_id", "previous_document_id")


def test_a_previous_document_that_is_not_the_taxpayers_is_refused(falcon, oasis):
    """2.5 A, previous_document_id: the original was issued by this taxpayer; another tenant's stays unknown."""
    foreign = sent(oasis.send(bodies.invoice()))["document_id"]
    unknown = "doc_0190000000007000800000000000dead"
    answers = []
    for document_id in (foreign, unknown):
        body = bodies.credit_note(
            original_reference_kind="ap", original_invoice_number=bodies.LEFT_OUT, previous_document_id=document_id
        )
        answers.append(refused_at(falcon.send(body, "credit_note"), "/previous_document_id"))
    said = {answer["message"].replace(foreign, "ID").replace(unknown, "ID") for answer in answers}
    assert len(said) == 1, "the answers tell another tenant's document from one that does not exist"


# credit_note_reason_code


@pytest.mark.parametrize("operation", ["credit_note", "self_billed_credit_note"])
@pytest.mark.parametrize("reason", [f"DL8.61.1.{letter}" for letter in "ABCDE"])
def test_each_reason_code_is_written(falcon, operation, reason):
    """2.5 A, credit_note_reason_code (BTAE-03): one of DL8.61.1.A to DL8.61.1.E."""
    root = document_of(falcon, falcon.send(bodies.BUILDERS[operation](credit_note_reason_code=reason), operation))
    assert ubl.text(root, "cac:DiscrepancyResponse/cbc:ResponseCode") == reason


@pytest.mark.parametrize("operation", ["credit_note", "self_billed_credit_note"])
def test_a_volume_discount_has_no_preceding_invoice(falcon, operation):
    """2.5 A, credit_note_reason_code: VD is a volume discount, no preceding invoice."""
    body = bodies.BUILDERS[operation](
        credit_note_reason_code="VD",
        original_reference_kind=bodies.LEFT_OUT,
        original_invoice_number=bodies.LEFT_OUT,
    )
    root = document_of(falcon, falcon.send(body, operation))
    assert ubl.text(root, "cac:DiscrepancyResponse/cbc:ResponseCode") == "VD"
    assert ubl.texts(root, "cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID") == []


@pytest.mark.parametrize("operation", ["credit_note", "self_billed_credit_note"])
def test_a_volume_discount_with_a_preceding_invoice_is_refused(falcon, operation):
    """2.5 A, credit_note_reason_code: VD has no preceding invoice."""
    body = bodies.BUILDERS[operation](credit_note_reason_code="VD", original_invoice_number="OLD-1")
    assert any("VD" in error["message"] for error in findings(falcon.send(body, operation)))


@pytest.mark.parametrize("operation", ["credit_note", "self_billed_credit_note"])
@pytest.mark.parametrize("reason", ["DL8.61.1.F", "vd", "", bodies.LEFT_OUT])
def test_another_reason_or_none_is_refused(falcon, operation, reason):
    """2.5 A, credit_note_reason_code: one of the six codes; PINT-AE wants one on every credit note."""
    body = bodies.BUILDERS[operation](credit_note_reason_code=reason)
    refused_at(falcon.send(body, operation), "/credit_note_reason_code")
