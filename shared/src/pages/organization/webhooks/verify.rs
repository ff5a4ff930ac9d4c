//! The page with code that verifies deliveries.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use crate::{
    access::Permission,
    pages::{
        App, Frame, PageError, PageRequest,
        organization::{deliveries, frame},
    },
};

#[derive(Template)]
#[template(path = "organization/verify.html")]
struct VerifyPage<'a> {
    frame: Frame<'a>,
    snippets: &'static [deliveries::Snippet],
}

/// The page with code that verifies deliveries.
pub(in crate::pages::organization) async fn verify(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let page = VerifyPage { frame: frame(&request, &member), snippets: deliveries::VERIFY };
    request.page(StatusCode::OK, &page)
}
