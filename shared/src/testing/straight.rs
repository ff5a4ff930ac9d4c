//! For measurements: the table without test wrappers, and the CPU time of work.

use std::{collections::HashMap, sync::Arc, time::Duration};

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use aws_smithy_http_client::Builder;
use rustix::time::{ClockId, clock_gettime};

use super::{
    Bare, Recorder, World,
    clients::{TABLE, over, s3},
};
use crate::{
    service::Context,
    store::{
        Store,
        keys::{Key, PK, SK},
    },
    types::SeededRandom,
};

/// An item without its key.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// The CPU time of this thread, which runs everything except servers in separate threads.
pub(crate) async fn spent<T>(work: impl Future<Output = T>) -> (Duration, T) {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
    };
    let start = now();
    let done = work.await;
    (now() - start, done)
}

fn client(url: &str) -> aws_sdk_dynamodb::Client {
    over(url, Builder::new().build_http())
}

/// The table at an address.
pub(crate) fn straight(url: &str) -> Store {
    Store::new(client(url), TABLE, Arc::new(SeededRandom::new(13)))
}

impl World {
    /// This world with direct calls to the table.
    pub(crate) fn straight(&self) -> Context {
        Context { store: straight(self.cloud.dynamodb_url()), ..self.ctx.clone() }
    }

    /// This world with direct, recorded calls to the table.
    pub(crate) fn straight_recorded(&self, recorder: &Recorder) -> Context {
        let dynamo = client(self.cloud.dynamodb_url()).config().to_builder();
        let dynamo =
            aws_sdk_dynamodb::Client::from_conf(dynamo.interceptor(recorder.clone()).build());
        let store = Store::new(dynamo, TABLE, self.random.clone());
        Context { store, ..self.ctx.clone() }
    }

    /// Clients without any wrapper, with direct calls to the table.
    pub(crate) fn bare_straight(&self) -> Bare {
        Bare { dynamo: client(self.cloud.dynamodb_url()), s3: s3(&self.cloud, None) }
    }

    /// Stores items directly.
    pub(crate) async fn put_all(&self, items: impl Iterator<Item = (Key, Item)>) {
        let mut items = items.peekable();
        while items.peek().is_some() {
            // BatchWriteItem takes 25.
            let writes = items.by_ref().take(25).map(|(key, item)| {
                let put = PutRequest::builder()
                    .set_item(Some(item))
                    .item(PK, AttributeValue::S(key.pk))
                    .item(SK, AttributeValue::S(key.sk));
                WriteRequest::builder().put_request(put.build().unwrap()).build()
            });
            let call = self.dynamo.batch_write_item().request_items(TABLE, writes.collect());
            let done = call.send().await.unwrap();
            assert!(done.unprocessed_items.is_none_or(|left| left.is_empty()));
        }
    }
}
