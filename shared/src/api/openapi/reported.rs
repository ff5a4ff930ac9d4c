//! The data of `document.reported` in the OpenAPI document.

use serde_json::{Value, json};

use super::reference;

/// The data of an event about a report.
pub(super) fn data() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "description": "The report and its document. Correlate by report.report_id, because there is one event for \
            each report. Fields may be added.",
        "required": [
            "taxpayer_id", "document_id", "message_id", "document_type_code", "submission_id",
            "submission_message_id", "report",
        ],
        "properties": {
            "taxpayer_id": text("Identifier of the taxpayer."),
            "document_id": text("Identifier of the document on this access point."),
            "message_id": text("SBDH InstanceIdentifier of the document's own transmission."),
            "source_id": text("The caller's own document id, as given in the send. Absent if none was given."),
            "document_type_code": text("UBL type code of the document."),
            "submission_id": text("Submission to the tax authority. All reports about a document have the same \
                submission."),
            "supersedes_id": text("document_id of the document that this document corrects. Absent if it corrects \
                none."),
            "submission_message_id": text("SBDH InstanceIdentifier of the report's own transmission."),
            "report": {
                "type": "object",
                "description": "The report and its outcome.",
                "required": ["report_id", "kind", "role", "outcome", "reasons"],
                "properties": {
                    "report_id": {"type": "string", "pattern": "^rep_", "description": "Identifier of the report."},
                    "kind": {
                        "type": "string", "enum": ["S", "R", "W", "F"],
                        "description": "S: submission. R: resubmission. W: withdrawal. F: a received document that \
                            broke the rules.",
                    },
                    "role": {
                        "type": "string", "enum": ["01", "02"],
                        "description": "01: the taxpayer sent the document. 02: the taxpayer received the document.",
                    },
                    "outcome": {
                        "type": "string", "enum": ["REPORTED", "NOT_COMPLIANT", "FAILED"],
                        "description": "REPORTED: accepted by the authority. NOT_COMPLIANT: refused by the \
                            authority. FAILED: not delivered to the authority.",
                    },
                    "reasons": {
                        "type": "array", "items": reference("schemas", "Finding"),
                        "description": "Findings of the authority, or the reasons why the report could not be \
                            delivered.",
                    },
                },
            },
        },
    })
}

pub(super) fn example() -> Value {
    json!({
        "taxpayer_id": "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60717",
        "document_id": "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
        "message_id": "019f1c2e-8a7b-7cc1-a1b2-c3d4e5f60720",
        "source_id": "order-4711",
        "document_type_code": "380",
        "submission_id": "sub_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
        "submission_message_id": "019f1c2e-9c01-7d52-8f3a-2b1c0d9e8f71",
        "report": {
            "report_id": "rep_019f1c2e8a7b7cc1a1b2c3d4e5f60718",
            "kind": "S",
            "role": "01",
            "outcome": "REPORTED",
            "reasons": [],
        },
    })
}
