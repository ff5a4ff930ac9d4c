//! Webhook endpoints of an organization.

pub(crate) mod body;
pub(super) mod events;
pub(super) mod tools;

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    error::ApiError,
    header::BodyType,
    request::OwnCall,
    response::{three_digits, three_digits_or_null},
    wire::WebhookEventType,
};
use crate::{
    access::OrganizationCaller,
    api::route::{Answer, Content, HttpMethod, OWN, RequestBody, Route, Tag},
    error::{Code::*, Failure},
    log::{self, Field},
    service::{
        Notifying,
        webhooks::{self, Revealed},
    },
    store::{DisabledReason as InnerReason, EndpointRecord, EndpointStatus, Watched},
    types::EndpointId,
};

/// The defaults of an organization's webhooks.
pub(super) const WEBHOOK: Route = Route { tag: Tag::Webhooks, ..OWN };

/// The reason why an endpoint is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookDisabledReason {
    /// The organization wished so.
    Requested,
    /// It took nothing that it was sent for five days.
    Failing,
    /// It answered 410 Gone.
    Gone,
    /// A reason that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

impl From<InnerReason> for WebhookDisabledReason {
    fn from(inner: InnerReason) -> Self {
        match inner {
            InnerReason::Requested => WebhookDisabledReason::Requested,
            InnerReason::Failing => WebhookDisabledReason::Failing,
            InnerReason::Gone => WebhookDisabledReason::Gone,
            InnerReason::Unknown => WebhookDisabledReason::Unknown,
        }
    }
}

/// The settings of a new webhook endpoint.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of a body")]
pub struct CreateWebhookEndpointBody {
    /// Address of the endpoint: https, public, at most 2,048 characters.
    #[schema(max_length = 2048, example = "https://example.com/hook")]
    pub url: String,
    /// Event types to deliver. All types when empty or left out.
    #[schema(required = false)]
    pub event_types: Vec<WebhookEventType>,
    /// Taxpayers whose events are delivered, at most 100. All taxpayers when empty or left out.
    #[schema(required = false, max_items = 100)]
    pub taxpayer_ids: Vec<String>,
    /// Your own description of the endpoint.
    #[schema(required = false, max_length = 200)]
    pub description: Option<String>,
    /// Whether the endpoint receives deliveries. Default: true.
    #[schema(required = false)]
    pub enabled: bool,
}

/// The changes of a webhook endpoint. Fields that are left out stay unchanged.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of a body")]
pub struct UpdateWebhookEndpointBody {
    /// Address of the endpoint.
    #[schema(required = false, max_length = 2048)]
    pub url: String,
    /// Event types to deliver. All types when empty.
    #[schema(required = false)]
    pub event_types: Vec<WebhookEventType>,
    /// Taxpayers whose events are delivered. All taxpayers when empty.
    #[schema(required = false, max_items = 100)]
    pub taxpayer_ids: Vec<String>,
    /// Your own description of the endpoint. Null removes it.
    #[schema(required = false, max_length = 200)]
    pub description: Option<String>,
    /// Whether the endpoint receives deliveries.
    #[schema(required = false)]
    pub enabled: bool,
    /// Version of the endpoint to which the changes apply.
    #[schema(required = false, minimum = 0)]
    pub version: u64,
}

/// How to replace the signing secret.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of a body")]
pub struct RotateWebhookSecretBody {
    /// Whether the old secret becomes invalid immediately, instead of after 24 hours.
    #[schema(required = false)]
    pub immediately: bool,
}

