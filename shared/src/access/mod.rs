//! Who may do what, decided here alone and purely; reading what is known is `service`'s part.
//!
//! | step | from | to |
//! |---|---|---|
//! | [`Credential::presented`] | the headers | what is presented |
//! | [`Principal::by_api_key`], [`Principal::by_access_token`] | it, and its record | who calls |
//! | [`Principal::organization`] | who calls | [`OrganizationCaller`]: the organization's own affairs |
//! | [`Principal::claim`], [`decide`] | who calls, the taxpayer and the grants | [`Caller`]: a taxpayer's affairs |
//!
//! A handler names the kind of caller that it needs: nothing makes a [`Caller`] but [`decide`], so
//! none comes without a taxpayer and the scopes on it. A further kind of credential is a variant of
//! [`Credential`] and, where it stands for somebody else, of [`Principal`].
//!
//! An access token is never more than its grant: what it may do is what both have, and it ends with
//! the grant at the next request.
//!
//! Two rules hold everywhere: the mode comes from the credential alone, and a taxpayer that does
//! not exist cannot be told from one that gave no grant.

mod audience;
mod audit;
mod credential;
mod member;
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

/// By which credential somebody acts, as logs and the audit trail name it: never the secret.
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

/// Who calls: what a credential that works stands for.
#[derive(Debug, Clone)]
pub enum Principal {
    /// An organization: in its own affairs, and for every taxpayer that granted it access.
    Organization(OrganizationCaller),
    /// Who holds an access token: for its one taxpayer alone (specification 5.2).
    TokenHolder(TokenHolder),
}

/// An organization by an access token: it acts for one taxpayer, through one grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHolder {
    organization: OrganizationCaller,
    taxpayer_id: TaxpayerId,
    grant_id: GrantId,
    scopes: BTreeSet<Scope>,
}

/// An organization in its own affairs: its taxpayers, grants and keys, no taxpayer's documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrganizationCaller {
    /// Live or Sandbox, from the credential.
    pub mode: Mode,
    /// The organization.
    pub organization_id: OrganizationId,
    /// By what it acts.
    pub credential: CredentialId,
}

/// A principal's wish to act for a taxpayer: nothing is granted yet.
#[derive(Debug)]
pub struct Claim {
    organization: OrganizationCaller,
    taxpayer_id: TaxpayerId,
    /// The one grant to act through; all of them when none is named.
    grant_id: Option<GrantId>,
    /// What an access token may do at most; nothing bounds an API key but the grants.
    at_most: Option<BTreeSet<Scope>>,
}

/// What the store holds about a claim.
#[derive(Debug)]
pub struct Known {
    /// The taxpayer, if there is one by that identifier in the credential's mode.
    pub taxpayer: Option<Taxpayer>,
    /// Grants on the taxpayer: the active ones at least, of any organization.
    pub grants: Vec<Grant>,
}

/// An organization that acts for a taxpayer, with scopes.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Live or Sandbox, from the credential.
    pub mode: Mode,
    /// The organization.
    pub organization_id: OrganizationId,
    /// By what it acts.
    pub credential: CredentialId,
    /// The taxpayer it acts for: active, and with an active grant.
    pub taxpayer: Taxpayer,
    /// The grants through which it acts.
    pub grant_ids: BTreeSet<GrantId>,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
}

impl Caller {
    /// Whether a scope is among the caller's.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// The caller as one who reads the documents of its taxpayer.
    pub fn reader(&self) -> Reader<'_> {
        let Caller { mode, taxpayer, scopes, .. } = self;
        let taxpayer_id = &taxpayer.taxpayer_id;
        Reader { mode: *mode, taxpayer_id, scopes, kind: ReaderKind::Software }
    }
}

/// Who reads the documents of a taxpayer: the software of an organization, or a person before a page.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// Whose documents.
    pub taxpayer_id: &'a TaxpayerId,
    /// Which of them. A taxpayer itself has every scope.
    pub scopes: &'a BTreeSet<Scope>,
    /// What reads them.
    pub kind: ReaderKind,
}

impl Reader<'_> {
    /// Whether a scope is among the reader's.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

/// What reads documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderKind {
    /// The software of an organization: what it retrieved, the business has.
    Software,
    /// A person, who looks on: that confirms nothing to who sent the document.
    Person,
}

impl Principal {
    /// Who presents an API key, of which this is the record.
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

    /// Who presents an access token, of which these are the records.
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

    /// The organization behind the credential.
    pub fn caller(&self) -> &OrganizationCaller {
        match self {
            Principal::Organization(organization) => organization,
            Principal::TokenHolder(holder) => &holder.organization,
        }
    }

    /// The principal as an organization in its own affairs, in which a taxpayer's token has no say
    /// (specification 4.4).
    pub fn organization(self) -> Result<OrganizationCaller, Failure> {
        match self {
            Principal::Organization(organization) => Ok(organization),
            Principal::TokenHolder(_) => Err(Failure::new(
                Code::ApiKeyRequired,
                "This operation is the organization's own: send its API key. An access token acts for its one \
                 taxpayer alone.",
            )),
        }
    }

    /// The principal's wish to act for the taxpayer that the headers name. They are read only here,
    /// once the credential is known to work: a stranger is told nothing of them.
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
            // "x-ae-taxpayer-id is then optional" (specification 5.2); naming another taxpayer or grant is a
            // mistake that must not go unnoticed.
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
    /// Who claims.
    pub fn organization(&self) -> &OrganizationCaller {
        &self.organization
    }

    /// The taxpayer to act for.
    pub fn taxpayer_id(&self) -> &TaxpayerId {
        &self.taxpayer_id
    }
}

impl OrganizationCaller {
    /// The wish to go on with what the organization asked for earlier: nobody presents a credential then.
    pub fn goes_on(self, taxpayer_id: TaxpayerId) -> Claim {
        Claim { organization: self, taxpayer_id, grant_id: None, at_most: None }
    }
}

/// Decides. `any_of` are the scopes of which the operation wants at least one.
pub fn decide(claim: Claim, known: Known, any_of: &[Scope]) -> Result<Caller, Failure> {
    let Claim { organization, taxpayer_id, grant_id, at_most } = claim;
    let OrganizationCaller { mode, organization_id, credential } = organization;
    let grants = known.grants.into_iter().filter(|grant| {
        grant.status == GrantStatus::Active
            && grant.organization_id == organization_id
            && grant.taxpayer_id == taxpayer_id
            && grant_id.as_ref().is_none_or(|id| *id == grant.grant_id)
    });
    // Without x-ae-grant-id the key acts through all active grants, whose scopes unite; with it
    // through that one alone (specification 5.1, point 5).
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

/// The refusal of who holds no active grant: none at all, or none by the name that was given.
pub fn grant_required(named: bool) -> Failure {
    Failure::new(
        Code::GrantRequired,
        if named {
            "The organization holds no active grant by that x-ae-grant-id on this taxpayer."
        } else {
            "The organization holds no active grant on this taxpayer: ask the taxpayer to connect."
        },
    )
}

/// The refusal of who names a grant, in affairs of its own that need none, that it does not hold.
pub fn named_grant_required() -> Failure {
    Failure::new(
        Code::GrantRequired,
        format!(
            "The organization holds no active grant by that {GRANT_HEADER}: leave the header out, or name \
             a grant that GET /grants lists as active."
        ),
    )
}

/// The refusal of a token whose grant does not stand any more.
pub fn grant_ended() -> Failure {
    Failure::new(
        Code::GrantRequired,
        "The grant of the access token was revoked: ask the taxpayer to connect again.",
    )
}

#[cfg(test)]
mod tests;
