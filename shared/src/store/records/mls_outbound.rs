//! The statuses that we owe others for what they sent.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, StatusCode, is_zero};
use crate::{
    peppol::identifiers::{InstanceId, SeatId, Spid},
    types::{DocumentId, MessageId, TaxpayerId},
};

/// How far the answer to a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MlsOutboundStatus {
    /// The document was passed on, and its receiver may still confirm that.
    Waiting,
    /// What it says is decided; it is on its way.
    Answering,
    /// Sent: there is a receipt for it.
    Sent,
    /// It left, and whether it arrived cannot be found out any more.
    Unconfirmed,
    /// The sender's access point is not registered for statuses.
    Undeliverable,
    /// The sender wants none.
    NotOwed,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl MlsOutboundStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            MlsOutboundStatus::Waiting => "waiting",
            MlsOutboundStatus::Answering => "answering",
            MlsOutboundStatus::Sent => "sent",
            MlsOutboundStatus::Unconfirmed => "unconfirmed",
            MlsOutboundStatus::Undeliverable => "undeliverable",
            MlsOutboundStatus::NotOwed => "not_owed",
            MlsOutboundStatus::Unknown => "unknown",
        }
    }
}

/// The Message Level Status that is owed for a document of another access point. Kept for good: there is
/// at most one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MlsOutboundRecord {
    /// The document as the taxpayer has it.
    pub document_id: DocumentId,
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// The SBDH InstanceIdentifier of the message that brought it: what the status refers to.
    pub ref_to: InstanceId,
    /// C2: the seat that sent it.
    pub seat: SeatId,
    /// Where the status goes: what C2 asked for in MLS_TO, else C2 itself.
    pub receiver: Spid,
    /// The status's own SBDH InstanceIdentifier, fixed before it is made.
    pub instance_id: MessageId,
    /// How far it is.
    pub status: MlsOutboundStatus,
    /// What it says, once that is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<StatusCode>,
    /// M1: when the message was sent, from which the time of its status is measured; not after it came.
    #[serde(with = "text::instant")]
    pub measured_from: Timestamp,
    /// When it was owed.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Timestamp>,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its present stage was begun and not ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}
