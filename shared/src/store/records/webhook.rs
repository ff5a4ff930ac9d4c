//! Webhook endpoints and deliveries.

use std::{collections::BTreeMap, fmt};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, EventRecord, EventType, Lease};
use crate::{
    store::Parked,
    types::{EndpointId, EventId, Mode, OrganizationId, TaxpayerId},
};

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

/// Why an endpoint takes no deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DisabledReason {
    /// Its owner wished so.
    Requested,
    /// It took nothing for days.
    Failing,
    /// It said that it is gone for good (410).
    Gone,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// That an endpoint takes no deliveries, why, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disabled {
    /// Why.
    pub reason: DisabledReason,
    /// Since when.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
}

/// A signing secret that another one took the place of: both sign until it ends.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviousSecret {
    /// The secret, sealed.
    pub sealed_secret: String,
    /// Until when it signs.
    #[serde(with = "text::instant")]
    pub until: Timestamp,
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
    /// The taxpayers whose events it takes; every taxpayer's when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taxpayer_ids: Vec<TaxpayerId>,
    /// What its owner says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it takes deliveries.
    pub status: EndpointStatus,
    /// Why it takes none, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<Disabled>,
    /// The signing secret, sealed; never in the clear.
    pub sealed_secret: String,
    /// The one before, while both sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_secret: Option<PreviousSecret>,
    /// Counts the changes: each is made on the condition that nobody made another.
    #[serde(default)]
    pub version: u64,
    /// When it was made.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
}

impl EndpointRecord {
    /// Whether an event goes there.
    pub fn takes(&self, event: &EventRecord) -> bool {
        let EventRecord { event_type, taxpayer_id, .. } = event;
        self.status == EndpointStatus::Enabled
            && *event_type != EventType::Unknown
            && (self.event_types.is_empty() || self.event_types.contains(event_type))
            && (self.taxpayer_ids.is_empty() || self.taxpayer_ids.contains(taxpayer_id))
    }
}

/// What is kept of an endpoint that was deleted, as long as its deliveries are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedEndpoint {
    /// Its identifier.
    pub endpoint_id: EndpointId,
    /// Where deliveries went.
    pub url: String,
    /// When it was deleted.
    #[serde(with = "text::instant")]
    pub deleted_at: Timestamp,
}

impl fmt::Debug for EndpointRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointRecord")
            .field("endpoint_id", &self.endpoint_id)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for PreviousSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreviousSecret").field("until", &self.until).finish_non_exhaustive()
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

impl DeliveryStatus {
    /// The status as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            DeliveryStatus::Due => "due",
            DeliveryStatus::Delivering => "delivering",
            DeliveryStatus::Delivered => "delivered",
            DeliveryStatus::Exhausted => "exhausted",
            DeliveryStatus::Unknown => "unknown",
        }
    }
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
    /// What happened; none of a delivery that was made before this was written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_type: Option<EventType>,
    /// Whether the event is one that the organization had made up: it lies with the organization.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// How far it is.
    pub status: DeliveryStatus,
    /// How many attempts were begun.
    pub attempts: u32,
    /// When the schedule last began anew, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restarted: Option<Restarted>,
    /// The attempt that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// Why it was given up, if it was: written by what gives up, never with the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
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

/// That the schedule of a delivery began anew, since its endpoint's owner wished so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restarted {
    /// When.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// How many attempts were begun before.
    pub attempts: u32,
}

impl DeliveryRecord {
    /// The delivery of an event to an endpoint, due now.
    pub fn due(endpoint: &EndpointRecord, event: &EventRecord, test: bool, now: Timestamp) -> Self {
        DeliveryRecord {
            mode: endpoint.mode,
            organization_id: endpoint.organization_id.clone(),
            event_id: event.event_id.clone(),
            endpoint_id: endpoint.endpoint_id.clone(),
            taxpayer_id: event.taxpayer_id.clone(),
            event_type: Some(event.event_type),
            test,
            status: DeliveryStatus::Due,
            attempts: 0,
            restarted: None,
            lease: None,
            parked: None,
            next_attempt_at: now,
            results: Vec::new(),
            created_at: now,
            updated_at: now,
        }
    }

    /// How many attempts of the schedule were begun, since it last began.
    pub fn begun(&self) -> u32 {
        self.attempts.saturating_sub(self.restarted.map_or(0, |restarted| restarted.attempts))
    }

    /// When its schedule last began.
    pub fn scheduled_at(&self) -> Timestamp {
        self.restarted.map_or(self.created_at, |restarted| restarted.at)
    }
}

/// What came of an attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptResult {
    /// Which attempt of the delivery, from 1; none where there was none any more, or where it was not written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
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

/// What an attempt at a delivery sent and was answered. What was sent as its body is the event's. It is not sealed: the
/// table is encrypted, and who can read it there can read the events themselves, which say more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The endpoint's organization.
    pub organization_id: OrganizationId,
    /// The event.
    pub event_id: EventId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Which attempt of the delivery, from 1.
    pub number: u32,
    /// When it ended.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// The headers that were sent.
    pub request_headers: BTreeMap<String, String>,
    /// What came back, where something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AttemptAnswer>,
}

/// What an endpoint answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptAnswer {
    /// The beginning of the body; what is no UTF-8 is replaced.
    pub body: String,
    /// Whether there was more.
    pub truncated: bool,
}

impl AttemptAnswer {
    /// How many bytes of a body are kept.
    pub const KEPT: usize = 4_096;

    /// What is kept of a body, of which there may be more than came.
    pub fn of(body: &[u8], complete: bool) -> Self {
        let kept = &body[..body.len().min(Self::KEPT)];
        let truncated = !complete || kept.len() < body.len();
        AttemptAnswer { body: String::from_utf8_lossy(kept).into_owned(), truncated }
    }
}
