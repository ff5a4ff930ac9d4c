//! Subscriptions and seats when a taxpayer approves an organization in Live: "for a new connection, an active
//! subscription and an available taxpayer seat" (specification 1).

use std::sync::Arc;

use super::{
    races::{AT_ONCE, all, rounds},
    *,
};
use crate::{
    access::{AuditRecord, Grant},
    service::{grants, oauth::consent::Hindrance, subscriptions},
    store::{Subscription, keys::Key},
    testing::{Faults, Tally, enumerate_at},
};

impl Flow {
    /// Stores a statement of the billing provider from some hours ago.
    async fn heard(&self, seats: Option<u32>, hours: i64) {
        let confirmed_at = Some(self.world.now() - SignedDuration::from_hours(hours));
        let said = Subscription { active: true, seats, confirmed_at, version: 1, as_of: None };
        self.world.put(Key::subscription(&self.organization_id), &said).await;
    }

    async fn set(&self, seats: Option<u32>) {
        let by = By::operator();
        subscriptions::set(self.ctx(), &self.organization_id, seats, &by).await.unwrap();
    }

    async fn in_use(&self) -> u32 {
        subscriptions::show(self.ctx(), &self.organization_id).await.unwrap().in_use
    }

    async fn end_grant(&self, pending: &Pending) {
        let (organization_id, grant_id) = (&self.organization_id, &pending.request.grant_id);
        let by = By::operator();
        grants::revoke(self.ctx(), Mode::Live, organization_id, grant_id, &by).await.unwrap();
    }

    /// Whether the request still waits for a decision.
    async fn is_undecided(&self, pending: &Pending) -> bool {
        let store = &self.ctx().store;
        let found = store.get_authorization_request(Mode::Live, &pending.request.hash).await;
        found.unwrap().unwrap().decision.is_none()
    }
}

#[tokio::test]
async fn where_nothing_is_paid_for_nothing_is_granted_or_decided_and_it_can_be_approved_once_it_is()
{
    let flow = Flow::live().await;
    let pending = flow.pending().await;
    assert_eq!(flow.approve(&pending).await, Decided::Unsubscribed);
    flow.heard(Some(5), 25).await;
    assert_eq!(flow.approve(&pending).await, Decided::Stale);
    flow.heard(Some(0), 1).await;
    assert_eq!(flow.approve(&pending).await, Decided::NoSeat);
    assert!(flow.world.items::<Grant>("GRANT#").await.is_empty());
    assert!(flow.world.events().await.is_empty());
    assert!(flow.is_undecided(&pending).await);
    // The same page works once the subscription is corrected.
    flow.heard(Some(1), 1).await;
    let code = code_of(flow.approve(&pending).await);
    assert!(flow.exchange(&code).await.is_ok());
    assert_eq!(flow.in_use().await, 1);
    // Or the taxpayer declines.
    flow.set(Some(0)).await;
    let other = flow.world.taxpayer("Oasis", "1001234502").await;
    let pending = flow.pending().await;
    assert_eq!(flow.approve_as(&other, &pending).await, Decided::NoSeat);
    let declined = consent::decline(flow.ctx(), ISSUER, &pending).await.unwrap();
    assert_eq!(parameter(&back(declined), "error").as_deref(), Some("access_denied"));
    flow.set(None).await;
    assert_eq!(flow.approve_as(&other, &pending).await, Decided::Before);
    assert_eq!(flow.in_use().await, 1);
}

/// RFC 6749, section 4.1.2.1.
#[tokio::test]
async fn an_application_is_notified_why_nothing_was_granted_once_the_person_has_read_it() {
    for (hindrance, error) in [
        (Hindrance::Full, "access_denied"),
        (Hindrance::Unsubscribed, "access_denied"),
        (Hindrance::NoSeat, "access_denied"),
        (Hindrance::Stale, "temporarily_unavailable"),
    ] {
        assert_eq!(Hindrance::of_name(hindrance.as_str()), Some(hindrance));
        let flow = Flow::live().await;
        let pending = flow.pending().await;
        assert_eq!(flow.approve(&pending).await, Decided::Unsubscribed);
        let gone = consent::give_back(flow.ctx(), ISSUER, &pending, hindrance).await.unwrap();
        let to = back(gone);
        assert_eq!(parameter(&to, "error").as_deref(), Some(error));
        assert_eq!(parameter(&to, "state").as_deref(), Some("xyz &="));
        let said = parameter(&to, "error_description").unwrap();
        assert!(said.ends_with("Nothing was granted."), "{said}");
        // The request is decided: a later payment does not revive it.
        flow.heard(Some(5), 1).await;
        assert_eq!(flow.approve(&pending).await, Decided::Before);
    }
}

