//! Circuit breakers: one for each webhook endpoint and one for each access point of the network. A breaker limits how
//! many executions call one receiver at a time, and admits none while the receiver does not answer. So a receiver that
//! is slow or dead cannot hold the executions that all others need.
//!
//! An item for each breaker has these attributes:
//!
//! | attribute | content |
//! |---|---|
//! | `holders` | the executions that hold a permit, each with the instant at which its permit expires |
//! | `room` | how many permits there are |
//! | `failures` | failures in a row |
//! | `openings` | how often the breaker opened in a row |
//! | `open_until` | when it admits a probe |
//! | `failing_since` | of a webhook endpoint: since when it has accepted no event. An answer closes the breaker, and only an accepted event removes this attribute |
//!
//! An execution writes the item when it gets a permit and when it releases it, however many deliveries it brings.
//!
//! The number of permits follows TCP's slow start (RFC 5681, section 3.1). A webhook endpoint begins with one permit
//! and has [`SOME`] when it answers. The number doubles whenever it answers while it is busy, and is one again when it
//! fails. An access point begins with [`SOME`], since people wait for the documents that it is sent. A receiver that
//! answers slowly has at most [`MOST_AT_SLOW`].

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use uuid::Uuid;

use super::{
    EndpointRecord, Store, StoreError,
    dynamo::{Expression, Item, Updated, Write, from_item},
    keys::Key,
    text::instant,
};
use crate::types::Mode;

/// How many permits a receiver has once it answered.
pub const SOME: usize = 4;
/// The maximum number, reached when it answers while it is busy.
pub const MOST: usize = 32;
/// The maximum number when it answers slowly.
pub const MOST_AT_SLOW: usize = 8;
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
    /// How many permits it has at first.
    first: usize,
    pauses: Pauses,
}

impl BreakerKey {
    /// The breaker of a webhook endpoint.
    pub fn endpoint(endpoint: &EndpointRecord) -> Self {
        let EndpointRecord { mode, organization_id, endpoint_id, .. } = endpoint;
        let key = Key::endpoint_breaker(*mode, organization_id, endpoint_id);
        BreakerKey { key, first: 1, pauses: ENDPOINT_PAUSES }
    }

    /// The breaker of the access point at an address.
    pub fn receiver(mode: Mode, address: &str) -> Self {
        BreakerKey {
            key: Key::receiver_breaker(mode, address),
            first: SOME,
            pauses: RECEIVER_PAUSES,
        }
    }
}

/// The answer to a request for a permit.
#[derive(Debug)]
pub enum Admission {
    /// The caller has a permit until [`Store::release`].
    Admitted(Permit),
    /// All permits are taken.
    Full {
        /// Whether the receiver answered last: then a permit is free soon.
        answers: bool,
    },
    /// The breaker is open.
    Open {
        /// When it admits a probe.
        until: Timestamp,
        /// How long it was opened for.
        pause: SignedDuration,
    },
}

/// The right to call a receiver.
#[derive(Debug)]
pub struct Permit {
    breaker: BreakerKey,
    holder: String,
    /// Whether it is the probe of a half-open breaker, which may make one attempt.
    pub probe: bool,
    /// Whether no failure is recorded.
    untroubled: bool,
    /// Whether the endpoint has accepted no event for some time.
    failing: bool,
    /// How many permits there are.
    room: usize,
    /// Whether more than half of them are taken.
    busy: bool,
}

/// What a receiver did while the permit was held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Observed {
    /// How often it answered.
    pub answers: u32,
    /// How often it did not answer, or answered that it cannot.
    pub failures: u32,
    /// Whether it answered slowly.
    pub slow: bool,
    /// The outcome of the events that a webhook endpoint was sent.
    pub events: EventOutcome,
}

/// The outcome of the events that a webhook endpoint was sent in one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EventOutcome {
    /// No event was sent.
    #[default]
    None,
    /// It accepted at least one.
    Taken,
    /// It accepted none.
    Missed,
}

