//! Webhook endpoints over the API.

use axum::http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{Answer, Api, Call, invoice};
use crate::{
    access::{Actor, By, Origin, PresentedKey, Role, Scope},
    service::{deliver, organizations},
    types::Mode,
    webhook::receiver::{Behaviour, Receiver},
};

const ENDPOINTS: &str = "/v1/webhook-endpoints";

impl Api {
    pub(super) async fn own(&self, call: Call) -> Answer {
        self.call(call.key(&self.demo.api_keys.sandbox)).await
    }

    /// Makes every queued attempt.
    pub(super) async fn deliver(&self) {
        for message in self.world.cloud.receive("deliver") {
            let delivering = self.world.healthy().delivering;
            let made =
                tokio::spawn(async move { deliver::deliver(&delivering, &message.read()).await });
            made.await.unwrap().unwrap();
        }
    }

    /// An API key that was created by a member with this role.
    async fn key_made_by(&self, role: Role) -> PresentedKey {
        let (world, id) = (&self.world, &self.demo.organization_id);
        let email = format!("{}@books.example", role.as_str()).parse().unwrap();
        let member = world.member(id, email, role).await;
        let by = By { actor: Actor::Member(member.member_id), origin: Origin::default() };
        organizations::create_key(&world.ctx, Mode::Sandbox, id, "Test", &by).await.unwrap().0
    }

