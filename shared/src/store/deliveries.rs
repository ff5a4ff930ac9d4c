//! Deliveries: one for each event and endpoint, due → delivering → delivered or exhausted.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    AttemptRecord, AttemptResult, DeliverMessage, DeliveryRecord, DeliveryState, DeliveryStatus,
    Due, EVENT_KEPT, EndpointRecord, JobVersion, Lease, Parked, Restarted, Store, StoreError,
    audit,
    dynamo::{
        Expression, Item, Update, Write, Written, absent, from_item, key_item, to_item, unknown,
    },
    event_lists::{attempt_write, expiring},
    jobs::{DELIVERY_KEPT, due_update, expiry, mark},
    keys::{self, DeliveryList, Key},
    text::instant,
};
use crate::{
    access::AuditRecord,
    tasks::side_by_side,
    types::{EndpointId, EventId, Mode, OrganizationId},
};

/// How many changes go into one transaction, which takes 100 writes: each may have its attempt beside it, and its list.
const TOGETHER: usize = 33;
/// How long changes may take that are made one by one.
const ONE_BY_ONE: Duration = Duration::from_secs(30);

/// A delivery among others that were read with it: one that is corrupt is no reason to leave them.
type ReadDelivery = Result<Option<DeliveryRecord>, StoreError>;

/// A delivery as it was read, and what is to stand in its place: the beginning of an attempt, or what came of one.
#[derive(Debug, Clone)]
pub struct Change {
    read: DeliveryRecord,
    new: DeliveryRecord,
    /// How it waits from then on; it is over without.
    due: Option<Due>,
    /// What the attempt sent and was answered.
    attempt: Option<AttemptRecord>,
}

impl Change {
    /// Begins an attempt: counts it and takes the lease. `None` where another worker has the delivery, or it is over.
    /// `owner` must be new for each attempt.
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
        Some(Change { read: delivery, new, due: Some(Due::watched(lease_until)), attempt: None })
    }

    /// Ends a delivery: delivered, or exhausted.
    pub fn end(leased: &DeliveryRecord, status: DeliveryStatus, result: AttemptResult) -> Self {
        let new = DeliveryRecord {
            status,
            lease: None,
            updated_at: result.at,
            results: results(leased, result),
            ..leased.clone()
        };
        Change { read: leased.clone(), new, due: None, attempt: None }
    }

    /// Notes a failed attempt and when the next one is due; the sweeper sends it on its way then.
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
        let due = Some(Due::watched(next_attempt_at));
        Change { read: leased.clone(), new, due, attempt: None }
    }

    /// The same, and what the attempt sent and was answered. What of that cannot be kept is no reason not to make the
    /// change.
    #[must_use]
    pub fn keeping(self, attempt: AttemptRecord) -> Self {
        Change { attempt: Some(attempt), ..self }
    }

    /// The delivery as it is once the change is made.
    pub fn into_new(self) -> DeliveryRecord {
        self.new
    }

    /// What it does to the lists of deliveries. It is done with the change or before it: where the change is not made then,
    /// its attempt is over without an end, and what follows on that says the same of the lists again.
    fn listing(&self) -> Option<Write> {
        match self.new.state() {
            DeliveryState::Failing | DeliveryState::Failed => {
                Some(listed(&self.new, DeliveryList::Failed))
            }
            DeliveryState::Delivered if self.new.attempts > 1 => {
                let key = pointer_key(&self.new, DeliveryList::Failed);
                Some(Write::Delete { key, condition: Expression::default() })
            }
            // It is kept for longer than its pointer was to be.
            _ if self.new.restarted != self.read.restarted => {
                Some(listed(&self.new, DeliveryList::All))
            }
            _ => None,
        }
    }

    /// What is put in the place of the delivery.
    fn item(&self) -> Result<Item, StoreError> {
        let key = delivery_key(&self.new);
        let mut item = to_item(key.clone(), &self.new)?;
        match self.due {
            Some(due) => mark(&mut item, self.new.mode, &key, due),
            // It is over.
            None => {
                let ttl = expiry(self.new.updated_at, DELIVERY_KEPT).to_string();
                item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
            }
        }
        Ok(item)
    }
}

