//! The body of an OAuth client's request: a small form, in which each parameter occurs once.

use std::collections::BTreeMap;

use axum::{
    body::{Body, to_bytes},
    http::{header::CONTENT_TYPE, request::Parts},
};
use url::form_urlencoded;

use crate::service::oauth::{ErrorCode, OAuthError};

/// The maximum size of a form in bytes.
const MAX_FORM_BYTES: usize = 16 * 1024;

/// The parameters of a request. Parameters without a value are left out.
pub(super) struct Form(BTreeMap<String, String>);

impl Form {
    /// Reads a form. Parameters must be in the body, because URLs are logged (RFC 6749, sections 2.3.1 and 3.2).
    pub(super) async fn read(parts: &Parts, body: Body) -> Result<Self, OAuthError> {
        if parts.uri.query().is_some_and(|query| !query.is_empty()) {
            return Err(wrong("Send the parameters in the body, not in the address."));
        }
        let content_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
        if !essence.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(wrong("Send a form: Content-Type: application/x-www-form-urlencoded."));
        }
        let bytes = to_bytes(body, MAX_FORM_BYTES).await;
        let bytes = bytes.map_err(|_| wrong("The form is larger than 16 KiB."))?;
        let mut parameters = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(&bytes) {
            // "Parameters sent without a value MUST be treated as if they were omitted from the request [...]
            // parameters MUST NOT be included more than once" (section 3.2).
            if value.is_empty() {
                continue;
            }
            if parameters.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err(wrong("A parameter is given more than once."));
            }
        }
        Ok(Form(parameters))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub(super) fn required(&self, name: &'static str) -> Result<&str, OAuthError> {
        self.get(name).ok_or_else(|| {
            wrong(match name {
                "grant_type" => "grant_type is missing.",
                "code" => "code is missing.",
                "redirect_uri" => "redirect_uri is missing.",
                "code_verifier" => "code_verifier is missing: PKCE is required.",
                "refresh_token" => "refresh_token is missing.",
                "token" => "token is missing.",
                _ => "A parameter is missing.",
            })
        })
    }
}

pub(super) fn wrong(description: &'static str) -> OAuthError {
    OAuthError::new(ErrorCode::InvalidRequest, description)
}
