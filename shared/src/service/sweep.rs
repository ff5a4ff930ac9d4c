//! Every minute: what is due and still waits goes on its way again. Events and documents that the
//! relay missed, documents whose worker died, deliveries whose next attempt has come.

use tokio::task::JoinSet;

use super::{Relaying, relay};
use crate::{
    store::{StoreError, keys::DUE_SHARDS},
    types::Mode,
};

/// How many items one read of the index gives.
const READ: i32 = 100;
/// How many reads of one shard a sweep makes; what is left waits a minute.
const MAX_READS: usize = 10;

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Items that went on their way.
    pub relayed: usize,
    /// Items that could not be relayed; the next sweep tries again.
    pub failed: usize,
}

/// Sweeps both modes. One item's failure does not keep the others.
pub async fn sweep(relaying: &Relaying) -> Swept {
    let mut shards = JoinSet::new();
    for mode in [Mode::Live, Mode::Sandbox] {
        for shard in 0..DUE_SHARDS {
            let relaying = relaying.clone();
            shards.spawn(async move { sweep_shard(&relaying, mode, shard).await });
        }
    }
    let mut total = Swept::default();
    while let Some(result) = shards.join_next().await {
        match result {
            Ok(swept) => {
                total.relayed += swept.relayed;
                total.failed += swept.failed;
            }
            // The panic itself was logged where it happened.
            Err(_) => total.failed += 1,
        }
    }
    total
}

async fn sweep_shard(relaying: &Relaying, mode: Mode, shard: u8) -> Swept {
    let mut swept = Swept::default();
    if let Err(error) = sweep_pages(relaying, mode, shard, &mut swept).await {
        tracing::error!(%mode, shard, error = %error, "what is due cannot be listed");
        swept.failed += 1;
    }
    swept
}

async fn sweep_pages(
    relaying: &Relaying,
    mode: Mode,
    shard: u8,
    swept: &mut Swept,
) -> Result<(), StoreError> {
    let now = relaying.ctx.now();
    let mut from = None;
    for _ in 0..MAX_READS {
        let (places, next) = relaying.ctx.store.list_due(mode, shard, now, from, READ).await?;
        for place in places {
            match relay::relay_due(relaying, &place).await {
                Ok(relayed) => swept.relayed += usize::from(relayed),
                Err(failure) => {
                    let error = failure.source.as_deref().map(tracing::field::display);
                    tracing::error!(?place, error, "an item was not sent on its way");
                    swept.failed += 1;
                }
            }
        }
        from = next;
        if from.is_none() {
            break;
        }
    }
    Ok(())
}
