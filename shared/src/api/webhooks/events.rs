//! The events of an organization, and their deliveries.

use std::collections::BTreeMap;

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{WEBHOOK, endpoint_id};
use crate::{
    access::OrganizationCaller,
    api::{
        error::ApiError,
        query,
        request::OwnCall,
        response::{three_digits, three_digits_or_null},
        route::{Answer, Content, Route},
        wire::{WebhookDeliveryStatus, WebhookEventType},
    },
    error::{Code::NotFound, Failure},
    log::{self, Field},
    service::{
        Notifying,
        webhooks::events::{self, EventFilter, Looked, Made},
    },
    store::{
        AttemptExchange, AttemptResult, DeletedEndpoint, DeliveryRecord, DeliveryStatus as Inner,
        PublishedEvent,
    },
    types::EventId,
};

/// An event, as delivered to your endpoints.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventResponse {
    /// Identifier of the event. It equals the `webhook-id` of its deliveries.
    #[schema(
        pattern = "^evt_[0-9A-Za-z]{1,64}$",
        example = "evt_019f1c2e8a7b7cc1a1b2c3d4e5f60719"
    )]
    pub event_id: String,
    /// Type of the event.
    pub r#type: WebhookEventType,
    /// Creation time of the event.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Taxpayer of the event. A test event has a taxpayer that does not exist.
    #[schema(example = "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60717")]
    pub taxpayer_id: String,
    /// Document of the event. Null if the event is not about a document.
    #[schema(required, example = "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub document_id: Option<String>,
    /// Whether this is a test event.
    pub test: bool,
    /// The delivered payload, see Event.
    #[schema(value_type = Object)]
    pub payload: Value,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListEventsResponse {
    /// The events, newest first.
    pub items: Vec<EventResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// The delivery of an event to an endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDeliveryResponse {
    /// Identifier of the event.
    #[schema(example = "evt_019f1c2e8a7b7cc1a1b2c3d4e5f60719")]
    pub event_id: String,
    /// Identifier of the endpoint.
    #[schema(example = "we_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub endpoint_id: String,
    /// Type of the event. Null for a delivery from before types were recorded.
    #[schema(required)]
    pub r#type: Option<WebhookEventType>,
    /// Taxpayer of the event.
    #[schema(example = "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60717")]
    pub taxpayer_id: String,
    /// Whether the event is a test event.
    pub test: bool,
    /// Status of the delivery.
    pub status: WebhookDeliveryStatus,
    /// Number of attempts started.
    #[schema(example = 1)]
    pub attempt_count: u32,
    /// Due time of the next attempt. Null if there is none.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T10:05:00.000Z")]
    pub next_attempt_at: Option<Timestamp>,
    /// Error of the latest attempt. Null if it did not fail.
    #[schema(required, example = "status: the endpoint answered 503 Service Unavailable")]
    pub last_error: Option<String>,
    /// Creation time of the delivery.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Time of the last change.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub updated_at: Timestamp,
    /// Data of a deleted endpoint. Present in the list of an event's deliveries, and in the response about one
    /// delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub deleted_endpoint: Option<DeletedWebhookEndpointResponse>,
    /// The latest twenty attempts, oldest first. Only present in the response about one delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub attempts: Option<Vec<WebhookAttemptResponse>>,
}

/// The stored data of a deleted endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedWebhookEndpointResponse {
    /// Address of the endpoint.
    #[schema(example = "https://example.com/hook")]
    pub url: String,
    /// Time of the deletion.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub deleted_at: Timestamp,
}

/// A page of deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListWebhookDeliveriesResponse {
    /// The deliveries, newest event first.
    pub items: Vec<WebhookDeliveryResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A delivery attempt, or the reason why no further attempt was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookAttemptResponse {
    /// End time of the attempt.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub at: Timestamp,
    /// HTTP status of the response. Null if there was no response.
    #[schema(required, example = 503)]
    pub status: Option<u16>,
    /// Response time of the endpoint in milliseconds.
    #[schema(example = 120)]
    pub duration_ms: u64,
    /// Error of the attempt. Null if it did not fail.
    #[schema(required, example = "timeout: no answer within 15s")]
    pub error: Option<String>,
    /// The request. Null if nothing was sent, or if the request was not recorded.
    #[schema(required)]
    pub request: Option<WebhookRequestResponse>,
    /// The response of the endpoint. Null if there was none, or if it was not recorded. Only owners may see
    /// responses. Therefore also null for an API key that was created neither by an owner of the organization nor by
    /// the operator of the service.
    #[schema(required)]
    pub answer: Option<WebhookAnswerResponse>,
}

