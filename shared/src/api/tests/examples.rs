//! Records an answer of each operation for the documentation, and compares it. `UPDATE_ANSWERS=1` rewrites the answers.

use std::{collections::BTreeMap, fmt::Write};

use super::{Answer, Api, Call, SAMPLES, codes::rewrite, openapi};
use crate::{
    docs::answers::MARK,
    webhook::receiver::{Behaviour, Receiver},
};

/// The body of the guide to tests in Sandbox, whose currency is wrong.
const WRONG: &str = include_str!("../../../templates/docs/guides/testing.md");

/// The answers so far, by the id of the operation.
#[derive(Default)]
struct Record {
    answers: BTreeMap<&'static str, String>,
}

impl Record {
    fn add(&mut self, id: &'static str, answer: &Answer) {
        assert!(answer.status.is_success(), "{id}: {answer:?}");
        let reason = answer.status.canonical_reason().unwrap();
        let mut text = format!("HTTP/1.1 {} {reason}\n", answer.status.as_u16());
        for name in ["content-type", "location", "preference-applied"] {
            if let Some(value) = answer.headers.get(name) {
                let _ = writeln!(text, "{name}: {}", value.to_str().unwrap());
            }
        }
        let body = serde_json::to_string_pretty(&answer.json()).unwrap();
        let _ = write!(text, "\n{body}");
        assert!(self.answers.insert(id, text).is_none(), "{id} twice");
    }

    /// All answers with fixed identifiers.
    fn text(&self) -> String {
        let text = self.answers.iter().map(|(id, answer)| format!("{MARK}{id}\n{answer}\n"));
        fixed(&text.collect::<String>())
    }
}

/// Replaces what differs in each run: identifiers, secrets and the port of the receiver.
fn fixed(text: &str) -> String {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_part = |c: char| c.is_ascii_hexdigit() && !c.is_ascii_uppercase();
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(length);
        // The random part of an identifier, with or without hyphens.
        let long = run.len() == 32 || (run.len() == 12 && out.ends_with('-'));
        if long {
            let next = known.len() + 1;
            let number = *known.entry(run).or_insert(next);
            let _ = write!(out, "{number:0width$x}", width = run.len());
        } else if run.len() == 8 && after.starts_with('-') {
            // A UUID in its own form; its last group identifies it.
            let groups: Vec<_> = after.splitn(5, '-').collect();
            let is_uuid = groups.len() == 5 && groups[1..4].iter().all(|group| group.len() == 4);
            out += if is_uuid { "019f1c2e-8a7b-7cc1-a1b2-" } else { run };
            rest = if is_uuid { &after[16..] } else { after };
            if rest.starts_with('-') && is_uuid {
                rest = &rest[1..];
            }
            continue;
        } else {
            out += run;
        }
        let skipped = after.chars().next().map_or(0, char::len_utf8);
        out += &after[..skipped];
        rest = &after[skipped..];
    }
    let out = replaced(&out, "whsec_", |c| c != '"', "…");
    let out = replaced(&out, "127.0.0.1:", |c| c.is_ascii_digit(), "9");
    out.replace("http://127.0.0.1:9", "https://erp.example.com")
}

/// Replaces the characters after each start.
fn replaced(text: &str, start: &str, is_part: fn(char) -> bool, with: &str) -> String {
    let mut parts = text.split(start);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += &format!("{start}{with}{}", part.trim_start_matches(is_part));
    }
    out
}

#[test]
fn the_answers_on_the_pages_are_those_of_the_service() {
    // Without optimization a send over the router needs more stack than a test thread has.
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Box::pin(record()));
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

