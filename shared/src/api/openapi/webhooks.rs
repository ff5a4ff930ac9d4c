//! The bodies of operations about webhooks in the OpenAPI document.

use serde_json::{Map, Value, json};

use super::{add, reference};
use crate::api::{
    CreateWebhookEndpointBody, ListEventsResponse, ListWebhookDeliveriesResponse,
    ListWebhookEndpointsResponse, RetriedWebhookDeliveriesResponse,
    RetryFailedWebhookDeliveriesBody, RetryWebhookDeliveryBody, RotateWebhookSecretBody,
    SendTestEventBody, UpdateWebhookEndpointBody, header::BodyType,
};

/// Adds the schemas of bodies and responses.
pub(super) fn schemas(schemas: &mut Map<String, Value>) {
    add::<CreateWebhookEndpointBody>(schemas);
    add::<UpdateWebhookEndpointBody>(schemas);
    add::<RotateWebhookSecretBody>(schemas);
    add::<ListWebhookEndpointsResponse>(schemas);
    add::<ListEventsResponse>(schemas);
    add::<ListWebhookDeliveriesResponse>(schemas);
    add::<RetryWebhookDeliveryBody>(schemas);
    add::<RetryFailedWebhookDeliveriesBody>(schemas);
    add::<SendTestEventBody>(schemas);
    add::<RetriedWebhookDeliveriesResponse>(schemas);
}

pub(super) fn new_endpoint() -> Value {
    let example = json!({"url": "https://example.com/hook", "event_types": ["document.status", "document.reported"]});
    body("CreateWebhookEndpointBody", BodyType::Json, true, &example)
}

pub(super) fn endpoint_patch() -> Value {
    let example = json!({"enabled": true, "version": 1});
    body("UpdateWebhookEndpointBody", BodyType::MergePatch, true, &example)
}

pub(super) fn secret_rotation() -> Value {
    body("RotateWebhookSecretBody", BodyType::Json, false, &json!({"immediately": false}))
}

pub(super) fn retry() -> Value {
    body("RetryWebhookDeliveryBody", BodyType::Json, false, &json!({"include_delivered": false}))
}

pub(super) fn retry_failed() -> Value {
    let example = json!({"since": "2026-07-01T10:00:00Z"});
    body("RetryFailedWebhookDeliveriesBody", BodyType::Json, true, &example)
}

pub(super) fn test_event() -> Value {
    let example = json!({"event_type": "document.reported", "outcome": "rejected"});
    body("SendTestEventBody", BodyType::Json, true, &example)
}

fn body(schema: &str, kind: BodyType, required: bool, example: &Value) -> Value {
    let media = json!({"schema": reference("schemas", schema), "example": example});
    let content = kind.media_types().iter().map(|name| ((*name).to_owned(), media.clone()));
    let content: Map<String, Value> = content.collect();
    json!({"required": required, "content": content})
}
