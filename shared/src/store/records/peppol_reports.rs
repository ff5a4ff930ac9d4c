//! The reports of a month to OpenPeppol.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, is_zero};
use crate::{
    peppol::{
        identifiers::SeatId,
        statistics::{Kind, Month},
    },
    types::{MessageId, ParticipantId},
};

/// What a report of a month is called here: it may be filed more than once, and the latest counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeppolReportId {
    /// The month.
    pub month: Month,
    /// Which of the two reports.
    pub kind: Kind,
    /// Its number among those of the kind and month, from 1.
    pub number: u16,
}

impl PeppolReportId {
    /// The first of a kind and month.
    pub fn first(month: Month, kind: Kind) -> Self {
        PeppolReportId { month, kind, number: 1 }
    }

    /// The one that would replace it.
    #[must_use]
    pub fn next(&self) -> Self {
        PeppolReportId { number: self.number.saturating_add(1), ..self.clone() }
    }
}

impl fmt::Display for PeppolReportId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.month, self.kind, self.number)
    }
}

/// How far a monthly report is. States move forward only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeppolReportStatus {
    /// It is made, and was not taken up yet.
    Due,
    /// It is on its way.
    Sending,
    /// OpenPeppol has it.
    Sent,
    /// It did not arrive, or nobody knows, and nothing more is tried.
    Failed,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl PeppolReportStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            PeppolReportStatus::Due => "due",
            PeppolReportStatus::Sending => "sending",
            PeppolReportStatus::Sent => "sent",
            PeppolReportStatus::Failed => "failed",
            PeppolReportStatus::Unknown => "unknown",
        }
    }

    /// Whether nothing more is tried.
    pub fn is_ended(self) -> bool {
        matches!(self, PeppolReportStatus::Sent | PeppolReportStatus::Failed)
    }
}

/// One report of a month to OpenPeppol, as it was fixed before its first byte left. Kept for good, with what was sent and
/// the receipt in the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeppolReportRecord {
    /// What it is called here.
    pub id: PeppolReportId,
    /// How far it is.
    pub status: PeppolReportStatus,
    /// Who reports: the seat that the report names.
    pub reporter: SeatId,
    /// Whom it goes to.
    pub receiver: ParticipantId,
    /// The SBDH InstanceIdentifier of its message.
    pub instance_id: MessageId,
    /// The report.
    pub report: Payload,
    /// When it was made, and what it counts was counted.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it was first tried: it fails when it did not arrive for long enough since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_at: Option<Timestamp>,
    /// When it was sent, or has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Why it has failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its present stage was begun and not ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}
