//! The router in this process, over the real store: what callers see.

mod authorization;
mod documents;
mod errors;
mod sends;

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::{
    access::{Scope, Taxpayer, TaxpayerStatus},
    service::demo::Demo,
    testing::World,
    types::{Mode, ParticipantId, TaxpayerId},
};

/// A deployment with demo data and its router.
pub(super) struct Api {
    pub(super) world: World,
    pub(super) demo: Demo,
    router: Router,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Status and code of an error, after a check of what every error has.
    pub(super) fn error(&self) -> (u16, String) {
        let json = self.json();
        let detail = &json["detail"];
        assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
        assert_eq!(detail.as_object().unwrap().len(), 5, "{json}");
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(self.header("x-request-id"), detail["request_id"].as_str().unwrap());
        assert!(detail["errors"].is_array() && !detail["message"].as_str().unwrap().is_empty());
        (self.status.as_u16(), detail["code"].as_str().unwrap().to_owned())
    }

    pub(super) fn message(&self) -> String {
        self.json()["detail"]["message"].as_str().unwrap().to_owned()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next().unwrap_or_else(|| panic!("no {name} in {self:?}"));
        assert!(values.next().is_none(), "{name} is there twice");
        value.to_str().unwrap()
    }
}

/// A request in the making.
#[derive(Clone)]
pub(super) struct Call {
    method: Method,
    path: String,
    headers: Vec<(&'static str, Vec<u8>)>,
    body: Vec<u8>,
}

impl Call {
    pub(super) fn new(method: Method, path: &str) -> Self {
        Call { method, path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    pub(super) fn get(path: &str) -> Self {
        Call::new(Method::GET, path)
    }

    /// A POST with a JSON body.
    pub(super) fn post(path: &str, body: impl Into<Vec<u8>>) -> Self {
        Call { body: body.into(), ..Call::new(Method::POST, path) }
            .with("content-type", "application/json")
    }

    /// Adds a header, beside those of the same name.
    pub(super) fn with(mut self, name: &'static str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name, value.as_ref().to_vec()));
        self
    }

    /// Takes a header out.
    pub(super) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(header, _)| *header != name);
        self
    }

    pub(super) fn key(self, key: &str) -> Self {
        self.without("authorization").with("authorization", format!("Api-Key {key}"))
    }

    pub(super) fn taxpayer(self, id: &TaxpayerId) -> Self {
        self.without("x-ae-taxpayer-id").with("x-ae-taxpayer-id", id.as_str())
    }
}

impl Api {
    pub(super) async fn start() -> Self {
        let (world, demo) = World::with_demo("http://127.0.0.1:9/hook").await;
        let router = super::router(Arc::new(world.serving()));
        Api { world, demo, router }
    }

    pub(super) async fn call(&self, call: Call) -> Answer {
        let mut request = Request::builder().method(call.method).uri(call.path);
        for (name, value) in call.headers {
            request = request.header(name, value);
        }
        let request = request.body(Body::from(call.body)).unwrap();
        let (head, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let answer = Answer { status: head.status, headers: head.headers, body };
        // What every answer has.
        assert!(!answer.header("x-request-id").is_empty());
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        answer
    }

    /// The call with the credentials of Falcon.
    pub(super) async fn as_falcon(&self, call: Call) -> Answer {
        let call = call.key(&self.demo.api_keys.sandbox).taxpayer(self.falcon());
        self.call(call).await
    }

    pub(super) fn falcon(&self) -> &TaxpayerId {
        &self.demo.taxpayers[0].taxpayer_id
    }

    pub(super) fn oasis(&self) -> &TaxpayerId {
        &self.demo.taxpayers[1].taxpayer_id
    }

    /// A taxpayer that granted nothing.
    pub(super) fn pearl(&self) -> &TaxpayerId {
        &self.demo.taxpayers[2].taxpayer_id
    }

    /// Another organization with a key and a grant of `scopes` on a taxpayer; gives the key.
    pub(super) async fn another_organization(&self, on: &TaxpayerId, scopes: &[Scope]) -> String {
        let organization_id = self.world.organization("Another").await;
        let key = self.world.api_key(&organization_id).await;
        self.world.grant_on(&organization_id, on, scopes).await;
        key.reveal().to_owned()
    }

    /// Another taxpayer in some state of onboarding.
    pub(super) async fn another_taxpayer(&self, tin: &str, status: TaxpayerStatus) -> TaxpayerId {
        let ctx = &self.world.ctx;
        let record = Taxpayer {
            taxpayer_id: TaxpayerId::new(ctx.clock.now(), &*ctx.random),
            mode: Mode::Sandbox,
            participant_id: ParticipantId::new("0235", tin).unwrap(),
            name: "Another Taxpayer LLC".to_owned(),
            status,
            profile: json!({"name": "Another Taxpayer LLC"}).to_string(),
            metadata: Default::default(),
            created_at: ctx.clock.now(),
        };
        assert!(ctx.store.create_taxpayer(&record).await.unwrap());
        record.taxpayer_id
    }
}

/// The sample bodies that send as they stand, each with its path.
pub(super) const SAMPLES: [(&str, &str); 4] = [
    ("/v1/invoices", include_str!("../../../../events/invoices/minimal.json")),
    ("/v1/credit-notes", include_str!("../../../../events/credit-notes/external.json")),
    (
        "/v1/self-billing/invoices",
        include_str!("../../../../events/self-billing/invoices/standard.json"),
    ),
    (
        "/v1/self-billing/credit-notes",
        include_str!("../../../../events/self-billing/credit-notes/external.json"),
    ),
];

/// The body of the first sample.
pub(super) fn invoice() -> Value {
    serde_json::from_str(SAMPLES[0].1).unwrap()
}
