//! Signing in by a link in a mail: there is no password to lose, and who reads the mail of a registered address may sign
//! in for its taxpayers, and for the organizations that it is a member of.
//!
//! 1. [`ask`] notes that somebody wants to sign in with an address, in one item that is the same whether anybody has the
//!    address or not: neither the answer nor its time tells. The queue `mail` looks that up and sends the link
//!    ([`super::mail`]).
//! 2. Opening the link shows a page ([`look`]) and uses nothing up, since mail programs and their scanners open links too.
//! 3. Its button ([`confirm`]) uses the link, and with it all links of the same mail, in the transaction that begins the
//!    session. It works in the browser alone that asked: a link that was forwarded or stolen is of no use elsewhere, and
//!    nobody can be signed in by a link that another one asked for.

mod then;

use jiff::SignedDuration;

use super::{Context, RELAY_GRACE, later, sessions};
use crate::{
    access::{Holder, Member, Organization, Origin, Taxpayer},
    error::Failure,
    i18n::Language,
    store::{LinkRecord, MailRecord, MailStatus, MailSubject, Rate, Taken, Used},
    types::{EmailAddress, MailId, Mode, OpaqueToken, TokenHash},
};

pub use then::{NotHere, Then};

/// How long a link works after its mail was sent.
pub const LINK_VALID: SignedDuration = SignedDuration::from_mins(15);
/// How long after it was asked for a mail is still sent.
pub const MAIL_USEFUL: SignedDuration = SignedDuration::from_mins(15);

/// How many mails an address gets. Somebody else can use them up for it: then links that came still work, and a
/// quarter of an hour later new ones come again. More of them would be a nuisance that anybody can cause.
pub const BY_ADDRESS: Rate =
    Rate { what: "SIGNINADDRESS", most: 5, window: SignedDuration::from_mins(15) };
/// How many mails can be asked for from a place in the internet. An office has one place for many people.
pub const BY_PLACE: Rate =
    Rate { what: "SIGNINPLACE", most: 30, window: SignedDuration::from_mins(15) };

/// A wish to sign in.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The address.
    pub address: EmailAddress,
    /// The browser that asks.
    pub browser: &'a OpaqueToken,
    /// Where it is in the internet.
    pub place: &'a str,
    /// The language that it is answered in.
    pub language: Language,
    /// Where to go on.
    pub then: Then,
}

/// What became of a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRequest {
    /// If somebody has the address, he gets a mail.
    Noted,
    /// There were too many.
    TooOften(Taken),
}

/// Notes that somebody wants to sign in. What is done and said is the same whoever has the address.
pub async fn ask(ctx: &Context, ask: Ask<'_>) -> Result<LinkRequest, Failure> {
    let now = ctx.now();
    // The place first: who is over its limit takes nothing from an address.
    let limits = [(BY_PLACE, ask.place), (BY_ADDRESS, ask.address.as_str())];
    if let Some(over) = ctx.store.take_each(ask.mode, &limits, now).await? {
        return Ok(LinkRequest::TooOften(over));
    }
    let subject =
        MailSubject::SignIn { browser: ask.browser.hash(), then: ask.then.as_str().to_owned() };
    let mail = MailRecord {
        mode: ask.mode,
        mail_id: MailId::new(now, &*ctx.random),
        to: Some(ask.address),
        subject,
        language: ask.language,
        status: MailStatus::Waiting,
        created_at: now,
        useless_at: later(now, MAIL_USEFUL),
        lease: None,
        tries: 0,
    };
    ctx.store.create_mail(&mail, later(now, RELAY_GRACE)).await?;
    Ok(LinkRequest::Noted)
}

/// What a link is to a browser that opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// It works.
    Good,
    /// It works in another browser.
    OtherBrowser,
    /// It was used, its time is over, or there never was one.
    Gone,
}

/// Looks at a link without using it.
pub async fn look(
    ctx: &Context,
    mode: Mode,
    token: &OpaqueToken,
    browser: &OpaqueToken,
) -> Result<Looked, Failure> {
    Ok(match find(ctx, mode, token, browser).await? {
        LinkState::Good(link) if ctx.store.is_link_used(mode, &link.mail_id).await? => Looked::Gone,
        LinkState::Good(_) => Looked::Good,
        LinkState::OtherBrowser => Looked::OtherBrowser,
        LinkState::Gone => Looked::Gone,
    })
}

enum LinkState {
    Good(Box<LinkRecord>),
    OtherBrowser,
    Gone,
}

/// A link as a browser may use it.
async fn find(
    ctx: &Context,
    mode: Mode,
    token: &OpaqueToken,
    browser: &OpaqueToken,
) -> Result<LinkState, Failure> {
    let link = ctx.store.get_link(mode, &token.hash()).await?;
    // One that verifies an application signs nobody in.
    let link = link.filter(|link| link.application_id.is_none());
    Ok(match link {
        Some(link) if ctx.now() >= link.expires_at => LinkState::Gone,
        Some(link) if link.browser != browser.hash() => LinkState::OtherBrowser,
        Some(link) => LinkState::Good(Box::new(link)),
        None => LinkState::Gone,
    })
}

/// What an address may sign in for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Account {
    /// A taxpayer that is registered with it.
    Taxpayer(Taxpayer),
    /// An organization that it is a member of.
    Membership(Organization, Member),
}

