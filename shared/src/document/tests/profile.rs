//! Tests that the sender of a document is the registered taxpayer.

use serde_json::{Value, json};

use super::{body, counterparty, errors, expect, findings, run, run_for, set, taxpayer, with};
use crate::{
    document::{Operation, Operation::*, Profile},
    error::{Finding, Severity},
};

/// The supplier as the taxpayer gives it, with one change.
fn supplier(pointer: &str, value: Value) -> (&'static str, Value) {
    let mut own = taxpayer();
    if !pointer.is_empty() {
        set(&mut own, pointer, value);
    }
    ("/supplier", own)
}

#[test]
fn a_branch_gives_its_own_address_contact_trade_name_and_identifiers() {
    let branch = [
        ("/trading_name", json!("Falcon Express")),
        ("/address", json!({"line_1": "Port 3", "city": "Sharjah", "country_subdivision": "SHJ"})),
        ("/contact", json!({"name": "Sara", "email": "sara@falcon.example"})),
        ("/identifiers", json!([{"id": "5412345000013", "scheme_id": "0088"}])),
    ];
    for operation in [Invoice, CreditNote] {
        let mut own = taxpayer();
        branch.iter().for_each(|(pointer, value)| set(&mut own, pointer, value.clone()));
        let (document, warnings) = run(operation, &with(operation, &[("/supplier", own)])).unwrap();
        assert_eq!(warnings, []);
        let seller = document.seller;
        assert_eq!(seller.trading_name.as_deref(), Some("Falcon Express"));
        assert_eq!(seller.address.unwrap().city.as_deref(), Some("Sharjah"));
        assert_eq!(seller.contact.unwrap().name.as_deref(), Some("Sara"));
        assert_eq!(seller.identifiers[0].id, "5412345000013");
        assert_eq!(seller.electronic_address.unwrap().id, "1001234501");
    }
}

#[test]
fn an_identity_that_is_not_the_registered_one_is_refused_field_by_field() {
    let legal = "AP-PROFILE-legal-registration";
    let cases = [
        ("/name", json!("Falcon Trading LLC, Branch 2"), "/name", "AP-PROFILE-name"),
        (
            "/electronic_address/id",
            json!("1999999999"),
            "/electronic_address/id",
            "AP-PROFILE-endpoint",
        ),
        ("/vat_identifier", json!("100123450200003"), "/vat_identifier", "AP-PROFILE-vat"),
        (
            "/tax_registration_identifier",
            json!("1001234502"),
            "/tax_registration_identifier",
            "AP-PROFILE-tax-registration",
        ),
        (
            "/identifiers",
            json!([{"id": "1001234502", "scheme_id": "0235"}]),
            "/identifiers/0/id",
            "AP-PROFILE-identifier",
        ),
        ("/legal_registration/id", json!("CN-2"), "/legal_registration/id", legal),
        (
            "/legal_registration/authority_name",
            json!("ADDED"),
            "/legal_registration/authority_name",
            legal,
        ),
        ("/legal_registration/scheme_id", json!("0060"), "/legal_registration/scheme_id", legal),
    ];
    for operation in [Invoice, CreditNote] {
        for (pointer, value, place, rule) in &cases {
            let body = with(operation, &[supplier(pointer, value.clone())]);
            assert_eq!(
                errors(operation, &body),
                [(format!("/supplier{place}"), (*rule).to_owned())],
                "{pointer}"
            );
        }
    }
    let registration = json!({"id": "784-1", "type": "EID"});
    let place = "/supplier/legal_registration";
    expect(
        Invoice,
        &[],
        &[
            (
                &[supplier("/legal_registration", registration)],
                &[(&format!("{place}/id"), legal), (&format!("{place}/type"), legal)],
            ),
            (
                &[("/supplier", counterparty())],
                &[
                    ("/supplier/name", "AP-PROFILE-name"),
                    ("/supplier/vat_identifier", "AP-PROFILE-vat"),
                    (&format!("{place}/id"), legal),
                    (&format!("{place}/authority_name"), legal),
                ],
            ),
        ],
    );
    let found =
        &findings(Invoice, &with(Invoice, &[supplier("/legal_registration/id", json!("X"))]))[0];
    assert!(found.message.contains("legal_registration.id"), "{found:?}");
    assert_eq!(found.term.as_deref(), Some("IBT-030"));
}

