//! Usage records, by which Live sends are billed. Each document has one. It is created in the transaction that fixes
//! the document's first message, which happens once. Usage is exported by days, after the day has ended. A record
//! expires [`USAGE_KEPT`] after its creation.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, civil::Date};
use serde::{Deserialize, Serialize};

use super::{
    IdempotencyHash, NewTaxReport, Store, StoreError, TransmissionRecord, UsageRecord,
    dynamo::{Expression, Write, Written, absent, to_item},
    jobs::expiry,
    keys::{self, Key},
    tax_reports,
};
use crate::types::{DocumentId, Mode};

/// How long a usage record is kept: longer than a bill may be disputed, and than an export may fail.
pub const USAGE_KEPT: SignedDuration = SignedDuration::from_hours(400 * 24);

/// The items that a Live document creates once, when its first message is fixed. Sandbox documents create none.
#[derive(Debug, Clone)]
pub struct Departure {
    /// The tax report about the document.
    pub tax_report: NewTaxReport,
    /// The usage record that bills it.
    pub usage: UsageRecord,
}

/// The writes of a tax report and a usage record. `key` is the idempotency key of a send that has not recorded it yet.
pub(super) fn departure_writes(
    Departure { tax_report, usage }: &Departure,
    key: Option<&IdempotencyHash>,
) -> Result<Vec<Write>, StoreError> {
    let idempotency = key.or(usage.idempotency.as_ref()).cloned();
    let mut item = to_item(Key::usage(usage), &UsageRecord { idempotency, ..usage.clone() })?;
    let ttl = expiry(usage.at, USAGE_KEPT).to_string();
    item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
    let mut writes = tax_reports::make(tax_report)?;
    writes.push(Write::Put { item, condition: absent() });
    Ok(writes)
}

/// A page of usage records, and whether it is the last one.
pub type UsagePage = (Vec<UsageRecord>, bool);

#[derive(Serialize, Deserialize)]
struct Exported {
    day: String,
}

impl Store {
    /// Writes a transmission as [`Store::put_transmission`] does, before the first byte of a document is sent. The tax
    /// report and usage record are written with it.
    pub async fn begin_transmission(
        &self,
        mode: Mode,
        changed: TransmissionRecord,
        departure: Option<&Departure>,
    ) -> Result<Option<TransmissionRecord>, StoreError> {
        let others = departure.map(|it| departure_writes(it, None)).transpose()?;
        self.put_transmission_with(mode, changed, others.into_iter().flatten().collect()).await
    }

    /// A page of at most `limit` records of the usage of a day (UTC) in one of the shards, `after` a document, in the order
    /// of the documents' identifiers.
    pub async fn list_usage(
        &self,
        (day, shard): (Date, u8),
        after: Option<&DocumentId>,
        limit: Option<i32>,
    ) -> Result<UsagePage, StoreError> {
        self.page_after(keys::usage(day, shard), after.map(DocumentId::as_str), limit).await
    }

    /// The last day whose usage was exported; `None` before the first export.
    pub async fn get_usage_exported(&self) -> Result<Option<Date>, StoreError> {
        let found: Option<Exported> = self.get(Key::usage_exported()).await?;
        let day = found.map(|found| found.day.parse());
        day.transpose().map_err(|_| StoreError::Corrupt("usage was exported up to no day".into()))
    }

    /// Notes that a day and all days before it were exported. Of two concurrent calls the later day wins.
    pub async fn set_usage_exported(&self, day: Date) -> Result<(), StoreError> {
        let day = day.to_string();
        let update = Expression::new("SET #day = :day").name("#day", "day").text(":day", &day);
        let condition = Expression::new("attribute_not_exists(pk) OR #day < :day");
        let key = Key::usage_exported();
        match self.write(Write::Update { key, update, condition }).await? {
            Written::Done | Written::Refused(_) => Ok(()),
        }
    }
}
