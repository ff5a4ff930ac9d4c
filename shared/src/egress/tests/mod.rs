//! Requests to loopback, and forbidden behaviour of the client.

mod authority;
mod handshake;
mod ssrf;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::peppol::pki::testing::PKI;
use crate::webhook::receiver::{Behaviour, Receiver};

#[test]
fn addresses_of_the_public_internet_are_distinguished_from_all_others() {
    let cases = [
        ("8.8.8.8", true),
        ("1.1.1.1", true),
        ("172.15.255.255", true),
        ("172.32.0.0", true),
        ("100.63.255.255", true),
        ("100.128.0.0", true),
        ("198.17.255.255", true),
        ("198.20.0.0", true),
        ("223.255.255.255", true),
        ("192.0.1.1", true),
        ("0.0.0.0", false),
        ("0.1.2.3", false),
        ("10.0.0.1", false),
        ("100.64.0.1", false),
        ("100.127.255.255", false),
        ("127.0.0.1", false),
        ("127.255.255.254", false),
        ("169.254.169.254", false),
        ("172.16.0.1", false),
        ("172.31.255.255", false),
        ("192.0.0.170", false),
        ("192.0.2.1", false),
        ("192.88.99.1", false),
        ("192.168.1.1", false),
        ("198.18.0.1", false),
        ("198.19.255.255", false),
        ("198.51.100.7", false),
        ("203.0.113.7", false),
        ("224.0.0.1", false),
        ("239.255.255.255", false),
        ("240.0.0.1", false),
        ("255.255.255.255", false),
        ("2606:4700:4700::1111", true),
        ("2a00:1450:4001::1", true),
        ("2001:4860:4860::8888", true),
        ("2003::1", true),
        ("::", false),
        ("::1", false),
        ("::ffff:127.0.0.1", false),
        ("::ffff:169.254.169.254", false),
        ("::ffff:8.8.8.8", true),
        ("::127.0.0.1", false),
        ("64:ff9b::7f00:1", false),
        ("64:ff9b::808:808", false),
        ("64:ff9b:1::1", false),
        ("100::1", false),
        ("2001::1", false),
        ("2001:1ff::1", false),
        ("2001:db8::1", false),
        ("2002:7f00:1::1", false),
        ("3fff::1", false),
        ("3fff:fff::1", false),
        ("5f00::1", false),
        ("fc00::1", false),
        ("fd12:3456::1", false),
        ("fe80::1", false),
        ("fec0::1", false),
        ("ff02::1", false),
    ];
    for (address, public) in cases {
        assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
    }
}

#[test]
fn urls_are_checked_before_anything_is_sent() {
    use ErrorKind::{Blocked, InvalidUrl};
    let cases = [
        ("https://example.com/hook", Egress::Public, None),
        ("https://example.com:8443/hook?x=1", Egress::Public, None),
        ("https://8.8.8.8/", Egress::Public, None),
        ("http://example.com/", Egress::Public, Some(InvalidUrl)),
        ("ftp://example.com/", Egress::Public, Some(InvalidUrl)),
        ("file:///etc/passwd", Egress::Any, Some(InvalidUrl)),
        ("https://user@example.com/", Egress::Public, Some(InvalidUrl)),
        ("https://user:pass@example.com/", Egress::Any, Some(InvalidUrl)),
        ("https:///", Egress::Public, Some(InvalidUrl)),
        ("example.com", Egress::Public, Some(InvalidUrl)),
        ("", Egress::Public, Some(InvalidUrl)),
        ("https://127.0.0.1/", Egress::Public, Some(Blocked)),
        // All notations of 127.0.0.1 that URL parsers accept (WHATWG URL, "IPv4 parser").
        ("https://2130706433/", Egress::Public, Some(Blocked)),
        ("https://0x7f.1/", Egress::Public, Some(Blocked)),
        ("https://0177.0.0.1/", Egress::Public, Some(Blocked)),
        ("https://127.1/", Egress::Public, Some(Blocked)),
        ("https://127.0.0.1./", Egress::Public, Some(Blocked)),
        ("https://①②⑦.0.0.1/", Egress::Public, Some(Blocked)),
        ("https://[::1]/", Egress::Public, Some(Blocked)),
        ("https://[::ffff:7f00:1]/", Egress::Public, Some(Blocked)),
        ("https://[fd00::1]:9000/", Egress::Public, Some(Blocked)),
        ("http://127.0.0.1:9000/", Egress::Any, None),
    ];
    for (url, egress, refused) in cases {
        assert_eq!(check_url(url, egress).err().map(|e| e.kind), refused, "{url}");
    }
}

#[test]
fn what_is_no_identity_is_refused_without_being_quoted() {
    let smp = PKI.publisher();
    let (certificate, key) = (smp.certificate_pem(), smp.pem());
    Client::with_identity(Egress::Public, &certificate, key).unwrap();
    let cut: String = key.lines().take(5).collect();
    for (certificate, key) in [("", key), (certificate.as_str(), ""), (&certificate, &cut)] {
        let error = Client::with_identity(Egress::Public, certificate, key).unwrap_err();
        assert_eq!(error.message, "certificate and key are no identity for TLS");
    }
}

#[tokio::test]
async fn a_name_that_leads_inside_is_blocked_when_it_is_resolved() {
    let client = Client::new(Egress::Public).unwrap();
    let error = post(&client, "https://localhost:1/").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Blocked, "{error}");
}

