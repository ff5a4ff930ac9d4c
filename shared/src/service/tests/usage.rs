//! The usage that Live sends are billed by: each document once, Sandbox documents never. A day's export is the same
//! whenever it is made.

use std::{collections::BTreeSet, sync::Arc};

use jiff::{SignedDuration, Timestamp, civil::Date};
use serde_json::Value;

use crate::{
    document::Operation::Invoice,
    service::usage::{FIRST_DAYS, export_due},
    store::{UsageRecord, keys::Key, usage_object},
    testing::{Faults, Takes, Tally, World, enumerate_at, invoice, send, send_queued},
    types::{DocumentId, OrganizationId},
};

impl World {
    /// The usage records.
    pub(crate) async fn usage(&self) -> Vec<UsageRecord> {
        let mut items = self.raw_items("doc_").await;
        items.retain(|item| item["pk"].as_s().unwrap().starts_with("LIVE#USAGE#"));
        items.into_iter().map(|item| crate::store::from_item(item).unwrap()).collect()
    }
}

#[tokio::test]
async fn each_live_document_is_billed_once_however_it_is_sent_and_tried() {
    let (world, network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register("0235:1009876543");
    let body = |number: &str| invoice(number, "1009876543");
    // A direct send and its repetition.
    for _ in 0..2 {
        send(&world.sending, &sender, Invoice, &body("A-1"), Some("a")).await.unwrap();
    }
    // A queued send whose first attempt fails.
    network.takes_first(&[Takes::Status(503)]);
    send_queued(&world.sending, &sender, &body("A-2"), Some("b")).await.unwrap();
    world.settle().await;
    world.pass(SignedDuration::from_mins(2)).await;
    // A direct and a queued send that only the tax authority gets.
    let predefined = |number: &str| {
        let mut body = invoice(number, "9900000098");
        body["customer"].as_object_mut().unwrap().remove("vat_identifier");
        body["customer"]["identifiers"] = serde_json::json!([{"id": "B-1"}]);
        body
    };
    send(&world.sending, &sender, Invoice, &predefined("A-3"), Some("c")).await.unwrap();
    send_queued(&world.sending, &sender, &predefined("A-4"), Some("d")).await.unwrap();
    world.settle().await;
    // An invalid send, and one without a recipient, are not sent.
    send(&world.sending, &sender, Invoice, &serde_json::json!({}), None).await.unwrap_err();
    let elsewhere = invoice("A-5", "1009876544");
    send(&world.sending, &sender, Invoice, &elsewhere, Some("e")).await.unwrap_err();
    let usage = world.usage().await;
    let documents = world.documents().await;
    assert_eq!((usage.len(), documents.len()), (4, 4));
    for document in documents {
        let billed: Vec<_> =
            usage.iter().filter(|it| it.document_id == document.document_id).collect();
        let [billed] = billed.as_slice() else { panic!("{billed:?}") };
        assert_eq!(Some(&billed.organization_id), document.organization_id.as_ref());
        assert_eq!(billed.taxpayer_id, document.taxpayer_id);
        assert_eq!(billed.document_type_code, "380");
    }
}

/// Stores usage records of a day.
async fn used(world: &World, day: &str, documents: usize) {
    let id: OrganizationId = "org_1".parse().unwrap();
    let begin: Timestamp = format!("{day}T00:00:00Z").parse().unwrap();
    for number in 0..documents {
        let at = begin + SignedDuration::from_secs(i64::try_from(number).unwrap() * 60);
        let usage = UsageRecord {
            document_id: DocumentId::new(at, &*world.ctx.random),
            organization_id: id.clone(),
            taxpayer_id: "txpay_1".parse().unwrap(),
            document_type_code: "380".to_owned(),
            at,
            idempotency: None,
        };
        world.put(Key::usage(&usage), &usage).await;
    }
}

fn object(world: &World, day: &str) -> Option<Vec<u8>> {
    let key = format!("/payloads/{}", usage_object(day.parse().unwrap()));
    let found = world.cloud.set_object(&key, None)?;
    world.cloud.set_object(&key, Some(found.clone()));
    Some(found)
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_day_is_exported_once_it_is_over_for_an_hour_and_what_was_missed_is_caught_up() {
    let world = World::new().await;
    let (ctx, bucket) = (&world.ctx, &world.sending.bucket);
    used(&world, "2026-11-18", 3).await;
    used(&world, "2026-11-20", 2).await;
    // It is the 20th, eight o'clock.
    let first = export_due(ctx, bucket).await.unwrap();
    assert_eq!(first.len(), usize::try_from(FIRST_DAYS).unwrap());
    assert_eq!(first.last(), Some(&day("2026-11-19")));
    let exported = object(&world, "2026-11-18").unwrap();
    let lines: Vec<Value> = exported
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    let names: BTreeSet<_> = lines[0].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["at", "document_id", "document_type_code", "organization_id", "taxpayer_id"];
    assert_eq!(names, expected.into());
    assert!(lines.iter().any(|line| line["at"] == "2026-11-18T00:02:00.000Z"), "{lines:?}");
    // A day without documents has an empty object, which shows that it was exported.
    assert_eq!(object(&world, "2026-11-19"), Some(Vec::new()));
    assert_eq!(object(&world, "2026-11-20"), None);
    assert!(export_due(ctx, bucket).await.unwrap().is_empty());
    world.clock.advance(SignedDuration::from_mins(17 * 60 - 1));
    assert!(export_due(ctx, bucket).await.unwrap().is_empty(), "it is over for 59 minutes");
    // No run happens for two days.
    world.clock.advance(SignedDuration::from_hours(48));
    world.clock.advance(SignedDuration::from_mins(1));
    let caught_up = export_due(ctx, bucket).await.unwrap();
    assert_eq!(caught_up, [day("2026-11-20"), day("2026-11-21"), day("2026-11-22")]);
}

#[tokio::test]
async fn a_large_day_goes_in_parts_and_is_the_same_whenever_it_is_made() {
    let world = World::new().await;
    let (ctx, bucket) = (&world.ctx, &world.sending.bucket);
    used(&world, "2026-11-19", 40).await;
    export_due(ctx, bucket).await.unwrap();
    let whole = object(&world, "2026-11-19").unwrap();
    assert!(whole.len() > 4 * 1024, "several parts");
    assert_eq!(whole.iter().filter(|byte| **byte == b'\n').count(), 40);
    world.remove(Key::usage_exported()).await;
    export_due(ctx, bucket).await.unwrap();
    assert_eq!(object(&world, "2026-11-19"), Some(whole));
}

/// The export of a day, with a fault at each effect.
pub(super) async fn tallies() -> Vec<Tally> {
    let exported = enumerate_at(
        "export of a day's usage",
        async || {
            let world = World::new().await;
            world.ctx.store.set_usage_exported(day("2026-11-18")).await.unwrap();
            used(&world, "2026-11-19", 12).await;
            world
        },
        async |world: &World, faults: &Arc<Faults>| {
            let sending = world.failing(faults).sending;
            let _ = Box::pin(export_due(&sending.ctx, &sending.bucket)).await;
        },
        async |world: &World| {
            export_due(&world.ctx, &world.sending.bucket).await.unwrap();
            let exported = object(world, "2026-11-19").unwrap_or_default();
            let lines = exported.iter().filter(|byte| **byte == b'\n').count();
            let up_to = world.ctx.store.get_usage_exported().await.unwrap();
            vec![
                ("whole days", usize::from(lines == 12)),
                ("days noted", usize::from(up_to == Some(day("2026-11-19")))),
            ]
        },
    );
    vec![Box::pin(exported).await]
}
