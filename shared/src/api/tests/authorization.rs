//! A sweep over every operation of the OpenAPI document and every way of not being allowed.

use axum::http::Method;
use serde_json::Value;

use super::{Answer, Api, Call};
use crate::{
    access::{PresentedKey, Scope, TaxpayerStatus},
    api::openapi,
    types::{Mode, SeededRandom, TaxpayerId},
};

/// An operation with a call that would do, were it not for the credentials.
struct Operation {
    id: String,
    call: Call,
    /// The scopes of which it needs one.
    scopes: &'static [Scope],
}

/// Every operation of the document. A new one must be given its scopes here.
fn operations() -> Vec<Operation> {
    let document = openapi::document();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            let scopes: &[Scope] = match id.as_str() {
                "send_invoice"
                | "send_credit_note"
                | "send_self_billed_invoice"
                | "send_self_billed_credit_note"
                | "validate_invoice" => &[Scope::InvoicesWrite],
                "list_documents" | "get_document" | "get_document_ubl" => {
                    &[Scope::InvoicesRead, Scope::InboundRead]
                }
                new => panic!("say which scopes {new} needs"),
            };
            let path = format!("/v1{}", path.replace("{document_id}", "doc_0"));
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let body = &operation["requestBody"]["content"]["application/json"]["example"];
            let call = match body {
                Value::Null => Call::new(method, &path),
                body => Call { method, ..Call::post(&path, body.to_string()) },
            };
            found.push(Operation { id, call, scopes });
        }
    }
    assert!(found.len() >= 8);
    found
}

#[tokio::test]
async fn without_a_valid_credential_every_operation_is_401() {
    let api = Api::start().await;
    let unknown = PresentedKey::generate(Mode::Sandbox, &SeededRandom::new(99));
    let key = &api.demo.api_keys.sandbox;
    let headers = [
        None,
        Some(String::new()),
        Some(key.clone()),
        Some(format!("Bearer {key}")),
        Some("Api-Key".to_owned()),
        Some("Api-Key pk_test_short".to_owned()),
        Some(format!("Api-Key {key}x")),
        Some(format!("Api-Key {}", key.replacen("pk_test_", "pk_live_", 1))),
        Some(format!("Api-Key {}", unknown.reveal())),
    ];
    for operation in operations() {
        for header in &headers {
            let mut call = operation.call.clone().taxpayer(api.falcon());
            if let Some(header) = header {
                call = call.with("authorization", header);
            }
            let answer = api.call(call).await;
            let expected = (401, "unauthorized".to_owned());
            assert_eq!(answer.error(), expected, "{} with {header:?}", operation.id);
            assert_eq!(answer.header("www-authenticate"), "Api-Key");
            assert!(!String::from_utf8_lossy(&answer.body).contains(key.as_str()));
        }
    }
}

#[tokio::test]
async fn a_taxpayer_beyond_the_grants_is_403_and_tells_nothing() {
    let api = Api::start().await;
    let nobody: TaxpayerId = "txpay_0".parse().unwrap();
    let strangers = api.another_taxpayer("1009999999", TaxpayerStatus::Active).await;
    api.another_organization(&strangers, &Scope::ALL).await;
    let sandbox = &api.demo.api_keys.sandbox;
    let live = &api.demo.api_keys.live;
    for operation in operations() {
        let refusal = |answer: &Answer| (answer.error(), answer.message());
        let unknown = api.call(operation.call.clone().key(sandbox).taxpayer(&nobody)).await;
        assert_eq!(unknown.error(), (403, "grant_required".to_owned()), "{}", operation.id);
        for (what, key, taxpayer) in [
            ("no grant", sandbox, api.pearl()),
            ("another tenant's taxpayer", sandbox, &strangers),
            ("the other mode's taxpayer", live, api.falcon()),
        ] {
            let answer = api.call(operation.call.clone().key(key).taxpayer(taxpayer)).await;
            // A taxpayer that exists cannot be told from one that does not.
            assert_eq!(refusal(&answer), refusal(&unknown), "{}: {what}", operation.id);
        }
    }
}

