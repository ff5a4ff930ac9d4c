//! Authentication of callers, over the real table.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::{
    access::{ApiKey, By, Credentials, PresentedKey, Scope, Taxpayer},
    error::{Code, Failure},
    service::{Context, authorize, authorize_organization, grants},
    store::Access,
    testing::{Fault, Faults, World, counting},
    types::Mode,
};

async fn known(world: &World) -> (PresentedKey, Taxpayer) {
    let organization_id = world.organization("Integrator").await;
    let taxpayer = world.taxpayer("Falcon", "1001234501").await;
    world.grant(&organization_id, &taxpayer, &Scope::ALL).await;
    (world.api_key(&organization_id).await, taxpayer)
}

async fn call(ctx: &Context, key: &PresentedKey, taxpayer: &Taxpayer) -> Result<(), Failure> {
    let authorization = format!("Api-Key {}", key.reveal());
    let credentials = Credentials {
        authorization: Some(&authorization),
        taxpayer_id: Some(taxpayer.taxpayer_id.as_str()),
        grant_id: None,
    };
    authorize(ctx, &counting(), credentials, &[Scope::InvoicesRead]).await.map(drop)
}

async fn record(world: &World, key: &PresentedKey) -> ApiKey {
    world.ctx.store.get_api_key(Mode::Sandbox, &key.hash()).await.unwrap().unwrap()
}

#[tokio::test]
async fn an_organization_is_known_by_its_key_alone_and_a_strangers_key_is_not() {
    let world = World::new().await;
    let (key, _) = known(&world).await;
    let stranger = PresentedKey::generate(Mode::Sandbox, &*world.ctx.random);
    for (key, known) in [(&key, true), (&stranger, false)] {
        let authorization = format!("Api-Key {}", key.reveal());
        let credentials =
            Credentials { authorization: Some(&authorization), ..Credentials::default() };
        let caller = authorize_organization(&world.ctx, &counting(), credentials).await;
        match caller {
            Ok(caller) => {
                let record = record(&world, key).await;
                assert_eq!(caller.organization_id, record.organization_id);
                assert_eq!(caller.credential.to_string(), record.key_id.as_str());
                assert_eq!(record.last_used_at, Some(world.now()));
            }
            Err(failure) => assert_eq!(failure.code, Code::Unauthorized),
        }
        assert_eq!(
            authorize_organization(&world.ctx, &counting(), credentials).await.is_ok(),
            known
        );
    }
}

#[tokio::test]
async fn a_keys_last_use_is_written_once_an_hour() {
    let world = World::new().await;
    let (key, taxpayer) = known(&world).await;
    assert_eq!(record(&world, &key).await.last_used_at, None);
    let mut calls = Vec::new();
    let started = world.now();
    for minutes in [0, 0, 30, 29, 1, 1, 59] {
        world.clock.advance(SignedDuration::from_mins(minutes));
        let counted = Faults::new(Fault::Before, usize::MAX, 0);
        call(&world.failing(&counted).sending.ctx, &key, &taxpayer).await.unwrap();
        calls.push(counted.calls());
    }
    // One read of key, taxpayer and grants, and one count. Then the writes of the last use of the key and of the grant.
    assert_eq!(calls, [4, 2, 2, 2, 4, 2, 4]);
    let used = record(&world, &key).await.last_used_at.unwrap();
    assert_eq!(used, started + SignedDuration::from_hours(2));
    assert_eq!(uses(&world, &taxpayer).await, [used]);
}

/// When the grants on a taxpayer were last used.
async fn uses(world: &World, taxpayer: &Taxpayer) -> Vec<Timestamp> {
    let access = world.ctx.store.get_access(Mode::Sandbox, &taxpayer.taxpayer_id).await.unwrap();
    access.used.into_values().collect()
}

#[tokio::test]
async fn a_grants_use_is_noted_for_what_it_is_used_and_forgotten_with_it() {
    let world = World::new().await;
    let (key, taxpayer) = known(&world).await;
    let organization_id = record(&world, &key).await.organization_id;
    let other = world.organization("Other").await;
    let theirs = world.grant(&other, &taxpayer, &[Scope::InvoicesRead]).await;
    let second = world.grant(&organization_id, &taxpayer, &[Scope::InvoicesRead]).await;
    assert!(uses(&world, &taxpayer).await.is_empty(), "made is not used");
    // A refused call is no use.
    let authorization = format!("Api-Key {}", key.reveal());
    let credentials = Credentials {
        authorization: Some(&authorization),
        taxpayer_id: Some(taxpayer.taxpayer_id.as_str()),
        grant_id: Some(second.as_str()),
    };
    let ctx = &world.ctx;
    let refused = authorize(ctx, &counting(), credentials, &[Scope::InvoicesWrite]).await;
    assert_eq!(refused.unwrap_err().code, Code::InsufficientScope);
    assert!(uses(&world, &taxpayer).await.is_empty());
    // The named grant is used.
    authorize(ctx, &counting(), credentials, &[Scope::InvoicesRead]).await.unwrap();
    let first = world.now();
    assert_eq!(uses(&world, &taxpayer).await, [first]);
    // All of the organization's grants are used, in one write. Another organization's grant is not used.
    world.clock.advance(SignedDuration::from_mins(1));
    call(ctx, &key, &taxpayer).await.unwrap();
    assert_eq!(uses(&world, &taxpayer).await, [world.now(), world.now()]);
    let access = ctx.store.get_access(Mode::Sandbox, &taxpayer.taxpayer_id).await.unwrap();
    assert!(!access.used.contains_key(&theirs));
    // Grants are made and revoked as before. A revoked grant has no recorded use any more.
    let by = By::operator();
    grants::revoke(ctx, Mode::Sandbox, &organization_id, &second, &by).await.unwrap();
    assert_eq!(uses(&world, &taxpayer).await, [world.now()]);
    world.clock.advance(SignedDuration::from_hours(1));
    call(ctx, &key, &taxpayer).await.unwrap();
    assert_eq!(uses(&world, &taxpayer).await, [world.now()]);
    let raw = world.raw_items("ACCESS").await;
    let used: Vec<_> = raw.iter().filter_map(|item| item.get("used")).collect();
    assert!(used.iter().all(|used| used.as_m().unwrap().len() == 1), "{used:?}");
}

