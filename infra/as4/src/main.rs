//! Another access point, made of the product's parts: in the local network, and to try AS4 and SMPs with other stacks.
//!
//! ```text
//! as4-peer wrap KIND SENDER RECEIVER [FILE]        the envelope of a document on standard output; a status (mls) is made
//! as4-peer send URL RECEIVER.pem SBDH.xml          sends, verifies the receipt; --ping, --message-id ID, --repeat N
//! as4-peer build RECEIVER.pem SBDH.xml FILE        writes the message with its Content-Type line; --ping
//! as4-peer serve [--port N] [--out FILE]           receives until it is ended; --serves PARTICIPANT, --takes TYPE, --keep DIR
//! as4-peer lookup SMP PARTICIPANT TYPE PROCESS     finds an endpoint, SMP being what DNS would name
//! as4-peer publish PARTICIPANT URL RECEIVER.pem    an SMP that has this participant's registrations; --port N
//! as4-peer captured FILE                           judges a message of Peppol's test network between two others
//! ```
//!
//! All but `wrap` and `captured` take `--pki DIR --seat NAME`: NAME.pem and NAME.key.pem in that folder are the own certificate and its
//! key, ap-trust.pem and smp-trust.pem the authorities, crl/ has their revocation lists by the last part of their addresses.
//! What happens is told as JSON, one object a line. Plain HTTP, for loopback alone; claims are forgotten with the process.

#![expect(clippy::print_stdout, reason = "a program that tells what happens")]

mod captured;
mod envelope;
mod http;
mod network;
mod peer;
mod serve;

use std::{
    error::Error,
    fs,
    io::{self, Write},
    path::PathBuf,
};

use lexopt::prelude::*;

use peer::Peer;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Bytes of an envelope at most, as the service has it.
const MOST_ENVELOPE_BYTES: usize = 100 * 1024 * 1024;

const USAGE: &str = "wrap KIND SENDER RECEIVER [FILE] | send URL RECEIVER.pem SBDH.xml | build RECEIVER.pem SBDH.xml FILE | \
     serve | lookup SMP PARTICIPANT TYPE PROCESS | publish PARTICIPANT URL RECEIVER.pem | captured FILE";

/// What the command line says.
#[derive(Default)]
struct Options {
    words: Vec<String>,
    pki: PathBuf,
    seat: String,
    ping: bool,
    message_id: Option<String>,
    repeat: usize,
    port: u16,
    out: Option<PathBuf>,
    serves: Vec<String>,
    takes: Vec<String>,
    keep: Option<PathBuf>,
}

impl Options {
    fn read() -> Result<Self> {
        let mut options = Options { repeat: 1, ..Options::default() };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Value(word) => options.words.push(word.string()?),
                Long("pki") => options.pki = arguments.value()?.into(),
                Long("seat") => options.seat = arguments.value()?.string()?,
                Long("ping") => options.ping = true,
                Long("message-id") => options.message_id = Some(arguments.value()?.string()?),
                Long("repeat") => options.repeat = arguments.value()?.parse()?,
                Long("port") => options.port = arguments.value()?.parse()?,
                Long("out") => options.out = Some(arguments.value()?.into()),
                Long("serves") => options.serves.push(arguments.value()?.string()?),
                Long("takes") => options.takes.push(arguments.value()?.string()?),
                Long("keep") => options.keep = Some(arguments.value()?.into()),
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(options)
    }

    fn peer(&self) -> Result<Peer> {
        Peer::new(&self.pki, &self.seat)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = Options::read()?;
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    match words[..] {
        ["wrap", kind, sender, receiver] => write(&envelope::status(kind, sender, receiver)?),
        ["wrap", kind, sender, receiver, file] => {
            write(&envelope::wrap(kind, sender, receiver, &fs::read(file)?)?)
        }
        ["send", url, receiver, sbdh] => {
            let (receiver, sbdh) = (fs::read_to_string(receiver)?, fs::read(sbdh)?);
            let peer = options.peer()?;
            let receiver = match peer.receiver(&receiver) {
                Ok(receiver) => receiver,
                Err(error) => {
                    let why = error.to_string();
                    println!("{}", serde_json::json!({"outcome": "not_sent", "why": why}));
                    return Ok(());
                }
            };
            let (client, id) = (&mut http::Client::default(), options.message_id.as_deref());
            for _ in 0..options.repeat {
                println!("{}", peer.send(client, url, &receiver, &sbdh, options.ping, id).await?);
            }
            Ok(())
        }
        ["build", receiver, sbdh, file] => {
            let (peer, id) = (options.peer()?, peer::new_id()?);
            let receiver = peer.receiver(&fs::read_to_string(receiver)?)?;
            let built = peer.build(&receiver, &fs::read(sbdh)?, options.ping, id).await?.0;
            let head = format!("Content-Type: {}\r\n\r\n", built.content_type);
            Ok(fs::write(file, [head.as_bytes(), &built.body].concat())?)
        }
        ["serve"] => {
            let served = serve::Served::read(&options.serves, &options.takes)?;
            let peer = options.peer()?;
            let kept = serve::Kept { out: options.out.as_deref(), envelopes: options.keep };
            serve::serve(peer, served, options.port, kept).await
        }
        ["lookup", smp, participant, document_type, process] => {
            let peer = options.peer()?;
            let found = network::lookup(&peer, smp, participant, document_type, process).await?;
            println!("{found}");
            Ok(())
        }
        ["publish", participant, address, receiver] => {
            let receiver = fs::read_to_string(receiver)?;
            network::publish(&options.peer()?, participant, address, &receiver, options.port).await
        }
        ["captured", file] => {
            println!("{}", captured::judge(&fs::read(file)?).await?);
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

fn write(bytes: &[u8]) -> Result<()> {
    Ok(io::stdout().write_all(bytes)?)
}
