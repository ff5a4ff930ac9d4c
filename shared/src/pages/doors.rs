//! Addresses that people type or browsers ask for by themselves: each leads to where somebody begins.

use axum::{Router, extract::State, response::Response, routing::get};

use super::{House, PageError, Visit, assets, in_both_modes, see_other};
use crate::service::sessions::Current;

pub(super) fn routes(router: Router<House>) -> Router<House> {
    let router = router.route("/", get(begin)).route("/sandbox", get(begin));
    let router = in_both_modes(router, "/login", get(begin));
    // What browsers ask for that have seen no page.
    router.route("/favicon.ico", get(async || see_other(assets::icon())))
}

/// Leads whoever is signed in to his overview, and anybody else to signing in.
async fn begin(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let path = match visit.current(&house).await? {
        Some(Current::Taxpayer(_)) => "/account",
        Some(Current::Member(_)) => "/organization",
        None => "/sign-in",
    };
    Ok(see_other(&visit.path(path)))
}
