//! Interrupted work is continued, not restarted, and no worker overwrites another's result.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::SignedDuration;

use super::idempotency::{fingerprint, reservation};
use crate::{
    access::Caller,
    document::Operation::Invoice,
    error::Code,
    service::{convert::Convert, dispatch::Dispatch, job, later, record},
    store::{
        DocumentRecord, Due, EarlierUses, Effects, IdempotencyHash, IdempotencyState, Lease,
        Progress, Recorded, Recording, Release, Reserved, SavedReply, StageMessage, Status, Step,
    },
    testing::{Fault, Faults, World, invoice, send, send_queued},
    types::Mode,
};

const LEASE: SignedDuration = SignedDuration::from_secs(61);

/// A send from Falcon to Oasis whose process dies before its call number `call`.
async fn dead_send(world: &World, caller: &Caller, call: usize) {
    let failing = world.failing(&Faults::new(Fault::Before, call, usize::MAX));
    let body = invoice("A-1", "1001234502");
    send(&failing.sending, caller, Invoice, &body, Some("k")).await.unwrap_err();
}

#[tokio::test]
async fn a_retry_goes_on_with_the_ids_and_the_day_of_the_attempt_that_died() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    world.caller("Oasis", "1001234502").await;
    world.begin_day(&falcon.organization_id).await;
    // The transaction is the last of six calls: both payloads are stored.
    dead_send(&world, &falcon, 5).await;
    let [begun] = &world.idempotency_records().await[..] else { panic!() };
    let stored = world.cloud.objects();
    assert_eq!((stored.len(), world.documents().await.len()), (2, 0));

    // The next day in the UAE, which is four hours ahead.
    world.clock.advance(SignedDuration::from_hours(13));
    let body = invoice("A-1", "1001234502");
    let sent = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap();
    let documents = world.documents().await;
    let document = documents.iter().find(|d| d.organization_id.is_some()).unwrap();
    assert_eq!(sent.document_id, begun.facts.document_id);
    assert_eq!(document.document_id, begun.facts.document_id);
    assert_eq!(document.message_id, begun.facts.message_id);
    assert_eq!(document.uuid, begun.facts.uuid);
    assert_eq!(document.created_at, begun.facts.created_at);
    assert_eq!(document.issue_date.to_string(), "2026-11-20");
    assert_eq!(document.updated_at, world.now());
    // The payloads have the same names, for the recipient too.
    assert_eq!(world.cloud.objects(), stored);
    assert_eq!(documents.len(), 2);
}

#[tokio::test]
async fn a_retry_goes_the_way_that_the_first_attempt_took() {
    for queued in [false, true] {
        let world = World::new().await;
        let falcon = world.caller("Falcon", "1001234501").await;
        let body = invoice("A-1", "1009999901");
        let failing = world.failing(&Faults::new(Fault::Before, 1, usize::MAX)).sending;
        let first = match queued {
            true => send_queued(&failing, &falcon, &body, Some("k")).await,
            false => send(&failing, &falcon, Invoice, &body, Some("k")).await,
        };
        first.unwrap_err();
        world.clock.advance(LEASE);
        let second = match queued {
            true => send(&world.sending, &falcon, Invoice, &body, Some("k")).await,
            false => send_queued(&world.sending, &falcon, &body, Some("k")).await,
        };
        assert_eq!(second.unwrap().reply.status, if queued { 202 } else { 201 });
    }
}

#[tokio::test]
async fn a_send_is_begun_anew_with_another_payload_or_after_a_day() {
    for (number, hours) in [("A-2", 1), ("A-1", 24)] {
        let world = World::new().await;
        let falcon = world.caller("Falcon", "1001234501").await;
        dead_send(&world, &falcon, 1).await;
        let [begun] = &world.idempotency_records().await[..] else { panic!() };
        world.clock.advance(SignedDuration::from_hours(hours));
        let body = invoice(number, "1001234502");
        let sent = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap();
        assert_ne!(sent.document_id, begun.facts.document_id);
        let [document] = &world.documents().await[..] else { panic!() };
        assert_eq!(document.created_at, world.now());
    }
}

