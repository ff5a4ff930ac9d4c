//! Signing in and out. What a link is and who may use it: [`sign_in`].

use askama::Template;
use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::Response,
    routing::{get, post},
};
use url::form_urlencoded;

use super::{Form, Frame, House, PageError, Visit, cookies, in_both_modes, onboard, see_other};
use crate::{
    access::{By, Role},
    service::{
        sessions,
        sign_in::{self, Account, Ask, Asked, Confirmed, LINK_VALID, Looked, Press, Then},
    },
    store,
    types::{EmailAddress, OpaqueToken},
};

/// The field and parameter with where to go on.
const CONTINUE: &str = "continue";
/// The field and parameter with a link's token.
const TOKEN: &str = "token";
/// Where a link in a mail leads to.
const CONFIRM: &str = "/sign-in/confirm";

pub(super) fn routes(router: Router<House>) -> Router<House> {
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
    is_wrong: bool,
    /// Where a business goes that is not here yet, if there is such a way.
    onboard: Option<String>,
}

async fn ask(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let then = then(&visit, visit.parameter(CONTINUE)?.as_deref());
    let then = then.as_str();
    let onboard = onboard::way_in(&house, &visit, then);
    let page = AskPage { frame: visit.frame(), email: "", then, is_wrong: false, onboard };
    visit.page(StatusCode::OK, &page)
}

/// Where to go on: what was asked for, if one may go there.
fn then(visit: &Visit, wanted: Option<&str>) -> Then {
    let wanted = wanted.and_then(|wanted| Then::parse(visit.mode, wanted).ok());
    wanted.unwrap_or_else(|| Then::account(visit.mode))
}

async fn take_wish(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit;
    let then = then(visit, Some(form.field(CONTINUE)));
    let email = form.field("email");
    let Ok(address) = email.parse::<EmailAddress>() else {
        let visit = &visit.at(&path_on(visit, "/sign-in", &then));
        let (frame, then) = (visit.frame(), then.as_str());
        let onboard = onboard::way_in(&house, visit, then);
        let page = AskPage { frame, email, then, is_wrong: true, onboard };
        return visit.page(StatusCode::BAD_REQUEST, &page);
    };
    let place = store::place(visit.address);
    let ask = Ask {
        mode: visit.mode,
        address,
        browser: &visit.browser,
        place: &place,
        language: visit.language,
        then,
    };
    // Who asks for another link there goes on to the same.
    let sent = path_on(visit, "/sign-in/sent", &ask.then);
    match sign_in::ask(&house.ctx, ask).await? {
        Asked::Noted => Ok(see_other(&sent)),
        Asked::TooOften(taken) => Err(PageError::TooOften(taken)),
    }
}

#[derive(Template)]
#[template(path = "sign_in/sent.html")]
struct SentPage<'a> {
    frame: Frame<'a>,
    minutes: u32,
    /// Where another link is asked for.
    again: String,
}

async fn sent(visit: Visit) -> Result<Response, PageError> {
    let minutes = u32::try_from(LINK_VALID.as_mins()).unwrap_or_default();
    let then = then(&visit, visit.parameter(CONTINUE)?.as_deref());
    let again = path_on(&visit, "/sign-in", &then);
    visit.page(StatusCode::OK, &SentPage { frame: visit.frame(), minutes, again })
}

/// A page of signing in, with where to go on.
fn path_on(visit: &Visit, page: &str, then: &Then) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let query = query.append_pair(CONTINUE, then.as_str()).finish();
    format!("{}?{query}", visit.path(page))
}

#[derive(Template)]
#[template(path = "sign_in/confirm.html")]
struct ConfirmPage<'a> {
    frame: Frame<'a>,
    token: &'a str,
}

/// A link that does not sign anybody in, and why.
#[derive(Template)]
#[template(path = "sign_in/useless.html")]
struct UselessPage<'a> {
    frame: Frame<'a>,
    title: &'a str,
    text: &'a str,
    help: Option<&'a str>,
}

