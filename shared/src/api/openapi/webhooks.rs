//! The bodies of operations about webhooks in the OpenAPI document.

use serde_json::{Map, Value, json};

use super::{add, reference};
use crate::api::{
    CreateWebhookEndpointBody, ListEventsResponse, ListWebhookDeliveriesResponse,
    ListWebhookEndpointsResponse, RotateWebhookSecretBody, UpdateWebhookEndpointBody,
    request::BodyType, routes::NotifyingWork,
};

/// Adds the schemas of bodies and answers.
pub(super) fn schemas(schemas: &mut Map<String, Value>) {
    add::<CreateWebhookEndpointBody>(schemas);
    add::<UpdateWebhookEndpointBody>(schemas);
    add::<RotateWebhookSecretBody>(schemas);
    add::<ListWebhookEndpointsResponse>(schemas);
    add::<ListEventsResponse>(schemas);
    add::<ListWebhookDeliveriesResponse>(schemas);
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
