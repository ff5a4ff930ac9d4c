//! The reads of the table.

use std::collections::{HashMap, HashSet};

use aws_sdk_dynamodb::{
    operation::query::builders::QueryFluentBuilder,
    types::{AttributeValue, KeysAndAttributes},
};
use serde::de::DeserializeOwned;

use super::{
    errors::{corrupt, unavailable},
    items::{Item, from_item, key_item, key_of},
    pauses::pause,
};
use crate::store::{Store, StoreError, keys::Key};

/// The maximum number of keys in one BatchGetItem request.
const BATCH: usize = 100;

/// How often the unprocessed keys of a batch are requested.
const UNPROCESSED_ATTEMPTS: u32 = 6;

impl Store {
    /// Reads an item with a strongly consistent read.
    pub(in crate::store) async fn get<T: DeserializeOwned>(
        &self,
        key: Key,
    ) -> Result<Option<T>, StoreError> {
        self.get_item(key).await?.map(from_item).transpose()
    }

    /// Reads an item with an eventually consistent read, at half the cost.
    pub(in crate::store) async fn get_lately<T: DeserializeOwned>(
        &self,
        key: Key,
    ) -> Result<Option<T>, StoreError> {
        self.get_item_lately(key).await?.map(from_item).transpose()
    }

    /// Reads an item with every attribute, eventually consistent.
    pub(in crate::store) async fn get_item_lately(
        &self,
        key: Key,
    ) -> Result<Option<Item>, StoreError> {
        self.read(key, false).await
    }

    /// Reads an item with every attribute, such as its marks.
    pub(in crate::store) async fn get_item(&self, key: Key) -> Result<Option<Item>, StoreError> {
        self.read(key, true).await
    }

    async fn read(&self, key: Key, consistent: bool) -> Result<Option<Item>, StoreError> {
        let output = self
            .dynamo
            .get_item()
            .table_name(&*self.table)
            .set_key(Some(key_item(key)))
            .consistent_read(consistent)
            .send()
            .await
            .map_err(unavailable)?;
        Ok(output.item)
    }

    /// Reads items by their keys, strongly consistent, with one request for each hundred. Missing items are not in the
    /// result.
    pub(in crate::store) async fn get_many(
        &self,
        keys: impl IntoIterator<Item = Key>,
    ) -> Result<HashMap<Key, Item>, StoreError> {
        self.read_many(keys, true).await
    }

    /// [`Store::get_many`], eventually consistent, at half the cost.
    pub(in crate::store) async fn get_many_lately(
        &self,
        keys: impl IntoIterator<Item = Key>,
    ) -> Result<HashMap<Key, Item>, StoreError> {
        self.read_many(keys, false).await
    }

