//! The taxpayers that an organization is connected to (specification 4.4), whatever its scopes on them and
//! however far their onboarding is.

use jiff::Timestamp;

use super::{
    Context,
    documents::MAX_LIMIT,
    page::{CursorKey, List, Page},
};
use crate::{
    access::{Grant, OrganizationCaller, Scope, Taxpayer, TaxpayerStatus, grant_required},
    error::Failure,
    types::{ParticipantId, TaxpayerId},
};

/// Which taxpayers to list. Every part that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// How far their onboarding is.
    pub status: Option<TaxpayerStatus>,
    /// The one with this place on the network.
    pub participant_id: Option<ParticipantId>,
}

/// A taxpayer, and what the organization holds on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// The taxpayer.
    pub taxpayer: Taxpayer,
    /// The organization's active grants on it, the oldest first; at least one.
    pub grants: Vec<Grant>,
}

impl Connected {
    /// Whether one of the grants lets its details be read (specification 5.3).
    pub fn shows_details(&self) -> bool {
        self.grants.iter().any(|grant| grant.scopes.contains(&Scope::TaxpayerRead))
    }

    /// Since when there is a grant that still stands.
    pub fn since(&self) -> Timestamp {
        let made = self.grants.iter().map(|grant| grant.created_at);
        made.min().unwrap_or(self.taxpayer.created_at)
    }
}

/// Lists the taxpayers on whom the organization holds an active grant, the youngest first: at most `limit` (1 to
/// [`MAX_LIMIT`]), and the cursor of the next page. There may be more as long as there is a cursor.
pub async fn list(
    ctx: &Context,
    cursors: &CursorKey,
    caller: &OrganizationCaller,
    filter: &Filter,
    cursor: Option<&str>,
    limit: u8,
) -> Result<Page<Connected>, Failure> {
    let OrganizationCaller { mode, organization_id, .. } = caller;
    let list = List { name: "taxpayers", mode: *mode, owner: organization_id.as_str(), filter };
    let after = cursors.position(&list, cursor).await?;
    if let Some(participant_id) = &filter.participant_id {
        let found = ctx.store.find_participant(*mode, participant_id).await?;
        let ids: Vec<_> = found.into_iter().map(|found| found.taxpayer_id).collect();
        let items = read(ctx, caller, filter, &ids).await?;
        return Ok(Page { items, next_cursor: None });
    }
    let limit = usize::from(limit.clamp(1, MAX_LIMIT));
    let page = ctx.store.list_connections(*mode, organization_id, after.as_deref(), limit).await?;
    let ids: Vec<_> = page.items.into_iter().map(|connection| connection.taxpayer_id).collect();
    let items = read(ctx, caller, filter, &ids).await?;
    let next_cursor = cursors.next(&list, page.next).await?;
    Ok(Page { items, next_cursor })
}

/// A taxpayer of the organization. One that does not exist cannot be told from one without a grant.
pub async fn get(
    ctx: &Context,
    caller: &OrganizationCaller,
    taxpayer_id: &str,
) -> Result<Connected, Failure> {
    let ids: Vec<TaxpayerId> = taxpayer_id.parse().into_iter().collect();
    let found = read(ctx, caller, &Filter::default(), &ids).await?;
    found.into_iter().next().ok_or_else(|| grant_required(false))
}

/// Those of the taxpayers whom the organization may see and the filter asks for, in their order. What decides
/// is the access to each as it stands now: a connection is older by the time that it is read.
async fn read(
    ctx: &Context,
    caller: &OrganizationCaller,
    filter: &Filter,
    ids: &[TaxpayerId],
) -> Result<Vec<Connected>, Failure> {
    let known = ctx.store.get_taxpayers(caller.mode, ids).await?;
    let mine = |(taxpayer, grants): (Taxpayer, Vec<Grant>)| {
        let held = grants.into_iter();
        let mut grants: Vec<_> =
            held.filter(|grant| grant.organization_id == caller.organization_id).collect();
        grants.sort_by(|a, b| a.grant_id.cmp(&b.grant_id));
        Connected { taxpayer, grants }
    };
    let asked = |it: &Connected| {
        !it.grants.is_empty() && filter.status.is_none_or(|status| status == it.taxpayer.status)
    };
    Ok(known.into_iter().map(mine).filter(asked).collect())
}
