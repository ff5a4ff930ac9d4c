/// The path to an element of the reported document.
macro_rules! in_document {
    ($($name:expr),*) => {
        &[tdd::REPORTED_TRANSACTION, tdd::REPORTED_DOCUMENT, $($name),*]
    };
}

mod broken;
mod embedding;

use super::*;
use crate::xml::{Name, names::attr, names::cac, names::cbc, names::ext, names::tdd};

const INVOICE: &str = include_str!("../../../pint/samples/invoice.xml");
const CREDIT_NOTE: &str = include_str!("../../../pint/samples/credit-note.xml");

/// Writes a report with constant metadata for this kind and role.
fn made(kind: Kind, role: Role, source: &[u8]) -> Result<Vec<u8>, Unreportable> {
    let reporter = "0235:1001234501".parse().unwrap();
    let report = Report {
        kind,
        role,
        reporting_party: &reporter,
        authority: "000773",
        representative: "000001-REPORTS",
        issued_at: "2026-03-01T21:15:00.5Z".parse().unwrap(),
        transport_header_id: Some("11111111-2222-3333-4444-555555555555"),
    };
    write(&report, source)
}

/// Writes a report that obeys the schema and the rules.
fn written(kind: Kind, source: impl AsRef<[u8]>) -> String {
    let made = made(kind, Role::Sender, source.as_ref()).unwrap();
    assert_eq!(check(&made), Ok(()));
    String::from_utf8(made).unwrap()
}

fn refused(source: &str) -> Unreportable {
    made(Kind::Submit, Role::Sender, source.as_bytes()).unwrap_err()
}

/// Replaces one text in the source; the text must exist.
fn with(source: &str, from: &str, to: &str) -> String {
    assert!(source.contains(from), "{from} is not there");
    source.replacen(from, to, 1)
}

/// Removes the part of the source between two texts, including both.
fn without(source: &str, from: &str, to: &str) -> String {
    let start = source.find(from).unwrap();
    let end = start + source[start..].find(to).unwrap() + to.len();
    format!("{}{}", &source[..start], &source[end..])
}

/// The report without the content of the embedded document.
fn outline(report: &str) -> String {
    const CONTENT: &str = "<cec:ExtensionContent>";
    let (before, content) = report.split_once(CONTENT).unwrap();
    let (start, inside) = content.split_once('>').unwrap();
    let (_, after) = inside.rsplit_once("</cec").unwrap();
    format!("{before}{CONTENT}{start}>…</cec{after}")
}

/// The texts of all elements at a path of the report.
fn said(report: &str, path: &'static [Name]) -> Vec<String> {
    let tree = xml::parse(report.as_bytes()).unwrap();
    tree.root().select(path).map(|node| node.text().into_owned()).collect()
}

#[test]
fn a_submission_repeats_the_document_and_embeds_it() {
    insta::assert_snapshot!("a_submission", outline(&written(Kind::Submit, INVOICE)));
}

#[test]
fn a_revision_and_a_withdrawal_say_the_same_under_another_code() {
    let submitted = written(Kind::Submit, CREDIT_NOTE);
    insta::assert_snapshot!("a_revision", outline(&written(Kind::Resubmit, CREDIT_NOTE)));
    for (kind, code) in [(Kind::Resubmit, ">R<"), (Kind::Withdraw, ">W<")] {
        assert_eq!(written(kind, CREDIT_NOTE), submitted.replacen(">S<", code, 1));
    }
}

const REPORTED: &[Name] = &[tdd::REPORTED_TRANSACTION, tdd::REPORTED_DOCUMENT];

