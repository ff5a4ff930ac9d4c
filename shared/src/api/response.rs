//! The bodies of responses. Storage records are never returned directly. These types select the visible fields and
//! define the OpenAPI schemas.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    error::{self, DocsUrl, FINDINGS_BYTES},
    wire::{
        DocumentDirection, DocumentStatus, DocumentType, MessageLevelStatusCode, ReportKind,
        ReportOutcome,
    },
};
use crate::{
    error::{Finding, Severity},
    service::{reply::Reply, submit::Judged},
    store::{
        DocumentRecord, MessageLevelStatus, PartySummary, Reporting, Status, instant, submission_id,
    },
};

/// A party in short; the UBL has the whole of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentParty {
    /// Name; cut to 500 characters.
    pub name: String,
    /// Electronic address, `scheme:value`; null where the party has none.
    #[schema(example = "0235:1001234501", required)]
    pub participant_id: Option<String>,
}

/// The UBL of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentUbl {
    /// Lower-case hex SHA-256 of the bytes that GET …/ubl gives.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// How many bytes they are.
    #[schema(minimum = 1)]
    pub bytes: u64,
}

/// What the recipient's access point said of a document in its Message Level Status.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentMessageLevelStatus {
    /// What became of the document.
    pub code: MessageLevelStatusCode,
    /// When it was issued, as it says.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:05:00.000Z")]
    pub issued_at: Timestamp,
    /// When it came.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:05:01.000Z")]
    pub received_at: Timestamp,
    /// The seat of the recipient's access point.
    #[schema(example = "PAE000002")]
    pub sender: String,
    /// What it says in words; cut to 1,000 characters.
    #[schema(required)]
    pub description: Option<String>,
    /// What it says was found: `rule` is AP-MLS- and its code (SV, BV, BW or FD), `message` in its words,
    /// `location` the place in the UBL as it names it, `pointer` the field that this place was made
    /// from, empty where that is not known. Of very many the first, and a last one that counts the others.
    pub findings: Vec<Finding>,
}

/// The latest report about a document; all of them are at GET …/reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentReporting {
    /// The report.
    #[schema(example = "rep_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub report_id: String,
    /// What it says of the document.
    pub kind: ReportKind,
    /// What it has come to; null while that is open.
    #[schema(required)]
    pub outcome: Option<ReportOutcome>,
    /// When that last changed.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:06:00.000Z")]
    pub updated_at: Timestamp,
}

/// A document. Amounts are decimal strings in the document's currency.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentResponse {
    /// Identifier on this access point; not the document's own UUID.
    #[schema(
        pattern = "^doc_[0-9A-Za-z]{1,64}$",
        example = "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub document_id: String,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: String,
    /// The organization that sent it; null when it was received.
    #[schema(required)]
    pub organization_id: Option<String>,
    /// Outbound or inbound.
    pub direction: DocumentDirection,
    /// The operation that makes this kind of document.
    pub r#type: DocumentType,
    /// UBL type code: 380, 480, 381, 81, 389 or 261.
    pub document_type_code: String,
    /// How far it is.
    pub status: DocumentStatus,
    /// IBT-001 Document number.
    pub number: String,
    /// BTAE-07 The document's own UUID.
    #[schema(format = "uuid")]
    pub uuid: String,
    /// IBT-002 Issue date.
    pub issue_date: Date,
    /// IBT-009 Due date.
    #[schema(required)]
    pub due_date: Option<Date>,
    /// IBT-005 Currency, ISO 4217.
    pub currency: String,
    /// BTAE-02 The eight flags.
    pub transaction_type_code: String,
    /// PINT profile.
    pub profile: String,
    /// Message Level Status preference.
    pub mls_type: String,
    /// IBT-109 Total without VAT.
    #[schema(example = "1000.00")]
    pub total_without_vat: String,
    /// IBT-110 Total VAT.
    #[schema(example = "50.00")]
    pub total_vat: String,
    /// IBT-112 Total with VAT.
    #[schema(example = "1050.00")]
    pub total_with_vat: String,
    /// IBT-115 Amount due for payment.
    #[schema(example = "1050.00")]
    pub amount_due: String,
    /// IBG-04 Seller.
    pub supplier: DocumentParty,
    /// IBG-07 Buyer.
    pub customer: DocumentParty,
    /// The caller's own document id.
    #[schema(required)]
    pub source_id: Option<String>,
    /// The caller's own key-value pairs.
    pub metadata: BTreeMap<String, String>,
    /// The credited invoice, where it is of this access point.
    #[schema(required)]
    pub previous_document_id: Option<String>,
    /// The rejected document that this one corrects.
    #[schema(required)]
    pub corrects_document_id: Option<String>,
    /// The document that corrects this one, which was rejected.
    #[schema(required)]
    pub corrected_by_document_id: Option<String>,
    /// The SBDH InstanceIdentifier of the transmission.
    #[schema(format = "uuid")]
    pub message_id: String,
    /// The submission to the tax authority: all reports about the document have the same. It names a
    /// report only where `reporting` has one; in Sandbox nothing is reported.
    #[schema(example = "sub_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub submission_id: String,
    /// The SBDH InstanceIdentifier of the report in `reporting`; null until there is one.
    #[schema(format = "uuid", required)]
    pub submission_message_id: Option<String>,
    /// The document that this one takes the place of: the same as `corrects_document_id`.
    #[schema(required)]
    pub supersedes_id: Option<String>,
    /// The UBL; null until it is made.
    #[schema(required)]
    pub ubl: Option<DocumentUbl>,
    /// What was found that does not keep it from being sent or received; for a failed or rejected
    /// document, why.
    pub warnings: Vec<Finding>,
    /// What the recipient's access point said of it; null until it did.
    #[schema(required)]
    pub message_level_status: Option<DocumentMessageLevelStatus>,
    /// The latest report about it to the tax authority that is no withdrawal; null in Sandbox, where
    /// nothing is reported, and until there is one.
    #[schema(required)]
    pub reporting: Option<DocumentReporting>,
    /// When it was accepted or received: in UTC, with three digits of a second's fraction, so
    /// that it sorts as text.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// When it last changed: written likewise.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub updated_at: Timestamp,
}

