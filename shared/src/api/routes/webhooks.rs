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
    summary: "Make a webhook endpoint",
    description: "Subscribes an address to events of the taxpayers that granted the organization access, in the environment \
        of the key. The address is judged at once: public addresses over https alone, no user name or password. The answer \
        holds the signing secret, which is never shown again. At most 50 endpoints in each environment.",
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
    summary: "List the webhook endpoints",
    description: "All of them, the oldest first. There are at most 50: one page.",
    answers: &[answer(200, "The endpoints", Content::Endpoints)],
    ..WEBHOOK
};

pub(super) const GET_ENDPOINT: Route = Route {
    id: "get_webhook_endpoint",
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Get a webhook endpoint",
    description: "One endpoint, and since when it fails.",
    answers: &[answer(200, "The endpoint", Content::Endpoint)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::GetEndpoint),
    ..WEBHOOK
};

pub(super) const UPDATE_ENDPOINT: Route = Route {
    id: "update_webhook_endpoint",
    method: Method::Patch,
    path: "/webhook-endpoints/{endpoint_id}",
    summary: "Change a webhook endpoint",
    description: "A JSON Merge Patch (RFC 7396): what is left out stays. Changes at once are made one after the other. With \
        `version`, the change is refused (409 version_conflict) when another was made since that version was read. \
        `enabled: true` has a disabled endpoint begin anew, as one that never failed; what was not sent meanwhile is in \
        GET /events and can be sent with …/retry. What an endpoint does not take any more after the change it may still \
        get where a delivery was made before.",
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
    description: "Nothing is sent there any more: what waits for it ends as failed. An endpoint that was deleted is not \
        found.",
    answers: &[answer(204, "It is gone", Content::Nothing)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::DeleteEndpoint),
    ..WEBHOOK
};

pub(super) const ROTATE_SECRET: Route = Route {
    id: "rotate_webhook_secret",
    method: Method::Post,
    path: "/webhook-endpoints/{endpoint_id}/rotate-secret",
    summary: "Give a webhook endpoint another secret",
    description: "The answer holds the new signing secret, which is never shown again. For 24 hours both secrets sign: \
        webhook-signature holds two signatures, of which one is right for whichever secret the receiver has. With \
        `immediately: true`, for a secret that leaked, the new one alone signs from now on. The secret before the present \
        one goes at once in either case.",
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
    description: "What the organization heard in the last 30 days, newest first: every event that it was concerned by when \
        the event was told, whether it had an endpoint or not, and whatever became of the grant since. An event is listed \
        as soon as it is told, which may be a few seconds after `created_at`. A page may be shorter than `limit`; go on \
        until `next_cursor` is null.",
    query: query::LIST_EVENTS,
    answers: &[answer(200, "A page", Content::Events)],
    work: Work::Notifying(NotifyingWork::ListEvents),
    ..WEBHOOK
};

pub(super) const GET_EVENT: Route = Route {
    id: "get_event",
    path: "/events/{event_id}",
    summary: "Get an event",
    description: "One of them, with what was delivered.",
    answers: &[answer(200, "The event", Content::Event)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::GetEvent),
    ..WEBHOOK
};

pub(super) const LIST_EVENT_DELIVERIES: Route = Route {
    id: "list_event_deliveries",
    path: "/events/{event_id}/deliveries",
    summary: "List the deliveries of an event",
    description: "To each endpoint that the organization still has, one at most.",
    answers: &[answer(200, "The deliveries", Content::Deliveries)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::ListEventDeliveries),
    ..WEBHOOK
};

pub(super) const LIST_DELIVERIES: Route = Route {
    id: "list_webhook_deliveries",
    path: "/webhook-endpoints/{endpoint_id}/deliveries",
    summary: "List the deliveries to an endpoint",
    description: "Those of the newest events first. With `status` failing or failed, those that are in trouble. A delivery \
        is kept for 30 days after it ended. A page may be shorter than `limit`; go on until `next_cursor` is null.",
    query: query::LIST_DELIVERIES,
    answers: &[answer(200, "A page", Content::Deliveries)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::ListDeliveries),
    ..WEBHOOK
};

pub(super) const GET_DELIVERY: Route = Route {
    id: "get_webhook_delivery",
    path: "/events/{event_id}/deliveries/{endpoint_id}",
    summary: "Get a delivery with its attempts",
    description: "The latest twenty attempts: what was sent, headers and body, what the endpoint answered, with the first \
        4,096 bytes of its body, how long it took, and why it failed.",
    answers: &[answer(200, "The delivery", Content::Delivery)],
    errors: ERRORS,
    work: Work::Notifying(NotifyingWork::GetDelivery),
    ..WEBHOOK
};

pub(super) const RETRY_DELIVERY: Route = Route {
    id: "retry_webhook_delivery",
    method: Method::Post,
    path: "/events/{event_id}/deliveries/{endpoint_id}/retry",
    summary: "Send an event to an endpoint now",
    description: "A failed delivery begins its schedule anew, with its first attempt now. A waiting delivery is attempted now, \
        and its schedule goes on. An event that was never sent to the endpoint is sent for the first \
        time, whatever types it takes. webhook-id is the same as ever. What the endpoint took is sent again with \
        `include_delivered` alone (409 already_delivered otherwise). 409 delivery_in_progress while an attempt runs.",
    answers: &[answer(202, "The delivery, which is on its way", Content::Delivery)],
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
    summary: "Send again what failed at an endpoint",
    description: "Does for the deliveries of events since an instant that are failing or failed, and with \
        `include_delivered` for those that the endpoint took, what …/retry does for one. At most 100 a call, the newest \
        first: repeat the call with `cursor` until `next_cursor` is null. Deliveries whose attempt runs are left alone.",
    answers: &[answer(202, "How many are on their way", Content::Retried)],
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
    summary: "Send a test event to an endpoint",
    description: "Makes an event of any type up and sends it to this one endpoint, whatever types it takes: `test` is true, \
        and taxpayer and document in it do not exist. It is signed, repeated and listed like every other. In Sandbox \
        `outcome` simulates a report to the tax authority, with `document.reported` alone: accepted (REPORTED), rejected \
        (NOT_COMPLIANT) or failed (FAILED). No document changes.",
    answers: &[answer(202, "The delivery, which is on its way", Content::Delivery)],
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
