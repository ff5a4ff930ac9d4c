//! Deliveries on pages: their states, and code that verifies them.

use jiff::Timestamp;

use super::super::excerpt::cut;
use crate::{
    service::webhooks::events::Made,
    store::{DeliveryRecord, DeliveryState},
};

/// Characters of the last error in a row.
const LAST_SHOWN: usize = 60;

/// Every state with its name in the API and its message.
pub(super) const STATES: [(DeliveryState, &str, &str); 5] = [
    (DeliveryState::Pending, "pending", "delivery-pending"),
    (DeliveryState::Delivering, "delivering", "delivery-delivering"),
    (DeliveryState::Failing, "failing", "delivery-failing"),
    (DeliveryState::Delivered, "delivered", "delivery-delivered"),
    (DeliveryState::Failed, "failed", "delivery-failed"),
];

/// A delivery on a page.
pub(super) struct ShownDelivery {
    pub(super) delivery: DeliveryRecord,
    /// The CSS class of its state, and the name of its message.
    pub(super) tone: &'static str,
    pub(super) state: &'static str,
    /// Whether it can be retried as a failed delivery.
    pub(super) has_failed: bool,
    /// The time of the next attempt, if there is one.
    pub(super) next: Option<Timestamp>,
    /// The shortened URL of its endpoint, if that was deleted.
    pub(super) deleted: Option<String>,
}

impl ShownDelivery {
    pub(super) fn of(delivery: DeliveryRecord) -> Self {
        let state = delivery.state();
        let tone = match state {
            DeliveryState::Pending | DeliveryState::Delivering => "busy",
            DeliveryState::Failing => "warn",
            DeliveryState::Delivered => "good",
            DeliveryState::Failed => "bad",
            DeliveryState::Unknown => "",
        };
        let known = STATES.into_iter().find(|(known, ..)| *known == state);
        let waits = [DeliveryState::Pending, DeliveryState::Failing].contains(&state);
        ShownDelivery {
            tone,
            state: known.map_or("delivery-unknown", |(.., message)| message),
            has_failed: [DeliveryState::Failing, DeliveryState::Failed].contains(&state),
            next: waits.then_some(delivery.next_attempt_at),
            deleted: None,
            delivery,
        }
    }

    /// A delivery of an event; its endpoint may be deleted.
    pub(super) fn made(Made { delivery, deleted }: Made) -> Self {
        let deleted = deleted.map(|endpoint| address(&endpoint.url));
        ShownDelivery { deleted, ..Self::of(delivery) }
    }

    /// Whether an attempt runs or follows.
    pub(super) fn is_open(&self) -> bool {
        self.next.is_some() || self.delivery.state() == DeliveryState::Delivering
    }

    /// The type of its event in the API.
    pub(super) fn event_type(&self) -> &'static str {
        self.delivery.event_type.map_or("", |event_type| event_type.as_str())
    }

    /// The outcome of the last attempt.
    pub(super) fn last(&self) -> Option<String> {
        let last = self.delivery.results.last()?;
        let error = last.error.as_deref().map(|error| cut(error, LAST_SHOWN));
        error.or_else(|| last.status.map(|status| status.to_string()))
    }
}

/// Characters of an endpoint's URL in rows. Its page shows the full URL.
const ADDRESS_SHOWN: usize = 60;

/// The shortened URL of an endpoint, for headings and rows.
pub(super) fn address(url: &str) -> String {
    cut(url, ADDRESS_SHOWN)
}

/// Code that verifies a delivery; a test runs each (`tests/e2e`).
pub(super) struct Snippet {
    pub(super) language: &'static str,
    pub(super) code: &'static str,
}

macro_rules! snippet {
    ($language:literal, $file:literal) => {
        Snippet {
            language: $language,
            code: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/verify/", $file)),
        }
    };
}

pub(super) const VERIFY: &[Snippet] = &[
    snippet!("Python", "verify.py"),
    snippet!("JavaScript", "verify.mjs"),
    snippet!("Java", "WebhookVerifier.java"),
    snippet!("C#", "WebhookVerifier.cs"),
    snippet!("Go", "verify.go"),
    snippet!("Rust", "verify.rs"),
];
