//! The rate limit of requests.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use super::{Api, Call};
use crate::{
    access::Scope,
    store::keys::Key,
    testing::{Fault, Faults, World},
    types::Mode,
};

const MOST: u32 = 3;

async fn limited() -> Api {
    Api::limited(World::new().await, MOST).await
}

fn me(key: &str) -> Call {
    Call::get("/v1/me").key(key)
}

#[tokio::test]
async fn an_organization_has_so_many_requests_a_minute_by_keys_and_tokens_together() {
    let api = limited().await;
    let key = &api.demo.api_keys.sandbox;
    let token = api.token(api.falcon(), &Scope::ALL).await;
    for (call, left) in [
        (me(key), 2),
        (Call::get("/v1/taxpayer").token(&token), 1),
        // Refused requests count too.
        (Call::get("/v1/invoices").key(key).taxpayer(api.pearl()), 0),
    ] {
        let answer = api.call(call).await;
        assert_eq!(answer.header("ratelimit-policy"), r#""request";q=3;w=60"#);
        assert_eq!(answer.header("ratelimit"), format!(r#""request";r={left};t=60"#));
    }
    api.world.clock.advance(SignedDuration::from_secs(45));
    let before = api.everything().await;
    for call in [
        me(key),
        Call::post("/v1/invoices", super::SAMPLES[0].1).key(key).taxpayer(api.falcon()),
        Call::get("/v1/taxpayer").token(&token),
        Call::new(axum::http::Method::DELETE, "/v1/grants/tgr_1").key(key),
    ] {
        let answer = api.call(call).await;
        assert_eq!(answer.error(), (429, "rate_limited".to_owned()));
        assert!(answer.message().contains("(3): retry after 15 seconds"), "{}", answer.message());
        assert_eq!(answer.header("retry-after"), "15");
        assert_eq!(answer.header("ratelimit"), r#""request";r=0;t=15"#);
    }
    assert!(api.everything().await == before, "something was done");

    let another = api.another_organization(api.falcon(), &Scope::ALL).await;
    assert_eq!(api.call(me(&another)).await.status, 200, "another organization");
    api.world.clock.advance(SignedDuration::from_secs(15));
    assert_eq!(api.call(me(key)).await.status, 200, "the next minute");
}

#[tokio::test]
async fn who_has_no_credential_is_counted_by_address_and_holds_up_nobody_who_has_one() {
    let api = Api::start().await;
    let stranger = Call::get("/v1/me").key("pk_test_nobody");
    for left in (0..600).rev() {
        let answer = api.call(stranger.clone()).await;
        assert_eq!(answer.error(), (401, "unauthorized".to_owned()));
        assert_eq!(answer.header("ratelimit"), format!(r#""stranger";r={left};t=60"#));
    }
    let answer = api.call(stranger.clone()).await;
    assert_eq!(answer.error(), (429, "rate_limited".to_owned()));
    assert!(!answer.headers.contains_key("www-authenticate"));
    assert_eq!(api.call(Call::get("/v1/invoices")).await.error().0, 429);
    assert_eq!(api.call(me(&api.demo.api_keys.sandbox)).await.status, 200);
}

#[tokio::test]
async fn a_request_that_cannot_be_counted_is_answered() {
    let mut world = World::new().await;
    let faults = Faults::only("UpdateItem", Fault::Throttled);
    world.sending.ctx = world.failing(&faults).sending.ctx;
    let api = Api::limited(world, MOST).await;
    let key = &api.demo.api_keys.sandbox;
    for _ in 0..=MOST {
        let answer = api.call(me(key)).await;
        assert_eq!(answer.status, 200);
        assert!(!answer.headers.contains_key("ratelimit"));
    }
}

#[tokio::test]
async fn a_flood_that_cannot_be_counted_is_refused() {
    let mut world = World::new().await;
    let faults = Faults::only("UpdateItem", Fault::Throttled);
    world.sending.ctx = world.failing(&faults).sending.ctx;
    let api = Api::limited(world, 2_000).await;
    let key = &api.demo.api_keys.sandbox;
    let mut answered = 0;
    for _ in 0..40 {
        let answer = api.call(me(key)).await;
        if answer.status == 200 {
            answered += 1;
        } else {
            assert_eq!(answer.error(), (429, "rate_limited".to_owned()));
        }
    }
    assert_eq!(answered, 20, "a hundredth of the limit in each process");
}

#[tokio::test]
async fn whom_a_process_refused_costs_no_write_until_the_window_ends() {
    let mut world = World::new().await;
    let faults = Faults::new(Fault::Before, 0, 0);
    world.sending.ctx = world.failing(&faults).sending.ctx;
    let api = Api::limited(world, MOST).await;
    let key = &api.demo.api_keys.sandbox;
    for _ in 0..MOST {
        api.call(me(key)).await;
    }
    let mut calls = Vec::new();
    for _ in 0..2 {
        api.world.clock.advance(SignedDuration::from_millis(300));
        let before = faults.calls();
        let refused = api.call(me(key)).await;
        assert_eq!((refused.error().0, refused.header("retry-after")), (429, "60"));
        calls.push(faults.calls() - before);
    }
    assert_eq!(calls[1] + 1, calls[0], "its count");
    api.world.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(api.call(me(key)).await.status, 200);
}

#[tokio::test]
async fn a_limit_that_one_partition_cannot_count_has_shares_and_is_reached_exactly() {
    let most = 20_003;
    let api = Api::limited(World::new().await, most).await;
    let key = &api.demo.api_keys.sandbox;
    assert_eq!(api.call(me(key)).await.status, 200);
    // All but four of each share are used up.
    let (window, whom) = (api.world.now().as_second(), api.demo.organization_id.as_str());
    for (share, part) in [(0, 10_002), (1, 10_001)] {
        let key = Key::rate(Mode::Sandbox, "REQUEST", whom, window, share);
        api.world.put(key, &BTreeMap::from([("taken", part - 4)])).await;
    }
    let mut answered = 0;
    while api.call(me(key)).await.status == 200 {
        answered += 1;
    }
    assert_eq!(answered, 8);
}

#[tokio::test]
async fn the_token_endpoint_tells_its_limit_in_the_same_headers() {
    let api = Api::start().await;
    let answer = api.call(Call::post("/v1/oauth/token", "")).await;
    assert_eq!(answer.header("ratelimit-policy"), r#""token";q=3000;w=60"#);
    assert_eq!(answer.header("ratelimit"), r#""token";r=2999;t=60"#);
}
