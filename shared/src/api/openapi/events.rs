//! Webhooks in the OpenAPI document: the envelope, the data, and one entry for each event type.

use serde_json::{Map, Value, json};

use super::{descriptions, reference, reported};
use crate::{
    access::{Scope, TaxpayerStatus},
    store::EventType,
};

/// An event type with its data.
struct DescribedEvent {
    event_type: EventType,
    summary: &'static str,
    /// The name of its data's schema; `data` is an example.
    schema: &'static str,
    data: fn() -> Value,
    /// An example of the previous values.
    previous: Option<fn() -> Value>,
}

const EVENTS: [DescribedEvent; 7] = [
    DescribedEvent {
        event_type: EventType::TaxpayerCreated,
        summary: "You got your first active grant on a taxpayer, and are connected to it",
        schema: TAXPAYER,
        data: || taxpayer(&[FIRST]),
        previous: None,
    },
    DescribedEvent {
        event_type: EventType::TaxpayerUpdated,
        summary: "Details, status or grants of a taxpayer changed, and at least one of your grants is left",
        schema: TAXPAYER,
        data: || taxpayer(&[FIRST, SECOND]),
        previous: Some(|| json!({"grants": grants(&[FIRST])})),
    },
    DescribedEvent {
        event_type: EventType::TaxpayerDeleted,
        summary: "Your last active grant on a taxpayer was revoked. Stop acting for it. You receive no further \
            events about it",
        schema: TAXPAYER,
        data: || taxpayer(&[]),
        previous: None,
    },
    DescribedEvent {
        event_type: EventType::DocumentSent,
        summary: "A document was sent. This does not mean that the recipient accepts it",
        schema: DOCUMENT,
        data: || document("outbound", "sent"),
        previous: None,
    },
    DescribedEvent {
        event_type: EventType::DocumentReceived,
        summary: "A document was received for the taxpayer",
        schema: DOCUMENT,
        data: || document("inbound", "received"),
        previous: None,
    },
    DescribedEvent {
        event_type: EventType::DocumentStatus,
        summary: "The status of a document changed, such as to failed, delivered, forwarded or rejected",
        schema: DOCUMENT,
        data: rejected,
        previous: Some(|| json!({"status": "sent"})),
    },
    DescribedEvent {
        event_type: EventType::DocumentReported,
        summary: "A report to the tax authority has its outcome: REPORTED, NOT_COMPLIANT, or FAILED if it did not \
            arrive",
        schema: REPORT,
        data: reported::example,
        previous: None,
    },
];

const DOCUMENT: &str = "DocumentEventData";
const REPORT: &str = "ReportEventData";
const TAXPAYER: &str = "TaxpayerEventData";
const FIRST: &str = "tgr_019f1c2e8a7b7cc1a1b2c3d4e5f60721";
const SECOND: &str = "tgr_019f1c2e8a7b7cc1a1b2c3d4e5f60722";

/// Adds the webhooks section and its schemas.
pub(super) fn add(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    schemas["Event"] = envelope();
    schemas[DOCUMENT] = document_data();
    schemas[REPORT] = reported::data();
    schemas[TAXPAYER] = taxpayer_data();
    schemas["EventGrant"] = grant();
    let webhooks: Map<String, Value> = EVENTS
        .iter()
        .map(|described| {
            (described.event_type.as_str().to_owned(), json!({"post": webhook(described)}))
        })
        .collect();
    document["webhooks"] = webhooks.into();
}

fn webhook(described: &DescribedEvent) -> Value {
    let DescribedEvent { event_type, summary, schema, .. } = described;
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
            header("webhook-id", json!({"type": "string"}), "Identifier of the event. It is the same for every \
                attempt."),
            header("webhook-timestamp", json!({"type": "string", "pattern": "^[0-9]+$"}),
                "Time of this attempt in seconds since 1970. Refuse a time that differs from yours by more than 5 \
                    minutes."),
            header("webhook-signature", json!({"type": "string"}),
                "Signatures separated by spaces. Each is v1, followed by a comma and the base64 of \
                    HMAC-SHA256(secret, \"{webhook-id}.{webhook-timestamp}.{body}\"). Accept the delivery when one \
                    of them is valid."),
        ],
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": {"allOf": [
                reference("schemas", "Event"),
                {"properties": {
                    "type": {"const": event_type.as_str()},
                    "data": reference("schemas", schema),
                }},
            ]},
            "example": example(described),
        }}},
        "responses": {
            "2XX": {"description": "Accepted and safely stored. The event is not sent again"},
            "410": {"description": "Gone. The endpoint is disabled"},
            "default": {"description": "Not accepted. The event is sent again later"},
        },
    })
}

