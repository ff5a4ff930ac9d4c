//! The exchanges that the OpenPeppol reports count.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Direction;
use crate::peppol::identifiers::{DocumentType, InstanceId, Process, SeatId};

/// A message that was exchanged with another access point. Its receiver gave a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedExchange {
    /// The SBDH InstanceIdentifier of the message.
    pub instance_id: InstanceId,
    /// When it was exchanged.
    pub at: Timestamp,
    /// The kind of exchange that it counts for.
    pub kind: ExchangeKind,
}

/// The fields that distinguish kinds of exchange.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExchangeKind {
    /// The provider on the other side.
    pub provider: SeatId,
    /// The document type.
    pub document_type: DocumentType,
    /// The process.
    pub process: Process,
    /// The direction.
    pub direction: Direction,
    /// The country of the sender as the envelope names it. Only for received messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_country: Option<String>,
    /// The business on our side; `None` when it is the provider itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_user: Option<String>,
}

/// The number of exchanges of a kind in a month. Several items of a kind are added up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeCount {
    /// The kind.
    pub kind: ExchangeKind,
    /// The number.
    pub exchanges: u64,
}