#[test]
fn every_term_is_where_it_belongs() {
    const SELLER: Name = cac::ACCOUNTING_SUPPLIER_PARTY;
    const BUYER: Name = cac::ACCOUNTING_CUSTOMER_PARTY;
    const TAX: Name = cac::PARTY_TAX_SCHEME;
    let report = written(Kind::Submit, INVOICE);
    let terms: &[(&str, &'static [Name], &[&str])] = &[
        ("tdt-001", &[cbc::CUSTOMIZATION_ID], &["urn:peppol:taxdata:ae-1"]),
        ("tdt-002", &[cbc::PROFILE_ID], &["urn:peppol:taxreporting"]),
        ("no identifier", &[cbc::ID], &[]),
        // The date in the UAE, where the time is four hours ahead.
        ("tdt-004", &[cbc::ISSUE_DATE], &["2026-03-02"]),
        ("tdt-005", &[cbc::ISSUE_TIME], &["01:15:00+04:00"]),
        ("tdt-006", &[tdd::DOCUMENT_TYPE_CODE], &["S"]),
        ("tdt-011", &[tdd::DOCUMENT_SCOPE], &["D"]),
        ("tdt-010", &[tdd::REPORTER_ROLE], &["01"]),
        ("tdt-007", &[tdd::REPORTING_PARTY, cbc::ENDPOINT_ID], &["1001234501"]),
        ("tdt-008", &[tdd::RECEIVING_PARTY, cbc::ENDPOINT_ID], &["000773"]),
        (
            "tdt-009",
            &[tdd::REPORTERS_REPRESENTATIVE, cac::PARTY_IDENTIFICATION, cbc::ID],
            &["000001-REPORTS"],
        ),
        (
            "header",
            &[tdd::REPORTED_TRANSACTION, tdd::TRANSPORT_HEADER_ID],
            &["11111111-2222-3333-4444-555555555555"],
        ),
        ("ibt-024", in_document!(cbc::CUSTOMIZATION_ID), &["urn:peppol:pint:billing-1@ae-1"]),
        ("ibt-023", in_document!(cbc::PROFILE_ID), &["urn:peppol:bis:billing"]),
        ("ibt-001", in_document!(cbc::ID), &["INV-1"]),
        ("btae-07", in_document!(cbc::UUID), &["6b7b6e4e-4f39-4b57-9d30-0d1a3b3f0a11"]),
        ("ibt-002", in_document!(cbc::ISSUE_DATE), &["2026-11-19"]),
        ("ibt-168", in_document!(cbc::ISSUE_TIME), &["17:38:00+04:00"]),
        ("ibt-003", in_document!(tdd::DOCUMENT_TYPE_CODE), &["380"]),
        ("ibt-005", in_document!(cbc::DOCUMENT_CURRENCY_CODE), &["USD"]),
        ("ibt-006", in_document!(cbc::TAX_CURRENCY_CODE), &["AED"]),
        ("ibt-031", in_document!(SELLER, cac::PARTY, TAX, cbc::COMPANY_ID), &["100123450100003"]),
        ("ibt-031-1", in_document!(SELLER, cac::PARTY, TAX, cac::TAX_SCHEME, cbc::ID), &["VAT"]),
        (
            "ibt-046",
            in_document!(BUYER, cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID),
            &["123456789"],
        ),
        ("ibt-048", in_document!(BUYER, cac::PARTY, TAX, cbc::COMPANY_ID), &["100123450200003"]),
        ("ibt-110 and 111", in_document!(cac::TAX_TOTAL, cbc::TAX_AMOUNT), &["11.14", "40.91"]),
        ("ibt-109", in_document!(tdd::MONETARY_TOTAL, cbc::TAX_EXCLUSIVE_AMOUNT), &["1228.31"]),
        ("btae-20", &[tdd::REPORTED_TRANSACTION, tdd::CUSTOM_CONTENT, cbc::ID], &["BTAE-20"]),
        ("btae-20", &[tdd::REPORTED_TRANSACTION, tdd::CUSTOM_CONTENT, cbc::VALUE], &["4551.88"]),
    ];
    for (term, path, expected) in terms {
        assert_eq!(said(&report, path), *expected, "{term}");
    }
    let tree = xml::parse(report.as_bytes()).unwrap();
    let scheme = |path: &'static [Name]| tree.root().find(path)?.attribute(attr::SCHEME_ID);
    assert_eq!(scheme(&[tdd::REPORTING_PARTY, cbc::ENDPOINT_ID]), Some("0235"));
    assert_eq!(scheme(&[tdd::RECEIVING_PARTY, cbc::ENDPOINT_ID]), Some("0242"));
    assert_eq!(
        scheme(in_document!(BUYER, cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID)),
        Some("0060")
    );
}

#[test]
fn a_document_that_was_not_exchanged_has_no_transport_header() {
    let reporter = "0235:1001234501".parse().unwrap();
    let report = Report {
        kind: Kind::Submit,
        role: Role::Receiver,
        reporting_party: &reporter,
        authority: "000773",
        representative: "000001",
        issued_at: Timestamp::UNIX_EPOCH,
        transport_header_id: None,
    };
    let made = write(&report, INVOICE.as_bytes()).unwrap();
    assert_eq!(check(&made), Ok(()));
    let made = String::from_utf8(made).unwrap();
    assert_eq!(said(&made, &[tdd::REPORTER_ROLE]), ["02"]);
    assert_eq!(said(&made, &[tdd::REPORTED_TRANSACTION, tdd::TRANSPORT_HEADER_ID]), [""; 0]);
}

#[test]
fn the_tax_identifier_of_the_seller_is_that_for_vat_else_the_first() {
    const ID: &[Name] = in_document!(
        cac::ACCOUNTING_SUPPLIER_PARTY,
        cac::PARTY,
        cac::PARTY_TAX_SCHEME,
        cbc::COMPANY_ID
    );
    let swapped = with(INVOICE, "<cbc:ID>VAT</cbc:ID>", "<cbc:ID>TIN</cbc:ID>");
    assert_eq!(said(&written(Kind::Submit, &swapped), ID), ["100123450100003"]);
    let second = with(&swapped, "<cbc:ID>IVAT</cbc:ID>", "<cbc:ID> VAT\n</cbc:ID>");
    assert_eq!(said(&written(Kind::Submit, second), ID), ["1001234501"]);
}

#[test]
fn an_export_alone_may_be_without_buyer() {
    const BUYER: &[Name] = in_document!(cac::ACCOUNTING_CUSTOMER_PARTY);
    let (start, rest) = INVOICE.split_once("<cac:AccountingCustomerParty>").unwrap();
    let anonymous = without(rest, "<cac:PartyIdentification>", "</cac:PartyIdentification>");
    let anonymous = without(&anonymous, "<cac:PartyTaxScheme>", "</cac:PartyTaxScheme>");
    let anonymous = format!("{start}<cac:AccountingCustomerParty>{anonymous}");
    assert_eq!(said(&written(Kind::Submit, &anonymous), BUYER).len(), 1);
    let export = with(&anonymous, "10011110", "10011111");
    assert_eq!(said(&written(Kind::Submit, &export), BUYER).len(), 0);
    // An export that names its buyer reports the buyer.
    let export = with(INVOICE, "10011110", "10011111");
    assert_eq!(said(&written(Kind::Submit, &export), BUYER).len(), 1);
}

#[test]
fn a_currency_of_tax_accounting_that_is_the_document_s_is_left_out() {
    let source =
        with(INVOICE, ">USD</cbc:DocumentCurrencyCode>", ">AED</cbc:DocumentCurrencyCode>");
    let source = with(
        &source,
        "<cbc:TaxExclusiveAmount currencyID=\"USD\">",
        "<cbc:TaxExclusiveAmount currencyID=\"AED\">",
    );
    let report = written(Kind::Submit, source);
    assert_eq!(said(&report, in_document!(cbc::TAX_CURRENCY_CODE)), [""; 0]);
    assert_eq!(said(&report, in_document!(cac::TAX_TOTAL, cbc::TAX_AMOUNT)), ["40.91"]);
}

/// PINT-AE lists the currencies XCG and STN, but the report does not.
#[test]
fn a_currency_that_reports_do_not_know_keeps_a_report_from_being_filed() {
    let source = INVOICE.replace("USD", "XCG");
    let made = made(Kind::Submit, Role::Sender, source.as_bytes()).unwrap();
    let why = check(&made).unwrap_err().to_string();
    assert!(why.starts_with("faults of the report (1): ibr-tdd-30-1 at /pxs:TaxData/"), "{why}");
}

#[test]
fn what_every_report_repeats_must_be_there() {
    for (element, term) in [
        ("CustomizationID", "IBT-024"),
        ("ProfileID", "IBT-023"),
        ("ID", "IBT-001"),
        ("UUID", "BTAE-07"),
        ("IssueDate", "IBT-002"),
        ("InvoiceTypeCode", "IBT-003"),
        ("DocumentCurrencyCode", "IBT-005"),
    ] {
        let source =
            without(INVOICE, &format!("\n  <cbc:{element}>"), &format!("</cbc:{element}>"));
        assert_eq!(refused(&source), Unreportable::Missing(term));
    }
    for (from, to, term) in [
        ("<cac:AccountingSupplierParty>", "</cac:AccountingSupplierParty>", "IBT-031"),
        ("<cbc:CompanyID>", "</cbc:CompanyID>", "IBT-031"),
        ("<cbc:TaxAmount currencyID=\"AED\">", "</cbc:TaxAmount>", "IBT-111"),
        ("<cbc:TaxExclusiveAmount", "</cbc:TaxExclusiveAmount>", "IBT-109"),
    ] {
        assert_eq!(refused(&without(INVOICE, from, to)), Unreportable::Missing(term));
    }
    let without_scheme = with(INVOICE, "<cbc:ID>VAT</cbc:ID>", "");
    let without_scheme = with(&without_scheme, "<cbc:ID>IVAT</cbc:ID>", "");
    assert_eq!(refused(&without_scheme), Unreportable::Missing("IBT-031-1"));
}

#[test]
fn what_is_no_invoice_cannot_be_reported() {
    assert!(matches!(refused("<Invoice"), Unreportable::NotXml(_)));
    assert_eq!(refused("<Invoice/>"), Unreportable::NoInvoice("Invoice".to_owned()));
    let order = INVOICE.replace("xsd:Invoice-2", "xsd:Order-2");
    assert_eq!(refused(&order), Unreportable::NoInvoice("Invoice".to_owned()));
}

#[test]
fn the_scope_is_that_of_the_parties_and_of_the_way() {
    const SELLER: &str = "<cbc:IdentificationCode>AE</cbc:IdentificationCode>";
    const ENDPOINT: &str = ">1001234502</cbc:EndpointID>";
    let abroad = |source: &str| {
        let (start, buyer) = source.split_once("<cac:AccountingCustomerParty>").unwrap();
        format!(
            "{start}<cac:AccountingCustomerParty>{}",
            with(buyer, SELLER, &SELLER.replace("AE", " SA "))
        )
    };
    let to = |endpoint: &str| with(INVOICE, ENDPOINT, &ENDPOINT.replace("1001234502", endpoint));
    let foreign_scheme = with(&to("9900000099"), "\"0235\">9900000099", "\"0088\">9900000099");
    for (source, scope) in [
        (INVOICE.to_owned(), "D"),
        (with(INVOICE, SELLER, ""), "D"),
        (with(INVOICE, "10011110", "10011111"), "D"),
        (to("9900000097"), "D"),
        (to("9900000098"), "D"),
        (to("9900000099"), "INP"),
        (abroad(INVOICE), "IP"),
        (with(INVOICE, SELLER, &SELLER.replace("AE", "OM")), "IP"),
        (abroad(&to("9900000097")), "INP"),
        (abroad(&to("9900000098")), "INP"),
        (abroad(&to("9900000099")), "INP"),
        (abroad(&foreign_scheme), "IP"),
    ] {
        assert_eq!(said(&written(Kind::Submit, source), &[tdd::DOCUMENT_SCOPE]), [scope]);
    }
}

#[test]
fn the_sender_is_the_seller_and_in_self_billing_the_buyer() {
    let self_billed = with(INVOICE, "urn:peppol:bis:billing", "urn:peppol:bis:selfbilling");
    for (source, role, participant) in [
        (INVOICE, Role::Sender, "0235:1001234501"),
        (INVOICE, Role::Receiver, "0235:1001234502"),
        (&self_billed, Role::Sender, "0235:1001234502"),
        (&self_billed, Role::Receiver, "0235:1001234501"),
    ] {
        assert_eq!(reporter(source.as_bytes(), role), Ok(participant.parse().unwrap()));
    }
    let nowhere = without(INVOICE, "<cbc:EndpointID", "</cbc:EndpointID>");
    assert_eq!(reporter(nowhere.as_bytes(), Role::Sender), Err(Unreportable::NoReporter));
}
