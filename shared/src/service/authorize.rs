//! Who calls and what he may do: what is known is read here, the decision is [`access`]'s.
//!
//! One read for the credential, then two at once for the taxpayer and the grants, whatever their
//! number. Once an hour and key the time of its last use is written beside those two.

use std::time::Duration;

use jiff::SignedDuration;

use super::{Context, later};
use crate::{
    access::{
        self, ApiKey, Caller, Credential, Credentials, Known, OrganizationCaller, Principal, Scope,
    },
    error::Failure,
    log,
};

/// How exact the time of a key's last use is. It is written no oftener, so that it costs no request
/// a call; nobody who asks whether a key is still in use needs it to the minute.
const LAST_USE_STEP: SignedDuration = SignedDuration::from_hours(1);

/// How long a request waits for that write. It runs beside reads that take as long; when the table
/// is slow the request goes on without it, and a later one writes it.
const LAST_USE_PATIENCE: Duration = Duration::from_millis(200);

/// Finds out which taxpayer's affairs the request may touch; `any_of` are the scopes of which the
/// operation wants at least one.
pub async fn authorize(
    ctx: &Context,
    credentials: Credentials<'_>,
    any_of: &[Scope],
) -> Result<Caller, Failure> {
    let (principal, noted) = identify(ctx, credentials).await?;
    let claim = principal.claim(credentials)?;
    log::note("taxpayer_id", claim.taxpayer_id());
    let OrganizationCaller { mode, organization_id, .. } = claim.organization();
    let ((), known) = tokio::join!(note_use(ctx, noted), async {
        let (taxpayer, grants) = tokio::try_join!(
            ctx.store.get_taxpayer(*mode, claim.taxpayer_id()),
            ctx.store.list_grants_between(*mode, claim.taxpayer_id(), organization_id),
        )?;
        Ok::<_, Failure>(Known { taxpayer, grants })
    });
    access::decide(claim, known?, any_of)
}

/// Finds out which organization's own affairs the request may touch.
pub async fn authorize_organization(
    ctx: &Context,
    credentials: Credentials<'_>,
) -> Result<OrganizationCaller, Failure> {
    let (principal, noted) = identify(ctx, credentials).await?;
    note_use(ctx, noted).await;
    Ok(principal.organization())
}

/// Who calls, and the key whose use is still to be noted. A further kind of credential is one more
/// arm.
async fn identify(
    ctx: &Context,
    credentials: Credentials<'_>,
) -> Result<(Principal, Option<ApiKey>), Failure> {
    match Credential::presented(credentials)? {
        Credential::ApiKey(key) => {
            let record = ctx.store.get_api_key(key.mode(), &key.hash()).await?;
            let record = record.ok_or_else(|| access::unauthorized().because("no such API key"))?;
            log::note("organization_id", &record.organization_id);
            log::note("key_id", &record.key_id);
            let principal = Principal::by_api_key(&key, &record)?;
            let is_noted = |used| later(used, LAST_USE_STEP) > ctx.now();
            let noted = record.last_used_at.is_some_and(is_noted);
            Ok((principal, (!noted).then_some(record)))
        }
    }
}

/// Writes the time of a key's last use. It neither fails the request nor holds it up.
async fn note_use(ctx: &Context, key: Option<ApiKey>) {
    let Some(key) = key else { return };
    let written = ctx.store.note_key_use(&key, ctx.now());
    match tokio::time::timeout(LAST_USE_PATIENCE, written).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(key.id = %key.key_id, error.cause = %error, "a key's use was not noted");
        }
        Err(_) => tracing::warn!(key.id = %key.key_id, "a key's use was not noted in time"),
    }
}
