//! The taxpayers that an organization is connected to (specification 4.4), whatever its scopes on them and
//! however far their onboarding is.

mod change;
pub(in crate::service) mod notices;
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

pub use own::{ADDRESS_CHANGES, OwnSettings, Set, set, settings};
pub(crate) use patch::refused;
pub use patch::{MAX_EMAIL, MetadataPatch, Patch, SettingsPatch, is_email, patch};
pub use status::{StatusChange, set_status};
pub(in crate::service) use status::{alter, plan_status};

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
    /// When each of them was last used, to the hour, as far as that was noted yet.
    pub used: BTreeMap<GrantId, Timestamp>,
    /// What the organization keeps with it.
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
        // What others do is none of the organization's business.
        used.retain(|id, _| grants.iter().any(|grant| grant.grant_id == *id));
        grants.sort_by(|a, b| a.grant_id.cmp(&b.grant_id));
        let metadata = connection.map(|connection| connection.metadata).unwrap_or_default();
        Connected { taxpayer, grants, used, metadata }
    }

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

/// Lists the taxpayers on whom the organization holds an active grant, the youngest first: the page that is
/// asked for, and the cursor of the next one. There may be more as long as there is a cursor.
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

/// The taxpayer that somebody acts for, and its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentTaxpayer {
    /// The taxpayer, and what the organization has with it.
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

/// The same with all that a change of it is made of. Whoever lost its last grant since it was asked learns it here.
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
