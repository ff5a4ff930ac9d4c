//! Errors in the OpenAPI document: one response a status, with the codes that it can carry.

use axum::http::StatusCode;
use serde_json::{Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::{codes, reference};
use crate::{
    api::error::{ErrorDetail, ErrorResponse, status},
    error::{Code, Finding, Severity},
};

const ANY: [u16; 5] = [400, 401, 403, 500, 503];

/// The statuses with which an operation can fail.
pub(super) fn statuses_of(operation_id: &str) -> &'static [u16] {
    match operation_id {
        "list_documents" => &ANY,
        "get_document" | "get_document_ubl" => &[400, 401, 403, 404, 500, 503],
        "validate_invoice" => &[400, 401, 403, 413, 415, 422, 500, 503],
        _ => &[400, 401, 402, 403, 409, 413, 415, 422, 500, 503],
    }
}

/// The name of a status's component.
pub(super) fn component(code: u16) -> String {
    let reason = StatusCode::from_u16(code).ok().and_then(|s| s.canonical_reason()).unwrap_or("");
    reason.split([' ', '-']).collect()
}

/// Adds the error schemas and one response for each status.
pub(super) fn add_components(document: &mut Value) {
    let mut schemas = Vec::new();
    for (name, schema) in [
        (ErrorResponse::name(), ErrorResponse::schema()),
        (ErrorDetail::name(), ErrorDetail::schema()),
        (Finding::name(), Finding::schema()),
        (Severity::name(), Severity::schema()),
        (Code::name(), Code::schema()),
    ] {
        schemas.push((name.into_owned(), serde_json::to_value(schema).unwrap_or_default()));
    }
    for (name, schema) in schemas {
        document["components"]["schemas"][name] = schema;
    }
    let mut statuses: Vec<u16> = codes().into_iter().map(|code| status(code).as_u16()).collect();
    statuses.sort_unstable();
    statuses.dedup();
    // No operation answers 405: it is the answer where there is none.
    for code in statuses.into_iter().filter(|status| *status != 405) {
        document["components"]["responses"][component(code)] = response(code);
    }
}

fn response(code: u16) -> Value {
    let carried: Vec<Code> = codes().into_iter().filter(|c| status(*c).as_u16() == code).collect();
    let names: Vec<String> = carried.iter().map(Code::to_string).collect();
    let examples: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"value": example(name)}))).collect();
    let mut headers = json!({"x-request-id": reference("headers", "RequestId")});
    match code {
        401 => headers["WWW-Authenticate"] = reference("headers", "WwwAuthenticate"),
        503 => headers["Retry-After"] = reference("headers", "RetryAfter"),
        _ => {}
    }
    json!({
        "description": format!("detail.code is {}", names.join(" or ")),
        "headers": headers,
        "content": {"application/json": {
            "schema": reference("schemas", "ErrorResponse"),
            "examples": examples,
        }},
    })
}

fn example(code: &str) -> Value {
    let errors = match code {
        "validation_failed" => json!([{
            "pointer": "/line_items/0/quantity",
            "rule": "AP-JSON-required",
            "severity": "error",
            "message": "quantity is required",
            "term": "IBT-129",
        }]),
        _ => json!([]),
    };
    let message = match code {
        "validation_failed" => "The document has 1 error; see errors.",
        "malformed_json" => "expected `,` or `}` at line 3 column 5",
        _ => "What happened and what to do, in a sentence.",
    };
    json!({"detail": {
        "code": code,
        "message": message,
        "request_id": "6f7b1f0e-3c2a-4d43-9d0a-0b6f4f4c2a11",
        "complete": true,
        "errors": errors,
    }})
}
