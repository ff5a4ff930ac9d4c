//! Events: written in the transaction of what they tell, relayed once.

use super::{
    Due, EventRecord, Relay, Store, StoreError,
    dynamo::{Write, absent, to_item},
    keys::{self, Key, Partition},
    relaying::mark,
};
use crate::types::{EventId, Mode, TaxpayerId};

/// The write that records an event and marks it for the relay; the sweeper takes it up at
/// `sweep_at` if the relay has not.
pub(super) fn write(event: &EventRecord, sweep_at: jiff::Timestamp) -> Result<Write, StoreError> {
    let key =
        Partition::taxpayer(event.mode, &event.taxpayer_id).item(keys::event(&event.event_id));
    let mut item = to_item(key.clone(), event)?;
    mark(&mut item, event.mode, &key.sk, Due { at: sweep_at, relay: Some(Relay::Event) });
    Ok(Write::Put { item, condition: absent() })
}

impl Store {
    /// An event.
    pub async fn get_event(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        event_id: &EventId,
    ) -> Result<Option<EventRecord>, StoreError> {
        self.get(event_key(mode, taxpayer_id, event_id)).await
    }
}

fn event_key(mode: Mode, taxpayer_id: &TaxpayerId, event_id: &EventId) -> Key {
    Partition::taxpayer(mode, taxpayer_id).item(keys::event(event_id))
}
