//! Webhook endpoints, as organizations make and change them.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Answer, Api, Call};
use crate::access::Scope;

const ENDPOINTS: &str = "/v1/webhook-endpoints";

impl Api {
    async fn own(&self, call: Call) -> Answer {
        self.call(call.key(&self.demo.api_keys.sandbox)).await
    }

    async fn make_endpoint(&self, body: Value) -> Value {
        let answer = self.own(Call::post(ENDPOINTS, body.to_string())).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()
    }
}

#[tokio::test]
async fn an_endpoint_is_made_read_changed_and_deleted() {
    let api = Api::start().await;
    let made = api
        .make_endpoint(json!({
            "url": "http://127.0.0.1:9/other", "event_types": ["document.sent", "document.sent"],
            "taxpayer_ids": [api.falcon().as_str()], "description": "Ours",
        }))
        .await;
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!(made["event_types"], json!(["document.sent"]));
    assert_eq!(json!([made["enabled"], made["version"]]), json!([true, 1]));
    let path = format!("{ENDPOINTS}/{}", made["endpoint_id"].as_str().unwrap());
    let mut expected = made.clone();
    expected.as_object_mut().unwrap().remove("secret");
    assert_eq!(api.own(Call::get(&path)).await.json(), expected, "the secret is not shown again");
    let listed = api.own(Call::get(ENDPOINTS)).await.json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    assert!(listed["items"].as_array().unwrap().contains(&expected));

    let patch = json!({"enabled": false, "description": null, "taxpayer_ids": [], "version": 1});
    let changed = api.own(Call::patch(&path, patch.to_string())).await.json();
    assert_eq!(changed["disabled_reason"], "requested");
    assert_eq!(json!([changed["description"], changed["taxpayer_ids"]]), json!([null, []]));
    let stale = api.own(Call::patch(&path, patch.to_string())).await;
    assert_eq!(stale.error(), (409, "version_conflict".to_owned()));
    let enabled = api.own(Call::patch(&path, r#"{"enabled": true}"#)).await.json();
    assert_eq!(json!([enabled["disabled_reason"], enabled["version"]]), json!([null, 3]));

    let rotate = format!("{path}/rotate-secret");
    let rotated = api.own(Call::new(Method::POST, &rotate)).await.json();
    assert_ne!(rotated["secret"], made["secret"]);
    assert!(rotated["previous_secret_until"].is_string());
    let again = api.own(Call::post(&rotate, r#"{"immediately": true}"#)).await.json();
    assert_eq!(again["previous_secret_until"], Value::Null);

    let deleted = api.own(Call::new(Method::DELETE, &path)).await;
    assert_eq!((deleted.status.as_u16(), deleted.body.len()), (204, 0));
    for call in [Call::get(&path), Call::new(Method::DELETE, &path)] {
        assert_eq!(api.own(call).await.error(), (404, "not_found".to_owned()));
    }
    let trail = api.own(Call::get("/v1/audit-events?action=endpoint.updated")).await.json();
    assert_eq!(trail["items"].as_array().unwrap().len(), 2);
    assert_eq!(trail["items"][0]["subject"], made["endpoint_id"]);
    assert_eq!(trail["items"][0]["actor"]["kind"], "api_key");
}

#[tokio::test]
async fn what_is_wrong_with_an_endpoint_is_said_all_at_once() {
    let api = Api::start().await;
    for (body, places) in [
        (json!({}), &["/url"][..]),
        (json!([]), &[""]),
        (json!({"url": ""}), &["/url"]),
        (json!({"url": "x".repeat(2_049)}), &["/url"]),
        (json!({"url": "ftp://example.com"}), &["/url"]),
        (json!({"url": "http://user:word@127.0.0.1/"}), &["/url"]),
        (json!({"url": 7, "colour": "red"}), &["/colour", "/url"]),
        (
            json!({"url": "http://127.0.0.1:9", "event_types": ["document.sent", "document.gone", 1]}),
            &["/event_types/1", "/event_types/2"],
        ),
        (json!({"url": "http://127.0.0.1:9", "event_types": ["unknown"]}), &["/event_types/0"]),
        (json!({"url": "http://127.0.0.1:9", "taxpayer_ids": "txpay_1"}), &["/taxpayer_ids"]),
        (json!({"url": "http://127.0.0.1:9", "taxpayer_ids": ["7"]}), &["/taxpayer_ids/0"]),
        (json!({"url": "http://127.0.0.1:9", "enabled": "yes"}), &["/enabled"]),
        (json!({"url": "http://127.0.0.1:9", "description": "x".repeat(201)}), &["/description"]),
    ] {
        let answer = api.own(Call::post(ENDPOINTS, body.to_string())).await;
        assert_eq!(answer.error(), (422, "validation_failed".to_owned()), "{body}");
        let errors = answer.json()["detail"]["errors"].clone();
        let found: Vec<_> =
            errors.as_array().unwrap().iter().map(|it| it["pointer"].as_str().unwrap()).collect();
        assert_eq!(found, places, "{body}");
    }
    let garbled = api.own(Call::post(ENDPOINTS, "{")).await;
    assert_eq!(garbled.error(), (400, "malformed_json".to_owned()));
}

#[tokio::test]
async fn an_endpoint_of_another_organization_or_of_the_other_mode_is_not_there() {
    let api = Api::start().await;
    let id = &api.demo.webhook_endpoint.endpoint_id;
    let another = api.another_organization(api.falcon(), &Scope::ALL).await;
    for key in [&another, &api.demo.api_keys.live] {
        for id in [id.as_str(), "we_0", "7", "..%2Fwe_1"] {
            let path = format!("{ENDPOINTS}/{id}");
            for call in [
                Call::get(&path),
                Call::patch(&path, "{}"),
                Call::new(Method::DELETE, &path),
                Call::post(&format!("{path}/rotate-secret"), "{}"),
            ] {
                let answer = api.call(call.key(key)).await;
                assert_eq!(answer.error(), (404, "not_found".to_owned()), "{id}");
            }
        }
    }
}
