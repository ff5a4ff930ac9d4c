//! The billing provider's callback over HTTP.

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::{
    api::BASES,
    service::Subscribing,
    testing::World,
    types::SeededRandom,
    webhook::{Secret, signature},
};

struct Callback {
    world: World,
    router: Router,
    secret: Secret,
}

impl Callback {
    async fn new() -> Self {
        let world = World::unconnected().await;
        let secret = Secret::new(&SeededRandom::new(9));
        let subscribing = Subscribing { ctx: world.ctx.clone(), secrets: [secret.clone()].into() };
        Callback { router: crate::api::billing(subscribing), world, secret }
    }

    fn request(&self, path: &str, id: &str, body: String) -> Request<Body> {
        let now = self.world.now();
        let signed = signature(std::slice::from_ref(&self.secret), id, now, body.as_bytes());
        Request::post(path)
            .header("webhook-id", id)
            .header("webhook-timestamp", now.as_second())
            .header("webhook-signature", signed)
            .body(body.into())
            .unwrap()
    }

    async fn call(&self, request: Request<Body>) -> (StatusCode, Value, String) {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let challenge = answer.headers().get("www-authenticate");
        let challenge = challenge.map_or("", |value| value.to_str().unwrap()).to_owned();
        assert!(answer.headers().contains_key("x-request-id"));
        let status = answer.status();
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let code = serde_json::from_slice(&body).map_or(Value::Null, |body: Value| {
            assert!(body["detail"]["message"].is_string(), "{body}");
            body["detail"]["code"].clone()
        });
        (status, code, challenge)
    }
}

#[tokio::test]
async fn an_event_is_taken_under_every_base_address_with_nothing_to_say() {
    let callback = Callback::new().await;
    let id = callback.world.organization("Integrator").await;
    for (number, base) in BASES.into_iter().enumerate() {
        let event = json!({"type": "subscription.updated", "data": {
            "organization_id": id, "status": "active", "seats": number, "updated_at": "2026-11-20T07:00:00Z",
        }});
        let path = format!("{base}/billing/events");
        let request = callback.request(&path, &format!("msg_{number}"), event.to_string());
        let (status, code, _) = callback.call(request).await;
        assert_eq!((status, code), (StatusCode::NO_CONTENT, Value::Null), "{base}");
    }
    let known = callback.world.ctx.store.get_subscription(&id).await.unwrap().unwrap();
    assert_eq!((known.active, known.seats), (true, Some(2)));
}

#[tokio::test]
async fn what_is_no_event_of_the_provider_is_refused_in_the_shape_of_every_error() {
    let callback = Callback::new().await;
    let path = "/v1/billing/events";
    let unsigned = Request::post(path).body("{}".into()).unwrap();
    let (status, code, challenge) = callback.call(unsigned).await;
    assert_eq!((status.as_u16(), code), (401, json!("invalid_signature")));
    assert_eq!(challenge, "Webhook-Signature");
    let mut doubled = callback.request(path, "msg_1", "{}".to_owned());
    doubled.headers_mut().append("webhook-id", "msg_2".parse().unwrap());
    assert_eq!(callback.call(doubled).await.1, "invalid_signature");
    for (body, status, code) in [
        ("not JSON".to_owned(), 400, "malformed_json"),
        (r#"{"type": "subscription.updated", "data": {}}"#.to_owned(), 400, "invalid_request"),
        (" ".repeat(64 * 1024 + 1), 413, "payload_too_large"),
    ] {
        let (found, error, _) = callback.call(callback.request(path, "msg_1", body)).await;
        assert_eq!((found.as_u16(), error), (status, json!(code)));
    }
    let get = Request::get(path).body(Body::empty()).unwrap();
    assert_eq!(callback.call(get).await.0, StatusCode::METHOD_NOT_ALLOWED);
    let elsewhere = callback.request("/v1/billing", "msg_1", "{}".to_owned());
    assert_eq!(callback.call(elsewhere).await.1, "not_found");
}
