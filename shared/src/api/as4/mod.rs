//! Where other access points send to: one path, over plain HTTP behind whoever ends TLS.
//!
//! A message comes first, into a spool that is bounded for all and for each client. Only then it takes one of the few places
//! for work. A client that is slow, or sends nothing, keeps none of them from others.

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

/// The header by which whoever is in front says where a request came from.
const X_FORWARDED_FOR: &str = "x-forwarded-for";
/// When a message that found no room may come again, in seconds.
const COME_AGAIN: HeaderValue = HeaderValue::from_static("5");

/// What bounds a server.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Bytes of a message at most: 413 beyond.
    pub bytes: usize,
    /// How fast a message has to come: 408 otherwise.
    pub pace: Pace,
    /// Where messages are while they come.
    pub spool: Spool,
    /// Bytes that are spooled at once at most: 503 beyond.
    pub spool_bytes: u64,
    /// Of these, bytes of one address at most: 503 beyond.
    pub spool_bytes_of_address: u64,
    /// Messages of one address at once at most: 503 beyond.
    pub of_address: usize,
    /// Messages that are worked on at once at most; of one address one less, where that leaves any.
    pub at_once: usize,
    /// How long a message that has come waits for that: 503 beyond.
    pub place_within: Duration,
    /// Whether the client's address is the last one of `X-Forwarded-For`, since a proxy that nobody can go round writes it.
    pub forwarded: bool,
}

struct Inbound {
    receiving: Receiving,
    bounds: Bounds,
    clients: Arc<Clients>,
}

/// Takes AS4 messages at `POST /as4`.
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
        // Before a byte of the body has come.
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
        // In a task of its own, so that a panic ends the task and not the answer; and so that a sender
        // who hangs up leaves no message half stored.
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

    /// The client's address as the proxy in front wrote it: the last one, since all before it the client may have written.
    fn forwarded_for(&self, headers: &HeaderMap) -> Option<IpAddr> {
        if !self.bounds.forwarded {
            return None;
        }
        let line = headers.get_all(X_FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
        let last = line.rsplit(',').next()?.trim();
        // Some write the port, too.
        let with_port = || last.parse().map(|it: std::net::SocketAddr| it.ip()).ok();
        last.parse().ok().or_else(with_port)
    }
}

async fn take(State(inbound): State<Arc<Inbound>>, request: Request) -> Response {
    inbound.take(request).await.unwrap_or_else(|refused| {
        tracing::warn!(%refused, "a message was not taken");
        refused.into_response()
    })
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Why a message is not read.
#[derive(Debug, thiserror::Error)]
enum Unread {
    #[error(transparent)]
    Body(#[from] Rejected),
    #[error("This server works on {0} messages at once.")]
    Busy(usize),
}

impl From<Full> for Unread {
    fn from(full: Full) -> Self {
        Unread::Body(full.into())
    }
}

impl IntoResponse for Unread {
    /// Says in words which bound was met, for whoever reads the sender's log.
    fn into_response(self) -> Response {
        let said = match &self {
            Unread::Body(Rejected::Spool(_)) => "The message cannot be kept now.".to_owned(),
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
