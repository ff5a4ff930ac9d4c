//! Events of the billing provider: each is applied once, in any order and however often it arrives.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{
    error::{Code, Failure},
    service::{Subscribing, billing::event::take},
    store::Subscription,
    testing::{Faults, Tally, World, enumerate_at},
    types::{OrganizationId, SeededRandom},
    webhook::{Headers, Secret, signature},
};

pub(super) struct Scene {
    pub(super) world: World,
    organization_id: OrganizationId,
    secret: Secret,
}

impl Scene {
    pub(super) async fn new() -> Self {
        let world = World::unconnected().await;
        let organization_id = world.organization("Integrator").await;
        Scene { world, organization_id, secret: Secret::new(&SeededRandom::new(9)) }
    }

    fn subscribing(&self) -> Subscribing {
        Subscribing { ctx: self.world.ctx.clone(), secrets: [self.secret.clone()].into() }
    }

    /// An event about the organization, `minutes` after the start of the world.
    pub(super) fn event(&self, status: &str, seats: Option<u32>, minutes: i64) -> Value {
        let at: Timestamp = "2026-11-20T07:00:00Z".parse().unwrap();
        json!({
            "type": "subscription.updated",
            "timestamp": "2026-11-20T07:00:00Z",
            "data": {
                "organization_id": self.organization_id,
                "status": status,
                "seats": seats,
                "updated_at": at + SignedDuration::from_mins(minutes),
            },
        })
    }

    pub(super) async fn take(&self, id: &str, event: &Value) -> Result<(), Failure> {
        self.take_by(&self.subscribing(), id, event).await
    }

    async fn take_by(
        &self,
        subscribing: &Subscribing,
        id: &str,
        event: &Value,
    ) -> Result<(), Failure> {
        let (body, now) = (event.to_string(), self.world.now());
        let signed = signature(std::slice::from_ref(&self.secret), id, now, body.as_bytes());
        let timestamp = now.as_second().to_string();
        let headers =
            Headers { id: Some(id), timestamp: Some(&timestamp), signature: Some(&signed) };
        take(subscribing, headers, body.as_bytes()).await
    }

    async fn subscription(&self) -> Option<Subscription> {
        self.world.ctx.store.get_subscription(&self.organization_id).await.unwrap()
    }

    /// The active state and the seats.
    async fn known(&self) -> Option<(bool, Option<u32>)> {
        self.subscription().await.map(|it| (it.active, it.seats))
    }
}

#[tokio::test]
async fn what_the_provider_says_is_known_from_then_on() {
    let scene = Scene::new().await;
    scene.take("msg_1", &scene.event("active", Some(5), 1)).await.unwrap();
    let known = scene.subscription().await.unwrap();
    assert_eq!((known.active, known.seats, known.version), (true, Some(5), 1));
    assert_eq!(known.as_of, Some("2026-11-20T07:01:00Z".parse().unwrap()));
    assert_eq!(known.confirmed_at, Some(scene.world.now()));
    // Another event with the same statement only confirms it.
    scene.world.clock.advance(SignedDuration::from_hours(1));
    scene.take("msg_2", &scene.event("active", Some(5), 1)).await.unwrap();
    let confirmed = Subscription { confirmed_at: Some(scene.world.now()), ..known };
    assert_eq!(scene.subscription().await, Some(confirmed));
    scene.take("msg_3", &scene.event("inactive", None, 2)).await.unwrap();
    assert_eq!(scene.known().await, Some((false, None)));
}

#[tokio::test]
async fn an_event_that_comes_again_or_late_changes_nothing_and_is_answered_all_the_same() {
    let scene = Scene::new().await;
    let (first, second) = (scene.event("active", Some(5), 1), scene.event("inactive", None, 2));
    scene.take("msg_2", &second).await.unwrap();
    // The event was overtaken by a newer one.
    scene.take("msg_1", &first).await.unwrap();
    assert_eq!(scene.known().await, Some((false, None)));
    let known = scene.subscription().await;
    // Signed again, by a sender that lost our answer.
    scene.world.clock.advance(SignedDuration::from_hours(30));
    scene.take("msg_2", &second).await.unwrap();
    assert_eq!(scene.subscription().await, known);
    // An identifier that was used before is ignored, even with another content.
    scene.take("msg_2", &scene.event("active", Some(1), 3)).await.unwrap();
    assert_eq!(scene.subscription().await, known);
}

#[tokio::test]
async fn what_an_operator_set_holds_until_the_provider_says_something_newer() {
    let scene = Scene::new().await;
    scene.world.subscribe(&scene.organization_id).await;
    scene.take("msg_1", &scene.event("inactive", None, 1)).await.unwrap();
    assert_eq!(scene.known().await, Some((true, None)));
    scene.take("msg_2", &scene.event("active", Some(2), 61)).await.unwrap();
    assert_eq!(scene.known().await, Some((true, Some(2))));
    assert!(scene.subscription().await.unwrap().confirmed_at.is_some());
}

