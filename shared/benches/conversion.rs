//! How long a document takes from JSON to UBL on one core: read, complete, write.
//!
//! Own loop instead of a framework: a median of timed runs is all that is asked. The time is the
//! thread's own CPU time, so that the figures hold on a machine that does other work as well.

use std::{
    hint::black_box,
    io::{self, Write},
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
        "vat": { "category_code": if place.is_multiple_of(7) { "Z" } else { "S" } },
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

/// CPU nanoseconds of the thread so far.
fn cpu_time() -> i128 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
}

/// CPU nanoseconds of reading, completing and writing, and the bytes that came out.
fn convert(json: &[u8], context: &Context<'_>) -> Result<([i128; 3], usize), String> {
    let start = cpu_time();
    let submission = document::read(Operation::Invoice, black_box(json));
    let submission = submission.map_err(|error| format!("{error:?}"))?;
    let read = cpu_time();
    let document = document::complete(submission, context);
    let (document, _) = document.map_err(|findings| format!("{findings:?}"))?;
    let completed = cpu_time();
    let ubl = black_box(ubl::write(&document));
    let written = cpu_time();
    Ok(([read - start, completed - read, written - completed], ubl.len()))
}

fn median(mut times: Vec<i128>) -> i128 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
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
    writeln!(out, "JSON to UBL on one core, CPU time, medians in microseconds")?;
    writeln!(
        out,
        "{:>6} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "lines", "runs", "JSON", "UBL", "read", "complete", "write", "all", "ns/line"
    )?;
    for (lines, runs) in [(1, 2000), (10, 1000), (100, 300), (1000, 100)] {
        let json = body(lines);
        // The first runs warm caches and allocator.
        for _ in 0..runs / 10 {
            convert(&json, &context)?;
        }
        let mut times = [const { Vec::new() }; 4];
        let mut bytes = 0;
        for _ in 0..runs {
            let (stages, length) = convert(&json, &context)?;
            let all = stages.iter().sum();
            times.iter_mut().zip(stages.into_iter().chain([all])).for_each(|(v, t)| v.push(t));
            bytes = length;
        }
        let [read, complete, write, all] = times.map(median);
        writeln!(
            out,
            "{lines:>6} {runs:>6} {:>9} {bytes:>9} {:>9} {:>9} {:>9} {:>9} {:>8}",
            json.len(),
            read / 1000,
            complete / 1000,
            write / 1000,
            all / 1000,
            all / lines as i128,
        )?;
    }
    Ok(())
}
