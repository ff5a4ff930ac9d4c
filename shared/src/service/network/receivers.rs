//! How many messages this process sends to an access point at a time, and whether it sends any.
//!
//! | the access point | what follows |
//! |---|---|
//! | answers while most places are taken | one more place |
//! | answers much later than it can | half of the places, but not fewer than at first: it takes the messages |
//! | answers 429 or 503, or not at all | half of the places; where one is left, a pause |
//! | does not answer [`FAILURES`] times in a row | its circuit breaker opens for all processes ([`breakers`]) |
//!
//! The number of places follows TCP's congestion control (RFC 5681, section 3.1): slow start up to a threshold, and one
//! more place after each round from then on. What was sent before a reduction causes no second one.
//!
//! Nothing is written while an access point answers. The state of its breaker is read once in [`FRESH`].
//!
//! [`breakers`]: crate::store::breakers

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use tokio::{sync::Notify, time::timeout};

use crate::{
    service::{Context, later, part},
    store::{
        StoreError,
        breakers::{BreakerKey, BreakerState, FAILURES},
        keys::Key,
    },
    types::{Mode, Random},
};

/// How many places an access point has at first. People wait for the documents that it is sent.
pub(in crate::service) const FIRST: usize = 4;
/// The maximum number of places.
pub(in crate::service) const MOST: usize = 32;
/// How many access points are remembered. Those without a message in flight are forgotten beyond that.
const REMEMBERED: usize = 1000;
/// How long the state of a breaker counts after it was read.
const FRESH: SignedDuration = SignedDuration::from_secs(5);
/// A failure soon after an answer is one of a busy access point, not of a dead one. It is counted with the next ones.
const SOON: SignedDuration = SignedDuration::from_secs(10);
/// The shortest answer time of so long tells how fast an access point can be.
const BEST_COUNTS: SignedDuration = SignedDuration::from_mins(10);
/// An answer after so many times the shortest time, and [`SECOND`] more, is much later.
const MUCH_LATER: i32 = 3;
const SECOND: SignedDuration = SignedDuration::from_secs(1);
/// The pause of an access point that is overloaded by one message at a time. It may ask for a longer one by Retry-After.
const PAUSE: SignedDuration = SECOND;
/// The longest pause that it may ask for.
const LONGEST_ASKED: SignedDuration = SignedDuration::from_mins(5);
/// When a message without a place comes again: after this, and up to three times this.
const BUSY: SignedDuration = SignedDuration::from_secs(5);

/// The access points that this process sends to.
#[derive(Default)]
pub(in crate::service) struct Receivers(Mutex<HashMap<Key, Arc<Receiver>>>);

/// An access point.
struct Receiver {
    breaker: BreakerKey,
    state: Mutex<State>,
    /// Notified when a place is free.
    freed: Notify,
}

struct State {
    places: usize,
    /// Up to so many places, each answer adds one.
    threshold: usize,
    in_flight: usize,
    /// Answers since the last place was added.
    answers: usize,
    reduced_at: Option<Timestamp>,
    /// The shortest answer time, and when it was measured.
    best: Option<(SignedDuration, Timestamp)>,
    answered_at: Option<Timestamp>,
    /// Failures in a row that are not counted in the breaker's item.
    uncounted: u32,
    /// The end of the last pause.
    paused_until: Option<Timestamp>,
    /// The breaker's state, and when it was read.
    known: Option<(BreakerState, Timestamp)>,
}

impl Default for State {
    fn default() -> Self {
        State {
            places: FIRST,
            threshold: MOST,
            in_flight: 0,
            answers: 0,
            reduced_at: None,
            best: None,
            answered_at: None,
            uncounted: 0,
            paused_until: None,
            known: None,
        }
    }
}

/// The answer to a request for a place.
pub(in crate::service) enum Admission {
    /// A message may be sent.
    Admitted(Place),
    /// The circuit breaker is open until then.
    Open(Timestamp),
    /// The access point is sent as much as it takes. The message comes again then.
    Busy(Timestamp),
}

