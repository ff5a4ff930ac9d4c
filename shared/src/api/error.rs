//! Errors at the edge: one type, one shape, one table of HTTP statuses.

use std::sync::Arc;

use axum::{
    Json,
    extract::Request,
    http::{
        HeaderValue, StatusCode,
        header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE},
    },
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{IDEMPOTENT_REPLAYED, methods};
use crate::{
    access::{CHALLENGE, Scope, TOKEN_CHALLENGE},
    config::{ApiOriginConfig, ConfigError, Environment},
    error::{Code, Failure, Finding},
};

/// The maximum size of the findings in a response, in bytes.
pub(super) const FINDINGS_BYTES: usize = 2_500_000;
/// The WWW-Authenticate challenge for an unsigned event.
pub(super) const SIGNATURE_CHALLENGE: &str = "Webhook-Signature";

/// The error of a handler. The edge writes its body, because it knows the request id.
#[derive(Debug)]
pub struct ApiError {
    failure: Failure,
    /// The WWW-Authenticate header, if the code alone does not determine it.
    challenge: Option<Box<HeaderValue>>,
}

impl ApiError {
    /// The error for an access token without a required scope. The challenge names a sufficient scope (RFC 6750,
    /// section 3.1).
    pub(super) fn for_token(failure: Failure, any_of: &[Scope]) -> Self {
        let wanted = any_of.first().filter(|_| failure.code == Code::InsufficientScope);
        let challenge = wanted.and_then(|scope| {
            let scope = scope.as_str();
            format!(r#"Bearer error="insufficient_scope", scope="{scope}""#)
                .parse()
                .ok()
                .map(Box::new)
        });
        ApiError { failure, challenge }
    }
}

/// The path of the documentation on the host of the API.
pub const DOCS: &str = "/docs";
/// The page that explains each code, below [`DOCS`].
pub const ERRORS_PAGE: &str = "errors";
/// The page that explains each rule, below [`DOCS`].
pub const RULES_PAGE: &str = "rules";

/// The URL of the documentation, for a deployment that knows its own URL.
#[derive(Debug, Clone)]
pub struct DocsUrl(Arc<str>);

impl DocsUrl {
    /// The documentation of a deployment's API; `None` while its origin is not set.
    pub fn read(environment: &Environment) -> Result<Option<Self>, ConfigError> {
        let ApiOriginConfig { origin } = ApiOriginConfig::read(environment)?;
        Ok(origin.as_deref().map(DocsUrl::at))
    }

    /// The documentation of the API at an origin, such as `https://api.example.com`.
    pub fn at(origin: &str) -> Self {
        DocsUrl(format!("{origin}{DOCS}").into())
    }

    /// The URL that explains a code.
    pub fn of_code(&self, code: Code) -> String {
        format!("{}/{ERRORS_PAGE}#{code}", self.0)
    }

    /// The URL that explains a rule.
    pub fn of_rule(&self, rule: &str) -> String {
        format!("{}/{RULES_PAGE}#{rule}", self.0)
    }
}

/// The shape of every error.
#[derive(Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct ErrorResponse {
    /// Details of the error.
    pub detail: ErrorDetail,
}

/// The details of an error, for programs and for people.
#[derive(Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(serde::Deserialize))]
pub struct ErrorDetail {
    /// Stable code from a closed list.
    pub code: Code,
    /// One sentence that says what happened and what to do.
    pub message: String,
    /// Identifier of the request, equal to the x-request-id header. Include it in support requests.
    pub request_id: String,
    /// Address of the documentation of the code. Absent if the deployment does not know its own address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub doc_url: Option<String>,
    /// Document that the error is about, if there is one. With `transmission_unconfirmed` and `transmission_refused`,
    /// the sent document. With `idempotency_key_reused` and `idempotency_in_progress`, the document sent under the
    /// key. With `already_corrected`, the correction. With `correction_recovery_pending`, the document to be
    /// corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub document_id: Option<String>,
    /// Whether `errors` contains all errors. Only present with `validation_failed`. False when the validation stopped
    /// after 10,000 schema errors, 10,000 violations of official rules or 10,000 findings of own checks. Also false
    /// when the errors do not fit in a response. Then correct the listed errors: more may be found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub complete: Option<bool>,
    /// All errors of the document at once. Empty when the document is not the reason for the error. If the errors do
    /// not fit in a response, the last one, AP-FINDINGS, counts those that are left out.
    pub errors: Vec<Finding>,
}

/// The HTTP status of a code.
pub fn status(code: Code) -> StatusCode {
    match code {
        Code::MalformedJson
        | Code::InvalidRequest
        | Code::IdempotencyKeyRequired
        | Code::QueuedDeliveryDisabled => StatusCode::BAD_REQUEST,
        Code::Unauthorized | Code::InvalidToken | Code::InvalidSignature => {
            StatusCode::UNAUTHORIZED
        }
        Code::SubscriptionRequired => StatusCode::PAYMENT_REQUIRED,
        Code::GrantRequired
        | Code::InsufficientScope
        | Code::TaxpayerInactive
        | Code::ApiKeyRequired => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::IdempotencyKeyReused
        | Code::IdempotencyInProgress
        | Code::NotCorrectable
        | Code::AlreadyCorrected
        | Code::CorrectionRecoveryPending
        | Code::ReportNotRepairable
        | Code::VersionConflict
        | Code::EndpointLimitReached
        | Code::EndpointDisabled
        | Code::DeliveryInProgress
        | Code::AlreadyDelivered => StatusCode::CONFLICT,
        Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::QuotaExceeded => StatusCode::TOO_MANY_REQUESTS,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::ValidationFailed
        | Code::RecipientNotRegistered
        | Code::RecipientNotCapable
        | Code::RecipientRegistrationDefective
        | Code::TransmissionRefused => StatusCode::UNPROCESSABLE_ENTITY,
        Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
        Code::BillingStatusUnavailable
        | Code::IdempotencyUnavailable
        | Code::RecipientLookupFailed
        | Code::RecipientUnreachable
        | Code::TransmissionUnconfirmed
        | Code::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        ApiError { failure, challenge: None }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = status(self.failure.code).into_response();
        if let Some(challenge) = self.challenge {
            response.headers_mut().insert(WWW_AUTHENTICATE, *challenge);
        }
        response.extensions_mut().insert(Arc::new(self.failure));
        response
    }
}

