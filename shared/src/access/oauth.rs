//! What OAuth keeps: clients, authorization requests, codes and tokens. Of every secret only the hash.

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
/// How many redirect URIs a client may have.
pub const MAX_REDIRECT_URIS: usize = 20;

/// An integrator's application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OAuthClient {
    /// Its identifier, which is no secret.
    pub client_id: ClientId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization that owns it.
    pub organization_id: OrganizationId,
    /// What the consent page calls it.
    pub name: String,
    /// The secrets that work: two while one takes the place of the other.
    pub secrets: Vec<ClientSecret>,
    /// Where taxpayers may be sent back to.
    pub redirect_uris: Vec<RedirectUri>,
    /// What it may ask taxpayers for: what it needs (ASVS 5, 10.4.11).
    #[serde(default = "every_scope")]
    pub scopes: BTreeSet<Scope>,
    /// Who made it.
    pub created_by: Actor,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a client may ask for that was made before clients had scopes.
fn every_scope() -> BTreeSet<Scope> {
    Scope::ALL.into()
}

/// A client's secret, of which only the hash is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientSecret {
    /// SHA-256 of the secret.
    pub hash: ClientSecretHash,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; none while it is the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl OAuthClient {
    /// Whether a secret is one of this client's that works. All are compared, so that the time tells nothing.
    pub fn authenticates(&self, presented: &PresentedClientSecret, now: Timestamp) -> bool {
        let works = |secret: &ClientSecret| secret.expires_at.is_none_or(|end| now < end);
        let matches = self.secrets.iter().filter(|secret| works(secret));
        self.mode == presented.mode()
            && matches.fold(false, |found, secret| found | secret.hash.matches(presented))
    }

    /// The redirect URI that is exactly this one: "simple string comparison" (RFC 9700, section 4.1.3), and
    /// no port or path may differ (specification 4.5).
    pub fn redirect_uri(&self, text: &str) -> Option<&RedirectUri> {
        self.redirect_uris.iter().find(|uri| uri.as_str() == text)
    }
}

/// Where a client has taxpayers sent back to: an absolute URI over TLS, or in Sandbox one on the developer's own
/// machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RedirectUri(String);

/// Why a text cannot be a redirect URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RedirectUriError {
    /// Longer than [`MAX_REDIRECT_URI`].
    #[error("it has more than {MAX_REDIRECT_URI} characters")]
    Long,
    /// RFC 3986, section 4.3.
    #[error("it is no absolute URI in its normal form, such as https://app.example/callback")]
    NotAbsolute,
    /// RFC 9700, section 4.1.1: no `http` but on the loopback interface.
    #[error(
        "it must begin with https://, or in Sandbox with http:// and localhost, 127.0.0.1 or [::1]"
    )]
    NotSecure,
    /// RFC 6749, section 3.1.2.
    #[error("it must have no fragment")]
    Fragment,
    /// What precedes an `@` is read differently by different readers.
    #[error("it must have no user name or password")]
    UserInfo,
}

impl RedirectUri {
    /// Checks a redirect URI that a client is to have. It must be written as it is read, since it will be
    /// compared as a text.
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
        // A URL without a path is read with one.
        let as_read = url.as_str();
        if as_read != text && as_read.strip_suffix('/') != Some(text) {
            return Err(RedirectUriError::NotAbsolute);
        }
        Ok(RedirectUri(text.to_owned()))
    }

    /// The URI as it was registered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URI with parameters added to those that it has, which stay (RFC 6749, section 3.1.2).
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        let separator = if self.0.contains('?') { '&' } else { '?' };
        format!("{}{separator}{}", self.0, query.finish())
    }

    /// Scheme, host and port: what a page's policy names where a form may lead to.
    pub fn origin(&self) -> String {
        Url::parse(&self.0).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }
}

/// The S256 challenge of an authorization request (RFC 7636, section 4.2): SHA-256 of the verifier in base64url.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CodeChallenge(String);

