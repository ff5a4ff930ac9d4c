//! Deliveries to real receivers on loopback, from a send to the endpoint's answer.

use std::{collections::HashSet, sync::Mutex, time::Duration};

use serde_json::Value;

use super::attempt::end;
use super::*;
use crate::{
    access::{By, Credentials, Scope},
    document::Operation,
    egress::{Client, Egress},
    error::Finding,
    service::{self, QUEUE_GRACE, demo::Demo, grants, redrive, reply::Reply, submit::Send, sweep},
    store::{AttemptResult, Change, DocumentRecord},
    testing::{World, counting, sealing_key},
    types::EventId,
    webhook::{
        SealingKeys,
        receiver::{Behaviour, Received, Receiver},
        signature,
    },
};

/// A world with one event whose delivery is due.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) demo: Demo,
    pub(super) delivering: Delivering,
    pub(super) message: DeliverMessage,
    /// The events whose messages the queue has delivered.
    received: Mutex<HashSet<EventId>>,
}

pub(super) fn ok() -> Behaviour {
    Behaviour::status("200 OK", "", "thanks")
}

fn client(egress: Egress) -> Client {
    Client::with_deadline(egress, Duration::from_millis(500)).unwrap()
}

impl Scene {
    pub(super) async fn at(url: &str) -> Self {
        let (world, demo) = World::with_demo(url).await;
        send_invoice(&world, &demo).await;
        let message = relayed(&world).await;
        let delivering = Delivering {
            ctx: world.ctx.clone(),
            queue: world.relaying.deliver.clone(),
            client: client(Egress::Any),
            sealing_key: sealing_key().into(),
            open_breakers: OpenBreakers::default(),
        };
        Scene { delivering, world, demo, message, received: Mutex::default() }
    }

    pub(super) async fn deliver(&self) -> Outcome {
        let messages = self.received(std::slice::from_ref(&self.message));
        deliver(&self.delivering, &messages[0]).await.unwrap()
    }

    /// Messages as the function gets them: only the first time with what a first attempt needs.
    pub(super) fn received(&self, messages: &[DeliverMessage]) -> Vec<DeliverMessage> {
        let mut received = self.received.lock().unwrap();
        let messages = messages.iter().cloned().map(|message| {
            let is_first = received.insert(message.event_id.clone());
            DeliverMessage { first: message.first.filter(|_| is_first), ..message }
        });
        messages.collect()
    }

    pub(super) async fn delivery(&self) -> DeliveryRecord {
        let DeliverMessage { mode, organization_id, event_id, endpoint_id, .. } = &self.message;
        let store = &self.world.ctx.store;
        store.get_delivery(*mode, organization_id, event_id, endpoint_id).await.unwrap().unwrap()
    }

    /// Has the demo organization's grant on Falcon revoked.
    async fn revoke(&self) {
        let grant_id = self.demo.taxpayers[0].grant_id.as_ref().unwrap();
        let organization = &self.demo.organization_id;
        let mode = self.message.mode;
        grants::revoke(&self.world.ctx, mode, organization, grant_id, &By::operator())
            .await
            .unwrap();
    }

    /// Moves the clock to the next attempt.
    pub(super) fn wait_until(&self, next: Timestamp) {
        self.world.clock.advance(next.duration_since(self.world.ctx.now()));
    }

    /// Checks that the request follows Standard Webhooks.
    fn assert_signed(&self, received: &Received) {
        let id = self.message.event_id.as_str();
        assert_eq!(received.header("webhook-id"), Some(id));
        assert_eq!(received.header("content-type"), Some("application/json"));
        assert!(received.header("user-agent").unwrap().starts_with("access-point/"));
        let at = received.header("webhook-timestamp").unwrap().parse().unwrap();
        let at = Timestamp::from_second(at).unwrap();
        let secret: Secret = self.demo.webhook_endpoint.secret.parse().unwrap();
        let signature = signature(&[secret], id, at, &received.body);
        assert_eq!(received.header("webhook-signature"), Some(signature.as_str()));
        let body: Value = serde_json::from_slice(&received.body).unwrap();
        assert_eq!(body["id"], id);
        assert_eq!(body["type"], "document.sent");
    }
}