#[tokio::test]
async fn a_saved_answer_is_replayed_whatever_became_of_subscription_and_queues() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    let queued = send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    let mut sending = world.sending.clone();
    sending.settings.queued_delivery = false;
    let replay = send_queued(&sending, &falcon, &body, Some("k")).await.unwrap();
    assert_eq!((replay.replayed, replay.reply), (true, queued.reply));

    // A Live send from the time of a subscription that has ended.
    let [document] = &world.documents().await[..] else { panic!() };
    let live = Caller { mode: Mode::Live, ..falcon };
    let taxpayer_id = &live.taxpayer.taxpayer_id;
    let held = crate::store::Reservation {
        mode: Mode::Live,
        ..reservation(&world, taxpayer_id, &fingerprint(&body))
    };
    let store = &world.ctx.store;
    store.reserve_submission(held.clone(), world.now()).await.unwrap();
    let reply = SavedReply { status: 201, body: "{}" };
    let recording = Recording {
        mode: Mode::Live,
        document,
        due: None,
        reservation: Some((&held, Some(reply))),
        earlier: &EarlierUses::default(),
        transmission: None,
        departure: None,
        corrects: None,
        effects: Effects { events: &[], inbound: None, exchange: None },
    };
    assert_eq!(store.record_document(recording).await.unwrap(), Recorded::Done);
    let before = crate::store::keys::Key::subscription_before(&live.organization_id);
    world.put(before, &serde_json::json!({"active": false})).await;
    let replay = send(&world.sending, &live, Invoice, &body, Some("k")).await.unwrap();
    assert_eq!((replay.replayed, replay.reply.status), (true, 201));
    // A new send is refused, and leaves its key free.
    let failure = send(&world.sending, &live, Invoice, &body, Some("k-2")).await.unwrap_err();
    assert_eq!(failure.code, Code::SubscriptionRequired);
    let k2 = IdempotencyHash::of("k-2");
    assert_eq!(store.get_idempotency(Mode::Live, taxpayer_id, &k2).await.unwrap(), None);
}

#[tokio::test]
async fn an_attempt_that_was_taken_over_learns_what_the_other_one_answered() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    let taxpayer_id = &falcon.taxpayer.taxpayer_id;
    let slow = reservation(&world, taxpayer_id, &fingerprint(&body));
    let store = &world.ctx.store;
    store.reserve_submission(slow.clone(), world.now()).await.unwrap();
    world.clock.advance(LEASE);
    let sent = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap();
    assert_eq!(sent.document_id, slow.facts.document_id);
    let [document] = &world.documents().await[..] else { panic!() };
    let recording = Recording {
        mode: Mode::Sandbox,
        document,
        due: None,
        reservation: Some((&slow, Some(SavedReply { status: 201, body: "mine" }))),
        earlier: &EarlierUses::default(),
        transmission: None,
        departure: None,
        corrects: None,
        effects: Effects { events: &[], inbound: None, exchange: None },
    };
    // The document exists, even with this attempt's identifier, but another attempt made it.
    assert_eq!(store.record_document(recording).await.unwrap(), Recorded::Lost);
    let Release::Remains(found) = store.release_reservation(&slow).await.unwrap() else { panic!() };
    assert!(!found.ended_by(slow.owner));
    let body = String::from_utf8(sent.reply.body).unwrap();
    assert_eq!(found.state, IdempotencyState::Saved { status: 201, body });
}

