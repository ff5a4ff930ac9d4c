//! The front page, and paths that people type or browsers request by themselves.

use askama::Template;
use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
    routing::get,
};

use super::{App, Frame, PageError, PageRequest, assets::ASSETS, in_both_modes, see_other};
use crate::service::sessions::CurrentSession;

#[derive(Template)]
#[template(path = "front.html")]
struct FrontPage<'a> {
    frame: Frame<'a>,
    has_sign_up: bool,
}

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let router = router.route("/", get(front)).route("/sandbox", get(front));
    let router = in_both_modes(router, "/login", get(begin));
    // Browsers request it without having seen a page.
    router.route("/favicon.ico", get(icon))
}

/// The start page of a signed-in person, below the path of the mode.
async fn own_start(app: &App, request: &PageRequest) -> Result<Option<&'static str>, PageError> {
    let current = request.current(app).await?;
    Ok(current.map(|current| match current {
        CurrentSession::Taxpayer(_) => "/account",
        CurrentSession::Member(_) => "/organization",
    }))
}

/// Redirects a signed-in person to its start page, and everybody else to the sign-in page.
async fn begin(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let path = own_start(&app, &request).await?;
    Ok(see_other(&request.path(path.unwrap_or("/sign-in"))))
}

/// What the service is, and where to go; a signed-in person is redirected to its start page.
async fn front(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    match own_start(&app, &request).await? {
        Some(path) => Ok(see_other(&request.path(path))),
        None => {
            let page = FrontPage { frame: request.frame(), has_sign_up: app.sign_up };
            request.page(StatusCode::OK, &page)
        }
    }
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
