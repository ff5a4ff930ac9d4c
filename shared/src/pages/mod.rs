//! The pages that people see, over `service`: rendered here, in English and Arabic. One small script
//! copies texts and says times as they are where the reader is; everything works without it.
//!
//! **How a page is made.** A handler takes a [`PageRequest`] (who asks, in which language, Live or Sandbox) or, for what a form
//! sends, a [`Form`], which is refused unless a page of ours in the same browser sent it. It calls one use case and gives
//! [`PageRequest::page`] a template, whose first field is a [`Frame`]: the words of the language (`frame.t("name")`, from
//! [`i18n`](crate::i18n)) and what surrounds each page. A template extends `layout.html`, has one `h1` and, in each
//! form, the field `form_token`. Errors are pages: a handler returns a [`PageError`]. Who must be signed in is asked by
//! [`PageRequest::signed_in`], which leads there and back. A page whose form leads to another origin says to which, by
//! [`FormTarget`].
//!
//! **What is asked of browsers** (ASVS 5, 3.1.1 and 3.7.5): TLS, and cookies, whose `__Host-` prefix they should know.
//! One that keeps no cookies can send no form, and is told so by the page on a form that was refused. Content Security
//! Policy, `Sec-Fetch-Site` and HSTS protect whoever's browser knows them, and nothing depends on them alone.
//!
//! Everything is served from this origin; nobody else's page can frame, read or open one of ours.

mod account;
pub(crate) mod assets;
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
mod nav;
mod onboard;
mod organization;
mod page_request;
mod part;
pub(crate) mod security;
mod sign_in;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::{
    Router, middleware,
    routing::{MethodRouter, get},
};

pub use error::PageError;
pub use form::{Form, MAX_BYTES, MAX_FIELDS, Upload};
pub use frame::Frame;
pub use nav::{Entry, Nav, Place};
pub use page_request::{PageRequest, SANDBOX, see_other};
pub use security::FormTarget;

use crate::service::Portal;

/// What every handler needs.
pub type App = Arc<Portal>;

/// All pages: those of this module, and `further` ones, which are treated like them. It answers whatever path it is
/// asked for, and has a fallback: merge what is no page into it, or serve that before it.
pub fn router(app: App, further: Router<App>) -> Router {
    let people = onboard::routes(connect::routes(sign_in::routes(further)));
    let people = doors::routes(documents::routes(account::routes(people)));
    finished(app, organization::beside_accounts(people))
}

/// Pages with what each has around it.
fn finished(app: App, pages: Router<App>) -> Router {
    pages
        .route(assets::ROUTE, get(assets::get))
        .fallback(async || PageError::NotFound)
        .method_not_allowed_fallback(async || PageError::MethodNotAllowed)
        .layer(middleware::from_fn_with_state(app.clone(), edge::finish))
        .with_state(app)
}

/// What taxpayers see, and signing in; and the one form of organizations that ends a grant.
pub fn portal(portal: Portal) -> Router {
    router(Arc::new(portal), Router::new())
}

/// What members of organizations see once they have signed in.
pub fn organization(portal: Portal) -> Router {
    finished(Arc::new(portal), organization::routes(Router::new()))
}

/// What both see of a document as PDF.
#[cfg(feature = "pdf")]
pub fn pdf(portal: Portal) -> Router {
    let pages = organization::printed(documents::printed(Router::new()));
    finished(Arc::new(portal), pages)
}

/// A page that both Live and Sandbox have.
pub fn in_both_modes(router: Router<App>, path: &str, page: MethodRouter<App>) -> Router<App> {
    router.route(path, page.clone()).route(&format!("{SANDBOX}{path}"), page)
}
