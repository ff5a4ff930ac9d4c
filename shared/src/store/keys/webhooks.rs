//! Keys of events, of the endpoints that they go to, and of their deliveries.

use super::{EVENT, EVENT_SHARDS, Key, organization, shard_of, taxpayer};
use crate::{
    store::{AttemptRecord, EventPointer},
    types::{EndpointId, EventId, Mode, OrganizationId, TaxpayerId},
};

/// Sort key of a delivery.
pub const DELIVERY: &str = "DELIVERY";

/// Prefix of the sort keys of pointers to deliveries.
pub const DELIVERY_POINTER: &str = "POINTER#";

/// Prefix of the sort keys of attempts.
pub const ATTEMPT: &str = "ATTEMPT#";

/// Prefix of the sort keys of deleted endpoints.
pub const DELETED: &str = "DELETED#";

/// Prefix of the sort keys of endpoints.
pub const ENDPOINT: &str = "ENDPOINT#";

/// The number of partitions that each have the version of an organization's endpoints. The relay reads one of them for
/// every few events, at 1 unit. So an organization can have 12,000 such reads a second.
pub const VERSION_SHARDS: u8 = 4;

/// The partition of the version that is read for an event.
pub fn version_shard(event_id: &EventId) -> u8 {
    shard_of(event_id.as_str(), VERSION_SHARDS)
}

/// A list of the deliveries to an endpoint, those of the newest events first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryList {
    /// All deliveries.
    All,
    /// Deliveries with a failed attempt, until an attempt succeeds.
    Failed,
}

/// The partition of an organization's endpoints. It is not the partition of the profile: the function `deliver` may
/// switch an endpoint off, but must not write profiles and grants.
pub fn endpoints(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#ENDPOINTS", organization(mode, id))
}

/// The partition of one shard of a list of the deliveries to an endpoint.
pub(in crate::store) fn deliveries(
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint: &EndpointId,
    list: DeliveryList,
    shard: u8,
) -> String {
    let name = match list {
        DeliveryList::All => "ALL",
        DeliveryList::Failed => "FAILED",
    };
    format!("{}#DELIVERIES#{endpoint}#{name}#{shard}", organization(mode, organization_id))
}

/// The partition of the long attempts at a delivery.
pub(in crate::store) fn attempts(
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint: &EndpointId,
    event: &EventId,
) -> String {
    format!("{}#ATTEMPTS#{endpoint}#{event}", organization(mode, organization_id))
}

/// The partition of one shard of an organization's pointers to events.
pub(in crate::store) fn event_pointers(
    mode: Mode,
    organization_id: &OrganizationId,
    shard: u8,
) -> String {
    format!("{}#EVENTS#{shard}", organization(mode, organization_id))
}

/// The shard of event pointers that contains an event.
pub(in crate::store) fn event_pointers_with(
    mode: Mode,
    organization_id: &OrganizationId,
    event: &EventId,
) -> String {
    event_pointers(mode, organization_id, shard_of(event.as_str(), EVENT_SHARDS))
}

/// The shard in which an earlier version put the pointers to an event. They expire with the event's place in the list.
pub(in crate::store) fn earlier_event_pointers_with(
    mode: Mode,
    organization_id: &OrganizationId,
    event: &EventId,
) -> String {
    event_pointers(mode, organization_id, shard_of(event.as_str(), super::LIST_SHARDS))
}

/// Prefix of the sort keys of pointers to an event. It is the whole sort key of a test event's pointer.
pub(in crate::store) fn event_pointer_prefix(event: &EventId) -> String {
    format!("{event}#")
}

impl Key {
    /// An event.
    pub fn event(mode: Mode, taxpayer_id: &TaxpayerId, id: &EventId) -> Self {
        Key::new(format!("{}#EVENT#{id}", taxpayer(mode, taxpayer_id)), EVENT)
    }

    /// A test event of an organization. It is in the organization's partition, because it belongs to no taxpayer.
    pub fn test_event(mode: Mode, organization_id: &OrganizationId, id: &EventId) -> Self {
        Key::new(format!("{}#EVENT#{id}", organization(mode, organization_id)), EVENT)
    }

