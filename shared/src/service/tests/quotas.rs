//! The daily quota of the Sandbox, and requests that do not count.

use jiff::SignedDuration;
use serde_json::json;

use super::notifications::joined;
use crate::{
    access::{Action, By, Role, Trail},
    document::Operation::Invoice,
    error::Code,
    service::{notifications, quotas},
    store::{AuditSelection, MailRecord, MailSubject, Notified, keys::Key},
    testing::{World, invoice, send, send_queued},
    types::{AuditId, Mode},
};

#[tokio::test]
async fn a_send_beyond_the_quota_is_refused_until_the_next_day_and_leaves_its_key_free() {
    let mut world = World::new().await;
    world.sending.settings.sandbox_daily_sends = 3;
    let sender = world.caller("Falcon", "1001234501").await;
    let body = |number: &str| invoice(number, "1009999901");
    let first = send(&world.sending, &sender, Invoice, &body("A-1"), Some("a")).await.unwrap();
    // Invalid and replayed sends do not count.
    for key in [Some("b"), None] {
        let refused = send(&world.sending, &sender, Invoice, &json!({}), key).await.unwrap_err();
        assert_eq!(refused.code, Code::ValidationFailed);
    }
    let again = send(&world.sending, &sender, Invoice, &body("A-1"), Some("a")).await.unwrap();
    assert_eq!((again.replayed, again.reply), (true, first.reply));
    send_queued(&world.sending, &sender, &body("A-2"), Some("b")).await.unwrap();
    // A send with a repeated number is checked twice and counted once.
    send(&world.sending, &sender, Invoice, &body("A-1"), None).await.unwrap();
    let objects = world.cloud.objects();
    for key in [Some("c"), None] {
        let refused = send(&world.sending, &sender, Invoice, &body("A-3"), key).await.unwrap_err();
        assert_eq!(refused.code, Code::QuotaExceeded);
        assert_eq!(refused.retry_after, Some(16 * 60 * 60));
        assert!(refused.message.contains("its maximum of 3 documents"), "{}", refused.message);
    }
    let refused = send_queued(&world.sending, &sender, &body("A-3"), Some("c")).await.unwrap_err();
    assert_eq!(refused.code, Code::QuotaExceeded);
    assert_eq!((world.documents().await.len(), world.cloud.objects()), (3, objects));
    assert_eq!(world.idempotency_records().await.len(), 2);
    // Another organization has a quota of its own.
    let other = world.caller("Oasis", "1001234502").await;
    send(&world.sending, &other, Invoice, &body("B-1"), None).await.unwrap();
    world.clock.advance(SignedDuration::from_hours(16));
    send(&world.sending, &sender, Invoice, &body("A-3"), Some("c")).await.unwrap();
}

#[tokio::test]
async fn an_operator_gives_an_organization_a_quota_of_its_own_and_that_is_in_the_trail() {
    let mut world = World::new().await;
    world.sending.settings.sandbox_daily_sends = 1;
    let sender = world.caller("Falcon", "1001234501").await;
    let (ctx, id, by) = (&world.ctx, &sender.organization_id, By::operator());
    let one = async |number: &str| {
        let body = invoice(number, "1009999901");
        let sent = send(&world.sending, &sender, Invoice, &body, None).await;
        sent.map(drop).map_err(|failure| failure.code)
    };
    assert_eq!(one("A-1").await, Ok(()));
    assert_eq!(one("A-2").await, Err(Code::QuotaExceeded));
    quotas::set(ctx, id, Some(2), &by).await.unwrap();
    assert_eq!(one("A-2").await, Ok(()));
    assert_eq!(one("A-3").await, Err(Code::QuotaExceeded));
    let shown = quotas::show(ctx, id).await.unwrap();
    assert_eq!((shown.most, shown.taken), (Some(2), 2));
    assert_eq!(shown.day.as_deref(), Some("2026-11-20"));
    quotas::set(ctx, id, None, &by).await.unwrap();
    assert_eq!(quotas::show(ctx, id).await.unwrap().most, None);
    assert_eq!(one("A-3").await, Err(Code::QuotaExceeded));
    let all = AuditSelection {
        action: Some(Action::QuotaSet),
        from: AuditId::floor(jiff::Timestamp::UNIX_EPOCH),
        to: AuditId::floor(jiff::Timestamp::MAX),
    };
    let trail = Trail::Organization(id.clone());
    let entries = ctx.store.list_audit(Mode::Sandbox, &trail, &all, None, 10).await.unwrap().items;
    assert_eq!(entries.len(), 2);
    let nobody = "org_0".parse().unwrap();
    let failure = quotas::set(ctx, &nobody, Some(1), &by).await.unwrap_err();
    assert_eq!(failure.code, Code::NotFound);
    let failure = quotas::set(ctx, id, Some(10_000_001), &by).await.unwrap_err();
    assert_eq!(failure.code, Code::InvalidRequest);
}

