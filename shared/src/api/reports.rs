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
    access::Scope,
    api::{
        query,
        route::{
            Answer, AnswerHeader, Content, HttpMethod, READ, RequestBody, RequestHeader, Route, Tag,
        },
    },
    document::{read_value, unknown_member},
    error::{Code::*, Failure, Finding},
    log::{self, Field},
    service::{
        reply::Reply,
        reports::{self, Filter, Report},
        resubmission::{self, ResubmissionRequest},
    },
};

/// The defaults of tax reports. Callers that may read a document see its reports.
const REPORT: Route = Route { tag: Tag::Reports, ..READ };

/// A report about a document to the tax authority.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportResponse {
    /// Identifier of the report on this access point.
    #[schema(
        pattern = "^rep_[0-9A-Za-z]{1,64}$",
        example = "rep_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub report_id: String,
    /// Document that the report is about.
    #[schema(example = "doc_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub document_id: String,
    /// Kind of the report (TDT-006).
    pub kind: ReportKind,
    /// Side of the document on which the taxpayer is.
    pub role: ReportRole,
    /// Status of the report.
    pub status: ReportStatus,
    /// Outcome of the report. Null until it is known.
    #[schema(required)]
    pub outcome: Option<ReportOutcome>,
    /// Whether the authority received the report at least 24 hours ago and has not given its verdict.
    pub overdue: bool,
    /// Submission of the document. All reports about the document have the same submission.
    #[schema(example = "sub_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub submission_id: String,
    /// SBDH InstanceIdentifier of the report's own message. The authority refers to it.
    #[schema(format = "uuid")]
    pub submission_message_id: String,
    /// The rejected document that the reported document corrects.
    #[schema(required)]
    pub supersedes_id: Option<String>,
    /// UBL type code of the document.
    #[schema(example = "380")]
    pub document_type_code: String,
    /// Creation time of the report. For the first report about a document, the time when the document was accepted or
    /// received.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Time since when the authority has the report, or may have it. Null until then.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T10:00:02.000Z")]
    pub submitted_at: Option<Timestamp>,
    /// Time when the outcome became known. Null until then.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-07-01T10:06:00.000Z")]
    pub decided_at: Option<Timestamp>,
    /// Findings of the authority, or the reasons for the failure. `rule` is AP-MLS- followed by the authority's code,
    /// or a rule of this service. If there are too many findings, the first ones are listed, and the last one counts
    /// the rest.
    pub reasons: Vec<Finding>,
    /// Attempts to deliver the report, oldest first. If there are more than sixty, only the first and the latest ones
    /// are listed. Null in GET /reports, which does not read the attempts.
    #[schema(required)]
    pub attempts: Option<Vec<AttemptResponse>>,
}

/// The reports about a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListDocumentReportsResponse {
    /// The reports, oldest first.
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

/// The body of a request to file a report again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the schema of a body")]
pub struct FileReportBody {
    /// R: report the same document again. The report has kind S if the authority never received one.
    pub kind: FileReportKind,
}

/// The kinds of reports that can be requested.
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

pub(super) const LIST: Route = Route {
    id: "list_reports",
    path: "/reports",
    summary: "List reports",
    description: "Returns the reports to the tax authority about documents of the taxpayer, newest first. With \
        only the scope inbound:read, only reports about received documents are listed. A page may be shorter \
        than `limit`. Continue until `next_cursor` is null. The list is always empty in Sandbox.",
    query: query::LIST_REPORTS,
    answers: &[Answer::of(200, "A page", Content::Reports)],
    errors: &[],
    ..REPORT
};

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

