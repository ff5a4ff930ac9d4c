//! The members of an organization: invited, given roles, removed. [`access`](crate::access::Role) defines what a role
//! allows.
//!
//! An invitation is a member who has not signed in yet. A person proves access to the mailbox by signing in as always.
//! So the invitation mail holds no secret and does not expire. Each change is written in both modes at once, with an
//! entry in the audit trail of both.

use jiff::SignedDuration;

use super::{Context, RELAY_GRACE, audit, later, new_mail::NewMail, organizations};
use crate::{
    access::{Action, AuditRecord, By, Choices, Deed, Member, Permission, Role, Trail},
    error::{Code, Failure},
    i18n::Language,
    store::{MAX_MEMBERS, MailSubject, Rate, Unchanged},
    types::{EmailAddress, MemberId, Mode, OrganizationId},
};

/// How long after an invitation its mail is still sent.
const MAIL_USEFUL: SignedDuration = SignedDuration::from_hours(24);

/// Maximum invitation mails of an organization in a day, since the addresses are arbitrary.
const INVITATIONS: Rate =
    Rate { what: "INVITATION", most: 50, window: SignedDuration::from_hours(24) };

/// Why nobody was invited, or why a member was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemberRefusal {
    /// The address belongs to a member.
    #[error("the address already belongs to a member, as {}", .0.as_str())]
    Member(Role),
    /// The organization has the maximum of members.
    #[error("an organization has at most {MAX_MEMBERS} members")]
    Full,
    /// The organization would have no owner.
    #[error("an organization needs at least one owner: make another member an owner first")]
    LastOwner,
    /// There were too many invitations.
    #[error("an organization sends at most {} invitations a day", INVITATIONS.most)]
    TooOften,
    /// The member was changed concurrently.
    #[error("the member was changed at the same time: read it again")]
    Changed,
}

impl From<MemberRefusal> for Failure {
    fn from(refusal: MemberRefusal) -> Self {
        Failure::new(Code::InvalidRequest, format!("Nothing was changed: {refusal}."))
    }
}

impl From<Unchanged> for MemberRefusal {
    fn from(why: Unchanged) -> Self {
        match why {
            Unchanged::Full => MemberRefusal::Full,
            Unchanged::LastOwner => MemberRefusal::LastOwner,
            Unchanged::Stale => MemberRefusal::Changed,
        }
    }
}

/// An invitation to become a member.
#[derive(Debug, Clone)]
pub struct Invitation<'a> {
    /// The mode of the invitation. Its mail links there.
    pub mode: Mode,
    /// The organization.
    pub organization_id: &'a OrganizationId,
    /// The address of the person.
    pub email: EmailAddress,
    /// The role of the member.
    pub role: Role,
    /// The language of the mail.
    pub language: Language,
}

/// Invites a person. A person who was invited and has not signed in gets another mail.
pub async fn invite(
    ctx: &Context,
    invitation: Invitation<'_>,
    by: &By,
) -> Result<Result<Member, MemberRefusal>, Failure> {
    let Invitation { mode, organization_id, email, role, language } = invitation;
    let organization = organizations::get(ctx, mode, organization_id).await?;
    let now = ctx.now();
    let limit = [(INVITATIONS, organization_id.as_str())];
    if ctx.store.take_each(mode, &limit, now).await?.is_some() {
        return Ok(Err(MemberRefusal::TooOften));
    }
    let mail = NewMail {
        mode,
        to: email.clone(),
        subject: MailSubject::Invited { organization: organization.name },
        language,
        useful: MAIL_USEFUL,
    }
    .waiting(ctx, now);
    let sweep_at = later(now, RELAY_GRACE);
    if let Some(current) = of_address(ctx, mode, organization_id, &email).await? {
        if current.joined_at.is_some() || current.role != role {
            return Ok(Err(MemberRefusal::Member(current.role)));
        }
        ctx.store.create_mail(&mail, sweep_at).await?;
        return Ok(Ok(current));
    }
    let member = Member {
        member_id: MemberId::new(now, &*ctx.random),
        mode,
        organization_id: organization_id.clone(),
        email,
        role,
        invited_by: by.actor.clone(),
        created_at: now,
        joined_at: None,
        notifications: Choices::default(),
        language: None,
    };
    let entries = entries(ctx, &member, Action::MemberInvited, by);
    match ctx.store.create_member(&member, &entries, Some((&mail, sweep_at))).await? {
        Ok(()) => Ok(Ok(member)),
        // The same person may have been invited concurrently.
        Err(_) => {
            let current = of_address(ctx, mode, organization_id, &member.email).await?;
            Ok(current.ok_or(MemberRefusal::Full))
        }
    }
}

