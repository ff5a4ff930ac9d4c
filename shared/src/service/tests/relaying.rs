//! Events become deliveries once. The sweeper finds jobs that the stream or a queue lost.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use crate::{
    access::{By, Scope},
    document::Operation::Invoice,
    service::{
        QUEUE_GRACE, deliver,
        overview::overview,
        relay, sweep,
        webhooks::{self, Patch},
    },
    store::{
        Change, DeliverMessage, DeliveryRecord, DeliveryStatus, EventRecord, EventSelection,
        EventType, Reached, StageMessage, keys::JobId,
    },
    testing::{Fault, Faults, Mishap, Usage, World, invoice, send, send_queued},
    types::{Mode, OrganizationId, uae_date},
    webhook::receiver::{Behaviour, Receiver},
};

async fn deliveries(world: &World) -> Vec<DeliveryRecord> {
    world.items("DELIVERY").await
}

/// The units of the reads of partitions with a name, in halves.
fn reads_of(usage: &Usage, name: &str) -> usize {
    let named = usage.partitions.iter().filter(|(partition, _)| partition.contains(name));
    named.map(|(_, units)| units.read).sum()
}

#[tokio::test]
async fn an_event_goes_to_the_endpoints_whose_organizations_may_hear_of_it() {
    let world = World::new().await;
    let issuer = world.caller("Falcon", "1001234501").await;
    let recipient = world.taxpayer("Oasis", "1001234502").await;
    let mut expected = BTreeSet::new();
    // (scopes on the sender, scopes on the recipient, types, gets the event of the send, of the receipt)
    for (on_sender, on_recipient, types, sent, received) in [
        (&[Scope::InvoicesRead][..], &[][..], &[][..], true, false),
        (&[], &[Scope::InvoicesRead], &[], false, true),
        (&[], &[Scope::InboundRead], &[], false, true),
        (&[Scope::InboundRead], &[Scope::InvoicesWrite], &[], false, false),
        // Another organization's write scope does not cover documents that it did not send.
        (&[Scope::InvoicesWrite], &[Scope::TaxpayerRead], &[], false, false),
        (&[Scope::InvoicesRead], &[Scope::InvoicesRead], &[EventType::DocumentSent], true, false),
        (
            &[Scope::InvoicesRead],
            &[Scope::InvoicesRead],
            &[EventType::DocumentStatus],
            false,
            false,
        ),
    ] {
        let organization = world.organization("Somebody").await;
        for (scopes, taxpayer) in [(on_sender, &issuer.taxpayer), (on_recipient, &recipient)] {
            if !scopes.is_empty() {
                world.grant(&organization, taxpayer, scopes).await;
            }
        }
        let endpoint = world.endpoint(&organization, types).await;
        for (is_notified, event_type) in
            [(sent, EventType::DocumentSent), (received, EventType::DocumentReceived)]
        {
            if is_notified {
                expected.insert((endpoint.to_string(), event_type));
            }
        }
    }
    let own = world.endpoint(&issuer.organization_id, &[]).await;
    expected.insert((own.to_string(), EventType::DocumentSent));

    send(&world.sending, &issuer, Invoice, &invoice("A-1", "1001234502"), None).await.unwrap();
    world.stream().await;
    let events = world.events().await;
    let made: BTreeSet<_> = deliveries(&world)
        .await
        .into_iter()
        .map(|delivery| {
            let event = events.iter().find(|event| event.event_id == delivery.event_id).unwrap();
            (delivery.endpoint_id.to_string(), event.event_type)
        })
        .collect();
    assert_eq!(made, expected);
    assert_eq!(world.cloud.receive("deliver").len(), expected.len());
    assert!(world.marks("relay").await.is_empty());
}

#[tokio::test]
async fn write_alone_is_notified_of_what_its_own_organization_sent() {
    let world = World::new().await;
    let organization = world.organization("Writer").await;
    let taxpayer = world.taxpayer("Falcon", "1001234501").await;
    world.grant(&organization, &taxpayer, &[Scope::InvoicesWrite]).await;
    world.endpoint(&organization, &[]).await;
    let key = world.api_key(&organization).await;
    let caller = world.authorize(&key, &taxpayer, None, &[Scope::InvoicesWrite]).await.unwrap();
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    world.stream().await;
    assert_eq!(deliveries(&world).await.len(), 1);
}

