//! Repeated deliveries and test events.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    WEBHOOK,
    body::{self, SimulatedOutcome},
    endpoint_id,
    events::{WebhookDeliveryResponse, event_id},
};
use crate::{
    access::OrganizationCaller,
    api::{
        error::ApiError,
        header::BodyType,
        request::OwnCall,
        route::{Answer, Content, HttpMethod, RequestBody, Route},
        wire::WebhookEventType,
    },
    error::Code::*,
    service::{Notifying, webhooks::tools},
};

/// The test event to send.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of a body")]
pub struct SendTestEventBody {
    /// Type of the event.
    pub event_type: WebhookEventType,
    /// Outcome of a simulated report. Only allowed for document.reported and in Sandbox. Default: accepted.
    #[schema(required = false)]
    pub outcome: SimulatedOutcome,
}

/// Options for repeating a delivery.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of a body")]
pub struct RetryWebhookDeliveryBody {
    /// Whether to send an event again that the endpoint has already accepted.
    #[schema(required = false)]
    pub include_delivered: bool,
}

/// The deliveries to repeat.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of a body")]
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

pub(in crate::api) const RETRY: Route = Route {
    id: "retry_webhook_delivery",
    method: HttpMethod::Post,
    path: "/events/{event_id}/deliveries/{endpoint_id}/retry",
    summary: "Retry a delivery",
    description: "Sends an event to an endpoint now. webhook-id stays the same.\n\n\
        - A failed delivery starts its schedule again, with the first attempt now.\n\
        - A waiting delivery is attempted now, and its schedule continues.\n\
        - An event that was never sent to the endpoint is sent for the first time, even if the endpoint does not \
        subscribe to its type.\n\
        - An event that the endpoint already accepted is sent again only with `include_delivered` (409 \
        already_delivered otherwise).\n\
        - While an attempt runs, the answer is 409 delivery_in_progress.",
    answers: &[Answer::of(202, "The delivery, which is in progress", Content::Delivery)],
    errors: &[NotFound, EndpointDisabled, DeliveryInProgress, AlreadyDelivered],
    body: Some(RequestBody::Retry),
    ..WEBHOOK
};

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

pub(in crate::api) const RETRY_FAILED: Route = Route {
    id: "retry_failed_webhook_deliveries",
    method: HttpMethod::Post,
    path: "/webhook-endpoints/{endpoint_id}/retry-failed",
    summary: "Retry failed deliveries",
    description: "Retries the failing and failed deliveries of events since a given time, as …/retry does for one \
        delivery. With `include_delivered`, also repeats deliveries that the endpoint already accepted. A call \
        repeats at most 100 deliveries, newest first. Repeat the call with `cursor` until `next_cursor` is null. \
        Deliveries with a running attempt are skipped.",
    answers: &[Answer::of(202, "The number of repeated deliveries", Content::Retried)],
    errors: &[NotFound, EndpointDisabled],
    body: Some(RequestBody::RetryFailed),
    ..WEBHOOK
};

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

pub(in crate::api) const TEST: Route = Route {
    id: "send_test_event",
    method: HttpMethod::Post,
    path: "/webhook-endpoints/{endpoint_id}/test",
    summary: "Send a test event",
    description: "Sends a test event of any type to this endpoint only, even if the endpoint does not subscribe to \
        that type. `test` is true, and the taxpayer and the document in it do not exist. It is signed, retried and \
        listed like every other event. In Sandbox, `outcome` simulates a report to the tax authority: accepted \
        (REPORTED), rejected (NOT_COMPLIANT) or failed (FAILED). It is only allowed for `document.reported`. No \
        document changes.",
    answers: &[Answer::of(202, "The delivery, which is in progress", Content::Delivery)],
    errors: &[NotFound, EndpointDisabled],
    body: Some(RequestBody::TestEvent),
    ..WEBHOOK
};

pub(in crate::api) async fn test(mut call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let body = call.body(BodyType::Json).await?;
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let (event_type, outcome) = body::test(&body, *mode)?;
    let (ctx, id) = (&call.app.ctx, endpoint_id(&call.variable)?);
    let by = call.by(&call.caller.credential);
    let due = tools::test(ctx, *mode, organization_id, &id, event_type, outcome, &by).await?;
    Ok((StatusCode::ACCEPTED, Json(WebhookDeliveryResponse::from(due))).into_response())
}
