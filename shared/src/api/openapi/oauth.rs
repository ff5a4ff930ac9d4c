//! The OAuth endpoints in the OpenAPI document. Their bodies are forms, and their errors follow their standards.

use serde_json::{Value, json};

use super::descriptions;
use crate::{
    access::Scope,
    api::route::{REVOCATION_PATH, TOKEN_PATH},
};

/// The methods of client authentication.
const CLIENT: &str = "client_secret_basic (HTTP Basic, each part form-urlencoded) or client_secret_post (client_id and \
    client_secret in the form), never both.";

/// Adds both endpoints.
pub(super) fn add(document: &mut Value) {
    let scopes: Vec<_> = Scope::ALL.map(Scope::as_str).into();
    document["components"]["schemas"]["TokenResponse"] = json!({
        "type": "object",
        "description": "Tokens for one taxpayer (RFC 6749, section 5.1).",
        "required": [
            "access_token", "token_type", "expires_in", "refresh_token", "scope", "taxpayer_id", "grant_id",
        ],
        "properties": {
            "access_token": {"type": "string", "description": "Access token for the header Authorization: Bearer."},
            "token_type": {"type": "string", "enum": ["Bearer"]},
            "expires_in": {"type": "integer", "description": "Seconds until the access token expires: 900."},
            "refresh_token": {"type": "string", "description": "Refresh token, valid once. Always keep the newest \
                one."},
            "scope": {
                "type": "string", "description": "Scopes of the access token, separated by spaces.",
                "example": scopes.join(" "),
            },
            "taxpayer_id": {"type": "string", "pattern": "^txpay_[0-9A-Za-z]{1,64}$"},
            "grant_id": {"type": "string", "pattern": "^tgr_[0-9A-Za-z]{1,64}$"},
        },
    });
    document["components"]["schemas"]["OAuthError"] = json!({
        "type": "object",
        "description": "An error of RFC 6749, section 5.2.",
        "required": ["error", "error_description"],
        "properties": {
            "error": {"type": "string", "enum": [
                "invalid_request", "invalid_client", "invalid_grant", "invalid_scope", "unsupported_grant_type",
                "server_error", "temporarily_unavailable",
            ]},
            "error_description": {"type": "string", "description": "Description of what to correct."},
        },
    });
    document["paths"][TOKEN_PATH]["post"] = operation(
        "exchange_token",
        "Get tokens",
        descriptions::TOKEN,
        &json!({
            "type": "object",
            "required": ["grant_type"],
            "properties": {
                "grant_type": {"type": "string", "enum": ["authorization_code", "refresh_token"]},
                "code": {"type": "string", "description": "With authorization_code: the code. It is valid once, for \
                    60 s."},
                "redirect_uri": {"type": "string", "description": "With authorization_code: the same value as in the \
                    authorization request."},
                "code_verifier": {
                    "type": "string", "minLength": 43, "maxLength": 128,
                    "description": "With authorization_code: the verifier of the code challenge (RFC 7636).",
                },
                "refresh_token": {"type": "string", "description": "With refresh_token: the refresh token."},
                "scope": {"type": "string", "description": "With refresh_token: scopes to request, a subset of the \
                    granted scopes."},
                "client_id": {"type": "string"},
                "client_secret": {"type": "string"},
            },
        }),
        json!({
            "description": "The tokens",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TokenResponse"}}},
        }),
    );
    document["paths"][REVOCATION_PATH]["post"] = operation(
        "revoke_token",
        "Revoke a token",
        descriptions::REVOCATION,
        &json!({
            "type": "object",
            "required": ["token"],
            "properties": {
                "token": {"type": "string", "description": "An access token or a refresh token of the client."},
                "token_type_hint": {"type": "string", "description": "Optional. The service recognizes the type of a \
                    token itself."},
                "client_id": {"type": "string"},
                "client_secret": {"type": "string"},
            },
        }),
        json!({"description": "The token is not valid, or no longer valid"}),
    );
}

fn operation(id: &str, summary: &str, description: &str, form: &Value, done: Value) -> Value {
    let error = |description: &str| {
        json!({
            "description": description,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OAuthError"}}},
        })
    };
    json!({
        "operationId": id,
        "tags": ["OAuth"],
        "summary": summary,
        "description": format!("{description} The client authenticates with {CLIENT}"),
        "security": [{"ClientSecretBasic": []}, {}],
        "parameters": [],
        "requestBody": {
            "required": true,
            "content": {"application/x-www-form-urlencoded": {"schema": form}},
        },
        "responses": {
            "200": done,
            "400": error("error describes the problem of the request, the code or the token"),
            "401": error("error is invalid_client"),
            "429": error("error is temporarily_unavailable: too many requests from one address. Retry-After says \
                when to retry. Or API Gateway: Too Many Requests"),
            "500": error("error is server_error"),
            "503": error("error is temporarily_unavailable: retry"),
        },
    })
}
