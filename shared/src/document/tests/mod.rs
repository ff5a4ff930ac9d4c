//! Tests of whole documents. Each file tests one group of rules.
#![expect(clippy::cloned_ref_to_slice_refs, reason = "tables read better in one form")]

mod amounts;
mod meaning;
mod parties;
mod profile;
mod properties;
mod shape;
mod structure;

use jiff::civil::date;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Document, Issuance, Operation, Original, Profile, ReadError, complete, read};
use crate::{
    error::{Finding, Severity},
    types::ParticipantId,
};

/// The profile of the taxpayer who sends.
pub(super) fn taxpayer() -> Value {
    json!({
        "electronic_address": {"id": "1001234501"},
        "trading_name": "Falcon",
        "identifiers": [{"id": "7300010000001", "scheme_id": "0088"}],
        "address": {"line_1": "Sheikh Zayed Road", "city": "Dubai", "country_subdivision": "DXB"},
        "vat_identifier": "100123450100003",
        "tax_registration_identifier": "1001234501",
        "name": "Falcon Trading LLC",
        "legal_registration": {"id": "CN-1", "type": "TL", "authority_name": "DET"}
    })
}

/// Another business, as the counterparty.
pub(super) fn counterparty() -> Value {
    json!({
        "address": {"line_1": "Corniche", "city": "Abu Dhabi", "country_subdivision": "AUH"},
        "vat_identifier": "100123450200003",
        "name": "Oasis Supplies FZE",
        "legal_registration": {"id": "CN-2", "type": "TL", "authority_name": "ADDED"}
    })
}

/// An address in this country.
pub(super) fn place(country: &str) -> Value {
    json!({"line_1": "Quay 1", "city": "Hamburg", "country_subdivision": "HH", "country_code": country})
}

/// The smallest body of an operation.
pub(super) fn body(operation: Operation) -> Value {
    let mut body = json!({
        "line_items": [{
            "quantity": "2",
            "item": {"name": "Chair"},
            "vat": {"category_code": "S"},
            "price": {"net_price": "100"}
        }]
    });
    let fields = body.as_object_mut().unwrap();
    let party = if operation.is_self_billed() { "supplier" } else { "customer" };
    fields.insert(party.to_owned(), counterparty());
    if operation.is_credit_note() {
        fields.insert("credit_note_number".to_owned(), json!("CN-1"));
        fields.insert("credit_note_reason_code".to_owned(), json!("DL8.61.1.D"));
        fields.insert("original_reference_kind".to_owned(), json!("external"));
        fields.insert("original_invoice_number".to_owned(), json!("INV-0"));
    } else {
        fields.insert("invoice_number".to_owned(), json!("INV-1"));
        fields.insert("due_date".to_owned(), json!("2026-12-31"));
    }
    if operation.is_self_billed() {
        let supplier = &mut fields["supplier"];
        supplier["tax_registration_identifier"] = json!("1001234502");
    }
    body
}

/// Puts a value at a pointer, whose parents must exist; null removes the member.
pub(super) fn set(body: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Object(fields) if value.is_null() => _ = fields.remove(name),
        Value::Object(fields) => _ = fields.insert(name.to_owned(), value),
        Value::Array(items) => {
            let index: usize = name.parse().unwrap();
            if index == items.len() {
                items.push(value);
            } else {
                items[index] = value;
            }
        }
        other => panic!("no place for {pointer} in {other}"),
    }
}

/// A body with changes.
pub(super) fn with(operation: Operation, changes: &[(&str, Value)]) -> Value {
    let mut body = body(operation);
    for (pointer, value) in changes {
        set(&mut body, pointer, value.clone());
    }
    body
}

/// Reads and completes a body, as the service does.
pub(super) fn run(
    operation: Operation,
    body: &Value,
) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    let original = Original { number: "INV-0".to_owned(), issue_date: date(2026, 11, 1) };
    run_with(operation, &body.to_string(), Some(&original))
}

pub(super) fn run_with(
    operation: Operation,
    json: &str,
    original: Option<&Original>,
) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    run_for(&taxpayer(), operation, json, original)
}

/// Reads and completes a body for a taxpayer with another profile.
pub(super) fn run_for(
    profile: &Value,
    operation: Operation,
    json: &str,
    original: Option<&Original>,
) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    let submission = match read(operation, json.as_bytes()) {
        Ok(submission) => submission,
        Err(ReadError::Invalid(findings)) => return Err(findings),
        Err(ReadError::Malformed(message)) => panic!("{message}: {json}"),
    };
    let taxpayer = Profile::from_json(profile.to_string().as_bytes()).unwrap();
    let participant: ParticipantId = "0235:1001234501".parse().unwrap();
    let issuance = Issuance {
        taxpayer: &taxpayer,
        participant: &participant,
        today: date(2026, 11, 20),
        uuid: Uuid::from_u128(7),
        original,
    };
    complete(submission, &issuance)
}

/// The findings of a body, errors and warnings.
pub(super) fn findings(operation: Operation, body: &Value) -> Vec<Finding> {
    match run(operation, body) {
        Ok((_, warnings)) => warnings,
        Err(findings) => findings,
    }
}

/// The errors of a body: pointer and rule.
pub(super) fn errors(operation: Operation, body: &Value) -> Vec<(String, String)> {
    findings(operation, body)
        .into_iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| (finding.pointer, finding.rule.into_owned()))
        .collect()
}

/// A pointer and the value to put there.
pub(super) type Change<'a> = (&'a str, Value);
/// The expected errors of changes: pointer and rule.
pub(super) type Errors<'a> = &'a [(&'a str, &'a str)];
/// Changes and the errors that they cause.
pub(super) type Case<'a> = (&'a [Change<'a>], Errors<'a>);

/// Applies each change alone and expects exactly its errors (pointer and rule).
pub(super) fn expect(operation: Operation, base: &[(&str, Value)], cases: &[Case<'_>]) {
    for (changes, expected) in cases {
        let changed: Vec<_> = base.iter().chain(*changes).cloned().collect();
        let found = errors(operation, &with(operation, &changed));
        let found: Vec<_> = found.iter().map(|(p, r)| (p.as_str(), r.as_str())).collect();
        assert_eq!(&found, expected, "{operation}: {changes:?}");
    }
}

pub(super) const ALL: [Operation; 4] = Operation::ALL;