#[tokio::test]
async fn what_is_wrong_with_an_event_is_said_and_changes_nothing() {
    let scene = Scene::new().await;
    let good = || scene.event("active", Some(5), 1);
    let with = |name: &str, value: Value| {
        let mut event = good();
        event["data"][name] = value;
        event
    };
    let mut other_type = good();
    other_type["type"] = json!("invoice.paid");
    assert!(scene.take("msg_0", &other_type).await.is_ok(), "it says nothing here");
    for (event, code, said) in [
        (json!([]), Code::MalformedJson, "not a JSON event"),
        (json!({"data": {}}), Code::MalformedJson, "type"),
        (json!({"type": "subscription.updated"}), Code::InvalidRequest, "data"),
        (with("organization_id", json!("txpay_1")), Code::InvalidRequest, "org_"),
        (with("organization_id", json!("org_0")), Code::NotFound, "org_0"),
        (with("status", json!("past_due")), Code::InvalidRequest, "past_due"),
        (with("seats", json!(-1)), Code::InvalidRequest, "-1"),
        (with("seats", json!(1_000_001)), Code::InvalidRequest, "1000000"),
        (with("updated_at", json!("soon")), Code::InvalidRequest, "column"),
        (with("updated_at", json!("2026-11-20T08:06:00Z")), Code::InvalidRequest, "ahead"),
    ] {
        let failure = scene.take("msg_1", &event).await.unwrap_err();
        assert_eq!(failure.code, code, "{event}: {}", failure.message);
        assert!(failure.message.contains(said), "{}", failure.message);
    }
    assert_eq!(scene.subscription().await, None);
    // A refused event is not remembered.
    scene.take("msg_1", &good()).await.unwrap();
    assert_eq!(scene.known().await, Some((true, Some(5))));
}

#[tokio::test]
async fn an_event_that_is_not_signed_by_the_provider_is_refused_before_it_is_read() {
    let scene = Scene::new().await;
    let event = scene.event("active", None, 1);
    let none = Subscribing { secrets: [].into(), ..scene.subscribing() };
    let failure = scene.take_by(&none, "msg_1", &event).await.unwrap_err();
    assert_eq!(failure.code, Code::ServiceUnavailable);
    let others = [Secret::new(&SeededRandom::new(10))];
    let other = Subscribing { secrets: others.clone().into(), ..scene.subscribing() };
    let failure = scene.take_by(&other, "msg_1", &event).await.unwrap_err();
    assert_eq!(failure.code, Code::InvalidSignature);
    // During a rotation of the secret, both are accepted.
    let both = [others[0].clone(), scene.secret.clone()];
    let both = Subscribing { secrets: both.into(), ..scene.subscribing() };
    scene.take_by(&both, "msg_1", &event).await.unwrap();
    let failure =
        take(&scene.subscribing(), Headers::default(), b"not even JSON").await.unwrap_err();
    assert_eq!(failure.code, Code::InvalidSignature);
    assert!(failure.message.contains("webhook-id"), "{}", failure.message);
}

#[tokio::test]
async fn of_any_events_at_once_the_newest_is_known_in_the_end() {
    for round in 0..4 {
        let scene = Arc::new(Scene::new().await);
        let mut events = tokio::task::JoinSet::new();
        for number in 0..8_i64 {
            for _ in 0..2 {
                let scene = scene.clone();
                events.spawn(async move {
                    let seats = u32::try_from(number).unwrap();
                    let event = scene.event("active", Some(seats), (number * 5 + round) % 8);
                    scene.take(&format!("msg_{number}"), &event).await
                });
            }
        }
        while let Some(taken) = events.join_next().await {
            taken.unwrap().unwrap();
        }
        let newest = (0..8).find(|number| (number * 5 + round) % 8 == 7).unwrap();
        let seats = u32::try_from(newest).unwrap();
        assert_eq!(scene.known().await, Some((true, Some(seats))), "round {round}");
    }
}

/// An event that changes a subscription, and one that confirms it, with a fault at each effect.
pub(super) async fn tallies() -> Vec<Tally> {
    let mut tallies = Vec::new();
    for (name, is_known) in [("event of a subscription", false), ("event that confirms", true)] {
        let tally = enumerate_at(
            name,
            async || {
                let scene = Scene::new().await;
                if is_known {
                    scene.take("msg_0", &scene.event("active", Some(5), 1)).await.unwrap();
                }
                scene
            },
            async |scene: &Scene, faults: &Arc<Faults>| {
                let ctx = scene.world.failing(faults).sending.ctx;
                let subscribing = Subscribing { ctx, ..scene.subscribing() };
                let event = scene.event("active", Some(5), 1);
                let _ = Box::pin(scene.take_by(&subscribing, "msg_1", &event)).await;
            },
            async |scene: &Scene| {
                // The provider sends the event again.
                scene.take("msg_1", &scene.event("active", Some(5), 1)).await.unwrap();
                let version = scene.subscription().await.map_or(0, |it| it.version);
                let events = scene.world.raw_items("EVENT").await.len() - usize::from(is_known);
                vec![("changes", usize::try_from(version).unwrap()), ("events", events)]
            },
        );
        tallies.push(Box::pin(tally).await);
    }
    tallies
}
