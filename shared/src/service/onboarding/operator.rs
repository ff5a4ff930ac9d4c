//! Operator commands for taxpayers that need no national portal: create, suspend, resume. Each change has an entry in
//! the taxpayer's audit trail, with the operator as actor.
//!
//! A created taxpayer takes the path of one that comes by the portal: `onboarding` until it is registered in the
//! network, then `active`. The same rules validate its details.

use serde_json::Value;

use super::confirm;
use crate::{
    access::{Action, By, Deed, Taxpayer, TaxpayerStatus, Trail},
    document::Profile,
    error::{Code, Failure},
    service::{
        Context, audit, register,
        taxpayers::{self, StatusChange},
    },
    store::Recipient,
    types::{EmailAddress, Mode, ParticipantId, TaxpayerId, Tin},
};

/// A business that the operator onboards.
#[derive(Debug, Clone)]
pub struct NewTaxpayer {
    /// Its TIN.
    pub tin: Tin,
    /// The address that signs in for the taxpayer. The operator has verified it.
    pub email: EmailAddress,
    /// Its registered details: a party, as in the body of a send.
    pub details: Value,
}

/// The taxpayer that [`create_taxpayer`] would create. Writes nothing. Invalid details fail with a finding for each
/// defect.
pub async fn plan_taxpayer(ctx: &Context, new: &NewTaxpayer) -> Result<Taxpayer, Failure> {
    let profile = profile(new)?;
    let participant_id = ParticipantId::from(&new.tin);
    let planned = Taxpayer {
        taxpayer_id: TaxpayerId::new(ctx.now(), &*ctx.random),
        mode: Mode::Live,
        participant_id,
        name: profile.party.name.clone().unwrap_or_default(),
        status: TaxpayerStatus::Onboarding,
        suspended_by: None,
        profile: profile.to_json().to_string(),
        email: Some(new.email.clone()),
        confirmed: None,
        created_at: ctx.now(),
    };
    match ctx.store.find_participant(Mode::Live, &planned.participant_id).await? {
        None => Ok(planned),
        Some(found) => begun(ctx, &new.tin, found, planned).await,
    }
}

/// The profile of a business. It must have all that the supplier of an invoice must have.
fn profile(new: &NewTaxpayer) -> Result<Profile, Failure> {
    match confirm::registered(&new.details, &new.tin) {
        (Some(profile), defects) if defects.is_empty() => Ok(profile),
        (_, defects) => {
            let message = "The details are not sufficient for the supplier of an invoice.";
            Err(Failure { message: message.to_owned(), ..Failure::invalid(defects) })
        }
    }
}

/// The taxpayer that an interrupted run created from the same input. Any other taxpayer with the TIN is an error.
async fn begun(
    ctx: &Context,
    tin: &Tin,
    found: Recipient,
    planned: Taxpayer,
) -> Result<Taxpayer, Failure> {
    let id = found.taxpayer_id;
    let taxpayer = ctx.store.get_taxpayer(Mode::Live, &id).await?;
    let same = taxpayer.filter(|it| {
        let Taxpayer { taxpayer_id, created_at, .. } = it.clone();
        *it == Taxpayer { taxpayer_id, created_at, ..planned }
    });
    same.ok_or_else(|| {
        let advice = match found.status {
            TaxpayerStatus::Deregistered => {
                "That status is final: the same TIN cannot be onboarded again."
            }
            _ => "A TIN has one taxpayer.",
        };
        let status = found.status.as_str();
        let message =
            format!("The TIN {tin} belongs to the taxpayer {id}, which is {status}. {advice}");
        Failure::new(Code::InvalidRequest, message)
    })
}

/// Creates a taxpayer in Live and begins its registration in the network. A run that was interrupted is resumed by a
/// run with the same input.
pub async fn create_taxpayer(ctx: &Context, new: &NewTaxpayer) -> Result<Taxpayer, Failure> {
    let taxpayer = plan_taxpayer(ctx, new).await?;
    let Taxpayer { taxpayer_id: id, created_at, .. } = &taxpayer;
    if ctx.store.get_taxpayer(Mode::Live, id).await?.is_none() {
        let (by, action) = (By::operator(), Action::TaxpayerCreated);
        let deed =
            Deed { mode: Mode::Live, by: &by, action, subject: id.as_str(), at: *created_at };
        let entry = audit::entry(ctx, &deed, Trail::Taxpayer(id.clone()));
        if !ctx.store.create_taxpayer_with(&taxpayer, &[entry]).await? {
            let message = format!(
                "Another run has just created a taxpayer with the TIN {}: try again.",
                new.tin
            );
            return Err(Failure::new(Code::ServiceUnavailable, message));
        }
    }
    register::begin_onboarding(ctx, &taxpayer).await?;
    Ok(taxpayer)
}

/// What [`suspend`] would change. Writes nothing.
pub async fn plan_suspension(
    ctx: &Context,
    mode: Mode,
    id: &TaxpayerId,
) -> Result<StatusChange, Failure> {
    taxpayers::plan_status(ctx, mode, id, TaxpayerStatus::Suspended, &By::operator()).await
}

/// Suspends a taxpayer: no caller may act for it, and it receives no documents. A taxpayer that the portal suspended
/// before then stays suspended when the portal reinstates it.
pub async fn suspend(ctx: &Context, mode: Mode, id: &TaxpayerId) -> Result<Taxpayer, Failure> {
    taxpayers::set_status(ctx, mode, id, TaxpayerStatus::Suspended, &By::operator()).await
}

/// What [`resume`] would change. Writes nothing.
pub async fn plan_resumption(
    ctx: &Context,
    mode: Mode,
    id: &TaxpayerId,
) -> Result<StatusChange, Failure> {
    let (active, by) = (TaxpayerStatus::Active, By::operator());
    let change = taxpayers::plan_status(ctx, mode, id, active, &by).await?;
    match change.before.status {
        TaxpayerStatus::Suspended => Ok(change),
        // A taxpayer in reverification must confirm its details: this command cannot skip that.
        other => {
            let message =
                format!("The taxpayer is {}: only a suspended one can resume.", other.as_str());
            Err(Failure::new(Code::InvalidRequest, message))
        }
    }
}

/// Ends a suspension. The taxpayer is then `active`, or in `reverification` if its details changed at the portal.
pub async fn resume(ctx: &Context, mode: Mode, id: &TaxpayerId) -> Result<Taxpayer, Failure> {
    plan_resumption(ctx, mode, id).await?;
    taxpayers::set_status(ctx, mode, id, TaxpayerStatus::Active, &By::operator()).await
}
