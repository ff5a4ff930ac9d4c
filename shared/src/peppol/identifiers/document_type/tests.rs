use super::*;
use proptest::prelude::*;

#[test]
fn the_documents_of_this_service_have_the_identifiers_of_the_code_list() {
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
    for (known, text) in [
        (
            DocumentType::INVOICE,
            format!("peppol-doctype-wildcard::{ubl}:Invoice-2::Invoice##urn:peppol:pint:billing-1@ae-1::2.1"),
        ),
        (
            DocumentType::CREDIT_NOTE,
            format!("peppol-doctype-wildcard::{ubl}:CreditNote-2::CreditNote##urn:peppol:pint:billing-1@ae-1::2.1"),
        ),
        (
            DocumentType::SELF_BILLED_INVOICE,
            format!("peppol-doctype-wildcard::{ubl}:Invoice-2::Invoice##urn:peppol:pint:selfbilling-1@ae-1::2.1"),
        ),
        (
            DocumentType::SELF_BILLED_CREDIT_NOTE,
            format!("peppol-doctype-wildcard::{ubl}:CreditNote-2::CreditNote##urn:peppol:pint:selfbilling-1@ae-1::2.1"),
        ),
        (
            DocumentType::MESSAGE_LEVEL_STATUS,
            format!("busdox-docid-qns::{ubl}:ApplicationResponse-2::ApplicationResponse##urn:peppol:edec:mls:1.0::2.1"),
        ),
        (
            DocumentType::TAX_DATA,
            "busdox-docid-qns::urn:peppol:schema:taxdata:1.0::TaxData##urn:peppol:taxdata:ae-1::1.0".to_owned(),
        ),
        (
            DocumentType::TRANSACTION_STATISTICS,
            "busdox-docid-qns::urn:fdc:peppol:transaction-statistics-report:1.0::TransactionStatisticsReport##urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0::1.0".to_owned(),
        ),
        (
            DocumentType::END_USER_STATISTICS,
            "busdox-docid-qns::urn:fdc:peppol:end-user-statistics-report:1.1::EndUserStatisticsReport##urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1::1.1".to_owned(),
        ),
    ] {
        assert_eq!(known.to_string(), text);
        assert_eq!(text.parse(), Ok(known));
    }
}

#[test]
fn a_customization_may_hold_what_separates_elsewhere() {
    let value = "urn:a:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant##urn:b::c::D16B";
    let read = DocumentType::new(DocumentTypeScheme::Exact, value).unwrap();
    assert_eq!(read.customization(), "urn:cen.eu:en16931:2017#compliant##urn:b::c");
    assert_eq!(read.version(), "D16B");
    assert_eq!(read.value(), value);
}

#[test]
fn a_document_that_is_no_xml_names_its_syntax() {
    let read: DocumentType =
        "busdox-docid-qns::urn:peppol:doctype:pdf+xml##urn:cen.eu:en16931:2017::D22B"
            .parse()
            .unwrap();
    assert_eq!(read.syntax(), &Syntax::Other("urn:peppol:doctype:pdf+xml".into()));
}

#[test]
fn what_is_wrong_with_a_document_type_is_named() {
    use DocumentTypeError::{Asterisk, Character, Missing, NoScheme, Scheme, TooLong};
    let long = format!("busdox-docid-qns::n::l##{}::1", "c".repeat(LONGEST));
    for (text, error) in [
        ("", NoScheme),
        ("urn:peppol", NoScheme),
        ("BUSDOX-DOCID-QNS::n::l##c::1", Scheme("BUSDOX-DOCID-QNS".to_owned())),
        ("::n::l##c::1", Scheme(String::new())),
        ("busdox-docid-qns::n::l", Missing("customization")),
        ("busdox-docid-qns::n::l##c", Missing("version")),
        ("busdox-docid-qns::n::l##c::", Missing("version")),
        ("busdox-docid-qns::n::l##::1", Missing("customization")),
        ("busdox-docid-qns::n::##c::1", Missing("name")),
        ("busdox-docid-qns::::l##c::1", Missing("namespace")),
        ("busdox-docid-qns::##c::1", Missing("syntax")),
        ("busdox-docid-qns::n::l##c d::1", Character),
        ("busdox-docid-qns::n::l##c\u{e9}::1", Character),
        ("busdox-docid-qns::n::l##c\n::1", Character),
        ("busdox-docid-qns::n::l##c*::1", Asterisk),
        ("peppol-doctype-wildcard::n::l##c*d::1", Asterisk),
        ("peppol-doctype-wildcard::n::l##c**::1", Asterisk),
        ("peppol-doctype-wildcard::n::l*##c::1", Asterisk),
        ("peppol-doctype-wildcard::n::l##c::1*", Asterisk),
        ("peppol-doctype-wildcard::n::l##*::1", Missing("customization")),
        (&long, TooLong),
    ] {
        assert_eq!(text.parse::<DocumentType>(), Err(error), "{text}");
    }
}

#[test]
fn a_registration_is_written_with_its_asterisk() {
    let registered = DocumentType::INVOICE.registration();
    assert!(registered.is_wildcard());
    assert!(registered.to_string().ends_with("##urn:peppol:pint:billing-1@ae-1*::2.1"));
    assert_eq!(registered.to_string().parse(), Ok(registered));
    let exact = DocumentType::MESSAGE_LEVEL_STATUS;
    assert_eq!(exact.registration(), exact);
}

proptest! {
    #[test]
    fn what_is_read_is_written_back(text in "(busdox-docid-qns|peppol-doctype-wildcard)::[a-z:#*]{0,30}") {
        if let Ok(read) = text.parse::<DocumentType>() {
            prop_assert_eq!(read.to_string(), text);
        }
    }
}
