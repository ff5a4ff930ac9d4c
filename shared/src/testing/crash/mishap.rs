//! What can happen to an effect.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

use crate::{testing::Faults, webhook::receiver::Fate};

/// A mishap of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mishap {
    /// The effect does not happen, and the process gets an error.
    FailsBefore,
    /// The effect happens, and the process dies: nothing after it runs.
    DiesAfter,
    /// The effect happens, the answer is lost, and the process continues.
    AnswerLost,
    /// The effect happens twice.
    RunsTwice,
}

impl Mishap {
    pub(super) const ALL: [Mishap; 4] =
        [Mishap::FailsBefore, Mishap::DiesAfter, Mishap::AnswerLost, Mishap::RunsTwice];
}

/// The mishap of one effect of a process. Retries of the SDK belong to the same effect.
#[derive(Debug)]
pub(in crate::testing) struct Crash {
    point: usize,
    mishap: Mishap,
    effects: Mutex<Vec<String>>,
    dead: AtomicBool,
    pub(super) died: Notify,
}

impl Crash {
    pub(in crate::testing) fn new(point: usize, mishap: Mishap) -> Self {
        let (effects, dead, died) = Default::default();
        Crash { point, mishap, effects, dead, died }
    }

    /// The mishap of a call of the effect with this name; an error when the process is dead.
    pub(in crate::testing) fn befalls(&self, effect: &str) -> Result<Option<Mishap>, ()> {
        if self.dead.load(Ordering::Relaxed) {
            return Err(());
        }
        let mut effects = self.effects.lock().unwrap();
        let place = effects.iter().position(|known| known == effect).unwrap_or_else(|| {
            effects.push(effect.to_owned());
            effects.len() - 1
        });
        Ok((place == self.point).then_some(self.mishap))
    }

    /// Waits until the process is dead.
    pub(in crate::testing) async fn died(&self) {
        self.died.notified().await;
    }

    pub(in crate::testing) fn die(&self) {
        self.dead.store(true, Ordering::Relaxed);
        self.died.notify_one();
    }

    pub(super) fn count(&self) -> usize {
        self.effects.lock().unwrap().len()
    }

    /// The mishap of a webhook's request.
    pub(in crate::testing) fn befalls_request(&self) -> Fate {
        let effect = format!("request {}", self.count());
        match self.befalls(&effect) {
            Ok(None) => Fate::Taken,
            Ok(Some(Mishap::FailsBefore)) => Fate::Refused,
            Ok(Some(Mishap::RunsTwice)) => Fate::TakenTwice,
            Ok(Some(Mishap::AnswerLost)) => Fate::Unanswered,
            Ok(Some(Mishap::DiesAfter)) => {
                self.die();
                Fate::Unanswered
            }
            Err(()) => Fate::Refused,
        }
    }
}

/// The mishaps of a process's HTTP requests, which are effects like its other calls.
pub(crate) fn befalls(faults: &Arc<Faults>) -> impl Fn() -> Fate + Clone + use<> {
    let faults = faults.clone();
    move || faults.crash.as_ref().unwrap().befalls_request()
}
