//! Tax reports: reports about documents to the tax authority (corner 5).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, StatusCode, TransmissionRecord, is_zero};
use crate::{
    error::Finding,
    peppol::identifiers::{InstanceId, SeatId, Spid},
    types::{DocumentId, MessageId, ReportId, TaxpayerId},
};

/// The kind of a tax report (code list of TDT-006).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TaxReportKind {
    /// The document was issued or received.
    #[serde(rename = "S")]
    Submit,
    /// The document is reported again, after a report that was not valid.
    #[serde(rename = "R")]
    Resubmit,
    /// An earlier report about the document is withdrawn.
    #[serde(rename = "W")]
    Withdraw,
    /// The document was received and breaks the rules.
    #[serde(rename = "F")]
    Failed,
    /// A kind of a newer version.
    #[serde(other, rename = "unknown", skip_serializing)]
    Unknown,
}

impl TaxReportKind {
    /// The code as text.
    pub fn as_str(self) -> &'static str {
        match self {
            TaxReportKind::Submit => "S",
            TaxReportKind::Resubmit => "R",
            TaxReportKind::Withdraw => "W",
            TaxReportKind::Failed => "F",
            TaxReportKind::Unknown => "unknown",
        }
    }
}

/// The side of the document on which our taxpayer is (code list of TDT-010).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TaxReportRole {
    /// It sent the document.
    #[serde(rename = "01")]
    Sender,
    /// It received the document.
    #[serde(rename = "02")]
    Receiver,
    /// A code of a newer version.
    #[serde(other, rename = "unknown", skip_serializing)]
    Unknown,
}

impl TaxReportRole {
    /// The code as text.
    pub fn as_str(self) -> &'static str {
        match self {
            TaxReportRole::Sender => "01",
            TaxReportRole::Receiver => "02",
            TaxReportRole::Unknown => "unknown",
        }
    }
}

/// The status of a tax report. It moves forward only: due → filing → submitted → reported or not compliant. A report
/// that provably did not arrive is failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaxReportStatus {
    /// It is owed, and no worker has claimed it yet.
    Due,
    /// It is being sent.
    Filing,
    /// The authority has it, or may have it; its verdict is awaited.
    Submitted,
    /// The authority accepted it.
    Reported,
    /// The authority refused it.
    NotCompliant,
    /// It did not reach the authority, and there are no more attempts.
    Failed,
    /// A status of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl TaxReportStatus {
    /// Every status that this version knows.
    pub const ALL: [TaxReportStatus; 6] = [
        TaxReportStatus::Due,
        TaxReportStatus::Filing,
        TaxReportStatus::Submitted,
        TaxReportStatus::Reported,
        TaxReportStatus::NotCompliant,
        TaxReportStatus::Failed,
    ];

    /// The status as it is stored, and as callers see it.
    pub fn as_str(self) -> &'static str {
        match self {
            TaxReportStatus::Due => "due",
            TaxReportStatus::Filing => "filing",
            TaxReportStatus::Submitted => "submitted",
            TaxReportStatus::Reported => "reported",
            TaxReportStatus::NotCompliant => "not_compliant",
            TaxReportStatus::Failed => "failed",
            TaxReportStatus::Unknown => "unknown",
        }
    }

    /// The status with this outcome.
    pub fn of_outcome(outcome: TaxReportOutcome) -> Option<TaxReportStatus> {
        TaxReportStatus::ALL.into_iter().find(|status| status.outcome() == Some(outcome))
    }

    /// The outcome; `None` while it is open.
    pub fn outcome(self) -> Option<TaxReportOutcome> {
        match self {
            TaxReportStatus::Reported => Some(TaxReportOutcome::Reported),
            TaxReportStatus::NotCompliant => Some(TaxReportOutcome::NotCompliant),
            TaxReportStatus::Failed => Some(TaxReportOutcome::Failed),
            TaxReportStatus::Due
            | TaxReportStatus::Filing
            | TaxReportStatus::Submitted
            | TaxReportStatus::Unknown => None,
        }
    }
}

/// The outcome of a tax report (specification 6.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TaxReportOutcome {
    /// The authority accepted it.
    Reported,
    /// The authority refused it.
    NotCompliant,
    /// It did not reach the authority.
    Failed,
    /// An outcome of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl TaxReportOutcome {
    /// The outcome as callers see it.
    pub fn as_str(self) -> &'static str {
        match self {
            TaxReportOutcome::Reported => "REPORTED",
            TaxReportOutcome::NotCompliant => "NOT_COMPLIANT",
            TaxReportOutcome::Failed => "FAILED",
            TaxReportOutcome::Unknown => "UNKNOWN",
        }
    }
}

