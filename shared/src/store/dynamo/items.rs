//! Items and records.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Serialize, de::DeserializeOwned};

use super::{errors::corrupt, packed::unpacked};
use crate::store::{
    StoreError,
    keys::{self, Key},
};

pub(in crate::store) type Item = HashMap<String, AttributeValue>;

pub(in crate::store) fn key_item(key: Key) -> Item {
    HashMap::from([
        (keys::PK.to_owned(), AttributeValue::S(key.pk)),
        (keys::SK.to_owned(), AttributeValue::S(key.sk)),
    ])
}

pub(in crate::store) fn key_of(item: &Item) -> Result<Key, StoreError> {
    let text = |name| item.get(name).and_then(|value| value.as_s().ok()).cloned();
    match (text(keys::PK), text(keys::SK)) {
        (Some(pk), Some(sk)) => Ok(Key { pk, sk }),
        _ => Err(StoreError::Corrupt("an item without a key".into())),
    }
}

/// An item that DynamoDB removes at an instant.
pub(in crate::store) fn expiring(mut item: Item, at: i64) -> Item {
    item.insert(keys::TTL.to_owned(), AttributeValue::N(at.to_string()));
    item
}

/// An item with a record's attributes and its key.
pub(in crate::store) fn to_item<T: Serialize>(key: Key, record: &T) -> Result<Item, StoreError> {
    let mut item: Item = serde_dynamo::to_item(record).map_err(corrupt)?;
    item.extend(key_item(key));
    Ok(item)
}

pub(crate) fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, StoreError> {
    serde_dynamo::from_item(unpacked(item)?).map_err(corrupt)
}
