//! The documents of a taxpayer: a searchable list, and a page for each document with its history.
//!
//! The pages are functions of a [`Shelf`], which defines whose documents are shown and with which scopes. A taxpayer
//! sees all of its own documents; a member of an organization sees those that the organization's grants allow.

mod correction;
mod download;
pub(super) mod list;
mod one;
mod said;
mod steps;
mod table;
mod timeline;
mod wanted;

use std::collections::BTreeSet;

use axum::{
    Router,
    extract::{Path, State},
    response::Response,
    routing::get,
};

use super::{App, Frame, Nav, PageError, PageRequest, in_both_modes};
use crate::{
    access::{Reader, ReaderKind, Scope},
    service::sessions::SignedIn,
    store::SavedView,
    types::{OrganizationId, TaxpayerId},
};

pub(super) use correction::Correction;
pub(super) use download::Download;
#[cfg(feature = "pdf")]
pub(super) use download::{pdf, pdfs, pdfs_of_all};
pub(super) use list::{list, list_of_all, parties};
pub(super) use one::one;
pub(super) use said::{Badge, operation, reached, reporting, status};
pub(super) use table::{table, table_of_all};
pub(super) use wanted::conditions;

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let router = in_both_modes(router, PATH, get(own_list));
    let router = in_both_modes(router, "/documents/csv", get(own_table));
    let router = in_both_modes(router, "/documents/{document_id}", get(own_document));
    in_both_modes(router, "/documents/{document_id}/{download}", get(own_download))
}

/// The routes of the function `pdf`.
#[cfg(feature = "pdf")]
pub(super) fn printed(router: Router<App>) -> Router<App> {
    let router = in_both_modes(router, "/documents/pdfs", get(own_pdfs));
    in_both_modes(router, "/documents/{document_id}/pdf", get(own_pdf))
}

/// The path of a taxpayer's own documents, below the path of the mode.
const PATH: &str = "/documents";

/// The owner of the documents, and the viewer.
pub(super) struct Shelf<'a> {
    /// The request.
    pub(super) request: &'a PageRequest,
    /// The portal that shows the page.
    pub(super) nav: Nav,
    /// The name of the signed-in person or business.
    pub(super) name: &'a str,
    /// The owner of the documents.
    pub(super) taxpayer_id: &'a TaxpayerId,
    /// The scopes, which limit the documents.
    pub(super) scopes: BTreeSet<Scope>,
    /// The viewing organization. The page of a document shows its events.
    pub(super) hears: Option<&'a OrganizationId>,
    /// The name of the owner and the path of its page, if the viewer is an organization.
    pub(super) of: Option<(String, String)>,
    /// The path of the form that writes documents of the owner, below the path of the mode, if the viewer may write.
    pub(super) write: Option<String>,
    /// The views that the viewer saved, if the viewer can save views.
    pub(super) saved: Option<Vec<SavedView>>,
    /// The path of the list, below the path of the mode; the path of a document adds its identifier.
    pub(super) path: String,
}

impl<'a> Shelf<'a> {
    /// The shelf of a taxpayer's own documents.
    fn own(request: &'a PageRequest, signed_in: &'a SignedIn) -> Self {
        Shelf {
            request,
            nav: Nav::Taxpayer,
            name: &signed_in.taxpayer.name,
            taxpayer_id: &signed_in.taxpayer.taxpayer_id,
            scopes: Scope::ALL.into(),
            hears: None,
            of: None,
            write: None,
            saved: None,
            path: PATH.to_owned(),
        }
    }

    fn frame(&self) -> Frame<'_> {
        self.request.frame_in(self.nav, self.name)
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            mode: self.request.mode,
            taxpayer_id: self.taxpayer_id,
            scopes: &self.scopes,
            kind: ReaderKind::Person,
        }
    }

    fn list_path(&self) -> String {
        self.request.path(&self.path)
    }
}

async fn own_list(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let signed_in = request.signed_in(&app).await?;
    list(&app, &Shelf::own(&request, &signed_in)).await
}

async fn own_table(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let signed_in = request.signed_in(&app).await?;
    table(&app, &Shelf::own(&request, &signed_in)).await
}

async fn own_document(
    State(app): State<App>,
    request: PageRequest,
    Path(document_id): Path<String>,
) -> Result<Response, PageError> {
    let signed_in = request.signed_in(&app).await?;
    one(&app, &Shelf::own(&request, &signed_in), &document_id).await
}

async fn own_download(
    State(app): State<App>,
    request: PageRequest,
    Path((document_id, download)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let signed_in = request.signed_in(&app).await?;
    let download: Download = download.parse()?;
    download.give(&app, &Shelf::own(&request, &signed_in), &document_id).await
}

#[cfg(feature = "pdf")]
async fn own_pdf(
    State(app): State<App>,
    request: PageRequest,
    Path(document_id): Path<String>,
) -> Result<Response, PageError> {
    let signed_in = request.signed_in(&app).await?;
    pdf(&app, &Shelf::own(&request, &signed_in), &document_id).await
}

#[cfg(feature = "pdf")]
async fn own_pdfs(State(app): State<App>, request: PageRequest) -> Result<Response, PageError> {
    let signed_in = request.signed_in(&app).await?;
    pdfs(&app, &Shelf::own(&request, &signed_in)).await
}
