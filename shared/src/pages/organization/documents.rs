//! The documents of a connected business, limited to those that the organization's grants allow its software to read.

use axum::{
    extract::{Path, State},
    response::Response,
};

use super::{
    super::{
        App, PageError, PageRequest,
        documents::{self, Download, Shelf, list, one},
        nav::Nav,
    },
    connected, imports, path_of_taxpayer,
};
use crate::{
    access::{Permission, Scope, Taxpayer, TaxpayerStatus},
    service::{saved_views, sessions::SignedInMember, taxpayers::Connected},
    types::TaxpayerId,
};

/// Whether documents are visible: as in the API, only for an active business (specification 3.4).
pub(super) fn are_seen(connected: &Connected) -> bool {
    let scopes = connected.grants.iter().flat_map(|grant| &grant.scopes);
    let mut reads =
        scopes.filter(|scope| matches!(scope, Scope::InvoicesRead | Scope::InboundRead));
    connected.taxpayer.status == TaxpayerStatus::Active && reads.next().is_some()
}

/// The path of the documents of a business, below the path of the mode.
pub(super) fn path_of_list(taxpayer_id: &TaxpayerId) -> String {
    format!("{}/documents", path_of_taxpayer(taxpayer_id))
}

/// The member, and the business.
async fn found(
    app: &App,
    request: &PageRequest,
    taxpayer_id: &str,
) -> Result<(SignedInMember, Connected), PageError> {
    let member = request.member(app, Permission::Look).await?;
    let connected = connected(app, &member, taxpayer_id, are_seen).await?;
    Ok((member, connected))
}

fn shelf<'a>(
    request: &'a PageRequest,
    member: &'a SignedInMember,
    connected: &'a Connected,
) -> Shelf<'a> {
    let Taxpayer { taxpayer_id, .. } = &connected.taxpayer;
    Shelf {
        request,
        nav: Nav::Member(member.member.role),
        name: &member.organization.name,
        taxpayer_id,
        scopes: connected.grants.iter().flat_map(|grant| &grant.scopes).copied().collect(),
        hears: Some(&member.organization.organization_id),
        of: Some((connected.name().to_owned(), format!("/organization/taxpayers/{taxpayer_id}"))),
        write: (member.member.role.may(Permission::Develop) && imports::are_taken(connected))
            .then(|| format!("{}/write", path_of_taxpayer(taxpayer_id))),
        saved: None,
        path: path_of_list(taxpayer_id),
    }
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let (member, connected) = found(&app, &request, &taxpayer_id).await?;
    let saved = saved_views::list(&app.ctx, request.mode, &member.member).await?;
    list(&app, &Shelf { saved: Some(saved), ..shelf(&request, &member, &connected) }).await
}

pub(super) async fn table(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let (member, connected) = found(&app, &request, &taxpayer_id).await?;
    documents::table(&app, &shelf(&request, &member, &connected)).await
}

pub(super) async fn show_one(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, document_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let (member, connected) = found(&app, &request, &taxpayer_id).await?;
    one(&app, &shelf(&request, &member, &connected), &document_id).await
}

pub(super) async fn download(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, document_id, download)): Path<(String, String, String)>,
) -> Result<Response, PageError> {
    let (member, connected) = found(&app, &request, &taxpayer_id).await?;
    let download: Download = download.parse()?;
    download.give(&app, &shelf(&request, &member, &connected), &document_id).await
}

#[cfg(feature = "pdf")]
pub(super) async fn pdf(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, document_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let member = request.known_member(&app, Permission::Look).await?;
    let connected = connected(&app, &member, &taxpayer_id, are_seen).await?;
    crate::pages::documents::pdf(&app, &shelf(&request, &member, &connected), &document_id).await
}

#[cfg(feature = "pdf")]
pub(super) async fn pdfs(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.known_member(&app, Permission::Look).await?;
    let connected = connected(&app, &member, &taxpayer_id, are_seen).await?;
    documents::pdfs(&app, &shelf(&request, &member, &connected)).await
}
