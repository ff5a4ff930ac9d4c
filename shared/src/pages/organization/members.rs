//! The members of the organization.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{App, Form, Frame, PageError, PageRequest, nav::role_name},
    Part, Who, done, frame, identifier, said,
};
use crate::{
    access::{By, Member, Permission, Role},
    service::{
        members::{self, Invitation, MemberRefusal},
        sessions::SignedInMember,
    },
    types::{EmailAddress, MemberId},
};

const PATH: &str = "/organization/members";
/// Members on a page, each with its forms.
const MOST: usize = 20;

#[derive(Template)]
#[template(path = "organization/members.html")]
struct MembersPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    /// The reason of a refusal.
    problem: Option<&'static str>,
    /// The value of the address field.
    email: &'a str,
    members: Vec<ShownMember>,
    first: Option<String>,
    next: Option<String>,
}

/// A member on the page.
struct ShownMember {
    member: Member,
    is_self: bool,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    // Every member may see the other members.
    let member = request.any_member(&app).await?;
    let known = [
        ("invited", "members-done-invited"),
        ("changed", "members-done-changed"),
        ("removed", "members-done-removed"),
    ];
    let done = said(&request, &known)?;
    page(&app, &request, &member, (done, None, "")).await
}

async fn page(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    (done, problem, email): (Option<&'static str>, Option<&'static str>, &str),
) -> Result<Response, PageError> {
    let Member { mode, organization_id, member_id, .. } = &signed_in.member;
    let found = members::list(&app.ctx, *mode, organization_id).await?;
    let part = Part::of(request, PATH, found, MOST, |member| member.member_id.to_string())?;
    let shown = |member: Member| ShownMember { is_self: member.member_id == *member_id, member };
    let page = MembersPage {
        frame: frame(request, signed_in),
        who: Who { member: signed_in },
        done,
        problem,
        email,
        members: part.items.into_iter().map(shown).collect(),
        first: part.first,
        next: part.next,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

/// The message for the permissions of a role.
fn role_allows(role: &Role) -> &'static str {
    match role {
        Role::Owner => "role-owner-may",
        Role::Developer => "role-developer-may",
        Role::Billing => "role-billing-may",
        Role::Viewer | Role::Unknown => "role-viewer-may",
    }
}

/// The message for a refusal.
fn refusal(refusal: MemberRefusal) -> &'static str {
    match refusal {
        MemberRefusal::Member(_) => "members-refused-member",
        MemberRefusal::Full => "members-refused-full",
        MemberRefusal::LastOwner => "members-refused-last-owner",
        MemberRefusal::TooOften => "members-refused-often",
        MemberRefusal::Changed => "members-refused-changed",
    }
}

pub(super) async fn invite(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let (signed_in, by) = request.acting(&app, Permission::Govern).await?;
    let text = form.field("email");
    let again = async |problem| page(&app, request, &signed_in, (None, Some(problem), text)).await;
    let Ok(email) = text.parse::<EmailAddress>() else { return again("email-wrong").await };
    let Ok(role) = form.field("role").parse::<Role>() else {
        return again("members-refused-role").await;
    };
    let invitation = Invitation {
        mode: request.mode,
        organization_id: &signed_in.member.organization_id,
        email,
        role,
        language: request.language,
    };
    match members::invite(&app.ctx, invitation, &by).await? {
        Ok(_) => Ok(done(request, PATH, "invited")),
        Err(why) => again(refusal(why)).await,
    }
}

pub(super) async fn set_role(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let (signed_in, by) = request.acting(&app, Permission::Govern).await?;
    let Ok(role) = form.field("role").parse::<Role>() else {
        let problem = Some("members-refused-role");
        return page(&app, request, &signed_in, (None, problem, "")).await;
    };
    let id: MemberId = identifier(form.field("member"))?;
    let organization_id = &signed_in.member.organization_id;
    let changed =
        members::set_role(&app.ctx, request.mode, organization_id, &id, role, &by).await?;
    outcome(&app, &form, &signed_in, changed.map(drop), "changed").await
}

pub(super) async fn remove(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by): (_, By) = request.acting(&app, Permission::Govern).await?;
    let id: MemberId = identifier(form.field("member"))?;
    let organization_id = &signed_in.member.organization_id;
    let removed = members::remove(&app.ctx, request.mode, organization_id, &id, &by).await?;
    outcome(&app, &form, &signed_in, removed, "removed").await
}

async fn outcome(
    app: &App,
    form: &Form,
    signed_in: &SignedInMember,
    outcome: Result<(), MemberRefusal>,
    what: &str,
) -> Result<Response, PageError> {
    match outcome {
        Ok(()) => Ok(done(&form.request, PATH, what)),
        Err(why) => {
            let request = &form.request_to(PATH);
            page(app, request, signed_in, (None, Some(refusal(why)), "")).await
        }
    }
}
