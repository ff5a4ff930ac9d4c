//! Measures the capacity that calls consume, for each partition key. It is computed from the requests and their items
//! by the rules of DynamoDB's developer guide ("DynamoDB read and write operations"). The emulator's own figures are
//! not used, since they are not split by partition.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
    runtime_components::RuntimeComponents,
};
use aws_smithy_types::{body::SdkBody, byte_stream::ByteStream};
use serde_json::{Value, json};

use super::clients::TABLE;

/// The consumption of one partition, in halves of a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Units {
    pub(crate) write: usize,
    pub(crate) read: usize,
}

/// The total consumption.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage {
    /// Every call, of any service, in order.
    pub(crate) calls: Vec<String>,
    /// By partition key; the index has its own keys.
    pub(crate) partitions: BTreeMap<String, Units>,
}

/// Counts between a client and the services.
#[derive(Clone)]
pub(crate) struct Meter {
    usage: Arc<Mutex<Usage>>,
    services: SharedHttpClient,
    url: String,
}

impl Meter {
    /// Counts the calls to `services`, whose DynamoDB is at `url`.
    pub(crate) fn new(services: SharedHttpClient, url: &str) -> Self {
        Meter { usage: Arc::default(), services, url: url.to_owned() }
    }

    /// A connector for SDK clients.
    pub(crate) fn client(&self) -> SharedHttpClient {
        SharedHttpClient::new(self.clone())
    }

    /// The consumption since the last call.
    pub(crate) fn take(&self) -> Usage {
        std::mem::take(&mut self.usage.lock().unwrap())
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Meter")
    }
}

impl HttpClient for Meter {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let services = self.services.http_connector(settings, components);
        SharedHttpConnector::new(Counting { meter: self.clone(), services })
    }
}

#[derive(Debug, Clone)]
struct Counting {
    meter: Meter,
    services: SharedHttpConnector,
}

impl HttpConnector for Counting {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let this = self.clone();
        HttpConnectorFuture::new(async move { this.count(request).await })
    }
}

impl Counting {
    async fn count(self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        let Some(operation) = target.strip_prefix("DynamoDB_20120810.") else {
            let name = if target.is_empty() { format!("S3 {}", request.method()) } else { target };
            self.meter.usage.lock().unwrap().calls.push(name);
            return self.services.call(request).await;
        };
        self.meter.usage.lock().unwrap().calls.push(operation.to_owned());
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let written = written_keys(operation, &body);
        let factor = if operation == "TransactWriteItems" { 4 } else { 2 };
        let mut before = Vec::new();
        for key in &written {
            before.push(self.item(key).await);
        }
        self.count_reads(operation, &body).await;
        let answer = self.services.call(request).await;
        for (key, before) in written.iter().zip(before) {
            let after = self.item(key).await;
            let size = size(&before).max(size(&after));
            self.add(text(&key["pk"]), Units { write: factor * units(size, 1024), read: 0 });
            self.count_index(&before, &after);
        }
        answer
    }

    /// An entry of the index, which holds only keys, is written when it is added and removed.
    fn count_index(&self, before: &Value, after: &Value) {
        let entry = |item: &Value| {
            (!item["due_pk"].is_null())
                .then(|| (text(&item["due_pk"]).to_owned(), text(&item["due_at"]).to_owned()))
        };
        let (before, after) = (entry(before), entry(after));
        if before != after {
            for (partition, _) in [before, after].into_iter().flatten() {
                self.add(&partition, Units { write: 2, read: 0 });
            }
        }
    }

