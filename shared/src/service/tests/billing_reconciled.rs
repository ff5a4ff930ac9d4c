//! Compares known subscriptions with the provider's listing: matches, differences, and incomplete listings.

use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{
    egress::{Client, Egress},
    error::Code,
    service::billing::{
        Stated, SubscriptionStatus,
        provider::{HttpProvider, Page, Provider, ProviderError},
        reconcile::{Reconciled, reconcile},
    },
    store::Subscription,
    tasks::Boxed,
    testing::{Faults, Tally, World, enumerate_at},
    types::OrganizationId,
    webhook::receiver::{Behaviour, Receiver},
};

/// An invented listing, page by page.
pub(super) struct Listing {
    pages: Vec<Vec<Result<Stated, String>>>,
    /// The page from which on it does not answer.
    breaks_at: Option<usize>,
}

impl Listing {
    pub(super) fn of<const N: usize>(pages: [Vec<Stated>; N]) -> Self {
        let pages = pages.into_iter().map(|page| page.into_iter().map(Ok).collect()).collect();
        Listing { pages, breaks_at: None }
    }
}

impl Provider for Listing {
    fn page<'a>(&'a self, cursor: Option<&'a str>) -> Boxed<'a, Result<Page, ProviderError>> {
        let number = cursor.map_or(0, |cursor| cursor.parse::<usize>().unwrap());
        Box::pin(async move {
            if self.breaks_at == Some(number) {
                return Err(ProviderError::Refused(503));
            }
            let next = (number + 1 < self.pages.len()).then(|| (number + 1).to_string());
            Ok(Page { subscriptions: self.pages[number].clone(), next })
        })
    }
}

fn stated(id: &OrganizationId, seats: u32, minutes: i64) -> Stated {
    let at: Timestamp = "2026-11-20T07:00:00Z".parse().unwrap();
    Stated {
        organization_id: id.clone(),
        status: SubscriptionStatus::Active,
        seats: Some(seats),
        updated_at: at + SignedDuration::from_mins(minutes),
    }
}

struct Scene {
    world: World,
    ids: Vec<OrganizationId>,
}

impl Scene {
    /// Organizations that the provider listed an hour ago, each with one seat.
    async fn new(count: usize) -> Self {
        let world = World::unconnected().await;
        let mut ids = Vec::new();
        for number in 0..count {
            ids.push(world.organization(&format!("Integrator {number}")).await);
        }
        let listing = Listing::of([ids.iter().map(|id| stated(id, 1, 1)).collect()]);
        let done = reconcile(&world.ctx, &listing).await.unwrap();
        assert_eq!(done, Reconciled { corrected: count, ..Reconciled::default() });
        world.clock.advance(SignedDuration::from_hours(1));
        Scene { world, ids }
    }

    async fn known(&self, number: usize) -> Subscription {
        self.world.ctx.store.get_subscription(&self.ids[number]).await.unwrap().unwrap()
    }
}

#[tokio::test]
async fn what_agrees_is_confirmed_what_does_not_is_corrected_and_what_is_gone_is_ended() {
    let scene = Scene::new(4).await;
    let [same, more, gone, set] = [0, 1, 2, 3].map(|number| scene.ids[number].clone());
    // An operator sets a subscription an hour after the provider's last statement.
    scene.world.subscribe(&set).await;
    let nobody = "org_0".parse().unwrap();
    let listing = Listing::of([
        vec![stated(&same, 1, 1), stated(&nobody, 1, 1)],
        vec![],
        vec![stated(&more, 9, 2), stated(&set, 1, 1)],
    ]);
    let done = reconcile(&scene.world.ctx, &listing).await.unwrap();
    let expected = Reconciled { confirmed: 1, corrected: 1, ended: 1, outdated: 1, unknown: 1 };
    assert_eq!(done, expected);
    let now = scene.world.now();
    let known = scene.known(0).await;
    assert_eq!((known.active, known.confirmed_at, known.version), (true, Some(now), 1));
    assert_eq!(scene.known(1).await.seats, Some(9));
    let ended = scene.known(2).await;
    assert_eq!((ended.active, ended.confirmed_at), (false, Some(now)));
    assert_eq!(scene.known(3).await.confirmed_at, None);
    // The provider made a mistake: it lists the same subscriptions as before.
    let listing = Listing::of([scene.ids.iter().map(|id| stated(id, 1, 1)).collect()]);
    scene.world.clock.advance(SignedDuration::from_hours(1));
    let done = reconcile(&scene.world.ctx, &listing).await.unwrap();
    assert_eq!((done.confirmed, done.corrected, done.ended), (1, 1, 0));
    assert!(scene.known(2).await.active);
    let store = &scene.world.ctx.store;
    assert!(store.get_subscription(&gone).await.unwrap().unwrap().active);
}

#[tokio::test]
async fn a_listing_that_does_not_come_to_its_end_ends_nobodys_subscription() {
    let scene = Scene::new(3).await;
    let pages = || [vec![stated(&scene.ids[0], 1, 1)], vec![stated(&scene.ids[1], 2, 2)], vec![]];
    let broken = Listing { breaks_at: Some(2), ..Listing::of(pages()) };
    let failure = reconcile(&scene.world.ctx, &broken).await.unwrap_err();
    assert_eq!(failure.code, Code::ServiceUnavailable);
    // The pages that arrived were applied.
    assert_eq!(scene.known(0).await.confirmed_at, Some(scene.world.now()));
    assert_eq!(scene.known(1).await.seats, Some(2));
    assert!(scene.known(2).await.active);
    let mut strange = Listing::of(pages());
    strange.pages[0].push(Err("missing field `status`".to_owned()));
    let ahead = Stated {
        updated_at: scene.world.now() + SignedDuration::from_hours(1),
        ..stated(&scene.ids[2], 1, 1)
    };
    strange.pages[0].push(Ok(ahead));
    let failure = reconcile(&scene.world.ctx, &strange).await.unwrap_err();
    assert!(failure.message.contains("2 of it"), "{}", failure.message);
    assert!(scene.known(2).await.active);
    // A complete empty listing ends all subscriptions.
    scene.world.clock.advance(SignedDuration::from_millis(1));
    let done = reconcile(&scene.world.ctx, &Listing::of([vec![]])).await.unwrap();
    assert_eq!(done.ended, 3);
}

