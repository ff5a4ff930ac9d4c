//! The gates that this process met closed: while one is remembered, a message about its endpoint costs
//! one write instead of reading the delivery, asking the gate and writing.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use super::put_off::Refusal;
use crate::{
    service::later,
    store::{DeliverMessage, keys::Key},
};

/// How many are remembered: those that this process meets again soon.
const MOST: usize = 1000;
/// How long a full gate is remembered: whoever is inside may leave at any moment.
const FULL: SignedDuration = SignedDuration::from_secs(5);

/// What is remembered; clones share it.
#[derive(Debug, Clone, Default)]
pub struct ClosedGates(Arc<Mutex<HashMap<Key, (Refusal, Timestamp)>>>);

impl ClosedGates {
    /// Why nobody gets in, as far as is remembered.
    pub(super) fn refusal(&self, message: &DeliverMessage, now: Timestamp) -> Option<Refusal> {
        let gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (refusal, until) = gates.get(&gate(message))?;
        (now < *until).then_some(*refusal)
    }

    /// Remembers a gate that let nobody in. One whose endpoint answers has a place again soon.
    pub(super) fn remember(&self, message: &DeliverMessage, refusal: Refusal, now: Timestamp) {
        let until = match refusal {
            Refusal::Full { answers: true } => return,
            Refusal::Full { answers: false } => later(now, FULL),
            Refusal::Open { until, .. } => until,
        };
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if gates.len() >= MOST {
            gates.retain(|_, (_, until)| now < *until);
        }
        if gates.len() < MOST {
            gates.insert(gate(message), (refusal, until));
        }
    }
}

fn gate(message: &DeliverMessage) -> Key {
    Key::gate(message.mode, &message.organization_id, &message.endpoint_id)
}