#[tokio::test]
async fn the_stage_that_ends_a_send_saves_its_answer() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    // The record of a document that is still being sent after its caller is gone.
    send_queued(&world.sending, &falcon, &body, Some("model")).await.unwrap();
    let [model] = &world.documents().await[..] else { panic!() };
    let held = reservation(&world, &falcon.taxpayer.taxpayer_id, &fingerprint(&body));
    let store = &world.ctx.store;
    let Reserved::Mine(held) = store.reserve_submission(held, world.now()).await.unwrap() else {
        panic!()
    };
    let document = crate::store::DocumentRecord {
        document_id: held.facts.document_id.clone(),
        message_id: held.facts.message_id.clone(),
        number: "A-2".to_owned(),
        uuid: held.facts.uuid,
        status: Status::Converted,
        ..model.clone()
    };
    let recording = Recording {
        mode: Mode::Sandbox,
        document: &document,
        due: Some(Due::watched(world.now())),
        reservation: Some((&held, None)),
        earlier: &EarlierUses::default(),
        transmission: None,
        departure: None,
        corrects: None,
        effects: Effects { events: &[], inbound: None, exchange: None },
    };
    assert_eq!(store.record_document(recording).await.unwrap(), Recorded::Done);
    // No other attempt may claim it, however long it takes.
    world.clock.advance(SignedDuration::from_hours(100));
    let failure = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::IdempotencyInProgress);

    let read = || async {
        let id = &held.facts.document_id;
        store.get_document(Mode::Sandbox, &held.taxpayer_id, id).await.unwrap().unwrap()
    };
    let lease = Lease { owner: world.ctx.new_uuid(), until: later(world.now(), LEASE) };
    let leased = store
        .lease_document(Mode::Sandbox, &read().await, Status::Dispatching, lease, world.now())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(leased.unanswered, Some(held.key.clone()));
    let reply = Some(SavedReply { status: 201, body: "{\"status\":\"sent\"}" });
    let step = Step {
        progress: &Progress::Sent,
        at: world.now(),
        due: None,
        reply,
        transmission: None,
        departure: None,
        reporting: None,
        effects: None,
    };
    let recorded = store.advance_document(Mode::Sandbox, &leased, step).await.unwrap();
    assert_eq!(recorded, Recorded::Done);
    assert_eq!((read().await.status, read().await.unanswered), (Status::Sent, None));
    let replay = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap();
    assert!(replay.replayed);
    assert_eq!(replay.reply.body, b"{\"status\":\"sent\"}");
    assert_eq!(replay.document_id, held.facts.document_id);
}

#[tokio::test]
async fn what_another_writer_learns_while_a_stage_works_stays() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    let sent = send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    let message = StageMessage {
        document_id: sent.document_id.clone(),
        ..serde_json::from_value(serde_json::json!({
            "mode": "sandbox",
            "taxpayer_id": falcon.taxpayer.taxpayer_id,
            "document_id": sent.document_id,
        }))
        .unwrap()
    };
    let learned = |text: &str| AttributeValue::S(text.to_owned());
    world.set("", "DOCUMENT", "learned_before", learned("accepted")).await;
    job::run(&Convert(world.sending.clone()), &message).await.unwrap();

    // Between the lease of a stage and its end.
    let store = &world.ctx.store;
    let [read] = &world.documents().await[..] else { panic!() };
    let lease = Lease { owner: world.ctx.new_uuid(), until: later(world.now(), LEASE) };
    let leased = store
        .lease_document(Mode::Sandbox, read, Status::Dispatching, lease, world.now())
        .await
        .unwrap()
        .unwrap();
    world.set("", "DOCUMENT", "learned_meanwhile", learned("a status message")).await;
    world.set("", "DOCUMENT", "warnings", AttributeValue::L(Vec::new())).await;
    let event = record::event(
        &world.ctx,
        Mode::Sandbox,
        crate::store::EventType::DocumentSent,
        &falcon.taxpayer.participant_id,
        &leased,
    );
    let event = [event.unwrap()];
    let effects = Effects { events: &event, inbound: None, exchange: None };
    let step = Step {
        departure: None,
        reporting: None,
        transmission: None,
        progress: &Progress::Sent,
        at: world.now(),
        due: None,
        reply: None,
        effects: Some(effects),
    };
    assert_eq!(store.advance_document(Mode::Sandbox, &leased, step).await.unwrap(), Recorded::Done);
    let [item] = &world.raw_items("DOCUMENT").await[..] else { panic!() };
    assert_eq!(item["learned_before"], learned("accepted"));
    assert_eq!(item["learned_meanwhile"], learned("a status message"));
    assert_eq!(item["warnings"], AttributeValue::L(Vec::new()));
    assert_eq!(item["status"], learned("sent"));
    for over in ["lease", "tries", "due_pk", "due_at", "relay", "request"] {
        assert!(!item.contains_key(over), "{over}");
    }
    // A late stage has no effect.
    job::run(&Dispatch(world.sending.clone()), &message).await.unwrap();
    assert_eq!(world.events().await.len(), 1);
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_reads_again_and_changes_nothing() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    let store = &world.ctx.store;
    let lease = async |read: &DocumentRecord| {
        let lease = Lease { owner: world.ctx.new_uuid(), until: later(world.now(), LEASE) };
        let now = world.now();
        store.lease_document(Mode::Sandbox, read, Status::Accepted, lease, now).await.unwrap()
    };
    let read = async || world.documents().await.remove(0);
    let first = read().await;
    let slow = lease(&first).await.unwrap();
    assert_eq!(lease(&first).await, None);
    assert_eq!(lease(&slow).await, None);
    world.clock.advance(LEASE);
    assert_eq!(lease(&first).await, None, "it was tried since it was read");
    let quick = lease(&read().await).await.unwrap();
    assert_eq!((slow.tries, quick.tries), (1, 2));
    let failed = Progress::Failed { warnings: Vec::new() };
    let step = || Step {
        progress: &failed,
        at: world.now(),
        due: None,
        reply: None,
        transmission: None,
        departure: None,
        reporting: None,
        effects: None,
    };
    let store = &world.ctx.store;
    assert_eq!(store.advance_document(Mode::Sandbox, &slow, step()).await.unwrap(), Recorded::Lost);
    assert_eq!(world.documents().await[0].status, Status::Accepted);
    assert_eq!(
        store.advance_document(Mode::Sandbox, &quick, step()).await.unwrap(),
        Recorded::Done
    );
}

