//! Messages between two of our own access points, in both directions.

use std::collections::BTreeMap;

use super::world::{Both as _, World, invoice, noise, trusted};
use crate::{
    peppol::{
        as4::{
            Answer, Authenticity, BadSignal, Freight, MessageId, Refusal, Rule, Verdict, error,
            open, read_answer, receipt,
        },
        identifiers::{DocumentType, Process},
        pki::{
            Signer,
            testing::{self, ready},
        },
        sbdh::{CountryCode, DocumentIdentification, Header},
    },
    types::ParticipantId,
};

const SIGNAL: &str = "application/soap+xml;charset=UTF-8";

fn signal_id() -> MessageId {
    "signal@receiver.example".parse().unwrap()
}

#[test]
fn a_document_of_any_size_arrives_as_it_was() {
    let world = World::new();
    for sbdh in [Vec::new(), b"<a/>".repeat(2500), noise(1_000_000), b"<a/>".repeat(250_000)] {
        let built = world.build(&sbdh);
        let received = world.receive(&built.content_type, built.body).unwrap();
        assert_eq!(received.payload.as_deref(), Some(&*sbdh));
        assert!(!received.is_ping());
        let header = &received.header;
        assert_eq!(header.message_id, world.message_id);
        assert_eq!(header.timestamp, testing::now());
        assert_eq!(header.conversation_id, "a & b <c>");
        assert_eq!((header.from.as_str(), header.to.as_str()), ("PAE000001", "PAE000002"));
        assert_eq!(header.action, DocumentType::INVOICE.to_string());
    }
}

#[test]
fn header_and_envelope_must_name_the_same() {
    let world = World::new();
    let built = world.build(b"<a/>");
    let message = world.receive(&built.content_type, built.body).unwrap().header;
    let check = |change: &dyn Fn(&mut Header)| {
        let mut header = Header {
            sender: "0235:1001234501".parse().unwrap(),
            receiver: "0235:1001234502".parse().unwrap(),
            instance_id: "6c3e6c0e-0d5c-4d5c-9a5e-6f1b1b3d5a12".parse().unwrap(),
            document: DocumentIdentification::new(DocumentType::INVOICE).unwrap(),
            process: Process::BILLING,
            created_at: testing::now(),
            country_c1: CountryCode::new("AE").unwrap(),
            mls_to: None,
            mls_type: None,
            others: BTreeMap::new(),
        };
        change(&mut header);
        message.check_against(&header).map_err(|refusal| refusal.rule())
    };
    let other: ParticipantId = "0235:1001234509".parse().unwrap();
    let credit_note = DocumentIdentification::new(DocumentType::CREDIT_NOTE).unwrap();
    assert_eq!(check(&|_| ()), Ok(()));
    let table = [
        (Rule::SenderDiffers, check(&|header| header.sender = other.clone())),
        (Rule::RecipientDiffers, check(&|header| header.receiver = other.clone())),
        (Rule::DocumentTypeDiffers, check(&|header| header.document = credit_note.clone())),
        (Rule::ProcessDiffers, check(&|header| header.process = Process::SELF_BILLING)),
    ];
    for (rule, found) in table {
        assert_eq!(found, Err(rule));
    }
}

#[test]
fn a_ping_is_known_as_one() {
    let world = World::new();
    let built = world.build_with(Freight::Ping, b"<a/>", 1);
    assert!(world.receive(&built.content_type, built.body).unwrap().is_ping());
}

#[test]
fn a_message_built_again_has_the_same_references_and_other_bytes() {
    let world = World::new();
    let first = world.build_with(invoice(), b"<a/>", 1);
    let again = world.build_with(invoice(), b"<a/>", 2);
    assert_eq!(first.references, again.references);
    assert_ne!(first.body, again.body);
    let stored = serde_json::to_string(&first.references).unwrap();
    assert_eq!(
        serde_json::from_str::<crate::peppol::as4::References>(&stored).unwrap(),
        first.references
    );
}

#[test]
fn a_receipt_confirms_its_message_and_no_other() {
    let world = World::new();
    let built = world.build(b"<a/>");
    let sent = world.sent(&built);
    let received = world.receive(&built.content_type, built.body).unwrap();
    let signal = ready(receipt(&received, &world.receiver, &signal_id(), testing::now())).unwrap();
    for status in [200, 201, 500] {
        let Answer::Receipt(receipt) = read_answer(status, SIGNAL, &signal) else { panic!() };
        let signer = trusted(receipt.signer());
        let confirmed = receipt.verify(&signer, &sent).unwrap();
        assert_eq!(confirmed.by.as_str(), "PAE000002");
        let other = trusted(world.sender.certificate_of_both());
        assert!(matches!(receipt.verify(&other, &sent), Err(BadSignal::Unchecked(_))));
        let mut elsewhere = sent.clone();
        elsewhere.receiver = "PAE000009".parse().unwrap();
        assert!(matches!(receipt.verify(&signer, &elsewhere), Err(BadSignal::Signer { .. })));
        let mut later = sent.clone();
        later.message_id = signal_id();
        assert!(matches!(receipt.verify(&signer, &later), Err(BadSignal::RefersTo { .. })));
        let mut changed = sent.clone();
        changed.references = world.build(b"<b/>").references;
        assert!(matches!(receipt.verify(&signer, &changed), Err(BadSignal::References { .. })));
    }
}

#[test]
fn an_error_says_what_to_correct_and_is_final_when_signed() {
    let world = World::new();
    let built = world.build(b"<a/>");
    let sent = world.sent(&built);
    let refusal =
        Refusal::new(Rule::NotServiced, "0235:1 \"<&").about(Some(world.message_id.clone()));
    let answer = |signer: Option<&dyn Signer>| {
        let signal = ready(error(&refusal, signer, &signal_id(), testing::now())).unwrap();
        match read_answer(200, SIGNAL, &signal) {
            Answer::Rejected(rejection) => rejection,
            other => panic!("{other:?}"),
        }
    };
    let signed = answer(Some(&world.receiver));
    signed.verify(&trusted(world.receiver.certificate_of_both()), &sent).unwrap();
    let [error] = signed.errors() else { panic!() };
    assert_eq!(error.code, "EBMS:0004");
    assert!(
        error.detail.starts_with("PEPPOL:NOT_SERVICED (not-serviced: expected a receiver"),
        "{error:?}"
    );
    assert_eq!(signed.verdict(Authenticity::Proven), Verdict::Final);
    let unsigned = answer(None);
    assert!(unsigned.signer().is_none());
    assert_eq!(
        unsigned.verify(&trusted(world.receiver.certificate_of_both()), &sent),
        Err(BadSignal::Unsigned)
    );
    assert_eq!(unsigned.verdict(Authenticity::Unproven), Verdict::Unproven);
}

#[test]
fn a_refusal_of_an_opened_message_names_it() {
    let world = World::new();
    let built = world.build(b"<a/>");
    let opened = open(&built.content_type, built.body).unwrap();
    let other = trusted(world.receiver.certificate_of_both());
    let refusal = ready(opened.verify(&other, &[&world.receiver], 100)).unwrap_err();
    assert_eq!(
        (refusal.rule(), refusal.message_id()),
        (Rule::UntrustedSigner, Some(&world.message_id))
    );
}
