//! Every error that precedes the reading of the document, and the shape of all errors.

use axum::{http::Method, response::IntoResponse};
use serde_json::json;

use super::{Api, Call, SAMPLES, VALIDATIONS, invoice};
use crate::{
    api::error,
    document::MAX_BODY_BYTES,
    error::{Code, Failure},
};

#[test]
fn a_refusal_says_whether_it_is_the_saved_answer_to_an_earlier_try() {
    for replayed in [false, true] {
        let failure = Failure { replayed, ..Failure::new(Code::TransmissionRefused, "Refused.") };
        let response = error::status(failure.code).into_response();
        let response = error::write(&failure, "r-1", None, response);
        let says = response.headers().get("idempotent-replayed").map(|value| value.as_bytes());
        assert_eq!(says, replayed.then_some(&b"true"[..]));
    }
}

#[tokio::test]
async fn an_error_names_the_document_that_it_is_about_where_there_is_one() {
    let document_id_of = async |failure: Failure| {
        let response = error::status(failure.code).into_response();
        let response = error::write(&failure, "r-1", None, response);
        let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        body["detail"].get("document_id").cloned()
    };
    let failure = Failure::new(Code::TransmissionUnconfirmed, "On its way.");
    assert_eq!(document_id_of(failure.clone()).await, None);
    assert_eq!(document_id_of(failure.about("doc_1")).await, Some("doc_1".into()));
}

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
async fn media_types_and_sizes_are_named() {
    let api = Api::start().await;
    let body = invoice().to_string();
    for (path, _) in SAMPLES.into_iter().chain(VALIDATIONS.map(|path| (path, ""))) {
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
            ("idempotency-key", call.clone().with("idempotency-key", "k".repeat(1025))),
        ] {
            let answer = api.as_falcon(call).await;
            assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{path}: {name}");
            assert!(answer.message().to_lowercase().contains(name), "{}", answer.message());
        }
    }
}

#[tokio::test]
async fn a_key_has_up_to_1024_characters_and_two_keys_are_one_other_key() {
    let api = Api::start().await;
    let (path, body) = SAMPLES[0];
    let longest =
        api.as_falcon(Call::post(path, body).with("idempotency-key", "k".repeat(1024))).await;
    assert_eq!(longest.status.as_u16(), 201);
    let call = Call::post(path, body);
    let two = call.clone().with("idempotency-key", "a").with("idempotency-key", "b");
    let first = api.as_falcon(two).await;
    let again = api.as_falcon(call.clone().with("idempotency-key", "a,b")).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.body, first.body);
    let another = api.as_falcon(call.with("idempotency-key", "a")).await;
    assert!(!another.headers.contains_key("idempotent-replayed"));
}

#[tokio::test]
async fn the_limit_of_bodies_holds_for_every_content() {
    let api = Api::start().await;
    // The Lambda event has at most 6 MiB and contains the body as a JSON string. The 10,240 bytes of path, query and
    // headers may occur several times in it, escaped as well.
    let event_has = 6 * 1024 * 1024 - 16 * 10_240;
    for content in ["\"", "\\", "\n", "\t", "\r", "\u{8}", "\0", "\u{1f}", "a", "é", "\u{7f}"] {
        let in_event = |body: &str| serde_json::to_string(body).unwrap().len() - 2;
        let most = 6_000_000 / in_event(content);
        let most = most.min(MAX_BODY_BYTES / content.len());
        let fits = content.repeat(most);
        assert!(in_event(&fits) <= event_has, "{content:?}");
        let answer = api.as_falcon(Call::post("/v1/invoices/validate", fits)).await;
        assert_eq!(answer.error(), (400, "malformed_json".to_owned()), "{content:?}");
        let beyond = content.repeat(most + 1);
        assert!(in_event(&beyond) <= event_has, "{content:?}: the platform would answer first");
        let answer = api.as_falcon(Call::post("/v1/invoices/validate", beyond)).await;
        assert_eq!(answer.error(), (413, "payload_too_large".to_owned()), "{content:?}");
        let names = answer.message();
        assert!(names.contains("4194304") || names.contains("6000000"), "{names}");
    }
}

