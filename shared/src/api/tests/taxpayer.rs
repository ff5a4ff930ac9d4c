//! The taxpayer of a request, revoked grants, and the audit trail over the API.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Answer, Api, Call};
use crate::{
    access::{Origin, Scope},
    i18n::Language,
    service::taxpayers::{self, OwnSettings},
    types::{Mode, TaxpayerId},
};

async fn patch(api: &Api, key: &str, on: &TaxpayerId, body: Value) -> Answer {
    api.call(Call::patch("/v1/taxpayer", body.to_string()).key(key).taxpayer(on)).await
}

async fn get(api: &Api, key: &str, on: &TaxpayerId) -> Answer {
    api.call(Call::get("/v1/taxpayer").key(key).taxpayer(on)).await
}

#[tokio::test]
async fn one_organization_neither_sees_nor_changes_the_metadata_of_another_and_both_the_settings() {
    let api = Api::start().await;
    let key = api.demo.api_keys.sandbox.clone();
    let other = api.another_organization(api.falcon(), &Scope::ALL).await;
    let wish = json!({"metadata": {"erp": "7"}, "settings": {"language": "ar"}});
    let changed = patch(&api, &key, api.falcon(), wish).await.json();
    assert_eq!(changed["metadata"], json!({"erp": "7"}));
    let settings = json!({"language": "ar", "mls_to": null, "notification_email": null});
    assert_eq!(changed["settings"], settings);
    let theirs = get(&api, &other, api.falcon()).await.json();
    assert_eq!((&theirs["metadata"], &theirs["settings"]), (&json!({}), &settings));
    patch(&api, &other, api.falcon(), json!({"metadata": null})).await;
    let mine = get(&api, &key, api.falcon()).await.json();
    assert_eq!(mine["metadata"], json!({"erp": "7"}));
    assert_eq!(mine["profile"]["name"], "Falcon Trading LLC");
    assert_eq!(mine, changed);
    // Only in the lists of its own organization.
    let list = api.call(Call::get("/v1/taxpayers").key(&key)).await.json();
    let items = list["items"].as_array().unwrap();
    let falcon = items.iter().find(|item| item["taxpayer_id"] == api.falcon().as_str()).unwrap();
    assert_eq!((&falcon["metadata"], &falcon["settings"]), (&json!({"erp": "7"}), &Value::Null));
    let path = format!("/v1/taxpayers/{}", api.falcon());
    let one = api.call(Call::get(&path).key(&other)).await.json();
    assert_eq!(one["metadata"], json!({}));
}

