//! Subscriptions of organizations, as operators set them and as the billing provider says them.
//!
//! What the provider says is written together with the identifier of the event that said it, which is remembered for a
//! while: of any number of times that an event comes one is taken.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{
    Recorded, Store, StoreError, Subscription, audit,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item},
    jobs::expiry,
    keys::{self, Key},
    text::instant,
};
use crate::{
    access::AuditRecord,
    types::{Mode, OrganizationId, sha256_hex},
};

/// An event of the billing provider, as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingEvent {
    /// SHA-256 of its identifier, which the provider chose.
    hash: String,
    at: Timestamp,
    kept: SignedDuration,
}

impl BillingEvent {
    /// An event by its identifier, which came at an instant and is remembered for so long.
    pub fn new(id: &str, at: Timestamp, kept: SignedDuration) -> Self {
        BillingEvent { hash: sha256_hex(id.as_bytes()), at, kept }
    }
}

/// What is known where the provider says something of an organization.
#[derive(Debug, Clone)]
pub struct Known {
    /// Whether there is such an organization.
    pub is_organization: bool,
    /// Whether the event was taken before.
    pub is_repeated: bool,
    /// Its subscription.
    pub subscription: Option<Subscription>,
}

/// What the provider said, as it is written.
#[derive(Debug, Clone)]
pub struct Heard<'a> {
    /// Of whom.
    pub organization_id: &'a OrganizationId,
    /// What was read, which must still be so.
    pub read: Option<&'a Subscription>,
    /// What is known from now on; none where nothing changes.
    pub subscription: Option<Subscription>,
    /// The event that said it.
    pub event: Option<&'a BillingEvent>,
}

/// An event that was taken, as it is kept.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Remembered {
    organization_id: OrganizationId,
    at: String,
    ttl: i64,
}

/// The pointer to a subscription that the provider said something about.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Subscriber {
    organization_id: OrganizationId,
}

/// The condition of a subscription that is as it was read. An old one stands elsewhere, and was never changed.
pub(super) fn as_read(read: Option<&Subscription>) -> Expression {
    match read.map_or(0, |read| read.version) {
        0 => absent(),
        version => Expression::new("version = :read").number(":read", version),
    }
}

impl Store {
    /// An organization's subscription, without which it sends nothing in Live.
    pub async fn get_subscription(
        &self,
        id: &OrganizationId,
    ) -> Result<Option<Subscription>, StoreError> {
        let [key, before] = [Key::subscription(id), Key::subscription_before(id)];
        let mut found = self.get_many([key.clone(), before.clone()]).await?;
        found.remove(&key).or_else(|| found.remove(&before)).map(from_item).transpose()
    }

    /// Writes a subscription in place of the one that was read, with the entry that tells of it. `Lost` when another
    /// stands there meanwhile: read again. An unknown outcome is read back.
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

    /// What is known where the provider says something, by an event or without one: one read.
    pub async fn get_known_billing(
        &self,
        id: &OrganizationId,
        event: Option<&BillingEvent>,
    ) -> Result<Known, StoreError> {
        let [key, before] = [Key::subscription(id), Key::subscription_before(id)];
        let organization = Key::organization(Mode::Live, id);
        let event = event.map(|event| Key::billing_event(&event.hash));
        let wanted = [Some(&key), Some(&before), Some(&organization), event.as_ref()];
        let mut found = self.get_many(wanted.into_iter().flatten().cloned()).await?;
        let subscription = found.remove(&key).or_else(|| found.remove(&before));
        Ok(Known {
            is_organization: found.contains_key(&organization),
            is_repeated: event.is_some_and(|event| found.contains_key(&event)),
            subscription: subscription.map(from_item).transpose()?,
        })
    }

    /// Writes what the provider said, if what is known is as it was read and the event was not taken before. `Lost` when
    /// that is not so: read again. An unknown outcome is read back.
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
            // An event that is remembered was taken, by this attempt or another one.
            (Some(event), _) => {
                let stands = match &written {
                    Ok(Written::Done) => return Ok(Recorded::Done),
                    _ => self.get_item(Key::billing_event(&event.hash)).await,
                };
                match (written, stands) {
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

    /// The organizations of whose subscriptions the provider ever said something, in one of the shards.
    pub async fn list_subscribers(&self, shard: u8) -> Result<Vec<OrganizationId>, StoreError> {
        let found: Vec<Subscriber> =
            self.all(&keys::subscribers(shard), keys::ORGANIZATION).await?;
        Ok(found.into_iter().map(|found| found.organization_id).collect())
    }

    /// What came of writing a subscription.
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
            (_, Ok(stands)) if stands == wanted => Ok(Recorded::Done),
            (Ok(_), Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }
}

/// A subscription as it is written in place of another: with another version, unless that says the same.
fn next(read: Option<&Subscription>, subscription: &Subscription) -> Subscription {
    let is_same = read.is_some_and(|read| read.says_the_same_as(subscription));
    let version = read.map_or(0, |read| read.version) + u64::from(!is_same);
    Subscription { version, ..subscription.clone() }
}

/// The writes of what the provider said. Where it said so before, whoever relies on what he read goes on undisturbed.
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
    // It says no more than its name, and stays: it can be put again.
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
