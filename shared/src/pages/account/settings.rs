//! What a taxpayer's service is set to, by itself.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::super::{Form, Frame, House, Nav, PageError, Visit, done::done, visit::DONE};
use crate::{
    access::Taxpayer,
    service::taxpayers::{self, MAX_EMAIL, OwnSettings, Set},
    types::EmailAddress,
    words::Language,
};

/// The path, below that of the mode.
pub(super) const PATH: &str = "/account/settings";

#[derive(Template)]
#[template(path = "account/settings.html")]
struct SettingsPage<'a> {
    frame: Frame<'a>,
    is_arabic: bool,
    email: &'a str,
    most: usize,
    is_done: bool,
    /// The field that is wrong, and the name of the message that says how.
    problem: Option<(&'static str, &'static str)>,
}

fn page(
    visit: &Visit,
    taxpayer: &Taxpayer,
    [language, email]: [&str; 2],
    problem: Option<(&'static str, &'static str)>,
) -> Result<Response, PageError> {
    let page = SettingsPage {
        frame: visit.frame_in(Nav::Taxpayer, &taxpayer.name),
        is_arabic: language == Language::Arabic.tag(),
        email,
        most: MAX_EMAIL,
        is_done: visit.parameter(DONE)?.is_some(),
        problem,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    visit.page(status, &page)
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let taxpayer = visit.signed_in(&house).await?.taxpayer;
    let settings = taxpayers::settings(&house.ctx, visit.mode, &taxpayer.taxpayer_id).await?;
    let email = settings.notification_email.unwrap_or_default();
    page(&visit, &taxpayer, [settings.language.tag(), &email], None)
}

pub(super) async fn save(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit_to(PATH);
    let Some(signed_in) = visit.who(&house).await? else {
        return Err(PageError::Forged("nobody is signed in any more"));
    };
    let [tag, email] = ["language", "email"].map(|field| form.field(field).trim());
    let again = |problem| page(visit, &signed_in.taxpayer, [tag, email], Some(problem));
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
    let (id, origin) = (&signed_in.taxpayer.taxpayer_id, visit.origin());
    match taxpayers::set(&house.ctx, visit.mode, id, &wish, &origin).await? {
        Set::Done => Ok(done(visit, PATH, "saved")),
        Set::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}
