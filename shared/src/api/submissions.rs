//! Sends and validations.

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    error::ApiError,
    header::RESPOND_ASYNC,
    request::Call,
    response::{ValidationResponse, render},
};
use crate::{
    access::Scope,
    api::route::{
        ActsFor, Answer, AnswerHeader, Content, HttpMethod, RequestBody, RequestHeader, Route, Tag,
    },
    document::Operation,
    error::Code::*,
    log::{self, Field},
    service::{
        self,
        reply::{Reply, Sent},
        submit::Send,
    },
};

const SENT_HEADERS: &[AnswerHeader] = &[AnswerHeader::Location, AnswerHeader::IdempotentReplayed];

const QUEUED_HEADERS: &[AnswerHeader] =
    &[AnswerHeader::Location, AnswerHeader::IdempotentReplayed, AnswerHeader::PreferenceApplied];

const SEND: Route = Route {
    id: "",
    method: HttpMethod::Post,
    path: "",
    tag: Tag::Sending,
    summary: "",
    description: "",
    any_of: &[Scope::InvoicesWrite],
    query: &[],
    headers: &[RequestHeader::IdempotencyKey, RequestHeader::Prefer],
    body: None,
    answers: &[
        Answer {
            status: 201,
            description: "The document is sent",
            content: Content::Document,
            headers: SENT_HEADERS,
        },
        Answer {
            status: 202,
            description: "The document is queued (Prefer: respond-async). Its status is accepted, and document.sent \
                follows",
            content: Content::Document,
            headers: QUEUED_HEADERS,
        },
    ],
    errors: &[
        IdempotencyKeyRequired,
        QueuedDeliveryDisabled,
        SubscriptionRequired,
        IdempotencyKeyReused,
        IdempotencyInProgress,
        NotCorrectable,
        AlreadyCorrected,
        CorrectionRecoveryPending,
        RecipientNotRegistered,
        RecipientNotCapable,
        RecipientRegistrationDefective,
        TransmissionRefused,
        QuotaExceeded,
        BillingStatusUnavailable,
        IdempotencyUnavailable,
        RecipientLookupFailed,
        RecipientUnreachable,
        TransmissionUnconfirmed,
    ],
    acts_for: ActsFor::Taxpayer,
};

const VALIDATE: Route = Route {
    headers: &[],
    answers: &[Answer::of(
        200,
        "The result: `valid` says whether the document could be sent",
        Content::Validation,
    )],
    errors: &[],
    ..SEND
};

/// The response header that names the applied preference (RFC 7240, section 3).
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The header that marks a saved response.
pub const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

pub(super) const SEND_INVOICE: Route = Route {
    id: "send_invoice",
    path: "/invoices",
    summary: "Send an invoice",
    description: "Converts the body to PINT-AE UBL, checks it, and sends it to the customer. The default \
        supplier is the taxpayer's registered profile.",
    body: Some(RequestBody::Document(Operation::Invoice)),
    ..SEND
};

pub(super) const SEND_CREDIT_NOTE: Route = Route {
    id: "send_credit_note",
    path: "/credit-notes",
    summary: "Send a credit note",
    description: "Credits an invoice of this access point (`previous_document_id`), or an invoice of another \
        system (`original_reference_kind: external`). The interface specification defines no body for this \
        operation. This body has the fields of the self-billed credit note, with `customer` instead of \
        `supplier`. It also has `delivery`, `delivery_address` and `payment_means`, which exports need.",
    body: Some(RequestBody::Document(Operation::CreditNote)),
    ..SEND
};

pub(super) const SEND_SELF_BILLED_INVOICE: Route = Route {
    id: "send_self_billed_invoice",
    path: "/self-billing/invoices",
    summary: "Send a self-billed invoice",
    description: "Sends an invoice that the taxpayer issues as the buyer, on behalf of the supplier. The \
        customer is always the taxpayer's registered profile.",
    body: Some(RequestBody::Document(Operation::SelfBilledInvoice)),
    ..SEND
};

pub(super) const SEND_SELF_BILLED_CREDIT_NOTE: Route = Route {
    id: "send_self_billed_credit_note",
    path: "/self-billing/credit-notes",
    summary: "Send a self-billed credit note",
    description: "Credits a self-billed invoice, with the taxpayer as the buyer. The credited invoice is one of \
        this access point (`previous_document_id`) or an external one.",
    body: Some(RequestBody::Document(Operation::SelfBilledCreditNote)),
    ..SEND
};

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

pub(super) const VALIDATE_INVOICE: Route = Route {
    id: "validate_invoice",
    path: "/invoices/validate",
    summary: "Validate an invoice",
    description: "Runs the same conversion and checks as `POST /invoices`, without recording or sending \
        anything. The answer is 200 whether the document is valid or not. `valid` says whether the document \
        could be sent. `errors` contains the errors as in `detail.errors` of a refused send, and `warnings` \
        contains the warnings. Only a request that is unreadable or not permitted is answered with an error. The \
        operation does not use the headers Idempotency-Key and Prefer.",
    body: Some(RequestBody::Document(Operation::Invoice)),
    ..VALIDATE
};

pub(super) const VALIDATE_CREDIT_NOTE: Route = Route {
    id: "validate_credit_note",
    path: "/credit-notes/validate",
    summary: "Validate a credit note",
    description: "Validates the body of `POST /credit-notes`, like `POST /invoices/validate`.",
    body: Some(RequestBody::Document(Operation::CreditNote)),
    ..VALIDATE
};

pub(super) const VALIDATE_SELF_BILLED_INVOICE: Route = Route {
    id: "validate_self_billed_invoice",
    path: "/self-billing/invoices/validate",
    summary: "Validate a self-billed invoice",
    description: "Validates the body of `POST /self-billing/invoices`, like `POST /invoices/validate`.",
    body: Some(RequestBody::Document(Operation::SelfBilledInvoice)),
    ..VALIDATE
};

pub(super) const VALIDATE_SELF_BILLED_CREDIT_NOTE: Route = Route {
    id: "validate_self_billed_credit_note",
    path: "/self-billing/credit-notes/validate",
    summary: "Validate a self-billed credit note",
    description: "Validates the body of `POST /self-billing/credit-notes`, like `POST /invoices/validate`.",
    body: Some(RequestBody::Document(Operation::SelfBilledCreditNote)),
    ..VALIDATE
};

pub(super) async fn validate(mut call: Call, operation: Operation) -> Result<Response, ApiError> {
    let body = call.json_body().await?;
    let validation = service::submit::validate(call.ctx(), &call.caller, operation, &body).await?;
    Ok(Json(ValidationResponse::of(validation, call.docs.as_ref())).into_response())
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
