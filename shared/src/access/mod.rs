//! Authorization: which caller may do which operation. This module only decides, without I/O; `service` loads the
//! records.
//!
//! | step | from | to |
//! |---|---|---|
//! | [`Credential::presented`] | the headers | the presented credential |
//! | [`Principal::by_api_key`], [`Principal::by_access_token`] | the credential and its record | the principal |
//! | [`Principal::organization`] | the principal | [`OrganizationCaller`]: the organization's own affairs |
//! | [`Principal::claim`], [`decide`] | the principal, the taxpayer and the grants | [`Caller`]: a taxpayer's affairs |
//!
//! A handler names the kind of caller that it needs. Only [`decide`] constructs a [`Caller`], so every caller has a
//! taxpayer and scopes on it. A new kind of credential is a variant of [`Credential`]. If it represents a new kind of
//! party, it is also a variant of [`Principal`].
//!
//! An access token never exceeds its grant. It has only the scopes that both have, and it ends with the grant at the
//! next request.
//!
//! Two rules hold everywhere:
//!
//! - The mode comes from the credential alone.
//! - A caller cannot tell a taxpayer that does not exist from one that gave no grant.

mod audience;
mod audit;
mod credential;
mod member;
mod notification;
pub mod oauth;
mod records;
mod secret;
mod taxpayer;

use std::{collections::BTreeSet, fmt};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    error::{Code, Failure},
    types::{ClientId, GrantId, KeyId, MemberId, Mode, OrganizationId, TaxpayerId},
};
use oauth::{AccessToken, FamilyStatus, TokenFamily};

pub use audience::Audience;
pub use audit::{Action, AuditRecord, By, Deed, Origin, Trail};
pub use credential::{
    CHALLENGE, Credential, Credentials, TOKEN_CHALLENGE, invalid_token, unauthorized,
};
pub use member::{Holder, Member, Permission, Role};
pub use notification::{Choices, Notification};
pub use records::{Actor, ApiKey, Connection, Grant, GrantStatus, KeyStatus, Organization, Scope};
pub use secret::{
    AccessTokenHash, ClientSecretHash, CodeHash, KeyHash, PresentedAccessToken,
    PresentedClientSecret, PresentedCode, PresentedKey, PresentedRefreshToken, PresentedRequest,
    RefreshTokenHash, RequestHash,
};
pub use taxpayer::{Confirmed, Taxpayer, TaxpayerStatus};

/// The header that names the taxpayer.
pub const TAXPAYER_HEADER: &str = "x-ae-taxpayer-id";
/// The header that restricts an API key to one grant.
pub const GRANT_HEADER: &str = "x-ae-grant-id";

/// The credential of an action, as logs and the audit trail name it. It never contains the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum CredentialId {
    /// An organization's API key.
    ApiKey(KeyId),
    /// An access token of an organization's OAuth client.
    AccessToken(ClientId),
    /// A member's session in the portal.
    Session(MemberId),
}

impl fmt::Display for CredentialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CredentialId::ApiKey(id) => id.fmt(f),
            CredentialId::AccessToken(id) => id.fmt(f),
            CredentialId::Session(id) => id.fmt(f),
        }
    }
}

/// The party behind a valid credential.
#[derive(Debug, Clone)]
pub enum Principal {
    /// An organization: for its own affairs, and for every taxpayer that granted it access.
    Organization(OrganizationCaller),
    /// The holder of an access token: only for the taxpayer of the token (specification 5.2).
    TokenHolder(TokenHolder),
}

/// An organization with an access token: it acts for one taxpayer, through one grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHolder {
    organization: OrganizationCaller,
    taxpayer_id: TaxpayerId,
    grant_id: GrantId,
    scopes: BTreeSet<Scope>,
}

/// An organization in its own affairs: its taxpayers, grants and keys, but no documents of taxpayers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrganizationCaller {
    /// Live or Sandbox, from the credential.
    pub mode: Mode,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The credential that it uses.
    pub credential: CredentialId,
}

/// The request of a principal to act for a taxpayer, before the decision.
#[derive(Debug)]
pub struct Claim {
    organization: OrganizationCaller,
    taxpayer_id: TaxpayerId,
    /// The only grant to use; `None` means all grants.
    grant_id: Option<GrantId>,
    /// The scopes of the access token; only grants limit an API key.
    at_most: Option<BTreeSet<Scope>>,
}

/// The records for the decision on a claim.
#[derive(Debug)]
pub struct Known {
    /// The taxpayer, if there is one by that identifier in the credential's mode.
    pub taxpayer: Option<Taxpayer>,
    /// Grants on the taxpayer, of any organization. At least all active ones are included.
    pub grants: Vec<Grant>,
}

