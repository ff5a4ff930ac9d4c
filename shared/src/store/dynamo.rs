//! All reads and writes of the table. Expressions are built only here and in the other files of `store`.

use std::{
    collections::{HashMap, HashSet},
    error::Error,
    time::Duration,
};

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError, query::builders::QueryFluentBuilder,
        transact_write_items::TransactWriteItemsError, update_item::UpdateItemError,
    },
    types::{
        AttributeValue, ConditionCheck, Delete, KeysAndAttributes, Put, ReturnValue,
        ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update as UpdateItem,
    },
};
use serde::{Serialize, de::DeserializeOwned};

use super::{Store, StoreError, keys, keys::Key};
use crate::types::Random;

pub(super) type Item = HashMap<String, AttributeValue>;

/// The maximum number of keys in one BatchGetItem request.
const BATCH: usize = 100;

/// How often a write that conflicts with another is attempted.
const CONFLICT_ATTEMPTS: u32 = 6;
/// How often the unprocessed keys of a batch are requested.
const UNPROCESSED_ATTEMPTS: u32 = 6;
/// The longest first pause between attempts, in milliseconds. Tests hardly wait.
const FIRST_PAUSE: u64 = if cfg!(test) { 1 } else { 20 };

/// A condition or an update with its values.
#[derive(Debug, Clone, Default)]
pub(super) struct Expression {
    text: String,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Expression {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Expression { text: text.into(), ..Self::default() }
    }

    /// This condition and another.
    pub(super) fn and(mut self, other: &str) -> Self {
        self.text = format!("{} AND {other}", self.text);
        self
    }

    /// Binds `#name` to an attribute; needed when the attribute is a reserved word.
    pub(super) fn name(mut self, placeholder: &str, attribute: &str) -> Self {
        self.names.insert(placeholder.to_owned(), attribute.to_owned());
        self
    }

    /// Binds `:value` to a text.
    pub(super) fn text(mut self, placeholder: &str, value: impl Into<String>) -> Self {
        self.values.insert(placeholder.to_owned(), AttributeValue::S(value.into()));
        self
    }

    /// Binds `:value` to a set of texts.
    pub(super) fn texts(mut self, placeholder: &str, values: Vec<String>) -> Self {
        self.values.insert(placeholder.to_owned(), AttributeValue::Ss(values));
        self
    }

    /// Binds `:value` to a number.
    pub(super) fn number(mut self, placeholder: &str, value: impl ToString) -> Self {
        self.values.insert(placeholder.to_owned(), AttributeValue::N(value.to_string()));
        self
    }

    /// Binds `:value` to a value.
    pub(super) fn value(mut self, placeholder: &str, value: AttributeValue) -> Self {
        self.values.insert(placeholder.to_owned(), value);
        self
    }

    pub(super) fn text_or_none(&self) -> Option<String> {
        (!self.text.is_empty()).then(|| self.text.clone())
    }

    pub(super) fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    pub(super) fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }
}

/// An update, attribute by attribute. Its placeholders differ from those of every condition.
#[derive(Debug, Clone, Default)]
pub(super) struct Update {
    set: Vec<String>,
    remove: Vec<String>,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Update {
    pub(super) fn new() -> Self {
        Self::default()
    }

    fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#to_{attribute}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    pub(super) fn set<T: Serialize>(
        mut self,
        attribute: &str,
        value: &T,
    ) -> Result<Self, StoreError> {
        let name = self.name(attribute);
        let value = serde_dynamo::to_attribute_value(value).map_err(corrupt)?;
        self.values.insert(format!(":to_{attribute}"), value);
        self.set.push(format!("{name} = :to_{attribute}"));
        Ok(self)
    }

    /// Sets an attribute unless it exists.
    pub(super) fn set_first<T: Serialize>(
        mut self,
        attribute: &str,
        value: &T,
    ) -> Result<Self, StoreError> {
        let name = self.name(attribute);
        let value = serde_dynamo::to_attribute_value(value).map_err(corrupt)?;
        self.values.insert(format!(":to_{attribute}"), value);
        self.set.push(format!("{name} = if_not_exists({name}, :to_{attribute})"));
        Ok(self)
    }

    /// Adds to a number; a missing attribute counts as 0.
    pub(super) fn add(mut self, attribute: &str, number: impl Into<i64>) -> Self {
        let name = self.name(attribute);
        let number = number.into().to_string();
        self.values.insert(format!(":to_{attribute}"), AttributeValue::N(number));
        self.values.insert(":to_zero".to_owned(), AttributeValue::N("0".to_owned()));
        self.set.push(format!("{name} = if_not_exists({name}, :to_zero) + :to_{attribute}"));
        self
    }

