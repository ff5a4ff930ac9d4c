//! Tests the UBL of a minimal and of a maximal document of each operation.

use jiff::civil::date;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    document::{self, Document, Issuance, Operation, Original, Profile},
    types::ParticipantId,
    xml,
};

pub(super) fn document(operation: Operation, taxpayer: &Value, body: &Value) -> Document {
    let submission = document::read(operation, body.to_string().as_bytes()).unwrap();
    let address = &taxpayer["electronic_address"];
    let trn = taxpayer["vat_identifier"].as_str().and_then(|trn| trn.get(..10));
    let id = address["id"].as_str().or(trn).unwrap();
    let scheme = address["scheme_id"].as_str().unwrap_or(ParticipantId::TIN_SCHEME);
    let participant = ParticipantId::new(scheme, id).unwrap();
    let taxpayer = Profile::from_json(taxpayer.to_string().as_bytes()).unwrap();
    let original = Original { number: "INV-7".to_owned(), issue_date: date(2026, 10, 30) };
    let issuance = Issuance {
        taxpayer: &taxpayer,
        participant: &participant,
        today: date(2026, 11, 20),
        uuid: Uuid::from_u128(0x0192_f0c1_a2b3_4c4d_8e9f_a0b1_c2d3_e4f5),
        original: Some(&original),
    };
    document::complete(submission, &issuance).unwrap().0
}

fn ubl(operation: Operation, taxpayer: &Value, body: &Value) -> String {
    let document = document(operation, taxpayer, body);
    String::from_utf8(super::write(&document)).unwrap()
}

fn party(tin: &str, name: &str) -> Value {
    json!({
        "electronic_address": { "id": tin },
        "address": { "line_1": "Street 1", "city": "Dubai", "country_subdivision": "DXB" },
        "vat_identifier": format!("{tin}00003"),
        "name": name,
        "legal_registration": {
            "id": "CN-1001", "type": "TL", "authority_name": "Department of Economy",
        },
    })
}

pub(super) fn falcon() -> Value {
    party("1001234501", "Falcon Trading LLC")
}

fn oasis() -> Value {
    party("1001234502", "Oasis Supplies FZE")
}

fn full_party(tin: &str, name: &str, seller: bool) -> Value {
    let mut party = json!({
        "electronic_address": { "id": tin, "scheme_id": "0235" },
        "identifiers": [{ "id": "123456789", "scheme_id": "0060" }],
        "trading_name": format!("{name} (trading)"),
        "address": address("AE"),
        "vat_identifier": format!("{tin}00003"),
        "name": name,
        "legal_registration": {
            "id": "P-55", "scheme_id": "0060", "type": "PAS", "passport_country_code": "IN",
        },
        "contact": { "name": "A. Person", "telephone": "+971 4 1", "email": "a@falcon.example" },
    });
    if seller {
        party["identifiers"] = json!([{ "id": "123456789", "scheme_id": "0060" }, { "id": "S-2" }]);
        party["tax_registration_identifier"] = json!(tin);
        party["tax_registration_scheme_id"] = json!("IVAT");
        party["additional_legal_information"] = json!("Free zone company");
    }
    party
}

fn address(country: &str) -> Value {
    json!({
        "line_1": "Line 1", "line_2": "Line 2", "line_3": "Line 3", "city": "Dubai",
        "post_code": "00000", "country_subdivision": "DXB", "country_code": country,
    })
}

/// The smallest body of an operation.
pub(super) fn minimal(operation: Operation) -> Value {
    let mut body = json!({
        "line_items": [{
            "quantity": 1,
            "item": { "name": "Dates" },
            "vat": { "category_code": "S" },
            "price": { "net_price": "12.50" },
        }],
    });
    if operation.is_credit_note() {
        body["credit_note_number"] = json!("CN-1");
        body["credit_note_reason_code"] = json!("VD");
    } else {
        body["invoice_number"] = json!("INV-1");
        body["due_date"] = json!("2026-12-20");
        body["payment_means"] = json!({ "means_code": "10" });
    }
    let (counterparty, whole) =
        if operation.is_self_billed() { ("supplier", oasis()) } else { ("customer", oasis()) };
    body[counterparty] = whole;
    body
}

fn allowance(code: &str, category: &str) -> Value {
    json!({
        "base_amount": "100.00", "percentage": "2.5", "reason": "By agreement",
        "reason_code": code, "vat_category_code": category,
    })
}

fn line_allowance(code: &str) -> Value {
    json!({ "base_amount": 10, "percentage": 10, "reason": "Agreed", "reason_code": code })
}

