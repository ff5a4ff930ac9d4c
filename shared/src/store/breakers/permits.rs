//! The permits of a webhook endpoint's breaker. They limit how many executions call the endpoint at a time, over all
//! processes. An execution writes the item when it gets a permit and when it releases it, however many deliveries it
//! brings.
//!
//! The number of permits follows TCP's slow start (RFC 5681, section 3.1). An endpoint begins with one permit and has
//! [`SOME`] when it answers. The number doubles whenever it answers while it is busy, and is one again when it fails.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{Breaker, BreakerKey, read};
use crate::store::{
    Store, StoreError,
    dynamo::{Expression, Updated},
    text::instant,
};

/// How many permits an endpoint has once it answered.
pub const SOME: usize = 4;
/// The maximum number, reached when it answers while it is busy.
pub const MOST: usize = 32;

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
             AND (attribute_not_exists(holders) OR size(holders) < room)",
        )
        .text(":now", instant(now));
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
        let room = breaker.room();
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
            Observed { answers: 1.., failures: 0, .. } => permit.room_after(),
            _ => None,
        };
        let update = leaving(&permit, observed, room, now);
        let item = match self.update(permit.breaker.key.clone(), update, None).await? {
            Updated::Done(item) | Updated::Refused(item) => item,
        };
        let breaker = read(item)?;
        let failing_since = breaker.failing_since;
        if observed.answers > 0 || observed.failures == 0 {
            return Ok(Released { opened_until: None, failing_since });
        }
        let (_, opened_until) = self.open_breaker(&permit.breaker, breaker, now).await?;
        Ok(Released { opened_until, failing_since })
    }
}

impl Permit {
    /// The number of permits after an answer, where it changes.
    fn room_after(&self) -> Option<usize> {
        let wanted = if self.busy { (self.room * 2).max(SOME) } else { self.room };
        Some(wanted.min(MOST)).filter(|room| *room != self.room)
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
    fn room(&self) -> usize {
        self.room.max(1)
    }

    fn refusal(&self, at: &BreakerKey, now: Timestamp) -> Admission {
        match self.open_until {
            Some(until) if now < until => {
                Admission::Open { until, pause: at.pauses.after(self.openings.saturating_sub(1)) }
            }
            _ => Admission::Full { answers: self.room() >= SOME },
        }
    }
}

/// Whether a holder's permit has expired. One that cannot be read has expired.
fn is_expired(holder: &str, now: Timestamp) -> bool {
    let leave_by = holder.split('#').next().and_then(|text| text.parse::<Timestamp>().ok());
    leave_by.is_none_or(|leave_by| leave_by <= now)
}
