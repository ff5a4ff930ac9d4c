//! What the reports to OpenPeppol count.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Direction;
use crate::peppol::identifiers::{DocumentType, InstanceId, Process, SeatId};

/// A message that was exchanged with another access point: whoever received it gave a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedExchange {
    /// The SBDH InstanceIdentifier of the message.
    pub instance_id: InstanceId,
    /// When it was exchanged.
    pub at: Timestamp,
    /// What it counts for.
    pub kind: ExchangeKind,
}

/// What exchanges are told apart by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExchangeKind {
    /// The provider on the other side.
    pub provider: SeatId,
    /// What was exchanged.
    pub document_type: DocumentType,
    /// In which process.
    pub process: Process,
    /// Which way it went.
    pub direction: Direction,
    /// The country of the sender, as the envelope says; of what was received alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_country: Option<String>,
    /// The business on our side; none when that is the provider itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_user: Option<String>,
}

/// How many exchanges of a kind there were in a month: one of several items that are to be added up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeCount {
    /// The kind.
    pub kind: ExchangeKind,
    /// How many.
    pub exchanges: u64,
}
