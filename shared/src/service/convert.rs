//! The first stage of queued delivery: accepted → converted, or failed when the document, which
//! was valid when it was accepted, no longer is.

use tracing::Instrument;

use super::{
    Context, RELAY_GRACE, Sending, inspect, later,
    lease::{self, lease},
    record::{self, bounded, summary},
    references, repetition, retry,
    submit::profile,
};
use crate::{
    document::{self, Document, ReadError},
    error::{Failure, Finding},
    store::{
        DocumentRecord, Due, Effects, PayloadKind, Progress, Recorded, StageMessage, Status, Step,
        StoreError,
    },
    types::{Mode, ParticipantId, uae_date},
};

/// Converts a document: works on a message of the convert queue. A message that comes twice, or
/// late, does nothing. An error means that it should come again.
pub async fn convert(sending: &Sending, message: &StageMessage) -> Result<(), Failure> {
    let span = retry::span("convert", &lease::job_id(message));
    stage(sending, message).instrument(span).await
}

async fn stage(sending: &Sending, message: &StageMessage) -> Result<(), Failure> {
    let leased = lease(sending, message, &[Status::Accepted], Status::Accepted).await?;
    let Some(leased) = leased else { return Ok(()) };
    // Boxed: the state of a whole stage is large.
    let result = Box::pin(work(sending, message.mode, &leased)).await;
    lease::end(sending, message, &leased, result).await
}

async fn work(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
) -> Result<Recorded, StoreError> {
    let taxpayer = lease::taxpayer(sending, mode, leased).await?;
    let request = leased
        .request
        .as_ref()
        .ok_or_else(|| StoreError::Corrupt("an accepted document has no request".into()))?;
    let body = sending.bucket.get(request).await?;
    let participant = &taxpayer.participant_id;
    match check(&sending.ctx, mode, leased, &taxpayer.profile, participant, &body).await? {
        Ok(mut checked) => {
            let earlier = repetition::earlier_than(&sending.ctx, mode, leased).await?;
            checked.warnings.extend(repetition::warnings(&checked.document, &earlier));
            converted(sending, mode, leased, checked).await
        }
        Err(findings) => failed(&sending.ctx, mode, leased, participant, &findings).await,
    }
}

/// A document that may be sent.
struct Checked {
    document: Document,
    ubl: Vec<u8>,
    warnings: Vec<Finding>,
}

/// The same checks as when it was accepted: issue date and identifier are those of then, the
/// profile and the references those of now.
async fn check(
    ctx: &Context,
    mode: Mode,
    leased: &DocumentRecord,
    profile_json: &str,
    participant: &ParticipantId,
    body: &[u8],
) -> Result<Result<Checked, Vec<Finding>>, StoreError> {
    let submission = match document::read(leased.operation, body) {
        Ok(submission) => submission,
        Err(ReadError::Invalid(findings)) => return Ok(Err(findings)),
        Err(ReadError::Malformed(message)) => return Err(StoreError::Corrupt(message.into())),
    };
    let own = &leased.document_id;
    let references = references::resolve(ctx, mode, &leased.taxpayer_id, &submission, own).await?;
    let taxpayer = profile(profile_json)?;
    let issuance = document::Issuance {
        taxpayer: &taxpayer,
        participant,
        today: uae_date(leased.created_at),
        uuid: leased.uuid,
        original: references.original.as_ref(),
    };
    let result = document::complete(submission, &issuance);
    let judged = references.judge(result).map_err(refused);
    Ok(judged.and_then(|(document, warnings)| {
        let (ubl, warnings) = inspect::write(&document, warnings).map_err(|it| it.findings)?;
        Ok(Checked { document, ubl, warnings })
    }))
}

/// The findings for which a document is refused that waited.
pub(crate) fn refused(Failure { message, findings, .. }: Failure) -> Vec<Finding> {
    if findings.is_empty() { vec![Finding::error("", "AP-REFERENCE", message)] } else { findings }
}

async fn converted(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
    Checked { document, ubl, warnings }: Checked,
) -> Result<Recorded, StoreError> {
    let (taxpayer_id, document_id) = (&leased.taxpayer_id, &leased.document_id);
    // What is stored has the same name the next time.
    let (kind, begun) = (PayloadKind::Ubl, &mut Vec::new());
    let ubl = sending.bucket.put(mode, taxpayer_id, document_id, kind, ubl, begun).await?;
    let at = sending.ctx.now();
    let progress = Progress::Converted {
        ubl,
        supplier: summary(&document.seller),
        customer: summary(&document.buyer),
        warnings: bounded(&warnings),
    };
    let due = Some(Due::relayed(later(at, RELAY_GRACE)));
    let step = Step {
        progress: &progress,
        at,
        due,
        reply: None,
        transmission: None,
        departure: None,
        reporting: None,
        effects: None,
    };
    sending.ctx.store.advance_document(mode, leased, step).await
}

async fn failed(
    ctx: &Context,
    mode: Mode,
    leased: &DocumentRecord,
    participant: &ParticipantId,
    findings: &[Finding],
) -> Result<Recorded, StoreError> {
    let at = ctx.now();
    let progress = Progress::Failed { warnings: bounded(findings) };
    // As it will stand there: what the event tells.
    let failed = DocumentRecord { status: progress.status(), updated_at: at, ..leased.clone() };
    let event = record::status_event(ctx, mode, participant, leased.status, &failed)
        .map_err(|error| StoreError::Corrupt(error.into()))?;
    let effects = Effects {
        events: &[event],
        inbound: None,
        sweep_at: later(at, RELAY_GRACE),
        exchange: None,
    };
    let step = Step {
        progress: &progress,
        at,
        due: None,
        reply: None,
        transmission: None,
        departure: None,
        reporting: None,
        effects: Some(effects),
    };
    ctx.store.advance_document(mode, leased, step).await
}
