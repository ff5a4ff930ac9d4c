//! The settings of a taxpayer.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::super::{App, Form, Frame, Nav, PageError, PageRequest, done::done, page_request::DONE};
use crate::{
    access::Taxpayer,
    i18n::Language,
    service::taxpayers::{self, MAX_EMAIL, OwnSettings, Set},
    types::EmailAddress,
};

/// The path, below the path of the mode.
pub(super) const PATH: &str = "/account/settings";

#[derive(Template)]
#[template(path = "account/settings.html")]
struct SettingsPage<'a> {
    frame: Frame<'a>,
    is_arabic: bool,
    email: &'a str,
    most: usize,
    is_done: bool,
    /// The wrong field, and the name of the error message.
    problem: Option<(&'static str, &'static str)>,
}

fn page(
    request: &PageRequest,
    taxpayer: &Taxpayer,
    [language, email]: [&str; 2],
    problem: Option<(&'static str, &'static str)>,
) -> Result<Response, PageError> {
    let page = SettingsPage {
        frame: request.frame_in(Nav::Taxpayer, &taxpayer.name),
        is_arabic: language == Language::Arabic.tag(),
        email,
        most: MAX_EMAIL,
        is_done: request.parameter(DONE)?.is_some(),
        problem,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let taxpayer = request.signed_in(&app).await?.taxpayer;
    let settings = taxpayers::settings(&app.ctx, request.mode, &taxpayer.taxpayer_id).await?;
    let email = settings.notification_email.unwrap_or_default();
    page(&request, &taxpayer, [settings.language.tag(), &email], None)
}

pub(super) async fn save(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let signed_in = request.acting_taxpayer(&app).await?;
    let [tag, email] = ["language", "email"].map(|field| form.field(field).trim());
    let again = |problem| page(request, &signed_in.taxpayer, [tag, email], Some(problem));
    let Some(language) = Language::ALL.into_iter().find(|language| language.tag() == tag) else {
        return again(("language", "settings-language-wrong"));
    };
    let notification_email = match email {
        "" => None,
        email => match email.parse::<EmailAddress>() {
            Ok(address) => Some(address.as_str().to_owned()),
            Err(_) => return again(("email", "email-wrong")),
        },
    };
    let wish = OwnSettings { language, notification_email };
    let (id, origin) = (&signed_in.taxpayer.taxpayer_id, request.origin());
    match taxpayers::set(&app.ctx, request.mode, id, &wish, &origin).await? {
        Set::Done => Ok(done(request, PATH, "saved")),
        Set::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}
