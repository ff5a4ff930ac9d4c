//! What is in the table, as tests read and write it.

use std::collections::{BTreeMap, HashMap, HashSet};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;

use super::{World, clients::TABLE};
use crate::{
    access::{Action, AuditRecord},
    store::{
        DocumentRecord, EventRecord, ExchangeCount, IdempotencyRecord, Image, NewTaxReport,
        Receipt, TaxReportRecord, TransmissionRecord, from_item, instant,
        keys::{self, JobId, Key},
        unpacked,
    },
};

/// A record of the table's stream: a job, and its item after a change.
#[derive(Debug)]
pub(crate) struct StreamRecord {
    pub(crate) job_id: JobId,
    pub(crate) item: Image,
    /// The item as a text.
    pub(super) image: String,
}

fn text<'a>(item: &'a HashMap<String, AttributeValue>, name: &str) -> &'a str {
    item[name].as_s().unwrap()
}

fn job_of(item: &HashMap<String, AttributeValue>) -> JobId {
    JobId::parse(text(item, "pk"), text(item, "sk")).unwrap()
}

fn due_of(item: &HashMap<String, AttributeValue>) -> (Timestamp, JobId) {
    (text(item, "due_at").parse().unwrap(), job_of(item))
}

/// An item as a text, with its attributes in their order at every level.
fn in_order(item: &HashMap<String, AttributeValue>) -> String {
    fn text(value: &AttributeValue) -> String {
        match value {
            AttributeValue::M(fields) => in_order(fields),
            AttributeValue::L(values) => {
                format!("{:?}", values.iter().map(text).collect::<Vec<_>>())
            }
            value => format!("{value:?}"),
        }
    }
    let ordered: BTreeMap<_, _> = item.iter().map(|(name, value)| (name, text(value))).collect();
    format!("{ordered:?}")
}

impl World {
    /// The items that the stream's relay must relay, and has not relayed as they are.
    pub(crate) async fn marked(&self) -> Vec<JobId> {
        self.records().await.into_iter().map(|record| record.job_id).collect()
    }

    /// The records of the stream that were not relayed yet.
    pub(crate) async fn records(&self) -> Vec<StreamRecord> {
        let now = self.now();
        // A queue delays the messages of the others.
        let is_wanted = |mark: &str| mark.parse().map_or(true, |begins: Timestamp| begins <= now);
        let marked = self.waiting("relay").await;
        let images: Vec<String> = marked.iter().map(in_order).collect();
        let current: HashSet<&String> = images.iter().collect();
        let mut relayed = self.relayed.lock().unwrap();
        // An item that changes to what it was before has a new record.
        relayed.retain(|image| current.contains(image));
        let records = marked
            .iter()
            .zip(&images)
            .filter(|(item, image)| is_wanted(text(item, "relay")) && !relayed.contains(*image));
        records
            .map(|(item, image)| StreamRecord {
                job_id: job_of(item),
                item: Image::of(item.clone()),
                image: image.clone(),
            })
            .collect()
    }

