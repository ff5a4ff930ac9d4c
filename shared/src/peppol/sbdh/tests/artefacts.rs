use std::{collections::BTreeMap, fs, path::Path};

use super::*;
use crate::{
    peppol::identifiers::{DocumentTypeError, InstanceIdError, ProcessError},
    types::ParticipantError,
};

/// The files of a folder of samples.
fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/peppol/sbdh/samples");
    let read = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    fs::read_dir(samples.join(folder)).unwrap().map(|entry| read(entry.unwrap())).collect()
}

#[test]
fn each_of_the_14_good_files_is_read() {
    let good = files("good");
    assert_eq!(good.len(), 14);
    for (name, message) in &good {
        let envelope = read(message).unwrap_or_else(|error| panic!("{name}: {error}"));
        let document = &envelope.header.document;
        let text = str::from_utf8(message).unwrap();
        assert!(text.contains(&document.document_type().value()), "{name}");
        assert_eq!(&message[envelope.payload.range()], envelope.payload.element(), "{name}");
        // Only the end of the envelope follows the document.
        let rest = &text[envelope.payload.range().end..];
        assert!(rest.trim().starts_with("</") && rest.matches('<').count() == 1, "{name}: {rest}");
    }
}

#[test]
fn each_of_the_31_bad_files_is_refused_for_its_own_reason() {
    use SbdhError::{
        Authority, CountryC1, CreatedAt, HeaderVersion, Inconsistent, InstanceId, Malformed,
        Missing, NoHeader, NoPayload, Participant, Process, Repeated, Text, TooFewScopes,
    };
    let namespace = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
    let inconsistent = |element, expected: &str| Inconsistent {
        element,
        found: "Error".to_owned(),
        expected: expected.to_owned(),
    };
    let authority = |party, found: &str| Authority { party, found: found.to_owned() };
    let nobody = |party| Participant { party, found: String::new(), reason: ParticipantError };
    let no_customization = DocumentTypeError::Missing("customization");
    let expected = [
        ("bad-invalid-business-message.xml", NoPayload),
        (
            "bad-invalid-creation-date-and-time.xml",
            CreatedAt { found: String::new(), reason: TimeError::Form },
        ),
        ("bad-invalid-document-type-identifier.xml", SbdhError::DocumentType(no_customization)),
        ("bad-invalid-header-version.xml", HeaderVersion("1.5".to_owned())),
        ("bad-invalid-instance-identifier.xml", InstanceId(InstanceIdError::Empty)),
        ("bad-invalid-process-identifier.xml", Process(ProcessError::Value)),
        ("bad-invalid-receiver-authority.xml", authority(Party::Receiver, "foobar2000")),
        ("bad-invalid-receiver-value.xml", nobody(Party::Receiver)),
        ("bad-invalid-sender-authority.xml", authority(Party::Sender, "humpty dumpty")),
        ("bad-invalid-sender-value.xml", nobody(Party::Sender)),
        ("bad-invalid-standard.xml", inconsistent("Standard", namespace)),
        ("bad-invalid-type-version.xml", inconsistent("TypeVersion", "2.1")),
        ("bad-invalid-type.xml", inconsistent("Type", "Invoice")),
        ("bad-mls-to-empty.xml", MlsToError::Empty.into()),
        ("bad-mls-to-invalid-value.xml", MlsToError::Value("test".to_owned()).into()),
        ("bad-mls-to-no-scheme.xml", MlsToError::NoScheme.into()),
        ("bad-mls-to-no-value.xml", MlsToError::NoValue.into()),
        ("bad-mls-type-empty.xml", SbdhError::MlsType(String::new())),
        ("bad-mls-type-invalid-value.xml", SbdhError::MlsType("always_SEND".to_owned())),
        ("bad-no-business-message.xml", Text("Text".to_owned())),
        ("bad-no-business-scope.xml", Missing("BusinessScope")),
        ("bad-no-country-c1.xml", Missing("scope COUNTRY_C1")),
        ("bad-no-document-type-identifier.xml", Missing("scope DOCUMENTID")),
        ("bad-no-process-identifier.xml", Missing("scope PROCESSID")),
        ("bad-no-sbdh.xml", NoHeader),
        (
            "bad-no-xml.txt",
            Malformed { at: 0, reason: "no XML document begins like that".to_owned() },
        ),
        ("bad-too-few-receivers.xml", Missing("Receiver")),
        ("bad-too-few-scopes.xml", TooFewScopes(2)),
        ("bad-too-few-senders.xml", Missing("Sender")),
        ("bad-too-many-receivers.xml", Repeated("Receiver")),
        ("bad-too-many-senders.xml", Repeated("Sender")),
    ];
    let bad = files("bad");
    assert_eq!(bad.len(), 31);
    assert_eq!(expected.len(), 31);
    for (name, expected) in expected {
        let mut error = read(&bad[name]).unwrap_err();
        if let Malformed { at, .. } = &mut error {
            *at = 0;
        }
        assert_eq!(error, expected, "{name}");
    }
    // A missing country gives another error.
    assert!(matches!(error_with(">AE<", "><"), CountryC1(_)));
}

#[test]
fn a_receiver_ignores_what_is_wrong_with_the_scopes_of_statuses() {
    for (name, message) in files("bad") {
        let received = receive(&message);
        if !name.starts_with("bad-mls-") {
            assert!(received.is_err(), "{name}");
            continue;
        }
        let envelope = received.unwrap();
        assert_eq!(envelope.header.mls_to, None, "{name}");
        assert_eq!(envelope.header.mls_type.unwrap_or_default(), MlsType::FailureOnly, "{name}");
        assert_eq!(envelope.ignored, [read(&message).unwrap_err()], "{name}");
    }
}

#[test]
fn the_scopes_of_statuses_are_read() {
    let good = files("good");
    let scopes = |name: &str| {
        let header = read(&good[name]).unwrap().header;
        (header.mls_to.map(|participant| participant.to_string()), header.mls_type)
    };
    let to = Some("9915:test".to_owned());
    assert_eq!(scopes("good-bis3.xml"), (None, None));
    assert_eq!(scopes("good-bis3-with-mls-to.xml"), (to.clone(), None));
    assert_eq!(scopes("good-bis3-with-mls-type.xml"), (None, Some(MlsType::AlwaysSend)));
    assert_eq!(scopes("good-bis3-full.xml"), (to, Some(MlsType::AlwaysSend)));
}

#[test]
fn a_document_that_leans_on_the_envelope_is_complete_once_taken_out() {
    for (name, message) in files("good") {
        let payload = read(&message).unwrap().payload;
        let document = payload.document();
        let tree = crate::xml::parse(&document).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(tree.root().namespace(), payload.namespace(), "{name}");
        assert_eq!(tree.root().local_name(), payload.local_name(), "{name}");
        // One sample uses a prefix of the envelope; the others stay unchanged.
        let leaning = name == "good-bis3.xml";
        assert_eq!(document == payload.element(), !leaning, "{name}");
    }
}
