//! The seats in use: one for each taxpayer on whom an organization holds an active grant in Live.
//!
//! They are counted in a separate item, which every transaction that connects or disconnects a taxpayer writes. So the
//! function that creates grants writes no subscription, and the function that receives billing events writes no seats.
//! An organization that is older than this count has no such item. Then the connections are counted, and the first such
//! transaction stores the result, if no other one has.

use aws_sdk_dynamodb::types::{AttributeValue, Select};
use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError, Subscription,
    dynamo::{Expression, Write, absent, from_item, to_item, unavailable},
    keys::{self, CONNECTION, Key},
    subscriptions::as_read,
};
use crate::types::{Mode, OrganizationId};

/// The facts that decide whether an organization may connect another taxpayer in Live, as they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Billing {
    /// What it has paid for; `None` if it never has.
    pub subscription: Option<Subscription>,
    /// How many seats are in use.
    pub in_use: u32,
    /// Whether the number is stored; otherwise the connections were counted.
    is_kept: bool,
}

/// The change of a seat by a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Takes a seat, if the subscription is as it was read and pays for one more.
    Taken,
    /// Takes a seat, whatever was paid.
    Given,
    /// Frees a seat.
    Freed,
}

/// A change of a seat, with the billing facts that were read.
#[derive(Debug, Clone, Copy)]
pub struct SeatChange<'a> {
    /// The change.
    pub seat: Seat,
    /// The facts that were read.
    pub billing: &'a Billing,
}

/// The stored number of an organization's seats in use.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seats {
    in_use: u32,
}

impl Billing {
    /// Whether one more taxpayer is paid for. It does not check that the subscription is active.
    pub fn has_room(&self) -> bool {
        let seats = self.subscription.as_ref().and_then(|subscription| subscription.seats);
        seats.is_none_or(|seats| self.in_use < seats)
    }
}

/// The writes by which a grant takes or frees a seat.
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
        // A taxpayer can always revoke a grant, even if the count is wrong.
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

impl Store {
    /// An organization's subscription and the number of its seats in use.
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

    /// The number of taxpayers on which an organization has an active grant in Live.
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
}
