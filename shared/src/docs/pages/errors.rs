//! The pages of error codes.

use askama::Template;
use axum::response::Response;

use super::{super::page, frame::Around};
use crate::{
    api::{DOCS, ERRORS_PAGE},
    docs::codes::{self, ExplainedCode},
};

/// The list of all codes. Links of errors lead to its anchors.
#[derive(Template)]
#[template(path = "docs/errors.html")]
pub(in crate::docs) struct ErrorsPage {
    around: Around,
    codes: Vec<ExplainedCode>,
}

impl ErrorsPage {
    pub(in crate::docs) fn new() -> Self {
        let path = format!("{DOCS}/{ERRORS_PAGE}");
        ErrorsPage { around: Around::new("Error codes", path), codes: codes::all() }
    }
}

/// The page of a code, with a request and its answer.
#[derive(Template)]
#[template(path = "docs/error.html")]
struct ErrorPage {
    around: Around,
    code: ExplainedCode,
}

/// The page of a code by its name.
pub(in crate::docs) fn of(name: &str) -> Option<Response> {
    let code = codes::find(name)?;
    let path = format!("{DOCS}/{ERRORS_PAGE}/{name}");
    Some(page(&ErrorPage { around: Around::new(name, path), code }))
}
