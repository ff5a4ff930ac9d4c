//! S3, SES and SQS in memory.

use std::collections::BTreeMap;

use aws_smithy_runtime_api::{
    client::orchestrator::{HttpRequest, HttpResponse},
    http::StatusCode,
};
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

use super::{Cloud, Mail, Message, State};

/// The parts of unfinished uploads, by object key and part number.
pub(super) type Uploads = BTreeMap<(String, u32), Vec<u8>>;

/// The part number that marks a begun upload without parts.
const BEGUN: u32 = 0;

impl Cloud {
    pub(super) fn s3(&self, request: &HttpRequest) -> (u16, Vec<u8>) {
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
            "GET" => match (objects.get(&key), request.headers().get("range")) {
                (Some(bytes), None) => (200, bytes.clone()),
                (Some(bytes), Some(range)) => (206, within(bytes, range)),
                (None, _) => (404, error("NoSuchKey")),
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

    pub(super) fn ses(&self, request: &HttpRequest) -> HttpResponse {
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

    pub(super) fn sqs(&self, request: &HttpRequest) -> (u16, String) {
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

/// The bytes of a range, such as `bytes=0-9` or `bytes=10-`.
fn within(bytes: &[u8], range: &str) -> Vec<u8> {
    let (first, last) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    let last = if last.is_empty() { bytes.len() - 1 } else { last.parse().unwrap() };
    bytes[first.parse().unwrap()..=last].to_vec()
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

pub(super) fn response(status: u16, body: impl Into<SdkBody>) -> HttpResponse {
    HttpResponse::new(StatusCode::try_from(status).unwrap(), body.into())
}
