//! The commands against a service and a program of the test's own.

use std::{
    os::unix::fs::PermissionsExt,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::{
    api::{Api, Trouble},
    credentials::{Credentials, Kept, credentials, keep, kept, place},
    forward::{Forward, pause, secret},
    listen::Listening,
    sample, *,
};
use crate::{
    cli::read_line,
    environment::Environment,
    types::{SeededRandom, SystemClock, SystemRandom},
    webhook::{self, Headers, Secret, verify},
};

/// The service and the integrator's program: their behaviour, and the requests they saw.
#[derive(Default)]
struct FakeService {
    events: Vec<Value>,
    /// Statuses that the service answers first.
    troubles: Vec<u16>,
    environment: &'static str,
    asked: usize,
    posted: Vec<(String, HeaderMap, Bytes)>,
    forwarded: Vec<(HeaderMap, Bytes)>,
    /// Statuses that the program answers, in turn, the last for ever.
    answers: Vec<u16>,
}

type Shared = Arc<Mutex<FakeService>>;

/// A service on loopback. Its pages have two items, whatever is asked for.
async fn service(fake: &Shared) -> String {
    let router = Router::new()
        .route("/v1/me", get(me))
        .route("/v1/events", get(page))
        .route("/v1/{*path}", post(posted))
        .route("/.well-known/oauth-authorization-server/sandbox", get(metadata))
        .route("/hook", post(hook))
        .with_state(fake.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

fn error(status: u16, code: &str) -> Response {
    let detail =
        json!({"code": code, "message": "No.\u{1b}[31m", "request_id": "r1", "errors": []});
    let body = Json(json!({"detail": detail}));
    (StatusCode::from_u16(status).unwrap(), [(RETRY_AFTER, "1")], body).into_response()
}

async fn me(State(fake): State<Shared>) -> Response {
    let environment = fake.lock().unwrap().environment;
    Json(json!({"environment": environment, "organization_name": "Books"})).into_response()
}

async fn metadata() -> Response {
    let endpoint = "https://portal.example.com/sandbox/oauth/authorize";
    Json(json!({"authorization_endpoint": endpoint})).into_response()
}

async fn page(
    State(fake): State<Shared>,
    Query(query): Query<std::collections::BTreeMap<String, String>>,
) -> Response {
    let mut fake = fake.lock().unwrap();
    fake.asked += 1;
    if let Some(status) = fake.troubles.pop() {
        return error(status, "trouble");
    }
    let from = query.get("created_from").map_or("", String::as_str);
    let mut found: Vec<_> =
        fake.events.iter().filter(|it| it["created_at"].as_str().unwrap() >= from).collect();
    found.sort_by_key(|it| std::cmp::Reverse(it["created_at"].as_str().unwrap().to_owned()));
    let start: usize = query.get("cursor").map_or(0, |cursor| cursor.parse().unwrap());
    let limit: usize = query["limit"].parse().unwrap();
    let some: Vec<_> = found.iter().skip(start).take(limit.min(2)).collect();
    let next = (start + some.len() < found.len()).then(|| (start + some.len()).to_string());
    Json(json!({"items": some, "next_cursor": next})).into_response()
}

async fn posted(
    State(fake): State<Shared>,
    Path(path): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut fake = fake.lock().unwrap();
    fake.posted.push((path, headers, body));
    match fake.troubles.pop() {
        Some(status) => error(status, "validation_failed"),
        None => (StatusCode::CREATED, Json(json!({"document_id": "doc_1"}))).into_response(),
    }
}

async fn hook(State(fake): State<Shared>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let mut fake = fake.lock().unwrap();
    fake.forwarded.push((headers, body));
    let status = if fake.answers.len() > 1 { fake.answers.remove(0) } else { fake.answers[0] };
    StatusCode::from_u16(status).unwrap()
}

fn event(number: usize, second: usize) -> Value {
    let (id, at) = (format!("evt_{number}"), format!("2026-11-20T08:00:{second:02}.000Z"));
    let payload = json!({"id": id, "type": "document.sent", "test": false});
    json!({"event_id": id, "type": "document.sent", "created_at": at, "payload": payload, "test": false})
}

fn fake() -> Shared {
    Arc::new(Mutex::new(FakeService {
        environment: "sandbox",
        answers: vec![200],
        ..FakeService::default()
    }))
}

fn api(url: &str) -> Api {
    let (url, api_key) = (url.to_owned(), "pk_test_1".to_owned());
    Api::new(&Credentials { url, api_key, taxpayer_id: Some("txpay_1".to_owned()) }).unwrap()
}

/// What a command is given.
fn given<T: clap::Args>(words: &[&str]) -> T {
    read_line(words).unwrap_or_else(|why| panic!("{why}"))
}

/// An environment whose credentials are in a folder of its own.
fn home(url: &str) -> (Environment, TempDir) {
    let folder = TempDir::new().unwrap();
    let environment: Environment =
        [("XDG_CONFIG_HOME", folder.path().to_str().unwrap())].into_iter().collect();
    let kept = Kept {
        url: Some(url.to_owned()),
        api_key: Some("pk_test_1".to_owned()),
        taxpayer_id: Some("txpay_1".to_owned()),
        listen_secret: None,
    };
    keep(&environment, &kept).unwrap();
    (environment, folder)
}

/// Waits until so many were forwarded.
async fn forwarded(fake: &Shared, count: usize) {
    for _ in 0..1500 {
        if fake.lock().unwrap().forwarded.len() >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} were forwarded", fake.lock().unwrap().forwarded.len());
}

#[tokio::test]
async fn every_event_is_forwarded_once_signed_and_in_order_whatever_fails_meanwhile() {
    let fake = fake();
    let url = service(&fake).await;
    fake.lock().unwrap().events = vec![event(1, 1), event(2, 2)];
    let secret = Secret::new(&SeededRandom::new(1));
    let hook = format!("{url}/hook");
    let forward = Forward::to(&hook, secret.clone()).unwrap();
    let mut listening =
        Listening::begin(api(&url), forward, given(&["--forward", &hook, "--json"])).await.unwrap();
    let running = tokio::spawn(async move {
        listening.listen().await.unwrap_err();
        listening.forwarded
    });
    // What was there before is not forwarded; what comes is, though the service is away for a while.
    {
        let mut fake = fake.lock().unwrap();
        fake.events.extend([event(5, 5), event(4, 4), event(3, 3)]);
        fake.troubles = vec![503, 429];
        fake.answers = vec![500, 200];
    }
    forwarded(&fake, 3).await;
    // One that happened before and was relayed after the others.
    fake.lock().unwrap().events.push(event(6, 2));
    forwarded(&fake, 4).await;
    // The key is revoked: it ends.
    fake.lock().unwrap().troubles = vec![401];
    assert_eq!(running.await.unwrap(), 4);
    let fake = fake.lock().unwrap();
    let mut ids = Vec::new();
    for (headers, body) in &fake.forwarded {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let signed = Headers {
            id: text("webhook-id"),
            timestamp: text("webhook-timestamp"),
            signature: text("webhook-signature"),
        };
        let now = crate::types::Clock::now(&SystemClock);
        let id = verify(std::slice::from_ref(&secret), signed, body, now).unwrap();
        let payload: Value = serde_json::from_slice(body).unwrap();
        assert_eq!(payload["id"], id);
        ids.push(id.to_owned());
    }
    assert_eq!(ids, ["evt_3", "evt_4", "evt_5", "evt_6"]);
}

#[tokio::test]
async fn an_event_waits_for_a_program_that_does_not_answer() {
    let fake = fake();
    let url = service(&fake).await;
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let forward = format!("http://{free}/hook");
    let forward = Forward::to(&forward, Secret::new(&SystemRandom)).unwrap();
    let mut listening =
        Listening::begin(api(&url), forward, given(&["--forward", &url])).await.unwrap();
    fake.lock().unwrap().events = vec![event(1, 1), event(2, 2)];
    let running = tokio::spawn(async move { listening.listen().await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    // The program is started.
    let router = Router::new().route("/hook", post(hook)).with_state(fake.clone());
    let listener = TcpListener::bind(free).await.unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    forwarded(&fake, 2).await;
    running.abort();
    let ids: Vec<_> = fake
        .lock()
        .unwrap()
        .forwarded
        .iter()
        .map(|(headers, _)| headers["webhook-id"].clone())
        .collect();
    assert_eq!(ids, ["evt_1", "evt_2"]);
}

#[tokio::test]
async fn listening_is_for_the_sandbox() {
    let fake = fake();
    fake.lock().unwrap().environment = "live";
    let url = service(&fake).await;
    let forward = Forward::to(&url, Secret::new(&SystemRandom)).unwrap();
    let refused =
        Listening::begin(api(&url), forward, given(&["--forward", &url])).await.err().unwrap();
    assert!(matches!(refused, Error::Unreadable(why) if why.contains("pk_test_")));
}

#[tokio::test]
async fn a_file_is_sent_under_a_key_that_follows_from_it() {
    let fake = fake();
    let url = service(&fake).await;
    let (environment, _folder) = home(&url);
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../events/invoices/minimal.json");
    for _ in 0..2 {
        send::send_all(&given(&["--async", sample]), &environment).await.unwrap();
    }
    let named = given(&["--idempotency-key", "mine", "--type", "credit_note", sample]);
    send::send_all(&named, &environment).await.unwrap();
    {
        let fake = fake.lock().unwrap();
        let [first, again, named] = &fake.posted[..] else { panic!("{}", fake.posted.len()) };
        assert_eq!((first.0.as_str(), named.0.as_str()), ("invoices", "credit-notes"));
        assert_eq!(first.1["authorization"], "Api-Key pk_test_1");
        assert_eq!(first.1["x-ae-taxpayer-id"], "txpay_1");
        assert_eq!(first.1["prefer"], "respond-async");
        assert_eq!(first.1["idempotency-key"], again.1["idempotency-key"]);
        assert_eq!(named.1["idempotency-key"], "mine");
        assert!(named.1.get("prefer").is_none());
        assert_eq!(first.2, std::fs::read(sample).unwrap());
    }
    // A refusal is one, and what may pass is another.
    for (status, away) in [(422, false), (409, false), (503, true), (429, true), (500, true)] {
        fake.lock().unwrap().troubles = vec![status];
        let error = send::send_all(&given(&[sample]), &environment).await.unwrap_err();
        assert_eq!(matches!(error, Error::Away(_)), away, "{status}");
    }
}

#[tokio::test]
async fn lists_are_read_through_their_pages_to_the_number_that_is_asked_for() {
    let fake = fake();
    let url = service(&fake).await;
    fake.lock().unwrap().events = (1..=9).map(|number| event(number, number)).collect();
    for (most, count, asked) in [(None, 9, 5), (Some(3), 3, 2), (Some(1), 1, 1), (Some(50), 9, 5)] {
        fake.lock().unwrap().asked = 0;
        let items = api(&url).list("/events", &[], most).await.unwrap();
        assert_eq!((items.len(), fake.lock().unwrap().asked), (count, asked));
        assert_eq!(items[0]["event_id"], "evt_9");
    }
}

#[tokio::test]
async fn what_is_before_the_service_is_distinguished_from_it() {
    let fake = fake();
    let url = service(&fake).await;
    let missed = api(&url).get("/nothing", &[]).await.unwrap_err();
    assert!(matches!(missed, Trouble::Away(why) if why.contains("not as this service does")));
    fake.lock().unwrap().troubles = vec![403];
    let Trouble::Refused(403, detail) = api(&url).get("/events", &[]).await.unwrap_err() else {
        panic!("it was not refused");
    };
    let message = super::api::refusal(403, &detail);
    assert!(message.starts_with("403 trouble: No.") && !message.contains('\u{1b}'), "{message}");
}

#[tokio::test]
async fn the_page_of_a_document_is_where_the_service_says_that_its_portal_is() {
    let fake = Shared::default();
    fake.lock().unwrap().environment = "sandbox";
    let url = service(&fake).await;
    let (environment, _folder) = home(&url);
    let start = open::address(&environment, None).await.unwrap();
    assert_eq!(start, "https://portal.example.com/sandbox/organization");
    let refused = open::address(&environment, Some("INV-1")).await.unwrap_err();
    assert!(matches!(refused, Error::Usage(why) if why.contains("doc_")));
    // The service does not know the document.
    let id = "doc_01a2b3c4d5e67f809102a3b4c5d6e7f8";
    assert!(open::address(&environment, Some(id)).await.is_err());
}

#[test]
fn credentials_that_others_can_read_are_refused_and_say_what_to_do() {
    let (environment, _folder) = home("https://api.example.com");
    let path = place(&environment).unwrap();
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(credentials(&environment).unwrap().api_key, "pk_test_1");
    for open in [0o644, 0o640, 0o604, 0o660, 0o601] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(open)).unwrap();
        let Err(Error::Unreadable(why)) = credentials(&environment) else { panic!("{open:o}") };
        assert!(why.contains("chmod 600") && !why.contains("pk_test_1"), "{why}");
    }
    // Written anew it is its owner's alone again; what is not as it should be is not quoted.
    keep(&environment, &Kept { api_key: Some("pk_test_2".to_owned()), ..Kept::default() }).unwrap();
    assert_eq!(mode(&path), 0o600);
    std::fs::write(&path, r#"{"api_key": "pk_test_3", "other": 1}"#).unwrap();
    let Err(Error::Unreadable(why)) = credentials(&environment) else { panic!("it was read") };
    assert!(!why.contains("pk_test_3"), "{why}");
}

#[test]
fn the_environment_goes_before_the_file_and_its_key_takes_no_taxpayer_of_another() {
    let (of_file, _folder) = home("https://api.example.com");
    let config = of_file.get("XDG_CONFIG_HOME").unwrap();
    let with = |more: &[(&str, &str)]| -> Environment {
        [("XDG_CONFIG_HOME", config)].iter().chain(more).copied().collect()
    };
    let read = |more: &[(&str, &str)]| {
        let Credentials { url, api_key, taxpayer_id } = credentials(&with(more)).unwrap();
        (url, api_key, taxpayer_id)
    };
    let own = |text: &str| text.to_owned();
    let (url, key) = (own("https://api.example.com"), own("pk_test_1"));
    assert_eq!(read(&[]), (url.clone(), key.clone(), Some(own("txpay_1"))));
    let other = [("ACCESS_POINT_API_KEY", "pk_test_9")];
    assert_eq!(read(&other), (url.clone(), own("pk_test_9"), None));
    let taxpayer =
        [("ACCESS_POINT_TAXPAYER", "txpay_2"), ("ACCESS_POINT_URL", "https://x.example")];
    assert_eq!(read(&taxpayer), (own("https://x.example"), key, Some(own("txpay_2"))));
    let Err(Error::Unreadable(why)) = credentials(&Environment::default()) else { panic!() };
    assert!(why.contains("ACCESS_POINT_URL") && why.contains("login"), "{why}");
}

#[test]
fn the_secret_stays_where_there_is_a_file() {
    let (environment, folder) = home("https://api.example.com");
    let first = secret(&environment).unwrap();
    assert_eq!(secret(&environment).unwrap(), first);
    assert_eq!(kept(&environment).unwrap().unwrap().listen_secret, Some(first.expose()));
    drop(folder);
    // Without one it is another each time, and no file is made.
    assert_ne!(secret(&environment).unwrap(), secret(&environment).unwrap());
    assert!(kept(&environment).unwrap().is_none());
}

#[test]
fn a_key_does_not_go_over_the_network_in_the_clear() {
    for (url, good) in [
        ("https://api.example.com", true),
        ("https://api.example.com/v1", true),
        ("http://localhost:8400", true),
        ("http://127.0.0.1:8400/", true),
        ("http://[::1]:8400", true),
        ("http://api.example.com", false),
        ("http://localhost.example.com", false),
        ("ftp://localhost", false),
        ("api.example.com", false),
    ] {
        let (url, api_key) = (url.to_owned(), "pk_test_1".to_owned());
        let made = Api::new(&Credentials { url: url.clone(), api_key, taxpayer_id: None });
        assert_eq!(made.is_ok(), good, "{url}");
    }
}

#[test]
fn a_test_event_has_the_envelope_of_its_type() {
    let random = SeededRandom::new(3);
    let made = |kind, outcome| sample::event(kind, outcome, &SystemClock, &random);
    for kind in [
        "taxpayer.created",
        "taxpayer.updated",
        "taxpayer.deleted",
        "document.sent",
        "document.received",
        "document.status",
        "document.reported",
    ] {
        let event = made(kind, None).unwrap();
        assert_eq!((&event["type"], &event["test"]), (&json!(kind), &json!(true)));
        assert!(event["id"].as_str().unwrap().starts_with("evt_"));
        assert!(event["data"]["taxpayer_id"].is_string());
    }
    for (outcome, expected) in
        [("accepted", "REPORTED"), ("rejected", "NOT_COMPLIANT"), ("failed", "FAILED")]
    {
        let event = made("document.reported", Some(outcome)).unwrap();
        assert_eq!(event["data"]["report"]["outcome"], expected);
    }
    for (kind, outcome) in [
        ("grant.revoked", None),
        ("document.sent", Some("failed")),
        ("document.reported", Some("x")),
    ] {
        assert!(made(kind, outcome).is_err());
    }
}

#[test]
fn waits_double_up_to_half_a_minute() {
    let waits: Vec<_> = (1..=8).map(|failures| pause(failures).as_secs()).collect();
    assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30, 30]);
    assert_eq!(pause(u32::MAX).as_secs(), 30);
    assert_eq!(webhook::verify::TOLERANCE.as_mins(), 5);
}
