//! Writes the UBL of a document and validates it as every recipient will.

use std::borrow::Cow;

use crate::{
    document::Document,
    error::{Failure, Finding, Severity},
    taxdata::{self, Hindrance},
    ubl,
    validate::{self, ValidateError},
    xml,
};

/// Why a document is not sent.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The findings, at least one of them an error.
    pub(crate) findings: Vec<Finding>,
    /// Whether the findings are complete.
    pub(crate) complete: bool,
}

impl From<Refused> for Failure {
    fn from(Refused { findings, complete }: Refused) -> Self {
        Failure { complete, ..Failure::invalid(findings) }
    }
}

/// Writes the UBL of a document. Runs the official schema and rules, and our own checks, on it. Returns the bytes with
/// all warnings, or all findings when one of them is an error. A document that could not be checked completely is
/// refused, whatever was found.
pub(crate) fn write(
    document: &Document,
    warnings: Vec<Finding>,
) -> Result<(Vec<u8>, Vec<Finding>), Refused> {
    let bytes = ubl::write(document);
    if bytes.len() > ubl::MAX_BYTES {
        return Err(Refused { findings: vec![too_large(bytes.len())], complete: false });
    }
    // The service writes well-formed XML, which is an invoice or a credit note.
    let (found, complete) = validate_ubl(document, &bytes).map_err(|error| Refused {
        findings: vec![Finding::error("", "AP-UBL", error.to_string())],
        complete: false,
    })?;
    // Some of our checks run on the JSON and on the UBL.
    let is_said = |finding: &Finding| {
        warnings.iter().any(|said| said.rule == finding.rule && said.pointer == finding.pointer)
    };
    let unsaid: Vec<_> = found.filter(|finding| !is_said(finding)).collect();
    let mut findings = [warnings, unsaid].concat();
    let is_refused = findings.iter().any(|finding| finding.severity == Severity::Error);
    if !complete && !is_refused {
        let message = "The document has so many findings that its validation stopped. \
                       Correct these first.";
        findings.push(Finding::error("", "AP-UBL", message));
    }
    if is_refused || !complete {
        return Err(Refused { findings, complete });
    }
    if let Some(hindrance) = taxdata::hindrance(&bytes) {
        findings.insert(0, unreportable(document, &hindrance));
        return Err(Refused { findings, complete });
    }
    Ok((bytes, findings))
}

/// Refuses a document that can never be reported to the tax authority. Every exchanged document must be reported (MoF
/// e-invoicing guidelines, five-corner model), and a sent document cannot be changed.
fn unreportable(document: &Document, Hindrance { term, message }: &Hindrance) -> Finding {
    let said = format!("This document cannot be reported to the tax authority: {message}");
    let finding = Finding::error("", "AP-REPORT-invalid", said);
    if *term != "IBT-005" {
        return finding;
    }
    Finding {
        pointer: "/currency".to_owned(),
        term: Some(Cow::Borrowed(*term)),
        value: document.body.currency.clone(),
        fix: Some("invoice in AED, or in another currency that reports allow".into()),
        ..finding
    }
}

/// Refuses a UBL that is too large for answers and recipients. This is not a limit on the body: UBL needs much more
/// text for the same content.
fn too_large(bytes: usize) -> Finding {
    let message = format!(
        "the UBL document would have {bytes} bytes; at most {} (10 MiB) are allowed",
        ubl::MAX_BYTES
    );
    let fix = "send fewer lines or attributes, shorter texts or smaller attachments, or several \
        documents; in XML each & takes 5 bytes, each < and > 4";
    Finding { fix: Some(fix.into()), ..Finding::error("", "AP-UBL-size", message) }
}

