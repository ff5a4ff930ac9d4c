//! What the last sweep saw of the due jobs of a mode, for the public status of the service.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, to_item},
    keys::Key,
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

impl Store {
    /// What the last sweep of a mode saw.
    pub async fn get_sweep(&self, mode: Mode) -> Result<Option<SweepRecord>, StoreError> {
        self.get(Key::last_sweep(mode)).await
    }

    /// Notes what a sweep of a mode saw. The last write counts.
    pub async fn put_sweep(&self, mode: Mode, record: &SweepRecord) -> Result<(), StoreError> {
        let item = to_item(Key::last_sweep(mode), record)?;
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }
}
