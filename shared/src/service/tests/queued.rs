//! Queued delivery: accepted → converted → dispatching → sent, or failed.

use jiff::SignedDuration;

use crate::{
    access::Caller,
    document::Operation::Invoice,
    error::Code,
    service::{QUEUE_GRACE, convert::Convert, dispatch::Dispatch, job},
    store::{Direction, EventType, StageMessage, Status},
    testing::{World, invoice, send, send_queued},
};

async fn status(world: &World) -> Vec<Status> {
    let documents = world.documents().await;
    documents.iter().filter(|d| d.organization_id.is_some()).map(|d| d.status).collect()
}

async fn queued(world: &World) -> (Caller, StageMessage) {
    let caller = world.caller("Falcon", "1001234501").await;
    world.caller("Oasis", "1001234502").await;
    let body = invoice("A-1", "1001234502");
    let sent = send_queued(&world.sending, &caller, &body, Some("k")).await.unwrap();
    assert_eq!(sent.reply.status, 202);
    let message = StageMessage {
        mode: caller.mode,
        taxpayer_id: caller.taxpayer.taxpayer_id.clone(),
        document_id: sent.document_id,
        organization_id: Some(caller.organization_id.clone()),
    };
    (caller, message)
}

#[tokio::test]
async fn a_queued_send_goes_through_both_queues_and_ends_like_one_at_once() {
    let world = World::new().await;
    let (caller, _) = queued(&world).await;
    assert_eq!(status(&world).await, [Status::Accepted]);
    assert!(world.events().await.is_empty());
    world.stream().await;
    world.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(world.work().await, 1);
    assert_eq!(status(&world).await, [Status::Converted]);
    world.clock.advance(SignedDuration::from_secs(1));
    world.settle().await;
    assert_eq!(status(&world).await, [Status::Sent]);
    let documents = world.documents().await;
    assert_eq!(documents.len(), 2);
    // The times of the stages are kept. A received document has none.
    for document in documents {
        let after = |seconds| Some(document.created_at + SignedDuration::from_secs(seconds));
        let known = match document.direction {
            Direction::Outbound => [after(1), after(2)],
            Direction::Inbound => [None, None],
        };
        assert_eq!([document.converted_at, document.dispatching_at], known);
    }
    assert_eq!(world.events().await.len(), 2);
    assert!(world.marks("due_pk").await.is_empty());
    assert!(world.marks("relay").await.is_empty());

    let body = invoice("A-1", "1001234502");
    let replay = send_queued(&world.sending, &caller, &body, Some("k")).await.unwrap();
    assert_eq!((replay.replayed, replay.reply.status), (true, 202));
    // A direct send of the same body gives the same UBL, except for its identifier and day.
    let at_once = send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
    let [queued, at_once] = [replay.document_id, at_once.document_id].map(|id| {
        let documents = world.documents();
        async move { documents.await.into_iter().find(|d| d.document_id == id).unwrap() }
    });
    let (queued, at_once) = (queued.await, at_once.await);
    let [queued, at_once] = [queued, at_once].map(|record| {
        let bucket = world.sending.bucket.clone();
        async move {
            let bytes = bucket.get(record.ubl.as_ref().unwrap()).await.unwrap();
            String::from_utf8(bytes).unwrap().replace(&record.uuid.to_string(), "")
        }
    });
    assert_eq!(queued.await, at_once.await);
}

#[tokio::test]
async fn queued_delivery_needs_a_key_and_a_deployment_that_has_it() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    let failure = send_queued(&world.sending, &caller, &body, None).await.unwrap_err();
    assert_eq!(failure.code, Code::IdempotencyKeyRequired);
    let mut sending = world.sending.clone();
    sending.settings.queued_delivery = false;
    let failure = send_queued(&sending, &caller, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::QueuedDeliveryDisabled);
    let mut wrong = body.clone();
    wrong["currency"] = "XXX1".into();
    let failure = send_queued(&world.sending, &caller, &wrong, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::ValidationFailed);
    assert!(world.idempotency_records().await.is_empty());
}

