//! OpenPeppol reports.

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

/// The identifier of an OpenPeppol report. A report may be submitted more than once, and the latest submission counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeppolReportId {
    /// The month.
    pub month: Month,
    /// Which of the two reports it is.
    pub kind: Kind,
    /// The number of the submission for its kind and month, from 1.
    pub number: u16,
}

impl PeppolReportId {
    /// The first submission for a kind and month.
    pub fn first(month: Month, kind: Kind) -> Self {
        PeppolReportId { month, kind, number: 1 }
    }

    /// The next submission, which replaces this one.
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

/// The status of an OpenPeppol report. The transitions move forward only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeppolReportStatus {
    /// It was created, and no worker has claimed it yet.
    Due,
    /// It is being sent.
    Sending,
    /// OpenPeppol has it.
    Sent,
    /// It did not arrive, or its delivery is unknown, and there are no more attempts.
    Failed,
    /// A status of a newer version.
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

    /// Whether there are no more attempts.
    pub fn is_ended(self) -> bool {
        matches!(self, PeppolReportStatus::Sent | PeppolReportStatus::Failed)
    }
}

/// An OpenPeppol report, fixed before its first byte is sent. It is kept forever. The sent report and the
/// receipt are in the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeppolReportRecord {
    /// Its identifier.
    pub id: PeppolReportId,
    /// Its status.
    pub status: PeppolReportStatus,
    /// The seat that the report names as the reporter.
    pub reporter: SeatId,
    /// The receiver.
    pub receiver: ParticipantId,
    /// The SBDH InstanceIdentifier of its message.
    pub instance_id: MessageId,
    /// The report.
    pub report: Payload,
    /// When it was created and its content was counted.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When the first attempt began. The report fails when it has not arrived for long enough since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_at: Option<Timestamp>,
    /// When it was sent or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its current stage was begun and not ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}
