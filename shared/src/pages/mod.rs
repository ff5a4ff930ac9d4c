//! The HTML pages, in English and Arabic, on top of `service`. One small script copies texts, shows times in the
//! reader's time zone and keeps work in progress current; every page works without it.
//!
//! **How a page is made.** A handler takes a [`PageRequest`] (caller, language, mode) or, for a submitted form, a
//! [`Form`]. A form is refused unless a page of this site in the same browser sent it. The handler calls one use case
//! and passes a template to [`PageRequest::page`]. The first field of a template is a [`Frame`]: the messages of the
//! language (`frame.t("name")`, from [`i18n`](crate::i18n)) and the frame of the page. A template extends
//! `layout.html`, has one `h1` and, in each form, the field `form_token`. Errors are pages: a handler returns a
//! [`PageError`]. [`PageRequest::signed_in`] requires a session; it redirects to the sign-in page and back. A page
//! whose form leads to another origin names it by [`FormTarget`].
//!
//! **Requirements for browsers** (ASVS 5, 3.1.1 and 3.7.5): TLS, and cookies, if possible with the `__Host-` prefix. A
//! browser without cookies cannot submit forms; the error page says so. Content Security Policy, `Sec-Fetch-Site` and
//! HSTS add protection in browsers that support them; no protection depends on them alone.
//!
//! All content comes from this origin. No page of another site can frame, read or open a page of this site.

mod account;
pub(crate) mod assets;
mod chart;
mod conditions;
mod connect;
mod cookies;
mod documents;
mod done;
mod doors;
mod edge;
mod error;
mod excerpt;
mod form;
mod frame;
mod icons;
mod link_pages;
mod nav;
mod onboard;
mod organization;
mod page_request;
mod part;
pub(crate) mod security;
mod service_status;
mod sign_in;
#[cfg(test)]
mod tests;
mod theme;
mod verify;

use std::sync::Arc;

use axum::{
    Router,
    http::Method,
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};

pub use error::PageError;
#[cfg(test)]
pub use form::MAX_BYTES;
pub use form::{Form, LargeForm, Upload};
pub use frame::Frame;
pub use icons::Icon;
pub use nav::Nav;
pub use page_request::{PageRequest, SANDBOX, see_other};
pub use security::FormTarget;
pub use theme::Theme;

use self::assets::Look;
use crate::service::Portal;

/// The state of all handlers.
pub type App = Arc<Portal>;

/// The router of all pages: those of this module, and `further` ones with the same middleware. It answers every path
/// and has a fallback: merge other routes into it, or route them first.
pub fn router(app: App, further: Router<App>) -> Router {
    let people = onboard::routes(connect::routes(sign_in::routes(further)));
    let people = verify::routes(documents::routes(account::routes(people)));
    let people = service_status::routes(doors::routes(people));
    finished(app, organization::beside_accounts(people))
}

/// Adds the middleware of all pages.
fn finished(app: App, pages: Router<App>) -> Router {
    let look = Arc::new(Look::new(assets::ASSETS, &app.brand));
    pages
        .route(assets::ROUTE, get(doors::asset))
        .fallback(async || PageError::NotFound)
        .method_not_allowed_fallback(other_method)
        .layer(middleware::from_fn_with_state((app.clone(), look), edge::finish))
        .with_state(app)
}

/// A form's address in the address bar leads to the page of the form, which is one step above.
async fn other_method(request: PageRequest, method: Method) -> Response {
    match request.path_alone().rsplit_once('/') {
        Some((page, _)) if method.is_safe() => see_other(if page.is_empty() { "/" } else { page }),
        _ => PageError::MethodNotAllowed.into_response(),
    }
}

/// The pages of taxpayers and the sign-in pages; also the form of organizations that ends a grant.
pub fn portal(portal: Portal) -> Router {
    router(Arc::new(portal), Router::new())
}

/// The pages of an organization's members after sign-in.
pub fn organization(portal: Portal) -> Router {
    finished(Arc::new(portal), organization::routes(Router::new()))
}

/// The PDF of a document, for both.
#[cfg(feature = "pdf")]
pub fn pdf(portal: Portal) -> Router {
    let pages = organization::printed(documents::printed(Router::new()));
    finished(Arc::new(portal), pages)
}

/// Adds a page to Live and to Sandbox.
pub fn in_both_modes(router: Router<App>, path: &str, page: MethodRouter<App>) -> Router<App> {
    router.route(path, page.clone()).route(&format!("{SANDBOX}{path}"), page)
}
