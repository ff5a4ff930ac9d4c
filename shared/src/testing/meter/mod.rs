//! Measures the consumption of calls to AWS. The figures are computed from the requests and their items by AWS's rules
//! ([`rules`]). The emulator's own figures are not used, since they are not split by partition.

mod kinds;
mod rules;
#[cfg(test)]
mod tests;

pub(crate) use self::{kinds::kind, rules::Units};

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

use self::rules::{Write, item_size};
use super::clients::TABLE;
use crate::store::keys::TTL;

/// An AWS service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Service {
    Table,
    Bucket,
    Queue,
    Mail,
}

/// A call that was measured.
#[derive(Debug, Clone)]
pub(crate) struct MeteredCall {
    pub(crate) service: Service,
    /// The operation as DynamoDB and SQS name it; the method of a call to the bucket.
    pub(crate) operation: String,
    /// The items of the table; the index entries; the object.
    pub(crate) touched: Vec<Touched>,
    /// The bytes of the items, of the object, or of the messages.
    pub(crate) bytes: usize,
    /// The requests that the service charges for this call.
    pub(crate) requests: usize,
}

/// An item, an index entry or an object that a call reads or writes.
#[derive(Debug, Clone)]
pub(crate) struct Touched {
    pub(crate) partition: String,
    /// The sort key. A query has none.
    pub(crate) sort: String,
    pub(crate) units: Units,
    /// Only for an item that the call wrote.
    pub(crate) written: Option<Written>,
}

/// An item before and after a write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    /// Its bytes; 0 if it did not exist.
    pub(crate) before: usize,
    /// Its bytes; 0 if it does not exist.
    pub(crate) after: usize,
    /// When DynamoDB removes it, if ever (seconds since 1970).
    pub(crate) expires: Option<i64>,
}

impl MeteredCall {
    /// The capacity that the call consumes.
    pub(crate) fn units(&self) -> Units {
        let mut sum = Units::default();
        self.touched.iter().for_each(|touched| sum.add(touched.units));
        sum
    }

    fn touch(&mut self, partition: &str, sort: &str, bytes: usize, units: Units) {
        let (partition, sort) = (partition.to_owned(), sort.to_owned());
        self.touched.push(Touched { partition, sort, units, written: None });
        self.bytes += bytes;
    }
}

/// The total consumption.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage {
    /// Every call, of any service, in order.
    pub(crate) calls: Vec<String>,
    /// By partition key; the index has its own keys.
    pub(crate) partitions: BTreeMap<String, Units>,
}

impl Usage {
    fn of(calls: &[MeteredCall]) -> Self {
        let mut usage = Usage::default();
        for call in calls {
            usage.calls.push(match call.service {
                Service::Table => call.operation.clone(),
                Service::Bucket => format!("S3 {}", call.operation),
                Service::Queue => format!("AmazonSQS.{}", call.operation),
                Service::Mail => "SES".to_owned(),
            });
            for touched in &call.touched {
                if call.service == Service::Table {
                    let sum = usage.partitions.entry(touched.partition.clone()).or_default();
                    sum.add(touched.units);
                }
            }
        }
        usage
    }
}

/// Counts between a client and the services.
#[derive(Clone)]
pub(crate) struct Meter {
    calls: Arc<Mutex<Vec<MeteredCall>>>,
    services: SharedHttpClient,
    url: String,
}

impl Meter {
    /// Counts the calls to `services`, whose DynamoDB is at `url`.
    pub(crate) fn new(services: SharedHttpClient, url: &str) -> Self {
        Meter { calls: Arc::default(), services, url: url.to_owned() }
    }

    /// A connector for SDK clients.
    pub(crate) fn client(&self) -> SharedHttpClient {
        SharedHttpClient::new(self.clone())
    }

    /// The consumption since the last call.
    pub(crate) fn take(&self) -> Usage {
        Usage::of(&self.take_calls())
    }

    /// The calls since the last call.
    pub(crate) fn take_calls(&self) -> Vec<MeteredCall> {
        std::mem::take(&mut self.calls.lock().unwrap())
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
        let (service, operation) = match target.split_once('.') {
            Some((service, operation)) if service.starts_with("DynamoDB") => {
                (Service::Table, operation.to_owned())
            }
            Some((_, operation)) => (Service::Queue, operation.to_owned()),
            None if request.uri().starts_with("http://ses.test") => {
                (Service::Mail, request.method().to_owned())
            }
            None => (Service::Bucket, request.method().to_owned()),
        };
        let call = MeteredCall { service, operation, touched: Vec::new(), bytes: 0, requests: 1 };
        match service {
            Service::Table => self.count_table(call, request).await,
            Service::Bucket => self.count_bucket(call, request).await,
            Service::Queue | Service::Mail => {
                let body = request.body().bytes().unwrap();
                let bytes = if service == Service::Queue { payload(body) } else { body.len() };
                let requests = rules::sqs_requests(bytes);
                self.record(MeteredCall { bytes, requests, ..call });
                self.services.call(request).await
            }
        }
    }