/// The authority's verdict on a tax report. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxReportVerdict {
    /// The code.
    pub code: StatusCode,
    /// SBDH InstanceIdentifier of the verdict's status message.
    pub instance_id: InstanceId,
    /// The seat that signed that message.
    pub sender: SeatId,
    /// When it was issued, by its own statement.
    #[serde(with = "text::instant")]
    pub issued_at: Timestamp,
    /// When it arrived.
    #[serde(with = "text::instant")]
    pub received_at: Timestamp,
    /// Its description, cut to the space of a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The envelope with its full content.
    pub envelope: Payload,
}

/// One report about one document to the tax authority. It is kept forever, with its evidence in the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxReportRecord {
    /// Its identifier here.
    pub report_id: ReportId,
    /// The taxpayer that reports, whose document it is about.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
    /// The kind of report.
    pub kind: TaxReportKind,
    /// The taxpayer's side of the document.
    pub role: TaxReportRole,
    /// Its status.
    pub status: TaxReportStatus,
    /// The SBDH InstanceIdentifier of its own message, fixed before the message is created.
    pub instance_id: MessageId,
    /// IBT-003 of the document.
    pub document_type_code: String,
    /// The document that the document corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes_id: Option<DocumentId>,
    /// The SBDH InstanceIdentifier under which the document was exchanged; `None` when it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport_header_id: Option<InstanceId>,
    /// The time in `report_id`, to the millisecond. For the first report it is the time of the document.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// When the attempts began. The report fails when it has not arrived for long enough since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_at: Option<Timestamp>,
    /// When its turn to be sent is or was; `None` while it still needs a turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Timestamp>,
    /// The receiving authority, from the end of the first attempt that sent a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<Spid>,
    /// The Tax Data Document. Only earlier versions stored it here: it is in the transmission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax_data: Option<Payload>,
    /// Since when the authority has it, or may have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted_at: Option<Timestamp>,
    /// The verdict of the authority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<TaxReportVerdict>,
    /// Why it failed, or the authority's findings, cut to the space of a record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Finding>,
    /// The worker that has it. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its current stage was begun and not ended. Not shown to callers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

/// The document that a tax report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedDocument {
    /// The taxpayer whose document it is.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
    /// IBT-003 of the document.
    pub document_type_code: String,
    /// The taxpayer's side of the document.
    pub role: TaxReportRole,
}

impl TaxReportRecord {
    /// The Tax Data Document, once there is one.
    pub fn tax_data<'a>(&'a self, sent: Option<&'a TransmissionRecord>) -> Option<&'a Payload> {
        self.tax_data.as_ref().or_else(|| sent?.tax_data.as_ref())
    }

    /// A new tax report that is due.
    pub fn due(
        about: ReportedDocument,
        kind: TaxReportKind,
        report_id: ReportId,
        instance_id: MessageId,
        at: Timestamp,
    ) -> Self {
        let ReportedDocument { taxpayer_id, document_id, document_type_code, role } = about;
        TaxReportRecord {
            report_id,
            taxpayer_id,
            document_id,
            kind,
            role,
            status: TaxReportStatus::Due,
            instance_id,
            document_type_code,
            supersedes_id: None,
            transport_header_id: None,
            created_at: at,
            updated_at: at,
            begun_at: None,
            turn: None,
            authority: None,
            tax_data: None,
            submitted_at: None,
            verdict: None,
            reasons: Vec::new(),
            lease: None,
            tries: 0,
        }
    }

    /// The maximum size of reasons in a record, in bytes. A page of a hundred tax reports must fit into a response.
    pub const REASON_BYTES: usize = 16 * 1024;

    /// The submission that it belongs to. All tax reports about a document have the same.
    pub fn submission_id(&self) -> String {
        submission_id(&self.document_id)
    }
}

/// The submission of a document to the authority, named by the document's identifier.
pub fn submission_id(document: &DocumentId) -> String {
    format!("sub_{}", document.as_str().strip_prefix(DocumentId::PREFIX).unwrap_or_default())
}

/// The state of a document's latest report that is not a withdrawal, as the document's record has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reporting {
    /// The report.
    pub report_id: ReportId,
    /// The kind of report.
    pub kind: TaxReportKind,
    /// The SBDH InstanceIdentifier of its message. Earlier versions did not store it here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance_id: Option<MessageId>,
    /// Its outcome; `None` while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TaxReportOutcome>,
    /// When this last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
}

impl Reporting {
    /// The state that a document's record has for this tax report.
    pub fn of(tax_report: &TaxReportRecord) -> Self {
        Reporting {
            report_id: tax_report.report_id.clone(),
            kind: tax_report.kind,
            instance_id: Some(tax_report.instance_id.clone()),
            outcome: tax_report.status.outcome(),
            updated_at: tax_report.updated_at,
        }
    }
}