fn other_browser(visit: &Visit) -> Result<Response, PageError> {
    let page = UselessPage {
        frame: visit.frame(),
        title: "other-browser-title",
        text: "other-browser-text",
        help: Some("other-browser-help"),
    };
    visit.page(StatusCode::FORBIDDEN, &page)
}

fn gone(visit: &Visit) -> Result<Response, PageError> {
    let page = UselessPage {
        frame: visit.frame(),
        title: "link-gone-title",
        text: "link-gone-text",
        help: None,
    };
    visit.page(StatusCode::GONE, &page)
}

/// The page that a link in a mail leads to. ASVS 5, 7.6.2: "Verify that creation of a session requires either the user's
/// consent or an explicit action": its button.
async fn open_link(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let token = visit.parameter(TOKEN)?.and_then(|token| token.parse::<OpaqueToken>().ok());
    let Some(token) = token else { return gone(&visit) };
    match sign_in::look(&house.ctx, visit.mode, &token, &visit.browser).await? {
        Looked::Good => {
            let page = ConfirmPage { frame: visit.frame(), token: token.reveal() };
            visit.page(StatusCode::OK, &page)
        }
        Looked::OtherBrowser => other_browser(&visit),
        Looked::Gone => gone(&visit),
    }
}

#[derive(Template)]
#[template(path = "sign_in/choose.html")]
struct ChoosePage<'a> {
    frame: Frame<'a>,
    token: &'a str,
    accounts: &'a [Account],
}

/// The name of the message that says a role.
pub(super) fn role(role: &Role) -> &'static str {
    match role {
        Role::Owner => "role-owner",
        Role::Developer => "role-developer",
        Role::Billing => "role-billing",
        Role::Viewer => "role-viewer",
        Role::Unknown => "role-unknown",
    }
}

/// The page that a link with this token leads to, below the path of the mode.
fn link_to(token: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    format!("{CONFIRM}?{}", query.append_pair(TOKEN, token).finish())
}

async fn use_link(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit_to(&link_to(form.field(TOKEN)));
    let Ok(token) = form.field(TOKEN).parse::<OpaqueToken>() else { return gone(visit) };
    let chosen = Some(form.field("account")).filter(|chosen| !chosen.is_empty());
    let (mode, before) = (visit.mode, visit.session.as_ref());
    let press =
        Press { token: &token, browser: &visit.browser, chosen, before, origin: visit.origin() };
    match sign_in::confirm(&house.ctx, mode, press).await? {
        Confirmed::SignedIn { session, then } => {
            let mut response = see_other(then.as_str());
            cookies::set_token(response.headers_mut(), cookies::session(mode), &session);
            Ok(response)
        }
        Confirmed::Choose(accounts) => {
            let page =
                ChoosePage { frame: visit.frame(), token: token.reveal(), accounts: &accounts };
            visit.page(StatusCode::OK, &page)
        }
        Confirmed::OtherBrowser => other_browser(visit),
        Confirmed::Gone => gone(visit),
    }
}

async fn sign_out(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit;
    if let Some(session) = &visit.session {
        sessions::end(&house.ctx, visit.mode, session, visit.origin()).await?;
    }
    Ok(leave(visit))
}

async fn sign_out_everywhere(
    State(house): State<House>,
    form: Form,
) -> Result<Response, PageError> {
    let visit = &form.visit;
    if let Some(current) = visit.current(&house).await? {
        let holder = current.holder();
        let by = By { actor: holder.actor(), origin: visit.origin() };
        sessions::end_all(&house.ctx, visit.mode, holder, &by).await?;
    }
    Ok(leave(visit))
}

fn leave(visit: &Visit) -> Response {
    let mut response = see_other(&visit.path("/signed-out"));
    cookies::forget(response.headers_mut(), cookies::session(visit.mode));
    response
}

#[derive(Template)]
#[template(path = "sign_in/out.html")]
struct OutPage<'a> {
    frame: Frame<'a>,
}

async fn signed_out(visit: Visit) -> Result<Response, PageError> {
    visit.page(StatusCode::OK, &OutPage { frame: visit.frame() })
}
