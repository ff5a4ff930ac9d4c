//! A lying name server on loopback, and a client that asks it.

use std::{
    collections::HashMap,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};

use hickory_resolver::{
    TokioResolver,
    config::{NameServerConfig, ResolverConfig},
    net::runtime::TokioRuntimeProvider,
};
use tokio::net::UdpSocket;

use super::super::super::resolver::Lookup;

const A: u16 = 1;
const CNAME: u16 = 5;
const AAAA: u16 = 28;

/// The server's answer for a name.
#[derive(Debug, Clone)]
pub(super) enum NameAnswer {
    /// These addresses, filtered by the requested family.
    Addresses(Vec<IpAddr>),
    /// One list for the first query, another for all later ones.
    First(Vec<IpAddr>, Vec<IpAddr>),
    /// An alias of another name.
    Alias(&'static str),
    /// The name exists, but has no address.
    Nothing,
    /// The name does not exist.
    NoName,
    /// A server failure.
    Failure,
    /// No response.
    Silence,
    /// Bytes that are not a DNS message.
    Garbage,
}

/// The names of the server.
pub(super) type Zone = HashMap<String, NameAnswer>;

/// Starts a server for these names, and returns a resolver that asks it.
pub(super) async fn serve(zone: Zone) -> Lookup {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let resolver = resolver(socket.local_addr().unwrap());
    let asked: Mutex<HashMap<(String, u16), usize>> = Mutex::default();
    tokio::spawn(async move {
        let mut question = [0; 1500];
        while let Ok((length, from)) = socket.recv_from(&mut question).await {
            let question = &question[..length];
            let (name, kind) = read(question);
            let before = {
                let mut asked = asked.lock().unwrap();
                let times = asked.entry((name.clone(), kind)).or_default();
                *times += 1;
                *times - 1
            };
            if let Some(answer) = answer(&zone, question, &name, kind, before) {
                let _ = socket.send_to(&answer, from).await;
            }
        }
    });
    Arc::new(move |name| {
        let resolver = resolver.clone();
        Box::pin(async move {
            let found = resolver.lookup_ip(format!("{}.", name.trim_end_matches('.'))).await;
            let found = found.map_err(io::Error::other)?;
            Ok(found.iter().collect())
        })
    })
}

fn resolver(server: SocketAddr) -> TokioResolver {
    let mut named = NameServerConfig::udp(server.ip());
    for connection in &mut named.connections {
        connection.port = server.port();
    }
    let config = ResolverConfig::from_parts(None, Vec::new(), vec![named]);
    let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
    let options = builder.options_mut();
    (options.cache_size, options.attempts) = (0, 1);
    // Longer than the client's deadline, which also covers name resolution.
    options.timeout = Duration::from_secs(30);
    options.ip_strategy = hickory_resolver::config::LookupIpStrategy::Ipv4AndIpv6;
    builder.build().unwrap()
}

/// Name (in lower case) and type of a query (RFC 1035, section 4.1.2).
fn read(question: &[u8]) -> (String, u16) {
    let (mut at, mut labels) = (12, Vec::new());
    while question[at] != 0 {
        let label = &question[at + 1..=at + usize::from(question[at])];
        labels.push(String::from_utf8_lossy(label).to_lowercase());
        at += label.len() + 1;
    }
    (labels.join("."), u16::from_be_bytes([question[at + 1], question[at + 2]]))
}

fn answer(zone: &Zone, question: &[u8], name: &str, kind: u16, before: usize) -> Option<Vec<u8>> {
    let (mut records, mut owner) = (Vec::new(), name.to_owned());
    // The server follows a chain of aliases, as a recursive server does.
    for _ in 0..=zone.len() {
        let addresses = match zone.get(&owner).unwrap_or(&NameAnswer::NoName) {
            NameAnswer::Alias(target) => {
                records.push(record(name, &owner, CNAME, &encoded(target)));
                owner = (*target).to_owned();
                continue;
            }
            NameAnswer::Addresses(addresses) => addresses,
            NameAnswer::First(first, _) if before == 0 => first,
            NameAnswer::First(_, then) => then,
            NameAnswer::Nothing => return Some(message(question, 0, &records)),
            NameAnswer::NoName => return Some(message(question, 3, &records)),
            NameAnswer::Failure => return Some(message(question, 2, &records)),
            NameAnswer::Silence => return None,
            NameAnswer::Garbage => return Some(vec![0xff; 40]),
        };
        records.extend(addresses.iter().filter_map(|address| match (address, kind) {
            (IpAddr::V4(v4), A) => Some(record(name, &owner, A, &v4.octets())),
            (IpAddr::V6(v6), AAAA) => Some(record(name, &owner, AAAA, &v6.octets())),
            _ => None,
        }));
        return Some(message(question, 0, &records));
    }
    // The aliases form a circle.
    Some(message(question, 0, &records))
}

/// A record that must not be cached (TTL 0). The queried name is a pointer to the query (RFC 1035, section 4.1.4), so
/// that many records fit into a datagram.
fn record(asked: &str, owner: &str, kind: u16, data: &[u8]) -> Vec<u8> {
    let mut record = if owner == asked { vec![0xc0, 12] } else { encoded(owner) };
    record.extend(kind.to_be_bytes());
    record.extend([0, 1, 0, 0, 0, 0]);
    record.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
    record.extend(data);
    record
}

fn encoded(name: &str) -> Vec<u8> {
    let mut encoded = Vec::new();
    for label in name.split('.') {
        encoded.push(u8::try_from(label.len()).unwrap());
        encoded.extend(label.bytes());
    }
    encoded.push(0);
    encoded
}

fn message(question: &[u8], code: u8, records: &[Vec<u8>]) -> Vec<u8> {
    let end = 12 + question[12..].iter().position(|byte| *byte == 0).unwrap() + 5;
    let mut message = question[..2].to_vec();
    message.extend([0x81, 0x80 | code, 0, 1]);
    message.extend(u16::try_from(records.len()).unwrap().to_be_bytes());
    message.extend([0, 0, 0, 0]);
    message.extend(&question[12..end]);
    message.extend(records.concat());
    message
}
