//! The records of OAuth: clients, authorization requests, codes and tokens. Only hashes of secrets are stored.

use std::{collections::BTreeSet, fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::{Host, Url};

use super::{
    AccessTokenHash, Actor, ClientSecretHash, CodeHash, PresentedClientSecret, RefreshTokenHash,
    RequestHash, Scope,
};
use crate::types::{ClientId, FamilyId, GrantId, Mode, OrganizationId, TaxpayerId};

/// Longest redirect URI, in characters.
pub const MAX_REDIRECT_URI: usize = 2_000;
/// Maximum number of redirect URIs of a client.
pub const MAX_REDIRECT_URIS: usize = 20;

/// An integrator's application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OAuthClient {
    /// Its identifier; it is not a secret.
    pub client_id: ClientId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization that owns it.
    pub organization_id: OrganizationId,
    /// Its name on the consent page.
    pub name: String,
    /// The valid secrets; two during a rotation.
    pub secrets: Vec<ClientSecret>,
    /// The allowed redirect URIs.
    pub redirect_uris: Vec<RedirectUri>,
    /// The scopes that it may request: only the ones that it needs (ASVS 5, 10.4.11).
    #[serde(default = "every_scope")]
    pub scopes: BTreeSet<Scope>,
    /// The actor that created it.
    pub created_by: Actor,
    /// The time of creation.
    pub created_at: Timestamp,
}

/// The default for clients created before clients had scopes.
fn every_scope() -> BTreeSet<Scope> {
    Scope::ALL.into()
}

/// A client's secret; only its hash is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientSecret {
    /// SHA-256 of the secret.
    pub hash: ClientSecretHash,
    /// The time of creation.
    pub created_at: Timestamp,
    /// The time of expiry; `None` for the newest secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl OAuthClient {
    /// Whether a secret is a valid one of this client. All secrets are compared, so the time reveals nothing.
    pub fn authenticates(&self, presented: &PresentedClientSecret, now: Timestamp) -> bool {
        let works = |secret: &ClientSecret| secret.expires_at.is_none_or(|end| now < end);
        let matches = self.secrets.iter().filter(|secret| works(secret));
        self.mode == presented.mode()
            && matches.fold(false, |found, secret| found | secret.hash.matches(presented))
    }

    /// The registered redirect URI that equals the text: "simple string comparison" (RFC 9700, section 4.1.3). Port
    /// and path must not differ (specification 4.5).
    pub fn redirect_uri(&self, text: &str) -> Option<&RedirectUri> {
        self.redirect_uris.iter().find(|uri| uri.as_str() == text)
    }
}

/// A redirect URI of a client: an absolute URI over TLS, or in Sandbox one on the developer's own machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RedirectUri(String);

/// Why a text is not a valid redirect URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RedirectUriError {
    /// Longer than [`MAX_REDIRECT_URI`].
    #[error("it has more than {MAX_REDIRECT_URI} characters")]
    Long,
    /// Not an absolute URI (RFC 3986, section 4.3).
    #[error("it is not an absolute URI in its normal form, such as https://app.example/callback")]
    NotAbsolute,
    /// RFC 9700, section 4.1.1: `http` is allowed only on the loopback interface.
    #[error(
        "it must begin with https://, or in Sandbox with http:// and localhost, 127.0.0.1 or [::1]"
    )]
    NotSecure,
    /// It has a fragment (RFC 6749, section 3.1.2).
    #[error("it must have no fragment")]
    Fragment,
    /// It has a user name or password: readers interpret the part before an `@` differently.
    #[error("it must have no user name or password")]
    UserInfo,
}

impl RedirectUri {
    /// Checks a redirect URI for registration. It must be in its normal form, because it is compared as text.
    pub fn parse(text: &str, mode: Mode) -> Result<Self, RedirectUriError> {
        if text.chars().count() > MAX_REDIRECT_URI {
            return Err(RedirectUriError::Long);
        }
        let url = Url::parse(text).map_err(|_| RedirectUriError::NotAbsolute)?;
        let host = url.host().ok_or(RedirectUriError::NotAbsolute)?;
        let loopback = match host {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        match url.scheme() {
            "https" => {}
            "http" if loopback && mode == Mode::Sandbox => {}
            _ => return Err(RedirectUriError::NotSecure),
        }
        if url.fragment().is_some() {
            return Err(RedirectUriError::Fragment);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(RedirectUriError::UserInfo);
        }
        // The parser adds a path to a URL without one.
        let as_read = url.as_str();
        if as_read != text && as_read.strip_suffix('/') != Some(text) {
            return Err(RedirectUriError::NotAbsolute);
        }
        Ok(RedirectUri(text.to_owned()))
    }

    /// The URI as registered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URI with added parameters; its own parameters stay (RFC 6749, section 3.1.2).
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let separator = if self.0.contains('?') { '&' } else { '?' };
        format!("{}{separator}{}", self.0, query.finish())
    }

    /// Scheme, host and port, for the form-action of a page's Content-Security-Policy.
    pub fn origin(&self) -> String {
        Url::parse(&self.0).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }
}

/// The S256 challenge of an authorization request (RFC 7636, section 4.2): SHA-256 of the verifier in base64url.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CodeChallenge(String);

impl CodeChallenge {
    /// Whether a verifier matches this challenge (RFC 7636, section 4.6). A verifier has 43 to 128 unreserved
    /// characters (section 4.1).
    pub fn is_met_by(&self, verifier: &str) -> bool {
        let unreserved = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        let well_formed = (43..=128).contains(&verifier.len()) && verifier.bytes().all(unreserved);
        let hashed = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
        let same: bool = self.0.as_bytes().ct_eq(hashed.as_bytes()).into();
        well_formed && same
    }
}

