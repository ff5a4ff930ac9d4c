//! Documents: one transaction makes one, with everything that it brings about; afterwards its
//! state moves forward under version conditions.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes};
use jiff::Timestamp;
use serde::Deserialize;

use super::{
    DocumentRecord, Due, EventRecord, Reservation, Store, StoreError,
    dynamo::{
        Expression, Item, Write, Written, absent, corrupt, from_item, key_item, to_item,
        unavailable,
    },
    events,
    keys::{self, Partition},
    relaying::mark,
};
use crate::types::{DocumentId, Mode, TaxpayerId};

/// How many items one request to the table may ask for by key (BatchGetItem).
const BATCH: usize = 100;

/// A response, saved so that a repeated request gets the same bytes.
#[derive(Debug, Clone, Copy)]
pub struct SavedReply<'a> {
    /// HTTP status.
    pub status: u16,
    /// The body.
    pub body: &'a str,
}

/// Everything that one send writes, all or nothing.
#[derive(Debug)]
pub struct Recording<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The document.
    pub document: &'a DocumentRecord,
    /// Where it must go next; none when it is there.
    pub due: Option<Due>,
    /// The reservation, and the response to save under it.
    pub reservation: Option<(&'a Reservation, SavedReply<'a>)>,
    /// What it brings about beside itself.
    pub effects: Effects<'a>,
}

/// What a change of a document brings about.
#[derive(Debug, Clone, Copy)]
pub struct Effects<'a> {
    /// Events, of the sender and of the recipient.
    pub events: &'a [EventRecord],
    /// The inbound document of a recipient who is a taxpayer here.
    pub inbound: Option<&'a DocumentRecord>,
    /// When the sweeper takes up events that the relay has not.
    pub sweep_at: Timestamp,
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// All of it is written.
    Done,
    /// None of it: the reservation or the document's version was no longer the one expected.
    Lost,
}