#[tokio::test]
async fn a_grant_without_the_scope_is_403() {
    let api = Api::start().await;
    for operation in operations() {
        let others: Vec<Scope> =
            Scope::ALL.into_iter().filter(|scope| !operation.scopes.contains(scope)).collect();
        let key = api.another_organization(api.falcon(), &others).await;
        let answer = api.call(operation.call.clone().key(&key).taxpayer(api.falcon())).await;
        assert_eq!(answer.error(), (403, "insufficient_scope".to_owned()), "{}", operation.id);
        // Each scope that it accepts opens it.
        for scope in operation.scopes {
            let key = api.another_organization(api.falcon(), &[*scope]).await;
            let answer = api.call(operation.call.clone().key(&key).taxpayer(api.falcon())).await;
            assert_ne!(answer.status.as_u16(), 403, "{} with {scope:?}", operation.id);
        }
    }
}

#[tokio::test]
async fn the_grant_that_is_named_decides_alone() {
    let api = Api::start().await;
    let sandbox = &api.demo.api_keys.sandbox;
    let [falcons, oasis] = [0, 1].map(|i| api.demo.taxpayers[i].grant_id.clone().unwrap());
    for operation in operations() {
        let call = operation.call.clone().key(sandbox).taxpayer(api.falcon());
        let own = api.call(call.clone().with("x-ae-grant-id", falcons.as_str())).await;
        assert_ne!(own.status.as_u16(), 403, "{}", operation.id);
        for other in [oasis.as_str(), "tgr_0"] {
            let answer = api.call(call.clone().with("x-ae-grant-id", other)).await;
            assert_eq!(answer.error(), (403, "grant_required".to_owned()), "{}", operation.id);
        }
    }
}

#[tokio::test]
async fn a_taxpayer_that_is_not_active_is_403() {
    let api = Api::start().await;
    for (tin, status) in
        [("1008888881", TaxpayerStatus::Onboarding), ("1008888882", TaxpayerStatus::Inactive)]
    {
        let taxpayer = api.another_taxpayer(tin, status).await;
        let key = api.another_organization(&taxpayer, &Scope::ALL).await;
        for operation in operations() {
            let answer = api.call(operation.call.clone().key(&key).taxpayer(&taxpayer)).await;
            assert_eq!(answer.error(), (403, "taxpayer_inactive".to_owned()), "{}", operation.id);
        }
    }
}

#[tokio::test]
async fn headers_of_the_credential_are_checked_once_the_key_is_known() {
    let api = Api::start().await;
    let key = &api.demo.api_keys.sandbox;
    for operation in operations() {
        let good = operation.call.clone().key(key).taxpayer(api.falcon());
        for (what, call) in [
            ("x-ae-taxpayer-id", good.clone().without("x-ae-taxpayer-id")),
            ("x-ae-taxpayer-id", good.clone().with("x-ae-taxpayer-id", api.falcon().as_str())),
            ("x-ae-grant-id", good.clone().with("x-ae-grant-id", "7")),
            (
                "x-ae-grant-id",
                good.clone().with("x-ae-grant-id", "tgr_1").with("x-ae-grant-id", "tgr_1"),
            ),
            ("authorization", good.clone().with("authorization", format!("Api-Key {key}"))),
        ] {
            let answer = api.call(call).await;
            let expected = (400, "invalid_request".to_owned());
            assert_eq!(answer.error(), expected, "{}: {what}", operation.id);
            assert!(answer.message().contains(what), "{}", answer.message());
        }
        for id in ["1001234501", "0235:1001234501", "org_1", "txpay_", ""] {
            let call = good.clone().without("x-ae-taxpayer-id").with("x-ae-taxpayer-id", id);
            let answer = api.call(call).await;
            assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{id:?}");
        }
    }
}
