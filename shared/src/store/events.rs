//! Events: written in the transaction of what they tell, relayed once.

use super::{
    Due, EventRecord, Store, StoreError,
    dynamo::{Write, absent, to_item},
    keys::Key,
    relaying::mark,
};
use crate::types::{EventId, Mode, TaxpayerId};

/// The write that records an event and marks it for the relay; the sweeper takes it up at
/// `sweep_at` if the relay has not.
pub(super) fn write(event: &EventRecord, sweep_at: jiff::Timestamp) -> Result<Write, StoreError> {
    let key = Key::event(event.mode, &event.taxpayer_id, &event.event_id);
    let mut item = to_item(key.clone(), event)?;
    mark(&mut item, event.mode, &key, Due::relayed(sweep_at));
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
        self.get(Key::event(mode, taxpayer_id, event_id)).await
    }
}
