//! Sends, and the documents that they send.

use serde_json::{Value, json};

use crate::{
    access::Caller,
    document::Operation,
    error::{Failure, Finding},
    service::{
        Sending,
        documents::{self, Stored},
        reply::{Reply, Sent},
        submit::{self, Send},
    },
    store::{DocumentRecord, ImportRecord, PayloadMethod, instant},
};

/// Sends a body for a caller.
pub(crate) async fn send(
    sending: &Sending,
    caller: &Caller,
    operation: Operation,
    body: &Value,
    key: Option<&str>,
) -> Result<Sent, Failure> {
    let body = body.to_string();
    let send = Send {
        operation,
        body: body.as_bytes(),
        idempotency_key: key,
        respond_async: false,
        import: None,
    };
    submit::send(sending, caller, send, render).await
}

/// Sends an invoice through the queues.
pub(crate) async fn send_queued(
    sending: &Sending,
    caller: &Caller,
    body: &Value,
    key: Option<&str>,
) -> Result<Sent, Failure> {
    let body = body.to_string();
    let send = Send {
        operation: Operation::Invoice,
        body: body.as_bytes(),
        idempotency_key: key,
        respond_async: true,
        import: None,
    };
    submit::send(sending, caller, send, render).await
}

/// The UBL of a document, of any size.
pub(crate) async fn ubl(
    sending: &Sending,
    caller: &Caller,
    document_id: &str,
) -> Result<Vec<u8>, Failure> {
    let method = PayloadMethod::Get;
    match documents::ubl(&sending.reading(), caller.reader(), document_id, usize::MAX, method)
        .await?
        .stored
    {
        Stored::Here(bytes) => Ok(bytes),
        Stored::Elsewhere(address) => panic!("{address}"),
    }
}

/// The answer to an import.
pub(crate) fn render_import(record: &ImportRecord) -> Reply {
    let body = format!("{{\"import_id\":\"{}\"}}", record.import_id);
    Reply { status: 202, body: body.into_bytes() }
}

/// The answer to a send.
pub(crate) fn render(record: &DocumentRecord, warnings: &[Finding]) -> Reply {
    let body = json!({
        "document_id": record.document_id.as_str(),
        "status": record.status.as_str(),
        "updated_at": instant(record.updated_at),
        "warnings": warnings.len(),
    });
    let status = if record.status.as_str() == "accepted" { 202 } else { 201 };
    Reply { status, body: body.to_string().into_bytes() }
}

/// A party as a profile or as a counterparty.
pub(crate) fn party(name: &str, tin: &str) -> Value {
    json!({
        "electronic_address": {"id": tin},
        "address": {"line_1": "Corniche 1", "city": "Abu Dhabi", "country_subdivision": "AUH"},
        "vat_identifier": format!("{tin}00003"),
        "tax_registration_identifier": tin,
        "name": name,
        "legal_registration": {"id": "CN-1", "type": "TL", "authority_name": "ADDED"}
    })
}

/// A party as the customer of an invoice, which has no TIN field of its own.
pub(crate) fn customer(name: &str, tin: &str) -> Value {
    let mut party = party(name, tin);
    party.as_object_mut().unwrap().remove("tax_registration_identifier");
    party
}

/// A small invoice.
pub(crate) fn invoice(number: &str, customer_tin: &str) -> Value {
    json!({
        "invoice_number": number,
        "due_date": "2026-12-31",
        "customer": customer("Somebody", customer_tin),
        "line_items": [{
            "quantity": "2",
            "item": {"name": "Chair"},
            "vat": {"category_code": "S"},
            "price": {"net_price": "100"}
        }]
    })
}

/// A small invoice for a recipient who is not subject to e-invoicing. It goes to a predefined endpoint, and is only
/// reported.
pub(crate) fn to_nobody(number: &str) -> Value {
    let mut body = invoice(number, "9900000098");
    body["customer"]["identifiers"] = json!([{"id": "B-1"}]);
    body["customer"].as_object_mut().unwrap().remove("vat_identifier");
    body
}
