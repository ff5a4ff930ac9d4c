//! The pages about links in mails that sign-in and sign-up share.

use askama::Template;
use axum::{http::StatusCode, response::Response};

use super::{Frame, PageError, PageRequest};
use crate::service::sign_in::LINK_VALID;

/// The page after a link was requested.
#[derive(Template)]
#[template(path = "sign_in/sent.html")]
struct SentPage<'a> {
    frame: Frame<'a>,
    text: &'static str,
    minutes: u32,
    again: (String, &'static str),
}

/// Says that a link was sent. `text` is the name of a message; `again` is the path for another link, and the name of
/// its message.
pub(super) fn sent(
    request: &PageRequest,
    text: &'static str,
    again: (String, &'static str),
) -> Result<Response, PageError> {
    let minutes = u32::try_from(LINK_VALID.as_mins()).unwrap_or_default();
    request.page(StatusCode::OK, &SentPage { frame: request.frame(), text, minutes, again })
}

/// The page of a link that cannot be used, with the reason.
#[derive(Template)]
#[template(path = "sign_in/useless.html")]
pub(super) struct UselessPage<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
    pub(super) help: Option<&'static str>,
    /// The path of the button, and the name of its message.
    pub(super) next: (String, &'static str),
}
