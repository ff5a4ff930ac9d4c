//! Who calls, over the real table.

use jiff::SignedDuration;

use crate::{
    access::{ApiKey, Credentials, PresentedKey, Scope, Taxpayer},
    error::{Code, Failure},
    service::{Context, authorize, authorize_organization},
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
    // One read of key, taxpayer and grants, and the count; and the write.
    assert_eq!(calls, [3, 2, 2, 2, 3, 2, 3]);
    let used = record(&world, &key).await.last_used_at.unwrap();
    assert_eq!(used, started + SignedDuration::from_hours(2));
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
    // Its use is noted once an hour.
    call(&world.ctx, &key, &taxpayer).await.unwrap();
    for more in [0, 1, 50] {
        for _ in 0..more {
            world.grant(&organization_id, &taxpayer, &[Scope::InvoicesRead]).await;
        }
        let metered = world.metered();
        let ctx = &metered.sending.ctx;
        call(ctx, &key, &taxpayer).await.unwrap();
        assert_eq!(metered.meter.take().calls, ["BatchGetItem", "UpdateItem"]);
        authorize(ctx, &counting(), by_token, &[Scope::InvoicesRead]).await.unwrap();
        let mut calls = metered.meter.take().calls;
        // The last two at once.
        calls[1..].sort();
        assert_eq!(calls, ["GetItem", "BatchGetItem", "UpdateItem"]);
    }
}

#[tokio::test]
async fn a_request_is_done_when_its_keys_use_cannot_be_noted() {
    for fault in [Fault::Before, Fault::After, Fault::Throttled, Fault::Conflict] {
        let world = World::new().await;
        let (key, taxpayer) = known(&world).await;
        let faults = Faults::only("UpdateItem", fault);
        call(&world.failing(&faults).sending.ctx, &key, &taxpayer).await.unwrap();
        assert!(faults.calls() > 0, "{fault:?}");
        call(&world.ctx, &key, &taxpayer).await.unwrap();
        assert_eq!(record(&world, &key).await.last_used_at, Some(world.now()), "{fault:?}");
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
