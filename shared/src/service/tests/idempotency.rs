//! Tests each state of specification 3.3.

use jiff::SignedDuration;
use serde_json::json;

use crate::{
    document::Operation::{self, Invoice},
    error::Code,
    store::{IdempotencyHash, IdempotencyState, Release, Reservation, Reserved, Status},
    testing::{World, invoice, send},
};

const ELSEWHERE: &str = "1009999901";

#[tokio::test]
async fn the_first_use_of_a_key_is_processed_and_its_response_saved() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let sent = send(&world.sending, &caller, Invoice, &invoice("A-1", ELSEWHERE), Some("k"))
        .await
        .unwrap();
    assert!(!sent.replayed);
    assert_eq!(sent.reply.status, 201);
    let [record] = &world.documents().await[..] else { panic!() };
    assert_eq!((record.status, &record.document_id), (Status::Sent, &sent.document_id));
    let [event] = &world.events().await[..] else { panic!() };
    assert_eq!(event.document_id(), Some(&sent.document_id));
    let [saved] = &world.idempotency_records().await[..] else { panic!() };
    let body = String::from_utf8(sent.reply.body).unwrap();
    assert_eq!(saved.state, IdempotencyState::Saved { status: 201, body });
}

#[tokio::test]
async fn the_same_key_and_payload_replay_the_saved_response_without_a_second_effect() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", ELSEWHERE);
    let first = send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap();
    // Keys never expire, and another order of names is the same payload.
    world.clock.advance(SignedDuration::from_hours(24 * 3650));
    let second = send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap();
    assert!(second.replayed);
    assert_eq!((first.reply, first.document_id), (second.reply, second.document_id));
    assert_eq!(world.documents().await.len(), 1);
    assert_eq!(world.events().await.len(), 1);
    assert_eq!(world.cloud.objects().len(), 1);
}

#[tokio::test]
async fn the_same_key_with_a_changed_payload_or_operation_is_refused() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", ELSEWHERE);
    send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap();
    let self_billed = {
        let mut body = body.clone();
        let customer = body.as_object_mut().unwrap().remove("customer").unwrap();
        body["supplier"] = customer;
        body["supplier"]["tax_registration_identifier"] = json!(ELSEWHERE);
        body
    };
    for (operation, changed) in [
        (Invoice, invoice("A-2", ELSEWHERE)),
        (Operation::SelfBilledInvoice, self_billed),
        // An unreadable body is not the saved payload.
        (Invoice, json!({"invoice_number": 1})),
    ] {
        let failure =
            send(&world.sending, &caller, operation, &changed, Some("k")).await.unwrap_err();
        assert_eq!(failure.code, Code::IdempotencyKeyReused);
    }
    assert_eq!(world.documents().await.len(), 1);
}

#[tokio::test]
async fn a_key_in_progress_is_refused_until_its_lease_is_over_and_then_taken_over() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", ELSEWHERE);
    let dead = reservation(&world, &caller.taxpayer.taxpayer_id, &fingerprint(&body));
    let reserved = world.ctx.store.reserve_submission(dead, world.now()).await.unwrap();
    assert!(matches!(reserved, Reserved::Mine(_)));

    let failure = send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::IdempotencyInProgress);
    let other = invoice("A-2", ELSEWHERE);
    let failure = send(&world.sending, &caller, Invoice, &other, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::IdempotencyKeyReused);

    world.clock.advance(SignedDuration::from_secs(60));
    let sent = send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap();
    assert!(!sent.replayed);
    assert_eq!(world.documents().await.len(), 1);
}

#[tokio::test]
async fn an_attempt_whose_key_was_taken_over_can_neither_save_nor_release_it() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", ELSEWHERE);
    let slow = reservation(&world, &caller.taxpayer.taxpayer_id, &fingerprint(&body));
    world.ctx.store.reserve_submission(slow.clone(), world.now()).await.unwrap();
    world.clock.advance(SignedDuration::from_secs(61));
    let sent = send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap();

    // The slow attempt wakes up: it is refused, and the saved reply stays.
    let released = world.ctx.store.release_reservation(&slow).await.unwrap();
    assert!(matches!(released, Release::Remains(_)));
    let replay = send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap();
    assert_eq!((replay.replayed, replay.document_id), (true, sent.document_id));
}

