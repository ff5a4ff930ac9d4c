//! The operations about webhooks: endpoints, events and deliveries of an organization.

use super::{Answer, Content, Method, NotifyingWork, OWN, Route, Tag, Work};
use crate::{
    api::query,
    error::Code::{self, *},
};

/// The errors of operations with an endpoint or event in the path.
const ERRORS: &[Code] = &[
    InvalidRequest,
    Unauthorized,
    InvalidToken,
    ApiKeyRequired,
    GrantRequired,
    NotFound,
    RateLimited,
    InternalError,
    ServiceUnavailable,
];

const WEBHOOK: Route =
    Route { tag: Tag::Webhooks, work: Work::Notifying(NotifyingWork::ListEndpoints), ..OWN };

const fn answer(status: u16, description: &'static str, content: Content) -> Answer {
    Answer { status, description, content, headers: &[] }
}

pub(super) const CREATE_ENDPOINT: Route = Route {
    id: "create_webhook_endpoint",
    method: Method::Post,
    path: "/webhook-endpoints",
    summary: "Create a webhook endpoint",
    description: "Creates a webhook endpoint for events of the taxpayers that granted the organization access, in \
        the environment of the key. The address must be public and use https, without user name and password. It is \
        checked immediately. The response contains the signing secret, which is never shown again. Each environment \
        has at most 50 endpoints.",
    answers: &[answer(201, "The endpoint, with its secret", Content::Endpoint)],
    errors: &[
        MalformedJson,
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        ApiKeyRequired,
        GrantRequired,
        EndpointLimitReached,
        PayloadTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Notifying(NotifyingWork::CreateEndpoint),
    ..WEBHOOK
};

pub(super) const LIST_ENDPOINTS: Route = Route {
    id: "list_webhook_endpoints",
    path: "/webhook-endpoints",
    summary: "List webhook endpoints",
    description: "Returns all webhook endpoints, oldest first. There are at most 50, on one page.",
    answers: &[answer(200, "The endpoints", Content::Endpoints)],
    ..WEBHOOK
};

pub(super) const GET_ENDPOINT: Route = Route {
    id: "get_webhook_endpoint",
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Get a webhook endpoint",
    description: "Returns a webhook endpoint. `failing_since` shows since when its deliveries fail.",
    answers: &[answer(200, "The endpoint", Content::Endpoint)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::GetEndpoint),
    ..WEBHOOK
};

pub(super) const UPDATE_ENDPOINT: Route = Route {
    id: "update_webhook_endpoint",
    method: Method::Patch,
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Update a webhook endpoint",
    description: "Changes a webhook endpoint by a JSON Merge Patch (RFC 7396). Fields that are left out stay \
        unchanged. Concurrent changes are applied one after the other. With `version`, the change is refused (409 \
        version_conflict) if the endpoint has changed since that version. `enabled: true` enables a disabled \
        endpoint and clears its failures. Events that were not sent in the meantime are in GET /events, and can be \
        sent with …/retry. After a change of filters, the endpoint may still receive events whose deliveries already \
        exist.",
    answers: &[answer(200, "The endpoint", Content::Endpoint)],
    errors: &[
        MalformedJson,
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        ApiKeyRequired,
        GrantRequired,
        NotFound,
        VersionConflict,
        PayloadTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Notifying(NotifyingWork::PatchEndpoint),
    ..WEBHOOK
};

pub(super) const DELETE_ENDPOINT: Route = Route {
    id: "delete_webhook_endpoint",
    method: Method::Delete,
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Delete a webhook endpoint",
    description: "Deletes a webhook endpoint. Nothing more is sent to it, and its pending deliveries end as failed. \
        A deleted endpoint is not found.",
    answers: &[answer(204, "The endpoint is deleted", Content::Nothing)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::DeleteEndpoint),
    ..WEBHOOK
};

pub(super) const ROTATE_SECRET: Route = Route {
    id: "rotate_webhook_secret",
    method: Method::Post,
    path: "/webhook-endpoints/{endpoint_id}/rotate-secret",
    summary: "Rotate a webhook secret",
    description: "Replaces the signing secret of a webhook endpoint. The response contains the new secret, which is \
        never shown again. For 24 hours both secrets are used: webhook-signature has two signatures, one for each \
        secret. Use `immediately: true` for a leaked secret. Then only the new secret is used from now on. In both \
        cases, the secret before the current one becomes invalid immediately.",
    answers: &[answer(200, "The endpoint, with its new secret", Content::Endpoint)],
    errors: &[
        MalformedJson,
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        ApiKeyRequired,
        GrantRequired,
        NotFound,
        PayloadTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Notifying(NotifyingWork::RotateSecret),
    ..WEBHOOK
};

pub(super) const LIST_EVENTS: Route = Route {
    id: "list_events",
    path: "/events",
    summary: "List events",
    description: "Returns the events of the organization in the last 30 days, newest first. The list has every event \
        that concerned the organization when it was published. Neither an endpoint nor a grant that is still active \
        is required. An event is listed when it is published, which may be a few seconds after `created_at`. A page \
        may be shorter than `limit`. Continue until `next_cursor` is null.",
    query: query::LIST_EVENTS,
    answers: &[answer(200, "A page", Content::Events)],
    work: Work::Notifying(NotifyingWork::ListEvents),
    ..WEBHOOK
};

pub(super) const GET_EVENT: Route = Route {
    id: "get_event",
    path: "/events/{event_id}",
    summary: "Get an event",
    description: "Returns an event with its delivered payload.",
    answers: &[answer(200, "The event", Content::Event)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::GetEvent),
    ..WEBHOOK
};

pub(super) const LIST_EVENT_DELIVERIES: Route = Route {
    id: "list_event_deliveries",
    path: "/events/{event_id}/deliveries",
    summary: "List deliveries of an event",
    description: "Returns the deliveries of an event, at most one for each existing endpoint of the organization.",
    answers: &[answer(200, "The deliveries", Content::Deliveries)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::ListEventDeliveries),
    ..WEBHOOK
};

pub(super) const LIST_DELIVERIES: Route = Route {
    id: "list_webhook_deliveries",
    path: "/webhook-endpoints/{endpoint_id}/deliveries",
    summary: "List deliveries to an endpoint",
    description: "Returns the deliveries to an endpoint, newest event first. With the `status` failing or failed, \
        returns deliveries with failures. A delivery is kept for 30 days after its end. A page may be shorter than \
        `limit`. Continue until `next_cursor` is null.",
    query: query::LIST_DELIVERIES,
    answers: &[answer(200, "A page", Content::Deliveries)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::ListDeliveries),
    ..WEBHOOK
};

pub(super) const GET_DELIVERY: Route = Route {
    id: "get_webhook_delivery",
    path: "/events/{event_id}/deliveries/{endpoint_id}",
    summary: "Get a delivery",
    description: "Returns a delivery with its latest twenty attempts. Each attempt has the headers and body of the \
        request, the status and response time of the endpoint, and the error. It also has the first 4,096 bytes of \
        the response body.",
    answers: &[answer(200, "The delivery", Content::Delivery)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::GetDelivery),
    ..WEBHOOK
};

pub(super) const RETRY_DELIVERY: Route = Route {
    id: "retry_webhook_delivery",
    method: Method::Post,
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
    answers: &[answer(202, "The delivery, which is in progress", Content::Delivery)],
    errors: &[
        MalformedJson,
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        ApiKeyRequired,
        GrantRequired,
        NotFound,
        EndpointDisabled,
        DeliveryInProgress,
        AlreadyDelivered,
        PayloadTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Notifying(NotifyingWork::RetryDelivery),
    ..WEBHOOK
};

pub(super) const RETRY_FAILED: Route = Route {
    id: "retry_failed_webhook_deliveries",
    method: Method::Post,
    path: "/webhook-endpoints/{endpoint_id}/retry-failed",
    summary: "Retry failed deliveries",
    description: "Retries the failing and failed deliveries of events since a given time, as …/retry does for one \
        delivery. With `include_delivered`, also repeats deliveries that the endpoint already accepted. A call \
        repeats at most 100 deliveries, newest first. Repeat the call with `cursor` until `next_cursor` is null. \
        Deliveries with a running attempt are skipped.",
    answers: &[answer(202, "The number of repeated deliveries", Content::Retried)],
    errors: &[
        MalformedJson,
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        ApiKeyRequired,
        GrantRequired,
        NotFound,
        EndpointDisabled,
        PayloadTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Notifying(NotifyingWork::RetryFailed),
    ..WEBHOOK
};

pub(super) const SEND_TEST: Route = Route {
    id: "send_test_event",
    method: Method::Post,
    path: "/webhook-endpoints/{endpoint_id}/test",
    summary: "Send a test event",
    description: "Sends a test event of any type to this endpoint only, even if the endpoint does not subscribe to \
        that type. `test` is true, and the taxpayer and the document in it do not exist. It is signed, retried and \
        listed like every other event. In Sandbox, `outcome` simulates a report to the tax authority: accepted \
        (REPORTED), rejected (NOT_COMPLIANT) or failed (FAILED). It is only allowed for `document.reported`. No \
        document changes.",
    answers: &[answer(202, "The delivery, which is in progress", Content::Delivery)],
    errors: &[
        MalformedJson,
        InvalidRequest,
        Unauthorized,
        InvalidToken,
        ApiKeyRequired,
        GrantRequired,
        NotFound,
        EndpointDisabled,
        PayloadTooLarge,
        UnsupportedMediaType,
        ValidationFailed,
        RateLimited,
        InternalError,
        ServiceUnavailable,
    ],
    work: Work::Notifying(NotifyingWork::SendTest),
    ..WEBHOOK
};