impl FromStr for CodeChallenge {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let decoded = URL_SAFE_NO_PAD.decode(text).map_err(|_| ())?;
        (decoded.len() == 32).then(|| CodeChallenge(text.to_owned())).ok_or(())
    }
}

/// An authorization request that a client made through a taxpayer's browser. It is stored here, so the consent page
/// cannot change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationRequest {
    /// SHA-256 of its handle.
    pub hash: RequestHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The client.
    pub client_id: ClientId,
    /// The client's name as shown to the taxpayer; earlier versions did not store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// The organization that owns it.
    pub organization_id: OrganizationId,
    /// The redirect URI for the response.
    pub redirect_uri: RedirectUri,
    /// The requested scopes; never empty.
    pub scopes: BTreeSet<Scope>,
    /// The PKCE challenge: the client proves with its verifier that it received the code.
    pub code_challenge: CodeChallenge,
    /// The client's state, returned unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The business that the client expects. It grants nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tin_hint: Option<String>,
    /// Name of the connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_label: Option<String>,
    /// The integrator's own account or workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// SHA-256 of the secret of the browser that made the request. No other browser may decide.
    pub browser: String,
    /// The grant that an approval creates. It is fixed, so that a repeated approval creates only one.
    pub grant_id: GrantId,
    /// The token family that an approval creates; also fixed.
    pub family_id: FamilyId,
    /// The time of creation.
    pub created_at: Timestamp,
    /// The deadline for the decision.
    pub expires_at: Timestamp,
    /// The taxpayer's decision, if it decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

/// A taxpayer's decision on an authorization request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decided", rename_all = "snake_case")]
pub enum Decision {
    /// The taxpayer approved.
    Approved {
        /// The taxpayer that approved.
        taxpayer_id: TaxpayerId,
    },
    /// The taxpayer declined.
    Declined,
    /// A decision from a newer version: neither.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// An authorization code: valid once, for a minute, for the requesting client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationCode {
    /// SHA-256 of the code.
    pub hash: CodeHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The client that may use it.
    pub client_id: ClientId,
    /// The redirect URI that received it.
    pub redirect_uri: RedirectUri,
    /// The PKCE challenge of the client.
    pub code_challenge: CodeChallenge,
    /// The organization that owns the client.
    pub organization_id: OrganizationId,
    /// The taxpayer that approved.
    pub taxpayer_id: TaxpayerId,
    /// The grant of the approval.
    pub grant_id: GrantId,
    /// The token family that it creates.
    pub family_id: FamilyId,
    /// The approved scopes.
    pub scopes: BTreeSet<Scope>,
    /// The time of expiry.
    pub expires_at: Timestamp,
    /// The first access token issued for it, once it was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_for: Option<AccessTokenHash>,
}

/// Whether the tokens of a family are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FamilyStatus {
    /// The tokens are valid.
    Active,
    /// The tokens are revoked; the record has the reason.
    Revoked,
    /// A status from a newer version: not valid here.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// Why a family was revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RevocationReason {
    /// The client requested it (RFC 7009).
    Client,
    /// An authorization code was presented again (RFC 6749, section 4.1.2).
    CodeReplayed,
    /// A refresh token of an earlier generation was presented (RFC 9700, section 4.14.2).
    RefreshReused,
    /// A reason from a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl fmt::Display for RevocationReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The tokens of one approval. A refresh token belongs to a generation. The newest generation is valid; the one
/// before it is valid for a short grace period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenFamily {
    /// Its identifier.
    pub family_id: FamilyId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The client that holds the tokens.
    pub client_id: ClientId,
    /// The organization that owns the client.
    pub organization_id: OrganizationId,
    /// The taxpayer that the tokens act for.
    pub taxpayer_id: TaxpayerId,
    /// The grant of the tokens.
    pub grant_id: GrantId,
    /// The widest scopes of the tokens.
    pub scopes: BTreeSet<Scope>,
    /// Whether the tokens are valid.
    pub status: FamilyStatus,
    /// The reason for a revocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_for: Option<RevocationReason>,
    /// The current generation: the number of refreshes.
    pub generation: u32,
    /// The time of the last refresh; at first, the time when the code was used.
    pub rotated_at: Timestamp,
    /// The time when the code was used.
    pub created_at: Timestamp,
    /// The last time for a refresh, regardless of their number.
    pub expires_at: Timestamp,
}

/// An access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessToken {
    /// SHA-256 of the token.
    pub hash: AccessTokenHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its token family.
    pub family_id: FamilyId,
    /// The client that holds it.
    pub client_id: ClientId,
    /// The organization that owns the client.
    pub organization_id: OrganizationId,
    /// The taxpayer that it acts for.
    pub taxpayer_id: TaxpayerId,
    /// Its widest scopes; fewer than the family's if the client requested fewer.
    pub scopes: BTreeSet<Scope>,
    /// The time of expiry.
    pub expires_at: Timestamp,
}

/// A refresh token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefreshToken {
    /// SHA-256 of the token.
    pub hash: RefreshTokenHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its token family.
    pub family_id: FamilyId,
    /// The client that holds it.
    pub client_id: ClientId,
    /// The taxpayer that it acts for.
    pub taxpayer_id: TaxpayerId,
    /// Its generation.
    pub generation: u32,
    /// The time of expiry.
    pub expires_at: Timestamp,
}