pub(super) fn three_digits<S: serde::Serializer>(
    value: &Timestamp,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.serialize_str(&instant(*value))
}

pub(super) fn three_digits_or_null<S: serde::Serializer>(
    value: &Option<Timestamp>,
    to: S,
) -> Result<S::Ok, S::Error> {
    value.map(instant).serialize(to)
}

/// A page of documents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListDocumentsResponse {
    /// The documents, newest first.
    pub items: Vec<DocumentResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// The result of a validation, whatever was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct ValidationResponse {
    /// Whether the document could be sent: nothing was found of severity error.
    pub valid: bool,
    /// Everything that is wrong with the document, all at once, finding by finding as in
    /// `detail.errors` of a send that is refused. Empty when the document is valid.
    pub errors: Vec<Finding>,
    /// Whether `errors` is all that is wrong. False when the document was judged no further, after
    /// 10,000 schema errors, official rules or own checks, or when an answer does not hold them all:
    /// correct those, and more may be found.
    pub complete: bool,
    /// What to look at all the same. Should there be more than an answer holds, the last one,
    /// AP-FINDINGS, counts those that are left out.
    pub warnings: Vec<Finding>,
}

impl ValidationResponse {
    /// The response to a validation, with links to the documentation if its URL is known.
    pub(super) fn of(judged: Judged, docs: Option<&DocsUrl>) -> Self {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        let (errors, warnings): (Vec<_>, Vec<_>) = judged.findings.into_iter().partition(is_error);
        let (errors, all_told) = error::errors(&errors, docs);
        let told: usize = errors.iter().map(Finding::size).sum();
        ValidationResponse {
            valid: errors.is_empty(),
            complete: judged.complete && all_told,
            warnings: Finding::fitting(&warnings, FINDINGS_BYTES.saturating_sub(told)),
            errors,
        }
    }
}

impl From<&DocumentRecord> for DocumentResponse {
    fn from(record: &DocumentRecord) -> Self {
        let record = record.clone();
        DocumentResponse {
            submission_id: submission_id(&record.document_id),
            submission_message_id: record.submission_message_id().map(ToString::to_string),
            supersedes_id: record.corrects_document_id.clone().map(String::from),
            document_id: record.document_id.into(),
            taxpayer_id: record.taxpayer_id.into(),
            organization_id: record.organization_id.map(String::from),
            direction: record.direction.into(),
            r#type: record.operation.into(),
            document_type_code: record.document_type_code,
            status: record.status.into(),
            number: record.number,
            uuid: record.uuid.to_string(),
            issue_date: record.issue_date,
            due_date: record.due_date,
            currency: record.currency,
            transaction_type_code: record.transaction_type_code,
            profile: record.profile,
            mls_type: record.mls_type,
            total_without_vat: record.total_without_vat.to_string(),
            total_vat: record.total_vat.to_string(),
            total_with_vat: record.total_with_vat.to_string(),
            amount_due: record.amount_due.to_string(),
            supplier: record.supplier.into(),
            customer: record.customer.into(),
            source_id: record.source_id,
            metadata: record.metadata,
            previous_document_id: record.previous_document_id.map(String::from),
            corrects_document_id: record.corrects_document_id.map(String::from),
            corrected_by_document_id: record.corrected_by.map(String::from),
            message_id: record.message_id.to_string(),
            ubl: record.ubl.map(|ubl| DocumentUbl { sha256: ubl.sha256, bytes: ubl.bytes }),
            warnings: record.warnings,
            message_level_status: record.message_level_status.map(Into::into),
            reporting: record.reporting.map(Into::into),
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

impl From<MessageLevelStatus> for DocumentMessageLevelStatus {
    fn from(said: MessageLevelStatus) -> Self {
        DocumentMessageLevelStatus {
            code: said.code.into(),
            issued_at: said.issued_at,
            received_at: said.received_at,
            sender: said.sender.to_string(),
            description: said.description,
            findings: said.findings,
        }
    }
}

impl From<PartySummary> for DocumentParty {
    fn from(party: PartySummary) -> Self {
        DocumentParty {
            name: party.name,
            participant_id: party.participant_id.map(|id| id.to_string()),
        }
    }
}

impl From<Reporting> for DocumentReporting {
    fn from(reporting: Reporting) -> Self {
        DocumentReporting {
            report_id: reporting.report_id.into(),
            kind: reporting.kind.into(),
            outcome: reporting.outcome.map(Into::into),
            updated_at: reporting.updated_at,
        }
    }
}

/// The response to a send: 202 while the document is queued, otherwise 201. The service saves it under the idempotency
/// key before it is sent, byte for byte.
pub fn render(record: &DocumentRecord, warnings: &[Finding]) -> Reply {
    let mut response = DocumentResponse::from(record);
    response.warnings = warnings.to_vec();
    let status = if record.status == Status::Accepted { 202 } else { 201 };
    // A struct of strings, numbers and lists always serializes.
    Reply { status, body: serde_json::to_vec(&response).unwrap_or_default() }
}
