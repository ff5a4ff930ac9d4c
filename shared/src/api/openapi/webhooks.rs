//! The bodies of operations about webhooks in the OpenAPI document.

use serde_json::{Map, Value, json};

use super::{add, reference};
use crate::api::{
    CreateWebhookEndpointBody, ListEventsResponse, ListWebhookDeliveriesResponse,
    ListWebhookEndpointsResponse, RetriedWebhookDeliveriesResponse,
    RetryFailedWebhookDeliveriesBody, RetryWebhookDeliveryBody, RotateWebhookSecretBody,
    SendTestEventBody, UpdateWebhookEndpointBody, request::BodyType, routes::NotifyingWork,
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

/// The body of an operation that takes one.
pub(super) fn request_body(work: NotifyingWork) -> Option<Value> {
    let (name, kind, required, example) = match work {
        NotifyingWork::CreateEndpoint => (
            "CreateWebhookEndpointBody",
            BodyType::Json,
            true,
            json!({"url": "https://example.com/hook", "event_types": ["document.status", "document.reported"]}),
        ),
        NotifyingWork::PatchEndpoint => (
            "UpdateWebhookEndpointBody",
            BodyType::MergePatch,
            true,
            json!({"enabled": true, "version": 1}),
        ),
        NotifyingWork::RotateSecret => {
            ("RotateWebhookSecretBody", BodyType::Json, false, json!({"immediately": false}))
        }
        NotifyingWork::RetryDelivery => {
            ("RetryWebhookDeliveryBody", BodyType::Json, false, json!({"include_delivered": false}))
        }
        NotifyingWork::RetryFailed => (
            "RetryFailedWebhookDeliveriesBody",
            BodyType::Json,
            true,
            json!({"since": "2026-07-01T10:00:00Z"}),
        ),
        NotifyingWork::SendTest => (
            "SendTestEventBody",
            BodyType::Json,
            true,
            json!({"event_type": "document.reported", "outcome": "rejected"}),
        ),
        NotifyingWork::ListEndpoints
        | NotifyingWork::GetEndpoint
        | NotifyingWork::DeleteEndpoint
        | NotifyingWork::ListEvents
        | NotifyingWork::GetEvent
        | NotifyingWork::ListEventDeliveries
        | NotifyingWork::ListDeliveries
        | NotifyingWork::GetDelivery => return None,
    };
    let media = json!({"schema": reference("schemas", name), "example": example});
    let content = kind.media_types().iter().map(|name| ((*name).to_owned(), media.clone()));
    let content: Map<String, Value> = content.collect();
    Some(json!({"required": required, "content": content}))
}
