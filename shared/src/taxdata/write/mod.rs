//! Writes the Tax Data Document that reports an invoice or credit note to the tax authority.

mod codes;
mod parties;
mod reported;
mod source;

use jiff::Timestamp;

pub use self::codes::{Kind, Role, Scope, UnknownCode};
use self::source::Form;
use super::{LIMITS, check};
use crate::{
    types::{ParticipantId, UAE_OFFSET},
    xml::{
        self, Node, ParseError, Tree, Writer,
        names::{credit_note, invoice},
    },
};

/// The data of a report that are not in the document. The scope comes from the document.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The purpose of the report.
    pub kind: Kind,
    /// The role of the reporting party in the transaction.
    pub role: Role,
    /// TDT-007 The taxpayer that reports: corner 1 or 4.
    pub reporting_party: &'a ParticipantId,
    /// TDT-008 The service provider identifier (scheme 0242) of the tax authority.
    pub authority: &'a str,
    /// TDT-009 The service provider identifier (scheme 0242) of the reporting provider.
    pub representative: &'a str,
    /// The time at which the report was created.
    pub issued_at: Timestamp,
    /// The instance identifier of the envelope that carried the document; `None` if there was no envelope.
    pub transport_header_id: Option<&'a str>,
}

/// Why a document cannot be reported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreportable {
    /// The bytes are not accepted XML.
    #[error("the document cannot be read: {0}")]
    NotXml(#[from] ParseError),
    /// The root element is not an invoice or credit note.
    #[error("{0} is neither an invoice nor a credit note of UBL 2.1")]
    NoInvoice(String),
    /// A value that every report must repeat is missing.
    #[error("the document has no {0}, which every report repeats")]
    Missing(&'static str),
    /// The document does not name the reporting party.
    #[error("the party that reports has no electronic address in the document")]
    NoReporter,
}

/// Writes the report about a document from its UBL.
///
/// # Errors
/// If the document cannot be reported. A report of kind [`Kind::Failed`] accepts any bytes.
pub fn write(report: &Report<'_>, source: &[u8]) -> Result<Vec<u8>, Unreportable> {
    if report.kind == Kind::Failed {
        return failed(report, source);
    }
    let tree = xml::parse_with(source, &LIMITS)?;
    assemble(report, Some(document(&tree)?), true, Form::Element)
}

/// Writes a report about a document that may be broken. It uses the most complete form that the schema and the rules
/// accept. The schema checks the elements of an embedded document, so an invalid document can often be embedded only as
/// text.
fn failed(report: &Report<'_>, source: &[u8]) -> Result<Vec<u8>, Unreportable> {
    let tree = xml::parse_with(source, &LIMITS).ok();
    let root = tree.as_ref().map(Tree::root);
    let forms = [(true, Form::Element), (false, Form::Element), (true, Form::Text)];
    let mut fit = forms
        .into_iter()
        .filter_map(|(repeats, form)| assemble(report, root, repeats, form).ok())
        .filter(|made| check(made).is_ok());
    match fit.next() {
        Some(made) => Ok(made),
        None => assemble(report, root, false, Form::Text),
    }
}

/// Returns the taxpayer that reports a document in this role, from its electronic address.
///
/// # Errors
/// If the document cannot be read, or if that party has no electronic address.
pub fn reporter(source: &[u8], role: Role) -> Result<ParticipantId, Unreportable> {
    let tree = xml::parse_with(source, &LIMITS)?;
    parties::reporter(document(&tree)?, role).ok_or(Unreportable::NoReporter)
}

/// The root element, if ibr-tdd-57 accepts it.
fn document<'t>(tree: &'t Tree<'_>) -> Result<Node<'t>, Unreportable> {
    let root = tree.root();
    match root.name() {
        invoice::INVOICE | credit_note::CREDIT_NOTE => Ok(root),
        _ => Err(Unreportable::NoInvoice(root.qualified_name().to_owned())),
    }
}

/// Writes the complete report, in the order of the schema.
fn assemble(
    report: &Report<'_>,
    document: Option<Node<'_>>,
    repeats: bool,
    form: Form,
) -> Result<Vec<u8>, Unreportable> {
    const NAMESPACES: [(&str, &str); 4] = [
        ("xmlns:pxs", "urn:peppol:schema:taxdata:1.0"),
        ("xmlns:cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"),
        ("xmlns:cac", "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"),
        ("xmlns:cec", "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"),
    ];
    /// Initial capacity for a report without the embedded document.
    const REPORT_BYTES: usize = 4_096;
    let embedded = document.map_or(0, |document| document.tree().size());
    let mut out = Writer::indented(REPORT_BYTES + embedded);
    out.group("pxs:TaxData", &NAMESPACES, |out| {
        header(out, report, document.map_or(Scope::Domestic, parties::scope));
        out.group("pxs:ReportedTransaction", &[], |out| {
            if let Some(id) = report.transport_header_id {
                out.text("pxs:TransportHeaderID", id);
            }
            if let Some(document) = document {
                if repeats {
                    reported::write(out, document)?;
                }
                reported::custom_content(out, document);
            }
            source::write(out, document, form);
            Ok::<(), Unreportable>(())
        })
    })?;
    Ok(out.finish().into_bytes())
}

/// Writes the header up to the representative.
fn header(out: &mut Writer, report: &Report<'_>, scope: Scope) {
    /// Scheme of service provider identifiers (ibr-tdd-17, ibr-tdd-21).
    const PROVIDERS: &str = "0242";
    let issued_at = report.issued_at.to_zoned(UAE_OFFSET.to_time_zone());
    out.text("cbc:CustomizationID", "urn:peppol:taxdata:ae-1");
    out.text("cbc:ProfileID", "urn:peppol:taxreporting");
    // The date has no zone, the time has one (ibr-tdd-04, ibr-tdd-05).
    out.text("cbc:IssueDate", &issued_at.strftime("%Y-%m-%d").to_string());
    out.text("cbc:IssueTime", &issued_at.strftime("%H:%M:%S%:z").to_string());
    out.text("pxs:DocumentTypeCode", report.kind.code());
    out.text("pxs:DocumentScope", scope.code());
    out.text("pxs:ReporterRole", report.role.code());
    let reporter = report.reporting_party;
    for (party, scheme, value) in [
        ("pxs:ReportingParty", reporter.scheme(), reporter.value()),
        ("pxs:ReceivingParty", PROVIDERS, report.authority),
    ] {
        out.group(party, &[], |out| out.leaf("cbc:EndpointID", [("schemeID", scheme)], value));
    }
    out.group("pxs:ReportersRepresentative", &[], |out| {
        out.group("cac:PartyIdentification", &[], |out| {
            out.leaf("cbc:ID", [("schemeID", PROVIDERS)], report.representative);
        });
    });
}

#[cfg(test)]
mod tests;
