//! Applies the national portal's data to a taxpayer. The code always asks for the current data. So a notice that is
//! duplicate, late or out of order does no harm.

use super::national_portal::{Business, Known, NationalPortal, Standing};
use crate::{
    access::{Actor, By, Confirmed, Origin, Taxpayer, TaxpayerStatus},
    error::Failure,
    service::{Context, Registering, register, taxpayers},
    types::{Mode, TaxpayerId, Tin},
};

/// Applies the portal's current data to a Live taxpayer.
pub(super) async fn reconcile(
    ctx: &Context,
    portal: &dyn NationalPortal,
    tin: &Tin,
    id: &TaxpayerId,
) -> Result<Taxpayer, Failure> {
    let known = portal.business(tin).await?;
    if known == Known::Nobody {
        tracing::error!(taxpayer_id = %id, "the national portal does not know the TIN of a taxpayer");
    }
    let (by, now) = (By::national_portal(), ctx.now());
    let follows = |read: &Taxpayer| match &known {
        Known::Nobody => read.clone(),
        // It has appointed another service: we may not act for it.
        Known::NotAppointed => held(read),
        Known::Appointed(business) => match business.standing {
            Standing::Suspended => held(read),
            Standing::Deregistered => ended(read),
            Standing::Active => compared(&released(read), business, now),
        },
    };
    let taxpayer = taxpayers::alter(ctx, Mode::Live, id, &by, &[], follows).await?;
    if taxpayer.status == TaxpayerStatus::Deregistered {
        register::withdraw(ctx, Mode::Live, id).await?;
    }
    Ok(taxpayer)
}

/// Completes a registration in the network: a taxpayer in onboarding becomes active. Then the portal is asked again,
/// since its data had no effect on a taxpayer that was not active yet.
pub(in crate::service) async fn complete(
    registering: &Registering,
    mode: Mode,
    id: &TaxpayerId,
) -> Result<(), Failure> {
    let ctx = &registering.ctx;
    let Some(taxpayer) = ctx.store.get_taxpayer(mode, id).await? else { return Ok(()) };
    match taxpayer.status {
        TaxpayerStatus::Onboarding => {
            // A taxpayer that came by the portal confirmed its details. The operator created any other.
            let by = match taxpayer.confirmed {
                Some(_) => By { actor: Actor::Taxpayer(id.clone()), origin: Origin::default() },
                None => By::operator(),
            };
            taxpayers::set_status(ctx, mode, id, TaxpayerStatus::Active, &by).await?;
        }
        // It was deregistered during the registration, so the registration is withdrawn.
        TaxpayerStatus::Deregistered => {
            register::withdraw(ctx, mode, id).await?;
        }
        _ => {}
    }
    let tin = taxpayer.participant_id.tin().and_then(|tin| tin.parse::<Tin>().ok());
    let (Some(tin), true) = (tin, taxpayer.confirmed.is_some()) else { return Ok(()) };
    // A deployment whose portal was removed has nothing to ask.
    let Some(portal) = registering.national_portal.as_deref() else { return Ok(()) };
    reconcile(ctx, portal, &tin, id).await.map(drop)
}

/// The taxpayer with another status, if its current status may change to that; otherwise unchanged. A taxpayer in
/// onboarding is checked again when that ends.
fn with(read: &Taxpayer, status: TaxpayerStatus, suspended_by: Option<Actor>) -> Taxpayer {
    match read.status.leads_to(status) {
        true => Taxpayer { status, suspended_by, ..read.clone() },
        false => read.clone(),
    }
}

fn held(read: &Taxpayer) -> Taxpayer {
    with(read, TaxpayerStatus::Suspended, Some(Actor::NationalPortal))
}

fn ended(read: &Taxpayer) -> Taxpayer {
    with(read, TaxpayerStatus::Deregistered, None)
}

/// Ends a suspension by the portal. A suspension by the operator stays.
fn released(read: &Taxpayer) -> Taxpayer {
    match &read.suspended_by {
        Some(Actor::NationalPortal) => with(read, TaxpayerStatus::Active, None),
        _ => read.clone(),
    }
}

/// A taxpayer must confirm again when its details or its address differ from the confirmed ones. An address that the
/// portal does not have any more cannot sign in. A taxpayer that did not come by the portal has confirmed nothing, so
/// nothing is compared.
fn compared(read: &Taxpayer, business: &Business, now: jiff::Timestamp) -> Taxpayer {
    let Some(confirmed) = &read.confirmed else { return read.clone() };
    if !business.is_to_be_confirmed(confirmed, now) {
        return read.clone();
    }
    let email = read.email.clone().filter(|email| business.email.as_ref() == Some(email));
    match read.status {
        TaxpayerStatus::Active | TaxpayerStatus::Reverification => {
            Taxpayer { status: TaxpayerStatus::Reverification, email, ..read.clone() }
        }
        // It must confirm before the operator can resume it.
        TaxpayerStatus::Suspended => {
            let confirmed = Some(Confirmed { outdated: true, ..confirmed.clone() });
            Taxpayer { confirmed, email, ..read.clone() }
        }
        TaxpayerStatus::Onboarding | TaxpayerStatus::Deregistered | TaxpayerStatus::Unknown => {
            read.clone()
        }
    }
}
