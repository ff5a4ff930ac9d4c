//! Every declared operation with every kind of refused caller. Each responds as documented and changes nothing.

use std::collections::{BTreeSet, HashSet};

use super::{Api, Call};
use crate::{
    access::{
        CHALLENGE, GrantStatus, KeyStatus, PresentedAccessToken, PresentedKey, Scope,
        TOKEN_CHALLENGE, TaxpayerStatus,
    },
    api::{
        ROUTES, openapi,
        query::Parameter,
        route::{ActsFor, HttpMethod, RequestBody, Route},
    },
    types::{Mode, SeededRandom, TaxpayerId},
};

/// The operations for a taxpayer.
fn for_a_taxpayer() -> impl Iterator<Item = &'static Route> {
    ROUTES.into_iter().filter(|route| route.acts_for == ActsFor::Taxpayer)
}

/// The operations of an organization in its own affairs.
fn own() -> impl Iterator<Item = &'static Route> {
    ROUTES.into_iter().filter(|route| route.acts_for == ActsFor::Itself)
}

/// A call of an operation that is valid except for its credentials.
fn call(route: &Route) -> Call {
    let named = |path: String, name| path.replace(&format!("{{{name}}}"), "doc_0");
    let path = format!("/v1{}", route.variables().fold(route.path.to_owned(), named));
    let kind = match route.body {
        Some(RequestBody::Document(kind)) => Some(kind),
        _ => None,
    };
    match (route.method, kind) {
        (HttpMethod::Get, _) => Call::get(&path),
        (HttpMethod::Post, None) if route.body.is_some() => {
            let document = openapi::document();
            let body = &document["paths"][route.path]["post"]["requestBody"]["content"];
            match body["application/x-ndjson"]["example"].as_str() {
                Some(file) => Call::post(&path, file)
                    .without("content-type")
                    .with("content-type", "application/x-ndjson"),
                None => Call::post(&path, body["application/json"]["example"].to_string()),
            }
        }
        (HttpMethod::Post, None) => Call::new(axum::http::Method::POST, &path),
        (HttpMethod::Delete, _) => Call::new(axum::http::Method::DELETE, &path),
        (HttpMethod::Put, _) if route.body.is_some() => {
            let document = openapi::document();
            let body = &document["paths"][route.path]["put"]["requestBody"]["content"];
            Call::put(&path, body["application/json"]["example"].to_string())
        }
        (HttpMethod::Patch, _) => {
            let document = openapi::document();
            let body = &document["paths"][route.path]["patch"]["requestBody"]["content"];
            Call::patch(&path, body["application/json"]["example"].to_string())
        }
        (HttpMethod::Put, _) => Call::new(axum::http::Method::PUT, &path),
        (HttpMethod::Post, Some(_)) => {
            let document = openapi::document();
            let body = &document["paths"][route.path]["post"]["requestBody"]["content"];
            Call::post(&path, body["application/json"]["example"].to_string())
        }
    }
}