    /// The next due item and its time. Tax reports are excluded; see [`World::next_tax_report`].
    pub(crate) async fn next_due(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| !matches!(job_id, JobId::TaxReport(..))).await
    }

    /// The next due tax report and its time.
    pub(crate) async fn next_tax_report(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| matches!(job_id, JobId::TaxReport(..))).await
    }

    /// The next receipt to move to the bucket, and its time.
    pub(crate) async fn next_receipt(&self) -> Option<(Timestamp, JobId)> {
        self.next(|job_id| matches!(job_id, JobId::Receipt(..))).await
    }

    /// All due items with their times, the first one first.
    pub(crate) async fn due(&self) -> Vec<(Timestamp, JobId)> {
        let mut due = self.waiting("due_at").await;
        due.sort_by(|a, b| text(a, "due_at").cmp(text(b, "due_at")));
        due.iter().map(due_of).collect()
    }

    async fn next(&self, wanted: impl Fn(&JobId) -> bool) -> Option<(Timestamp, JobId)> {
        self.due().await.into_iter().find(|(_, job_id)| wanted(job_id))
    }

    /// The waiting items with a mark.
    async fn waiting(&self, mark: &str) -> Vec<HashMap<String, AttributeValue>> {
        let scan = self.dynamo.scan().table_name(TABLE);
        let scan =
            scan.filter_expression("attribute_exists(#mark) AND attribute_not_exists(parked)");
        let scan = scan.expression_attribute_names("#mark", mark);
        scan.into_paginator().items().send().collect::<Result<_, _>>().await.unwrap()
    }

    /// Every item of the table whose sort key begins with `prefix`.
    pub(crate) async fn items<T: serde::de::DeserializeOwned>(&self, prefix: &str) -> Vec<T> {
        self.raw_items(prefix).await.into_iter().map(|item| from_item(item).unwrap()).collect()
    }

    /// Every such item, with the time when DynamoDB removes it, if ever (seconds since 1970).
    pub(crate) async fn expiries(&self, prefix: &str) -> Vec<(Key, Option<i64>)> {
        let found = self.raw_items(prefix).await.into_iter().map(|item| {
            let text = |name: &str| item[name].as_s().unwrap().clone();
            let expires = item.get("ttl").map(|at| at.as_n().unwrap().parse().unwrap());
            (Key { pk: text("pk"), sk: text("sk") }, expires)
        });
        found.collect()
    }

    pub(crate) async fn raw_items(&self, prefix: &str) -> Vec<HashMap<String, AttributeValue>> {
        let mut pages = self.dynamo.scan().table_name(TABLE).into_paginator().items().send();
        let mut found = Vec::new();
        while let Some(item) = pages.next().await {
            let item = unpacked(item.unwrap()).unwrap();
            if item["sk"].as_s().unwrap().starts_with(prefix) {
                found.push(item);
            }
        }
        found
    }

    /// The number of audit entries with an action.
    pub(crate) async fn entries_of(&self, action: Action) -> usize {
        let entries: Vec<AuditRecord> = self.items("aud_").await;
        entries.iter().filter(|entry| entry.action == action).count()
    }

    /// The number of counted exchanges.
    pub(crate) async fn exchanges(&self) -> usize {
        let counts: Vec<ExchangeCount> = self.items(keys::EXCHANGE).await;
        usize::try_from(counts.iter().map(|count| count.exchanges).sum::<u64>()).unwrap()
    }

    /// The number of other access points' receipts in the bucket.
    pub(crate) async fn receipts(&self) -> usize {
        let (ways, objects) = (self.items("TRANSMISSION").await, self.cloud.objects());
        let is_there = |way: &TransmissionRecord| {
            let payload = way.receipt.as_ref().and_then(Receipt::stored);
            payload.is_some_and(|it| objects.iter().any(|object| object.ends_with(&it.key)))
        };
        ways.iter().filter(|way| is_there(way)).count()
    }

    pub(crate) async fn documents(&self) -> Vec<DocumentRecord> {
        self.items("DOCUMENT").await
    }

    pub(crate) async fn events(&self) -> Vec<EventRecord> {
        self.items("EVENT").await
    }

    /// All reports to the authority.
    pub(crate) async fn tax_reports(&self) -> Vec<TaxReportRecord> {
        let mut items = self.raw_items(keys::TAX_REPORT).await;
        // Excludes the item of the report rate, whose key has the same beginning.
        items.retain(|item| item["sk"].as_s().unwrap() == keys::TAX_REPORT);
        items.into_iter().map(|item| from_item(item).unwrap()).collect()
    }

    pub(crate) async fn idempotency_records(&self) -> Vec<IdempotencyRecord> {
        self.items("IDEMPOTENCY").await
    }

    /// Stores a record directly, for tests of its readers.
    pub(crate) async fn put<T: serde::Serialize>(&self, key: Key, record: &T) {
        let mut item: HashMap<String, AttributeValue> = serde_dynamo::to_item(record).unwrap();
        item.insert("pk".to_owned(), AttributeValue::S(key.pk));
        item.insert("sk".to_owned(), AttributeValue::S(key.sk));
        self.dynamo.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    }

    /// Removes a record.
    pub(crate) async fn remove(&self, key: Key) {
        let delete = self.dynamo.delete_item().table_name(TABLE);
        let delete = delete.key("pk", AttributeValue::S(key.pk));
        delete.key("sk", AttributeValue::S(key.sk)).send().await.unwrap();
    }

    /// Sets an attribute of every item with these keys, as another writer would.
    pub(crate) async fn set(&self, pk: &str, sk: &str, name: &str, value: AttributeValue) {
        let mut found = 0;
        for item in self.raw_items(sk).await {
            if !item["pk"].as_s().unwrap().starts_with(pk) {
                continue;
            }
            found += 1;
            self.dynamo
                .update_item()
                .table_name(TABLE)
                .key("pk", item["pk"].clone())
                .key("sk", item["sk"].clone())
                .update_expression("SET #name = :value")
                .expression_attribute_names("#name", name)
                .expression_attribute_values(":value", value.clone())
                .send()
                .await
                .unwrap();
        }
        assert!(found > 0, "nothing at {pk} {sk}");
    }

    /// Stores a tax report outside of a use case, for the relay.
    pub(crate) async fn put_tax_report(&self, new: &NewTaxReport) {
        let key = Key::tax_report(&new.tax_report.taxpayer_id, &new.tax_report.report_id);
        let mut item: HashMap<String, AttributeValue> =
            serde_dynamo::to_item(&new.tax_report).unwrap();
        let shard = key.pk.bytes().last().unwrap() % 64;
        for (name, value) in [
            ("pk", key.pk),
            ("sk", key.sk),
            ("due_pk", format!("LIVE#DUE#{shard}")),
            ("due_at", instant(new.due.at)),
        ] {
            item.insert(name.to_owned(), AttributeValue::S(value));
        }
        if new.due.mark.is_some() {
            item.insert(keys::RELAY.to_owned(), AttributeValue::S("due".to_owned()));
        }
        self.dynamo.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    }

    /// Makes an event unreadable, and due before every other.
    pub(crate) async fn spoil(&self, event: &EventRecord) {
        let key = Key::event(event.mode, &event.taxpayer_id, &event.event_id);
        self.dynamo
            .update_item()
            .table_name(TABLE)
            .key("pk", AttributeValue::S(key.pk))
            .key("sk", AttributeValue::S(key.sk))
            .update_expression("SET due_at = :long_ago REMOVE packed1")
            .expression_attribute_values(
                ":long_ago",
                AttributeValue::S(instant(Timestamp::UNIX_EPOCH)),
            )
            .send()
            .await
            .unwrap();
    }

    /// The number of parked items.
    pub(crate) async fn parked(&self) -> usize {
        let items = self.raw_items("").await;
        items.iter().filter(|item| item.contains_key("parked")).count()
    }

    /// The values of an attribute of all items, for tests of the marks, except tax reports, which wait for their
    /// verdict.
    pub(crate) async fn marks(&self, name: &str) -> Vec<String> {
        let mut items = self.raw_items("").await;
        items.retain(|item| item["sk"].as_s().unwrap() != keys::TAX_REPORT);
        items.iter().filter_map(|item| item.get(name)?.as_s().ok().cloned()).collect()
    }
}
