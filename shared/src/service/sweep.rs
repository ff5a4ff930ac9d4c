//! Finds what should have moved and has not: marks that the stream lost, messages that a queue
//! lost, workers that died, retries whose time has come. Runs every minute.

use super::{Context, relay::relay};
use crate::{error::Failure, store::keys::DUE_SHARDS, types::Mode};

/// How many items are read at a time.
const PAGE: i32 = 100;
/// How many pages of a shard one sweep takes; the next sweep takes the rest.
const PAGES: usize = 20;

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Items sent on their way.
    pub relayed: usize,
    /// Items that could not be; they stay due.
    pub failed: usize,
}

/// Sends on its way everything that is due in both modes.
pub async fn sweep(ctx: &Context) -> Result<Swept, Failure> {
    let mut swept = Swept::default();
    for mode in [Mode::Live, Mode::Sandbox] {
        for shard in 0..DUE_SHARDS {
            sweep_shard(ctx, mode, shard, &mut swept).await?;
        }
    }
    Ok(swept)
}

async fn sweep_shard(
    ctx: &Context,
    mode: Mode,
    shard: u8,
    swept: &mut Swept,
) -> Result<(), Failure> {
    for _ in 0..PAGES {
        let due = ctx.store.list_due(mode, shard, ctx.now(), PAGE).await?;
        let failed_before = swept.failed;
        for place in &due {
            match relay(ctx, place).await {
                Ok(()) => swept.relayed += 1,
                Err(failure) => {
                    swept.failed += 1;
                    tracing::warn!(
                        place = ?place,
                        error = failure.source.as_ref().map(tracing::field::display),
                        "an item that is due could not be sent on its way"
                    );
                }
            }
        }
        // What failed stays first in the index: reading on would read it again.
        if due.len() < usize::try_from(PAGE).unwrap_or_default() || swept.failed > failed_before {
            break;
        }
    }
    Ok(())
}
