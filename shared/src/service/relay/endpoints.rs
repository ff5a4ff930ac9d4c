//! The endpoints of organizations that a process knows. They are read again when their version is another one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use crate::{
    service::{Context, later},
    store::{EndpointRecord, StoreError},
    types::{Mode, OrganizationId},
};

/// How many organizations are known at most.
const MOST: usize = 1000;
/// How long a list counts. Functions of an earlier release change endpoints without a new version.
const LONGEST: SignedDuration = SignedDuration::from_mins(1);

/// The known endpoints. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct KnownEndpoints(Arc<Mutex<HashMap<(Mode, OrganizationId), Known>>>);

#[derive(Debug)]
struct Known {
    version: u64,
    read_at: Timestamp,
    endpoints: Arc<Vec<EndpointRecord>>,
}

impl KnownEndpoints {
    /// The current endpoints of an organization. `shard` is that of their version.
    pub(super) async fn current(
        &self,
        ctx: &Context,
        mode: Mode,
        organization_id: &OrganizationId,
        shard: u8,
    ) -> Result<Arc<Vec<EndpointRecord>>, StoreError> {
        let key = (mode, organization_id.clone());
        // The version first: the list has every change up to it, and perhaps later ones.
        let version = ctx.store.get_endpoints_version(mode, organization_id, shard).await?;
        let read_at = ctx.now();
        if let Some(known) = self.known().get(&key)
            && known.version == version
            && read_at < later(known.read_at, LONGEST)
        {
            return Ok(known.endpoints.clone());
        }
        let endpoints = Arc::new(ctx.store.list_endpoints(mode, organization_id).await?);
        let mut known = self.known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, Known { version, read_at, endpoints: endpoints.clone() });
        Ok(endpoints)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<(Mode, OrganizationId), Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
