//! Imports: the bodies of responses, and the handlers.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    MAX_ANSWER_BYTES,
    documents::{given, payload_method},
    error::ApiError,
    request::{BodyType, Call},
    response::three_digits,
    submissions::reply,
    wire::{DocumentType, same},
};
use crate::{
    document::Operation,
    import_tables::Format,
    log::{self, Field},
    service::{
        imports::{self, NewImport, Requested},
        reply::Reply,
    },
    store::{ImportRecord, ImportStatus},
};

/// The status of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// Its documents are sent, in the order of the file.
    Running,
    /// Each has its outcome, and the result is there.
    Completed,
    /// The service has given it up, by a fault of its own: the documents behind those that are done were not sent. Import the
    /// file again: what was sent is not sent again. Where the service's operators mend the fault, it goes on.
    Failed,
    /// A status that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

/// The format of an imported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportFormat {
    /// JSON Lines: the body of a send on each line.
    Ndjson,
    /// CSV: a line of a document on each row.
    Csv,
    /// A format that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

impl From<&ImportRecord> for ImportState {
    fn from(record: &ImportRecord) -> Self {
        match record.status {
            ImportStatus::Running if record.parked.is_some() => ImportState::Failed,
            ImportStatus::Running => ImportState::Running,
            ImportStatus::Completed => ImportState::Completed,
            ImportStatus::Unknown => ImportState::Unknown,
        }
    }
}

same!(ImportFormat = Format { Ndjson Csv Unknown });

/// An import.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportResponse {
    /// Identifier of the import on this access point.
    #[schema(
        pattern = "^imp_[0-9A-Za-z]{1,64}$",
        example = "imp_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub import_id: String,
    /// Status of the import.
    pub status: ImportState,
    /// Name that the caller gave the file.
    #[schema(required, example = "invoices-2026-07.csv")]
    pub name: Option<String>,
    /// Type of the documents in the file.
    pub r#type: DocumentType,
    /// Format of the file.
    pub format: ImportFormat,
    /// SHA-256 of the uncompressed file, in hex.
    pub sha256: String,
    /// Size of the uncompressed file in bytes.
    pub bytes: u64,
    /// The previous import of the same file for documents of the same type. Null if there is none, or if it is no
    /// longer stored.
    #[schema(required, example = "imp_019f1c2e8a7b7cc1a1b2c3d4e5f60717")]
    pub same_file_import_id: Option<String>,
    /// Number of documents in the file.
    #[schema(example = 10000)]
    pub documents: u32,
    /// Number of documents with an outcome: the sum of `accepted`, `already_sent` and `refused`.
    #[schema(example = 4200)]
    pub done: u32,
    /// Number of documents that this import sent.
    #[schema(example = 4190)]
    pub accepted: u32,
    /// Number of documents that an earlier import or row sent. They are not sent again.
    #[schema(example = 0)]
    pub already_sent: u32,
    /// Number of documents that were not sent. The result contains the reasons.
    #[schema(example = 10)]
    pub refused: u32,
    /// Time of the request.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Time of the last progress.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:20.000Z")]
    pub updated_at: Timestamp,
}

/// A page of imports.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListImportsResponse {
    /// The imports, newest first.
    pub items: Vec<ImportResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

impl From<ImportRecord> for ImportResponse {
    fn from(record: ImportRecord) -> Self {
        let counts = record.counts;
        ImportResponse {
            status: (&record).into(),
            import_id: record.import_id.into(),
            name: record.name,
            r#type: record.operation.into(),
            format: record.format.into(),
            sha256: record.sha256,
            bytes: record.bytes,
            same_file_import_id: record.same_file.map(Into::into),
            documents: record.documents,
            done: counts.done(),
            accepted: counts.accepted,
            already_sent: counts.already_sent,
            refused: counts.refused,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

pub(super) async fn create(mut call: Call) -> Result<Response, ApiError> {
    let operation = call.query.name::<DocumentType>("type")?.map_or(Operation::Invoice, Into::into);
    let name = call.query.text("name").map(str::to_owned);
    let key = call.send_headers()?.idempotency_key;
    let file = call.body(BodyType::File).await?;
    let new = NewImport { operation, name, file };
    let by = call.by(&call.caller.credential);
    let requested = Requested { by, new, idempotency_key: key.as_deref() };
    let taken = imports::take(&call.app.sending, &call.caller, requested, render).await?;
    log::note(Field::ImportId, &taken.import_id);
    let location = HeaderValue::try_from(format!("/v1/imports/{}", taken.import_id));
    let mut response = reply(taken.reply, taken.replayed);
    if let Ok(location) = location {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

/// The response to the creation of an import.
pub(super) fn render(record: &ImportRecord) -> Reply {
    // A struct of strings, numbers and lists always serializes.
    let body = serde_json::to_vec(&ImportResponse::from(record.clone())).unwrap_or_default();
    Reply { status: StatusCode::ACCEPTED.as_u16(), body }
}

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let page = imports::list(call.ctx(), (&call.caller).into(), call.asked()?).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListImportsResponse { items, next_cursor: page.next_cursor }).into_response())
}

pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    log::note(Field::ImportId, &call.variable);
    let record = imports::get(call.ctx(), (&call.caller).into(), &call.variable).await?;
    Ok(Json(ImportResponse::from(record)).into_response())
}

/// The outcome of each document, or a redirect when the result is too large for a response.
pub(super) async fn result(call: Call) -> Result<Response, ApiError> {
    log::note(Field::ImportId, &call.variable);
    let record = imports::get(call.ctx(), (&call.caller).into(), &call.variable).await?;
    let method = payload_method(&call.method);
    let reading = call.app.sending.reading();
    let stored = imports::result(&reading, &record, MAX_ANSWER_BYTES, method).await?;
    let media_type = match record.format {
        Format::Csv => "text/csv; charset=utf-8",
        Format::Ndjson | Format::Unknown => "application/x-ndjson",
    };
    given(media_type, stored)
}
