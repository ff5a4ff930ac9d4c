//! How far a taxpayer's onboarding is, as onboarding and whoever operates the service change it.

use super::change::{Now, busy, event, organizations};
use crate::{
    access::{Action, By, Deed, Taxpayer, TaxpayerStatus, Trail},
    error::{Code, Failure},
    service::{Context, RELAY_GRACE, audit, events, grants::ATTEMPTS, later},
    store::{Recorded, TaxpayerChanged, TaxpayerWrites},
    types::{Mode, TaxpayerId},
};

/// Whether a taxpayer may go from one status to another: onboarding ends active, and who is active may be suspended and
/// come back.
fn leads_to(from: TaxpayerStatus, to: TaxpayerStatus) -> bool {
    use TaxpayerStatus::{Active, Inactive, Onboarding};
    matches!((from, to), (Onboarding | Inactive, Active) | (Active, Inactive))
}

/// Changes a taxpayer's status, with the pointer that deliveries read, and tells every organization with an active
/// grant. One that has the status already stays as it is, and nobody is told.
pub async fn set_status(
    ctx: &Context,
    mode: Mode,
    id: &TaxpayerId,
    status: TaxpayerStatus,
    by: &By,
) -> Result<Taxpayer, Failure> {
    for attempt in 0..ATTEMPTS {
        let read = ctx.store.get_taxpayer_state(mode, id, None).await?;
        let read = read.ok_or_else(|| {
            Failure::new(Code::NotFound, format!("There is no taxpayer {id} in {mode}."))
        })?;
        let before = read.taxpayer.status;
        if before == status {
            return Ok(read.taxpayer);
        }
        if !leads_to(before, status) {
            let message = format!(
                "A taxpayer that is {} cannot become {}: onboarding ends active, an active one may \
                 become inactive, and an inactive one active again.",
                before.as_str(),
                status.as_str()
            );
            return Err(Failure::new(Code::InvalidRequest, message));
        }
        let at = ctx.now();
        let taxpayer = Taxpayer { status, ..read.taxpayer.clone() };
        let told = organizations(&read);
        let metadata = ctx.store.get_metadata(mode, id, &told).await?;
        let now = Now { taxpayer: &taxpayer, settings: &read.settings, metadata: &metadata };
        let of = |organization| {
            let before = events::Before { status: Some(before), ..Default::default() };
            event(ctx, &read, &now, organization, before, at)
        };
        let told = told.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let subject = id.as_str();
        let deed = Deed { mode, by, action: Action::TaxpayerStatusChanged, subject, at };
        let change = TaxpayerChanged {
            read: &read,
            writes: TaxpayerWrites { status: Some(status), ..Default::default() },
            events: &told,
            sweep_at: later(at, RELAY_GRACE),
            entries: &[audit::entry(ctx, &deed, Trail::Taxpayer(id.clone()))],
        };
        if ctx.store.change_taxpayer(change).await? == Recorded::Done {
            return Ok(taxpayer);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}
