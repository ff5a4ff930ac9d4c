//! Handles every request and answer of pages: reads the caller, turns an error into a page, adds headers and cookies,
//! logs one line, and isolates a panic.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use super::{App, PageError, PageRequest, assets::Look, error, security};
use crate::{
    error::{Code, Failure},
    log::{self, HttpAnswer, HttpFailure},
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
    let duration = Some(app.ctx.clock.now().duration_since(started));
    let cause = failed.as_ref().map(|failed| failed.cause());
    let failed = failed.as_deref().zip(cause.as_deref()).map(|(failed, cause)| HttpFailure {
        code: None,
        cause,
        is_due_to_others: failed.is_due_to_others(),
    });
    let (path, status) = (request.path_alone(), response.status().as_u16());
    let answer = HttpAnswer { method: method.as_str(), path, status, duration };
    span.in_scope(|| answer.note(failed));
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
