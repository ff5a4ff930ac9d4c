//! The documents of a taxpayer: a list that can be searched, and a page for each with all that became of it.
//!
//! The pages are functions of a [`Shelf`], which says whose documents they show and with which scopes: a taxpayer has all
//! of its own, a member of an organization what its grants on the taxpayer allow.

mod download;
pub(super) mod list;
mod one;
mod said;
mod timeline;

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
    types::{OrganizationId, TaxpayerId},
};

pub(super) use download::Download;
#[cfg(feature = "pdf")]
pub(super) use download::pdf;
pub(super) use list::list;
pub(super) use one::one;
pub(super) use said::{Badge, reached};

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let router = in_both_modes(router, PATH, get(own_list));
    let router = in_both_modes(router, "/documents/{document_id}", get(own_document));
    in_both_modes(router, "/documents/{document_id}/{download}", get(own_download))
}

/// What the function `pdf` serves of them.
#[cfg(feature = "pdf")]
pub(super) fn printed(router: Router<App>) -> Router<App> {
    in_both_modes(router, "/documents/{document_id}/pdf", get(own_pdf))
}

/// Where a taxpayer has its own documents, below the path of the mode.
const PATH: &str = "/documents";

/// Whose documents are shown to whom.
pub(super) struct Shelf<'a> {
    /// Who asks.
    pub(super) request: &'a PageRequest,
    /// In whose portal.
    pub(super) nav: Nav,
    /// Who is signed in, by name.
    pub(super) name: &'a str,
    /// Whose documents.
    pub(super) taxpayer_id: &'a TaxpayerId,
    /// Which of them.
    pub(super) scopes: BTreeSet<Scope>,
    /// The organization that asks, whose events about a document are shown with it.
    pub(super) hears: Option<&'a OrganizationId>,
    /// Whose they are, where that is not who is signed in: its name, and its page below the path of the mode.
    pub(super) of: Option<(String, String)>,
    /// Where the list is, below the path of the mode; a document is below that by its identifier.
    pub(super) path: String,
}

impl<'a> Shelf<'a> {
    /// A taxpayer's own.
    fn own(request: &'a PageRequest, signed_in: &'a SignedIn) -> Self {
        Shelf {
            request,
            nav: Nav::Taxpayer,
            name: &signed_in.taxpayer.name,
            taxpayer_id: &signed_in.taxpayer.taxpayer_id,
            scopes: Scope::ALL.into(),
            hears: None,
            of: None,
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
