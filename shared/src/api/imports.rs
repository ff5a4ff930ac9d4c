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
    header::BodyType,
    request::Call,
    response::three_digits,
    submissions::reply,
    wire::{DocumentType, same},
};
use crate::{
    access::Scope,
    api::{
        query,
        route::{
            Answer, AnswerHeader, Content, HttpMethod, READ, RequestBody, RequestHeader, Route, Tag,
        },
    },
    document::Operation,
    error::Code::*,
    import_tables::Format,
    log::{self, Field},
    service::{
        imports::{self, NewImport, Requested},
        reply::Reply,
    },
    store::{ImportRecord, ImportStatus},
};

/// The defaults of imports. Only the importing organization sees them.
const IMPORT: Route = Route { tag: Tag::Imports, any_of: &[Scope::InvoicesWrite], ..READ };

/// The status of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// Its documents are sent, in the order of the file.
    Running,
    /// Each has its outcome, and the result is there.
    Completed,
    /// The service has given it up, by a fault of its own: the documents behind those that are done were not sent. Import the
    /// file again: what was sent is not sent again. Where the service's operators correct the fault, it goes on.
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

pub(super) const CREATE: Route = Route {
    id: "create_import",
    method: HttpMethod::Post,
    path: "/imports",
    summary: "Import documents",
    description: "Imports a file with up to 10,000 documents of one type. The service checks the form of the \
        file, and sends each document as with `Prefer: respond-async`.\n\n\
        The body is the file, of up to 4 MiB. A file compressed with gzip (`Content-Type: application/gzip`) may \
        contain up to 64 MiB. There are three formats:\n\n\
        - A file that begins with `{` is JSON Lines, with the body of a send on each line.\n\
        - An Excel workbook (`.xlsx`) is read as the table of its first visible sheet, with up to 200,000 rows. Its \
        `format` is `csv`. Numbers have at most 15 digits, as Excel shows them.\n\
        - Any other file is CSV with up to 1,000 columns. The column names are field names joined by points.\n\n\
        A file with a wrong form is refused as a whole (`422`), and no document is sent. A wrong document, such \
        as a row with an extra comma, is refused in the result with its row. The other documents are sent.\n\n\
        - Rows of CSV with the same number must follow each other. If a number occurs in several places, all of \
        its documents are refused (`AP-IMPORT-apart`).\n\
        - In JSON Lines, documents with the same number are sent in the order of the lines. The first one is \
        sent, and each other one is `already_sent` or refused.\n\n\
        The key of each document is derived from its type and number. Importing the same file again sends \
        nothing again. The exception is a document that was accepted and failed: a new document replaces it.\n\n\
        The header `Idempotency-Key` is optional:\n\n\
        - The same key with the same `type` and content returns the first response again. With another `type` or \
        content, the answer is `409`. `name` does not matter.\n\
        - Without a key, or with a new one, the service recognizes the same file by its SHA-256. While an import \
        of the file runs, the answer is that import, with `Idempotent-Replayed: true`. After its completion, the \
        file starts a new import, which names the previous one in `same_file_import_id`.",
    query: query::CREATE_IMPORT,
    headers: &[RequestHeader::IdempotencyKey],
    answers: &[Answer {
        status: 202,
        description: "The import, whose documents are being sent",
        content: Content::Import,
        headers: &[AnswerHeader::Location, AnswerHeader::IdempotentReplayed],
    }],
    errors: &[
        IdempotencyKeyReused,
        IdempotencyInProgress,
        IdempotencyUnavailable,
        QueuedDeliveryDisabled,
        SubscriptionRequired,
        BillingStatusUnavailable,
    ],
    body: Some(RequestBody::Import),
    ..IMPORT
};

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

pub(super) const LIST: Route = Route {
    id: "list_imports",
    path: "/imports",
    summary: "List imports",
    description: "Returns the organization's imports for the taxpayer, newest first. An import is kept for 90 \
        days after its completion.",
    query: query::LIST_IMPORTS,
    answers: &[Answer::of(200, "A page", Content::Imports)],
    errors: &[],
    ..IMPORT
};

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let page = imports::list(call.ctx(), (&call.caller).into(), call.asked()?).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListImportsResponse { items, next_cursor: page.next_cursor }).into_response())
}

pub(super) const GET: Route = Route {
    id: "get_import",
    path: "/imports/{import_id}",
    summary: "Get an import",
    description: "Returns an import with its status. An import with the status `failed` failed because of a \
        fault of the service: import the file again. Documents that were sent are not sent again. An import of \
        another organization is not found.",
    answers: &[Answer::of(200, "The import", Content::Import)],
    ..IMPORT
};

pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    log::note(Field::ImportId, &call.variable);
    let record = imports::get(call.ctx(), (&call.caller).into(), &call.variable).await?;
    Ok(Json(ImportResponse::from(record)).into_response())
}

pub(super) const RESULT: Route = Route {
    id: "get_import_result",
    path: "/imports/{import_id}/result",
    summary: "Get the result of an import",
    description: "Returns the outcome of each document, in the order and format of the file.\n\n\
        - For JSON Lines, each object has row, last_row, number, outcome (accepted, already_sent, refused), \
        document_id, code, message and findings.\n\
        - For CSV, there is a row for each finding.\n\n\
        A finding has the row and, for CSV, the column to correct. The answer is 404 until the import is \
        completed. A result of more than 3,000,000 bytes is returned by a redirect (`307`) to an address that is \
        valid for five minutes.",
    answers: &[
        Answer {
            status: 200,
            description: "The result",
            content: Content::Outcomes,
            headers: &[AnswerHeader::ETag, AnswerHeader::ReprDigest],
        },
        Answer {
            status: 307,
            description: "Redirect to the result",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..IMPORT
};

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