/// The right to send a message to an access point. It ends when this is dropped.
pub(in crate::service) struct Place {
    receiver: Arc<Receiver>,
    since: Timestamp,
}

/// What an access point did with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::service) enum Sign {
    /// It answered.
    Answers,
    /// It, or a proxy before it, answered that it cannot take the message now.
    Overloaded {
        /// How long it asks to be left alone.
        retry_after: Option<SignedDuration>,
    },
    /// It did not answer, or a proxy before it answered with an error.
    Fails,
    /// Nothing was sent, for a reason of our own.
    Ours,
}

impl Receivers {
    /// Asks for a place at the access point at an address. Waits for one no longer than `patience`.
    pub(in crate::service) async fn admit(
        &self,
        ctx: &Context,
        mode: Mode,
        address: &str,
        patience: Duration,
    ) -> Result<Admission, StoreError> {
        let receiver = self.of(BreakerKey::receiver(mode, address));
        if let Some(refused) = receiver.refusal(ctx).await? {
            return Ok(refused);
        }
        Ok(match timeout(patience, receiver.free_place()).await {
            Ok(()) => Admission::Admitted(Place { receiver, since: ctx.now() }),
            Err(_) => busy(ctx.now(), &*ctx.random),
        })
    }

    /// How many messages are on their way to an access point.
    #[cfg(test)]
    pub(in crate::service) fn in_flight(&self, mode: Mode, address: &str) -> usize {
        self.of(BreakerKey::receiver(mode, address)).state().in_flight
    }

    /// All places that are free at an access point.
    #[cfg(test)]
    pub(in crate::service) async fn all_places(
        &self,
        ctx: &Context,
        mode: Mode,
        address: &str,
    ) -> Vec<Place> {
        let mut places = Vec::new();
        while let Ok(Admission::Admitted(place)) =
            self.admit(ctx, mode, address, Duration::ZERO).await
        {
            places.push(place);
        }
        places
    }

    fn of(&self, breaker: BreakerKey) -> Arc<Receiver> {
        let mut receivers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if receivers.len() >= REMEMBERED {
            receivers.retain(|_, receiver| receiver.state().in_flight > 0);
        }
        let new =
            || Receiver { breaker: breaker.clone(), state: Mutex::default(), freed: Notify::new() };
        receivers.entry(breaker.key().clone()).or_insert_with(|| Arc::new(new())).clone()
    }
}

/// A message without a place until then. It comes again some time later, which is random, so that what waited together
/// does not come together.
fn busy(until: Timestamp, random: &dyn Random) -> Admission {
    Admission::Busy(later(until, BUSY + part(BUSY * 2, random)))
}

impl Receiver {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why no message may be sent now. Takes the probe of a breaker whose pause is over.
    async fn refusal(&self, ctx: &Context) -> Result<Option<Admission>, StoreError> {
        let (now, random) = (ctx.now(), &*ctx.random);
        let (paused_until, known) = {
            let state = self.state();
            (state.paused_until, state.known)
        };
        if let Some(until) = paused_until.filter(|until| now < *until) {
            return Ok(Some(busy(until, random)));
        }
        let breaker = match known {
            Some((breaker, at)) if now < later(at, FRESH) => breaker,
            _ => {
                let breaker = ctx.store.get_breaker_lately(&self.breaker).await?;
                self.state().known = Some((breaker, now));
                breaker
            }
        };
        match breaker.open_until {
            None => return Ok(None),
            Some(until) if now < until => return Ok(Some(Admission::Open(until))),
            Some(_) if breaker.probe_until.is_some_and(|until| now < until) => {
                return Ok(Some(busy(now, random)));
            }
            Some(_) => {}
        }
        let (is_ours, breaker) = ctx.store.take_probe(&self.breaker, now).await?;
        self.state().known = Some((breaker, now));
        Ok(match breaker.open_until {
            _ if is_ours => None,
            None => None,
            Some(until) if now < until => Some(Admission::Open(until)),
            Some(_) => Some(busy(now, random)),
        })
    }

