//! Webhook endpoints and deliveries.

use std::{collections::BTreeMap, fmt};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{super::text, EventRecord, EventType, Lease};
use crate::{
    store::Parked,
    types::{EndpointId, EventId, Mode, OrganizationId, TaxpayerId},
};

/// Whether an endpoint accepts deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndpointStatus {
    /// It accepts deliveries.
    Enabled,
    /// It does not accept deliveries.
    Disabled,
    /// A status of a newer version. The endpoint does not accept deliveries.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// Why an endpoint is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DisabledReason {
    /// Its owner requested it.
    Requested,
    /// It accepted no event for days.
    Failing,
    /// It responded that it is gone permanently (410).
    Gone,
    /// A reason of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// The reason and the time of an endpoint's disabling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disabled {
    /// The reason.
    pub reason: DisabledReason,
    /// Since when it is disabled.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
}

/// A replaced signing secret. Both secrets sign until it ends.
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
    /// The URL for deliveries.
    pub url: String,
    /// The event types that it accepts; every type when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub event_types: Vec<EventType>,
    /// The taxpayers whose events it accepts; every taxpayer when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taxpayer_ids: Vec<TaxpayerId>,
    /// Its owner's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it accepts deliveries.
    pub status: EndpointStatus,
    /// Why it is disabled, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<Disabled>,
    /// The sealed signing secret.
    pub sealed_secret: String,
    /// The previous secret, while both sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_secret: Option<PreviousSecret>,
    /// Counts the changes. Each change is conditional on it.
    #[serde(default)]
    pub version: u64,
    /// When it was created.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
}

impl EndpointRecord {
    /// Whether the endpoint accepts an event.
    pub fn takes(&self, event: &EventRecord) -> bool {
        let EventRecord { event_type, taxpayer_id, .. } = event;
        self.status == EndpointStatus::Enabled
            && *event_type != EventType::Unknown
            && (self.event_types.is_empty() || self.event_types.contains(event_type))
            && (self.taxpayer_ids.is_empty() || self.taxpayer_ids.contains(taxpayer_id))
    }
}

/// The remaining facts about a deleted endpoint, kept as long as its deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedEndpoint {
    /// Its identifier.
    pub endpoint_id: EndpointId,
    /// The URL for deliveries.
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

/// The status of a delivery: due → delivering → delivered or exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    /// The next attempt is pending.
    Due,
    /// An attempt is running, under a lease.
    Delivering,
    /// The endpoint accepted it.
    Delivered,
    /// Every attempt failed.
    Exhausted,
    /// A status of a newer version. This version makes no attempt.
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
    /// The taxpayer that the event is about.
    pub taxpayer_id: TaxpayerId,
    /// The type of the event; `None` for deliveries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_type: Option<EventType>,
    /// Whether it is a test event, which belongs to the organization.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// Its status.
    pub status: DeliveryStatus,
    /// The number of attempts that were begun.
    pub attempts: u32,
    /// The last restart of its schedule, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restarted: Option<Restarted>,
    /// The running attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// Why it was parked. Only the parking writes this attribute, never the record.
    #[serde(default, skip_serializing)]
    pub parked: Option<Parked>,
    /// When the sweeper may claim it. Only its job writes this attribute, never the record.
    #[serde(default, skip_serializing)]
    pub due_at: Option<Timestamp>,
    /// When the next attempt is due.
    #[serde(with = "text::instant")]
    pub next_attempt_at: Timestamp,
    /// The results of the attempts, the latest last. An attempt whose worker died has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<AttemptResult>,
    /// The short exchanges of these attempts. A long one is an [`AttemptRecord`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<AttemptExchange>,
    /// When the relay created it.
    #[serde(with = "text::instant")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[serde(with = "text::instant")]
    pub updated_at: Timestamp,
}

/// A restart of a delivery's schedule, by request of the endpoint's owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restarted {
    /// When it was restarted.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// The number of attempts that were begun before it.
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
            due_at: None,
            next_attempt_at: now,
            results: Vec::new(),
            exchanges: Vec::new(),
            created_at: now,
            updated_at: now,
        }
    }

    /// Whether its event watches over it: it has no entry of its own in the index of due jobs, and is not finished.
    pub fn is_watched_by_event(&self) -> bool {
        let is_open = matches!(self.status, DeliveryStatus::Due | DeliveryStatus::Delivering);
        is_open && self.due_at.is_none() && self.parked.is_none()
    }

    /// The number of attempts that were begun since the schedule last started.
    pub fn begun(&self) -> u32 {
        self.attempts.saturating_sub(self.restarted.map_or(0, |restarted| restarted.attempts))
    }

    /// When its schedule last started.
    pub fn scheduled_at(&self) -> Timestamp {
        self.restarted.map_or(self.created_at, |restarted| restarted.at)
    }
}

/// The result of an attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptResult {
    /// The number of the attempt, from 1; `None` when no attempt was made, or when an older version wrote the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// When it ended.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// The HTTP status, if there was a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How long the endpoint took, in milliseconds.
    pub duration_ms: u64,
    /// Why it failed: the kind, a colon, and our own words. It never contains the endpoint's body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The request and the response of an attempt at a delivery. The request's body is that of the event. They are not
/// sealed: the table is encrypted, and its readers can read the events, which contain more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptExchange {
    /// The number of the attempt, from 1.
    pub number: u32,
    /// The headers that were sent.
    pub request_headers: BTreeMap<String, String>,
    /// The response, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AttemptAnswer>,
}

impl AttemptExchange {
    /// The maximum length of a short one. A delivery with 20 of them stays far below the maximum size of an item.
    const SHORT: usize = 1_000;

    /// Whether it is kept in its delivery: then it costs no write of its own. Endpoints answer with few bytes or none
    /// when they accept an event.
    pub fn is_short(&self) -> bool {
        let headers: usize =
            self.request_headers.iter().map(|(name, it)| name.len() + it.len()).sum();
        headers + self.answer.as_ref().map_or(0, |answer| answer.body.len()) <= Self::SHORT
    }
}

/// A long exchange, in an item of its own.
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
    /// The number of the attempt, from 1.
    pub number: u32,
    /// When it ended.
    #[serde(with = "text::instant")]
    pub at: Timestamp,
    /// The headers that were sent.
    pub request_headers: BTreeMap<String, String>,
    /// The response, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AttemptAnswer>,
}

impl From<AttemptRecord> for AttemptExchange {
    fn from(AttemptRecord { number, request_headers, answer, .. }: AttemptRecord) -> Self {
        AttemptExchange { number, request_headers, answer }
    }
}

/// The response of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptAnswer {
    /// The beginning of the body. Invalid UTF-8 is replaced.
    pub body: String,
    /// Whether the body was longer.
    pub truncated: bool,
}

impl AttemptAnswer {
    /// The maximum size of a stored body, in bytes.
    pub const KEPT: usize = 4_096;

    /// The stored part of a body. `complete` tells whether `body` is the whole body.
    pub fn of(body: &[u8], complete: bool) -> Self {
        let kept = &body[..body.len().min(Self::KEPT)];
        let truncated = !complete || kept.len() < body.len();
        AttemptAnswer { body: String::from_utf8_lossy(kept).into_owned(), truncated }
    }
}
