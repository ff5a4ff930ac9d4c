//! Repeated numbers and UUIDs of a taxpayer's documents.

use serde_json::Value;

use super::live::Scene;
use crate::{
    document::Operation::{Invoice, SelfBilledInvoice},
    service::submit::validate,
    store::{
        DocumentRecord, Status,
        keys::{FirstUse, Key},
    },
    testing::{Fault, Faults, World, invoice, party, send, send_queued},
    types::Mode,
};

/// The repetition warnings of the newest document, each with the document that it names.
async fn warned(world: &World, number: &str) -> Vec<Vec<String>> {
    let mut documents: Vec<DocumentRecord> = world.documents().await;
    documents.retain(|document| document.number == number && document.organization_id.is_some());
    documents.sort_by(|a, b| a.document_id.as_str().cmp(b.document_id.as_str()));
    let warned = |document: &DocumentRecord| {
        let warnings = document.warnings.iter().filter(|it| it.rule.ends_with("-repeated"));
        warnings.map(|it| it.rule.to_string()).collect()
    };
    documents.iter().map(warned).collect()
}

fn with_uuid(mut body: Value, uuid: &str) -> Value {
    body["uuid"] = uuid.into();
    body
}

const UUID: &str = "3f6e2a52-8c1c-4c7e-9d0c-2f4b8a1d7e55";

#[tokio::test]
async fn the_second_document_with_a_number_or_a_uuid_is_sent_with_a_warning_that_names_the_first() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = with_uuid(invoice("A-1", "1009999901"), UUID);
    let first = send(&world.sending, &falcon, Invoice, &body, Some("k1")).await.unwrap();
    // A replayed request is no repetition.
    let again = send(&world.sending, &falcon, Invoice, &body, Some("k1")).await.unwrap();
    assert!(again.replayed);
    assert_eq!(warned(&world, "A-1").await, [Vec::<String>::new()]);

    world.clock.advance(jiff::SignedDuration::from_secs(1));
    let second = send(&world.sending, &falcon, Invoice, &body, Some("k2")).await.unwrap();
    let text = String::from_utf8(second.reply.body).unwrap();
    assert!(text.contains(r#""warnings":2"#), "the answer says so: {text}");
    assert_eq!(warned(&world, "A-1").await[1], ["AP-NUMBER-repeated", "AP-UUID-repeated"]);

    // The first document stays the first, also for a validation, and without a key.
    let bytes = serde_json::to_vec(&body).unwrap();
    let found = validate(&world.ctx, &falcon, Invoice, &bytes).await.unwrap().findings;
    let found: Vec<_> = found.iter().filter(|it| it.rule.ends_with("-repeated")).collect();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|it| it.message.contains(first.document_id.as_str())));
    assert_eq!(
        (found[0].pointer.as_str(), found[1].pointer.as_str()),
        ("/invoice_number", "/uuid")
    );
    world.clock.advance(jiff::SignedDuration::from_secs(1));
    let body = invoice("A-1", "1009999901");
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    assert_eq!(warned(&world, "A-1").await[2], ["AP-NUMBER-repeated"]);
}

#[tokio::test]
async fn numbers_that_look_and_mean_the_same_are_one_number() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    // é as one character, and as two (UAX #15).
    for (at, number) in ["INV-\u{e9}", "INV-e\u{301}"].into_iter().enumerate() {
        world.clock.advance(jiff::SignedDuration::from_secs(1));
        let body = invoice(number, "1009999901");
        let bytes = serde_json::to_vec(&body).unwrap();
        let validation = validate(&world.ctx, &falcon, Invoice, &bytes).await.unwrap();
        let repeats =
            validation.findings.iter().filter(|it| it.rule == "AP-NUMBER-repeated").count();
        assert_eq!(repeats, at, "{number:?}");
        send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
        assert_eq!(warned(&world, number).await.concat().len(), at, "{number:?} is kept as given");
    }
    // An earlier version recorded numbers by their bytes.
    let taxpayer = &falcon.taxpayer.taxpayer_id;
    let used = FirstUse::NumberAsWritten(Invoice, "A\u{30a}-1");
    let key = Key::first_use(Mode::Sandbox, taxpayer, used);
    let earlier = world.documents().await[0].document_id.to_string();
    world.put(key, &serde_json::json!({"document_id": earlier})).await;
    let body = serde_json::to_vec(&invoice("A\u{30a}-1", "1009999901")).unwrap();
    let validation = validate(&world.ctx, &falcon, Invoice, &body).await.unwrap();
    let found = validation.findings.iter().find(|it| it.rule == "AP-NUMBER-repeated").unwrap();
    assert!(found.message.contains(&earlier), "{found:?}");
}

