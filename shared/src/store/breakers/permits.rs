//! The permits of a webhook endpoint's breaker. They limit how many executions call an endpoint at a time, over all
//! processes, unless the endpoint is quick.
//!
//! | the endpoint | executions at a time |
//! |---|---|
//! | was never called, or failed last | one |
//! | answers slowly | [`SOME`], and twice as many whenever it answers while it is busy, up to [`MOST`] (TCP's slow start, RFC 5681, section 3.1) |
//! | is quick: it answered soon | any number, without a permit, until it fails or becomes slow |
//!
//! An execution writes the item when it gets a permit and when it releases it, however many deliveries it brings. A call
//! without a permit writes only what changes. So an endpoint that answers soon costs no write, and a dead one holds few
//! executions.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{Breaker, BreakerKey, read};
use crate::store::{
    Store, StoreError,
    dynamo::{Expression, Update, Updated},
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
    /// Its name in the item; `None` at a quick endpoint, which needs none.
    holder: Option<String>,
    /// Whether it is the probe of a half-open breaker, which may make one attempt.
    pub probe: bool,
    /// Whether no failure is recorded.
    untroubled: bool,
    /// Since when the endpoint has accepted no event.
    failing_since: Option<Timestamp>,
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
    /// Whether it let the caller wait.
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

impl Store {
    /// Requests a permit, which expires at `leave_by`. `known` is the breaker as it was read. `owner` must be new for each
    /// request.
    pub async fn admit(
        &self,
        breaker: &BreakerKey,
        known: &Breaker,
        owner: Uuid,
        now: Timestamp,
        leave_by: Timestamp,
    ) -> Result<Admission, StoreError> {
        if known.quick {
            return Ok(Admission::Admitted(known.permit(breaker, None)));
        }
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
        Ok(Ok(breaker.permit(at, Some(holder.to_owned()))))
    }

    /// Releases a permit and records what the receiver did. An answer closes the breaker; failures count when there was
    /// no answer.
    pub async fn release(
        &self,
        permit: Permit,
        observed: Observed,
        now: Timestamp,
    ) -> Result<Released, StoreError> {
        let update = leaving(&permit, observed, now)?;
        if update.is_empty() {
            return Ok(Released { opened_until: None, failing_since: permit.failing_since });
        }
        let item = match self.update(permit.breaker.key.clone(), update.build(), None).await? {
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

    /// Notes that an endpoint is no longer quick, before the calls to it end.
    pub async fn require_permits(&self, permit: &Permit) -> Result<(), StoreError> {
        if permit.holder.is_some() {
            return Ok(());
        }
        let update = Expression::new("REMOVE quick");
        self.update(permit.breaker.key.clone(), update, None).await.map(drop)
    }
}

impl Observed {
    fn is_quick(self) -> bool {
        self.answers > 0 && self.failures == 0 && !self.slow
    }
}

impl Permit {
    /// The number of permits after an answer, where it changes.
    fn room_after(&self) -> Option<usize> {
        let wanted = if self.busy { (self.room * 2).max(SOME) } else { self.room };
        Some(wanted.min(MOST)).filter(|room| *room != self.room)
    }
}

/// What a release changes.
fn leaving(permit: &Permit, observed: Observed, now: Timestamp) -> Result<Update, StoreError> {
    let Observed { answers, failures, events, .. } = observed;
    let mut update = Update::new();
    if let Some(holder) = &permit.holder {
        update = update.delete("holders", vec![holder.clone()]);
        // One answer of an endpoint that failed for long is not enough: its next one is.
        if observed.is_quick() && !permit.probe {
            update = update.set("quick", &true)?;
        } else if let (1.., 0, Some(room)) = (answers, failures, permit.room_after()) {
            update = update.set("room", &room)?;
        }
    }
    if failures > answers {
        update = update.remove("quick");
    }
    if answers > 0 && !permit.untroubled {
        update = ["failures", "openings", "open_until"].into_iter().fold(update, Update::remove);
    }
    if answers == 0 && failures > 0 {
        update = update.remove("room").add("failures", failures);
    }
    Ok(match (events, permit.failing_since) {
        (EventOutcome::Taken, Some(_)) => update.remove("failing_since"),
        (EventOutcome::Missed, None) => update.set_first("failing_since", &instant(now))?,
        (EventOutcome::None | EventOutcome::Taken | EventOutcome::Missed, _) => update,
    })
}

impl Breaker {
    fn permit(&self, at: &BreakerKey, holder: Option<String>) -> Permit {
        let room = self.room();
        Permit {
            breaker: at.clone(),
            holder,
            probe: self.openings > 0,
            untroubled: self.failures == 0 && self.openings == 0,
            failing_since: self.failing_since,
            room,
            busy: self.holders.len() * 2 > room,
        }
    }

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