    /// Takes a place as soon as one is free.
    async fn free_place(&self) {
        loop {
            let freed = self.freed.notified();
            {
                let mut state = self.state();
                if state.in_flight < state.places {
                    state.in_flight += 1;
                    return;
                }
            }
            freed.await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.receiver.state().in_flight -= 1;
        self.receiver.freed.notify_waiters();
    }
}

impl Place {
    /// Notes what the access point did with the message, and frees the place. A failure to write that is logged: it
    /// changes nothing for the message.
    pub(in crate::service) async fn observed(self, ctx: &Context, sign: Sign) {
        match self.note(ctx, sign).await {
            Ok(None) => {}
            Ok(Some(until)) => {
                tracing::warn!(%until, "the circuit breaker of an access point opened: its documents wait");
            }
            Err(error) => tracing::warn!(%error, "the state of a circuit breaker was not written"),
        }
    }

    /// Returns until when this opened the breaker, if it did.
    async fn note(&self, ctx: &Context, sign: Sign) -> Result<Option<Timestamp>, StoreError> {
        let (Receiver { breaker, .. }, now) = (&*self.receiver, ctx.now());
        let failures = {
            let mut state = self.receiver.state();
            match sign {
                Sign::Ours => return Ok(None),
                Sign::Answers => {
                    if !state.answer(self.since, now) {
                        return Ok(None);
                    }
                    state.known = Some((BreakerState::default(), now));
                    0
                }
                Sign::Overloaded { retry_after } => {
                    state.overload(self.since, retry_after, now);
                    state.failures_to_count(now)
                }
                Sign::Fails => {
                    state.reduce(self.since, now, 1);
                    state.failures_to_count(now)
                }
            }
        };
        match (sign, failures) {
            (Sign::Answers, _) => ctx.store.close_breaker(breaker).await.map(|()| None),
            (_, 0) => Ok(None),
            _ => {
                let (known, opened) = ctx.store.count_failures(breaker, failures, now).await?;
                self.receiver.state().known = Some((known, now));
                Ok(opened)
            }
        }
    }
}

impl State {
    /// Notes an answer. Returns whether it ends failures that are counted in the breaker's item.
    fn answer(&mut self, since: Timestamp, now: Timestamp) -> bool {
        let took = now.duration_since(since);
        let best = match self.best {
            Some((best, at)) if best <= took && now < later(at, BEST_COUNTS) => best,
            _ => {
                self.best = Some((took, now));
                took
            }
        };
        if took > best * MUCH_LATER + SECOND {
            self.reduce(since, now, FIRST);
        } else if self.in_flight * 2 > self.places && self.places < MOST {
            self.answers += 1;
            if self.places < self.threshold || self.answers >= self.places {
                self.places += 1;
                self.answers = 0;
            }
        }
        (self.uncounted, self.paused_until, self.answered_at) = (0, None, Some(now));
        self.known.is_some_and(|(breaker, _)| !breaker.is_untroubled())
    }

    /// Halves the places, to `least` at least. What was sent before the last reduction says nothing new.
    fn reduce(&mut self, since: Timestamp, now: Timestamp, least: usize) {
        if self.reduced_at.is_some_and(|at| since <= at) {
            return;
        }
        self.places = (self.places / 2).max(least.min(self.places));
        (self.threshold, self.answers, self.reduced_at) = (self.places, 0, Some(now));
    }

    fn overload(&mut self, since: Timestamp, asked: Option<SignedDuration>, now: Timestamp) {
        let is_last = self.places == 1;
        self.reduce(since, now, 1);
        let pause = asked.map(|asked| asked.clamp(PAUSE, LONGEST_ASKED));
        if let Some(pause) = pause.or(is_last.then_some(PAUSE)) {
            self.paused_until = Some(later(now, pause));
        }
    }

    /// How many failures the breaker's item must count now.
    fn failures_to_count(&mut self, now: Timestamp) -> u32 {
        self.uncounted += 1;
        let is_alive = self.answered_at.is_some_and(|at| now < later(at, SOON));
        if is_alive && self.uncounted < FAILURES {
            return 0;
        }
        std::mem::take(&mut self.uncounted)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod throughput;
