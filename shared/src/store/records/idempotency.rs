//! Idempotency keys.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::super::text;
use crate::types::{DocumentId, ImportId, MessageId, sha256_hex};

/// The facts that are fixed for a send before its work begins. Every later attempt, after a retry or an expired lease,
/// uses the same ones. So a document has one identifier in the table, in the bucket, and as its SBDH InstanceIdentifier
/// on the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendFacts {
    /// The document.
    pub document_id: DocumentId,
    /// Its transmission.
    pub message_id: MessageId,
    /// BTAE-07, if the caller gives none.
    pub uuid: Uuid,
    /// When the send arrived, to the millisecond. It is the issue date if the caller gives none.
    pub created_at: Timestamp,
    /// Whether the send uses the queues.
    pub queued: bool,
    /// The row of an import that this send is, or the import itself.
    pub import: Option<ImportedRow>,
}

/// A document of an import, by its first row, or the import itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedRow {
    /// The import.
    pub import_id: ImportId,
    /// The row, from 1; 0 for the whole file.
    pub row: u32,
}

impl ImportedRow {
    /// The whole file, whose import was requested under a key.
    pub fn whole(import_id: ImportId) -> Self {
        ImportedRow { import_id, row: 0 }
    }

    /// Whether it is the whole file.
    pub fn is_whole(&self) -> bool {
        self.row == 0
    }
}

/// An idempotency key as it is stored: SHA-256 in hex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyHash(String);

impl IdempotencyHash {
    /// The hash of a key as the caller sent it.
    pub fn of(key: &str) -> Self {
        IdempotencyHash(sha256_hex(key.as_bytes()))
    }

    /// The hash's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The record of an idempotency key of a taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "IdempotencyItem", into = "IdempotencyItem")]
pub struct IdempotencyRecord {
    /// SHA-256 of operation and canonical payload, in hex.
    pub fingerprint: String,
    /// The facts that are fixed for the send.
    pub facts: SendFacts,
    /// Identifies the attempt that holds the reservation, or that saved the response.
    pub owner: Uuid,
    /// The instant from which a reservation can be taken over.
    pub lease_until: Timestamp,
    /// The stage that the send has reached.
    pub state: IdempotencyState,
}

impl IdempotencyRecord {
    /// Whether this attempt recorded the send.
    pub fn ended_by(&self, owner: Uuid) -> bool {
        self.owner == owner && self.state != IdempotencyState::InProgress
    }
}

/// The stage that an idempotent send has reached.
#[derive(Clone, PartialEq, Eq)]
pub enum IdempotencyState {
    /// An attempt holds the key. Nothing of the send is recorded or sent.
    InProgress,
    /// The document is recorded. The stage that ends the send saves the response.
    Recorded,
    /// The send has ended; this was the response.
    Saved {
        /// HTTP status.
        status: u16,
        /// The body as it was sent.
        body: String,
    },
    /// A state of a newer version, which can continue the send.
    Unknown(String),
}

/// The stored form. Facts and state are separate attributes, so that conditions can name them.
#[derive(Serialize, Deserialize)]
struct IdempotencyItem {
    fingerprint: String,
    document_id: DocumentId,
    message_id: MessageId,
    uuid: Uuid,
    #[serde(with = "text::instant")]
    created_at: Timestamp,
    queued: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    import: Option<ImportedRow>,
    owner: Uuid,
    #[serde(with = "text::instant")]
    lease_until: Timestamp,
    /// `in_progress`, `recorded` or `saved`.
    state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
}

impl From<IdempotencyRecord> for IdempotencyItem {
    fn from(record: IdempotencyRecord) -> Self {
        let IdempotencyRecord { fingerprint, facts, owner, lease_until, state } = record;
        let SendFacts { document_id, message_id, uuid, created_at, queued, import } = facts;
        let (state, status, body) = match state {
            IdempotencyState::InProgress => ("in_progress".to_owned(), None, None),
            IdempotencyState::Recorded => ("recorded".to_owned(), None, None),
            IdempotencyState::Saved { status, body } => {
                ("saved".to_owned(), Some(status), Some(body))
            }
            IdempotencyState::Unknown(state) => (state, None, None),
        };
        IdempotencyItem {
            fingerprint,
            document_id,
            message_id,
            uuid,
            created_at,
            queued,
            import,
            owner,
            lease_until,
            state,
            status,
            body,
        }
    }
}

impl TryFrom<IdempotencyItem> for IdempotencyRecord {
    type Error = &'static str;

    fn try_from(item: IdempotencyItem) -> Result<Self, Self::Error> {
        let state = match (item.state.as_str(), item.status, item.body) {
            ("in_progress", None, None) => IdempotencyState::InProgress,
            ("recorded", None, None) => IdempotencyState::Recorded,
            ("saved", Some(status), Some(body)) => IdempotencyState::Saved { status, body },
            ("in_progress" | "recorded" | "saved", ..) => {
                return Err("an idempotency record's state and response do not agree");
            }
            _ => IdempotencyState::Unknown(item.state),
        };
        let IdempotencyItem { document_id, message_id, uuid, created_at, queued, import, .. } =
            item;
        Ok(IdempotencyRecord {
            fingerprint: item.fingerprint,
            facts: SendFacts { document_id, message_id, uuid, created_at, queued, import },
            owner: item.owner,
            lease_until: item.lease_until,
            state,
        })
    }
}

impl fmt::Debug for IdempotencyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IdempotencyState::InProgress => f.write_str("InProgress"),
            IdempotencyState::Recorded => f.write_str("Recorded"),
            IdempotencyState::Unknown(state) => write!(f, "Unknown({state})"),
            IdempotencyState::Saved { status, body } => {
                write!(f, "Saved({status}, {} bytes)", body.len())
            }
        }
    }
}