/// Which documents to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// All of them.
    All,
    /// Those with this source_id.
    Source(&'a str),
    /// Those with this number.
    Number(&'a str),
}

/// Which part of them: newest first, by the time in their identifiers.
#[derive(Debug, Clone, Default)]
pub struct Range {
    /// Older than this document.
    pub before: Option<DocumentId>,
    /// Made at this instant or later.
    pub from: Option<Timestamp>,
    /// Made at this instant or earlier.
    pub to: Option<Timestamp>,
}

/// One read of a list.
#[derive(Debug)]
pub struct DocumentPage {
    /// The documents, newest first.
    pub documents: Vec<DocumentRecord>,
    /// The last one that was looked at, when there may be more behind it.
    pub last: Option<DocumentId>,
}

impl Store {
    /// A document.
    pub async fn get_document(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Option<DocumentRecord>, StoreError> {
        self.get(Partition::taxpayer(mode, taxpayer_id).item(keys::document(document_id))).await
    }

    /// Records a send: the document, its pointers, the saved response, the events and the
    /// recipient's inbound document, in one transaction. An unknown outcome is read back: each
    /// attempt has a document identifier of its own.
    pub async fn record_document(&self, submission: Recording<'_>) -> Result<Recorded, StoreError> {
        let Recording { mode, document, due, reservation, effects } = submission;
        let mut writes = new_document(mode, document, due)?;
        if let Some((reservation, reply)) = reservation {
            writes.push(reservation.save(reply.status, reply.body.to_owned())?);
        }
        writes.extend(effect_writes(mode, effects)?);
        let written = self.transact(writes).await;
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let stands = self.get_document(mode, &document.taxpayer_id, &document.document_id).await;
        match (written, stands) {
            (_, Ok(Some(_))) => Ok(Recorded::Done),
            (Ok(_), Ok(None)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            (Err(error), _) => Err(error),
        }
    }

    /// Moves a document on: `new` takes the place of `read` if that version still stands there,
    /// together with what the change brings about. An unknown outcome is read back.
    pub async fn advance_document(
        &self,
        mode: Mode,
        read: &DocumentRecord,
        new: &DocumentRecord,
        due: Option<Due>,
        effects: Option<Effects<'_>>,
    ) -> Result<Recorded, StoreError> {
        let key =
            Partition::taxpayer(mode, &new.taxpayer_id).item(keys::document(&new.document_id));
        let mut item = to_item(key.clone(), new)?;
        // As it will be read back: instants have milliseconds there.
        let new: DocumentRecord = from_item(item.clone())?;
        if let Some(due) = due {
            mark(&mut item, mode, &key.sk, due);
        }
        let condition = Expression::new("version = :version").number(":version", read.version);
        let put = Write::Put { item, condition };
        let written = match effects {
            None => self.write(put).await,
            Some(effects) => {
                let mut writes = vec![put];
                writes.extend(effect_writes(mode, effects)?);
                self.transact(writes).await
            }
        };
        if let Ok(Written::Done) = written {
            return Ok(Recorded::Done);
        }
        let stands = self.get::<DocumentRecord>(key).await;
        match (written, stands) {
            (_, Ok(Some(stands))) if stands == new => Ok(Recorded::Done),
            (Ok(_), Ok(_)) => Ok(Recorded::Lost),
            (Ok(_), Err(error)) => Err(StoreError::Unknown(error.into())),
            // Another version stands there: this one's condition can no longer hold.
            (Err(_), Ok(Some(stands))) if stands.version != read.version => Ok(Recorded::Lost),
            (Err(error), _) => Err(error),
        }
    }

    /// One read of at most `limit` documents of a list, newest first.
    pub async fn list_documents(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        lookup: Lookup<'_>,
        range: &Range,
        limit: i32,
    ) -> Result<DocumentPage, StoreError> {
        let partition = Partition::taxpayer(mode, taxpayer_id);
        let prefix = match lookup {
            Lookup::All => keys::DOCUMENT.to_owned(),
            Lookup::Source(source_id) => keys::sources(source_id),
            Lookup::Number(number) => keys::numbers(number),
        };
        let Some((low, high)) = bounds(&prefix, range) else {
            return Ok(DocumentPage { documents: Vec::new(), last: None });
        };
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":pk", AttributeValue::S(partition.as_str().to_owned()))
            .expression_attribute_values(":low", AttributeValue::S(low))
            .expression_attribute_values(":high", AttributeValue::S(high))
            .set_exclusive_start_key(
                range.before.as_ref().map(|id| key_item(partition.item(format!("{prefix}{id}")))),
            )
            .scan_index_forward(false)
            .consistent_read(true)
            .limit(limit)
            .send()
            .await
            .map_err(unavailable)?;
        let last = match page.last_evaluated_key {
            None => None,
            Some(item) => {
                let key: SortKey = from_item(item)?;
                let id = key.sk.strip_prefix(&prefix).unwrap_or(&key.sk);
                Some(id.parse().map_err(corrupt)?)
            }
        };
        let items = page.items.unwrap_or_default();
        let documents = match lookup {
            Lookup::All => items.into_iter().map(from_item).collect::<Result<_, _>>()?,
            Lookup::Source(_) | Lookup::Number(_) => {
                self.behind_pointers(&partition, &prefix, items).await?
            }
        };
        Ok(DocumentPage { documents, last })
    }

    /// The documents behind pointers, in the order of the pointers.
    async fn behind_pointers(
        &self,
        partition: &Partition,
        prefix: &str,
        pointers: Vec<Item>,
    ) -> Result<Vec<DocumentRecord>, StoreError> {
        let mut ids = Vec::with_capacity(pointers.len());
        for pointer in pointers {
            let key: SortKey = from_item(pointer)?;
            ids.push(key.sk.strip_prefix(prefix).unwrap_or(&key.sk).to_owned());
        }
        let mut found: HashMap<String, DocumentRecord> = HashMap::new();
        for batch in ids.chunks(BATCH) {
            let wanted =
                batch.iter().map(|id| key_item(partition.item(format!("{}{id}", keys::DOCUMENT))));
            let mut request = Some(wanted.collect::<Vec<_>>());
            // A batch may come back in part, when it is larger than 16 MB or throttled.
            while let Some(keys) = request.take().filter(|keys| !keys.is_empty()) {
                let keys = KeysAndAttributes::builder()
                    .set_keys(Some(keys))
                    .consistent_read(true)
                    .build()
                    .map_err(corrupt)?;
                let output = self
                    .dynamo
                    .batch_get_item()
                    .request_items(&*self.table, keys)
                    .send()
                    .await
                    .map_err(unavailable)?;
                for item in output.responses.unwrap_or_default().into_values().flatten() {
                    let document: DocumentRecord = from_item(item)?;
                    found.insert(document.document_id.to_string(), document);
                }
                request = output
                    .unprocessed_keys
                    .unwrap_or_default()
                    .into_values()
                    .next()
                    .map(|rest| rest.keys);
            }
        }
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }
}

#[derive(Deserialize)]
struct SortKey {
    sk: String,
}

/// The sort keys between which the documents of a range lie; `None` when there can be none.
fn bounds(prefix: &str, range: &Range) -> Option<(String, String)> {
    // Identifiers carry milliseconds, so a bound between two of them is moved to the later one.
    let low = match range.from {
        None => DocumentId::PREFIX.to_owned(),
        Some(from) => {
            let millis = from.as_millisecond();
            let whole = Timestamp::from_millisecond(millis).ok()? == from;
            let from = Timestamp::from_millisecond(millis + i64::from(!whole)).ok()?;
            DocumentId::floor(from).to_string()
        }
    };
    // '~' comes after every character of an identifier.
    let high = match range.to {
        None => format!("{}~", DocumentId::PREFIX),
        Some(to) => format!("{}~", DocumentId::floor(to)),
    };
    (low <= high).then(|| (format!("{prefix}{low}"), format!("{prefix}{high}")))
}

/// The writes that make a document and its pointers.
fn new_document(
    mode: Mode,
    document: &DocumentRecord,
    due: Option<Due>,
) -> Result<Vec<Write>, StoreError> {
    let partition = Partition::taxpayer(mode, &document.taxpayer_id);
    let key = partition.item(keys::document(&document.document_id));
    let mut item = to_item(key.clone(), document)?;
    if let Some(due) = due {
        mark(&mut item, mode, &key.sk, due);
    }
    let mut writes = vec![Write::Put { item, condition: absent() }];
    let numbers = Some(keys::numbers(&document.number));
    let sources = document.source_id.as_deref().map(keys::sources);
    for prefix in [numbers, sources].into_iter().flatten() {
        let pointer = partition.item(format!("{prefix}{}", document.document_id));
        writes.push(Write::Put { item: key_item(pointer), condition: absent() });
    }
    Ok(writes)
}

fn effect_writes(mode: Mode, effects: Effects<'_>) -> Result<Vec<Write>, StoreError> {
    let mut writes = match effects.inbound {
        None => Vec::new(),
        Some(inbound) => new_document(mode, inbound, None)?,
    };
    for event in effects.events {
        writes.push(events::write(event, effects.sweep_at)?);
    }
    Ok(writes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_both_of_its_ends() {
        let random = crate::types::SeededRandom::new(1);
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let id = DocumentId::new(at("2026-01-02T00:00:00.005Z"), &random);
        let key = format!("DOCUMENT#{id}");
        for (from, to, inside) in [
            ("2026-01-02T00:00:00.005Z", "2026-01-02T00:00:00.005Z", true),
            ("2026-01-02T00:00:00.0041Z", "2026-01-02T00:00:00.0059Z", true),
            ("2026-01-02T00:00:00.0051Z", "2026-01-02T00:00:01Z", false),
            ("2026-01-02T00:00:00Z", "2026-01-02T00:00:00.0049Z", false),
        ] {
            let range = Range { before: None, from: Some(at(from)), to: Some(at(to)) };
            let (low, high) = bounds(keys::DOCUMENT, &range).unwrap();
            assert_eq!(low <= key && key <= high, inside, "{from} {to}");
        }
        let range = Range {
            before: None,
            from: Some(at("2026-01-03T00:00:00Z")),
            to: Some(at("2026-01-02T00:00:00Z")),
        };
        assert_eq!(bounds(keys::DOCUMENT, &range), None);
    }
}
