//! What an organization heard: a pointer to each event that it was concerned by when the event was relayed, whether it had
//! an endpoint or not; the deliveries; and what each attempt said.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};

use super::{
    AttemptRecord, DELIVERY_KEPT, DeliveryRecord, DeliveryStatus, EventOfDocument, EventPointer,
    EventRecord, EventType, Position, Store, StoreError, audit,
    deliveries::listed,
    dynamo::{Expression, Item, Write, absent, corrupt, from_item, to_item, unknown},
    jobs::{Due, EVENT_KEPT, expiry, mark},
    keys::{self, DeliveryList, Key},
    listing::{Filter, PositionedPage, READ_TOGETHER, created_between},
};
use crate::{
    access::AuditRecord,
    types::{DocumentId, EndpointId, EventId, Mode, OrganizationId, TaxpayerId},
};

/// How long an organization finds an event.
pub const EVENT_SHOWN: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How many deliveries a page has at most: one read gives as much with the endpoint.
const DELIVERIES_TOGETHER: usize = READ_TOGETHER - 1;

/// Which events to list. Every part that is given must hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventSelection<'a> {
    /// What happened.
    pub event_type: Option<EventType>,
    /// To which taxpayer.
    pub taxpayer_id: Option<&'a TaxpayerId>,
    /// To which document.
    pub document_id: Option<&'a DocumentId>,
    /// Made at this instant or later, at that instant or earlier.
    pub created: (Option<Timestamp>, Option<Timestamp>),
}

/// How far a delivery is, as its endpoint's owner asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It waits for the first attempt of its schedule.
    Pending,
    /// An attempt runs.
    Delivering,
    /// Attempts failed, and it waits for another one.
    Failing,
    /// The endpoint took it.
    Delivered,
    /// It failed, and there is no further attempt.
    Failed,
    /// A state of a newer version.
    Unknown,
}

impl DeliveryRecord {
    /// How far it is.
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

/// An event as an organization was told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldEvent {
    /// The event.
    pub event: EventRecord,
    /// Whether it is one that the organization had made up for a test.
    pub test: bool,
}

/// What has an organization find an event, with the same content however often it is made.
pub(super) fn pointer_item(
    mode: Mode,
    organization_id: &OrganizationId,
    pointer: &EventPointer,
    created_at: Timestamp,
) -> Result<Item, StoreError> {
    let key = Key::event_pointer(mode, organization_id, pointer);
    Ok(expiring(to_item(key, pointer)?, expiry(created_at, EVENT_SHOWN)))
}

/// The write that keeps what an attempt sent and was answered, the same however often it is made.
pub(super) fn attempt_write(attempt: &AttemptRecord) -> Result<Write, StoreError> {
    let item = to_item(Key::attempt(attempt), attempt)?;
    let item = expiring(item, expiry(attempt.at, DELIVERY_KEPT));
    Ok(Write::Put { item, condition: Expression::default() })
}

/// An item that DynamoDB removes.
pub(super) fn expiring(mut item: Item, at: i64) -> Item {
    item.insert(keys::TTL.to_owned(), AttributeValue::N(at.to_string()));
    item
}

impl Store {
    /// What an organization heard about a document, the latest first, and no more than `most` of it.
    pub async fn list_events_about(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        document_id: &DocumentId,
        most: i32,
    ) -> Result<Vec<EventOfDocument>, StoreError> {
        let partition = keys::events_about(mode, organization_id, document_id);
        self.latest(&partition, keys::TOLD, most).await
    }

