use std::error::Error;

use jiff::SignedDuration;
use serde::Serialize;

use crate::store::StoreError;

/// The errors of the authorization endpoint (RFC 6749, section 4.1.2.1), of the token endpoint (section 5.2) and of
/// revocation (RFC 7009, section 2.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A parameter is missing, wrong, or given twice.
    InvalidRequest,
    /// The client was not authenticated.
    InvalidClient,
    /// The code or refresh token is wrong, expired, revoked, or another client's.
    InvalidGrant,
    /// The grant type is not supported.
    UnsupportedGrantType,
    /// The response type is not `code`.
    UnsupportedResponseType,
    /// A scope is unknown, or more than was granted.
    InvalidScope,
    /// The taxpayer declined.
    AccessDenied,
    /// An internal error.
    ServerError,
    /// The service is temporarily unavailable: retry.
    TemporarilyUnavailable,
    /// Too many requests: retry later. The norm has no code of its own for this.
    #[serde(rename = "temporarily_unavailable")]
    TooOften,
}

impl ErrorCode {
    /// The code as in the norm.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::InvalidRequest => "invalid_request",
            ErrorCode::InvalidClient => "invalid_client",
            ErrorCode::InvalidGrant => "invalid_grant",
            ErrorCode::UnsupportedGrantType => "unsupported_grant_type",
            ErrorCode::UnsupportedResponseType => "unsupported_response_type",
            ErrorCode::InvalidScope => "invalid_scope",
            ErrorCode::AccessDenied => "access_denied",
            ErrorCode::ServerError => "server_error",
            ErrorCode::TemporarilyUnavailable | ErrorCode::TooOften => "temporarily_unavailable",
        }
    }
}

/// A failed OAuth request.
#[derive(Debug)]
pub struct OAuthError {
    /// The error for programs.
    pub code: ErrorCode,
    /// The error for developers. Its characters are those that `error_description` may have (RFC 6749, section 5.2).
    pub description: &'static str,
    /// When a retry may succeed.
    pub retry_after: Option<SignedDuration>,
    /// The cause, for the log only.
    pub cause: Option<Box<dyn Error + Send + Sync>>,
}

impl OAuthError {
    /// An error with a text for the developer.
    pub fn new(code: ErrorCode, description: &'static str) -> Self {
        OAuthError { code, description, retry_after: None, cause: None }
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn because(self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        OAuthError { cause: Some(cause.into()), ..self }
    }
}

impl From<StoreError> for OAuthError {
    fn from(error: StoreError) -> Self {
        let known = match error {
            StoreError::Corrupt(_) => {
                OAuthError::new(ErrorCode::ServerError, "Something went wrong on our side.")
            }
            StoreError::Unavailable(_) | StoreError::Unknown(_) => OAuthError::new(
                ErrorCode::TemporarilyUnavailable,
                "A part of the service cannot be reached: retry.",
            ),
        };
        known.because(error)
    }
}
