//! What the network said of recipients, kept for a while. It is public: of no tenant.

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

/// That somebody asks a question.
#[derive(Debug, Serialize, Deserialize)]
pub struct Asking<T> {
    /// Until when others wait for what comes of it.
    #[serde(with = "text::instant")]
    pub until: Timestamp,
    /// Why nothing did, once that is known.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub failed: Option<T>,
}

/// A default for any `T`.
fn none<T>() -> Option<T> {
    None
}

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

    /// Notes that a question was not answered, beside what was kept about it.
    pub async fn note_lookup_failed(
        &self,
        mode: Mode,
        question: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let update = Expression::new("SET failed_at = :now").text(":now", instant(now));
        // What is gone by now does not come back with this alone.
        let condition = Expression::new("attribute_exists(pk)");
        let key = Key::lookup(mode, question);
        self.write(Write::Update { key, update, condition }).await.map(drop)
    }

    /// Whether who calls is to ask the network a question: the first, and whoever comes when the one before has failed, or
    /// after its `until`.
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

    /// Who asks a question, or did lately.
    pub async fn get_asking<T: DeserializeOwned>(
        &self,
        mode: Mode,
        question: &str,
    ) -> Result<Option<Asking<T>>, StoreError> {
        self.get_lately(Key::asking(mode, question)).await
    }

    /// Tells others that a question, which was begun with this `until`, was not answered, and why.
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
