//! The subscription of an organization for Live. Sandbox is free (specification 1), so nothing here has a mode.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Whether an organization has paid for Live, and for how many taxpayers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// Whether it is active.
    pub active: bool,
    /// The number of taxpayers; `None` means unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<u32>,
    /// The instant of this state, by the clock of its source. An older report changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// When the billing provider last reported this. `None` when an operator set it, who need not repeat it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Timestamp>,
    /// Counts the changes. A mere confirmation does not count.
    #[serde(default)]
    pub version: u64,
}

impl Subscription {
    /// Whether the provider reported exactly this before.
    pub fn says_the_same_as(&self, said: &Subscription) -> bool {
        self.confirmed_at.is_some()
            && (self.active, self.seats, self.as_of) == (said.active, said.seats, said.as_of)
    }
}

/// How long the provider's last report is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness(pub SignedDuration);

/// The state of an organization's subscription at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillingStatus {
    /// It is active.
    Active,
    /// There never was one, or it has ended.
    Unsubscribed,
    /// It was active when the provider last reported it, which is too long ago.
    Stale,
}

impl Freshness {
    /// The state of a subscription. An ended subscription stays ended until another report. Outdated data about it
    /// cannot permit anything.
    pub fn status(self, subscription: Option<&Subscription>, now: Timestamp) -> BillingStatus {
        let Some(subscription) = subscription.filter(|it| it.active) else {
            return BillingStatus::Unsubscribed;
        };
        let is_old = |heard: Timestamp| now.duration_since(heard) > self.0;
        match subscription.confirmed_at {
            Some(heard) if is_old(heard) => BillingStatus::Stale,
            _ => BillingStatus::Active,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscription_is_relied_on_as_long_as_it_is_fresh_and_for_ever_where_an_operator_set_it() {
        let heard: Timestamp = "2026-11-20T08:00:00Z".parse().unwrap();
        let of = |active, confirmed_at| {
            Some(Subscription { active, confirmed_at, ..Default::default() })
        };
        for (subscription, hours, expected) in [
            (None, 0, BillingStatus::Unsubscribed),
            (of(false, None), 0, BillingStatus::Unsubscribed),
            (of(false, Some(heard)), 100, BillingStatus::Unsubscribed),
            (of(true, None), 10_000, BillingStatus::Active),
            (of(true, Some(heard)), 0, BillingStatus::Active),
            (of(true, Some(heard)), 24, BillingStatus::Active),
            (of(true, Some(heard)), 25, BillingStatus::Stale),
            // Clocks may differ.
            (of(true, Some(heard)), -1, BillingStatus::Active),
        ] {
            let now = heard + SignedDuration::from_hours(hours);
            let freshness = Freshness(SignedDuration::from_hours(24));
            assert_eq!(
                freshness.status(subscription.as_ref(), now),
                expected,
                "{subscription:?} {hours}"
            );
        }
    }
}
