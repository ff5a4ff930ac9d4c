//! The events of an organization, their deliveries and the attempts. An organization has a pointer to each event that
//! concerned it when the event was relayed, with or without an endpoint.

use jiff::{SignedDuration, Timestamp};

use super::{
    AttemptExchange, AttemptRecord, DeliveryRecord, DeliveryStatus, EventOfDocument, EventPointer,
    EventRecord, EventType, Position, Store, StoreError, audit,
    deliveries::{self, listed},
    dynamo::{Expression, Item, Write, absent, corrupt, expiring, from_item, to_item, unknown},
    events,
    jobs::{Due, EVENT_KEPT, expiry, mark},
    keys::{self, DeliveryList, EVENT_SHARDS, Key},
    listing::{Filter, PositionedPage, READ_TOGETHER, created_between},
};
use crate::{
    access::AuditRecord,
    types::{DocumentId, EndpointId, EventId, Mode, OrganizationId, TaxpayerId},
};

/// How long an organization can find an event.
pub const EVENT_SHOWN: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The maximum number of deliveries on a page: the limit of one read, which includes the endpoint.
const DELIVERIES_TOGETHER: usize = READ_TOGETHER - 1;

/// Which events to list. All given conditions must hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventSelection<'a> {
    /// The type of the event.
    pub event_type: Option<EventType>,
    /// The taxpayer that it is about.
    pub taxpayer_id: Option<&'a TaxpayerId>,
    /// The document that it is about.
    pub document_id: Option<&'a DocumentId>,
    /// The first and the last instant of creation.
    pub created: (Option<Timestamp>, Option<Timestamp>),
}

/// The state of a delivery, as the API shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// The first attempt of the schedule is pending.
    Pending,
    /// An attempt is running.
    Delivering,
    /// Attempts failed, and another one follows.
    Failing,
    /// The endpoint accepted it.
    Delivered,
    /// All attempts failed.
    Failed,
    /// A state of a newer version.
    Unknown,
}

impl DeliveryRecord {
    /// The state of the delivery.
    pub fn state(&self) -> DeliveryState {
        if self.parked.is_some() {
            return DeliveryState::Failed;
        }
        match self.status {
            DeliveryStatus::Due if self.begun() == 0 => DeliveryState::Pending,
            DeliveryStatus::Due => DeliveryState::Failing,
            DeliveryStatus::Delivering => DeliveryState::Delivering,
            DeliveryStatus::Delivered => DeliveryState::Delivered,
            DeliveryStatus::Exhausted => DeliveryState::Failed,
            DeliveryStatus::Unknown => DeliveryState::Unknown,
        }
    }
}

/// An event that an organization received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedEvent {
    /// The event.
    pub event: EventRecord,
    /// Whether it is a test event of the organization.
    pub test: bool,
}

/// An organization's pointer to an event. The content is the same at each repetition.
pub(super) fn pointer_item(
    mode: Mode,
    organization_id: &OrganizationId,
    pointer: &EventPointer,
    created_at: Timestamp,
) -> Result<Item, StoreError> {
    let key = Key::event_pointer(mode, organization_id, pointer);
    Ok(expiring(to_item(key, pointer)?, expiry(created_at, EVENT_SHOWN)))
}

impl Store {
    /// The events about a document that an organization received, the latest first, at most `most`.
    pub async fn list_events_about(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        document_id: &DocumentId,
        most: i32,
    ) -> Result<Vec<EventOfDocument>, StoreError> {
        let partition = keys::events_about(mode, organization_id, document_id);
        self.latest(&partition, keys::PUBLISHED, most).await
    }

