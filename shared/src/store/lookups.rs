//! What the network said of recipients, kept for a while. It is public: of no tenant.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, to_item},
    keys::{self, Key},
};
use crate::types::Mode;

impl Store {
    /// What was kept about a question.
    pub async fn get_lookup<T: DeserializeOwned>(
        &self,
        mode: Mode,
        question: &str,
    ) -> Result<Option<T>, StoreError> {
        self.get_lately(Key::lookup(mode, question)).await
    }

    /// Keeps something about a question, until then at least.
    pub async fn put_lookup<T: Serialize>(
        &self,
        mode: Mode,
        question: &str,
        known: &T,
        until: Timestamp,
    ) -> Result<(), StoreError> {
        let mut item = to_item(Key::lookup(mode, question), known)?;
        item.insert(keys::TTL.to_owned(), AttributeValue::N(until.as_second().to_string()));
        let condition = Expression::default();
        self.write(Write::Put { item, condition }).await.map(drop)
    }
}
