//! Test events made by the command line. Each has the fields of its type and concerns no real document.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::types::{Clock, DocumentId, EventId, GrantId, Random, ReportId, TaxpayerId};

/// The envelope of a test event (specification 6.3), or what is wrong with what was asked for.
pub(super) fn event(
    kind: &str,
    outcome: Option<&str>,
    clock: &dyn Clock,
    random: &dyn Random,
) -> Result<Value, String> {
    let now = clock.now();
    let (taxpayer_id, participant_id) = (TaxpayerId::new(now, random), "0235:1000000000");
    let outcome = match (kind, outcome) {
        ("document.reported", None | Some("accepted")) => "REPORTED",
        ("document.reported", Some("rejected")) => "NOT_COMPLIANT",
        ("document.reported", Some("failed")) => "FAILED",
        ("document.reported", Some(_)) => {
            return Err("--outcome is accepted, rejected or failed".to_owned());
        }
        (_, Some(_)) => return Err("--outcome goes with document.reported alone".to_owned()),
        (_, None) => "",
    };
    let document = |direction: &str, status: &str| {
        json!({
            "taxpayer_id": taxpayer_id,
            "document_id": DocumentId::new(now, random),
            "message_id": "test@access-point.example",
            "document_type_code": "380",
            "type": "invoice",
            "direction": direction,
            "number": "TEST-1",
            "status": status,
            "issue_date": text(now)[..10],
            "currency": "AED",
            "total_with_vat": "105.00",
            "amount_due": "105.00",
            "counterparty": {"name": "Test Company LLC", "electronic_address": {"scheme_id": "0235", "id": "1000000001"}},
        })
    };
    let taxpayer = |grants: Value| {
        json!({
            "taxpayer_id": taxpayer_id, "participant_id": participant_id, "status": "active", "grants": grants, "metadata": {},
        })
    };
    let grant = || json!([{"grant_id": GrantId::new(now, random), "scopes": ["invoices:read", "invoices:write"], "created_at": text(now)}]);
    let (data, before) = match kind {
        "taxpayer.created" => (taxpayer(grant()), Value::Null),
        "taxpayer.updated" => (taxpayer(grant()), json!({"status": "suspended"})),
        "taxpayer.deleted" => (taxpayer(json!([])), Value::Null),
        "document.sent" => (document("outbound", "sent"), Value::Null),
        "document.received" => (document("inbound", "received"), Value::Null),
        "document.status" => (document("outbound", "delivered"), json!({"status": "sent"})),
        "document.reported" => {
            let report_id = ReportId::new(now, random);
            let data = json!({
                "taxpayer_id": taxpayer_id,
                "document_id": DocumentId::new(now, random),
                "message_id": "test@access-point.example",
                "document_type_code": "380",
                "submission_id": report_id,
                "submission_message_id": "report@access-point.example",
                "report": {"report_id": report_id, "outcome": outcome},
            });
            (data, Value::Null)
        }
        _ => return Err(format!("there is no type {kind:?}")),
    };
    let mut event = json!({
        "id": EventId::new(now, random),
        "type": kind,
        "version": "1",
        "created_at": text(now),
        "participant_id": participant_id,
        "environment": "sandbox",
        "test": true,
        "data": data,
    });
    if !before.is_null() {
        event["previous_attributes"] = before;
    }
    Ok(event)
}

fn text(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