#[tokio::test]
async fn another_taxpayer_another_series_and_a_refused_document_repeat_nothing() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    let mut refused = with_uuid(invoice("A-1", "1009999901"), UUID);
    refused["currency"] = "XXX".into();
    send(&world.sending, &falcon, Invoice, &refused, None).await.unwrap_err();
    let body = with_uuid(invoice("A-1", "1009999901"), UUID);
    for caller in [&falcon, &oasis] {
        send(&world.sending, caller, Invoice, &body, None).await.unwrap();
    }
    let mut body = invoice("A-1", "1001234502");
    body.as_object_mut().unwrap().remove("customer");
    body["supplier"] = party("Oasis", "1001234502");
    send(&world.sending, &falcon, SelfBilledInvoice, &body, None).await.unwrap();
    assert!(warned(&world, "A-1").await.iter().all(Vec::is_empty));
}

#[tokio::test]
async fn a_queued_document_keeps_the_warning_when_it_is_converted() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    for key in ["k1", "k2"] {
        send_queued(&world.sending, &falcon, &body, Some(key)).await.unwrap();
        world.clock.advance(jiff::SignedDuration::from_secs(1));
    }
    let expected = [vec![], vec!["AP-NUMBER-repeated".to_owned()]];
    assert_eq!(warned(&world, "A-1").await, expected);
    world.settle().await;
    assert!(world.documents().await.iter().all(|document| document.status == Status::Sent));
    assert_eq!(warned(&world, "A-1").await, expected);
}

#[tokio::test]
async fn a_number_that_is_used_again_in_live_is_sent_with_the_warning_of_the_sandbox() {
    let scene = Scene::new().await;
    for key in [None, Some("k1"), Some("k2")] {
        let sent = scene.send("A-1", key).await.unwrap();
        scene.world.clock.advance(jiff::SignedDuration::from_secs(1));
        let (text, first) = (String::from_utf8(sent.reply.body).unwrap(), key.is_none());
        assert_eq!(text.contains(r#""warnings":0"#), first, "{text}");
    }
    let expected =
        [vec![], vec!["AP-NUMBER-repeated".to_owned()], vec!["AP-NUMBER-repeated".to_owned()]];
    assert_eq!(warned(&scene.world, "A-1").await, expected);
}

#[tokio::test]
async fn a_claim_of_a_document_that_was_never_recorded_is_void_after_some_minutes() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = with_uuid(invoice("A-1", "1009999901"), UUID);
    // The claims are made, and the process dies before the document is recorded.
    let process = world.failing(&Faults::only("TransactWriteItems", Fault::Before)).sending;
    assert!(send(&process, &falcon, Invoice, &body, None).await.is_err());
    assert!(world.documents().await.is_empty());

    // It may still be recorded by a process that is alive.
    world.clock.advance(jiff::SignedDuration::from_secs(1));
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    assert_eq!(warned(&world, "A-1").await[0], ["AP-NUMBER-repeated", "AP-UUID-repeated"]);
    world.clock.advance(jiff::SignedDuration::from_mins(6));
    let bytes = serde_json::to_vec(&body).unwrap();
    let found = validate(&world.ctx, &falcon, Invoice, &bytes).await.unwrap().findings;
    assert!(!found.iter().any(|it| it.rule.ends_with("-repeated")), "{found:?}");

    // The next document takes them over, and is the first one from then on.
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    world.clock.advance(jiff::SignedDuration::from_mins(6));
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    let warned = warned(&world, "A-1").await;
    assert!(warned[1].is_empty());
    assert_eq!(warned[2], ["AP-NUMBER-repeated", "AP-UUID-repeated"]);
}

#[tokio::test]
async fn a_uuid_that_was_made_for_a_document_is_used_although_nothing_claims_it() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    send(&world.sending, &falcon, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    let [first] = &world.documents().await[..] else { panic!() };
    assert_eq!(first.document_id.uuid(), Some(first.uuid));
    assert_eq!(world.raw_items("CLAIM").await.len(), 1, "of its number");
    world.clock.advance(jiff::SignedDuration::from_secs(1));
    let mut body = invoice("A-2", "1009999901");
    body["uuid"] = first.uuid.to_string().into();
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    assert_eq!(warned(&world, "A-2").await.concat(), ["AP-UUID-repeated"]);
    // Another UUID of its kind is free.
    body["invoice_number"] = "A-3".into();
    body["uuid"] = "019ecb27-fcc0-78a1-99d6-f2fc0e192957".into();
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    assert!(warned(&world, "A-3").await.concat().is_empty());
}
