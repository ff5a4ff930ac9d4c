//! Webhook endpoints of organizations. A change requires that the endpoint is as it was read. An addition requires that
//! no other endpoint was added since the organization's endpoints were counted. The audit entry is in the same
//! transaction, and so is the new version of the organization's endpoints: who has read them at a version needs to read
//! them again only at another one.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    DeletedEndpoint, Disabled, EndpointRecord, EndpointStatus, MailRecord, Recorded, Store,
    StoreError, audit,
    breakers::{self, Breaker, BreakerKey},
    dynamo::{
        Expression, Item, Update, Write, Written, absent, expiring, from_item, key_of, to_item,
        unknown,
    },
    jobs::{EVENT_KEPT, expiry},
    keys::{self, Key, VERSION_SHARDS},
    mails,
};
use crate::{
    access::AuditRecord,
    types::{EndpointId, Mode, OrganizationId},
};

/// How many deleted endpoints are shown at most.
const DELETED_SHOWN: usize = 100;

/// The maximum number of endpoints of an organization in one mode. The relay creates a delivery for each, of every
/// event.
pub const MAX_ENDPOINTS: usize = 50;

/// Counts the additions to an organization's endpoints, and lists the endpoints at that time. Only additions change it,
/// since a deletion can never exceed the maximum. So every endpoint is listed, and a deleted one is removed from the
/// list by the next addition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Additions {
    version: u64,
    /// In order. `None` if the last addition was made by a version that did not list them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endpoint_ids: Option<BTreeSet<EndpointId>>,
}

/// The version of an organization's endpoints; 0 where it is missing.
#[derive(Debug, Default, Deserialize)]
struct Version {
    version: u64,
}

/// An endpoint together with its state of failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// The endpoint.
    pub endpoint: EndpointRecord,
    /// Since when it has accepted no event.
    pub failing_since: Option<Timestamp>,
}

impl Store {
    /// A webhook endpoint, perhaps without the changes of the last second. A missing or disabled one is read again
    /// consistently.
    pub async fn get_endpoint(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint_id: &EndpointId,
    ) -> Result<Option<EndpointRecord>, StoreError> {
        let key = Key::endpoint(mode, organization_id, endpoint_id);
        let item = self.get_item_lately(key.clone()).await?;
        self.enabled_or_current(key, item).await
    }

    /// A webhook endpoint as [`Store::get_endpoint`], and its breaker, perhaps without the changes of the last second.
    /// Every attempt reads them.
    pub async fn get_endpoint_and_breaker(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint_id: &EndpointId,
    ) -> Result<(Option<EndpointRecord>, Breaker), StoreError> {
        let key = Key::endpoint(mode, organization_id, endpoint_id);
        let breaker = Key::endpoint_breaker(mode, organization_id, endpoint_id);
        let mut found = self.get_many_lately([key.clone(), breaker.clone()]).await?;
        let breaker = found.remove(&breaker).map(from_item).transpose()?;
        let item = found.remove(&key);
        Ok((self.enabled_or_current(key, item).await?, breaker.unwrap_or_default()))
    }

    async fn enabled_or_current(
        &self,
        key: Key,
        item: Option<Item>,
    ) -> Result<Option<EndpointRecord>, StoreError> {
        match item.map(from_item::<EndpointRecord>).transpose()? {
            Some(endpoint) if endpoint.status == EndpointStatus::Enabled => Ok(Some(endpoint)),
            _ => self.get(key).await,
        }
    }