async fn post(client: &Client, url: &str) -> Result<Answer, EgressError> {
    client.post(url, HeaderMap::new(), b"{}".to_vec()).await
}

fn local() -> Client {
    Client::with_deadline(Egress::Any, Duration::from_millis(500)).unwrap()
}

#[tokio::test]
async fn a_status_of_every_kind_is_an_answer_and_redirects_are_not_followed() {
    let other = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let there = format!("location: {}\r\n", other.url);
    for (status, headers) in [
        ("200 OK", ""),
        ("204 No Content", ""),
        ("301 Moved Permanently", there.as_str()),
        ("307 Temporary Redirect", there.as_str()),
        ("410 Gone", ""),
        ("500 Internal Server Error", ""),
    ] {
        let receiver = Receiver::start(Behaviour::status(status, headers, "")).await;
        let answer = post(&local(), &receiver.url).await.unwrap();
        assert!(status.starts_with(answer.status.as_str()), "{status}");
        assert_eq!(receiver.received()[0].body, b"{}");
    }
    assert!(other.received().is_empty(), "a redirect was followed");
}

#[tokio::test]
async fn retry_after_is_handed_on() {
    let busy = Behaviour::status("429 Too Many Requests", "retry-after: 120\r\n", "");
    let receiver = Receiver::start(busy).await;
    let answer = post(&local(), &receiver.url).await.unwrap();
    assert_eq!(answer.retry_after.as_deref(), Some("120"));
}

#[tokio::test]
async fn a_receiver_that_hangs_is_left_at_the_deadline() {
    let receiver = Receiver::start(Behaviour::Hangs).await;
    let error = post(&local(), &receiver.url).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout, "{error}");
}

#[tokio::test]
async fn a_body_is_read_to_its_bound_and_no_further() {
    let head = "HTTP/1.1 200 OK\r\n\r\n".to_owned();
    let receiver = Receiver::start(Behaviour::NeverEnds(head)).await;
    let answer = post(&local(), &receiver.url).await.unwrap();
    assert_eq!(answer.body, [b'x'; MAX_ANSWER_BYTES]);
}

#[tokio::test]
async fn a_host_that_never_answers_the_handshake_is_not_connected_long_before_the_deadline() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let (client, begun) = (Client::new(Egress::Any).unwrap(), tokio::time::Instant::now());
    let error = client.post(&url, HeaderMap::new(), Vec::new()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Connect, "{error}");
    assert!(begun.elapsed() >= CONNECTION && begun.elapsed() < DEADLINE, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_status_counts_even_when_its_body_never_comes() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf";
    let receiver = Receiver::start(Behaviour::Says(head.to_owned())).await;
    let answer = post(&local(), &receiver.url).await.unwrap();
    assert_eq!((answer.status, answer.body.as_slice()), (StatusCode::OK, b"half".as_slice()));
}

#[tokio::test]
async fn what_is_not_answered_is_distinguished() {
    use ErrorKind::{Connect, Protocol};
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}/", listener.local_addr().unwrap())
    };
    let hangs_up = Receiver::start(Behaviour::HangsUp).await;
    let babbles = Receiver::start(Behaviour::Says("SSH-2.0-x\r\n\r\n".to_owned())).await;
    let not_tls = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            stream.writable().await.unwrap();
            stream.try_write(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
        });
        url
    };
    // A name service without a network takes its time.
    let patient = Client::with_deadline(Egress::Any, Duration::from_mins(1)).unwrap();
    for (url, kind) in [
        (&closed, Connect),
        (&"http://no-such-host.invalid/".to_owned(), Connect),
        (&hangs_up.url, Protocol),
        (&babbles.url, Protocol),
        (&not_tls, Connect),
    ] {
        let error = post(&patient, url).await.unwrap_err();
        assert_eq!(error.kind, kind, "{url}: {error}");
        assert!(!error.message.is_empty());
    }
}

/// A server that counts its connections and serves each until it ends.
async fn counting() -> (String, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (url, connections) =
        (format!("http://{}/", listener.local_addr().unwrap()), Arc::new(AtomicUsize::new(0)));
    let count = connections.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            count.fetch_add(1, Ordering::Relaxed);
            tokio::spawn(async move {
                let mut read = [0; 4096];
                while stream.read(&mut read).await.is_ok_and(|read| read > 0) {
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
                    stream.write_all(answer).await.unwrap();
                }
            });
        }
    });
    (url, connections)
}

#[tokio::test]
async fn a_connection_is_used_again_within_a_second_where_that_was_asked_for() {
    let (url, connections) = counting().await;
    for _ in 0..3 {
        post(&local(), &url).await.unwrap();
    }
    assert_eq!(connections.swap(0, Ordering::Relaxed), 3, "one for each request");

    let client = Client::keeping(Egress::Any).unwrap();
    for _ in 0..3 {
        post(&client, &url).await.unwrap();
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    tokio::time::sleep(KEPT + Duration::from_millis(200)).await;
    post(&client, &url).await.unwrap();
    assert_eq!(connections.load(Ordering::Relaxed), 2, "one that waited longer is not trusted");
}

#[tokio::test]
async fn a_connection_that_was_closed_without_a_word_is_not_used_again() {
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let client = Client::keeping(Egress::Any).unwrap();
    for _ in 0..20 {
        post(&client, &receiver.url).await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(receiver.received().len(), 20);
}
