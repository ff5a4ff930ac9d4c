//! Items of closed documents, retired from the table to the bucket, where it costs a fraction to keep them for years.
//!
//! An item is stored in the bucket before it is removed from the table, and a reader looks into the table first. So every
//! fact is found at any time, and an item that is put back counts again ([`Store::restore`]).

use std::{collections::HashMap, sync::Arc};

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, civil::Date};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    Bucket, DocumentRecord, EnvelopeHash, MlsOutboundRecord, MlsOutboundStatus, StatusRecord,
    Store, StoreError, TaxReportRecord, UsageRecord,
    dynamo::{
        Expression, Item, Write, Written, corrupt, from_item, item_of_json, item_to_json, key_of,
        to_item,
    },
    idempotency,
    keys::{self, ANSWER_SHARDS, IDEMPOTENCY, Key, STATUS, USAGE_SHARDS},
};
use crate::{
    peppol::identifiers::InstanceId,
    types::{Clock, DocumentId, Mode, ReportId, TaxpayerId},
};

/// The age of a document from which its items may be retired. Messages about it are no longer matched then
/// (`MATCHED_FOR`).
pub const RETIRED_AFTER: SignedDuration = SignedDuration::from_hours(120 * 24);
/// How many status messages about a document are retired. Most have one. The others stay.
const MOST_STATUSES: i32 = 20;
/// How many objects are read at once.
const READ_AT_ONCE: usize = 16;

/// Where items are retired to, and the clock that tells which documents are old enough.
#[derive(Clone)]
pub(super) struct ColdStorage {
    bucket: Bucket,
    clock: Arc<dyn Clock>,
}

/// A list of the Live documents of each day (UTC), in shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DailyList {
    /// The sent documents: their usage records.
    Sent,
    /// The received documents: the statuses that are owed for them.
    Received,
}

impl DailyList {
    /// All of them.
    pub const ALL: [DailyList; 2] = [DailyList::Sent, DailyList::Received];

    /// How many shards it has.
    pub fn shards(self) -> u8 {
        match self {
            DailyList::Sent => USAGE_SHARDS,
            DailyList::Received => ANSWER_SHARDS,
        }
    }
}

/// A document as its list names it.
#[derive(Debug, Clone)]
pub enum DailyEntry {
    /// A sent document.
    Sent(UsageRecord),
    /// A received document, and how far the status for it is.
    Received { taxpayer_id: TaxpayerId, document_id: DocumentId, status: MlsOutboundStatus },
}

impl DailyEntry {
    /// Its taxpayer and identifier.
    pub fn names(&self) -> (&TaxpayerId, &DocumentId) {
        match self {
            DailyEntry::Sent(UsageRecord { taxpayer_id, document_id, .. })
            | DailyEntry::Received { taxpayer_id, document_id, .. } => (taxpayer_id, document_id),
        }
    }

    /// The keys of items that only documents of its list have.
    fn own_keys(&self) -> Vec<Key> {
        let (taxpayer_id, document_id) = self.names();
        match self {
            DailyEntry::Sent(usage) => {
                let transmission = Key::transmission(Mode::Live, taxpayer_id, document_id);
                let key = |key| Key::idempotency(Mode::Live, taxpayer_id, key);
                [transmission].into_iter().chain(usage.idempotency.as_ref().map(key)).collect()
            }
            DailyEntry::Received { .. } => vec![Key::mls_transmission(Mode::Live, document_id)],
        }
    }
}

/// A document with those of its items that may be retired.
#[derive(Debug)]
pub struct Retirable {
    /// The document. It stays in the table.
    pub document: DocumentRecord,
    /// Its first tax report.
    pub tax_report: TaxReportRecord,
    /// Whether a job is due for one of the items.
    pub is_due: bool,
    /// The items as JSON, the tax report last.
    items: Vec<Value>,
}

/// How far the documents of a shard were visited: those of earlier days, and those of this day up to one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetirementPlace {
    /// The day on which the documents were sent or received (UTC).
    pub day: Date,
    /// The last visited document of the day; `None` before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<DocumentId>,
}

impl Store {
    /// The same table. What it lacks of old documents is looked for in a bucket. Without one, only items in the table are
    /// found, which is enough for work on open documents.
    pub fn with_cold_storage(self, bucket: Bucket, clock: Arc<dyn Clock>) -> Self {
        Store { cold: Some(ColdStorage { bucket, clock }), ..self }
    }

