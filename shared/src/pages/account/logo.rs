//! The logo of a business: its picture, and the forms that replace and remove it.

use askama::Template;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

use super::super::{
    App, Form, Frame, Nav, PageError, PageRequest, Upload,
    done::{done, said},
};
use crate::{
    access::{Actor, By, Taxpayer},
    service::logos::{self, LogoChange, LogoProblem, LogoSet, MAX_SIDE},
    types::{Mode, TaxpayerId},
};

/// The paths, below the path of the mode.
pub(super) const PATH: &str = "/account/business/logo";
pub(super) const PICTURE: &str = "/account/business/logo.png";
pub(super) const REMOVE: &str = "/account/business/logo/remove";
/// The actions that this page reports, and the names of their messages.
const DONE: [(&str, &str); 2] = [("saved", "logo-saved"), ("removed", "logo-removed")];

#[derive(Template)]
#[template(path = "account/logo.html")]
struct LogoPage<'a> {
    frame: Frame<'a>,
    has_logo: bool,
    done: Option<&'static str>,
    /// The name of the error message.
    problem: Option<&'static str>,
    most: u32,
}

async fn page(
    app: &App,
    request: &PageRequest,
    taxpayer: &Taxpayer,
    problem: Option<&'static str>,
) -> Result<Response, PageError> {
    let logo = logos::current(&app.reading(), request.mode, &taxpayer.taxpayer_id).await?;
    let page = LogoPage {
        frame: request.frame_in(Nav::Taxpayer, &taxpayer.name),
        has_logo: logo.is_some(),
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
) -> Result<Response, PageError> {
    let taxpayer = request.signed_in(&app).await?.taxpayer;
    page(&app, &request, &taxpayer, None).await
}

/// Returns the picture.
pub(super) async fn picture(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let taxpayer = request.signed_in(&app).await?.taxpayer;
    logo_picture(&app, request.mode, &taxpayer.taxpayer_id).await
}

/// The picture of a business's logo.
pub(in crate::pages) async fn logo_picture(
    app: &App,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<Response, PageError> {
    let logo = logos::current(&app.reading(), mode, taxpayer_id).await?;
    let png = logo.ok_or(PageError::NotFound)?;
    Ok(([(header::CONTENT_TYPE, "image/png")], png).into_response())
}

pub(super) async fn replace(State(app): State<App>, upload: Upload) -> Result<Response, PageError> {
    let request = &upload.form.request_to(PATH);
    let signed_in = request.acting_taxpayer(&app).await?;
    let taxpayer = &signed_in.taxpayer;
    match logos::replace(&app.reading(), change(taxpayer, &by(request, taxpayer)), upload.file)
        .await?
    {
        LogoSet::Done => Ok(done(request, PATH, "saved")),
        LogoSet::Refused(problem) => page(&app, request, taxpayer, Some(message(problem))).await,
        LogoSet::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}

pub(super) async fn remove(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let signed_in = request.acting_taxpayer(&app).await?;
    let taxpayer = &signed_in.taxpayer;
    logos::remove(&app.reading(), change(taxpayer, &by(request, taxpayer))).await?;
    Ok(done(request, PATH, "removed"))
}

/// The business, as the actor.
fn by(request: &PageRequest, taxpayer: &Taxpayer) -> By {
    By { actor: Actor::Taxpayer(taxpayer.taxpayer_id.clone()), origin: request.origin() }
}

fn change<'a>(taxpayer: &'a Taxpayer, by: &'a By) -> LogoChange<'a> {
    let Taxpayer { mode, taxpayer_id, .. } = taxpayer;
    LogoChange { mode: *mode, taxpayer_id, by, organization_id: None }
}

/// The name of the error message.
pub(in crate::pages) fn message(problem: LogoProblem) -> &'static str {
    match problem {
        LogoProblem::Missing => "logo-missing",
        LogoProblem::TooLarge => "logo-too-large",
        LogoProblem::WrongType => "logo-wrong-type",
        LogoProblem::TooManyPixels => "logo-too-many-pixels",
        LogoProblem::Unreadable => "logo-unreadable",
    }
}
