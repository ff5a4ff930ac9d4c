//! The validator for everybody: a page that takes UBL, or JSON of a send, and shows every finding at its line, and the
//! document as people read it. Nothing is stored or logged of what it takes.

mod given;
mod judged;
#[cfg(test)]
mod tests;

use askama::Template;
use axum::{
    body::Bytes,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

use self::{
    given::Given,
    judged::{Judged, judge},
};
use super::{VALIDATOR, page, pages::frame::Around};
use crate::{
    i18n::Language,
    pages::security,
    rendering::{self, Languages, Rendering},
};

/// Maximum bytes of a document. A request of Lambda has 6 MB in Base64.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Maximum bytes of a form: a document and its other fields.
pub(super) const MAX_FORM: usize = MAX_BYTES + 64 * 1024;
/// Maximum bytes of a document that the page returns to be changed.
const MAX_EDITABLE: usize = 200 * 1024;

#[derive(Template)]
#[template(path = "docs/validator.html")]
struct ValidatorPage<'a> {
    around: Around,
    most: usize,
    /// The document, to be changed. `None` if it is too long for that.
    text: Option<&'a str>,
    problem: Option<&'a str>,
    judged: Option<&'a Judged>,
}

impl<'a> ValidatorPage<'a> {
    fn new() -> Self {
        ValidatorPage {
            around: Around::new("Validator", VALIDATOR),
            most: MAX_BYTES / 1024 / 1024,
            text: Some(""),
            problem: None,
            judged: None,
        }
    }

    fn refused(problem: &'a str) -> Response {
        let template = ValidatorPage { problem: Some(problem), ..Self::new() };
        (StatusCode::BAD_REQUEST, page(&template)).into_response()
    }
}

/// The empty form.
pub(super) async fn show() -> Response {
    page(&ValidatorPage::new())
}

/// Validates a document, or shows it as people read it.
pub(super) async fn take(headers: HeaderMap, body: Bytes) -> Response {
    let given = match Given::read(&headers, body).await {
        Ok(given) => given,
        Err(problem) => return unstored(ValidatorPage::refused(problem)),
    };
    let judged = match judge(&given.document) {
        Ok(judged) => judged,
        Err(problem) => {
            let page = ValidatorPage { problem: Some(&problem), ..ValidatorPage::new() };
            let text = editable(&given.document);
            let page = super::page(&ValidatorPage { text, ..page });
            return unstored((StatusCode::BAD_REQUEST, page).into_response());
        }
    };
    if given.is_view {
        return unstored(view(&judged));
    }
    let text = editable(&given.document);
    unstored(page(&ValidatorPage { text, judged: Some(&judged), ..ValidatorPage::new() }))
}

/// The document as a text that a form returns.
fn editable(document: &[u8]) -> Option<&str> {
    std::str::from_utf8(document).ok().filter(|text| text.len() <= MAX_EDITABLE)
}

/// The document as people read it, with its findings. Its policy forbids everything active.
fn view(judged: &Judged) -> Response {
    let Some(ubl) = &judged.ubl else {
        return ValidatorPage::refused(
            "This document has no view: it is no invoice or credit note.",
        );
    };
    let findings: Vec<_> = judged.findings.iter().map(|it| it.finding.clone()).collect();
    let rendering = Rendering::of(Languages::One(Language::English)).with_findings(&findings);
    match rendering::html_of(ubl, &rendering) {
        Ok(shown) => security::preview_of(shown),
        Err(_) => ValidatorPage::refused("This document cannot be shown: it lacks too much."),
    }
}

/// No cache may keep what somebody sent.
fn unstored(response: Response) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], response).into_response()
}