#[tokio::test]
async fn of_requests_at_once_one_notes_a_grants_use_and_no_taxpayer_comes_to_be_by_it() {
    let world = World::new().await;
    let (key, taxpayer) = known(&world).await;
    call(&world.ctx, &key, &taxpayer).await.unwrap();
    let (store, id) = (&world.ctx.store, &taxpayer.taxpayer_id);
    let before = store.get_access(Mode::Sandbox, id).await.unwrap();
    let (grant, used) = before.used.iter().next().unwrap();
    assert_eq!(before.used_for.get(grant), Some(&Scope::InvoicesRead));
    let late: BTreeMap<_, _> =
        [(grant.clone(), world.now() + SignedDuration::from_hours(1))].into();
    let used_for = [(grant.clone(), Scope::InvoicesWrite)].into();
    // A stale write: another request read the item before this one wrote it.
    store.note_grants_use(Mode::Sandbox, id, (grant, None), &late, &used_for).await.unwrap();
    assert_eq!(store.get_access(Mode::Sandbox, id).await.unwrap(), before);
    store.note_grants_use(Mode::Sandbox, id, (grant, Some(*used)), &late, &used_for).await.unwrap();
    let after = store.get_access(Mode::Sandbox, id).await.unwrap();
    assert_eq!((after.used, after.used_for), (late.clone(), used_for.clone()));
    let gone = "txpay_gone".parse().unwrap();
    store.note_grants_use(Mode::Sandbox, &gone, (grant, None), &late, &used_for).await.unwrap();
    assert_eq!(store.get_access(Mode::Sandbox, &gone).await.unwrap(), Access::default());
}

#[tokio::test]
async fn a_decision_takes_two_calls_with_a_key_and_three_with_a_token_whatever_the_number_of_grants()
 {
    let world = World::new().await;
    let (key, taxpayer) = known(&world).await;
    let organization_id = record(&world, &key).await.organization_id;
    let tokens = world.tokens(&organization_id, &taxpayer, &Scope::ALL).await;
    let token = format!("Bearer {}", tokens.access_token.reveal());
    let by_token = Credentials { authorization: Some(&token), ..Credentials::default() };
    // The use of the key is recorded once an hour.
    call(&world.ctx, &key, &taxpayer).await.unwrap();
    for more in [0, 1, 50] {
        for _ in 0..more {
            world.grant(&organization_id, &taxpayer, &[Scope::InvoicesRead]).await;
        }
        // Each grant's use is recorded once an hour.
        call(&world.ctx, &key, &taxpayer).await.unwrap();
        let metered = world.metered();
        let ctx = &metered.sending.ctx;
        call(ctx, &key, &taxpayer).await.unwrap();
        assert_eq!(metered.meter.take().calls, ["BatchGetItem", "UpdateItem"]);
        authorize(ctx, &counting(), by_token, &[Scope::InvoicesRead]).await.unwrap();
        let mut calls = metered.meter.take().calls;
        // The last two calls are concurrent.
        calls[1..].sort();
        assert_eq!(calls, ["GetItem", "BatchGetItem", "UpdateItem"]);
    }
}

#[tokio::test]
async fn a_request_is_done_when_the_use_of_its_key_and_grant_cannot_be_noted() {
    for fault in [Fault::Before, Fault::After, Fault::Throttled, Fault::Conflict] {
        let world = World::new().await;
        let (key, taxpayer) = known(&world).await;
        let faults = Faults::only("UpdateItem", fault);
        call(&world.failing(&faults).sending.ctx, &key, &taxpayer).await.unwrap();
        assert!(faults.calls() > 0, "{fault:?}");
        call(&world.ctx, &key, &taxpayer).await.unwrap();
        assert_eq!(record(&world, &key).await.last_used_at, Some(world.now()), "{fault:?}");
        assert_eq!(uses(&world, &taxpayer).await, [world.now()], "{fault:?}");
    }
}

#[tokio::test]
async fn a_key_that_is_gone_is_not_brought_back_by_its_use() {
    let world = World::new().await;
    let (key, _) = known(&world).await;
    let stranger = PresentedKey::generate(Mode::Sandbox, &*world.ctx.random);
    let gone = ApiKey { hash: stranger.hash(), ..record(&world, &key).await };
    world.ctx.store.note_key_use(&gone, world.now()).await.unwrap();
    assert!(world.ctx.store.get_api_key(Mode::Sandbox, &gone.hash).await.unwrap().is_none());
}
