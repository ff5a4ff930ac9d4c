//! Deliveries: one for each event and endpoint, due → delivering → delivered or exhausted.

mod change;

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use self::change::Watch;
use super::{
    AttemptRecord, DeliverMessage, DeliveryRecord, DeliveryStatus, Due, EVENT_KEPT, JobVersion,
    Parked, Restarted, Store, StoreError, audit,
    dynamo::{
        Expression, Item, Update, Write, Written, absent, expiring, from_item, key_item, packed,
        to_item, unknown,
    },
    jobs::{DELIVERY_KEPT, due_update, expiry, mark},
    keys::{DeliveryList, Key},
    text::instant,
};
use crate::{
    access::AuditRecord,
    tasks::side_by_side,
    types::{EndpointId, EventId, Mode, OrganizationId},
};

pub use change::Change;

/// How long changes that are made side by side may take.
const SIDE_BY_SIDE: Duration = Duration::from_secs(30);

/// The attributes of a delivery that are packed. No condition names them, and no update removes them.
const PACKED: [&str; 10] = [
    "mode",
    "organization_id",
    "event_id",
    "endpoint_id",
    "taxpayer_id",
    "event_type",
    "restarted",
    "results",
    "exchanges",
    "updated_at",
];

/// One delivery of a batch read. A corrupt one does not fail the others.
type ReadDelivery = Result<Option<DeliveryRecord>, StoreError>;

impl Store {
    /// Creates a delivery that is due as `due`; `None` when its event watches over it. If there is one for the same event
    /// and endpoint, that one is returned instead. Also returns whether it is new.
    pub async fn create_delivery(
        &self,
        delivery: &DeliveryRecord,
        due: Option<Due>,
    ) -> Result<(DeliveryRecord, bool), StoreError> {
        let key = delivery_key(delivery);
        let mut item = item(key.clone(), delivery)?;
        if let Some(due) = due {
            mark(&mut item, delivery.mode, &key, due);
        }
        let pointer = self.write(listed(delivery, DeliveryList::All));
        let (_, written) =
            tokio::try_join!(pointer, self.write(Write::Put { item, condition: absent() }))?;
        match written {
            Written::Done => {
                Ok((DeliveryRecord { due_at: due.map(|due| due.at), ..delivery.clone() }, true))
            }
            Written::Refused(Some(item)) => Ok((from_item(item)?, false)),
            Written::Refused(None) => {
                let found = self.get(key).await?;
                Ok((found.ok_or_else(|| unknown("the delivery was not confirmed"))?, false))
            }
        }
    }

    /// Creates a delivery at a caller's request, together with the audit entry. An existing delivery gets no entry.
    pub async fn create_delivery_wished(
        &self,
        delivery: &DeliveryRecord,
        due: Due,
        entry: &AuditRecord,
    ) -> Result<DeliveryRecord, StoreError> {
        let key = delivery_key(delivery);
        let mut item = item(key.clone(), delivery)?;
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

    /// The deliveries of some events to an endpoint, in one read. Each is read or corrupt on its own. A duplicate id is
    /// returned once.
    pub async fn get_deliveries_to(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint_id: &EndpointId,
        event_ids: &[EventId],
    ) -> Result<Vec<ReadDelivery>, StoreError> {
        let delivery = |event| Key::delivery(mode, organization_id, endpoint_id, event);
        let deliveries: Vec<_> = event_ids.iter().map(delivery).collect();
        let mut found = self.get_many(deliveries.iter().cloned()).await?;
        let deliveries = deliveries.iter().map(|key| found.remove(key).map(from_item).transpose());
        Ok(deliveries.collect())
    }

    /// Makes a change. Returns `false` when the delivery has changed since it was read: another worker has it, or it is
    /// finished.
    pub async fn change_delivery(&self, change: &Change) -> Result<bool, StoreError> {
        if let Some(attempt) = &change.long
            && let Err(error) = self.write(attempt_write(attempt)?).await
        {
            // The outcome of the attempt is in the delivery itself.
            tracing::warn!(%error, "what an attempt sent and was answered is not kept");
        }
        let is_made = self.replace(change).await?;
        if is_made && change.watch != Watch::Event {
            self.release_event_of(&change.read, change.new.updated_at).await;
        }
        Ok(is_made)
    }

    /// Gives a delivery that its event watches over an entry of its own in the index, unless it has one or has ended
    /// meanwhile. The event stays in the index.
    pub async fn watch_delivery(
        &self,
        read: &DeliveryRecord,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let key = delivery_key(read);
        let update = due_update(Update::new(), read.mode, &key, Some(Due::watched(at)))?.build();
        let condition = Expression::new("attribute_not_exists(due_at)")
            .and("#status IN (:due, :delivering)")
            .and("attribute_not_exists(parked)")
            .name("#status", "status")
            .text(":due", DeliveryStatus::Due.as_str())
            .text(":delivering", DeliveryStatus::Delivering.as_str());
        self.write(Write::Update { key, update, condition }).await.map(drop)
    }

    /// Takes the event that watched over a delivery off the index. If that fails, the sweeper relays the event again, and
    /// the relay does it.
    async fn release_event_of(&self, watched: &DeliveryRecord, now: Timestamp) {
        if watched.is_watched_by_event()
            && let Err(error) = self.release_event(watched, now).await
        {
            tracing::warn!(%error, "an event stays in the index until it is relayed again");
        }
    }

    /// Makes changes of different deliveries side by side. Each result is that of [`Store::change_delivery`]. One
    /// transaction would be fewer requests, and twice the write units.
    pub async fn change_deliveries(&self, changes: &[Change]) -> Vec<Result<bool, StoreError>> {
        let work = changes.iter().cloned().map(|change| {
            let store = self.clone();
            async move { store.change_delivery(&change).await }
        });
        let pieces = side_by_side(work, usize::MAX, Instant::now() + SIDE_BY_SIDE).await;
        let broken_off = || Err(unknown("a delivery's change was broken off"));
        pieces.into_iter().map(|piece| piece.done().unwrap_or_else(broken_off)).collect()
    }

    /// Makes a delivery due at once, for the relay, if no attempt is running. A finished delivery restarts its
    /// schedule. Returns the delivery; `None` when it has changed since it was read, or an attempt is running. The
    /// audit entry, if there is one, is written in the same transaction.
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
        let watch = Watch::Index(Due::relayed(sweep_at));
        let change = Change { read: read.clone(), new: due, watch, long: None };
        let won = match entry {
            None => self.replace(&change).await?,
            Some(entry) => self.replace_with(&change, entry).await?,
        };
        Ok(won.then(|| change.into_new()))
    }

