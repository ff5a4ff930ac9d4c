//! An organization's own affairs over the API.

use serde_json::{Value, json};

use super::{Answer, Api, Call};
use crate::{
    access::{By, GrantStatus, KeyStatus, Scope, TaxpayerStatus},
    service::grants,
    types::Mode,
};

async fn get(api: &Api, key: &str, path: &str) -> Answer {
    api.call(Call::get(path).key(key)).await
}

fn ids(page: &Value, name: &str) -> Vec<String> {
    let items = page["items"].as_array().unwrap().iter();
    items.map(|item| item[name].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_key_finds_out_whose_it_is() {
    let api = Api::start().await;
    let key = &api.demo.api_keys.sandbox;
    let me = get(&api, key, "/v1/me").await.json();
    assert_eq!(me["environment"], "sandbox");
    assert_eq!(me["organization_id"], api.demo.organization_id.as_str());
    assert_eq!(me["credential"]["kind"], "api_key");
    assert!(me["credential"]["id"].as_str().unwrap().starts_with("key_"));
    assert!(!me.to_string().contains(key.as_str()));
    assert_eq!(get(&api, &api.demo.api_keys.live, "/v1/me").await.json()["environment"], "live");
}

#[tokio::test]
async fn connected_taxpayers_are_listed_whatever_their_status_and_no_others() {
    let api = Api::start().await;
    let key = &api.demo.api_keys.sandbox;
    let page = get(&api, key, "/v1/taxpayers").await.json();
    let mut listed = ids(&page, "taxpayer_id");
    listed.sort();
    let mut connected = [api.falcon().to_string(), api.oasis().to_string()];
    connected.sort();
    assert_eq!(listed, connected, "not the one that granted nothing");
    assert_eq!(page["next_cursor"], Value::Null);

    let (onboarding, another) = api.taxpayer_with_key(TaxpayerStatus::Onboarding).await;
    let page = get(&api, &another, "/v1/taxpayers").await.json();
    assert_eq!(ids(&page, "taxpayer_id"), [onboarding.as_str()]);
    assert_eq!(page["items"][0]["status"], "onboarding");
    for (query, found) in [
        ("status=onboarding", 1),
        ("status=active", 0),
        ("participant_id=0235:1001234501", 0),
        ("participant_id=0235:9999999999", 0),
    ] {
        let page = get(&api, &another, &format!("/v1/taxpayers?{query}")).await.json();
        assert_eq!(page["items"].as_array().unwrap().len(), found, "{query}");
    }
    let falcon = get(&api, key, "/v1/taxpayers?participant_id=0235:1001234501").await.json();
    assert_eq!(ids(&falcon, "taxpayer_id"), [api.falcon().as_str()]);
    for query in ["status=sleeping", "participant_id=1001234501", "cursor=x", "limit=0"] {
        let refused = get(&api, key, &format!("/v1/taxpayers?{query}")).await;
        assert_eq!(refused.error(), (400, "invalid_request".to_owned()), "{query}");
    }
}

#[tokio::test]
async fn details_are_shown_to_who_may_read_them() {
    let api = Api::start().await;
    let path = format!("/v1/taxpayers/{}", api.falcon());
    let reader = api.another_organization(api.falcon(), &[Scope::TaxpayerRead]).await;
    let writer = api.another_organization(api.falcon(), &[Scope::InvoicesWrite]).await;
    let shown = get(&api, &reader, &path).await.json();
    assert_eq!(shown["participant_id"], "0235:1001234501");
    assert_eq!(shown["profile"]["name"], shown["name"]);
    assert_eq!(shown["grants"].as_array().unwrap().len(), 1, "its own alone");
    assert_eq!(shown["connected_at"], shown["grants"][0]["created_at"]);
    let hidden = get(&api, &writer, &path).await.json();
    assert_eq!(json!([hidden["name"], hidden["profile"]]), json!([null, null]));
    // The metadata are its own, so no scope is needed.
    assert_eq!(hidden["metadata"], json!({}));
    assert_eq!(hidden["status"], "active");
    assert_eq!(
        get(&api, &reader, "/v1/taxpayers").await.json()["items"][0]["profile"],
        Value::Null
    );
    for id in [api.pearl().as_str(), "txpay_0", "0235:1001234501", "%00"] {
        let refused = get(&api, &api.demo.api_keys.sandbox, &format!("/v1/taxpayers/{id}")).await;
        assert_eq!(refused.error(), (403, "grant_required".to_owned()), "{id}");
    }
}

#[tokio::test]
async fn a_grant_that_ended_is_among_the_grants_and_its_taxpayer_not_among_the_taxpayers() {
    let api = Api::start().await;
    let (key, grant_id) = api.organization_with(KeyStatus::Active, GrantStatus::Revoked).await;
    let taxpayers = get(&api, &key, "/v1/taxpayers").await.json();
    assert_eq!(taxpayers, json!({"items": [], "next_cursor": null}));
    let grants = get(&api, &key, "/v1/grants").await.json();
    let [grant] = grants["items"].as_array().unwrap().as_slice() else { panic!("{grants}") };
    assert_eq!(grant["grant_id"], grant_id.as_str());
    assert_eq!((&grant["status"], &grant["revoked_by"]), (&json!("revoked"), &json!("operator")));
    assert!(grant["revoked_at"].is_string());
    let none = get(&api, &key, "/v1/grants?status=active").await.json();
    assert_eq!(none["items"], json!([]));
    let refused = get(&api, &key, &format!("/v1/taxpayers/{}", api.falcon())).await;
    assert_eq!(refused.error(), (403, "grant_required".to_owned()));
}

#[tokio::test]
async fn pages_of_grants_and_taxpayers_have_each_once() {
    let api = Api::start().await;
    let (world, ctx) = (&api.world, &api.world.ctx);
    let organization_id = world.organization("Another").await;
    let key = world.api_key(&organization_id).await.reveal().to_owned();
    let (mut taxpayers, mut grants, mut active) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..7 {
        let tin = format!("1{number:09}");
        let taxpayer = api.another_taxpayer(&tin, TaxpayerStatus::Active).await;
        let grant = world.grant_on(&organization_id, &taxpayer, &Scope::ALL).await;
        grants.push(grant.to_string());
        if number % 3 == 0 {
            let by = By::operator();
            grants::revoke(ctx, Mode::Sandbox, &organization_id, &grant, &by).await.unwrap();
        } else {
            taxpayers.push(taxpayer.to_string());
            active.push(grant.to_string());
        }
    }
    let (last_taxpayer, last_grant) = (taxpayers.last().cloned(), active.last().cloned());
    for (path, name, expected) in [
        ("/v1/grants?limit=2", "grant_id", &mut grants),
        ("/v1/grants?limit=2&status=active", "grant_id", &mut active),
        ("/v1/taxpayers?limit=2", "taxpayer_id", &mut taxpayers),
    ] {
        // All were created at one instant, so the identifiers determine the order.
        expected.sort_by(|a, b| b.cmp(a));
        let mut found = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = get(&api, &key, &format!("{path}{cursor}")).await.json();
            let page_ids = ids(&page, name);
            assert!(page_ids.len() <= 2, "{path}");
            found.extend(page_ids);
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(&found, expected, "{path}");
    }
    let one = format!("/v1/grants?taxpayer_id={}", last_taxpayer.unwrap());
    assert_eq!(ids(&get(&api, &key, &one).await.json(), "grant_id"), [last_grant.unwrap()]);
    // A cursor is valid for one list only.
    let page = get(&api, &key, "/v1/grants?limit=2").await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    let foreign = format!("/v1/taxpayers?limit=2&cursor={cursor}");
    assert_eq!(get(&api, &key, &foreign).await.error(), (400, "invalid_request".to_owned()));
}
