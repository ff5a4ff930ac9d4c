//! Imports over the API.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use jiff::SignedDuration;
use serde_json::Value;

use super::{Answer, Api, Call};
use crate::{access::Scope, service::job};

const CSV: &str = include_str!("../../../../events/imports/invoices.csv");
const NDJSON: &str = include_str!("../../../../events/imports/invoices.ndjson");

fn file(media_type: &str, body: impl Into<Vec<u8>>) -> Call {
    let call = Call::post("/v1/imports", body);
    call.without("content-type").with("content-type", media_type)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

/// Completes every import.
async fn bring_on(api: &Api) {
    api.stream().await;
    let importing =
        crate::service::imports::Importing { render: crate::api::render, ..api.world.importing() };
    for message in api.world.cloud.receive("imports") {
        let (importing, message) = (importing.clone(), message.read());
        let worked = tokio::spawn(async move { job::run(&importing, &message).await });
        worked.await.unwrap().unwrap();
    }
}

async fn get(api: &Api, path: &str) -> Answer {
    api.as_falcon(Call::get(path)).await
}

#[tokio::test]
async fn a_file_is_taken_and_its_result_tells_of_each_document() {
    let api = Api::start().await;
    let mut paths = Vec::new();
    for (media_type, body) in [
        ("application/x-ndjson", NDJSON.as_bytes().to_vec()),
        ("text/csv; charset=utf-8", CSV.as_bytes().to_vec()),
        ("application/gzip", gzip(CSV)),
    ] {
        let call = file(media_type, body).query("name=July.csv&type=invoice");
        let answer = api.as_falcon(call).await;
        assert_eq!(answer.status, 202, "{}", answer.json());
        let json = answer.json();
        assert_eq!(
            (&json["status"], &json["documents"], &json["done"]),
            (&"running".into(), &2.into(), &0.into())
        );
        assert_eq!((&json["name"], &json["type"]), (&"July.csv".into(), &"invoice".into()));
        let path = answer.header("location").to_owned();
        assert_eq!(path, format!("/v1/imports/{}", json["import_id"].as_str().unwrap()));
        let early = get(&api, &format!("{path}/result")).await;
        assert_eq!(early.error(), (404, "not_found".to_owned()));
        bring_on(&api).await;
        paths.push(path);
        api.world.clock.advance(SignedDuration::from_secs(1));
    }
    let counts = |json: &Value| {
        ["done", "accepted", "already_sent", "refused"].map(|name| json[name].as_u64().unwrap())
    };
    for (path, expected) in paths.iter().zip([[2, 2, 0, 0], [2, 2, 0, 0], [2, 0, 2, 0]]) {
        let json = get(&api, path).await.json();
        assert_eq!((&json["status"], counts(&json)), (&"completed".into(), expected));
    }
    // The findings are those in the responses of the sends.
    let lines = get(&api, &format!("{}/result", paths[0])).await;
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    let lines: Vec<Value> = std::str::from_utf8(&lines.body)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    let id = lines[0]["document_id"].as_str().unwrap();
    let document = get(&api, &format!("/v1/invoices/{id}")).await.json();
    let rules = |findings: &Value| {
        let findings = findings.as_array().unwrap().iter();
        findings.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rules(&lines[0]["findings"]), rules(&document["warnings"]));
    let table = get(&api, &format!("{}/result", paths[1])).await;
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    assert!(table.body.starts_with(b"row,last_row,number,outcome,document_id,"));
    let list = get(&api, "/v1/imports?limit=2").await.json();
    let ids: Vec<_> = list["items"].as_array().unwrap().iter().map(|it| &it["import_id"]).collect();
    let newest = paths[2].rsplit('/').next().unwrap();
    assert_eq!((ids.len(), ids[0].as_str()), (2, Some(newest)));
    assert!(list["next_cursor"].is_string());
}

#[tokio::test]
async fn a_file_that_cannot_be_imported_is_refused_as_a_whole() {
    let api = Api::start().await;
    let before = api.everything().await;
    for (call, error) in [
        (file("text/csv", "nothing\n1\n"), (422, "validation_failed")),
        (file("text/csv", b"invoice_number\n\xff\n".to_vec()), (422, "validation_failed")),
        (file("application/gzip", &gzip(CSV)[..40]), (422, "validation_failed")),
        (file("application/json", NDJSON), (415, "unsupported_media_type")),
        (file("text/csv; charset=latin1", CSV), (415, "unsupported_media_type")),
        (file("text/csv", CSV).with("content-encoding", "gzip"), (415, "unsupported_media_type")),
        (file("text/csv", CSV).query("type=order"), (400, "invalid_request")),
        (file("text/csv", CSV).query("name=x&kind=x"), (400, "invalid_request")),
        (file("text/csv", vec![b'x'; 4 * 1024 * 1024 + 1]), (413, "payload_too_large")),
        (file("text/csv", CSV).query("type=credit_note"), (422, "validation_failed")),
    ] {
        let answer = api.as_falcon(call).await;
        let (status, code) = answer.error();
        assert_eq!((status, code.as_str()), error, "{}", answer.json());
    }
    // In Base64 all bytes need the same space.
    let packed = file("application/gzip", [&gzip(CSV)[..], &[1; 3_000_000]].concat());
    assert_ne!(api.as_falcon(packed).await.status, 413);
    assert_eq!(api.everything().await, before);
}

#[tokio::test]
async fn another_organization_finds_no_import() {
    let api = Api::start().await;
    let path = api.as_falcon(file("text/csv", CSV)).await.header("location").to_owned();
    let key = api.another_organization(api.falcon(), &[Scope::InvoicesWrite]).await;
    for path in [path.clone(), format!("{path}/result"), "/v1/imports/doc_1".to_owned()] {
        let answer = api.call(Call::get(&path).key(&key).taxpayer(api.falcon())).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()));
    }
    let list = api.call(Call::get("/v1/imports").key(&key).taxpayer(api.falcon())).await.json();
    assert_eq!(list["items"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn the_same_request_again_is_answered_with_the_import_that_there_is() {
    let api = Api::start().await;
    let post = |key: Option<&'static str>, body: &str| {
        let call = file("text/csv; header=present; charset=utf-8", body);
        key.into_iter().fold(call, |call, key| call.with("idempotency-key", key))
    };
    let first = api.as_falcon(post(Some("k"), CSV).query("name=a.csv")).await;
    assert_eq!(
        (first.status.as_u16(), first.headers.contains_key("idempotent-replayed")),
        (202, false)
    );
    assert_eq!(first.json()["same_file_import_id"], Value::Null);
    // With the key the saved response is returned, without it the import in its current state.
    let again = api.as_falcon(post(Some("k"), CSV).query("name=b.csv")).await;
    assert_eq!((again.status.as_u16(), &again.body), (202, &first.body));
    let without = api.as_falcon(post(None, CSV)).await;
    assert_eq!(without.status, 202);
    for answer in [&again, &without] {
        assert_eq!(answer.header("idempotent-replayed"), "true");
        assert_eq!(answer.header("location"), first.header("location"));
    }
    let other = api.as_falcon(post(Some("k"), &CSV.replace("INV-2001", "INV-9001"))).await;
    assert_eq!(other.error(), (409, "idempotency_key_reused".to_owned()));
    bring_on(&api).await;
    let again = api.as_falcon(post(Some("k"), CSV)).await;
    assert_eq!(again.body, first.body);
    let new = api.as_falcon(post(None, CSV)).await;
    assert!(!new.headers.contains_key("idempotent-replayed"));
    assert_eq!(new.json()["same_file_import_id"], first.json()["import_id"]);
}
