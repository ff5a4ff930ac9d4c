//! Reading of documents. A document that the caller may not see counts as missing.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Api, Call, SAMPLES, invoice};
use crate::{access::Scope, api::DocumentResponse, store::DocumentRecord};

/// Sends the sample invoice with another number.
async fn send(api: &Api, number: &str) -> Value {
    let mut body = invoice();
    body["invoice_number"] = number.into();
    body["source_id"] = format!("source-{number}").into();
    let answer = api.as_falcon(Call::post("/v1/invoices", body.to_string())).await;
    assert_eq!(answer.status.as_u16(), 201, "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn a_document_reads_back_as_it_was_answered() {
    let api = Api::start().await;
    let sent = send(&api, "1").await;
    let id = sent["document_id"].as_str().unwrap();
    for base in super::super::BASES {
        let answer = api.as_falcon(Call::get(&format!("{base}/invoices/{id}"))).await;
        assert_eq!(answer.json(), sent);
    }
}

#[tokio::test]
async fn the_ubl_comes_byte_for_byte_with_its_hash() {
    let api = Api::start().await;
    let sent = send(&api, "1").await;
    let id = sent["document_id"].as_str().unwrap();
    let answer = api.as_falcon(Call::get(&format!("/v1/invoices/{id}/ubl"))).await;
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(answer.header("content-type"), "application/xml");
    let digest = Sha256::digest(&answer.body);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(sent["ubl"]["sha256"], *hex);
    assert_eq!(sent["ubl"]["bytes"], answer.body.len());
    assert_eq!(answer.header("etag"), format!("\"{hex}\""));
    assert_eq!(answer.header("repr-digest"), format!("sha-256=:{}:", STANDARD.encode(digest)));
    // The saved file is named by the document's number.
    let number = sent["number"].as_str().unwrap();
    let name = format!("attachment; filename=\"Tax-Invoice-{number}.xml\"");
    assert_eq!(answer.header("content-disposition"), name);
    let page = api.as_falcon(Call::get(&format!("/v1/invoices/{id}/html"))).await;
    let name = format!("inline; filename=\"Tax-Invoice-{number}.html\"");
    assert_eq!(page.header("content-disposition"), name);
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(text.starts_with("<?xml") && text.contains("urn:peppol:pint:billing-1@ae-1"));
}

#[tokio::test]
async fn a_document_of_another_is_not_found() {
    let api = Api::start().await;
    let sent = send(&api, "1").await;
    let id = sent["document_id"].as_str().unwrap();
    let sandbox = &api.demo.api_keys.sandbox;
    let others = api.another_organization(api.pearl(), &Scope::ALL).await;
    let inbound_only = api.another_organization(api.falcon(), &[Scope::InboundRead]).await;
    for end in ["", "/ubl", "/content"] {
        let call = Call::get(&format!("/v1/invoices/{id}{end}"));
        for (what, call) in [
            (
                "another taxpayer of the same organization",
                call.clone().key(sandbox).taxpayer(api.oasis()),
            ),
            ("another organization's taxpayer", call.clone().key(&others).taxpayer(api.pearl())),
            (
                "what was not received, with inbound:read",
                call.clone().key(&inbound_only).taxpayer(api.falcon()),
            ),
        ] {
            let answer = api.call(call).await;
            assert_eq!(answer.error(), (404, "not_found".to_owned()), "{what}{end}");
        }
        for id in ["doc_0", "validate", "%00", "..%2f..", "DOC_1"] {
            let answer = api.as_falcon(Call::get(&format!("/v1/invoices/{id}{end}"))).await;
            let expected = match (id, end) {
                // The path of the validation has no GET.
                ("validate", "") => (405, "method_not_allowed".to_owned()),
                _ => (404, "not_found".to_owned()),
            };
            assert_eq!(answer.error(), expected, "{id}{end}");
        }
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let api = Api::start().await;
    let mut sent = Vec::new();
    for number in 0..5 {
        sent.push(send(&api, &number.to_string()).await["document_id"].clone());
        api.world.clock.advance(jiff::SignedDuration::from_secs(1));
    }
    sent.reverse();
    let mut listed = Vec::new();
    let mut path = "/v1/invoices?limit=2&direction=outbound".to_owned();
    loop {
        let page = api.as_falcon(Call::get(&path)).await.json();
        listed.extend(page["items"].as_array().unwrap().iter().map(|d| d["document_id"].clone()));
        match page["next_cursor"].as_str() {
            None => break,
            Some(next) => path = format!("/v1/invoices?limit=2&direction=outbound&cursor={next}"),
        }
    }
    assert_eq!(listed, sent);
    // A cursor is valid for one list only.
    let page = api.as_falcon(Call::get("/v1/invoices?limit=2")).await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    let other = format!("/v1/invoices?limit=2&direction=inbound&cursor={cursor}");
    assert_eq!(api.as_falcon(Call::get(&other)).await.error().1, "invalid_request");
}

#[tokio::test]
async fn filters_find_what_they_name() {
    let api = Api::start().await;
    let sent = send(&api, "A 1/b").await;
    send(&api, "2").await;
    let day = sent["issue_date"].as_str().unwrap();
    for (query, count) in [
        ("number=A%201%2Fb".to_owned(), 1),
        ("number=a%201%2Fb".to_owned(), 0),
        ("source_id=source-2".to_owned(), 1),
        ("type=invoice".to_owned(), 2),
        ("type=credit_note".to_owned(), 0),
        ("status=sent".to_owned(), 2),
        ("status=failed".to_owned(), 0),
        ("direction=outbound".to_owned(), 2),
        (format!("issued_from={day}&issued_to={day}"), 2),
        ("issued_from=2030-01-01".to_owned(), 0),
        ("created_from=2026-11-20T08:00:00Z".to_owned(), 2),
        ("created_from=2026-11-20T08:00:01Z".to_owned(), 0),
        ("created_to=2026-11-20T08:00:00Z".to_owned(), 2),
        ("number=2&status=failed".to_owned(), 0),
    ] {
        let page = api.as_falcon(Call::get(&format!("/v1/invoices?{query}"))).await.json();
        assert_eq!(page["items"].as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test]
async fn the_recipient_of_the_same_sandbox_finds_the_document_among_what_it_received() {
    let api = Api::start().await;
    let sent = send(&api, "1").await;
    let key = &api.demo.api_keys.sandbox;
    let call = Call::get("/v1/invoices?direction=inbound").key(key).taxpayer(api.oasis());
    let page = api.call(call).await.json();
    let [received] = page["items"].as_array().unwrap().as_slice() else { panic!("{page}") };
    assert_eq!(received["status"], "received");
    assert_eq!(received["organization_id"], Value::Null);
    assert_eq!(received["number"], sent["number"]);
    assert_eq!(received["ubl"]["sha256"], sent["ubl"]["sha256"]);
    // The sender's own fields are not sent.
    assert_eq!(received["source_id"], Value::Null);
    assert_eq!(received["metadata"], serde_json::json!({}));
    assert_ne!(received["document_id"], sent["document_id"]);
    // The scope inbound:read suffices.
    let inbound = api.another_organization(api.oasis(), &[Scope::InboundRead]).await;
    let id = received["document_id"].as_str().unwrap();
    for end in ["", "/ubl", "/content"] {
        let call =
            Call::get(&format!("/v1/invoices/{id}{end}")).key(&inbound).taxpayer(api.oasis());
        assert_eq!(api.call(call).await.status.as_u16(), 200);
    }
}

#[tokio::test]
async fn answers_have_exactly_the_fields_of_their_schema() {
    let api = Api::start().await;
    let document = crate::api::openapi::document();
    let schema = &document["components"]["schemas"]["DocumentResponse"];
    for (path, body) in SAMPLES {
        let answer = api.as_falcon(Call::post(path, body)).await;
        assert_eq!(answer.status.as_u16(), 201, "{path}: {answer:?}");
        let json = answer.json();
        let given: Vec<&String> = json.as_object().unwrap().keys().collect();
        let mut required: Vec<&str> =
            schema["required"].as_array().unwrap().iter().map(|r| r.as_str().unwrap()).collect();
        required.sort_unstable();
        let mut given: Vec<&str> = given.into_iter().map(String::as_str).collect();
        given.sort_unstable();
        assert_eq!(given, required);
        assert_eq!(schema["properties"].as_object().unwrap().len(), required.len());
    }
}

#[test]
fn a_document_tells_what_its_recipients_access_point_said_of_it() {
    let fixture = include_str!("../../store/fixtures/document.json");
    let record: DocumentRecord = serde_json::from_str(fixture).unwrap();
    let shown = serde_json::to_value(DocumentResponse::from(&record)).unwrap();
    let expected = json!({
        "code": "RE",
        "issued_at": "2026-11-20T08:00:00.000Z",
        "received_at": "2026-11-20T08:00:01.000Z",
        "sender": "PAE000002",
        "description": "Rejected.",
        "findings": [{
            "pointer": "/due_date", "rule": "AP-MLS-BV", "severity": "error", "message": "Wrong.",
            "location": "/CreditNote/cbc:ID",
        }],
    });
    assert_eq!(shown["message_level_status"], expected);
    let silent = DocumentRecord { message_level_status: None, ..record };
    let shown = serde_json::to_value(DocumentResponse::from(&silent)).unwrap();
    assert!(shown["message_level_status"].is_null());
}

#[tokio::test]
async fn documents_are_listed_by_what_became_of_them() {
    let api = Api::start().await;
    send(&api, "1").await;
    for (status, found) in [("sent", 1), ("delivered", 0), ("forwarded", 0), ("rejected", 0)] {
        let answer = api.as_falcon(Call::get(&format!("/v1/invoices?status={status}"))).await;
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        assert_eq!(answer.json()["items"].as_array().unwrap().len(), found, "{status}");
    }
}

#[tokio::test]
async fn a_period_in_the_body_of_a_request_for_an_archive_is_refused_since_it_belongs_in_the_query()
{
    let api = Api::start().await;
    let period = r#"{"issued_from": "2026-01-01", "issued_to": "2026-12-31"}"#;
    let answer = api.as_falcon(Call::post("/v1/archives", period)).await;
    assert_eq!(answer.error(), (400, "invalid_request".to_owned()));
    assert!(
        answer.message().contains("query parameter issued_from is missing"),
        "{}",
        answer.message()
    );
    let asked = "issued_from=2026-01-01&issued_to=2026-12-31";
    let answer = api.as_falcon(Call::post("/v1/archives", period).query(asked)).await;
    assert_eq!(answer.error(), (400, "invalid_request".to_owned()));
    assert!(answer.message().contains("takes no body"), "{}", answer.message());
    for nothing in ["", " ", "{}"] {
        let answer = api.as_falcon(Call::post("/v1/archives", nothing).query(asked)).await;
        assert_eq!(answer.status, 202, "{nothing:?}");
    }
}