    /// An organization's pointer to an event, in the order of events.
    pub fn event_pointer(
        mode: Mode,
        organization_id: &OrganizationId,
        EventPointer { event_id, taxpayer_id, test, .. }: &EventPointer,
    ) -> Self {
        let partition = event_pointers_with(mode, organization_id, event_id);
        let sort = match test {
            true => event_pointer_prefix(event_id),
            false => format!("{}{taxpayer_id}", event_pointer_prefix(event_id)),
        };
        Key::new(partition, sort)
    }

    /// A webhook endpoint.
    pub fn endpoint(mode: Mode, organization_id: &OrganizationId, id: &EndpointId) -> Self {
        Key::new(endpoints(mode, organization_id), format!("{ENDPOINT}{id}"))
    }

    /// The count of an organization's added endpoints, in the partition of the endpoints.
    pub fn endpoint_additions(mode: Mode, organization_id: &OrganizationId) -> Self {
        Key::new(endpoints(mode, organization_id), "ADDITIONS")
    }

    /// The version of an organization's endpoints, in one of [`VERSION_SHARDS`] partitions.
    pub fn endpoints_version(mode: Mode, organization_id: &OrganizationId, shard: u8) -> Self {
        Key::new(format!("{}#{shard}", endpoints(mode, organization_id)), "VERSION")
    }

    /// The remaining facts about a deleted endpoint.
    pub fn deleted_endpoint(mode: Mode, organization_id: &OrganizationId, id: &EndpointId) -> Self {
        Key::new(endpoints(mode, organization_id), format!("{DELETED}{id}"))
    }

    /// The delivery of an event to an endpoint.
    pub fn delivery(
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint: &EndpointId,
        event: &EventId,
    ) -> Self {
        let owner = organization(mode, organization_id);
        Key::new(format!("{owner}#DELIVERY#{endpoint}#{event}"), DELIVERY)
    }

    /// The pointer to a delivery in a list.
    pub fn in_deliveries(
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint: &EndpointId,
        list: DeliveryList,
        event: &EventId,
    ) -> Self {
        let shard = shard_of(event.as_str(), EVENT_SHARDS);
        let partition = deliveries(mode, organization_id, endpoint, list, shard);
        Key::new(partition, format!("{DELIVERY_POINTER}{event}"))
    }

    /// The request and the response of an attempt at a delivery, if they are long.
    pub fn attempt(attempt: &AttemptRecord) -> Self {
        let AttemptRecord { mode, organization_id, endpoint_id, event_id, number, .. } = attempt;
        let partition = attempts(*mode, organization_id, endpoint_id, event_id);
        Key::new(partition, format!("{ATTEMPT}{number:05}"))
    }

    /// The circuit breaker of an endpoint, in a partition of its own because it is as busy as the endpoint.
    pub fn endpoint_breaker(
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint: &EndpointId,
    ) -> Self {
        Key::new(format!("{}#GATE#{endpoint}", organization(mode, organization_id)), "GATE")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::Timestamp;

    use super::*;
    use crate::{store::keys::DUE_SHARDS, types::SeededRandom};

    #[test]
    fn the_deliveries_of_one_endpoint_are_spread_over_every_shard_of_the_index_and_their_list() {
        let random = SeededRandom::new(1);
        let organization = OrganizationId::new(Timestamp::UNIX_EPOCH, &random);
        let endpoint = EndpointId::new(Timestamp::UNIX_EPOCH, &random);
        let (mut due, mut listed) = (BTreeMap::new(), BTreeMap::new());
        for _ in 0..6_400 {
            let event = EventId::new(Timestamp::UNIX_EPOCH, &random);
            let key = Key::delivery(Mode::Live, &organization, &endpoint, &event);
            *due.entry(key.due_partition(Mode::Live)).or_insert(0) += 1;
            let all = DeliveryList::All;
            let pointer = Key::in_deliveries(Mode::Live, &organization, &endpoint, all, &event);
            *listed.entry(pointer.pk).or_insert(0) += 1;
        }
        assert_eq!((due.len(), listed.len()), (usize::from(DUE_SHARDS), usize::from(EVENT_SHARDS)));
        // The averages are 100 and 800. The bounds are more than three standard deviations away.
        assert!(due.values().all(|n| (60..=140).contains(n)), "{due:?}");
        assert!(listed.values().all(|n| (700..=900).contains(n)), "{listed:?}");
    }
}
