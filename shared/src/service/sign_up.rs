//! Sign-up: a person makes an organization in Sandbox by the e-mail address alone. In Live, the operator makes
//! organizations.
//!
//! It works as [`sign_in`]: the request is recorded, the queue `mail` sends a link, and the link works once, in the
//! browser that asked. The button behind the link makes the organization with the person as its owner, and begins the
//! session. The organization's identifier is in the request. So a repeated press, and a link of a mail that was sent
//! twice, meet the same organization.

use jiff::SignedDuration;

use super::{
    Context,
    members::{self, Founder},
    organizations,
    sessions::SessionToken,
    sign_in::{self, Ask, LinkRequest, LinkState, Press},
};
use crate::{
    access::{Actor, By, Holder, Role},
    error::Failure,
    store::{LinkRecord, MailSubject, NewOrganization, Rate},
    types::{MemberId, Mode, OpaqueToken, OrganizationId},
};

/// Maximum sign-ups of a deployment in a day.
pub const SIGN_UPS: Rate =
    Rate { what: "SIGNUP", most: 1_000, window: SignedDuration::from_hours(24) };
/// Maximum Sandbox organizations of an address that signs up. An invitation may add further ones.
pub const MAX_ORGANIZATIONS: usize = 5;

/// Records a request for an organization of this name. Behaviour and answer do not depend on whether the address is
/// known. An unsuitable name is `INVALID_REQUEST`.
pub async fn ask(ctx: &Context, ask: Ask<'_>, name: &str) -> Result<LinkRequest, Failure> {
    let organization = NewOrganization {
        organization_id: OrganizationId::new(ctx.now(), &*ctx.random),
        name: organizations::named("the organization's name", name)?,
    };
    let taken = ctx.store.take_one(ask.mode, SIGN_UPS, "all", ctx.now()).await?;
    if !taken.is_given {
        tracing::error!("the sign-ups of a day are used up");
        return Ok(LinkRequest::TooOften(taken));
    }
    let subject = MailSubject::SignUp { browser: ask.browser.hash(), organization };
    ask.note(ctx, subject).await
}

/// The meaning of a link for a browser that opens it or presses its button.
#[derive(Debug)]
pub enum Link<T> {
    /// It works.
    Good(T),
    /// It belongs to another browser.
    OtherBrowser,
    /// It was used, has expired, or never existed.
    Gone,
    /// The address has [`MAX_ORGANIZATIONS`].
    Full,
}

impl<T> Link<T> {
    fn map<U>(self, of: impl FnOnce(T) -> U) -> Link<U> {
        match self {
            Link::Good(found) => Link::Good(of(found)),
            Link::OtherBrowser => Link::OtherBrowser,
            Link::Gone => Link::Gone,
            Link::Full => Link::Full,
        }
    }
}

/// The name of the organization that a link creates. The link is not used.
pub async fn look(
    ctx: &Context,
    mode: Mode,
    token: &OpaqueToken,
    browser: &OpaqueToken,
) -> Result<Link<String>, Failure> {
    Ok(find(ctx, mode, token, browser).await?.map(|(_, organization)| organization.name))
}

/// Uses a link: makes the organization and its owner, and begins the owner's session.
pub async fn confirm(
    ctx: &Context,
    mode: Mode,
    press: Press<'_>,
) -> Result<Link<SessionToken>, Failure> {
    let Press { token, browser, before, origin, .. } = press;
    let (link, new) = match find(ctx, mode, token, browser).await? {
        Link::Good(found) => found,
        Link::OtherBrowser => return Ok(Link::OtherBrowser),
        Link::Gone => return Ok(Link::Gone),
        Link::Full => return Ok(Link::Full),
    };
    let member_id = MemberId::new(ctx.now(), &*ctx.random);
    let by = By { actor: Actor::Member(member_id.clone()), origin: origin.clone() };
    let NewOrganization { organization_id, name } = new;
    let organization = organizations::create_as(ctx, mode, organization_id, &name, &by).await?;
    let organization_id = &organization.organization_id;
    let founder = Founder { mode, organization_id, member_id, email: link.to };
    let owner = members::found(ctx, founder, &by).await?;
    let holder = Holder::from(&owner);
    let session =
        sign_in::use_link(ctx, (mode, &link.mail_id), holder, None, before, origin).await?;
    Ok(session.map_or(Link::Gone, Link::Good))
}

/// A link that creates an organization, with that organization.
async fn find(
    ctx: &Context,
    mode: Mode,
    token: &OpaqueToken,
    browser: &OpaqueToken,
) -> Result<Link<(Box<LinkRecord>, NewOrganization)>, Failure> {
    let creates = |link: &LinkRecord| link.organization.is_some();
    let link = match sign_in::find(ctx, mode, token, browser, creates).await? {
        LinkState::Good(link) => link,
        LinkState::OtherBrowser => return Ok(Link::OtherBrowser),
        LinkState::Gone => return Ok(Link::Gone),
    };
    let Some(organization) = link.organization.clone() else { return Ok(Link::Gone) };
    if ctx.store.is_link_used(mode, &link.mail_id).await? {
        return Ok(Link::Gone);
    }
    let memberships = ctx.store.list_memberships(mode, &link.to).await?;
    let owned = memberships.iter().filter(|member| {
        member.role == Role::Owner && member.organization_id != organization.organization_id
    });
    if owned.count() >= MAX_ORGANIZATIONS {
        return Ok(Link::Full);
    }
    Ok(Link::Good((link, organization)))
}
