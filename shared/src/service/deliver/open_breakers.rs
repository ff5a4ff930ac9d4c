//! The breakers that refused this process. For a remembered breaker, a message about its endpoint costs one write.
//! Otherwise it costs a read of the delivery, a request for a permit, and a write.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use super::reschedule::Refusal;
use crate::{
    service::later,
    store::{DeliverMessage, keys::Key},
};

/// How many breakers are remembered at most.
const MOST: usize = 1000;
/// How long a full breaker is remembered: a permit may be released at any moment.
const FULL: SignedDuration = SignedDuration::from_secs(5);

/// The remembered breakers. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct OpenBreakers(Arc<Mutex<HashMap<Key, (Refusal, Timestamp)>>>);

impl OpenBreakers {
    /// The refusal of a remembered breaker.
    pub(super) fn refusal(&self, message: &DeliverMessage, now: Timestamp) -> Option<Refusal> {
        let breakers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (refusal, until) = breakers.get(&breaker(message))?;
        (now < *until).then_some(*refusal)
    }

    /// Remembers a breaker that refused a delivery. An endpoint that answers has a free permit soon, so its breaker is
    /// not remembered.
    pub(super) fn remember(&self, message: &DeliverMessage, refusal: Refusal, now: Timestamp) {
        let until = match refusal {
            Refusal::Full { answers: true } => return,
            Refusal::Full { answers: false } => later(now, FULL),
            Refusal::Open { until, .. } => until,
        };
        let mut breakers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if breakers.len() >= MOST {
            breakers.retain(|_, (_, until)| now < *until);
        }
        if breakers.len() < MOST {
            breakers.insert(breaker(message), (refusal, until));
        }
    }
}

fn breaker(message: &DeliverMessage) -> Key {
    Key::endpoint_breaker(message.mode, &message.organization_id, &message.endpoint_id)
}
