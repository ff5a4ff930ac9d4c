//! The documents of all businesses of an organization, and a document in the tables of the start page.

use axum::{extract::State, response::Response};
use jiff::Timestamp;

use super::{
    super::{
        App, Frame, PageError, PageRequest,
        documents::{self, Badge},
        excerpt::cut,
    },
    frame, path_of_document,
};
use crate::{access::Permission, store::DocumentRecord};

/// The path, below that of the mode.
pub(super) const PATH: &str = "/organization/documents";
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

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let list = (&member.member, PATH);
    documents::list_of_all(&app, &request, frame(&request, &member), list, path_of_document).await
}

pub(super) async fn table(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    documents::table_of_all(&app, &request, &member.member.organization_id).await
}

#[cfg(feature = "pdf")]
pub(super) async fn pdfs(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.known_member(&app, Permission::Look).await?;
    documents::pdfs_of_all(&app, &request, &member.member.organization_id).await
}