/// What followed from a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Released {
    /// Until when this release opened the breaker, if it did.
    pub opened_until: Option<Timestamp>,
    /// Since when the endpoint has accepted no event.
    pub failing_since: Option<Timestamp>,
}

#[derive(Debug, Default, Deserialize)]
struct Breaker {
    #[serde(default)]
    holders: BTreeSet<String>,
    #[serde(default)]
    room: usize,
    #[serde(default)]
    failures: u32,
    #[serde(default)]
    openings: u32,
    #[serde(default)]
    open_until: Option<Timestamp>,
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

/// The write that removes all failures of an endpoint.
pub(super) fn forget_failures(breaker: &BreakerKey) -> Write {
    let update = Expression::new("REMOVE failing_since, failures, openings, open_until");
    Write::Update { key: breaker.key.clone(), update, condition: Expression::default() }
}

impl Store {
    /// Requests a permit, which expires at `leave_by`. `owner` must be new for each request.
    pub async fn admit(
        &self,
        breaker: &BreakerKey,
        owner: Uuid,
        now: Timestamp,
        leave_by: Timestamp,
    ) -> Result<Admission, StoreError> {
        let holder = format!("{}#{owner}", instant(leave_by));
        let breaker_now = match self.enter(breaker, &holder, now).await? {
            Ok(permit) => return Ok(Admission::Admitted(permit)),
            Err(breaker_now) => breaker_now,
        };
        let expired: Vec<_> =
            breaker_now.holders.iter().filter(|each| is_expired(each, now)).cloned().collect();
        if expired.is_empty() {
            return Ok(breaker_now.refusal(breaker, now));
        }
        let update = Expression::new("DELETE holders :dead").texts(":dead", expired);
        self.update(breaker.key.clone(), update, None).await?;
        Ok(match self.enter(breaker, &holder, now).await? {
            Ok(permit) => Admission::Admitted(permit),
            Err(breaker_now) => breaker_now.refusal(breaker, now),
        })
    }

    /// Adds a holder, or gives the breaker that refuses it.
    async fn enter(
        &self,
        at: &BreakerKey,
        holder: &str,
        now: Timestamp,
    ) -> Result<Result<Permit, Breaker>, StoreError> {
        let update = Expression::new("ADD holders :me").texts(":me", vec![holder.to_owned()]);
        let condition = Expression::new(
            "(attribute_not_exists(open_until) OR open_until <= :now) \
             AND (attribute_not_exists(holders) OR size(holders) < room \
             OR attribute_not_exists(room) AND attribute_not_exists(failures) AND size(holders) < :first)",
        )
        .text(":now", instant(now))
        .number(":first", at.first);
        let (breaker, is_holder) =
            match self.update(at.key.clone(), update, Some(condition)).await? {
                Updated::Done(item) => (read(item)?, true),
                Updated::Refused(item) => {
                    // The SDK repeats a call whose answer was lost: then the caller is a holder already.
                    let breaker = read(item)?;
                    let is_holder = breaker.holders.contains(holder);
                    (breaker, is_holder)
                }
            };
        if !is_holder {
            return Ok(Err(breaker));
        }
        let room = breaker.room(at);
        Ok(Ok(Permit {
            breaker: at.clone(),
            holder: holder.to_owned(),
            probe: breaker.openings > 0,
            untroubled: breaker.failures == 0 && breaker.openings == 0,
            failing: breaker.failing_since.is_some(),
            room,
            busy: breaker.holders.len() * 2 > room,
        }))
    }

