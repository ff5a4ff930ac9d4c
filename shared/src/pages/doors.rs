//! Addresses that people type or browsers ask for by themselves: each leads to where somebody begins.

use axum::{Router, extract::State, response::Response, routing::get};

use super::{App, PageError, PageRequest, assets, in_both_modes, see_other};
use crate::service::sessions::CurrentSession;

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let router = router.route("/", get(begin)).route("/sandbox", get(begin));
    let router = in_both_modes(router, "/login", get(begin));
    // What browsers ask for that have seen no page.
    router.route("/favicon.ico", get(async || see_other(assets::icon())))
}

/// Leads whoever is signed in to his overview, and anybody else to signing in.
async fn begin(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let path = match request.current(&app).await? {
        Some(CurrentSession::Taxpayer(_)) => "/account",
        Some(CurrentSession::Member(_)) => "/organization",
        None => "/sign-in",
    };
    Ok(see_other(&request.path(path)))
}
