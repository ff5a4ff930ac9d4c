//! The taxpayers that an organization is connected to (specification 4.4), with any scopes and in any onboarding
//! status.

mod change;
mod own;
mod patch;
mod status;

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{
    Context,
    page::{List, Page, PageQuery},
};
use crate::{
    access::{
        Caller, Connection, Grant, OrganizationCaller, Scope, Taxpayer, TaxpayerStatus,
        grant_required,
    },
    error::Failure,
    store::{Access, TaxpayerSettings, TaxpayerState},
    types::{GrantId, OrganizationId, ParticipantId, TaxpayerId},
};

pub use own::{OwnSettings, Set, set, settings};
pub(crate) use patch::refused;
pub use patch::{MAX_EMAIL, MetadataPatch, Patch, SettingsPatch, is_email, patch};
pub use status::{StatusChange, set_status};
pub(in crate::service) use status::{alter, plan_status};

/// Which taxpayers to list. A taxpayer must match every given part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// How far their onboarding is.
    pub status: Option<TaxpayerStatus>,
    /// The taxpayer with this participant identifier.
    pub participant_id: Option<ParticipantId>,
}

/// A taxpayer and the organization's connection to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// The taxpayer.
    pub taxpayer: Taxpayer,
    /// The organization's active grants on it, the oldest first; at least one.
    pub grants: Vec<Grant>,
    /// When each grant was last used, to the hour, if that is recorded.
    pub used: BTreeMap<GrantId, Timestamp>,
    /// The organization's metadata on it.
    pub metadata: BTreeMap<String, String>,
}

impl Connected {
    fn new(
        organization_id: &OrganizationId,
        taxpayer: Taxpayer,
        access: Access,
        connection: Option<Connection>,
    ) -> Self {
        let Access { grants, mut used, .. } = access;
        let held = grants.into_iter();
        let mut grants: Vec<_> =
            held.filter(|grant| grant.organization_id == *organization_id).collect();
        // The use of other organizations' grants is not shown.
        used.retain(|id, _| grants.iter().any(|grant| grant.grant_id == *id));
        grants.sort_by(|a, b| a.grant_id.cmp(&b.grant_id));
        let metadata = connection.map(|connection| connection.metadata).unwrap_or_default();
        Connected { taxpayer, grants, used, metadata }
    }

    /// Whether a grant allows reading the taxpayer's details (specification 5.3).
    pub fn shows_details(&self) -> bool {
        self.grants.iter().any(|grant| grant.scopes.contains(&Scope::TaxpayerRead))
    }

    /// Its name, if a grant allows it (specification 5.3); otherwise its id.
    pub fn name(&self) -> &str {
        let Taxpayer { name, taxpayer_id, .. } = &self.taxpayer;
        if self.shows_details() { name } else { taxpayer_id.as_str() }
    }

    /// When the oldest active grant was made.
    pub fn since(&self) -> Timestamp {
        let made = self.grants.iter().map(|grant| grant.created_at);
        made.min().unwrap_or(self.taxpayer.created_at)
    }
}

/// Lists the taxpayers that the organization has an active grant on, newest first. Returns the page and the cursor of
/// the next one. There may be more as long as there is a cursor.
pub async fn list(
    ctx: &Context,
    caller: &OrganizationCaller,
    filter: &Filter,
    asked: PageQuery<'_>,
) -> Result<Page<Connected>, Failure> {
    let OrganizationCaller { mode, organization_id, .. } = caller;
    let list = List { name: "taxpayers", mode: *mode, owner: organization_id.as_str(), filter };
    let after = asked.after(&list).await?;
    if let Some(participant_id) = &filter.participant_id {
        let found = ctx.store.find_participant(*mode, participant_id).await?;
        let ids: Vec<_> = found.into_iter().map(|found| found.taxpayer_id).collect();
        let items = read(ctx, caller, filter, &ids).await?;
        return Ok(Page { items, next_cursor: None });
    }
    let (after, limit) = (after.as_deref(), asked.limit());
    let page = ctx.store.list_connections(*mode, organization_id, after, limit).await?;
    let ids: Vec<_> = page.items.into_iter().map(|connection| connection.taxpayer_id).collect();
    let items = read(ctx, caller, filter, &ids).await?;
    asked.page(&list, items, page.next).await
}

/// A taxpayer of the organization. A taxpayer that does not exist cannot be distinguished from one without a grant.
pub async fn get(
    ctx: &Context,
    caller: &OrganizationCaller,
    taxpayer_id: &str,
) -> Result<Connected, Failure> {
    let ids: Vec<TaxpayerId> = taxpayer_id.parse().into_iter().collect();
    let found = read(ctx, caller, &Filter::default(), &ids).await?;
    found.into_iter().next().ok_or_else(|| grant_required(false))
}

/// Those of some taxpayers that the organization has an active grant on, in their order.
pub(super) async fn list_known(
    ctx: &Context,
    caller: &OrganizationCaller,
    ids: &[TaxpayerId],
) -> Result<Vec<Connected>, Failure> {
    read(ctx, caller, &Filter::default(), ids).await
}

/// The taxpayers that the organization may see and that match the filter, in their order. The current access to each
/// one decides, since a connection may be outdated.
async fn read(
    ctx: &Context,
    caller: &OrganizationCaller,
    filter: &Filter,
    ids: &[TaxpayerId],
) -> Result<Vec<Connected>, Failure> {
    let OrganizationCaller { mode, organization_id, .. } = caller;
    let known = ctx.store.get_taxpayers(*mode, organization_id, ids).await?;
    let mine = |(taxpayer, access, connection)| {
        Connected::new(organization_id, taxpayer, access, connection)
    };
    let asked = |it: &Connected| {
        !it.grants.is_empty() && filter.status.is_none_or(|status| status == it.taxpayer.status)
    };
    Ok(known.into_iter().map(mine).filter(asked).collect())
}

/// The taxpayer that a caller acts for, and its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentTaxpayer {
    /// The taxpayer and the organization's connection to it.
    pub connected: Connected,
    /// Its settings.
    pub settings: TaxpayerSettings,
}

impl CurrentTaxpayer {
    fn of(organization_id: &OrganizationId, state: TaxpayerState) -> Self {
        let TaxpayerState { taxpayer, access, settings, connection } = state;
        let connected = Connected::new(organization_id, taxpayer, access, connection);
        CurrentTaxpayer { connected, settings }
    }
}

/// The taxpayer that the caller acts for.
pub async fn current(ctx: &Context, caller: &Caller) -> Result<CurrentTaxpayer, Failure> {
    let state = state(ctx, caller).await?;
    Ok(CurrentTaxpayer::of(&caller.organization_id, state))
}

/// The complete state of the caller's taxpayer, for changes. Fails if the organization has lost its last grant
/// meanwhile.
async fn state(ctx: &Context, caller: &Caller) -> Result<TaxpayerState, Failure> {
    let Caller { mode, organization_id, taxpayer, .. } = caller;
    let found =
        ctx.store.get_taxpayer_state(*mode, &taxpayer.taxpayer_id, Some(organization_id)).await?;
    let granted = |state: &TaxpayerState| {
        let mut grants = state.access.grants.iter();
        grants.any(|grant| grant.organization_id == *organization_id)
    };
    found.filter(granted).ok_or_else(|| grant_required(false))
}
