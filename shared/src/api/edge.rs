//! What happens to every request and every answer, whatever the route: request id, security
//! headers, the error's body, the log line, and the end of panics.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{
    App,
    error::{ApiError, failure_of, write},
};
use crate::error::{Code, Failure};

/// The identifier of a request, which the runtime puts into the request's extensions. Without one
/// the edge makes its own.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// The header that carries [`RequestId`] on every answer.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Runs a request and finishes its answer.
pub(super) async fn finish(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = request_id(&app, &request);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let started = app.sending.ctx.clock.now();

    // In a task of its own, so that a panic ends the task and not the answer.
    let mut response = match tokio::spawn(next.run(request)).await {
        Ok(response) => response,
        Err(panic) => ApiError::from(internal_error().because(panic)).into_response(),
    };
    let failure = failure_of(&response);
    if let Some(failure) = &failure {
        response = write(failure, &id, response);
    }
    complete_headers(response.headers_mut(), &id);
    let millis = app.sending.ctx.clock.now().duration_since(started).as_millis();
    log(&id, &method, &path, response.status().as_u16(), millis, failure.as_deref());
    response
}

fn internal_error() -> Failure {
    Failure::new(
        Code::InternalError,
        "Something went wrong on our side; the request id leads us to the cause. A send with an \
         Idempotency-Key can be repeated safely.",
    )
}

fn request_id(app: &App, request: &Request) -> String {
    match request.extensions().get::<RequestId>() {
        Some(RequestId(id)) if !id.is_empty() => id.clone(),
        _ => {
            let mut bytes = [0; 16];
            app.sending.ctx.random.fill(&mut bytes);
            uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
        }
    }
}

fn complete_headers(headers: &mut HeaderMap, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(X_REQUEST_ID, id);
    }
    // Tax documents belong in no shared cache, and are never to be guessed at as web pages.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        header::STRICT_TRANSPORT_SECURITY,
        HeaderValue::from_static("max-age=63072000; includeSubDomains"),
    );
}

/// One line a request. Neither query, headers nor bodies are logged: they carry credentials and
/// what belongs to the taxpayer. The cause of a failure is logged when the failure is ours.
fn log(
    id: &str,
    method: &Method,
    path: &str,
    status: u16,
    millis: i128,
    failure: Option<&Failure>,
) {
    let code = failure.map(|failure| failure.code.to_string());
    let code = code.as_deref().unwrap_or("");
    let millis = u64::try_from(millis).unwrap_or(0);
    match failure.and_then(|failure| failure.source.as_ref()) {
        Some(source) if status >= 500 => tracing::error!(
            request.id = id, http.method = %method, http.path = path, http.status = status,
            error.code = code, duration_ms = millis, error.cause = %causes(source.as_ref()),
            "request failed"
        ),
        _ if status >= 500 => tracing::error!(
            request.id = id, http.method = %method, http.path = path, http.status = status,
            error.code = code, duration_ms = millis, "request failed"
        ),
        _ => tracing::info!(
            request.id = id, http.method = %method, http.path = path, http.status = status,
            error.code = code, duration_ms = millis, "request answered"
        ),
    }
}

/// An error and what led to it, in one line.
fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let chain = std::iter::successors(Some(error), |&cause| cause.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
