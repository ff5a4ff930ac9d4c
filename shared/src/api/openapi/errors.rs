//! Errors in the OpenAPI document: those of each operation, by status and code, and those that API Gateway returns
//! before or instead of it.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::{codes, of_every_answer, reference};
use crate::{
    api::{
        error::{retry_after, status},
        route::Route,
    },
    error::Code,
};

/// The errors that API Gateway returns by itself, each with its message: too many requests, a body beyond its own or
/// Lambda's limit, a failure of the function, and a timeout.
const GATEWAY: [(u16, &str); 4] = [
    (413, "Request Entity Too Large"),
    (429, "Too Many Requests"),
    (500, "Internal Server Error"),
    (503, "Service Unavailable"),
];

/// The name of the schema for errors of either. Without a name, generators would name it after the first operation that
/// uses it.
const ANY: &str = "AnyError";

/// Adds the schema of API Gateway's own errors, and an example of every code.
pub(super) fn add(document: &mut Value) {
    document["components"]["schemas"][ANY] = json!({
        "description": "An error of the service, or an error of API Gateway.",
        "oneOf": [reference("schemas", "ErrorResponse"), reference("schemas", "GatewayError")],
    });
    document["components"]["schemas"]["GatewayError"] = json!({
        "type": "object",
        "description": "An error that API Gateway returns itself. It has no code and no x-request-id.",
        "required": ["message"],
        "properties": {"message": {"type": "string", "description": "Text of the error."}},
    });
    let examples: Map<String, Value> = codes()
        .into_iter()
        // No operation returns 405. It is the response where an operation does not exist.
        .filter(|code| *code != Code::MethodNotAllowed)
        .map(|code| (code.to_string(), json!({"value": example(&code.to_string())})))
        .collect();
    document["components"]["examples"] = examples.into();
}

/// The errors of an operation, by status.
pub(super) fn responses(route: &Route) -> Map<String, Value> {
    of(&route.errors(), route.body.is_some())
}

/// The errors of a list of codes, by status.
pub(super) fn of(errors: &[Code], takes_a_body: bool) -> Map<String, Value> {
    let gateway = GATEWAY.iter().filter(|(status, _)| *status != 413 || takes_a_body);
    let mut statuses: Vec<u16> = gateway.map(|(status, _)| *status).collect();
    statuses.extend(errors.iter().map(|code| status(*code).as_u16()));
    statuses.sort_unstable();
    statuses.dedup();
    statuses.into_iter().map(|status| (status.to_string(), response(errors, status))).collect()
}

fn response(errors: &[Code], of_status: u16) -> Value {
    let carried: Vec<Code> =
        errors.iter().copied().filter(|code| status(*code).as_u16() == of_status).collect();
    let gateway = GATEWAY.iter().find(|(status, _)| *status == of_status);
    let mut texts = Vec::new();
    let mut schemas = Vec::new();
    let mut examples = Map::new();
    let mut headers = Map::new();
    if !carried.is_empty() {
        let names: Vec<String> = carried.iter().map(Code::to_string).collect();
        texts.push(format!("detail.code: {}", names.join(", ")));
        schemas.push(reference("schemas", "ErrorResponse"));
        for name in names {
            let example = reference("examples", &name);
            examples.insert(name, example);
        }
        headers.extend(of_every_answer());
    }
    if let Some((_, message)) = gateway {
        texts.push(format!("API Gateway: {message}"));
        schemas.push(reference("schemas", "GatewayError"));
        examples.insert("gateway".to_owned(), json!({"value": {"message": message}}));
    }
    if of_status == StatusCode::UNAUTHORIZED {
        headers.insert("WWW-Authenticate".to_owned(), reference("headers", "WwwAuthenticate"));
    }
    if carried.iter().any(|code| retry_after(*code).is_some()) {
        headers.insert("Retry-After".to_owned(), reference("headers", "RetryAfter"));
    }
    // Only this error is saved and replayed.
    if carried.contains(&Code::TransmissionRefused) {
        let replayed = reference("headers", "IdempotentReplayed");
        headers.insert("Idempotent-Replayed".to_owned(), replayed);
    }
    let schema = match schemas.as_slice() {
        [only] => only.clone(),
        _ => reference("schemas", ANY),
    };
    json!({
        "description": texts.join("; "),
        "headers": headers,
        "content": {"application/json": {"schema": schema, "examples": examples}},
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
    let mut detail = json!({
        "code": code,
        "message": message,
        "request_id": "6f7b1f0e-3c2a-4d43-9d0a-0b6f4f4c2a11",
        "errors": errors,
    });
    if code == "validation_failed" {
        detail["complete"] = true.into();
    }
    json!({"detail": detail})
}
