//! What the two workers of queued delivery have in common: the lease that keeps two messages of
//! one document from doing its work twice, and what follows when the work fails.

use super::{Context, Sending, later, waiting};
use crate::{
    access::Taxpayer,
    error::Failure,
    store::{DocumentRecord, Lease, Recorded, Seen, StageMessage, Status, StoreError, keys::Place},
    types::Mode,
};

/// Takes the document of a message for a stage, which takes up what has one of the statuses `from`.
/// `None` when there is nothing to do: another worker has it or has moved it on.
pub(super) async fn lease(
    sending: &Sending,
    message: &StageMessage,
    from: &[Status],
    status: Status,
) -> Result<Option<DocumentRecord>, Failure> {
    taken(&sending.ctx, &place(message), try_lease(sending, message, from, status).await).await
}

/// What was taken for a stage. When nobody knows whether it was, it is put off or parked, so that the
/// message is done; an error means that the queue must bring it again.
pub(super) async fn taken<R>(
    ctx: &Context,
    place: &Place,
    taken: Result<Option<R>, StoreError>,
) -> Result<Option<R>, Failure> {
    match taken {
        Ok(taken) => Ok(taken),
        Err(error) => waiting::failed(ctx, place, error.into()).await.map(|()| None),
    }
}

async fn try_lease(
    sending: &Sending,
    message: &StageMessage,
    from: &[Status],
    status: Status,
) -> Result<Option<DocumentRecord>, StoreError> {
    let StageMessage { mode, taxpayer_id, document_id, .. } = message;
    let store = &sending.ctx.store;
    let now = sending.ctx.now();
    let record = store.get_document(*mode, taxpayer_id, document_id).await?.filter(|record| {
        from.contains(&record.status)
            && record.lease.as_ref().is_none_or(|lease| lease.until <= now)
    });
    let Some(record) = record else { return Ok(None) };
    let until = later(now, sending.settings.lease);
    let lease = Lease { owner: sending.ctx.new_uuid(), until };
    store.lease_document(*mode, &record, status, lease, now).await
}

/// Ends a stage's work. What failed is put off, or parked when it can never succeed, so that the
/// message is done; an error means that the queue must bring it again.
pub(super) async fn end(
    sending: &Sending,
    message: &StageMessage,
    leased: &DocumentRecord,
    result: Result<Recorded, StoreError>,
) -> Result<(), Failure> {
    finish(&sending.ctx, place(message), leased.lease.as_ref(), leased.tries, result).await
}

/// The same for any item that a worker had under a lease, with the tries that there were then.
pub(super) async fn finish(
    ctx: &Context,
    place: Place,
    lease: Option<&Lease>,
    tries: u32,
    result: Result<Recorded, StoreError>,
) -> Result<(), Failure> {
    match (result, lease) {
        (Ok(Recorded::Done), _) => {
            tracing::info!("the stage is done");
            Ok(())
        }
        // This worker was too slow. Whatever the other one has found out stands.
        (Ok(Recorded::Lost), _) => {
            tracing::warn!("a lease was lost to another worker");
            Ok(())
        }
        (Err(error), None) => Err(error.into()),
        (Err(error), Some(lease)) => {
            let seen = Seen { place, due_at: lease.until, tries };
            waiting::put_off(ctx, &seen, tries, error.into()).await
        }
    }
}

/// The taxpayer of a document that a stage works on.
pub(super) async fn taxpayer(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
) -> Result<Taxpayer, StoreError> {
    let taxpayer = sending.ctx.store.get_taxpayer_lately(mode, &leased.taxpayer_id).await?;
    taxpayer.ok_or_else(|| StoreError::Corrupt("the document's taxpayer is gone".into()))
}

/// Where the document of a message is.
pub(super) fn place(message: &StageMessage) -> Place {
    let StageMessage { mode, taxpayer_id, document_id, .. } = message;
    Place::Document(*mode, taxpayer_id.clone(), document_id.clone())
}
