//! The circuit breaker of an endpoint: when it admits an execution, and when it admits none.

use super::{
    tests::{Scene, ok, relayed, send_invoice},
    *,
};
use crate::{
    egress::{Client, Egress},
    service::{Context, sweep},
    store::{
        StoreError,
        breakers::{ENDPOINT_PAUSES, FAILURES, MOST, SOME},
    },
    testing::{Fault, Faults, Mishap},
    webhook::receiver::{Behaviour, Receiver},
};

const FIRST_PAUSE: SignedDuration = ENDPOINT_PAUSES.first;
const LONGEST_PAUSE: SignedDuration = ENDPOINT_PAUSES.longest;

impl Scene {
    /// Messages about `count` events, the one of `message` first.
    async fn messages(&self, count: usize) -> Vec<DeliverMessage> {
        let mut messages = vec![self.message.clone()];
        while messages.len() < count {
            send_invoice(&self.world, &self.demo).await;
            messages.push(relayed(&self.world).await);
        }
        messages
    }

    async fn deliver_all(&self, messages: &[DeliverMessage]) -> Vec<Outcome> {
        let outcomes = deliver_to_one(&self.delivering, &self.received(messages)).await;
        outcomes.into_iter().map(Result::unwrap).collect()
    }

    async fn enter(&self) -> Admission {
        self.enter_with(&self.world.ctx).await.unwrap()
    }

    async fn enter_with(&self, ctx: &Context) -> Result<Admission, StoreError> {
        let DeliverMessage { mode, organization_id, endpoint_id, .. } = &self.message;
        let found = ctx.store.get_endpoint_and_breaker(*mode, organization_id, endpoint_id).await?;
        let (endpoint, breaker) = (BreakerKey::endpoint(&found.0.unwrap()), found.1);
        let leave_by = later(ctx.now(), LEASE);
        ctx.store.admit(&endpoint, &breaker, ctx.new_uuid(), ctx.now(), leave_by).await
    }

    async fn pass(&self) -> Permit {
        match self.enter().await {
            Admission::Admitted(permit) => permit,
            refused => panic!("{refused:?}"),
        }
    }

    /// Releases a permit of a slow endpoint.
    async fn leave(&self, permit: Permit, answers: u32, failures: u32) -> Option<Timestamp> {
        self.left(permit, Observed { answers, failures, slow: true, ..Observed::default() }).await
    }

    async fn left(&self, permit: Permit, observed: Observed) -> Option<Timestamp> {
        let ctx = &self.world.ctx;
        ctx.store.release(permit, observed, ctx.now()).await.unwrap().opened_until
    }

    /// How many permits the breaker grants: takes permits until it refuses one, then releases them.
    async fn room(&self) -> usize {
        let mut inside = Vec::new();
        while let Admission::Admitted(permit) = self.enter().await {
            inside.push(permit);
        }
        let room = inside.len();
        for permit in inside {
            self.leave(permit, 0, 0).await;
        }
        room
    }
}

fn next(outcome: Outcome) -> Timestamp {
    match outcome {
        Outcome::Rescheduled(next) => next,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_endpoint_that_never_answers_is_left_alone_until_a_probe_gets_an_answer() {
    let receiver = Receiver::start(Behaviour::Hangs).await;
    let scene = Scene::at(&receiver.url).await;
    let messages = scene.messages(8).await;
    let outcomes = scene.deliver_all(&messages[..5]).await;
    assert!(outcomes.iter().all(|each| matches!(each, Outcome::Waiting(_))), "{outcomes:?}");

    // Five failed in a row. The other deliveries wait without an attempt, and come again when the breaker closes.
    let opened = scene.world.ctx.now();
    scene.world.cloud.receive("deliver");
    let put_off = scene.deliver_all(&messages[5..]).await;
    assert_eq!(receiver.received().len(), 5);
    let queued = scene.world.cloud.receive("deliver");
    for (outcome, message) in put_off.iter().zip(&messages[5..]) {
        let wait = next(*outcome).duration_since(opened);
        assert!(wait >= FIRST_PAUSE && wait <= FIRST_PAUSE * 3 / 2, "{wait}");
        let store = &scene.world.ctx.store;
        let DeliverMessage { mode, organization_id, event_id, endpoint_id, .. } = message;
        let delivery =
            store.get_delivery(*mode, organization_id, event_id, endpoint_id).await.unwrap();
        let delivery = delivery.unwrap();
        assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Due, 0));
        assert_eq!(delivery.next_attempt_at, next(*outcome));
        let later = DeliverMessage { first: None, ..message.clone() };
        let message = queued.iter().find(|each| each.read::<DeliverMessage>() == later).unwrap();
        assert!(message.delay_seconds > wait.as_secs(), "it would come too early");
    }
    assert_eq!(scene.deliver_all(&messages[5..]).await, [Outcome::Skipped; 3], "not due");

    // One probe runs at a time. While it fails, the breaker stays open for twice as long.
    let mut pause = FIRST_PAUSE;
    for probes in 1..=6 {
        let last = put_off.iter().map(|each| next(*each)).max().unwrap();
        scene.world.clock.advance(LONGEST_PAUSE * 2 + last.duration_since(opened));
        let now = scene.world.ctx.now();
        let outcomes = scene.deliver_all(&messages[5..]).await;
        let tried = outcomes.iter().filter(|each| matches!(each, Outcome::Waiting(_))).count();
        assert_eq!((tried, receiver.received().len()), (1, 5 + probes), "{outcomes:?}");
        pause = LONGEST_PAUSE.min(pause * 2);
        let Admission::Open { until, .. } = scene.enter().await else { panic!("it is not open") };
        assert_eq!(until.duration_since(now), pause, "after {probes} probes");
    }

    // The endpoint answers again: the breaker closes, and no delivery was lost.
    receiver.behave(ok());
    scene.world.clock.advance(SignedDuration::from_hours(30));
    let first = scene.deliver_all(&messages).await;
    assert_eq!(first[0], Outcome::Delivered, "the probe");
    scene.world.clock.advance(SignedDuration::from_mins(1));
    let rest = scene.deliver_all(&messages[1..]).await;
    assert_eq!(rest, [Outcome::Delivered; 7]);
}