#[tokio::test]
async fn what_the_provider_says_while_it_is_listed_is_not_ended() {
    /// Makes a new statement about an organization after the listing has begun.
    struct Meanwhile<'a>(&'a Scene, Mutex<bool>);
    impl Provider for Meanwhile<'_> {
        fn page<'a>(&'a self, _: Option<&'a str>) -> Boxed<'a, Result<Page, ProviderError>> {
            Box::pin(async move {
                let Meanwhile(scene, said) = self;
                if !std::mem::replace(&mut *said.lock().unwrap(), true) {
                    scene.world.clock.advance(SignedDuration::from_secs(1));
                    let id = &scene.ids[0];
                    scene.world.provider_said(id, scene.known(0).await).await;
                }
                Ok(Page::default())
            })
        }
    }
    let scene = Scene::new(1).await;
    let done = reconcile(&scene.world.ctx, &Meanwhile(&scene, Mutex::new(false))).await.unwrap();
    assert_eq!((done.ended, scene.known(0).await.active), (0, true));
}

/// A comparison that corrects one subscription and ends another, with a fault at each effect.
pub(super) async fn tally() -> Tally {
    let listing = |scene: &Scene| Listing::of([vec![stated(&scene.ids[0], 9, 30)]]);
    let reconciled = enumerate_at(
        "comparison with the billing provider",
        async || Scene::new(2).await,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = Box::pin(reconcile(&ctx, &listing(scene))).await;
        },
        async |scene: &Scene| {
            // The next hourly run.
            scene.world.clock.advance(SignedDuration::from_hours(1));
            reconcile(&scene.world.ctx, &listing(scene)).await.unwrap();
            let [corrected, ended] = [scene.known(0).await, scene.known(1).await];
            let changes = |it: &Subscription| usize::try_from(it.version).unwrap() - 1;
            vec![
                ("seats as listed", usize::from(corrected.active && corrected.seats == Some(9))),
                ("corrections", changes(&corrected)),
                ("ends", usize::from(!ended.active)),
                ("changes of what ended", changes(&ended)),
            ]
        },
    );
    Box::pin(reconciled).await
}

fn provider(url: &str) -> HttpProvider {
    HttpProvider::new(Client::new(Egress::Any).unwrap(), url, "secret-token").unwrap()
}

fn body(page: &Value) -> Behaviour {
    Behaviour::status("200 OK", "content-type: application/json\r\n", &page.to_string())
}

#[tokio::test]
async fn a_provider_is_asked_page_for_page_with_its_token() {
    let receiver = Receiver::start(body(&json!({
        "subscriptions": [
            {"organization_id": "org_1", "status": "active", "seats": 3, "updated_at": "2026-11-20T07:00:00Z"},
            {"organization_id": "org_2", "status": "inactive", "updated_at": "2026-11-20T07:00:00.123Z"},
            {"organization_id": "org_3", "status": "paused", "updated_at": "2026-11-20T07:00:00Z"},
        ],
        "next_cursor": "b c",
    })))
    .await;
    let provider = provider(&format!("{}/", receiver.url));
    let page = provider.page(None).await.unwrap();
    assert_eq!(page.next.as_deref(), Some("b c"));
    let [first, second, third] = page.subscriptions.as_slice() else { panic!() };
    assert_eq!(first.as_ref().unwrap().seats, Some(3));
    assert_eq!(second.as_ref().unwrap().status, SubscriptionStatus::Inactive);
    assert!(third.as_ref().unwrap_err().contains("paused"));
    // A page that leads to itself would never end.
    let again = provider.page(Some("b c")).await.unwrap_err();
    assert!(again.to_string().contains("itself"), "{again}");
    let requests = receiver.received();
    let heads: Vec<_> =
        requests.iter().map(|request| request.head.lines().next().unwrap()).collect();
    assert!(heads[0].contains("/subscriptions?limit=500 "), "{}", heads[0]);
    assert!(heads[1].contains("limit=500&cursor=b+c"), "{}", heads[1]);
    assert!(requests.iter().all(|it| it.header("authorization") == Some("Bearer secret-token")));
}

#[tokio::test]
async fn a_provider_on_a_bad_day_is_an_error_that_says_what_it_did() {
    let large = format!(r#"{{"subscriptions": [], "next_cursor": "{}"}}"#, "x".repeat(1024 * 1024));
    for (behaviour, said) in [
        (Behaviour::status("503 Service Unavailable", "", ""), "503"),
        (Behaviour::status("302 Found", "location: https://elsewhere.example/\r\n", ""), "302"),
        (Behaviour::status("200 OK", "", "<html>"), "not a page"),
        (Behaviour::status("200 OK", "", r#"{"subscriptions": {}}"#), "not a page"),
        (Behaviour::status("200 OK", "", &large), "1 MiB"),
        (Behaviour::HangsUp, "does not answer"),
    ] {
        let receiver = Receiver::start(behaviour).await;
        let error = provider(&receiver.url).page(None).await.unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert!(!error.contains("secret-token"), "{error}");
    }
    for token in ["", "a\nb"] {
        let client = Client::new(Egress::Any).unwrap();
        assert!(HttpProvider::new(client, "https://billing.example", token).is_none());
    }
}
