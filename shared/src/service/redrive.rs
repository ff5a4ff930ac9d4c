//! Puts on its way again what was parked, once somebody has mended the cause.

use super::Context;
use crate::{
    store::{
        Parked, StoreError,
        keys::{PARKED_SHARDS, Place},
    },
    types::Mode,
};

/// How many items one read of the index gives.
const READ: i32 = 100;

/// What to look for: everything, or one mode, or one kind, or one kind in one mode.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Live or Sandbox.
    pub mode: Option<Mode>,
    /// A kind, as [`Place::kind`] names it.
    pub kind: Option<String>,
}

/// What is parked, the longest parked of each shard first.
pub async fn parked(ctx: &Context, wanted: &Wanted) -> Result<Vec<(Place, Parked)>, StoreError> {
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
    wanted: &Wanted,
    mode: Mode,
    shard: u8,
) -> Result<Vec<(Place, Parked)>, StoreError> {
    let mut found = Vec::new();
    let mut from = None;
    loop {
        let (places, next) = ctx.store.list_parked(mode, shard, ctx.now(), from, READ).await?;
        for place in places {
            if wanted.kind.as_deref().is_some_and(|kind| kind != place.kind()) {
                continue;
            }
            // The index lags behind the table.
            if let Some(parked) = ctx.store.get_parked(&place).await? {
                found.push((place, parked));
            }
        }
        from = next;
        if from.is_none() {
            return Ok(found);
        }
    }
}

/// Puts a parked item on its way again: the next sweep takes it up, with all its tries. `false`
/// when it was not parked any more.
pub async fn redrive(ctx: &Context, place: &Place) -> Result<bool, StoreError> {
    ctx.store.redrive(place, ctx.now()).await
}
