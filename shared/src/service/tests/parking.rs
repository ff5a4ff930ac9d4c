//! A job that can never succeed ends in a visible state, and continues after a redrive.

use std::{collections::BTreeSet, sync::Arc};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::SignedDuration;

use super::{archives, imports};
use crate::{
    api::{ArchiveResponse, ImportResponse},
    document::Operation::Invoice,
    error::{Code, Failure},
    service::{
        Context, QUEUE_GRACE,
        convert::Convert,
        documents, job, redrive, relay,
        reply::Reply,
        reports,
        resubmission::{self, ResubmissionRequest},
        retry::{self, MAX_TRIES},
        sweep,
    },
    store::{
        ArchiveStatus, DeliveryRecord, DeliveryState, EventType, ImportStatus, Parked,
        StageMessage, Status, StoreError, TaxReportStatus, keys::JobId,
    },
    testing::{Faults, Tally, World, enumerate_at, invoice, send, send_queued},
    types::Mode,
};

async fn parked(world: &World) -> Vec<(JobId, Parked)> {
    redrive::parked(&world.ctx, &redrive::ParkedFilter::default()).await.unwrap()
}

/// Checks that one job is parked and stays so. Returns its id.
async fn assert_parked(world: &World, reason: &str) -> JobId {
    let found = parked(world).await;
    let [(job_id, why)] = &found[..] else { panic!("{found:?}") };
    assert!(why.reason.contains(reason), "{why:?}");
    for _ in 0..3 {
        let swept = world.pass(SignedDuration::from_hours(1)).await;
        assert_eq!((swept.relayed, swept.failed, swept.parked), (0, 0, 1));
    }
    assert!(world.marks("relay").await.is_empty());
    job_id.clone()
}

async fn queued(world: &World) -> Status {
    let [document] = &world.documents().await[..] else { panic!() };
    document.status
}

#[tokio::test]
async fn a_document_whose_payload_is_gone_or_changed_has_failed_and_is_parked_until_somebody_looked()
 {
    for change in [None, Some(b"{}".to_vec())] {
        let world = World::new().await;
        let falcon = world.caller("Falcon", "1001234501").await;
        let body = invoice("A-1", "1009999901");
        send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
        let [object] = &world.cloud.objects()[..] else { panic!() };
        let reason = if change.is_none() { "NoSuchKey" } else { "hash" };
        let bytes = world.cloud.set_object(object, change);
        // The messages are done: nothing circles through queues and dead-letter queues.
        world.settle().await;
        let job_id = assert_parked(&world, reason).await;
        assert_eq!((job_id.kind(), queued(&world).await), ("document", Status::Failed));
        let [document] = &world.documents().await[..] else { panic!() };
        assert_eq!(document.warnings[0].rule, "AP-SERVICE-given-up");
        let [event] = &world.events().await[..] else { panic!("it is published once") };
        assert_eq!(event.event_type, EventType::DocumentStatus);
        assert!(event.body.contains(r#""cause":{"rule":"AP-SERVICE-given-up","#), "{}", event.body);

        // Its end was published: after a redrive it is not sent, and is not parked any more.
        world.cloud.set_object(object, bytes);
        assert!(redrive::redrive(&world.ctx, &job_id).await.unwrap());
        assert!(!redrive::redrive(&world.ctx, &job_id).await.unwrap(), "twice");
        world.pass(SignedDuration::ZERO).await;
        assert_eq!((queued(&world).await, world.events().await.len()), (Status::Failed, 1));
        assert!(parked(&world).await.is_empty());
        assert!(world.marks("due_pk").await.is_empty());
    }
}

#[tokio::test]
async fn an_item_that_cannot_be_read_is_parked_and_holds_up_nobody() {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    for (prefix, attribute, repaired) in [
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
        let repaired = repaired.or_else(|| item.get(attribute).cloned()).unwrap();
        let broken = match attribute {
            "operation" => text("unheard of"),
            "due_at" => text("2026-11-20"),
            _ => AttributeValue::Bool(true),
        };
        world.set("", prefix, attribute, broken).await;
        world.settle().await;
        let job_id = assert_parked(&world, "").await;
        if attribute != "due_at" {
            world.set("", prefix, attribute, repaired).await;
        }
        assert!(redrive::redrive(&world.ctx, &job_id).await.unwrap(), "{attribute}");
        assert_eq!(world.pass(SignedDuration::ZERO).await.relayed, 1, "{attribute}");
        assert_eq!(world.events().await.len(), 1);
        assert_eq!(world.items::<DeliveryRecord>("DELIVERY").await.len(), 1);
    }
}

#[tokio::test]
async fn a_document_that_kills_its_workers_is_abandoned() {
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
        let leased = job::lease_document(&world.sending, &message, &from, Status::Accepted).await;
        assert!(leased.unwrap().is_some());
        world.clock.advance(QUEUE_GRACE);
        sweep::sweep(&world.relaying).await;
    }
    assert!(world.cloud.receive("convert").is_empty());
    world.settle().await;
    assert_parked(&world, "no worker").await;
    assert_eq!((queued(&world).await, world.events().await.len()), (Status::Failed, 1));
}

#[tokio::test]
async fn what_cannot_be_sent_on_is_put_off_longer_each_time_and_abandoned_at_last() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1009999901");
    send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    let [job_id] = &world.marked().await[..] else { panic!() };
    // The queues accept nothing, but the table is available.
    let broken = world.without_queues();
    relay::Batch::new(&broken).relay(job_id, None).await.unwrap();
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
    // Up to 15 minutes a queue delays the message, which is not there. The sweeper comes 15 minutes later.
    assert_eq!(pauses[..7], [16, 17, 19, 23, 16, 32, 60]);
    assert_eq!(pauses.len() + 1, MAX_TRIES as usize);
    assert_eq!(world.now().duration_since(begun).as_hours(), 10);
    assert!(world.cloud.messages().is_empty());
    world.settle().await;
    assert_parked(&world, "queue").await;
    assert_eq!((queued(&world).await, world.events().await.len()), (Status::Failed, 1));
}