    /// Releases a permit and records what the receiver did. An answer closes the breaker; failures count when there was
    /// no answer.
    pub async fn release(
        &self,
        permit: Permit,
        observed: Observed,
        now: Timestamp,
    ) -> Result<Released, StoreError> {
        let room = match observed {
            Observed { answers: 1.., failures: 0, slow, .. } => permit.room_after(slow),
            _ => None,
        };
        let update = leaving(&permit, observed, room, now);
        let item = match self.update(permit.breaker.key.clone(), update, None).await? {
            Updated::Done(item) | Updated::Refused(item) => item,
        };
        let breaker = read(item)?;
        let open = breaker.open_until.is_some_and(|until| now < until);
        let left = Released { opened_until: None, failing_since: breaker.failing_since };
        if observed.answers > 0 || observed.failures == 0 || breaker.failures < FAILURES || open {
            return Ok(left);
        }
        let until = now
            .saturating_add(permit.breaker.pauses.after(breaker.openings))
            .unwrap_or(Timestamp::MAX);
        let update = Expression::new("SET open_until = :until ADD openings :one")
            .text(":until", instant(until))
            .number(":one", 1);
        // Of several executions that see the last failure, one opens the breaker. An answer that came meanwhile keeps
        // it closed.
        let condition = Expression::new(
            "failures >= :failures AND (attribute_not_exists(open_until) OR open_until <= :now)",
        )
        .number(":failures", FAILURES)
        .text(":now", instant(now));
        Ok(match self.update(permit.breaker.key, update, Some(condition)).await? {
            Updated::Done(_) => Released { opened_until: Some(until), ..left },
            Updated::Refused(_) => left,
        })
    }
}

impl Permit {
    /// The number of permits after an answer, where it changes.
    fn room_after(&self, slow: bool) -> Option<usize> {
        let most = if slow { MOST_AT_SLOW } else { MOST };
        let wanted = if self.busy { (self.room * 2).max(SOME) } else { self.room };
        Some(wanted.min(most)).filter(|room| *room != self.room)
    }
}

fn leaving(permit: &Permit, observed: Observed, room: Option<usize>, now: Timestamp) -> Expression {
    let (mut set, mut remove, mut add) = (Vec::new(), Vec::new(), "");
    if observed.answers > 0 {
        set.extend(room.map(|_| "room = :room"));
        remove.extend((!permit.untroubled).then_some("failures, openings, open_until"));
    } else if observed.failures > 0 {
        add = " ADD failures :failures";
        remove.push("room");
    }
    match observed.events {
        EventOutcome::None => {}
        EventOutcome::Taken => remove.extend(permit.failing.then_some("failing_since")),
        EventOutcome::Missed => set.push("failing_since = if_not_exists(failing_since, :now)"),
    }
    let clause = |word: &str, parts: &[&str]| match parts {
        [] => String::new(),
        parts => format!(" {word} {}", parts.join(", ")),
    };
    let (set, remove) = (clause("SET", &set), clause("REMOVE", &remove));
    let mut update = Expression::new(format!("DELETE holders :me{set}{remove}{add}"))
        .texts(":me", vec![permit.holder.clone()]);
    if let Some(room) = room {
        update = update.number(":room", room);
    }
    if !add.is_empty() {
        update = update.number(":failures", observed.failures);
    }
    if observed.events == EventOutcome::Missed {
        update = update.text(":now", instant(now));
    }
    update
}

impl Breaker {
    fn room(&self, at: &BreakerKey) -> usize {
        match (self.room, self.failures) {
            (0, 0) => at.first,
            (0, _) => 1,
            (room, _) => room,
        }
    }

    fn refusal(&self, at: &BreakerKey, now: Timestamp) -> Admission {
        match self.open_until {
            Some(until) if now < until => {
                Admission::Open { until, pause: at.pauses.after(self.openings.saturating_sub(1)) }
            }
            _ => Admission::Full { answers: self.room(at) >= SOME },
        }
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

/// Whether a holder's permit has expired. One that cannot be read has expired.
fn is_expired(holder: &str, now: Timestamp) -> bool {
    let leave_by = holder.split('#').next().and_then(|text| text.parse::<Timestamp>().ok());
    leave_by.is_none_or(|leave_by| leave_by <= now)
}