#[tokio::test]
async fn a_message_that_comes_twice_or_late_does_nothing_twice() {
    let world = World::new().await;
    let (_, message) = queued(&world).await;
    // A message before its time has no effect.
    job::run(&Dispatch(world.sending.clone()), &message).await.unwrap();
    assert_eq!(status(&world).await, [Status::Accepted]);
    for _ in 0..2 {
        job::run(&Convert(world.sending.clone()), &message).await.unwrap();
    }
    for _ in 0..2 {
        job::run(&Dispatch(world.sending.clone()), &message).await.unwrap();
        job::run(&Convert(world.sending.clone()), &message).await.unwrap();
    }
    assert_eq!(status(&world).await, [Status::Sent]);
    assert_eq!(world.documents().await.len(), 2);
    assert_eq!(world.events().await.len(), 2);
    // A message about an unknown document is dropped.
    let stray = StageMessage { document_id: "doc_404".parse().unwrap(), ..message };
    job::run(&Convert(world.sending.clone()), &stray).await.unwrap();
    job::run(&Dispatch(world.sending.clone()), &stray).await.unwrap();
}

#[tokio::test]
async fn of_many_workers_at_once_one_does_the_work() {
    let world = World::new().await;
    let (_, message) = queued(&world).await;
    for stage in 0..2 {
        let mut workers = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let (sending, message) = (world.sending.clone(), message.clone());
            workers.spawn(async move {
                match stage {
                    0 => job::run(&Convert(sending.clone()), &message).await,
                    _ => job::run(&Dispatch(sending.clone()), &message).await,
                }
            });
        }
        assert!(workers.join_all().await.iter().all(Result::is_ok));
    }
    assert_eq!(status(&world).await, [Status::Sent]);
    assert_eq!(world.documents().await.len(), 2);
    assert_eq!(world.events().await.len(), 2);
}

#[tokio::test]
async fn a_document_that_is_no_longer_valid_fails_with_its_findings_and_an_event() {
    let world = World::new().await;
    let (_, message) = queued(&world).await;
    // The registered profile has lost values that an invoice needs.
    world.change_profile(&message.taxpayer_id, serde_json::json!({"name": "Falcon"})).await;
    world.settle().await;
    assert_eq!(status(&world).await, [Status::Failed]);
    let [document] = &world.documents().await[..] else { panic!() };
    assert!(!document.warnings.is_empty());
    let [event] = &world.events().await[..] else { panic!() };
    assert_eq!(event.event_type, EventType::DocumentStatus);
    assert!(event.body.contains("\"status\":\"failed\""));
    // The failure is final.
    assert!(world.marks("due_pk").await.is_empty());
    job::run(&Convert(world.sending.clone()), &message).await.unwrap();
    job::run(&Dispatch(world.sending.clone()), &message).await.unwrap();
    assert_eq!(status(&world).await, [Status::Failed]);
    assert_eq!(world.events().await.len(), 1);
}

#[tokio::test]
async fn a_document_whose_worker_died_is_taken_over_after_the_lease() {
    for redelivered in [true, false] {
        taken_over(redelivered).await;
    }
}

/// Whether the queue brings the message again, or the sweeper the document.
async fn taken_over(redelivered: bool) {
    let world = World::new().await;
    let (_, message) = queued(&world).await;
    world.stream().await;
    world.cloud.receive("convert");
    let from = [Status::Accepted];
    let leased =
        crate::service::job::lease_document(&world.sending, &message, &from, Status::Accepted)
            .await;
    assert!(leased.unwrap().is_some());
    job::run(&Convert(world.sending.clone()), &message).await.unwrap();
    assert_eq!(status(&world).await, [Status::Accepted]);
    assert_eq!(world.pass(SignedDuration::from_secs(61)).await.relayed, 0);
    match redelivered {
        true => {
            job::run(&Convert(world.sending.clone()), &message).await.unwrap();
            world.settle().await;
        }
        false => assert_eq!(world.pass(QUEUE_GRACE).await.relayed, 1),
    }
    assert_eq!(status(&world).await, [Status::Sent]);
}
