//! Circuit breakers: one for each webhook endpoint and one for each access point of the network. An open breaker admits
//! nothing while its receiver does not answer. So a receiver that is dead cannot hold the executions that all others
//! need.
//!
//! | the breaker of | limits the concurrency of | by |
//! |---|---|---|
//! | an endpoint | all executions together, unless it answers soon | permits in its item ([`permits`]): an endpoint is anybody's server |
//! | an access point | each process | places in memory ([`crate::service`]): its item is written on a change of state alone ([`states`]) |
//!
//! An item for each breaker has these attributes:
//!
//! | attribute | content |
//! |---|---|
//! | `failures` | failures in a row |
//! | `openings` | how often the breaker opened in a row |
//! | `open_until` | when it admits a probe |
//! | `probe_until` | of an access point: until when a probe runs |
//! | `holders` | of an endpoint: the executions that hold a permit, each with the instant at which its permit expires |
//! | `room` | of an endpoint: how many permits there are |
//! | `quick` | of an endpoint: it answers soon, and needs no permits |
//! | `failing_since` | of an endpoint: since when it has accepted no event. An answer closes the breaker, and only an accepted event removes this attribute |

mod permits;
mod states;

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

pub use self::{
    permits::{Admission, EventOutcome, Observed, Permit, Released},
    states::BreakerState,
};
#[cfg(test)]
pub use self::{
    permits::{MOST, SOME},
    states::PROBE,
};
use super::{
    EndpointRecord, Store, StoreError,
    dynamo::{Expression, Item, Updated, Write, from_item},
    keys::Key,
    text::instant,
};
use crate::types::Mode;

/// How many failures in a row open the breaker.
pub const FAILURES: u32 = 5;

/// How long the breaker stays open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pauses {
    /// The first time. Each probe that fails doubles it.
    pub first: SignedDuration,
    /// The longest time.
    pub longest: SignedDuration,
}

/// The pauses of webhook endpoints.
pub const ENDPOINT_PAUSES: Pauses =
    Pauses { first: SignedDuration::from_secs(30), longest: SignedDuration::from_mins(15) };
/// The pauses of access points.
pub const RECEIVER_PAUSES: Pauses =
    Pauses { first: SignedDuration::from_mins(1), longest: SignedDuration::from_hours(1) };

/// Identifies the breaker of a webhook endpoint or of an access point.
#[derive(Debug, Clone)]
pub struct BreakerKey {
    key: Key,
    pauses: Pauses,
}

impl BreakerKey {
    /// The breaker of a webhook endpoint.
    pub fn endpoint(endpoint: &EndpointRecord) -> Self {
        let EndpointRecord { mode, organization_id, endpoint_id, .. } = endpoint;
        let key = Key::endpoint_breaker(*mode, organization_id, endpoint_id);
        BreakerKey { key, pauses: ENDPOINT_PAUSES }
    }

    /// The breaker of the access point at an address.
    pub fn receiver(mode: Mode, address: &str) -> Self {
        BreakerKey { key: Key::receiver_breaker(mode, address), pauses: RECEIVER_PAUSES }
    }

    /// The key of its item.
    pub fn key(&self) -> &Key {
        &self.key
    }
}

/// A breaker as it was read.
#[derive(Debug, Default, Deserialize)]
pub struct Breaker {
    #[serde(default)]
    holders: BTreeSet<String>,
    #[serde(default)]
    room: usize,
    #[serde(default)]
    quick: bool,
    #[serde(default)]
    failures: u32,
    #[serde(default)]
    openings: u32,
    #[serde(default)]
    open_until: Option<Timestamp>,
    #[serde(default)]
    probe_until: Option<Timestamp>,
    #[serde(default)]
    failing_since: Option<Timestamp>,
}

/// Since when the endpoint of a breaker has accepted no event.
pub(super) fn failing_since(breaker: Item) -> Result<Option<Timestamp>, StoreError> {
    Ok(read(breaker)?.failing_since)
}

/// The condition that an endpoint has accepted no event since an instant.
pub(super) fn fails_since(breaker: &BreakerKey, since: Timestamp) -> Write {
    let condition = Expression::new("failing_since = :since").text(":since", instant(since));
    Write::Check { key: breaker.key.clone(), condition }
}

/// The write that forgets what was observed of an endpoint. Permits that are taken stay.
pub(super) fn forget(breaker: &BreakerKey) -> Write {
    let update = Expression::new("REMOVE failing_since, failures, openings, open_until, quick");
    Write::Update { key: breaker.key.clone(), update, condition: Expression::default() }
}

impl Store {
    /// Opens a breaker after enough failures in a row. Returns the breaker as it is then, and until when this call
    /// opened it, if it did.
    async fn open_breaker(
        &self,
        at: &BreakerKey,
        breaker: Breaker,
        now: Timestamp,
    ) -> Result<(Breaker, Option<Timestamp>), StoreError> {
        if breaker.failures < FAILURES || breaker.open_until.is_some_and(|until| now < until) {
            return Ok((breaker, None));
        }
        let until = now.saturating_add(at.pauses.after(breaker.openings)).unwrap_or(Timestamp::MAX);
        let update =
            Expression::new("SET open_until = :until REMOVE probe_until ADD openings :one")
                .text(":until", instant(until))
                .number(":one", 1);
        // Of several executions that see the last failure, one opens the breaker. An answer that came meanwhile keeps
        // it closed.
        let condition = Expression::new(
            "failures >= :failures AND (attribute_not_exists(open_until) OR open_until <= :now)",
        )
        .number(":failures", FAILURES)
        .text(":now", instant(now));
        Ok(match self.update(at.key.clone(), update, Some(condition)).await? {
            Updated::Done(item) => (read(item)?, Some(until)),
            Updated::Refused(item) => (read(item)?, None),
        })
    }
}

fn read(item: Item) -> Result<Breaker, StoreError> {
    from_item(item)
}

impl Pauses {
    /// How long the breaker opens after it opened so often in a row.
    fn after(self, openings: u32) -> SignedDuration {
        let doubled = self.first.checked_mul(1 << openings.min(16)).unwrap_or(self.longest);
        doubled.min(self.longest)
    }
}