#[test]
fn what_differs_from_the_profile_is_reported_beside_what_is_registered() {
    for (pointer, value, expected) in [
        ("/name", json!("Falcon  Trading LLC"), "Falcon Trading LLC"),
        ("/vat_identifier", json!("100123450200003"), "100123450100003"),
        ("/tax_registration_identifier", json!("1001234502"), "1001234501"),
        ("/electronic_address/id", json!("1999999999"), "1001234501"),
        ("/legal_registration/id", json!("CN-2"), "CN-1"),
        ("/legal_registration/authority_name", json!("ADDED"), "DET"),
    ] {
        let found = findings(Invoice, &with(Invoice, &[supplier(pointer, value.clone())]));
        let [finding] = &found[..] else { panic!("{found:?}") };
        assert_eq!(finding.expected.as_deref(), Some(expected), "{pointer}");
        assert_eq!(finding.value.as_deref(), value.as_str(), "{pointer}");
    }
    // The message names differences that a reader overlooks: an extra blank, a letter in another case.
    for name in ["Falcon  Trading LLC", "falcon trading llc", "Falcon Trading LLC "] {
        let found = findings(Invoice, &with(Invoice, &[supplier("/name", json!(name))]));
        assert!(found[0].message.contains("\"Falcon Trading LLC\" (name)"), "{found:?}");
        assert!(found[0].message.contains("spaces and capital letters matter"), "{found:?}");
    }
}

#[test]
fn a_supplier_of_another_scheme_is_not_the_taxpayer() {
    let address = json!({"id": "5412345000013", "scheme_id": "0088"});
    expect(
        Invoice,
        &[],
        &[(
            &[supplier("/electronic_address", address)],
            &[("/supplier/electronic_address/scheme_id", "AP-PROFILE-endpoint")],
        )],
    );
}

#[test]
fn a_supplier_given_by_half_is_to_be_left_out_or_given_whole() {
    let half = json!({"name": "Falcon Trading LLC"});
    let found = findings(Invoice, &with(Invoice, &[("/supplier", half)]));
    let pointers: Vec<_> = found.iter().map(|finding| finding.pointer.as_str()).collect();
    let missing = ["/supplier/address", "/supplier/vat_identifier", "/supplier/legal_registration"];
    assert_eq!(pointers, missing);
    for finding in found {
        let fix = finding.fix.unwrap();
        assert!(fix.contains("Leave supplier out") && fix.contains("give all of it"), "{fix}");
    }
}

/// The findings that a taxpayer with this profile gets for a body.
fn profile_findings(profile: &Value, operation: Operation, body: &Value) -> Vec<Finding> {
    match run_for(profile, operation, &body.to_string(), None) {
        Ok((_, warnings)) => warnings,
        Err(findings) => findings,
    }
}

#[test]
fn the_trn_of_a_vat_group_comes_from_the_profile() {
    let group = "100999888700003";
    let mut member = taxpayer();
    member["vat_identifiers"] = json!([group]);
    let mut own = taxpayer();
    own["vat_identifier"] = json!(group);
    own.as_object_mut().unwrap().remove("electronic_address");
    let body = with(Invoice, &[("/supplier", own)]);
    let (document, _) = run_for(&member, Invoice, &body.to_string(), None).unwrap();
    assert_eq!(document.seller.vat_identifier.as_deref(), Some(group));
    assert_eq!(document.seller.electronic_address.unwrap().id, "1001234501", "its own place");
    assert_eq!(
        profile_findings(&taxpayer(), Invoice, &body)[0].rule,
        "AP-PROFILE-vat",
        "not of this profile"
    );

    // The only TRN of this group member. It is valid on its invoices, and as the buyer in self-billing.
    member.as_object_mut().unwrap().remove("vat_identifier");
    for operation in [Invoice, SelfBilledInvoice] {
        let text = super::body(operation).to_string();
        let (document, _) = run_for(&member, operation, &text, None).unwrap();
        let party = if operation.is_self_billed() { document.buyer } else { document.seller };
        assert_eq!(party.vat_identifier.as_deref(), Some(group));
        assert_eq!(party.electronic_address.unwrap().id, "1001234501");
    }
}