#[tokio::test]
async fn queries_are_checked_by_name() {
    let api = Api::start().await;
    for (query, hints) in [
        ("colour=red", ["colour", "direction, type"]),
        ("limit=0", ["limit", "1 to 100"]),
        ("limit=101", ["limit", "1 to 100"]),
        ("limit=many", ["limit", "1 to 100"]),
        ("limit=", ["limit", "1 to 100"]),
        ("limit=1&limit=2", ["limit", "more than once"]),
        ("direction=sideways", ["direction", "one of outbound, inbound"]),
        ("direction=", ["direction", "one of outbound, inbound"]),
        ("type=380", ["type", "invoice, credit_note"]),
        ("status=Sent", ["status", "sent, unconfirmed, failed"]),
        ("issued_from=2026-02-30", ["issued_from", "YYYY-MM-DD, such as 2026-07-01"]),
        ("issued_from=2026-07-01T00:00:00Z", ["issued_from", "YYYY-MM-DD"]),
        ("issued_from=20260701", ["issued_from", "YYYY-MM-DD"]),
        ("issued_to=yesterday", ["issued_to", "YYYY-MM-DD"]),
        ("created_from=2026-07-01", ["created_from", "such as 2026-07-01T00:00:00Z"]),
        ("created_from=2026-07-01T00:00:00", ["created_from", "offset"]),
        ("created_to=2026-07-01T00:00:00+04:00", ["created_to", "%2B"]),
        ("created_to=12026-07-01T00:00:00Z", ["created_to", "RFC 3339"]),
        ("cursor=zzz", ["cursor", "next_cursor"]),
    ] {
        let answer = api.as_falcon(Call::get(&format!("/v1/invoices?{query}"))).await;
        assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{query}");
        let message = answer.message();
        for hint in hints {
            assert!(message.contains(hint), "{query}: {message}");
        }
        // Messages of libraries are not useful to a caller.
        for inner in ["parse", "deserialize", "civil", "jiff", "variant", "field", "u8", "digit"] {
            assert!(!message.contains(inner), "{query}: {message}");
        }
    }
    let good = "direction=outbound&type=invoice&status=sent&source_id=a&number=1&limit=100\
        &issued_from=2026-01-01&issued_to=2026-12-31&created_from=2026-01-01T00:00:00Z\
        &created_to=2026-07-01T00:00:00%2B04:00";
    // Many systems write 9999-12-31 for "no end".
    for good in [good, "created_to=9999-12-31T23:59:59Z", "created_from=9999-12-31T23:59:59.999Z"] {
        let answer = api.as_falcon(Call::get(&format!("/v1/invoices?{good}"))).await;
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        assert_eq!(answer.json(), json!({"items": [], "next_cursor": null}));
    }
}

