//! The latest documents of all businesses of an organization.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;

use super::{
    super::{
        App, Frame, PageError, PageRequest,
        documents::{self, Badge},
        excerpt::cut,
    },
    frame, path_of_document,
};
use crate::{access::Permission, service::overview, store::DocumentRecord};

/// Documents on the page.
const MOST: usize = 50;
/// Characters of a name.
const NAME_SHOWN: usize = 60;

/// A document in a table.
pub(super) struct Recent {
    /// Its path, below that of the mode.
    pub(super) path: String,
    pub(super) number: String,
    pub(super) business: String,
    pub(super) other: String,
    pub(super) at: Timestamp,
    pub(super) total: String,
    pub(super) status: Badge,
}

impl Recent {
    pub(super) fn of(frame: &Frame<'_>, document: &DocumentRecord) -> Self {
        let (business, other) = documents::parties(document);
        Recent {
            path: path_of_document(&document.taxpayer_id, &document.document_id),
            number: document.number.clone(),
            business: cut(&business.name, NAME_SHOWN),
            other: cut(&other.name, NAME_SHOWN),
            at: document.created_at,
            total: frame.amount(&document.currency, &document.total_with_vat),
            status: documents::status(document.status),
        }
    }
}

#[derive(Template)]
#[template(path = "organization/recent.html")]
struct RecentPage<'a> {
    frame: Frame<'a>,
    documents: Vec<Recent>,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let organization_id = &member.member.organization_id;
    let found = overview::latest_documents(&app.ctx, request.mode, organization_id, MOST).await?;
    let frame = frame(&request, &member);
    let documents = found.iter().map(|document| Recent::of(&frame, document)).collect();
    request.page(StatusCode::OK, &RecentPage { frame, documents })
}
