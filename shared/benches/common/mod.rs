//! What the benchmarks share: a document of so many lines, and a clock.
//!
//! Own loops instead of a framework: a median of timed runs is all that is asked. The time is the
//! thread's own CPU time, so that the figures hold on a machine that does other work as well.

use access_point::{
    document::{self, Issuance, Profile},
    types::ParticipantId,
    ubl,
};
use jiff::civil::date;
use serde_json::{Value, json};
use uuid::Uuid;

/// Lines of the documents that are measured, and how often each is.
pub(crate) const SIZES: [(usize, usize); 4] = [(1, 2000), (10, 1000), (100, 300), (1000, 100)];

const PARTY: &str = r#"{
    "electronic_address": { "id": "1001234501" },
    "address": { "line_1": "Street 1", "city": "Dubai", "country_subdivision": "DXB" },
    "vat_identifier": "100123450100003",
    "name": "Falcon Trading LLC",
    "legal_registration": { "id": "CN-1001", "type": "TL", "authority_name": "Economy" }
}"#;

/// A line as an ERP sends it: identifiers, an allowance, a charge, a discounted price.
fn line(place: usize) -> Value {
    json!({
        "id": place.to_string(), "quantity": (place % 97 + 1).to_string(), "unit_code": "H87",
        "purchase_order_line_reference": place.to_string(),
        "allowances": [{ "amount": "1.25", "reason": "Loyalty", "reason_code": "95" }],
        "charges": [{ "base_amount": "100", "percentage": "2.5", "reason_code": "FC" }],
        "item": {
            "name": format!("Item {place}"), "description": "Steel & brass, galvanised",
            "seller_identifier": format!("SKU-{place}"), "type_code": "G",
            "classifications": [{ "code": "74031100" }],
        },
        "vat": { "category_code": if place.is_multiple_of(7) { "Z" } else { "S" } },
        "price": { "gross_price": format!("{}.75", place % 1000 + 10), "discount": "0.5" },
    })
}

/// An invoice of so many lines, as an ERP sends it.
pub(crate) fn body(lines: usize) -> Vec<u8> {
    let lines: Vec<_> = (1..=lines).map(line).collect();
    let mut customer: Value = serde_json::from_str(PARTY).unwrap_or_default();
    customer["electronic_address"]["id"] = json!("1001234502");
    customer["vat_identifier"] = json!("100123450200003");
    let body = json!({
        "invoice_number": "INV-1", "due_date": "2026-12-20", "customer": customer,
        "purchase_order_reference": "PO-1",
        "payment_means": {
            "means_code": "30",
            "credit_transfer": { "account_identifier": { "id": "AE070331234567890123456" } },
        },
        "line_items": lines,
    });
    body.to_string().into_bytes()
}

/// Who sends it.
pub(crate) struct Sender {
    taxpayer: Profile,
    participant: ParticipantId,
}

impl Sender {
    pub(crate) fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let taxpayer =
            Profile::from_json(PARTY.as_bytes()).map_err(|error| format!("{error:?}"))?;
        Ok(Self { taxpayer, participant: "0235:1001234501".parse()? })
    }

    pub(crate) fn issuance(&self) -> Issuance<'_> {
        Issuance {
            taxpayer: &self.taxpayer,
            participant: &self.participant,
            today: date(2026, 11, 20),
            uuid: Uuid::from_u128(1),
            original: None,
        }
    }
}

/// The UBL of an invoice of so many lines.
#[allow(dead_code)] // the benchmark of the conversion takes the steps one by one
pub(crate) fn invoice(lines: usize, sender: &Sender) -> Result<Vec<u8>, String> {
    let submission = document::read(document::Operation::Invoice, &body(lines));
    let submission = submission.map_err(|error| format!("{error:?}"))?;
    let completed = document::complete(submission, &sender.issuance());
    let (document, _) = completed.map_err(|findings| format!("{findings:?}"))?;
    Ok(ubl::write(&document))
}

/// CPU nanoseconds of the process so far, of all threads that it may have.
pub(crate) fn cpu_time() -> i128 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
}

/// The middle of the times; 0 of none.
pub(crate) fn median(mut times: Vec<i128>) -> i128 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