/// A webhook endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEndpointResponse {
    /// Identifier of the endpoint.
    #[schema(pattern = "^we_[0-9A-Za-z]{1,64}$", example = "we_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub endpoint_id: String,
    /// Address of the endpoint.
    #[schema(example = "https://example.com/hook")]
    pub url: String,
    /// Event types to deliver. All types when empty.
    pub event_types: Vec<WebhookEventType>,
    /// Taxpayers whose events are delivered. All taxpayers when empty.
    pub taxpayer_ids: Vec<String>,
    /// Your own description of the endpoint.
    #[schema(required)]
    pub description: Option<String>,
    /// Whether the endpoint receives deliveries.
    pub enabled: bool,
    /// Reason why the endpoint is disabled. Null if it is enabled, or if no reason was recorded.
    #[schema(required)]
    pub disabled_reason: Option<WebhookDisabledReason>,
    /// Time when the endpoint was disabled. Null in the same cases as `disabled_reason`.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T10:00:00.000Z")]
    pub disabled_at: Option<Timestamp>,
    /// Time since when every delivery has failed. Null if the last delivery succeeded.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T10:00:00.000Z")]
    pub failing_since: Option<Timestamp>,
    /// Time until which the previous secret is also used for signatures. Null if it is not used.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-02T10:00:00.000Z")]
    pub previous_secret_until: Option<Timestamp>,
    /// Version of the endpoint. Every change increases it.
    #[schema(example = 1)]
    pub version: u64,
    /// Creation time of the endpoint.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Signing secret (Standard Webhooks). Only present in a response that creates or replaces the secret. Store it:
    /// it is not shown again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    pub secret: Option<String>,
}

/// The webhook endpoints.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListWebhookEndpointsResponse {
    /// The endpoints, oldest first.
    pub items: Vec<WebhookEndpointResponse>,
    /// Always null, because there is only one page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// The response about an endpoint at an instant.
fn shown(watched: Watched, now: Timestamp) -> WebhookEndpointResponse {
    let Watched { endpoint, failing_since } = watched;
    let EndpointRecord { endpoint_id, url, event_types, taxpayer_ids, description, .. } = endpoint;
    let previous = endpoint.previous_secret.map(|previous| previous.until);
    WebhookEndpointResponse {
        endpoint_id: endpoint_id.into(),
        url,
        event_types: event_types.into_iter().map(Into::into).collect(),
        taxpayer_ids: taxpayer_ids.into_iter().map(Into::into).collect(),
        description,
        enabled: endpoint.status == EndpointStatus::Enabled,
        disabled_reason: endpoint.disabled.map(|disabled| disabled.reason.into()),
        disabled_at: endpoint.disabled.map(|disabled| disabled.at),
        failing_since,
        previous_secret_until: previous.filter(|until| now < *until),
        version: endpoint.version,
        created_at: endpoint.created_at,
        secret: None,
    }
}

fn revealed(Revealed { endpoint, secret }: Revealed, now: Timestamp) -> WebhookEndpointResponse {
    let endpoint = shown(Watched { endpoint, failing_since: None }, now);
    WebhookEndpointResponse { secret: Some(secret.expose()), ..endpoint }
}

/// The endpoint in the path. A malformed identifier is an unknown endpoint.
fn endpoint_id(text: &str) -> Result<EndpointId, Failure> {
    log::note(Field::EndpointId, &text);
    text.parse().map_err(|_| webhooks::unknown_endpoint())
}

pub(super) const CREATE: Route = Route {
    id: "create_webhook_endpoint",
    method: HttpMethod::Post,
    path: "/webhook-endpoints",
    summary: "Create a webhook endpoint",
    description: "Creates a webhook endpoint for events of the taxpayers that granted the organization access, in \
        the environment of the key. The address must be public and use https, without user name and password. It is \
        checked immediately. The response contains the signing secret, which is never shown again. Each environment \
        has at most 50 endpoints.",
    answers: &[Answer::of(201, "The endpoint, with its secret", Content::Endpoint)],
    errors: &[EndpointLimitReached],
    body: Some(RequestBody::NewEndpoint),
    ..WEBHOOK
};

