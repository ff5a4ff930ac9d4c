//! What the national portal says of a taxpayer, and what follows. It is always asked what it has now, never told what
//! changed: so a notice that comes twice, late or out of order does no harm.

use super::national_portal::{Business, Known, NationalPortal, Standing};
use crate::{
    access::{Actor, By, Confirmed, Origin, Taxpayer, TaxpayerStatus},
    error::Failure,
    service::{Context, Registering, register, taxpayers},
    types::{Mode, TaxpayerId, Tin},
};

/// Makes of a Live taxpayer what follows from what the national portal has of it now.
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
        // It has appointed somebody else: nothing may be done in its name.
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

/// What follows once the network knows a taxpayer: one that was onboarding is active. Then the portal is asked once more:
/// what it said of one that was not active yet had no effect.
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
        // It ended while the register was told: that is taken back.
        TaxpayerStatus::Deregistered => {
            register::withdraw(ctx, mode, id).await?;
        }
        _ => {}
    }
    let tin = taxpayer.participant_id.tin().and_then(|tin| tin.parse::<Tin>().ok());
    let (Some(tin), true) = (tin, taxpayer.confirmed.is_some()) else { return Ok(()) };
    // One that was taken from the deployment says nothing any more.
    let Some(portal) = registering.national_portal.as_deref() else { return Ok(()) };
    reconcile(ctx, portal, &tin, id).await.map(drop)
}

/// With another status, where its own leads there; otherwise as it is. Who is still onboarding is looked at once more
/// when that ends.
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

/// What the portal suspended comes back; what the operator did stays.
fn released(read: &Taxpayer) -> Taxpayer {
    match &read.suspended_by {
        Some(Actor::NationalPortal) => with(read, TaxpayerStatus::Active, None),
        _ => read.clone(),
    }
}

/// Whoever has other details, or another address, than were confirmed must confirm them again. An address that the portal
/// does not have any more signs nobody in. One that did not come by the portal has confirmed nothing: there is nothing to
/// compare.
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
        // When the operator lets it come back it must confirm first.
        TaxpayerStatus::Suspended => {
            let confirmed = Some(Confirmed { outdated: true, ..confirmed.clone() });
            Taxpayer { confirmed, email, ..read.clone() }
        }
        TaxpayerStatus::Onboarding | TaxpayerStatus::Deregistered | TaxpayerStatus::Unknown => {
            read.clone()
        }
    }
}
