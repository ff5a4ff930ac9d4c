//! OAuth 2.0 (specification 4.5 and 5): how a taxpayer lets an integrator's application act for it.
//!
//! | step | who | where |
//! |---|---|---|
//! | authorization request | the application, through the taxpayer's browser | [`authorize`] |
//! | decision | the taxpayer, on our page | [`consent`] |
//! | code for tokens | the application | [`exchange`] |
//! | refresh token for tokens | the application | [`refresh`] |
//! | taking tokens back | the application | [`revoke`] |
//!
//! Clients are confidential and prove it at each use of the token endpoint ([`clients`]); PKCE is asked of all of them
//! beside that (RFC 9700, section 2.1.1). Codes and tokens are opaque, 256 random bits each, of which the hash alone
//! is kept. An access token is looked up at each request, so that it ends with its grant at once.
//!
//! **ASVS 5, V10.4** (authorization servers), each line of its first two levels; the test quotes it.
//!
//! | line | here | test in `tests/oauth` |
//! |---|---|---|
//! | 10.4.1, 10.4.6 | [`authorize`] | `requests` |
//! | 10.4.2, 10.4.3, 10.4.10 | [`exchange`], [`clients`] | `codes` |
//! | 10.4.4 | the code and its refresh are the only grants | `requests`, and the API's of the token endpoint |
//! | 10.4.5, 10.4.8 | [`refresh`], though no client is public | `refreshing` |
//! | 10.4.7 | nobody registers a client unauthenticated | |
//! | 10.4.9 | the account takes grants back, with all their tokens | `codes`; `pages/tests/connect.rs` |
//! | 10.4.11 | a client's scopes | `requests` |
//!
//! Of the third level there is 10.4.3 (60 s), 10.4.12 (`response_mode` is `query`) and, since requests have none, 10.4.15.
//! Pushed requests, proof of possession and keys for clients (10.4.13, 10.4.14, 10.4.16) are not.

pub mod authorize;
pub mod clients;
pub mod consent;
mod error;
pub mod exchange;
pub mod refresh;
pub mod revoke;
mod tokens;

pub use error::{ErrorCode, OAuthError};
pub use tokens::{
    ACCESS_TOKEN_LIFE, FAMILY_LIFE, REFRESH_GRACE, REFRESH_TOKEN_IDLE, TokenResponse,
};

use crate::{access::oauth::OAuthClient, types::Mode};

/// The issuer of a mode (RFC 8414, section 2; RFC 9207), by the portal's origin: the modes are two authorization servers,
/// that nothing meant for one can be used at the other.
pub fn issuer(portal_url: &str, mode: Mode) -> String {
    match mode {
        Mode::Live => portal_url.to_owned(),
        Mode::Sandbox => format!("{portal_url}/sandbox"),
    }
}

/// A client that has proved who it is.
#[derive(Debug, Clone)]
pub struct Authenticated(OAuthClient);

impl Authenticated {
    /// The client.
    pub fn client(&self) -> &OAuthClient {
        &self.0
    }
}
