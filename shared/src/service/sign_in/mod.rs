//! Sign-in by a link in a mail. There is no password to lose. A person who reads the mail of a registered address may
//! sign in for its taxpayers, and for the organizations that it is a member of.
//!
//! 1. [`ask`] records the request for an address in one item. The item is the same whether the address is known or not,
//!    so neither the answer nor its time reveals that. The queue `mail` looks the address up and sends the link
//!    ([`super::mail`]).
//! 2. Opening the link shows a page ([`look`]) and does not use the link, since mail programs and their scanners open
//!    links too.
//! 3. The page's button ([`confirm`]) uses the link, and with it all links of the same mail, in the transaction that
//!    begins the session. It works only in the browser that asked. So a forwarded or stolen link is useless elsewhere,
//!    and nobody can be signed in by a link that another person asked for.

mod then;

use jiff::SignedDuration;

use super::{Context, RELAY_GRACE, later, new_mail::NewMail, notifications, sessions};
use crate::{
    access::{Holder, Member, Organization, Origin, Taxpayer},
    error::Failure,
    i18n::Language,
    store::{LinkRecord, MailSubject, Rate, Taken, Used},
    types::{EmailAddress, MailId, Mode, OpaqueToken, TokenHash},
};

pub use then::Then;

/// How long a link works after its mail was sent.
pub const LINK_VALID: SignedDuration = SignedDuration::from_mins(15);
/// How long after its request a mail is still sent.
pub const MAIL_USEFUL: SignedDuration = SignedDuration::from_mins(15);

/// Maximum mails to one address. Another person can use them up. Then earlier links still work, and 15 minutes later
/// new ones are sent again. A higher limit would let anybody send more unwanted mails.
pub const BY_ADDRESS: Rate =
    Rate { what: "SIGNINADDRESS", most: 5, window: SignedDuration::from_mins(15) };
/// Maximum requests from one network address. An office has one address for many people.
pub const BY_PLACE: Rate =
    Rate { what: "SIGNINPLACE", most: 30, window: SignedDuration::from_mins(15) };

/// A request to sign in.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The address.
    pub address: EmailAddress,
    /// The browser that asks.
    pub browser: &'a OpaqueToken,
    /// Its network address.
    pub place: &'a str,
    /// The language of the answer.
    pub language: Language,
    /// Where to continue after the sign-in.
    pub then: Then,
}

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRequest {
    /// Noted. If the address is known, it gets a mail.
    Noted,
    /// There were too many requests.
    TooOften(Taken),
}

impl Ask<'_> {
    /// Records a mail for this request, unless there were too many requests from its network address or for its
    /// e-mail address.
    pub(super) async fn note(
        self,
        ctx: &Context,
        subject: MailSubject,
    ) -> Result<LinkRequest, Failure> {
        let now = ctx.now();
        // The network address comes first: if its limit is exceeded, nothing is counted for the e-mail address.
        let limits = [(BY_PLACE, self.place), (BY_ADDRESS, self.address.as_str())];
        if let Some(over) = ctx.store.take_each(self.mode, &limits, now).await? {
            return Ok(LinkRequest::TooOften(over));
        }
        let mail = NewMail {
            mode: self.mode,
            to: self.address,
            subject,
            language: self.language,
            useful: MAIL_USEFUL,
        }
        .waiting(ctx, now);
        ctx.store.create_mail(&mail, later(now, RELAY_GRACE)).await?;
        Ok(LinkRequest::Noted)
    }
}

/// Records a request to sign in. Behaviour and answer do not depend on whether the address is known.
pub async fn ask(ctx: &Context, ask: Ask<'_>) -> Result<LinkRequest, Failure> {
    let subject =
        MailSubject::SignIn { browser: ask.browser.hash(), then: ask.then.as_str().to_owned() };
    ask.note(ctx, subject).await
}

/// The meaning of a link for a browser that opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// It works.
    Good,
    /// It belongs to another browser.
    OtherBrowser,
    /// It was used, has expired, or never existed.
    Gone,
}

/// Checks a link without using it.
pub async fn look(
    ctx: &Context,
    mode: Mode,
    token: &OpaqueToken,
    browser: &OpaqueToken,
) -> Result<Looked, Failure> {
    Ok(match find(ctx, mode, token, browser, signs_in).await? {
        LinkState::Good(link) if ctx.store.is_link_used(mode, &link.mail_id).await? => Looked::Gone,
        LinkState::Good(_) => Looked::Good,
        LinkState::OtherBrowser => Looked::OtherBrowser,
        LinkState::Gone => Looked::Gone,
    })
}

pub(super) enum LinkState {
    Good(Box<LinkRecord>),
    OtherBrowser,
    Gone,
}

/// Whether a link signs in to an existing account. Other links verify an application or create an organization.
fn signs_in(link: &LinkRecord) -> bool {
    link.application_id.is_none() && link.organization.is_none()
}

