//! What happens to every request for a page and every answer: who asks is read, an error becomes a page, headers and
//! cookies are added, one line is logged, a panic ends nothing else.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use super::{House, PageError, Visit, error, security};
use crate::{
    error::{Code, Failure},
    log,
};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(super) async fn finish(
    State(house): State<House>,
    mut request: Request,
    next: Next,
) -> Response {
    let visit = Visit::of(&house, &request);
    let span = log::request(&visit.request_id);
    let method = request.method().clone();
    let started = house.ctx.clock.now();
    request.extensions_mut().insert(visit.clone());

    // In a task of its own, so that a panic ends the task and not the answer.
    let mut response = match tokio::spawn(next.run(request).instrument(span.clone())).await {
        Ok(response) => response,
        Err(panic) => PageError::from(
            Failure::new(Code::InternalError, "Something went wrong.").because(panic),
        )
        .into_response(),
    };
    let failed = response.extensions_mut().remove::<Arc<PageError>>();
    if let Some(failed) = &failed {
        let allow = response.headers_mut().remove(header::ALLOW);
        response = error::page(&visit, failed);
        if let Some(allow) = allow {
            response.headers_mut().insert(header::ALLOW, allow);
        }
    }
    complete(response.headers_mut(), &visit);
    let lasted = house.ctx.clock.now().duration_since(started);
    let lasted = Duration::try_from(lasted).unwrap_or_default();
    span.in_scope(|| note(&method, &visit, &response, lasted, failed.as_deref()));
    response
}

fn complete(headers: &mut HeaderMap, visit: &Visit) {
    // What all may keep leaves no cookie behind (RFC 9111, section 7.3).
    if !headers.contains_key(header::CACHE_CONTROL) {
        visit.leave_cookies(headers);
    }
    if let Ok(id) = HeaderValue::from_str(&visit.request_id) {
        headers.insert(X_REQUEST_ID, id);
    }
    security::protect(headers);
}

/// One line a request: neither query, headers nor forms, which hold tokens and addresses.
fn note(
    method: &Method,
    visit: &Visit,
    response: &Response,
    lasted: Duration,
    error: Option<&PageError>,
) {
    let (status, path) = (response.status().as_u16(), visit.path_alone());
    let millis = u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX);
    let Some(error) = error else {
        return tracing::info!(
            http.method = %method, http.path = path, http.status = status, duration_ms = millis,
            "page given"
        );
    };
    let cause = error.cause();
    if status >= 500 {
        tracing::error!(
            http.method = %method, http.path = path, http.status = status, duration_ms = millis,
            error.cause = cause, "page failed"
        );
    } else {
        tracing::info!(
            http.method = %method, http.path = path, http.status = status, duration_ms = millis,
            error.cause = cause, "page refused"
        );
    }
}
