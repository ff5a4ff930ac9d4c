//! Message Level Statuses: what was said of documents.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::text;
use crate::{
    error::Finding,
    peppol::identifiers::{InstanceId, SeatId},
};

/// What a status says became of a message (code list ResponseCode).
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
    /// A word of a newer version.
    #[serde(other, rename = "unknown", skip_serializing)]
    Unknown,
}

impl StatusCode {
    /// The code itself.
    pub fn as_str(self) -> &'static str {
        match self {
            StatusCode::Delivered => "AP",
            StatusCode::Forwarded => "AB",
            StatusCode::Rejected => "RE",
            StatusCode::Unknown => "unknown",
        }
    }
}

/// What a status message did to the document that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusEffect {
    /// The document has the status that it says.
    Applied,
    /// Nothing: no document of ours went out under that name.
    NoDocument,
    /// Nothing: it is not from the provider that has the document.
    Foreign,
    /// Nothing: the document is still on its way, long after it could have arrived.
    Early,
    /// Nothing: the document had failed.
    Late,
    /// Nothing: another one came before.
    Second,
    /// A word of a newer version.
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

/// What the recipient's access point said of a document, once for all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageLevelStatus {
    /// What became of the document.
    pub code: StatusCode,
    /// SBDH InstanceIdentifier of the message that brought it.
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
    /// What was found, as far as a record has room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}
