//! Subscriptions of organizations, as operators set them and as the billing provider reports them.
//!
//! A report of the provider is written together with the identifier of its event, which is kept for a while. So a
//! repeated event is processed once.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{
    Recorded, Store, StoreError, Subscription, audit,
    dynamo::{Expression, Item, Update, Write, Written, absent, from_item, to_item},
    jobs::expiry,
    keys::{self, Key},
    text::instant,
};
use crate::{
    access::AuditRecord,
    types::{Mode, OrganizationId, sha256_hex},
};

/// An event of the billing provider that was processed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingEvent {
    /// SHA-256 of its identifier, which the provider chose.
    hash: String,
    at: Timestamp,
    kept: SignedDuration,
}

impl BillingEvent {
    /// An event by its identifier, with the instant of its arrival and how long it is kept.
    pub fn new(id: &str, at: Timestamp, kept: SignedDuration) -> Self {
        BillingEvent { hash: sha256_hex(id.as_bytes()), at, kept }
    }
}

/// The facts that are read before a report of the provider is written.
#[derive(Debug, Clone)]
pub struct Known {
    /// Whether the organization exists.
    pub is_organization: bool,
    /// Whether the event was processed before.
    pub is_repeated: bool,
    /// Its subscription.
    pub subscription: Option<Subscription>,
}

/// A report of the provider, as it is written.
#[derive(Debug, Clone)]
pub struct Heard<'a> {
    /// The organization.
    pub organization_id: &'a OrganizationId,
    /// The subscription that was read, which must be unchanged.
    pub read: Option<&'a Subscription>,
    /// The new subscription; `None` when nothing changes.
    pub subscription: Option<Subscription>,
    /// The event that reported it.
    pub event: Option<&'a BillingEvent>,
}

/// A processed event, as it is stored.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remembered {
    organization_id: OrganizationId,
    at: String,
    ttl: i64,
}

/// The pointer to an organization whose subscription the provider reported.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Subscriber {
    organization_id: OrganizationId,
}

/// The condition that a subscription is as it was read. One without a version has the former key and was never changed.
pub(super) fn as_read(read: Option<&Subscription>) -> Expression {
    match read.map_or(0, |read| read.version) {
        0 => absent(),
        version => Expression::new("version = :read").number(":read", version),
    }
}

/// Where a subscription is, and where earlier versions stored it.
fn subscription_keys(id: &OrganizationId) -> [Key; 2] {
    [Key::subscription(id), Key::subscription_before(id)]
}

fn subscription_of(
    mut found: HashMap<Key, Item>,
    id: &OrganizationId,
) -> Result<Option<Subscription>, StoreError> {
    let item = subscription_keys(id).iter().find_map(|key| found.remove(key));
    item.map(from_item).transpose()
}

impl Store {
    /// An organization's subscription. Without one it cannot send in Live.
    pub async fn get_subscription(
        &self,
        id: &OrganizationId,
    ) -> Result<Option<Subscription>, StoreError> {
        subscription_of(self.get_many(subscription_keys(id)).await?, id)
    }

    /// The same, perhaps a little old, at half the cost.
    pub async fn get_subscription_lately(
        &self,
        id: &OrganizationId,
    ) -> Result<Option<Subscription>, StoreError> {
        subscription_of(self.get_many_lately(subscription_keys(id)).await?, id)
    }

    /// Replaces the subscription that was read, with the audit entry. `Lost` when it has changed: the caller reads
    /// again. An unknown outcome is read back.
    pub async fn put_subscription(
        &self,
        id: &OrganizationId,
        read: Option<&Subscription>,
        subscription: &Subscription,
        entry: &AuditRecord,
    ) -> Result<Recorded, StoreError> {
        let writes = vec![subscription_write(id, read, subscription)?, audit::write(entry)?];
        let written = self.transact(writes).await;
        self.subscribed(id, read, subscription, written).await
    }

    /// The facts for a report of the provider, with an event or without one. It takes one read.
    pub async fn get_known_billing(
        &self,
        id: &OrganizationId,
        event: Option<&BillingEvent>,
    ) -> Result<Known, StoreError> {
        let organization = Key::organization(Mode::Live, id);
        let event = event.map(|event| Key::billing_event(&event.hash));
        let others = [Some(&organization), event.as_ref()].into_iter().flatten().cloned();
        let found = self.get_many(subscription_keys(id).into_iter().chain(others)).await?;
        Ok(Known {
            is_organization: found.contains_key(&organization),
            is_repeated: event.is_some_and(|event| found.contains_key(&event)),
            subscription: subscription_of(found, id)?,
        })
    }