#[tokio::test]
async fn an_event_that_is_relayed_twice_is_delivered_once_an_endpoint() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for _ in 0..12 {
        world.endpoint(&caller.organization_id, &[]).await;
    }
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    let [event] = &world.events().await[..] else { panic!() };
    let job_id = JobId::Event(Mode::Sandbox, event.taxpayer_id.clone(), event.event_id.clone());
    let mut relays = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (relaying, job_id) = (world.relaying.clone(), job_id.clone());
        relays.spawn(async move { relay::Batch::new(&relaying).relay(&job_id, None).await });
    }
    assert!(relays.join_all().await.iter().all(Result::is_ok));
    relay::Batch::new(&world.relaying).relay(&job_id, None).await.unwrap();
    assert_eq!(deliveries(&world).await.len(), 12);
    let shown = overview(&world.ctx, Mode::Sandbox, &caller.organization_id).await.unwrap();
    let [today] = shown.days[..] else { panic!("{shown:?}") };
    assert_eq!((today.day, today.of(Reached::Sent)), (uae_date(world.now()), 1));
    assert!(shown.failures.is_empty() && shown.awaited.is_empty());
    world.clock.advance(SignedDuration::from_hours(14 * 24));
    let later = overview(&world.ctx, Mode::Sandbox, &caller.organization_id).await.unwrap();
    assert!(later.days.is_empty(), "fourteen days are shown");
    // Without the mark, a repeated stream record sends nothing.
    world.cloud.receive("deliver");
    relay::Batch::new(&world.relaying).relay(&job_id, None).await.unwrap();
    assert!(world.cloud.receive("deliver").is_empty());
}

#[tokio::test]
async fn deliveries_are_on_their_way_although_the_overview_cannot_be_written() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    world.endpoint(&caller.organization_id, &[]).await;
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    let [event] = &world.events().await[..] else { panic!() };
    let job_id = JobId::Event(Mode::Sandbox, event.taxpayer_id.clone(), event.event_id.clone());
    // Nothing else is updated here.
    let faults = Faults::only("UpdateItem", Fault::Before);
    relay::Batch::new(&world.failing(&faults).relaying).relay(&job_id, None).await.unwrap();
    assert!(faults.calls() > 0);
    assert_eq!(world.cloud.receive("deliver").len(), 1);
    let shown =
        async || overview(&world.ctx, Mode::Sandbox, &caller.organization_id).await.unwrap();
    assert!(shown().await.days.is_empty());
    assert_eq!(deliveries(&world).await.len(), 1);
    let (id, document_id) = (&caller.organization_id, event.document_id().unwrap());
    let published = world.ctx.store.list_events_about(Mode::Sandbox, id, document_id, 10);
    assert_eq!(published.await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_event_does_not_wait_for_what_is_awaited_of_its_document() {
    let world = World::new().await;
    let organization_id = &world.organization("Integrator").await;
    let like = include_str!("../../store/fixtures/event_document.json");
    let like: EventRecord = serde_json::from_str(like).unwrap();
    let (reached, awaits) = (Some(Reached::Delivered), Vec::new());
    let settled = EventRecord { mode: Mode::Live, reached, awaits, ..like };
    // Only an outcome that is settled is deleted here.
    let faults = Faults::only("DeleteItem", Fault::Before);
    let store = world.failing(&faults).sending.ctx.store;
    store.tell(organization_id, &settled).await.unwrap();
    assert!(faults.calls() > 0);
    let document_id = settled.document_id().unwrap();
    let published = store.list_events_about(Mode::Live, organization_id, document_id, 10);
    assert_eq!(published.await.unwrap().len(), 1);
}

#[tokio::test]
async fn grants_and_endpoints_are_read_once_for_all_events_of_a_batch() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    world.endpoint(&caller.organization_id, &[]).await;
    for number in ["A-1", "A-2", "A-3"] {
        send(&world.sending, &caller, Invoice, &invoice(number, "1009999901"), None).await.unwrap();
    }
    let metered = world.metered();
    let batch = &relay::Batch::new(&metered.relaying);
    let mut relays = tokio::task::JoinSet::new();
    let marked = world.marked().await;
    for job_id in marked.into_iter().filter(|job_id| matches!(job_id, JobId::Event(..))) {
        let batch = batch.clone();
        relays.spawn(async move { batch.relay(&job_id, None).await.unwrap() });
    }
    assert_eq!(relays.join_all().await.len(), 3);
    let usage = metered.meter.take();
    let reads = ["#ENDPOINTS", "#ENDPOINTS#", "#GRANTS"].map(|list| reads_of(&usage, list));
    assert_eq!(reads, [4, 2, 2], "{:?}", usage.partitions);
    assert_eq!(deliveries(&world).await.len(), 3);
}

