//! Where the billing provider sends its events to: the function `billing`. They answer in the shape of the rest of the API.

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

/// Below a base address.
pub(super) const EVENTS_PATH: &str = "/billing/events";
/// The most bytes of an event: one has some hundred.
pub(super) const MAX_EVENT_BYTES: usize = 64 * 1024;

/// The body of an event.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(
    dead_code,
    reason = "it is the shape of what the use case reads, for the OpenAPI document"
)]
pub(super) struct BillingEventBody {
    /// What happened: events of any other type are taken and change nothing.
    #[serde(rename = "type")]
    #[schema(pattern = "^subscription[.]updated$")]
    kind: String,
    /// The subscription as it is then.
    data: Stated,
}

/// Takes the provider's events.
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
    // "Respond with a 2xx status code" (Standard Webhooks): there is nothing more to say.
    Ok(StatusCode::NO_CONTENT)
}

/// The headers of the signature. One that comes twice counts as missing: which of them was meant nobody knows.
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