    fn record(&self, call: MeteredCall) {
        self.meter.calls.lock().unwrap().push(call);
    }

    async fn count_bucket(
        self,
        mut call: MeteredCall,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let uri = request.uri().trim_start_matches("http://s3.test");
        let key = uri.split('?').next().unwrap_or_default().to_owned();
        let sent = request.body().bytes().map_or(0, <[u8]>::len);
        let answer = self.services.call(request).await;
        let got = answer.as_ref().ok().and_then(|it| it.body().bytes()).map_or(0, <[u8]>::len);
        let bytes = if call.operation == "GET" { got } else { sent };
        call.touch(&key, "", bytes, Units::default());
        self.record(call);
        answer
    }

    async fn count_table(
        self,
        mut call: MeteredCall,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let written = written_keys(&call.operation, &body);
        let of = match call.operation.as_str() {
            "TransactWriteItems" => Write::Transaction,
            _ => Write::Single,
        };
        let mut before = Vec::new();
        for key in &written {
            before.push(self.item(key).await);
        }
        self.count_reads(&mut call, &body).await;
        let answer = self.services.call(request).await;
        for (key, before) in written.iter().zip(before) {
            let after = self.item(key).await;
            let (from, to) = (item_size(&before), item_size(&after));
            let units = rules::write(from, to, of);
            let expires = after[TTL]["N"].as_str().map(|ttl| ttl.parse().unwrap());
            call.touch(text(&key["pk"]), text(&key["sk"]), from.max(to), units);
            call.touched.last_mut().unwrap().written =
                Some(Written { before: from, after: to, expires });
            count_index(&mut call, &before, &after);
        }
        self.record(call);
        answer
    }

    async fn count_reads(&self, call: &mut MeteredCall, body: &Value) {
        let strong = |consistent: &Value| consistent == &json!(true);
        match call.operation.as_str() {
            "GetItem" => self.count_read(call, &body["Key"], strong(&body["ConsistentRead"])).await,
            "BatchGetItem" => {
                let request = &body["RequestItems"][TABLE];
                for key in request["Keys"].as_array().unwrap() {
                    self.count_read(call, key, strong(&request["ConsistentRead"])).await;
                }
            }
            "Query" => {
                // The read items count, not the returned ones.
                let mut whole = body.clone();
                for part in ["ProjectionExpression", "FilterExpression", "Select"] {
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
                let bytes =
                    answer["Items"].as_array().map_or(0, |items| items.iter().map(item_size).sum());
                let values = &body["ExpressionAttributeValues"];
                let partition = [":pk", ":due", ":parked"].map(|name| &values[name]);
                let partition = partition.into_iter().find(|value| !value.is_null()).unwrap();
                let units = rules::read(bytes, strong(&body["ConsistentRead"]));
                call.touch(text(partition), "", bytes, units);
            }
            _ => {}
        }
    }

    async fn count_read(&self, call: &mut MeteredCall, key: &Value, strong: bool) {
        let bytes = item_size(&self.item(key).await);
        call.touch(text(&key["pk"]), text(&key["sk"]), bytes, rules::read(bytes, strong));
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
        "BatchWriteItem" => {
            let writes = body["RequestItems"][TABLE].as_array().unwrap().iter();
            writes.map(|write| of_item(&write["PutRequest"]["Item"])).collect()
        }
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

/// An entry of the index, which holds only keys, is written when it is added and removed.
fn count_index(call: &mut MeteredCall, before: &Value, after: &Value) {
    let entry = |item: &Value| {
        let names = ["pk", "sk", "due_pk", "due_at"];
        (!item["due_pk"].is_null()).then(|| names.map(|name| (name, text(&item[name]).to_owned())))
    };
    let (before, after) = (entry(before), entry(after));
    if before == after {
        return;
    }
    for entry in [before, after].into_iter().flatten() {
        let bytes = entry.iter().map(|(name, value)| name.len() + value.len()).sum();
        let [_, _, (_, partition), (_, sort)] = &entry;
        call.touch(partition, sort, bytes, rules::index_entry(bytes));
    }
}

/// The bytes of the messages of a batch.
fn payload(batch: &[u8]) -> usize {
    let batch: Value = serde_json::from_slice(batch).unwrap();
    let entries = batch["Entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["MessageBody"].as_str().unwrap().len()).sum()
}

fn text(value: &Value) -> &str {
    value["S"].as_str().unwrap()
}
