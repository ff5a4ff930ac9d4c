//! Every error that a request can meet before the document is looked at, and the shape of all.

use axum::http::Method;
use serde_json::json;

use super::{Api, Call, SAMPLES, invoice};
use crate::document::MAX_BODY_BYTES;

#[tokio::test]
async fn paths_and_methods_that_do_not_exist_have_the_same_shape() {
    let api = Api::start().await;
    for path in ["/", "/v1", "/v1/", "/v2/invoices", "/v1/invoice", "/v1/invoices/", "/invoices"] {
        assert_eq!(
            api.call(Call::get(path)).await.error(),
            (404, "not_found".to_owned()),
            "{path}"
        );
    }
    for base in super::super::BASES {
        for (method, path, allowed) in [
            (Method::DELETE, "/invoices", "GET,HEAD,POST"),
            (Method::OPTIONS, "/invoices", "GET,HEAD,POST"),
            (Method::GET, "/credit-notes", "POST"),
            (Method::GET, "/invoices/validate", "POST"),
            (Method::POST, "/invoices/doc_1", "GET,HEAD"),
            (Method::PUT, "/invoices/doc_1/ubl", "GET,HEAD"),
        ] {
            let path = format!("{base}{path}");
            let answer = api.call(Call::new(method.clone(), &path)).await;
            assert_eq!(answer.error(), (405, "method_not_allowed".to_owned()), "{method} {path}");
            let mut methods: Vec<&str> = answer.header("allow").split(',').collect();
            methods.sort_unstable();
            assert_eq!(methods.join(","), allowed, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn malformed_json_is_400_with_line_and_column() {
    let api = Api::start().await;
    for (body, place) in [
        ("", "line 1 column 0"),
        ("{", "line 1 column 1"),
        ("{\n  \"invoice_number\": \"1\"\n  \"due_date\": 2\n}", "line 3 column 3"),
        ("{\"a\": 01}", "line 1"),
        ("{} {}", "line 1 column 4"),
        ("{\"a\": \"\\ud800\"}", "line 1"),
    ] {
        for (path, _) in SAMPLES {
            let answer = api.as_falcon(Call::post(path, body)).await;
            assert_eq!(answer.error(), (400, "malformed_json".to_owned()), "{body:?}");
            assert!(answer.message().contains(place), "{body:?}: {}", answer.message());
        }
    }
    let answer = api.as_falcon(Call::post("/v1/invoices", b"{\"a\": \"\xff\"}")).await;
    assert_eq!(answer.error().1, "malformed_json");
}

#[tokio::test]
async fn wrong_types_and_fields_come_all_at_once_with_their_pointers() {
    let api = Api::start().await;
    let body = json!({
        "invoice_number": 7,
        "due_date": "31.12.2026",
        "no_such_field": true,
        "customer": {"name": ["Oasis"]},
        "line_items": [{"quantity": "two"}, 5],
    });
    let answer = api.as_falcon(Call::post("/v1/invoices", body.to_string())).await;
    assert_eq!(answer.error(), (422, "validation_failed".to_owned()));
    let json = answer.json();
    let errors = json["detail"]["errors"].as_array().unwrap();
    for pointer in [
        "/invoice_number",
        "/due_date",
        "/no_such_field",
        "/customer/name",
        "/line_items/0/quantity",
        "/line_items/1",
    ] {
        let found = errors.iter().find(|e| e["pointer"] == pointer);
        let found = found.unwrap_or_else(|| panic!("nothing about {pointer}: {json}"));
        assert_eq!(found["severity"], "error");
        assert!(found["rule"].as_str().unwrap().starts_with("AP-"), "{found}");
    }
}

#[tokio::test]
async fn media_types_and_sizes_are_told_by_name() {
    let api = Api::start().await;
    let body = invoice().to_string();
    for (path, _) in SAMPLES.into_iter().chain([("/v1/invoices/validate", "")]) {
        let call = Call::post(path, body.clone()).without("content-type");
        for call in [
            call.clone(),
            call.clone().with("content-type", "text/plain"),
            call.clone().with("content-type", "application/json; charset=utf-16"),
            call.clone().with("content-type", "application/json").with("content-encoding", "gzip"),
        ] {
            let answer = api.as_falcon(call).await;
            assert_eq!(answer.error(), (415, "unsupported_media_type".to_owned()), "{path}");
        }
        let large = vec![b' '; MAX_BODY_BYTES + 1];
        let answer = api.as_falcon(Call::post(path, large)).await;
        assert_eq!(answer.error(), (413, "payload_too_large".to_owned()), "{path}");
        assert!(answer.message().contains("4194304"), "{}", answer.message());
        let just_fits = vec![b' '; MAX_BODY_BYTES];
        let answer = api.as_falcon(Call::post(path, just_fits)).await;
        assert_eq!(answer.error(), (400, "malformed_json".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn headers_of_a_send_are_checked_by_name() {
    let api = Api::start().await;
    for (path, body) in SAMPLES {
        let call = Call::post(path, body);
        for (name, call) in [
            ("idempotency-key", call.clone().with("idempotency-key", "")),
            ("idempotency-key", call.clone().with("idempotency-key", "a b")),
            ("idempotency-key", call.clone().with("idempotency-key", b"caf\xc3\xa9")),
            (
                "idempotency-key",
                call.clone().with("idempotency-key", "a").with("idempotency-key", "a"),
            ),
            ("prefer", call.clone().with("prefer", "wait=5")),
            ("prefer", call.clone().with("prefer", "")),
            (
                "prefer",
                call.clone().with("prefer", "respond-async").with("prefer", "respond-async"),
            ),
        ] {
            let answer = api.as_falcon(call).await;
            assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{path}: {name}");
            assert!(answer.message().to_lowercase().contains(name), "{}", answer.message());
        }
    }
}

#[tokio::test]
async fn queries_are_checked_by_name() {
    let api = Api::start().await;
    for (query, hint) in [
        ("colour=red", "colour"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=many", "limit"),
        ("limit=", "limit"),
        ("limit=1&limit=2", "limit"),
        ("direction=sideways", "direction"),
        ("direction=", "direction"),
        ("type=380", "type"),
        ("status=Sent", "status"),
        ("issued_from=2026-02-30", "issued_from"),
        ("issued_to=yesterday", "issued_to"),
        ("created_from=2026-07-01", "created_from"),
        ("created_to=2026-07-01T00:00:00+04:00", "created_to"),
        ("cursor=zzz", "cursor"),
    ] {
        let answer = api.as_falcon(Call::get(&format!("/v1/invoices?{query}"))).await;
        assert_eq!(answer.status.as_u16(), 400, "{query}");
        assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{query}");
        assert!(answer.message().contains(hint), "{query}: {}", answer.message());
    }
    let good = "direction=outbound&type=invoice&status=sent&source_id=a&number=1&limit=100\
        &issued_from=2026-01-01&issued_to=2026-12-31&created_from=2026-01-01T00:00:00Z\
        &created_to=2026-07-01T00:00:00%2B04:00";
    let answer = api.as_falcon(Call::get(&format!("/v1/invoices?{good}"))).await;
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    assert_eq!(answer.json(), json!({"items": [], "next_cursor": null}));
}

#[tokio::test]
async fn the_runtimes_request_id_is_on_the_answer() {
    use axum::{body::Body, http::Request};
    use tower::ServiceExt;
    let api = Api::start().await;
    let mut request = Request::get("/v1/none").body(Body::empty()).unwrap();
    request.extensions_mut().insert(super::super::RequestId("lambda-7".to_owned()));
    let answer = api.router.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.headers()["x-request-id"], "lambda-7");
}

#[tokio::test]
async fn a_panic_is_an_internal_error_with_a_request_id_and_nothing_else() {
    use axum::{Router, body::Body, http::Request, middleware, routing::get};
    use tower::ServiceExt;
    let api = Api::start().await;
    let app = std::sync::Arc::new(api.world.serving());
    #[expect(clippy::panic, reason = "this is the test")]
    async fn bad() -> &'static str {
        panic!("the secret is 42")
    }
    let router: Router = Router::new()
        .route("/bad", get(bad))
        .layer(middleware::from_fn_with_state(app, super::super::edge::finish));
    let answer = router.oneshot(Request::get("/bad").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(answer.status().as_u16(), 500);
    let id = answer.headers()["x-request-id"].clone();
    let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
    let json: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(json["detail"]["code"], "internal_error");
    assert_eq!(json["detail"]["request_id"], id.to_str().unwrap());
    assert!(!String::from_utf8_lossy(&body).contains("42"));
}
