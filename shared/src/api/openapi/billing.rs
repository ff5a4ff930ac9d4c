//! The billing provider's callback in the OpenAPI document.

use serde_json::{Value, json};

use super::{descriptions, errors};
use crate::{
    api::{billing::MAX_EVENT_BYTES, route::EVENTS_PATH},
    error::Code,
};

const ERRORS: &[Code] = &[
    Code::MalformedJson,
    Code::InvalidRequest,
    Code::InvalidSignature,
    Code::NotFound,
    Code::PayloadTooLarge,
    Code::InternalError,
    Code::ServiceUnavailable,
];

pub(super) fn add(document: &mut Value) {
    let header = |name: &str, description: &str| {
        json!({
            "name": name, "in": "header", "required": true, "schema": {"type": "string"},
            "description": description,
        })
    };
    let mut responses = errors::of(ERRORS, true);
    responses.insert(
        "204".to_owned(),
        json!({
            "description": "Accepted. Nothing changes for an event that was accepted before, is older than the known \
                state, or has another type",
            "headers": {"x-request-id": {"$ref": "#/components/headers/RequestId"}},
        }),
    );
    document["paths"][EVENTS_PATH]["post"] = json!({
        "operationId": "take_billing_event",
        "tags": ["Billing"],
        "summary": "Process a billing event",
        "description": format!("{} A body has at most {MAX_EVENT_BYTES} bytes.", descriptions::BILLING_EVENT),
        "security": [],
        "parameters": [
            header("webhook-id", "Identifier of the event. An event that was accepted before changes nothing."),
            header("webhook-timestamp", "Time of the signature, in seconds since 1970. It may differ from the \
                current time by at most five minutes."),
            header("webhook-signature", "Signatures (v1, symmetric), separated by spaces."),
        ],
        "requestBody": {
            "required": true,
            "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/BillingEventBody"}},
            },
        },
        "responses": responses,
    });
}