/// The envelope (specification 6.3).
fn envelope() -> Value {
    let types: Vec<&str> = EventType::ALL.iter().map(|t| t.as_str()).collect();
    json!({
        "type": "object",
        "description": "The envelope of every event.",
        "required": ["id", "type", "version", "created_at", "participant_id", "environment", "test", "data"],
        "properties": {
            "id": {"type": "string", "pattern": "^evt_", "description": "Identifier of the event, equal to the \
                webhook-id header."},
            "type": {"type": "string", "enum": types, "description": "Type of the event."},
            "version": {"type": "string", "const": "1", "description": "Version of the envelope."},
            "created_at": {"type": "string", "format": "date-time", "description": "Creation time of the event."},
            "participant_id": {"type": "string", "description": "The taxpayer's Peppol participant identifier."},
            "environment": {"type": "string", "enum": ["live", "sandbox"], "description": "Environment of the event."},
            "test": {"type": "boolean", "description": "Whether this is a test event."},
            "data": {"type": "object", "description": "Data of the event, see each event type. Fields may be added."},
            "previous_attributes": {
                "type": "object",
                "description": "Old values of the changed fields. Present in updates of a taxpayer and of a \
                    document's status.",
            },
        },
    })
}

/// The data of an event about a taxpayer.
fn taxpayer_data() -> Value {
    json!({
        "type": "object",
        "description": "The taxpayer, and your organization's grants and data about it. Fields may be added.",
        "required": ["taxpayer_id", "participant_id", "status", "grants", "metadata"],
        "properties": {
            "taxpayer_id": {"type": "string", "description": "Identifier of the taxpayer."},
            "participant_id": {"type": "string", "description": "Peppol participant identifier of the taxpayer."},
            "status": {
                "type": "string", "enum": TaxpayerStatus::ALL.map(TaxpayerStatus::as_str),
                "description": "Status of the taxpayer, see TaxpayerStatus.",
            },
            "grants": {
                "type": "array", "items": reference("schemas", "EventGrant"),
                "description": "Your active grants on the taxpayer, oldest first, at most 100.",
            },
            "metadata": {
                "type": "object", "additionalProperties": {"type": "string"},
                "description": "Your own data about the taxpayer. previous_attributes.metadata contains the old \
                    values of changed keys, and null for a new key.",
            },
            "name": {
                "type": "string",
                "description": "Name of the taxpayer. Present when its registered details changed and one of your \
                    grants has the scope taxpayer:read. previous_attributes.name contains the old name if it \
                    changed.",
            },
            "profile": {
                "type": "object",
                "description": "Registered profile of the taxpayer. Present in the same cases as `name`. \
                    previous_attributes.profile contains the old profile. Without the scope, the old profile is \
                    empty.",
            },
            "settings": {
                "type": "object",
                "description": "Settings of the taxpayer. Absent unless one of your grants has the scope \
                    taxpayer:read. previous_attributes.settings contains the old values of changed settings. Without \
                    the scope, it is empty.",
                "required": ["language", "mls_to", "notification_email"],
                "properties": {
                    "language": {"type": "string", "description": "Language of messages to the taxpayer."},
                    "mls_to": {
                        "type": ["string", "null"],
                        "description": "Service provider to which Message Level Statuses about the taxpayer's \
                            documents are requested to go.",
                    },
                    "notification_email": {
                        "type": ["string", "null"], "description": "E-mail address for notices to the taxpayer.",
                    },
                },
            },
        },
    })
}

fn grant() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    json!({
        "type": "object",
        "description": "An active grant of your organization.",
        "required": ["grant_id", "scopes", "created_at"],
        "properties": {
            "grant_id": {"type": "string", "pattern": "^tgr_", "description": "Identifier of the grant."},
            "scopes": {
                "type": "array", "items": {"type": "string", "enum": scopes},
                "description": "Scopes that the taxpayer approved.",
            },
            "grant_label": text("Name of the connection. Absent if none was given."),
            "external_id": text("Your own account or workspace. Absent if none was given."),
            "created_at": {"type": "string", "format": "date-time", "description": "Time of the approval."},
        },
    })
}