/// The person who makes an organization.
#[derive(Debug, Clone)]
pub(super) struct Founder<'a> {
    /// The mode of the organization.
    pub mode: Mode,
    /// The organization.
    pub organization_id: &'a OrganizationId,
    /// The identifier of the member to be.
    pub member_id: MemberId,
    /// The person's address.
    pub email: EmailAddress,
}

/// Makes the founder of an organization its owner. A repetition returns the existing member.
pub(super) async fn found(ctx: &Context, founder: Founder<'_>, by: &By) -> Result<Member, Failure> {
    let Founder { mode, organization_id, member_id, email } = founder;
    let member = Member {
        member_id,
        mode,
        organization_id: organization_id.clone(),
        email,
        role: Role::Owner,
        invited_by: by.actor.clone(),
        created_at: ctx.now(),
        joined_at: None,
        notifications: Choices::default(),
        language: None,
    };
    let entries = entries(ctx, &member, Action::MemberInvited, by);
    if ctx.store.create_member(&member, &entries, None).await?.is_ok() {
        return Ok(member);
    }
    let current = of_address(ctx, mode, organization_id, &member.email).await?;
    current.ok_or_else(|| MemberRefusal::Full.into())
}

async fn of_address(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    email: &EmailAddress,
) -> Result<Option<Member>, Failure> {
    let members = ctx.store.list_memberships(mode, email).await?;
    Ok(members.into_iter().find(|member| member.organization_id == *organization_id))
}

/// The members of an organization, including invited ones, in the order of their invitations.
pub async fn list(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<Vec<Member>, Failure> {
    Ok(ctx.store.list_members(mode, organization_id).await?)
}

/// The members with a permission, for notices that only they can act on.
pub async fn to_tell(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    permission: Permission,
) -> Result<Vec<Member>, Failure> {
    let mut members = list(ctx, mode, organization_id).await?;
    members.retain(|member| member.joined_at.is_some() && member.role.may(permission));
    Ok(members)
}

/// Changes a member's role. The new role applies from the next request on.
pub async fn set_role(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    id: &MemberId,
    role: Role,
    by: &By,
) -> Result<Result<Member, MemberRefusal>, Failure> {
    let member = get(ctx, mode, organization_id, id).await?;
    if member.role == role {
        return Ok(Ok(member));
    }
    let changed = Member { role, ..member.clone() };
    let entries = entries(ctx, &changed, Action::MemberRoleChanged, by);
    let done = ctx.store.change_role(&member, role, &entries).await?;
    Ok(done.map(|()| changed).map_err(MemberRefusal::from))
}

/// Removes a member. Its sessions end at the next request.
pub async fn remove(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    id: &MemberId,
    by: &By,
) -> Result<Result<(), MemberRefusal>, Failure> {
    let member = get(ctx, mode, organization_id, id).await?;
    let entries = entries(ctx, &member, Action::MemberRemoved, by);
    Ok(ctx.store.delete_member(&member, &entries).await?.map_err(MemberRefusal::from))
}

/// Records a member's first sign-in.
pub async fn joined(ctx: &Context, member: &Member, by: &By) -> Result<(), Failure> {
    if member.joined_at.is_some() {
        return Ok(());
    }
    let entries = entries(ctx, member, Action::MemberJoined, by);
    Ok(ctx.store.note_joined(member, ctx.now(), &entries).await?)
}

async fn get(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    id: &MemberId,
) -> Result<Member, Failure> {
    let found = ctx.store.get_member(mode, organization_id, id).await?;
    found
        .ok_or_else(|| Failure::new(Code::NotFound, "The organization has no member with that id."))
}

/// The audit entries of a change: one in the trail of each mode.
fn entries(ctx: &Context, member: &Member, action: Action, by: &By) -> Vec<AuditRecord> {
    let entry = |mode| {
        let subject = member.member_id.as_str();
        let deed = Deed { mode, by, action, subject, at: ctx.now() };
        let trail = Trail::Organization(member.organization_id.clone());
        let gives_role = matches!(action, Action::MemberInvited | Action::MemberRoleChanged);
        let role = gives_role.then_some(member.role);
        AuditRecord { role, ..audit::entry(ctx, &deed, trail) }
    };
    [Mode::Live, Mode::Sandbox].map(entry).into()
}
