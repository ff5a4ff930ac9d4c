//! Grants, their connections and their events are counted correctly under concurrency and faults.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    access::{Actor, By, Grant, GrantStatus, Origin, Scope, Taxpayer},
    error::{Code, Failure},
    service::{
        Context,
        grants::{Approval, approve, revoke},
    },
    store::GrantSelection,
    testing::{FRESHNESS, Fault, Faults, World},
    types::{GrantId, Mode, OrganizationId},
};

/// An organization and a taxpayer without a connection.
struct Pair {
    world: World,
    organization_id: OrganizationId,
    taxpayer: Taxpayer,
}

impl Pair {
    async fn new() -> Self {
        let world = World::new().await;
        let organization_id = world.organization("Integrator").await;
        let taxpayer = world.taxpayer("Falcon", "1001234501").await;
        Pair { world, organization_id, taxpayer }
    }

    fn approval(&self) -> Approval {
        Approval {
            mode: Mode::Sandbox,
            grant_id: GrantId::new(self.world.now(), &*self.world.ctx.random),
            taxpayer_id: self.taxpayer.taxpayer_id.clone(),
            organization_id: self.organization_id.clone(),
            scopes: [Scope::InvoicesRead].into(),
            grant_label: Some("Head office".to_owned()),
            external_id: None,
            request: None,
        }
    }

    async fn approve(&self) -> GrantId {
        approve_as(&self.world.ctx, &self.approval()).await.unwrap().grant_id
    }

    async fn revoke(&self, grant_id: &GrantId) {
        revoke_as(&self.world.ctx, &self.organization_id, grant_id).await.unwrap();
    }

    /// The count of active grants in the connection. Checks that it is true, that both copies of each grant are equal,
    /// and that each change has one event.
    async fn active(&self) -> u32 {
        let store = &self.world.ctx.store;
        let (organization, taxpayer) = (&self.organization_id, &self.taxpayer.taxpayer_id);
        let all = GrantSelection::default();
        let page = store.list_grants(Mode::Sandbox, organization, all, None, 1_000).await.unwrap();
        assert_eq!(page.next, None);
        let mut ours = page.items;
        // The copies of the organization and of the taxpayer.
        let mut copies: Vec<Grant> = self.world.items("GRANT#").await;
        ours.sort_by_key(|grant| grant.grant_id.clone());
        copies.sort_by_key(|grant| grant.grant_id.clone());
        assert_eq!(copies.len(), 2 * ours.len());
        assert!(
            copies
                .chunks(2)
                .zip(&ours)
                .all(|(copies, grant)| copies == [grant.clone(), grant.clone()])
        );
        let mut access = store.list_active_grants(Mode::Sandbox, taxpayer).await.unwrap();
        access.sort_by_key(|grant| grant.grant_id.clone());
        ours.retain(|grant| grant.status == GrantStatus::Active);
        assert_eq!(access, ours);
        let (changes, active) = (copies.len() - ours.len(), ours.len());
        let connection = store.get_connection(Mode::Sandbox, organization, taxpayer).await.unwrap();
        let (count, version) = connection.map_or((0, 0), |found| (found.active, found.version));
        assert_eq!(usize::try_from(count).unwrap(), active);
        let events = self.world.events().await.len();
        assert_eq!((events, usize::try_from(version).unwrap()), (changes, changes));
        count
    }

    /// The types of the events in the order of the changes, each with its count of grants.
    async fn published(&self) -> Vec<(String, usize)> {
        let mut events: Vec<_> = self.world.events().await;
        events.sort_by_key(|event| event.event_id.clone());
        let published = events.iter().map(|event| {
            let body: Value = serde_json::from_str(&event.body).unwrap();
            (event.event_type.as_str().to_owned(), body["data"]["grants"].as_array().unwrap().len())
        });
        published.collect()
    }
}

/// A taxpayer in its browser.
fn taxpayer() -> By {
    let origin = Origin::new(Some("192.0.2.1".to_owned()), Some("Firefox"), None);
    By { actor: Actor::Taxpayer("txpay_1".parse().unwrap()), origin }
}

async fn approve_as(ctx: &Context, approval: &Approval) -> Result<Grant, Failure> {
    // Sandbox has no seats: only a failure prevents a grant.
    approve(ctx, FRESHNESS, approval, &taxpayer()).await.map(Result::unwrap)
}

async fn revoke_as(
    ctx: &Context,
    organization_id: &OrganizationId,
    grant_id: &GrantId,
) -> Result<(), Failure> {
    revoke(ctx, Mode::Sandbox, organization_id, grant_id, &By::operator()).await.map(drop)
}

fn tick(pair: &Pair) {
    pair.world.clock.advance(jiff::SignedDuration::from_millis(1));
}

#[tokio::test]
async fn the_first_grant_connects_the_last_one_disconnects_and_those_between_update() {
    let pair = Pair::new().await;
    let first = pair.approve().await;
    tick(&pair);
    let second = pair.approve().await;
    tick(&pair);
    pair.revoke(&first).await;
    tick(&pair);
    pair.revoke(&second).await;
    tick(&pair);
    pair.approve().await;
    let expected = [
        ("taxpayer.created", 1),
        ("taxpayer.updated", 2),
        ("taxpayer.updated", 1),
        ("taxpayer.deleted", 0),
        ("taxpayer.created", 1),
    ];
    assert_eq!(pair.published().await, expected.map(|(kind, count)| (kind.to_owned(), count)));
    assert_eq!(pair.active().await, 1);
}

