//! Subscriptions of organizations, and the seats in use: one for each taxpayer on whom an organization holds an active
//! grant in Live.
//!
//! Seats are counted in an item of their own, which every transaction writes that connects a taxpayer or disconnects it:
//! whoever makes grants writes no subscription, and who hears from the billing provider counts no seats. An organization
//! that was there before seats were counted has none of these items: then the connections are counted, and the first
//! such transaction writes down what was found, if nobody else did meanwhile.
//!
//! What the billing provider says is written together with the identifier of the event that said it, which is remembered
//! for a while: of any number of times that an event comes one is taken.

use aws_sdk_dynamodb::types::{AttributeValue, Select};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{
    Recorded, Store, StoreError, Subscription, audit,
    dynamo::{Expression, Update, Write, Written, absent, from_item, to_item, unavailable},
    keys::{self, CONNECTION, Key},
    relaying::expiry,
    text::instant,
};
use crate::{
    access::AuditRecord,
    types::{Mode, OrganizationId, sha256_hex},
};

/// What decides whether an organization may connect another taxpayer in Live, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Billing {
    /// What it has paid for; none if it never did.
    pub subscription: Option<Subscription>,
    /// How many seats are in use.
    pub in_use: u32,
    /// Whether that stands in the table; otherwise it was counted.
    is_kept: bool,
}

/// What becomes of a seat with a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// It is taken, if the subscription is as it was read and pays for one more.
    Taken,
    /// It is taken, whatever was paid.
    Given,
    /// It is free again.
    Freed,
}

/// A seat that is taken or freed, and what was read of those of its organization.
#[derive(Debug, Clone, Copy)]
pub struct SeatChange<'a> {
    /// What becomes of it.
    pub seat: Seat,
    /// What was read.
    pub billing: &'a Billing,
}

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

#[derive(Serialize, Deserialize)]
struct Remembered {
    organization_id: OrganizationId,
    at: String,
    ttl: i64,
}

/// The pointer to a subscription that the provider said something about.
#[derive(Serialize, Deserialize)]
struct Subscriber {
    organization_id: OrganizationId,
}

#[derive(Serialize, Deserialize)]
struct Seats {
    in_use: u32,
}

impl Billing {
    /// Whether one more taxpayer is paid for. It does not say whether the subscription is active.
    pub fn has_room(&self) -> bool {
        let seats = self.subscription.as_ref().and_then(|subscription| subscription.seats);
        seats.is_none_or(|seats| self.in_use < seats)
    }
}

/// The writes by which a grant takes a seat or frees it.
pub(super) fn seat_writes(
    organization_id: &OrganizationId,
    SeatChange { seat, billing }: SeatChange<'_>,
) -> Result<Vec<Write>, StoreError> {
    let key = Key::seats(organization_id);
    let Billing { subscription, in_use, is_kept } = billing;
    let mut writes = Vec::new();
    if seat == Seat::Taken {
        let key = Key::subscription(organization_id);
        writes.push(Write::Check { key, condition: as_read(subscription.as_ref()) });
    }
    let counted = match seat {
        Seat::Taken | Seat::Given => in_use.saturating_add(1),
        Seat::Freed => in_use.saturating_sub(1),
    };
    if !is_kept {
        let item = to_item(key, &Seats { in_use: counted })?;
        writes.push(Write::Put { item, condition: absent() });
        return Ok(writes);
    }
    let (step, condition) = match seat {
        Seat::Taken => match subscription.as_ref().and_then(|subscription| subscription.seats) {
            Some(seats) => ("+", Expression::new("in_use < :most").number(":most", seats)),
            None => ("+", Expression::new("attribute_exists(pk)")),
        },
        Seat::Given => ("+", Expression::new("attribute_exists(pk)")),
        // A taxpayer can always take back what it granted, whatever is wrong with our counting.
        Seat::Freed if *in_use == 0 => {
            tracing::error!(%organization_id, "a seat is freed, and none was in use");
            return Ok(writes);
        }
        Seat::Freed => ("-", Expression::new("in_use > :none").number(":none", 0)),
    };
    let update = Expression::new(format!("SET in_use = in_use {step} :one")).number(":one", 1);
    writes.push(Write::Update { key, update, condition });
    Ok(writes)
}

/// The condition of a subscription that is as it was read. An old one stands elsewhere, and was never changed.
fn as_read(read: Option<&Subscription>) -> Expression {
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

    /// An organization's subscription, and how many of its seats are in use.
    pub async fn get_billing(&self, id: &OrganizationId) -> Result<Billing, StoreError> {
        let [key, before] = [Key::subscription(id), Key::subscription_before(id)];
        let seats = Key::seats(id);
        let mut found = self.get_many([key.clone(), before.clone(), seats.clone()]).await?;
        let subscription = found.remove(&key).or_else(|| found.remove(&before));
        let subscription = subscription.map(from_item).transpose()?;
        let kept: Option<Seats> = found.remove(&seats).map(from_item).transpose()?;
        let is_kept = kept.is_some();
        let in_use = match kept {
            Some(Seats { in_use }) => in_use,
            None => self.count_connections(id).await?,
        };
        Ok(Billing { subscription, in_use, is_kept })
    }

    /// On how many taxpayers an organization holds an active grant in Live.
    async fn count_connections(&self, id: &OrganizationId) -> Result<u32, StoreError> {
        let (mut count, mut start) = (0_u32, None);
        loop {
            let page = self
                .dynamo
                .query()
                .table_name(&*self.table)
                .select(Select::Count)
                .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
                .filter_expression("#active > :none")
                .expression_attribute_names("#active", "active")
                .expression_attribute_values(":pk", AttributeValue::S(keys::grants(Mode::Live, id)))
                .expression_attribute_values(":prefix", AttributeValue::S(CONNECTION.to_owned()))
                .expression_attribute_values(":none", AttributeValue::N("0".to_owned()))
                .consistent_read(true)
                .set_exclusive_start_key(start)
                .send()
                .await
                .map_err(unavailable)?;
            count = count.saturating_add(u32::try_from(page.count).unwrap_or_default());
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(count);
            }
        }
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