impl Store {
    /// Records a delivery, and who puts it on its way. The delivery that already stands there for the
    /// same event and endpoint is given back instead.
    pub async fn create_delivery(
        &self,
        delivery: &DeliveryRecord,
        due: Due,
    ) -> Result<DeliveryRecord, StoreError> {
        let key = delivery_key(delivery);
        let mut item = to_item(key.clone(), delivery)?;
        mark(&mut item, delivery.mode, &key, due);
        let pointer = self.write(listed(delivery, DeliveryList::All));
        let (_, written) =
            tokio::try_join!(pointer, self.write(Write::Put { item, condition: absent() }))?;
        match written {
            Written::Done => Ok(delivery.clone()),
            Written::Refused(Some(item)) => from_item(item),
            Written::Refused(None) => {
                self.get(key).await?.ok_or_else(|| unknown("the delivery was not confirmed"))
            }
        }
    }

    /// The same at somebody's wish, with the entry that tells of it; where a delivery stands there already, without.
    pub async fn create_delivery_wished(
        &self,
        delivery: &DeliveryRecord,
        due: Due,
        entry: &AuditRecord,
    ) -> Result<DeliveryRecord, StoreError> {
        let key = delivery_key(delivery);
        let mut item = to_item(key.clone(), delivery)?;
        mark(&mut item, delivery.mode, &key, due);
        let writes = vec![
            Write::Put { item, condition: absent() },
            listed(delivery, DeliveryList::All),
            audit::write(entry)?,
        ];
        let unsure = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(delivery.clone()),
            Ok(Written::Refused(_)) => unknown("the delivery was not confirmed"),
            Err(error) => error,
        };
        self.get(key).await?.ok_or(unsure)
    }

    /// A delivery.
    pub async fn get_delivery(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        event_id: &EventId,
        endpoint_id: &EndpointId,
    ) -> Result<Option<DeliveryRecord>, StoreError> {
        self.get(Key::delivery(mode, organization_id, endpoint_id, event_id)).await
    }

    /// An endpoint, and its deliveries of some events, all in one read; of each delivery whether it
    /// can be read. One that is asked for twice is given once.
    pub async fn get_deliveries_to(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint_id: &EndpointId,
        event_ids: &[EventId],
    ) -> Result<(Option<EndpointRecord>, Vec<ReadDelivery>), StoreError> {
        let endpoint = Key::endpoint(mode, organization_id, endpoint_id);
        let delivery = |event| Key::delivery(mode, organization_id, endpoint_id, event);
        let deliveries: Vec<_> = event_ids.iter().map(delivery).collect();
        let mut found = self.get_many(deliveries.iter().cloned().chain([endpoint.clone()])).await?;
        let endpoint = found.remove(&endpoint).map(from_item).transpose()?;
        let deliveries = deliveries.iter().map(|key| found.remove(key).map(from_item).transpose());
        Ok((endpoint, deliveries.collect()))
    }

    /// Makes a change. `false` when the delivery is not as it was read: another worker has it, or it is over.
    pub async fn change_delivery(&self, change: &Change) -> Result<bool, StoreError> {
        if let Some(attempt) = &change.attempt
            && let Err(error) = self.write(attempt_write(attempt)?).await
        {
            // What came of it is in the delivery.
            tracing::warn!(%error, "what an attempt sent and was answered is not kept");
        }
        self.replace(change).await
    }

    /// Makes changes of different deliveries, in one write where nothing stands against any of them, else one by one; of
    /// each whether it was made, as [`Store::change_delivery`] says it.
    pub async fn change_deliveries(&self, changes: &[Change]) -> Vec<Result<bool, StoreError>> {
        let mut made = Vec::with_capacity(changes.len());
        for together in changes.chunks(TOGETHER) {
            match together {
                [alone] => made.push(self.change_delivery(alone).await),
                _ if self.change_together(together).await => {
                    made.extend(together.iter().map(|_| Ok(true)));
                }
                _ => made.extend(self.change_one_by_one(together).await),
            }
        }
        made
    }

    /// Makes several changes or none. `false` does not say that they were not made: the answer may have got lost.
    async fn change_together(&self, changes: &[Change]) -> bool {
        let mut writes = Vec::with_capacity(3 * changes.len());
        for change in changes {
            let Ok(item) = change.item() else { return false };
            writes.push(Write::Put { item, condition: unchanged(&change.read) });
            if let Some(attempt) = &change.attempt {
                let Ok(write) = attempt_write(attempt) else { return false };
                writes.push(write);
            }
            writes.extend(change.listing());
        }
        match self.transact(writes).await {
            Ok(written) => matches!(written, Written::Done),
            Err(error) => {
                tracing::warn!(%error, changes = changes.len(), "deliveries are changed one by one");
                false
            }
        }
    }

    /// Each change knows itself where it was made already.
    async fn change_one_by_one(&self, changes: &[Change]) -> Vec<Result<bool, StoreError>> {
        let work = changes.iter().cloned().map(|change| {
            let store = self.clone();
            async move { store.change_delivery(&change).await }
        });
        let pieces = side_by_side(work, usize::MAX, Instant::now() + ONE_BY_ONE).await;
        let broken_off = || Err(unknown("a delivery's change was broken off"));
        pieces.into_iter().map(|piece| piece.done().unwrap_or_else(broken_off)).collect()
    }

    /// Has a delivery that nobody is at be attempted at once, which the relay sees to; one that is over begins its
    /// schedule anew. The delivery as it is now; `None` when it is not as it was read, or an attempt runs. The entry that
    /// tells of it is written with it, where there is one.
    pub async fn retry_delivery(
        &self,
        read: &DeliveryRecord,
        now: Timestamp,
        sweep_at: Timestamp,
        entry: Option<&AuditRecord>,
    ) -> Result<Option<DeliveryRecord>, StoreError> {
        let restarted = match (read.status, &read.lease) {
            (DeliveryStatus::Delivering, Some(lease)) if now < lease.until => return Ok(None),
            (DeliveryStatus::Unknown, _) => return Ok(None),
            (DeliveryStatus::Due | DeliveryStatus::Delivering, _) => read.restarted,
            (DeliveryStatus::Delivered | DeliveryStatus::Exhausted, _) => {
                Some(Restarted { at: now, attempts: read.attempts })
            }
        };
        let due = DeliveryRecord {
            status: DeliveryStatus::Due,
            lease: None,
            next_attempt_at: now,
            updated_at: now,
            restarted,
            ..read.clone()
        };
        let (read, waits) = (read.clone(), Some(Due::relayed(sweep_at)));
        let change = Change { read, new: due, due: waits, attempt: None };
        let won = match entry {
            None => self.replace(&change).await?,
            Some(entry) => self.replace_with(&change, entry).await?,
        };
        Ok(won.then(|| change.into_new()))
    }

    /// The same in one transaction with an entry of the audit trail.
    async fn replace_with(&self, change: &Change, entry: &AuditRecord) -> Result<bool, StoreError> {
        let item = change.item()?;
        // As it will be read back: instants have milliseconds there.
        let new: DeliveryRecord = from_item(item.clone())?;
        let condition = unchanged(&change.read);
        let mut writes = vec![Write::Put { item, condition }, audit::write(entry)?];
        writes.extend(change.listing());
        let unsure = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(true),
            Ok(Written::Refused(_)) => None,
            Err(error) => Some(error),
        };
        let stands: Option<DeliveryRecord> = self.get(delivery_key(&change.new)).await?;
        match unsure {
            // Not applied so far, but it still may be.
            Some(error) if stands.as_ref() == Some(&change.read) => Err(error),
            _ => Ok(stands == Some(new)),
        }
    }

    /// Puts the next attempt off without having made one; the sweeper sends it on its way at
    /// `sweep_at` when its message got lost. `false` when the delivery is not as it was read.
    pub async fn reschedule_delivery(
        &self,
        delivery: &DeliveryRecord,
        next_attempt_at: Timestamp,
        sweep_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let waiting = DeliveryRecord {
            status: DeliveryStatus::Due,
            lease: None,
            next_attempt_at,
            ..delivery.clone()
        };
        self.replace_delivery(delivery, &waiting, Some(Due::watched(sweep_at))).await
    }

    /// The same for a delivery that was not read. `false` when it is not waiting for an attempt that is
    /// due, or was made before `oldest`.
    pub async fn reschedule_unread(
        &self,
        message: &DeliverMessage,
        now: Timestamp,
        next_attempt_at: Timestamp,
        sweep_at: Timestamp,
        oldest: Timestamp,
    ) -> Result<bool, StoreError> {
        let DeliverMessage { mode, organization_id, event_id, endpoint_id } = message;
        let key = Key::delivery(*mode, organization_id, endpoint_id, event_id);
        let update = Update::new().set("next_attempt_at", &instant(next_attempt_at))?;
        let update = due_update(update, *mode, &key, Some(Due::watched(sweep_at)))?.build();
        let condition = Expression::new(
            "#status = :due AND next_attempt_at <= :now AND created_at > :oldest \
             AND attribute_exists(due_pk) AND attribute_not_exists(parked)",
        )
        .name("#status", "status")
        .text(":due", DeliveryStatus::Due.as_str())
        .text(":now", instant(now))
        .text(":oldest", instant(oldest));
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Parks a delivery, and lists it among those that failed. `false` when it has come on.
    pub async fn park_delivery(
        &self,
        read: &DeliveryRecord,
        (version, parked): (&JobVersion, &Parked),
    ) -> Result<bool, StoreError> {
        self.write(listed(read, DeliveryList::Failed)).await?;
        self.park(version, parked).await
    }

    /// Puts a delivery in the place of the one that was read, if that one still stands there.
    async fn replace_delivery(
        &self,
        read: &DeliveryRecord,
        new: &DeliveryRecord,
        due: Option<Due>,
    ) -> Result<bool, StoreError> {
        let change = Change { read: read.clone(), new: new.clone(), due, attempt: None };
        self.replace(&change).await
    }

    async fn replace(&self, change: &Change) -> Result<bool, StoreError> {
        let (key, read, item) = (delivery_key(&change.new), &change.read, change.item()?);
        // As it will be read back: instants have milliseconds there.
        let new: DeliveryRecord = from_item(item.clone())?;
        if let Some(listing) = change.listing() {
            self.write(listing).await?;
        }
        let stands: Option<DeliveryRecord> =
            match self.write(Write::Put { item, condition: unchanged(read) }).await {
                Ok(Written::Done) => return Ok(true),
                Ok(Written::Refused(Some(item))) => Some(from_item(item)?),
                Ok(Written::Refused(None)) => self.get(key).await?,
                Err(StoreError::Unknown(error)) => match self.get(key).await? {
                    // Not applied so far, but it still may be.
                    Some(stands) if stands == *read => return Err(StoreError::Unknown(error)),
                    stands => stands,
                },
                Err(error) => return Err(error),
            };
        Ok(stands == Some(new))
    }
}