#[tokio::test]
async fn room_doubles_while_a_slow_endpoint_answers_and_is_gone_when_it_fails() {
    let scene = Scene::at("http://127.0.0.1:9/hook").await;
    assert_eq!(scene.room().await, 1, "never asked");
    for room in [SOME, 8, 16, 32, MOST] {
        let mut inside = Vec::new();
        while let Admission::Admitted(permit) = scene.enter().await {
            inside.push(permit);
        }
        for permit in inside {
            scene.leave(permit, 3, 0).await;
        }
        assert_eq!(scene.room().await, room);
    }
    // An endpoint with little use gets no further permits.
    let permit = scene.pass().await;
    scene.leave(permit, 0, 1).await;
    assert_eq!(scene.room().await, 1, "it failed");
    let permit = scene.pass().await;
    scene.leave(permit, 1, 0).await;
    for _ in 0..5 {
        let permit = scene.pass().await;
        scene.leave(permit, 1, 1).await;
    }
    assert_eq!(scene.room().await, SOME);
}

#[tokio::test]
async fn a_quick_endpoint_needs_no_permit_until_it_fails_or_is_slow() {
    const QUICK: Observed = Observed { answers: 1, ..NOTHING };
    const NOTHING: Observed =
        Observed { answers: 0, failures: 0, slow: false, events: EventOutcome::None };
    for (what, observed, stays) in [
        ("answers", QUICK, true),
        ("refuses the events", Observed { events: EventOutcome::Missed, ..QUICK }, true),
        ("fails once in a while", Observed { answers: 3, failures: 2, ..QUICK }, true),
        ("mostly fails", Observed { answers: 2, failures: 3, ..QUICK }, false),
        ("fails", Observed { answers: 0, failures: 1, ..QUICK }, false),
    ] {
        let scene = Scene::at("http://127.0.0.1:9/hook").await;
        let permit = scene.pass().await;
        scene.left(permit, QUICK).await;
        let inside = [scene.pass().await, scene.pass().await, scene.pass().await];
        for permit in inside {
            scene.left(permit, observed).await;
        }
        if stays {
            let _inside = scene.pass().await;
            scene.pass().await;
        } else {
            assert_eq!(scene.room().await, 1, "{what}");
        }
    }
    // A probe alone does not make it quick.
    let scene = Scene::at("http://127.0.0.1:9/hook").await;
    for _ in 0..FAILURES {
        let permit = scene.pass().await;
        scene.leave(permit, 0, 1).await;
    }
    scene.world.clock.advance(FIRST_PAUSE);
    let probe = scene.pass().await;
    assert!(probe.probe);
    scene.left(probe, QUICK).await;
    assert_eq!(scene.room().await, SOME);
}

