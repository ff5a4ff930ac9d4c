//! The events of a taxpayer's change: one for each organization that is notified.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::{
    access::{Audience, Grant, Taxpayer},
    error::{Code, Failure},
    service::{Context, events},
    store::{EventRecord, EventType, TaxpayerSettings, TaxpayerState},
    types::OrganizationId,
};

/// The taxpayer after the change.
pub(super) struct Now<'a> {
    pub(super) taxpayer: &'a Taxpayer,
    pub(super) settings: &'a TaxpayerSettings,
    /// The metadata of each organization.
    pub(super) metadata: &'a BTreeMap<OrganizationId, BTreeMap<String, String>>,
}

/// The organizations that hold an active grant.
pub(super) fn organizations(state: &TaxpayerState) -> Vec<OrganizationId> {
    let ids = state.access.grants.iter().map(|grant| grant.organization_id.clone());
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The event for one organization. `before` has the old values.
pub(super) fn event(
    ctx: &Context,
    state: &TaxpayerState,
    now: &Now<'_>,
    organization_id: &OrganizationId,
    before: events::Before<'_>,
    at: Timestamp,
) -> Result<EventRecord, Failure> {
    let held = state.access.grants.iter();
    let held = held.filter(|grant| grant.organization_id == *organization_id);
    let grants: Vec<Grant> = held.cloned().collect();
    let none = BTreeMap::new();
    let change = events::TaxpayerChange {
        event_type: EventType::TaxpayerUpdated,
        audience: Audience::Connected { organization_id: organization_id.clone() },
        taxpayer: now.taxpayer,
        grants: &grants,
        metadata: now.metadata.get(organization_id).unwrap_or(&none),
        settings: now.settings,
        before: Some(before),
    };
    events::of_taxpayer(ctx, change, at)
}

/// The failure of a change that met too many concurrent changes.
pub(super) fn busy() -> Failure {
    Failure::new(
        Code::ServiceUnavailable,
        "The taxpayer or its grants are changing too often at the moment: retry.",
    )
}
