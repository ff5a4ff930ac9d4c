//! The AWS services for SDK clients: DynamoDB in this process, S3 and SQS as maps in memory, and a connector that can
//! fail like a network.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::crash::{Crash, Mishap};
use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpClient, SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        result::ConnectorError,
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use aws_smithy_types::body::SdkBody;
use dynoxide::Database;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A fault of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The call never arrives.
    Before,
    /// The call succeeds, and the answer gets lost.
    After,
    /// The call is throttled.
    Throttled,
    /// The call conflicts with a transaction on the same item; calls that cannot conflict succeed.
    Conflict,
}

/// The calls that fail. Calls are counted from 0, including retries of the SDK.
#[derive(Debug)]
pub(crate) struct Faults {
    fault: Fault,
    /// Only calls of this operation are counted, and fail.
    only: Option<&'static str>,
    from: usize,
    until: usize,
    calls: AtomicUsize,
    /// A crash at one effect instead.
    pub(super) crash: Option<Crash>,
}

impl Faults {
    /// `count` calls from number `from` on fail.
    pub(crate) fn new(fault: Fault, from: usize, count: usize) -> Arc<Faults> {
        let until = from.saturating_add(count);
        let calls = AtomicUsize::new(0);
        Arc::new(Faults { fault, only: None, from, until, calls, crash: None })
    }

    /// The effect number `point` has this mishap, with all retries of the SDK.
    pub(crate) fn crash(point: usize, mishap: Mishap) -> Arc<Faults> {
        let (fault, calls) = (Fault::Before, AtomicUsize::new(0));
        let crash = Some(Crash::new(point, mishap));
        Arc::new(Faults { fault, only: None, from: 0, until: 0, calls, crash })
    }

    /// Every call of one operation of DynamoDB fails.
    pub(crate) fn only(operation: &'static str, fault: Fault) -> Arc<Faults> {
        let (only, calls) = (Some(operation), AtomicUsize::new(0));
        Arc::new(Faults { fault, only, from: 0, until: usize::MAX, calls, crash: None })
    }

    /// Waits until the crash has killed the process.
    pub(crate) async fn died(&self) {
        match &self.crash {
            Some(crash) => crash.died().await,
            None => std::future::pending().await,
        }
    }

    /// The number of calls.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn next(&self, target: &str) -> Option<Fault> {
        if self.only.is_some_and(|only| target.rsplit('.').next() != Some(only)) {
            return None;
        }
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        (self.from..self.until).contains(&call).then_some(self.fault)
    }
}

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

