//! TLS handshakes with a server that requires a client certificate, as the SML and the Directory do.

use super::*;
use crate::{
    egress::testing::Internet,
    peppol::pki::testing::{Flaw, Leaf, PKI},
    testing::TlsFront,
};

/// A TLS front that requires a certificate from our SMPs' authority, before a receiver.
async fn demanding(internet: &Internet) -> (TlsFront, Receiver) {
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let upstream = receiver.url.parse::<Url>().unwrap().socket_addrs(|| None).unwrap()[0];
    let authority = PKI.smp.certificate.der();
    (TlsFront::public(internet, "registers.example", upstream, Some(authority)).await, receiver)
}

fn showing(internet: &Internet, leaf: &Leaf) -> Client {
    let (certificate, key) = (leaf.certificate_pem(), leaf.pem());
    internet.client_with_identity(Egress::Public, &certificate, key).unwrap()
}

#[tokio::test]
async fn our_certificate_is_shown_where_it_is_asked_for() {
    let internet = Internet::default();
    let (front, receiver) = demanding(&internet).await;
    let ours = PKI.publisher();
    let answer = post(&showing(&internet, &ours), &front.url).await.unwrap();
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(receiver.received().len(), 1);
    assert_eq!(front.shown(), [ours.certificate.der()]);
}

#[tokio::test]
async fn a_certificate_that_the_server_does_not_take_is_refused_by_an_alert() {
    let internet = Internet::default();
    let (front, receiver) = demanding(&internet).await;
    for other in [
        PKI.seat("PAE000001"),
        PKI.issue(&PKI.smp, "PAE000901", Flaw::Expired),
        PKI.issue(&PKI.smp, "PAE000901", Flaw::ServerAuth),
    ] {
        let error = post(&showing(&internet, &other), &front.url).await.unwrap_err();
        assert!(error.message.contains("received fatal alert"), "{error}");
    }
    assert!(receiver.received().is_empty() && front.shown().is_empty());
}

#[tokio::test]
async fn a_server_whose_certificate_is_not_trusted_gets_nothing() {
    let internet = Internet::default();
    let (front, receiver) = demanding(&internet).await;
    let ours = PKI.publisher();
    let elsewhere = Internet::default();
    elsewhere.serves("registers.example", front.address);
    elsewhere.trusts(PKI.smp.certificate.der());
    let error = post(&showing(&elsewhere, &ours), &front.url).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Connect, "{error}");
    assert!(receiver.received().is_empty() && front.shown().is_empty());
}
