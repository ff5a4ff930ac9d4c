//! What must go on its way: the mark that the stream's relay acts on, and the index that the
//! sweeper reads.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;

use super::{
    DocumentRecord, EventRecord, Store, StoreError,
    dynamo::{Expression, Item, Write, Written, unavailable},
    keys::{self, Partition, Place},
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

/// Writes the mark into an item.
pub(super) fn mark(item: &mut Item, mode: Mode, sort: &str, due: Due) {
    let mut set = |name: &str, value: String| {
        item.insert(name.to_owned(), AttributeValue::S(value));
    };
    set(keys::DUE_PK, keys::due_partition(mode, sort));
    set(keys::DUE_AT, instant(due.at));
    if let Some(relay) = due.relay {
        set(keys::RELAY, relay.as_str().to_owned());
    }
}

impl Store {
    /// Up to `limit` items of one shard that were due at `now`, the longest due first. An index
    /// lags behind the table, so whoever acts on them reads the item first.
    pub async fn list_due(
        &self,
        mode: Mode,
        shard: u8,
        now: Timestamp,
        limit: i32,
    ) -> Result<Vec<Place>, StoreError> {
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .index_name(keys::DUE_INDEX)
            .key_condition_expression("due_pk = :due AND due_at <= :now")
            .projection_expression("pk, sk")
            .expression_attribute_values(":due", AttributeValue::S(keys::due_shard(mode, shard)))
            .expression_attribute_values(":now", AttributeValue::S(instant(now)))
            .limit(limit)
            .send()
            .await
            .map_err(unavailable)?;
        let text = |item: &Item, name| item.get(name).and_then(|value| value.as_s().ok()).cloned();
        Ok(page
            .items()
            .iter()
            .filter_map(|item| Place::parse(&text(item, keys::PK)?, &text(item, keys::SK)?))
            .collect())
    }

    /// Notes that a document's stage message was sent: the mark goes, and the sweeper looks again
    /// at `look_again`. Does nothing when the document has moved on.
    pub async fn mark_document_relayed(
        &self,
        mode: Mode,
        document: &DocumentRecord,
        look_again: Timestamp,
    ) -> Result<(), StoreError> {
        let partition = Partition::taxpayer(mode, &document.taxpayer_id);
        let update =
            Expression::new("SET due_at = :again REMOVE relay").text(":again", instant(look_again));
        let condition = Expression::new("version = :version AND attribute_exists(due_pk)")
            .number(":version", document.version);
        let key = partition.item(keys::document(&document.document_id));
        let _: Written = self.write(Write::Update { key, update, condition }).await?;
        Ok(())
    }

    /// Notes that an event has become deliveries: it is never due again.
    pub async fn mark_event_relayed(&self, event: &EventRecord) -> Result<(), StoreError> {
        let partition = Partition::taxpayer(event.mode, &event.taxpayer_id);
        let update = Expression::new("REMOVE relay, due_pk, due_at");
        let condition = Expression::new("attribute_exists(pk)");
        let key = partition.item(keys::event(&event.event_id));
        let _: Written = self.write(Write::Update { key, update, condition }).await?;
        Ok(())
    }
}
