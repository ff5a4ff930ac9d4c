//! The use cases, one file each. They know the store and the documents, and nothing of HTTP.

mod authorize;
pub mod convert;
pub mod deliver;
pub mod demo;
pub mod dispatch;
pub mod documents;
mod inspect;
mod receive;
mod record;
mod references;
pub mod relay;
mod stage;
pub mod submit;
pub mod sweep;

use std::{ops::Deref, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    error::{Code, Failure},
    store::{Queues, Store, StoreError},
    types::{Clock, Random},
};

pub use authorize::authorize;

/// What every use case works with: built once, at a function's cold start.
#[derive(Clone)]
pub struct Context {
    /// The table and the bucket.
    pub store: Store,
    /// The queues.
    pub queues: Queues,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where chance comes from.
    pub random: Arc<dyn Random>,
}

/// What the use cases work with that take in sends or move them on.
#[derive(Clone)]
pub struct Sending {
    /// What every use case works with; a [`Sending`] stands in for it.
    pub context: Context,
    /// What the deployment decides.
    pub settings: Settings,
}

impl Deref for Sending {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

/// What the deployment decides about sends.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Whether a send may ask for queued delivery.
    pub queued_delivery: bool,
    /// How long an attempt owns its idempotency key, or a worker its document, before another may
    /// take over. Longer than any function runs.
    pub lease: SignedDuration,
}

/// How long the stream's relay has before the sweeper takes up what it should have relayed.
pub const RELAY_GRACE: SignedDuration = SignedDuration::from_secs(60);
/// How long a message in a queue has before the sweeper sends it again. It covers a queue's
/// redelivery after a worker's failure; what comes twice does nothing twice.
pub const QUEUE_GRACE: SignedDuration = SignedDuration::from_mins(15);

impl Context {
    /// The present, to the millisecond: as it is stored.
    pub(crate) fn now(&self) -> Timestamp {
        let now = self.clock.now();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    /// A name for an attempt: a random UUID (RFC 9562, version 4).
    pub(crate) fn new_uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.random.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}

/// An instant some time later.
pub(crate) fn later(instant: Timestamp, by: SignedDuration) -> Timestamp {
    instant.saturating_add(by).unwrap_or(Timestamp::MAX)
}

/// The store could not do a read, or a write without an idempotency key.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt(_) => Failure::new(
                Code::InternalError,
                "Something went wrong on our side; the request id leads to the cause.",
            ),
            StoreError::Unavailable(_) | StoreError::Unknown(_) => Failure::new(
                Code::ServiceUnavailable,
                "A part of the service cannot be reached: retry, with the same Idempotency-Key if \
                 there was one.",
            ),
        }
        .because(error)
    }
}

#[cfg(test)]
mod tests;
