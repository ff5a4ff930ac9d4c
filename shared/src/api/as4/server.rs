//! The connections of a server: so many at once, so many of one address, each for one message.
//!
//! A connection ends with its answer. So it is never idle, and every moment of it has a limit: that of the head, the pace of the
//! body, the wait for a place, the work, and the time to read the answer.

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

/// Bytes of a request's head at most, and of what is read ahead of a body.
const READ_AHEAD: usize = 64 * 1024;
/// How long what a client still sends is read after the answer. Closed at once, the connection would be reset, and the
/// answer be lost to who has not read it yet (RFC 9112, section 9.6).
const LINGER: Duration = Duration::from_secs(2);
/// Clients that are told at once that there is no room. Beyond, their connections are closed without a word.
const TURNED_AWAY: usize = 64;
/// How long nothing is accepted where nothing can be, such as for want of file descriptors.
const PAUSE: Duration = Duration::from_secs(1);

/// What bounds the connections of a server.
#[derive(Debug, Clone, Copy)]
pub struct Connections {
    /// How many there are at once at most: 503 beyond.
    pub at_once: usize,
    /// Within what time a request's head has to come; the connection is closed otherwise.
    pub head_within: Duration,
    /// Within what time the answer has to be read.
    pub answer_within: Duration,
}

/// Serves AS4 messages at `POST /as4` until it is stopped; what is under way then ends first.
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
                tracing::error!(%error, "no connection can be accepted");
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
                tracing::warn!(client = %peer.ip(), full, "a connection was turned away");
                if let Ok(told) = turned_away.clone().try_acquire_owned() {
                    tokio::spawn(async move {
                        let _told = told;
                        turn_away(stream, &full).await;
                    });
                }
            }
        }
    }
    drop(listener);
    stopping.send_replace(());
    // All places are free again when the last connection has ended.
    let all = u32::try_from(connections.at_once).unwrap_or(u32::MAX);
    let _ended = places.acquire_many(all).await;
    Ok(())
}

/// Whether it was one connection that failed before it was accepted, and no fault of ours.
fn ended_early(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Finds a place for a connection, and for its message where the address at the other end is the client's own.
fn admit(
    inbound: &Inbound,
    places: &Arc<Semaphore>,
    connections: Connections,
    peer: IpAddr,
) -> Result<(OwnedSemaphorePermit, Option<Arc<Client>>), String> {
    let place = places.clone().try_acquire_owned();
    let place = place
        .map_err(|_| format!("This server has {} connections at once.", connections.at_once))?;
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
    // A head that did not come in time, or a client that is gone.
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
        return;
    }
    close(connection.into_parts().io.into_inner()).await;
}

/// Tells a client that there is no room for its connection.
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

/// Ends a connection so that its last answer is read.
async fn close(mut stream: TcpStream) {
    let lingering = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
    };
    // Whoever is gone needs no more of it, nor who still sends after that.
    let _ended = timeout(LINGER, lingering).await;
}
