//! Serves what a function cannot: messages of other access points beyond Lambda's limits.

use std::{net::SocketAddr, path::PathBuf, str::FromStr, time::Duration};

use lexopt::prelude::*;
use tokio::net::TcpListener;

use super::{Error, complain, print};
use crate::{
    api::{self, Bounds, Connections, Pace, Spool},
    config::{self, Environment},
    log,
    service::Receiving,
};

pub(super) const USAGE: &str = "\
access-point serve inbound --listen ADDRESS:PORT [OPTION VALUE ...]

Takes the AS4 messages of other access points at POST /as4, as the function inbound does, up to 100 MB: 413 beyond.
Plain HTTP: whoever is in front ends TLS. The environment is that of the function inbound. A connection is for one message.
A message is spooled first, to a file from 64 KiB on. Then it takes one of the places for work. Where a bound leaves no room,
the answer is 503 with Retry-After.

  --message-bytes N            bytes of a message at most (104857600)
  --at-once N                  messages that are worked on at once (4), of one address one less. Each takes up to three times
                               its size in memory
  --place-within SECONDS       how long a message that has come waits for that (10): 503 beyond
  --connections N              connections at once (400): 503 beyond. Each takes two file descriptors at most
  --connections-of-address N   of these, of one address (40): 503 beyond
  --head-within SECONDS        time for a request's head (10): closed beyond
  --body-within SECONDS        time for a body (300): 408 beyond
  --body-grace SECONDS         time before any of a body has to come (10): 408 beyond
  --body-rate N                bytes of a body a second after that, on average (16384): 408 below
  --answer-within SECONDS      time to read the answer (10): closed beyond
  --spool DIRECTORY            where messages are while they come (the system's for temporary files). Room for --spool-bytes,
                               on a disk: in memory it counts as memory
  --spool-bytes N              bytes in it at once (2147483648): 503 beyond
  --spool-bytes-of-address N   of these, of one address (536870912): 503 beyond
  --forwarded                  an address is the last one of X-Forwarded-For, not that of the connection. Say so behind a proxy
                               that writes it, and only where nobody reaches this server past the proxy

One address is an address of IPv4, or a /64 of IPv6. Behind a proxy, without --forwarded, all clients are one address.
";

/// Of a message at most, kept in memory while it comes.
const IN_MEMORY: usize = 64 * 1024;

struct Options {
    listen: Option<SocketAddr>,
    bounds: Bounds,
    connections: Connections,
}

impl Options {
    /// What is not said otherwise. Whoever is slower than that, or sends nothing, has a connection for seconds and no place.
    fn new() -> Self {
        let seconds = Duration::from_secs;
        Options {
            listen: None,
            bounds: Bounds {
                bytes: 100 * 1024 * 1024,
                pace: Pace {
                    grace: seconds(10),
                    bytes_per_second: 16 * 1024,
                    within: seconds(300),
                },
                spool: Spool { memory_bytes: IN_MEMORY, directory: Some(std::env::temp_dir()) },
                spool_bytes: 2 * 1024 * 1024 * 1024,
                spool_bytes_of_address: 512 * 1024 * 1024,
                of_address: 40,
                at_once: 4,
                place_within: seconds(10),
                forwarded: false,
            },
            connections: Connections {
                at_once: 400,
                head_within: seconds(10),
                answer_within: seconds(10),
            },
        }
    }

    fn read(arguments: &mut lexopt::Parser) -> Result<Option<Self>, lexopt::Error> {
        let mut options = Options::new();
        let Options { listen, bounds, connections } = &mut options;
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("listen") => *listen = Some(arguments.value()?.parse()?),
                Long("message-bytes") => bounds.bytes = positive(arguments)?,
                Long("at-once") => bounds.at_once = positive(arguments)?,
                Long("place-within") => bounds.place_within = seconds(arguments)?,
                Long("connections") => connections.at_once = positive(arguments)?,
                Long("connections-of-address") => bounds.of_address = positive(arguments)?,
                Long("head-within") => connections.head_within = seconds(arguments)?,
                Long("body-within") => bounds.pace.within = seconds(arguments)?,
                Long("body-grace") => bounds.pace.grace = seconds(arguments)?,
                Long("body-rate") => bounds.pace.bytes_per_second = positive(arguments)?,
                Long("answer-within") => connections.answer_within = seconds(arguments)?,
                Long("spool") => {
                    bounds.spool.directory = Some(PathBuf::from(arguments.value()?));
                }
                Long("spool-bytes") => bounds.spool_bytes = positive(arguments)?,
                Long("spool-bytes-of-address") => {
                    bounds.spool_bytes_of_address = positive(arguments)?;
                }
                Long("forwarded") => bounds.forwarded = true,
                Long("help") | Short('h') => return Ok(None),
                other => return Err(other.unexpected()),
            }
        }
        options.check()?;
        Ok(Some(options))
    }

    /// Refuses bounds by which no message of the allowed size could come.
    fn check(&self) -> Result<(), lexopt::Error> {
        let Bounds { bytes, spool_bytes, spool_bytes_of_address, .. } = self.bounds;
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        for (name, spool) in
            [("--spool-bytes", spool_bytes), ("--spool-bytes-of-address", spool_bytes_of_address)]
        {
            if spool < bytes {
                return Err(format!("{name} has room for no message of {bytes} bytes").into());
            }
        }
        // The most that the count of places takes.
        let most = tokio::sync::Semaphore::MAX_PERMITS.min(u32::MAX as usize);
        for (name, value) in
            [("--at-once", self.bounds.at_once), ("--connections", self.connections.at_once)]
        {
            if value > most {
                return Err(format!("{name} is {most} at most").into());
            }
        }
        Ok(())
    }
}

