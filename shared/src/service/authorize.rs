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
    // One read of all. A header that is wrong is told of below, when the key is known to work.
    let taxpayer_id = credentials.taxpayer_id.and_then(|id| id.parse().ok());
    let (record, taxpayer, grants) =
        ctx.store.get_known(mode, &key.hash(), taxpayer_id.as_ref()).await?;
    // A stranger learns nothing about the other headers.
    let record = record.ok_or_else(access::unauthorized)?;
    let claim = access::claim(key, credentials, &record)?;
    access::decide(&claim, Known { key: record, taxpayer, grants }, any_of)
}
