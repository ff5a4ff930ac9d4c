//! The records of a stream that one invocation relays.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use tokio::sync::{Mutex, OnceCell};

use crate::{
    access::Grant,
    service::Relaying,
    store::{EndpointRecord, EventRecord, StoreError, keys::version_shard},
    types::{Mode, OrganizationId, TaxpayerId},
};

/// The jobs that one invocation relays together. Grants, and the versions of endpoints, are read once for all of them:
/// every event was committed before the invocation began, so a read during the invocation has whatever the event must
/// reach.
#[derive(Clone)]
pub struct Batch {
    pub(super) relaying: Relaying,
    grants: Once<(Mode, TaxpayerId), Vec<Grant>>,
    endpoints: Once<(Mode, OrganizationId), Vec<EndpointRecord>>,
}

impl Batch {
    /// A batch of which nothing is relayed yet. It must not outlive its invocation.
    pub fn new(relaying: &Relaying) -> Self {
        Batch { relaying: relaying.clone(), grants: Once::new(), endpoints: Once::new() }
    }

    /// The active grants on a taxpayer. One that ended after an event does not count for it, nor does one that was made
    /// since.
    pub(super) async fn grants(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Arc<Vec<Grant>>, StoreError> {
        let read = async {
            self.relaying.ctx.store.list_active_grants(mode, taxpayer_id).await.map(Arc::new)
        };
        self.grants.read((mode, taxpayer_id.clone()), read).await
    }

    /// The endpoints of an organization that an event may concern.
    pub(super) async fn endpoints(
        &self,
        event: &EventRecord,
        organization_id: &OrganizationId,
    ) -> Result<Arc<Vec<EndpointRecord>>, StoreError> {
        let (mode, shard) = (event.mode, version_shard(&event.event_id));
        let Relaying { ctx, endpoints, .. } = &self.relaying;
        let read = endpoints.current(ctx, mode, organization_id, shard);
        self.endpoints.read((mode, organization_id.clone()), read).await
    }
}

/// Values that are read once each, also by concurrent readers. A failed read is repeated by the next reader.
struct Once<K, V>(Arc<Mutex<HashMap<K, Cell<V>>>>);

/// A value that may not be read yet.
type Cell<V> = Arc<OnceCell<Arc<V>>>;

impl<K, V> Clone for Once<K, V> {
    fn clone(&self) -> Self {
        Once(Arc::clone(&self.0))
    }
}

impl<K: Eq + Hash, V> Once<K, V> {
    fn new() -> Self {
        Once(Arc::default())
    }

    async fn read(
        &self,
        key: K,
        read: impl Future<Output = Result<Arc<V>, StoreError>>,
    ) -> Result<Arc<V>, StoreError> {
        let cell = Arc::clone(self.0.lock().await.entry(key).or_default());
        cell.get_or_try_init(|| read).await.cloned()
    }
}
