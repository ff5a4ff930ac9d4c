//! Outbound MLS: the statuses that are owed for inbound documents.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, StatusCode, is_zero};
use crate::{
    peppol::identifiers::{InstanceId, SeatId, Spid},
    types::{DocumentId, MessageId, TaxpayerId},
};

/// The status of an outbound MLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MlsOutboundStatus {
    /// The document was forwarded, and its receiver may still confirm it.
    Waiting,
    /// Its code is decided, and it is being sent.
    Answering,
    /// It was sent, and there is a receipt for it.
    Sent,
    /// It was sent, but its delivery can no longer be confirmed.
    Unconfirmed,
    /// The sender's access point is not registered for statuses.
    Undeliverable,
    /// The sender requested none.
    NotOwed,
    /// A status of a newer version.
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

/// The Message Level Status that is owed for a document of another access point. There is at most one, and it is kept
/// forever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MlsOutboundRecord {
    /// The document as the taxpayer received it.
    pub document_id: DocumentId,
    /// The taxpayer.
    pub taxpayer_id: TaxpayerId,
    /// The SBDH InstanceIdentifier of the document's message, to which the status refers.
    pub ref_to: InstanceId,
    /// C2: the seat that sent it.
    pub seat: SeatId,
    /// The receiver of the status: the one that C2 named in MLS_TO, else C2 itself.
    pub receiver: Spid,
    /// The status's own SBDH InstanceIdentifier, fixed before the status is created.
    pub instance_id: MessageId,
    /// Its status.
    pub status: MlsOutboundStatus,
    /// Its code, once that is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<StatusCode>,
    /// M1: when the inbound message was sent, but not later than its arrival. The time limit of the status begins here.
    #[serde(with = "text::instant")]
    pub measured_from: Timestamp,
    /// When it became owed.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Timestamp>,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its current stage was begun and not ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}
