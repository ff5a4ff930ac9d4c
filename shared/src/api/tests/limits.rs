//! The rate limit of requests.

use jiff::SignedDuration;

use super::{Api, Call};
use crate::{
    access::Scope,
    testing::{Fault, Faults, World},
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
async fn the_token_endpoint_tells_its_limit_in_the_same_headers() {
    let api = Api::start().await;
    let answer = api.call(Call::post("/v1/oauth/token", "")).await;
    assert_eq!(answer.header("ratelimit-policy"), r#""token";q=3000;w=60"#);
    assert_eq!(answer.header("ratelimit"), r#""token";r=2999;t=60"#);
}
