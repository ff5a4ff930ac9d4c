//! The logo of a connected business, set by a member of an organization that may send for the business. The function
//! that changes grants serves these pages, since it alone may write settings of businesses.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use super::{
    super::{
        App, Form, Frame, PageError, PageRequest, Upload,
        account::{logo_picture, logo_problem},
    },
    connected, done, frame, imports, path_of_taxpayer, said,
};
use crate::{
    access::{By, Permission},
    service::{
        logos::{self, LogoChange, LogoSet, MAX_SIDE},
        sessions::SignedInMember,
        taxpayers::Connected,
    },
    types::TaxpayerId,
};

/// The paths, below the path of the mode.
pub(super) const PAGE: &str = "/organization/logos/{taxpayer_id}";
pub(super) const PICTURE: &str = "/organization/logos/{taxpayer_id}/logo.png";
pub(super) const REPLACE: &str = "/organization/logos/replace";
pub(super) const REMOVE: &str = "/organization/logos/remove";
/// The actions that this page reports, and the names of their messages.
const DONE: [(&str, &str); 2] = [("saved", "logo-saved"), ("removed", "logo-removed")];

/// The path of a business's logo, below the path of the mode.
pub(super) fn path_of(taxpayer_id: &TaxpayerId) -> String {
    format!("/organization/logos/{taxpayer_id}")
}

#[derive(Template)]
#[template(path = "organization/logo.html")]
struct LogoPage<'a> {
    frame: Frame<'a>,
    /// The name of the business, and the path of its page.
    name: &'a str,
    business: String,
    taxpayer_id: &'a str,
    /// The address of the picture, if there is one.
    picture: Option<String>,
    done: Option<&'static str>,
    /// The name of the error message.
    problem: Option<&'static str>,
    most: u32,
}

async fn page(
    app: &App,
    request: &PageRequest,
    member: &SignedInMember,
    connected: &Connected,
    problem: Option<&'static str>,
) -> Result<Response, PageError> {
    let taxpayer_id = &connected.taxpayer.taxpayer_id;
    let logo = logos::current(&app.reading(), request.mode, taxpayer_id).await?;
    let page = LogoPage {
        frame: frame(request, member),
        name: connected.name(),
        business: request.path(&path_of_taxpayer(taxpayer_id)),
        taxpayer_id: taxpayer_id.as_str(),
        picture: logo.map(|_| request.path(&format!("{}/logo.png", path_of(taxpayer_id)))),
        done: said(request, &DONE)?,
        problem,
        most: MAX_SIDE,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let (member, connected) = reading(&app, &request, &taxpayer_id).await?;
    page(&app, &request, &member, &connected, None).await
}

/// Returns the picture.
pub(super) async fn picture(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let (_, connected) = reading(&app, &request, &taxpayer_id).await?;
    logo_picture(&app, request.mode, &connected.taxpayer.taxpayer_id).await
}

/// The member who requests a page, and the business that it names.
async fn reading(
    app: &App,
    request: &PageRequest,
    taxpayer_id: &str,
) -> Result<(SignedInMember, Connected), PageError> {
    let member = request.known_member(app, Permission::Develop).await?;
    let connected = connected(app, &member, taxpayer_id, imports::are_taken).await?;
    Ok((member, connected))
}

/// The member who sent a form, and the business in it.
async fn acting(app: &App, form: &Form) -> Result<(SignedInMember, By, Connected), PageError> {
    let (member, by) = form.request.acting_as_known(app, Permission::Develop).await?;
    let connected = imports::named(app, &member, form).await?;
    Ok((member, by, connected))
}

fn change<'a>(member: &'a SignedInMember, by: &'a By, connected: &'a Connected) -> LogoChange<'a> {
    LogoChange {
        mode: member.member.mode,
        taxpayer_id: &connected.taxpayer.taxpayer_id,
        by,
        organization_id: Some(&member.member.organization_id),
    }
}

pub(super) async fn replace(
    State(app): State<App>,
    Upload { form, file, .. }: Upload,
) -> Result<Response, PageError> {
    let (member, by, connected) = acting(&app, &form).await?;
    let here = path_of(&connected.taxpayer.taxpayer_id);
    match logos::replace(&app.reading(), change(&member, &by, &connected), file).await? {
        LogoSet::Done => Ok(done(&form.request, &here, "saved")),
        LogoSet::Refused(problem) => {
            let problem = Some(logo_problem(problem));
            page(&app, &form.request_to(&here), &member, &connected, problem).await
        }
        LogoSet::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}

pub(super) async fn remove(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let (member, by, connected) = acting(&app, &form).await?;
    logos::remove(&app.reading(), change(&member, &by, &connected)).await?;
    Ok(done(&form.request, &path_of(&connected.taxpayer.taxpayer_id), "removed"))
}
