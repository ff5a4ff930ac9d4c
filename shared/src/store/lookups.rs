//! What the network said of recipients, kept for a while. It is public: of no tenant.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, Written, to_item},
    keys::{self, Key},
    text::{self, instant},
};
use crate::types::Mode;

/// Until when others wait for who asks a question.
#[derive(Serialize)]
struct Asking {
    #[serde(with = "text::instant")]
    until: Timestamp,
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

    /// Whether who calls is to ask the network a question: the first, and whoever comes after `until` of the one before.
    pub async fn begin_lookup(
        &self,
        mode: Mode,
        question: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut item = to_item(Key::asking(mode, question), &Asking { until })?;
        item.insert(keys::TTL.to_owned(), AttributeValue::N(until.as_second().to_string()));
        let condition = Expression::new("attribute_not_exists(pk) OR #until <= :now")
            .name("#until", "until")
            .text(":now", instant(now));
        let written = self.write(Write::Put { item, condition }).await?;
        Ok(matches!(written, Written::Done))
    }
}
