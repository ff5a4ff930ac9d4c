//! The router in this process over the real store.

mod as4;
mod authorization;
mod bare;
mod billing;
mod codes;
mod content;
mod documented;
mod documents;
mod errors;
mod examples;
mod imports;
mod largest;
mod limits;
mod oauth;
mod organization;
mod registrations;
mod reports;
mod routes;
mod sends;
mod taxpayer;
mod webhooks;

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use self::documented::{declared, is_documented};
use super::{
    ACCESS_OF_ORGANIZATIONS, ACCESS_OF_TAXPAYERS, ROUTES, WEBHOOKS, openapi,
    route::{Content, EVENTS_PATH, HttpMethod, Route},
};
use crate::{
    access::{By, Grant, GrantStatus, KeyStatus, Scope, Taxpayer, TaxpayerStatus},
    service::{
        Connecting, Notifying, Serving, Subscribing, demo::Demo, grants, oauth::TokenResponse,
        relay, requests::RequestLimit,
    },
    testing::{Faults, REQUESTS_PER_MINUTE, World},
    types::{Addresses, GrantId, Mode, ParticipantId, SeededRandom, TaxpayerId},
    webhook::Secret,
};

/// A deployment with demo data and its router.
pub(super) struct Api {
    pub(super) world: World,
    pub(super) demo: Demo,
    router: Router,
    oauth: Router,
    hooks: Router,
    billing: Router,
    #[cfg(feature = "pdf")]
    pdf: Router,
}

/// A response with its whole body.
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

    /// Status and code of an error, after a check of the parts that every error has.
    pub(super) fn error(&self) -> (u16, String) {
        let json = self.json();
        let detail = &json["detail"];
        assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
        let is_invalid = detail["code"] == "validation_failed";
        let led = detail.get("doc_url").is_some();
        let names = detail.get("document_id").is_some();
        let count = 4 + [is_invalid, led, names].into_iter().filter(|it| *it).count();
        assert_eq!(detail.as_object().unwrap().len(), count, "{json}");
        assert_eq!(detail["complete"].is_boolean(), is_invalid);
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

/// A request that is being built.
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

    /// A PUT with a JSON body.
    pub(super) fn put(path: &str, body: impl Into<Vec<u8>>) -> Self {
        Call { method: Method::PUT, ..Call::post(path, body) }
    }

    /// A PATCH with a JSON body.
    pub(super) fn patch(path: &str, body: impl Into<Vec<u8>>) -> Self {
        Call { method: Method::PATCH, ..Call::post(path, body) }
    }

    /// Adds a header. Headers with the same name stay.
    pub(super) fn with(mut self, name: &'static str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name, value.as_ref().to_vec()));
        self
    }

    /// Adds the headers of another call.
    pub(super) fn and(mut self, other: &Call) -> Self {
        self.headers.extend(other.headers.iter().cloned());
        self
    }

    pub(super) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(header, _)| *header != name);
        self
    }

    pub(super) fn key(self, key: &str) -> Self {
        self.without("authorization").with("authorization", format!("Api-Key {key}"))
    }

    pub(super) fn token(self, tokens: &TokenResponse) -> Self {
        let header = format!("Bearer {}", tokens.access_token.reveal());
        self.without("authorization").with("authorization", header)
    }

    pub(super) fn query(self, query: &str) -> Self {
        Call { path: format!("{}?{query}", self.path), ..self }
    }

    pub(super) fn taxpayer(self, id: &TaxpayerId) -> Self {
        self.without("x-ae-taxpayer-id").with("x-ae-taxpayer-id", id.as_str())
    }
}

/// The URLs of the service.
fn addresses() -> Addresses {
    Addresses {
        portal_url: "https://portal.example".to_owned(),
        base_url: "https://api.example/v1".to_owned(),
    }
}

impl Api {
    pub(super) async fn start() -> Self {
        Api::over(World::new().await).await
    }

    /// A deployment over an existing world.
    pub(super) async fn over(world: World) -> Self {
        Api::limited(world, REQUESTS_PER_MINUTE).await
    }

    /// A deployment with a rate limit.
    pub(super) async fn limited(world: World, per_minute: u32) -> Self {
        let request_limit = RequestLimit::new(per_minute);
        let demo = world.demo("http://127.0.0.1:9/hook").await;
        let router = super::router(Arc::new(Serving {
            request_limit: request_limit.clone(),
            ..world.serving()
        }));
        let (ctx, addresses) = (world.ctx.clone(), Some(addresses()));
        let oauth =
            super::oauth(Connecting { ctx, addresses, request_limit: request_limit.clone() });
        let hooks =
            super::hooks(Notifying { request_limit: request_limit.clone(), ..world.notifying() });
        let secrets = [Secret::new(&SeededRandom::new(9))].into();
        let billing = super::billing(Subscribing { ctx: world.ctx.clone(), secrets });
        #[cfg(feature = "pdf")]
        let pdf = {
            let reading = world.serving().reading();
            super::pdf(crate::service::Printing { reading, request_limit })
        };
        Api {
            world,
            demo,
            router,
            oauth,
            hooks,
            billing,
            #[cfg(feature = "pdf")]
            pdf,
        }
    }

