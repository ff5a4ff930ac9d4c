//! Serves what a function cannot: messages of other access points beyond Lambda's limits.

use std::{
    net::SocketAddr,
    num::{NonZeroU32, NonZeroU64, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use tokio::net::TcpListener;

use super::{Error, common::environment, complain};
use crate::{
    api::{self, Bounds, Connections, Pace, Spool},
    config::{self, Environment},
    lambda::Deployment,
    log,
    service::Receiving,
};

/// Serve without Lambda
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Inbound(Inbound),
}

/// Receive messages from other access points
///
/// Receives AS4 messages at POST /as4, as the function inbound does, up to 100 MB: 413 beyond. Serves plain HTTP: a proxy in
/// front ends TLS. Needs the environment of the function inbound. Each connection is for one message. A message is first
/// spooled, to a file from 64 KiB on. Then the server works on it, when fewer than --at-once others are under way. If a limit
/// leaves no room, the answer is 503 with Retry-After.
///
/// One address is an address of IPv4, or a /64 of IPv6. Behind a proxy, without --forwarded, all clients are one address.
#[derive(Debug, clap::Args)]
struct Inbound {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// Maximum bytes of a message
    #[arg(long, value_name = "N", default_value = "104857600")]
    message_bytes: NonZeroUsize,
    /// Maximum number of messages in work; for one address, one less. Each takes up to three times its size in memory
    #[arg(long, value_name = "N", default_value = "4")]
    at_once: NonZeroUsize,
    /// Maximum time that a complete message waits for work: 503 beyond
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    place_within: NonZeroU32,
    /// Maximum number of connections: 503 beyond. Each takes up to two file descriptors
    #[arg(long, value_name = "N", default_value = "400")]
    connections: NonZeroUsize,
    /// Maximum number of connections of one address: 503 beyond
    #[arg(long, value_name = "N", default_value = "40")]
    connections_of_address: NonZeroUsize,
    /// Time for the head of a request: closed beyond
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    head_within: NonZeroU32,
    /// Time for a body: 408 beyond
    #[arg(long, value_name = "SECONDS", default_value = "300")]
    body_within: NonZeroU32,
    /// Time until the first byte of a body: 408 beyond
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    body_grace: NonZeroU32,
    /// Minimum average bytes of a body a second after that: 408 below
    #[arg(long, value_name = "N", default_value = "16384")]
    body_rate: NonZeroU32,
    /// Time to read the answer: closed beyond
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    answer_within: NonZeroU32,
    /// Where incoming messages are spooled; the system's directory for temporary files without it. Needs room for
    /// --spool-bytes on a disk: in memory it counts as memory
    #[arg(long, value_name = "DIRECTORY")]
    spool: Option<PathBuf>,
    /// Maximum bytes in the spool: 503 beyond
    #[arg(long, value_name = "N", default_value = "2147483648")]
    spool_bytes: NonZeroU64,
    /// Maximum bytes of one address in the spool: 503 beyond
    #[arg(long, value_name = "N", default_value = "536870912")]
    spool_bytes_of_address: NonZeroU64,
    /// Take the last address of X-Forwarded-For, not that of the connection. Use it behind a proxy that writes the header, and
    /// only if nobody can reach this server past the proxy
    #[arg(long)]
    forwarded: bool,
}

/// Of a message at most, kept in memory while it comes.
const IN_MEMORY: usize = 64 * 1024;

impl Inbound {
    /// The limits. Refuses those by which no message of the allowed size could come.
    fn limits(self) -> Result<(Bounds, Connections), Error> {
        let bytes = u64::try_from(self.message_bytes.get()).unwrap_or(u64::MAX);
        for (name, spool) in [
            ("--spool-bytes", self.spool_bytes),
            ("--spool-bytes-of-address", self.spool_bytes_of_address),
        ] {
            if spool.get() < bytes {
                let why = format!("{name} has room for no message of {bytes} bytes");
                return Err(Error::Usage(why));
            }
        }
        // The most that the count of places takes.
        let most = tokio::sync::Semaphore::MAX_PERMITS.min(u32::MAX as usize);
        for (name, value) in [("--at-once", self.at_once), ("--connections", self.connections)] {
            if value.get() > most {
                return Err(Error::Usage(format!("{name} is {most} at most")));
            }
        }
        let seconds = |seconds: NonZeroU32| Duration::from_secs(seconds.get().into());
        let bounds = Bounds {
            bytes: self.message_bytes.get(),
            pace: Pace {
                grace: seconds(self.body_grace),
                bytes_per_second: self.body_rate.get(),
                within: seconds(self.body_within),
            },
            spool: Spool {
                memory_bytes: IN_MEMORY,
                directory: Some(self.spool.unwrap_or_else(std::env::temp_dir)),
            },
            spool_bytes: self.spool_bytes.get(),
            spool_bytes_of_address: self.spool_bytes_of_address.get(),
            of_address: self.connections_of_address.get(),
            at_once: self.at_once.get(),
            place_within: seconds(self.place_within),
            forwarded: self.forwarded,
        };
        let connections = Connections {
            at_once: self.connections.get(),
            head_within: seconds(self.head_within),
            answer_within: seconds(self.answer_within),
        };
        Ok((bounds, connections))
    }
}

/// Runs the command.
pub(super) fn run(Args { what: What::Inbound(inbound) }: Args) -> Result<(), Error> {
    let listen = inbound.listen;
    let (bounds, connections) = inbound.limits()?;
    // Messages are verified and inflated on all cores.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(listen, bounds, connections))
}

async fn serve(listen: SocketAddr, bounds: Bounds, connections: Connections) -> Result<(), Error> {
    let variables = Environment::of_process();
    log::start(config::log_level(&variables).map_err(environment)?);
    let deployment = Deployment::of(variables).await.map_err(environment)?;
    let receiving = Receiving::on(&deployment).map_err(environment)?;
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

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;
    use crate::cli::read_line;

    const LISTEN: [&str; 2] = ["--listen", "127.0.0.1:8080"];

    /// What comes of the arguments, in words.
    fn read(arguments: &[&str]) -> Result<String, String> {
        let inbound: Inbound = read_line(arguments)?;
        let limits = inbound.limits().map_err(|why| format!("{why:?}"))?;
        Ok(format!("{limits:?}"))
    }

    #[test]
    fn every_number_has_a_default_and_is_read() {
        let usual = read(&LISTEN).unwrap();
        let declared = Inbound::augment_args(clap::Command::new("x"));
        let mut numbers = 0;
        for argument in declared.get_arguments() {
            let [default] = argument.get_default_values() else { continue };
            let option = format!("--{}", argument.get_long().unwrap());
            let default: u64 = default.to_str().unwrap().parse().unwrap();
            // Fewer bytes of a message, and more room in the spool, are allowed.
            let step = if option == "--message-bytes" { default - 1 } else { default + 1 };
            let other = read(&[&LISTEN[..], &[&option, &step.to_string()]].concat());
            assert!(other.as_ref().is_ok_and(|other| *other != usual), "{option}: {other:?}");
            let zero = read(&[&LISTEN[..], &[&option, "0"]].concat()).unwrap_err();
            assert!(zero.contains(&option), "{zero}");
            numbers += 1;
        }
        assert_eq!(numbers, 12);
    }

    #[test]
    fn what_can_take_no_message_or_is_no_option_is_refused() {
        for (arguments, why) in [
            (
                &["--spool-bytes", "1000", "--message-bytes", "1001"][..],
                "--spool-bytes has room for no message of 1001 bytes",
            ),
            (
                &["--spool-bytes-of-address", "1000"],
                "--spool-bytes-of-address has room for no message of 104857600 bytes",
            ),
            (&["--connections", "99999999999"], "--connections is"),
            (&["--head-within", "soon"], "soon"),
            (&["--slowly"], "--slowly"),
        ] {
            let refused = read(&[&LISTEN[..], arguments].concat()).unwrap_err();
            assert!(refused.contains(why), "{arguments:?}: {refused}");
        }
        for (arguments, why) in
            [(&[][..], "--listen"), (&["--listen"], "--listen"), (&["--listen", "8080"], "8080")]
        {
            let refused = read(arguments).unwrap_err();
            assert!(refused.contains(why), "{arguments:?}: {refused}");
        }
        let taken = read(&[&LISTEN[..], &["--forwarded", "--spool", "/spool"]].concat()).unwrap();
        for part in ["forwarded: true", "\"/spool\""] {
            assert!(taken.contains(part), "{part} in {taken}");
        }
    }
}
