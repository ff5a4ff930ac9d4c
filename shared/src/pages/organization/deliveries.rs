//! Deliveries as pages show them: how far each is, and code that verifies them.

use jiff::Timestamp;

use crate::{
    service::webhooks::events::Made,
    store::{DeliveryRecord, DeliveryState},
};

/// A delivery on a page.
pub(super) struct Shown {
    pub(super) delivery: DeliveryRecord,
    /// How its state looks, and the name of the message that says it.
    pub(super) tone: &'static str,
    pub(super) state: &'static str,
    /// Whether it can be sent again as one that failed.
    pub(super) has_failed: bool,
    /// When it is tried again, if it is.
    pub(super) next: Option<Timestamp>,
    /// Where its endpoint was, if that was deleted.
    pub(super) deleted: Option<String>,
}

impl Shown {
    pub(super) fn of(delivery: DeliveryRecord) -> Self {
        let state = delivery.state();
        let (tone, message) = match state {
            DeliveryState::Pending => ("busy", "delivery-pending"),
            DeliveryState::Delivering => ("busy", "delivery-delivering"),
            DeliveryState::Failing => ("warn", "delivery-failing"),
            DeliveryState::Delivered => ("good", "delivery-delivered"),
            DeliveryState::Failed => ("bad", "delivery-failed"),
            DeliveryState::Unknown => ("", "delivery-unknown"),
        };
        let waits = [DeliveryState::Pending, DeliveryState::Failing].contains(&state);
        Shown {
            tone,
            state: message,
            has_failed: [DeliveryState::Failing, DeliveryState::Failed].contains(&state),
            next: waits.then_some(delivery.next_attempt_at),
            deleted: None,
            delivery,
        }
    }

    /// One of an event, whose endpoint may be gone.
    pub(super) fn made(Made { delivery, deleted }: Made) -> Self {
        Shown { deleted: deleted.map(|endpoint| endpoint.url), ..Self::of(delivery) }
    }

    /// The type of its event, as the API names it.
    pub(super) fn event_type(&self) -> &'static str {
        self.delivery.event_type.map_or("", |event_type| event_type.as_str())
    }

    /// What came of the last attempt.
    pub(super) fn last(&self) -> Option<String> {
        let last = self.delivery.results.last()?;
        last.error.clone().or_else(|| last.status.map(|status| status.to_string()))
    }
}

/// Code that verifies a delivery, ready to paste; a test runs each (`tests/e2e`).
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
    snippet!("Go", "verify.go"),
    snippet!("Rust", "verify.rs"),
];
