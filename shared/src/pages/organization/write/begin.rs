//! The choice of the business that a new document is for.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{
        super::{App, Frame, PageError, PageRequest, see_other},
        CURSOR, PAGE, caller, frame, imports,
    },
    SAMPLE, path_of,
};
use crate::{
    access::Permission,
    service::{page::PageQuery, taxpayers},
};

#[derive(Template)]
#[template(path = "organization/write_begin.html")]
struct BeginPage<'a> {
    frame: Frame<'a>,
    /// The name of each business, and the path of its form.
    businesses: Vec<(String, String)>,
    first: Option<String>,
    next: Option<String>,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Develop).await?;
    let cursor = request.parameter(CURSOR)?;
    let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let filter = taxpayers::Filter::default();
    let found = taxpayers::list(&app.ctx, &caller(&member), &filter, asked).await?;
    let sending = found.items.iter().filter(|connected| imports::are_taken(connected));
    let businesses: Vec<_> = sending
        .map(|connected| (connected.name().to_owned(), request.path(&path_of(connected))))
        .collect();
    let is_sample = request.parameter(SAMPLE)?.is_some();
    // A single business needs no choice, and a sample may be of any business.
    match (&businesses[..], &cursor, &found.next_cursor) {
        ([(_, path), ..], _, _) if is_sample => {
            return Ok(see_other(&format!("{path}?{SAMPLE}=yes")));
        }
        ([(_, path)], None, None) => return Ok(see_other(path)),
        _ => {}
    }
    let page = BeginPage {
        frame: frame(&request, &member),
        businesses,
        first: cursor.is_some().then(|| request.path("/organization/write")),
        next: found.next_cursor.map(|cursor| request.further(CURSOR, &cursor)),
    };
    request.page(StatusCode::OK, &page)
}
