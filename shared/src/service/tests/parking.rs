//! What can never succeed ends in a visible state, and goes on when somebody says so.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::SignedDuration;

use crate::{
    document::Operation::Invoice,
    service::{lease::lease, redrive, relay, sweep, waiting::MAX_TRIES},
    store::{DeliveryRecord, Parked, StageMessage, Status, keys::Place},
    testing::{World, invoice, send, send_queued},
    types::Mode,
};

async fn parked(world: &World) -> Vec<(Place, Parked)> {
    redrive::parked(&world.ctx, &redrive::Wanted::default()).await.unwrap()
}

/// Asserts that one item is parked, and that nothing happens to it any more; gives its place.
async fn assert_parked(world: &World, reason: &str) -> Place {
    let found = parked(world).await;
    let [(place, why)] = &found[..] else { panic!("{found:?}") };
    assert!(why.reason.contains(reason), "{why:?}");
    for _ in 0..3 {
        let swept = world.pass(SignedDuration::from_hours(1)).await;
        assert_eq!((swept.relayed, swept.failed, swept.parked), (0, 0, 1));
    }
    assert!(world.marks("relay").await.is_empty());
    place.clone()
}

async fn queued(world: &World) -> Status {
    let [document] = &world.documents().await[..] else { panic!() };
    document.status
}

#[tokio::test]
async fn a_document_whose_payload_is_gone_or_changed_is_parked_until_it_is_redriven() {
    for change in [None, Some(b"{}".to_vec())] {
        let world = World::new().await;
        let falcon = world.caller("Falcon", "1001234501").await;
        let body = invoice("A-1", "1009999901");
        send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
        let [object] = &world.cloud.objects()[..] else { panic!() };
        let reason = if change.is_none() { "NoSuchKey" } else { "hash" };
        let bytes = world.cloud.set_object(object, change);
        // The messages are done: nothing circles through queues and dead letters.
        world.settle().await;
        let place = assert_parked(&world, reason).await;
        assert_eq!((place.kind(), queued(&world).await), ("document", Status::Accepted));

        // Not mended yet: it is parked again. Mended, it is sent.
        assert!(redrive::redrive(&world.ctx, &place).await.unwrap());
        assert_eq!(world.pass(SignedDuration::ZERO).await.relayed, 1);
        assert_parked(&world, reason).await;
        world.cloud.set_object(object, bytes);
        assert!(redrive::redrive(&world.ctx, &place).await.unwrap());
        assert!(!redrive::redrive(&world.ctx, &place).await.unwrap(), "twice");
        assert_eq!(world.pass(SignedDuration::ZERO).await.relayed, 1);
        assert_eq!(queued(&world).await, Status::Sent);
        assert_eq!(world.events().await.len(), 1);
        assert!(parked(&world).await.is_empty());
        assert!(world.marks("due_pk").await.is_empty());
    }
}

#[tokio::test]
async fn an_item_that_cannot_be_read_is_parked_and_holds_up_nobody() {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    for (prefix, attribute, mended) in [
        ("EVENT", "body", None),
        ("EVENT", "due_at", None),
        ("EVENT", "tries", Some(AttributeValue::N("0".to_owned()))),
        ("DOCUMENT", "operation", Some(text("invoice"))),
    ] {
        let world = World::new().await;
        let falcon = world.caller("Falcon", "1001234501").await;
        world.endpoint(&falcon.organization_id, &[]).await;
        let body = invoice("A-1", "1009999901");
        if prefix == "EVENT" {
            send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
        } else {
            send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
        }
        let [item] = &world.raw_items(prefix).await[..] else { panic!() };
        let mended = mended.or_else(|| item.get(attribute).cloned()).unwrap();
        let broken = match attribute {
            "operation" => text("unheard of"),
            "due_at" => text("2026-11-20"),
            _ => AttributeValue::Bool(true),
        };
        world.set("", prefix, attribute, broken).await;
        world.settle().await;
        let place = assert_parked(&world, "").await;
        if attribute != "due_at" {
            world.set("", prefix, attribute, mended).await;
        }
        assert!(redrive::redrive(&world.ctx, &place).await.unwrap(), "{attribute}");
        assert_eq!(world.pass(SignedDuration::ZERO).await.relayed, 1, "{attribute}");
        assert_eq!(world.events().await.len(), 1);
        assert_eq!(world.items::<DeliveryRecord>("DELIVERY").await.len(), 1);
    }
}

#[tokio::test]
async fn a_document_that_kills_its_workers_is_given_up() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    world.stream().await;
    for _ in 0..MAX_TRIES {
        let messages = world.cloud.receive("convert");
        let [message] = &messages[..] else { panic!("{messages:?}") };
        let message: StageMessage = message.read();
        let from = [Status::Accepted];
        let leased = lease(&world.sending, &message, &from, Status::Accepted).await;
        assert!(leased.unwrap().is_some());
        world.clock.advance(SignedDuration::from_secs(61));
        sweep::sweep(&world.relaying).await;
    }
    assert!(world.cloud.receive("convert").is_empty());
    assert_parked(&world, "no worker").await;
}

#[tokio::test]
async fn what_cannot_be_sent_on_is_put_off_longer_each_time_and_given_up_at_last() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    let [place] = &world.marked().await[..] else { panic!() };
    // The queues take nothing; the table can be reached.
    let broken = world.without_queues();
    relay::relay(&broken, place).await.unwrap();
    let begun = world.now();
    let mut pauses = Vec::new();
    let mut last = begun;
    while parked(&world).await.is_empty() {
        let [due] = &world.marks("due_at").await[..] else { panic!("one waits") };
        let due = due.parse().unwrap();
        world.clock.advance(world.now().duration_until(due));
        let swept = sweep::sweep(&broken).await;
        assert_eq!((swept.relayed, swept.failed), (0, 1));
        pauses.push(due.duration_since(last).as_mins());
        last = due;
    }
    assert_eq!(pauses[..7], [1, 2, 4, 8, 16, 32, 60]);
    assert_eq!(pauses.len() + 1, MAX_TRIES as usize);
    assert_eq!(world.now().duration_since(begun).as_hours(), 9);
    assert!(world.cloud.messages().is_empty());
    let place = assert_parked(&world, "queue").await;
    assert!(redrive::redrive(&world.ctx, &place).await.unwrap());
    assert_eq!(world.pass(SignedDuration::ZERO).await.relayed, 1);
    assert_eq!(queued(&world).await, Status::Sent);
}

#[tokio::test]
async fn parked_items_are_found_by_mode_and_kind() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    world.set("", "EVENT", "body", AttributeValue::Bool(true)).await;
    for object in world.cloud.objects() {
        world.cloud.set_object(&object, None);
    }
    world.settle().await;
    for (mode, kind, count) in [
        (None, None, 2),
        (Some(Mode::Sandbox), None, 2),
        (Some(Mode::Live), None, 0),
        (None, Some("document"), 1),
        (Some(Mode::Sandbox), Some("event"), 1),
        (None, Some("delivery"), 0),
    ] {
        let wanted = redrive::Wanted { mode, kind: kind.map(str::to_owned) };
        let found = redrive::parked(&world.ctx, &wanted).await.unwrap();
        assert_eq!(found.len(), count, "{wanted:?}");
        assert!(found.iter().all(|(place, _)| kind.is_none_or(|kind| place.kind() == kind)));
    }
}
