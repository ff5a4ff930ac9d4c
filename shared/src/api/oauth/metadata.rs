//! The metadata of an authorization server (RFC 8414).

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::{
    access::Scope,
    api::route::{REVOCATION_PATH, TOKEN_PATH},
    service::{Connecting, oauth::issuer},
    types::{Addresses, Mode},
};

/// The metadata of a mode; 404 while the deployment's own URLs are not configured.
pub(super) fn answer(app: &Connecting, mode: Mode) -> Response {
    match &app.addresses {
        Some(addresses) => Json(document(addresses, mode)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn document(addresses: &Addresses, mode: Mode) -> Value {
    let issuer = issuer(&addresses.portal_url, mode);
    let base_url = &addresses.base_url;
    let methods = ["client_secret_basic", "client_secret_post"];
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{base_url}{TOKEN_PATH}"),
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint": format!("{base_url}{REVOCATION_PATH}"),
        "revocation_endpoint_auth_methods_supported": methods,
        "scopes_supported": Scope::ALL.map(Scope::as_str),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "ui_locales_supported": ["en", "ar"],
    })
}
