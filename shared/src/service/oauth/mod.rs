//! OAuth 2.0 (specification 4.5 and 5): a taxpayer lets an integrator's application act for it.
//!
//! | step | actor | module |
//! |---|---|---|
//! | authorization request | the application, through the taxpayer's browser | [`authorize`] |
//! | decision | the taxpayer, on our page | [`consent`] |
//! | code for tokens | the application | [`exchange`] |
//! | refresh token for tokens | the application | [`refresh`] |
//! | revocation of tokens | the application | [`revoke`] |
//!
//! Clients are confidential, and authenticate at each use of the token endpoint ([`clients`]). All of them need PKCE
//! too (RFC 9700, section 2.1.1). Codes and tokens are opaque, with 256 random bits each. The table holds only their
//! hashes. An access token is looked up at each request, so that it ends at once with its grant.
//!
//! **ASVS 5, V10.4** (authorization servers), each line of its first two levels. The tests quote it.
//!
//! | line | here | test in `tests/oauth` |
//! |---|---|---|
//! | 10.4.1, 10.4.6 | [`authorize`] | `requests` |
//! | 10.4.2, 10.4.3, 10.4.10 | [`exchange`], [`clients`] | `codes` |
//! | 10.4.4 | the code and its refresh are the only grants | `requests`, and the API's of the token endpoint |
//! | 10.4.5, 10.4.8 | [`refresh`], though no client is public | `refreshing` |
//! | 10.4.7 | no client registers without authentication | |
//! | 10.4.9 | the account revokes grants, with all their tokens | `codes`; `pages/tests/connect.rs` |
//! | 10.4.11 | a client's scopes | `requests` |
//!
//! Of the third level we meet 10.4.3 (60 s), 10.4.12 (`response_mode` is `query`) and 10.4.15, since requests have no
//! authorization details. We have no pushed requests, no proof of possession and no keys for clients (10.4.13, 10.4.14,
//! 10.4.16).

pub mod authorize;
pub mod clients;
pub mod consent;
mod error;
pub mod exchange;
pub mod refresh;
pub mod revoke;
mod tokens;

pub use error::{ErrorCode, OAuthError};
pub use tokens::{FAMILY_LIFE, REFRESH_GRACE, TokenResponse};

use crate::{access::oauth::OAuthClient, types::Mode};

/// The issuer of a mode (RFC 8414, section 2; RFC 9207), from the portal's origin. The modes are two authorization
/// servers, so that nothing of one can be used at the other.
pub fn issuer(portal_url: &str, mode: Mode) -> String {
    match mode {
        Mode::Live => portal_url.to_owned(),
        Mode::Sandbox => format!("{portal_url}/sandbox"),
    }
}

/// An authenticated client.
#[derive(Debug, Clone)]
pub struct Authenticated(OAuthClient);

impl Authenticated {
    /// The client.
    pub fn client(&self) -> &OAuthClient {
        &self.0
    }
}