pub(super) async fn create(mut call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let wanted = body::create(&call.body(BodyType::Json).await?)?;
    let by = call.by(&call.caller.credential);
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let made = webhooks::create(&call.app, *mode, organization_id, wanted, &by).await?;
    let made = revealed(made, call.app.ctx.clock.now());
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

pub(super) const LIST: Route = Route {
    id: "list_webhook_endpoints",
    path: "/webhook-endpoints",
    summary: "List webhook endpoints",
    description: "Returns all webhook endpoints, oldest first. There are at most 50, on one page.",
    answers: &[Answer::of(200, "The endpoints", Content::Endpoints)],
    ..WEBHOOK
};

pub(super) async fn list(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let now = call.app.ctx.clock.now();
    let found = webhooks::list(&call.app.ctx, *mode, organization_id).await?;
    let items = found.into_iter().map(|watched| shown(watched, now)).collect();
    Ok(Json(ListWebhookEndpointsResponse { items, next_cursor: None }).into_response())
}

pub(super) const GET: Route = Route {
    id: "get_webhook_endpoint",
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Get a webhook endpoint",
    description: "Returns a webhook endpoint. `failing_since` shows since when its deliveries fail.",
    answers: &[Answer::of(200, "The endpoint", Content::Endpoint)],
    errors: &[NotFound],
    ..WEBHOOK
};

pub(super) async fn get(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let (ctx, id) = (&call.app.ctx, endpoint_id(&call.variable)?);
    let found = webhooks::get(ctx, *mode, organization_id, &id).await?;
    Ok(Json(shown(found, ctx.clock.now())).into_response())
}

pub(super) const PATCH: Route = Route {
    id: "update_webhook_endpoint",
    method: HttpMethod::Patch,
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Update a webhook endpoint",
    description: "Changes a webhook endpoint by a JSON Merge Patch (RFC 7396). Fields that are left out stay \
        unchanged. Concurrent changes are applied one after the other. With `version`, the change is refused (409 \
        version_conflict) if the endpoint has changed since that version. `enabled: true` enables a disabled \
        endpoint and clears its failures. Events that were not sent in the meantime are in GET /events, and can be \
        sent with …/retry. After a change of filters, the endpoint may still receive events whose deliveries already \
        exist.",
    answers: &[Answer::of(200, "The endpoint", Content::Endpoint)],
    errors: &[NotFound, VersionConflict],
    body: Some(RequestBody::EndpointPatch),
    ..WEBHOOK
};

pub(super) async fn patch(mut call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let patch = body::patch(&call.body(BodyType::MergePatch).await?)?;
    let by = call.by(&call.caller.credential);
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let id = endpoint_id(&call.variable)?;
    let changed = webhooks::patch(&call.app, *mode, organization_id, &id, &patch, &by).await?;
    Ok(Json(shown(changed, call.app.ctx.clock.now())).into_response())
}

pub(super) const DELETE: Route = Route {
    id: "delete_webhook_endpoint",
    method: HttpMethod::Delete,
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Delete a webhook endpoint",
    description: "Deletes a webhook endpoint. Nothing more is sent to it, and its pending deliveries end as failed. \
        A deleted endpoint is not found.",
    answers: &[Answer::of(204, "The endpoint is deleted", Content::Nothing)],
    errors: &[NotFound],
    ..WEBHOOK
};

pub(super) async fn delete(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let by = call.by(&call.caller.credential);
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let id = endpoint_id(&call.variable)?;
    webhooks::delete(&call.app.ctx, *mode, organization_id, &id, &by).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub(super) const ROTATE: Route = Route {
    id: "rotate_webhook_secret",
    method: HttpMethod::Post,
    path: "/webhook-endpoints/{endpoint_id}/rotate-secret",
    summary: "Rotate a webhook secret",
    description: "Replaces the signing secret of a webhook endpoint. The response contains the new secret, which is \
        never shown again. For 24 hours both secrets are used: webhook-signature has two signatures, one for each \
        secret. Use `immediately: true` for a leaked secret. Then only the new secret is used from now on. In both \
        cases, the secret before the current one becomes invalid immediately.",
    answers: &[Answer::of(200, "The endpoint, with its new secret", Content::Endpoint)],
    errors: &[NotFound],
    body: Some(RequestBody::SecretRotation),
    ..WEBHOOK
};

/// Replaces the signing secret of an endpoint.
pub(super) async fn rotate(mut call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let immediately = body::rotate(&call.optional_json().await?)?;
    let by = call.by(&call.caller.credential);
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let id = endpoint_id(&call.variable)?;
    let app = &call.app;
    let rotated = webhooks::rotate(app, *mode, organization_id, &id, immediately, &by).await?;
    Ok(Json(revealed(rotated, app.ctx.clock.now())).into_response())
}
