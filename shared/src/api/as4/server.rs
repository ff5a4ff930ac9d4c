//! The connections of a server, limited in total and for one address. Each connection is for one message.
//!
//! A connection ends with its response, so it is never idle. Every phase has a time limit: the head, the speed of the
//! body, the wait for a permit, the work, and the reading of the response.

use std::{future::poll_fn, io, net::IpAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, response::Response};
use http::Request;
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::{Notify, OwnedSemaphorePermit, Semaphore, watch},
    time::{sleep, timeout},
};

use super::{Bounds, Inbound, clients::Client};
use crate::service::Receiving;

/// The maximum size of a request's head, and of what is read ahead of a body, in bytes.
const READ_AHEAD: usize = 64 * 1024;
/// How long data of the client is read after the response. If the connection were closed at once, it would be reset,
/// and the client might lose the response (RFC 9112, section 9.6).
const LINGER: Duration = Duration::from_secs(2);
/// The number of clients that get a 503 concurrently. Further connections are closed without a response.
const TURNED_AWAY: usize = 64;
/// The pause after a failed accept, for example when file descriptors run out.
const PAUSE: Duration = Duration::from_secs(1);

/// The limits of a server's connections.
#[derive(Debug, Clone, Copy)]
pub struct Connections {
    /// The maximum number of concurrent connections; 503 above.
    pub at_once: usize,
    /// The time limit for a request's head. After it the connection is closed.
    pub head_within: Duration,
    /// The time limit for reading the response.
    pub answer_within: Duration,
}

/// Serves AS4 messages at `POST /as4` until it is stopped. Messages in progress are finished first.
///
/// # Errors
/// When the spool cannot be used.
pub async fn serve_as4(
    listener: TcpListener,
    receiving: Receiving,
    bounds: Bounds,
    connections: Connections,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    bounds.spool.check(receiving.ctx.new_uuid()).await?;
    let inbound = Inbound::new(receiving, bounds);
    let places = Arc::new(Semaphore::new(connections.at_once));
    let turned_away = Arc::new(Semaphore::new(TURNED_AWAY));
    let (stopping, stopped) = watch::channel(());
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if ended_early(&error) => continue,
            Err(error) => {
                tracing::error!(%error, "connections cannot be accepted");
                sleep(PAUSE).await;
                continue;
            }
        };
        match admit(&inbound, &places, connections, peer.ip()) {
            Ok((place, client)) => {
                let service = (inbound.clone().router(), client);
                let serving = serve(stream, service, connections, stopped.clone());
                tokio::spawn(async move {
                    let _place = place;
                    serving.await;
                });
            }
            Err(full) => {
                tracing::warn!(client = %peer.ip(), full, "a connection was rejected");
                if let Ok(permit) = turned_away.clone().try_acquire_owned() {
                    tokio::spawn(async move {
                        let _permit = permit;
                        turn_away(stream, &full).await;
                    });
                }
            }
        }
    }
    drop(listener);
    stopping.send_replace(());
    // All permits are free when the last connection has ended.
    let all = u32::try_from(connections.at_once).unwrap_or(u32::MAX);
    let _ended = places.acquire_many(all).await;
    Ok(())
}

/// Whether one connection failed before it was accepted, which is not our fault.
fn ended_early(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Takes a permit for a connection. If the peer's address is the client's own, it admits the message too.
fn admit(
    inbound: &Inbound,
    places: &Arc<Semaphore>,
    connections: Connections,
    peer: IpAddr,
) -> Result<(OwnedSemaphorePermit, Option<Arc<Client>>), String> {
    let place = places.clone().try_acquire_owned();
    let place = place.map_err(|_| {
        format!("This server accepts at most {} connections at once.", connections.at_once)
    })?;
    if inbound.bounds.forwarded {
        return Ok((place, None));
    }
    let client = inbound.clients.enter(Some(peer)).map_err(|full| full.to_string())?;
    Ok((place, Some(client)))
}

async fn serve(
    stream: TcpStream,
    (router, client): (Router, Option<Arc<Client>>),
    connections: Connections,
    mut stopped: watch::Receiver<()>,
) {
    let answered = Arc::new(Notify::new());
    let service = {
        let (answered, router) = (answered.clone(), TowerToHyperService::new(router));
        service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            if let Some(client) = &client {
                request.extensions_mut().insert(client.clone());
            }
            let (answered, response) = (answered.clone(), router.call(request));
            Box::pin(async move {
                let response: Result<Response, _> = response.await;
                answered.notify_one();
                response
            })
        })
    };
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(connections.head_within);
    builder.max_buf_size(READ_AHEAD).keep_alive(false);
    let mut connection = builder.serve_connection(TokioIo::new(stream), service);
    let late = async {
        answered.notified().await;
        sleep(connections.answer_within).await;
    };
    let mut late = std::pin::pin!(late);
    let mut stopping = false;
    let served = loop {
        tokio::select! {
            served = poll_fn(|cx| connection.poll_without_shutdown(cx)) => break served,
            () = &mut late => return,
            _ = stopped.changed(), if !stopping => {
                stopping = true;
                std::pin::Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    // The head was too late, or the client has disconnected.
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
        return;
    }
    close(connection.into_parts().io.into_inner()).await;
}

/// Responds that there is no room for the connection.
async fn turn_away(mut stream: TcpStream, why: &str) {
    let length = why.len();
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\n\
         Content-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{why}"
    );
    if let Ok(Ok(())) = timeout(LINGER, stream.write_all(answer.as_bytes())).await {
        close(stream).await;
    }
}

/// Closes a connection so that the client can read its response.
async fn close(mut stream: TcpStream) {
    let lingering = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
    };
    // The outcome does not matter: the client has disconnected, or sends for too long.
    let _ended = timeout(LINGER, lingering).await;
}
