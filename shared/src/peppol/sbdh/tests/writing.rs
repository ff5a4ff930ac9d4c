use proptest::prelude::*;

use super::*;

const INVOICE: &str = include_str!("../../../pint/samples/invoice.xml");

#[test]
fn an_envelope_is_written_around_an_invoice() {
    let header = Header {
        mls_to: Some("0242:000306-mls".parse().unwrap()),
        others: [(ScopeType::new("BATCH").unwrap(), ScopeValue::new("7 & 8", None).unwrap())]
            .into(),
        ..header()
    };
    let message = write(&header, INVOICE.as_bytes());
    let text = str::from_utf8(&message).unwrap();
    // The invoice has 550 lines.
    let (begin, rest) = text.split_once("  <cbc:CustomizationID>").unwrap();
    let (_, end) = rest.split_once("</Invoice>").unwrap();
    insta::assert_snapshot!(format!("{begin}  …\n</Invoice>{end}"));
    assert_eq!(crate::schema::check(&crate::xml::parse(&message).unwrap()), []);
    let envelope = read(&message).unwrap();
    assert_eq!(envelope.header, header);
    let (_, invoice) = INVOICE.split_once("?>\n").unwrap();
    assert_eq!(envelope.payload.document(), invoice.trim_end().as_bytes());
}

#[test]
fn a_document_is_not_changed() {
    let header = header();
    for (given, expected) in [
        (DOCUMENT.to_owned(), DOCUMENT.to_owned()),
        (format!("<?xml version=\"1.0\"?>{DOCUMENT}"), DOCUMENT.to_owned()),
        (
            format!("\u{feff}<?xml version='1.0' encoding='UTF-8'?>\r\n\r\n{DOCUMENT}\n"),
            DOCUMENT.to_owned(),
        ),
        (format!("\u{feff}{DOCUMENT}"), DOCUMENT.to_owned()),
        (format!("<!-- a -->\n{DOCUMENT}<!-- b -->"), DOCUMENT.to_owned()),
    ] {
        let message = write(&header, given.as_bytes());
        assert_eq!(read(&message).unwrap().payload.document(), expected.as_bytes(), "{given}");
    }
    let instruction = format!("<?xml-stylesheet href='a'?>{DOCUMENT}");
    let message = String::from_utf8(write(&header, instruction.as_bytes())).unwrap();
    assert!(message.contains(&instruction));
}

#[test]
fn a_registration_and_what_is_no_xml_have_no_envelope() {
    let refused = |document_type| DocumentIdentification::new(document_type).unwrap_err();
    assert_eq!(refused(DocumentType::INVOICE.registration()), IdentificationError::Wildcard);
    let pdf = "busdox-docid-qns::urn:peppol:doctype:pdf+xml##a::0".parse().unwrap();
    assert_eq!(refused(pdf), IdentificationError::NotXml);
}

#[test]
fn a_scope_that_has_a_field_is_no_other_scope() {
    for (kind, error) in [
        ("DOCUMENTID", ScopeError::Reserved),
        (" MLS_TO ", ScopeError::Reserved),
        ("TECHNICAL_VALIDATION_URL", ScopeError::Reserved),
        (" ", ScopeError::Untyped),
        ("a\0b", ScopeError::Character),
    ] {
        assert_eq!(ScopeType::new(kind), Err(error), "{kind:?}");
    }
    assert_eq!(ScopeValue::new("\u{ffff}", None), Err(ScopeError::Character));
    assert_eq!(ScopeValue::new(" a \n b ", None).unwrap().value(), "a b");
}

fn scopes() -> impl Strategy<Value = std::collections::BTreeMap<ScopeType, ScopeValue>> {
    let kind =
        "[A-Z<&\"' ]{1,9}".prop_filter_map("a scope's type", |text| ScopeType::new(&text).ok());
    let value = ("\\PC{0,9}", proptest::option::of("[a-z<&]{1,9}"));
    let value = value.prop_filter_map("a scope's value", |(value, scheme)| {
        ScopeValue::new(&value, scheme.as_deref()).ok()
    });
    proptest::collection::btree_map(kind, value, 0..4)
}

proptest! {
    #[test]
    fn a_header_reads_back_as_written(
        sender in "[0-9]{4}:[!-~]{1,50}",
        instance_id in "[!-~]{1,50}",
        process in "[!-9;-~]{1,9}::[!-~]{1,20}",
        millisecond in 0..4_000_000_000_000_i64,
        country in "[A-Z0-9]{2}",
        provider in proptest::option::of("[0-9]{6}"),
        mls_type in proptest::option::of(any::<bool>()),
        others in scopes(),
        document_type in proptest::sample::select(vec![
            DocumentType::INVOICE, DocumentType::CREDIT_NOTE, DocumentType::TAX_DATA,
            DocumentType::MESSAGE_LEVEL_STATUS, DocumentType::SELF_BILLED_INVOICE,
        ]),
    ) {
        let document = DocumentIdentification::new(document_type).unwrap();
        let root = format!("<x:{} xmlns:x=\"{}\"/>", document.type_name(), document.standard());
        let header = Header {
            sender: sender.parse().unwrap(),
            receiver: "0235:1987654321".parse().unwrap(),
            instance_id: instance_id.parse().unwrap(),
            document,
            process: process.parse().unwrap(),
            created_at: jiff::Timestamp::from_millisecond(millisecond).unwrap(),
            country_c1: CountryCode::new(&country).unwrap(),
            mls_to: provider.map(|id| format!("0242:{id}").parse().unwrap()),
            mls_type: mls_type.map(|all| if all { MlsType::AlwaysSend } else { MlsType::FailureOnly }),
            others,
        };
        let message = write(&header, root.as_bytes());
        let envelope = read(&message).unwrap();
        prop_assert_eq!(envelope.header, header);
        prop_assert_eq!(envelope.payload.element(), root.as_bytes());
    }
}