impl Account {
    /// For whom a session of it stands.
    pub fn holder(&self) -> Holder {
        match self {
            Account::Taxpayer(taxpayer) => (&taxpayer.taxpayer_id).into(),
            Account::Membership(_, member) => member.into(),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Account::Taxpayer(taxpayer) => &taxpayer.name,
            Account::Membership(organization, _) => &organization.name,
        }
    }
}

/// What a press of the button came to.
#[derive(Debug)]
pub enum Confirmed {
    /// Somebody is signed in.
    SignedIn {
        /// The session.
        session: sessions::SessionToken,
        /// Where to go on.
        then: Then,
    },
    /// The address has several accounts: one must be chosen. The link is not used yet.
    Choose(Vec<Account>),
    /// The link works in another browser.
    OtherBrowser,
    /// The link was used, its time is over, or there never was one.
    Gone,
}

/// A press of the button.
#[derive(Debug, Clone)]
pub struct Press<'a> {
    /// The link's token.
    pub token: &'a OpaqueToken,
    /// The browser.
    pub browser: &'a OpaqueToken,
    /// Which of several accounts it is for, as [`Holder::as_str`] names it.
    pub chosen: Option<&'a str>,
    /// The session that the browser had.
    pub before: Option<&'a sessions::SessionToken>,
    /// Where it is in the internet.
    pub origin: Origin,
}

/// Uses a link: begins a session for the account that the address has, or for the one that was chosen among several. The
/// session that the browser had, if any, ends with it.
pub async fn confirm(ctx: &Context, mode: Mode, press: Press<'_>) -> Result<Confirmed, Failure> {
    let Press { token, browser, chosen, before, origin } = press;
    let link = match find(ctx, mode, token, browser).await? {
        LinkState::Good(link) => link,
        LinkState::OtherBrowser => return Ok(Confirmed::OtherBrowser),
        LinkState::Gone => return Ok(Confirmed::Gone),
    };
    // As the address stands now: one that was taken away meanwhile signs nobody in.
    let mut accounts = accounts_of(ctx, mode, &link.to).await?;
    if let Some(chosen) = chosen {
        accounts.retain(|account| account.holder().as_str() == chosen);
    }
    let holder = match accounts.as_slice() {
        [] => return Ok(Confirmed::Gone),
        [one] => one.holder(),
        _ if ctx.store.is_link_used(mode, &link.mail_id).await? => return Ok(Confirmed::Gone),
        _ => return Ok(Confirmed::Choose(accounts)),
    };
    let session = sessions::record(ctx, mode, holder, &origin).await?;
    let new = sessions::SessionToken::generate(&*ctx.random);
    // That the link was used is remembered as long as the session: longer than any link of its mail works.
    let gone_at = sessions::gone_at(&session);
    let before = before.map(OpaqueToken::hash);
    let hash: TokenHash = new.hash();
    let entry = sessions::begun(ctx, mode, &session.holder, origin, &hash);
    let begun = (&hash, &session);
    let used =
        ctx.store.use_link(mode, &link.mail_id, begun, before.as_ref(), gone_at, &entry).await?;
    Ok(match used {
        Used::Now => {
            let then = Then::parse(mode, &link.then).unwrap_or_else(|_| Then::account(mode));
            // Who came for nothing else goes to what is his.
            let then = match &session.holder {
                Holder::Member { .. } if then == Then::account(mode) => Then::organization(mode),
                _ => then,
            };
            Confirmed::SignedIn { session: new, then }
        }
        Used::Before => Confirmed::Gone,
    })
}

/// What an address may sign in for: its taxpayers first, then its organizations.
pub(super) async fn accounts_of(
    ctx: &Context,
    mode: Mode,
    address: &EmailAddress,
) -> Result<Vec<Account>, Failure> {
    let (taxpayers, members) = tokio::try_join!(registered_with(ctx, mode, address), async {
        Ok(ctx.store.list_memberships(mode, address).await?)
    })?;
    let mut accounts: Vec<_> = taxpayers.into_iter().map(Account::Taxpayer).collect();
    if members.is_empty() {
        return Ok(accounts);
    }
    let ids: Vec<_> = members.iter().map(|member| member.organization_id.clone()).collect();
    let organizations = ctx.store.get_organizations(mode, &ids).await?;
    for member in members {
        let own = |it: &&Organization| it.organization_id == member.organization_id;
        // An organization may be in the other mode alone.
        if let Some(organization) = organizations.iter().find(own) {
            accounts.push(Account::Membership(organization.clone(), member));
        }
    }
    Ok(accounts)
}

/// The taxpayers that are registered with an address, and may sign in.
async fn registered_with(
    ctx: &Context,
    mode: Mode,
    address: &EmailAddress,
) -> Result<Vec<Taxpayer>, Failure> {
    let ids = ctx.store.list_registered_with(mode, address).await?;
    let taxpayers = ctx.store.get_taxpayers_alone(mode, &ids).await?;
    // The taxpayer's own record decides; the pointer leads to it.
    Ok(taxpayers
        .into_iter()
        .filter(|taxpayer| taxpayer.email.as_ref() == Some(address))
        .filter(sessions::may_sign_in)
        .collect())
}