#[tokio::test]
async fn what_a_failed_attempt_stored_is_under_a_name_that_no_document_has() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    world.caller("Oasis", "1001234502").await;
    let body = invoice("A-1", "1001234502");
    // The bucket stores the sender's payload but not the recipient's (each call is tried three times). Then the
    // transaction fails.
    for (key, call, calls) in [(Some("k"), 3, 3), (None, 2, 3), (Some("k-2"), 4, 3)] {
        let failing = world.failing(&Faults::new(Fault::Before, call, calls));
        let failure = send(&failing.sending, &falcon, Invoice, &body, key).await.unwrap_err();
        assert!(
            matches!(failure.code, Code::ServiceUnavailable | Code::IdempotencyUnavailable),
            "{failure:?}"
        );
        assert!(world.documents().await.is_empty() && world.idempotency_records().await.is_empty());
    }
    // No role may remove a UBL document.
    let before = world.cloud.objects();
    assert!(!before.is_empty() && before.iter().all(|it| it.ends_with(".xml")), "{before:?}");
    let sent = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap();
    let own = format!("/{}/", sent.document_id);
    let added = world.cloud.objects().into_iter().filter(|it| !before.contains(it));
    assert_eq!(
        added.filter(|it| it.contains(&own)).count(),
        1,
        "what is sent has an object of its own"
    );
}

#[tokio::test]
async fn the_body_of_a_queued_send_that_was_not_recorded_is_removed_with_its_key() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1001234502");
    let mut removed = 0;
    for call in 0..9 {
        let failing = world.failing(&Faults::new(Fault::Before, call, 3));
        let sent = send_queued(&failing.sending, &falcon, &body, Some("k")).await;
        if sent.is_ok() {
            break;
        }
        removed += 1;
        if world.idempotency_records().await.is_empty() {
            assert_eq!(world.cloud.objects(), [""; 0], "{call}");
        }
    }
    assert!(removed > 0);
    // The fault has ended: the object belongs to the document.
    let sent = send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    let [object] = world.cloud.objects().try_into().unwrap();
    assert!(object.ends_with(".json") && object.contains(sent.document_id.as_str()), "{object}");
}