/// The failure of a response whose body is not written yet.
pub(super) fn failure_of(response: &Response) -> Option<Arc<Failure>> {
    response.extensions().get::<Arc<Failure>>().cloned()
}

/// Writes the body of a failure, with links to the documentation if its URL is known. Existing headers of the response,
/// such as Allow, stay.
pub(super) fn write(
    failure: &Failure,
    request_id: &str,
    docs: Option<&DocsUrl>,
    response: Response,
) -> Response {
    let (errors, is_complete) = errors(&failure.findings, docs);
    let complete =
        (failure.code == Code::ValidationFailed).then_some(failure.complete && is_complete);
    let body = ErrorResponse {
        detail: ErrorDetail {
            code: failure.code,
            message: failure.message.clone(),
            request_id: request_id.to_owned(),
            doc_url: docs.map(|docs| docs.of_code(failure.code)),
            document_id: failure.document_id.clone(),
            complete,
            errors,
        },
    };
    let mut written = (response.status(), Json(body)).into_response();
    let headers = written.headers_mut();
    for kept in [ALLOW, WWW_AUTHENTICATE] {
        if let Some(value) = response.headers().get(&kept) {
            headers.insert(kept, value.clone());
        }
    }
    // RFC 9110, section 15.5.2: a 401 names a usable authentication scheme.
    match failure.code {
        Code::Unauthorized => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(CHALLENGE));
        }
        Code::InvalidToken => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(TOKEN_CHALLENGE));
        }
        Code::InvalidSignature => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(SIGNATURE_CHALLENGE));
        }
        _ => {}
    }
    if failure.replayed {
        headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    if let Some(seconds) = failure.retry_after.or(retry_after(failure.code)) {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    written
}

/// As many findings as fit into a response, and whether these are all. Links count toward the size.
pub(super) fn errors(findings: &[Finding], docs: Option<&DocsUrl>) -> (Vec<Finding>, bool) {
    let link = |finding: &Finding| Finding {
        doc_url: docs.map(|docs| docs.of_rule(&finding.rule)),
        ..finding.clone()
    };
    let linked: Vec<_> = findings.iter().map(link).collect();
    let mut errors = Finding::fitting(&linked, FINDINGS_BYTES);
    let is_complete = errors.last() == linked.last();
    // The finding that counts the omitted ones also has a link.
    if let (false, Some(last)) = (is_complete, errors.last_mut()) {
        *last = link(last);
    }
    (errors, is_complete)
}

/// The seconds after which a retry is useful, unless the failure itself has a value.
pub fn retry_after(code: Code) -> Option<u32> {
    match code {
        // The tax authority responds within minutes. A lost connection to the billing provider is not repaired sooner.
        Code::CorrectionRecoveryPending | Code::BillingStatusUnavailable => Some(60),
        // A day ends within this time.
        Code::QuotaExceeded => Some(24 * 60 * 60),
        Code::IdempotencyInProgress => Some(5),
        // The maximum. The edge knows the exact value.
        Code::RateLimited => Some(60),
        _ => (status(code) == StatusCode::SERVICE_UNAVAILABLE).then_some(5),
    }
}

/// Answers a path that this function does not have: an unknown path, or one whose operations belong to another
/// function.
pub(super) async fn answer_unknown_path(request: Request) -> Response {
    if !methods::of_path(request.uri().path()).is_empty() {
        return answer_unknown_method(request).await;
    }
    let message = format!("There is no {}; see the OpenAPI document.", shown(&request));
    ApiError::from(Failure::new(Code::NotFound, message)).into_response()
}

/// Answers a known path with an unknown method. `Allow` names the methods of the path in all functions.
pub(super) async fn answer_unknown_method(request: Request) -> Response {
    let message =
        format!("{} has no method {}; see the Allow header.", shown(&request), request.method());
    let failure = Failure::new(Code::MethodNotAllowed, message);
    let mut response = ApiError::from(failure).into_response();
    if let Ok(allowed) = HeaderValue::from_str(&methods::of_path(request.uri().path())) {
        response.headers_mut().insert(ALLOW, allowed);
    }
    response
}

/// The requested path, truncated when it is very long.
fn shown(request: &Request) -> String {
    request.uri().path().chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::api::openapi::codes;

    #[test]
    fn every_code_is_shown_in_snake_case_and_has_an_error_status() {
        let shown: BTreeSet<String> = codes().iter().map(|code| code.to_string()).collect();
        assert_eq!(shown.len(), codes().len());
        for code in codes() {
            let status = status(code);
            assert!(status.is_client_error() || status.is_server_error(), "{code}");
        }
    }
}