    pub(super) fn remove(mut self, attribute: &str) -> Self {
        let name = self.name(attribute);
        self.remove.push(name);
        self
    }

    pub(super) fn build(self) -> Expression {
        let clause = |word: &str, parts: Vec<String>| match parts.is_empty() {
            true => String::new(),
            false => format!("{word} {}", parts.join(", ")),
        };
        let clauses = [clause("SET", self.set), clause("REMOVE", self.remove)];
        let text = clauses.join(" ").trim().to_owned();
        Expression { text, names: self.names, values: self.values }
    }
}

/// The condition that an item does not exist.
pub(super) fn absent() -> Expression {
    Expression::new("attribute_not_exists(pk)")
}

#[derive(Debug)]
pub(super) enum Written {
    /// The write was done.
    Done,
    /// A condition did not hold. For a write of one item, this is the stored item.
    Refused(Option<Item>),
}

/// How an update that returns the item ended.
#[derive(Debug)]
pub(super) enum Updated {
    /// The update was done; this is the new item.
    Done(Item),
    /// The condition did not hold. This is the stored item, empty when there is none.
    Refused(Item),
}

/// One write, alone or in a transaction.
#[derive(Debug, Clone)]
pub(super) enum Write {
    Put {
        item: Item,
        condition: Expression,
    },
    Update {
        key: Key,
        update: Expression,
        condition: Expression,
    },
    Delete {
        key: Key,
        condition: Expression,
    },
    /// Writes nothing, but cancels the transaction when the condition does not hold.
    Check {
        key: Key,
        condition: Expression,
    },
}

impl Store {
    /// Reads an item with a strongly consistent read.
    pub(super) async fn get<T: DeserializeOwned>(&self, key: Key) -> Result<Option<T>, StoreError> {
        self.get_item(key).await?.map(from_item).transpose()
    }

    /// Reads an item with an eventually consistent read, at half the cost.
    pub(super) async fn get_lately<T: DeserializeOwned>(
        &self,
        key: Key,
    ) -> Result<Option<T>, StoreError> {
        self.get_item_lately(key).await?.map(from_item).transpose()
    }

    /// Reads an item with every attribute, eventually consistent.
    pub(super) async fn get_item_lately(&self, key: Key) -> Result<Option<Item>, StoreError> {
        self.read(key, false).await
    }