    /// Replaces a delivery as [`Store::replace`] does, in one transaction with an audit entry.
    async fn replace_with(&self, change: &Change, entry: &AuditRecord) -> Result<bool, StoreError> {
        let item = change.item()?;
        // Compared in the form that is read back: stored instants have milliseconds.
        let new: DeliveryRecord = from_item(item.clone())?;
        let condition = unchanged(&change.read);
        let mut writes = vec![Write::Put { item, condition }, audit::write(entry)?];
        writes.extend(change.listing());
        let unsure = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(true),
            Ok(Written::Refused(_)) => None,
            Err(error) => Some(error),
        };
        let current: Option<DeliveryRecord> = self.get(delivery_key(&change.new)).await?;
        match unsure {
            // The write is not applied yet, but still may be.
            Some(error) if current.as_ref() == Some(&change.read) => Err(error),
            _ => Ok(current == Some(new)),
        }
    }

    /// Postpones the next attempt without having made one. The sweeper dispatches it at `sweep_at` if its message was
    /// lost. Returns `false` when the delivery has changed since it was read.
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
        let watch = Watch::Index(Due::watched(sweep_at));
        let (read, new) = (delivery.clone(), waiting);
        let is_made = self.replace(&Change { read, new, watch, long: None }).await?;
        if is_made {
            self.release_event_of(delivery, next_attempt_at).await;
        }
        Ok(is_made)
    }

    /// Postpones the next attempt of a delivery that was not read. Returns `false` when no attempt of it is due, or
    /// when it was created before `oldest`.
    pub async fn reschedule_unread(
        &self,
        message: &DeliverMessage,
        now: Timestamp,
        next_attempt_at: Timestamp,
        sweep_at: Timestamp,
        oldest: Timestamp,
    ) -> Result<bool, StoreError> {
        let DeliverMessage { mode, organization_id, event_id, endpoint_id, .. } = message;
        let key = Key::delivery(*mode, organization_id, endpoint_id, event_id);
        let update = Update::new().set("next_attempt_at", &instant(next_attempt_at))?;
        let update = due_update(update, *mode, &key, Some(Due::watched(sweep_at)))?.build();
        let condition = Expression::new(
            "#status = :due AND next_attempt_at <= :now AND created_at > :oldest \
             AND attribute_not_exists(parked)",
        )
        .name("#status", "status")
        .text(":due", DeliveryStatus::Due.as_str())
        .text(":now", instant(now))
        .text(":oldest", instant(oldest));
        let written = self.write(Write::Update { key, update, condition }).await?;
        Ok(matches!(written, Written::Done))
    }

    /// Parks a delivery and lists it among the failed ones. Returns `false` when the version is outdated.
    pub async fn park_delivery(
        &self,
        read: &DeliveryRecord,
        (version, parked): (&JobVersion, &Parked),
    ) -> Result<bool, StoreError> {
        self.write(listed(read, DeliveryList::Failed)).await?;
        self.park(version, parked).await
    }

    /// Replaces a delivery that has not changed since it was read.
    async fn replace(&self, change: &Change) -> Result<bool, StoreError> {
        let (key, read, item) = (delivery_key(&change.new), &change.read, change.item()?);
        // Compared in the form that is read back: stored instants have milliseconds.
        let new: DeliveryRecord = from_item(item.clone())?;
        if let Some(listing) = change.listing() {
            self.write(listing).await?;
        }
        let current: Option<DeliveryRecord> =
            match self.write(Write::Put { item, condition: unchanged(read) }).await {
                Ok(Written::Done) => return Ok(true),
                Ok(Written::Refused(Some(item))) => Some(from_item(item)?),
                Ok(Written::Refused(None)) => self.get(key).await?,
                Err(StoreError::Unknown(error)) => match self.get(key).await? {
                    // The write is not applied yet, but still may be.
                    Some(current) if current == *read => return Err(StoreError::Unknown(error)),
                    current => current,
                },
                Err(error) => return Err(error),
            };
        Ok(current == Some(new))
    }
}

/// The item of a delivery, without its marks.
pub(super) fn item(key: Key, delivery: &DeliveryRecord) -> Result<Item, StoreError> {
    packed(to_item(key, delivery)?, &PACKED)
}

/// The condition that a delivery has not changed since it was read. Attempts only grow, and within one attempt the
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

/// The write that adds a delivery to a list. The pointer is kept longer than the delivery is kept after its schedule.
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

/// The write of a long exchange. It is the same at each repetition.
fn attempt_write(attempt: &AttemptRecord) -> Result<Write, StoreError> {
    let item = to_item(Key::attempt(attempt), attempt)?;
    let item = expiring(item, expiry(attempt.at, DELIVERY_KEPT));
    Ok(Write::Put { item, condition: Expression::default() })
}
