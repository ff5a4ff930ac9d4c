//! The documents of a business that the organization acts for: those that its grants let its software read.

use axum::{
    extract::{Path, State},
    response::Response,
};

use super::{
    super::{
        House, PageError, Visit,
        documents::{Download, Shelf, list, one},
        nav::Nav,
    },
    taxpayers::connected,
};
use crate::{
    access::{Permission, Scope, Taxpayer, TaxpayerStatus},
    service::{sessions::SignedInMember, taxpayers::Connected},
};

/// Whether there is anything to be seen: of a business that is not active the software reads nothing either
/// (specification 3.4).
pub(super) fn are_seen(connected: &Connected) -> bool {
    let scopes = connected.grants.iter().flat_map(|grant| &grant.scopes);
    let mut reads =
        scopes.filter(|scope| matches!(scope, Scope::InvoicesRead | Scope::InboundRead));
    connected.taxpayer.status == TaxpayerStatus::Active && reads.next().is_some()
}

/// Who asks, and the business.
async fn found(
    house: &House,
    visit: &Visit,
    taxpayer_id: &str,
) -> Result<(SignedInMember, Connected), PageError> {
    let member = visit.member(house, Permission::Look).await?;
    let connected = connected(house, &member, taxpayer_id, are_seen).await?;
    Ok((member, connected))
}

fn shelf<'a>(visit: &'a Visit, member: &'a SignedInMember, connected: &'a Connected) -> Shelf<'a> {
    let Taxpayer { taxpayer_id, name, .. } = &connected.taxpayer;
    // It has a name where a grant lets that be read (specification 5.3).
    let name = if connected.shows_details() { name } else { taxpayer_id.as_str() };
    Shelf {
        visit,
        nav: Nav::Member(member.member.role),
        name: &member.organization.name,
        taxpayer_id,
        scopes: connected.grants.iter().flat_map(|grant| &grant.scopes).copied().collect(),
        hears: Some(&member.organization.organization_id),
        of: Some((name.to_owned(), format!("/organization/taxpayers/{taxpayer_id}"))),
        path: format!("/organization/taxpayers/{taxpayer_id}/documents"),
    }
}

pub(super) async fn show(
    State(house): State<House>,
    visit: Visit,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let (member, connected) = found(&house, &visit, &taxpayer_id).await?;
    list(&house, &shelf(&visit, &member, &connected)).await
}

pub(super) async fn show_one(
    State(house): State<House>,
    visit: Visit,
    Path((taxpayer_id, document_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let (member, connected) = found(&house, &visit, &taxpayer_id).await?;
    one(&house, &shelf(&visit, &member, &connected), &document_id).await
}

pub(super) async fn download(
    State(house): State<House>,
    visit: Visit,
    Path((taxpayer_id, document_id, download)): Path<(String, String, String)>,
) -> Result<Response, PageError> {
    let (member, connected) = found(&house, &visit, &taxpayer_id).await?;
    let download: Download = download.parse()?;
    download.give(&house, &shelf(&visit, &member, &connected), &document_id).await
}

#[cfg(feature = "pdf")]
pub(super) async fn pdf(
    State(house): State<House>,
    visit: Visit,
    Path((taxpayer_id, document_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let member = visit.known_member(&house, Permission::Look).await?;
    let connected = connected(&house, &member, &taxpayer_id, are_seen).await?;
    crate::pages::documents::pdf(&house, &shelf(&visit, &member, &connected), &document_id).await
}
