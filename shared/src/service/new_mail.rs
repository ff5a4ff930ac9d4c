//! New mails. A mail waits in the table until the function `mail` hands it to the mail service.

use jiff::{SignedDuration, Timestamp};

use super::{Context, later};
use crate::{
    i18n::Language,
    store::{MailRecord, MailStatus, MailSubject},
    types::{EmailAddress, MailId, Mode},
};

/// A mail to be sent.
pub(super) struct NewMail {
    pub(super) mode: Mode,
    pub(super) to: EmailAddress,
    pub(super) subject: MailSubject,
    pub(super) language: Language,
    /// How long it is useful. It is not sent afterwards.
    pub(super) useful: SignedDuration,
}

impl NewMail {
    /// The record of the mail, which waits from an instant on.
    pub(super) fn waiting(self, ctx: &Context, at: Timestamp) -> MailRecord {
        let NewMail { mode, to, subject, language, useful } = self;
        MailRecord {
            mode,
            mail_id: MailId::new(at, &*ctx.random),
            to: Some(to),
            subject,
            language,
            status: MailStatus::Waiting,
            created_at: at,
            useless_at: later(at, useful),
            lease: None,
            tries: 0,
        }
    }
}
