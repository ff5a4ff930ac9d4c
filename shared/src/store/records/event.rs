//! Events.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::text;
use crate::{
    access::Audience,
    types::{DocumentId, EventId, Mode, TaxpayerId},
};

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
    /// The outcome of a report to the tax authority.
    #[serde(rename = "document.reported")]
    DocumentReported,
    /// A type of a newer version: no delivery is made of it here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl EventType {
    /// Every type that this version knows.
    pub const ALL: [EventType; 7] = [
        EventType::TaxpayerCreated,
        EventType::TaxpayerUpdated,
        EventType::TaxpayerDeleted,
        EventType::DocumentSent,
        EventType::DocumentReceived,
        EventType::DocumentStatus,
        EventType::DocumentReported,
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
            EventType::DocumentReported => "document.reported",
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

/// What has an organization find an event that it was concerned by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPointer {
    /// The event.
    pub event_id: EventId,
    /// What happened.
    pub event_type: EventType,
    /// The taxpayer whose event it is.
    pub taxpayer_id: TaxpayerId,
    /// The document that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<DocumentId>,
    /// Whether the organization had it made up: then it lies with the organization, and with no taxpayer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
}

impl EventPointer {
    /// The pointer to an event.
    pub fn to(event: &EventRecord, test: bool) -> Self {
        EventPointer {
            event_id: event.event_id.clone(),
            event_type: event.event_type,
            taxpayer_id: event.taxpayer_id.clone(),
            document_id: event.document_id().cloned(),
            test,
        }
    }
}

/// What has an organization find an event with the document that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventOfDocument {
    /// The event.
    pub event_id: EventId,
    /// What happened.
    pub event_type: EventType,
    /// When.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
}

impl EventOfDocument {
    /// The pointer to an event.
    pub fn to(event: &EventRecord) -> Self {
        EventOfDocument {
            event_id: event.event_id.clone(),
            event_type: event.event_type,
            created_at: event.created_at,
        }
    }
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
