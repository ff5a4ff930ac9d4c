//! Seller, buyer and the other parties.

use jiff::civil::date;
use serde_json::{Value, json};

use super::{Errors, body, counterparty, expect, place, run, with};
use crate::document::Operation::*;

const FLAGS: &str = "/transaction_type_code";

#[test]
fn the_supplier_is_the_registered_profile() {
    let (document, _) = run(Invoice, &body(Invoice)).unwrap();
    assert_eq!(document.seller.name.as_deref(), Some("Falcon Trading LLC"));
    assert_eq!(document.buyer.name.as_deref(), Some("Oasis Supplies FZE"));
    assert_eq!(document.sender().unwrap().to_string(), "0235:1001234501");
    assert_eq!(document.receiver().unwrap().to_string(), "0235:1001234502");
}

#[test]
fn in_self_billing_the_taxpayer_buys_and_sends() {
    let (document, _) = run(SelfBilledInvoice, &body(SelfBilledInvoice)).unwrap();
    assert_eq!(document.seller.name.as_deref(), Some("Oasis Supplies FZE"));
    assert_eq!(document.buyer.name.as_deref(), Some("Falcon Trading LLC"));
    assert_eq!(document.sender().unwrap().to_string(), "0235:1001234501");
    assert_eq!(document.receiver().unwrap().to_string(), "0235:1001234502");
    assert!(document.is_self_billed() && !document.is_credit_note());
    assert_eq!(document.buyer.tax_registration_identifier, None);
}

