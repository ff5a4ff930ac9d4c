//! Whether a mail about an onboarding application may be sent. Only this background work checks the TIN and the
//! address, so that no caller can learn the result from the time of an answer.

use super::super::{
    Mailing,
    onboarding::{Known, PortalError},
};
use crate::{
    error::Failure,
    store::{ApplicationRecord, ApplicationStatus},
    types::{ApplicationId, EmailAddress, Mode},
};

/// The application, if the national portal says that its business appointed us and has the address. The match is
/// recorded.
pub(super) async fn matched(
    mailing: &Mailing,
    to: &EmailAddress,
    id: &ApplicationId,
) -> Result<Option<ApplicationRecord>, Failure> {
    let ctx = &mailing.ctx;
    let found = ctx.store.get_application(Mode::Live, id).await?;
    let waits = |it: &ApplicationRecord| {
        let statuses = [ApplicationStatus::Appointment, ApplicationStatus::Verification];
        statuses.contains(&it.status) && ctx.now() < it.expires_at
    };
    let Some(application) = found.filter(waits) else { return Ok(None) };
    let portal = mailing
        .national_portal
        .as_deref()
        .ok_or_else(|| PortalError::Unavailable("NATIONAL_PORTAL_URL is not set".to_owned()))?;
    let Known::Appointed(business) = portal.business(&application.tin).await? else {
        return Ok(None);
    };
    if business.email.as_ref() != Some(to) || !ctx.store.match_application(&application).await? {
        return Ok(None);
    }
    Ok(Some(application))
}
