//! What the items of the table say. The records know nothing of AWS; the functions beside them
//! read and write them.

use std::{collections::BTreeMap, fmt};

use jiff::{Timestamp, civil::Date};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::text;
use crate::{
    access::Audience,
    document::Operation,
    error::Finding,
    types::{
        DocumentId, EndpointId, EventId, MessageId, Mode, OrganizationId, ParticipantId,
        TaxpayerId, sha256_hex,
    },
};

/// Which way a document went, seen from the taxpayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Sent by the taxpayer.
    Outbound,
    /// Received by the taxpayer.
    Inbound,
}

impl Direction {
    /// `outbound` or `inbound`.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Outbound => "outbound",
            Direction::Inbound => "inbound",
        }
    }
}

/// How far a document is. States move forward only: accepted → converted → dispatching → sent or
/// failed; an inbound document is received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Accepted for queued delivery; not converted yet.
    Accepted,
    /// Its UBL is made.
    Converted,
    /// On its way.
    Dispatching,
    /// Sent.
    Sent,
    /// It could not be sent, for good.
    Failed,
    /// Received.
    Received,
    /// A word of a newer version: no stage here takes the document up.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Status {
    /// The status as callers see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Accepted => "accepted",
            Status::Converted => "converted",
            Status::Dispatching => "dispatching",
            Status::Sent => "sent",
            Status::Failed => "failed",
            Status::Received => "received",
            Status::Unknown => "unknown",
        }
    }

    /// Every status that this version knows.
    pub const ALL: [Status; 6] = [
        Status::Accepted,
        Status::Converted,
        Status::Dispatching,
        Status::Sent,
        Status::Failed,
        Status::Received,
    ];
}

/// A party of a document in short; the UBL has the whole of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartySummary {
    /// Its name; a long one is cut to [`PartySummary::NAME_LIMIT`] characters.
    pub name: String,
    /// Its electronic address, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant_id: Option<ParticipantId>,
}

impl PartySummary {
    /// How many characters of a name the record keeps: it must fit an item with all else.
    pub const NAME_LIMIT: usize = 500;
}

/// An object in S3, named by its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payload {
    /// The object's key.
    pub key: String,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Who is at work on an item, and until when he is believed to be alive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Names the attempt.
    pub owner: Uuid,
    /// From this instant on another may take over.
    #[serde(with = "text::instant")]
    pub until: Timestamp,
}

/// A document of a taxpayer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// Its identifier here.
    pub document_id: DocumentId,
    /// The taxpayer that it belongs to.
    pub taxpayer_id: TaxpayerId,
    /// The organization that sent it; none for an inbound document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<OrganizationId>,
    /// Which way it went.
    pub direction: Direction,
    /// Which operation made it.
    #[serde(with = "text::operation")]
    pub operation: Operation,
    /// IBT-003: 380, 480, 381, 81, 389 or 261.
    pub document_type_code: String,
    /// How far it is.
    pub status: Status,
    /// IBT-001 Number.
    pub number: String,
    /// BTAE-07 The document's own UUID.
    pub uuid: Uuid,
    /// IBT-002 Issue date.
    pub issue_date: Date,
    /// IBT-009 Due date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_date: Option<Date>,
    /// IBT-005 Currency of the amounts below.
    pub currency: String,
    /// BTAE-02 The eight flags.
    pub transaction_type_code: String,
    /// PINT profile.
    pub profile: String,
    /// ALWAYS_SEND or FAILURE_ONLY.
    pub mls_type: String,
    /// IBT-109
    #[serde(with = "text::decimal")]
    pub total_without_vat: Decimal,
    /// IBT-110
    #[serde(with = "text::decimal")]
    pub total_vat: Decimal,
    /// IBT-112
    #[serde(with = "text::decimal")]
    pub total_with_vat: Decimal,
    /// IBT-115
    #[serde(with = "text::decimal")]
    pub amount_due: Decimal,
    /// IBG-04 Seller.
    pub supplier: PartySummary,
    /// IBG-07 Buyer.
    pub customer: PartySummary,
    /// The caller's own document id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<String>,
    /// The caller's own key-value pairs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// The credited invoice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_document_id: Option<DocumentId>,
    /// The document that this one corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects_document_id: Option<DocumentId>,
    /// The SBDH InstanceIdentifier, fixed before the first attempt.
    pub message_id: MessageId,
    /// The UBL; none until converted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ubl: Option<Payload>,
    /// What was found that does not keep it from being sent; for a failed document, what does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Finding>,
    /// When it was accepted or received, to the millisecond; equal to the time in `document_id`.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
    /// Counts the changes, from 1.
    pub version: u64,
    /// The body of a queued send, until it is converted. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Payload>,
    /// The worker that has it. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// How often its present stage was begun and not ended. Not shown to callers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tries: u32,
    /// The idempotency key under which the stage that ends the send saves the response; none when
    /// it is saved. Not shown to callers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<IdempotencyHash>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Whether the organization has paid for Live sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// Whether it is active.
    pub active: bool,
}

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
        let SendFacts { document_id, message_id, uuid, created_at, queued } = facts;
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
        let IdempotencyItem { document_id, message_id, uuid, created_at, queued, .. } = item;
        Ok(IdempotencyRecord {
            fingerprint: item.fingerprint,
            facts: SendFacts { document_id, message_id, uuid, created_at, queued },
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

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Subject {
    /// A document of the taxpayer.
    Document {
        /// The document.
        document_id: DocumentId,
    },
    /// The taxpayer itself.
    Taxpayer,
    /// Something that a newer version knows.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// The kinds of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventType {
    /// An organization's first grant on a taxpayer.
    #[serde(rename = "taxpayer.created")]
    TaxpayerCreated,
    /// A taxpayer's details or an organization's grants on it changed.
    #[serde(rename = "taxpayer.updated")]
    TaxpayerUpdated,
    /// An organization lost its last grant on a taxpayer.
    #[serde(rename = "taxpayer.deleted")]
    TaxpayerDeleted,
    /// The result of a send.
    #[serde(rename = "document.sent")]
    DocumentSent,
    /// An inbound document.
    #[serde(rename = "document.received")]
    DocumentReceived,
    /// A status change, such as the failure of a queued send.
    #[serde(rename = "document.status")]
    DocumentStatus,
    /// A type of a newer version: no delivery is made of it here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl EventType {
    /// Every type that this version knows.
    pub const ALL: [EventType; 6] = [
        EventType::TaxpayerCreated,
        EventType::TaxpayerUpdated,
        EventType::TaxpayerDeleted,
        EventType::DocumentSent,
        EventType::DocumentReceived,
        EventType::DocumentStatus,
    ];

    /// The type's name, such as `document.sent`.
    pub fn as_str(self) -> &'static str {
        match self {
            EventType::TaxpayerCreated => "taxpayer.created",
            EventType::TaxpayerUpdated => "taxpayer.updated",
            EventType::TaxpayerDeleted => "taxpayer.deleted",
            EventType::DocumentSent => "document.sent",
            EventType::DocumentReceived => "document.received",
            EventType::DocumentStatus => "document.status",
            EventType::Unknown => "unknown",
        }
    }
}

/// An event, written in the transaction of what it tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Its identifier; the `webhook-id` of every delivery.
    pub event_id: EventId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer whose event it is.
    pub taxpayer_id: TaxpayerId,
    /// What happened.
    pub event_type: EventType,
    /// What it is about.
    pub subject: Subject,
    /// Whom it is for.
    pub audience: Audience,
    /// The envelope: the very bytes that every delivery carries and signs.
    pub body: String,
    /// When it happened.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
}