    /// Reads an item with every attribute, such as its marks.
    pub(super) async fn get_item(&self, key: Key) -> Result<Option<Item>, StoreError> {
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
    pub(super) async fn get_many(
        &self,
        keys: impl IntoIterator<Item = Key>,
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
    pub(super) async fn all<T: DeserializeOwned>(
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

    /// Reads the first items of a partition whose sort key begins with `prefix`, at most `most`.
    pub(super) async fn earliest<T: DeserializeOwned>(
        &self,
        partition: &str,
        prefix: &str,
        most: i32,
    ) -> Result<Vec<T>, StoreError> {
        self.items_at_an_end(true, partition, prefix, most).await
    }

    /// Reads the last items of a partition whose sort key begins with `prefix`, the last one first, at most `most`.
    pub(super) async fn latest<T: DeserializeOwned>(
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
    pub(super) async fn latest_between(
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

    /// Writes one item under its condition. A write that conflicts with a transaction on the same item is repeated.
    pub(super) async fn write(&self, write: Write) -> Result<Written, StoreError> {
        let mut attempt = 0;
        loop {
            let error = match self.write_once(write.clone()).await {
                Ok(()) => return Ok(Written::Done),
                Err(error) => error,
            };
            match error {
                WriteError::Refused(item) => return Ok(Written::Refused(item)),
                WriteError::Met if attempt + 1 < CONFLICT_ATTEMPTS => {
                    pause(&*self.random, attempt).await;
                    attempt += 1;
                }
                WriteError::Met => return Err(unknown("the item is in other transactions")),
                WriteError::Other(error) => return Err(StoreError::Unknown(error)),
            }
        }
    }

    async fn write_once(&self, write: Write) -> Result<(), WriteError> {
        match write {
            Write::Put { item, condition } => {
                self.dynamo
                    .put_item()
                    .table_name(&*self.table)
                    .set_item(Some(item))
                    .set_condition_expression(condition.text_or_none())
                    .set_expression_attribute_names(condition.names())
                    .set_expression_attribute_values(condition.values())
                    .return_values_on_condition_check_failure(
                        ReturnValuesOnConditionCheckFailure::AllOld,
                    )
                    .send()
                    .await?;
            }
            Write::Update { key, update, condition } => {
                let both = merged(&update, &condition);
                self.dynamo
                    .update_item()
                    .table_name(&*self.table)
                    .set_key(Some(key_item(key)))
                    .update_expression(&update.text)
                    .set_condition_expression(condition.text_or_none())
                    .set_expression_attribute_names(both.names())
                    .set_expression_attribute_values(both.values())
                    .return_values_on_condition_check_failure(
                        ReturnValuesOnConditionCheckFailure::AllOld,
                    )
                    .send()
                    .await?;
            }
            Write::Delete { key, condition } => {
                self.dynamo
                    .delete_item()
                    .table_name(&*self.table)
                    .set_key(Some(key_item(key)))
                    .set_condition_expression(condition.text_or_none())
                    .set_expression_attribute_names(condition.names())
                    .set_expression_attribute_values(condition.values())
                    .return_values_on_condition_check_failure(
                        ReturnValuesOnConditionCheckFailure::AllOld,
                    )
                    .send()
                    .await?;
            }
            Write::Check { .. } => {
                return Err(WriteError::Other("a condition alone writes nothing".into()));
            }
        }
        Ok(())
    }

    /// Updates or creates one item under its condition, and returns the new item. An update that conflicts with a
    /// transaction on the same item is repeated.
    pub(super) async fn update(
        &self,
        key: Key,
        update: Expression,
        condition: Option<Expression>,
    ) -> Result<Updated, StoreError> {
        let both = condition.as_ref().map_or_else(|| update.clone(), |c| merged(&update, c));
        let request = self
            .dynamo
            .update_item()
            .table_name(&*self.table)
            .set_key(Some(key_item(key)))
            .update_expression(&update.text)
            .set_condition_expression(condition.map(|condition| condition.text))
            .set_expression_attribute_names(both.names())
            .set_expression_attribute_values(both.values())
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let mut attempt = 0;
        loop {
            match request.clone().send().await.map_err(WriteError::from) {
                Ok(output) => return Ok(Updated::Done(output.attributes.unwrap_or_default())),
                Err(WriteError::Refused(item)) => {
                    return Ok(Updated::Refused(item.unwrap_or_default()));
                }
                Err(WriteError::Met) if attempt + 1 < CONFLICT_ATTEMPTS => {
                    pause(&*self.random, attempt).await;
                    attempt += 1;
                }
                Err(WriteError::Met) => return Err(unknown("the item is in other transactions")),
                Err(WriteError::Other(error)) => return Err(StoreError::Unknown(error)),
            }
        }
    }

    /// Writes several items, all or none. A refusal does not say which condition failed. The caller reads the items
    /// back, since an earlier attempt of its own may have caused the refusal.
    pub(super) async fn transact(&self, writes: Vec<Write>) -> Result<Written, StoreError> {
        let items: Vec<_> =
            writes.into_iter().map(|write| self.in_transaction(write)).collect::<Result<_, _>>()?;
        let mut attempt = 0;
        loop {
            let result = self
                .dynamo
                .transact_write_items()
                .set_transact_items(Some(items.clone()))
                .send()
                .await;
            let error = match result {
                Ok(_) => return Ok(Written::Done),
                Err(error) => error,
            };
            match canceled(&error) {
                Some(Canceled::Refused) => return Ok(Written::Refused(None)),
                Some(Canceled::Met) if attempt + 1 < CONFLICT_ATTEMPTS => {
                    pause(&*self.random, attempt).await;
                    attempt += 1;
                }
                _ => return Err(StoreError::Unknown(error.into())),
            }
        }
    }

    /// Waits before an operation that met a concurrent change is retried.
    pub(crate) async fn back_off(&self, attempt: u32) {
        pause(&*self.random, attempt.min(CONFLICT_ATTEMPTS)).await;
    }

    fn in_transaction(&self, write: Write) -> Result<TransactWriteItem, StoreError> {
        let item = TransactWriteItem::builder();
        let built = match write {
            Write::Put { item: attributes, condition } => Put::builder()
                .table_name(&*self.table)
                .set_item(Some(attributes))
                .set_condition_expression(condition.text_or_none())
                .set_expression_attribute_names(condition.names())
                .set_expression_attribute_values(condition.values())
                .build()
                .map(|put| item.put(put)),
            Write::Update { key, update, condition } => {
                let both = merged(&update, &condition);
                UpdateItem::builder()
                    .table_name(&*self.table)
                    .set_key(Some(key_item(key)))
                    .update_expression(&update.text)
                    .set_condition_expression(condition.text_or_none())
                    .set_expression_attribute_names(both.names())
                    .set_expression_attribute_values(both.values())
                    .build()
                    .map(|update| item.update(update))
            }
            Write::Delete { key, condition } => Delete::builder()
                .table_name(&*self.table)
                .set_key(Some(key_item(key)))
                .set_condition_expression(condition.text_or_none())
                .set_expression_attribute_names(condition.names())
                .set_expression_attribute_values(condition.values())
                .build()
                .map(|delete| item.delete(delete)),
            Write::Check { key, condition } => ConditionCheck::builder()
                .table_name(&*self.table)
                .set_key(Some(key_item(key)))
                .condition_expression(&condition.text)
                .set_expression_attribute_names(condition.names())
                .set_expression_attribute_values(condition.values())
                .build()
                .map(|check| item.condition_check(check)),
        };
        built.map(|item| item.build()).map_err(corrupt)
    }
}

/// Waits before another attempt: exponential backoff, half of it random.
pub(super) async fn pause(random: &dyn Random, attempt: u32) {
    let most = FIRST_PAUSE << attempt;
    let mut chance = [0; 2];
    random.fill(&mut chance);
    let part = u64::from(u16::from_be_bytes(chance)) * (most / 2) / u64::from(u16::MAX);
    tokio::time::sleep(Duration::from_millis(most / 2 + part)).await;
}

enum WriteError {
    Refused(Option<Item>),
    /// A transaction on the same item is running.
    Met,
    Other(super::BoxError),
}

/// Each operation on one item has its own error type. All of them have the same two cases of interest.
macro_rules! write_errors {
    ($($error:ident),*) => {$(
        impl From<SdkError<$error>> for WriteError {
            fn from(error: SdkError<$error>) -> Self {
                match error.as_service_error() {
                    Some($error::ConditionalCheckFailedException(refused)) => {
                        WriteError::Refused(refused.item.clone())
                    }
                    Some($error::TransactionConflictException(_)) => WriteError::Met,
                    _ => WriteError::Other(error.into()),
                }
            }
        }
    )*};
}
write_errors!(PutItemError, UpdateItemError, DeleteItemError);

enum Canceled {
    Refused,
    Met,
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

/// Why a transaction was canceled: a condition failed (`Refused`), or it met other transactions or was throttled
/// (`Met`), so that it can be repeated. `None` for other errors.
fn canceled(error: &SdkError<TransactWriteItemsError>) -> Option<Canceled> {
    let Some(TransactWriteItemsError::TransactionCanceledException(canceled)) =
        error.as_service_error()
    else {
        return None;
    };
    let codes = || canceled.cancellation_reasons().iter().filter_map(|reason| reason.code());
    if codes().any(|code| code == "ConditionalCheckFailed") {
        return Some(Canceled::Refused);
    }
    codes()
        .all(|code| {
            matches!(
                code,
                "None"
                    | "TransactionConflict"
                    | "ThrottlingError"
                    | "ProvisionedThroughputExceeded"
            )
        })
        .then_some(Canceled::Met)
}

/// An update with the names and values of its condition, because one request has one set of both.
fn merged(update: &Expression, condition: &Expression) -> Expression {
    let mut both = update.clone();
    both.names.extend(condition.names.clone());
    both.values.extend(condition.values.clone());
    both
}

pub(super) fn key_item(key: Key) -> Item {
    HashMap::from([
        (keys::PK.to_owned(), AttributeValue::S(key.pk)),
        (keys::SK.to_owned(), AttributeValue::S(key.sk)),
    ])
}

pub(super) fn key_of(item: &Item) -> Result<Key, StoreError> {
    let text = |name| item.get(name).and_then(|value| value.as_s().ok()).cloned();
    match (text(keys::PK), text(keys::SK)) {
        (Some(pk), Some(sk)) => Ok(Key { pk, sk }),
        _ => Err(StoreError::Corrupt("an item without a key".into())),
    }
}

/// A batch was returned in part at each attempt.
#[derive(Debug, thiserror::Error)]
#[error("a batch was not given whole, however often it was asked for")]
struct Throttled;

/// An item that DynamoDB removes at an instant.
pub(super) fn expiring(mut item: Item, at: i64) -> Item {
    item.insert(keys::TTL.to_owned(), AttributeValue::N(at.to_string()));
    item
}

/// An item with a record's attributes and its key.
pub(super) fn to_item<T: Serialize>(key: Key, record: &T) -> Result<Item, StoreError> {
    let mut item: Item = serde_dynamo::to_item(record).map_err(corrupt)?;
    item.extend(key_item(key));
    Ok(item)
}

pub(super) fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, StoreError> {
    serde_dynamo::from_item(item).map_err(corrupt)
}

pub(super) fn unavailable(error: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(error.into())
}

pub(super) fn corrupt(error: impl Error + Send + Sync + 'static) -> StoreError {
    StoreError::Corrupt(error.into())
}

pub(super) fn unknown(message: &'static str) -> StoreError {
    StoreError::Unknown(message.into())
}
