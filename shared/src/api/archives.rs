//! Archives: the bodies of responses, the handlers, and the description of a document in an archive.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    attempts::AttemptResponse,
    documents::{given, payload_method},
    error::ApiError,
    query::Query,
    reports::ReportResponse,
    request::Call,
    response::{DocumentResponse, three_digits, three_digits_or_null},
};
use crate::{
    access::Scope,
    api::{
        query,
        route::{Answer, AnswerHeader, Content, HttpMethod, READ, Route, Tag},
    },
    error::{Code, Failure},
    log::{self, Field},
    service::{
        archives::{self, Period},
        history::History,
    },
    store::{ArchiveRecord, ArchiveStatus},
};

/// The defaults of archives. Callers that may read all documents of the taxpayer see them.
const ARCHIVE: Route = Route { tag: Tag::Archives, any_of: &[Scope::InvoicesRead], ..READ };

/// The status of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArchiveState {
    /// Its documents are gathered.
    Running,
    /// The file is there.
    Completed,
    /// The period has more than an archive takes: there is no file.
    TooLarge,
    /// The service has abandoned it, by a fault of its own: there is no file. Ask for another. Where the service's operators
    /// correct the fault, it goes on.
    Failed,
    /// A status that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

impl From<&ArchiveRecord> for ArchiveState {
    fn from(record: &ArchiveRecord) -> Self {
        match record.status {
            ArchiveStatus::Running if record.parked.is_some() => ArchiveState::Failed,
            ArchiveStatus::Running => ArchiveState::Running,
            ArchiveStatus::Completed => ArchiveState::Completed,
            ArchiveStatus::TooLarge => ArchiveState::TooLarge,
            ArchiveStatus::Unknown => ArchiveState::Unknown,
        }
    }
}

/// An archive.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArchiveResponse {
    /// Identifier of the archive on this access point.
    #[schema(
        pattern = "^arc_[0-9A-Za-z]{1,64}$",
        example = "arc_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub archive_id: String,
    /// Status of the archive.
    pub status: ArchiveState,
    /// First issue date of the period, inclusive.
    #[schema(format = Date, example = "2026-01-01")]
    pub issued_from: String,
    /// Last issue date of the period, inclusive.
    #[schema(format = Date, example = "2026-12-31")]
    pub issued_to: String,
    /// Number of documents collected so far.
    #[schema(example = 12400)]
    pub documents: u32,
    /// Size of the file in bytes. Null until the file exists.
    #[schema(required, example = 120400000)]
    pub bytes: Option<u64>,
    /// Time of the request. The archive contains no document that arrived later.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Time of the last progress.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:20.000Z")]
    pub updated_at: Timestamp,
    /// Time when the archive is removed. Null while documents are being collected.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-08T10:00:20.000Z")]
    pub expires_at: Option<Timestamp>,
}

/// A page of archives.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListArchivesResponse {
    /// The archives, newest first.
    pub items: Vec<ArchiveResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

