//! How a person begins an application, by a TIN and an e-mail address, and shows by the link that comes there that it
//! reads the mail of that address.

use jiff::SignedDuration;

use crate::{
    access::Origin,
    error::Failure,
    i18n::Language,
    service::{Context, RELAY_GRACE, later, sign_in::MAIL_USEFUL},
    store::{
        ApplicationRecord, ApplicationStatus, DoneAt, MailRecord, MailStatus, MailSubject, Rate,
        Taken,
    },
    types::{ApplicationId, EmailAddress, MailId, Mode, OpaqueToken, Tin},
};

/// How long a person may go on with an application, from each of its steps.
pub const APPLICATION_VALID: SignedDuration = SignedDuration::from_hours(24);

/// How often a business can be asked for: each time a mail may come of it.
pub const BY_TIN: Rate =
    Rate { what: "ONBOARDTIN", most: 5, window: SignedDuration::from_mins(15) };
/// How many mails an address gets.
pub const BY_ADDRESS: Rate =
    Rate { what: "ONBOARDADDRESS", most: 5, window: SignedDuration::from_mins(15) };
/// How many can be asked for from a place in the internet.
pub const APPLICATIONS_BY_PLACE: Rate =
    Rate { what: "ONBOARDPLACE", most: 30, window: SignedDuration::from_mins(15) };

/// A wish to onboard a business.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// The business.
    pub tin: Tin,
    /// What somebody says that its registered address is.
    pub email: EmailAddress,
    /// The browser.
    pub browser: &'a OpaqueToken,
    /// Where it is in the internet.
    pub place: &'a str,
    /// The language that it is answered in.
    pub language: Language,
    /// The path to go on with in the end.
    pub then: String,
    /// Who asks.
    pub origin: Origin,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// If all is as it says, the address gets a mail.
    Noted(ApplicationId),
    /// There were too many.
    TooOften(Taken),
}

/// Begins an application. What is done and said is the same whatever the national portal has of the business: it is asked
/// by who sends the mail ([`super::super::mail`]).
pub async fn ask(ctx: &Context, ask: Ask<'_>) -> Result<Asked, Failure> {
    let (mode, now) = (Mode::Live, ctx.now());
    // The place first: who is over its limit takes nothing from a business or an address.
    let limits = [
        (APPLICATIONS_BY_PLACE, ask.place),
        (BY_TIN, ask.tin.as_str()),
        (BY_ADDRESS, ask.email.as_str()),
    ];
    if let Some(over) = ctx.store.take_each(mode, &limits, now).await? {
        return Ok(Asked::TooOften(over));
    }
    let application_id = ApplicationId::new(now, &*ctx.random);
    let mail = MailRecord {
        mode,
        mail_id: MailId::new(now, &*ctx.random),
        to: Some(ask.email.clone()),
        subject: MailSubject::Onboarding { application_id: application_id.clone() },
        language: ask.language,
        status: MailStatus::Waiting,
        created_at: now,
        useless_at: later(now, MAIL_USEFUL),
        lease: None,
        tries: 0,
    };
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

/// An application, for its own browser and in its time.
pub async fn application(
    ctx: &Context,
    id: &ApplicationId,
    browser: &OpaqueToken,
) -> Result<Option<ApplicationRecord>, Failure> {
    let found = ctx.store.get_application(Mode::Live, id).await?;
    let waits = |it: &ApplicationRecord| {
        // What is at work has no end of its own.
        it.status == ApplicationStatus::Registration || ctx.now() < it.expires_at
    };
    Ok(found.filter(|it| it.browser == browser.hash() && waits(it)))
}

/// What a link is to a browser that opens it, or presses its button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// It belongs to this application.
    Good(Box<ApplicationRecord>),
    /// It works in another browser.
    OtherBrowser,
    /// Its time is over, or there never was one.
    Gone,
}

/// Looks at a link without using it.
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

/// Uses a link: whoever reads the mail of the address goes on with the application, in the browser that asked. It leads
/// nowhere else, and one that was used leads there again.
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
