//! How long a document takes from JSON to UBL on one core: read, complete, write.
//!
//! Own loop instead of a framework: a median of timed runs is all that is asked.

use std::{
    hint::black_box,
    io::{self, Write},
    time::{Duration, Instant},
};

use access_point::{
    document::{self, Context, Operation, Party},
    types::ParticipantId,
    ubl,
};
use jiff::civil::date;
use serde_json::{Value, json};
use uuid::Uuid;

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
        "vat": { "category_code": if place % 7 == 0 { "Z" } else { "S" } },
        "price": { "gross_price": format!("{}.75", place % 1000 + 10), "discount": "0.5" },
    })
}

fn body(lines: usize) -> Vec<u8> {
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

/// The time of one conversion, and the bytes that it gave.
fn convert(json: &[u8], context: &Context<'_>) -> Result<(Duration, usize), String> {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    let start = Instant::now();
    let submission = document::read(Operation::Invoice, black_box(json));
    let submission = submission.map_err(|error| format!("{error:?}"))?;
    let document = document::complete(submission, context);
    let (document, _) = document.map_err(|findings| format!("{findings:?}"))?;
    let ubl = black_box(ubl::write(&document));
    Ok((start.elapsed(), ubl.len()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let taxpayer = Party::from_json(PARTY.as_bytes()).map_err(|error| format!("{error:?}"))?;
    let participant: ParticipantId = "0235:1001234501".parse()?;
    let context = Context {
        taxpayer: &taxpayer,
        participant: &participant,
        today: date(2026, 11, 20),
        uuid: Uuid::from_u128(1),
        original: None,
    };
    let mut out = io::stdout().lock();
    writeln!(out, "JSON to UBL: read, complete, write; one core, median of the runs")?;
    writeln!(
        out,
        "{:>6} {:>6} {:>10} {:>10} {:>12} {:>9}",
        "lines", "runs", "JSON", "UBL", "median", "ns/line"
    )?;
    for (lines, runs) in [(1, 2000), (10, 1000), (100, 300), (1000, 100)] {
        let json = body(lines);
        // The first runs warm caches and allocator.
        for _ in 0..runs / 10 {
            convert(&json, &context)?;
        }
        let mut times = Vec::with_capacity(runs);
        let mut bytes = 0;
        for _ in 0..runs {
            let (time, length) = convert(&json, &context)?;
            times.push(time);
            bytes = length;
        }
        times.sort_unstable();
        let median = times[runs / 2];
        let per_line = median.as_nanos() / lines as u128;
        let size = json.len();
        let micros = median.as_micros();
        writeln!(out, "{lines:>6} {runs:>6} {size:>10} {bytes:>10} {micros:>9} µs {per_line:>9}")?;
    }
    Ok(())
}