#[tokio::test]
async fn a_refused_send_frees_its_key() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut body = invoice("A-1", ELSEWHERE);
    body["totals"] = json!({"total_amount_with_vat": "1"});
    let failure = send(&world.sending, &caller, Invoice, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::ValidationFailed);
    assert!(world.idempotency_records().await.is_empty());
    assert!(world.cloud.objects().is_empty());
    send(&world.sending, &caller, Invoice, &invoice("A-1", ELSEWHERE), Some("k")).await.unwrap();
}

#[tokio::test]
async fn keys_are_scoped_to_the_taxpayer() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    for (caller, number) in [(&falcon, "A-1"), (&oasis, "B-1")] {
        let body = invoice(number, ELSEWHERE);
        let sent = send(&world.sending, caller, Invoice, &body, Some("k")).await.unwrap();
        assert!(!sent.replayed);
    }
}

#[tokio::test]
async fn without_a_key_every_send_is_a_document_of_its_own() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", ELSEWHERE);
    for _ in 0..2 {
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
    }
    assert_eq!(world.documents().await.len(), 2);
    assert!(world.idempotency_records().await.is_empty());
}

#[tokio::test]
async fn of_32_sends_at_once_with_one_key_one_makes_the_document_and_its_event() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for round in 0..5 {
        let key = format!("k-{round}");
        let body = invoice(&format!("A-{round}"), ELSEWHERE);
        let mut sends = tokio::task::JoinSet::new();
        for _ in 0..32 {
            let (ctx, caller, body, key) =
                (world.sending.clone(), caller.clone(), body.clone(), key.clone());
            sends.spawn(async move { send(&ctx, &caller, Invoice, &body, Some(&key)).await });
        }
        let results = sends.join_all().await;
        let fresh = results.iter().flatten().filter(|sent| !sent.replayed).count();
        assert_eq!(fresh, 1);
        for failure in results.iter().filter_map(|result| result.as_ref().err()) {
            assert_eq!(failure.code, Code::IdempotencyInProgress);
        }
        assert_eq!(world.documents().await.len(), round + 1);
        assert_eq!(world.events().await.len(), round + 1);
    }
}

#[tokio::test]
async fn a_validation_leaves_no_trace() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let before = world.raw_items("").await.len();
    let body = invoice("A-1", ELSEWHERE).to_string();
    let validation =
        crate::service::submit::validate(&world.ctx, &caller, Operation::Invoice, body.as_bytes())
            .await
            .unwrap();
    assert!(
        validation
            .findings
            .iter()
            .all(|warning| warning.severity == crate::error::Severity::Warning)
    );
    for (bad, is_read) in [("{", false), ("{}", true)] {
        let result = crate::service::submit::validate(
            &world.ctx,
            &caller,
            Operation::Invoice,
            bad.as_bytes(),
        )
        .await;
        assert_eq!(result.is_ok_and(|validation| !validation.findings.is_empty()), is_read);
    }
    assert_eq!(world.raw_items("").await.len(), before);
    assert!(world.cloud.objects().is_empty());
}

/// The fingerprint of a send with this body.
pub(super) fn fingerprint(body: &serde_json::Value) -> String {
    let submission = crate::document::read(Invoice, body.to_string().as_bytes()).unwrap();
    submission.fingerprint.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An attempt of another process with the key "k".
pub(super) fn reservation(
    world: &World,
    taxpayer_id: &crate::types::TaxpayerId,
    fingerprint: &str,
) -> Reservation {
    Reservation {
        mode: crate::types::Mode::Sandbox,
        taxpayer_id: taxpayer_id.clone(),
        key: IdempotencyHash::of("k"),
        fingerprint: fingerprint.to_owned(),
        facts: crate::service::record::fix(&world.ctx, world.now(), false),
        owner: world.ctx.new_uuid(),
        lease_until: crate::service::later(world.now(), SignedDuration::from_secs(60)),
    }
}
