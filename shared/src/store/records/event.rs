//! Events.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::text;
use crate::{
    access::{Audience, Grant},
    types::{DocumentId, EventId, Mode, OrganizationId, TaxpayerId},
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
    /// A subject of a newer version.
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
    /// A type of a newer version. This version creates no delivery for it.
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

    /// The name, such as `document.sent`.
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

/// The outcome of a document that an event reports. An organization's overview counts these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// It can never be sent.
    Failed,
    /// It was sent, but its delivery can no longer be confirmed.
    Unconfirmed,
    /// The recipient's access point rejected it.
    Rejected,
    /// The tax authority refused its report.
    NotCompliant,
    /// Its report did not reach the tax authority.
    Unreported,
    /// It was sent.
    Sent,
    /// The recipient's access point forwarded it.
    Forwarded,
    /// The recipient confirmed the delivery.
    Delivered,
    /// It was received.
    Received,
    /// The tax authority accepted its report.
    Reported,
    /// An outcome of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Reached {
    /// Every outcome that this version knows, failures first.
    pub const ALL: [Reached; 10] = [
        Reached::Failed,
        Reached::Unconfirmed,
        Reached::Rejected,
        Reached::NotCompliant,
        Reached::Unreported,
        Reached::Sent,
        Reached::Forwarded,
        Reached::Delivered,
        Reached::Received,
        Reached::Reported,
    ];

    /// Whether the document needs attention.
    pub fn is_failure(self) -> bool {
        match self {
            Reached::Failed
            | Reached::Unconfirmed
            | Reached::Rejected
            | Reached::NotCompliant
            | Reached::Unreported => true,
            Reached::Sent
            | Reached::Forwarded
            | Reached::Delivered
            | Reached::Received
            | Reached::Reported
            | Reached::Unknown => false,
        }
    }

    /// The awaited outcome that this one settles.
    pub fn settles(self) -> Option<Awaited> {
        match self {
            Reached::Rejected | Reached::Forwarded | Reached::Delivered => Some(Awaited::Status),
            Reached::NotCompliant | Reached::Unreported | Reached::Reported => {
                Some(Awaited::Verdict)
            }
            Reached::Failed
            | Reached::Unconfirmed
            | Reached::Sent
            | Reached::Received
            | Reached::Unknown => None,
        }
    }
}

/// An outcome of a document that another party decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awaited {
    /// The Message Level Status of the recipient's access point.
    Status,
    /// The tax authority's verdict on its report.
    Verdict,
    /// An outcome of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl Awaited {
    /// The name under which it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Awaited::Status => "status",
            Awaited::Verdict => "verdict",
            Awaited::Unknown => "unknown",
        }
    }
}

/// An event, written in the transaction of the change that it reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Its identifier; the `webhook-id` of every delivery.
    pub event_id: EventId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer that it is about.
    pub taxpayer_id: TaxpayerId,
    /// The type of the event.
    pub event_type: EventType,
    /// What it is about.
    pub subject: Subject,
    /// The organizations that it is for.
    pub audience: Audience,
    /// The envelope: the exact bytes that every delivery sends and signs.
    pub body: String,
    /// When it happened.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// The outcome of its document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
    /// The outcomes that its document awaits from then on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaits: Vec<Awaited>,
}

/// An organization's pointer to an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPointer {
    /// The event.
    pub event_id: EventId,
    /// The type of the event.
    pub event_type: EventType,
    /// The taxpayer that it is about.
    pub taxpayer_id: TaxpayerId,
    /// The document that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<DocumentId>,
    /// Whether it is a test event. A test event belongs to the organization and to no taxpayer.
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

/// An organization's pointer to an event about a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventOfDocument {
    /// The event.
    pub event_id: EventId,
    /// The type of the event.
    pub event_type: EventType,
    /// When it happened.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// The outcome of the document that it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
}

impl EventOfDocument {
    /// The pointer to an event.
    pub fn to(event: &EventRecord) -> Self {
        EventOfDocument {
            event_id: event.event_id.clone(),
            event_type: event.event_type,
            created_at: event.created_at,
            reached: event.reached,
        }
    }
}

impl EventRecord {
    /// The organizations that it is for, given the current grants on its taxpayer.
    pub fn concerned(&self, grants: &[Grant]) -> BTreeSet<OrganizationId> {
        self.audience.among(grants, self.created_at)
    }

    /// The document that it is about, if it is about one.
    pub fn document_id(&self) -> Option<&DocumentId> {
        match &self.subject {
            Subject::Document { document_id } => Some(document_id),
            Subject::Taxpayer | Subject::Unknown => None,
        }
    }
}
