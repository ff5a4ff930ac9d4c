//! Redrives parked jobs, once an operator has corrected the cause.

use super::Context;
use crate::{
    store::{
        Parked, StoreError,
        keys::{JobId, PARKED_SHARDS},
    },
    types::Mode,
};

/// How many items one read of the index returns.
const READ: i32 = 100;

/// Which parked jobs to list: all, or those of a mode, of a kind, or of both.
#[derive(Debug, Clone, Default)]
pub struct ParkedFilter {
    /// Live or Sandbox.
    pub mode: Option<Mode>,
    /// A kind, as in [`JobId::kind`].
    pub kind: Option<String>,
}

/// The parked jobs. In each shard, the longest parked comes first.
pub async fn parked(
    ctx: &Context,
    wanted: &ParkedFilter,
) -> Result<Vec<(JobId, Parked)>, StoreError> {
    let mut found = Vec::new();
    let modes = [Mode::Live, Mode::Sandbox].into_iter();
    for mode in modes.filter(|mode| wanted.mode.is_none_or(|wanted| wanted == *mode)) {
        for shard in 0..PARKED_SHARDS {
            found.extend(parked_in(ctx, wanted, mode, shard).await?);
        }
    }
    Ok(found)
}

async fn parked_in(
    ctx: &Context,
    wanted: &ParkedFilter,
    mode: Mode,
    shard: u8,
) -> Result<Vec<(JobId, Parked)>, StoreError> {
    let mut found = Vec::new();
    let mut from = None;
    loop {
        let (job_ids, next) = ctx.store.list_parked(mode, shard, ctx.now(), from, READ).await?;
        for job_id in job_ids {
            if wanted.kind.as_deref().is_some_and(|kind| kind != job_id.kind()) {
                continue;
            }
            // The index is eventually consistent.
            if let Some(parked) = ctx.store.get_parked(&job_id).await? {
                found.push((job_id, parked));
            }
        }
        from = next;
        if from.is_none() {
            return Ok(found);
        }
    }
}

/// Releases a parked job: the next sweep relays it, with all its attempts available again. `false` when it was not
/// parked any more.
pub async fn redrive(ctx: &Context, job_id: &JobId) -> Result<bool, StoreError> {
    ctx.store.redrive(job_id, ctx.now()).await
}
