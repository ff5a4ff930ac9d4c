//! What a form did: it is answered by a redirect to a page, which says so.

use axum::response::Response;

use super::{PageError, PageRequest, page_request::DONE, see_other};

/// Back to a page, which says what was done.
pub(super) fn done(request: &PageRequest, path: &str, what: &str) -> Response {
    see_other(&format!("{}?{DONE}={what}", request.path(path)))
}

/// The name of the message that says what was done: one of a page's own.
pub(super) fn said(
    request: &PageRequest,
    known: &[(&str, &'static str)],
) -> Result<Option<&'static str>, PageError> {
    let what = request.parameter(DONE)?;
    let found = known.iter().find(|(name, _)| Some(*name) == what.as_deref());
    Ok(found.map(|(_, message)| *message))
}