    /// A page of at most `limit` (1 to 100) events that an organization heard of, newest first.
    pub async fn list_events(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        selection: &EventSelection<'_>,
        from: Option<&Position>,
        limit: usize,
    ) -> Result<PositionedPage<ToldEvent>, StoreError> {
        let floor = |at| EventId::floor(at).to_string();
        let range = created_between(EventId::PREFIX, floor, selection.created);
        let Some(range) = range else { return Ok(PositionedPage::empty()) };
        let mut filter = Filter::default();
        filter.equal("event_type", selection.event_type.map(|it| it.as_str().to_owned()));
        filter.equal("taxpayer_id", selection.taxpayer_id.map(ToString::to_string));
        filter.equal("document_id", selection.document_id.map(ToString::to_string));
        let list = |shard| keys::event_pointers(mode, organization_id, shard);
        let (sorts, next) = self.list_pointers(list, range, &filter, from, limit).await?;
        let mut wanted = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let (key, test) = event_behind(mode, organization_id, &sort)?;
            wanted.push((sort, key, test));
        }
        let mut found = self.get_many(wanted.iter().map(|(_, key, _)| key.clone())).await?;
        let mut items = Vec::with_capacity(wanted.len());
        for (sort, key, test) in wanted {
            let Some(item) = found.remove(&key) else { continue };
            let told = ToldEvent { event: from_item(item)?, test };
            items.push((told, Position { sort, sparse: false }));
        }
        Ok(PositionedPage { items, next })
    }

    /// An event that an organization heard of.
    pub async fn get_told_event(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        event_id: &EventId,
    ) -> Result<Option<ToldEvent>, StoreError> {
        let partition = keys::event_pointers_with(mode, organization_id, event_id);
        let pointers: Vec<EventPointer> =
            self.all(&partition, &keys::event_pointer_prefix(event_id)).await?;
        let Some(pointer) = pointers.into_iter().next() else { return Ok(None) };
        let key = match pointer.test {
            true => Key::test_event(mode, organization_id, event_id),
            false => Key::event(mode, &pointer.taxpayer_id, event_id),
        };
        let event = self.get(key).await?;
        Ok(event.map(|event| ToldEvent { event, test: pointer.test }))
    }

    /// Records an event that an organization had made up, where it finds it, its one delivery, which the relay puts on its
    /// way, and the entry that tells of it.
    pub async fn create_test(
        &self,
        event: &EventRecord,
        delivery: &DeliveryRecord,
        sweep_at: Timestamp,
        entry: &AuditRecord,
    ) -> Result<(), StoreError> {
        let DeliveryRecord { mode, organization_id, endpoint_id, event_id, .. } = delivery;
        let item = to_item(Key::test_event(*mode, organization_id, event_id), event)?;
        let item = expiring(item, expiry(event.created_at, EVENT_KEPT));
        let pointer = EventPointer::to(event, true);
        let pointer = pointer_item(*mode, organization_id, &pointer, event.created_at)?;
        let key = Key::delivery(*mode, organization_id, endpoint_id, event_id);
        let mut due = to_item(key.clone(), delivery)?;
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

    /// An event that an organization had made up for a test.
    pub async fn get_test_event(
        &self,
        mode: Mode,
        organization_id: &OrganizationId,
        event_id: &EventId,
    ) -> Result<Option<EventRecord>, StoreError> {
        self.get(Key::test_event(mode, organization_id, event_id)).await
    }

    /// The deliveries of an event to endpoints, in their order, all in one read.
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

    /// A page of at most `limit` deliveries to an endpoint, and of 99, those of the newest events first: in one of the states,
    /// if any are given, and of events that were made at an instant or later. `None` where there is no such endpoint.
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
        let shard = |shard| keys::deliveries(mode, organization_id, endpoint_id, list, shard);
        // How far a delivery is changes, and no pointer says it.
        let read = if states.is_empty() { limit } else { DELIVERIES_TOGETHER };
        let (sorts, next) = match created_between(&prefix, floor, (since, None)) {
            None => (Vec::new(), None),
            Some(range) => self.list_pointers(shard, range, &Filter::default(), from, read).await?,
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

    /// What the attempts at a delivery sent and were answered, the first one first.
    pub async fn list_attempts(
        &self,
        delivery: &DeliveryRecord,
    ) -> Result<Vec<AttemptRecord>, StoreError> {
        let DeliveryRecord { mode, organization_id, endpoint_id, event_id, .. } = delivery;
        let partition = keys::attempts(*mode, organization_id, endpoint_id, event_id);
        self.all(&partition, keys::ATTEMPT).await
    }
}

/// Where the event behind a pointer is, and whether it is a test.
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

/// The shortest list that has every delivery in one of the states, all where none are given.
fn list_of(states: &[DeliveryState]) -> DeliveryList {
    let has_failed = |state| matches!(state, &DeliveryState::Failing | &DeliveryState::Failed);
    match !states.is_empty() && states.iter().all(has_failed) {
        true => DeliveryList::Failed,
        false => DeliveryList::All,
    }
}
