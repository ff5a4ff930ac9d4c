//! Idempotency keys.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::super::text;
use crate::types::{DocumentId, ImportId, MessageId, sha256_hex};

/// What is fixed for a send before its work begins. Whoever goes on with it, after a retry or when
/// a lease is over, does so with these: the document has one name in the table, in the bucket and,
/// as its SBDH InstanceIdentifier, on the network, however often its work is begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendFacts {
    /// The document.
    pub document_id: DocumentId,
    /// Its transmission.
    pub message_id: MessageId,
    /// BTAE-07, if the caller gives none.
    pub uuid: Uuid,
    /// When the send came, to the millisecond: the issue date if the caller gives none.
    pub created_at: Timestamp,
    /// Whether it goes through the queues.
    pub queued: bool,
    /// Of which import it is a row, if it is one; or which import it is itself, and no document.
    pub import: Option<ImportedRow>,
}

/// A document of an import, by the row that it begins at; or the import itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedRow {
    /// The import.
    pub import_id: ImportId,
    /// The row, from 1; 0 for the file as a whole.
    pub row: u32,
}

impl ImportedRow {
    /// The file as a whole, whose import was asked for under a key.
    pub fn whole(import_id: ImportId) -> Self {
        ImportedRow { import_id, row: 0 }
    }

    /// Whether it is the file as a whole, and no document of it.
    pub fn is_whole(&self) -> bool {
        self.row == 0
    }
}

/// An idempotency key as the table knows it: SHA-256 in hex.
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
    /// What is fixed for the send.
    pub facts: SendFacts,
    /// Names the attempt that holds the reservation, or that saved the response.
    pub owner: Uuid,
    /// From this instant on a reservation can be taken over.
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
    /// An attempt holds the key; nothing of the send is recorded, and nothing of it has left.
    InProgress,
    /// The document is recorded; the stage that ends the send will save the response.
    Recorded,
    /// The send has ended; this was the response.
    Saved {
        /// HTTP status.
        status: u16,
        /// The body as it was sent.
        body: String,
    },
    /// A word of a newer version, which knows how the send goes on.
    Unknown(String),
}

/// The same with facts and state spread over attributes, which conditions can name.
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