/// The parts of unfinished uploads, by object key and part number.
type Uploads = BTreeMap<(String, u32), Vec<u8>>;
/// The part number that marks a begun upload without parts.
const BEGUN: u32 = 0;

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
    /// The keys of all written items.
    changed: BTreeSet<(String, String)>,
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
        std::mem::take(&mut self.state.lock().unwrap().written)
    }

    /// The keys of items written since the last call, as in the table's stream.
    pub(crate) fn take_changed(&self) -> BTreeSet<(String, String)> {
        std::mem::take(&mut self.state.lock().unwrap().changed)
    }

    /// Records the writes of a call to DynamoDB.
    fn note_writes(&self, target: &str, request: &HttpRequest) {
        let operation = target.rsplit('.').next().unwrap_or_default();
        if !matches!(operation, "PutItem" | "UpdateItem" | "DeleteItem" | "TransactWriteItems") {
            return;
        }
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let key = |write: &Value| {
            let key = write.get("Item").or(write.get("Key")).unwrap();
            ["pk", "sk"].map(|name| key[name]["S"].as_str().unwrap().to_owned())
        };
        let keys: Vec<_> = match body.get("TransactItems") {
            None => vec![key(&body)],
            Some(items) => {
                let writes = items.as_array().unwrap().iter().filter_map(|item| {
                    item.as_object().unwrap().iter().find(|(kind, _)| *kind != "ConditionCheck")
                });
                writes.map(|(_, write)| key(write)).collect()
            }
        };
        let state = &mut *self.state.lock().unwrap();
        for [pk, sk] in keys {
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

    fn s3(&self, request: &HttpRequest) -> (u16, Vec<u8>) {
        let (key, query) = request.uri().split_once('?').unwrap_or((request.uri(), ""));
        let key = key.replace("http://s3.test", "");
        let State { objects, refused, uploads, locks, .. } = &mut *self.state.lock().unwrap();
        if let Some(answer) = multipart(objects, uploads, request, &key, query) {
            return answer;
        }
        let error = |code: &str| format!("<Error><Code>{code}</Code></Error>").into_bytes();
        match request.method() {
            "PUT" if refused.iter().any(|ending| key.ends_with(ending)) => (503, error("SlowDown")),
            "PUT"
                if objects.contains_key(&key)
                    && request.headers().get("if-none-match").is_some() =>
            {
                (412, error("PreconditionFailed"))
            }
            "PUT" => {
                // An object of a tenant is never replaced.
                let guarded = request.headers().get("if-none-match") == Some("*");
                let shared = ["/revocation/", "/usage/"].iter().any(|it| key.contains(it));
                assert!(guarded || shared, "{key}");
                let header = |name| Some(request.headers().get(name)?.to_owned());
                let lock = header("x-amz-object-lock-mode");
                let lock = lock.zip(header("x-amz-object-lock-retain-until-date"));
                locks.extend(lock.map(|lock| (key.clone(), lock)));
                objects.insert(key, request.body().bytes().unwrap().to_vec());
                (200, Vec::new())
            }
            "GET" => match objects.get(&key) {
                Some(bytes) => (200, bytes.clone()),
                None => (404, error("NoSuchKey")),
            },
            "HEAD" => match objects.get(&key) {
                Some(_) => (200, Vec::new()),
                None => (404, Vec::new()),
            },
            "DELETE" => {
                objects.remove(&key);
                (204, Vec::new())
            }
            other => panic!("S3 {other}"),
        }
    }

    fn ses(&self, request: &HttpRequest) -> HttpResponse {
        assert!(request.uri().ends_with("/v2/email/outbound-emails"), "{}", request.uri());
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let state = &mut *self.state.lock().unwrap();
        if let Some(error) = state.mail_errors.pop_front() {
            let body = json!({"message": "what was refused: somebody@example.com"}).to_string();
            let mut answer = response(400, body);
            answer.headers_mut().insert("x-amzn-errortype", error);
            return answer;
        }
        let simple = &body["Content"]["Simple"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        state.mails.push(Mail {
            from: text(&body["FromEmailAddress"]),
            to: text(&body["Destination"]["ToAddresses"][0]),
            subject: text(&simple["Subject"]["Data"]),
            text: text(&simple["Body"]["Text"]["Data"]),
            html: text(&simple["Body"]["Html"]["Data"]),
        });
        response(200, json!({"MessageId": "1"}).to_string())
    }

    fn sqs(&self, request: &HttpRequest) -> (u16, String) {
        assert_eq!(request.headers().get("x-amz-target"), Some("AmazonSQS.SendMessageBatch"));
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let mut address = body["QueueUrl"].as_str().unwrap().rsplit('/');
        let (queue, mode) = (address.next().unwrap(), address.next().unwrap());
        let entries = body["Entries"].as_array().unwrap();
        assert!((1..=10).contains(&entries.len()));
        let mut state = self.state.lock().unwrap();
        let mut taken = Vec::new();
        for entry in entries {
            state.messages.push(Message {
                queue: queue.to_owned(),
                mode: mode.to_owned(),
                body: serde_json::from_str(entry["MessageBody"].as_str().unwrap()).unwrap(),
                delay_seconds: entry["DelaySeconds"].as_i64().unwrap_or(0),
                group: entry["MessageGroupId"].as_str().map(str::to_owned),
            });
            taken.push(json!({"Id": entry["Id"], "MessageId": "1", "MD5OfMessageBody": ""}));
        }
        (200, json!({"Successful": taken, "Failed": []}).to_string())
    }
}

/// Handles a call of a multipart upload; the upload id is the object's key.
fn multipart(
    objects: &mut BTreeMap<String, Vec<u8>>,
    uploads: &mut Uploads,
    request: &HttpRequest,
    key: &str,
    query: &str,
) -> Option<(u16, Vec<u8>)> {
    let own = |(upload, _): &(String, u32)| upload == key;
    let number = query.split('&').find_map(|part| part.strip_prefix("partNumber="));
    match (request.method(), number) {
        ("POST", _) if query.starts_with("uploads") => {
            uploads.retain(|part, _| !own(part));
            uploads.insert((key.to_owned(), BEGUN), Vec::new());
            let xml = "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>";
            Some((200, xml.into()))
        }
        ("PUT", Some(_)) if !uploads.keys().any(own) => {
            Some((404, b"<Error><Code>NoSuchUpload</Code></Error>".to_vec()))
        }
        ("PUT", Some(number)) => {
            let bytes = request.body().bytes().unwrap().to_vec();
            uploads.insert((key.to_owned(), number.parse().unwrap()), bytes);
            Some((200, Vec::new()))
        }
        ("POST", _) => {
            let parts = uploads.extract_if(.., |part, _| own(part));
            let whole: Vec<u8> = parts.flat_map(|(_, bytes)| bytes).collect();
            // A finished object stays.
            if !whole.is_empty() {
                objects.insert(key.to_owned(), whole);
            }
            Some((200, b"<CompleteMultipartUploadResult/>".to_vec()))
        }
        ("DELETE", _) if query.contains("uploadId") => {
            uploads.retain(|part, _| !own(part));
            Some((204, Vec::new()))
        }
        _ => None,
    }
}

impl fmt::Debug for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cloud")
    }
}

