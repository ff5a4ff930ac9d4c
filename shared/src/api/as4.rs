//! Where other access points send to: one path, over plain HTTP behind whoever ends TLS.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{
        HeaderName, HeaderValue, StatusCode,
        header::{CONTENT_LENGTH, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
    routing::post,
};
use http_body_util::LengthLimitError;
use tokio::sync::Semaphore;

use crate::{
    peppol::as4::SIGNAL_CONTENT_TYPE,
    service::{
        Receiving,
        receive::{Answer, receive},
    },
};

/// What bounds the memory of a server.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes of a message at most: 413 beyond.
    pub bytes: usize,
    /// Messages at once at most: 503 beyond.
    pub at_once: usize,
    /// How long a body may take to come: 408 beyond.
    pub body_within: Duration,
}

struct Inbound {
    receiving: Receiving,
    bounds: Bounds,
    places: Arc<Semaphore>,
}

/// Takes AS4 messages at `POST /as4`.
pub fn as4(receiving: Receiving, bounds: Bounds) -> Router {
    let places = Arc::new(Semaphore::new(bounds.at_once));
    let inbound = Inbound { receiving, bounds, places };
    Router::new().route("/as4", post(take)).with_state(Arc::new(inbound))
}

async fn take(State(inbound): State<Arc<Inbound>>, request: Request) -> Response {
    // Before a byte of the body is in memory.
    let Ok(place) = inbound.places.clone().try_acquire_owned() else {
        tracing::warn!("more messages at once than there is room for");
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let Bounds { bytes, body_within, .. } = inbound.bounds;
    let (head, body) = request.into_parts();
    let text = |name: HeaderName| head.headers.get(name).and_then(|value| value.to_str().ok());
    let length = text(CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > bytes) {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    let read = tokio::time::timeout(body_within, to_bytes(body, bytes)).await;
    let body = match read {
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
        Ok(Ok(body)) => body,
        Ok(Err(error)) if is_too_long(&error) => {
            return StatusCode::PAYLOAD_TOO_LARGE.into_response();
        }
        Ok(Err(_)) => return StatusCode::BAD_REQUEST.into_response(),
    };
    let content_type = text(CONTENT_TYPE).unwrap_or_default().to_owned();
    // In a task of its own, so that a panic ends the task and not the answer; and so that a sender
    // who hangs up leaves no message half stored.
    let work = {
        let receiving = inbound.receiving.clone();
        async move {
            let _place = place;
            receive(&receiving, &content_type, body).await
        }
    };
    match tokio::spawn(work).await {
        Ok(Answer::Signal(signal)) => {
            let content_type = HeaderValue::from_static(SIGNAL_CONTENT_TYPE);
            ([(CONTENT_TYPE, content_type)], Body::from(signal)).into_response()
        }
        Ok(Answer::Unavailable) | Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    use std::error::Error;
    error.source().is_some_and(|source| source.is::<LengthLimitError>())
}