    /// An item of a Live document, in the table or retired.
    pub(super) async fn get_or_retired<T: DeserializeOwned>(
        &self,
        key: Key,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Option<T>, StoreError> {
        if let Some(item) = self.get_item(key.clone()).await? {
            return from_item(item).map(Some);
        }
        let mut retired = self.retired_items(taxpayer_id, document_id).await?;
        retired.remove(&key).map(from_item).transpose()
    }

    /// Items of a taxpayer's Live documents, in the table or retired.
    pub(super) async fn get_many_or_retired(
        &self,
        taxpayer_id: &TaxpayerId,
        wanted: &[(Key, DocumentId)],
    ) -> Result<HashMap<Key, Item>, StoreError> {
        let mut found = self.get_many(wanted.iter().map(|(key, _)| key.clone())).await?;
        let missing = wanted.iter().filter(|(key, _)| !found.contains_key(key));
        let missing: Vec<_> = missing.cloned().collect();
        let retired = missing.into_iter().map(|(key, document_id)| async move {
            let mut retired = self.retired_items(taxpayer_id, &document_id).await?;
            Ok::<_, StoreError>(retired.remove_entry(&key))
        });
        let retired: Vec<_> =
            stream::iter(retired).buffer_unordered(READ_AT_ONCE).try_collect().await?;
        found.extend(retired.into_iter().flatten());
        Ok(found)
    }

    /// The status messages about a Live document, in the table or retired.
    pub async fn list_statuses_of(
        &self,
        DocumentRecord { taxpayer_id, document_id, message_id, .. }: &DocumentRecord,
    ) -> Result<Vec<StatusRecord>, StoreError> {
        let about = EnvelopeHash::of(&InstanceId::from(message_id));
        let mut found = self.list_status_messages(Mode::Live, &about).await?;
        let partition = keys::status_messages(Mode::Live, &about);
        let retired = self.retired_items(taxpayer_id, document_id).await?.into_iter();
        for (_, item) in retired.filter(|(key, _)| key.pk == partition) {
            let status: StatusRecord = from_item(item)?;
            if found.iter().all(|it| it.instance_id != status.instance_id) {
                found.push(status);
            }
        }
        Ok(found)
    }

    /// The retired items of a Live document by their keys. A young document has none.
    pub(super) async fn retired_items(
        &self,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<HashMap<Key, Item>, StoreError> {
        let Some(ColdStorage { bucket, clock }) = &self.cold else { return Ok(HashMap::new()) };
        let age = document_id.made_at().map(|made_at| clock.now().duration_since(made_at));
        if age.is_none_or(|age| age < RETIRED_AFTER) {
            return Ok(HashMap::new());
        }
        let lines = bucket.find_retired(taxpayer_id, document_id).await?;
        let items = items_of(&lines.unwrap_or_default())?.into_iter().map(|item| {
            let item = item_of_json(item)?;
            Ok((key_of(&item)?, item))
        });
        items.collect()
    }

    /// A page of at most `limit` documents of a day (UTC) in one of the shards of a list, `after` one of them, in the order
    /// of their identifiers, and whether it is the last page.
    pub async fn list_day(
        &self,
        list: DailyList,
        (day, shard): (Date, u8),
        after: Option<&DocumentId>,
        limit: i32,
    ) -> Result<(Vec<DailyEntry>, bool), StoreError> {
        let limit = Some(limit);
        match list {
            DailyList::Sent => {
                let (page, is_last) = self.list_usage((day, shard), after, limit).await?;
                Ok((page.into_iter().map(DailyEntry::Sent).collect(), is_last))
            }
            DailyList::Received => {
                let partition = keys::mls_outbound_partition(Mode::Live, &day.to_string(), shard);
                let after = after.map(DocumentId::as_str);
                let (page, is_last) = self.page_after(partition, after, limit).await?;
                let of = |MlsOutboundRecord { taxpayer_id, document_id, status, .. }| {
                    DailyEntry::Received { taxpayer_id, document_id, status }
                };
                Ok((page.into_iter().map(of).collect(), is_last))
            }
        }
    }

    /// A Live document with its items; `None` when it does not exist, or its tax report is no longer in the table.
    pub async fn get_retirable(&self, entry: &DailyEntry) -> Result<Option<Retirable>, StoreError> {
        let (taxpayer_id, document_id) = entry.names();
        let report_id = ReportId::first_of(document_id);
        let document = Key::document(Mode::Live, taxpayer_id, document_id);
        let tax_report = Key::tax_report(taxpayer_id, &report_id);
        let mut rest = entry.own_keys();
        rest.push(Key::tax_report_transmission(taxpayer_id, &report_id));
        let keys = rest.clone().into_iter().chain([document.clone(), tax_report.clone()]);
        // Nothing changes any more, and a removal requires it.
        let mut found = self.get_many_lately(keys).await?;
        let (Some(document), Some(last)) = (found.remove(&document), found.remove(&tax_report))
        else {
            return Ok(None);
        };
        let document: DocumentRecord = from_item(document)?;
        let mut items: Vec<Value> = match entry {
            DailyEntry::Sent(_) => {
                let about = EnvelopeHash::of(&InstanceId::from(&document.message_id));
                let statuses = keys::status_messages(Mode::Live, &about);
                self.earliest(&statuses, STATUS, MOST_STATUSES).await?
            }
            DailyEntry::Received { .. } => Vec::new(),
        };
        let tax_report = from_item(last.clone())?;
        let rest = rest.iter().filter_map(|key| found.remove(key)).chain([last]);
        items.extend(rest.map(item_to_json).collect::<Result<Vec<_>, _>>()?);
        let is_due = items.iter().any(|item| item.get(keys::DUE_PK).is_some());
        Ok(Some(Retirable { document, tax_report, is_due, items }))
    }

    /// Retires the items of a document: stores them, and removes each that has not changed since. Of an idempotency key
    /// stays what identifies its send. Returns how many were removed. After an attempt that died, the next one finds its
    /// object, and removes what that holds.
    pub async fn retire(&self, retirable: &Retirable) -> Result<usize, StoreError> {
        let Retirable { document, items, .. } = retirable;
        let unknown = || StoreError::Unavailable("no bucket is known to retire items to".into());
        let ColdStorage { bucket, .. } = self.cold.as_ref().ok_or_else(unknown)?;
        let mut lines = Vec::new();
        for item in items {
            serde_json::to_writer(&mut lines, item).map_err(corrupt)?;
            lines.push(b'\n');
        }
        let DocumentRecord { taxpayer_id, document_id, .. } = document;
        let before = bucket.put_retired(taxpayer_id, document_id, &lines).await?;
        let stored = before.map(|before| items_of(&before)).transpose()?;
        let mut removed = 0;
        for item in items {
            if stored.as_ref().is_some_and(|stored| !stored.contains(item)) {
                continue;
            }
            let key = Key::deserialize(item).map_err(corrupt)?;
            let write = match key.sk.as_str() {
                IDEMPOTENCY => idempotency::retire(key)?,
                _ => Write::Delete { key, condition: unchanged(item) },
            };
            removed += usize::from(matches!(self.write(write).await?, Written::Done));
        }
        Ok(removed)
    }

    /// Puts the retired items of a document back into the table, where none of its key is. Their object stays. Returns how
    /// many were put back.
    pub async fn restore(
        &self,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<usize, StoreError> {
        let mut restored = 0;
        for item in self.retired_items(taxpayer_id, document_id).await?.into_values() {
            let condition = idempotency::absent_or_retired();
            let written = self.write(Write::Put { item, condition }).await?;
            restored += usize::from(matches!(written, Written::Done));
        }
        Ok(restored)
    }

    /// How far the documents of a shard were visited; `None` before the first visit.
    pub async fn get_retirement(
        &self,
        list: DailyList,
        shard: u8,
    ) -> Result<Option<RetirementPlace>, StoreError> {
        self.get_lately(Key::retirement(list, shard)).await
    }

    /// Notes how far the documents of a shard were visited. The last write counts: a visit that is repeated finds nothing
    /// to do.
    pub async fn put_retirement(
        &self,
        list: DailyList,
        shard: u8,
        place: &RetirementPlace,
    ) -> Result<(), StoreError> {
        let item = to_item(Key::retirement(list, shard), place)?;
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }
}

/// The items in an object.
fn items_of(lines: &[u8]) -> Result<Vec<Value>, StoreError> {
    serde_json::Deserializer::from_slice(lines)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(corrupt)
}

/// The item is as it was read. A status message never changes.
fn unchanged(item: &Value) -> Expression {
    if let Some(version) = item.get("version").and_then(Value::as_u64) {
        return Expression::new("version = :version").number(":version", version);
    }
    match item.get("updated_at").and_then(Value::as_str) {
        Some(at) => Expression::new("updated_at = :at").text(":at", at),
        None => Expression::default(),
    }
}
