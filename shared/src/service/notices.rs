//! Notices to a taxpayer that concern its security.

use jiff::{SignedDuration, Timestamp};

use super::{Context, new_mail::NewMail, organizations};
use crate::{
    access::{Grant, Taxpayer},
    error::Failure,
    i18n::Language,
    store::{MailRecord, MailSubject, TaxpayerSettings, TaxpayerState},
    types::EmailAddress,
};

/// How long a security notice is useful.
const USEFUL: SignedDuration = SignedDuration::from_hours(3 * 24);

/// The mails of a notice: always one to the registered address, and one to the notification address if that is set.
/// None if no address is known.
pub(super) fn mails(
    ctx: &Context,
    taxpayer: &Taxpayer,
    settings: &TaxpayerSettings,
    (subject, language): (&MailSubject, Language),
    at: Timestamp,
) -> Vec<MailRecord> {
    let set: Option<EmailAddress> =
        settings.notification_email.as_deref().and_then(|address| address.parse().ok());
    let set = set.filter(|set| Some(set) != taxpayer.email.as_ref());
    let addresses = taxpayer.email.clone().into_iter().chain(set);
    let mail = |to| {
        NewMail { mode: taxpayer.mode, to, subject: subject.clone(), language, useful: USEFUL }
            .waiting(ctx, at)
    };
    addresses.map(mail).collect()
}

/// The mails to a taxpayer about a grant that another party revokes.
pub(super) async fn of_revocation(
    ctx: &Context,
    state: &TaxpayerState,
    grant: &Grant,
    now: Timestamp,
) -> Result<Vec<MailRecord>, Failure> {
    let organization = organizations::get(ctx, grant.mode, &grant.organization_id).await?.name;
    let subject = MailSubject::AccessRevoked {
        application: grant.shown_name(&organization),
        organization,
        business: state.taxpayer.name.clone(),
    };
    let TaxpayerState { taxpayer, settings, .. } = state;
    Ok(mails(ctx, taxpayer, settings, (&subject, settings.language), now))
}
