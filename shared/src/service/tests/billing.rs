//! Subscriptions and seats: what an organization may do in Live with a subscription. No seat is ever lost or counted
//! twice.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use crate::{
    access::{Action, Actor, By, Caller, GrantStatus, Origin, Scope, Taxpayer, Trail},
    document::Operation::Invoice,
    error::Code,
    service::{
        grants::{self, Approval, ApprovalRefusal},
        subscriptions,
    },
    store::{AuditSelection, Subscription, keys::Key},
    testing::{FRESHNESS, World, invoice, send},
    types::{AuditId, GrantId, Mode, OrganizationId, Random, SeededRandom},
};

impl World {
    /// Stores a statement of the billing provider at the current time.
    pub(super) async fn provider_said(&self, id: &OrganizationId, said: Subscription) {
        let said = Subscription { confirmed_at: Some(self.now()), version: 1, ..said };
        self.put(Key::subscription(id), &said).await;
    }
}

#[tokio::test]
async fn a_live_send_needs_a_subscription_that_is_active_and_known_to_be() {
    let (world, network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    network.register("0235:1009876543");
    let refused = async |number: &str| {
        let body = invoice(number, "1009876543");
        let refused = send(&world.sending, &sender, Invoice, &body, Some(number)).await;
        refused.map(drop).map_err(|failure| failure.code)
    };
    assert_eq!(refused("A-1").await, Err(Code::SubscriptionRequired));
    let active = Subscription { active: true, ..Subscription::default() };
    world.provider_said(&sender.organization_id, active.clone()).await;
    assert_eq!(refused("A-1").await, Ok(()));
    world.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(refused("A-2").await, Ok(()));
    world.clock.advance(SignedDuration::from_millis(1));
    assert_eq!(refused("A-3").await, Err(Code::BillingStatusUnavailable));
    // A saved answer is replayed, and a refusal has no effect.
    assert_eq!(refused("A-1").await, Ok(()));
    assert_eq!((world.documents().await.len(), world.idempotency_records().await.len()), (2, 2));
    world.provider_said(&sender.organization_id, active).await;
    assert_eq!(refused("A-3").await, Ok(()));
    world.provider_said(&sender.organization_id, Subscription::default()).await;
    world.clock.advance(SignedDuration::from_hours(25));
    assert_eq!(refused("A-4").await, Err(Code::SubscriptionRequired));
    assert_eq!(world.idempotency_records().await.len(), 3);
}

#[tokio::test]
async fn what_an_operator_set_does_not_grow_old_and_is_in_the_trail() {
    let world = World::unconnected().await;
    let Caller { organization_id: id, .. } = world.caller("Falcon", "1001234501").await;
    let (ctx, by) = (&world.ctx, By::operator());
    subscriptions::set(ctx, &id, Some(3), &by).await.unwrap();
    world.clock.advance(SignedDuration::from_hours(10_000));
    subscriptions::set(ctx, &id, Some(2), &by).await.unwrap();
    let shown = subscriptions::show(ctx, &id).await.unwrap();
    let subscription = shown.subscription.unwrap();
    assert_eq!((subscription.seats, subscription.as_of), (Some(2), Some(world.now())));
    assert_eq!((subscription.confirmed_at, shown.in_use), (None, 1));
    subscriptions::end(ctx, &id, &by).await.unwrap();
    let ended = subscriptions::show(ctx, &id).await.unwrap().subscription.unwrap();
    assert_eq!((ended.active, ended.seats), (false, Some(2)));
    let all = AuditSelection {
        action: None,
        from: AuditId::floor(jiff::Timestamp::UNIX_EPOCH),
        to: AuditId::floor(jiff::Timestamp::MAX),
    };
    let trail = Trail::Organization(id.clone());
    let mut trail = ctx.store.list_audit(Mode::Live, &trail, &all, None, 10).await.unwrap().items;
    trail.retain(|entry| entry.action.as_str().starts_with("subscription."));
    let recorded: Vec<_> =
        trail.iter().map(|entry| (entry.action, entry.subject.as_str())).collect();
    let expected = [Action::SubscriptionEnded, Action::SubscriptionSet, Action::SubscriptionSet];
    let mut actions: Vec<_> = recorded.iter().map(|(action, _)| *action).collect();
    actions.sort_by_key(|action| action.as_str());
    assert_eq!(actions, expected);
    assert!(recorded.iter().all(|(_, subject)| *subject == id.as_str()));
    // An organization that does not exist.
    let nobody = "org_0".parse().unwrap();
    let failure = subscriptions::set(ctx, &nobody, None, &by).await.unwrap_err();
    assert_eq!(failure.code, Code::NotFound);
    let failure = subscriptions::set(ctx, &id, Some(1_000_001), &by).await.unwrap_err();
    assert_eq!(failure.code, Code::InvalidRequest);
}

/// Organizations and taxpayers in Live, with their active grants.
struct Town {
    world: World,
    organizations: Vec<OrganizationId>,
    taxpayers: Vec<Taxpayer>,
    grants: Vec<(OrganizationId, Taxpayer, GrantId)>,
}

impl Town {
    async fn new(organizations: usize, taxpayers: usize) -> Self {
        let world = World::unconnected().await;
        let mut town = Town { world, organizations: vec![], taxpayers: vec![], grants: vec![] };
        for number in 0..organizations {
            town.organizations.push(town.world.organization(&format!("Integrator {number}")).await);
        }
        for number in 0..taxpayers {
            let tin = format!("10012345{number:02}");
            town.taxpayers.push(town.world.taxpayer(&format!("Business {number}"), &tin).await);
        }
        town
    }

    async fn approve(&mut self, of: usize, on: usize) -> Result<(), ApprovalRefusal> {
        let (organization_id, taxpayer) =
            (self.organizations[of].clone(), self.taxpayers[on].clone());
        let approval = Approval {
            mode: Mode::Live,
            grant_id: GrantId::new(self.world.now(), &*self.world.ctx.random),
            taxpayer_id: taxpayer.taxpayer_id.clone(),
            organization_id: organization_id.clone(),
            scopes: [Scope::InvoicesRead].into(),
            grant_label: None,
            external_id: None,
            request: None,
        };
        let by = By::operator();
        let made = grants::approve(&self.world.ctx, FRESHNESS, &approval, &by).await.unwrap()?;
        assert_eq!(made.status, GrantStatus::Active);
        self.grants.push((organization_id, taxpayer, made.grant_id));
        Ok(())
    }

    /// Ends a grant, by each of the actors who may.
    async fn revoke(&mut self, grant: usize, as_whom: u8) {
        let (organization_id, taxpayer, grant_id) = self.grants.swap_remove(grant);
        let (ctx, taxpayer_id) = (&self.world.ctx, &taxpayer.taxpayer_id);
        let actor = match as_whom % 3 {
            0 => {
                let origin = Origin::default();
                let taken =
                    grants::revoke_as_taxpayer(ctx, Mode::Live, taxpayer_id, &grant_id, &origin);
                return taken.await.unwrap();
            }
            1 => Actor::ApiKey("key_1".parse().unwrap()),
            _ => Actor::Operator,
        };
        let by = By { actor, origin: Origin::default() };
        grants::revoke(ctx, Mode::Live, &organization_id, &grant_id, &by).await.unwrap();
    }

    /// The seats of each organization, after a check that they equal its connections.
    async fn seats(&self) -> Vec<u32> {
        let mut seats = Vec::new();
        for id in &self.organizations {
            let store = &self.world.ctx.store;
            let connected = store.list_connections(Mode::Live, id, None, 100).await.unwrap();
            let mut own = BTreeMap::new();
            for (organization_id, taxpayer, grant_id) in &self.grants {
                if organization_id == id {
                    own.insert(&taxpayer.taxpayer_id, grant_id);
                }
            }
            let in_use = store.get_billing(id).await.unwrap().in_use;
            assert_eq!(usize::try_from(in_use).unwrap(), own.len());
            assert_eq!((connected.items.len(), connected.next), (own.len(), None));
            seats.push(in_use);
        }
        seats
    }
}

#[tokio::test]
async fn after_any_sequence_of_grants_and_revocations_the_seats_in_use_are_the_connections() {
    for seed in 0..6 {
        let chance = SeededRandom::new(seed);
        let draw = || {
            let mut bytes = [0; 4];
            chance.fill(&mut bytes);
            bytes.map(usize::from)
        };
        let mut town = Town::new(2, 3).await;
        let mut limits = [None, None];
        for step in 0..60 {
            let [what, of, on, as_whom] = draw();
            let (of, on) = (of % town.organizations.len(), on % town.taxpayers.len());
            match what % 8 {
                0 => {
                    let seats = Some(u32::try_from(on).unwrap()).filter(|_| as_whom % 3 > 0);
                    let (id, by) = (&town.organizations[of], By::operator());
                    subscriptions::set(&town.world.ctx, id, seats, &by).await.unwrap();
                    limits[of] = Some(seats);
                }
                1..=4 => {
                    let before = town.seats().await[of];
                    let is_connected = town.grants.iter().any(|(organization, taxpayer, _)| {
                        *organization == town.organizations[of]
                            && taxpayer.taxpayer_id == town.taxpayers[on].taxpayer_id
                    });
                    let expected = match limits[of] {
                        _ if is_connected => Ok(()),
                        None => Err(ApprovalRefusal::Unsubscribed),
                        Some(Some(seats)) if before >= seats => Err(ApprovalRefusal::NoSeat),
                        Some(_) => Ok(()),
                    };
                    assert_eq!(town.approve(of, on).await, expected, "seed {seed}, step {step}");
                }
                _ if town.grants.is_empty() => {}
                _ => {
                    let grant = on.wrapping_mul(7).wrapping_add(as_whom) % town.grants.len();
                    town.revoke(grant, u8::try_from(as_whom).unwrap()).await;
                }
            }
            town.seats().await;
        }
    }
}

#[tokio::test]
async fn connections_of_before_there_were_seats_are_counted_with_the_first_change() {
    for first_is_approval in [true, false] {
        let mut town = Town::new(1, 4).await;
        let id = town.organizations[0].clone();
        town.world.subscribe(&id).await;
        for on in 0..3 {
            town.approve(0, on).await.unwrap();
        }
        town.world.remove(Key::seats(&id)).await;
        assert_eq!(town.seats().await, [3]);
        let by = By::operator();
        subscriptions::set(&town.world.ctx, &id, Some(3), &by).await.unwrap();
        if first_is_approval {
            assert_eq!(town.approve(0, 3).await, Err(ApprovalRefusal::NoSeat));
            subscriptions::set(&town.world.ctx, &id, Some(4), &by).await.unwrap();
            town.approve(0, 3).await.unwrap();
            assert_eq!(town.seats().await, [4]);
        } else {
            town.revoke(0, 0).await;
            assert_eq!(town.seats().await, [2]);
        }
        assert_eq!(town.world.raw_items("SEATS").await.len(), 1);
    }
}

#[tokio::test]
async fn a_taxpayer_revokes_what_it_granted_even_if_our_counting_is_wrong() {
    let mut town = Town::new(1, 1).await;
    let id = town.organizations[0].clone();
    town.world.subscribe(&id).await;
    town.approve(0, 0).await.unwrap();
    town.world.put(Key::seats(&id), &BTreeMap::from([("in_use", 0)])).await;
    town.revoke(0, 0).await;
    assert_eq!(town.seats().await, [0]);
}
