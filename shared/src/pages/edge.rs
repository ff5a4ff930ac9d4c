//! Handles every request and answer of pages: reads the caller, turns an error into a page, adds headers and cookies,
//! logs one line, and isolates a panic.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use super::{App, PageError, PageRequest, assets::Look, error, security};
use crate::{
    error::{Code, Failure},
    log,
};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(super) async fn finish(
    State((app, look)): State<(App, Arc<Look>)>,
    mut http_request: Request,
    next: Next,
) -> Response {
    let request = PageRequest::of(&app, &look, &http_request);
    let span = log::request(&request.request_id);
    let method = http_request.method().clone();
    let started = app.ctx.clock.now();
    http_request.extensions_mut().insert(request.clone());

    // In its own task, so that a panic ends the task and not the answer.
    let mut response = match tokio::spawn(next.run(http_request).instrument(span.clone())).await {
        Ok(response) => response,
        Err(panic) => PageError::from(
            Failure::new(Code::InternalError, "Something went wrong.").because(panic),
        )
        .into_response(),
    };
    let failed = response.extensions_mut().remove::<Arc<PageError>>();
    if let Some(failed) = &failed {
        let allow = response.headers_mut().remove(header::ALLOW);
        response = error::page(&request, failed);
        if let Some(allow) = allow {
            response.headers_mut().insert(header::ALLOW, allow);
        }
    }
    complete(response.headers_mut(), &request);
    let lasted = app.ctx.clock.now().duration_since(started);
    let lasted = Duration::try_from(lasted).unwrap_or_default();
    span.in_scope(|| note(&method, &request, &response, lasted, failed.as_deref()));
    response
}

fn complete(headers: &mut HeaderMap, request: &PageRequest) {
    // A cacheable answer sets no cookie (RFC 9111, section 7.3).
    if !headers.contains_key(header::CACHE_CONTROL) {
        request.leave_cookies(headers);
    }
    if let Ok(id) = HeaderValue::from_str(&request.request_id) {
        headers.insert(X_REQUEST_ID, id);
    }
    security::protect(headers);
}

/// Logs one line for each request, without query, headers and forms, which contain tokens and addresses.
fn note(
    method: &Method,
    request: &PageRequest,
    response: &Response,
    lasted: Duration,
    error: Option<&PageError>,
) {
    let (status, path) = (response.status().as_u16(), request.path_alone());
    let millis = u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX);
    let Some(error) = error else {
        return tracing::info!(
            http.method = %method, http.path = path, http.status = status, duration_ms = millis,
            "page given"
        );
    };
    let cause = error.cause();
    macro_rules! line {
        ($level:ident, $what:literal) => {
            tracing::$level!(
                http.method = %method, http.path = path, http.status = status, duration_ms = millis,
                error.cause = cause, $what
            )
        };
    }
    if status < 500 {
        line!(info, "page refused");
    } else if error.is_due_to_others() {
        line!(warn, "page failed");
    } else {
        line!(error, "page failed");
    }
}