/// A line with every term.
fn full_line(category: &str) -> Value {
    json!({
        "id": "L-1", "note": "First line", "quantity": "2.50", "unit_code": "KGM",
        "buyer_accounting_reference": "COST-1",
        "period": { "start_date": "2026-11-02", "end_date": "2026-11-03" },
        "purchase_order_line_reference": "7", "purchase_order_reference": "PO-9",
        "object_identifier": { "id": "OBJ-1", "scheme_id": "AAJ" },
        "allowances": [line_allowance("95")], "charges": [line_allowance("FC")],
        "item": {
            "name": "Copper", "description": "Copper & brass", "buyer_identifier": "B-1",
            "seller_identifier": "S-1",
            "standard_identifier": { "id": "6291041500213", "scheme_id": "0160" },
            "service_accounting_codes": [{ "code": "998313", "version": "1.0" }, { "code": "1" }],
            "origin_country_code": "CN", "rcm_goods_type_code": "DL8.48.8.2", "type_code": "B",
            "classifications": [
                { "code": "74031100", "scheme_id": "HS", "version": "2022" }, { "code": "74031200" },
            ],
            "attributes": [{ "name": "Purity", "value": ">99 %" }],
            "batch_number": "LOT-1",
        },
        "vat": { "category_code": category },
        "price": {
            "net_price": "90.125", "base_quantity": "1", "base_quantity_unit_code": "KGM",
            "discount": "9.875", "gross_price": "100",
        },
    })
}

/// A body with every term that the operation has.
pub(super) fn maximal(operation: Operation) -> Value {
    let mut body = json!({
        "uuid": "6b7b6e4e-4f39-4b57-9d30-0d1a3b3f0a11", "issue_date": "2026-11-19",
        "issue_time": "17:38:00+04:00", "transaction_type_code": "10011100",
        "currency": "USD", "tax_accounting_currency_code": "AED",
        "currency_exchange_rate": "3.672500",
        "note": "Line 1\nLine 2", "buyer_accounting_reference": "COST-0",
        "buyer_reference": "DEPT-1",
        "invoice_period": {
            "start_date": "2026-11-01", "end_date": "2026-11-30", "frequency_code": "MTH",
        },
        "purchase_order_reference": "PO-1", "sales_order_reference": "SO-1",
        "preceding_invoice_references": [{ "id": "INV-0", "issue_date": "2026-10-01" }],
        "despatch_advice_reference": "DA-1", "receiving_advice_reference": "RA-1",
        "customs_reference_number": "CUSTOMS-1", "tender_or_lot_reference": "LOT-1",
        "contract_reference": "CONTRACT-1", "contract_value": "AED200000",
        "invoiced_object_identifier": { "id": "METER-1", "scheme_id": "AAJ" },
        "project_reference": "PROJECT-1",
        "supporting_documents": [
            {
                "id": "ATT-1", "description": "Order", "external_uri": "https://falcon.example/1?a&b",
                "attachment": {
                    "content_base64": "JVBERi0=", "mime_code": "application/pdf",
                    "filename": "a \"b\".pdf",
                },
            },
            { "id": "ATT-2" },
        ],
    });
    let more = json!({
        "payee": {
            "name": "Payee", "identifier": { "id": "P-1", "scheme_id": "0060" },
            "legal_registration_identifier": { "id": "P-2", "scheme_id": "0199" },
        },
        "tax_representative": {
            "name": "Representative", "vat_identifier": "100123450900003", "address": address("AE"),
        },
        "beneficiary_identifier": "100123450800003", "principal_identifier": "1001234507",
        "payment_terms": [{
            "instructions_id": "PI-1", "note": "Half at once", "amount": "10.5",
            "due_date": "2026-12-01",
        }],
        "allowances": [allowance("95", "S")], "charges": [allowance("FC", "Z")],
        "totals": { "tax_included": false, "rounding_amount": "0.02" },
        "line_items": [
            full_line("S"),
            {
                "quantity": 1, "purchase_order_reference": "PO-9", "item": { "name": "Zero" },
                "vat": { "category_code": "Z" }, "price": { "gross_price": 1000 },
            },
            {
                "quantity": 3, "item": { "name": "Exempt" }, "price": { "net_price": 1 },
                "vat": {
                    "category_code": "E", "exemption_reason_code": "DL8.46.1",
                    "exemption_reason": "Financial service",
                },
            },
        ],
    });
    if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
        body.extend(more);
    }
    if operation.is_credit_note() {
        body["credit_note_number"] = json!("CN-1");
        body["credit_note_reason_code"] = json!("DL8.61.1.A");
        body["previous_document_id"] = json!("doc_1");
        body["totals"]["paid_amount"] = json!("5");
    } else {
        body["invoice_number"] = json!("INV-1");
        body["due_date"] = json!("2026-12-20");
        body["vat_point_date"] = json!("2026-11-18");
        body["paid_amounts"] =
            json!([{ "id": "PAID-1", "amount": "5", "received_date": "2026-11-01" }]);
        // The despatch advice is given once: here on the line.
        body["despatch_advice_reference"] = Value::Null;
        body["line_items"][0]["despatch_advice_reference"] = json!("DA-1");
    }
    if operation != Operation::SelfBilledCreditNote {
        body["transaction_type_code"] = json!("10011110");
        body["delivery"] = json!({
            "actual_delivery_date": "2026-11-10",
            "location_identifier": { "id": "LOC-1", "scheme_id": "0060" },
            "party_identifier": "1001234506", "party_name": "Recipient", "incoterms_code": "CIF",
        });
        body["delivery_address"] = address("SA");
        body["payment_means"] = json!([
            {
                "id": "PI-1", "means_code": "30", "means_text": "Credit transfer",
                "remittance_information": [{ "id": "RF-1", "scheme_id": "SCOR" }, { "id": "RF-2" }],
                "credit_transfer": {
                    "account_identifier": { "id": "AE070331234567890123456", "scheme_id": "IBAN" },
                    "account_name": "Falcon", "service_provider_identifier": "EBILAEAD",
                    "institution_address": address("AE"),
                },
            },
            {
                "means_code": "54",
                "card": { "primary_account_number": "XXXXXXXXXXXX1234", "holder_name": "A. Person" },
            },
            {
                "means_code": "49",
                "direct_debit": {
                    "mandate_reference": "M-1", "creditor_identifier": "AE98ZZZ09999999999",
                    "debited_account_identifier": "AE07",
                },
            },
        ]);
        if operation.is_credit_note() {
            body["payment_means"][0]["due_date"] = json!("2026-12-20");
        }
    }
    let (counterparty, seller) =
        if operation.is_self_billed() { ("supplier", true) } else { ("customer", false) };
    body[counterparty] = full_party("1001234502", "Oasis Supplies FZE", seller);
    body
}

