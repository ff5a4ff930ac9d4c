//! Runs jobs: a message of a queue names a job, one worker at a time leases it, and one conditional write ends its work.
//!
//! | the worker | the job |
//! |---|---|
//! | ends its work | has advanced; the write that ends the lease says how |
//! | fails | is rescheduled with a backoff, or parked ([`retry`]) |
//! | dies | is due again when its lease is over; the sweeper relays it |
//! | is too slow | belongs to the next worker, whose result counts |
//!
//! A message that is a duplicate, early or late finds nothing to lease, and has no effect.

use jiff::SignedDuration;
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use tracing::Instrument;

use super::{Context, Sending, later, retry};
use crate::{
    error::Failure,
    store::{
        DocumentRecord, JobVersion, Lease, Leased, Recorded, Seen, StageMessage, Status,
        StoreError, keys::JobId,
    },
    types::Mode,
};

/// A kind of job, with everything that its worker needs.
pub trait Job: Clone + Send + Sync + 'static {
    /// The message of its queue.
    type Message: DeserializeOwned + Send + Sync + 'static;
    /// The record that its worker leases.
    type Record: Leased + 'static;
    /// The name of the work in the log.
    const OPERATION: &'static str;

    /// The table, the clock and the random source.
    fn ctx(&self) -> &Context;

    /// The job of a message.
    fn id(message: &Self::Message) -> JobId;

    /// Leases the job. `None` when there is nothing to do now, or another worker has the lease.
    fn lease(
        &self,
        message: &Self::Message,
    ) -> impl Future<Output = Result<Option<Self::Record>, StoreError>> + Send;

    /// Does the work that the turn of a worker allows, and ends the lease. After an error, the record is the current one.
    fn work(
        &self,
        message: &Self::Message,
        leased: &mut Self::Record,
        begun: Instant,
    ) -> impl Future<Output = Result<Recorded, Failure>> + Send;
}

/// Works on the job of a message. An error means that nothing is recorded, and that the queue must bring the message
/// again.
pub async fn run<J: Job>(job: &J, message: &J::Message) -> Result<(), Failure> {
    let id = J::id(message);
    let span = retry::span(J::OPERATION, &id);
    turn(job, message, id).instrument(span).await
}

async fn turn<J: Job>(job: &J, message: &J::Message, id: JobId) -> Result<(), Failure> {
    let begun = Instant::now();
    let mut leased = match job.lease(message).await {
        Ok(Some(leased)) => leased,
        Ok(None) => return Ok(()),
        Err(error) => return retry::failed(job.ctx(), &id, error.into()).await,
    };
    // Boxed: the state of all the work is large.
    match Box::pin(job.work(message, &mut leased, begun)).await {
        Ok(Recorded::Done) => {
            tracing::info!("the stage is done");
            Ok(())
        }
        // This worker was too slow. The other worker's result counts.
        Ok(Recorded::Lost) => {
            tracing::warn!("a lease was lost to another worker");
            Ok(())
        }
        Err(failure) => {
            let Some(version) = version_of(id, &leased) else { return Err(failure) };
            retry::reschedule(job.ctx(), &version, leased.tries().max(1), failure).await
        }
    }
}

/// Notes the cause of a failure in the record of a job, for those who wait for it. Returns the failure, unless another
/// worker has changed the job.
pub(super) async fn failed<R: Leased>(
    ctx: &Context,
    mode: Mode,
    leased: &R,
    failure: Failure,
) -> Result<Recorded, Failure> {
    match ctx.store.note_cause(mode, leased, &failure.cause()).await {
        Ok(Recorded::Lost) => return Ok(Recorded::Lost),
        Ok(Recorded::Done) => {}
        // The cause is in the log too, and the next write fails with a reason of its own.
        Err(error) => tracing::warn!(%error, "the cause could not be recorded"),
    }
    Err(failure)
}

/// Leases a document that has one of the statuses `from`, for a stage.
pub(super) async fn lease_document(
    sending: &Sending,
    StageMessage { mode, taxpayer_id, document_id, .. }: &StageMessage,
    from: &[Status],
    status: Status,
) -> Result<Option<DocumentRecord>, StoreError> {
    let ctx = &sending.ctx;
    let record = ctx.store.get_document(*mode, taxpayer_id, document_id).await?;
    let wanted = record.filter(|record| from.contains(&record.status) && is_free(ctx, record));
    let Some(record) = wanted else { return Ok(None) };
    let lease = new_lease(ctx, sending.settings.lease);
    ctx.store.lease_document(*mode, &record, status, lease, ctx.now()).await
}

/// The version of a job as its worker has it. `None` without a lease.
pub(super) fn version_of(job_id: JobId, leased: &impl Leased) -> Option<JobVersion> {
    let seen = Seen::LeasedBy(leased.lease()?.owner);
    Some(JobVersion { job_id, seen, tries: leased.tries() })
}

/// A lease that begins now.
pub(super) fn new_lease(ctx: &Context, lifetime: SignedDuration) -> Lease {
    Lease { owner: ctx.new_uuid(), until: later(ctx.now(), lifetime) }
}

/// Leases a record that has work to do. `None` when another worker has the lease.
pub(super) async fn lease<R: Leased>(
    ctx: &Context,
    mode: Mode,
    record: Option<R>,
    lifetime: SignedDuration,
) -> Result<Option<R>, StoreError> {
    let Some(record) = record.filter(|record| is_free(ctx, record)) else { return Ok(None) };
    ctx.store.lease(mode, &record, new_lease(ctx, lifetime), ctx.now()).await
}

/// Whether no worker has the lease of a record.
pub(super) fn is_free(ctx: &Context, record: &impl Leased) -> bool {
    record.lease().is_none_or(|lease| lease.until <= ctx.now())
}
