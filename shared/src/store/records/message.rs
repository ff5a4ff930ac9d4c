//! Messages of other access points.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, StatusEffect, is_zero};
use crate::{
    peppol::identifiers::{DocumentType, InstanceId, Process, SeatId},
    types::{DocumentId, ParticipantId, TaxpayerId, sha256_hex},
};

/// An envelope as the table knows it: the SHA-256 of its InstanceIdentifier, in hex. Another provider
/// chose that identifier, and it may be longer than a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EnvelopeHash(String);

/// Why a text is no [`EnvelopeHash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hash of an envelope has 64 digits, in lower-case hex")]
pub struct EnvelopeHashError;

impl EnvelopeHash {
    /// How many digits it has.
    const DIGITS: usize = 64;

    /// The hash of an envelope's InstanceIdentifier. It is a UUID, which is one value in either letter case (RFC 9562,
    /// section 4).
    pub fn of(instance_id: &InstanceId) -> Self {
        EnvelopeHash(sha256_hex(instance_id.as_str().to_ascii_lowercase().as_bytes()))
    }

    /// The hash's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EnvelopeHash {
    type Err = EnvelopeHashError;

    fn from_str(text: &str) -> Result<Self, EnvelopeHashError> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == Self::DIGITS && text.bytes().all(digit) {
            Ok(EnvelopeHash(text.to_owned()))
        } else {
            Err(EnvelopeHashError)
        }
    }
}

impl TryFrom<String> for EnvelopeHash {
    type Error = EnvelopeHashError;

    fn try_from(text: String) -> Result<Self, EnvelopeHashError> {
        text.parse()
    }
}

impl From<EnvelopeHash> for String {
    fn from(hash: EnvelopeHash) -> String {
        hash.0
    }
}

impl fmt::Display for EnvelopeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose a message is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Addressee {
    /// A taxpayer's; the document in it has this name from the first attempt on.
    Taxpayer {
        /// The taxpayer.
        taxpayer_id: TaxpayerId,
        /// The document.
        document_id: DocumentId,
    },
    /// Our own: a Message Level Status.
    Provider,
    /// Something that a newer version knows.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// How far a message of another access point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// A worker is at it, or died at it; nobody was told that it is here.
    Claimed,
    /// It is stored; its receipt may have left.
    Received,
    /// What is in it was judged, and stands elsewhere.
    Judged,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl MessageStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageStatus::Claimed => "claimed",
            MessageStatus::Received => "received",
            MessageStatus::Judged => "judged",
            MessageStatus::Unknown => "unknown",
        }
    }
}

/// A message of another access point, from the claim on it. It is kept for good: by it a second one
/// is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// SBDH InstanceIdentifier.
    pub instance_id: InstanceId,
    /// eb:MessageId of the message that brought it.
    pub as4_message_id: String,
    /// C2: the seat that signed.
    pub sender: SeatId,
    /// C1: who made the document.
    pub originator: ParticipantId,
    /// C4: whom it is for.
    pub recipient: ParticipantId,
    /// What is in it.
    pub document_type: DocumentType,
    /// In which process.
    pub process: Process,
    /// Whose it is.
    pub addressee: Addressee,
    /// SHA-256 of the document in the envelope, in hex: a repetition has the same.
    pub content_sha256: String,
    /// How far it is.
    pub status: MessageStatus,
    /// eb:Timestamp, from which the time of a status message is measured (M1).
    #[serde(with = "text::instant")]
    pub sent_at: Timestamp,
    /// When it came, to the millisecond; equal to the time in the document's identifier.
    #[serde(with = "text::instant")]
    pub received_at: Timestamp,
    /// The AS4 message with its signature, as it came; none while it is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Payload>,
    /// The envelope in it; none while it is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Payload>,
    /// The receipt that we signed for it; none while it is claimed, and of messages from before receipts were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Payload>,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its present stage was begun and not ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

impl MessageRecord {
    /// By what the table knows it.
    pub fn hash(&self) -> EnvelopeHash {
        EnvelopeHash::of(&self.instance_id)
    }
}

/// A Message Level Status of another provider, kept under the envelope that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusRecord {
    /// SBDH InstanceIdentifier of the message that brought it.
    pub instance_id: InstanceId,
    /// The seat that signed that.
    pub sender: SeatId,
    /// The InstanceIdentifier that it is about.
    pub ref_to: InstanceId,
    /// AP, AB or RE.
    pub code: String,
    /// When it was issued, as it says.
    #[serde(with = "text::instant")]
    pub issued_at: Timestamp,
    /// When it came.
    #[serde(with = "text::instant")]
    pub received_at: Timestamp,
    /// The envelope with all that it says.
    pub envelope: Payload,
    /// What it did to the document that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<StatusEffect>,
}