/// Sends an invoice of Falcon to a participant outside the Sandbox, which makes one event.
pub(super) async fn send_invoice(world: &World, demo: &Demo) {
    let body = include_str!("../../../../events/invoices/minimal.json")
        .replace("100123450200003", "100765432100003")
        .replace("1001234502", "1007654321");
    let authorization = format!("Api-Key {}", demo.api_keys.sandbox);
    let credentials = Credentials {
        authorization: Some(&authorization),
        taxpayer_id: Some(demo.taxpayers[0].taxpayer_id.as_str()),
        grant_id: None,
    };
    let scopes = [Scope::InvoicesWrite];
    let caller = service::authorize(&world.ctx, &counting(), credentials, &scopes).await.unwrap();
    let send = Send {
        operation: Operation::Invoice,
        body: body.as_bytes(),
        idempotency_key: None,
        respond_async: false,
        import: None,
    };
    fn render(_: &DocumentRecord, _: &[Finding]) -> Reply {
        Reply { status: 201, body: Vec::new() }
    }
    service::submit::send(&world.sending, &caller, send, render).await.unwrap();
}

/// Has the event relayed. Returns the message that asks for the delivery.
pub(super) async fn relayed(world: &World) -> DeliverMessage {
    let before = world.cloud.messages().len();
    world.stream().await;
    // A mail to the business may be relayed beside it.
    let messages = world.cloud.messages().split_off(before);
    let deliveries: Vec<_> = messages.iter().filter(|it| it.queue == "deliver").collect();
    let [message] = deliveries[..] else { panic!("not one delivery: {messages:?}") };
    assert_eq!(message.delay_seconds, 0);
    message.read()
}

#[tokio::test]
async fn an_event_that_is_taken_is_delivered_once_and_signed() {
    let receiver = Receiver::start(ok()).await;
    let scene = Scene::at(&receiver.url).await;
    assert_eq!(scene.deliver().await, Outcome::Delivered);
    assert_eq!(scene.deliver().await, Outcome::Skipped, "a message that comes twice");
    let received = receiver.received();
    assert_eq!(received.len(), 1);
    scene.assert_signed(&received[0]);
    let delivery = scene.delivery().await;
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Delivered, 1));
    assert_eq!(delivery.results.len(), 1);
    assert_eq!((delivery.results[0].status, &delivery.results[0].error), (Some(200), &None));
    // Nothing is due any more.
    scene.world.clock.advance(SignedDuration::from_hours(100));
    assert_eq!(sweep::sweep(&scene.world.relaying).await, sweep::Swept::default());
}