#[tokio::test]
async fn bodies_that_are_no_documents_are_read_as_documents_are() {
    let api = Api::start().await;
    let card =
        |names: &str| format!(r#"{{"entities": [{{"names": {names}, "country_code": "AE"}}]}}"#);
    let name = r#"[{"name": "Falcon"}]"#;
    let endpoint = r#""url": "http://127.0.0.1:9/ledger""#;
    for (call, good, twice, unknown, meant) in [
        (
            Call::patch("/v1/taxpayer", ""),
            r#"{"metadata": {}}"#.to_owned(),
            r#"{"metadata": {"a": "1", "a": "2"}}"#.to_owned(),
            r#"{"setings": {}}"#.to_owned(),
            "settings",
        ),
        (
            Call::put("/v1/taxpayer/business-card", ""),
            card(name),
            card(r#"[{"name": "Falcon", "name": "Eagle"}]"#),
            card(r#"[{"name": "Falcon", "langage": "en"}]"#),
            "language",
        ),
        (
            Call::post("/v1/webhook-endpoints", ""),
            format!("{{{endpoint}}}"),
            format!("{{{endpoint}, {endpoint}}}"),
            format!("{{{endpoint}, \"events\": []}}"),
            "event_types",
        ),
    ] {
        let of = |body: &str| api.as_falcon(Call { body: body.into(), ..call.clone() });
        // RFC 8259, section 8.1.
        let marked = of(&format!("\u{feff}{good}")).await;
        assert!(marked.status.is_success(), "{marked:?}");
        let answer = of(&twice).await;
        assert_eq!(answer.error(), (400, "malformed_json".to_owned()), "{twice}");
        let message = answer.message();
        assert!(message.starts_with("The body is not JSON: the name"), "{message}");
        assert!(message.contains("appears twice"), "{message}");
        let answer = of(&unknown).await;
        assert_eq!(answer.error(), (422, "validation_failed".to_owned()), "{unknown}");
        let error = &answer.json()["detail"]["errors"][0];
        assert_eq!(error["rule"], "AP-JSON-unknown-field", "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.ends_with(&format!("did you mean `{meant}`?")), "{message}");
    }
}

#[tokio::test]
async fn who_may_write_and_not_read_details_changes_settings_and_is_shown_none() {
    let api = Api::start().await;
    let key = api.another_organization(api.falcon(), &[Scope::InvoicesWrite]).await;
    let wish = json!({"settings": {"mls_to": "0242:000306"}, "metadata": {"k": "v"}});
    let answer = patch(&api, &key, api.falcon(), wish).await.json();
    assert_eq!(answer["metadata"], json!({"k": "v"}));
    for hidden in ["settings", "profile", "name"] {
        assert_eq!(answer[hidden], Value::Null, "{hidden}");
    }
    assert_eq!(get(&api, &key, api.falcon()).await.error().1, "insufficient_scope");
    let shown = get(&api, &api.demo.api_keys.sandbox, api.falcon()).await.json();
    assert_eq!(shown["settings"]["mls_to"], "0242:000306");
}

/// Notices warn a taxpayer about applications, so an application must not redirect them.
#[tokio::test]
async fn no_application_leads_the_notices_to_the_taxpayer_elsewhere() {
    let api = Api::start().await;
    let id = api.falcon().clone();
    let set = OwnSettings {
        language: Language::English,
        notification_email: Some("it@falcon.example".to_owned()),
    };
    let (ctx, origin) = (&api.world.ctx, Origin::default());
    taxpayers::set(ctx, Mode::Sandbox, &id, &set, &origin).await.unwrap();
    let key = api.demo.api_keys.sandbox.clone();
    let before = api.everything().await;
    for email in [json!("evil@evil.example"), json!("it@falcon.example"), json!(null), json!(1)] {
        let wish = json!({"settings": {"language": "ar", "notification_email": email}});
        let refused = patch(&api, &key, &id, wish).await;
        assert_eq!(refused.error(), (422, "validation_failed".to_owned()), "{email}");
        let error = refused.json()["detail"]["errors"][0].clone();
        assert_eq!(error["pointer"], "/settings/notification_email");
        assert_eq!(error["rule"], "AP-SETTINGS-owner");
        assert!(error["message"].as_str().unwrap().contains("page Settings"), "{error}");
    }
    assert!(api.everything().await == before);
    // A reset of the settings to their defaults leaves the address unchanged.
    let reset = patch(&api, &key, &id, json!({"settings": null})).await.json();
    assert_eq!(reset["settings"]["notification_email"], "it@falcon.example");
}

#[tokio::test]
async fn a_patch_is_json_or_a_merge_patch_and_every_mistake_has_its_place() {
    let api = Api::start().await;
    let key = api.demo.api_keys.sandbox.clone();
    let send = async |media_type: &str, body: &str| {
        let call = Call::patch("/v1/taxpayer", body).key(&key).taxpayer(api.falcon());
        api.call(call.without("content-type").with("content-type", media_type)).await
    };
    assert_eq!(send("application/merge-patch+json", "{}").await.status, 200);
    assert_eq!(send("text/plain", "{}").await.error().0, 415);
    assert_eq!(send("application/json", "{").await.error().1, "malformed_json");
    let before = api.everything().await;
    let wrong = r#"{"status": "suspended", "settings": {"mls_to": "0235:1"}}"#;
    let refused = send("application/json", wrong).await;
    assert_eq!(refused.error(), (422, "validation_failed".to_owned()));
    let errors = refused.json()["detail"]["errors"].clone();
    let pointers: Vec<_> =
        errors.as_array().unwrap().iter().map(|e| e["pointer"].clone()).collect();
    assert_eq!(pointers, ["/settings/mls_to", "/status"]);
    assert!(api.everything().await == before);
}

#[tokio::test]
async fn a_grant_that_its_organization_revokes_ends_at_once_and_is_answered_again_and_again() {
    let api = Api::start().await;
    let key = api.demo.api_keys.sandbox.clone();
    let grant = api.demo.taxpayers[0].grant_id.clone().unwrap();
    let delete = |id: &str, key: &str| {
        let path = format!("/api/v1/grants/{id}");
        api.call(Call::new(axum::http::Method::DELETE, &path).key(key))
    };
    let stranger = api.another_organization(api.falcon(), &Scope::ALL).await;
    for (id, key) in [(grant.as_str(), &stranger), ("tgr_0", &key), ("org_1", &key), ("%20", &key)]
    {
        assert_eq!(delete(id, key).await.error(), (404, "not_found".to_owned()), "{id}");
    }
    let first = delete(grant.as_str(), &key).await;
    assert_eq!(first.status, 200);
    let first = first.json();
    assert_eq!(
        (&first["status"], &first["revoked_by"]),
        (&json!("revoked"), &json!("organization"))
    );
    assert_eq!(delete(grant.as_str(), &key).await.json(), first);
    assert_eq!(get(&api, &key, api.falcon()).await.error(), (403, "grant_required".to_owned()));
    let events = api.world.events().await;
    let ended = events.iter().filter(|event| event.event_type.as_str() == "taxpayer.deleted");
    assert_eq!(ended.count(), 1);
}

#[tokio::test]
async fn the_audit_trail_tells_an_organization_what_was_done_and_nothing_of_others() {
    let api = Api::start().await;
    let key = api.demo.api_keys.sandbox.clone();
    let stranger = api.another_organization(api.falcon(), &Scope::ALL).await;
    api.world.clock.advance(jiff::SignedDuration::from_secs(60));
    let since = api.world.now();
    patch(&api, &key, api.falcon(), json!({"metadata": {"k": "a secret of mine"}})).await;
    let grant = api.demo.taxpayers[0].grant_id.clone().unwrap();
    let path = format!("/v1/grants/{grant}");
    api.call(Call::new(axum::http::Method::DELETE, &path).key(&key)).await;
    let list = async |key: &str, query: &str| {
        let answer = api.call(Call::get("/v1/audit-events").query(query).key(key)).await;
        assert_eq!(answer.status, 200);
        answer.json()
    };
    let all = list(&key, "").await;
    assert!(!all.to_string().contains("secret") && !all.to_string().contains(&key));
    let actions = |page: &Value| {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|item| item["action"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut newest = actions(&list(&key, &format!("created_from={since}")).await);
    newest.sort();
    assert_eq!(newest, ["grant.revoked", "taxpayer.updated"]);
    let before = since - jiff::SignedDuration::from_millis(1);
    let older = list(&key, &format!("created_to={before}")).await;
    assert_eq!(actions(&older).len(), actions(&all).len() - 2);
    let [revoked] = list(&key, "action=grant.revoked").await["items"]
        .as_array()
        .unwrap()
        .clone()
        .try_into()
        .unwrap();
    assert_eq!(revoked["subject"], grant.as_str());
    assert_eq!(revoked["actor"]["kind"], "api_key");
    assert!(revoked["actor"]["id"].as_str().unwrap().starts_with("key_"));
    assert!(revoked["request_id"].is_string());
    let theirs = list(&stranger, "").await;
    assert!(!theirs.to_string().contains(grant.as_str()));
    // Page by page.
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = list(&key, &format!("limit=2{cursor}")).await;
        found.extend(actions(&page));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(found, actions(&all));
    let wrong = api.call(Call::get("/v1/audit-events").query("action=x").key(&key)).await;
    assert_eq!(wrong.error(), (400, "invalid_request".to_owned()));
}

/// RFC 9110, section 15.5.6: "The origin server MUST generate an Allow header field in a 405 response".
#[tokio::test]
async fn a_method_that_a_path_has_in_no_function_is_405_and_names_those_that_it_has() {
    let api = Api::start().await;
    let document = crate::api::openapi::document();
    for (path, item) in document["paths"].as_object().unwrap() {
        let known = item.as_object().unwrap();
        let mut allowed = BTreeSet::new();
        for method in ["get", "put", "post", "delete", "patch"] {
            if known.contains_key(method) {
                allowed.insert(method.to_uppercase());
            }
        }
        if allowed.contains("GET") {
            allowed.insert("HEAD".to_owned());
        }
        let path = format!("/v1{path}").replace(['{', '}'], "");
        for method in ["GET", "PUT", "POST", "DELETE", "PATCH"].map(str::to_owned) {
            if allowed.contains(&method) {
                continue;
            }
            let answer = api.call(Call::new(method.parse().unwrap(), &path)).await;
            assert_eq!(answer.error(), (405, "method_not_allowed".to_owned()), "{method} {path}");
            let listed: BTreeSet<_> =
                answer.header("allow").split(',').map(str::to_owned).collect();
            assert_eq!(listed, allowed, "{method} {path}");
        }
    }
}
