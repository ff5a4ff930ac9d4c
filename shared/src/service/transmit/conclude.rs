//! What an attempt brings about: the document moves on, or waits, in one transaction with what was
//! learned of its way, its event, and the answer to the send when this is its end.

use jiff::Timestamp;

use super::{Decision, Exchange, decide};
use crate::{
    service::{
        exchange_counts,
        record::{self, with},
        reply::{Render, Reply, refused},
    },
    store::{
        AttemptOutcome, DocumentRecord, Due, Effects, EventType, Progress, Recorded, Reporting,
        Step, StoreError, TaxReportKind, TransmissionRecord,
    },
    types::ReportId,
};

/// How a send ended or goes on.
#[derive(Debug)]
pub(in crate::service) enum Concluded {
    /// It is decided: the answer, which is saved under the key if there is one.
    Answered(Reply),
    /// Another attempt follows.
    GoesOn,
    /// The document is another worker's by now.
    Lost,
}

/// Writes down what an attempt at a document, which is under its lease, came to.
pub(in crate::service) async fn conclude(
    exchange: Exchange<'_>,
    leased: &DocumentRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
    render: Render,
) -> Result<Concluded, StoreError> {
    let (sender, at) = (&exchange.header.sender, exchange.ctx.now());
    let decision = decide(exchange.ctx, transmission, outcome);
    let (progress, event) = match &decision {
        Decision::Sent => (Progress::Sent, Some(EventType::DocumentSent)),
        Decision::Later(_) => (Progress::Dispatching, None),
        Decision::Unconfirmed(finding) => (
            Progress::Unconfirmed { warnings: with(leased, finding) },
            Some(EventType::DocumentStatus),
        ),
        Decision::Failed(finding) => {
            (Progress::Failed { warnings: with(leased, finding) }, Some(EventType::DocumentStatus))
        }
    };
    let reporting = reporting(leased, transmission, at);
    // As it will stand there: what the answer and the event tell.
    let warnings = match &progress {
        Progress::Unconfirmed { warnings } | Progress::Failed { warnings } => warnings.clone(),
        _ => leased.warnings.clone(),
    };
    let changed = DocumentRecord {
        status: progress.status(),
        updated_at: at,
        warnings,
        reporting: leased.reporting.clone().or_else(|| reporting.clone()),
        lease: None,
        ..leased.clone()
    };
    let events: Vec<_> = event
        .map(|event| match event {
            EventType::DocumentStatus => {
                record::status_event(exchange.ctx, exchange.mode, sender, leased.status, &changed)
            }
            event => record::event(exchange.ctx, exchange.mode, event, sender, &changed),
        })
        .transpose()
        .map_err(|error| StoreError::Corrupt(error.into()))?
        .into_iter()
        .collect();
    let due = match decision {
        Decision::Later(next) => Some(Due::begins(next, at)),
        _ => None,
    };
    let reply = match &decision {
        Decision::Later(_) => None,
        Decision::Sent | Decision::Unconfirmed(_) => Some(render(&changed, &changed.warnings)),
        Decision::Failed(finding) => Some(refused(&changed, finding)),
    };
    let saved = reply.as_ref().map(Reply::saved).transpose()?;
    let counted = match decision {
        Decision::Sent => exchange_counts::sent(exchange.header, transmission, at),
        _ => None,
    };
    let effects = Effects { events: &events, inbound: None, exchange: counted.as_ref() };
    let step = Step {
        progress: &progress,
        at,
        due,
        reply: saved,
        transmission: Some(transmission),
        departure: None,
        reporting: reporting.as_ref(),
        effects: Some(effects),
    };
    let recorded = exchange.ctx.store.advance_document(exchange.mode, leased, step).await?;
    Ok(match (recorded, reply) {
        (Recorded::Lost, _) => Concluded::Lost,
        (Recorded::Done, Some(reply)) => Concluded::Answered(reply),
        (Recorded::Done, None) => Concluded::GoesOn,
    })
}

/// What a document's record says of a report that was made with its first message: its own stage wrote the
/// document before.
fn reporting(
    leased: &DocumentRecord,
    transmission: &TransmissionRecord,
    at: Timestamp,
) -> Option<Reporting> {
    let report_id = ReportId::first_of(&leased.document_id);
    let instance_id = transmission.report_message_id.clone();
    let made = Reporting {
        report_id,
        kind: TaxReportKind::Submit,
        instance_id,
        outcome: None,
        updated_at: at,
    };
    (transmission.reported && leased.reporting.is_none()).then_some(made)
}
