//! Processing that all requests and responses share: request id, security headers, error body, log line, and panics.

use std::collections::BTreeMap;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use super::error::{ApiError, DocsUrl, failure_of, write};
use crate::{
    error::{Code, Failure, Finding, Severity},
    log::{self, HttpAnswer, HttpFailure, RequestId},
    service::{Context, requests::Counted},
    store::Taken,
};

/// The header with the [`RequestId`], on every response.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Runs a request and completes its response. All log lines of the request carry its id and, once known, its operation,
/// organization, taxpayer, key and document.
pub(super) async fn finish(
    State(ctx): State<Context>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request_id(&ctx, &request);
    request.extensions_mut().insert(RequestId(id.clone()));
    let docs = request.extensions().get::<DocsUrl>().cloned();
    let counted = Counted::default();
    request.extensions_mut().insert(counted.clone());
    let span = log::request(&id);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let started = ctx.clock.now();

    // A separate task, so that a panic ends only the task and the caller still gets a response.
    let mut response = match tokio::spawn(next.run(request).instrument(span.clone())).await {
        Ok(response) => response,
        Err(panic) => ApiError::from(internal_error().because(panic)).into_response(),
    };
    let failure = failure_of(&response);
    if let Some(failure) = &failure {
        response = write(failure, &id, docs.as_ref(), response);
    }
    complete_headers(response.headers_mut(), &id);
    if let Some(taken) = counted.get() {
        tell_the_limit(response.headers_mut(), taken);
    }
    let duration = Some(ctx.clock.now().duration_since(started));
    let cause = failure.as_deref().map(cause);
    let failed =
        failure.as_deref().zip(cause.as_deref()).map(|(Failure { code, .. }, cause)| HttpFailure {
            code: Some(code.to_string()),
            cause,
            is_due_to_others: code.is_due_to_others(),
        });
    let answer = HttpAnswer {
        method: method.as_str(),
        path: &path,
        status: response.status().as_u16(),
        duration,
    };
    span.in_scope(|| answer.note(failed));
    response
}

pub(super) fn internal_error() -> Failure {
    Failure::new(
        Code::InternalError,
        "Something went wrong on our side; the request id leads us to the cause. A send with an \
         Idempotency-Key can be repeated safely.",
    )
}

fn request_id(ctx: &Context, request: &Request) -> String {
    match request.extensions().get::<RequestId>() {
        Some(RequestId(id)) if !id.is_empty() => id.clone(),
        _ => {
            let mut bytes = [0; 16];
            ctx.random.fill(&mut bytes);
            uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
        }
    }
}

fn complete_headers(headers: &mut HeaderMap, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(X_REQUEST_ID, id);
    }
    // Tax documents must not be in shared caches, or be interpreted as web pages.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        header::STRICT_TRANSPORT_SECURITY,
        HeaderValue::from_static("max-age=63072000; includeSubDomains"),
    );
}

/// Adds the rate limit headers.
fn tell_the_limit(headers: &mut HeaderMap, taken: &Taken) {
    for (name, value) in [(RATE_LIMIT_POLICY, taken.policy()), (RATE_LIMIT, taken.limit())] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
}

/// The cause of a refusal, without content of the request.
fn cause(failure: &Failure) -> String {
    match (&failure.source, failure.code) {
        (Some(source), _) => causes(source.as_ref()),
        // Messages and locations of findings quote the body; their rule ids do not.
        (None, Code::ValidationFailed) => rules(&failure.findings),
        (None, Code::MalformedJson) => "the body is not JSON".to_owned(),
        (None, _) => failure.message.clone(),
    }
}

/// The violated rules, each with its count.
fn rules(findings: &[Finding]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.for_each(|finding| *counts.entry(&finding.rule).or_default() += 1);
    let each = counts.iter().map(|(rule, count)| match count {
        1 => (*rule).to_owned(),
        count => format!("{rule} ×{count}"),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// An error and its causes, on one line.
fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let chain = std::iter::successors(Some(error), |&cause| cause.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
