//! The beginning of an application: a person gives a TIN and an e-mail address. The link in a mail then verifies that
//! the person reads that mailbox.

use jiff::SignedDuration;

use crate::{
    access::Origin,
    error::Failure,
    i18n::Language,
    service::{Context, RELAY_GRACE, later, new_mail::NewMail, sign_in::MAIL_USEFUL},
    store::{ApplicationRecord, ApplicationStatus, DoneAt, MailSubject, Rate, Taken},
    types::{ApplicationId, EmailAddress, Mode, OpaqueToken, Tin},
};

/// How long a person may continue an application after each of its steps.
pub const APPLICATION_VALID: SignedDuration = SignedDuration::from_hours(24);

/// Maximum requests for one business, since each may send a mail.
pub const BY_TIN: Rate =
    Rate { what: "ONBOARDTIN", most: 5, window: SignedDuration::from_mins(15) };
/// Maximum mails to one address.
pub const BY_ADDRESS: Rate =
    Rate { what: "ONBOARDADDRESS", most: 5, window: SignedDuration::from_mins(15) };
/// Maximum requests from one network address.
pub const APPLICATIONS_BY_PLACE: Rate =
    Rate { what: "ONBOARDPLACE", most: 30, window: SignedDuration::from_mins(15) };

/// A request to onboard a business.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// The business.
    pub tin: Tin,
    /// The address that the person gives as the registered one.
    pub email: EmailAddress,
    /// The browser.
    pub browser: &'a OpaqueToken,
    /// Its network address.
    pub place: &'a str,
    /// The language of the answer.
    pub language: Language,
    /// The path to continue with at the end.
    pub then: String,
    /// The origin of the request.
    pub origin: Origin,
}

/// The outcome of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// Noted. If the data is right, the address gets a mail.
    Noted(ApplicationId),
    /// There were too many requests.
    TooOften(Taken),
}

/// Begins an application. Behaviour and answer do not depend on the national portal's data about the business. Only the
/// sending of the mail asks the portal ([`super::super::mail`]).
pub async fn ask(ctx: &Context, ask: Ask<'_>) -> Result<Asked, Failure> {
    let (mode, now) = (Mode::Live, ctx.now());
    // The network address comes first: if its limit is exceeded, nothing is counted for the business or the e-mail
    // address.
    let limits = [
        (APPLICATIONS_BY_PLACE, ask.place),
        (BY_TIN, ask.tin.as_str()),
        (BY_ADDRESS, ask.email.as_str()),
    ];
    if let Some(over) = ctx.store.take_each(mode, &limits, now).await? {
        return Ok(Asked::TooOften(over));
    }
    let application_id = ApplicationId::new(now, &*ctx.random);
    let mail = NewMail {
        mode,
        to: ask.email.clone(),
        subject: MailSubject::Onboarding { application_id: application_id.clone() },
        language: ask.language,
        useful: MAIL_USEFUL,
    }
    .waiting(ctx, now);
    let application = ApplicationRecord {
        application_id: application_id.clone(),
        mode,
        tin: ask.tin,
        email: ask.email,
        browser: ask.browser.hash(),
        then: ask.then,
        status: ApplicationStatus::Appointment,
        asked: DoneAt::new(now, ask.origin),
        verified: None,
        confirmed: None,
        digest: None,
        taxpayer_id: None,
        cause: None,
        expires_at: later(now, APPLICATION_VALID),
        lease: None,
        tries: 0,
        parked: None,
    };
    ctx.store.create_application(&application, &mail, later(now, RELAY_GRACE)).await?;
    Ok(Asked::Noted(application_id))
}

/// An application, if it belongs to the browser and has not expired.
pub async fn application(
    ctx: &Context,
    id: &ApplicationId,
    browser: &OpaqueToken,
) -> Result<Option<ApplicationRecord>, Failure> {
    let found = ctx.store.get_application(Mode::Live, id).await?;
    let waits = |it: &ApplicationRecord| {
        // A registration that is being worked on does not expire.
        it.status == ApplicationStatus::Registration || ctx.now() < it.expires_at
    };
    Ok(found.filter(|it| it.browser == browser.hash() && waits(it)))
}

/// The meaning of a link for a browser that opens it or presses its button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// It belongs to this application.
    Good(Box<ApplicationRecord>),
    /// It belongs to another browser.
    OtherBrowser,
    /// It has expired, or never existed.
    Gone,
}

/// Checks a link without using it.
pub async fn look(
    ctx: &Context,
    token: &OpaqueToken,
    browser: &OpaqueToken,
) -> Result<Link, Failure> {
    let found = ctx.store.get_link(Mode::Live, &token.hash()).await?;
    let link = found.filter(|link| ctx.now() < link.expires_at);
    let Some((link, id)) = link.and_then(|link| Some((link.clone(), link.application_id?))) else {
        return Ok(Link::Gone);
    };
    if link.browser != browser.hash() {
        return Ok(Link::OtherBrowser);
    }
    let application = application(ctx, &id, browser).await?;
    Ok(application.map_or(Link::Gone, |it| Link::Good(Box::new(it))))
}

/// Uses a link: a person who reads the mail of the address continues the application, in the browser that began it. A
/// link that was used leads to the application again.
pub async fn verify(
    ctx: &Context,
    token: &OpaqueToken,
    browser: &OpaqueToken,
    origin: Origin,
) -> Result<Link, Failure> {
    let application = match look(ctx, token, browser).await? {
        Link::Good(application) => application,
        other => return Ok(other),
    };
    if application.status != ApplicationStatus::Verification {
        return Ok(Link::Good(application));
    }
    let verified = DoneAt::new(ctx.now(), origin);
    ctx.store.verify_application(&application, &verified).await?;
    look(ctx, token, browser).await
}