#[tokio::test]
async fn further_grants_on_a_connected_taxpayer_take_no_seat_and_the_last_one_frees_it() {
    let flow = Flow::live().await;
    flow.set(Some(1)).await;
    let (first, second) = (flow.pending().await, flow.pending().await);
    back(flow.approve(&first).await);
    back(flow.approve(&second).await);
    assert_eq!(flow.in_use().await, 1);
    let other = flow.world.taxpayer("Oasis", "1001234502").await;
    let third = flow.pending().await;
    assert_eq!(flow.approve_as(&other, &third).await, Decided::NoSeat);
    flow.end_grant(&first).await;
    assert_eq!((flow.in_use().await, flow.approve_as(&other, &third).await), (1, Decided::NoSeat));
    flow.end_grant(&second).await;
    assert_eq!(flow.in_use().await, 0);
    back(flow.approve_as(&other, &third).await);
    // A connected taxpayer stays connected without a subscription. A further grant makes no new connection.
    let by = By::operator();
    subscriptions::end(flow.ctx(), &flow.organization_id, &by).await.unwrap();
    let fourth = flow.pending().await;
    back(flow.approve_as(&other, &fourth).await);
    assert_eq!(flow.in_use().await, 1);
}

#[tokio::test]
async fn the_sandbox_is_free_and_has_no_seats() {
    let flow = Flow::new().await;
    back(flow.approve(&flow.pending().await).await);
    assert!(flow.world.raw_items("SEATS").await.is_empty());
}

/// The statement of infra/OPERATE.md about the last seat.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_32_approvals_for_the_last_seat_one_is_granted() {
    let flow = Arc::new(Flow::live().await);
    let mut taxpayers = Vec::new();
    for number in 0..AT_ONCE {
        let tin = format!("10012346{number:02}");
        taxpayers.push(flow.world.taxpayer(&format!("Business {number}"), &tin).await);
    }
    // One taxpayer is connected already.
    flow.set(Some(2)).await;
    back(flow.approve(&flow.pending().await).await);
    for round in 0..rounds() {
        let mut asked = Vec::new();
        for taxpayer in &taxpayers {
            asked.push((taxpayer.clone(), flow.pending().await));
        }
        let approvals = asked.iter().cloned().map(|(taxpayer, pending)| {
            let flow = flow.clone();
            async move { flow.approve_as(&taxpayer, &pending).await }
        });
        let decided = all(approvals).await;
        let granted = decided.iter().filter(|it| matches!(it, Decided::Back(_))).count();
        let refused = decided.iter().filter(|it| **it == Decided::NoSeat).count();
        assert_eq!((granted, refused), (1, AT_ONCE - 1), "round {round}");
        assert_eq!(flow.in_use().await, 2);
        let mut undecided = 0;
        for (_, pending) in &asked {
            if flow.is_undecided(pending).await {
                undecided += 1;
            } else {
                flow.end_grant(pending).await;
            }
        }
        assert_eq!(undecided, AT_ONCE - 1);
        assert_eq!(flow.in_use().await, 1);
    }
}

/// An approval that takes a seat, and a revocation that frees it, each with a fault at each effect.
pub(super) async fn tallies() -> Vec<Tally> {
    let waiting = async || {
        let flow = Flow::live().await;
        flow.set(Some(1)).await;
        let pending = flow.pending().await;
        (flow, pending)
    };
    let count = async |flow: &Flow, action: &str| {
        let entries: Vec<AuditRecord> = flow.world.items("aud_").await;
        let entries = entries.iter().filter(|entry| entry.action.as_str() == action).count();
        let events = flow.world.events().await;
        // Each action is in both trails.
        (entries / 2, events)
    };
    let approved = enumerate_at(
        "approval with a seat",
        waiting,
        async |(flow, pending): &(Flow, Pending), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let (taxpayer, origin) = (&flow.taxpayer, Origin::default());
            let approved = consent::approve(&ctx, FRESHNESS, ISSUER, pending, taxpayer, &origin);
            let _ = Box::pin(approved).await;
        },
        async |(flow, pending): &(Flow, Pending)| {
            let code = code_of(flow.approve(pending).await);
            flow.exchange(&code).await.unwrap();
            let (entries, events) = count(flow, "grant.approved").await;
            let seats = usize::try_from(flow.in_use().await).unwrap();
            vec![("seats", seats), ("events", events.len()), ("entries", entries)]
        },
    );
    let revoked = enumerate_at(
        "revocation that frees a seat",
        async || {
            let (flow, pending) = waiting().await;
            back(flow.approve(&pending).await);
            (flow, pending)
        },
        async |(flow, pending): &(Flow, Pending), faults: &Arc<Faults>| {
            let ctx = flow.world.failing(faults).sending.ctx;
            let (id, by) = (&flow.organization_id, By::operator());
            let revoked = grants::revoke(&ctx, Mode::Live, id, &pending.request.grant_id, &by);
            let _ = Box::pin(revoked).await;
        },
        async |(flow, pending): &(Flow, Pending)| {
            flow.end_grant(pending).await;
            let (entries, events) = count(flow, "grant.revoked").await;
            let ended = events.iter().filter(|it| it.event_type.as_str() == "taxpayer.deleted");
            let free = usize::from(flow.in_use().await == 0);
            vec![("free seats", free), ("events of an end", ended.count()), ("entries", entries)]
        },
    );
    vec![Box::pin(approved).await, Box::pin(revoked).await]
}