#[tokio::test]
async fn an_endpoint_that_becomes_slow_is_limited_before_its_calls_end() {
    let receiver = Receiver::start(ok()).await;
    let mut scene = Scene::at(&receiver.url).await;
    scene.delivering.client = Client::with_deadline(Egress::Any, SLOW * 2).unwrap();
    let messages = scene.messages(3).await;
    assert_eq!(scene.deliver_all(&messages[..1]).await, [Outcome::Delivered]);
    receiver.behave(Behaviour::Hangs);
    let calls = async {
        let outcomes = scene.deliver_all(&messages[1..]).await;
        (outcomes, Instant::now())
    };
    let look = async {
        sleep(SLOW / 2).await;
        let _quick = (scene.pass().await, scene.pass().await);
        sleep(SLOW / 2 + Duration::from_millis(500)).await;
        assert_eq!(scene.room().await, 1);
        Instant::now()
    };
    let ((outcomes, ended), looked) = tokio::join!(calls, look);
    assert!(looked < ended);
    assert!(outcomes.iter().all(|each| matches!(each, Outcome::Waiting(_))), "{outcomes:?}");
}

#[tokio::test]
async fn a_full_gate_costs_no_attempt_and_the_dead_free_their_places() {
    let receiver = Receiver::start(ok()).await;
    let scene = Scene::at(&receiver.url).await;
    let _dead = scene.pass().await;
    let now = scene.world.ctx.now();
    let again = next(scene.deliver().await);
    assert!((1..=16).contains(&again.duration_since(now).as_secs()), "{again}");
    assert_eq!(scene.delivery().await.attempts, 0);
    assert!(receiver.received().is_empty());
    // The message may be lost: the sweeper relays the delivery.
    scene.world.cloud.receive("deliver");
    scene.wait_until(later(now, LEASE + SignedDuration::from_mins(2)));
    assert_eq!(sweep::sweep(&scene.world.relaying).await.relayed, 1);
    assert_eq!(scene.deliver().await, Outcome::Delivered);
}

#[tokio::test]
async fn whoever_entered_and_did_not_hear_of_it_is_inside() {
    let scene = Scene::at("http://127.0.0.1:9/hook").await;
    // The read, and the first write.
    let faults = Faults::new(Fault::After, 1, 1);
    let entry = scene.enter_with(&scene.world.failing(&faults).sending.ctx).await;
    assert!(matches!(entry, Ok(Admission::Admitted(_))), "{entry:?}");
    assert_eq!(faults.calls(), 3);
    assert!(matches!(scene.enter().await, Admission::Full { answers: false }));
}

#[tokio::test]
async fn what_counts_is_whether_an_endpoint_answers_not_what() {
    let failures = usize::try_from(FAILURES).unwrap();
    for (behaviour, opens) in [
        (Behaviour::status("400 Bad Request", "", ""), false),
        (Behaviour::status("301 Moved Permanently", "location: /\r\n", ""), false),
        (Behaviour::status("429 Too Many Requests", "", ""), true),
        (Behaviour::status("503 Service Unavailable", "", ""), true),
        (Behaviour::HangsUp, true),
    ] {
        let receiver = Receiver::start(behaviour).await;
        let scene = Scene::at(&receiver.url).await;
        let messages = scene.messages(failures).await;
        scene.deliver_all(&messages).await;
        let open = matches!(scene.enter().await, Admission::Open { .. });
        assert_eq!(open, opens, "{:?}", scene.delivery().await.results);
    }
}

#[tokio::test]
async fn a_delivery_that_is_put_off_for_a_week_ends() {
    let scene = Scene::at("http://127.0.0.1:9/hook").await;
    scene.world.clock.advance(SignedDuration::from_hours(7 * 24));
    let _inside = scene.pass().await;
    assert_eq!(scene.deliver().await, Outcome::Exhausted);
    let error = scene.delivery().await.results[0].error.clone().unwrap();
    assert!(error.contains("abandoned"), "{error}");
}

#[tokio::test]
async fn an_attempt_that_another_message_may_ask_for_too_takes_a_lease_first() {
    for (is_only_one, calls) in [(true, 5), (false, 8)] {
        let receiver = Receiver::start(ok()).await;
        let mut scene = Scene::at(&receiver.url).await;
        scene.message.first = scene.message.first.filter(|_| is_only_one);
        let faults = Faults::new(Fault::Before, 0, 0);
        scene.delivering.ctx = scene.world.failing(&faults).sending.ctx;
        assert_eq!(scene.deliver().await, Outcome::Delivered);
        assert_eq!(faults.calls(), calls, "{is_only_one}");
        let delivery = scene.delivery().await;
        assert_eq!((delivery.attempts, delivery.results.len(), delivery.lease), (1, 1, None));
        // A later message finds it ended.
        assert_eq!(scene.deliver().await, Outcome::Skipped);
        assert_eq!(receiver.received().len(), 1);
    }
}

