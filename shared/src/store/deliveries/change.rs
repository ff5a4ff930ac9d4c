//! The changes of a delivery: an attempt begins or ends, or the next one waits.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use uuid::Uuid;

use super::{delivery_key, item, listed, pointer_key};
use crate::store::{
    AttemptExchange, AttemptRecord, AttemptResult, DeliveryRecord, DeliveryState, DeliveryStatus,
    Due, Lease, StoreError,
    dynamo::{Expression, Item, Write},
    jobs::{DELIVERY_KEPT, expiry, mark},
    keys::{self, DeliveryList},
};

/// A delivery as it was read, and its replacement: the beginning or the end of an attempt.
#[derive(Debug, Clone)]
pub struct Change {
    pub(super) read: DeliveryRecord,
    pub(super) new: DeliveryRecord,
    pub(super) watch: Watch,
    /// The request and the response of the attempt, if they are long.
    pub(super) long: Option<AttemptRecord>,
}

/// What brings a delivery again if its message or its worker is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watch {
    /// Its event, of which it is the only delivery: the sweeper relays the event again.
    Event,
    /// Its own entry in the index of due jobs.
    Index(Due),
    /// Nothing: it is finished.
    Ended,
}

impl Change {
    /// Begins an attempt: counts it and takes the lease. Returns `None` when another worker has the delivery, or it is
    /// finished. `owner` must be new for each attempt.
    pub fn begin(
        delivery: DeliveryRecord,
        owner: Uuid,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Option<Self> {
        match (delivery.status, &delivery.lease) {
            (DeliveryStatus::Due, _) => {}
            (DeliveryStatus::Delivering, Some(lease)) if lease.until <= now => {}
            _ => return None,
        }
        let new = DeliveryRecord {
            status: DeliveryStatus::Delivering,
            attempts: delivery.attempts + 1,
            lease: Some(Lease { owner, until: lease_until }),
            updated_at: now,
            ..delivery.clone()
        };
        // If this worker dies, the queue brings the message again, or the sweeper the delivery or its event.
        let watch = match delivery.due_at {
            _ if delivery.is_watched_by_event() => Watch::Event,
            due_at => Watch::Index(Due::watched(due_at.unwrap_or(lease_until).max(lease_until))),
        };
        Some(Change { read: delivery, new, watch, long: None })
    }

    /// Begins the first attempt of a delivery that only one message asks for, and writes nothing: its event watches over
    /// it, so nothing is lost if the worker dies. The beginning is in the record of the end.
    pub fn begin_unwritten(delivery: DeliveryRecord) -> DeliveryRecord {
        let attempts = delivery.attempts + 1;
        DeliveryRecord { status: DeliveryStatus::Delivering, attempts, ..delivery }
    }

    /// Ends a delivery as delivered or exhausted.
    pub fn end(leased: &DeliveryRecord, status: DeliveryStatus, result: AttemptResult) -> Self {
        let new = DeliveryRecord {
            status,
            lease: None,
            updated_at: result.at,
            results: results(leased, result),
            ..leased.clone()
        };
        Change { read: as_stored(leased), new, watch: Watch::Ended, long: None }
    }

    /// Notes a failed attempt and when the next one is due. The sweeper dispatches the delivery then.
    pub fn wait(
        leased: &DeliveryRecord,
        next_attempt_at: Timestamp,
        result: AttemptResult,
    ) -> Self {
        let new = DeliveryRecord {
            status: DeliveryStatus::Due,
            lease: None,
            next_attempt_at,
            updated_at: result.at,
            results: results(leased, result),
            ..leased.clone()
        };
        let watch = Watch::Index(Due::watched(next_attempt_at));
        Change { read: as_stored(leased), new, watch, long: None }
    }

    /// Adds the request and the response of the attempt. If a long one cannot be stored, the change is made
    /// nevertheless.
    #[must_use]
    pub fn keeping(mut self, exchange: AttemptExchange) -> Self {
        if exchange.is_short() {
            // Those of the results that are still there.
            let shown: Vec<_> = self.new.results.iter().filter_map(|it| it.number).collect();
            self.new.exchanges.retain(|it| shown.contains(&it.number));
            self.new.exchanges.push(exchange);
            return self;
        }
        let DeliveryRecord { mode, organization_id, event_id, endpoint_id, updated_at, .. } =
            self.new.clone();
        let AttemptExchange { number, request_headers, answer } = exchange;
        let long = AttemptRecord {
            mode,
            organization_id,
            event_id,
            endpoint_id,
            number,
            at: updated_at,
            request_headers,
            answer,
        };
        Change { long: Some(long), ..self }
    }

    /// The delivery after the change.
    pub fn into_new(self) -> DeliveryRecord {
        self.new
    }

    /// The change of the lists of deliveries. It is written with the change or before it. If the change is then lost,
    /// its attempt has no recorded end, and the next change writes the lists again.
    pub(super) fn listing(&self) -> Option<Write> {
        match self.new.state() {
            DeliveryState::Failing | DeliveryState::Failed => {
                Some(listed(&self.new, DeliveryList::Failed))
            }
            DeliveryState::Delivered if self.new.attempts > 1 => {
                let key = pointer_key(&self.new, DeliveryList::Failed);
                Some(Write::Delete { key, condition: Expression::default() })
            }
            // It is kept for longer than its pointer was created for.
            _ if self.new.restarted != self.read.restarted => {
                Some(listed(&self.new, DeliveryList::All))
            }
            _ => None,
        }
    }

    /// The new item of the delivery.
    pub(super) fn item(&self) -> Result<Item, StoreError> {
        let key = delivery_key(&self.new);
        let mut item = item(key.clone(), &self.new)?;
        match self.watch {
            Watch::Event => {}
            Watch::Index(due) => mark(&mut item, self.new.mode, &key, due),
            Watch::Ended => {
                let ttl = expiry(self.new.updated_at, DELIVERY_KEPT).to_string();
                item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
            }
        }
        Ok(item)
    }
}

/// A delivery as it is stored while an attempt runs. An attempt without a lease has not written its beginning.
fn as_stored(running: &DeliveryRecord) -> DeliveryRecord {
    match (running.status, &running.lease) {
        (DeliveryStatus::Delivering, None) => {
            let attempts = running.attempts.saturating_sub(1);
            DeliveryRecord { status: DeliveryStatus::Due, attempts, ..running.clone() }
        }
        _ => running.clone(),
    }
}

/// The results of a delivery with a further one.
fn results(delivery: &DeliveryRecord, result: AttemptResult) -> Vec<AttemptResult> {
    // The schedule has ten attempts. The bound also covers attempts that are requested by hand.
    const MAX_RESULTS: usize = 20;
    let oldest = (delivery.results.len() + 1).saturating_sub(MAX_RESULTS);
    delivery.results[oldest..].iter().cloned().chain([result]).collect()
}