/// The data of an event about a document.
fn document_data() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "description": "The document of the event. Correlate by document_id. message_level_status is present once \
            the recipient's access point has sent a Message Level Status. Fields may be added.",
        "required": [
            "taxpayer_id", "document_id", "message_id", "document_type_code", "submission_id", "type",
            "direction", "number", "status", "issue_date", "currency", "total_with_vat", "amount_due",
            "counterparty",
        ],
        "properties": {
            "taxpayer_id": text("Identifier of the taxpayer."),
            "document_id": text("Identifier of the document on this access point."),
            "message_id": text("SBDH InstanceIdentifier of the transmission."),
            "source_id": text("The caller's own document id, as given in the send. Absent if none was given."),
            "document_type_code": text("UBL type code."),
            "submission_id": text("Submission to the tax authority. All reports about the document have the same \
                submission."),
            "submission_message_id": text("SBDH InstanceIdentifier of the latest report about the document. Absent \
                until there is one, and in Sandbox."),
            "supersedes_id": text("document_id of the document that this document corrects. Absent if it corrects \
                none."),
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
                "description": "The other party. For a sent document the customer, in self-billing the supplier. For \
                    a received document the sender.",
                "required": ["name"],
                "properties": {
                    "name": text("Name, cut to 500 characters."),
                    "participant_id": text("Electronic address. Absent if the party has none."),
                },
            },
            "cause": {
                "type": "object",
                "description": "The first finding that explains why the document failed, stays unconfirmed or was \
                    rejected. Absent otherwise.",
                "required": ["rule", "message"],
                "properties": {
                    "rule": text("Identifier of the rule, such as AP-NETWORK-not-registered."),
                    "message": text("Description of what happened."),
                },
            },
            // The schema itself describes the field, and says that it is absent at first.
            "message_level_status": reference("schemas", "DocumentMessageLevelStatus"),
        },
    })
}

fn example(described: &DescribedEvent) -> Value {
    let mut event = json!({
        "id": "evt_019f1c2e8a7b7cc1a1b2c3d4e5f60719",
        "type": described.event_type.as_str(),
        "version": "1",
        "created_at": "2026-07-01T10:00:00.000Z",
        "participant_id": "0235:1001234501",
        "environment": "sandbox",
        "test": false,
        "data": (described.data)(),
    });
    // Reports exist in Live only.
    if described.event_type == EventType::DocumentReported {
        event["environment"] = json!("live");
    }
    if let Some(previous) = described.previous {
        event["previous_attributes"] = previous();
    }
    event
}

fn taxpayer(grant_ids: &[&str]) -> Value {
    json!({
        "taxpayer_id": "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60717",
        "participant_id": "0235:1001234501",
        "status": "active",
        "grants": grants(grant_ids),
        "metadata": {"erp_customer": "4711"},
    })
}

fn grants(ids: &[&str]) -> Vec<Value> {
    let shown = |id: &&str| {
        json!({
            "grant_id": id,
            "scopes": ["invoices:read", "invoices:write"],
            "grant_label": "Head office",
            "created_at": "2026-07-01T09:59:00.000Z",
        })
    };
    ids.iter().map(shown).collect()
}

fn rejected() -> Value {
    let found = json!({
        "pointer": "/customer/vat_identifier", "rule": "AP-MLS-BV", "severity": "error",
        "message": "The buyer's tax identifier is wrong.",
    });
    let mut data = document("outbound", "rejected");
    data["cause"] = json!({"rule": found["rule"], "message": found["message"]});
    data["message_level_status"] = json!({
        "code": "RE", "issued_at": "2026-07-01T10:05:00.000Z", "received_at": "2026-07-01T10:05:01.000Z",
        "sender": "PAE000002", "description": "Rejected.", "findings": [found],
    });
    data
}

fn document(direction: &str, status: &str) -> Value {
    json!({
        "taxpayer_id": "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60717",
        "document_id": "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
        "message_id": "019f1c2e-8a7b-7cc1-a1b2-c3d4e5f60720",
        "source_id": "order-4711",
        "document_type_code": "380",
        "submission_id": "sub_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
        "type": "invoice",
        "direction": direction,
        "number": "2026-0001",
        "status": status,
        "issue_date": "2026-07-01",
        "currency": "AED",
        "total_with_vat": "1050.00",
        "amount_due": "1050.00",
        "counterparty": {"name": "Oasis Supplies FZE", "participant_id": "0235:1001234502"},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_type_is_documented() {
        assert_eq!(EVENTS.map(|described| described.event_type), EventType::ALL);
    }
}