#[tokio::test]
async fn a_failure_of_any_kind_is_noted_and_tried_again() {
    let elsewhere = Receiver::start(ok()).await;
    let there = format!("location: {}\r\n", elsewhere.url);
    let cases = [
        (Behaviour::status("301 Moved Permanently", &there, ""), Some(301), "redirect: ", 4..=6),
        (Behaviour::status("400 Bad Request", "", "no"), Some(400), "status: ", 4..=6),
        (Behaviour::status("500 Internal Server Error", "", ""), Some(500), "status: ", 4..=6),
        (Behaviour::status("502 Bad Gateway", "", ""), Some(502), "status: ", 60..=60),
        (
            Behaviour::status("429 Too Many Requests", "retry-after: 120\r\n", ""),
            Some(429),
            "status: ",
            120..=120,
        ),
        (Behaviour::Hangs, None, "timeout: ", 60..=60),
        (Behaviour::HangsUp, None, "protocol: ", 4..=6),
    ];
    for (behaviour, status, error, seconds) in cases {
        let receiver = Receiver::start(behaviour).await;
        let scene = Scene::at(&receiver.url).await;
        let Outcome::Waiting(next) = scene.deliver().await else { panic!("{error} is over") };
        let wait = next.duration_since(scene.world.ctx.now());
        assert!(seconds.contains(&wait.as_secs()), "{error}: {wait}");
        let delivery = scene.delivery().await;
        assert_eq!((delivery.status, delivery.next_attempt_at), (DeliveryStatus::Due, next));
        let [result] = delivery.results.as_slice() else { panic!("{delivery:?}") };
        assert_eq!(result.status, status);
        assert!(result.error.as_deref().unwrap().starts_with(error), "{result:?}");
        // The queue brings the next attempt, but not before it is due.
        let message = scene.world.cloud.messages().pop().unwrap();
        assert!(message.delay_seconds > wait.as_secs(), "{message:?}");
        assert_eq!(scene.deliver().await, Outcome::Skipped, "before it is due");
        assert_eq!(receiver.received().len(), 1);
        // The next attempt has the same id, its own time and its own signature.
        receiver.behave(ok());
        scene.wait_until(next);
        assert_eq!(scene.deliver().await, Outcome::Delivered);
        let received = receiver.received();
        received.iter().for_each(|received| scene.assert_signed(received));
        let [first, second] = [0, 1].map(|i| received[i].header("webhook-timestamp").unwrap());
        assert!(first < second);
        assert_eq!(scene.delivery().await.results.len(), 2);
    }
    assert!(elsewhere.received().is_empty(), "a redirect was followed");
}

#[tokio::test]
async fn an_endpoint_that_cannot_be_reached_is_tried_again() {
    let scene = Scene::at("http://127.0.0.1:9/hook").await;
    assert!(matches!(scene.deliver().await, Outcome::Waiting(_)));
    let delivery = scene.delivery().await;
    assert!(delivery.results[0].error.as_deref().unwrap().starts_with("connect: "), "{delivery:?}");
}

#[tokio::test]
async fn an_address_that_is_not_public_is_never_reached() {
    let receiver = Receiver::start(ok()).await;
    let port = receiver.url.rsplit(':').next().unwrap();
    for (url, error) in [
        (receiver.url.clone(), "invalid_url: "),
        (format!("https://127.0.0.1:{port}"), "blocked: "),
        (format!("https://localhost:{port}"), "blocked: "),
    ] {
        let mut scene = Scene::at(&url).await;
        scene.delivering.client = client(Egress::Public);
        assert!(matches!(scene.deliver().await, Outcome::Waiting(_)));
        let delivery = scene.delivery().await;
        assert!(delivery.results[0].error.as_deref().unwrap().starts_with(error), "{delivery:?}");
    }
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn after_ten_failures_a_delivery_is_exhausted() {
    let receiver = Receiver::start(Behaviour::status("500 No", "", "")).await;
    let scene = Scene::at(&receiver.url).await;
    let started = scene.world.ctx.now();
    let deliveries =
        || scene.world.cloud.messages().iter().filter(|message| message.queue == "deliver").count();
    for attempt in 1..=9 {
        let messages = scene.world.cloud.messages().len();
        let Outcome::Waiting(next) = scene.deliver().await else { panic!("over at {attempt}") };
        // The queue holds waits up to 15 minutes. The sweeper handles longer ones.
        let queued = scene.world.cloud.messages().len() - messages;
        assert_eq!(queued, usize::from(attempt <= 2), "attempt {attempt}");
        let before = deliveries();
        sweep::sweep(&scene.world.relaying).await;
        assert_eq!(deliveries(), before, "not due yet");
        scene.wait_until(next);
        let before = deliveries();
        sweep::sweep(&scene.world.relaying).await;
        assert_eq!(deliveries() - before, 1, "due");
    }
    assert_eq!(scene.deliver().await, Outcome::Exhausted);
    assert_eq!(scene.deliver().await, Outcome::Skipped);
    assert_eq!(receiver.received().len(), 10);
    let delivery = scene.delivery().await;
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Exhausted, 10));
    assert_eq!(delivery.results.len(), 10);
    let hours = scene.world.ctx.now().duration_since(started).as_hours();
    assert!((60..=91).contains(&hours), "{hours} h");
}

