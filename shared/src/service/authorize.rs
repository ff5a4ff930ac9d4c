//! Authenticates and authorizes callers. This module reads the records; [`access`] decides.
//!
//! - An API key needs one read for the key, the taxpayer that the headers name, and all its grants.
//! - An access token needs two reads: the token, and then its family, its taxpayer and the grants.
//! - Each request is counted: after the key's read, or concurrently with the token's second read. So there are at most
//!   two round trips and three requests to the table.
//! - Once an hour, the last use of the key is written, and the last use of the grants with its scope. The grants' item
//!   was read anyhow.

use std::{collections::BTreeMap, time::Duration};

use jiff::{SignedDuration, Timestamp};

use super::{Context, later, requests::Counting};
use crate::{
    access::{
        self, ApiKey, Caller, Credential, Credentials, GrantStatus, Known, Organization,
        OrganizationCaller, PresentedAccessToken, Principal, Scope, Taxpayer,
    },
    error::{Code, Failure},
    log::{self, Field},
    store::{Access, StoreError},
    types::{GrantId, Mode, OrganizationId, TaxpayerId},
};

/// The precision of the last use of a key or a grant. It is not written more often, so that a call costs no extra
/// request. Nobody needs it more precisely.
const LAST_USE_STEP: SignedDuration = SignedDuration::from_hours(1);

/// How long a request waits for that write. When the table is slow, the request continues without it, and a later
/// request writes it.
const LAST_USE_PATIENCE: Duration = Duration::from_millis(200);

/// Authorizes a request about a taxpayer. The operation needs at least one of the scopes `any_of`.
pub async fn authorize(
    ctx: &Context,
    counting: &Counting,
    credentials: Credentials<'_>,
    any_of: &[Scope],
) -> Result<Caller, Failure> {
    // The claim reports an invalid header later, once the credential is verified.
    let taxpayer_id = credentials.taxpayer_id.and_then(|id| id.parse().ok());
    let (principal, found) = identify(ctx, counting, credentials, taxpayer_id.as_ref()).await?;
    let claim = principal.claim(credentials)?;
    log::note(Field::TaxpayerId, claim.taxpayer_id());
    let TaxpayerAccess { taxpayer, access: Access { grants, used, used_for, .. } } = found;
    let caller = access::decide(claim, Known { taxpayer, grants }, any_of)?;
    note_use_of_grants(ctx, &caller, (used, used_for), any_of).await;
    Ok(caller)
}

/// Authorizes a request about the organization's own data.
pub async fn authorize_organization(
    ctx: &Context,
    counting: &Counting,
    credentials: Credentials<'_>,
) -> Result<OrganizationCaller, Failure> {
    let (principal, _) = identify(ctx, counting, credentials, None).await?;
    let organization = principal.organization()?;
    check_named_grant(ctx, &organization, credentials).await?;
    Ok(organization)
}

/// Requests about the organization's own data need no grant. But a named grant must belong to the organization:
/// "Requests made with x-ae-grant-id act through that one grant only and fail once it is revoked" (specification 3.1).
async fn check_named_grant(
    ctx: &Context,
    caller: &OrganizationCaller,
    credentials: Credentials<'_>,
) -> Result<(), Failure> {
    let Some(grant_id) = credentials.grant()? else { return Ok(()) };
    let OrganizationCaller { mode, organization_id, .. } = caller;
    let grant = ctx.store.get_grant(*mode, organization_id, &grant_id).await?;
    match grant.is_some_and(|grant| grant.status == GrantStatus::Active) {
        true => Ok(()),
        false => Err(access::named_grant_required()),
    }
}

/// The owner of a credential.
#[derive(Debug)]
pub enum Identity {
    /// An organization, by its API key.
    Organization(OrganizationCaller),
    /// An organization that acts for one taxpayer, by an access token.
    TokenHolder(Box<Caller>),
}

/// Finds the owner of the request's credential, of any kind.
pub async fn whoami(
    ctx: &Context,
    counting: &Counting,
    credentials: Credentials<'_>,
) -> Result<Identity, Failure> {
    let (principal, found) = identify(ctx, counting, credentials, None).await?;
    match principal {
        Principal::Organization(organization) => {
            check_named_grant(ctx, &organization, credentials).await?;
            Ok(Identity::Organization(organization))
        }
        holder @ Principal::TokenHolder(_) => {
            // Any scope of the token's grant is enough.
            let known = Known { taxpayer: found.taxpayer, grants: found.access.grants };
            let caller = access::decide(holder.claim(credentials)?, known, &Scope::ALL)?;
            Ok(Identity::TokenHolder(Box::new(caller)))
        }
    }
}

