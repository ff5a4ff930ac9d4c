//! Message Level Statuses.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::text;
use crate::{
    error::Finding,
    peppol::identifiers::{InstanceId, SeatId},
};

/// The code of a status (code list ResponseCode).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatusCode {
    /// Delivered to the receiver, who confirmed it.
    #[serde(rename = "AP")]
    Delivered,
    /// Delivered without confirmation.
    #[serde(rename = "AB")]
    Forwarded,
    /// Rejected or undeliverable.
    #[serde(rename = "RE")]
    Rejected,
    /// A code of a newer version.
    #[serde(other, rename = "unknown", skip_serializing)]
    Unknown,
}

impl StatusCode {
    /// The code as text.
    pub fn as_str(self) -> &'static str {
        match self {
            StatusCode::Delivered => "AP",
            StatusCode::Forwarded => "AB",
            StatusCode::Rejected => "RE",
            StatusCode::Unknown => "unknown",
        }
    }
}

/// The effect of a status message on the document that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusEffect {
    /// The document took on the reported status.
    Applied,
    /// No effect: no document of ours was sent with that identifier.
    NoDocument,
    /// No effect: the sender is not the provider that received the document.
    Foreign,
    /// No effect: the document is still unfinished, long after it could have arrived.
    Early,
    /// No effect: the document had failed.
    Late,
    /// No effect: an earlier status message applies.
    Second,
    /// An effect of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl StatusEffect {
    /// The effect as it is stored and logged.
    pub fn as_str(self) -> &'static str {
        match self {
            StatusEffect::Applied => "applied",
            StatusEffect::NoDocument => "no_document",
            StatusEffect::Foreign => "foreign",
            StatusEffect::Early => "early",
            StatusEffect::Late => "late",
            StatusEffect::Second => "second",
            StatusEffect::Unknown => "unknown",
        }
    }
}

/// The Message Level Status of the recipient's access point about a document. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageLevelStatus {
    /// The code.
    pub code: StatusCode,
    /// SBDH InstanceIdentifier of its own message.
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
    /// Its findings, cut to the space of a record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}
