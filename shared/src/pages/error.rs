//! Errors as pages: they say what happened and what to do, without internal details.

use std::sync::Arc;

use askama::Template;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{Frame, PageRequest, see_other};
use crate::{
    error::{Code, Failure},
    store::Taken,
};

/// The reason for an error. The edge renders it, where the language and id of the request are known.
#[derive(Debug)]
pub enum PageError {
    /// The path does not exist.
    NotFound,
    /// The path exists, but not with this method.
    MethodNotAllowed,
    /// A form or a parameter is invalid; the text is for the log.
    Unreadable(String),
    /// A form is larger than the limit.
    TooLarge,
    /// A form was not sent by a page of this site in this browser; the text is for the log.
    Forged(&'static str),
    /// Too many attempts; contains the rest of the window.
    TooOften(Taken),
    /// The person must sign in first, at this path.
    SignInFirst(String),
    /// An error with its own messages: the names of a title and of a text.
    Explained {
        /// The status of the answer.
        status: StatusCode,
        /// The name of the message with the title.
        title: &'static str,
        /// The name of the message with the text.
        text: &'static str,
        /// The cause, for the log.
        cause: String,
    },
    /// A use case failed.
    Failed(Failure),
}

impl From<Failure> for PageError {
    fn from(failure: Failure) -> Self {
        PageError::Failed(failure)
    }
}

impl PageError {
    /// The status, and the message names of title and text.
    fn parts(&self) -> (StatusCode, &'static str, &'static str) {
        match self {
            PageError::NotFound => {
                (StatusCode::NOT_FOUND, "error-not-found-title", "error-not-found-text")
            }
            PageError::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "error-method-title", "error-method-text")
            }
            PageError::Unreadable(_) => {
                (StatusCode::BAD_REQUEST, "error-form-title", "error-form-text")
            }
            PageError::TooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, "error-large-title", "error-large-text")
            }
            PageError::Forged(_) => {
                (StatusCode::FORBIDDEN, "error-forged-title", "error-forged-text")
            }
            PageError::TooOften(_) => {
                (StatusCode::TOO_MANY_REQUESTS, "error-often-title", "error-often-text")
            }
            // A redirect without a page.
            PageError::SignInFirst(_) => (StatusCode::SEE_OTHER, "sign-in-title", "sign-in-intro"),
            PageError::Explained { status, title, text, .. } => (*status, title, text),
            PageError::Failed(failure) => match failure.code {
                Code::NotFound => {
                    (StatusCode::NOT_FOUND, "error-not-found-title", "error-not-found-text")
                }
                Code::InvalidRequest => {
                    (StatusCode::BAD_REQUEST, "error-form-title", "error-form-text")
                }
                Code::ServiceUnavailable => {
                    (StatusCode::SERVICE_UNAVAILABLE, "error-down-title", "error-down-text")
                }
                _ => (StatusCode::INTERNAL_SERVER_ERROR, "error-ours-title", "error-ours-text"),
            },
        }
    }

    /// The cause, only for the log, without any input of the caller.
    pub(super) fn cause(&self) -> String {
        match self {
            PageError::NotFound => "the page does not exist".to_owned(),
            PageError::MethodNotAllowed => "the page does not support the method".to_owned(),
            PageError::Unreadable(why) | PageError::Explained { cause: why, .. } => why.clone(),
            PageError::TooLarge => "the form is too large".to_owned(),
            PageError::Forged(why) => (*why).to_owned(),
            PageError::TooOften(_) => "too many attempts".to_owned(),
            PageError::SignInFirst(_) => "nobody is signed in".to_owned(),
            PageError::Failed(failure) => failure.cause(),
        }
    }
}

impl PageError {
    /// Whether another system failed, and not this service.
    pub(super) fn is_due_to_others(&self) -> bool {
        matches!(self, PageError::Failed(failure) if failure.code.is_due_to_others())
    }
}

/// Passes the error to the edge.
impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = self.parts().0.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: Frame<'a>,
    title: &'a str,
    text: &'a str,
    minutes: Option<u32>,
}

/// The page of an error.
pub(super) fn page(request: &PageRequest, error: &PageError) -> Response {
    if let PageError::SignInFirst(location) = error {
        return see_other(location);
    }
    let (status, title, text) = error.parts();
    let taken = match error {
        PageError::TooOften(taken) => Some(taken),
        _ => None,
    };
    // Rounded up, so that a request at this time is admitted.
    let minutes =
        taken.map(|taken| u32::try_from((taken.wait.as_secs() + 59) / 60).unwrap_or(u32::MAX));
    let template = ErrorPage { frame: request.frame(), title, text, minutes };
    let mut response = request.page(status, &template).unwrap_or_else(|_| status.into_response());
    if let Some(taken) = taken {
        // RFC 9110, section 10.2.3; RFC 6585, section 4.
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(taken.wait.as_secs()));
    }
    response
}