#[tokio::test]
async fn endpoints_are_read_again_when_one_of_them_has_changed() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let metered = world.metered();
    let mut number = 0;
    let mut relayed = async || {
        number += 1;
        let body = invoice(&format!("A-{number}"), "1009999901");
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
        metered.meter.take();
        for job_id in world.marked().await {
            relay::Batch::new(&metered.relaying).relay(&job_id, None).await.unwrap();
        }
        let usage = metered.meter.take();
        let list = reads_of(&usage, "#ENDPOINTS") - reads_of(&usage, "#ENDPOINTS#");
        (list > 0, deliveries(&world).await.len())
    };
    assert_eq!(relayed().await, (true, 0));
    assert_eq!(relayed().await, (false, 0));
    let id = world.endpoint(&caller.organization_id, &[]).await;
    assert_eq!(relayed().await, (true, 1));
    assert_eq!(relayed().await, (false, 2));
    // Other processes change it.
    let (notifying, by) = (world.notifying(), By::operator());
    let (mode, of) = (caller.mode, &caller.organization_id);
    for (enabled, count) in [(false, 2), (true, 3)] {
        let patch = Patch { enabled: Some(enabled), ..Patch::default() };
        webhooks::patch(&notifying, mode, of, &id, &patch, &by).await.unwrap();
        assert_eq!(relayed().await, (true, count));
    }
    webhooks::delete(&world.ctx, mode, of, &id, &by).await.unwrap();
    assert_eq!(relayed().await, (true, 3));
    // A function of an earlier release may change it without a new version.
    world.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(relayed().await, (true, 3));
}

#[tokio::test]
async fn what_the_relay_lost_the_sweeper_takes_up() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    world.endpoint(&caller.organization_id, &[]).await;
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    send_queued(&world.sending, &caller, &invoice("A-2", "1009999901"), Some("k")).await.unwrap();
    // The sweeper waits until relay and queue have had their time.
    let early = crate::service::sweep::sweep(&world.relaying).await;
    assert_eq!((early.relayed, early.failed), (0, 0));
    world.clock.advance(QUEUE_GRACE);
    let swept = crate::service::sweep::sweep(&world.relaying).await;
    assert_eq!((swept.relayed, swept.failed), (2, 0));
    assert_eq!(world.cloud.receive("deliver").len(), 1);
    assert_eq!(world.cloud.receive("convert").len(), 1);
    // The sweeper does not relay them again at once.
    let again = crate::service::sweep::sweep(&world.relaying).await;
    assert_eq!((again.relayed, again.failed), (0, 0));
    // The messages that were lost above come again.
    world.clock.advance(QUEUE_GRACE);
    assert_eq!(crate::service::sweep::sweep(&world.relaying).await.relayed, 2);
    assert_eq!(world.cloud.receive("convert").len(), 1);
    assert_eq!(world.cloud.receive("deliver").len(), 1);
}

/// A world with an event that so many endpoints of an organization take, and the job of the event.
async fn told(endpoints: usize) -> (World, OrganizationId, JobId) {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for _ in 0..endpoints {
        world.endpoint(&caller.organization_id, &[]).await;
    }
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    let [event] = &world.events().await[..] else { panic!() };
    let job_id = JobId::Event(Mode::Sandbox, event.taxpayer_id.clone(), event.event_id.clone());
    (world, caller.organization_id, job_id)
}

/// How many deliveries have an entry of their own in the index of due jobs, and whether the event has one.
async fn watched(world: &World, event: &JobId) -> (usize, bool) {
    let own = deliveries(world).await.iter().filter(|it| it.due_at.is_some()).count();
    (own, world.ctx.store.get_job(event).await.unwrap().is_some())
}