/// Abandons a waiting job, as after a fault of ours.
async fn abandon(world: &World, job_id: &JobId) {
    let job = world.ctx.store.get_job(job_id).await.unwrap().expect("it waits");
    let failure = Failure::new(Code::InternalError, "a fault of ours");
    retry::reschedule(&world.ctx, &job.version, job.version.tries, failure).await.unwrap();
    assert!(world.ctx.store.get_parked(job_id).await.unwrap().is_some(), "{job_id}");
}

/// The kinds whose state no caller waits for.
const AWAITED_BY_NOBODY: [&str; 7] =
    ["event", "message", "answer", "monthly", "mail", "receipt", "notice"];

#[tokio::test]
async fn whatever_is_parked_ends_in_a_state_that_its_caller_sees() {
    let mut ended: BTreeSet<&str> = AWAITED_BY_NOBODY.into();
    ended.extend(Box::pin(in_sandbox()).await);
    ended.extend(Box::pin(in_live()).await);
    // These two are tested with their register and their portal.
    ended.extend(["registration", "application"]);
    assert_eq!(ended, JobId::KINDS.iter().copied().collect());
}

async fn in_sandbox() -> [&'static str; 4] {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let endpoint = world.endpoint(&falcon.organization_id, &[]).await;
    let (mode, taxpayer_id) = (Mode::Sandbox, falcon.taxpayer.taxpayer_id.clone());
    let organization_id = falcon.organization_id.clone();
    let (ctx, reader) = (&world.ctx, falcon.reader());

    let body = invoice("A-1", "1009999901");
    let sent = send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    abandon(&world, &JobId::Document(mode, taxpayer_id.clone(), sent.document_id.clone())).await;
    let id = sent.document_id.as_str();
    assert_eq!(documents::get(ctx, reader, id).await.unwrap().status, Status::Failed);

    // Its event needs a delivery, which is abandoned in turn.
    world.stream().await;
    let [event] = &world.events().await[..] else { panic!() };
    let event_id = event.event_id.clone();
    let delivery = (&organization_id, &event_id, &endpoint);
    let job_id = JobId::Delivery(mode, organization_id.clone(), event_id.clone(), endpoint.clone());
    let (organization, event, of) = delivery;
    let due = ctx.store.get_delivery(mode, organization, event, of).await.unwrap().unwrap();
    ctx.store.watch_delivery(&due, world.now()).await.unwrap();
    abandon(&world, &job_id).await;
    let (organization, event, endpoint) = delivery;
    let read = async || ctx.store.get_delivery(mode, organization, event, endpoint).await.unwrap();
    assert_eq!(read().await.unwrap().state(), DeliveryState::Failed);
    let pointers = world.raw_items(&format!("POINTER#{event_id}")).await;
    let is_listed = |pk: &str| pk.contains("#DELIVERIES#") && pk.contains("#FAILED#");
    assert!(pointers.iter().any(|item| is_listed(item["pk"].as_s().unwrap())), "{pointers:?}");

    let archive = archives::create(&world, &falcon, archives::YEAR).await;
    abandon(&world, &JobId::Archive(mode, taxpayer_id.clone(), archive.archive_id.clone())).await;
    let shown = ArchiveResponse::from(archives::get(&world, &falcon, &archive).await);
    assert_eq!(serde_json::to_value(shown).unwrap()["status"], "failed");
    let another = archives::create(&world, &falcon, archives::YEAR).await;
    assert_ne!(another.archive_id, archive.archive_id);

    let import = imports::take(&world, &falcon, invoice("A-2", "1009999901").to_string()).await;
    let job_id =
        JobId::Import(mode, organization_id.clone(), taxpayer_id.clone(), import.import_id.clone());
    abandon(&world, &job_id).await;
    let shown = ImportResponse::from(imports::get(&world, &falcon, &import).await);
    assert_eq!(serde_json::to_value(shown).unwrap()["status"], "failed");
    // After the cause is corrected, jobs without a final end continue.
    for (job_id, _) in parked(&world).await {
        assert!(redrive::redrive(ctx, &job_id).await.unwrap());
    }
    world.pass(SignedDuration::ZERO).await;
    assert_eq!(archives::get(&world, &falcon, &archive).await.status, ArchiveStatus::Completed);
    assert_eq!(imports::get(&world, &falcon, &import).await.status, ImportStatus::Completed);
    assert_eq!(read().await.unwrap().state(), DeliveryState::Pending);
    ["document", "delivery", "archive", "import"]
}

