//! The state of an access point's breaker. It is read before a message, and written when it changes: by failures, by
//! the answer that ends them, and by a probe. An access point that answers costs no write.

use jiff::{SignedDuration, Timestamp};

use super::{Breaker, BreakerKey, read};
use crate::store::{
    Store, StoreError,
    dynamo::{Expression, Updated},
    text::instant,
};

/// How long a probe may run before another execution makes the next one.
pub const PROBE: SignedDuration = SignedDuration::from_secs(30);

/// The state of a breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BreakerState {
    /// Failures in a row.
    pub failures: u32,
    /// When it admits a probe, once it has opened.
    pub open_until: Option<Timestamp>,
    /// How long it was opened for.
    pub pause: SignedDuration,
    /// Until when a probe runs.
    pub probe_until: Option<Timestamp>,
}

impl BreakerState {
    fn of(at: &BreakerKey, breaker: &Breaker) -> Self {
        BreakerState {
            failures: breaker.failures,
            open_until: breaker.open_until,
            pause: at.pauses.after(breaker.openings.saturating_sub(1)),
            probe_until: breaker.probe_until,
        }
    }

    /// Whether no failure is recorded.
    pub fn is_untroubled(&self) -> bool {
        self.failures == 0 && self.open_until.is_none()
    }
}

impl Store {
    /// The state of a breaker, perhaps without the changes of the last second.
    pub async fn get_breaker_lately(&self, at: &BreakerKey) -> Result<BreakerState, StoreError> {
        let breaker = self.get_lately::<Breaker>(at.key.clone()).await?;
        Ok(BreakerState::of(at, &breaker.unwrap_or_default()))
    }

    /// Takes the probe of a breaker whose pause is over. Returns whether the caller has it, and the state.
    pub async fn take_probe(
        &self,
        at: &BreakerKey,
        now: Timestamp,
    ) -> Result<(bool, BreakerState), StoreError> {
        let until = now.saturating_add(PROBE).unwrap_or(Timestamp::MAX);
        let update = Expression::new("SET probe_until = :until").text(":until", instant(until));
        let condition = Expression::new(
            "open_until <= :now AND (attribute_not_exists(probe_until) OR probe_until <= :now)",
        )
        .text(":now", instant(now));
        let (is_ours, item) = match self.update(at.key.clone(), update, Some(condition)).await? {
            Updated::Done(item) => (true, item),
            Updated::Refused(item) => (false, item),
        };
        Ok((is_ours, BreakerState::of(at, &read(item)?)))
    }

    /// Counts failures in a row, and opens the breaker when they are enough. Returns the state, and until when this call
    /// opened the breaker, if it did.
    pub async fn count_failures(
        &self,
        at: &BreakerKey,
        failures: u32,
        now: Timestamp,
    ) -> Result<(BreakerState, Option<Timestamp>), StoreError> {
        let update = Expression::new("ADD failures :failures").number(":failures", failures);
        let (Updated::Done(item) | Updated::Refused(item)) =
            self.update(at.key.clone(), update, None).await?;
        let (breaker, opened_until) = self.open_breaker(at, read(item)?, now).await?;
        Ok((BreakerState::of(at, &breaker), opened_until))
    }

    /// Closes a breaker after an answer.
    pub async fn close_breaker(&self, at: &BreakerKey) -> Result<(), StoreError> {
        let update = Expression::new("REMOVE failures, openings, open_until, probe_until");
        self.update(at.key.clone(), update, None).await.map(drop)
    }
}