#[tokio::test]
async fn an_event_watches_over_its_only_delivery_until_that_has_ended_or_waits() {
    for (answer, own) in [("200 OK", 0), ("503 Service Unavailable", 1)] {
        let (world, organization, job_id) = told(0).await;
        let receiver = Receiver::start(Behaviour::status(answer, "", "")).await;
        world.endpoint_at(&organization, &receiver.url).await;
        world.stream().await;
        assert_eq!(watched(&world, &job_id).await, (0, true));
        // The message is lost: the event is relayed again.
        let [lost] = world.cloud.receive("deliver").try_into().unwrap();
        assert!(lost.read::<DeliverMessage>().first.is_some());
        world.clock.advance(QUEUE_GRACE);
        assert_eq!(sweep::sweep(&world.relaying).await.relayed, 1);
        assert_eq!(sweep::sweep(&world.relaying).await.relayed, 0, "not at once");
        let [message] = world.cloud.receive("deliver").try_into().unwrap();
        let message: DeliverMessage = message.read();
        assert!(message.first.is_none(), "the first one may still come");
        deliver::deliver(&world.healthy().delivering, &message).await.unwrap();
        assert_eq!(watched(&world, &job_id).await, (own, false), "{answer}");
        let [(_, expires)] = world.expiries("EVENT").await.try_into().unwrap();
        assert!(expires.is_some(), "{answer}");
        assert_eq!(receiver.received().len(), 1);
    }
}

#[tokio::test]
async fn several_deliveries_of_an_event_watch_over_themselves() {
    let (world, _, job_id) = told(2).await;
    world.stream().await;
    assert_eq!(watched(&world, &job_id).await, (2, false));
    assert_eq!(world.cloud.receive("deliver").len(), 2);
}

#[tokio::test]
async fn an_event_that_cannot_be_listed_is_delivered_all_the_same_and_listed_later() {
    let mut is_met = false;
    for point in 0..8 {
        let (world, organization, job_id) = told(1).await;
        let failing = world.failing(&Faults::crash(point, Mishap::FailsBefore));
        relay::Batch::new(&failing.relaying).relay(&job_id, None).await.unwrap();
        let sent = world.cloud.receive("deliver").len();
        if (sent, watched(&world, &job_id).await) == (1, (1, true)) {
            is_met = true;
            world.clock.advance(QUEUE_GRACE);
            sweep::sweep(&world.relaying).await;
            assert_eq!(watched(&world, &job_id).await, (1, false), "{point}");
        }
        world.clock.advance(QUEUE_GRACE);
        sweep::sweep(&world.relaying).await;
        let all = EventSelection::default();
        let listed = world.ctx.store.list_events(Mode::Sandbox, &organization, &all, None, 9);
        assert_eq!(listed.await.unwrap().items.len(), 1, "{point}");
    }
    assert!(is_met);
}

#[tokio::test]
async fn a_hundred_and_more_due_items_are_all_swept() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for i in 0..150 {
        let body = invoice(&format!("A-{i}"), "1009999901");
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
    }
    world.clock.advance(QUEUE_GRACE);
    let swept = crate::service::sweep::sweep(&world.relaying).await;
    assert_eq!((swept.relayed, swept.failed), (150, 0));
    assert!(world.marks("due_pk").await.is_empty());
}

#[tokio::test]
async fn a_delivery_moves_from_due_over_delivering_to_its_end_and_each_step_once() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    world.endpoint(&caller.organization_id, &[]).await;
    send(&world.sending, &caller, Invoice, &invoice("A-1", "1009999901"), None).await.unwrap();
    world.stream().await;
    let store = &world.ctx.store;
    let [message] = &world.cloud.receive("deliver")[..] else { panic!() };
    let message: DeliverMessage = message.read();
    let read = || async {
        let DeliverMessage { mode, organization_id, event_id, endpoint_id, .. } = &message;
        store.get_delivery(*mode, organization_id, event_id, endpoint_id).await.unwrap().unwrap()
    };
    let lease = |delivery: DeliveryRecord| {
        let (owner, now) = (world.ctx.new_uuid(), world.now());
        async move {
            let until = crate::service::later(now, SignedDuration::from_secs(30));
            let change = Change::begin(delivery, owner, now, until)?;
            store.change_delivery(&change).await.unwrap().then(|| change.into_new())
        }
    };
    let changed = async |change| store.change_delivery(&change).await.unwrap();
    let due = read().await;
    let first = lease(due.clone()).await.unwrap();
    assert_eq!((first.status, first.attempts), (DeliveryStatus::Delivering, 1));
    // No other attempt can begin, neither from the old record nor from the current one.
    assert_eq!(lease(due).await, None);
    assert_eq!(lease(read().await).await, None);

    // The worker dies, and its message is lost. The sweeper relays the delivery again, and another attempt begins.
    assert_eq!(world.pass(SignedDuration::from_secs(31)).await.relayed, 0);
    assert_eq!(world.pass(QUEUE_GRACE).await.relayed, 1);
    assert_eq!(world.cloud.receive("deliver").len(), 1);
    let second = lease(read().await).await.unwrap();
    assert_eq!(second.attempts, 2);
    let result = crate::store::AttemptResult {
        number: None,
        at: world.now(),
        status: Some(500),
        duration_ms: 1,
        error: None,
    };
    let next = crate::service::later(world.now(), SignedDuration::from_mins(30));
    // The dead worker wakes up: its write has no effect.
    assert!(!changed(Change::wait(&first, next, result.clone())).await);
    assert!(changed(Change::wait(&second, next, result.clone())).await);
    assert_eq!(world.pass(SignedDuration::from_mins(29)).await.relayed, 0);
    assert_eq!(world.pass(SignedDuration::from_mins(1)).await.relayed, 1);
    let third = lease(read().await).await.unwrap();
    assert!(changed(Change::end(&third, DeliveryStatus::Delivered, result)).await);
    assert_eq!(read().await.status, DeliveryStatus::Delivered);
    assert!(world.marks("due_pk").await.is_empty());
}

