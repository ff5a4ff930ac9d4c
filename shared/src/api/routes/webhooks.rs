//! The operations about webhooks: endpoints, events and deliveries of the organization itself.

use super::{Answer, Content, Method, NotifyingWork, OWN, Route, Tag, Work};
use crate::error::Code::{self, *};

/// Of what names an endpoint or an event.
const ERRORS: &[Code] = &[
    InvalidRequest,
    Unauthorized,
    InvalidToken,
    ApiKeyRequired,
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
