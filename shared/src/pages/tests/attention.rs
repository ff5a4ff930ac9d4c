//! What the start page of a member names under "Needs attention", besides failed documents.

use jiff::SignedDuration;

use super::{organization::Scene, *};
use crate::{
    access::Role,
    store::{
        DeliveryStatus, Parked, Quota,
        keys::{JobId, Key},
    },
    types::Mode,
};

const HOME: &str = "/sandbox/organization";

#[tokio::test]
async fn the_overview_names_events_whose_delivery_stopped_until_they_are_a_week_old() {
    let scene = Scene::new().await;
    let quiet = scene.endpoint("https://quiet.example/hook").await;
    let stopped = scene.endpoint("https://stopped.example/hook").await;
    let mut browser = scene.browser(Role::Developer).await;
    let delivered = scene.made_up(&quiet).await;
    scene.came_to(DeliveryStatus::Delivered, &[], (&delivered, &quiet)).await;
    assert!(!browser.get(HOME).await.text().contains("stopped trying"));
    // One ended its schedule; the service parked the other.
    let exhausted = scene.made_up(&stopped).await;
    scene.came_to(DeliveryStatus::Exhausted, &[], (&exhausted, &stopped)).await;
    let parked = scene.made_up(&stopped).await;
    let store = &scene.world.ctx.store;
    let read =
        store.get_delivery(Mode::Sandbox, &scene.id, &parked, &stopped).await.unwrap().unwrap();
    let job_id = JobId::Delivery(Mode::Sandbox, scene.id.clone(), parked.clone(), stopped.clone());
    let version = store.get_job(&job_id).await.unwrap().unwrap().version;
    let reason = Parked { reason: "test".to_owned(), at: scene.world.now() };
    assert!(store.park_delivery(&read, (&version, &reason)).await.unwrap());
    let page = documents::looked_at(&mut browser, "organization-overview-stopped", HOME).await;
    assert!(page.text().contains("2 events of the last 7 days"), "{}", page.text());
    let link = format!("{HOME}/webhooks/{stopped}?status=failed");
    assert!(page.body.contains(&link), "{}", page.body);
    assert!(!page.body.contains(&format!("{HOME}/webhooks/{quiet}?")), "{}", page.body);
    let list = browser.get(&link).await;
    assert_eq!(list.body.matches("organization/events/evt_").count(), 2, "{}", list.body);
    let mut arabic = Browser { language: "ar", ..browser.clone() };
    assert!(arabic.get(HOME).await.text().contains("لم يُسلَّم حدثان"));
    scene.world.clock.advance(SignedDuration::from_hours(7 * 24 + 1));
    let mut browser = scene.browser(Role::Developer).await;
    assert!(!browser.get(HOME).await.text().contains("stopped trying"));
}

#[tokio::test]
async fn the_overview_names_a_sandbox_quota_that_is_nearly_used() {
    let scene = Scene::new().await;
    let mut browser = scene.browser(Role::Owner).await;
    let endpoint = scene.endpoint("https://failing.example/hook").await;
    let breaker = serde_json::json!({"failing_since": scene.world.now()});
    let key = Key::endpoint_breaker(Mode::Sandbox, &scene.id, &endpoint);
    scene.world.put(key, &breaker).await;
    let key = Key::quota(&scene.id);
    let quota =
        |most, day: &str, taken| Quota { most, usual: Some(10), day: Some(day.into()), taken };
    for (quota, shown) in [
        (quota(None, "2026-11-20", 7), None),
        (quota(None, "2026-11-20", 8), Some("8 of 10 Sandbox")),
        (quota(Some(20), "2026-11-20", 8), None),
        (quota(None, "2026-11-20", 10), Some("10 of 10 Sandbox")),
        (quota(None, "2026-11-19", 10), None),
    ] {
        scene.world.put(key.clone(), &quota).await;
        let text = browser.get(HOME).await.text();
        assert!(text.contains("failing.example"), "{text}");
        match shown {
            Some(shown) => assert!(text.contains(shown), "{quota:?}: {text}"),
            None => assert!(!text.contains("Sandbox documents of today"), "{quota:?}: {text}"),
        }
    }
}
