//! The function `billing`: the endpoint for events of the billing provider. Errors have the shape of the API.

use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    middleware,
    routing::post,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    BASES, edge,
    error::{self, ApiError},
    route::EVENTS_PATH,
};
use crate::{
    error::{Code, Failure},
    log::{self, Field},
    service::{
        Subscribing,
        billing::{Stated, event},
    },
    webhook::Headers,
};

/// The maximum size of an event in bytes. A typical event has a few hundred.
pub(super) const MAX_EVENT_BYTES: usize = 64 * 1024;

/// The body of a billing event.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(
    dead_code,
    reason = "it is the shape of what the use case reads, for the OpenAPI document"
)]
pub(super) struct BillingEventBody {
    /// Event type. Events of any other type are accepted and change nothing.
    #[serde(rename = "type")]
    #[schema(pattern = "^subscription[.]updated$")]
    kind: String,
    /// State of the subscription at the time of the event.
    data: Stated,
}

/// Receives the provider's events.
pub fn billing(app: Subscribing) -> Router {
    let ctx = app.ctx.clone();
    let mut router = Router::new();
    for base in BASES {
        router = router.route(&format!("{base}{EVENTS_PATH}"), post(take));
    }
    router
        .fallback(error::answer_unknown_path)
        .method_not_allowed_fallback(error::answer_unknown_method)
        .layer(middleware::from_fn_with_state(ctx, edge::finish))
        .with_state(app)
}

async fn take(State(app): State<Subscribing>, request: Request) -> Result<StatusCode, ApiError> {
    log::note(Field::Operation, &"take_billing_event");
    let (head, body) = request.into_parts();
    let body = to_bytes(body, MAX_EVENT_BYTES).await.map_err(|_| {
        let message = format!("An event has at most {MAX_EVENT_BYTES} bytes.");
        Failure::new(Code::PayloadTooLarge, message)
    })?;
    event::take(&app, headers(&head.headers), &body).await?;
    // "Respond with a 2xx status code" (Standard Webhooks). The response has no body.
    Ok(StatusCode::NO_CONTENT)
}

/// The headers of the signature. A repeated header counts as missing, because it is ambiguous.
fn headers(headers: &HeaderMap) -> Headers<'_> {
    let one = |name: &str| {
        let mut values = headers.get_all(name).iter();
        let value = values.next()?.to_str().ok()?;
        values.next().is_none().then_some(value)
    };
    Headers {
        id: one("webhook-id"),
        timestamp: one("webhook-timestamp"),
        signature: one("webhook-signature"),
    }
}
