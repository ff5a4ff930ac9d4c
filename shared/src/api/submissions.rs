//! The four sends and validation.

use axum::{
    Json,
    extract::State,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    App,
    error::ApiError,
    extract::{Authorized, JsonBytes, SendHeaders, Write},
    response::{DocumentResponse, ValidationResponse, render},
};
use crate::{
    access::Caller,
    document::Operation,
    service::{
        self,
        submit::{Send, Sent},
    },
};

/// Tells a saved answer from a fresh one.
pub const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Send an invoice
///
/// Converts the body to PINT-AE UBL, checks it, and sends it to the customer. The supplier is the
/// taxpayer's registered profile when left out.
#[utoipa::path(post, path = "/invoices", tag = "Sending",
    responses((status = 201, description = "Sent", body = DocumentResponse)))]
pub(super) async fn send_invoice(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Write>,
    headers: SendHeaders,
    JsonBytes(body): JsonBytes,
) -> Result<Response, ApiError> {
    send(&app, &caller, Operation::Invoice, &headers, &body).await
}

/// Send a credit note
///
/// Credits an invoice: one of this access point (`previous_document_id`) or, with
/// `original_reference_kind: external`, one of another system. The interface specification shows
/// no body for it; this one mirrors the self-billed credit note with `customer` in place of
/// `supplier`, and has `delivery`, `delivery_address` and `payment_means` as well, which exports
/// need.
#[utoipa::path(post, path = "/credit-notes", tag = "Sending",
    responses((status = 201, description = "Sent", body = DocumentResponse)))]
pub(super) async fn send_credit_note(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Write>,
    headers: SendHeaders,
    JsonBytes(body): JsonBytes,
) -> Result<Response, ApiError> {
    send(&app, &caller, Operation::CreditNote, &headers, &body).await
}

/// Send a self-billed invoice
///
/// The taxpayer is the buyer and issues the invoice for the supplier; the customer is always the
/// taxpayer's registered profile.
#[utoipa::path(post, path = "/self-billing/invoices", tag = "Sending",
    responses((status = 201, description = "Sent", body = DocumentResponse)))]
pub(super) async fn send_self_billed_invoice(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Write>,
    headers: SendHeaders,
    JsonBytes(body): JsonBytes,
) -> Result<Response, ApiError> {
    send(&app, &caller, Operation::SelfBilledInvoice, &headers, &body).await
}

/// Send a self-billed credit note
///
/// The taxpayer is the buyer and credits a self-billed invoice: one of this access point
/// (`previous_document_id`) or an external one.
#[utoipa::path(post, path = "/self-billing/credit-notes", tag = "Sending",
    responses((status = 201, description = "Sent", body = DocumentResponse)))]
pub(super) async fn send_self_billed_credit_note(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Write>,
    headers: SendHeaders,
    JsonBytes(body): JsonBytes,
) -> Result<Response, ApiError> {
    send(&app, &caller, Operation::SelfBilledCreditNote, &headers, &body).await
}

async fn send(
    app: &App,
    caller: &Caller,
    operation: Operation,
    headers: &SendHeaders,
    body: &[u8],
) -> Result<Response, ApiError> {
    let send = Send {
        operation,
        body,
        idempotency_key: headers.idempotency_key.as_deref(),
        respond_async: headers.respond_async,
    };
    Ok(answer(service::submit::send(&app.sending, caller, send, render).await?))
}

/// The saved status and body byte for byte, and where the document is.
fn answer(sent: Sent) -> Response {
    let status = StatusCode::from_u16(sent.reply.status).unwrap_or(StatusCode::OK);
    let location = HeaderValue::try_from(format!("/v1/invoices/{}", sent.document_id));
    let mut response = (status, sent.reply.body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Ok(location) = location {
        headers.insert(header::LOCATION, location);
    }
    if sent.replayed {
        headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// Validate an invoice
///
/// Takes the body of `POST /invoices`, runs the same conversion and checks, and delivers nothing:
/// nothing is recorded or transmitted. Takes neither Idempotency-Key nor Prefer.
#[utoipa::path(post, path = "/invoices/validate", tag = "Sending",
    responses((status = 200, description = "Valid; look at the warnings", body = ValidationResponse)))]
pub(super) async fn validate_invoice(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Write>,
    JsonBytes(body): JsonBytes,
) -> Result<Json<ValidationResponse>, ApiError> {
    let warnings = service::submit::validate(&app.sending.ctx, &caller, &body).await?;
    Ok(Json(ValidationResponse { valid: true, errors: Vec::new(), complete: true, warnings }))
}