#[tokio::test]
async fn an_endpoint_that_is_gone_is_disabled() {
    let receiver = Receiver::start(Behaviour::status("410 Gone", "", "")).await;
    let mut scene = Scene::at(&receiver.url).await;
    // Another event for the same endpoint is queued too.
    send_invoice(&scene.world, &scene.demo).await;
    let another = relayed(&scene.world).await;

    assert_eq!(scene.deliver().await, Outcome::Exhausted);
    let DeliverMessage { mode, organization_id, endpoint_id, .. } = &scene.message;
    let store = &scene.world.ctx.store;
    let endpoint = store.get_endpoint(*mode, organization_id, endpoint_id).await.unwrap().unwrap();
    assert_eq!(endpoint.status, EndpointStatus::Disabled);

    scene.message = another;
    assert_eq!(scene.deliver().await, Outcome::Exhausted);
    assert_eq!(receiver.received().len(), 1, "a disabled endpoint was asked");
    let error = scene.delivery().await.results[0].error.clone();
    assert_eq!(error.as_deref(), Some("the endpoint is disabled"));
}

#[tokio::test]
async fn messages_that_come_together_make_one_attempt() {
    let receiver = Receiver::start(ok()).await;
    let scene = Scene::at(&receiver.url).await;
    let outcomes = tokio::join!(scene.deliver(), scene.deliver(), scene.deliver());
    let outcomes = [outcomes.0, outcomes.1, outcomes.2];
    // An endpoint that was never called admits two at a time. One of them gets the lease.
    let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|each| wanted(each)).count();
    assert_eq!(count(|each| *each == Outcome::Delivered), 1, "{outcomes:?}");
    assert_eq!(count(|each| matches!(each, Outcome::Skipped | Outcome::Rescheduled(_))), 2);
    assert_eq!(receiver.received().len(), 1);
}

#[tokio::test]
async fn a_dead_workers_attempt_is_taken_over_when_its_lease_is_over() {
    // The queue brings its message again then, or the sweeper the delivery.
    for (after, swept) in [(LEASE, 0), (QUEUE_GRACE, 1)] {
        taken_over(after, swept).await;
    }
}

async fn taken_over(after: SignedDuration, swept: usize) {
    let receiver = Receiver::start(ok()).await;
    let scene = Scene::at(&receiver.url).await;
    let ctx = &scene.world.ctx;
    let now = ctx.now();
    let delivery = scene.delivery().await;
    let lease_until = later(now, LEASE);
    let dead = Change::begin(delivery, ctx.new_uuid(), now, lease_until).unwrap();
    assert!(ctx.store.change_delivery(&dead).await.unwrap());
    assert_eq!(scene.deliver().await, Outcome::Skipped, "the worker may be alive");
    scene.wait_until(later(now, after));
    assert_eq!(sweep::sweep(&scene.world.relaying).await.relayed, swept);
    assert_eq!(scene.deliver().await, Outcome::Delivered);
    assert_eq!(scene.delivery().await.attempts, 2);
    // If the worker wakes up later, its write has no effect.
    let late = AttemptResult {
        number: None,
        at: ctx.now(),
        status: Some(500),
        duration_ms: 1,
        error: None,
    };
    let outcome =
        end(&scene.delivering, &dead.into_new(), DeliveryStatus::Exhausted, late).await.unwrap();
    assert_eq!(outcome, Outcome::Skipped);
    assert_eq!(scene.delivery().await.status, DeliveryStatus::Delivered);
}