/// An organization that acts for a taxpayer, with scopes.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Live or Sandbox, from the credential.
    pub mode: Mode,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The credential that it uses.
    pub credential: CredentialId,
    /// The taxpayer it acts for: active, and with an active grant.
    pub taxpayer: Taxpayer,
    /// The grants through which it acts.
    pub grant_ids: BTreeSet<GrantId>,
    /// The scopes that it has.
    pub scopes: BTreeSet<Scope>,
}

impl Caller {
    /// Whether the caller has a scope.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// The caller as a reader of its taxpayer's documents.
    pub fn reader(&self) -> Reader<'_> {
        let Caller { mode, taxpayer, scopes, .. } = self;
        let taxpayer_id = &taxpayer.taxpayer_id;
        Reader { mode: *mode, taxpayer_id, scopes, kind: ReaderKind::Software }
    }
}

/// A reader of a taxpayer's documents: the software of an organization, or a person on a page.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The taxpayer that owns the documents.
    pub taxpayer_id: &'a TaxpayerId,
    /// The scopes of the reader. A taxpayer itself has every scope.
    pub scopes: &'a BTreeSet<Scope>,
    /// The kind of reader.
    pub kind: ReaderKind,
}

impl Reader<'_> {
    /// Whether the reader has a scope.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

/// The kind of a reader of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderKind {
    /// The software of an organization. A document that it retrieved counts as received by the business.
    Software,
    /// A person. Reading by a person confirms nothing to the sender of the document.
    Person,
}

impl Principal {
    /// The principal of a presented API key and its record.
    pub fn by_api_key(key: &PresentedKey, record: &ApiKey) -> Result<Self, Failure> {
        let works =
            record.hash.matches(key) && record.mode == key.mode() && record.status.is_active();
        if !works {
            return Err(unauthorized().because("the API key is revoked"));
        }
        Ok(Principal::Organization(OrganizationCaller {
            mode: record.mode,
            organization_id: record.organization_id.clone(),
            credential: CredentialId::ApiKey(record.key_id.clone()),
        }))
    }

    /// The principal of a presented access token and its records.
    pub fn by_access_token(
        presented: &PresentedAccessToken,
        token: AccessToken,
        family: TokenFamily,
        now: Timestamp,
    ) -> Result<Self, Failure> {
        let genuine = token.hash.matches(presented)
            && token.mode == presented.mode()
            && family.mode == token.mode
            && family.family_id == token.family_id
            && family.organization_id == token.organization_id
            && family.taxpayer_id == token.taxpayer_id;
        if !genuine {
            return Err(invalid_token().because("the token's records do not fit"));
        }
        if now >= token.expires_at {
            return Err(invalid_token().because("the token has expired"));
        }
        if family.status != FamilyStatus::Active {
            return Err(invalid_token().because("the token was revoked"));
        }
        let scopes = token.scopes.intersection(&family.scopes).copied().collect();
        Ok(Principal::TokenHolder(TokenHolder {
            organization: OrganizationCaller {
                mode: token.mode,
                organization_id: family.organization_id,
                credential: CredentialId::AccessToken(family.client_id),
            },
            taxpayer_id: family.taxpayer_id,
            grant_id: family.grant_id,
            scopes,
        }))
    }

    /// The principal as an organization in its own affairs. An access token is refused (specification 4.4).
    pub fn organization(self) -> Result<OrganizationCaller, Failure> {
        match self {
            Principal::Organization(organization) => Ok(organization),
            Principal::TokenHolder(_) => Err(Failure::new(
                Code::ApiKeyRequired,
                "This operation concerns the organization: send its API key. An access token acts only for its one \
                 taxpayer.",
            )),
        }
    }

