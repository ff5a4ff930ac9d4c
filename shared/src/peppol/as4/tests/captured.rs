//! A message that phase4 sent over Peppol's test network in January 2026.

use super::world::{LIMIT, World};
use crate::peppol::{
    as4::{Rule, dom, envelope::Envelope, mime, open, signature::Signed},
    pki::{
        Anchors, RevocationPolicy, Revocations, Role, Trust,
        testing::{self, ready},
    },
};

const CAPTURED: &[u8] = include_bytes!("../samples/phase4-message.as4out");

/// Content-Type and body of the capture.
fn captured() -> (String, Vec<u8>) {
    let end = memchr::memmem::find(CAPTURED, b"\r\n\r\n").unwrap();
    let head = str::from_utf8(&CAPTURED[..end]).unwrap();
    let content_type = head.lines().find_map(|line| line.strip_prefix("Content-Type: ")).unwrap();
    (content_type.to_owned(), CAPTURED[end + 4..].to_vec())
}

#[test]
fn its_signature_and_references_hold() {
    let (content_type, body) = captured();
    let parts = mime::split(&content_type, &body).unwrap();
    let soap = parts.soap.bytes(&body).unwrap();
    let dom = dom::parse(&soap).unwrap();
    let envelope = Envelope::read(&dom).unwrap();
    let signed = Signed::read(&envelope, envelope.security.unwrap()).unwrap();
    signed.verify().unwrap();
    assert_eq!(signed.references.len(), 3);
    assert_eq!(signed.certificate.common_name(), "POP000306");
}

#[test]
fn it_is_verified_up_to_its_receiver() {
    let (content_type, body) = captured();
    let opened = open(&content_type, body).unwrap();
    assert_eq!(opened.message_id().as_str(), "17a7c374-efe3-41e2-ac0d-8a8f47529e47@phase4");
    let world = World::new();
    let trust = Trust::new(Anchors::test().unwrap()).with_revocation(RevocationPolicy::SoftFail);
    let signer = opened.signer();
    let signer =
        trust.check(signer, Role::AccessPoint, testing::now(), &Revocations::default()).unwrap();
    // The message was sent to another access point.
    let refusal = ready(opened.verify(&signer, &[&world.receiver], LIMIT)).unwrap_err();
    assert_eq!(refusal.rule(), Rule::ReceiverParty);
}