async fn record() {
    let api = Api::start().await;
    let mut record = Record::default();
    of_documents(&api, &mut record).await;
    of_the_organization(&api, &mut record).await;
    of_webhooks(&api, &mut record).await;
    let ids: Vec<_> = openapi::document()["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values())
        .filter_map(|operation| operation["operationId"].as_str().map(str::to_owned))
        .collect();
    for id in record.answers.keys() {
        assert!(ids.iter().any(|known| known == id), "{id} is no operation");
    }
    let text = record.text();
    let noted = concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/data/examples.txt");
    if rewrite() {
        std::fs::write(noted, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(noted).unwrap(), text, "UPDATE_ANSWERS=1 notes the answers");
}

async fn of_documents(api: &Api, record: &mut Record) {
    let sends = [
        ["send_invoice", "validate_invoice"],
        ["send_credit_note", "validate_credit_note"],
        ["send_self_billed_invoice", "validate_self_billed_invoice"],
        ["send_self_billed_credit_note", "validate_self_billed_credit_note"],
    ];
    let mut first = String::new();
    for ((path, body), [send, validate]) in SAMPLES.into_iter().zip(sends) {
        let checked = match path {
            "/v1/invoices" => {
                let (_, body) = WRONG.split_once("--json '").unwrap();
                body.split_once("'\n```").unwrap().0
            }
            _ => body,
        };
        record
            .add(validate, &api.as_falcon(Call::post(&format!("{path}/validate"), checked)).await);
        let sent = api.as_falcon(Call::post(path, body)).await;
        record.add(send, &sent);
        if first.is_empty() {
            sent.json()["document_id"].as_str().unwrap().clone_into(&mut first);
            record.add("list_documents", &api.as_falcon(Call::get("/v1/invoices")).await);
        }
    }
    for (id, path) in [
        ("get_document", ""),
        ("get_document_content", "/content"),
        ("list_attempts", "/attempts"),
        ("list_document_reports", "/reports"),
    ] {
        let path = format!("/v1/invoices/{first}{path}");
        record.add(id, &api.as_falcon(Call::get(&path)).await);
    }
    let period = "/v1/archives?issued_from=2026-01-01&issued_to=2026-12-31";
    let made = api.as_falcon(Call::post(period, "")).await;
    record.add("create_archive", &made);
    let path = format!("/v1/archives/{}", made.json()["archive_id"].as_str().unwrap());
    record.add("get_archive", &api.as_falcon(Call::get(&path)).await);
    record.add("list_archives", &api.as_falcon(Call::get("/v1/archives")).await);
    for (id, path) in [
        ("list_reports", "/v1/reports"),
        ("get_current_taxpayer", "/v1/taxpayer"),
        ("get_directory_listing", "/v1/taxpayer/directory-listing"),
        ("list_registrations", "/v1/taxpayer/registrations"),
    ] {
        record.add(id, &api.as_falcon(Call::get(path)).await);
    }
    let change = r#"{"metadata": {"erp_customer": "4711"}, "settings": {"language": "ar"}}"#;
    record
        .add("update_current_taxpayer", &api.as_falcon(Call::patch("/v1/taxpayer", change)).await);
}

async fn of_the_organization(api: &Api, record: &mut Record) {
    let taxpayer = format!("/v1/taxpayers/{}", api.falcon());
    for (id, path) in [
        ("get_me", "/v1/me"),
        ("list_taxpayers", "/v1/taxpayers"),
        ("get_taxpayer", &*taxpayer),
        ("list_grants", "/v1/grants"),
    ] {
        record.add(id, &api.own(Call::get(path)).await);
    }
}

async fn of_webhooks(api: &Api, record: &mut Record) {
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let body = format!(r#"{{"url": "{}", "event_types": ["document.sent"]}}"#, receiver.url);
    let made = api.own(Call::post("/v1/webhook-endpoints", body)).await;
    record.add("create_webhook_endpoint", &made);
    let path = format!("/v1/webhook-endpoints/{}", made.json()["endpoint_id"].as_str().unwrap());
    record.add("get_webhook_endpoint", &api.own(Call::get(&path)).await);
    let change = r#"{"description": "Orders"}"#;
    record.add("update_webhook_endpoint", &api.own(Call::patch(&path, change)).await);
    record.add(
        "rotate_webhook_secret",
        &api.own(Call::post(&format!("{path}/rotate-secret"), "")).await,
    );
    let asked = r#"{"event_type": "document.sent"}"#;
    let due = api.own(Call::post(&format!("{path}/test"), asked)).await;
    record.add("send_test_event", &due);
    let event = format!("/v1/events/{}", due.json()["event_id"].as_str().unwrap());
    record.add("get_event", &api.own(Call::get(&event)).await);
    record.add("list_event_deliveries", &api.own(Call::get(&format!("{event}/deliveries"))).await);
    record.add("list_webhook_deliveries", &api.own(Call::get(&format!("{path}/deliveries"))).await);
    record.add("list_webhook_endpoints", &api.own(Call::get("/v1/webhook-endpoints")).await);
}
