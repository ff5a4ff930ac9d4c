//! Notices to a taxpayer that concern its security.

use jiff::{SignedDuration, Timestamp};

use crate::{
    access::Taxpayer,
    i18n::Language,
    service::{Context, later},
    store::{MailRecord, MailStatus, MailSubject, TaxpayerSettings},
    types::{EmailAddress, MailId},
};

/// How long such a notice is of use.
const USEFUL: SignedDuration = SignedDuration::from_hours(3 * 24);

/// The mails of a notice: one to the registered address, whatever is set, and one to the address that is set besides. None
/// where nobody knows an address.
pub(in crate::service) fn mails(
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
    let mail = |to| MailRecord {
        mode: taxpayer.mode,
        mail_id: MailId::new(at, &*ctx.random),
        to: Some(to),
        subject: subject.clone(),
        language,
        status: MailStatus::Waiting,
        created_at: at,
        useless_at: later(at, USEFUL),
        lease: None,
        tries: 0,
    };
    addresses.map(mail).collect()
}
