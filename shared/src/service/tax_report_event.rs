//! The event of a tax report that has its outcome.

use jiff::Timestamp;
use serde::Serialize;

use super::{Context, events, record};
use crate::{
    error::Finding,
    store::{
        Awaited, DocumentRecord, EventRecord, EventType, Reached, StoreError, Subject,
        TaxReportOutcome, TaxReportRecord, TaxReportStatus, submission_id,
    },
    types::{DocumentId, MessageId, Mode, ParticipantId, ReportId},
};

/// The document of a tax report, and its taxpayer's participant identifier.
pub(super) async fn about(
    ctx: &Context,
    tax_report: &TaxReportRecord,
) -> Result<(DocumentRecord, ParticipantId), StoreError> {
    let document = document(ctx, tax_report).await?;
    let taxpayer = ctx.taxpayer_of_job(Mode::Live, &tax_report.taxpayer_id).await?;
    Ok((document, taxpayer.participant_id))
}

/// The document of a tax report.
pub(super) async fn document(
    ctx: &Context,
    tax_report: &TaxReportRecord,
) -> Result<DocumentRecord, StoreError> {
    let TaxReportRecord { taxpayer_id, document_id, .. } = tax_report;
    let document = ctx.store.get_document(Mode::Live, taxpayer_id, document_id).await?;
    document.ok_or_else(|| StoreError::Corrupt("the tax report's document is gone".into()))
}

/// The data of an event about a report (specification 6.2).
#[derive(Serialize)]
struct Data<'a> {
    taxpayer_id: &'a str,
    document_id: &'a DocumentId,
    message_id: &'a MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<&'a str>,
    document_type_code: &'a str,
    submission_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    supersedes_id: Option<&'a DocumentId>,
    submission_message_id: &'a MessageId,
    report: Report<'a>,
}

#[derive(Serialize)]
struct Report<'a> {
    report_id: &'a ReportId,
    kind: &'static str,
    role: &'static str,
    outcome: Option<TaxReportOutcome>,
    reasons: &'a [Finding],
}

/// The event of a tax report that has its outcome.
pub(super) fn event(
    ctx: &Context,
    participant_id: &ParticipantId,
    document: &DocumentRecord,
    (tax_report, status, reasons): (&TaxReportRecord, TaxReportStatus, &[Finding]),
    at: Timestamp,
) -> Result<EventRecord, StoreError> {
    let reasons = Finding::fitting(reasons, TaxReportRecord::REASON_BYTES);
    let data = Data {
        taxpayer_id: tax_report.taxpayer_id.as_str(),
        document_id: &tax_report.document_id,
        message_id: &document.message_id,
        source_id: document.source_id.as_deref(),
        document_type_code: &tax_report.document_type_code,
        submission_id: submission_id(&tax_report.document_id),
        supersedes_id: tax_report.supersedes_id.as_ref(),
        submission_message_id: &tax_report.instance_id,
        report: Report {
            report_id: &tax_report.report_id,
            kind: tax_report.kind.as_str(),
            role: tax_report.role.as_str(),
            outcome: status.outcome(),
            reasons: &reasons,
        },
    };
    let mut awaits = record::awaits(Mode::Live, document);
    awaits.retain(|what| *what != Awaited::Verdict);
    let event = events::NewEvent::<_, ()> {
        mode: Mode::Live,
        event_type: EventType::DocumentReported,
        taxpayer_id: &tax_report.taxpayer_id,
        participant_id,
        subject: Subject::Document { document_id: tax_report.document_id.clone() },
        audience: record::audience(document),
        data,
        previous: None,
        at,
        reached: status.outcome().and_then(reached),
        awaits,
    };
    events::write(ctx, event).map_err(|error| StoreError::Corrupt(error.into()))
}

fn reached(outcome: TaxReportOutcome) -> Option<Reached> {
    match outcome {
        TaxReportOutcome::Reported => Some(Reached::Reported),
        TaxReportOutcome::NotCompliant => Some(Reached::NotCompliant),
        TaxReportOutcome::Failed => Some(Reached::Unreported),
        TaxReportOutcome::Unknown => None,
    }
}