#[tokio::test]
async fn a_body_without_end_does_not_spoil_a_delivery() {
    let head = "HTTP/1.1 200 OK\r\n\r\n".to_owned();
    let receiver = Receiver::start(Behaviour::NeverEnds(head)).await;
    let scene = Scene::at(&receiver.url).await;
    assert_eq!(scene.deliver().await, Outcome::Delivered);
}

#[tokio::test]
async fn a_sealing_key_that_does_not_open_costs_the_endpoint_no_attempt() {
    let receiver = Receiver::start(ok()).await;
    let mut scene = Scene::at(&receiver.url).await;
    scene.delivering.sealing_key = SealingKeys::derive(&"another key ".repeat(4)).unwrap().into();
    assert_eq!(scene.deliver().await, Outcome::Hindered);
    let delivery = scene.delivery().await;
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Due, 0));
    assert!(receiver.received().is_empty());
    // The delivery is parked until the key is corrected and an operator redrives it.
    scene.world.clock.advance(SignedDuration::from_hours(1));
    let swept = sweep::sweep(&scene.world.relaying).await;
    assert_eq!((swept.relayed, swept.failed, swept.parked), (0, 0, 1));
    let ctx = &scene.world.ctx;
    let [(place, parked)] = &redrive::parked(ctx, &Default::default()).await.unwrap()[..] else {
        panic!("not one is parked")
    };
    assert!(!parked.reason.is_empty());
    assert!(redrive::redrive(ctx, place).await.unwrap());
    scene.delivering.sealing_key = sealing_key().into();
    assert_eq!(sweep::sweep(&scene.world.relaying).await.relayed, 1);
    assert_eq!(scene.deliver().await, Outcome::Delivered);
}

#[tokio::test]
async fn what_no_grant_covers_any_more_is_not_delivered() {
    let receiver = Receiver::start(ok()).await;
    let scene = Scene::at(&receiver.url).await;
    scene.revoke().await;
    // What the relay found covered is covered for so long.
    scene.world.clock.advance(SignedDuration::from_secs(20));
    assert_eq!(scene.deliver().await, Outcome::Exhausted);
    assert!(receiver.received().is_empty(), "it was delivered");
    let delivery = scene.delivery().await;
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Exhausted, 0));
    let error = delivery.results[0].error.as_deref();
    assert_eq!(error, Some("no active grant that is older than the event covers it"));
}

#[tokio::test]
async fn what_a_grant_covered_a_moment_ago_is_delivered_without_a_read() {
    let receiver = Receiver::start(ok()).await;
    let scene = Scene::at(&receiver.url).await;
    scene.revoke().await;
    scene.world.clock.advance(SignedDuration::from_secs(19));
    assert_eq!(scene.deliver().await, Outcome::Delivered);
    let [received] = receiver.received().try_into().unwrap();
    scene.assert_signed(&received);
}

#[tokio::test]
async fn the_end_of_a_connection_reaches_the_one_that_lost_it_and_is_the_last_that_does() {
    let receiver = Receiver::start(ok()).await;
    let mut scene = Scene::at(&receiver.url).await;
    // A bystander has a grant of its own, and must not receive another organization's event.
    let bystander = scene.world.organization("Bystander").await;
    let falcon = &scene.demo.taxpayers[0].taxpayer_id;
    scene.world.grant_on(&bystander, falcon, &Scope::ALL).await;
    scene.world.endpoint(&bystander, &[]).await;
    scene.revoke().await;
    scene.message = relayed(&scene.world).await;
    assert_eq!(&scene.message.organization_id, &scene.demo.organization_id);
    assert_eq!(scene.deliver().await, Outcome::Delivered);
    let body: Value = serde_json::from_slice(&receiver.received()[0].body).unwrap();
    assert_eq!(body["type"], "taxpayer.deleted");
    assert_eq!(body["data"]["taxpayer_id"], falcon.as_str());
    assert_eq!(body["data"]["grants"], serde_json::json!([]));
}
