//! Endpoints that are switched off by themselves.

use crate::{
    access::{Action, By, Deed, Trail},
    service::{Context, audit},
    store::{Disabled, DisabledReason, EndpointRecord, StoreError},
};

/// Disables an endpoint that says it is gone for good.
pub(super) async fn gone(ctx: &Context, endpoint: &EndpointRecord) -> Result<(), StoreError> {
    disable(ctx, endpoint, DisabledReason::Gone).await
}

/// Disables an endpoint, once: of several that wish so one does it, and the trail says it once.
async fn disable(
    ctx: &Context,
    endpoint: &EndpointRecord,
    reason: DisabledReason,
) -> Result<(), StoreError> {
    let EndpointRecord { mode, organization_id, endpoint_id, .. } = endpoint;
    let (at, by) = (ctx.now(), By::service());
    let (action, subject) = (Action::EndpointDisabled, endpoint_id.as_str());
    let deed = Deed { mode: *mode, by: &by, action, subject, at };
    let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
    ctx.store.disable_endpoint(endpoint, &Disabled { reason, at }, &entry).await.map(drop)
}