    /// The deployment with its own URL configured.
    pub(super) fn documented(self, origin: &str) -> Self {
        let docs = super::DocsUrl::at(origin);
        let documented = |router: &Router| super::documented(router.clone(), Some(docs.clone()));
        Api {
            router: documented(&self.router),
            hooks: documented(&self.hooks),
            billing: documented(&self.billing),
            ..self
        }
    }

    /// The deployment with failing calls to other services.
    pub(super) fn failing(self, faults: &Arc<Faults>) -> Self {
        let sending = self.world.failing(faults).sending;
        let router = super::router(Arc::new(Serving { sending, ..self.world.serving() }));
        Api { router, ..self }
    }

    /// Makes a call as API Gateway passes it, and compares the response with the operation in the OpenAPI document.
    pub(super) async fn call(&self, call: Call) -> Answer {
        let (method, path) = (call.method.clone(), call.path.clone());
        // Boxed, because without optimization the state of a request does not fit on a test's stack.
        let answer = Box::pin(self.make(call)).await;
        // Every response has these.
        assert!(!answer.header("x-request-id").is_empty());
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        if let Some(route) = declared(&method, &path) {
            is_documented(route, &method, &answer);
        }
        answer
    }

    /// Makes a call as API Gateway passes it.
    async fn make(&self, call: Call) -> Answer {
        // API Gateway chooses by method and path.
        let path = call.path.split('?').next().unwrap();
        let router = match declared(&call.method, path) {
            Some(route) if access().any(|it| it.id == route.id) => &self.oauth,
            Some(route) if webhooks().any(|it| it.id == route.id) => &self.hooks,
            #[cfg(feature = "pdf")]
            Some(route) if route.id == super::documents::PDF.id => &self.pdf,
            None if path.contains("/oauth/") || path.starts_with("/.well-known/") => &self.oauth,
            None if path.ends_with(EVENTS_PATH) => &self.billing,
            _ => &self.router,
        };
        let mut request = Request::builder().method(call.method).uri(call.path);
        for (name, value) in joined(call.headers) {
            request = request.header(name, value);
        }
        let request = request.body(Body::from(call.body)).unwrap();
        let (head, body) = router.clone().oneshot(request).await.unwrap().into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Answer { status: head.status, headers: head.headers, body }
    }

    /// Tokens of the demo's organization for a taxpayer.
    pub(super) async fn token(&self, taxpayer_id: &TaxpayerId, scopes: &[Scope]) -> TokenResponse {
        let store = &self.world.ctx.store;
        let taxpayer = store.get_taxpayer(Mode::Sandbox, taxpayer_id).await.unwrap().unwrap();
        self.world.tokens(&self.demo.organization_id, &taxpayer, scopes).await
    }

    /// Relays the marked jobs in separate tasks. Without optimization their state does not fit on a test's stack.
    async fn stream(&self) {
        for place in self.world.marked().await {
            let relaying = self.world.relaying.clone();
            let relayed =
                tokio::spawn(async move { relay::Batch::new(&relaying).relay(&place, None).await });
            relayed.await.unwrap().unwrap();
        }
    }

    /// An event that the demo's organization received.
    async fn published_event(&self) -> String {
        let sent = self.as_falcon(Call::post("/v1/invoices", invoice().to_string())).await;
        assert_eq!(sent.status, 201);
        self.stream().await;
        let events = Call::get("/v1/events").key(&self.demo.api_keys.sandbox);
        let events = self.call(events).await.json();
        events["items"][0]["event_id"].as_str().unwrap().to_owned()
    }

    pub(super) async fn end(&self, tokens: &TokenResponse) {
        let store = &self.world.ctx.store;
        let (mode, hash) = (Mode::Sandbox, tokens.access_token.hash());
        let token = store.get_access_token(mode, &hash).await.unwrap().unwrap();
        let ended = store.revoke_token_family(mode, &token.taxpayer_id, &token.family_id);
        assert!(ended.await.unwrap());
    }

