//! Changes of a taxpayer's status, by onboarding, the national portal and the operator.

use super::change::{Now, busy, event, organizations};
use crate::{
    access::{Action, Actor, AuditRecord, By, Confirmed, Deed, Taxpayer, TaxpayerStatus, Trail},
    error::{Code, Failure},
    service::{Context, RELAY_GRACE, audit, events, grants::ATTEMPTS, later},
    store::{Recorded, TaxpayerChanged, TaxpayerState, TaxpayerWrites},
    types::{Mode, OrganizationId, TaxpayerId},
};

/// Changes a taxpayer's status and the pointer that deliveries read, and notifies every organization with an active
/// grant. If the taxpayer has the status already, nothing changes and nobody is notified.
pub async fn set_status(
    ctx: &Context,
    mode: Mode,
    id: &TaxpayerId,
    status: TaxpayerStatus,
    by: &By,
) -> Result<Taxpayer, Failure> {
    alter(ctx, mode, id, by, &[], |read| with_status(read, status, by)).await
}

/// A change of a taxpayer's status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusChange {
    /// The taxpayer as it is.
    pub before: Taxpayer,
    /// The taxpayer as it becomes.
    pub after: Taxpayer,
    /// The organizations that are notified.
    pub notified: Vec<OrganizationId>,
}

/// What [`set_status`] would change, and which organizations it would notify. Writes nothing.
pub(in crate::service) async fn plan_status(
    ctx: &Context,
    mode: Mode,
    id: &TaxpayerId,
    status: TaxpayerStatus,
    by: &By,
) -> Result<StatusChange, Failure> {
    let read = state(ctx, mode, id).await?;
    let after = with_status(&read.taxpayer, status, by);
    let notified =
        if may_become(&read.taxpayer, &after)? { organizations(&read) } else { Vec::new() };
    Ok(StatusChange { before: read.taxpayer, after, notified })
}

async fn state(ctx: &Context, mode: Mode, id: &TaxpayerId) -> Result<TaxpayerState, Failure> {
    let read = ctx.store.get_taxpayer_state(mode, id, None).await?;
    read.ok_or_else(|| {
        Failure::new(Code::NotFound, format!("There is no taxpayer {id} in {mode}."))
    })
}

/// Whether the status changes. A transition outside the state machine is an error.
fn may_become(before: &Taxpayer, after: &Taxpayer) -> Result<bool, Failure> {
    let changes = before.status != after.status;
    if changes && !before.status.leads_to(after.status) {
        return Err(no_way(before.status, after.status));
    }
    Ok(changes)
}

/// A taxpayer with another status. The operator may take over a suspension by the portal, but not the reverse. A
/// taxpayer that must confirm its details does so before it becomes active, even after a suspension.
fn with_status(read: &Taxpayer, status: TaxpayerStatus, by: &By) -> Taxpayer {
    use TaxpayerStatus::{Active, Reverification, Suspended};
    if read.status == status && (status != Suspended || by.actor == Actor::NationalPortal) {
        return read.clone();
    }
    let is_outdated = read.confirmed.as_ref().is_some_and(|confirmed| confirmed.outdated);
    let status = match (read.status, status) {
        (Suspended, Active) if is_outdated => Reverification,
        _ => status,
    };
    let suspended_by = (status == Suspended).then(|| by.actor.clone());
    let outdated = match (read.status, status) {
        // The operator may skip the confirmation.
        (Reverification, Active) => false,
        (_, Reverification) => true,
        _ => is_outdated,
    };
    let confirmed = read.confirmed.clone().map(|confirmed| Confirmed { outdated, ..confirmed });
    Taxpayer { status, suspended_by, confirmed, ..read.clone() }
}

/// Changes a taxpayer to the result of `to`, if its status allows that, and notifies every organization with an active
/// grant. A change without effect writes nothing and notifies nobody. The entries `led_to_it` precede the change in the
/// audit trail.
pub(in crate::service) async fn alter(
    ctx: &Context,
    mode: Mode,
    id: &TaxpayerId,
    by: &By,
    led_to_it: &[AuditRecord],
    to: impl Fn(&Taxpayer) -> Taxpayer,
) -> Result<Taxpayer, Failure> {
    for attempt in 0..ATTEMPTS {
        let read = state(ctx, mode, id).await?;
        let before = &read.taxpayer;
        let taxpayer = to(before);
        if taxpayer == *before {
            return Ok(taxpayer);
        }
        let status_changes = may_become(before, &taxpayer)?;
        let at = ctx.now();
        // Organizations are not notified of who suspended the taxpayer and when it confirmed its details.
        let details_change = (&taxpayer.name, &taxpayer.profile) != (&before.name, &before.profile);
        let notified =
            if status_changes || details_change { organizations(&read) } else { Vec::new() };
        let metadata = ctx.store.get_metadata(mode, id, &notified).await?;
        let now = Now { taxpayer: &taxpayer, settings: &read.settings, metadata: &metadata };
        let of = |organization| {
            let status = status_changes.then_some(before.status);
            let details = details_change.then_some(before);
            let before = events::Before { status, details, ..Default::default() };
            event(ctx, &read, &now, organization, before, at)
        };
        let events = notified.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let action = match status_changes {
            true => Action::TaxpayerStatusChanged,
            false => Action::TaxpayerUpdated,
        };
        let deed = Deed { mode, by, action, subject: id.as_str(), at };
        let mut entries = led_to_it.to_vec();
        entries.push(audit::entry(ctx, &deed, Trail::Taxpayer(id.clone())));
        let change = TaxpayerChanged {
            mails: &[],
            read: &read,
            writes: TaxpayerWrites { taxpayer: Some(&taxpayer), ..Default::default() },
            events: &events,
            sweep_at: later(at, RELAY_GRACE),
            entries: &entries,
        };
        if ctx.store.change_taxpayer(change).await? == Recorded::Done {
            return Ok(taxpayer);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

/// The refusal of a transition that the state machine does not have.
fn no_way(from: TaxpayerStatus, to: TaxpayerStatus) -> Failure {
    let transitions: Vec<_> = TaxpayerStatus::ALL
        .into_iter()
        .filter(|to| from.leads_to(*to))
        .map(TaxpayerStatus::as_str)
        .collect();
    let transitions = match transitions.is_empty() {
        true => "this status is final".to_owned(),
        false => format!("it may become {}", transitions.join(" or ")),
    };
    let (from, to) = (from.as_str(), to.as_str());
    Failure::new(
        Code::InvalidRequest,
        format!("A taxpayer that is {from} cannot become {to}: {transitions}."),
    )
}