/// The request of a delivery attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookRequestResponse {
    /// Headers, including the signatures.
    pub headers: BTreeMap<String, String>,
    /// Exact bytes of the body. Null when the event is no longer stored.
    #[schema(required)]
    pub body: Option<String>,
}

/// The response of an endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookAnswerResponse {
    /// The first 4,096 bytes of the body. Bytes that are not UTF-8 are replaced.
    pub body: String,
    /// Whether the body was longer.
    pub truncated: bool,
}

impl From<PublishedEvent> for EventResponse {
    fn from(PublishedEvent { event, test }: PublishedEvent) -> Self {
        EventResponse {
            document_id: event.document_id().map(ToString::to_string),
            event_id: event.event_id.into(),
            r#type: event.event_type.into(),
            created_at: event.created_at,
            taxpayer_id: event.taxpayer_id.into(),
            test,
            payload: serde_json::from_str(&event.body).unwrap_or_default(),
        }
    }
}

impl From<DeliveryRecord> for WebhookDeliveryResponse {
    fn from(delivery: DeliveryRecord) -> Self {
        let waits = matches!(delivery.status, Inner::Due);
        WebhookDeliveryResponse {
            status: delivery.state().into(),
            event_id: delivery.event_id.into(),
            endpoint_id: delivery.endpoint_id.into(),
            r#type: delivery.event_type.map(Into::into),
            taxpayer_id: delivery.taxpayer_id.into(),
            test: delivery.test,
            attempt_count: delivery.attempts,
            next_attempt_at: waits.then_some(delivery.next_attempt_at),
            last_error: delivery.results.last().and_then(|result| result.error.clone()),
            created_at: delivery.created_at,
            updated_at: delivery.updated_at,
            deleted_endpoint: None,
            attempts: None,
        }
    }
}

impl From<Made> for WebhookDeliveryResponse {
    fn from(Made { delivery, deleted }: Made) -> Self {
        let deleted_endpoint = deleted.map(|DeletedEndpoint { url, deleted_at, .. }| {
            DeletedWebhookEndpointResponse { url, deleted_at }
        });
        WebhookDeliveryResponse { deleted_endpoint, ..delivery.into() }
    }
}

impl From<Looked> for WebhookDeliveryResponse {
    fn from(looked: Looked) -> Self {
        let Looked { delivery, event, exchanges, deleted, .. } = looked;
        let body = event.map(|published| published.event.body);
        let mut written: BTreeMap<u32, AttemptExchange> =
            exchanges.into_iter().map(|exchange| (exchange.number, exchange)).collect();
        let attempts = delivery.results.clone().into_iter().map(|result| {
            let AttemptResult { number, at, status, duration_ms, error } = result;
            let exchange = number.and_then(|number| written.remove(&number));
            let (request, answer) = match exchange {
                Some(AttemptExchange { request_headers: headers, answer, .. }) => {
                    (Some(WebhookRequestResponse { headers, body: body.clone() }), answer)
                }
                None => (None, None),
            };
            let answer = answer.map(|answer| WebhookAnswerResponse {
                body: answer.body,
                truncated: answer.truncated,
            });
            WebhookAttemptResponse { at, status, duration_ms, error, request, answer }
        });
        let attempts = Some(attempts.collect());
        WebhookDeliveryResponse { attempts, ..Made { delivery, deleted }.into() }
    }
}

/// The event in the path. A malformed identifier is an unknown event.
pub(super) fn event_id(text: &str) -> Result<EventId, Failure> {
    log::note(Field::EventId, &text);
    text.parse().map_err(|_| events::unknown_event())
}

pub(in crate::api) const LIST: Route = Route {
    id: "list_events",
    path: "/events",
    summary: "List events",
    description: "Returns the events of the organization in the last 30 days, newest first. The list has every event \
        that concerned the organization when it was published. Neither an endpoint nor a grant that is still active \
        is required. An event is listed when it is published, which may be a few seconds after `created_at`. A page \
        may be shorter than `limit`. Continue until `next_cursor` is null.",
    query: query::LIST_EVENTS,
    answers: &[Answer::of(200, "A page", Content::Events)],
    ..WEBHOOK
};

