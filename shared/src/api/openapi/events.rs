//! Webhooks in the OpenAPI document: the envelope, the payload and one entry an event type.

use serde_json::{Map, Value, json};

use super::{descriptions, reference};
use crate::store::EventType;

/// Adds the webhooks section and its schemas.
pub(super) fn add(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    schemas["Event"] = envelope();
    schemas["DocumentEventData"] = data();
    let webhooks: Map<String, Value> = EventType::ALL
        .iter()
        .map(|event_type| (event_type.as_str().to_owned(), json!({"post": webhook(*event_type)})))
        .collect();
    document["webhooks"] = webhooks.into();
}

fn webhook(event_type: EventType) -> Value {
    let summary = match event_type {
        EventType::DocumentSent => {
            "A document was sent; this does not establish that the recipient accepts it"
        }
        EventType::DocumentReceived => "A document was received for the taxpayer",
        EventType::DocumentStatus => "The status of a document changed, such as to failed",
    };
    let header = |name: &str, schema: Value, description: &str| {
        json!({"name": name, "in": "header", "required": true, "schema": schema,
               "description": description})
    };
    json!({
        "operationId": format!("on_{}", event_type.as_str().replace('.', "_")),
        "summary": summary,
        "description": descriptions::EVENT,
        "security": [],
        "parameters": [
            header("webhook-id", json!({"type": "string"}), "The event's id; the same at every attempt."),
            header("webhook-timestamp", json!({"type": "string", "pattern": "^[0-9]+$"}),
                "Time of this attempt in seconds since 1970; refuse what is more than 5 minutes off."),
            header("webhook-signature", json!({"type": "string"}),
                "Signatures separated by spaces, each v1, and the base64 of \
                 HMAC-SHA256(secret, \"{webhook-id}.{webhook-timestamp}.{body}\"). Accept the \
                 delivery when one of them is right."),
        ],
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": {"allOf": [
                reference("schemas", "Event"),
                {"properties": {"type": {"const": event_type.as_str()}}},
            ]},
            "example": example(event_type),
        }}},
        "responses": {
            "2XX": {"description": "Taken and safely stored; not sent again"},
            "410": {"description": "Gone: the endpoint is disabled"},
            "default": {"description": "Not taken; tried again later"},
        },
    })
}

/// Specification 6.3.
fn envelope() -> Value {
    let types: Vec<&str> = EventType::ALL.iter().map(|t| t.as_str()).collect();
    json!({
        "type": "object",
        "description": "The envelope of every event.",
        "required": ["id", "type", "version", "created_at", "participant_id", "environment", "test", "data"],
        "properties": {
            "id": {"type": "string", "pattern": "^evt_", "description": "Equal to the webhook-id header."},
            "type": {"type": "string", "enum": types, "description": "What happened."},
            "version": {"type": "string", "const": "1", "description": "Version of the envelope."},
            "created_at": {"type": "string", "format": "date-time", "description": "When it happened."},
            "participant_id": {"type": "string", "description": "The taxpayer's Peppol participant identifier."},
            "environment": {"type": "string", "enum": ["live", "sandbox"], "description": "The mode."},
            "test": {"type": "boolean", "description": "Whether the event is synthetic."},
            "data": reference("schemas", "DocumentEventData"),
        },
    })
}

/// What an event tells about its document.
fn data() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "description": "The document concerned. Correlate by document_id. Fields may be added.",
        "required": [
            "taxpayer_id", "document_id", "message_id", "document_type_code", "type", "direction",
            "number", "status", "issue_date", "currency", "total_with_vat", "amount_due",
            "counterparty",
        ],
        "properties": {
            "taxpayer_id": text("The taxpayer."),
            "document_id": text("Identifier on this access point."),
            "message_id": text("SBDH InstanceIdentifier of the transmission."),
            "source_id": text("The caller's own document id, as given at the send; left out where none was."),
            "document_type_code": text("UBL type code."),
            "type": reference("schemas", "DocumentType"),
            "direction": reference("schemas", "DocumentDirection"),
            "number": text("Document number."),
            "status": reference("schemas", "DocumentStatus"),
            "issue_date": {"type": "string", "format": "date", "description": "Issue date."},
            "currency": text("Currency of the amounts."),
            "total_with_vat": text("Total with VAT, a decimal."),
            "amount_due": text("Amount due for payment, a decimal."),
            "counterparty": {
                "type": "object",
                "description": "The other party: the customer, in self-billing the supplier; of a \
                    received document the sender.",
                "required": ["name"],
                "properties": {
                    "name": text("Its name; cut to 500 characters."),
                    "participant_id": text("Its electronic address, left out where it has none."),
                },
            },
        },
    })
}

fn example(event_type: EventType) -> Value {
    let (direction, status) = match event_type {
        EventType::DocumentSent => ("outbound", "sent"),
        EventType::DocumentReceived => ("inbound", "received"),
        EventType::DocumentStatus => ("outbound", "failed"),
    };
    json!({
        "id": "evt_019f1c2e8a7b7cc1a1b2c3d4e5f60719",
        "type": event_type.as_str(),
        "version": "1",
        "created_at": "2026-07-01T10:00:00.000Z",
        "participant_id": "0235:1001234501",
        "environment": "sandbox",
        "test": false,
        "data": {
            "taxpayer_id": "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60717",
            "document_id": "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
            "message_id": "019f1c2e-8a7b-7cc1-a1b2-c3d4e5f60720",
            "source_id": "order-4711",
            "document_type_code": "380",
            "type": "invoice",
            "direction": direction,
            "number": "2026-0001",
            "status": status,
            "issue_date": "2026-07-01",
            "currency": "AED",
            "total_with_vat": "1050.00",
            "amount_due": "1050.00",
            "counterparty": {"name": "Oasis Supplies FZE", "participant_id": "0235:1001234502"},
        },
    })
}
