//! The onboarding pages: TIN and address, the link in an e-mail, the details, and the progress of the registrations
//! with the tax authority and the network. [`onboarding`] implements the steps. These pages exist only in Live; Sandbox
//! has its own.

mod business;

pub(super) use business::lines_of;

use askama::Template;
use axum::{Router, extract::State, http::StatusCode, response::Response, routing::get};

use super::{
    App, Form, Frame, PageError, PageRequest, connect,
    nav::{CONTINUE, with_parameter},
    see_other,
};
use crate::{
    service::{
        onboarding::{self, Ask, Asked, Link, NationalPortal},
        sign_in::{LINK_VALID, Then},
    },
    store::{self, ApplicationRecord, ApplicationStatus},
    types::{EmailAddress, OpaqueToken, Tin},
};

/// The field and parameter with an application.
const APPLICATION: &str = "application";
/// The field and parameter with a link's token.
const TOKEN: &str = "token";

pub(super) fn routes(router: Router<App>) -> Router<App> {
    router
        .route("/onboard", get(begin).post(take_wish))
        .route("/onboard/sent", get(sent))
        .route("/onboard/confirm", get(open_link).post(use_link))
        .route("/onboard/details", get(business::details).post(business::confirm))
        .route("/onboard/progress", get(business::progress).post(business::finish))
}

fn path_of(step: &str, application: &ApplicationRecord) -> String {
    with_parameter(step, APPLICATION, application.application_id.as_str())
}

/// The portal. Without one, the operator onboards businesses, and the page says so.
fn portal(app: &App) -> Result<&dyn NationalPortal, PageError> {
    app.national_portal.as_deref().ok_or_else(|| PageError::Explained {
        status: StatusCode::NOT_FOUND,
        title: "onboard-none-title",
        text: "onboard-none-text",
        cause: "NATIONAL_PORTAL_URL is not set".to_owned(),
    })
}

fn then(request: &PageRequest, wanted: Option<&str>) -> Then {
    let wanted = wanted.and_then(|wanted| Then::parse(request.mode, wanted).ok());
    wanted.unwrap_or_else(|| Then::account(request.mode))
}

#[derive(Template)]
#[template(path = "onboard/begin.html")]
struct BeginPage<'a> {
    frame: Frame<'a>,
    then: &'a str,
    tin: &'a str,
    email: &'a str,
    /// The wrong field, and the name of the error message.
    problem: Option<(&'static str, &'static str)>,
}

async fn begin(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    portal(&app)?;
    let then = then(&request, request.parameter(CONTINUE)?.as_deref());
    // "tin_hint (optional; suggests a business and never grants access)" (specification 4.5).
    let continued = connect::continued(&app, &request, then.as_str()).await?;
    let tin = continued.and_then(|pending| pending.request.tin_hint).unwrap_or_default();
    let page = BeginPage {
        frame: request.frame(),
        then: then.as_str(),
        tin: &tin,
        email: "",
        problem: None,
    };
    request.page(StatusCode::OK, &page)
}

async fn take_wish(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    portal(&app)?;
    let request = &form.request;
    let then = then(request, Some(form.field(CONTINUE)));
    let [tin, email] = ["tin", "email"].map(|field| form.field(field).trim());
    let again = |field, text| {
        let problem = Some((field, text));
        let then = then.as_str();
        let request = request.at(&with_parameter("/onboard", CONTINUE, then));
        let page = BeginPage { frame: request.frame(), then, tin, email, problem };
        request.page(StatusCode::BAD_REQUEST, &page)
    };
    let Ok(parsed) = tin.parse::<Tin>() else { return again("tin", "onboard-tin-wrong") };
    let Ok(address) = email.parse::<EmailAddress>() else { return again("email", "email-wrong") };
    let place = store::place(request.address);
    let ask = Ask {
        tin: parsed,
        email: address,
        browser: &request.browser,
        place: &place,
        language: request.language,
        then: then.as_str().to_owned(),
        origin: request.origin(),
    };
    match onboarding::ask(&app.ctx, ask).await? {
        Asked::Noted(id) => {
            Ok(see_other(&with_parameter("/onboard/sent", APPLICATION, id.as_str())))
        }
        Asked::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}

/// The application of this browser with this id.
async fn application(
    app: &App,
    request: &PageRequest,
    id: Option<&str>,
) -> Result<ApplicationRecord, PageError> {
    let gone = || PageError::Explained {
        status: StatusCode::GONE,
        title: "onboard-gone-title",
        text: "onboard-gone-text",
        cause: "this browser has no such application".to_owned(),
    };
    let id = id.and_then(|id| id.parse().ok()).ok_or_else(gone)?;
    onboarding::application(&app.ctx, &id, &request.browser).await?.ok_or_else(gone)
}

#[derive(Template)]
#[template(path = "onboard/sent.html")]
struct SentPage<'a> {
    frame: Frame<'a>,
    minutes: u32,
    /// The path for another link.
    again: String,
}

/// Shows the same page for every outcome.
async fn sent(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let application =
        application(&app, &request, request.parameter(APPLICATION)?.as_deref()).await?;
    let minutes = u32::try_from(LINK_VALID.as_mins()).unwrap_or_default();
    let again = with_parameter("/onboard", CONTINUE, &application.then);
    request.page(StatusCode::OK, &SentPage { frame: request.frame(), minutes, again })
}

#[derive(Template)]
#[template(path = "onboard/confirm.html")]
struct ConfirmPage<'a> {
    frame: Frame<'a>,
    token: &'a str,
}

/// The error page of an invalid link.
fn useless(link: &Link) -> PageError {
    let (status, title, text) = match link {
        Link::OtherBrowser => (StatusCode::FORBIDDEN, "other-browser-title", "other-browser-text"),
        Link::Good(_) | Link::Gone => (StatusCode::GONE, "link-gone-title", "link-gone-text"),
    };
    PageError::Explained { status, title, text, cause: "the link is invalid".to_owned() }
}

/// The page of a link in a mail. Mail programs and scanners open links too, so only its button uses the link.
async fn open_link(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let token = request.parameter(TOKEN)?.and_then(|token| token.parse::<OpaqueToken>().ok());
    let Some(token) = token else { return Err(useless(&Link::Gone)) };
    match onboarding::look(&app.ctx, &token, &request.browser).await? {
        Link::Good(_) => {
            let page = ConfirmPage { frame: request.frame(), token: token.reveal() };
            request.page(StatusCode::OK, &page)
        }
        link => Err(useless(&link)),
    }
}

async fn use_link(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let Ok(token) = form.field(TOKEN).parse::<OpaqueToken>() else {
        return Err(useless(&Link::Gone));
    };
    match onboarding::verify(&app.ctx, &token, &request.browser, request.origin()).await? {
        Link::Good(application) => Ok(see_other(&place_of(&application))),
        link => Err(useless(&link)),
    }
}

/// The path of an application's next step.
fn place_of(application: &ApplicationRecord) -> String {
    let step = match application.status {
        ApplicationStatus::Appointment | ApplicationStatus::Verification => "/onboard/sent",
        ApplicationStatus::Details => "/onboard/details",
        ApplicationStatus::Registration
        | ApplicationStatus::HandedOver
        | ApplicationStatus::Finished
        | ApplicationStatus::Unknown => "/onboard/progress",
    };
    path_of(step, application)
}
