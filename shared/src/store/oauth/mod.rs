//! The items of OAuth: clients, authorization requests, codes and tokens, each under the hash of its secret.
//!
//! A code and a generation of refresh tokens can be used once. A condition on one item ensures this, in the transaction
//! that creates the new tokens. So one of several concurrent uses succeeds.

mod clients;
mod requests;
mod tokens;

pub(super) use requests::decision_write;
pub use tokens::{Issue, TokensEnded};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::{
    StoreError,
    dynamo::{Item, to_item},
    jobs::expiry,
    keys::{self, Key},
};

/// How long an ended item is kept, so that it is recognized when it is presented again.
const KEPT_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// An item that DynamoDB may remove a day after it ended.
fn passing<T: Serialize>(key: Key, record: &T, ends: Timestamp) -> Result<Item, StoreError> {
    let mut item = to_item(key, record)?;
    let ttl = expiry(ends, KEPT_AFTER).to_string();
    item.insert(keys::TTL.to_owned(), AttributeValue::N(ttl));
    Ok(item)
}
