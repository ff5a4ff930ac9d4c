//! Serves what a function cannot: messages of other access points beyond Lambda's limits.

use std::{net::SocketAddr, time::Duration};

use axum::Router;
use lexopt::prelude::*;
use tokio::net::TcpListener;

use super::{Error, complain, print};
use crate::{
    api::{self, Bounds},
    config::{self, Environment},
    log,
    service::Receiving,
};

pub(super) const USAGE: &str = "\
access-point serve inbound --listen ADDRESS:PORT [--at-once N]

Takes the AS4 messages of other access points at POST /as4, as the function inbound does, up to 100 MB: 413 beyond.
Plain HTTP: whoever is in front ends TLS. The environment is that of the function inbound.

  --at-once N   messages at once (4 unless said otherwise): 503 beyond. One takes up to three times its size in memory.
";

/// Bytes of a message at most.
const MOST_BYTES: usize = 100 * 1024 * 1024;
/// Messages at once unless said otherwise.
const AT_ONCE: usize = 4;
/// How long the body of a message may take to come.
const BODY_WITHIN: Duration = Duration::from_secs(120);

/// Runs the command.
pub(super) fn run(mut arguments: lexopt::Parser) -> Result<(), Error> {
    let usage = |error: lexopt::Error| Error::Usage(error.to_string(), USAGE);
    match arguments.next().map_err(usage)? {
        Some(Value(what)) if what == "inbound" => {}
        Some(Long("help") | Short('h')) => return print(USAGE.as_bytes()),
        _ => return Err(Error::Usage("what to serve is missing".to_owned(), USAGE)),
    }
    let (mut listen, mut at_once) = (None, AT_ONCE);
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("listen") => {
                listen = Some(arguments.value().and_then(|v| v.parse()).map_err(usage)?);
            }
            Long("at-once") => {
                at_once = arguments.value().and_then(|v| v.parse()).map_err(usage)?;
            }
            Long("help") | Short('h') => return print(USAGE.as_bytes()),
            other => return Err(usage(other.unexpected())),
        }
    }
    let Some(listen) = listen else {
        return Err(Error::Usage("--listen is missing".to_owned(), USAGE));
    };
    if at_once == 0 {
        return Err(Error::Usage("--at-once is 1 or more".to_owned(), USAGE));
    }
    // Messages are verified and inflated on all cores.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(listen, Bounds { bytes: MOST_BYTES, at_once, body_within: BODY_WITHIN }))
}

async fn serve(listen: SocketAddr, bounds: Bounds) -> Result<(), Error> {
    let environment = Environment::of_process();
    let config = |why| Error::failed("the environment", why);
    log::start(config::log_level(&environment).map_err(config)?);
    let receiving = Receiving::start(&environment).await.map_err(config)?;
    let listener = TcpListener::bind(listen).await.map_err(|why| Error::failed(listen, why))?;
    let address = listener.local_addr()?;
    complain(&format!("access-point: listening on {address}\n"));
    let router: Router = api::as4(receiving, bounds);
    let stopped = async {
        // Without the signal it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    axum::serve(listener, router).with_graceful_shutdown(stopped).await.map_err(Error::from)
}
