//! What became of a written document: on its way, sent, or refused.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use super::{
    super::{
        super::{App, Frame, PageError, PageRequest, see_other},
        connected, documents, frame, imports, path_of_document,
    },
    path_of,
};
use crate::{
    access::Permission,
    error::Code,
    service::imports::{Outcome, OutcomeKind, get, outcome_of_written},
    store::ImportRecord,
};

#[derive(Template)]
#[template(path = "organization/write_sent.html")]
struct SentPage<'a> {
    frame: Frame<'a>,
    business: &'a str,
    /// The path of a new form, and of the drafts.
    path: String,
    import: &'a ImportRecord,
    outcome: Option<&'a Outcome>,
    /// Whether the page waits for the outcome.
    is_running: bool,
    is_sent: bool,
    is_refused: bool,
    /// Whether the tax authority must withdraw a report before the correction can be sent.
    is_withdrawing: bool,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, import_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let connected = connected(&app, &member, &taxpayer_id, imports::are_taken).await?;
    let import = get(&app.ctx, imports::owner(&member, &connected), &import_id).await?;
    let outcome = outcome_of_written(&app.reading(), &import).await?;
    let document = outcome.as_ref().and_then(|outcome| outcome.document_id.as_ref());
    if let Some(document_id) = document.filter(|_| documents::are_seen(&connected)) {
        let path = path_of_document(&connected.taxpayer.taxpayer_id, document_id);
        return Ok(see_other(&request.path(&path)));
    }
    let kind = outcome.as_ref().map(|outcome| outcome.outcome);
    let page = SentPage {
        frame: frame(&request, &member),
        business: connected.name(),
        path: request.path(&path_of(&connected)),
        import: &import,
        is_running: outcome.is_none() && import.parked.is_none(),
        is_sent: matches!(kind, Some(OutcomeKind::Accepted | OutcomeKind::AlreadySent)),
        is_refused: kind == Some(OutcomeKind::Refused),
        is_withdrawing: outcome.as_ref().and_then(|outcome| outcome.code)
            == Some(Code::CorrectionRecoveryPending),
        outcome: outcome.as_ref(),
    };
    request.page(StatusCode::OK, &page)
}