#[tokio::test]
async fn live_has_no_quotas() {
    let (mut world, network) = World::live().await;
    world.sending.settings.sandbox_daily_sends = 0;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register("0235:1009876543");
    let body = invoice("A-1", "1009876543");
    send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
    let quota = Key::quota(&sender.organization_id);
    assert!(world.raw_items(&quota.sk).await.is_empty());
}

/// The notifications of the quota that were mailed, in the order of their numbers.
async fn notified(world: &World) -> Vec<(u32, u32)> {
    let mails: Vec<MailRecord> = world.items("MAIL").await;
    let mut sent: Vec<_> = mails
        .into_iter()
        .filter_map(|mail| match mail.subject {
            MailSubject::Notification { notified: Notified::Quota { sent, most }, .. } => {
                Some((sent, most))
            }
            _ => None,
        })
        .collect();
    sent.sort_unstable();
    sent
}

#[tokio::test]
async fn a_quota_that_is_nearly_used_is_told_at_each_level_once_a_day() {
    let mut world = World::new().await;
    world.sending.settings.sandbox_daily_sends = 10;
    let sender = world.caller("Falcon", "1001234501").await;
    let (mode, id) = (Mode::Sandbox, &sender.organization_id);
    joined(&world, id, "owner", Role::Owner).await;
    joined(&world, id, "viewer", Role::Viewer).await;
    let mut number = 0;
    let mut one = async |world: &World| {
        number += 1;
        let body = invoice(&format!("A-{number}"), "1009999901");
        let sent = send(&world.sending, &sender, Invoice, &body, None).await;
        world.stream().await;
        sent.map(drop).map_err(|failure| failure.code)
    };
    let quota =
        async |world: &World| notifications::ending(&world.ctx, mode, id).await.unwrap().quota;
    for _ in 0..7 {
        one(&world).await.unwrap();
    }
    assert_eq!((notified(&world).await, quota(&world).await), (vec![], None));
    one(&world).await.unwrap();
    assert_eq!(notified(&world).await, [(8, 10)], "the owner, and not the viewer");
    assert_eq!(quota(&world).await, Some((8, 10)));
    one(&world).await.unwrap();
    assert_eq!(notified(&world).await, [(8, 10)], "a level is told once");
    one(&world).await.unwrap();
    assert_eq!(one(&world).await, Err(Code::QuotaExceeded));
    assert_eq!(notified(&world).await, [(8, 10), (10, 10)]);
    assert_eq!(quota(&world).await, Some((10, 10)));
    // The next day begins again.
    world.clock.advance(SignedDuration::from_hours(16));
    assert_eq!(quota(&world).await, None);
    for _ in 0..8 {
        one(&world).await.unwrap();
    }
    assert_eq!(notified(&world).await, [(8, 10), (8, 10), (10, 10)]);
}

#[test]
fn a_level_is_reached_even_where_a_send_counted_twice() {
    let told = |most: u32| (1..=most).filter(|taken| quotas::reaches_level(most, *taken)).collect();
    let told: [Vec<u32>; 3] = [10, 100, 1].map(told);
    assert_eq!(told[0], [8, 9, 10]);
    assert_eq!(told[1], [80, 81, 82, 100]);
    assert_eq!(told[2], [1]);
}