#[tokio::test]
async fn of_deliveries_that_are_changed_together_one_that_moved_on_keeps_back_no_other() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    world.endpoint(&caller.organization_id, &[]).await;
    for number in 0..4 {
        let body = invoice(&format!("A-{number}"), "1009999901");
        send(&world.sending, &caller, Invoice, &body, None).await.unwrap();
    }
    world.stream().await;
    let (store, now) = (&world.ctx.store, world.now());
    let until = crate::service::later(now, SignedDuration::from_secs(30));
    let read: Vec<DeliveryRecord> = world.items("DELIVERY").await;
    let begin = |read: &DeliveryRecord| {
        Change::begin(read.clone(), world.ctx.new_uuid(), now, until).unwrap()
    };
    let elsewhere = begin(&read[2]);
    assert!(store.change_delivery(&elsewhere).await.unwrap());
    let changes: Vec<_> = read.iter().map(begin).collect();
    for _ in 0..2 {
        // The second time is as after a lost answer.
        let made = store.change_deliveries(&changes).await;
        let made: Vec<_> = made.into_iter().map(Result::unwrap).collect();
        assert_eq!(made, [true, true, false, true]);
    }
    let stand: Vec<DeliveryRecord> = world.items("DELIVERY").await;
    for (number, change) in changes.into_iter().enumerate() {
        let leased = if number == 2 { elsewhere.clone().into_new() } else { change.into_new() };
        assert!(stand.contains(&leased), "{leased:?}");
    }
    // If the table refuses them together, they are written one by one.
    let failing = Faults::only("TransactWriteItems", Fault::Before);
    let failing = world.failing(&failing).sending.ctx.store;
    let over = crate::service::later(until, SignedDuration::from_secs(1));
    let begin = |read: &DeliveryRecord| {
        let until = crate::service::later(over, SignedDuration::from_secs(30));
        Change::begin(read.clone(), world.ctx.new_uuid(), over, until).unwrap()
    };
    let changes: Vec<_> = stand.iter().map(begin).collect();
    let made = failing.change_deliveries(&changes).await;
    assert!(made.into_iter().all(Result::unwrap));
    let stand: Vec<DeliveryRecord> = world.items("DELIVERY").await;
    assert!(stand.iter().all(|delivery| delivery.attempts == 2));
}

#[tokio::test]
async fn a_message_goes_to_the_queue_of_its_mode_in_the_group_of_its_organization() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    world.endpoint(&falcon.organization_id, &[]).await;
    let body = invoice("A-1", "1009999901");
    send_queued(&world.sending, &falcon, &body, Some("k")).await.unwrap();
    let mut seen = Vec::new();
    for _ in 0..3 {
        world.stream().await;
        seen.extend(world.cloud.messages());
        world.work().await;
    }
    let mut queues: Vec<_> = seen.iter().map(|message| message.queue.as_str()).collect();
    queues.dedup();
    assert_eq!(queues, ["convert", "dispatch", "deliver"]);
    for message in &seen {
        assert_eq!(message.mode, "sandbox");
        assert_eq!(message.group.as_deref(), Some(falcon.organization_id.as_str()));
    }
    let live = StageMessage { mode: Mode::Live, ..seen[0].read() };
    world.relaying.convert.send(vec![live]).await.unwrap();
    let message = world.cloud.messages().pop().unwrap();
    assert_eq!((message.queue.as_str(), message.mode.as_str()), ("convert", "live"));
}
