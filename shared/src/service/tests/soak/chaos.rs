//! Chance from a seed: times, mishaps of workers, and faults of the network.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use jiff::SignedDuration;

use crate::{
    testing::{Faults, Mishap, befalls},
    types::{Random, SeededRandom},
    webhook::receiver::Fate,
};

/// One of so many workers meets a mishap.
const MISHAPS: u64 = 16;
/// A mishap meets one of so many effects of a worker. A worker with fewer effects ends before it.
const EFFECTS: u64 = 16;
/// One of so many messages on the network is lost, doubled or left without an answer.
const BAD_REQUESTS: u64 = 40;

/// The chance of a day.
#[derive(Clone)]
pub(super) struct Chaos(Arc<SeededRandom>);

impl Chaos {
    pub(super) fn new(seed: u64) -> Chaos {
        Chaos(Arc::new(SeededRandom::new(seed)))
    }

    /// A number below `end`.
    pub(super) fn below(&self, end: u64) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        u64::from_be_bytes(bytes) % end
    }

    pub(super) fn one_in(&self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// A time of whole milliseconds below `end`.
    pub(super) fn within(&self, end: SignedDuration) -> SignedDuration {
        let end = u64::try_from(end.as_millis()).unwrap();
        SignedDuration::from_millis(self.below(end).try_into().unwrap())
    }

    /// The mishap of a worker, if it meets one. A worker that dies before an effect is one that died after the effect
    /// before it.
    pub(super) fn faults(&self) -> Option<Arc<Faults>> {
        if !self.one_in(MISHAPS) {
            return None;
        }
        // Every second one dies.
        let mishap = match self.below(6) {
            0 => Mishap::FailsBefore,
            1 => Mishap::AnswerLost,
            2 => Mishap::RunsTwice,
            _ => Mishap::DiesAfter,
        };
        let point = usize::try_from(self.below(EFFECTS)).unwrap();
        Some(Faults::crash(point, mishap))
    }
}

/// The worker that runs, if it meets a mishap. Workers run one after another.
pub(super) type Current = Arc<Mutex<Option<Arc<Faults>>>>;

/// The way to an access point.
#[derive(Clone)]
pub(super) struct Line {
    away: Arc<AtomicBool>,
    current: Current,
    chaos: Chaos,
}

impl Line {
    pub(super) fn new(chaos: &Chaos, current: &Current) -> Line {
        Line { away: Arc::default(), current: current.clone(), chaos: chaos.clone() }
    }

    /// Whether the access point is away from now on.
    pub(super) fn is_away(&self, away: bool) {
        self.away.store(away, Ordering::Relaxed);
    }

    /// The fate of the next message.
    pub(super) fn fate(&self) -> Fate {
        if self.away.load(Ordering::Relaxed) {
            return Fate::Refused;
        }
        if let Some(faults) = &*self.current.lock().unwrap() {
            return befalls(faults)();
        }
        match self.chaos.below(3 * BAD_REQUESTS) {
            0 => Fate::Refused,
            1 => Fate::Unanswered,
            2 => Fate::TakenTwice,
            _ => Fate::Taken,
        }
    }
}