#[tokio::test]
async fn an_update_tells_the_grants_of_before_and_after_and_no_one_elses() {
    let pair = Pair::new().await;
    let other = pair.world.organization("Other").await;
    pair.world.grant(&other, &pair.taxpayer, &Scope::ALL).await;
    let first = pair.approve().await;
    tick(&pair);
    let second = pair.approve().await;
    let events = pair.world.events().await;
    let update = events.iter().map(|event| serde_json::from_str::<Value>(&event.body).unwrap());
    let update = update.into_iter().find(|body| body["type"] == "taxpayer.updated").unwrap();
    let ids = |grants: &Value| {
        let grants = grants.as_array().unwrap().iter();
        grants.map(|grant| grant["grant_id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&update["data"]["grants"]), [json!(first.as_str()), json!(second.as_str())]);
    assert_eq!(ids(&update["previous_attributes"]["grants"]), [json!(first.as_str())]);
    assert_eq!(update["data"]["status"], "active");
    assert_eq!(update["data"]["grants"][0]["scopes"], json!(["invoices:read"]));
    assert_eq!(update["data"]["grants"][0]["grant_label"], "Head office");
    assert_eq!(update["participant_id"], "0235:1001234501");
}

#[tokio::test]
async fn approving_or_revoking_again_changes_nothing() {
    let pair = Pair::new().await;
    let approval = pair.approval();
    for _ in 0..3 {
        approve_as(&pair.world.ctx, &approval).await.unwrap();
    }
    assert_eq!(pair.active().await, 1);
    for _ in 0..3 {
        pair.revoke(&approval.grant_id).await;
    }
    assert_eq!(pair.active().await, 0);
    let current = approve_as(&pair.world.ctx, &approval).await.unwrap();
    assert_eq!((current.status, current.revoked_by), (GrantStatus::Revoked, Some(Actor::Operator)));
    assert_eq!(pair.active().await, 0);
}

#[tokio::test]
async fn what_cannot_be_granted_or_revoked_is_refused_by_name() {
    let pair = Pair::new().await;
    let ctx = &pair.world.ctx;
    for scopes in [vec![], vec![Scope::Unknown]] {
        let approval = Approval { scopes: scopes.into_iter().collect(), ..pair.approval() };
        assert_eq!(approve_as(ctx, &approval).await.unwrap_err().code, Code::InvalidRequest);
    }
    let nobodys = Approval { taxpayer_id: "txpay_0".parse().unwrap(), ..pair.approval() };
    assert_eq!(approve_as(ctx, &nobodys).await.unwrap_err().code, Code::NotFound);
    // Another organization's grant cannot be distinguished from a missing one.
    let grant = pair.approve().await;
    let stranger = pair.world.organization("Stranger").await;
    let failure = revoke_as(ctx, &stranger, &grant).await.unwrap_err();
    assert_eq!(failure.code, Code::NotFound);
    assert_eq!(pair.active().await, 1);
}

#[tokio::test]
async fn changes_at_once_are_counted_one_by_one() {
    for round in 0..10 {
        let pair = Pair::new().await;
        let standing = [pair.approve().await, pair.approve().await];
        let mut changes = JoinSet::new();
        for grant_id in standing {
            // Each grant is revoked twice, by both sides.
            for _ in 0..2 {
                let (ctx, organization, grant_id) =
                    (pair.world.ctx.clone(), pair.organization_id.clone(), grant_id.clone());
                changes.spawn(async move { revoke_as(&ctx, &organization, &grant_id).await });
            }
        }
        for _ in 0..round % 3 {
            let (ctx, approval) = (pair.world.ctx.clone(), pair.approval());
            changes.spawn(async move { approve_as(&ctx, &approval).await.map(drop) });
        }
        while let Some(result) = changes.join_next().await {
            result.unwrap().unwrap();
        }
        assert_eq!(pair.active().await, u32::try_from(round % 3).unwrap(), "round {round}");
        let published = pair.published().await;
        let ends = published.iter().filter(|(kind, _)| kind == "taxpayer.deleted").count();
        let begins = published.iter().filter(|(kind, _)| kind == "taxpayer.created").count();
        assert_eq!(begins - ends, usize::from(round % 3 > 0), "{published:?}");
    }
}

#[tokio::test]
async fn every_fault_of_every_call_leaves_one_grant_with_its_event_or_none() {
    let calls = {
        let pair = Pair::new().await;
        let counting = Faults::new(Fault::Before, usize::MAX, 0);
        let ctx = pair.world.failing(&counting).sending.ctx;
        approve_as(&ctx, &pair.approval()).await.unwrap();
        counting.calls()
    };
    // The read of the grant, the read of its dependencies, and the transaction.
    assert_eq!(calls, 3);
    for fault in [Fault::Before, Fault::After, Fault::Throttled, Fault::Conflict] {
        for length in [1, 4, usize::MAX] {
            let pair = Pair::new().await;
            for call in 0..calls {
                let point = format!("{fault:?} at call {call}, {length} calls long");
                let approval = pair.approval();
                let failing = || {
                    let faults = Faults::new(fault, call, length);
                    pair.world.failing(&faults).sending.ctx
                };
                let first = approve_as(&failing(), &approval).await;
                assert!(length > 1 || first.is_ok(), "{point}");
                approve_as(&pair.world.ctx, &approval).await.unwrap();
                assert_eq!(pair.active().await, 1, "{point}");
                let first = revoke_as(&failing(), &pair.organization_id, &approval.grant_id).await;
                assert!(length > 1 || first.is_ok(), "{point}");
                pair.revoke(&approval.grant_id).await;
                assert_eq!(pair.active().await, 0, "{point}");
            }
        }
    }
}