#[tokio::test]
async fn a_first_attempt_whose_end_cannot_be_written_is_made_again_and_counted_once() {
    let mut made_twice = 0;
    for point in 0..5 {
        let receiver = Receiver::start(ok()).await;
        let mut scene = Scene::at(&receiver.url).await;
        let healthy = scene.delivering.clone();
        let failing = Faults::crash(point, Mishap::FailsBefore);
        scene.delivering.ctx = scene.world.failing(&failing).sending.ctx;
        let first = deliver(&scene.delivering, &scene.message).await;
        if !matches!(first, Ok(Outcome::Delivered)) {
            scene.delivering = healthy;
            scene.world.clock.advance(SignedDuration::from_mins(1));
            assert_eq!(scene.deliver().await, Outcome::Delivered, "{point}");
        }
        let delivery = scene.delivery().await;
        assert_eq!((delivery.attempts, delivery.results.len()), (1, 1), "{point}");
        made_twice += usize::from(receiver.received().len() == 2);
    }
    assert_eq!(made_twice, 1, "only if its end is not written");
}

#[tokio::test]
async fn deliveries_share_their_reads_and_each_takes_two_writes_and_a_lease_when_it_has_waited() {
    let receiver = Receiver::start(ok()).await;
    let mut scene = Scene::at(&receiver.url).await;
    let messages = scene.messages(11).await;
    let faults = Faults::new(Fault::Before, 0, 0);
    scene.delivering.ctx = scene.world.failing(&faults).sending.ctx;
    assert_eq!(scene.deliver().await, Outcome::Delivered);
    let alone = faults.calls();
    assert_eq!(alone, 5);
    assert_eq!(scene.deliver_all(&messages[1..6]).await, [Outcome::Delivered; 5]);
    let at_once = faults.calls();
    assert_eq!(at_once - alone, 1 + 5 * 2);
    scene.world.clock.advance(SignedDuration::from_secs(20));
    assert_eq!(scene.deliver_all(&messages[6..]).await, [Outcome::Delivered; 5]);
    assert_eq!(faults.calls() - at_once, 3 + 5 * 3);
    assert_eq!(receiver.received().len(), 11);
}

#[tokio::test]
async fn a_gate_that_was_met_closed_costs_one_call_a_delivery_and_hides_nothing_that_changed() {
    let receiver = Receiver::start(Behaviour::Hangs).await;
    let mut scene = Scene::at(&receiver.url).await;
    let messages = scene.messages(9).await;
    scene.deliver_all(&messages[..5]).await;
    next(scene.deliver_all(&messages[5..6]).await[0]);

    let opened = scene.world.ctx.now();
    let faults = Faults::new(Fault::Before, 0, 0);
    scene.delivering.ctx = scene.world.failing(&faults).sending.ctx;
    scene.world.cloud.receive("deliver");
    let put_off = scene.deliver_all(&messages[6..8]).await;
    assert_eq!(faults.calls(), 2, "one write each");
    for (outcome, message) in put_off.iter().zip(&messages[6..8]) {
        let wait = next(*outcome).duration_since(opened);
        assert!(wait >= FIRST_PAUSE && wait <= FIRST_PAUSE * 3 / 2, "{wait}");
        scene.message = message.clone();
        assert_eq!(scene.delivery().await.next_attempt_at, next(*outcome));
    }
    assert_eq!(scene.world.cloud.receive("deliver").len(), 2, "both come again by the queue");
    assert_eq!(scene.deliver_all(&messages[6..8]).await, [Outcome::Skipped; 2], "not due");

    // Such a message may be lost: the sweeper relays the delivery.
    scene.wait_until(later(opened, LONGEST_PAUSE));
    assert!(sweep::sweep(&scene.world.relaying).await.relayed >= 2);
    // The pause is over, so that the breaker is asked again.
    receiver.behave(ok());
    assert_eq!(scene.deliver_all(&messages[8..]).await, [Outcome::Delivered]);
    assert_eq!(scene.deliver_all(&messages[6..8]).await, [Outcome::Delivered; 2]);
}

#[tokio::test]
async fn a_delivery_of_a_week_ends_before_a_gate_that_is_remembered_too() {
    let receiver = Receiver::start(Behaviour::Hangs).await;
    let scene = Scene::at(&receiver.url).await;
    let messages = scene.messages(7).await;
    scene.world.clock.advance(SignedDuration::from_hours(7 * 24));
    scene.deliver_all(&messages[..5]).await;
    assert_eq!(scene.deliver_all(&messages[5..6]).await, [Outcome::Exhausted]);
    assert_eq!(scene.deliver_all(&messages[6..]).await, [Outcome::Exhausted]);
}