/// A link, if it is for this use and the browser may use it.
pub(super) async fn find(
    ctx: &Context,
    mode: Mode,
    token: &OpaqueToken,
    browser: &OpaqueToken,
    is_for: impl FnOnce(&LinkRecord) -> bool,
) -> Result<LinkState, Failure> {
    let link = ctx.store.get_link(mode, &token.hash()).await?;
    Ok(match link.filter(is_for) {
        Some(link) if ctx.now() >= link.expires_at => LinkState::Gone,
        Some(link) if link.browser != browser.hash() => LinkState::OtherBrowser,
        Some(link) => LinkState::Good(Box::new(link)),
        None => LinkState::Gone,
    })
}

/// An account that an address may sign in for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Account {
    /// A taxpayer that is registered with it.
    Taxpayer(Taxpayer),
    /// An organization that it is a member of.
    Membership(Organization, Member),
}

impl Account {
    /// The holder of a session for it.
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

/// The outcome of pressing the button.
#[derive(Debug)]
pub enum Confirmed {
    /// The browser is signed in.
    SignedIn {
        /// The session.
        session: sessions::SessionToken,
        /// Where to continue.
        then: Then,
    },
    /// The address has several accounts: one must be chosen. The link is not used yet.
    Choose(Vec<Account>),
    /// The link belongs to another browser.
    OtherBrowser,
    /// The link was used, has expired, or never existed.
    Gone,
}

/// A press of the button.
#[derive(Debug, Clone)]
pub struct Press<'a> {
    /// The link's token.
    pub token: &'a OpaqueToken,
    /// The browser.
    pub browser: &'a OpaqueToken,
    /// The chosen account, by its [`Holder::as_str`].
    pub chosen: Option<&'a str>,
    /// The browser's previous session.
    pub before: Option<&'a sessions::SessionToken>,
    /// The origin of the request.
    pub origin: Origin,
}

/// Uses a link: begins a session for the account of the address, or for the chosen one of several. The browser's
/// previous session ends with it.
pub async fn confirm(ctx: &Context, mode: Mode, press: Press<'_>) -> Result<Confirmed, Failure> {
    let Press { token, browser, chosen, before, origin } = press;
    let link = match find(ctx, mode, token, browser, signs_in).await? {
        LinkState::Good(link) => link,
        LinkState::OtherBrowser => return Ok(Confirmed::OtherBrowser),
        LinkState::Gone => return Ok(Confirmed::Gone),
    };
    // The current accounts count: an address that was removed meanwhile cannot sign in.
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
    let then = Then::parse(mode, &link.then).unwrap_or_else(|_| Then::account(mode));
    // A member without another destination goes to the organization.
    let then = match &holder {
        Holder::Member { .. } if then == Then::account(mode) => Then::organization(mode),
        _ => then,
    };
    let account = accounts.first();
    let session = use_link(ctx, (mode, &link.mail_id), holder, account, before, origin).await?;
    Ok(session.map_or(Confirmed::Gone, |session| Confirmed::SignedIn { session, then }))
}

/// Begins a session by the link of a mail, and ends the browser's previous one. `None` if the link was used before.
pub(super) async fn use_link(
    ctx: &Context,
    (mode, mail_id): (Mode, &MailId),
    holder: Holder,
    account: Option<&Account>,
    before: Option<&sessions::SessionToken>,
    origin: Origin,
) -> Result<Option<sessions::SessionToken>, Failure> {
    let session = sessions::record(ctx, mode, holder, &origin).await?;
    let mails = match account {
        Some(Account::Membership(organization, member)) => {
            notifications::of_sign_in(ctx, &organization.name, member, &session).await?
        }
        Some(Account::Taxpayer(_)) | None => Vec::new(),
    };
    let sweep_at = later(session.created_at, RELAY_GRACE);
    let new = sessions::SessionToken::generate(&*ctx.random);
    // The use of a link is remembered as long as the session, which is longer than any link of its mail works.
    let gone_at = sessions::gone_at(&session);
    let before = before.map(OpaqueToken::hash);
    let hash: TokenHash = new.hash();
    let entry = sessions::begun(ctx, mode, &session.holder, origin, &hash);
    let begun = (&hash, &session);
    let used = ctx
        .store
        .use_link(mode, mail_id, begun, before.as_ref(), gone_at, (&entry, &mails, sweep_at))
        .await?;
    Ok((used == Used::Now).then_some(new))
}

/// The accounts of an address: its taxpayers first, then its organizations.
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
        // The organization may exist only in the other mode.
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
    // The taxpayer's own record decides, since the pointer may be outdated.
    Ok(taxpayers
        .into_iter()
        .filter(|taxpayer| taxpayer.email.as_ref() == Some(address))
        .filter(sessions::may_sign_in)
        .collect())
}
