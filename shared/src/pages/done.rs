//! Success notices: a form is answered by a redirect to a page, which shows the notice.

use axum::response::Response;

use super::{PageError, PageRequest, page_request::DONE, see_other};

/// Redirects to a page, which shows what was done.
pub(super) fn done(request: &PageRequest, path: &str, what: &str) -> Response {
    see_other(&format!("{}?{DONE}={what}", request.path(path)))
}

/// The name of the notice's message, from those of a page.
pub(super) fn said(
    request: &PageRequest,
    known: &[(&str, &'static str)],
) -> Result<Option<&'static str>, PageError> {
    let what = request.parameter(DONE)?;
    let found = known.iter().find(|(name, _)| Some(*name) == what.as_deref());
    Ok(found.map(|(_, message)| *message))
}
