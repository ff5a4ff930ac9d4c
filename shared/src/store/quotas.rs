//! The Sandbox quota: how many documents an organization may send on a day (UTC). Each organization has a counter,
//! which also holds its own limit if an operator set one. A send is one conditional write, as for
//! [`rates`](super::Rate). The first send of a day takes two.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{
    Rate, Store, StoreError, Taken, audit,
    dynamo::{Expression, Update, Updated, Write, from_item, unknown},
    keys::Key,
};
use crate::{access::AuditRecord, types::OrganizationId};

const DAY: i64 = 24 * 60 * 60;
/// How often a count is retried that coincides with the end of a day.
const ATTEMPTS: usize = 3;

/// The counter of an organization.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quota {
    /// Its own daily limit, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
    /// The default daily limit at its last send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usual: Option<u32>,
    /// The last day on which it sent a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// How many documents it sent on that day.
    #[serde(default)]
    pub taken: u32,
}

impl Quota {
    /// The documents that were sent on a day, and the limit that applies, if that is known.
    pub fn on(&self, day: Date) -> (u32, Option<u32>) {
        let is_of_day = self.day.as_ref() == Some(&day.to_string());
        (if is_of_day { self.taken } else { 0 }, self.most.or(self.usual))
    }
}

/// The day of the quota at an instant.
pub fn quota_day(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}

impl Store {
    /// Counts a send of an organization, whose default limit is `most` a day. A call that the SDK repeated may count
    /// twice. So fewer sends are allowed, never more.
    pub async fn take_send(
        &self,
        id: &OrganizationId,
        most: u32,
        now: Timestamp,
    ) -> Result<Taken, StoreError> {
        let day = quota_day(now).to_string();
        let wait = SignedDuration::from_secs(DAY - now.as_second().rem_euclid(DAY));
        let taken = |is_given, quota: &Quota| {
            let most = quota.most.unwrap_or(most);
            let rate = Rate { what: "SEND", most, window: SignedDuration::from_secs(DAY) };
            Taken { is_given, rate, remaining: most.saturating_sub(quota.taken), wait }
        };
        for _ in 0..ATTEMPTS {
            let update = Expression::new("SET taken = taken + :one, usual = :usual")
                .number(":one", 1)
                .number(":usual", most);
            // A clock that is ahead may have begun the next day.
            let left = Expression::new(
                "#day >= :day AND (taken < most OR (attribute_not_exists(most) AND taken < :most))",
            )
            .name("#day", "day")
            .text(":day", &day)
            .number(":most", most);
            let found = match self.update(Key::quota(id), update, Some(left)).await? {
                Updated::Done(item) => return Ok(taken(true, &from_item(item)?)),
                Updated::Refused(item) => from_item::<Quota>(item)?,
            };
            let is_today = found.day.as_ref().is_some_and(|last| *last >= day);
            if is_today || found.most.unwrap_or(most) == 0 {
                return Ok(taken(false, &found));
            }
            let begin = Expression::new("SET #day = :day, taken = :one, usual = :usual")
                .name("#day", "day")
                .text(":day", &day)
                .number(":one", 1)
                .number(":usual", most);
            let before = Expression::new("attribute_not_exists(#day) OR #day < :day");
            if let Updated::Done(item) = self.update(Key::quota(id), begin, Some(before)).await? {
                return Ok(taken(true, &from_item(item)?));
            }
        }
        Err(unknown("the day does not begin"))
    }

    /// The quota of an organization and its use.
    pub async fn get_quota(&self, id: &OrganizationId) -> Result<Quota, StoreError> {
        Ok(self.get(Key::quota(id)).await?.unwrap_or_default())
    }

    /// Sets or removes an organization's own limit, with the audit entry.
    pub async fn set_quota(
        &self,
        id: &OrganizationId,
        most: Option<u32>,
        entry: &AuditRecord,
    ) -> Result<(), StoreError> {
        let update = match most {
            Some(most) => Update::new().set("most", &most)?,
            None => Update::new().remove("most"),
        };
        let set = Write::Update {
            key: Key::quota(id),
            update: update.build(),
            condition: Expression::default(),
        };
        // A refusal means that a repeated attempt met its own entry, so the limit is set.
        self.transact(vec![set, audit::write(entry)?]).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::testing::World;

    const RATE: Rate = Rate { what: "SEND", most: 2, window: SignedDuration::from_hours(24) };

    #[tokio::test]
    async fn a_day_gives_what_it_allows_and_the_next_one_again() {
        let world = World::new().await;
        let (id, other) = ("org_1".parse().unwrap(), "org_2".parse().unwrap());
        let take = async |id| world.ctx.store.take_send(id, 2, world.now()).await.unwrap();
        // It is eight o'clock.
        let wait = SignedDuration::from_hours(16);
        for remaining in [1, 0] {
            let taken = take(&id).await;
            assert_eq!(taken, Taken { is_given: true, rate: RATE, remaining, wait });
        }
        assert_eq!(take(&id).await, Taken { is_given: false, rate: RATE, remaining: 0, wait });
        assert!(take(&other).await.is_given, "somebody else");
        // What is its own counts.
        world.put(Key::quota(&other), &BTreeMap::from([("most", 0)])).await;
        assert!(!take(&other).await.is_given);
        world.clock.advance(wait);
        let taken = take(&id).await;
        assert_eq!((taken.is_given, taken.remaining), (true, 1));
        assert_eq!(taken.wait, SignedDuration::from_hours(24));
        assert!(!take(&other).await.is_given);
    }

    #[tokio::test]
    async fn of_many_at_once_as_many_get_one_as_there_are_also_at_the_end_of_a_day() {
        let world = World::new().await;
        for _ in 0..2 {
            let tries: Vec<_> = (0..20)
                .map(|_| {
                    let ctx = world.ctx.clone();
                    tokio::spawn(async move {
                        let id = "org_1".parse().unwrap();
                        ctx.store.take_send(&id, 3, ctx.now()).await.unwrap().is_given
                    })
                })
                .collect();
            let mut given = 0;
            for one in tries {
                given += u32::from(one.await.unwrap());
            }
            assert_eq!(given, 3);
            world.clock.advance(SignedDuration::from_hours(24));
        }
    }
}
