//! The public status page.

use jiff::SignedDuration;

use super::*;
use crate::{
    service::{QUEUE_GRACE, sweep},
    store::SweepRecord,
    types::Mode,
};

/// The words beside each area of a page, in order.
fn words(page: &Given) -> Vec<String> {
    let (_, rows) = page.body.split_once("<ul class=\"rows\">").unwrap();
    let rows = rows.split("</ul>").next().unwrap();
    let word = |row: &str| {
        let (_, badge) = row.rsplit_once("class=\"badge").unwrap();
        let text = badge.split_once('>').unwrap().1;
        let body = format!("<i>{}", text.split("</span>").next().unwrap());
        Given { status: page.status, headers: HeaderMap::new(), body }.text().trim().to_owned()
    };
    rows.split("<li>").skip(1).map(word).collect()
}

#[tokio::test]
async fn the_status_is_unknown_until_a_sweep_and_again_when_sweeps_stop() {
    let world = World::new().await;
    let mut browser = Browser::new(router(app(&world), Router::new()));
    let path = "/sandbox/status";
    let page = browser.get(path).await;
    assert_eq!((page.status, words(&page)), (StatusCode::OK, vec!["Not known".to_owned(); 3]));
    sweep::sweep(&world.relaying).await;
    // The facts are read again after a minute.
    assert_eq!(words(&browser.get(path).await), ["Not known"; 3]);
    world.clock.advance(SignedDuration::from_secs(60));
    let page = documents::looked_at(&mut browser, "service-status", path).await;
    assert_eq!(words(&page), ["Works"; 3], "{}", page.text());
    assert!(page.text().contains("Checked on 20 Nov 2026, 12:00:00"), "{}", page.text());
    let arabic = Browser { language: "ar", ..browser.clone() }.get(path).await;
    assert_eq!(words(&arabic), ["يعمل"; 3]);
    world.clock.advance(SignedDuration::from_mins(5));
    let page = browser.get(path).await;
    assert_eq!(words(&page), ["Not known"; 3]);
    assert!(page.text().contains("no check in the last 5 minutes"), "{}", page.text());
}

#[tokio::test]
async fn a_part_whose_jobs_are_late_is_delayed_and_the_network_needs_a_certificate() {
    let world = World::unconnected().await;
    let mut browser = Browser::new(router(app(&world), Router::new()));
    let store = &world.ctx.store;
    let minutes = |minutes| world.now() - SignedDuration::from_mins(minutes);
    let swept = async |late: &[(&str, i64)], seen: &[(&str, i64)]| {
        let of = |kinds: &[(&str, i64)]| {
            kinds.iter().map(|(kind, ago)| ((*kind).to_owned(), minutes(*ago))).collect()
        };
        let record = SweepRecord { at: world.now(), due_since: of(late), seen_at: of(seen) };
        store.put_sweep(Mode::Live, 0, &record).await.unwrap();
        world.clock.advance(SignedDuration::from_secs(60));
    };
    swept(&[], &[]).await;
    let page = browser.get("/status").await;
    let unknown = ["Not known", "Not known", "Not known", "Works", "Works"];
    assert_eq!(words(&page), unknown, "no certificate is known: {}", page.text());
    let end = world.now() + SignedDuration::from_hours(24);
    store.put_certificate_end(end).await.unwrap();
    swept(&[("document", 11), ("delivery", 9), ("import", 11)], &[("filing", 14)]).await;
    let page = documents::looked_at(&mut browser, "service-status-live", "/status").await;
    assert_eq!(words(&page), ["Delayed", "Works", "Delayed", "Works", "Delayed"]);
    swept(&[("answer", 11)], &[("filing", 16), ("document", 1)]).await;
    let page = browser.get("/status").await;
    assert_eq!(words(&page), ["Works", "Delayed", "Works", "Works", "Works"]);
    world.clock.advance(SignedDuration::from_hours(24));
    swept(&[], &[]).await;
    let page = browser.get("/status").await;
    let down = ["Does not work", "Does not work", "Does not work", "Works", "Works"];
    assert_eq!(words(&page), down, "the certificate has expired: {}", page.text());
}

#[tokio::test]
async fn a_sweep_notes_since_when_jobs_are_due_and_when_a_kind_was_last_seen() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let body = crate::testing::invoice("A-1", "1007654321");
    let operation = crate::document::Operation::Invoice;
    crate::testing::send(&world.sending, &caller, operation, &body, None).await.unwrap();
    world.clock.advance(QUEUE_GRACE + SignedDuration::from_mins(12));
    sweep::sweep(&world.relaying).await;
    let noted = world.ctx.store.get_sweep(Mode::Sandbox).await.unwrap().unwrap();
    let late = world.now().duration_since(noted.due_since["event"]);
    assert!(late > SignedDuration::from_mins(10), "{noted:?}");
    assert_eq!(noted.seen_at["event"], world.now());
    let seen = world.now();
    world.clock.advance(SignedDuration::from_mins(1));
    sweep::sweep(&world.relaying).await;
    let noted = world.ctx.store.get_sweep(Mode::Sandbox).await.unwrap().unwrap();
    assert_eq!((noted.at, noted.due_since.contains_key("event")), (world.now(), false));
    assert_eq!(noted.seen_at["event"], seen);
    let page = Browser::new(router(app(&world), Router::new())).get("/sandbox/status").await;
    assert!(!page.body.contains("txpay_") && !page.body.contains("Falcon"), "{}", page.body);
}
