//! Our own documents, and helpers for the other tests.

mod choice;
mod foreign;
mod hostile;

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde_json::Value;

use super::{
    dom::Canonicalization,
    names::{DS, SMP},
    *,
};
use crate::peppol::{
    dom::Dom,
    identifiers::{DocumentType, Process, TRANSPORT_PROFILE},
    pki::{
        Anchors, Certificate, RevocationPolicy, Revocations, Role, Trust,
        testing::{Flaw, PKI, now, ready},
    },
};

fn information() -> ServiceInformation {
    let certificate = PKI.seat("PAE000001").certificate;
    let endpoint = ServiceEndpoint::ours(
        "https://ap.example/as4?a=1&b=2",
        &certificate,
        "mailto:help@ap.example",
    );
    ServiceInformation {
        participant: "0235:1234567890".parse().unwrap(),
        document_type: DocumentType::INVOICE.registration(),
        processes: vec![ServiceProcess { process: Process::BILLING, endpoints: vec![endpoint] }],
    }
}

fn metadata() -> ServiceMetadata {
    ServiceMetadata::Information(information())
}

fn signed(metadata: &ServiceMetadata) -> String {
    ready(metadata.sign(&PKI.publisher().key())).unwrap()
}

fn verified(document: &str) -> ServiceMetadata {
    let read = SignedMetadata::read(document.as_bytes()).unwrap();
    let signer = PKI.trusted(read.signer(), Role::Publisher);
    read.verify(&signer).unwrap()
}

#[test]
fn what_we_sign_reads_back_as_written() {
    let redirect = ServiceMetadata::Redirect(Redirect {
        href: "https://smp.example/a%3A%3Ab/services/c?d=1&e=2".to_owned(),
        certificate_uid: "CN=PAE000901,O=\"Example\" & <Sons>,C=AE".to_owned(),
    });
    let mut dated = information();
    dated.processes[0].endpoints[0].activation = Some("2026-01-01T00:00:00Z".parse().unwrap());
    dated.processes[0].endpoints[0].expiration = Some("2027-01-01T00:00:00.5Z".parse().unwrap());
    dated.processes[0].endpoints[0].description = " \t\r\n".trim().to_owned();
    for metadata in [metadata(), redirect, ServiceMetadata::Information(dated)] {
        assert_eq!(verified(&signed(&metadata)), metadata);
    }
}

#[test]
fn signing_may_wait_in_any_thread() {
    fn is_send(_: &impl Send) {}
    let (metadata, key) = (metadata(), PKI.publisher().key());
    is_send(&metadata.sign(&key));
}

#[test]
fn a_group_reads_back_as_written() {
    let group = ServiceGroup {
        participant: "0235:1234567890".parse().unwrap(),
        document_types: vec![
            DocumentType::INVOICE.registration(),
            DocumentType::CREDIT_NOTE,
            DocumentType::MESSAGE_LEVEL_STATUS,
        ],
    };
    let written = group.write("https://smp.example");
    assert!(written.contains("href=\"https://smp.example/iso6523-actorid-upis%3A%3A0235%3A1234567890/services/peppol-doctype-wildcard%3A%3Aurn"));
    assert_eq!(ServiceGroup::read(written.as_bytes()).unwrap(), group);
    // An unencoded reference, as some SMPs write it, and one without a document type.
    let plain = written
        .replace("%3A", ":")
        .replace("%23", "#")
        .replace("<ServiceMetadataReference href", "<ServiceMetadataReference href=\"https://smp.example/x/services/\"></ServiceMetadataReference><ServiceMetadataReference href");
    assert_eq!(ServiceGroup::read(plain.as_bytes()).unwrap(), group);
    let empty = ServiceGroup { document_types: vec![], ..group };
    assert_eq!(ServiceGroup::read(empty.write("").as_bytes()).unwrap(), empty);
}

#[test]
fn a_card_reads_back_as_written() {
    let text = |text: &str| Some(text.to_owned());
    let card = BusinessCard {
        participant: "0235:1234567890".parse().unwrap(),
        entities: vec![
            BusinessEntity {
                names: vec![
                    EntityName { text: "Falcon & Sons <LLC>".to_owned(), language: text("en") },
                    EntityName { text: "الصقر".to_owned(), language: text("ar") },
                ],
                country: "AE".to_owned(),
                geographical_information: text("Dubai"),
                identifiers: vec![EntityIdentifier {
                    scheme: "TRN".to_owned(),
                    value: "100000000000003".to_owned(),
                }],
                websites: vec!["https://falcon.example/?a=1&b=2".to_owned()],
                contacts: vec![Contact {
                    kind: text("sales"),
                    name: None,
                    phone_number: text("+971 4"),
                    email: text("a@b.example"),
                }],
                additional_information: text("line\none"),
                registered: Some("2026-07-01".parse().unwrap()),
            },
            BusinessEntity {
                names: vec![EntityName { text: "Second".to_owned(), language: None }],
                country: "AE".to_owned(),
                ..BusinessEntity::default()
            },
        ],
    };
    assert_eq!(BusinessCard::read(card.write().as_bytes()).unwrap(), card);
    let nothing = BusinessCard { entities: vec![], ..card };
    assert_eq!(BusinessCard::read(nothing.write().as_bytes()).unwrap(), nothing);
}
