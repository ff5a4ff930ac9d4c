//! Paths that people type or browsers request by themselves; each redirects to a start page.

use axum::{
    Router,
    extract::{Path, State},
    response::Response,
    routing::get,
};

use super::{App, PageError, PageRequest, assets::ASSETS, in_both_modes, see_other};
use crate::service::sessions::CurrentSession;

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let router = router.route("/", get(begin)).route("/sandbox", get(begin));
    let router = in_both_modes(router, "/login", get(begin));
    // Browsers request it without having seen a page.
    router.route("/favicon.ico", get(icon))
}

/// Redirects a signed-in person to the overview, and everybody else to the sign-in page.
async fn begin(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let path = match request.current(&app).await? {
        Some(CurrentSession::Taxpayer(_)) => "/account",
        Some(CurrentSession::Member(_)) => "/organization",
        None => "/sign-in",
    };
    Ok(see_other(&request.path(path)))
}

/// Redirects to the icon, whose path depends on the look of the service.
async fn icon(request: PageRequest) -> Response {
    see_other(&request.look.icon.path)
}

/// Returns an asset.
pub(super) async fn asset(
    request: PageRequest,
    Path(name): Path<String>,
) -> Result<Response, PageError> {
    let asset = request.look.asset(&format!("{ASSETS}/{name}"));
    Ok(asset.ok_or(PageError::NotFound)?.answer())
}
