//! Deliveries: one for each event and endpoint, due → delivering → delivered or exhausted.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use uuid::Uuid;

use super::{
    AttemptResult, DeliverMessage, DeliveryRecord, DeliveryStatus, Due, EndpointRecord, Lease,
    Restarted, Store, StoreError,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item, unknown},
    keys::{self, Key},
    relaying::{DELIVERY_KEPT, due_update, expiry, mark},
    text::instant,
};
use crate::types::{EndpointId, EventId, Mode, OrganizationId};

/// A delivery among others that were read with it: one that is corrupt is no reason to leave them.
type ReadDelivery = Result<Option<DeliveryRecord>, StoreError>;

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
        match self.write(Write::Put { item, condition: absent() }).await? {
            Written::Done => Ok(delivery.clone()),
            Written::Refused(Some(item)) => from_item(item),
            Written::Refused(None) => {
                self.get(key).await?.ok_or_else(|| unknown("the delivery was not confirmed"))
            }
        }
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
    /// can be read.
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
        let deliveries =
            deliveries.iter().map(|key| found.get(key).cloned().map(from_item).transpose());
        Ok((endpoint, deliveries.collect()))
    }

    /// Begins an attempt: counts it and takes the lease. `None` when the delivery is not as it was
    /// read: another worker has it, or it is over. `owner` must be new for each attempt.
    pub async fn lease_delivery(
        &self,
        delivery: &DeliveryRecord,
        owner: Uuid,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<DeliveryRecord>, StoreError> {
        match (delivery.status, &delivery.lease) {
            (DeliveryStatus::Due, _) => {}
            (DeliveryStatus::Delivering, Some(lease)) if lease.until <= now => {}
            _ => return Ok(None),
        }
        let leased = DeliveryRecord {
            status: DeliveryStatus::Delivering,
            attempts: delivery.attempts + 1,
            lease: Some(Lease { owner, until: lease_until }),
            updated_at: now,
            ..delivery.clone()
        };
        let due = Due::watched(lease_until);
        let won = self.replace_delivery(delivery, &leased, Some(due)).await?;
        Ok(won.then_some(leased))
    }

    /// Ends a delivery: delivered, or exhausted. `false` when the lease was lost meanwhile.
    pub async fn finish_delivery(
        &self,
        leased: &DeliveryRecord,
        status: DeliveryStatus,
        result: AttemptResult,
    ) -> Result<bool, StoreError> {
        let finished = DeliveryRecord {
            status,
            lease: None,
            updated_at: result.at,
            results: results(leased, result),
            ..leased.clone()
        };
        self.replace_delivery(leased, &finished, None).await
    }

    /// Notes a failed attempt and when the next one is due; the sweeper sends it on its way then.
    /// `false` when the lease was lost meanwhile.
    pub async fn reschedule_delivery(
        &self,
        leased: &DeliveryRecord,
        next_attempt_at: Timestamp,
        result: AttemptResult,
    ) -> Result<bool, StoreError> {
        let waiting = DeliveryRecord {
            status: DeliveryStatus::Due,
            lease: None,
            next_attempt_at,
            updated_at: result.at,
            results: results(leased, result),
            ..leased.clone()
        };
        let due = Due::watched(next_attempt_at);
        self.replace_delivery(leased, &waiting, Some(due)).await
    }

    /// Has a delivery that nobody is at be attempted at once, which the relay sees to; one that is over begins its
    /// schedule anew. The delivery as it is now; `None` when it is not as it was read, or an attempt runs.
    pub async fn retry_delivery(
        &self,
        read: &DeliveryRecord,
        now: Timestamp,
        sweep_at: Timestamp,
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
        let won = self.replace_delivery(read, &due, Some(Due::relayed(sweep_at))).await?;
        Ok(won.then_some(due))
    }

    /// Puts the next attempt off without having made one; the sweeper sends it on its way at
    /// `sweep_at` when its message got lost. `false` when the delivery is not as it was read.
    pub async fn put_off_delivery(
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
    pub async fn put_off_unread(
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

    /// Puts a delivery in the place of the one that was read, if that one still stands there.
    async fn replace_delivery(
        &self,
        read: &DeliveryRecord,
        new: &DeliveryRecord,
        due: Option<Due>,
    ) -> Result<bool, StoreError> {
        let key = delivery_key(new);
        let mut item = to_item(key.clone(), new)?;
        // As it will be read back: instants have milliseconds there.
        let new: DeliveryRecord = from_item(item.clone())?;
        match due {
            Some(due) => mark(&mut item, new.mode, &key, due),
            // It is over.
            None => {
                let ttl = expiry(new.updated_at, DELIVERY_KEPT).to_string();
                item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
            }
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

fn delivery_key(delivery: &DeliveryRecord) -> Key {
    let DeliveryRecord { mode, organization_id, endpoint_id, event_id, .. } = delivery;
    Key::delivery(*mode, organization_id, endpoint_id, event_id)
}