    pub(super) async fn make_endpoint(&self, body: Value) -> Value {
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
    // Clients that send a Content-Type with every POST may omit the body as well.
    let empty = api.own(Call::post(&rotate, "")).await.json();
    assert!(empty["previous_secret_until"].is_string(), "{empty}");

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

#[tokio::test]
async fn what_was_published_is_listed_with_its_deliveries_and_attempts() {
    let receiver = Receiver::start(Behaviour::status("503 Busy", "", "come \u{fe} later")).await;
    let api = Api::start().await;
    let made = api.make_endpoint(json!({"url": receiver.url})).await;
    let endpoint_id = made["endpoint_id"].as_str().unwrap();
    let sent = api.as_falcon(Call::post("/v1/invoices", invoice().to_string())).await;
    let document_id = sent.json()["document_id"].as_str().unwrap().to_owned();
    api.stream().await;
    api.deliver().await;

    let page = api.own(Call::get("/v1/events?type=document.sent")).await.json();
    let [event] = page["items"].as_array().unwrap().as_slice() else { panic!("{page}") };
    let event_id = event["event_id"].as_str().unwrap();
    assert_eq!(event["payload"]["id"], event["event_id"]);
    assert_eq!(event["document_id"], document_id.as_str());
    assert_eq!(event["taxpayer_id"], api.falcon().as_str());
    assert_eq!(event["test"], false);
    let event_path = format!("/v1/events/{event_id}");
    assert_eq!(api.own(Call::get(&event_path)).await.json(), *event);

    let deliveries = api.own(Call::get(&format!("{event_path}/deliveries"))).await.json();
    assert_eq!(deliveries["items"].as_array().unwrap().len(), 2, "{deliveries}");
    let path = format!("{event_path}/deliveries/{endpoint_id}");
    let one = api.own(Call::get(&path)).await.json();
    assert_eq!(json!([one["status"], one["attempt_count"]]), json!(["failing", 1]));
    assert_eq!(one["type"], "document.sent");
    let [attempt] = one["attempts"].as_array().unwrap().as_slice() else { panic!("{one}") };
    assert_eq!(attempt["status"], 503);
    assert_eq!(attempt["request"]["headers"]["webhook-id"], event_id);
    let received = receiver.received();
    let sent = received.iter().find(|it| it.header("webhook-id") == Some(event_id)).unwrap();
    assert_eq!(attempt["request"]["body"].as_str().unwrap().as_bytes(), sent.body);
    let answer = json!({"body": "come \u{fe} later", "truncated": false});
    assert_eq!(attempt["answer"], answer);
    // Only owners, and keys that an owner created, see the responses of endpoints.
    for (role, shown) in [(Role::Owner, answer), (Role::Developer, Value::Null)] {
        let key = api.key_made_by(role).await;
        let one = api.call(Call::get(&path).key(key.reveal())).await.json();
        assert_eq!(one["attempts"][0]["status"], 503, "{one}");
        assert_eq!(one["attempts"][0]["answer"], shown, "{role:?}");
    }
    assert!(one["next_attempt_at"].is_string() && one["last_error"].is_string());

    let listed = async |status: &str| {
        let path = format!("{ENDPOINTS}/{endpoint_id}/deliveries?status={status}");
        api.own(Call::get(&path)).await.json()["items"].as_array().unwrap().len()
    };
    for (status, found) in [("failing", 2), ("failed", 0), ("delivered", 0), ("pending", 0)] {
        assert_eq!(listed(status).await, found, "{status}");
    }
    for (query, found) in [
        (format!("document_id={document_id}"), true),
        ("document_id=doc_0".to_owned(), false),
        (format!("taxpayer_id={}", api.falcon()), true),
        (format!("taxpayer_id={}", api.oasis()), false),
        ("created_to=2026-11-20T07:59:59Z".to_owned(), false),
        ("created_from=2026-11-20T08:00:00Z".to_owned(), true),
        ("created_from=2026-11-20T09:00:00Z".to_owned(), false),
        ("type=document.reported".to_owned(), false),
    ] {
        let page = api.own(Call::get(&format!("/v1/events?{query}"))).await.json();
        let ids =
            page["items"].as_array().unwrap().iter().map(|it| it["event_id"].as_str().unwrap());
        assert_eq!(ids.into_iter().any(|id| id == event_id), found, "{query}");
    }
    // Another organization received no event. The responses of an endpoint are visible to its owner only.
    let another = api.another_organization(api.pearl(), &Scope::ALL).await;
    for path in [&event_path, &format!("{event_path}/deliveries"), &path] {
        assert_eq!(api.call(Call::get(path).key(&another)).await.status, 404, "{path}");
    }
    assert_eq!(api.call(Call::get("/v1/events").key(&another)).await.json()["items"], json!([]));
}

#[tokio::test]
async fn events_are_paged_newest_first_and_end_after_30_days() {
    let api = Api::start().await;
    for number in ["E-1", "E-2", "E-3"] {
        let mut body = invoice();
        body["invoice_number"] = json!(number);
        let sent = api.as_falcon(Call::post("/v1/invoices", body.to_string())).await;
        assert_eq!(sent.status, 201, "{sent:?}");
        api.world.clock.advance(SignedDuration::from_secs(1));
    }
    api.stream().await;
    let (mut path, mut found) = ("/v1/events?type=document.sent&limit=1".to_owned(), Vec::new());
    loop {
        let page = api.own(Call::get(&path)).await.json();
        for event in page["items"].as_array().unwrap() {
            found.push(event["payload"]["data"]["number"].as_str().unwrap().to_owned());
        }
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/v1/events?type=document.sent&limit=1&cursor={cursor}");
    }
    assert_eq!(found, ["E-3", "E-2", "E-1"]);
    api.world.clock.advance(SignedDuration::from_hours(30 * 24));
    assert_eq!(api.own(Call::get("/v1/events")).await.json()["items"], json!([]));
}

#[tokio::test]
async fn a_test_event_is_sent_and_sent_again_and_what_is_asked_wrongly_is_refused() {
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let api = Api::start().await;
    let made = api.make_endpoint(json!({"url": receiver.url})).await;
    let path = format!("{ENDPOINTS}/{}", made["endpoint_id"].as_str().unwrap());
    let test = format!("{path}/test");
    let body = json!({"event_type": "document.reported", "outcome": "rejected"}).to_string();
    let due = api.own(Call::post(&test, body.clone())).await;
    assert_eq!((due.status.as_u16(), due.json()["status"].clone()), (202, json!("pending")));
    let event_id = due.json()["event_id"].as_str().unwrap().to_owned();
    api.stream().await;
    api.deliver().await;
    let event = api.own(Call::get(&format!("/v1/events/{event_id}"))).await.json();
    assert_eq!(json!([event["test"], event["payload"]["test"]]), json!([true, true]));
    assert_eq!(event["payload"]["data"]["report"]["outcome"], "NOT_COMPLIANT");

    let retry =
        format!("/v1/events/{event_id}/deliveries/{}/retry", made["endpoint_id"].as_str().unwrap());
    let taken = api.own(Call::new(Method::POST, &retry)).await;
    assert_eq!(taken.error(), (409, "already_delivered".to_owned()));
    let again = api.own(Call::post(&retry, r#"{"include_delivered": true}"#)).await;
    assert_eq!(again.json()["status"], "pending");
    receiver.behave(Behaviour::status("400 Bad Request", "", ""));
    api.stream().await;
    api.deliver().await;
    let failed = format!("{path}/retry-failed");
    let since = json!({"since": "2026-11-20T00:00:00Z"}).to_string();
    let retried = api.own(Call::post(&failed, since)).await;
    assert_eq!(retried.json(), json!({"retried": 1, "next_cursor": null}));

    for (path, body, pointer) in [
        (&test, json!({}), "/event_type"),
        (&test, json!({"event_type": "document.gone"}), "/event_type"),
        (&test, json!({"event_type": "document.sent", "outcome": "failed"}), "/outcome"),
        (&test, json!({"event_type": "document.reported", "outcome": "maybe"}), "/outcome"),
        (&failed, json!({}), "/since"),
        (&failed, json!({"since": "yesterday"}), "/since"),
        (&retry, json!({"include_delivered": 1}), "/include_delivered"),
    ] {
        let answer = api.own(Call::post(path, body.to_string())).await;
        assert_eq!(answer.error(), (422, "validation_failed".to_owned()), "{body}");
        assert_eq!(answer.json()["detail"]["errors"][0]["pointer"], pointer, "{body}");
    }
    let cursor = json!({"since": "2026-11-20T00:00:00Z", "cursor": "x"}).to_string();
    assert_eq!(api.own(Call::post(&failed, cursor)).await.error().0, 400);
    api.own(Call::patch(&path, r#"{"enabled": false}"#)).await;
    for call in [Call::post(&test, body.clone()), Call::new(Method::POST, &retry)] {
        assert_eq!(api.own(call).await.error(), (409, "endpoint_disabled".to_owned()));
    }
    // Live has its own endpoints, and simulates no reports.
    let live = &api.demo.api_keys.live;
    let wanted = json!({"url": receiver.url}).to_string();
    let made = api.call(Call::post(ENDPOINTS, wanted).key(live)).await.json();
    let test = format!("{ENDPOINTS}/{}/test", made["endpoint_id"].as_str().unwrap());
    let refused = api.call(Call::post(&test, body).key(live)).await;
    assert_eq!(refused.error(), (422, "validation_failed".to_owned()));
}
