//! The page behind the QR code of an invoice. It shows whoever holds the paper that this service sent the document.

use askama::Template;
use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
    routing::get,
};

use super::{
    App, Frame, PageError, PageRequest,
    documents::{Badge, operation, reporting, status},
    in_both_modes,
};
use crate::{
    service::verification::{self, Verified},
    store::{self, Status},
    types::Mode,
};

/// The path of the page, as the links of papers have it (`verification_links`).
const PATH: &str = "/verify/{token}";

pub(super) fn routes(router: Router<App>) -> Router<App> {
    in_both_modes(router, PATH, get(show))
}

#[derive(Template)]
#[template(path = "verification.html")]
struct VerificationPage<'a> {
    frame: Frame<'a>,
    /// The names of the messages with the title and the kind of document.
    title: &'static str,
    verified: &'a Verified,
    kind: &'static str,
    status: Badge,
    reporting: Option<Badge>,
}

async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path(token): Path<String>,
) -> Result<Response, PageError> {
    let reading = app.reading();
    let opened = verification::open(&reading, request.mode, &token).await?;
    // A token that is not genuine costs no access to the table, so only genuine ones are counted.
    let ids = opened.ok_or_else(unknown)?;
    request.count(&app, verification::BY_PLACE, &store::place(request.address)).await?;
    let verified = verification::verify(&reading, request.mode, &ids).await?;
    let verified = &verified.ok_or_else(unknown)?;
    let document = &verified.document;
    let page = VerificationPage {
        frame: request.frame(),
        title: title(request.mode, document.status),
        verified,
        kind: operation(document.operation),
        status: status(document.status),
        reporting: document.reporting.as_ref().map(reporting),
    };
    request.page(StatusCode::OK, &page)
}

/// The name of the title's message.
fn title(mode: Mode, status: Status) -> &'static str {
    match (mode, status) {
        (Mode::Sandbox, _) => "verify-title-sandbox",
        (Mode::Live, Status::Failed | Status::Rejected) => "verify-title-failed",
        (Mode::Live, _) => "verify-title",
    }
}

/// The answer is the same for a wrong token and for a document that was removed.
fn unknown() -> PageError {
    PageError::Explained {
        status: StatusCode::NOT_FOUND,
        title: "verify-unknown-title",
        text: "verify-unknown-text",
        cause: "the link is not genuine, or its document was removed".to_owned(),
    }
}
