//! Reading documents back.

use axum::{
    Json,
    extract::State,
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use super::{
    App,
    error::ApiError,
    extract::{Authorized, Name, Parameters, Read},
    response::{
        DocumentDirection, DocumentResponse, DocumentStatus, DocumentType, ListDocumentsResponse,
    },
};
use crate::{
    error::{Code, Failure},
    service::{
        Serving,
        documents::{self, Filter},
    },
    types::hex,
};

/// Which documents to list; all conditions hold together.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListDocumentsQuery {
    /// Sent by the taxpayer, or received.
    direction: Option<DocumentDirection>,
    /// The operation that makes this kind of document.
    r#type: Option<DocumentType>,
    /// Where the document is on its way.
    status: Option<DocumentStatus>,
    /// The caller's own document id, exactly as sent.
    source_id: Option<String>,
    /// Document number, exactly as sent.
    number: Option<String>,
    /// First issue date, inclusive: YYYY-MM-DD.
    issued_from: Option<Date>,
    /// Last issue date, inclusive: YYYY-MM-DD.
    issued_to: Option<Date>,
    /// First instant of creation, inclusive: RFC 3339, such as 2026-07-01T00:00:00Z. Write the
    /// plus sign of an offset as %2B.
    created_from: Option<Timestamp>,
    /// Last instant of creation, inclusive: RFC 3339.
    created_to: Option<Timestamp>,
    /// `next_cursor` of the page before, with the same filters.
    cursor: Option<String>,
    /// Documents a page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u8>,
}

impl ListDocumentsQuery {
    fn into_filter(self) -> Filter {
        Filter {
            direction: self.direction.map(Into::into),
            document_type: self.r#type.map(Into::into),
            status: self.status.map(Into::into),
            source_id: self.source_id,
            number: self.number,
            issued_from: self.issued_from,
            issued_to: self.issued_to,
            created_from: self.created_from,
            created_to: self.created_to,
        }
    }
}

const DEFAULT_LIMIT: u8 = 20;

/// List documents
///
/// The documents of the taxpayer, those that other organizations issued among them. With the scope
/// inbound:read alone, only received ones are listed. Newest first: by creation; where `issued_from`
/// or `issued_to` is given by issue date, unless `number`, `source_id` or one of the statuses
/// accepted, converted, dispatching and failed is given too. A page may be shorter than `limit`, and
/// large documents make it so; go on until `next_cursor` is null.
#[utoipa::path(get, path = "/invoices", tag = "Documents", params(ListDocumentsQuery),
    responses((status = 200, description = "A page", body = ListDocumentsResponse)))]
pub(super) async fn list_documents(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Read>,
    Parameters(query): Parameters<ListDocumentsQuery>,
) -> Result<Json<ListDocumentsResponse>, ApiError> {
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=100).contains(&limit) {
        let message = format!("limit is {limit}; it goes from 1 to 100.");
        return Err(Failure::new(Code::InvalidRequest, message).into());
    }
    let cursor = query.cursor.clone();
    let filter = query.into_filter();
    let Serving { sending, cursors } = &*app;
    let page =
        documents::list(&sending.ctx, cursors, &caller, &filter, cursor.as_deref(), limit).await?;
    let items = page.items.iter().map(DocumentResponse::from).collect();
    Ok(Json(ListDocumentsResponse { items, next_cursor: page.next_cursor }))
}

/// Get a document
///
/// The record of one document. A document of another taxpayer or of the other mode is not found.
#[utoipa::path(get, path = "/invoices/{document_id}", tag = "Documents",
    params(("document_id" = String, Path, description = "Identifier of the document, doc_…")),
    responses((status = 200, description = "The document", body = DocumentResponse)))]
pub(super) async fn get_document(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Read>,
    Name(document_id): Name,
) -> Result<Json<DocumentResponse>, ApiError> {
    let record = documents::get(&app.sending.ctx, &caller, &document_id).await?;
    Ok(Json(DocumentResponse::from(&record)))
}

/// Get the UBL of a document
///
/// The UBL XML byte for byte as it was sent or received. ETag and Repr-Digest carry its SHA-256.
#[utoipa::path(get, path = "/invoices/{document_id}/ubl", tag = "Documents",
    params(("document_id" = String, Path, description = "Identifier of the document, doc_…")),
    responses((status = 200, description = "UBL 2.1", body = String, content_type = "application/xml")))]
pub(super) async fn get_document_ubl(
    State(app): State<App>,
    Authorized { caller, .. }: Authorized<Read>,
    Name(document_id): Name,
) -> Result<Response, ApiError> {
    let ubl = documents::ubl(&app.sending, &caller, &document_id).await?;
    let digest = Sha256::digest(&ubl);
    let headers = [
        (header::CONTENT_TYPE, "application/xml".to_owned()),
        (header::ETAG, format!("\"{}\"", hex(&digest))),
        // RFC 9530, section 3, the successor of RFC 3230's Digest.
        (HeaderName::from_static("repr-digest"), format!("sha-256=:{}:", STANDARD.encode(digest))),
    ];
    Ok((headers, ubl).into_response())
}