    /// Writes a report of the provider, if the subscription is as it was read and the event was not processed before.
    /// `Lost` otherwise: the caller reads again. An unknown outcome is read back.
    pub async fn record_heard(&self, heard: &Heard<'_>) -> Result<Recorded, StoreError> {
        let Heard { organization_id, read, subscription, event } = heard;
        let mut writes = Vec::new();
        if let Some(subscription) = subscription {
            writes.extend(heard_writes(organization_id, *read, subscription)?);
        }
        if let Some(event) = event {
            let key = Key::billing_event(&event.hash);
            let remembered = Remembered {
                organization_id: (*organization_id).clone(),
                at: instant(event.at),
                ttl: expiry(event.at, event.kept),
            };
            writes.push(Write::Put { item: to_item(key, &remembered)?, condition: absent() });
        }
        let written = match <[Write; 1]>::try_from(writes) {
            Ok([alone]) => self.write(alone).await,
            Err(writes) if writes.is_empty() => return Ok(Recorded::Done),
            Err(writes) => self.transact(writes).await,
        };
        match (event, subscription) {
            // A stored event was processed, by this attempt or another one.
            (Some(event), _) => {
                let current = match &written {
                    Ok(Written::Done) => return Ok(Recorded::Done),
                    _ => self.get_item(Key::billing_event(&event.hash)).await,
                };
                match (written, current) {
                    (_, Ok(Some(_))) => Ok(Recorded::Done),
                    (Ok(_), Ok(None)) => Ok(Recorded::Lost),
                    (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
                    (Err(error), _) => Err(error),
                }
            }
            (None, Some(subscription)) => {
                self.subscribed(organization_id, *read, subscription, written).await
            }
            (None, None) => Ok(Recorded::Done),
        }
    }

    /// The organizations whose subscriptions the provider has reported, in one of the shards.
    pub async fn list_subscribers(&self, shard: u8) -> Result<Vec<OrganizationId>, StoreError> {
        let found: Vec<Subscriber> =
            self.all(&keys::subscribers(shard), keys::ORGANIZATION).await?;
        Ok(found.into_iter().map(|found| found.organization_id).collect())
    }

    /// The outcome of writing a subscription.
    async fn subscribed(
        &self,
        id: &OrganizationId,
        read: Option<&Subscription>,
        subscription: &Subscription,
        written: Result<Written, StoreError>,
    ) -> Result<Recorded, StoreError> {
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let wanted = Some(next(read, subscription));
        match (written, self.get::<Subscription>(Key::subscription(id)).await) {
            (_, Ok(current)) if current == wanted => Ok(Recorded::Done),
            (Ok(_), Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }
}

/// The next version of a subscription. The version stays the same when the content is the same.
fn next(read: Option<&Subscription>, subscription: &Subscription) -> Subscription {
    let is_same = read.is_some_and(|read| read.says_the_same_as(subscription));
    let version = read.map_or(0, |read| read.version) + u64::from(!is_same);
    Subscription { version, ..subscription.clone() }
}

/// The writes of a provider's report. If its content is unchanged, the version stays, so concurrent readers are not
/// disturbed.
fn heard_writes(
    id: &OrganizationId,
    read: Option<&Subscription>,
    subscription: &Subscription,
) -> Result<Vec<Write>, StoreError> {
    if read.is_some_and(|known| known.says_the_same_as(subscription)) {
        return Ok(vec![Write::Update {
            key: Key::subscription(id),
            update: Update::new().set("confirmed_at", &subscription.confirmed_at)?.build(),
            condition: as_read(read),
        }]);
    }
    let key = Key::subscriber(id);
    let item = to_item(key, &Subscriber { organization_id: id.clone() })?;
    // The pointer has only its name and is never removed, so it can be written again.
    let pointer = Write::Put { item, condition: Expression::default() };
    Ok(vec![subscription_write(id, read, subscription)?, pointer])
}

fn subscription_write(
    id: &OrganizationId,
    read: Option<&Subscription>,
    subscription: &Subscription,
) -> Result<Write, StoreError> {
    let item = to_item(Key::subscription(id), &next(read, subscription))?;
    Ok(Write::Put { item, condition: as_read(read) })
}
