//! The queue `mail`: looks up the accounts of an address, makes the link, writes the mail and hands it over.
//!
//! The token of a link is made here and is only in the mail. The table holds its hash. If it is unknown whether a mail
//! was sent, it is sent again with a new token. Both tokens work until one of them is used.

mod letter;
mod notification;
mod onboarding;

use tokio::time::Instant;

use self::letter::Sender;
use super::{
    Context, Mailing,
    job::{self, Job},
    later,
    sign_in::{LINK_VALID, accounts_of},
};
use crate::{
    error::{Code, Failure},
    store::{
        ApplicationRecord, Letter, LinkRecord, MailMessage, MailRecord, MailStatus, MailSubject,
        MailerError, Recorded, StoreError, keys::JobId,
    },
    types::{EmailAddress, OpaqueToken, TokenHash},
};

/// How long a finished mail is kept for operators, without its address.
const KEPT: jiff::SignedDuration = jiff::SignedDuration::from_hours(7 * 24);

impl Job for Mailing {
    type Message = MailMessage;
    type Record = MailRecord;
    const OPERATION: &'static str = "mail";

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn id(message: &MailMessage) -> JobId {
        JobId::Mail(message.mode, message.mail_id.clone())
    }

    async fn lease(&self, message: &MailMessage) -> Result<Option<MailRecord>, StoreError> {
        let record = self.ctx.store.get_mail(message.mode, &message.mail_id).await?;
        let waiting = record.filter(|record| record.status == MailStatus::Waiting);
        job::lease(&self.ctx, message.mode, waiting, self.lease).await
    }

    async fn work(
        &self,
        _: &MailMessage,
        leased: &mut MailRecord,
        _: Instant,
    ) -> Result<Recorded, Failure> {
        let status = hand_over(self, leased).await?;
        Ok(self.ctx.store.end_mail(leased, status, later(self.ctx.now(), KEPT)).await?)
    }
}

/// Sends a mail, unless it has no recipient or is too late.
async fn hand_over(mailing: &Mailing, mail: &MailRecord) -> Result<MailStatus, Failure> {
    let ctx = &mailing.ctx;
    if ctx.now() >= mail.useless_at {
        tracing::error!(tries = mail.tries, "a mail was not sent in time");
        return Ok(MailStatus::Dropped);
    }
    let Some(to) = &mail.to else { return Ok(MailStatus::Dropped) };
    let sender = Sender { origin: &mailing.origin, brand: &mailing.brand };
    match &mail.subject {
        MailSubject::SignIn { browser, then } => {
            if accounts_of(ctx, mail.mode, to).await?.is_empty() {
                tracing::info!("no account has the address");
                return Ok(MailStatus::Dropped);
            }
            let link = new_link(ctx, mail, to, (browser, then));
            let token = put_link(ctx, mail, link).await?;
            post(mailing, to, &letter::sign_in(sender, mail, &token)?).await
        }
        MailSubject::SignUp { browser, organization } => {
            let link = LinkRecord {
                organization: Some(organization.clone()),
                ..new_link(ctx, mail, to, (browser, ""))
            };
            let token = put_link(ctx, mail, link).await?;
            post(mailing, to, &letter::sign_up(sender, mail, &token)?).await
        }
        MailSubject::AccessEnded { application, business } => {
            let letter = letter::access_ended(sender, mail, application, business)?;
            post(mailing, to, &letter).await
        }
        MailSubject::AccessRevoked { application, organization, business } => {
            let names = [application, organization, business].map(String::as_str);
            post(mailing, to, &letter::access_revoked(sender, mail, names)?).await
        }
        MailSubject::NoticesMoved { business } => {
            let letter = letter::notices_moved(sender, mail, business)?;
            post(mailing, to, &letter).await
        }
        MailSubject::Onboarding { application_id } => {
            let Some(application) = onboarding::matched(mailing, to, application_id).await? else {
                tracing::info!("the national portal has no business with the TIN and the address");
                return Ok(MailStatus::Dropped);
            };
            let ApplicationRecord { browser, then, application_id, .. } = &application;
            let link = LinkRecord {
                application_id: Some(application_id.clone()),
                ..new_link(ctx, mail, to, (browser, then))
            };
            let token = put_link(ctx, mail, link).await?;
            post(mailing, to, &letter::onboarding(sender, mail, &token)?).await
        }
        MailSubject::Invited { organization } => {
            let letter = letter::invited(sender, mail, organization)?;
            post(mailing, to, &letter).await
        }
        MailSubject::EndpointDisabled { url, reason } => {
            let letter = letter::endpoint_disabled(sender, mail, url, *reason)?;
            post(mailing, to, &letter).await
        }
        MailSubject::Notification { organization, notified } => {
            let letter = notification::notification(sender, mail, organization, notified)?;
            post(mailing, to, &letter).await
        }
        MailSubject::Unknown => Err(unavailable("the mail is of a newer version")),
    }
}

async fn post(
    mailing: &Mailing,
    to: &EmailAddress,
    letter: &Letter,
) -> Result<MailStatus, Failure> {
    let mailer = mailing.mailer.as_ref();
    let mailer = mailer
        .ok_or_else(|| unavailable("MAIL_FROM is not set: this deployment cannot send mails"))?;
    mailer.send(to, letter).await?;
    tracing::info!("a mail was handed to the mail service");
    Ok(MailStatus::Sent)
}

/// A link of a mail for a browser, with the page after it.
fn new_link(
    ctx: &Context,
    mail: &MailRecord,
    to: &EmailAddress,
    (browser, then): (&TokenHash, &str),
) -> LinkRecord {
    LinkRecord {
        mail_id: mail.mail_id.clone(),
        to: to.clone(),
        browser: browser.clone(),
        then: then.to_owned(),
        application_id: None,
        organization: None,
        expires_at: later(ctx.now(), LINK_VALID),
    }
}

/// Stores a link and returns its token. The table holds only the hash of the token.
async fn put_link(
    ctx: &Context,
    mail: &MailRecord,
    link: LinkRecord,
) -> Result<OpaqueToken, Failure> {
    let token = OpaqueToken::generate(&*ctx.random);
    ctx.store.put_link(mail.mode, &token.hash(), &link).await?;
    Ok(token)
}

fn unavailable(why: &str) -> Failure {
    Failure::new(Code::ServiceUnavailable, why).because(why)
}

impl From<MailerError> for Failure {
    fn from(error: MailerError) -> Self {
        let code = match error {
            // A retry does not help.
            MailerError::Refused(_) => Code::InternalError,
            MailerError::Unavailable(_) => Code::ServiceUnavailable,
        };
        Failure::new(code, "A mail could not be sent.").because(error)
    }
}
