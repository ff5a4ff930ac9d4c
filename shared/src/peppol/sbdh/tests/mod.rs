//! Tests of the checks, and that documents are not changed.

mod artefacts;
mod hostile;
mod reading;
mod writing;

use super::*;
use crate::peppol::identifiers::{DocumentType, Process};

/// An envelope around `document`, an invoice of the UAE.
fn header() -> Header {
    Header {
        sender: "0235:1345678901".parse().unwrap(),
        receiver: "0235:1987654321".parse().unwrap(),
        instance_id: "0197a3c4-8f00-7000-8000-000000000001".parse().unwrap(),
        document: DocumentIdentification::new(DocumentType::INVOICE).unwrap(),
        process: Process::BILLING,
        created_at: "2026-03-02T09:15:00Z".parse().unwrap(),
        country_c1: CountryCode::UAE,
        mls_to: None,
        mls_type: Some(MlsType::AlwaysSend),
        others: Default::default(),
    }
}

const DOCUMENT: &str = "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\">&#65;<!-- as it is --></Invoice>";

/// The envelope above as text, for changes.
fn written() -> String {
    String::from_utf8(write(&header(), DOCUMENT.as_bytes())).unwrap()
}

/// The error for the envelope above with one text replaced.
#[track_caller]
fn error_with(this: &str, that: &str) -> SbdhError {
    let message = written();
    assert!(message.contains(this), "{this}");
    read(message.replacen(this, that, 1).as_bytes()).unwrap_err()
}