    /// A page of at most `limit` (1 to 100) events of an organization, newest first.
    pub async fn list_events(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        selection: &EventSelection<'_>,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<PositionedPage<PublishedEvent>, StoreError> {
        let floor = |at| EventId::floor(at).to_string();
        let range = created_between(EventId::PREFIX, floor, selection.created);
        let Some(range) = range else { return Ok(PositionedPage::empty()) };
        let mut filter = Filter::default();
        filter.equal("event_type", selection.event_type.map(|it| it.as_str().to_owned()));
        filter.equal("taxpayer_id", selection.taxpayer_id.map(ToString::to_string));
        filter.equal("document_id", selection.document_id.map(ToString::to_string));
        let partitions =
            (0..EVENT_SHARDS).map(|shard| keys::event_pointers(mode, organization_id, shard));
        let (sorts, next) = self.list_pointers(partitions, range, &filter, from, limit).await?;
        let mut wanted = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let (key, test) = event_behind(mode, organization_id, &sort)?;
            wanted.push((sort, key, test));
        }
        let mut found = self.get_many(wanted.iter().map(|(_, key, _)| key.clone())).await?;
        let mut items = Vec::with_capacity(wanted.len());
        for (sort, key, test) in wanted {
            let Some(item) = found.remove(&key) else { continue };
            let published = PublishedEvent { event: from_item(item)?, test };
            items.push((published, Position { sort, sparse: false }));
        }
        Ok(PositionedPage { items, next })
    }

    /// An event of an organization.
    pub async fn get_published_event(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        event_id: &EventId,
    ) -> Result<Option<PublishedEvent>, StoreError> {
        let partition = keys::event_pointers_with(mode, organization_id, event_id);
        let earlier = keys::earlier_event_pointers_with(mode, organization_id, event_id);
        let prefix = keys::event_pointer_prefix(event_id);
        let mut pointers: Vec<EventPointer> = self.all(&partition, &prefix).await?;
        if pointers.is_empty() && earlier != partition {
            pointers = self.all(&earlier, &prefix).await?;
        }
        let Some(pointer) = pointers.into_iter().next() else { return Ok(None) };
        let key = match pointer.test {
            true => Key::test_event(mode, organization_id, event_id),
            false => Key::event(mode, &pointer.taxpayer_id, event_id),
        };
        let event = self.get(key).await?;
        Ok(event.map(|event| PublishedEvent { event, test: pointer.test }))
    }

    /// Records a test event with its pointer, its one delivery (for the relay), and the audit entry.
    pub async fn create_test(
        &self,
        event: &EventRecord,
        delivery: &DeliveryRecord,
        sweep_at: Timestamp,
        entry: &AuditRecord,
    ) -> Result<(), StoreError> {
        let DeliveryRecord { mode, organization_id, endpoint_id, event_id, .. } = delivery;
        let item = events::item(Key::test_event(*mode, organization_id, event_id), event)?;
        let item = expiring(item, expiry(event.created_at, EVENT_KEPT));
        let pointer = EventPointer::to(event, true);
        let pointer = pointer_item(*mode, organization_id, &pointer, event.created_at)?;
        let key = Key::delivery(*mode, organization_id, endpoint_id, event_id);
        let mut due = deliveries::item(key.clone(), delivery)?;
        mark(&mut due, *mode, &key, Due::relayed(sweep_at));
        let writes = vec![
            Write::Put { item, condition: absent() },
            Write::Put { item: pointer, condition: Expression::default() },
            Write::Put { item: due, condition: absent() },
            listed(delivery, DeliveryList::All),
            audit::write(entry)?,
        ];
        match self.created(self.transact(writes).await, key, delivery).await? {
            true => Ok(()),
            false => Err(unknown("another test event has the name of this one")),
        }
    }

    /// The deliveries of an event to endpoints, in their order, in one read.
    pub async fn get_deliveries_of(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        endpoints: &[&EndpointId],
        event_id: &EventId,
    ) -> Result<Vec<DeliveryRecord>, StoreError> {
        let key = |id: &&EndpointId| Key::delivery(mode, organization_id, id, event_id);
        let mut found = self.get_many(endpoints.iter().map(key)).await?;
        let items = endpoints.iter().filter_map(|endpoint| found.remove(&key(endpoint)));
        items.map(from_item).collect()
    }

    /// A page of deliveries to an endpoint, those of the newest events first, at most `limit` and at most 99. It has
    /// deliveries in one of the states, if any are given, of events that were created at an instant or later. `None`
    /// when there is no such endpoint.
    pub async fn list_deliveries(
        &self,
        mode: Mode,
        (organization_id, endpoint_id): (&OrganizationId, &EndpointId),
        states: &[DeliveryState],
        since: Option<Timestamp>,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<Option<PositionedPage<DeliveryRecord>>, StoreError> {
        let prefix = format!("{}{}", keys::DELIVERY_POINTER, EventId::PREFIX);
        let floor = |at| format!("{}{}", keys::DELIVERY_POINTER, EventId::floor(at));
        let (list, limit) = (list_of(states), limit.min(DELIVERIES_TOGETHER));
        let partitions = (0..EVENT_SHARDS)
            .map(|shard| keys::deliveries(mode, organization_id, endpoint_id, list, shard));
        // The state of a delivery changes, so its pointer does not have it.
        let read = if states.is_empty() { limit } else { DELIVERIES_TOGETHER };
        let (sorts, next) = match created_between(&prefix, floor, (since, None)) {
            None => (Vec::new(), None),
            Some(range) => {
                let all = &Filter::default();
                self.list_pointers(partitions, range, all, from, read).await?
            }
        };
        let mut wanted = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let id = sort.strip_prefix(keys::DELIVERY_POINTER).unwrap_or(&sort);
            let id: EventId = id.parse().map_err(corrupt)?;
            wanted.push((sort, Key::delivery(mode, organization_id, endpoint_id, &id)));
        }
        let endpoint = Key::endpoint(mode, organization_id, endpoint_id);
        let keys = wanted.iter().map(|(_, key)| key.clone()).chain([endpoint.clone()]);
        let mut found = self.get_many(keys).await?;
        if !found.contains_key(&endpoint) {
            return Ok(None);
        }
        let mut items = Vec::with_capacity(wanted.len());
        for (sort, key) in wanted {
            let Some(item) = found.remove(&key) else { continue };
            let delivery: DeliveryRecord = from_item(item)?;
            if states.is_empty() || states.contains(&delivery.state()) {
                items.push((delivery, Position { sort, sparse: false }));
            }
        }
        Ok(Some(PositionedPage::of(items, next, limit)))
    }

    /// The exchanges of a delivery's attempts.
    pub async fn list_exchanges_of(
        &self,
        delivery: &DeliveryRecord,
    ) -> Result<Vec<AttemptExchange>, StoreError> {
        let mut exchanges = delivery.exchanges.clone();
        let mut numbers = delivery.results.iter().filter_map(|result| result.number);
        if numbers.all(|number| exchanges.iter().any(|it| it.number == number)) {
            return Ok(exchanges);
        }
        let DeliveryRecord { mode, organization_id, endpoint_id, event_id, .. } = delivery;
        let partition = keys::attempts(*mode, organization_id, endpoint_id, event_id);
        let long: Vec<AttemptRecord> = self.all(&partition, keys::ATTEMPT).await?;
        exchanges.extend(long.into_iter().map(AttemptExchange::from));
        Ok(exchanges)
    }
}

/// The key of a pointer's event, and whether it is a test.
fn event_behind(
    mode: Mode,
    organization_id: &OrganizationId,
    sort: &str,
) -> Result<(Key, bool), StoreError> {
    let (event_id, taxpayer_id) = sort.split_once('#').unwrap_or((sort, ""));
    let event_id: EventId = event_id.parse().map_err(corrupt)?;
    if taxpayer_id.is_empty() {
        return Ok((Key::test_event(mode, organization_id, &event_id), true));
    }
    let taxpayer_id: TaxpayerId = taxpayer_id.parse().map_err(corrupt)?;
    Ok((Key::event(mode, &taxpayer_id, &event_id), false))
}

/// The shortest list that contains every delivery in one of the states; the list of all when none are given.
fn list_of(states: &[DeliveryState]) -> DeliveryList {
    let has_failed = |state| matches!(state, &DeliveryState::Failing | &DeliveryState::Failed);
    match !states.is_empty() && states.iter().all(has_failed) {
        true => DeliveryList::Failed,
        false => DeliveryList::All,
    }
}