impl CodeChallenge {
    /// Whether this is the challenge of a verifier (RFC 7636, section 4.6). A verifier has 43 to 128 unreserved
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

/// An authorization request that a client made through a taxpayer's browser: kept here, so that nothing of it can be
/// changed by the page that asks for the decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationRequest {
    /// SHA-256 of its handle.
    pub hash: RequestHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// The client.
    pub client_id: ClientId,
    /// What the client is called, as the taxpayer is told; earlier versions did not note it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// The organization that owns it.
    pub organization_id: OrganizationId,
    /// Where to send the taxpayer back to.
    pub redirect_uri: RedirectUri,
    /// What is asked for. Never empty.
    pub scopes: BTreeSet<Scope>,
    /// By what the client will prove that the code came to it.
    pub code_challenge: CodeChallenge,
    /// The client's own, given back as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Which business the client expects. It grants nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tin_hint: Option<String>,
    /// Name of the connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_label: Option<String>,
    /// The integrator's own account or workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// SHA-256 of the secret of the browser that made it: no other may decide.
    pub browser: String,
    /// The grant that an approval makes: fixed, so that approving twice makes one.
    pub grant_id: GrantId,
    /// The tokens that an approval gives: fixed likewise.
    pub family_id: FamilyId,
    /// When it was made.
    pub created_at: Timestamp,
    /// Until when it can be decided.
    pub expires_at: Timestamp,
    /// What the taxpayer decided, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

/// What a taxpayer decided about an authorization request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decided", rename_all = "snake_case")]
pub enum Decision {
    /// It approved.
    Approved {
        /// Who.
        taxpayer_id: TaxpayerId,
    },
    /// It declined.
    Declined,
    /// A word of a newer version: neither.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// An authorization code: good once, for a minute, for the client that asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationCode {
    /// SHA-256 of the code.
    pub hash: CodeHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// For whom it is.
    pub client_id: ClientId,
    /// Where it was sent.
    pub redirect_uri: RedirectUri,
    /// What the client must prove.
    pub code_challenge: CodeChallenge,
    /// The organization that owns the client.
    pub organization_id: OrganizationId,
    /// Who approved.
    pub taxpayer_id: TaxpayerId,
    /// The grant that was made.
    pub grant_id: GrantId,
    /// The tokens that it gives.
    pub family_id: FamilyId,
    /// What was approved.
    pub scopes: BTreeSet<Scope>,
    /// Until when it is good.
    pub expires_at: Timestamp,
    /// The first access token that it gave, once it was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_for: Option<AccessTokenHash>,
}

/// Whether tokens of a family are good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FamilyStatus {
    /// They are.
    Active,
    /// They were revoked, for a reason that the record has.
    Revoked,
    /// A word of a newer version: not good here.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// Why a family was revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RevocationReason {
    /// The client asked for it (RFC 7009).
    Client,
    /// An authorization code was presented again (RFC 6749, section 4.1.2).
    CodeReplayed,
    /// A refresh token of an earlier generation was presented (RFC 9700, section 4.14.2).
    RefreshReused,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl fmt::Display for RevocationReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The tokens that one approval gave. A refresh token belongs to a generation; those of the newest are good, those of
/// the one before for a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenFamily {
    /// Its identifier.
    pub family_id: FamilyId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Whose tokens they are.
    pub client_id: ClientId,
    /// The organization that owns the client.
    pub organization_id: OrganizationId,
    /// For whom they act.
    pub taxpayer_id: TaxpayerId,
    /// Through which grant.
    pub grant_id: GrantId,
    /// With which scopes at most.
    pub scopes: BTreeSet<Scope>,
    /// Whether they are good.
    pub status: FamilyStatus,
    /// Why not, if not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_for: Option<RevocationReason>,
    /// How often a refresh token was used.
    pub generation: u32,
    /// When that was last; first, when the code was.
    pub rotated_at: Timestamp,
    /// When the code was used.
    pub created_at: Timestamp,
    /// Until when they can be refreshed, however often they are.
    pub expires_at: Timestamp,
}

/// An access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessToken {
    /// SHA-256 of the token.
    pub hash: AccessTokenHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// To which tokens it belongs.
    pub family_id: FamilyId,
    /// Whose it is.
    pub client_id: ClientId,
    /// Whose the client is.
    pub organization_id: OrganizationId,
    /// For whom it acts.
    pub taxpayer_id: TaxpayerId,
    /// With which scopes at most; less than the family's where the client asked for less.
    pub scopes: BTreeSet<Scope>,
    /// Until when it is good.
    pub expires_at: Timestamp,
}

/// A refresh token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefreshToken {
    /// SHA-256 of the token.
    pub hash: RefreshTokenHash,
    /// Live or Sandbox.
    pub mode: Mode,
    /// To which tokens it belongs.
    pub family_id: FamilyId,
    /// Whose it is.
    pub client_id: ClientId,
    /// For whom it acts.
    pub taxpayer_id: TaxpayerId,
    /// To which generation it belongs.
    pub generation: u32,
    /// Until when it is good.
    pub expires_at: Timestamp,
}
