//! The pages for signing in and out. [`sign_in`] defines links and their use.

use askama::Template;
use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::Response,
    routing::{get, post},
};

use super::{
    App, Form, Frame, PageError, PageRequest, connect, cookies, in_both_modes,
    link_pages::{self, UselessPage},
    nav::{CONTINUE, onboard_path, role_name, with_parameter},
    organization::sign_up::NEW,
    see_other,
};
use crate::{
    access::By,
    service::{
        sessions,
        sign_in::{self, Account, Ask, Confirmed, LinkRequest, Looked, Press, Then},
    },
    store,
    types::{EmailAddress, Mode, OpaqueToken},
};

/// The field and parameter with a link's token.
const TOKEN: &str = "token";
/// The path of links in mails.
const CONFIRM: &str = "/sign-in/confirm";

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let pages = [
        ("/sign-in", get(ask).post(take_wish)),
        ("/sign-in/sent", get(sent)),
        (CONFIRM, get(open_link).post(use_link)),
        ("/sign-out", post(sign_out)),
        ("/sign-out-everywhere", post(sign_out_everywhere)),
        ("/signed-out", get(signed_out)),
    ];
    pages.into_iter().fold(router, |router, (path, page)| in_both_modes(router, path, page))
}

#[derive(Template)]
#[template(path = "sign_in/ask.html")]
struct AskPage<'a> {
    frame: Frame<'a>,
    email: &'a str,
    then: &'a str,
    /// The application whose authorization request continues after sign-in.
    application: Option<String>,
    is_wrong: bool,
    /// The path of onboarding, if it is possible here.
    onboard: Option<String>,
    /// The path of the form for a new organization, if it is possible here.
    sign_up: Option<String>,
}

/// The path of the form for a new organization, which exists in Sandbox.
fn sign_up_path(app: &App, request: &PageRequest) -> Option<String> {
    (app.sign_up && request.mode == Mode::Sandbox).then(|| request.path(NEW))
}

async fn ask(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let then = then(&request, request.parameter(CONTINUE)?.as_deref());
    ask_page(&app, &request, &then, None).await
}

