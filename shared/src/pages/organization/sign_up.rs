//! The pages on which a person makes an organization in Sandbox. [`sign_up`] defines the links and their use.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{
        App, Form, Frame, PageError, PageRequest, cookies,
        link_pages::{self, UselessPage},
        nav::with_parameter,
        see_other,
    },
    HOME,
};
use crate::{
    error::Code,
    service::{
        organizations::MAX_NAME,
        sign_in::{Ask, LinkRequest, Press, Then},
        sign_up::{self, Link},
    },
    store,
    types::{EmailAddress, Mode, OpaqueToken},
};

/// The path of the form.
pub(in crate::pages) const NEW: &str = "/organization/new";
/// The path of links in mails.
pub(super) const CONFIRM: &str = "/organization/new/confirm";
/// The path of the page after the form.
pub(super) const SENT: &str = "/organization/new/sent";
/// The field and parameter with a link's token.
const TOKEN: &str = "token";

#[derive(Template)]
#[template(path = "sign_in/new.html")]
struct NewPage<'a> {
    frame: Frame<'a>,
    name: &'a str,
    email: &'a str,
    most: usize,
    /// The wrong field, and the name of the error message.
    problem: Option<(&'static str, &'static str)>,
}

/// In Live, the operator makes organizations.
#[derive(Template)]
#[template(path = "sign_in/new_live.html")]
struct NewLivePage<'a> {
    frame: Frame<'a>,
    /// The path of the form in Sandbox.
    sandbox: Option<String>,
}

/// A deployment without sign-up has no such page in Sandbox.
fn is_open(app: &App) -> Result<(), PageError> {
    if app.sign_up { Ok(()) } else { Err(PageError::NotFound) }
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    if request.mode == Mode::Live {
        let sandbox = app.sign_up.then(|| request.in_other_mode().path(NEW));
        return request.page(StatusCode::OK, &NewLivePage { frame: request.frame(), sandbox });
    }
    is_open(&app)?;
    form(&request, ["", ""], None)
}

fn form(
    request: &PageRequest,
    [name, email]: [&str; 2],
    problem: Option<(&'static str, &'static str)>,
) -> Result<Response, PageError> {
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = NewPage { frame: request.frame(), name, email, most: MAX_NAME, problem };
    request.page(status, &page)
}

pub(super) async fn ask(State(app): State<App>, sent: Form) -> Result<Response, PageError> {
    let request = &sent.request;
    sandbox(&app, request)?;
    let [name, email] = ["name", "email"].map(|field| sent.field(field).trim());
    let again = |field, text| {
        let request = &request.at(&request.path(NEW));
        form(request, [name, email], Some((field, text)))
    };
    let Ok(address) = email.parse::<EmailAddress>() else { return again("email", "email-wrong") };
    let place = store::place(request.address);
    let wish = Ask {
        mode: request.mode,
        address,
        browser: &request.browser,
        place: &place,
        language: request.language,
        then: Then::organization(request.mode),
    };
    match sign_up::ask(&app.ctx, wish, name).await {
        Ok(LinkRequest::Noted) => Ok(see_other(&request.path(SENT))),
        Ok(LinkRequest::TooOften(taken)) => Err(PageError::TooOften(taken)),
        Err(failure) if failure.code == Code::InvalidRequest => again("name", "sign-up-name-wrong"),
        Err(failure) => Err(failure.into()),
    }
}

/// Forms exist in Sandbox alone, while sign-up is open.
fn sandbox(app: &App, request: &PageRequest) -> Result<(), PageError> {
    match request.mode {
        Mode::Live => Err(PageError::NotFound),
        Mode::Sandbox => is_open(app),
    }
}

pub(super) async fn sent(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    sandbox(&app, &request)?;
    link_pages::sent(&request, "sign-up-sent-text", (request.path(NEW), "sign-up-again"))
}

#[derive(Template)]
#[template(path = "sign_in/new_confirm.html")]
struct ConfirmPage<'a> {
    frame: Frame<'a>,
    token: &'a str,
    organization: &'a str,
}

fn useless<T>(request: &PageRequest, link: &Link<T>) -> Result<Response, PageError> {
    let again = (request.path(NEW), "sign-up-again");
    let (status, title, text, next) = match link {
        Link::OtherBrowser => {
            (StatusCode::FORBIDDEN, "other-browser-title", "other-browser-text", again)
        }
        Link::Full => {
            let sign_in = (request.path("/sign-in"), "sign-in-title");
            (StatusCode::CONFLICT, "sign-up-full-title", "sign-up-full-text", sign_in)
        }
        Link::Good(_) | Link::Gone => {
            (StatusCode::GONE, "link-gone-title", "link-gone-text", again)
        }
    };
    request.page(status, &UselessPage { frame: request.frame(), title, text, help: None, next })
}

/// The page of a link in a mail. Its button is the explicit action of ASVS 5, 7.6.2.
pub(super) async fn open_link(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    sandbox(&app, &request)?;
    let token = request.parameter(TOKEN)?.and_then(|token| token.parse::<OpaqueToken>().ok());
    let Some(token) = token else { return useless(&request, &Link::<()>::Gone) };
    match sign_up::look(&app.ctx, request.mode, &token, &request.browser).await? {
        Link::Good(name) => {
            let (frame, token) = (request.frame(), token.reveal());
            request.page(StatusCode::OK, &ConfirmPage { frame, token, organization: &name })
        }
        other => useless(&request, &other),
    }
}

pub(super) async fn use_link(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    sandbox(&app, &form.request)?;
    let request = &form.request_to(&with_parameter(CONFIRM, TOKEN, form.field(TOKEN)));
    let Ok(token) = form.field(TOKEN).parse::<OpaqueToken>() else {
        return useless(request, &Link::<()>::Gone);
    };
    let press = Press {
        token: &token,
        browser: &request.browser,
        chosen: None,
        before: request.session.as_ref(),
        origin: request.origin(),
    };
    match sign_up::confirm(&app.ctx, request.mode, press).await? {
        Link::Good(session) => {
            let mut response = see_other(&request.path(HOME));
            cookies::set_token(response.headers_mut(), cookies::session(request.mode), &session);
            Ok(response)
        }
        other => useless(request, &other),
    }
}
