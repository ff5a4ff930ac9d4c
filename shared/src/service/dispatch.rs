//! The second stage of queued delivery: converted → dispatching → sent. In Sandbox nothing leaves
//! the service; the recipient's document is made here.

use tracing::Instrument;

use super::{
    RELAY_GRACE, Sending, later,
    lease::{self, lease},
    local_delivery::{self, Outgoing},
    waiting,
};
use crate::{
    error::Failure,
    store::{DocumentRecord, Effects, Progress, Recorded, StageMessage, Status, Step, StoreError},
    types::Mode,
};

/// Dispatches a document: works on a message of the dispatch queue. A message that comes twice, or
/// late, does nothing. An error means that it should come again.
pub async fn dispatch(sending: &Sending, message: &StageMessage) -> Result<(), Failure> {
    let span = waiting::span("dispatch", &lease::place(message));
    stage(sending, message).instrument(span).await
}

async fn stage(sending: &Sending, message: &StageMessage) -> Result<(), Failure> {
    let from = [Status::Converted, Status::Dispatching];
    let leased = lease(sending, message, &from, Status::Dispatching).await?;
    let Some(leased) = leased else { return Ok(()) };
    // Boxed: the state of a whole stage is large.
    let result = Box::pin(work(sending, message.mode, &leased)).await;
    lease::end(sending, message, &leased, result).await
}

async fn work(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
) -> Result<Recorded, StoreError> {
    if mode == Mode::Live {
        return Err(StoreError::Corrupt("Live dispatch is not available yet".into()));
    }
    let taxpayer = lease::taxpayer(sending, mode, leased).await?;
    let payload = leased
        .ubl
        .as_ref()
        .ok_or_else(|| StoreError::Corrupt("a converted document has no UBL".into()))?;
    let bytes = sending.bucket.get(payload).await?;
    let (at, progress) = (sending.ctx.now(), Progress::Sent);
    // As it will stand there: what the event tells.
    let sent = DocumentRecord { status: progress.status(), updated_at: at, ..leased.clone() };
    let outgoing = Outgoing {
        mode,
        sender: &taxpayer.participant_id,
        record: &sent,
        bytes: &bytes,
        // When the document was first taken up for dispatch; a later worker does not change it.
        begun: leased.updated_at,
    };
    // What is stored has the same name the next time.
    let consequences = local_delivery::consequences(sending, &outgoing, &mut Vec::new()).await?;
    let effects = Effects {
        events: &consequences.events,
        inbound: consequences.inbound.as_ref(),
        sweep_at: later(at, RELAY_GRACE),
    };
    let step = Step { progress: &progress, at, due: None, reply: None, effects: Some(effects) };
    sending.ctx.store.advance_document(mode, leased, step).await
}