/// The record of the calling organization.
pub async fn organization(
    ctx: &Context,
    mode: Mode,
    id: &OrganizationId,
) -> Result<Organization, Failure> {
    let found = ctx.store.get_organization(mode, id).await?;
    found.ok_or_else(|| {
        Failure::new(Code::InternalError, "The organization has no record.")
            .because("a credential belongs to an organization that no longer exists")
    })
}

/// The known state of the taxpayer that a request names.
struct TaxpayerAccess {
    taxpayer: Option<Taxpayer>,
    access: Access,
}

/// The caller, and the state of the taxpayer if one is named. Another kind of credential needs another arm.
async fn identify(
    ctx: &Context,
    counting: &Counting,
    credentials: Credentials<'_>,
    taxpayer_id: Option<&TaxpayerId>,
) -> Result<(Principal, TaxpayerAccess), Failure> {
    match Credential::presented(credentials)? {
        Credential::ApiKey(key) => {
            let (record, taxpayer, access) =
                ctx.store.get_known(key.mode(), &key.hash(), taxpayer_id).await?;
            let record = record.ok_or_else(|| access::unauthorized().because("no such API key"))?;
            log::note(Field::OrganizationId, &record.organization_id);
            log::note(Field::KeyId, &record.key_id);
            let principal = Principal::by_api_key(&key, &record)?;
            let (counted, ()) = tokio::join!(
                counting.organization(ctx, record.mode, &record.organization_id),
                note_use(ctx, &record),
            );
            counted?;
            Ok((principal, TaxpayerAccess { taxpayer, access }))
        }
        Credential::AccessToken(token) => by_access_token(ctx, counting, &token).await,
    }
}

async fn by_access_token(
    ctx: &Context,
    counting: &Counting,
    presented: &PresentedAccessToken,
) -> Result<(Principal, TaxpayerAccess), Failure> {
    let token = ctx.store.get_access_token(presented.mode(), &presented.hash()).await?;
    let token = token.ok_or_else(|| access::invalid_token().because("no such token"))?;
    log::note(Field::ClientId, &token.client_id);
    log::note(Field::OrganizationId, &token.organization_id);
    let (known, counted) = tokio::join!(
        ctx.store.get_known_of_token(&token),
        counting.organization(ctx, token.mode, &token.organization_id),
    );
    let (family, taxpayer, access) = known?;
    let family =
        family.ok_or_else(|| access::invalid_token().because("the token belongs to no family"))?;
    let principal = Principal::by_access_token(presented, token, family, ctx.now())?;
    counted?;
    Ok((principal, TaxpayerAccess { taxpayer, access }))
}

/// Writes the time of a key's last use, unless that was written lately. It neither fails nor delays the request.
async fn note_use(ctx: &Context, key: &ApiKey) {
    if key.last_used_at.is_some_and(|used| later(used, LAST_USE_STEP) > ctx.now()) {
        return;
    }
    noted("a key", key.key_id.as_str(), ctx.store.note_key_use(key, ctx.now())).await;
}

/// The same for the grants of a request, in one write for all of them.
async fn note_use_of_grants(
    ctx: &Context,
    caller: &Caller,
    (mut used, mut used_for): (BTreeMap<GrantId, Timestamp>, BTreeMap<GrantId, Scope>),
    any_of: &[Scope],
) {
    let now = ctx.now();
    let is_due =
        |id: &&GrantId| used.get(*id).is_none_or(|used| later(*used, LAST_USE_STEP) <= now);
    let Some(due) = caller.grant_ids.iter().find(is_due) else { return };
    let read = used.get(due).copied();
    used.extend(caller.grant_ids.iter().map(|id| (id.clone(), now)));
    let scope = any_of.iter().copied().find(|scope| caller.has(*scope));
    used_for.extend(caller.grant_ids.iter().filter_map(|id| Some((id.clone(), scope?))));
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    let written =
        ctx.store.note_grants_use(caller.mode, taxpayer_id, (due, read), &used, &used_for);
    noted("a grant", due.as_str(), written).await;
}

/// Waits for the write of a last use, within the time limit.
async fn noted(what: &str, id: &str, written: impl Future<Output = Result<(), StoreError>>) {
    match tokio::time::timeout(LAST_USE_PATIENCE, written).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(used.what = what, used.id = id, error.cause = %error, "the last use was not recorded");
        }
        Err(_) => {
            tracing::warn!(used.what = what, used.id = id, "the last use was not recorded in time")
        }
    }
}