/// The results of a delivery with one more.
fn results(delivery: &DeliveryRecord, result: AttemptResult) -> Vec<AttemptResult> {
    // The schedule has ten attempts; the bound holds for those that are asked for by hand, too.
    const MAX_RESULTS: usize = 20;
    let oldest = (delivery.results.len() + 1).saturating_sub(MAX_RESULTS);
    delivery.results[oldest..].iter().cloned().chain([result]).collect()
}

/// The condition that a delivery is still as it was read: attempts only grow, and within one the
/// status changes with the lease.
fn unchanged(delivery: &DeliveryRecord) -> Expression {
    let condition = Expression::new("#status = :status AND attempts = :attempts")
        .name("#status", "status")
        .text(":status", delivery.status.as_str())
        .number(":attempts", delivery.attempts);
    match &delivery.lease {
        None => condition,
        Some(lease) => condition
            .and("#lease.#owner = :owner")
            .name("#lease", "lease")
            .name("#owner", "owner")
            .text(":owner", lease.owner.to_string()),
    }
}

/// The write that puts a delivery into a list, for longer than it is kept once the schedule that it is in has ended.
pub(super) fn listed(delivery: &DeliveryRecord, list: DeliveryList) -> Write {
    let item = key_item(pointer_key(delivery, list));
    let item = expiring(item, expiry(delivery.updated_at, EVENT_KEPT));
    Write::Put { item, condition: Expression::default() }
}

fn pointer_key(delivery: &DeliveryRecord, list: DeliveryList) -> Key {
    let DeliveryRecord { mode, organization_id, endpoint_id, event_id, .. } = delivery;
    Key::in_deliveries(*mode, organization_id, endpoint_id, list, event_id)
}

fn delivery_key(delivery: &DeliveryRecord) -> Key {
    let DeliveryRecord { mode, organization_id, endpoint_id, event_id, .. } = delivery;
    Key::delivery(*mode, organization_id, endpoint_id, event_id)
}
