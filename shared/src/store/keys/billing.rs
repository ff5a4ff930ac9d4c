//! Keys of what organizations pay for: subscriptions, seats, quotas and usage.

use jiff::{civil::Date, tz::TimeZone};

use super::{EVENT, Key, ORGANIZATION, organization, shard_of};
use crate::{
    store::{DailyList, UsageRecord},
    types::{Mode, OrganizationId},
};

/// The number of partitions over which the usage of a day is spread. A usage record costs 2 units, so all taxpayers
/// together can send 8,000 Live documents a second.
pub const USAGE_SHARDS: u8 = 16;

/// The number of partitions over which the pointers to subscriptions are spread.
pub const SUBSCRIBER_SHARDS: u8 = 4;

/// Sort key of a subscription.
pub const SUBSCRIPTION: &str = "SUBSCRIPTION";

/// The partition of one shard of the usage of a day.
pub(in crate::store) fn usage(day: Date, shard: u8) -> String {
    format!("{}#USAGE#{day}#{shard}", Mode::Live.key())
}

/// The partition of one shard of the pointers to subscriptions.
pub(in crate::store) fn subscribers(shard: u8) -> String {
    format!("{}#SUBSCRIBERS#{shard}", Mode::Live.key())
}

impl Key {
    /// An organization's subscription. Live only. It is not in the organization's own partition: the function that
    /// receives billing events must not write profiles.
    pub fn subscription(id: &OrganizationId) -> Self {
        let owner = organization(Mode::Live, id);
        Key::new(format!("{owner}#{SUBSCRIPTION}"), SUBSCRIPTION)
    }

    /// The former key of subscriptions. It is still read, and never written.
    pub fn subscription_before(id: &OrganizationId) -> Self {
        Key::new(organization(Mode::Live, id), SUBSCRIPTION)
    }

    /// An organization's Sandbox quota. Live has no quotas.
    pub fn quota(id: &OrganizationId) -> Self {
        Key::new(format!("{}#QUOTA", organization(Mode::Sandbox, id)), "QUOTA")
    }

    /// The usage record that bills a document. Live only.
    pub fn usage(UsageRecord { document_id, at, .. }: &UsageRecord) -> Self {
        let shard = shard_of(document_id.as_str(), USAGE_SHARDS);
        Key::new(usage(at.to_zoned(TimeZone::UTC).date(), shard), document_id.to_string())
    }

    /// The last day whose usage was exported.
    pub fn usage_exported() -> Self {
        Key::new(format!("{}#USAGE", Mode::Live.key()), "EXPORTED")
    }

    /// How far the documents of a shard of a list were visited to retire items of theirs. Live only.
    pub fn retirement(list: DailyList, shard: u8) -> Self {
        let sort = match list {
            DailyList::Sent => format!("SHARD#{shard}"),
            DailyList::Received => format!("RECEIVED#{shard}"),
        };
        Key::new(format!("{}#RETIREMENT", Mode::Live.key()), sort)
    }

    /// The pointer to an organization whose subscription the billing provider reported.
    pub fn subscriber(id: &OrganizationId) -> Self {
        let shard = shard_of(id.as_str(), SUBSCRIBER_SHARDS);
        Key::new(subscribers(shard), format!("{ORGANIZATION}{id}"))
    }

    /// Marks an event of the billing provider as processed. Its identifier is hashed.
    pub fn billing_event(hash: &str) -> Self {
        Key::new(format!("{}#BILLING#{hash}", Mode::Live.key()), EVENT)
    }

    /// The number of an organization's seats in use. It is apart from the subscription: the function that creates
    /// grants must not write that.
    pub fn seats(id: &OrganizationId) -> Self {
        Key::new(format!("{}#SEATS", organization(Mode::Live, id)), "SEATS")
    }
}
