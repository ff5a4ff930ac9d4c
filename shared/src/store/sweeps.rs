//! What the last sweeps saw of the due jobs of a mode, for the public status of the service. Sweeps of different parts of
//! the index are noted apart.

use std::collections::BTreeMap;
#[cfg(test)]
use std::collections::BTreeSet;

#[cfg(test)]
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, to_item},
    keys::{self, Key},
};
#[cfg(test)]
use super::{
    dynamo::{Item, unavailable},
    text::instant,
};
use crate::types::Mode;

/// The jobs that sweeps saw, by [`kind`](super::keys::JobId::kind).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepRecord {
    /// When the last sweep ended.
    pub at: Timestamp,
    /// Since when the longest due job of a kind was due in that sweep. Kinds without due jobs are missing.
    #[serde(default)]
    pub due_since: BTreeMap<String, Timestamp>,
    /// When a sweep last saw a due job of a kind.
    #[serde(default)]
    pub seen_at: BTreeMap<String, Timestamp>,
}

/// A part that was not swept for so long does not count: the sweeper has fewer parts now.
const OUTDATED: SignedDuration = SignedDuration::from_mins(5);

impl Store {
    /// What the last sweeps of a mode saw, of all parts of the index together.
    pub async fn get_sweep(&self, mode: Mode) -> Result<Option<SweepRecord>, StoreError> {
        let parts: Vec<SweepRecord> = self.all(&keys::sweeps(mode), keys::LAST_SWEEP).await?;
        let Some(at) = parts.iter().map(|part| part.at).max() else { return Ok(None) };
        let current = parts.into_iter().filter(|part| at.duration_since(part.at) < OUTDATED);
        Ok(current.reduce(SweepRecord::with))
    }

    /// What the last sweep of a part saw.
    pub async fn get_sweep_of(
        &self,
        mode: Mode,
        part: u8,
    ) -> Result<Option<SweepRecord>, StoreError> {
        self.get(Key::last_sweep(mode, part)).await
    }

    /// Notes what a sweep of a part saw. The last write counts.
    pub async fn put_sweep(
        &self,
        mode: Mode,
        part: u8,
        record: &SweepRecord,
    ) -> Result<(), StoreError> {
        let item = to_item(Key::last_sweep(mode, part), record)?;
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }

    /// The shards of the index in which jobs of any lane are due at `now`. A scan finds them, so this is for tests.
    #[cfg(test)]
    pub async fn due_shards(&self, now: Timestamp) -> Result<BTreeSet<u8>, StoreError> {
        let scan = self.dynamo.scan().table_name(&*self.table).index_name(keys::DUE_INDEX);
        let scan = scan.filter_expression("due_at <= :now");
        let scan = scan.expression_attribute_values(":now", AttributeValue::S(instant(now)));
        let found: Result<Vec<Item>, _> = scan.into_paginator().items().send().collect().await;
        let shard = |item: Item| {
            let (_, shard) = item.get(keys::DUE_PK)?.as_s().ok()?.rsplit_once('#')?;
            shard.parse().ok()
        };
        Ok(found.map_err(unavailable)?.into_iter().filter_map(shard).collect())
    }
}

impl SweepRecord {
    /// What this sweep and one of another part saw.
    fn with(mut self, other: SweepRecord) -> Self {
        self.at = self.at.max(other.at);
        for (kind, at) in other.due_since {
            self.due_since.entry(kind).and_modify(|first| *first = at.min(*first)).or_insert(at);
        }
        for (kind, at) in other.seen_at {
            self.seen_at.entry(kind).and_modify(|last| *last = at.max(*last)).or_insert(at);
        }
        self
    }
}
