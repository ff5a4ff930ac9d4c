//! The account of a taxpayer: its details, and the applications that may act for it.

mod archives;
mod business;
mod card;
mod logo;
mod settings;

pub(super) use logo::{logo_picture, message as logo_problem};

use askama::Template;
use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::Response,
    routing::{get, post},
};
use jiff::Timestamp;

use super::{
    App, Form, Frame, Nav, PageError, PageRequest,
    connect::{permission, permissions},
    done::{done, said},
    in_both_modes,
    nav::onboard_path,
    part::Part,
};
use crate::{
    access::{Taxpayer, TaxpayerStatus},
    service::{
        grants::{self, Given},
        sessions,
    },
    store::SessionRecord,
    types::{GrantId, TokenHash},
};

/// The path, below that of the mode.
const PATH: &str = "/account";
/// The actions that this page reports, and the names of their messages.
const DONE: [(&str, &str); 2] =
    [("taken-back", "connected-done-taken-back"), ("ended", "member-session-ended")];
/// Grants and sessions on a page, each with its form.
const GRANTS: usize = 6;
const SESSIONS: usize = 6;
/// The parameter with the offset of the sessions.
const SESSIONS_FROM: &str = "sessions-from";

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let router = in_both_modes(router, PATH, get(account));
    let router = in_both_modes(router, "/account/revoke", post(revoke));
    let router = in_both_modes(router, "/account/end-session", post(end_session));
    let router = in_both_modes(router, business::PATH, get(business::show));
    let router = in_both_modes(router, archives::PATH, get(archives::show).post(archives::create));
    let router = in_both_modes(router, "/account/archives/{archive_id}/file", get(archives::file));
    let router = in_both_modes(router, card::PATH, get(card::show).post(card::save));
    let router = in_both_modes(router, logo::PATH, get(logo::show).post(logo::replace));
    let router = in_both_modes(router, logo::PICTURE, get(logo::picture));
    let router = in_both_modes(router, logo::REMOVE, post(logo::remove));
    let router = in_both_modes(router, "/account/directory", post(business::say_whether_listed));
    in_both_modes(router, settings::PATH, get(settings::show).post(settings::save))
}

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage<'a> {
    frame: Frame<'a>,
    done: Option<&'static str>,
    taxpayer: &'a Taxpayer,
    /// The name of the message with the reason why the taxpayer cannot act, if it cannot.
    notice: Option<&'static str>,
    /// The next step for that, and the name of its message.
    further: Option<(&'static str, String)>,
    connected: Part<Connected>,
    sessions: Part<Open>,
}

/// A session on the page.
struct Open {
    /// The hash of its token.
    session: TokenHash,
    /// The browser's description of itself.
    browser: Option<String>,
    /// When it began and when it was last used.
    since: Timestamp,
    seen: Timestamp,
    is_this_one: bool,
}

impl Open {
    fn of((session, record): (TokenHash, SessionRecord), this: &TokenHash) -> Self {
        Open {
            is_this_one: session == *this,
            session,
            since: record.created_at,
            seen: record.last_seen_at,
            browser: record.user_agent,
        }
    }
}

/// A grant on the page.
struct Connected {
    given: Given,
    /// The names of the messages for its permissions.
    permissions: Vec<&'static str>,
    /// The name of the message for its last use.
    used_for: Option<&'static str>,
    /// When its tokens were revoked because one was used twice.
    tokens_ended: Option<Timestamp>,
}

impl Connected {
    fn of(given: Given) -> Self {
        let permissions = permissions(&given.grant.scopes);
        let used_for = given.last_used_for.map(permission);
        let tokens_ended = given.grant.tokens_ended_at;
        Connected { given, permissions, used_for, tokens_ended }
    }

    /// The application on the consent page; the organization if there was none.
    fn name(&self) -> &str {
        self.given.grant.application.as_deref().unwrap_or(&self.given.organization_name)
    }
}

async fn account(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let signed_in = request.signed_in(&app).await?;
    let taxpayer = &signed_in.taxpayer;
    let (given, open) = tokio::try_join!(
        grants::given_by(&app.ctx, request.mode, &taxpayer.taxpayer_id),
        sessions::list(&app.ctx, request.mode, &taxpayer.taxpayer_id),
    )?;
    let connected = given.into_iter().map(Connected::of).collect();
    let id = |app: &Connected| app.given.grant.grant_id.to_string();
    let connected = Part::of(&request, PATH, connected, GRANTS, id)?;
    let sessions = open.into_iter().map(|open| Open::of(open, &signed_in.session)).collect();
    let id = |open: &Open| open.session.as_str().to_owned();
    let sessions = Part::by(&request, (PATH, SESSIONS_FROM), sessions, SESSIONS, id)?;
    let (notice, further) = match taxpayer.status {
        TaxpayerStatus::Reverification => {
            let account = request.path(PATH);
            let way_in = onboard_path(&app, &request, &account);
            (Some("account-reverification"), way_in.map(|way_in| ("account-confirm", way_in)))
        }
        TaxpayerStatus::Onboarding => {
            (Some("account-onboarding"), Some(("account-steps", request.path(business::PATH))))
        }
        _ => (None, None),
    };
    let frame = request.frame_in(Nav::Taxpayer, &taxpayer.name);
    let done = said(&request, &DONE)?;
    let page = AccountPage { frame, done, taxpayer, notice, further, connected, sessions };
    request.page(StatusCode::OK, &page)
}

/// Revokes a grant: its tokens stop working at once (specification 3.1).
async fn revoke(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let signed_in = request.acting_taxpayer(&app).await?;
    let grant_id: GrantId = form
        .field("grant")
        .parse()
        .map_err(|_| PageError::Unreadable("the grant id is invalid".to_owned()))?;
    let taxpayer_id = &signed_in.taxpayer.taxpayer_id;
    grants::revoke_as_taxpayer(&app.ctx, request.mode, taxpayer_id, &grant_id, &request.origin())
        .await?;
    Ok(done(request, PATH, "taken-back"))
}

/// Ends another session of the business, or this one.
async fn end_session(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let signed_in = request.acting_taxpayer(&app).await?;
    let session: TokenHash = form
        .field("session")
        .parse()
        .map_err(|_| PageError::Unreadable("the session id is invalid".to_owned()))?;
    let taxpayer_id = &signed_in.taxpayer.taxpayer_id;
    sessions::end_one(&app.ctx, request.mode, taxpayer_id, &session, request.origin()).await?;
    Ok(done(request, PATH, "ended"))
}