    /// The principal's claim to act for the taxpayer in the headers. The headers are read only after the credential
    /// is verified, so a caller without a valid credential learns nothing about them.
    pub fn claim(self, credentials: Credentials<'_>) -> Result<Claim, Failure> {
        match self {
            Principal::Organization(organization) => {
                let taxpayer_id = credentials.taxpayer()?.ok_or_else(|| {
                    Failure::new(
                        Code::InvalidRequest,
                        format!(
                            "The header {TAXPAYER_HEADER} is missing: an API key needs it to name \
                             the taxpayer, even when there is only one."
                        ),
                    )
                })?;
                let grant_id = credentials.grant()?;
                Ok(Claim { organization, taxpayer_id, grant_id, at_most: None })
            }
            // "x-ae-taxpayer-id is then optional" (specification 5.2). Another taxpayer or grant in the headers is a
            // mistake of the caller and therefore an error.
            Principal::TokenHolder(holder) => {
                let TokenHolder { organization, taxpayer_id, grant_id, scopes } = holder;
                if credentials.taxpayer()?.is_some_and(|named| named != taxpayer_id) {
                    return Err(another("taxpayer", TAXPAYER_HEADER));
                }
                if credentials.grant()?.is_some_and(|named| named != grant_id) {
                    return Err(another("grant", GRANT_HEADER));
                }
                let (grant_id, at_most) = (Some(grant_id), Some(scopes));
                Ok(Claim { organization, taxpayer_id, grant_id, at_most })
            }
        }
    }
}

fn another(what: &str, header: &str) -> Failure {
    let message = format!(
        "The access token acts for another {what} than {header} names: leave the header out."
    );
    Failure::new(Code::GrantRequired, message)
}

impl Claim {
    /// The taxpayer of the claim.
    pub fn taxpayer_id(&self) -> &TaxpayerId {
        &self.taxpayer_id
    }
}

impl OrganizationCaller {
    /// A claim to continue an earlier request of the organization, without a credential.
    pub fn goes_on(self, taxpayer_id: TaxpayerId) -> Claim {
        Claim { organization: self, taxpayer_id, grant_id: None, at_most: None }
    }
}

/// Decides on a claim. The operation needs at least one of the scopes `any_of`.
pub fn decide(claim: Claim, known: Known, any_of: &[Scope]) -> Result<Caller, Failure> {
    let Claim { organization, taxpayer_id, grant_id, at_most } = claim;
    let OrganizationCaller { mode, organization_id, credential } = organization;
    let grants = known.grants.into_iter().filter(|grant| {
        grant.status == GrantStatus::Active
            && grant.organization_id == organization_id
            && grant.taxpayer_id == taxpayer_id
            && grant_id.as_ref().is_none_or(|id| *id == grant.grant_id)
    });
    // Without x-ae-grant-id the key acts through all active grants, with the union of their scopes. With it, the key
    // acts through that grant alone (specification 5.1, point 5).
    let mut grant_ids = BTreeSet::new();
    let mut scopes = BTreeSet::new();
    for grant in grants {
        grant_ids.insert(grant.grant_id);
        scopes.extend(grant.scopes);
    }
    if let Some(at_most) = &at_most {
        scopes.retain(|scope| at_most.contains(scope));
    }
    let granted = !grant_ids.is_empty();
    let taxpayer = match known.taxpayer {
        Some(taxpayer) if granted && taxpayer.taxpayer_id == taxpayer_id => taxpayer,
        _ if at_most.is_some() => return Err(grant_ended()),
        _ => return Err(grant_required(grant_id.is_some())),
    };
    if taxpayer.status != TaxpayerStatus::Active {
        return Err(Failure::new(
            Code::TaxpayerInactive,
            "The taxpayer is not active: its onboarding is not complete, it must confirm its details again, or it \
             was suspended or deregistered.",
        ));
    }
    if !any_of.iter().any(|scope| scopes.contains(scope)) {
        let wanted: Vec<_> = any_of.iter().map(|scope| scope.as_str()).collect();
        return Err(Failure::new(
            Code::InsufficientScope,
            format!(
                "This operation needs the scope {}, which the taxpayer has not granted.",
                wanted.join(" or ")
            ),
        ));
    }
    Ok(Caller { mode, organization_id, credential, taxpayer, grant_ids, scopes })
}

/// The error for a caller without an active grant on the taxpayer; `named` is set if the request named a grant.
pub fn grant_required(named: bool) -> Failure {
    Failure::new(
        Code::GrantRequired,
        if named {
            "The organization has no active grant with that x-ae-grant-id on this taxpayer."
        } else {
            "The organization has no active grant on this taxpayer: ask the taxpayer to connect."
        },
    )
}

/// The error for an operation on the organization's own affairs whose request names a grant that it does not hold.
pub fn named_grant_required() -> Failure {
    Failure::new(
        Code::GrantRequired,
        format!(
            "The organization has no active grant with that {GRANT_HEADER}: leave the header out, or name a grant that \
             GET /grants lists as active."
        ),
    )
}

/// The error for an access token whose grant was revoked.
pub fn grant_ended() -> Failure {
    Failure::new(
        Code::GrantRequired,
        "The grant of the access token was revoked: ask the taxpayer to connect again.",
    )
}

#[cfg(test)]
mod tests;
