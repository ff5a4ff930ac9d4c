//! Receipts on their way to the bucket.
//!
//! A receipt is written down in the transmission itself, in the write that says what the attempt came to: no error of
//! the bucket undoes what was received. Then it moves to the bucket.
//!
//! | moves it | when |
//! |---|---|
//! | the worker that got it ([`shelve`]) | as soon as the outcome is written down |
//! | the next worker of the same stage ([`shelve_due`]) | once the sweeper has found that it did not move |

use std::time::Duration;

use tokio::time::timeout;

use super::Exchange;
use crate::{
    error::Failure,
    service::{Context, retry},
    store::{Bucket, PayloadKind, Receipt, StoreError, TransmissionRecord, keys::JobId},
    types::Mode,
};

/// The largest receipt that a transmission holds: an item of DynamoDB has 400 KB, and this one has its attempts, too. Real
/// receipts have a few KB.
const MOST_INLINE: usize = if cfg!(test) { 32 * 1024 } else { 200 * 1024 };
/// How long the worker that got a receipt tries to move it. The sweeper sees to it afterwards.
const SHELVING: Duration = Duration::from_secs(2);

/// A receipt as it is written down with its attempt. One that is too large for that goes to the bucket first; where that
/// fails the attempt has succeeded all the same, without a proof.
pub(super) async fn written_down(
    exchange: Exchange<'_>,
    transmission: &TransmissionRecord,
    bytes: Vec<u8>,
) -> Option<Receipt> {
    if bytes.len() <= MOST_INLINE {
        return Some(Receipt::Inline(bytes));
    }
    let (kind, length) = (PayloadKind::Receipt, bytes.len());
    let stored = &mut Vec::new();
    match exchange
        .bucket
        .put_carried(exchange.mode, &transmission.carries, kind, bytes, stored)
        .await
    {
        Ok(payload) => Some(Receipt::Stored(payload)),
        Err(error) => {
            tracing::error!(bytes = length, %error, "a receipt of unusual size is lost");
            None
        }
    }
}

/// Moves the receipt of a transmission to the bucket, if it is stored in the transmission. What fails is left to the sweeper.
pub(in crate::service) async fn shelve(
    ctx: &Context,
    bucket: &Bucket,
    mode: Mode,
    transmission: &TransmissionRecord,
) {
    let failed = match timeout(SHELVING, moved(ctx, bucket, mode, transmission)).await {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it took too long".to_owned(),
    };
    tracing::warn!(
        error.cause = failed,
        "a receipt could not be processed and stays in its transmission"
    );
}

/// The same for a message of a queue that has nothing else to do: the sweeper sends it for a receipt that did not move.
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
    let (carries, kind) = (&transmission.carries, PayloadKind::Receipt);
    let payload = bucket.put_carried(mode, carries, kind, bytes.clone(), &mut Vec::new()).await?;
    ctx.store.shelve_receipt(mode, carries, &payload).await
}