#[derive(Debug)]
struct Client {
    cloud: Cloud,
    faults: Option<Arc<Faults>>,
}

impl HttpClient for Client {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            cloud: self.cloud.clone(),
            faults: self.faults.clone(),
            network: self.cloud.network.http_connector(settings, components),
        })
    }
}

#[derive(Debug, Clone)]
struct Connector {
    cloud: Cloud,
    faults: Option<Arc<Faults>>,
    network: SharedHttpConnector,
}

impl Connector {
    fn perform(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        self.cloud.note_writes(&target, &request);
        if request.uri().starts_with("http://s3.test") {
            let (status, body) = self.cloud.s3(&request);
            let mut response = response(status, body);
            response.headers_mut().insert("last-modified", LAST_MODIFIED);
            HttpConnectorFuture::ready(Ok(response))
        } else if request.uri().starts_with("http://sqs.test") {
            let (status, body) = self.cloud.sqs(&request);
            HttpConnectorFuture::ready(Ok(response(status, body)))
        } else if request.uri().starts_with("http://ses.test") {
            HttpConnectorFuture::ready(Ok(self.cloud.ses(&request)))
        } else {
            self.network.call(request)
        }
    }

    /// A call of a process with a crash point.
    fn befalls(&self, faults: Arc<Faults>, request: HttpRequest) -> HttpConnectorFuture {
        // Equal for all retries of the SDK.
        let effect = request.headers().get("amz-sdk-invocation-id").unwrap().to_owned();
        let connector = self.clone();
        let mishap = faults.crash.as_ref().unwrap().befalls(&effect);
        match mishap {
            Err(()) => HttpConnectorFuture::new(std::future::pending()),
            Ok(None) => self.perform(request),
            Ok(Some(Mishap::FailsBefore)) => lost(),
            Ok(Some(Mishap::AnswerLost)) => HttpConnectorFuture::new(async move {
                let _done = connector.perform(request).await;
                Err(ConnectorError::timeout("the answer got lost".into()))
            }),
            Ok(Some(Mishap::DiesAfter)) => HttpConnectorFuture::new(async move {
                let _done = connector.perform(request).await;
                faults.crash.as_ref().unwrap().die();
                std::future::pending().await
            }),
            Ok(Some(Mishap::RunsTwice)) => HttpConnectorFuture::new(async move {
                let again = request.try_clone().unwrap();
                let _first = connector.perform(request).await;
                connector.perform(again).await
            }),
        }
    }
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        if let Some(faults) = self.faults.as_ref().filter(|faults| faults.crash.is_some()) {
            return self.befalls(faults.clone(), request);
        }
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        let fault = self.faults.as_ref().and_then(|faults| faults.next(&target));
        match fault {
            Some(Fault::Before) => return lost(),
            Some(Fault::Throttled) => return HttpConnectorFuture::ready(Ok(throttled(&target))),
            Some(Fault::Conflict) => {
                if let Some(response) = conflict(&target) {
                    return HttpConnectorFuture::ready(Ok(response));
                }
            }
            _ => {}
        }
        let answer = self.perform(request);
        if fault != Some(Fault::After) {
            return answer;
        }
        HttpConnectorFuture::new(async move {
            let _done = answer.await;
            Err(ConnectorError::timeout("the answer got lost".into()))
        })
    }
}

fn lost() -> HttpConnectorFuture {
    HttpConnectorFuture::ready(Err(ConnectorError::timeout("the call got lost".into())))
}

/// The storage time of every object.
const LAST_MODIFIED: &str = "Mon, 15 Jun 2026 12:00:00 GMT";

fn response(status: u16, body: impl Into<SdkBody>) -> HttpResponse {
    HttpResponse::new(StatusCode::try_from(status).unwrap(), body.into())
}

fn throttled(target: &str) -> HttpResponse {
    if target.is_empty() {
        return response(503, "<Error><Code>SlowDown</Code></Error>".to_owned());
    }
    error("ProvisionedThroughputExceededException", json!({}))
}

fn conflict(target: &str) -> Option<HttpResponse> {
    match target.strip_prefix("DynamoDB_20120810.")? {
        "TransactWriteItems" => Some(error(
            "TransactionCanceledException",
            json!({"CancellationReasons": [{"Code": "TransactionConflict"}, {"Code": "None"}]}),
        )),
        "PutItem" | "UpdateItem" | "DeleteItem" => {
            Some(error("TransactionConflictException", json!({})))
        }
        _ => None,
    }
}

fn error(code: &str, mut body: Value) -> HttpResponse {
    body["__type"] = json!(format!("com.amazonaws.dynamodb.v20120810#{code}"));
    body["message"] = json!("injected");
    response(400, body.to_string())
}
