//! The names of the actors and objects of audit entries.

use std::collections::{BTreeSet, HashMap};

use super::{Context, taxpayers};
use crate::{
    access::{AuditRecord, OrganizationCaller},
    error::Failure,
    types::TaxpayerId,
};

/// The names of the actors and objects of some entries, by identifier. Objects without a name, and objects that no
/// longer exist, are missing; so are businesses whose name no grant allows reading (specification 5.3).
pub async fn of_entries(
    ctx: &Context,
    caller: &OrganizationCaller,
    entries: &[AuditRecord],
) -> Result<HashMap<String, String>, Failure> {
    let actors = entries.iter().map(|entry| entry.actor.clone().into());
    let subjects = entries.iter().map(|entry| entry.subject.clone());
    let ids: BTreeSet<String> = actors.chain(subjects).collect();
    let businesses: Vec<TaxpayerId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    let own = async {
        let OrganizationCaller { mode, organization_id, .. } = caller;
        Ok::<_, Failure>(ctx.store.get_names(*mode, organization_id, &ids).await?)
    };
    let (mut names, businesses) =
        tokio::try_join!(own, taxpayers::list_known(ctx, caller, &businesses))?;
    let businesses = businesses.into_iter().filter(taxpayers::Connected::shows_details);
    names.extend(businesses.map(|it| (it.taxpayer.taxpayer_id.into(), it.taxpayer.name)));
    Ok(names)
}
