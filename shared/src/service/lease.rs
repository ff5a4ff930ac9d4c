//! The lease of a job. It keeps two messages about one job from doing its work twice. When the work fails, the job is
//! rescheduled or parked.

use super::{Context, Sending, later, retry};
use crate::{
    access::Taxpayer,
    error::Failure,
    store::{
        DocumentRecord, JobVersion, Lease, Recorded, StageMessage, Status, StoreError, keys::JobId,
    },
    types::Mode,
};

/// Leases the document of a message for a stage, if its status is one of `from`. `None` when another worker has the
/// document or has advanced it.
pub(super) async fn lease(
    sending: &Sending,
    message: &StageMessage,
    from: &[Status],
    status: Status,
) -> Result<Option<DocumentRecord>, Failure> {
    taken(&sending.ctx, &job_id(message), try_lease(sending, message, from, status).await).await
}

/// The outcome of a lease. After a failure the job is rescheduled or parked, so that its message is done. An error
/// means that the queue must bring the message again.
pub(super) async fn taken<R>(
    ctx: &Context,
    job_id: &JobId,
    taken: Result<Option<R>, StoreError>,
) -> Result<Option<R>, Failure> {
    match taken {
        Ok(taken) => Ok(taken),
        Err(error) => retry::failed(ctx, job_id, error.into()).await.map(|()| None),
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

/// Ends a stage's work. A failed job is rescheduled, or parked when it can never succeed, so that its message is done.
/// An error means that the queue must bring the message again.
pub(super) async fn end(
    sending: &Sending,
    message: &StageMessage,
    leased: &DocumentRecord,
    result: Result<Recorded, StoreError>,
) -> Result<(), Failure> {
    finish(&sending.ctx, job_id(message), leased.lease.as_ref(), leased.tries, result).await
}

/// Ends the work on any leased job. `tries` is the count of attempts when the job was leased.
pub(super) async fn finish(
    ctx: &Context,
    job_id: JobId,
    lease: Option<&Lease>,
    tries: u32,
    result: Result<Recorded, StoreError>,
) -> Result<(), Failure> {
    match (result, lease) {
        (Ok(Recorded::Done), _) => {
            tracing::info!("the stage is done");
            Ok(())
        }
        // This worker was too slow. The other worker's result counts.
        (Ok(Recorded::Lost), _) => {
            tracing::warn!("a lease was lost to another worker");
            Ok(())
        }
        (Err(error), None) => Err(error.into()),
        (Err(error), Some(lease)) => {
            let version = JobVersion { job_id, due_at: lease.until, tries };
            retry::reschedule(ctx, &version, tries, error.into()).await
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
    taxpayer.ok_or_else(|| StoreError::Corrupt("the document's taxpayer no longer exists".into()))
}

/// The job of a message.
pub(super) fn job_id(message: &StageMessage) -> JobId {
    let StageMessage { mode, taxpayer_id, document_id, .. } = message;
    JobId::Document(*mode, taxpayer_id.clone(), document_id.clone())
}
