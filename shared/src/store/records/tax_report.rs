//! Filings: reports about documents to the tax authority (corner 5).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, StatusCode, is_zero};
use crate::{
    error::Finding,
    peppol::identifiers::{InstanceId, SeatId, Spid},
    types::{DocumentId, MessageId, ReportId, TaxpayerId},
};

/// What a filing says of its document (code list of TDT-006).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TaxReportKind {
    /// It was issued, or received.
    #[serde(rename = "S")]
    Submit,
    /// The same again, after a filing that did not hold.
    #[serde(rename = "R")]
    Resubmit,
    /// What was reported of it holds no more.
    #[serde(rename = "W")]
    Withdraw,
    /// It was received, and breaks the rules.
    #[serde(rename = "F")]
    Failed,
    /// A word of a newer version.
    #[serde(other, rename = "unknown", skip_serializing)]
    Unknown,
}

impl TaxReportKind {
    /// The code itself.
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

/// On which side of the document our taxpayer is (code list of TDT-010).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TaxReportRole {
    /// It sent the document.
    #[serde(rename = "01")]
    Sender,
    /// It received it.
    #[serde(rename = "02")]
    Receiver,
    /// A word of a newer version.
    #[serde(other, rename = "unknown", skip_serializing)]
    Unknown,
}

impl TaxReportRole {
    /// The code itself.
    pub fn as_str(self) -> &'static str {
        match self {
            TaxReportRole::Sender => "01",
            TaxReportRole::Receiver => "02",
            TaxReportRole::Unknown => "unknown",
        }
    }
}

/// How far a filing is. States move forward only: due → filing → submitted → reported or not compliant,
/// or, where it provably did not arrive, failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaxReportStatus {
    /// It is owed, and was not taken up yet.
    Due,
    /// It is on its way.
    Filing,
    /// The authority has it, or may have it; its verdict is awaited.
    Submitted,
    /// The authority accepted it.
    Reported,
    /// The authority refused it.
    NotCompliant,
    /// It did not reach the authority, and nothing more is tried.
    Failed,
    /// A word of a newer version.
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

    /// What the filing has come to; none while that is open.
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

/// What a filing has come to (specification 6.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TaxReportOutcome {
    /// The authority accepted it.
    Reported,
    /// The authority refused it.
    NotCompliant,
    /// It did not reach the authority.
    Failed,
    /// A word of a newer version.
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

/// What the authority said of a filing, once for all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilingVerdict {
    /// What became of it.
    pub code: StatusCode,
    /// SBDH InstanceIdentifier of the status message that brought it.
    pub instance_id: InstanceId,
    /// The seat that signed that.
    pub sender: SeatId,
    /// When it was issued, as it says.
    #[serde(with = "text::instant")]
    pub issued_at: Timestamp,
    /// When it came.
    #[serde(with = "text::instant")]
    pub received_at: Timestamp,
    /// In words, as far as a record has room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The envelope with all that it says.
    pub envelope: Payload,
}

/// One report about one document to the tax authority. Kept for good, with its evidence in the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxReportRecord {
    /// Its identifier here.
    pub report_id: ReportId,
    /// The taxpayer whose document it is about, who reports.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
    /// What it says of the document.
    pub kind: TaxReportKind,
    /// On which side of the document the taxpayer is.
    pub role: TaxReportRole,
    /// How far it is.
    pub status: TaxReportStatus,
    /// The SBDH InstanceIdentifier of its own message, fixed before that is made.
    pub instance_id: MessageId,
    /// IBT-003 of the document.
    pub document_type_code: String,
    /// The document that the document corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes_id: Option<DocumentId>,
    /// The SBDH InstanceIdentifier under which the document was exchanged; none where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport_header_id: Option<InstanceId>,
    /// The time in `report_id`, to the millisecond: for the first filing that of its document.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// From when on it is tried: it fails when it did not arrive for long enough since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_at: Option<Timestamp>,
    /// When its turn to be sent is or was; none while it must ask for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Timestamp>,
    /// The authority that it goes to, fixed with its first message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<Spid>,
    /// The Tax Data Document, fixed with its first message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax_data: Option<Payload>,
    /// Since when the authority has it, or may have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted_at: Option<Timestamp>,
    /// What the authority said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<FilingVerdict>,
    /// Why it has failed, or what the authority found; as far as a record has room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Finding>,
    /// The worker that has it. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its present stage was begun and not ended. Not shown to callers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

/// What a filing is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilingAbout {
    /// The taxpayer whose document it is.
    pub taxpayer_id: TaxpayerId,
    /// The document.
    pub document_id: DocumentId,
    /// IBT-003 of the document.
    pub document_type_code: String,
    /// On which side of the document the taxpayer is.
    pub role: TaxReportRole,
}

impl TaxReportRecord {
    /// A filing that is due, under these names, and for which nothing was done yet.
    pub fn due(
        about: FilingAbout,
        kind: TaxReportKind,
        report_id: ReportId,
        instance_id: MessageId,
        at: Timestamp,
    ) -> Self {
        let FilingAbout { taxpayer_id, document_id, document_type_code, role } = about;
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

    /// How many bytes of reasons a record keeps: a page of a hundred filings must fit an answer.
    pub const REASON_BYTES: usize = 16 * 1024;

    /// The submission that it belongs to: all filings about a document have the same.
    pub fn submission_id(&self) -> String {
        submission_id(&self.document_id)
    }
}

/// The submission of a document to the authority, which has the document's name.
pub fn submission_id(document: &DocumentId) -> String {
    format!("sub_{}", document.as_str().strip_prefix(DocumentId::PREFIX).unwrap_or_default())
}

/// What a document's own record says of its latest report that is no withdrawal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reporting {
    /// The report.
    pub report_id: ReportId,
    /// What it says of the document.
    pub kind: TaxReportKind,
    /// The SBDH InstanceIdentifier of its message; earlier versions did not note it here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance_id: Option<MessageId>,
    /// What it has come to; none while that is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TaxReportOutcome>,
    /// When that was last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
}

impl Reporting {
    /// What a document's record says once this filing stands as it does.
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
