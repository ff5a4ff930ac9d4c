//! Repeated deliveries and test events.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    body::{self, SimulatedOutcome},
    endpoint_id,
    events::{WebhookDeliveryResponse, event_id},
};
use crate::{
    access::OrganizationCaller,
    api::{
        error::ApiError,
        request::{BodyType, OwnCall},
        wire::WebhookEventType,
    },
    service::{Notifying, webhooks::tools},
};

/// The test event to send.
#[derive(Debug, ToSchema)]
pub struct SendTestEventBody {
    /// Type of the event.
    pub event_type: WebhookEventType,
    /// Outcome of a simulated report. Only allowed for document.reported and in Sandbox. Default: accepted.
    #[schema(required = false)]
    pub outcome: SimulatedOutcome,
}

/// Options for repeating a delivery.
#[derive(Debug, ToSchema)]
pub struct RetryWebhookDeliveryBody {
    /// Whether to send an event again that the endpoint has already accepted.
    #[schema(required = false)]
    pub include_delivered: bool,
}

/// The deliveries to repeat.
#[derive(Debug, ToSchema)]
pub struct RetryFailedWebhookDeliveriesBody {
    /// Selects deliveries of events created at or after this time (RFC 3339).
    #[schema(format = DateTime, example = "2026-07-01T10:00:00Z")]
    pub since: String,
    /// Whether to include deliveries that the endpoint has already accepted.
    #[schema(required = false)]
    pub include_delivered: bool,
    /// `next_cursor` of the previous call, with the same `since` and `include_delivered`.
    #[schema(required = false)]
    pub cursor: Option<String>,
}

/// The number of repeated deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct RetriedWebhookDeliveriesResponse {
    /// Number of deliveries that this call repeats.
    #[schema(example = 12)]
    pub retried: usize,
    /// Opaque cursor of the next call. Pass it as `cursor`. Null when all deliveries have been checked.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// Repeats a delivery, or makes one for the first time.
pub(in crate::api) async fn retry(mut call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let include_delivered = body::retry(&call.optional_json().await?)?;
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let event_id = event_id(&call.variable)?;
    let (ctx, id) = (&call.app.ctx, endpoint_id(&call.second)?);
    let again = include_delivered;
    let by = call.by(&call.caller.credential);
    let due = tools::retry(ctx, *mode, organization_id, &event_id, &id, again, &by).await?;
    Ok((StatusCode::ACCEPTED, Json(WebhookDeliveryResponse::from(due))).into_response())
}

/// Repeats the failed deliveries to an endpoint.
pub(in crate::api) async fn retry_failed(
    mut call: OwnCall<Notifying>,
) -> Result<Response, ApiError> {
    let (again, cursor) = body::retry_failed(&call.body(BodyType::Json).await?)?;
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let (app, id, cursor) = (&call.app, endpoint_id(&call.variable)?, cursor.as_deref());
    let by = call.by(&call.caller.credential);
    let done = tools::retry_failed(app, *mode, organization_id, &id, &again, cursor, &by).await?;
    let tools::Retried { retried, next_cursor } = done;
    let answer = RetriedWebhookDeliveriesResponse { retried, next_cursor };
    Ok((StatusCode::ACCEPTED, Json(answer)).into_response())
}

pub(in crate::api) async fn test(mut call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let body = call.body(BodyType::Json).await?;
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let (event_type, outcome) = body::test(&body, *mode)?;
    let (ctx, id) = (&call.app.ctx, endpoint_id(&call.variable)?);
    let by = call.by(&call.caller.credential);
    let due = tools::test(ctx, *mode, organization_id, &id, event_type, outcome, &by).await?;
    Ok((StatusCode::ACCEPTED, Json(WebhookDeliveryResponse::from(due))).into_response())
}
