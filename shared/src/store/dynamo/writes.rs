//! The writes of the table, alone or in a transaction.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError,
        transact_write_items::TransactWriteItemsError, update_item::UpdateItemError,
    },
    types::{
        ConditionCheck, Delete, Put, PutRequest, ReturnValue, ReturnValuesOnConditionCheckFailure,
        TransactWriteItem, Update as UpdateItem, WriteRequest,
    },
};
use futures_util::future::try_join_all;

use super::{
    errors::{corrupt, unavailable, unknown},
    expressions::{Expression, merged},
    items::{Item, key_item},
    pauses::pause,
};
use crate::store::{BoxError, Store, StoreError, keys::Key};

/// Maximum items of one BatchWriteItem.
const BATCH: usize = 25;
/// How often a write that conflicts with another is attempted.
const CONFLICT_ATTEMPTS: u32 = 6;

#[derive(Debug)]
pub(in crate::store) enum Written {
    /// The write was done.
    Done,
    /// A condition did not hold. For a write of one item, this is the stored item.
    Refused(Option<Item>),
}

/// How an update that returns the item ended.
#[derive(Debug)]
pub(in crate::store) enum Updated {
    /// The update was done; this is the new item.
    Done(Item),
    /// The condition did not hold. This is the stored item, empty when there is none.
    Refused(Item),
}

/// One write, alone or in a transaction.
#[derive(Debug, Clone)]
pub(in crate::store) enum Write {
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
    /// Puts an item that may stand without the others: its readers skip it as long as the item that it points to is not
    /// there, or it is a fact of its own. It is written before the transaction, where it would cost twice as much. If the
    /// transaction then fails, the item stays.
    Point {
        item: Item,
    },
}

impl Store {
    /// Writes one item under its condition. A write that conflicts with a transaction on the same item is repeated.
    pub(in crate::store) async fn write(&self, write: Write) -> Result<Written, StoreError> {
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
            Write::Point { item } => {
                self.dynamo.put_item().table_name(&*self.table).set_item(Some(item)).send().await?;
            }
        }
        Ok(())
    }

    /// Updates or creates one item under its condition, and returns the new item. An update that conflicts with a
    /// transaction on the same item is repeated.
    pub(in crate::store) async fn update(
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

    /// Writes several items, all or none, after their pointers. A refusal does not say which condition failed. The caller
    /// reads the items back, since an earlier attempt of its own may have caused the refusal. One item needs no
    /// transaction, which would cost twice as much.
    pub(in crate::store) async fn transact(
        &self,
        writes: Vec<Write>,
    ) -> Result<Written, StoreError> {
        let (mut items, mut pointers) = (Vec::with_capacity(writes.len()), Vec::new());
        for write in writes {
            match write {
                Write::Point { item } => pointers.push(item),
                write => items.push(write),
            }
        }
        let pointers = pointers.chunks(BATCH).map(|batch| self.point(batch.to_vec()));
        try_join_all(pointers).await?;
        if items.is_empty() {
            return Ok(Written::Done);
        }
        let items = match <[Write; 1]>::try_from(items) {
            Ok([only]) => return self.write(only).await,
            Err(items) => items,
        };
        let items = items.into_iter().map(|write| self.in_transaction(write));
        let items: Vec<_> = items.collect::<Result<_, _>>()?;
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

    /// Puts up to [`BATCH`] pointers.
    async fn point(&self, mut items: Vec<Item>) -> Result<(), StoreError> {
        if items.len() == 1
            && let Some(item) = items.pop()
        {
            return self.write(Write::Point { item }).await.map(drop);
        }
        let puts = items.into_iter().map(|item| PutRequest::builder().set_item(Some(item)).build());
        let puts: Vec<_> = puts.collect::<Result<_, _>>().map_err(corrupt)?;
        let requests = puts.into_iter().map(|put| WriteRequest::builder().put_request(put).build());
        let mut left = HashMap::from([(self.table.to_string(), requests.collect())]);
        for attempt in 0..CONFLICT_ATTEMPTS {
            let call = self.dynamo.batch_write_item().set_request_items(Some(left));
            left = call.send().await.map_err(unavailable)?.unprocessed_items.unwrap_or_default();
            if left.is_empty() {
                return Ok(());
            }
            pause(&*self.random, attempt).await;
        }
        Err(StoreError::Unavailable("the table did not take all pointers".into()))
    }

    /// Waits before an operation that met a concurrent change is retried.
    pub(crate) async fn back_off(&self, attempt: u32) {
        pause(&*self.random, attempt.min(CONFLICT_ATTEMPTS)).await;
    }

    fn in_transaction(&self, write: Write) -> Result<TransactWriteItem, StoreError> {
        let item = TransactWriteItem::builder();
        let built = match write {
            Write::Point { .. } => {
                return Err(unknown("a pointer is no part of a transaction"));
            }
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

enum WriteError {
    Refused(Option<Item>),
    /// A transaction on the same item is running.
    Met,
    Other(BoxError),
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
