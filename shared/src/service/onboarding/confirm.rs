//! A person confirms the details of its business, sees the progress of the registration, and is signed in.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::national_portal::{Business, Known, NationalPortal, Standing};
use crate::{
    access::{Origin, Taxpayer, TaxpayerStatus},
    document::{Profile, ReadError, supplier_defects},
    error::{Failure, Finding},
    service::{Context, RELAY_GRACE, later, sessions},
    store::{
        ApplicationRecord, ApplicationStatus, DoneAt, Rate, Register, RegistrationStatus, Taken,
    },
    types::{Mode, OpaqueToken, ParticipantId, Tin},
};

/// Maximum requests to the national portal for the details of one application.
pub const DETAILS: Rate =
    Rate { what: "ONBOARDDETAILS", most: 30, window: SignedDuration::from_mins(15) };

/// The content of the page for confirmation.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// These details. Details with defects cannot be confirmed.
    Details {
        /// The business.
        business: Box<Business>,
        /// The details as a profile, if they can be read.
        profile: Option<Box<Profile>>,
        /// The defects of the details.
        defects: Vec<Finding>,
    },
    /// The business has not appointed us, or does not any more.
    NotAppointed,
    /// The portal has another address for it by now.
    OtherAddress,
    /// The portal has suspended it.
    Suspended,
    /// It is not registered any more.
    Deregistered,
    /// The portal was asked too often.
    TooOften(Taken),
}

/// Asks the national portal for the details to confirm.
pub async fn details(
    ctx: &Context,
    portal: &dyn NationalPortal,
    application: &ApplicationRecord,
) -> Result<Shown, Failure> {
    let id = application.application_id.as_str();
    let taken = ctx.store.take_one(Mode::Live, DETAILS, id, ctx.now()).await?;
    if !taken.is_given {
        return Ok(Shown::TooOften(taken));
    }
    let business = match portal.business(&application.tin).await? {
        Known::Nobody | Known::NotAppointed => return Ok(Shown::NotAppointed),
        Known::Appointed(business) => business,
    };
    if business.email.as_ref() != Some(&application.email) {
        return Ok(Shown::OtherAddress);
    }
    Ok(match business.standing {
        Standing::Suspended => Shown::Suspended,
        Standing::Deregistered => Shown::Deregistered,
        Standing::Active => {
            let (profile, defects) = profile(&business, &application.tin);
            Shown::Details { business, profile: profile.map(Box::new), defects }
        }
    })
}

/// The registered profile of a business, if it can be read, and its defects. The profile is part of all its documents,
/// so it must have everything that the supplier of an invoice needs.
pub(crate) fn profile(business: &Business, tin: &Tin) -> (Option<Profile>, Vec<Finding>) {
    registered(&business.details, tin)
}

/// The profile from registered details of the portal or the operator.
pub(super) fn registered(details: &Value, tin: &Tin) -> (Option<Profile>, Vec<Finding>) {
    let mut details = details.clone();
    if let Some(members) = details.as_object_mut() {
        // The electronic address is derived from the TIN.
        members.insert("electronic_address".to_owned(), json!({"id": tin}));
    }
    match Profile::from_json(details.to_string().as_bytes()) {
        Ok(profile) => {
            let defects = supplier_defects(&profile, &ParticipantId::from(tin));
            (Some(profile), defects)
        }
        Err(ReadError::Invalid(defects)) => (None, defects),
        Err(ReadError::Malformed(why)) => {
            (None, vec![Finding::error("", "AP-JSON-malformed", why)])
        }
    }
}

/// The outcome of a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// It is recorded, and the registration is due.
    Taken,
    /// The application is in another step.
    NotNow,
}

/// Records the confirmation of the details with this digest. The registration checks whether the portal still has them.
pub async fn confirm(
    ctx: &Context,
    application: &ApplicationRecord,
    digest: &str,
    origin: Origin,
) -> Result<Confirmation, Failure> {
    let now = ctx.now();
    let confirmed = DoneAt::new(now, origin);
    let sweep_at = later(now, RELAY_GRACE);
    let taken = ctx.store.confirm_application(application, &confirmed, digest, sweep_at).await?;
    Ok(if taken { Confirmation::Taken } else { Confirmation::NotNow })
}

/// The progress of a business after its details were confirmed.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// The registration with the tax authority is under way.
    Authority {
        /// Whether an operator must act.
        is_parked: bool,
    },
    /// The registration in the network is under way.
    Network {
        /// Whether an operator must act.
        is_parked: bool,
    },
    /// Everything is done: this is the current taxpayer.
    Done(Box<Taxpayer>),
}

/// The progress of a business. `None` before its details were confirmed.
pub async fn progress(
    ctx: &Context,
    application: &ApplicationRecord,
) -> Result<Option<Progress>, Failure> {
    let Some(id) = &application.taxpayer_id else {
        let is_parked = application.parked.is_some();
        let waits = application.status == ApplicationStatus::Registration;
        return Ok(waits.then_some(Progress::Authority { is_parked }));
    };
    let Some(taxpayer) = ctx.store.get_taxpayer(Mode::Live, id).await? else { return Ok(None) };
    if taxpayer.status != TaxpayerStatus::Onboarding {
        return Ok(Some(Progress::Done(Box::new(taxpayer))));
    }
    let network = ctx.store.get_registration(Mode::Live, id, Register::Network).await?;
    let is_parked = network.is_some_and(|network| {
        network.parked.is_some() && network.status != RegistrationStatus::Registered
    });
    Ok(Some(Progress::Network { is_parked }))
}

/// Signs the application's browser in for its business, once. `None` when it was signed in before, or when the business
/// may not sign in.
pub async fn finish(
    ctx: &Context,
    application: &ApplicationRecord,
    before: Option<&sessions::SessionToken>,
    origin: Origin,
) -> Result<Option<sessions::SessionToken>, Failure> {
    let Some(id) = &application.taxpayer_id else { return Ok(None) };
    let taxpayer = ctx.store.get_taxpayer(Mode::Live, id).await?;
    // The verified address must still be the taxpayer's current one.
    let taxpayer = taxpayer.filter(|taxpayer| {
        taxpayer.status.may_sign_in() && taxpayer.email.as_ref() == Some(&application.email)
    });
    if taxpayer.is_none() {
        return Ok(None);
    }
    let session = sessions::record(ctx, Mode::Live, id.into(), &origin).await?;
    let token = sessions::SessionToken::generate(&*ctx.random);
    let hash = token.hash();
    let before = before.map(OpaqueToken::hash);
    let gone_at = sessions::gone_at(&session);
    let entry = sessions::begun(ctx, Mode::Live, &session.holder, origin, &hash);
    let finished = ctx
        .store
        .finish_application(application, (&hash, &session), before.as_ref(), gone_at, &entry)
        .await?;
    Ok(finished.then_some(token))
}
