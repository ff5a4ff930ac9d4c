//! Who may do what. One function decides ([`decide`]), purely: given the key, the taxpayer and the
//! grants that were found, it gives a [`Caller`] or the refusal. Reading them is `service`'s part.
//!
//! Two rules hold everywhere: the mode comes from the credential alone, and a taxpayer that does
//! not exist cannot be told from one that gave no grant.

mod api_key;
mod records;

use std::collections::BTreeSet;

use crate::{
    error::{Code, Failure},
    types::{GrantId, Mode, OrganizationId, TaxpayerId},
};

pub use api_key::{KeyHash, PresentedKey};
pub use records::{
    ApiKey, Grant, GrantStatus, KeyStatus, Organization, Scope, Taxpayer, TaxpayerStatus,
};

/// The header that names the taxpayer.
pub const TAXPAYER_HEADER: &str = "x-ae-taxpayer-id";
/// The header that restricts an API key to one grant.
pub const GRANT_HEADER: &str = "x-ae-grant-id";

/// The credential headers of a request, as they came.
#[derive(Clone, Copy, Default)]
pub struct Credentials<'a> {
    /// `Authorization`
    pub authorization: Option<&'a str>,
    /// `x-ae-taxpayer-id`
    pub taxpayer_id: Option<&'a str>,
    /// `x-ae-grant-id`
    pub grant_id: Option<&'a str>,
}

/// What a request asks for, taken from its headers: syntax checked, nothing looked up yet.
#[derive(Debug)]
pub struct Claim {
    /// The presented key; its mode is the mode of everything that follows.
    pub key: PresentedKey,
    /// The taxpayer to act for.
    pub taxpayer_id: TaxpayerId,
    /// The one grant to act through, if the caller wants just that.
    pub grant_id: Option<GrantId>,
}

/// What the store holds about a claim.
#[derive(Debug)]
pub struct Known {
    /// The key's record.
    pub key: ApiKey,
    /// The taxpayer, if there is one by that identifier in the key's mode.
    pub taxpayer: Option<Taxpayer>,
    /// Grants on the taxpayer: the active ones at least, of any organization.
    pub grants: Vec<Grant>,
}

/// An authorized caller: an organization that acts for a taxpayer with scopes.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Live or Sandbox, from the credential.
    pub mode: Mode,
    /// The organization that holds the key.
    pub organization_id: OrganizationId,
    /// The taxpayer it acts for: active, and with an active grant.
    pub taxpayer: Taxpayer,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
}

impl Caller {
    /// Whether a scope is among the caller's.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

/// The refusal of a credential. It says the same for a key that is malformed, unknown or revoked.
pub fn unauthorized() -> Failure {
    Failure::new(
        Code::Unauthorized,
        "No valid credential: send Authorization: Api-Key <API_KEY> with an active organization \
         API key.",
    )
}

/// The API key among the credential headers. Bearer tokens are not known here yet.
pub fn presented_key(credentials: Credentials<'_>) -> Result<PresentedKey, Failure> {
    credentials.authorization.and_then(PresentedKey::from_authorization).ok_or_else(unauthorized)
}

/// Reads the other headers, once the key is known to work: a stranger is told nothing of them.
pub fn claim(
    key: PresentedKey,
    credentials: Credentials<'_>,
    record: &ApiKey,
) -> Result<Claim, Failure> {
    if !works(record, &key) {
        return Err(unauthorized());
    }
    let taxpayer_id = credentials.taxpayer_id.ok_or_else(|| {
        Failure::new(
            Code::InvalidRequest,
            format!(
                "The header {TAXPAYER_HEADER} is missing: an API key needs it to name the \
                 taxpayer, even when there is only one."
            ),
        )
    })?;
    let taxpayer_id = taxpayer_id.parse().map_err(|_| {
        Failure::new(
            Code::InvalidRequest,
            format!(
                "The header {TAXPAYER_HEADER} must be a taxpayer_id, which starts with txpay_; it \
                 is not the TIN, the participant_id or the organization's identifier."
            ),
        )
    })?;
    let grant_id = match credentials.grant_id {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| {
            Failure::new(
                Code::InvalidRequest,
                format!("The header {GRANT_HEADER} must be a grant_id, which starts with tgr_."),
            )
        })?),
    };
    Ok(Claim { key, taxpayer_id, grant_id })
}

/// Decides. `any_of` are the scopes of which the operation wants at least one.
pub fn decide(claim: &Claim, known: Known, any_of: &[Scope]) -> Result<Caller, Failure> {
    let Known { key, taxpayer, grants } = known;
    if !works(&key, &claim.key) {
        return Err(unauthorized());
    }
    let grants = grants.iter().filter(|grant| {
        grant.status == GrantStatus::Active
            && grant.organization_id == key.organization_id
            && grant.taxpayer_id == claim.taxpayer_id
            && claim.grant_id.as_ref().is_none_or(|id| *id == grant.grant_id)
    });
    // Without x-ae-grant-id the key acts through all active grants, whose scopes unite; with it
    // through that one alone (specification 5.1, point 5).
    let mut granted = false;
    let mut scopes = BTreeSet::new();
    for grant in grants {
        granted = true;
        scopes.extend(&grant.scopes);
    }
    let taxpayer = match taxpayer {
        Some(taxpayer) if granted && taxpayer.taxpayer_id == claim.taxpayer_id => taxpayer,
        _ => return Err(grant_required(claim.grant_id.is_some())),
    };
    if taxpayer.status != TaxpayerStatus::Active {
        return Err(Failure::new(
            Code::TaxpayerInactive,
            "The taxpayer is not active: its onboarding is not complete, or it was deregistered.",
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
    Ok(Caller { mode: key.mode, organization_id: key.organization_id, taxpayer, scopes })
}

/// Whether a key's record is that of the presented key, and it has not been revoked.
fn works(record: &ApiKey, key: &PresentedKey) -> bool {
    record.hash.matches(key) && record.mode == key.mode() && record.status.is_active()
}

fn grant_required(named: bool) -> Failure {
    Failure::new(
        Code::GrantRequired,
        if named {
            "The organization holds no active grant by that x-ae-grant-id on this taxpayer."
        } else {
            "The organization holds no active grant on this taxpayer: ask the taxpayer to connect."
        },
    )
}

#[cfg(test)]
mod tests;
