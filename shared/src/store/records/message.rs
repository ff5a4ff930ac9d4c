//! Messages of other access points.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, Lease, Payload, StatusEffect, is_zero};
use crate::{
    peppol::identifiers::{DocumentType, InstanceId, Process, SeatId},
    types::{DocumentId, ParticipantId, TaxpayerId, sha256_hex},
};

/// An envelope as it is stored: the SHA-256 of its InstanceIdentifier, in hex. Another provider chose that identifier,
/// and it may be longer than a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EnvelopeHash(String);

/// The error for a text that is not an [`EnvelopeHash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hash of an envelope has 64 digits, in lower-case hex")]
pub struct EnvelopeHashError;

impl EnvelopeHash {
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

/// The party that a message is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Addressee {
    /// A taxpayer. The document has this identifier from the first attempt on.
    Taxpayer {
        /// The taxpayer.
        taxpayer_id: TaxpayerId,
        /// The document.
        document_id: DocumentId,
    },
    /// This access point itself: a Message Level Status.
    Provider,
    /// A kind of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// The status of a message of another access point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// A worker of an earlier release has it, or died while it had it. Its arrival was not confirmed to anybody.
    Claimed,
    /// It is stored. Its receipt may have been sent.
    Received,
    /// It was validated. The result is stored elsewhere.
    #[serde(rename = "judged")]
    Validated,
    /// A status of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl MessageStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageStatus::Claimed => "claimed",
            MessageStatus::Received => "received",
            MessageStatus::Validated => "judged",
            MessageStatus::Unknown => "unknown",
        }
    }
}

/// A message of another access point. A repeated message is recognized by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// SBDH InstanceIdentifier.
    pub instance_id: InstanceId,
    /// eb:MessageId of the message that brought it.
    pub as4_message_id: String,
    /// C2: the seat that signed.
    pub sender: SeatId,
    /// C1: the business that issued the document.
    pub originator: ParticipantId,
    /// C4: the recipient.
    pub recipient: ParticipantId,
    /// The document type.
    pub document_type: DocumentType,
    /// The process.
    pub process: Process,
    /// The party that it is for.
    pub addressee: Addressee,
    /// SHA-256 of the document in the envelope, in hex. A repeated message has the same.
    pub content_sha256: String,
    /// Its status.
    pub status: MessageStatus,
    /// eb:Timestamp, from which the time of a status message is measured (M1).
    #[serde(with = "text::instant")]
    pub sent_at: Timestamp,
    /// When it arrived, to the millisecond; equal to the time in the document's identifier.
    #[serde(with = "text::instant")]
    pub received_at: Timestamp,
    /// The AS4 message with its signature, as received; `None` while it is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Payload>,
    /// The envelope in it; `None` while it is claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Payload>,
    /// The receipt that we signed for it; `None` while it is claimed, and for messages from before receipts were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Payload>,
    /// The worker that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its current stage was begun and not ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
}

impl MessageRecord {
    /// The hash under which it is stored.
    pub fn hash(&self) -> EnvelopeHash {
        EnvelopeHash::of(&self.instance_id)
    }
}

/// A Message Level Status of another provider, stored under the envelope that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusRecord {
    /// SBDH InstanceIdentifier of its own message.
    pub instance_id: InstanceId,
    /// The seat that signed that message.
    pub sender: SeatId,
    /// The InstanceIdentifier that it is about.
    pub ref_to: InstanceId,
    /// AP, AB or RE.
    pub code: String,
    /// When it was issued, by its own statement.
    #[serde(with = "text::instant")]
    pub issued_at: Timestamp,
    /// When it arrived.
    #[serde(with = "text::instant")]
    pub received_at: Timestamp,
    /// The envelope with its full content.
    pub envelope: Payload,
    /// The receipt that we signed for it; `None` in records of earlier releases, and for messages without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Payload>,
    /// Its effect on the document that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<StatusEffect>,
}

impl StatusRecord {
    /// Whether its envelope and our receipt are parts of one object of the bucket.
    pub fn shares_an_object(&self) -> bool {
        let is_beside =
            |receipt: &Payload| receipt.part.is_some() && receipt.key == self.envelope.key;
        self.receipt.as_ref().is_some_and(is_beside)
    }
}
