//! Fetches data of authorities from the addresses in real certificates.

use std::net::SocketAddr;

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, header},
    routing::{get, post as on_post},
};
use tokio::net::TcpListener;

use super::{super::testing::Internet, *};
use crate::peppol::pki::{Certificate, CrlUrl, OcspUrl, ocsp};

const CRL_HOST: &str = "crl.one.nl.digicert.com";
const OCSP_HOST: &str = "ocsp.one.nl.digicert.com";

/// Peppol certificates from the samples of the crate: a seat of the test network, an SMP of the production network.
fn samples() -> [Certificate; 2] {
    [
        &include_bytes!("../../peppol/pki/samples/access-point-test.der")[..],
        include_bytes!("../../peppol/pki/samples/publisher-production.der"),
    ]
    .map(|der| Certificate::from_der(der.to_vec()).unwrap())
}

/// An authority that returns any list, and echoes each OCSP request.
async fn authority() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let answer = async |headers: HeaderMap, body: Bytes| {
        assert_eq!(headers[header::CONTENT_TYPE], ocsp::REQUEST_TYPE);
        assert_eq!(headers[header::HOST], OCSP_HOST, "the port is the scheme's own");
        body
    };
    let router = Router::new().route("/{list}", get("a list")).route("/", on_post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn list(client: &AuthorityClient, url: &str) -> Result<Vec<u8>, AuthorityError> {
    client.revocation_list(&CrlUrl::of_test(url)).await
}

/// The errors of a list request and of an OCSP request.
async fn refused(client: &AuthorityClient, url: &str) -> [ErrorKind; 2] {
    let asked = client.ocsp(&OcspUrl::of_test(url), b"?".to_vec()).await;
    [list(client, url).await, asked].map(|answer| match answer.unwrap_err() {
        AuthorityError::Egress(error) => error.kind,
        other => panic!("{url}: {other}"),
    })
}

#[tokio::test]
async fn the_addresses_that_real_certificates_name_are_reached_at_public_addresses() {
    let internet = Internet::default();
    let served = authority().await;
    internet.serves(CRL_HOST, served);
    internet.serves(OCSP_HOST, served);
    let client = internet.authority_client(Egress::Public).unwrap();
    for certificate in samples() {
        let [url] = &certificate.crl_urls()[..] else { panic!("one list") };
        assert!(url.as_str().starts_with("http://crl.one.nl.digicert.com/"));
        assert_eq!(client.revocation_list(url).await.unwrap(), b"a list");
        for url in certificate.ocsp_urls() {
            assert_eq!(client.ocsp(&url, b"a question".to_vec()).await.unwrap(), b"a question");
        }
        // The client for other requests refuses these addresses.
        let error = post(&internet.client(Egress::Public).unwrap(), url.as_str()).await;
        assert_eq!(error.unwrap_err().kind, ErrorKind::InvalidUrl);
    }
}

#[tokio::test]
async fn an_authority_whose_name_leads_inside_is_not_called() {
    let internet = Internet::default();
    let client = internet.authority_client(Egress::Public).unwrap();
    let [seat, publisher] = samples();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "::1",
        "::ffff:127.0.0.1",
        "fd00:ec2::254",
        "fe80::1",
    ] {
        internet.leads(CRL_HOST, address);
        internet.leads(OCSP_HOST, address);
        for url in [&seat, &publisher].map(|certificate| certificate.crl_urls().remove(0)) {
            assert_eq!(refused(&client, url.as_str()).await, [ErrorKind::Blocked; 2], "{address}");
        }
        for url in seat.ocsp_urls() {
            assert_eq!(refused(&client, url.as_str()).await, [ErrorKind::Blocked; 2], "{address}");
        }
    }
    let came = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
    assert!(came.is_err(), "nobody came");
}

#[tokio::test]
async fn an_authority_is_asked_by_http_and_https_at_their_own_ports_and_nowhere_inside() {
    use ErrorKind::{Blocked, Connect, InvalidUrl};
    let internet = Internet::default();
    internet.serves(CRL_HOST, authority().await);
    let client = internet.authority_client(Egress::Public).unwrap();
    for (url, kind) in [
        ("http://crl.one.nl.digicert.com:8080/a.crl", InvalidUrl),
        ("http://crl.one.nl.digicert.com:443/a.crl", InvalidUrl),
        ("https://crl.one.nl.digicert.com:8443/a.crl", InvalidUrl),
        ("https://crl.one.nl.digicert.com:80/a.crl", InvalidUrl),
        ("ftp://crl.one.nl.digicert.com/a.crl", InvalidUrl),
        ("ldap://crl.one.nl.digicert.com/a.crl", InvalidUrl),
        ("file:///etc/passwd", InvalidUrl),
        ("http://user@crl.one.nl.digicert.com/a.crl", InvalidUrl),
        ("http://user:word@crl.one.nl.digicert.com/a.crl", InvalidUrl),
        ("http://127.0.0.1/a.crl", Blocked),
        ("http://2130706433/a.crl", Blocked),
        ("http://[::1]/a.crl", Blocked),
        ("http://169.254.169.254/latest/meta-data/", Blocked),
        ("https://10.0.0.1/a.crl", Blocked),
        ("http://nobody.example/a.crl", Connect),
    ] {
        assert_eq!(refused(&client, url).await, [kind; 2], "{url}");
    }
    for url in ["http://crl.one.nl.digicert.com:80/a.crl", "HTTP://CRL.one.nl.digicert.com/a.crl"] {
        assert_eq!(list(&client, url).await.unwrap(), b"a list", "{url}");
    }
    // https at its default port reaches the server, which does not support TLS.
    let kinds = refused(&client, "https://crl.one.nl.digicert.com:443/a.crl").await;
    assert_eq!(kinds, [Connect; 2]);
}

/// A client, and the address of a server with this behaviour.
async fn before(behaviour: Behaviour) -> (AuthorityClient, String) {
    let receiver = Receiver::start(behaviour).await;
    let server = receiver.url.parse::<Url>().unwrap().socket_addrs(|| None).unwrap()[0];
    let internet = Internet::default();
    internet.serves(CRL_HOST, server);
    let client = internet.authority_client(Egress::Public).unwrap();
    (client, format!("http://{CRL_HOST}/a.crl"))
}

#[tokio::test]
async fn an_authority_that_leads_elsewhere_is_not_followed() {
    let elsewhere = Receiver::start(Behaviour::status("200 OK", "", "a list")).await;
    let location = format!("location: {}\r\n", elsewhere.url);
    for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect"] {
        let (client, url) = before(Behaviour::status(status, &location, "")).await;
        let error = list(&client, &url).await.unwrap_err();
        assert!(matches!(error, AuthorityError::Status(code) if code.is_redirection()), "{error}");
    }
    assert!(elsewhere.received().is_empty());
}

#[tokio::test]
async fn an_authority_is_read_to_its_bound_and_left_at_its_deadline() {
    let head = "HTTP/1.1 200 OK\r\n\r\n".to_owned();
    let (client, url) = before(Behaviour::NeverEnds(head)).await;
    let asked = client.ocsp(&OcspUrl::of_test(&url), b"?".to_vec()).await;
    assert_eq!(asked, Err(AuthorityError::Incomplete(ocsp::MAX_ANSWER_BYTES)));

    let (client, url) = before(Behaviour::Hangs).await;
    let asked = tokio::time::timeout(Duration::from_secs(8), list(&client, &url)).await;
    let error = asked.unwrap().unwrap_err();
    assert!(matches!(&error, AuthorityError::Egress(it) if it.kind == ErrorKind::Timeout));
}