#[test]
fn a_profile_is_a_party_with_further_trns_and_reads_back() {
    let plain = Profile::from_json(taxpayer().to_string().as_bytes()).unwrap();
    assert_eq!((plain.vat_identifiers.len(), plain.to_json()), (0, taxpayer()));
    let mut group = taxpayer();
    group["vat_identifiers"] = json!(["100999888700003"]);
    let read = Profile::from_json(group.to_string().as_bytes()).unwrap();
    assert_eq!(read.to_json(), group);
    group["vat_identifiers"] = json!("100999888700003");
    assert!(Profile::from_json(group.to_string().as_bytes()).is_err());
    assert!(Profile::from_json(br#"{"nam": "x"}"#).is_err());
    let body = with(Invoice, &[supplier("/vat_identifiers", json!(["100999888700003"]))]);
    assert_eq!(errors(Invoice, &body)[0].1, "AP-JSON-unknown-field", "no field of a body");
}

#[test]
fn nobody_invoices_or_self_bills_itself() {
    let rule = "AP-PARTY-itself";
    for operation in Operation::ALL {
        let field = if operation.is_self_billed() { "/supplier" } else { "/customer" };
        let at = |name: &str| format!("{field}{name}");
        let endpoint = at("/electronic_address");
        for (changes, place) in [
            (vec![(endpoint.as_str(), json!({"id": "1001234501"}))], at("/electronic_address/id")),
            (
                vec![(endpoint.as_str(), json!({"id": "100123450100003"}))],
                at("/electronic_address/id"),
            ),
            (vec![(&*at("/vat_identifier"), json!("100123450100003"))], at("/vat_identifier")),
            (
                vec![
                    (endpoint.as_str(), json!({"id": "1001234509"})),
                    (&*at("/vat_identifier"), json!("100123450100003")),
                ],
                at("/vat_identifier"),
            ),
        ] {
            let found = errors(operation, &with(operation, &changes));
            assert_eq!(found, [(place, rule.to_owned())], "{operation} {changes:?}");
        }
    }
}

#[test]
fn a_deemed_supply_may_name_its_seller_as_its_buyer_but_goes_nowhere() {
    let deemed = ("/transaction_type_code", json!("01000000"));
    let mut itself = taxpayer();
    itself.as_object_mut().unwrap().retain(|name, _| !name.starts_with("tax_"));
    let mut nowhere = itself.clone();
    nowhere["electronic_address"]["id"] = json!("9900000097");
    run(Invoice, &with(Invoice, &[deemed.clone(), ("/customer", nowhere)])).unwrap();
    let found = findings(Invoice, &with(Invoice, &[deemed, ("/customer", itself)]));
    assert_eq!(found[0].pointer, "/customer/electronic_address/id");
    assert!(found[0].message.contains("9900000097"), "{found:?}");
}

#[test]
fn a_trn_in_place_of_a_tin_is_normalised_with_a_warning_wherever_it_is_given() {
    for (operation, field, party) in [
        (Invoice, "/customer", counterparty()),
        (CreditNote, "/customer", counterparty()),
        (Invoice, "/supplier", taxpayer()),
        (SelfBilledInvoice, "/supplier", counterparty()),
        (SelfBilledCreditNote, "/supplier", counterparty()),
    ] {
        let trn = party["vat_identifier"].clone();
        let tin = &trn.as_str().unwrap()[..10];
        for address in [json!({"id": trn}), json!({"id": trn, "scheme_id": "0235"})] {
            let mut party = party.clone();
            party["electronic_address"] = address;
            if operation.is_self_billed() {
                party["tax_registration_identifier"] = json!(tin);
            }
            let body = with(operation, &[(field, party)]);
            let (document, warnings) = run(operation, &body).unwrap();
            let pointer = format!("{field}/electronic_address/id");
            let found: Vec<_> = warnings.iter().map(|w| (&*w.pointer, &*w.rule)).collect();
            assert_eq!(found, [(&*pointer, "AP-PARTY-endpoint-trn")], "{operation}");
            assert_eq!(warnings[0].severity, Severity::Warning);
            assert!(warnings[0].message.contains(tin));
            let of_supplier = field == "/supplier";
            let party = if of_supplier { document.seller } else { document.buyer };
            assert_eq!(party.electronic_address.unwrap().id, tin);
        }
    }
    // An identifier of another scheme is not checked. A profile is normalised without a finding.
    let address = json!({"id": "100123450200003", "scheme_id": "0060"});
    let body = with(Invoice, &[("/customer/electronic_address", address)]);
    let (document, warnings) = run(Invoice, &body).unwrap();
    assert_eq!((warnings, document.buyer.electronic_address.unwrap().id.len()), (vec![], 15));
    let mut profile = taxpayer();
    profile["electronic_address"]["id"] = json!("100123450100003");
    let text = super::body(Invoice).to_string();
    let (document, warnings) = run_for(&profile, Invoice, &text, None).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(document.seller.electronic_address.unwrap().id, "1001234501");
}

#[test]
fn a_predefined_endpoint_is_one_of_three() {
    let address = |id: &str| ("/customer/electronic_address", json!({"id": id}));
    let found = findings(Invoice, &with(Invoice, &[address("9900000096")]));
    assert_eq!(found[0].rule, "AP-PARTY-endpoint");
    for known in ["9900000097", "9900000098", "9900000099"] {
        assert!(found[0].message.contains(known), "{found:?}");
    }
    assert_eq!(errors(Invoice, &with(Invoice, &[address("9900000098")])), []);
    assert!(run(Invoice, &body(Invoice)).is_ok());
}