    async fn count_reads(&self, operation: &str, body: &Value) {
        let strong = |consistent: &Value| if consistent == &json!(true) { 2 } else { 1 };
        match operation {
            "GetItem" => {
                let item = self.item(&body["Key"]).await;
                let read = strong(&body["ConsistentRead"]) * units(size(&item), 4096);
                self.add(text(&body["Key"]["pk"]), Units { write: 0, read });
            }
            "BatchGetItem" => {
                let request = &body["RequestItems"][TABLE];
                for key in request["Keys"].as_array().unwrap() {
                    let item = self.item(key).await;
                    let read = strong(&request["ConsistentRead"]) * units(size(&item), 4096);
                    self.add(text(&key["pk"]), Units { write: 0, read });
                }
            }
            "Query" => {
                // The read items count, not the returned ones.
                let mut whole = body.clone();
                for part in ["ProjectionExpression", "FilterExpression"] {
                    whole.as_object_mut().unwrap().remove(part);
                }
                // DynamoDB refuses unused names, so names of removed expressions are removed.
                let keys = whole["KeyConditionExpression"].as_str().unwrap().to_owned();
                let words = || keys.split(|it: char| !it.is_alphanumeric() && !"#:_".contains(it));
                for part in ["ExpressionAttributeNames", "ExpressionAttributeValues"] {
                    if let Some(Value::Object(named)) = whole.get_mut(part) {
                        named.retain(|name, _| words().any(|word| word == name));
                    }
                }
                if whole["ExpressionAttributeNames"] == json!({}) {
                    whole.as_object_mut().unwrap().remove("ExpressionAttributeNames");
                }
                let answer = self.ask("Query", &whole).await;
                let looked_at =
                    answer["Items"].as_array().map_or(0, |items| items.iter().map(size).sum());
                let read = strong(&body["ConsistentRead"]) * units(looked_at, 4096);
                let values = &body["ExpressionAttributeValues"];
                let partition = [":pk", ":due", ":parked"].map(|name| &values[name]);
                let partition = partition.into_iter().find(|value| !value.is_null()).unwrap();
                self.add(text(partition), Units { write: 0, read });
            }
            _ => {}
        }
    }

    fn add(&self, partition: &str, units: Units) {
        let partitions = &mut self.meter.usage.lock().unwrap().partitions;
        let sum = partitions.entry(partition.to_owned()).or_default();
        sum.write += units.write;
        sum.read += units.read;
    }

    /// Reads an item without counting; null if it does not exist.
    async fn item(&self, key: &Value) -> Value {
        let request = json!({"TableName": TABLE, "Key": key, "ConsistentRead": true});
        self.ask("GetItem", &request).await["Item"].clone()
    }

    async fn ask(&self, operation: &str, body: &Value) -> Value {
        let mut request = HttpRequest::new(SdkBody::from(body.to_string()));
        request.set_method("POST").unwrap();
        request.set_uri(self.meter.url.as_str()).unwrap();
        let target = format!("DynamoDB_20120810.{operation}");
        for (name, value) in [
            ("x-amz-target", target.as_str()),
            ("content-type", "application/x-amz-json-1.0"),
            ("x-amz-date", "20261120T080000Z"),
            (
                "authorization",
                "AWS4-HMAC-SHA256 Credential=test/20261120/me-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
            ),
        ] {
            request.headers_mut().insert(name.to_owned(), value.to_owned());
        }
        let answer = self.services.call(request).await.unwrap();
        assert!(answer.status().is_success(), "{operation}: {}", answer.status());
        let bytes = ByteStream::new(answer.into_body()).collect().await.unwrap().to_vec();
        serde_json::from_slice(&bytes).unwrap()
    }
}

/// The keys that a request writes.
fn written_keys(operation: &str, body: &Value) -> Vec<Value> {
    let of_item = |item: &Value| json!({"pk": item["pk"], "sk": item["sk"]});
    match operation {
        "PutItem" => vec![of_item(&body["Item"])],
        "UpdateItem" | "DeleteItem" => vec![body["Key"].clone()],
        "TransactWriteItems" => {
            let writes = body["TransactItems"].as_array().unwrap().iter();
            writes
                .map(|write| match write.as_object().unwrap().iter().next().unwrap() {
                    (kind, put) if kind == "Put" => of_item(&put["Item"]),
                    (_, other) => other["Key"].clone(),
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn text(value: &Value) -> &str {
    value["S"].as_str().unwrap()
}

/// Whole units, at least one.
fn units(bytes: usize, unit: usize) -> usize {
    bytes.div_ceil(unit).max(1)
}

/// The size of an item: its names and values (developer guide, "DynamoDB item sizes and formats").
fn size(item: &Value) -> usize {
    item.as_object().map_or(0, |attributes| {
        attributes.iter().map(|(name, value)| name.len() + value_size(value)).sum()
    })
}

fn value_size(value: &Value) -> usize {
    let (kind, value) = value.as_object().unwrap().iter().next().unwrap();
    match (kind.as_str(), value) {
        ("S", Value::String(text)) => text.len(),
        ("N", Value::String(digits)) => digits.len().div_ceil(2) + 1,
        ("M", map) => 3 + map.as_object().unwrap().len() + size(map),
        ("L", Value::Array(list)) => {
            3 + list.iter().map(|each| 1 + value_size(each)).sum::<usize>()
        }
        _ => 1,
    }
}
