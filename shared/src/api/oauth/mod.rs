//! OAuth 2.0 for applications: the token endpoint, revocation and the metadata. The pages for browsers are in `pages`.
//!
//! Responses have the shapes of their standards (RFC 6749, section 5; RFC 7009; RFC 8414), not the shape of the API.

mod client;
mod form;
mod metadata;

use axum::{
    Json, Router,
    extract::{Request, State},
    http::{
        HeaderValue, StatusCode,
        header::{CACHE_CONTROL, PRAGMA, RETRY_AFTER, WWW_AUTHENTICATE},
        request::Parts,
    },
    response::{IntoResponse, Response},
    routing::{get, post},
};
use jiff::SignedDuration;
use serde::Serialize;
use serde_json::json;

use super::{
    BASES,
    route::{REVOCATION_PATH, TOKEN_PATH},
};
use crate::{
    access::Scope,
    log::{self, ClientAddress, Field},
    service::{
        Connecting,
        oauth::{
            Authenticated, ErrorCode, OAuthError, TokenResponse,
            clients::authenticate,
            exchange::{Exchange, exchange},
            refresh::refresh,
            revoke::revoke,
        },
        requests::Counted,
    },
    store::{self, Rate},
    types::Mode,
};
use form::Form;

/// The path of each mode's metadata: "by inserting a well-known URI string between the host component and the path
/// component" of the issuer (RFC 8414, section 3.1).
pub(super) const METADATA_PATHS: [(&str, Mode); 2] = [
    ("/.well-known/oauth-authorization-server", Mode::Live),
    ("/.well-known/oauth-authorization-server/sandbox", Mode::Sandbox),
];

pub(super) fn routes() -> Router<Connecting> {
    let mut router = Router::new();
    for base in BASES {
        router = router
            .route(&format!("{base}{TOKEN_PATH}"), post(token))
            .route(&format!("{base}{REVOCATION_PATH}"), post(revocation));
    }
    for (path, mode) in METADATA_PATHS {
        let metadata = async move |State(app): State<Connecting>| metadata::answer(&app, mode);
        router = router.route(path, get(metadata));
    }
    router
}

/// A successful response of the token endpoint (RFC 6749, section 5.1; specification 4.5).
#[derive(Debug, Serialize)]
struct Tokens {
    access_token: String,
    token_type: &'static str,
    expires_in: i64,
    refresh_token: String,
    scope: String,
    taxpayer_id: String,
    grant_id: String,
}

async fn token(State(app): State<Connecting>, request: Request) -> Response {
    log::note(Field::Operation, &"oauth_token");
    match tokens(&app, request).await {
        Ok(tokens) => {
            let TokenResponse { access_token, refresh_token, expires_in, scopes, .. } = &tokens;
            let scopes: Vec<_> = scopes.iter().map(|scope| Scope::as_str(*scope)).collect();
            let body = Tokens {
                access_token: access_token.reveal().to_owned(),
                token_type: "Bearer",
                expires_in: *expires_in,
                refresh_token: refresh_token.reveal().to_owned(),
                scope: scopes.join(" "),
                taxpayer_id: tokens.taxpayer_id.into(),
                grant_id: tokens.grant_id.into(),
            };
            (uncached(), Json(body)).into_response()
        }
        Err(error) => refused(&error),
    }
}

async fn tokens(app: &Connecting, request: Request) -> Result<TokenResponse, OAuthError> {
    let (client, form) = authenticated(app, request).await?;
    match form.required("grant_type")? {
        "authorization_code" => {
            let sent = Exchange {
                code: form.required("code")?,
                redirect_uri: form.required("redirect_uri")?,
                code_verifier: form.required("code_verifier")?,
            };
            exchange(&app.ctx, &client, sent).await
        }
        "refresh_token" => {
            let token = form.required("refresh_token")?;
            refresh(&app.ctx, &client, token, form.get("scope")).await
        }
        _ => Err(OAuthError::new(
            ErrorCode::UnsupportedGrantType,
            "grant_type must be authorization_code or refresh_token.",
        )),
    }
}

async fn revocation(State(app): State<Connecting>, request: Request) -> Response {
    log::note(Field::Operation, &"oauth_revoke");
    let revoked = async {
        let (client, form) = authenticated(&app, request).await?;
        revoke(&app.ctx, &client, form.required("token")?).await
    };
    match revoked.await {
        // "The content of the response body is ignored by the client" (RFC 7009, section 2.2).
        Ok(()) => (StatusCode::OK, uncached()).into_response(),
        Err(error) => refused(&error),
    }
}

/// The form, and the authenticated client.
async fn authenticated(
    app: &Connecting,
    request: Request,
) -> Result<(Authenticated, Form), OAuthError> {
    let (parts, body) = request.into_parts();
    admit(app, &parts).await?;
    let form = Form::read(&parts, body).await?;
    let credentials = client::credentials(&parts.headers, &form)?;
    Ok((authenticate(&app.ctx, &credentials).await?, form))
}

/// The rate limit of token requests and revocations from one IP address. Many businesses of a provider may share an
/// address.
const TOKENS: Rate = Rate { what: "TOKEN", most: 3_000, window: SignedDuration::from_mins(1) };

/// Enforces the rate limit.
async fn admit(app: &Connecting, parts: &Parts) -> Result<(), OAuthError> {
    let place = store::place(parts.extensions.get().map(|ClientAddress(address)| *address));
    // The mode is known only with the client. The limit of an address has no mode.
    let taken = app.ctx.store.take_one(Mode::Live, TOKENS, &place, app.ctx.now()).await?;
    if let Some(counted) = parts.extensions.get::<Counted>() {
        counted.get_or_init(|| taken);
    }
    match taken.is_given {
        true => Ok(()),
        false => Err(OAuthError {
            retry_after: Some(taken.wait),
            ..OAuthError::new(
                ErrorCode::TooOften,
                "Too many requests from one address: retry later.",
            )
        }),
    }
}

/// "The authorization server MUST include the HTTP Cache-Control response header field with a value of no-store [...]
/// as well as the Pragma response header field with a value of no-cache" (RFC 6749, section 5.1).
fn uncached() -> [(axum::http::HeaderName, HeaderValue); 2] {
    [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (PRAGMA, HeaderValue::from_static("no-cache")),
    ]
}

/// An error of the token endpoint (RFC 6749, section 5.2).
fn refused(error: &OAuthError) -> Response {
    let OAuthError { code, description, retry_after, cause } = error;
    let cause = cause.as_ref().map_or_else(|| (*description).to_owned(), ToString::to_string);
    let status = match code {
        ErrorCode::InvalidClient => StatusCode::UNAUTHORIZED,
        ErrorCode::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::TooOften => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::BAD_REQUEST,
    };
    match status.is_server_error() {
        true => tracing::error!(error.code = code.as_str(), error.cause = cause, "oauth failed"),
        false => tracing::info!(error.code = code.as_str(), error.cause = cause, "oauth refused"),
    }
    let body = json!({"error": code.as_str(), "error_description": description});
    let mut response = (status, uncached(), Json(body)).into_response();
    let headers = response.headers_mut();
    match status {
        StatusCode::UNAUTHORIZED => {
            let scheme = HeaderValue::from_static(r#"Basic realm="oauth", charset="UTF-8""#);
            headers.insert(WWW_AUTHENTICATE, scheme);
        }
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
            let seconds = retry_after.map_or(5, |wait| wait.as_secs().max(1));
            headers.insert(RETRY_AFTER, seconds.into());
        }
        _ => {}
    }
    response
}
