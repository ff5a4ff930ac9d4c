//! SSRF tests: whatever the address looks like and its name resolves to, no connection to a private address is made.

mod addresses;
mod names;
mod urls;

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use reqwest::dns::Resolve;
use tokio::net::{TcpListener, TcpStream};

use self::names::{NameAnswer, Zone, serve};
use super::{super::resolver::*, *};

/// A listener at every address of this machine that counts connections.
struct Trap {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Trap {
    async fn set() -> Trap {
        // Without IPv6, IPv4 only.
        let listener = match TcpListener::bind("[::]:0").await {
            Ok(listener) => listener,
            Err(_) => TcpListener::bind("0.0.0.0:0").await.unwrap(),
        };
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Trap { port, connections }
    }

    /// The number of connections. Connections are accepted in order, so all before our own are counted.
    async fn connections(&self) -> usize {
        let before = self.connections.load(Ordering::SeqCst);
        let _ours = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        for _ in 0..500 {
            let now = self.connections.load(Ordering::SeqCst);
            if now > before {
                // Our connection may arrive while another one is counted.
                tokio::time::sleep(Duration::from_millis(20)).await;
                return self.connections.load(Ordering::SeqCst) - 1;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("our own connection was not counted");
    }
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().copied().map(ip).collect()
}

/// The errors of a request, as a webhook and as a lookup send it.
async fn refused(client: &Client, url: &str) -> [ErrorKind; 2] {
    let limits = Limits { deadline: client.deadline, answer_bytes: 100 };
    let looked_up = client.request(Method::GET, url, HeaderMap::new(), Vec::new(), limits).await;
    let posted = post(client, url).await;
    [posted, looked_up].map(|answer| answer.map_err(|error| error.kind).unwrap_err())
}

/// The client of lookups, and that of webhooks, which keeps connections.
fn clients() -> [Client; 2] {
    [Client::new(Egress::Public).unwrap(), Client::keeping(Egress::Public).unwrap()]
}

#[expect(clippy::print_stdout, reason = "the number is what it shows")]
#[tokio::test]
async fn no_spelling_of_an_address_leads_to_one_that_is_not_public() {
    let trap = Trap::set().await;
    let clients = clients();
    let hosts = addresses::closed_hosts();
    let spelt = hosts.iter().map(|host| (format!("https://{host}:PORT/hook"), ErrorKind::Blocked));
    let tricks = urls::CLOSED.iter().map(|(url, kind)| ((*url).to_owned(), *kind));
    let mut wrong = Vec::new();
    let mut count = 0;
    for (url, kind) in spelt.chain(tricks) {
        let url = url.replace("PORT", &trap.port.to_string());
        let checked = check_url(&url, Egress::Public).map_err(|error| error.kind);
        for client in &clients {
            let made = refused(client, &url).await;
            if checked.as_ref() != Err(&kind) || made != [kind; 2] {
                wrong.push((url.clone(), kind, checked.clone(), made));
            }
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(trap.connections().await, 0);
    println!("SSRF: {count} URLs, 0 connections to an address that is not public");
    assert!(count >= 300);
}

#[test]
fn public_addresses_are_let_through_however_they_are_written() {
    let hosts = addresses::open_hosts().into_iter();
    for host in hosts {
        let url = check_url(&format!("https://{host}:8443/hook"), Egress::Public).unwrap();
        let host = url.host_str().unwrap().trim_matches(['[', ']']);
        assert!(is_public(ip(host)), "{host}");
    }
    for (url, host) in urls::OPEN {
        let checked = check_url(url, Egress::Public).unwrap();
        assert_eq!(checked.host_str(), Some(host), "{url}");
    }
}

/// Names that resolve wrongly, and the error of a request to them.
fn lying() -> Vec<(String, NameAnswer, ErrorKind)> {
    use ErrorKind::{Blocked, Connect, Timeout};
    let public = || addresses(&["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]);
    let mixed = |others: &[&str]| NameAnswer::Addresses([public(), addresses(others)].concat());
    let many = |count: u8| (0..count).map(|last| IpAddr::from([8, 8, 4, last]));
    let mut names: Vec<(String, NameAnswer, ErrorKind)> = Vec::new();
    let mut named = |name: &str, says, kind| names.push((name.to_owned(), says, kind));
    for (number, closed) in [
        "127.0.0.1",
        "10.0.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.168.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "0.0.0.0",
        "::1",
        "::",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "fd00:ec2::254",
        "fe80::1",
        "ff02::1",
        "2001:db8::1",
    ]
    .into_iter()
    .enumerate()
    {
        named(&format!("only-{number}.test"), NameAnswer::Addresses(vec![ip(closed)]), Blocked);
        named(&format!("mixed-{number}.test"), mixed(&[closed]), Blocked);
        let first = NameAnswer::Addresses([vec![ip(closed)], public()].concat());
        named(&format!("first-{number}.test"), first, Blocked);
        named(
            &format!("rebinds-{number}.test"),
            NameAnswer::First(public(), vec![ip(closed)]),
            Blocked,
        );
        let alias = format!("alias-{number}.test");
        let target: &'static str = Box::leak(format!("only-{number}.test").into_boxed_str());
        named(&alias, NameAnswer::Alias(target), Blocked);
    }
    let last = NameAnswer::Addresses(many(27).chain([ip("127.0.0.1")]).collect());
    named("many.test", last, Blocked);
    named("chain-1.test", NameAnswer::Alias("chain-2.test"), Blocked);
    named("chain-2.test", NameAnswer::Alias("chain-3.test"), Blocked);
    named("chain-3.test", NameAnswer::Alias("only-0.test"), Blocked);
    named("chain-4.test", NameAnswer::Alias("mixed-3.test"), Blocked);
    named("www.localhost", NameAnswer::Addresses(public()), Blocked);
    named("circle-1.test", NameAnswer::Alias("circle-2.test"), Connect);
    named("circle-2.test", NameAnswer::Alias("circle-1.test"), Connect);
    named("dangling.test", NameAnswer::Alias("nobody.test"), Connect);
    named("nothing.test", NameAnswer::Nothing, Connect);
    named("no-name.test", NameAnswer::NoName, Connect);
    named("failure.test", NameAnswer::Failure, Connect);
    named("silence.test", NameAnswer::Silence, Timeout);
    named("garbage.test", NameAnswer::Garbage, Timeout);
    names
}

#[expect(clippy::print_stdout, reason = "the number is what it shows")]
#[tokio::test]
async fn no_name_leads_to_an_address_that_is_not_public() {
    let trap = Trap::set().await;
    let names = lying();
    let zone: Zone = names.iter().map(|(name, says, _)| (name.clone(), says.clone())).collect();
    let lookup = serve(zone).await;
    let deadline = Duration::from_millis(700);
    // A client that keeps connections, as for webhooks.
    let client = Client::with_lookup(Egress::Public, deadline, lookup.clone()).unwrap();
    let checked = CheckedResolver::new(Egress::Public, lookup);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, says, kind) in &names {
        // A check before the request; afterwards the name resolves differently.
        if matches!(says, NameAnswer::First(..)) {
            let first = checked.resolve(name.parse().unwrap()).await;
            assert_eq!(first.map_err(|error| error.to_string()).unwrap().count(), 2, "{name}");
        }
        let spellings = [name.clone(), format!("{name}."), name.to_uppercase()];
        // Each request to a silent server takes the whole deadline.
        let most = if *kind == ErrorKind::Timeout { 1 } else { 3 };
        for written in &spellings[..most] {
            let url = format!("https://{written}:{}/hook", trap.port);
            assert!(check_url(&url, Egress::Public).is_ok(), "{url}");
            let made = refused(&client, &url).await;
            if made != [*kind; 2] {
                wrong.push((url, *kind, made));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(trap.connections().await, 0);
    println!("SSRF: {count} URLs by {} names, 0 connections", names.len());
}

/// The system's resolver answers these names without a query, or does not know them.
#[tokio::test]
async fn no_name_of_this_machine_is_called() {
    let trap = Trap::set().await;
    for client in clients() {
        for name in ["localhost", "LOCALHOST", "ⓛocalhost", "lo\u{ad}calhost"] {
            let made = refused(&client, &format!("https://{name}:{}/", trap.port)).await;
            assert_eq!(made, [ErrorKind::Blocked; 2], "{name}");
        }
        for name in ["localhost.", "ip6-localhost", "localhost.localdomain", "broadcasthost"] {
            refused(&client, &format!("https://{name}:{}/", trap.port)).await;
        }
    }
    assert_eq!(trap.connections().await, 0);
}

#[tokio::test]
async fn names_of_public_addresses_are_let_through_and_no_more_than_sixteen_are_tried() {
    let few = addresses(&["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]);
    let many: Vec<_> = (0..28).map(|last| IpAddr::from([8, 8, 4, last])).collect();
    let zone = [
        ("few.test", NameAnswer::Addresses(few.clone())),
        ("alias.test", NameAnswer::Alias("few.test")),
        ("many.test", NameAnswer::Addresses(many)),
    ];
    let zone = zone.into_iter().map(|(name, says)| (name.to_owned(), says)).collect();
    let checked = CheckedResolver::new(Egress::Public, serve(zone).await);
    for (name, count) in [("few.test", 2), ("alias.test", 2), ("many.test", 16)] {
        let found = checked.resolve(name.parse().unwrap()).await;
        let found: Vec<_> = found.map_err(|error| error.to_string()).unwrap().collect();
        assert_eq!(found.len(), count, "{name}");
        assert!(found.iter().all(|address| is_public(address.ip())));
    }
}

#[tokio::test]
async fn no_redirect_is_followed_whatever_it_is_called_and_wherever_it_leads() {
    let trap = Trap::set().await;
    let places = [
        format!("https://127.0.0.1:{}/", trap.port),
        format!("http://127.0.0.1:{}/", trap.port),
        format!("//127.0.0.1:{}/", trap.port),
        format!("http://localhost:{}/", trap.port),
        format!("http://[::1]:{}/", trap.port),
        format!("http://[::ffff:127.0.0.1]:{}/", trap.port),
        format!("http://2130706433:{}/", trap.port),
        format!("gopher://127.0.0.1:{}/", trap.port),
        "http://169.254.169.254/latest/meta-data/iam/security-credentials/".to_owned(),
        "/elsewhere".to_owned(),
    ];
    let mut count = 0;
    for code in ["300", "301", "302", "303", "304", "305", "306", "307", "308", "200", "401"] {
        for place in &places {
            let headers = format!(
                "location: {place}\r\nrefresh: 0;url={place}\r\ncontent-location: {place}\r\n"
            );
            let server =
                Receiver::start(Behaviour::status(&format!("{code} X"), &headers, "")).await;
            let answer = post(&local(), &server.url).await.unwrap();
            assert_eq!(answer.status.as_str(), code);
            assert_eq!(server.received().len(), 1, "{code} to {place}");
            count += 1;
        }
    }
    assert_eq!((trap.connections().await, count), (0, 110));
}

/// The check causes the results above: without it the same client connects.
#[tokio::test]
async fn without_the_guard_the_trap_is_met() {
    let trap = Trap::set().await;
    let zone = [("only.test".to_owned(), NameAnswer::Addresses(vec![ip("127.0.0.1")]))];
    let lookup = serve(zone.into_iter().collect()).await;
    let client = Client::with_lookup(Egress::Any, Duration::from_secs(2), lookup).unwrap();
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "①②⑦.0.0.1", "only.test"] {
        refused(&client, &format!("https://{host}:{}/", trap.port)).await;
    }
    assert_eq!(trap.connections().await, 10);
}
