//! The endpoint for messages of other access points: one path, over plain HTTP behind a proxy that terminates TLS.
//!
//! A message is first received into a spool, which has limits for all clients and for each one. Only then it takes one
//! of the few work permits. So a slow or silent client does not block others.

mod clients;
mod server;
mod spool;

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER},
    },
    response::{IntoResponse, Response},
    routing::post,
};
use tokio::time::timeout;

use self::{
    clients::{Client, Clients, Full, Most},
    spool::Rejected,
};
pub use self::{
    server::{Connections, serve_as4},
    spool::{Pace, Spool},
};
use crate::{
    peppol::as4::SIGNAL_CONTENT_TYPE,
    service::{
        Receiving,
        receive::{Answer, receive},
    },
};

/// The header with the client's address, set by the proxy.
const X_FORWARDED_FOR: &str = "x-forwarded-for";
/// The Retry-After of a message that found no room, in seconds.
const COME_AGAIN: HeaderValue = HeaderValue::from_static("5");

/// The limits of a server.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// The maximum size of a message in bytes; 413 above.
    pub bytes: usize,
    /// The minimum speed of a message; 408 below.
    pub pace: Pace,
    /// Where messages are stored while they are received.
    pub spool: Spool,
    /// The maximum number of spooled bytes; 503 above.
    pub spool_bytes: u64,
    /// The maximum number of spooled bytes for one address; 503 above.
    pub spool_bytes_of_address: u64,
    /// The maximum number of concurrent messages of one address; 503 above.
    pub of_address: usize,
    /// The maximum number of messages that are processed concurrently. One address gets one fewer, if that leaves any.
    pub at_once: usize,
    /// How long a received message waits for a work permit; 503 after.
    pub place_within: Duration,
    /// Whether the client's address is the last one of `X-Forwarded-For`. Only if a proxy that cannot be bypassed sets
    /// it.
    pub forwarded: bool,
}

struct Inbound {
    receiving: Receiving,
    bounds: Bounds,
    clients: Arc<Clients>,
}

/// Receives AS4 messages at `POST /as4`.
pub fn as4(receiving: Receiving, bounds: Bounds) -> Router {
    Inbound::new(receiving, bounds).router()
}

impl Inbound {
    fn new(receiving: Receiving, bounds: Bounds) -> Arc<Self> {
        let Bounds { at_once, of_address, spool_bytes, spool_bytes_of_address, .. } = bounds;
        let clients =
            Clients::new(Most { at_once, of_address, spool_bytes, spool_bytes_of_address });
        Arc::new(Inbound { receiving, bounds, clients })
    }

    fn router(self: Arc<Self>) -> Router {
        Router::new().route("/as4", post(take)).with_state(self)
    }

    async fn take(&self, request: Request) -> Result<Response, Unread> {
        let (mut head, body) = request.into_parts();
        let client = match head.extensions.remove::<Arc<Client>>() {
            Some(client) => client,
            None => self.clients.enter(self.forwarded_for(&head.headers))?,
        };
        let Bounds { bytes, pace, spool, place_within, .. } = &self.bounds;
        let room = client.room();
        // This check precedes the first byte of the body.
        if let Some(length) = length(&head.headers) {
            if length > u64::try_from(*bytes).unwrap_or(u64::MAX) {
                return Err(Rejected::TooLong(*bytes).into());
            }
            room.check(length)?;
        }
        let name = || self.receiving.ctx.new_uuid();
        let spooled = spool.take(body, *bytes, *pace, room, name).await?;
        let place = timeout(*place_within, client.place()).await;
        let place = place.ok().flatten().ok_or(Unread::Busy(self.bounds.at_once))?;
        let body = spooled.read().await.map_err(Rejected::Spool)?;
        let content_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or_default().to_owned();
        // A separate task, so that a panic ends only the task and the sender still gets a response. A sender that
        // disconnects leaves no half-stored message.
        let work = {
            let receiving = self.receiving.clone();
            async move {
                let _place = place;
                receive(&receiving, &content_type, body).await
            }
        };
        Ok(match tokio::spawn(work).await {
            Ok(Answer::Signal(signal)) => {
                let content_type = HeaderValue::from_static(SIGNAL_CONTENT_TYPE);
                ([(CONTENT_TYPE, content_type)], Body::from(signal)).into_response()
            }
            Ok(Answer::Unavailable) | Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        })
    }

    /// The client's address, as the proxy wrote it: the last one. The client may have written all earlier ones.
    fn forwarded_for(&self, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.bounds.forwarded {
            return None;
        }
        let line = headers.get_all(X_FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
        let last = line.rsplit(',').next()?.trim();
        // Some proxies add the port.
        let with_port = || last.parse().map(|it: std::net::SocketAddr| it.ip()).ok();
        last.parse().ok().or_else(with_port)
    }
}

async fn take(State(inbound): State<Arc<Inbound>>, request: Request) -> Response {
    inbound.take(request).await.unwrap_or_else(|refused| {
        tracing::warn!(%refused, "a message was not accepted");
        refused.into_response()
    })
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Why a message is not received.
#[derive(Debug, thiserror::Error)]
enum Unread {
    #[error(transparent)]
    Body(#[from] Rejected),
    #[error("This server processes at most {0} messages at once.")]
    Busy(usize),
}

impl From<Full> for Unread {
    fn from(full: Full) -> Self {
        Unread::Body(full.into())
    }
}

impl IntoResponse for Unread {
    /// Names the exceeded limit in words, for the sender's log.
    fn into_response(self) -> Response {
        let said = match &self {
            Unread::Body(Rejected::Spool(_)) => "The message cannot be stored now.".to_owned(),
            refused => refused.to_string(),
        };
        let status = match &self {
            Unread::Body(Rejected::TooLong(_)) => StatusCode::PAYLOAD_TOO_LARGE,
            Unread::Body(Rejected::TooSlow(_)) => StatusCode::REQUEST_TIMEOUT,
            Unread::Body(Rejected::Broken) => StatusCode::BAD_REQUEST,
            Unread::Busy(_) | Unread::Body(Rejected::Full(_) | Rejected::Spool(_)) => {
                return (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, COME_AGAIN)], said)
                    .into_response();
            }
        };
        (status, said).into_response()
    }
}