#[test]
fn each_party_has_what_its_role_needs() {
    let buyer = |pointer: &str, value: Value| {
        let mut buyer = json!({"c": counterparty()});
        super::set(&mut buyer, &format!("/c{pointer}"), value);
        buyer["c"].clone()
    };
    let cases: &[(&str, Value, Errors<'_>)] = &[
        ("/name", Value::Null, &[("/customer/name", "AP-PARTY-name")]),
        ("/address", Value::Null, &[("/customer/address", "AP-ADDRESS-required")]),
        ("/address/line_1", Value::Null, &[("/customer/address/line_1", "AP-ADDRESS-required")]),
        ("/address/city", Value::Null, &[("/customer/address/city", "AP-ADDRESS-required")]),
        (
            "/address/country_code",
            json!("XX"),
            &[("/customer/address/country_code", "AP-JSON-code")],
        ),
        ("/vat_identifier", Value::Null, &[("/customer/electronic_address", "AP-PARTY-endpoint")]),
        ("/electronic_address", json!({"id": "1345678901"}), &[]),
        ("/electronic_address", json!({"id": "112345679000003"}), &[]),
        (
            "/electronic_address",
            json!({"id": "112345679000004"}),
            &[("/customer/electronic_address/id", "AP-PARTY-endpoint")],
        ),
        (
            "/electronic_address",
            json!({"id": "9900000096"}),
            &[("/customer/electronic_address/id", "AP-PARTY-endpoint")],
        ),
        (
            "/electronic_address",
            json!({"id": "2345678901"}),
            &[("/customer/electronic_address/id", "AP-PARTY-endpoint")],
        ),
        (
            "/electronic_address",
            json!({"id": "x", "scheme_id": "0001"}),
            &[("/customer/electronic_address/scheme_id", "AP-JSON-code")],
        ),
        (
            "/electronic_address",
            json!({"id": "51824753557", "scheme_id": "0151"}),
            &[("/customer/electronic_address/id", "AP-PARTY-identifier")],
        ),
        ("/electronic_address", json!({"id": "9900000098"}), &[]),
        (
            "/identifiers",
            json!([{"id": "1"}, {"id": "2"}]),
            &[("/customer/identifiers/1", "AP-PARTY-identifiers")],
        ),
        (
            "/identifiers",
            json!([{"id": "1", "scheme_id": "9999"}]),
            &[("/customer/identifiers/0/scheme_id", "AP-JSON-code")],
        ),
        (
            "/tax_registration_identifier",
            json!("1001234502"),
            &[("/customer/tax_registration_identifier", "AP-PARTY-seller-only")],
        ),
        (
            "/legal_registration/type",
            json!("CL"),
            &[("/customer/legal_registration/authority_name", "AP-PARTY-legal-registration")],
        ),
        (
            "/legal_registration/type",
            Value::Null,
            &[
                ("/customer/legal_registration/type", "AP-PARTY-legal-registration"),
                ("/customer/legal_registration/authority_name", "AP-PARTY-legal-registration"),
            ],
        ),
        (
            "/legal_registration",
            json!({"id": "P1", "type": "PAS", "passport_country_code": "IN"}),
            &[],
        ),
        (
            "/legal_registration",
            json!({"id": "P1", "type": "PAS", "passport_country_code": "XI"}),
            &[("/customer/legal_registration/passport_country_code", "AP-JSON-code")],
        ),
        (
            "/legal_registration",
            json!({"id": "P1", "type": "PAS"}),
            &[(
                "/customer/legal_registration/passport_country_code",
                "AP-PARTY-legal-registration",
            )],
        ),
        (
            "/legal_registration",
            json!({"id": "P1", "type": "TL"}),
            &[("/customer/legal_registration/authority_name", "AP-PARTY-legal-registration")],
        ),
    ];
    for (pointer, value, expected) in cases {
        expect(Invoice, &[], &[(&[("/customer", buyer(pointer, value.clone()))], expected)]);
    }
    // The electronic address cannot be derived from an invalid TRN.
    expect(
        Invoice,
        &[],
        &[(
            &[("/customer/vat_identifier", json!("100123450200004"))],
            &[
                ("/customer/electronic_address", "AP-PARTY-endpoint"),
                ("/customer/vat_identifier", "AP-JSON-pattern"),
            ],
        )],
    );
    expect(
        SelfBilledInvoice,
        &[],
        &[
            (
                &[("/supplier/legal_registration", Value::Null)],
                &[("/supplier/legal_registration", "AP-PARTY-legal-registration")],
            ),
            (
                &[("/supplier/vat_identifier", Value::Null)],
                &[("/supplier/vat_identifier", "AP-PARTY-vat")],
            ),
            (
                &[("/supplier/tax_registration_identifier", json!("2001234502"))],
                &[("/supplier/tax_registration_identifier", "AP-JSON-pattern")],
            ),
            (
                &[("/supplier/tax_registration_scheme_id", json!("VAT"))],
                &[("/supplier/tax_registration_scheme_id", "AP-PARTY-tax-scheme")],
            ),
            (
                &[("/supplier/electronic_address", json!({"id": "9900000098"}))],
                &[("/supplier/electronic_address/id", "AP-PARTY-endpoint")],
            ),
        ],
    );
}

#[test]
fn an_emirate_is_warned_of_but_enforced_for_the_tax_representative() {
    let body = with(Invoice, &[("/customer/address/country_subdivision", json!("Dubai"))]);
    let (_, warnings) = run(Invoice, &body).unwrap();
    assert_eq!(warnings[0].rule, "AP-ADDRESS-emirate");
    let representative = |subdivision: &str| json!({"name": "R", "vat_identifier": "123349792700003", "address": {"country_subdivision": subdivision}});
    expect(
        Invoice,
        &[],
        &[
            (&[("/tax_representative", representative("AUH"))], &[]),
            (
                &[("/tax_representative", representative("Abu Dhabi"))],
                &[("/tax_representative/address/country_subdivision", "AP-ADDRESS-emirate")],
            ),
        ],
    );
}

#[test]
fn a_payee_is_not_the_seller() {
    expect(
        Invoice,
        &[],
        &[
            (&[("/payee", json!({"name": "Falcon Finance"}))], &[]),
            (&[("/payee", json!({"name": "Falcon"}))], &[("/payee/name", "AP-PAYEE-is-seller")]),
            (
                &[("/payee", json!({"name": "F", "identifier": {"id": "7300010000001"}}))],
                &[("/payee/identifier/id", "AP-PAYEE-is-seller")],
            ),
            (
                &[("/payee", json!({"name": "F", "identifier": {"id": "1", "scheme_id": "0088"}}))],
                &[("/payee/identifier/id", "AP-PARTY-identifier")],
            ),
        ],
    );
}

#[test]
fn a_predefined_endpoint_represents_a_buyer_and_identifies_him_unless_exported() {
    let foreign = |address: &str| {
        json!({"name": "Muller GmbH", "electronic_address": {"id": address},
               "address": {"line_1": "Weg 1", "city": "Bonn", "country_subdivision": "NW", "country_code": "DE"}})
    };
    let export = [(FLAGS, json!("00000001")), ("/delivery_address", place("DE"))];
    let body = with(Invoice, &[&export[..], &[("/customer", foreign("9900000099"))]].concat());
    let (document, warnings) = run(Invoice, &body).unwrap();
    assert!(document.is_predefined_endpoint());
    assert_eq!(warnings, []);
    expect(
        Invoice,
        &[],
        &[(
            &[("/customer", foreign("9900000098"))],
            &[("/customer/identifiers", "AP-PARTY-identifier-required")],
        )],
    );
}

#[test]
fn a_profile_that_lacks_something_is_reported_where_the_body_could_say_it() {
    let submission = crate::document::read(Invoice, body(Invoice).to_string().as_bytes()).unwrap();
    let poor = crate::document::Profile::from_json(
        br#"{"name": "X", "vat_identifier": "100123450100003"}"#,
    )
    .unwrap();
    let participant = "0235:1001234501".parse().unwrap();
    let issuance = crate::document::Issuance {
        taxpayer: &poor,
        participant: &participant,
        today: date(2026, 11, 20),
        uuid: uuid::Uuid::nil(),
        original: None,
    };
    let findings = crate::document::complete(submission, &issuance).unwrap_err();
    assert!(
        findings
            .iter()
            .all(|f| f.pointer == "/supplier" && f.message.starts_with("registered profile, "))
    );
    assert_eq!(findings.len(), 2, "{findings:?}");
}