impl From<ArchiveRecord> for ArchiveResponse {
    fn from(record: ArchiveRecord) -> Self {
        ArchiveResponse {
            expires_at: record.expires_at(),
            status: (&record).into(),
            archive_id: record.archive_id.into(),
            issued_from: record.from.to_string(),
            issued_to: record.to.to_string(),
            documents: record.documents,
            bytes: record.bytes,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

fn period(query: &Query) -> Result<Period, Failure> {
    let missing = |name: &str| {
        let message = format!(
            "The query parameter {name} is missing: send, for example, POST \
             /v1/archives?issued_from=2026-01-01&issued_to=2026-12-31."
        );
        Failure::new(Code::InvalidRequest, message)
    };
    Ok(Period {
        from: query.date("issued_from")?.ok_or_else(|| missing("issued_from"))?,
        to: query.date("issued_to")?.ok_or_else(|| missing("issued_to"))?,
    })
}

pub(super) const CREATE: Route = Route {
    id: "create_archive",
    method: HttpMethod::Post,
    path: "/archives",
    summary: "Create an archive",
    description: "Collects all documents issued in a period in one file, in the background. It contains sent and \
        received documents, up to 100,000 documents and about 10 GB. It contains no document that arrived after \
        the request. If an archive of the same period is already running, that archive is returned. The request \
        has no body.",
    query: query::CREATE_ARCHIVE,
    answers: &[Answer {
        status: 202,
        description: "The archive, whose documents are being collected",
        content: Content::Archive,
        headers: &[AnswerHeader::Location],
    }],
    errors: &[],
    ..ARCHIVE
};

pub(super) async fn create(mut call: Call) -> Result<Response, ApiError> {
    let period = period(&call.query)?;
    call.no_body("issued_from and issued_to are query parameters").await?;
    let (reader, organization_id) = (call.caller.reader(), Some(&call.caller.organization_id));
    let record = archives::create(call.ctx(), reader, organization_id, period).await?;
    log::note(Field::ArchiveId, &record.archive_id);
    let location = HeaderValue::try_from(format!("/v1/archives/{}", record.archive_id));
    let mut response = (StatusCode::ACCEPTED, Json(ArchiveResponse::from(record))).into_response();
    if let Ok(location) = location {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

pub(super) const LIST: Route = Route {
    id: "list_archives",
    path: "/archives",
    summary: "List archives",
    description: "Returns the archives of the taxpayer, newest first, including those that other organizations \
        requested. An archive is kept for 7 days after its completion.",
    query: query::LIST_ARCHIVES,
    answers: &[Answer::of(200, "A page", Content::Archives)],
    errors: &[],
    ..ARCHIVE
};

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let page = archives::list(call.ctx(), call.caller.reader(), call.asked()?).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListArchivesResponse { items, next_cursor: page.next_cursor }).into_response())
}

pub(super) const GET: Route = Route {
    id: "get_archive",
    path: "/archives/{archive_id}",
    summary: "Get an archive",
    description: "Returns an archive with its status. An archive with the status `failed` failed because of a \
        fault of the service: request another one. An archive of another taxpayer is not found.",
    answers: &[Answer::of(200, "The archive", Content::Archive)],
    ..ARCHIVE
};

pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    log::note(Field::ArchiveId, &call.variable);
    let record = archives::get(call.ctx(), call.caller.reader(), &call.variable).await?;
    Ok(Json(ArchiveResponse::from(record)).into_response())
}

pub(super) const FILE: Route = Route {
    id: "get_archive_file",
    path: "/archives/{archive_id}/file",
    summary: "Download an archive",
    description: "Redirects to the file, at an address that is valid for five minutes. The answer is 404 until \
        the archive is completed.\n\n\
        The file is a ZIP with a bag (RFC 8493, BagIt): `manifest-sha256.txt` has the SHA-256 of each file. Each \
        document has a folder:\n\n\
        - `document.json` is the record with its attempts and reports, as in this API.\n\
        - The folder also contains the document, its envelope, its receipt, and its Message Level Statuses with \
        their receipts.\n\
        - For a received document, the folder also contains the message that delivered it.\n\
        - Each report has its Tax Data Document, envelope, receipt and verdict.\n\n\
        Missing parts have no file.",
    answers: &[Answer {
        status: 307,
        description: "Redirect to the file",
        content: Content::Nothing,
        headers: &[AnswerHeader::PayloadLocation],
    }],
    ..ARCHIVE
};

/// Redirects to the file of an archive.
pub(super) async fn file(call: Call) -> Result<Response, ApiError> {
    log::note(Field::ArchiveId, &call.variable);
    let (bucket, method) = (&call.app.sending.bucket, payload_method(&call.method));
    let reader = call.caller.reader();
    let stored = archives::file(call.ctx(), bucket, reader, &call.variable, method).await?;
    given("application/zip", stored)
}

/// The description of a document in an archive, in the vocabulary of the API.
#[derive(Serialize)]
struct Described {
    document: DocumentResponse,
    /// The attempts to deliver it.
    attempts: Vec<AttemptResponse>,
    /// The reports about it.
    reports: Vec<ReportResponse>,
}

/// Writes the description of a document in an archive.
pub fn describe(History { document, transmission, reports, .. }: History) -> Vec<u8> {
    let attempts = transmission.map_or_else(Vec::new, |transmission| transmission.attempts);
    let described = Described {
        document: DocumentResponse::from(&document),
        attempts: attempts.into_iter().map(Into::into).collect(),
        reports: reports.into_iter().map(Into::into).collect(),
    };
    // A struct of strings, numbers and lists always serializes.
    serde_json::to_vec_pretty(&described).unwrap_or_default()
}
