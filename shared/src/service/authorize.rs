use super::Context;
use crate::{
    access::{self, Caller, Credentials, Known, Scope},
    error::Failure,
};

/// Finds out who calls and what he may do; `any_of` are the scopes of which the operation wants
/// at least one. Reads what is known and leaves the decision to [`access::decide`].
pub async fn authorize(
    ctx: &Context,
    credentials: Credentials<'_>,
    any_of: &[Scope],
) -> Result<Caller, Failure> {
    let key = access::presented_key(credentials)?;
    let mode = key.mode();
    let record = ctx.store.get_api_key(mode, &key.hash()).await?;
    // A stranger learns nothing about the other headers.
    let record = record.ok_or_else(access::unauthorized)?;
    let claim = access::claim(key, credentials, &record)?;
    let (taxpayer, grants) = tokio::try_join!(
        ctx.store.get_taxpayer(mode, &claim.taxpayer_id),
        ctx.store.list_grants_between(mode, &claim.taxpayer_id, &record.organization_id),
    )?;
    access::decide(&claim, Known { key: record, taxpayer, grants }, any_of)
}