/// The form for an address, or the form again with a wrong one.
async fn ask_page(
    app: &App,
    request: &PageRequest,
    then: &Then,
    wrong: Option<&str>,
) -> Result<Response, PageError> {
    let then = then.as_str();
    let continued = connect::continued(app, request, then).await?;
    let page = AskPage {
        frame: request.frame(),
        email: wrong.unwrap_or_default(),
        then,
        application: continued.map(|pending| pending.client.name),
        is_wrong: wrong.is_some(),
        onboard: onboard_path(app, request, then),
        sign_up: sign_up_path(app, request),
    };
    let status = if wrong.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

/// The target: the requested one, if it is allowed.
fn then(request: &PageRequest, wanted: Option<&str>) -> Then {
    let wanted = wanted.and_then(|wanted| Then::parse(request.mode, wanted).ok());
    wanted.unwrap_or_else(|| Then::account(request.mode))
}

async fn take_wish(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let then = then(request, Some(form.field(CONTINUE)));
    let email = form.field("email");
    let Ok(address) = email.parse::<EmailAddress>() else {
        let request = &request.at(&path_on(request, "/sign-in", &then));
        return ask_page(&app, request, &then, Some(email)).await;
    };
    let place = store::place(request.address);
    let ask = Ask {
        mode: request.mode,
        address,
        browser: &request.browser,
        place: &place,
        language: request.language,
        then,
    };
    // A further link keeps the target.
    let sent = path_on(request, "/sign-in/sent", &ask.then);
    match sign_in::ask(&app.ctx, ask).await? {
        LinkRequest::Noted => Ok(see_other(&sent)),
        LinkRequest::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}

async fn sent(request: PageRequest) -> Result<Response, PageError> {
    let then = then(&request, request.parameter(CONTINUE)?.as_deref());
    let again = (path_on(&request, "/sign-in", &then), "sign-in-again");
    link_pages::sent(&request, "sign-in-sent-text", again)
}

/// The path of a sign-in page, with the target.
fn path_on(request: &PageRequest, page: &str, then: &Then) -> String {
    with_parameter(&request.path(page), CONTINUE, then.as_str())
}

#[derive(Template)]
#[template(path = "sign_in/confirm.html")]
struct ConfirmPage<'a> {
    frame: Frame<'a>,
    token: &'a str,
}

fn other_browser(request: &PageRequest) -> Result<Response, PageError> {
    let page = UselessPage {
        frame: request.frame(),
        title: "other-browser-title",
        text: "other-browser-text",
        help: Some("other-browser-help"),
        next: (request.path("/sign-in"), "sign-in-again"),
    };
    request.page(StatusCode::FORBIDDEN, &page)
}

fn gone(request: &PageRequest) -> Result<Response, PageError> {
    let page = UselessPage {
        frame: request.frame(),
        title: "link-gone-title",
        text: "link-gone-text",
        help: None,
        next: (request.path("/sign-in"), "sign-in-again"),
    };
    request.page(StatusCode::GONE, &page)
}

/// The page of a link in a mail. ASVS 5, 7.6.2: "Verify that creation of a session requires either the user's consent
/// or an explicit action": its button.
async fn open_link(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let token = request.parameter(TOKEN)?.and_then(|token| token.parse::<OpaqueToken>().ok());
    let Some(token) = token else { return gone(&request) };
    match sign_in::look(&app.ctx, request.mode, &token, &request.browser).await? {
        Looked::Good => {
            let page = ConfirmPage { frame: request.frame(), token: token.reveal() };
            request.page(StatusCode::OK, &page)
        }
        Looked::OtherBrowser => other_browser(&request),
        Looked::Gone => gone(&request),
    }
}

#[derive(Template)]
#[template(path = "sign_in/choose.html")]
struct ChoosePage<'a> {
    frame: Frame<'a>,
    token: &'a str,
    accounts: &'a [Account],
}

async fn use_link(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(&with_parameter(CONFIRM, TOKEN, form.field(TOKEN)));
    let Ok(token) = form.field(TOKEN).parse::<OpaqueToken>() else { return gone(request) };
    let chosen = Some(form.field("account")).filter(|chosen| !chosen.is_empty());
    let (mode, before) = (request.mode, request.session.as_ref());
    let press = Press {
        token: &token,
        browser: &request.browser,
        chosen,
        before,
        origin: request.origin(),
    };
    match sign_in::confirm(&app.ctx, mode, press).await? {
        Confirmed::SignedIn { session, then } => {
            let mut response = see_other(then.as_str());
            cookies::set_token(response.headers_mut(), cookies::session(mode), &session);
            Ok(response)
        }
        Confirmed::Choose(accounts) => {
            let page =
                ChoosePage { frame: request.frame(), token: token.reveal(), accounts: &accounts };
            request.page(StatusCode::OK, &page)
        }
        Confirmed::OtherBrowser => other_browser(request),
        Confirmed::Gone => gone(request),
    }
}

async fn sign_out(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    if let Some(session) = &request.session {
        sessions::end(&app.ctx, request.mode, session, request.origin()).await?;
    }
    Ok(leave(request))
}

async fn sign_out_everywhere(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    if let Some(current) = request.current(&app).await? {
        let holder = current.holder();
        let by = By { actor: holder.actor(), origin: request.origin() };
        sessions::end_all(&app.ctx, request.mode, holder, &by).await?;
    }
    Ok(leave(request))
}

fn leave(request: &PageRequest) -> Response {
    let mut response = see_other(&request.path("/signed-out"));
    cookies::forget(response.headers_mut(), cookies::session(request.mode));
    response
}

#[derive(Template)]
#[template(path = "sign_in/out.html")]
struct OutPage<'a> {
    frame: Frame<'a>,
}

async fn signed_out(request: PageRequest) -> Result<Response, PageError> {
    request.page(StatusCode::OK, &OutPage { frame: request.frame() })
}