    /// Revokes the grant of tokens.
    pub(super) async fn revoke(&self, grant_id: &GrantId) {
        let all: Vec<Grant> = self.world.items("GRANT#").await;
        let grant = all.into_iter().find(|grant| grant.grant_id == *grant_id).unwrap();
        let (ctx, by) = (&self.world.ctx, By::operator());
        grants::revoke(ctx, Mode::Sandbox, &grant.organization_id, grant_id, &by).await.unwrap();
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

    /// A taxpayer without grants.
    pub(super) fn pearl(&self) -> &TaxpayerId {
        &self.demo.taxpayers[2].taxpayer_id
    }

    /// Another organization with a key and a grant of `scopes` on a taxpayer. Returns the key.
    pub(super) async fn another_organization(&self, on: &TaxpayerId, scopes: &[Scope]) -> String {
        let organization_id = self.world.organization("Another").await;
        let key = self.world.api_key(&organization_id).await;
        self.world.grant_on(&organization_id, on, scopes).await;
        key.reveal().to_owned()
    }

    /// Another organization with these states of its key and of its grant on Falcon.
    pub(super) async fn organization_with(
        &self,
        key: KeyStatus,
        grant: GrantStatus,
    ) -> (String, GrantId) {
        let organization_id = self.world.organization("Another").await;
        let key = self.world.api_key_with(&organization_id, key).await;
        let grant_id = self.world.grant_on(&organization_id, self.falcon(), &Scope::ALL).await;
        if grant == GrantStatus::Revoked {
            let (ctx, by) = (&self.world.ctx, By::operator());
            grants::revoke(ctx, Mode::Sandbox, &organization_id, &grant_id, &by).await.unwrap();
        }
        (key.reveal().to_owned(), grant_id)
    }

    /// A taxpayer with this status, and a key with every scope on it.
    pub(super) async fn taxpayer_with_key(&self, status: TaxpayerStatus) -> (TaxpayerId, String) {
        let mut bytes = [0; 4];
        self.world.ctx.random.fill(&mut bytes);
        let tin = format!("1{:09}", u32::from_be_bytes(bytes) % 1_000_000_000);
        let taxpayer = self.another_taxpayer(&tin, status).await;
        let key = self.another_organization(&taxpayer, &Scope::ALL).await;
        (taxpayer, key)
    }

    /// Everything that is stored or sent, as text, except the last uses of keys and grants and the counts of requests.
    pub(super) async fn everything(&self) -> String {
        let item = |item| {
            let mut item: Value = crate::store::from_item(item).unwrap();
            item.as_object_mut().unwrap().remove("last_used_at");
            item.as_object_mut().unwrap().remove("used");
            item.as_object_mut().unwrap().remove("used_for");
            item.to_string()
        };
        let mut items = self.world.raw_items("").await;
        items.retain(|item| item["sk"].as_s().is_ok_and(|sk| sk != "RATE"));
        let mut items: Vec<String> = items.into_iter().map(item).collect();
        items.sort();
        format!("{items:?} {:?} {:?}", self.world.cloud.objects(), self.world.cloud.messages())
    }

    /// Another taxpayer with this onboarding status.
    pub(super) async fn another_taxpayer(&self, tin: &str, status: TaxpayerStatus) -> TaxpayerId {
        let ctx = &self.world.ctx;
        let record = Taxpayer {
            taxpayer_id: TaxpayerId::new(ctx.clock.now(), &*ctx.random),
            mode: Mode::Sandbox,
            participant_id: ParticipantId::new("0235", tin).unwrap(),
            name: "Another Taxpayer LLC".to_owned(),
            status,
            profile: json!({"name": "Another Taxpayer LLC"}).to_string(),
            email: None,
            suspended_by: None,
            confirmed: None,
            created_at: ctx.clock.now(),
        };
        assert!(ctx.store.create_taxpayer(&record).await.unwrap());
        record.taxpayer_id
    }
}

/// Headers as API Gateway passes them: those with the same name are joined by commas.
fn joined(headers: Vec<(&'static str, Vec<u8>)>) -> Vec<(&'static str, Vec<u8>)> {
    let mut joined: Vec<(&'static str, Vec<u8>)> = Vec::new();
    for (name, value) in headers {
        match joined.iter_mut().find(|(other, _)| *other == name) {
            None => joined.push((name, value)),
            Some((_, values)) => *values = [values.as_slice(), &value].join(&b','),
        }
    }
    joined
}

/// The operations of the function `oauth`.
pub(super) fn access() -> impl Iterator<Item = &'static Route> {
    let of_taxpayers = ACCESS_OF_TAXPAYERS.into_iter().map(|(route, _)| route);
    of_taxpayers.chain(ACCESS_OF_ORGANIZATIONS.into_iter().map(|(route, _)| route))
}

/// The operations of the function `webhook_api`.
pub(super) fn webhooks() -> impl Iterator<Item = &'static Route> {
    WEBHOOKS.into_iter().map(|(route, _)| route)
}

/// The sample bodies that are valid without changes, each with its path.
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

/// The validations, in the order of the samples.
pub(super) const VALIDATIONS: [&str; 4] = [
    "/v1/invoices/validate",
    "/v1/credit-notes/validate",
    "/v1/self-billing/invoices/validate",
    "/v1/self-billing/credit-notes/validate",
];

/// The body of the first sample.
pub(super) fn invoice() -> Value {
    serde_json::from_str(SAMPLES[0].1).unwrap()
}
