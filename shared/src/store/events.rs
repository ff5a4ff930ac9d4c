//! Events: written in the transaction of the change that they report, relayed once.

use std::{collections::HashMap, sync::Arc};

use jiff::Timestamp;

use super::{
    DeliveryRecord, Due, EVENT_KEPT, EventRecord, Store, StoreError,
    dynamo::{Expression, Item, Update, Write, absent, from_item, packed, to_item},
    grants::grants_of,
    jobs::{due_update, expiry, mark},
    keys::{self, Key},
};
use crate::{access::Grant, types::TaxpayerId};

/// One event of a batch read, with the active grants on its taxpayer. A corrupt one does not fail the others.
type ReadEvent = Result<(Option<EventRecord>, Arc<[Grant]>), StoreError>;

/// The attributes of an event that are packed. Nothing changes them.
const PACKED: [&str; 5] = ["event_id", "taxpayer_id", "subject", "audience", "body"];

/// The item of an event.
pub(super) fn item(key: Key, event: &EventRecord) -> Result<Item, StoreError> {
    packed(to_item(key, event)?, &PACKED)
}

/// The write that records an event and marks it for the relay.
pub(super) fn write(event: &EventRecord) -> Result<Write, StoreError> {
    let key = Key::event(event.mode, &event.taxpayer_id, &event.event_id);
    let mut item = item(key.clone(), event)?;
    mark(&mut item, event.mode, &key, Due::queued(event.created_at));
    Ok(Write::Put { item, condition: absent() })
}

impl Store {
    /// Takes the event of a delivery off the index: it has nothing more to do.
    pub async fn release_event(
        &self,
        of: &DeliveryRecord,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let key = Key::event(of.mode, &of.taxpayer_id, &of.event_id);
        let update = due_update(Update::new(), of.mode, &key, None)?.remove("tries");
        let update = update.set(keys::TTL, &expiry(now, EVENT_KEPT))?.build();
        let condition =
            Expression::new("attribute_exists(due_at) AND attribute_not_exists(parked)");
        self.write(Write::Update { key, update, condition }).await.map(drop)
    }

    /// An event.
    #[cfg(test)]
    pub(crate) async fn get_event(
        &self,
        mode: crate::types::Mode,
        taxpayer_id: &TaxpayerId,
        event_id: &crate::types::EventId,
    ) -> Result<Option<EventRecord>, StoreError> {
        self.get(Key::event(mode, taxpayer_id, event_id)).await
    }

    /// The events of different deliveries, each with the active grants on its taxpayer, in one read and in the order of
    /// the deliveries. A read that need not be `current` costs half as much.
    pub async fn get_events(
        &self,
        of: &[DeliveryRecord],
        current: bool,
    ) -> Result<Vec<ReadEvent>, StoreError> {
        let event = |it: &DeliveryRecord| match it.test {
            true => Key::test_event(it.mode, &it.organization_id, &it.event_id),
            false => Key::event(it.mode, &it.taxpayer_id, &it.event_id),
        };
        let access = |it: &DeliveryRecord| Key::access(it.mode, &it.taxpayer_id);
        let keys = of.iter().flat_map(|it| [event(it), access(it)]);
        let mut found = match current {
            true => self.get_many(keys).await?,
            false => self.get_many_lately(keys).await?,
        };
        // Deliveries of one batch belong to few taxpayers.
        let mut known: HashMap<&TaxpayerId, Arc<[Grant]>> = HashMap::new();
        let read = of.iter().map(|it| {
            let event = found.remove(&event(it)).map(from_item).transpose()?;
            if let Some(grants) = known.get(&it.taxpayer_id) {
                return Ok((event, grants.clone()));
            }
            let grants = found.get(&access(it)).cloned().map_or(Ok(Vec::new()), grants_of)?;
            let grants = known.entry(&it.taxpayer_id).or_insert(grants.into());
            Ok((event, grants.clone()))
        });
        Ok(read.collect())
    }
}
