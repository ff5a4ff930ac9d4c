//! What Live sends are billed by: an item for each document, made in the transaction that fixes its first message, and so
//! as often as that is fixed: once. They lie by days, which are exported when they are over; each goes
//! [`USAGE_KEPT`] after it was made.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, civil::Date};
use serde::{Deserialize, Serialize};

use super::{
    NewTaxReport, Store, StoreError, UsageRecord,
    dynamo::{Expression, Item, Write, Written, absent, from_item, to_item, unavailable},
    jobs::expiry,
    keys::{self, Key},
    tax_reports,
};

/// How long an item is kept: longer than any bill is argued about, and than an export may be missed.
pub const USAGE_KEPT: SignedDuration = SignedDuration::from_hours(400 * 24);

/// What a Live document brings about once, when its first message is fixed; of one of the Sandbox there is none.
#[derive(Debug, Clone)]
pub struct Departure {
    /// What is reported of it.
    pub tax_report: NewTaxReport,
    /// What is billed for it.
    pub usage: UsageRecord,
}

/// The writes of that.
pub(super) fn departure_writes(departure: &Departure) -> Result<Vec<Write>, StoreError> {
    let Departure { tax_report, usage } = departure;
    let mut item = to_item(Key::usage(usage), usage)?;
    let ttl = expiry(usage.at, USAGE_KEPT).to_string();
    item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
    let mut writes = tax_reports::make(tax_report)?;
    writes.push(Write::Put { item, condition: absent() });
    Ok(writes)
}

/// A page of what was used, and where the next one begins; that on the last one is none.
pub type UsagePage = (Vec<UsageRecord>, Option<UsageCursor>);

/// Where a page begins.
#[derive(Debug, Clone)]
pub struct UsageCursor(Item);

#[derive(Serialize, Deserialize)]
struct Exported {
    day: String,
}

impl Store {
    /// A page of the usage of a day (UTC) in one of the shards, in the order of the documents' identifiers.
    pub async fn list_usage(
        &self,
        day: Date,
        shard: u8,
        after: Option<UsageCursor>,
    ) -> Result<UsagePage, StoreError> {
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", AttributeValue::S(keys::usage(day, shard)))
            .consistent_read(true)
            .set_exclusive_start_key(after.map(|cursor| cursor.0))
            .send()
            .await
            .map_err(unavailable)?;
        let items = page.items.unwrap_or_default().into_iter().map(from_item);
        Ok((items.collect::<Result<_, _>>()?, page.last_evaluated_key.map(UsageCursor)))
    }

    /// Up to which day usage was exported; none before the first time.
    pub async fn get_usage_exported(&self) -> Result<Option<Date>, StoreError> {
        let found: Option<Exported> = self.get(Key::usage_exported()).await?;
        let day = found.map(|found| found.day.parse());
        day.transpose().map_err(|_| StoreError::Corrupt("usage was exported up to no day".into()))
    }

    /// Notes that a day and all before it were exported. Of two that do so at once the later day stands.
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