pub(super) const RESUBMIT: Route = Route {
    id: "file_report",
    method: HttpMethod::Post,
    path: "/invoices/{document_id}/reports",
    summary: "File a report again",
    description: "Reports the document to the tax authority again, about the same transaction. The latest report \
        must be NOT_COMPLIANT or FAILED, or its verdict must be overdue without a receipt that proves its \
        arrival.\n\n\
        The new report has kind R. It has kind S if no earlier report can have reached the authority, because \
        there is nothing to revise. After a report of kind F or W, it has the same kind.\n\n\
        Otherwise the answer is 409 report_not_repairable. This applies:\n\n\
        - while a report is in transit or its verdict is pending\n\
        - after a report is REPORTED\n\
        - for a document that was rejected at stage C3 (send a correction)\n\
        - after 20 reports\n\n\
        The document itself does not change. To correct its content, send a credit note and another invoice. The \
        operation is available for documents that the caller can read or that its organization sent. An \
        Idempotency-Key works as for sends.",
    any_of: &[Scope::InvoicesWrite],
    headers: &[RequestHeader::IdempotencyKey],
    answers: &[Answer {
        status: 202,
        description: "The report, which is in progress. document.reported follows",
        content: Content::Report,
        headers: &[AnswerHeader::IdempotentReplayed],
    }],
    errors: &[
        NotFound,
        IdempotencyKeyReused,
        IdempotencyInProgress,
        ReportNotRepairable,
        IdempotencyUnavailable,
    ],
    body: Some(RequestBody::Resubmission),
    ..REPORT
};

/// Files the report about a document again.
pub(super) async fn resubmit(mut call: Call) -> Result<Response, ApiError> {
    log::note(Field::DocumentId, &call.variable);
    let headers = call.send_headers()?;
    let body = read(&call.json_body().await?);
    let request = ResubmissionRequest {
        document_id: &call.variable,
        body,
        idempotency_key: headers.idempotency_key.as_deref(),
    };
    let sent = resubmission::resubmit(&call.app.sending, &call.caller, request, render).await?;
    Ok(saved(sent))
}

pub(super) const ABOUT: Route = Route {
    id: "list_document_reports",
    path: "/invoices/{document_id}/reports",
    summary: "List reports about a document",
    description: "Returns every report about the document to the tax authority with its delivery attempts, \
        oldest first. A sent document is reported when it leaves. A received document is reported when its \
        positive Message Level Status is due. A received document that breaks the rules is reported immediately. \
        The list is empty for a Sandbox document, which is never reported. For a queued document, it is empty \
        until its route is decided.",
    answers: &[Answer::of(200, "The reports", Content::DocumentReports)],
    ..REPORT
};

/// The reports about a document.
pub(super) async fn about(call: Call) -> Result<Response, ApiError> {
    log::note(Field::DocumentId, &call.variable);
    let reports = reports::about(call.ctx(), call.caller.reader(), &call.variable).await?;
    let items = reports.into_iter().map(Into::into).collect();
    Ok(Json(ListDocumentReportsResponse { items }).into_response())
}

pub(super) const GET: Route = Route {
    id: "get_report",
    path: "/reports/{report_id}",
    summary: "Get a report",
    description: "Returns a report to the tax authority. A report of another taxpayer is not found. There are no \
        reports in Sandbox.",
    answers: &[Answer::of(200, "The report", Content::Report)],
    ..REPORT
};

pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    log::note(Field::ReportId, &call.variable);
    let report = reports::get(call.ctx(), call.caller.reader(), &call.variable).await?;
    log::note(Field::DocumentId, &report.tax_report.document_id);
    Ok(Json(ReportResponse::from(report)).into_response())
}

pub(super) const XML: Route = Route {
    id: "get_report_xml",
    path: "/reports/{report_id}/xml",
    summary: "Get the Tax Data Document of a report",
    description: "Returns the Tax Data Document byte for byte as filed. The answer is 404 until the first \
        attempt has created it. ETag and Repr-Digest contain its SHA-256. A Tax Data Document of more than \
        3,000,000 bytes is returned by a redirect, as with …/ubl.",
    answers: &[
        Answer {
            status: 200,
            description: "The Tax Data Document",
            content: Content::Xml,
            headers: &[AnswerHeader::ETag, AnswerHeader::ReprDigest],
        },
        Answer {
            status: 307,
            description: "Redirect to a Tax Data Document of more than 3,000,000 bytes",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..REPORT
};

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
