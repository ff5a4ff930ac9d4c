//! Where a member begins: what wants to be looked at, and the way to everything else.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{Frame, House, PageError, Visit, sign_in::role as role_name},
    Who, frame,
};

#[derive(Template)]
#[template(path = "organization/overview.html")]
struct OverviewPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let member = visit.any_member(&house).await?;
    let page = OverviewPage { frame: frame(&visit, &member), who: Who { member: &member } };
    visit.page(StatusCode::OK, &page)
}
