//! The second stage of queued delivery: converted → dispatching → sent. In Sandbox nothing leaves
//! the service; the recipient's document is made here.

use super::{
    RELAY_GRACE, Sending,
    convert::note_lost,
    later,
    lease::{give_back, lease},
    local_delivery,
};
use crate::{
    error::Failure,
    store::{DocumentRecord, Effects, StageMessage, Status, StoreError},
    types::Mode,
};

/// Dispatches a document: works on a message of the dispatch queue. A message that comes twice, or
/// late, does nothing. An error means that it should come again.
pub async fn dispatch(sending: &Sending, message: &StageMessage) -> Result<(), Failure> {
    let StageMessage { mode, taxpayer_id, document_id, .. } = message;
    let record = sending.ctx.store.get_document(*mode, taxpayer_id, document_id).await?;
    let Some(record) =
        record.filter(|record| matches!(record.status, Status::Converted | Status::Dispatching))
    else {
        return Ok(());
    };
    let Some(leased) = lease(sending, *mode, &record, Status::Dispatching).await? else {
        return Ok(());
    };
    // Boxed: the state of a whole stage is large.
    let result = Box::pin(work(sending, *mode, &leased)).await;
    if result.is_err() {
        give_back(&sending.ctx, *mode, &leased).await;
    }
    Ok(result?)
}

async fn work(sending: &Sending, mode: Mode, leased: &DocumentRecord) -> Result<(), StoreError> {
    if mode == Mode::Live {
        return Err(StoreError::Corrupt("Live dispatch is not available yet".into()));
    }
    let taxpayer = sending
        .ctx
        .store
        .get_taxpayer(mode, &leased.taxpayer_id)
        .await?
        .ok_or_else(|| StoreError::Corrupt("the document's taxpayer is gone".into()))?;
    let payload = leased
        .ubl
        .as_ref()
        .ok_or_else(|| StoreError::Corrupt("a converted document has no UBL".into()))?;
    let bytes = sending.bucket.get(payload).await?;
    let now = sending.ctx.now();
    let sent = DocumentRecord {
        status: Status::Sent,
        lease: None,
        updated_at: now,
        version: leased.version + 1,
        ..leased.clone()
    };
    let consequences =
        local_delivery::consequences(sending, mode, &taxpayer.participant_id, &sent, &bytes)
            .await?;
    let effects = Effects {
        events: &consequences.events,
        inbound: consequences.inbound.as_ref(),
        sweep_at: later(now, RELAY_GRACE),
    };
    let recorded =
        sending.ctx.store.advance_document(mode, leased, &sent, None, Some(effects)).await?;
    note_lost(leased, recorded);
    Ok(())
}
