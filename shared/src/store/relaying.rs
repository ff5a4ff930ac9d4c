//! What must go on its way: the mark that the stream's relay acts on, and the index that the
//! sweeper reads.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};

use super::{
    DeliveryRecord, DocumentRecord, EventRecord, Store, StoreError,
    dynamo::{Expression, Item, Write, Written, corrupt, from_item, unavailable},
    keys::{self, Key, Place},
    text::instant,
};
use crate::types::Mode;

/// Where a marked item must go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relay {
    /// An event: to the deliveries of the endpoints that it concerns.
    Event,
    /// A document: to the convert queue.
    Convert,
    /// A document: to the dispatch queue.
    Dispatch,
}

impl Relay {
    /// The mark's value.
    pub fn as_str(self) -> &'static str {
        match self {
            Relay::Event => "event",
            Relay::Convert => "convert",
            Relay::Dispatch => "dispatch",
        }
    }
}

/// When the sweeper may take an item up, and whether the relay takes it up before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// The instant from which the sweeper may take it up.
    pub at: Timestamp,
    /// Where the relay must send it; `None` when it is already there and only watched.
    pub relay: Option<Relay>,
}

/// An item that waits for something.
#[derive(Debug)]
pub struct Waiting {
    /// The item.
    pub what: What,
    /// Whether the stream's relay must take it up.
    pub marked: bool,
    /// From when on the sweeper may take it up.
    pub due_at: Timestamp,
}

/// The items that can wait.
#[derive(Debug)]
pub enum What {
    /// A document on its way through the queues.
    Document(Mode, Box<DocumentRecord>),
    /// An event that must become deliveries.
    Event(EventRecord),
    /// A delivery that must be attempted.
    Delivery(DeliveryRecord),
}

/// Where a list of due items goes on.
#[derive(Debug)]
pub struct DueCursor(Item);

/// How long a delivery is kept after it ended.
pub const DELIVERY_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long an event is kept after it was relayed: longer than any delivery of it, whose schedule
/// ends after four days.
pub const EVENT_KEPT: SignedDuration = SignedDuration::from_hours(40 * 24);

/// The instant until which an item is kept, as DynamoDB's time to live has it.
pub(super) fn expiry(from: Timestamp, kept: SignedDuration) -> i64 {
    from.as_second().saturating_add(kept.as_secs())
}

/// Writes the mark into an item.
pub(super) fn mark(item: &mut Item, mode: Mode, key: &Key, due: Due) {
    let mut set = |name: &str, value: String| {
        item.insert(name.to_owned(), AttributeValue::S(value));
    };
    set(keys::DUE_PK, key.due_partition(mode));
    set(keys::DUE_AT, instant(due.at));
    if let Some(relay) = due.relay {
        set(keys::RELAY, relay.as_str().to_owned());
    }
}

impl Store {
    /// Up to `limit` items of one shard that were due at `now`, the longest due first. The index
    /// lags behind the table, so whoever acts on them reads the item first.
    pub async fn list_due(
        &self,
        mode: Mode,
        shard: u8,
        now: Timestamp,
        from: Option<DueCursor>,
        limit: i32,
    ) -> Result<(Vec<Place>, Option<DueCursor>), StoreError> {
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .index_name(keys::DUE_INDEX)
            .key_condition_expression("due_pk = :due AND due_at <= :now")
            .projection_expression("pk, sk")
            .expression_attribute_values(":due", AttributeValue::S(keys::due_shard(mode, shard)))
            .expression_attribute_values(":now", AttributeValue::S(instant(now)))
            .set_exclusive_start_key(from.map(|cursor| cursor.0))
            .limit(limit)
            .send()
            .await
            .map_err(unavailable)?;
        let text = |item: &Item, name| item.get(name).and_then(|value| value.as_s().ok()).cloned();
        let places = page
            .items()
            .iter()
            .filter_map(|item| Place::parse(&text(item, keys::PK)?, &text(item, keys::SK)?))
            .collect();
        Ok((places, page.last_evaluated_key.map(DueCursor)))
    }

    /// The item at a place, if it waits for something: `None` when it is gone or over.
    pub async fn get_waiting(&self, place: &Place) -> Result<Option<Waiting>, StoreError> {
        let Some(item) = self.get_item(place.key()).await? else { return Ok(None) };
        let Some(due_at) = item.get(keys::DUE_AT).and_then(|value| value.as_s().ok()) else {
            return Ok(None);
        };
        let due_at = due_at.parse().map_err(corrupt)?;
        let marked = item.contains_key(keys::RELAY);
        let what = match place {
            Place::Document(mode, ..) => What::Document(*mode, Box::new(from_item(item)?)),
            Place::Event(..) => What::Event(from_item(item)?),
            Place::Delivery(..) => What::Delivery(from_item(item)?),
        };
        Ok(Some(Waiting { what, marked, due_at }))
    }

    /// Notes that a document's stage message was sent: the mark goes, and the sweeper looks again
    /// at `look_again`. Does nothing when the document has moved on.
    pub async fn mark_document_relayed(
        &self,
        mode: Mode,
        document: &DocumentRecord,
        look_again: Timestamp,
    ) -> Result<(), StoreError> {
        let update =
            Expression::new("SET due_at = :again REMOVE relay").text(":again", instant(look_again));
        let condition = Expression::new("version = :version AND attribute_exists(due_pk)")
            .number(":version", document.version);
        let key = Key::document(mode, &document.taxpayer_id, &document.document_id);
        let _: Written = self.write(Write::Update { key, update, condition }).await?;
        Ok(())
    }

    /// Notes that an event has become deliveries: it is never due again, and goes when it was kept
    /// for [`EVENT_KEPT`].
    pub async fn mark_event_relayed(
        &self,
        event: &EventRecord,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let update = Expression::new("SET #ttl = :ttl REMOVE relay, due_pk, due_at")
            .name("#ttl", keys::TTL)
            .number(":ttl", expiry(now, EVENT_KEPT));
        let condition = Expression::new("attribute_exists(pk)");
        let key = Key::event(event.mode, &event.taxpayer_id, &event.event_id);
        let _: Written = self.write(Write::Update { key, update, condition }).await?;
        Ok(())
    }
}
