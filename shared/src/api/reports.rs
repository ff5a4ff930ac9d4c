//! Reports to the tax authority: the bodies of responses, and the handlers.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    MAX_ANSWER_BYTES,
    attempts::AttemptResponse,
    documents::{payload_method, xml as stored_xml},
    error::ApiError,
    query::Query,
    request::Call,
    response::{three_digits, three_digits_or_null},
    submissions::saved,
    wire::{ReportKind, ReportOutcome, ReportRole, ReportStatus},
};
use crate::{
    document::{read_value, unknown_member},
    error::{Failure, Finding},
    log::{self, Field},
    service::{
        reply::Reply,
        reports::{self, Filter, Report},
        resubmission::{self, Refile},
    },
};

/// A report about a document to the tax authority.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportResponse {
    /// Identifier on this access point.
    #[schema(
        pattern = "^rep_[0-9A-Za-z]{1,64}$",
        example = "rep_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub report_id: String,
    /// The document that it is about.
    #[schema(example = "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub document_id: String,
    /// What it says of the document.
    pub kind: ReportKind,
    /// On which side of the document the taxpayer is.
    pub role: ReportRole,
    /// How far it is.
    pub status: ReportStatus,
    /// What it has come to; null while that is open.
    #[schema(required)]
    pub outcome: Option<ReportOutcome>,
    /// Whether the authority has had it for 24 hours and not said what becomes of it.
    pub overdue: bool,
    /// The submission of the document, the same for all reports about it.
    #[schema(example = "sub_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub submission_id: String,
    /// The SBDH InstanceIdentifier of the report's own message, to which the authority refers.
    #[schema(format = "uuid")]
    pub submission_message_id: String,
    /// The rejected document that its document corrects.
    #[schema(required)]
    pub supersedes_id: Option<String>,
    /// UBL type code of the document.
    #[schema(example = "380")]
    pub document_type_code: String,
    /// When it was made; for the first report about a document when that was accepted or received.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Since when the authority has it, or may have it; null until then.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T10:00:02.000Z")]
    pub submitted_at: Option<Timestamp>,
    /// When its outcome was learned; null until then.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T10:06:00.000Z")]
    pub decided_at: Option<Timestamp>,
    /// What the authority found, or why it has failed: `rule` is AP-MLS- and the authority's code, or one of
    /// our own. Of very many the first, and a last one that counts the others.
    pub reasons: Vec<Finding>,
    /// The attempts to deliver it, the first one first; of more than sixty the first and the latest. Null in
    /// GET /reports, which does not read them.
    #[schema(required)]
    pub attempts: Option<Vec<AttemptResponse>>,
}

/// The reports about a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListDocumentReportsResponse {
    /// The first one first.
    pub items: Vec<ReportResponse>,
}

/// A page of reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListReportsResponse {
    /// The reports, newest first.
    pub items: Vec<ReportResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// What has the report about a document filed again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileReportBody {
    /// R: the same document again. The report says S where the authority never had one.
    pub kind: FileReportKind,
}

/// The kinds of reports that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
pub enum FileReportKind {
    /// The same document again.
    #[serde(rename = "R")]
    Resubmit,
}

impl From<Report> for ReportResponse {
    fn from(Report { tax_report, is_overdue, attempts }: Report) -> Self {
        ReportResponse {
            submission_id: tax_report.submission_id(),
            report_id: tax_report.report_id.into(),
            document_id: tax_report.document_id.into(),
            kind: tax_report.kind.into(),
            role: tax_report.role.into(),
            status: tax_report.status.into(),
            outcome: tax_report.status.outcome().map(Into::into),
            overdue: is_overdue,
            submission_message_id: tax_report.instance_id.to_string(),
            supersedes_id: tax_report.supersedes_id.map(String::from),
            document_type_code: tax_report.document_type_code,
            created_at: tax_report.created_at,
            submitted_at: tax_report.submitted_at,
            decided_at: tax_report.status.outcome().map(|_| tax_report.updated_at),
            reasons: tax_report.reasons,
            attempts: attempts.map(|them| them.into_iter().map(Into::into).collect()),
        }
    }
}

fn filter(query: &Query) -> Result<Filter, Failure> {
    Ok(Filter {
        outcome: query.name::<ReportOutcome>("outcome")?.map(Into::into),
        kind: query.name::<ReportKind>("kind")?.map(Into::into),
        status: query.name::<ReportStatus>("status")?.map(Into::into),
        created_from: query.instant("created_from")?,
        created_to: query.instant("created_to")?,
    })
}

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let filter = filter(&call.query)?;
    let page = reports::list(call.ctx(), call.caller.reader(), &filter, call.asked()?).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListReportsResponse { items, next_cursor: page.next_cursor }).into_response())
}

/// Requires that a body is a [`FileReportBody`], or collects all its errors.
fn read(body: &[u8]) -> Result<(), Failure> {
    let json = read_value(body)?;
    let mut found = Vec::new();
    match json.as_object() {
        None => found.push(Finding::error("", "AP-JSON-type", "the body is an object")),
        Some(members) => {
            let others = members.keys().filter(|name| *name != "kind");
            found.extend(others.map(|name| unknown_member("", name, &["kind"])));
            match members.get("kind").filter(|kind| !kind.is_null()) {
                None => found.push(Finding::error("/kind", "AP-JSON-required", "kind is required")),
                Some(kind) if FileReportKind::deserialize(kind).is_err() => {
                    let message = "kind is R: the same document is reported again";
                    found.push(Finding::error("/kind", "AP-JSON-code", message));
                }
                Some(_) => {}
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let message = "The request is not valid; see errors.";
    Err(Failure { message: message.to_owned(), ..Failure::invalid(found) })
}

/// The response to a resubmission. It is saved before it is sent, byte for byte.
fn render(report: Report) -> Reply {
    // A struct of strings, numbers and lists always serializes.
    let body = serde_json::to_vec(&ReportResponse::from(report)).unwrap_or_default();
    Reply { status: 202, body }
}

/// Files the report about a document again.
pub(super) async fn file_again(mut call: Call) -> Result<Response, ApiError> {
    log::note(Field::DocumentId, &call.variable);
    let headers = call.send_headers()?;
    let body = read(&call.json_body().await?);
    let request = Refile {
        document_id: &call.variable,
        body,
        idempotency_key: headers.idempotency_key.as_deref(),
    };
    let sent = resubmission::file_again(&call.app.sending, &call.caller, request, render).await?;
    Ok(saved(sent))
}

/// The reports about a document.
pub(super) async fn about(call: Call) -> Result<Response, ApiError> {
    log::note(Field::DocumentId, &call.variable);
    let reports = reports::about(call.ctx(), call.caller.reader(), &call.variable).await?;
    let items = reports.into_iter().map(Into::into).collect();
    Ok(Json(ListDocumentReportsResponse { items }).into_response())
}

pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    log::note(Field::ReportId, &call.variable);
    let report = reports::get(call.ctx(), call.caller.reader(), &call.variable).await?;
    log::note(Field::DocumentId, &report.tax_report.document_id);
    Ok(Json(ReportResponse::from(report)).into_response())
}

/// The Tax Data Document of a report, or a redirect when it is too large for a response.
pub(super) async fn xml(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    log::note(Field::ReportId, variable);
    let method = payload_method(&call.method);
    let tdd =
        reports::xml(&app.sending.reading(), caller.reader(), variable, MAX_ANSWER_BYTES, method)
            .await?;
    stored_xml(tdd)
}
