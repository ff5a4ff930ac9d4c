//! The queue `mail`: looks up the accounts of an address, makes the link, writes the mail and hands it over.
//!
//! The token of a link is made here and is only in the mail. The table holds its hash. If it is unknown whether a mail
//! was sent, it is sent again with a new token. Both tokens work until one of them is used.

mod letter;
mod onboarding;

use tracing::Instrument;

use super::{
    Context, Mailing, later, lease, retry,
    sign_in::{LINK_VALID, accounts_of},
};
use crate::{
    error::{Code, Failure},
    store::{
        ApplicationRecord, JobVersion, Lease, Letter, LinkRecord, MailMessage, MailRecord,
        MailStatus, MailSubject, MailerError, StoreError, keys::JobId,
    },
    types::{ApplicationId, EmailAddress, OpaqueToken, TokenHash},
};

/// How long a finished mail is kept for operators, without its address.
const KEPT: jiff::SignedDuration = jiff::SignedDuration::from_hours(7 * 24);

/// Works on the mail of a message.
pub async fn send(mailing: &Mailing, message: &MailMessage) -> Result<(), Failure> {
    let job_id = JobId::Mail(message.mode, message.mail_id.clone());
    let span = retry::span("mail", &job_id);
    stage(mailing, message, job_id).instrument(span).await
}

async fn stage(mailing: &Mailing, message: &MailMessage, job_id: JobId) -> Result<(), Failure> {
    let ctx = &mailing.ctx;
    let leased = lease::taken(ctx, &job_id, take(mailing, message).await).await?;
    let Some(leased) = leased else { return Ok(()) };
    // Boxed: the state of a request is large.
    match Box::pin(hand_over(mailing, &leased)).await {
        Ok(status) => {
            let result = ctx.store.end_mail(&leased, status, later(ctx.now(), KEPT)).await;
            lease::finish(ctx, job_id, leased.lease.as_ref(), leased.tries, result).await
        }
        Err(failure) => reschedule(ctx, job_id, &leased, failure).await,
    }
}

/// Leases the mail. `None` when another worker has it, or when there is nothing to send.
async fn take(mailing: &Mailing, message: &MailMessage) -> Result<Option<MailRecord>, StoreError> {
    let (ctx, now) = (&mailing.ctx, mailing.ctx.now());
    let record = ctx.store.get_mail(message.mode, &message.mail_id).await?;
    let record = record.filter(|record| {
        record.status == MailStatus::Waiting
            && record.lease.as_ref().is_none_or(|lease| lease.until <= now)
    });
    let Some(record) = record else { return Ok(None) };
    let lease = Lease { owner: ctx.new_uuid(), until: later(now, mailing.lease) };
    ctx.store.lease_mail(&record, lease, now).await
}

async fn reschedule(
    ctx: &Context,
    job_id: JobId,
    leased: &MailRecord,
    failure: Failure,
) -> Result<(), Failure> {
    let Some(lease) = &leased.lease else { return Err(failure) };
    let version = JobVersion { job_id, due_at: lease.until, tries: leased.tries };
    retry::reschedule(ctx, &version, leased.tries, failure).await
}

/// Sends a mail, unless it has no recipient or is too late.
async fn hand_over(mailing: &Mailing, mail: &MailRecord) -> Result<MailStatus, Failure> {
    let ctx = &mailing.ctx;
    if ctx.now() >= mail.useless_at {
        tracing::error!(tries = mail.tries, "a mail was not sent in time");
        return Ok(MailStatus::Dropped);
    }
    let Some(to) = &mail.to else { return Ok(MailStatus::Dropped) };
    match &mail.subject {
        MailSubject::SignIn { browser, then } => {
            if accounts_of(ctx, mail.mode, to).await?.is_empty() {
                tracing::info!("nobody has the address");
                return Ok(MailStatus::Dropped);
            }
            let token = link(ctx, mail, to, (browser, then), None).await?;
            post(mailing, to, &letter::sign_in(&mailing.origin, mail, &token)?).await
        }
        MailSubject::AccessEnded { application, business } => {
            let letter = letter::access_ended(&mailing.origin, mail, application, business)?;
            post(mailing, to, &letter).await
        }
        MailSubject::NoticesMoved { business } => {
            let letter = letter::notices_moved(&mailing.origin, mail, business)?;
            post(mailing, to, &letter).await
        }
        MailSubject::Onboarding { application_id } => {
            let Some(application) = onboarding::matched(mailing, to, application_id).await? else {
                tracing::info!("the national portal has no such business with the address");
                return Ok(MailStatus::Dropped);
            };
            let ApplicationRecord { browser, then, application_id, .. } = &application;
            let token = link(ctx, mail, to, (browser, then), Some(application_id)).await?;
            post(mailing, to, &letter::onboarding(&mailing.origin, mail, &token)?).await
        }
        MailSubject::Invited { organization } => {
            let letter = letter::invited(&mailing.origin, mail, organization)?;
            post(mailing, to, &letter).await
        }
        MailSubject::EndpointDisabled { url, reason } => {
            let letter = letter::endpoint_disabled(&mailing.origin, mail, url, *reason)?;
            post(mailing, to, &letter).await
        }
        MailSubject::Unknown => Err(unavailable("the mail is one of a newer version")),
    }
}

async fn post(
    mailing: &Mailing,
    to: &EmailAddress,
    letter: &Letter,
) -> Result<MailStatus, Failure> {
    let mailer = mailing.mailer.as_ref();
    let mailer = mailer
        .ok_or_else(|| unavailable("MAIL_FROM is not set: this deployment sends no mails"))?;
    mailer.send(to, letter).await?;
    tracing::info!("a mail was handed over");
    Ok(MailStatus::Sent)
}

/// Makes a link. The table holds only the hash of its token.
async fn link(
    ctx: &Context,
    mail: &MailRecord,
    to: &EmailAddress,
    (browser, then): (&TokenHash, &str),
    application_id: Option<&ApplicationId>,
) -> Result<OpaqueToken, Failure> {
    let token = OpaqueToken::generate(&*ctx.random);
    let link = LinkRecord {
        mail_id: mail.mail_id.clone(),
        to: to.clone(),
        browser: browser.clone(),
        then: then.to_owned(),
        application_id: application_id.cloned(),
        expires_at: later(ctx.now(), LINK_VALID),
    };
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