    async fn read_many(
        &self,
        keys: impl IntoIterator<Item = Key>,
        consistent: bool,
    ) -> Result<HashMap<Key, Item>, StoreError> {
        // BatchGetItem refuses duplicate keys.
        let wanted: Vec<Key> = keys.into_iter().collect::<HashSet<_>>().into_iter().collect();
        let mut found = HashMap::with_capacity(wanted.len());
        for batch in wanted.chunks(BATCH) {
            let mut request: Vec<_> = batch.iter().cloned().map(key_item).collect();
            let mut attempt = 0;
            // A batch may be returned in part, when it is larger than 16 MB or throttled.
            while !request.is_empty() {
                if attempt > 0 {
                    if attempt == UNPROCESSED_ATTEMPTS {
                        return Err(unavailable(Throttled));
                    }
                    pause(&*self.random, attempt).await;
                }
                attempt += 1;
                let keys = KeysAndAttributes::builder()
                    .set_keys(Some(request))
                    .consistent_read(consistent)
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
                    found.insert(key_of(&item)?, item);
                }
                let rest = output.unprocessed_keys.unwrap_or_default().into_values();
                request = rest.flat_map(|rest| rest.keys).collect();
            }
        }
        Ok(found)
    }

    /// Reads every item of a partition whose sort key begins with `prefix`. Only for small collections, such as grants
    /// and endpoints.
    pub(in crate::store) async fn all<T: DeserializeOwned>(
        &self,
        partition: &str,
        prefix: &str,
    ) -> Result<Vec<T>, StoreError> {
        let query = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
            .expression_attribute_values(":pk", AttributeValue::S(partition.to_owned()))
            .expression_attribute_values(":prefix", AttributeValue::S(prefix.into()))
            .consistent_read(true);
        let items = pages(query, usize::MAX).await?;
        items.into_iter().map(from_item).collect()
    }

    /// Reads a page of at most `limit` items of a partition, `after` a sort key, and whether it is the last one.
    pub(in crate::store) async fn page_after<T: DeserializeOwned>(
        &self,
        partition: String,
        after: Option<&str>,
        limit: Option<i32>,
    ) -> Result<(Vec<T>, bool), StoreError> {
        let after = after.map(|sk| key_item(Key { pk: partition.clone(), sk: sk.to_owned() }));
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", AttributeValue::S(partition))
            .consistent_read(true)
            .set_exclusive_start_key(after)
            .set_limit(limit)
            .send()
            .await
            .map_err(unavailable)?;
        let items = page.items.unwrap_or_default().into_iter().map(from_item);
        Ok((items.collect::<Result<_, _>>()?, page.last_evaluated_key.is_none()))
    }

    /// Reads the first items of a partition whose sort key begins with `prefix`, at most `most`.
    pub(in crate::store) async fn earliest<T: DeserializeOwned>(
        &self,
        partition: &str,
        prefix: &str,
        most: i32,
    ) -> Result<Vec<T>, StoreError> {
        self.items_at_an_end(true, partition, prefix, most).await
    }

    /// Reads the last items of a partition whose sort key begins with `prefix`, the last one first, at most `most`.
    pub(in crate::store) async fn latest<T: DeserializeOwned>(
        &self,
        partition: &str,
        prefix: &str,
        most: i32,
    ) -> Result<Vec<T>, StoreError> {
        self.items_at_an_end(false, partition, prefix, most).await
    }

    async fn items_at_an_end<T: DeserializeOwned>(
        &self,
        forward: bool,
        partition: &str,
        prefix: &str,
        most: i32,
    ) -> Result<Vec<T>, StoreError> {
        let page = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
            .expression_attribute_values(":pk", AttributeValue::S(partition.to_owned()))
            .expression_attribute_values(":prefix", AttributeValue::S(prefix.into()))
            .consistent_read(true)
            .scan_index_forward(forward)
            .limit(most)
            .send()
            .await
            .map_err(unavailable)?;
        page.items.unwrap_or_default().into_iter().map(from_item).collect()
    }

    /// Reads the last items of a partition with sort keys between two prefixes, the last one first. Keys with the later
    /// prefix are included. It reads about `most` items, possibly of several kinds. It takes one query for each 1 MB.
    pub(in crate::store) async fn latest_between(
        &self,
        partition: &str,
        (low, high): (&str, &str),
        most: usize,
    ) -> Result<Vec<Item>, StoreError> {
        // '~' sorts after every character of an identifier.
        let query = self
            .dynamo
            .query()
            .table_name(&*self.table)
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":pk", AttributeValue::S(partition.to_owned()))
            .expression_attribute_values(":low", AttributeValue::S(low.to_owned()))
            .expression_attribute_values(":high", AttributeValue::S(format!("{high}~")))
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(i32::try_from(most).unwrap_or(i32::MAX));
        pages(query, most).await
    }
}

/// The items of a query. It requests pages until there are no more, or at least `most` items were read.
async fn pages(query: QueryFluentBuilder, most: usize) -> Result<Vec<Item>, StoreError> {
    let (mut found, mut start) = (Vec::new(), None);
    loop {
        let asked = query.clone().set_exclusive_start_key(start);
        let page = asked.send().await.map_err(unavailable)?;
        found.extend(page.items.unwrap_or_default());
        start = page.last_evaluated_key;
        if start.is_none() || found.len() >= most {
            return Ok(found);
        }
    }
}

/// A batch was returned in part at each attempt.
#[derive(Debug, thiserror::Error)]
#[error("a batch was not given whole, however often it was asked for")]
struct Throttled;