impl EventRecord {
    /// The document that it is about, if it is about one.
    pub fn document_id(&self) -> Option<&DocumentId> {
        match &self.subject {
            Subject::Document { document_id } => Some(document_id),
            Subject::Taxpayer | Subject::Unknown => None,
        }
    }
}

/// Whether an endpoint takes deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndpointStatus {
    /// It does.
    Enabled,
    /// It does not.
    Disabled,
    /// A word of a newer version: it does not.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A webhook endpoint of an organization.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointRecord {
    /// Its identifier.
    pub endpoint_id: EndpointId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its organization.
    pub organization_id: OrganizationId,
    /// Where deliveries go.
    pub url: String,
    /// The types that it takes; every type when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub event_types: Vec<EventType>,
    /// Whether it takes deliveries.
    pub status: EndpointStatus,
    /// The signing secret, sealed; never in the clear.
    pub sealed_secret: String,
    /// When it was made.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
}

impl EndpointRecord {
    /// Whether an event of a type goes there.
    pub fn takes(&self, event_type: EventType) -> bool {
        self.status == EndpointStatus::Enabled
            && event_type != EventType::Unknown
            && (self.event_types.is_empty() || self.event_types.contains(&event_type))
    }
}

impl fmt::Debug for EndpointRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointRecord")
            .field("endpoint_id", &self.endpoint_id)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// How far a delivery is: due → delivering → delivered or exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    /// Waits for its next attempt.
    Due,
    /// An attempt runs, under a lease.
    Delivering,
    /// The endpoint took it.
    Delivered,
    /// Every attempt failed.
    Exhausted,
    /// A word of a newer version: no attempt is made here.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// The delivery of one event to one endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The endpoint's organization.
    pub organization_id: OrganizationId,
    /// The event.
    pub event_id: EventId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The taxpayer whose event it is.
    pub taxpayer_id: TaxpayerId,
    /// How far it is.
    pub status: DeliveryStatus,
    /// How many attempts were begun.
    pub attempts: u32,
    /// The attempt that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// When the next attempt is due.
    #[serde(with = "text::instant")]
    pub next_attempt_at: Timestamp,
    /// What came of the attempts, the latest last; an attempt whose worker died is not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<AttemptResult>,
    /// When the relay made it.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
}

/// What came of an attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptResult {
    /// When it ended.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// HTTP status, where there was an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How long the endpoint took, in milliseconds.
    pub duration_ms: u64,
    /// Why it failed: the kind, a colon, and words of our own; never the endpoint's body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