    /// The webhook endpoints of an organization.
    pub async fn list_endpoints(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<Vec<EndpointRecord>, StoreError> {
        self.all(&keys::endpoints(mode, organization_id), keys::ENDPOINT).await
    }

    /// The version of an organization's endpoints. A list that is read later has every change up to it.
    pub async fn get_endpoints_version(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        shard: u8,
    ) -> Result<u64, StoreError> {
        let version: Option<Version> =
            self.get(Key::endpoints_version(mode, organization_id, shard)).await?;
        Ok(version.unwrap_or_default().version)
    }

    /// The endpoints of an organization, and the count of additions for [`Store::add_endpoint`].
    pub async fn count_endpoints(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<(Vec<EndpointRecord>, Additions), StoreError> {
        // The order matters: an addition in between is among the endpoints, and makes the next addition fail.
        let additions: Option<Additions> =
            self.get(Key::endpoint_additions(mode, organization_id)).await?;
        let endpoints = self.list_endpoints(mode, organization_id).await?;
        let version = additions.unwrap_or_default().version;
        let ids = endpoints.iter().map(|it| it.endpoint_id.clone()).collect();
        Ok((endpoints, Additions { version, endpoint_ids: Some(ids) }))
    }

    /// One endpoint, or all of an organization, with the state of their breakers. It takes two reads of known keys.
    pub async fn watch_endpoints(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        one: Option<&EndpointId>,
    ) -> Result<Vec<Watched>, StoreError> {
        let ids = match one {
            Some(id) => BTreeSet::from([id.clone()]),
            None => self.known_endpoints(mode, organization_id).await?,
        };
        let endpoint = |id: &EndpointId| Key::endpoint(mode, organization_id, id);
        let breaker = |id: &EndpointId| Key::endpoint_breaker(mode, organization_id, id);
        let keys = ids.iter().flat_map(|id| [endpoint(id), breaker(id)]);
        let mut found = self.get_many(keys).await?;
        let mut watched = Vec::with_capacity(ids.len());
        for id in &ids {
            let Some(item) = found.remove(&endpoint(id)) else { continue };
            let failing_since =
                found.remove(&breaker(id)).map(breakers::failing_since).transpose()?;
            let endpoint = from_item(item)?;
            watched.push(Watched { endpoint, failing_since: failing_since.flatten() });
        }
        Ok(watched)
    }

    /// The identifiers of an organization's endpoints, possibly with deleted ones.
    async fn known_endpoints(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<BTreeSet<EndpointId>, StoreError> {
        let additions: Option<Additions> =
            self.get(Key::endpoint_additions(mode, organization_id)).await?;
        match additions {
            // No endpoint was ever added.
            None => Ok(BTreeSet::new()),
            Some(Additions { endpoint_ids: Some(ids), .. }) => Ok(ids),
            Some(Additions { endpoint_ids: None, .. }) => {
                let endpoints = self.list_endpoints(mode, organization_id).await?;
                Ok(endpoints.into_iter().map(|it| it.endpoint_id).collect())
            }
        }
    }

    /// Adds an endpoint. `Lost` when another was added since they were counted: the caller counts again.
    pub async fn add_endpoint(
        &self,
        endpoint: &EndpointRecord,
        counted: Additions,
        entry: &AuditRecord,
    ) -> Result<Recorded, StoreError> {
        let additions = Key::endpoint_additions(endpoint.mode, &endpoint.organization_id);
        let version = counted.version;
        let mut ids = counted.endpoint_ids.unwrap_or_default();
        ids.insert(endpoint.endpoint_id.clone());
        let next = Additions { version: version + 1, endpoint_ids: Some(ids) };
        let writes = vec![
            Write::Put { item: to_item(endpoint_key(endpoint), endpoint)?, condition: absent() },
            Write::Put { item: to_item(additions, &next)?, condition: as_read(version) },
            audit::write(entry)?,
        ];
        self.change_to(writes, endpoint, Some(endpoint)).await
    }

    /// Replaces an endpoint. `Lost` when it has changed since it was read. With `starts_anew`, its breaker forgets what it
    /// knows.
    pub async fn change_endpoint(
        &self,
        read: &EndpointRecord,
        new: &EndpointRecord,
        starts_anew: bool,
        entry: &AuditRecord,
    ) -> Result<Recorded, StoreError> {
        // Resealing a secret does not change the version, and must not be undone by another change.
        let condition = as_read(read.version)
            .and("sealed_secret = :sealed")
            .text(":sealed", &read.sealed_secret);
        let mut writes = vec![Write::Put { item: to_item(endpoint_key(new), new)?, condition }];
        if starts_anew {
            writes.push(breakers::forget(&BreakerKey::endpoint(new)));
        }
        writes.push(audit::write(entry)?);
        self.change_to(writes, new, Some(new)).await
    }

    /// The endpoints of an organization in order of creation, and its endpoints that were deleted within the retention
    /// of deliveries, the latest created first. It returns a limited number, and takes one query for each 1 MB.
    pub async fn list_endpoints_and_deleted(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
    ) -> Result<(Vec<EndpointRecord>, Vec<DeletedEndpoint>), StoreError> {
        let partition = keys::endpoints(mode, organization_id);
        let most = MAX_ENDPOINTS + DELETED_SHOWN;
        let (mut endpoints, mut deleted) = (Vec::new(), Vec::new());
        // Deleted endpoints sort directly before the others.
        for item in self.latest_between(&partition, (keys::DELETED, keys::ENDPOINT), most).await? {
            match key_of(&item)?.sk.starts_with(keys::ENDPOINT) {
                true => endpoints.push(from_item(item)?),
                false => deleted.push(from_item(item)?),
            }
        }
        endpoints.reverse();
        deleted.truncate(DELETED_SHOWN);
        Ok((endpoints, deleted))
    }

    /// The record of a deleted endpoint.
    pub async fn get_deleted_endpoint(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint_id: &EndpointId,
    ) -> Result<Option<DeletedEndpoint>, StoreError> {
        self.get(Key::deleted_endpoint(mode, organization_id, endpoint_id)).await
    }

    /// Deletes an endpoint, which ends its pending deliveries. `Lost` when it is already deleted. Its address is kept
    /// as long as its deliveries are.
    pub async fn delete_endpoint(
        &self,
        endpoint: &EndpointRecord,
        entry: &AuditRecord,
    ) -> Result<Recorded, StoreError> {
        let EndpointRecord { mode, organization_id, endpoint_id, url, .. } = endpoint.clone();
        let breaker = Key::endpoint_breaker(mode, &organization_id, &endpoint_id);
        let deleted = Key::deleted_endpoint(mode, &organization_id, &endpoint_id);
        let kept = DeletedEndpoint { endpoint_id, url, deleted_at: entry.at };
        let kept = expiring(to_item(deleted, &kept)?, expiry(entry.at, EVENT_KEPT));
        let writes = vec![
            Write::Delete {
                key: endpoint_key(endpoint),
                condition: Expression::new("attribute_exists(pk)"),
            },
            Write::Delete { key: breaker, condition: Expression::default() },
            Write::Put { item: kept, condition: Expression::default() },
            audit::write(entry)?,
        ];
        self.change_to(writes, endpoint, None).await
    }

    /// Disables an endpoint. `Lost` when it is deleted, is already disabled, or has another URL than when it was read.
    /// `Lost` also when it is to be disabled for failing but has accepted an event since. The mails notify the members,
    /// and the sweeper claims them at the given instant.
    pub async fn disable_endpoint(
        &self,
        endpoint: &EndpointRecord,
        disabled: &Disabled,
        failing_since: Option<Timestamp>,
        entry: &AuditRecord,
        (mails, sweep_at): (&[MailRecord], Timestamp),
    ) -> Result<Recorded, StoreError> {
        let key = endpoint_key(endpoint);
        let update = Update::new()
            .set("status", &EndpointStatus::Disabled)?
            .set("disabled", disabled)?
            .add("version", 1)
            .build();
        // Only attributes that the role of `deliver` may write.
        let condition = Expression::new("#status = :enabled AND #url = :url")
            .name("#status", "status")
            .name("#url", "url")
            .text(":enabled", "enabled")
            .text(":url", &endpoint.url);
        let mut writes = vec![Write::Update { key, update, condition }, audit::write(entry)?];
        let breaker = BreakerKey::endpoint(endpoint);
        writes.extend(failing_since.map(|since| breakers::fails_since(&breaker, since)));
        for mail in mails {
            writes.push(mails::write(mail, sweep_at)?);
        }
        let disabled_now = EndpointRecord {
            status: EndpointStatus::Disabled,
            disabled: Some(*disabled),
            version: endpoint.version + 1,
            ..endpoint.clone()
        };
        self.change_to(writes, endpoint, Some(&disabled_now)).await
    }

    /// Makes a change so that the endpoint is as wanted, or nothing. An unknown outcome is read back.
    async fn change_to(
        &self,
        mut writes: Vec<Write>,
        endpoint: &EndpointRecord,
        wanted: Option<&EndpointRecord>,
    ) -> Result<Recorded, StoreError> {
        let key = endpoint_key(endpoint);
        writes.extend((0..VERSION_SHARDS).map(|shard| {
            let EndpointRecord { mode, organization_id, .. } = endpoint;
            let key = Key::endpoints_version(*mode, organization_id, shard);
            let update = Update::new().add("version", 1).build();
            Write::Update { key, update, condition: Expression::default() }
        }));
        let unsure = match self.transact(writes).await {
            Ok(Written::Done) => return Ok(Recorded::Done),
            Ok(Written::Refused(_)) => false,
            Err(StoreError::Unknown(_)) => true,
            Err(error) => return Err(error),
        };
        // Compared in the form that is read back: stored instants have milliseconds.
        let wanted = wanted.map(|wanted| from_item(to_item(key.clone(), wanted)?)).transpose()?;
        let current: Option<EndpointRecord> = self.get(key).await?;
        match (current == wanted, unsure) {
            // A deletion cannot tell who deleted the endpoint. After a known refusal there is no write of its own to
            // recognize.
            (true, _) if wanted.is_some() || unsure => Ok(Recorded::Done),
            (_, false) => Ok(Recorded::Lost),
            (_, true) => Err(unknown("the change of an endpoint was not confirmed")),
        }
    }
}

fn endpoint_key(endpoint: &EndpointRecord) -> Key {
    Key::endpoint(endpoint.mode, &endpoint.organization_id, &endpoint.endpoint_id)
}

/// The condition that an item still has the version that was read. Items of earlier versions have none.
fn as_read(version: u64) -> Expression {
    match version {
        0 => Expression::new("attribute_not_exists(version)"),
        version => Expression::new("version = :read").number(":read", version),
    }
}