/// A refused call: the call and its response.
struct Refusal {
    what: &'static str,
    call: Call,
    error: (u16, &'static str),
}

/// Every kind of call without a valid credential.
fn no_credentials(key: &str, revoked: &str, anonymous: &Call) -> Vec<(&'static str, Call)> {
    let unknown = PresentedKey::generate(Mode::Sandbox, &SeededRandom::new(99));
    let headers = [
        ("an empty credential", String::new()),
        ("a bare key", key.to_owned()),
        ("another scheme", format!("Basic {key}")),
        ("no key", "Api-Key".to_owned()),
        ("a malformed key", "Api-Key pk_test_short".to_owned()),
        ("a key and more", format!("Api-Key {key}x")),
        ("two keys", format!("Api-Key {key},Api-Key {key}")),
        ("the key in the other mode", format!("Api-Key {}", key.replacen("test", "live", 1))),
        ("an unknown key", format!("Api-Key {}", unknown.reveal())),
        ("a revoked key", format!("Api-Key {revoked}")),
    ];
    let with = |(what, header)| (what, anonymous.clone().with("authorization", header));
    let mut calls: Vec<_> = headers.into_iter().map(with).collect();
    calls.push(("no credential", anonymous.clone()));
    calls
}

/// Every kind of call with an invalid access token.
async fn no_tokens(api: &Api, anonymous: &Call) -> Vec<(&'static str, Call)> {
    let random = SeededRandom::new(98);
    let unknown = PresentedAccessToken::generate(Mode::Sandbox, &random);
    let good = api.token(api.falcon(), &Scope::ALL).await;
    let ended = api.token(api.falcon(), &Scope::ALL).await;
    api.end(&ended).await;
    let good = good.access_token.reveal();
    [
        ("an empty token", "Bearer".to_owned()),
        ("a malformed token", "Bearer at_test_short".to_owned()),
        ("a key as a token", format!("Bearer {}", api.demo.api_keys.sandbox)),
        ("a token and more", format!("Bearer {good}x")),
        ("the token in the other mode", format!("Bearer {}", good.replacen("test", "live", 1))),
        ("an unknown token", format!("Bearer {}", unknown.reveal())),
        ("a revoked token", format!("Bearer {}", ended.access_token.reveal())),
    ]
    .map(|(what, header)| (what, anonymous.clone().with("authorization", header)))
    .into()
}

/// A new deployment for every tenth operation. Each operation connects organizations to one taxpayer, and their number
/// is limited.
async fn afresh(api: Api, number: usize) -> Api {
    if number > 0 && number.is_multiple_of(10) { Api::start().await } else { api }
}

/// Every kind of refused call of one operation.
async fn refusals(api: &Api, route: &Route) -> Vec<Refusal> {
    let call = call(route);
    let key = &api.demo.api_keys.sandbox;
    let nobody: TaxpayerId = "txpay_0".parse().unwrap();
    let [onboarding, inactive] = [TaxpayerStatus::Onboarding, TaxpayerStatus::Suspended];
    let (onboarding, onboarding_key) = api.taxpayer_with_key(onboarding).await;
    let (inactive, inactive_key) = api.taxpayer_with_key(inactive).await;
    let (strangers, _) = api.taxpayer_with_key(TaxpayerStatus::Active).await;
    let others = Scope::ALL.into_iter().filter(|scope| !route.any_of.contains(scope));
    let unscoped = api.another_organization(api.falcon(), &others.collect::<Vec<_>>()).await;
    let active = KeyStatus::Active;
    let (ungranted_key, revoked) = api.organization_with(active, GrantStatus::Revoked).await;
    let (_, foreign_grant) = api.organization_with(active, GrantStatus::Active).await;
    let (revoked_key, _) = api.organization_with(KeyStatus::Revoked, GrantStatus::Active).await;

    let anonymous = call.clone().taxpayer(api.falcon());
    let falcon = anonymous.clone().key(key);
    let unauthorized = (401, "unauthorized");
    let ungranted = (403, "grant_required");
    let invalid = (400, "invalid_request");
    let mut found = Vec::new();
    let mut add = |what, call, error| found.push(Refusal { what, call, error });

    for (what, call) in no_credentials(key, &revoked_key, &anonymous) {
        add(what, call, unauthorized);
    }
    for (what, call) in no_tokens(api, &anonymous).await {
        add(what, call, (401, "invalid_token"));
    }
    let token = api.token(api.falcon(), &Scope::ALL).await;
    let bare = call.clone().token(&token);
    add("a token of another taxpayer", bare.clone().taxpayer(api.oasis()), ungranted);
    add("a token with another grant", bare.clone().with("x-ae-grant-id", "tgr_0"), ungranted);
    let misread = bare.with("x-ae-taxpayer-id", "7");
    add("a token with what is no taxpayer", misread, invalid);
    let revoked_token = api.token(api.falcon(), &Scope::ALL).await;
    api.revoke(&revoked_token.grant_id).await;
    add("a token of a revoked grant", call.clone().token(&revoked_token), ungranted);
    let others: Vec<_> =
        Scope::ALL.into_iter().filter(|scope| !route.any_of.contains(scope)).collect();
    if !others.is_empty() {
        let unscoped = api.token(api.falcon(), &others).await;
        add(
            "a token without the scope",
            call.clone().token(&unscoped),
            (403, "insufficient_scope"),
        );
    }
    let live = anonymous.clone().key(&api.demo.api_keys.live);
    add("a key of the other mode", live, ungranted);
    add("no such taxpayer", call.clone().key(key).taxpayer(&nobody), ungranted);
    add("no grant on the taxpayer", call.clone().key(key).taxpayer(api.pearl()), ungranted);
    add("another's taxpayer", call.clone().key(key).taxpayer(&strangers), ungranted);
    add("a revoked grant", anonymous.clone().key(&ungranted_key), ungranted);
    for (what, grant) in [
        ("a named grant that is revoked", revoked.as_str()),
        ("a named grant of another organization", foreign_grant.as_str()),
        ("a named grant that does not exist", "tgr_0"),
    ] {
        let call =
            anonymous.clone().key(if grant == revoked.as_str() { &ungranted_key } else { key });
        add(what, call.with("x-ae-grant-id", grant), ungranted);
    }
    let oasis = api.demo.taxpayers[1].grant_id.clone().unwrap();
    let on_another = falcon.clone().with("x-ae-grant-id", oasis.as_str());
    add("a named grant on another taxpayer", on_another, ungranted);
    add("no scope", anonymous.clone().key(&unscoped), (403, "insufficient_scope"));
    let onboarding = call.clone().key(&onboarding_key).taxpayer(&onboarding);
    add("a taxpayer in onboarding", onboarding, (403, "taxpayer_inactive"));
    let inactive = call.clone().key(&inactive_key).taxpayer(&inactive);
    add("a suspended taxpayer", inactive, (403, "taxpayer_inactive"));
    add("no taxpayer", falcon.clone().without("x-ae-taxpayer-id"), invalid);
    let twice = falcon.clone().with("x-ae-taxpayer-id", api.falcon().as_str());
    add("two taxpayers", twice, invalid);
    for id in ["1001234501", "0235:1001234501", "org_1", "txpay_", ""] {
        let call = falcon.clone().without("x-ae-taxpayer-id").with("x-ae-taxpayer-id", id);
        add("what is no taxpayer", call, invalid);
    }
    add("what is no grant", falcon.clone().with("x-ae-grant-id", "7"), invalid);
    let twice = falcon.with("x-ae-grant-id", "tgr_1").with("x-ae-grant-id", "tgr_1");
    add("two grants", twice, invalid);
    found
}

#[tokio::test]
#[expect(clippy::print_stdout, reason = "a figure of tests/README.md")]
async fn every_way_of_not_being_allowed_is_refused_as_documented_and_changes_nothing() {
    let mut api = Api::start().await;
    let mut looked_at = 0;
    for (number, route) in for_a_taxpayer().enumerate() {
        api = afresh(api, number).await;
        let refusals = refusals(&api, route).await;
        looked_at += refusals.len();
        let before = api.everything().await;
        let mut ungranted = Vec::new();
        for Refusal { what, call, error } in refusals {
            let answer = api.call(call).await;
            let (status, code) = answer.error();
            assert_eq!((status, code.as_str()), error, "{}: {what}", route.id);
            match error.1 {
                "unauthorized" => assert_eq!(answer.header("www-authenticate"), CHALLENGE),
                "invalid_token" => assert_eq!(answer.header("www-authenticate"), TOKEN_CHALLENGE),
                // RFC 6750, section 3.1.
                "insufficient_scope" if what.contains("token") => assert_eq!(
                    answer.header("www-authenticate"),
                    format!(
                        r#"Bearer error="insufficient_scope", scope="{}""#,
                        route.any_of[0].as_str()
                    )
                ),
                "grant_required" if what.contains("token") => {}
                "grant_required" => ungranted.push(answer.message()),
                _ => {}
            }
            let text = String::from_utf8_lossy(&answer.body);
            assert!(!text.contains(api.demo.api_keys.sandbox.as_str()), "{}: {what}", route.id);
        }
        // An existing taxpayer without a grant cannot be distinguished from an unknown one. There is one message
        // without a named grant, and one with it.
        ungranted.sort();
        ungranted.dedup();
        assert_eq!(ungranted.len(), 2, "{}: {ungranted:?}", route.id);
        assert!(api.everything().await == before, "{} has changed something", route.id);
    }
    println!("{looked_at} ways of not being allowed, of {} operations", for_a_taxpayer().count());
}

#[tokio::test]
async fn an_organizations_own_affairs_need_a_credential_and_nothing_else() {
    let api = Api::start().await;
    let (revoked, foreign_grant) =
        api.organization_with(KeyStatus::Revoked, GrantStatus::Active).await;
    let key = &api.demo.api_keys.sandbox;
    let token = api.token(api.falcon(), &Scope::ALL).await;
    let tokens = no_tokens(&api, &Call::get("/v1/me")).await;
    let published = Box::pin(api.published_event()).await;
    for route in own() {
        assert!(route.any_of.is_empty(), "{}: nobody acts for a taxpayer there", route.id);
        let before = api.everything().await;
        for (what, call) in no_credentials(key, &revoked, &call(route)) {
            let answer = api.call(call).await;
            assert_eq!(answer.error(), (401, "unauthorized".to_owned()), "{}: {what}", route.id);
            assert_eq!(answer.header("www-authenticate"), CHALLENGE);
        }
        for (what, call) in &tokens {
            let answer = api.call(self::call(route).and(call)).await;
            assert_eq!(answer.error(), (401, "invalid_token".to_owned()), "{}: {what}", route.id);
        }
        // "Requests made with x-ae-grant-id act through that one grant only" (specification 3.1).
        for (grant, error) in [
            ("tgr_0", (403, "grant_required")),
            (foreign_grant.as_str(), (403, "grant_required")),
            ("", (400, "invalid_request")),
        ] {
            let answer = api.call(call(route).key(key).with("x-ae-grant-id", grant)).await;
            assert_eq!(answer.error(), (error.0, error.1.to_owned()), "{}: {grant}", route.id);
        }
        // An access token acts for its one taxpayer (specification 4.4 and 5.2).
        let answer = api.call(call(route).token(&token)).await;
        assert_eq!(answer.error(), (403, "api_key_required".to_owned()), "{}", route.id);
        // Operations that change something have their own tests.
        if route.method != HttpMethod::Get {
            continue;
        }
        let path = route.path.replace("{taxpayer_id}", api.falcon().as_str());
        let endpoint_id = api.demo.webhook_endpoint.endpoint_id.as_str();
        let path = path.replace("{endpoint_id}", endpoint_id).replace("{event_id}", &published);
        let own_grant = api.demo.taxpayers[0].grant_id.clone().unwrap();
        for call in [
            Call::get(&format!("/v1{path}")),
            // The header with a taxpayer is ignored. A named grant must belong to the organization.
            Call::get(&format!("/v1{path}"))
                .with("x-ae-taxpayer-id", "7")
                .with("x-ae-grant-id", own_grant.as_str()),
        ] {
            assert_eq!(api.call(call.key(key)).await.status, 200, "{}", route.id);
        }
        assert!(api.everything().await == before, "{} has changed something", route.id);
    }
}

#[tokio::test]
async fn each_scope_that_an_operation_names_opens_it() {
    let mut api = Api::start().await;
    for (number, route) in for_a_taxpayer().enumerate() {
        api = afresh(api, number).await;
        assert!(!route.any_of.is_empty(), "{} can be called without a scope", route.id);
        for scope in route.any_of {
            let key = api.another_organization(api.falcon(), &[*scope]).await;
            let answer = api.call(call(route).key(&key).taxpayer(api.falcon())).await;
            assert_ne!(answer.status.as_u16(), 403, "{} with {scope:?}", route.id);
            assert_ne!(answer.status.as_u16(), 401, "{} with {scope:?}", route.id);
        }
    }
}

#[tokio::test]
async fn the_grant_that_is_named_opens_what_it_covers() {
    let api = Api::start().await;
    let grant = api.demo.taxpayers[0].grant_id.clone().unwrap();
    for route in for_a_taxpayer() {
        let call = call(route).key(&api.demo.api_keys.sandbox).taxpayer(api.falcon());
        let answer = api.call(call.with("x-ae-grant-id", grant.as_str())).await;
        assert!(![401, 403].contains(&answer.status.as_u16()), "{}: {answer:?}", route.id);
    }
}

#[tokio::test]
async fn every_operation_refuses_queries_that_it_does_not_take() {
    let api = Api::start().await;
    for route in ROUTES {
        let before = api.everything().await;
        for query in ["dry=1", "Limit=1", "x-ae-taxpayer-id=txpay_1", "=", "a[]=1"] {
            let answer = api.as_falcon(call(route).query(query)).await;
            assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{}", route.id);
            let name = query.split('=').next().unwrap();
            assert!(answer.message().contains(&format!("{name:?}")), "{}", answer.message());
        }
        assert!(api.everything().await == before, "{} has changed something", route.id);
    }
}

#[tokio::test]
async fn an_operation_says_of_what_it_refuses_queries_without_and_of_nothing_else_that_it_is_required()
 {
    let api = Api::start().await;
    for route in ROUTES.into_iter().filter(|route| !route.query.is_empty()) {
        let answer = api.as_falcon(call(route)).await;
        let is_required = |parameter: &&Parameter| parameter.required;
        match route.query.iter().find(is_required) {
            Some(parameter) => {
                assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{}", route.id);
                let missing = format!("The query parameter {} is missing", parameter.name);
                assert!(answer.message().contains(&missing), "{}", answer.message());
            }
            None => assert_ne!(answer.status, 400, "{}: {answer:?}", route.id),
        }
        let all = route.query.iter().filter(is_required);
        let all = all.map(|parameter| format!("{}=2026-01-01", parameter.name));
        let all = all.collect::<Vec<_>>();
        for left_out in &all {
            let others = all.iter().filter(|other| *other != left_out).map(String::as_str);
            let query = others.collect::<Vec<_>>().join("&");
            let answer = api.as_falcon(call(route).query(&query)).await;
            assert_eq!(answer.status, 400, "{} without {left_out}", route.id);
        }
        let answer = api.as_falcon(call(route).query(&all.join("&"))).await;
        assert_ne!(answer.status, 400, "{}: {answer:?}", route.id);
    }
}

/// Every operation is in such a test. [`ROUTES`] are covered by their kind. The OAuth endpoints and the billing
/// provider's endpoint, whose callers authenticate differently, have their own.
#[test]
fn every_operation_of_the_document_is_in_a_sweep() {
    let document = openapi::document();
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let documented: BTreeSet<&str> =
        operations.filter_map(|operation| operation["operationId"].as_str()).collect();
    let anybody = ROUTES.into_iter().filter(|route| route.acts_for == ActsFor::Either);
    let swept = for_a_taxpayer().chain(own()).chain(anybody).map(|route| route.id);
    let swept: BTreeSet<&str> =
        swept.chain(["exchange_token", "revoke_token", "take_billing_event"]).collect();
    assert_eq!(documented, swept);
}

#[tokio::test]
async fn what_anybody_may_ask_needs_a_credential_that_works_and_no_more() {
    let api = Api::start().await;
    let (revoked, _) = api.organization_with(KeyStatus::Revoked, GrantStatus::Active).await;
    let key = &api.demo.api_keys.sandbox;
    let token = api.token(api.falcon(), &Scope::ALL).await;
    let tokens = no_tokens(&api, &Call::get("/v1/me")).await;
    for route in ROUTES.into_iter().filter(|route| route.acts_for == ActsFor::Either) {
        let before = api.everything().await;
        for (what, call) in no_credentials(key, &revoked, &call(route)) {
            let answer = api.call(call).await;
            assert_eq!(answer.error(), (401, "unauthorized".to_owned()), "{}: {what}", route.id);
        }
        for (what, call) in &tokens {
            let answer = api.call(self::call(route).and(call)).await;
            assert_eq!(answer.error(), (401, "invalid_token".to_owned()), "{}: {what}", route.id);
        }
        assert_eq!(api.call(call(route).key(key)).await.status, 200, "{}", route.id);
        assert_eq!(api.call(call(route).token(&token)).await.status, 200, "{}", route.id);
        assert!(api.everything().await == before, "{} has changed something", route.id);
    }
}

#[test]
fn every_declared_operation_is_distinguished_from_the_others() {
    let mut ids: Vec<&str> = ROUTES.into_iter().map(|route| route.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), ROUTES.len());
    for route in ROUTES {
        assert!(!route.summary.is_empty() && !route.answers.is_empty(), "{}", route.id);
        let errors = route.errors();
        let different: HashSet<_> = errors.iter().collect();
        assert_eq!(different.len(), errors.len(), "{} lists an error that is implied", route.id);
    }
}
