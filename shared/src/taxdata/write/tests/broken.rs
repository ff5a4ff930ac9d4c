//! Tests of documents that failed validation.

use super::*;

/// The content of the embedded element; its text if it has no child elements.
fn embedded(report: &str) -> (String, bool, String) {
    let tree = xml::parse(report.as_bytes()).unwrap();
    let content = tree
        .root()
        .find(&[tdd::REPORTED_TRANSACTION, tdd::SOURCE_DOCUMENT, ext::EXTENSION_CONTENT])
        .unwrap();
    let [document] = content.children().collect::<Vec<_>>()[..] else { panic!("not one document") };
    let is_element = document.children().next().is_some();
    (document.local_name().to_owned(), is_element, document.text().into_owned())
}

fn repeats(report: &str) -> bool {
    !said(report, REPORTED).is_empty()
}

#[test]
fn a_document_that_only_a_rule_refuses_is_repeated_and_embedded() {
    let source = with(INVOICE, "10011110", "1");
    let report = written(Kind::Failed, &source);
    assert_eq!(report, written(Kind::Submit, &source).replacen(">S<", ">F<", 1));
}

#[test]
fn a_document_that_lacks_what_is_repeated_is_embedded_alone() {
    let source = without(INVOICE, "<cbc:UUID>", "</cbc:UUID>");
    let report = written(Kind::Failed, source);
    assert!(!repeats(&report));
    assert!(embedded(&report).1);
    assert_eq!(said(&report, &[tdd::REPORTED_TRANSACTION, tdd::CUSTOM_CONTENT]).len(), 1);
}

/// The lax wildcard of the official schema checks every element that it declares.
#[test]
fn a_document_that_the_schema_refuses_inside_the_report_is_there_as_text() {
    let source = with(INVOICE, "<cbc:StartDate>2026-11-01", "<cbc:StartDate><![CDATA[soon]]>");
    let report = written(Kind::Failed, &source);
    assert!(repeats(&report));
    let (name, is_element, text) = embedded(&report);
    assert_eq!((name.as_str(), is_element), ("Invoice", false));
    // The document is unchanged, except for the attachment.
    let start = source.find("<Invoice").unwrap();
    let plain = without(&source[start..], "<cbc:EmbeddedDocumentBinaryObject", "Object>");
    assert_eq!(text, plain.trim_end());
}

#[test]
fn a_document_whose_own_values_are_refused_is_there_as_text_and_is_not_repeated() {
    let note = with(CREDIT_NOTE, "<cbc:IssueDate>", "<cbc:IssueDate><![CDATA[soon]]>");
    let report = written(Kind::Failed, note);
    assert!(!repeats(&report));
    let (name, is_element, text) = embedded(&report);
    assert_eq!((name.as_str(), is_element), ("CreditNote", false));
    assert!(text.contains("<![CDATA[soon]]>"));
    insta::assert_snapshot!("a_failure", outline(&report));
}

#[test]
fn what_is_no_invoice_is_there_as_text() {
    let order = INVOICE.replace("xsd:Invoice-2", "xsd:Order-2");
    let note = CREDIT_NOTE.replace("xsd:CreditNote-2", "xsd:CreditNote-3");
    for (source, name, is_like_one) in [
        (order, "Invoice", true),
        (note, "CreditNote", true),
        ("<a/>".to_owned(), "Invoice", false),
    ] {
        let report = written(Kind::Failed, source);
        assert_eq!(repeats(&report), is_like_one);
        let (found, is_element, text) = embedded(&report);
        assert_eq!((found.as_str(), is_element), (name, false));
        assert!(text.starts_with('<'));
    }
}

#[test]
fn of_what_is_no_xml_nothing_is_embedded() {
    let cut = &INVOICE[..INVOICE.len() / 2];
    let deep = format!("{}{}", "<a>".repeat(200), "</a>".repeat(200));
    for source in [b"".as_slice(), b"\xff\xfe\x00", cut.as_bytes(), deep.as_bytes(), b"\x00<a/>"] {
        let report = written(Kind::Failed, source);
        assert_eq!(embedded(&report), ("Invoice".to_owned(), false, String::new()));
        assert_eq!(said(&report, &[tdd::DOCUMENT_SCOPE]), ["D"]);
    }
}

/// The report adds four levels of elements around the document.
#[test]
fn a_document_that_is_too_deep_inside_the_report_is_there_as_text() {
    let deep = format!("{}{}</Invoice>", "<x>".repeat(97), "</x>".repeat(97));
    let source = with(INVOICE, "</Invoice>", &deep);
    let report = written(Kind::Failed, source);
    assert!(!embedded(&report).1);
}
