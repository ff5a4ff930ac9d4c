//! Receipts on their way to the bucket.
//!
//! A receipt goes to the bucket before the outcome of its attempt is written. Where the bucket fails or takes too long, the
//! transmission holds the receipt, in the write of that outcome: no error of the bucket undoes what was received. The sweeper
//! then sends a message to the stage, and its next worker moves the receipt ([`shelve_due`]).

use std::time::Duration;

use tokio::time::timeout;

use super::Exchange;
use crate::{
    error::Failure,
    service::{Context, retry},
    store::{Bucket, Payload, PayloadKind, Receipt, StoreError, TransmissionRecord, keys::JobId},
    types::Mode,
};

/// The largest receipt that a transmission holds: an item of DynamoDB has 400 KB, and this one has its attempts, too. Real
/// receipts have a few KB.
const MOST_INLINE: usize = if cfg!(test) { 32 * 1024 } else { 200 * 1024 };
/// How long the worker that got a receipt waits for the bucket.
const STORING: Duration = Duration::from_secs(2);

/// A receipt as it is written down with its attempt. If the bucket fails and it is too large for the transmission, the attempt
/// has succeeded all the same, without a proof.
pub(super) async fn written_down(
    exchange: Exchange<'_>,
    transmission: &TransmissionRecord,
    bytes: Vec<u8>,
) -> Option<Receipt> {
    let storing = stored(exchange.bucket, exchange.mode, transmission, bytes.clone());
    let error = match timeout(STORING, storing).await {
        Ok(Ok(payload)) => return Some(Receipt::Stored(payload)),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it took too long".to_owned(),
    };
    if bytes.len() > MOST_INLINE {
        tracing::error!(bytes = bytes.len(), error, "a receipt of unusual size is lost");
        return None;
    }
    tracing::warn!(
        error.cause = error,
        "a receipt could not be stored and stays in its transmission"
    );
    Some(Receipt::Inline(bytes))
}

/// Moves the receipt of a transmission to the bucket, for a message of a queue that has nothing else to do.
/// What fails is put off, or parked; the receipt stays where it is.
pub(in crate::service) async fn shelve_due(ctx: &Context, bucket: &Bucket, job_id: JobId) {
    let work = async {
        let Some(job) = ctx.store.get_job(&job_id).await? else { return Ok(()) };
        moved(ctx, bucket, job_id.mode(), &job.record()?).await
    };
    let result: Result<(), StoreError> = work.await;
    let Err(error) = result else { return };
    if let Err(failure) = retry::failed(ctx, &job_id, Failure::from(error)).await {
        let error = failure.source.as_deref().map(tracing::field::display);
        tracing::warn!(%job_id, error, "a receipt could not be processed and stays in its transmission");
    }
}

async fn moved(
    ctx: &Context,
    bucket: &Bucket,
    mode: Mode,
    transmission: &TransmissionRecord,
) -> Result<(), StoreError> {
    let Some(Receipt::Inline(bytes)) = &transmission.receipt else { return Ok(()) };
    let payload = stored(bucket, mode, transmission, bytes.clone()).await?;
    ctx.store.shelve_receipt(mode, &transmission.carries, &payload).await
}

/// Stores a receipt under a name that its content tells: storing it again changes nothing.
async fn stored(
    bucket: &Bucket,
    mode: Mode,
    transmission: &TransmissionRecord,
    bytes: Vec<u8>,
) -> Result<Payload, StoreError> {
    let (carries, kind) = (&transmission.carries, PayloadKind::Receipt);
    let [payload] = bucket.put_carried(mode, carries, [(kind, bytes.into())], &[]).await?;
    Ok(payload)
}
