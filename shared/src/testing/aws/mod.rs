//! The AWS services for SDK clients: DynamoDB in this process, S3 and SQS as maps in memory, and a connector that can
//! fail like a network.

mod connector;
mod faults;
mod services;

pub(crate) use self::faults::{Fault, Faults};

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt,
    sync::{Arc, Mutex},
};

use aws_smithy_runtime_api::client::{http::SharedHttpClient, orchestrator::HttpRequest};
use dynoxide::Database;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::{connector::Client, services::Uploads};
use super::clients::TABLE;

/// The services.
#[derive(Clone)]
pub(crate) struct Cloud {
    dynamodb_url: String,
    network: SharedHttpClient,
    state: Arc<Mutex<State>>,
}

/// A sent mail.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mail {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

/// A message in a queue.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Message {
    /// The stage: the end of the queue's address.
    pub(crate) queue: String,
    /// The part before: `live` or `sandbox`.
    pub(crate) mode: String,
    pub(crate) body: Value,
    pub(crate) delay_seconds: i64,
    /// `MessageGroupId`, by which fair queues share.
    pub(crate) group: Option<String>,
}

impl Message {
    pub(crate) fn read<T: DeserializeOwned>(&self) -> T {
        serde_json::from_value(self.body.clone()).unwrap()
    }
}

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Vec<u8>>,
    /// Endings of object keys that the bucket refuses now.
    refused: Vec<&'static str>,
    /// The locks of objects: mode and end.
    locks: BTreeMap<String, (String, String)>,
    uploads: Uploads,
    messages: Vec<Message>,
    mails: Vec<Mail>,
    /// Errors of the next calls to the mail service, by name.
    mail_errors: VecDeque<&'static str>,
    /// The partition keys of all writes to the table, in order.
    written: Vec<String>,
    /// The partition keys of items written by BatchWriteItem, which is an action of its own for a role.
    batched: Vec<String>,
    /// The keys of all written items.
    changed: BTreeSet<(String, String)>,
}

impl fmt::Debug for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cloud")
    }
}

impl Cloud {
    pub(crate) async fn start() -> Cloud {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let dynamodb_url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(dynoxide::server::serve_on(listener, Database::memory().unwrap()));
        Cloud {
            dynamodb_url,
            network: aws_smithy_http_client::Builder::new().build_http(),
            state: Arc::default(),
        }
    }

    pub(crate) fn dynamodb_url(&self) -> &str {
        &self.dynamodb_url
    }

    /// A connector for an SDK client.
    pub(crate) fn client(&self, faults: Option<Arc<Faults>>) -> SharedHttpClient {
        SharedHttpClient::new(Client { cloud: self.clone(), faults })
    }

    /// The messages of all queues, in the order of sending, except those about reports, which tests handle separately.
    pub(crate) fn messages(&self) -> Vec<Message> {
        let messages = &self.state.lock().unwrap().messages;
        messages.iter().filter(|message| message.queue != "report").cloned().collect()
    }

    /// Deletes a handled message from its queue.
    pub(crate) fn acknowledge(&self, message: &Message) {
        let messages = &mut self.state.lock().unwrap().messages;
        if let Some(place) = messages.iter().position(|waiting| waiting == message) {
            messages.remove(place);
        }
    }

    /// Removes and returns every message of a queue.
    pub(crate) fn receive(&self, queue: &str) -> Vec<Message> {
        let messages = &mut self.state.lock().unwrap().messages;
        messages.extract_if(.., |message| message.queue == queue).collect()
    }

    /// Removes and returns every sent mail.
    pub(crate) fn mails(&self) -> Vec<Mail> {
        std::mem::take(&mut self.state.lock().unwrap().mails)
    }

    /// Makes the mail service refuse the next call.
    pub(crate) fn refuse_mail(&self, error: &'static str) {
        self.state.lock().unwrap().mail_errors.push_back(error);
    }

    /// Removes an object from the bucket, or puts one there.
    pub(crate) fn set_object(&self, key: &str, bytes: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let objects = &mut self.state.lock().unwrap().objects;
        match bytes {
            None => objects.remove(key),
            Some(bytes) => objects.insert(key.to_owned(), bytes),
        }
    }

    /// Makes the bucket refuse objects whose key has one of these endings.
    pub(crate) fn refuse_objects(&self, endings: &[&'static str]) {
        self.state.lock().unwrap().refused = endings.to_vec();
    }

    /// The partition keys of writes since the last call.
    pub(crate) fn take_written(&self) -> Vec<String> {
        let state = &mut *self.state.lock().unwrap();
        state.batched.clear();
        std::mem::take(&mut state.written)
    }

    /// The partition keys of items written by BatchWriteItem since the last call.
    pub(crate) fn take_batched(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap().batched)
    }

    /// The keys of items written since the last call, as in the table's stream.
    pub(crate) fn take_changed(&self) -> BTreeSet<(String, String)> {
        std::mem::take(&mut self.state.lock().unwrap().changed)
    }

    /// Records the writes of a call to DynamoDB.
    fn note_writes(&self, target: &str, request: &HttpRequest) {
        let operation = target.rsplit('.').next().unwrap_or_default();
        let writes =
            ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"];
        if !writes.contains(&operation) {
            return;
        }
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let key = |write: &Value| {
            let key = write.get("Item").or(write.get("Key")).unwrap();
            ["pk", "sk"].map(|name| key[name]["S"].as_str().unwrap().to_owned())
        };
        let requests = &body["RequestItems"][TABLE];
        let keys: Vec<_> = match (body.get("TransactItems"), requests.as_array()) {
            (None, None) => vec![key(&body)],
            (None, Some(requests)) => requests.iter().map(|it| key(&it["PutRequest"])).collect(),
            (Some(items), _) => {
                let writes = items.as_array().unwrap().iter().filter_map(|item| {
                    item.as_object().unwrap().iter().find(|(kind, _)| *kind != "ConditionCheck")
                });
                writes.map(|(_, write)| key(write)).collect()
            }
        };
        let state = &mut *self.state.lock().unwrap();
        for [pk, sk] in keys {
            if operation == "BatchWriteItem" {
                state.batched.push(pk.clone());
            }
            state.written.push(pk.clone());
            state.changed.insert((pk, sk));
        }
    }

    /// The keys of the objects in the bucket.
    pub(crate) fn objects(&self) -> Vec<String> {
        self.state.lock().unwrap().objects.keys().cloned().collect()
    }

    /// Removes unfinished uploads, as the bucket does after a day.
    pub(crate) fn forget_uploads(&self) {
        self.state.lock().unwrap().uploads.clear();
    }

    /// The locks of the bucket's objects: mode and end.
    pub(crate) fn locks(&self) -> BTreeMap<String, (String, String)> {
        self.state.lock().unwrap().locks.clone()
    }
}