async fn in_live() -> [&'static str; 1] {
    let (world, _network) = World::live().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    world.subscribe(&falcon.organization_id).await;
    let body = super::reports::body("A-1", super::reports::NOBODY);
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    let [tax_report] = world.tax_reports().await.try_into().unwrap();
    let (taxpayer_id, document_id) =
        (tax_report.taxpayer_id.clone(), tax_report.document_id.clone());
    abandon(&world, &JobId::TaxReport(taxpayer_id, tax_report.report_id.clone())).await;
    let shown = reports::about(&world.ctx, falcon.reader(), document_id.as_str()).await.unwrap();
    let [shown] = &shown[..] else { panic!("{shown:?}") };
    assert_eq!(shown.tax_report.status, TaxReportStatus::Failed);
    assert_eq!(shown.tax_report.reasons[0].rule, "AP-SERVICE-given-up");
    let mut events = world.events().await;
    events.retain(|event| event.event_type == EventType::DocumentReported);
    let [event] = &events[..] else { panic!("{events:?}") };
    assert!(event.body.contains(r#""outcome":"FAILED""#), "{}", event.body);
    // A caller resubmits it.
    let (document_id, idempotency_key) = (document_id.as_str(), Some("again"));
    let request = ResubmissionRequest { document_id, body: Ok(()), idempotency_key };
    let render = |_| Reply { status: 202, body: b"{}".to_vec() };
    resubmission::resubmit(&world.sending, &falcon, request, render).await.unwrap();
    assert_eq!(world.tax_reports().await.len(), 2);
    ["filing"]
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
        let wanted = redrive::ParkedFilter { mode, kind: kind.map(str::to_owned) };
        let found = redrive::parked(&world.ctx, &wanted).await.unwrap();
        assert_eq!(found.len(), count, "{wanted:?}");
        assert!(found.iter().all(|(job_id, _)| kind.is_none_or(|kind| job_id.kind() == kind)));
    }
}

/// A redrive of parked jobs, and the end of a given-up document, each with a fault at each effect.
pub(super) async fn tallies() -> [Tally; 2] {
    let again = async |ctx: &Context| -> Result<(), StoreError> {
        for (job_id, _) in redrive::parked(ctx, &redrive::ParkedFilter::default()).await? {
            redrive::redrive(ctx, &job_id).await?;
        }
        Ok(())
    };
    let redriven = enumerate_at(
        "redrive of a parked event",
        async || {
            let world = World::new().await;
            let falcon = world.caller("Falcon", "1001234501").await;
            world.endpoint(&falcon.organization_id, &[]).await;
            let body = invoice("A-1", "1009999901");
            send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
            world.set("", "EVENT", "tries", AttributeValue::Bool(true)).await;
            world.settle().await;
            assert_parked(&world, "").await;
            world.set("", "EVENT", "tries", AttributeValue::N("0".to_owned())).await;
            world
        },
        async |world: &World, faults: &Arc<Faults>| {
            let _ = again(&world.failing(faults).sending.ctx).await;
        },
        async |world: &World| {
            // Jobs that are still parked are redriven again, whatever the first attempt did.
            again(&world.ctx).await.unwrap();
            world.pass(SignedDuration::from_mins(2)).await;
            vec![
                ("deliveries", world.items::<DeliveryRecord>("DELIVERY").await.len()),
                ("parked, and one", 1 + parked(world).await.len()),
            ]
        },
    );
    let redriven = Box::pin(redriven).await;
    let abandoned = enumerate_at(
        "abandoning a document",
        async || {
            let world = World::new().await;
            let falcon = world.caller("Falcon", "1001234501").await;
            let body = invoice("A-1", "1009999901");
            send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
            let [object] = world.cloud.objects().try_into().unwrap();
            world.cloud.set_object(&object, None);
            world.stream().await;
            world
        },
        async |world: &World, faults: &Arc<Faults>| {
            let [message] = world.cloud.receive("convert").try_into().unwrap();
            let _ =
                job::run(&Convert(world.failing(faults).sending.clone()), &message.read()).await;
        },
        async |world: &World| {
            for _ in 0..8 {
                world.pass(SignedDuration::from_mins(3)).await;
            }
            vec![
                ("documents failed", usize::from(queued(world).await == Status::Failed)),
                ("events", world.events().await.len()),
                ("parked", parked(world).await.len()),
                ("things that wait", world.marks("due_pk").await.len()),
            ]
        },
    );
    [redriven, Box::pin(abandoned).await]
}