pub(super) fn full_taxpayer(operation: Operation) -> Value {
    full_party("1001234501", "Falcon Trading LLC", !operation.is_self_billed())
}

#[test]
fn a_minimal_document_of_each_operation_is_written_as_before() {
    for operation in Operation::ALL {
        let name = format!("minimal_{operation}");
        insta::assert_snapshot!(name, ubl(operation, &falcon(), &minimal(operation)));
    }
}

#[test]
fn a_maximal_document_of_each_operation_is_written_as_before() {
    for operation in Operation::ALL {
        let name = format!("maximal_{operation}");
        insta::assert_snapshot!(
            name,
            ubl(operation, &full_taxpayer(operation), &maximal(operation))
        );
    }
}

#[test]
fn the_profile_override_does_not_reach_the_document() {
    let mut body = minimal(Operation::Invoice);
    body["profile"] = json!("pint:billing-1@ae-1*");
    assert_eq!(
        ubl(Operation::Invoice, &falcon(), &body),
        ubl(Operation::Invoice, &falcon(), &minimal(Operation::Invoice))
    );
}

#[test]
fn an_aed_document_has_no_trace_of_another_currency() {
    let xml = ubl(Operation::Invoice, &falcon(), &minimal(Operation::Invoice));
    for element in ["TaxCurrencyCode", "TaxExchangeRate", "aedtotal-incl-vat"] {
        assert!(!xml.contains(element), "{element}");
    }
    assert_eq!(xml.matches("<cac:TaxTotal>").count(), 2, "the document's and the line's");
}

#[test]
fn what_the_schema_wants_and_nobody_knows_is_na() {
    let mut body = minimal(Operation::Invoice);
    body["sales_order_reference"] = json!("SO-1");
    body["payment_means"] =
        json!({ "means_code": "54", "card": { "primary_account_number": "XXXX1234" } });
    body["line_items"][0]["purchase_order_reference"] = json!("PO-1");
    body["line_items"][0]["despatch_advice_reference"] = json!("DA-1");
    let xml = ubl(Operation::Invoice, &falcon(), &body);
    for expected in [
        "<cac:OrderReference>\n    <cbc:ID>NA</cbc:ID>",
        "<cbc:NetworkID>NA</cbc:NetworkID>",
        "<cac:OrderLineReference>\n      <cbc:LineID>NA</cbc:LineID>",
        "<cac:DespatchLineReference>\n      <cbc:LineID>NA</cbc:LineID>",
    ] {
        assert!(xml.contains(expected), "{expected}");
    }
}

#[test]
fn of_a_document_that_was_sent_less_is_known_and_nothing_else() {
    let mut known = 0;
    for operation in Operation::ALL {
        let document = document(operation, &full_taxpayer(operation), &maximal(operation));
        let bytes = super::write(&document);
        let tree = xml::parse(&bytes).unwrap();
        for node in std::iter::once(tree.root()).chain(tree.root().descendants()) {
            let whole = super::pointer(&document, node, &[]);
            let sent = super::pointer_of_sent(operation, node);
            assert!(whole.starts_with(&sent), "{node:?}: {sent:?} is not above {whole:?}");
            known += usize::from(whole == sent && !sent.is_empty());
        }
    }
    assert!(known > 500, "{known}");
}
