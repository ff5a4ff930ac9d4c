//! "Consent does not replay historical events" (specification 6.1, point 3): a new connection gets only later events,
//! whenever earlier ones are relayed.

use jiff::SignedDuration;

use crate::{
    access::{Actor, By, Caller, Origin, Scope, Taxpayer},
    document::Operation::Invoice,
    service::{
        grants::{Approval, approve, revoke},
        overview::overview,
        webhooks::events::{self, EventFilter},
    },
    store::{DeliveryRecord, Reached},
    testing::{FRESHNESS, World, invoice, send},
    types::{GrantId, OrganizationId},
};

/// The taxpayer approves an organization in its browser.
pub(in crate::service::tests) async fn connect(
    world: &World,
    organization_id: &OrganizationId,
    taxpayer: &Taxpayer,
    scopes: &[Scope],
) -> GrantId {
    let approval = Approval {
        mode: world.mode,
        grant_id: GrantId::new(world.now(), &*world.ctx.random),
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        organization_id: organization_id.clone(),
        scopes: scopes.iter().copied().collect(),
        grant_label: None,
        external_id: None,
        request: None,
    };
    let actor = Actor::Taxpayer(taxpayer.taxpayer_id.clone());
    let by = By { actor, origin: Origin::new(None, None, None) };
    approve(&world.ctx, FRESHNESS, &approval, &by).await.unwrap().unwrap().grant_id
}

async fn send_numbered(world: &World, caller: &Caller, number: usize) {
    let body = invoice(&format!("A-{number}"), "1009999901");
    send(&world.sending, caller, Invoice, &body, None).await.unwrap();
    world.clock.advance(SignedDuration::from_millis(1));
}

/// The events of `GET /v1/events`, the oldest first, after a check that each is delivered.
async fn heard(world: &World, organization_id: &OrganizationId) -> Vec<&'static str> {
    let (filter, asked) = (EventFilter::default(), world.asked(None, 100));
    let listed = events::list_events(&world.ctx, world.mode, organization_id, &filter, asked);
    let listed = listed.await.unwrap().items;
    let deliveries: Vec<DeliveryRecord> = world.items("DELIVERY").await;
    let theirs = deliveries.iter().filter(|it| it.organization_id == *organization_id);
    assert_eq!(theirs.count(), listed.len());
    listed.iter().rev().map(|published| published.event.event_type.as_str()).collect()
}

#[tokio::test]
async fn consent_replays_nothing_that_happened_before_however_late_the_relay_is() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let (early, late) = (caller.organization_id.clone(), world.organization("Late").await);
    for organization_id in [&early, &late] {
        world.endpoint(organization_id, &[]).await;
    }
    // The relay is delayed: six documents are sent, and none is published before the approval.
    for number in 0..6 {
        send_numbered(&world, &caller, number).await;
    }
    connect(&world, &late, &caller.taxpayer, &Scope::ALL).await;
    world.clock.advance(SignedDuration::from_millis(1));
    send_numbered(&world, &caller, 6).await;
    world.clock.advance(SignedDuration::from_mins(30));
    world.stream().await;

    assert_eq!(heard(&world, &late).await, ["taxpayer.created", "document.sent"]);
    assert_eq!(heard(&world, &early).await, ["document.sent"; 7]);
    for (organization_id, sent) in [(&early, 7), (&late, 1)] {
        let shown = overview(&world.ctx, world.mode, organization_id).await.unwrap();
        assert_eq!(shown.days[0].of(Reached::Sent), sent);
    }
}

#[tokio::test]
async fn a_scope_that_is_granted_later_covers_later_events_alone() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let other = world.organization("Widening").await;
    world.endpoint(&other, &[]).await;
    let first = connect(&world, &other, &caller.taxpayer, &[Scope::TaxpayerRead]).await;
    world.clock.advance(SignedDuration::from_millis(1));
    send_numbered(&world, &caller, 0).await;
    connect(&world, &other, &caller.taxpayer, &[Scope::InvoicesRead]).await;
    world.clock.advance(SignedDuration::from_millis(1));
    send_numbered(&world, &caller, 1).await;
    world.stream().await;
    let expected = ["taxpayer.created", "taxpayer.updated", "document.sent"];
    assert_eq!(heard(&world, &other).await, expected);

    // The end of the older grant does not affect what the younger one covers.
    revoke(&world.ctx, world.mode, &other, &first, &By::operator()).await.unwrap();
    world.clock.advance(SignedDuration::from_millis(1));
    send_numbered(&world, &caller, 2).await;
    world.stream().await;
    assert_eq!(heard(&world, &other).await[3..], ["taxpayer.updated", "document.sent"]);
}

#[tokio::test]
async fn an_organization_that_connects_anew_gets_no_event_of_the_time_between() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let other = world.organization("Other").await;
    world.endpoint(&other, &[]).await;
    let grant = connect(&world, &other, &caller.taxpayer, &Scope::ALL).await;
    world.clock.advance(SignedDuration::from_millis(1));
    send_numbered(&world, &caller, 0).await;
    revoke(&world.ctx, world.mode, &other, &grant, &By::operator()).await.unwrap();
    world.clock.advance(SignedDuration::from_millis(1));
    send_numbered(&world, &caller, 1).await;
    connect(&world, &other, &caller.taxpayer, &Scope::ALL).await;
    world.clock.advance(SignedDuration::from_millis(1));
    send_numbered(&world, &caller, 2).await;
    world.stream().await;
    // Of the first connection only its end is published: its other events were not relayed before that.
    let expected = ["taxpayer.deleted", "taxpayer.created", "document.sent"];
    assert_eq!(heard(&world, &other).await, expected);
}
