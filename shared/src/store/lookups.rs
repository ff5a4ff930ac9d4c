//! The network's results for recipients, kept for a while. They are public and belong to no tenant.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, Written, to_item},
    keys::{self, Key},
    text::{self, instant},
};
use crate::types::Mode;

/// An execution that looks a question up.
#[derive(Debug, Serialize, Deserialize)]
pub struct Asking<T> {
    /// Until when other executions wait for its result.
    #[serde(with = "text::instant")]
    pub until: Timestamp,
    /// Why it failed, if it has.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub failed: Option<T>,
}

/// A default for any `T`.
fn none<T>() -> Option<T> {
    None
}

impl Store {
    /// The stored result of a question.
    pub async fn get_lookup<T: DeserializeOwned>(
        &self,
        mode: Mode,
        question: &str,
    ) -> Result<Option<T>, StoreError> {
        self.get_lately(Key::lookup(mode, question)).await
    }

    /// Stores the result of a question, at least until `until`.
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

    /// Notes that a lookup failed, beside the stored result.
    pub async fn note_lookup_failed(
        &self,
        mode: Mode,
        question: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let update = Expression::new("SET failed_at = :now").text(":now", instant(now));
        // The condition prevents a new item that has only this attribute.
        let condition = Expression::new("attribute_exists(pk)");
        let key = Key::lookup(mode, question);
        self.write(Write::Update { key, update, condition }).await.map(drop)
    }

    /// Whether the caller must look the question up. It must when there is no other execution, the other one has
    /// failed, or its `until` is over.
    pub async fn begin_lookup(
        &self,
        mode: Mode,
        question: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let free = "attribute_not_exists(pk) OR #until <= :now OR attribute_exists(failed)";
        let condition = Expression::new(free).name("#until", "until").text(":now", instant(now));
        let asking = Asking::<()> { until, failed: None };
        self.write_asking(Key::asking(mode, question), asking, condition).await
    }

    /// The current or last execution that looks a question up.
    pub async fn get_asking<T: DeserializeOwned>(
        &self,
        mode: Mode,
        question: &str,
    ) -> Result<Option<Asking<T>>, StoreError> {
        self.get_lately(Key::asking(mode, question)).await
    }

    /// Notes that the lookup that was begun with this `until` failed, and why.
    pub async fn fail_lookup<T: Serialize>(
        &self,
        mode: Mode,
        question: &str,
        until: Timestamp,
        failed: T,
    ) -> Result<(), StoreError> {
        let condition = Expression::new("#until = :until").name("#until", "until");
        let condition = condition.text(":until", instant(until));
        let asking = Asking { until, failed: Some(failed) };
        self.write_asking(Key::asking(mode, question), asking, condition).await.map(drop)
    }

    async fn write_asking<T: Serialize>(
        &self,
        key: Key,
        asking: Asking<T>,
        condition: Expression,
    ) -> Result<bool, StoreError> {
        let mut item = to_item(key, &asking)?;
        item.insert(keys::TTL.to_owned(), AttributeValue::N(asking.until.as_second().to_string()));
        let written = self.write(Write::Put { item, condition }).await?;
        Ok(matches!(written, Written::Done))
    }
}