/// Runs the command.
pub(super) fn run(mut arguments: lexopt::Parser) -> Result<(), Error> {
    let usage = |error: lexopt::Error| Error::Usage(error.to_string(), USAGE);
    match arguments.next().map_err(usage)? {
        Some(Value(what)) if what == "inbound" => {}
        Some(Long("help") | Short('h')) => return print(USAGE.as_bytes()),
        _ => return Err(Error::Usage("what to serve is missing".to_owned(), USAGE)),
    }
    let Some(options) = Options::read(&mut arguments).map_err(usage)? else {
        return print(USAGE.as_bytes());
    };
    let Some(listen) = options.listen else {
        return Err(Error::Usage("--listen is missing".to_owned(), USAGE));
    };
    // Messages are verified and inflated on all cores.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(listen, options.bounds, options.connections))
}

/// The number that follows, 1 or more.
fn positive<T: FromStr + Default + PartialEq>(
    arguments: &mut lexopt::Parser,
) -> Result<T, lexopt::Error>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let number: T = arguments.value()?.parse()?;
    if number == T::default() {
        return Err("a bound is 1 or more".into());
    }
    Ok(number)
}

fn seconds(arguments: &mut lexopt::Parser) -> Result<Duration, lexopt::Error> {
    positive::<u32>(arguments).map(|seconds| Duration::from_secs(seconds.into()))
}

async fn serve(listen: SocketAddr, bounds: Bounds, connections: Connections) -> Result<(), Error> {
    let environment = Environment::of_process();
    let config = |why| Error::failed("the environment", why);
    log::start(config::log_level(&environment).map_err(config)?);
    let receiving = Receiving::start(&environment).await.map_err(config)?;
    let listener = TcpListener::bind(listen).await.map_err(|why| Error::failed(listen, why))?;
    let address = listener.local_addr()?;
    complain(&format!("access-point: listening on {address}\n"));
    let stopped = async {
        // Without the signal it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let served = api::serve_as4(listener, receiving, bounds, connections, stopped);
    served.await.map_err(|why| Error::failed("the spool", why))
}