fn validate_ubl(
    document: &Document,
    bytes: &[u8],
) -> Result<(impl Iterator<Item = Finding>, bool), ValidateError> {
    let tree = xml::parse(bytes)?;
    let verdict = validate::check(&tree, |node, missing| ubl::pointer(document, node, missing))?;
    Ok((verdict.findings.into_iter().map(|found| found.finding), verdict.complete))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rust_decimal::Decimal;
    use uuid::Uuid;

    use super::*;
    use crate::{
        document::{self, Issuance, Operation, Profile},
        types::ParticipantId,
    };

    const TAXPAYER: &str = r#"{
        "electronic_address": {"id": "1001234501"}, "name": "Falcon Trading LLC",
        "address": {"line_1": "Street 1", "city": "Dubai", "country_subdivision": "DXB"},
        "vat_identifier": "100123450100003",
        "legal_registration": {"id": "CN-1", "type": "TL", "authority_name": "DET"}
    }"#;

    /// The sample with every field.
    fn full() -> Document {
        let body = include_bytes!("../../../events/invoices/full.json");
        let participant = "0235:1001234501".parse::<ParticipantId>().unwrap();
        let issuance = Issuance {
            taxpayer: &Profile::from_json(TAXPAYER.as_bytes()).unwrap(),
            participant: &participant,
            today: date(2026, 2, 1),
            uuid: Uuid::nil(),
            original: None,
        };
        let submission = document::read(Operation::Invoice, body).unwrap();
        document::complete(submission, &issuance).unwrap().0
    }

    #[test]
    fn what_the_converter_makes_breaks_no_official_rule() {
        let (bytes, findings) = write(&full(), Vec::new()).unwrap();
        assert_eq!(bytes, ubl::write(&full()));
        assert!(findings.iter().all(|finding| finding.severity == Severity::Warning));
    }

    #[test]
    fn a_broken_document_is_refused_with_the_rule_and_the_field_that_caused_it() {
        type Break = fn(&mut Document);
        let cases: &[(&str, &str, Break)] = &[
            ("ibr-002", "/invoice_number", |d| d.number.clear()),
            ("ibr-cl-04", "/currency", |d| d.body.currency = Some("EURO".into())),
            ("ibr-154-ae", "/transaction_type_code", |d| {
                d.body.transaction_type_code = Some("0000".into());
            }),
            ("ibr-193-ae", "/uuid", |d| d.body.uuid = None),
            ("ibr-141-ae", "/vat_point_date", |d| {
                d.body.vat_point_date = Some(date(2026, 3, 1));
            }),
            ("ibr-029", "/invoice_period/end_date", |d| {
                d.body.invoice_period.as_mut().unwrap().end_date = Some(date(2025, 1, 1));
            }),
            ("ibr-005-ae", "/invoice_period/frequency_code", |d| {
                d.body.invoice_period.as_mut().unwrap().frequency_code = Some("DAILY".into());
            }),
            ("ibr-cl-07", "/invoiced_object_identifier/id", |d| {
                let object = d.body.invoiced_object_identifier.as_mut().unwrap();
                object.scheme_id = Some("?".into());
            }),
            ("ibr-cl-24", "/supporting_documents/1/attachment/content_base64", |d| {
                let attachment = d.body.supporting_documents[1].attachment.as_mut().unwrap();
                attachment.mime_code = "text/html".into();
            }),
            ("ibr-007", "/customer/name", |d| d.buyer.name = None),
            ("ibr-068", "/customer/identifiers/0/id", |d| {
                d.buyer.identifiers[0].id = "5412345000014".into();
            }),
            ("ibr-144-ae", "/customer/address", |d| {
                d.buyer.address.as_mut().unwrap().city = None;
            }),
            ("ibr-cl-14", "/supplier/address/country_code", |d| {
                d.seller.address.as_mut().unwrap().country_code = Some("UAE".into());
            }),
            ("ibr-007-ae", "/beneficiary_identifier", |d| {
                d.body.transaction_type_code = Some("10000000".into());
                d.body.beneficiary_identifier = None;
            }),
            ("ibr-128-ae", "/tax_representative/address/country_subdivision", |d| {
                let representative = d.body.tax_representative.as_mut().unwrap();
                representative.address.country_subdivision = Some("Abu Dhabi".into());
            }),
            ("ibr-cl-16", "/payment_means/0/means_code", |d| {
                d.body.payment_means[0].means_code = "99".into();
            }),
            ("ibr-co-15", "/totals/total_amount_with_vat", |d| {
                d.totals.total_amount_with_vat += Decimal::ONE;
            }),
            ("ibr-co-10", "/totals/sum_of_line_net_amounts", |d| {
                d.totals.sum_of_line_net_amounts += Decimal::ONE;
            }),
            ("ibr-147-ae", "/line_items/0/net_amount", |d| {
                d.line_amounts[0].net_amount += Decimal::ONE;
            }),
            ("ibr-cl-23", "/line_items/0/quantity", |d| {
                d.body.line_items[0].unit_code = Some("piece".into());
            }),
            ("ibr-025", "/line_items/0/item/name", |d| d.body.line_items[0].item.name.clear()),
            ("ibr-139-ae", "/line_items/0/vat/category_code", |d| {
                d.body.line_items[0].vat.category_code = "K".into();
            }),
            ("ibr-027", "/line_items/0/price/net_price", |d| {
                d.body.line_items[0].price.net_price = Some(-Decimal::ONE);
            }),
        ];
        for (rule, pointer, broken) in cases {
            let mut document = full();
            broken(&mut document);
            let Refused { findings, complete } = write(&document, Vec::new()).unwrap_err();
            assert!(complete, "{rule}");
            let found = findings.iter().find(|finding| finding.rule == *rule);
            let found = found.unwrap_or_else(|| panic!("{rule} is not in {findings:#?}"));
            assert_eq!(found.pointer, *pointer, "{found:#?}");
            assert!(found.fix.is_some() && found.location.is_some(), "{found:#?}");
        }
    }

    #[test]
    fn a_single_payment_means_has_no_index_in_findings_about_the_ubl() {
        for (single, pointer) in
            [(true, "/payment_means/means_code"), (false, "/payment_means/0/means_code")]
        {
            let mut document = full();
            document.single_payment_means = single;
            document.body.payment_means[0].means_code = "31".into();
            let (_, findings) = write(&document, Vec::new()).unwrap();
            let found = findings.iter().find(|finding| finding.rule == "AP-PAYMENT-means").unwrap();
            assert_eq!(found.pointer, pointer);
        }
    }

    #[test]
    fn a_computed_amount_is_reported_beside_what_it_should_be() {
        let mut document = full();
        let due = document.totals.total_amount_with_vat.to_string();
        document.totals.total_amount_with_vat += Decimal::ONE;
        let found = write(&document, Vec::new()).unwrap_err().findings;
        let total = found.iter().find(|finding| finding.rule == "ibr-co-15").unwrap();
        let value = document.totals.total_amount_with_vat.to_string();
        assert_eq!((&total.value, &total.expected), (&Some(value), &Some(due)));
    }

    #[test]
    fn an_unfinished_validation_is_said_to_be_incomplete() {
        let mut document = full();
        let mut line = document.body.line_items[0].clone();
        let amounts = document.line_amounts[0].clone();
        // Short lines that break several rules each, so that the document stays below the size limit.
        line.item = Default::default();
        line.unit_code = Some("piece".into());
        line.vat.category_code = "K".into();
        line.price.net_price = Some(-Decimal::ONE);
        for _ in 0..4_000 {
            document.body.line_items.push(line.clone());
            document.line_amounts.push(amounts.clone());
        }
        assert!(ubl::write(&document).len() < ubl::MAX_BYTES);
        let refused = write(&document, Vec::new()).unwrap_err();
        assert!(!refused.complete && refused.findings.len() >= 10_000);
        assert!(!Failure::from(refused).complete);
    }

    #[test]
    fn a_document_too_large_for_an_answer_is_refused_before_it_is_validated() {
        let mut document = full();
        document.body.note = Some("&".repeat(ubl::MAX_BYTES / 5));
        let refused = write(&document, Vec::new()).unwrap_err();
        let [finding] = &refused.findings[..] else {
            panic!("{} findings", refused.findings.len())
        };
        assert_eq!((&*finding.rule, finding.severity), ("AP-UBL-size", Severity::Error));
        assert!(finding.message.contains("10485760") && !refused.complete, "{finding:?}");
    }

    #[test]
    fn warnings_of_the_document_checks_come_first_and_are_not_repeated() {
        let mut document = full();
        document.buyer.address.as_mut().unwrap().country_subdivision = Some("Dubai".into());
        let (_, found) = write(&document, Vec::new()).unwrap();
        let emirate = found.iter().find(|finding| finding.rule == "AP-ADDRESS-emirate").unwrap();
        let said = Finding::warning(emirate.pointer.clone(), "AP-ADDRESS-emirate", "said before");
        let (_, findings) = write(&document, vec![said.clone()]).unwrap();
        let emirates = findings.iter().filter(|finding| finding.rule == said.rule);
        assert_eq!(emirates.collect::<Vec<_>>(), [&said]);
        assert_eq!(findings.len(), found.len());
    }
}
