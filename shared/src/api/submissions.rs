//! Sends and validations.

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    error::ApiError,
    request::{Call, RESPOND_ASYNC},
    response::{ValidationResponse, render},
};
use crate::{
    document::Operation,
    log::{self, Field},
    service::{
        self,
        reply::{Reply, Sent},
        submit::Send,
    },
};

/// The response header that names the applied preference (RFC 7240, section 3).
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The header that marks a saved response.
pub const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

pub(super) async fn send(mut call: Call, operation: Operation) -> Result<Response, ApiError> {
    let headers = call.send_headers()?;
    let body = call.json_body().await?;
    let send = Send {
        operation,
        body: &body,
        idempotency_key: headers.idempotency_key.as_deref(),
        respond_async: headers.respond_async,
        import: None,
    };
    let sent = service::submit::send(&call.app.sending, &call.caller, send, render).await?;
    log::note(Field::DocumentId, &sent.document_id);
    let mut response = answer(sent);
    // RFC 7240, section 3. A repeated send that was not queued is not queued by this preference.
    if headers.respond_async && response.status() == StatusCode::ACCEPTED {
        response.headers_mut().insert(PREFERENCE_APPLIED, HeaderValue::from_static(RESPOND_ASYNC));
    }
    Ok(response)
}

pub(super) async fn validate(mut call: Call, operation: Operation) -> Result<Response, ApiError> {
    let body = call.json_body().await?;
    let judged = service::submit::validate(call.ctx(), &call.caller, operation, &body).await?;
    Ok(Json(ValidationResponse::of(judged, call.docs.as_ref())).into_response())
}

/// The saved status and body, byte for byte, with the location of the document.
fn answer(sent: Sent) -> Response {
    let location = HeaderValue::try_from(format!("/v1/invoices/{}", sent.document_id));
    let mut response = saved(sent);
    if let Ok(location) = location {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// The saved status and body, byte for byte.
pub(super) fn saved(sent: Sent) -> Response {
    reply(sent.reply, sent.replayed)
}

/// A new or a saved response.
pub(super) fn reply(reply: Reply, replayed: bool) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let mut response = (status, reply.body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if replayed {
        headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    response
}