pub(in crate::api) async fn list(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let filter = EventFilter {
        event_type: call.query.name::<WebhookEventType>("type")?.map(Into::into),
        taxpayer_id: call.query.taxpayer("taxpayer_id")?,
        document_id: call.query.document("document_id")?,
        from: call.query.instant("created_from")?,
        to: call.query.instant("created_to")?,
    };
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let asked = call.asked()?;
    let page = events::list_events(&call.app.ctx, *mode, organization_id, &filter, asked).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListEventsResponse { items, next_cursor: page.next_cursor }).into_response())
}

pub(in crate::api) const GET: Route = Route {
    id: "get_event",
    path: "/events/{event_id}",
    summary: "Get an event",
    description: "Returns an event with its delivered payload.",
    answers: &[Answer::of(200, "The event", Content::Event)],
    errors: &[NotFound],
    ..WEBHOOK
};

pub(in crate::api) async fn get(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let id = event_id(&call.variable)?;
    let published = events::get_event(&call.app.ctx, *mode, organization_id, &id).await?;
    Ok(Json(EventResponse::from(published)).into_response())
}

pub(in crate::api) const DELIVERIES: Route = Route {
    id: "list_event_deliveries",
    path: "/events/{event_id}/deliveries",
    summary: "List deliveries of an event",
    description: "Returns the deliveries of an event, at most one for each existing endpoint of the organization.",
    answers: &[Answer::of(200, "The deliveries", Content::Deliveries)],
    errors: &[NotFound],
    ..WEBHOOK
};

pub(in crate::api) async fn deliveries(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let id = event_id(&call.variable)?;
    let found = events::deliveries_of_event(&call.app.ctx, *mode, organization_id, &id).await?;
    let items = found.made.into_iter().map(Into::into).collect();
    Ok(Json(ListWebhookDeliveriesResponse { items, next_cursor: None }).into_response())
}

pub(in crate::api) const DELIVERIES_TO: Route = Route {
    id: "list_webhook_deliveries",
    path: "/webhook-endpoints/{endpoint_id}/deliveries",
    summary: "List deliveries to an endpoint",
    description: "Returns the deliveries to an endpoint, newest event first. With the `status` failing or failed, \
        returns deliveries with failures. A delivery is kept for 30 days after its end. A page may be shorter than \
        `limit`. Continue until `next_cursor` is null.",
    query: query::LIST_DELIVERIES,
    answers: &[Answer::of(200, "A page", Content::Deliveries)],
    errors: &[NotFound],
    ..WEBHOOK
};

/// A page of the deliveries to an endpoint.
pub(in crate::api) async fn deliveries_to(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let id = endpoint_id(&call.variable)?;
    let state = call.query.name::<WebhookDeliveryStatus>("status")?.map(Into::into);
    let (ctx, asked) = (&call.app.ctx, call.asked()?);
    let page =
        events::deliveries_to_endpoint(ctx, *mode, organization_id, &id, state, asked).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    let next_cursor = page.next_cursor;
    Ok(Json(ListWebhookDeliveriesResponse { items, next_cursor }).into_response())
}

pub(in crate::api) const LOOK: Route = Route {
    id: "get_webhook_delivery",
    path: "/events/{event_id}/deliveries/{endpoint_id}",
    summary: "Get a delivery",
    description: "Returns a delivery with its latest twenty attempts. Each attempt has the headers and body of the \
        request, the status and response time of the endpoint, and the error. It also has the first 4,096 bytes of \
        the response body.",
    answers: &[Answer::of(200, "The delivery", Content::Delivery)],
    errors: &[NotFound],
    ..WEBHOOK
};

/// One delivery, with its attempts.
pub(in crate::api) async fn look(call: OwnCall<Notifying>) -> Result<Response, ApiError> {
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    let event_id = event_id(&call.variable)?;
    let endpoint_id = endpoint_id(&call.second)?;
    let ctx = &call.app.ctx;
    let looked = events::look(ctx, *mode, organization_id, &event_id, &endpoint_id).await?;
    let looked = match events::may_see_answers(ctx, &call.caller).await? {
        true => looked,
        false => looked.without_answers(),
    };
    Ok(Json(WebhookDeliveryResponse::from(looked)).into_response())
}
