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
    service::{reply::Reply, submit::Validation},
    store::{
        DocumentRecord, MessageLevelStatus, PartySummary, Reporting, Status, instant, submission_id,
    },
};

/// A short form of a party. The UBL contains the full party.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentParty {
    /// Name, cut to 500 characters.
    pub name: String,
    /// Electronic address, `scheme:value`. Null if the party has none.
    #[schema(example = "0235:1001234501", required)]
    pub participant_id: Option<String>,
}

/// The UBL of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentUbl {
    /// Lower-case hex SHA-256 of the bytes that GET …/ubl returns.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// Number of these bytes.
    #[schema(minimum = 1)]
    pub bytes: u64,
}

/// The Message Level Status of the recipient's access point about a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentMessageLevelStatus {
    /// Status of the document according to the recipient's access point.
    pub code: MessageLevelStatusCode,
    /// Issue time, as stated in the Message Level Status.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:05:00.000Z")]
    pub issued_at: Timestamp,
    /// Time of receipt.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:05:01.000Z")]
    pub received_at: Timestamp,
    /// Peppol seat of the recipient's access point.
    #[schema(example = "PAE000002")]
    pub sender: String,
    /// Text of the status, cut to 1,000 characters.
    #[schema(required)]
    pub description: Option<String>,
    /// Findings of the recipient's access point. `rule` is AP-MLS- followed by its code (SV, BV, BW or FD). `message`
    /// is its text. `location` is the place in the UBL as the access point names it. `pointer` is the field from
    /// which that place was created, and is empty if unknown. If there are too many findings, the first ones are
    /// listed, and the last one counts the rest.
    pub findings: Vec<Finding>,
}

/// The latest report about a document. GET …/reports returns all reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentReporting {
    /// Identifier of the report.
    #[schema(example = "rep_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub report_id: String,
    /// Kind of the report (TDT-006).
    pub kind: ReportKind,
    /// Outcome of the report. Null until it is known.
    #[schema(required)]
    pub outcome: Option<ReportOutcome>,
    /// Time of the last change of the report.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:06:00.000Z")]
    pub updated_at: Timestamp,
}

/// A document. Amounts are decimal strings in the document's currency.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentResponse {
    /// Identifier of the document on this access point. It is not the document's own UUID.
    #[schema(
        pattern = "^doc_[0-9A-Za-z]{1,64}$",
        example = "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub document_id: String,
    /// Taxpayer to which the document belongs.
    pub taxpayer_id: String,
    /// Organization that sent the document. Null for a received document.
    #[schema(required)]
    pub organization_id: Option<String>,
    /// Outbound or inbound.
    pub direction: DocumentDirection,
    /// The operation that creates this type of document.
    pub r#type: DocumentType,
    /// UBL type code: 380, 480, 381, 81, 389 or 261.
    pub document_type_code: String,
    /// Status of the document.
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
    /// BTAE-02 Transaction type code, eight flags.
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
    /// The credited invoice, if this access point issued it.
    #[schema(required)]
    pub previous_document_id: Option<String>,
    /// The rejected document that this document corrects.
    #[schema(required)]
    pub corrects_document_id: Option<String>,
    /// The document that corrects this rejected document.
    #[schema(required)]
    pub corrected_by_document_id: Option<String>,
    /// SBDH InstanceIdentifier of the transmission.
    #[schema(format = "uuid")]
    pub message_id: String,
    /// Submission to the tax authority. All reports about the document have the same submission. There is a report
    /// only if `reporting` contains one. In Sandbox nothing is reported.
    #[schema(example = "sub_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub submission_id: String,
    /// SBDH InstanceIdentifier of the report in `reporting`. Null until there is one.
    #[schema(format = "uuid", required)]
    pub submission_message_id: Option<String>,
    /// The document that this document replaces. It equals `corrects_document_id`.
    #[schema(required)]
    pub supersedes_id: Option<String>,
    /// UBL of the document. Null until it is created.
    #[schema(required)]
    pub ubl: Option<DocumentUbl>,
    /// Findings that do not prevent sending or receiving. For a failed or rejected document, the reasons.
    pub warnings: Vec<Finding>,
    /// Message Level Status of the recipient's access point. Null until it is received.
    #[schema(required)]
    pub message_level_status: Option<DocumentMessageLevelStatus>,
    /// Latest report about the document to the tax authority, except withdrawals. Null until there is one, and in
    /// Sandbox, where nothing is reported.
    #[schema(required)]
    pub reporting: Option<DocumentReporting>,
    /// Time when the document was accepted or received, in UTC with milliseconds. Times in this format sort as text.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Time of the last change, in the same format as `created_at`.
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

/// The result of a validation, with or without findings.
#[derive(Debug, Serialize, ToSchema)]
pub struct ValidationResponse {
    /// Whether the document could be sent. It is true if no finding has the severity error.
    pub valid: bool,
    /// All errors of the document at once, in the same form as in `detail.errors` of a refused send. Empty when the
    /// document is valid.
    pub errors: Vec<Finding>,
    /// Whether `errors` contains all errors. False when the validation stopped after 10,000 schema errors, 10,000
    /// violations of official rules or 10,000 findings of own checks. Also false when the errors do not fit in a
    /// response. Then correct the listed errors: more may be found.
    pub complete: bool,
    /// Findings that do not prevent sending. If they do not fit in a response, the last one, AP-FINDINGS, counts
    /// those that are left out.
    pub warnings: Vec<Finding>,
}

impl ValidationResponse {
    /// The response to a validation, with links to the documentation if its URL is known.
    pub(super) fn of(validation: Validation, docs: Option<&DocsUrl>) -> Self {
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        let (errors, warnings): (Vec<_>, Vec<_>) =
            validation.findings.into_iter().partition(is_error);
        let (errors, is_complete) = error::errors(&errors, docs);
        let size: usize = errors.iter().map(Finding::size).sum();
        ValidationResponse {
            valid: errors.is_empty(),
            complete: validation.complete && is_complete,
            warnings: Finding::fitting(&warnings, FINDINGS_BYTES.saturating_sub(size)),
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