#[tokio::test]
async fn required_fields_are_not_null_in_the_schema_and_null_is_refused() {
    let api = Api::start().await;
    let document = crate::api::openapi::document();
    for (path, body) in SAMPLES {
        let post = &document["paths"][path.replacen("/v1", "", 1)]["post"];
        let schema = &post["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let schema = document.pointer(&schema.as_str().unwrap()[1..]).unwrap();
        for field in schema["required"].as_array().unwrap() {
            let field = field.as_str().unwrap();
            let property = &schema["properties"][field];
            assert!(!property.to_string().contains("\"null\""), "{path} {field}: {property}");
            let mut body: serde_json::Value = serde_json::from_str(body).unwrap();
            body[field] = json!(null);
            let answer = api.as_falcon(Call::post(path, body.to_string())).await;
            assert_eq!(answer.error(), (422, "validation_failed".to_owned()), "{path} {field}");
        }
    }
}

#[test]
fn an_answer_holds_as_many_findings_as_fit_and_counts_the_others() {
    use crate::{
        api::{MAX_ANSWER_BYTES, error},
        error::{Code, Failure, Finding},
    };
    let finding = |i: usize| {
        let mut finding = Finding::error(format!("/line_items/{i}"), "ibr-1", "\"".repeat(300));
        finding.value = Some("\u{1}".repeat(50));
        finding
    };
    let all: Vec<Finding> = (0..20_000).map(finding).collect();
    let failure = Failure::invalid(all.clone());
    let response = axum::response::Response::new(axum::body::Body::empty());
    // With links, which make each error longer.
    let docs = error::DocsUrl::at("https://api.example.com");
    let written = error::write(&failure, "id", Some(&docs), response);
    let body = futures_body(written);
    assert!(body.len() < MAX_ANSWER_BYTES, "{}", body.len());
    let answer: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let errors = answer["detail"]["errors"].as_array().unwrap();
    let (last, listed) = errors.split_last().unwrap();
    assert_eq!(last["rule"], "AP-FINDINGS");
    for (error, rule) in [(last, "AP-FINDINGS"), (&listed[0], "ibr-1")] {
        assert_eq!(error["doc_url"], format!("https://api.example.com/docs/rules#{rule}"));
    }
    assert_eq!(last["message"], format!("and {} more findings", all.len() - listed.len()));
    assert_eq!(
        (&last["severity"], &answer["detail"]["complete"]),
        (&json!("error"), &json!(false))
    );
    assert!(listed.len() > 1_000);
    assert_eq!(Failure::new(Code::NotFound, "").findings, Finding::fitting(&[], 0));
}

fn futures_body(response: axum::response::Response) -> Vec<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let read = axum::body::to_bytes(response.into_body(), usize::MAX);
    runtime.block_on(read).unwrap().to_vec()
}

#[test]
fn what_passes_says_when_to_try_again() {
    use crate::api::{error, openapi::codes};
    for code in codes() {
        let failure = crate::error::Failure::new(code, "x");
        let response = axum::response::IntoResponse::into_response(error::ApiError::from(failure));
        let failure = error::failure_of(&response).unwrap();
        let headers = error::write(&failure, "id", None, response).headers().clone();
        let shown = headers.get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        let seconds = match code.to_string().as_str() {
            "idempotency_in_progress" => Some("5"),
            "correction_recovery_pending" | "billing_status_unavailable" | "rate_limited" => {
                Some("60")
            }
            "quota_exceeded" => Some("86400"),
            _ => (error::status(code).as_u16() == 503).then_some("5"),
        };
        assert_eq!(shown.as_deref(), seconds, "{code}");
    }
}

#[tokio::test]
async fn the_runtimes_request_id_is_on_the_answer() {
    use axum::{body::Body, http::Request};
    use tower::ServiceExt;
    let api = Api::start().await;
    let mut request = Request::get("/v1/none").body(Body::empty()).unwrap();
    request.extensions_mut().insert(crate::log::RequestId("lambda-7".to_owned()));
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
        .layer(middleware::from_fn_with_state(app.sending.ctx.clone(), super::super::edge::finish));
    let answer = router.oneshot(Request::get("/bad").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(answer.status().as_u16(), 500);
    let id = answer.headers()["x-request-id"].clone();
    let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
    let json: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(json["detail"]["code"], "internal_error");
    assert_eq!(json["detail"]["request_id"], id.to_str().unwrap());
    assert!(!String::from_utf8_lossy(&body).contains("42"));
}

#[tokio::test]
async fn an_error_leads_to_its_explanation_where_the_service_knows_its_address() {
    let api = Api::start().await;
    let mut broken = invoice();
    broken["currency"] = json!("EURO");
    let call = Call::post("/v1/invoices", broken.to_string());
    let plain = api.as_falcon(call.clone()).await.json();
    assert_eq!(plain["detail"].get("doc_url"), None);
    assert_eq!(plain["detail"]["errors"][0].get("doc_url"), None);
    let api = api.documented("https://api.example.com");
    let linked = api.as_falcon(call).await.json();
    let docs = "https://api.example.com/docs";
    assert_eq!(linked["detail"]["doc_url"], format!("{docs}/errors#validation_failed"));
    let finding = &linked["detail"]["errors"][0];
    assert_eq!(finding["doc_url"], format!("{docs}/rules#AP-JSON-code"));
    let unknown = api.call(Call::get("/v1/nothing")).await.json();
    assert_eq!(unknown["detail"]["doc_url"], format!("{docs}/errors#not_found"));
}
