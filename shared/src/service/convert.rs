//! The first stage of queued delivery: accepted → converted, or failed when the document, which
//! was valid when it was accepted, no longer is.

use tokio::time::Instant;

use super::{
    Context, Sending,
    job::{self, Job},
    pipeline::{self, Accepted, Incomplete, Prepared},
    record::{self, bounded, summary},
    repetition,
};
use crate::{
    access::Taxpayer,
    document::{self, ReadError},
    error::{Failure, Finding},
    store::{
        DocumentRecord, Due, Effects, PayloadKind, Progress, Recorded, StageMessage, Status, Step,
        StoreError, keys::JobId,
    },
    types::{Mode, ParticipantId},
};

/// The conversion of a queued document.
#[derive(Clone)]
pub struct Convert(pub Sending);

impl Job for Convert {
    type Message = StageMessage;
    type Record = DocumentRecord;
    const OPERATION: &'static str = "convert";

    fn ctx(&self) -> &Context {
        &self.0.ctx
    }

    fn id(message: &StageMessage) -> JobId {
        message.job_id()
    }

    async fn lease(&self, message: &StageMessage) -> Result<Option<DocumentRecord>, StoreError> {
        job::lease_document(&self.0, message, &[Status::Accepted], Status::Accepted).await
    }

    async fn work(
        &self,
        message: &StageMessage,
        leased: &mut DocumentRecord,
        _: Instant,
    ) -> Result<Recorded, Failure> {
        Ok(work(&self.0, message.mode, leased).await?)
    }
}

async fn work(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
) -> Result<Recorded, StoreError> {
    let taxpayer = sending.ctx.taxpayer_of_job(mode, &leased.taxpayer_id).await?;
    let request = leased
        .request
        .as_ref()
        .ok_or_else(|| StoreError::Corrupt("an accepted document has no request".into()))?;
    let (_held, body) = sending.bucket.get_with_room(request).await?;
    match prepare(&sending.ctx, mode, leased, &taxpayer, &body).await? {
        Ok(prepared) => converted(sending, mode, leased, prepared).await,
        Err(findings) => {
            failed(&sending.ctx, mode, leased, &taxpayer.participant_id, &findings).await
        }
    }
}

/// Prepares the document as it was prepared when it was accepted, or gives the findings that refuse it. Issue date and UUID are
/// those of then. The profile and the references are those of now.
async fn prepare(
    ctx: &Context,
    mode: Mode,
    leased: &DocumentRecord,
    taxpayer: &Taxpayer,
    body: &[u8],
) -> Result<Result<Prepared, Vec<Finding>>, StoreError> {
    let submission = match document::read(leased.operation, body) {
        Ok(submission) => submission,
        Err(ReadError::Invalid(findings)) => return Ok(Err(findings)),
        Err(ReadError::Malformed(message)) => return Err(StoreError::Corrupt(message.into())),
    };
    let DocumentRecord { document_id, uuid, created_at, .. } = leased;
    let accepted = Accepted { taxpayer, document_id, uuid: *uuid, at: *created_at };
    let completed = match pipeline::complete(ctx, accepted, submission).await {
        Ok(completed) => completed,
        Err(Incomplete::Refused(failure)) => return Ok(Err(pipeline::findings(failure))),
        Err(Incomplete::Failed(error)) => return Err(error),
    };
    let prepared = match completed.write() {
        Ok(prepared) => prepared,
        Err(refused) => return Ok(Err(refused.findings)),
    };
    let earlier = repetition::earlier_than(ctx, mode, leased).await?;
    Ok(Ok(prepared.warn_of(&earlier)))
}

async fn converted(
    sending: &Sending,
    mode: Mode,
    leased: &DocumentRecord,
    Prepared { document, ubl, warnings }: Prepared,
) -> Result<Recorded, StoreError> {
    let (taxpayer_id, document_id) = (&leased.taxpayer_id, &leased.document_id);
    // What is stored has the same name the next time.
    let (kind, begun) = (PayloadKind::Ubl, &mut Vec::new());
    let ubl = sending.bucket.put(mode, taxpayer_id, document_id, kind, ubl, begun).await?;
    let at = sending.ctx.now();
    let progress = Progress::Converted {
        ubl: Box::new(ubl),
        supplier: summary(&document.seller),
        customer: summary(&document.buyer),
        warnings: bounded(&warnings),
    };
    let due = Some(Due::queued(at));
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
    let effects = Effects { events: &[event], inbound: None, exchange: None };
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
