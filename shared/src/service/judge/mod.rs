//! The judgement of what other access points sent: received → judged. A document is judged by schema
//! and rules; then it is the taxpayer's, received or rejected. A status message ends the way of the
//! document that it is about, and is kept under the envelope of that.

mod document;
mod status;
mod verdict;

use tracing::Instrument;

use super::{Judging, RELAY_GRACE, answer, later, lease, record, report::first, waiting};
use crate::{
    document::Operation,
    error::{Failure, Finding},
    peppol::{
        mls,
        sbdh::{self, Envelope, Header},
    },
    store::{
        Addressee, DocumentRecord, EventType, JudgeMessage, Judged, Lease, MessageRecord,
        MessageStatus, PayloadKind, Recorded, Reporting, Status, StoreError, keys::Place,
    },
    types::{DocumentId, Mode, TaxpayerId},
};

/// Judges what is in a message of another access point: works on a message of the judge queue. One
/// that comes twice, or late, does nothing. An error means that it should come again.
pub async fn judge(judging: &Judging, message: &JudgeMessage) -> Result<(), Failure> {
    let place = Place::Message(message.mode, message.envelope.clone());
    let span = waiting::span("judge", &place);
    stage(judging, message, place).instrument(span).await
}

/// Everything that is found in a document that came in an envelope.
pub(crate) fn findings(document: &[u8], header: &Header) -> Vec<Finding> {
    document::judge(document, header).findings
}

/// Everything that a status says was found in a document of ours, of which this is the UBL; none where it is no status.
pub(crate) fn said(status: &[u8], operation: Operation, ubl: &[u8]) -> Option<Vec<Finding>> {
    let status = mls::read(status).ok()?;
    status::findings::within(&status.verdict, operation, ubl).ok()
}

async fn stage(judging: &Judging, message: &JudgeMessage, place: Place) -> Result<(), Failure> {
    let leased = lease::taken(&judging.ctx, &place, take(judging, message).await).await?;
    let Some(leased) = leased else { return Ok(()) };
    // Boxed: the state of a whole stage is large.
    let result = Box::pin(work(judging, message.mode, &leased)).await;
    lease::finish(&judging.ctx, place, leased.lease.as_ref(), leased.tries, result).await
}

/// Takes the message; `None` when another worker has it or has judged it.
async fn take(
    judging: &Judging,
    JudgeMessage { mode, envelope, .. }: &JudgeMessage,
) -> Result<Option<MessageRecord>, StoreError> {
    let (ctx, now) = (&judging.ctx, judging.ctx.now());
    let record = ctx.store.get_message(*mode, envelope).await?.filter(|record| {
        record.status == MessageStatus::Received
            && record.lease.as_ref().is_none_or(|lease| lease.until <= now)
    });
    let Some(record) = record else { return Ok(None) };
    let lease = Lease { owner: ctx.new_uuid(), until: later(now, judging.lease) };
    ctx.store.lease_message(*mode, &record, lease, now).await
}

async fn work(
    judging: &Judging,
    mode: Mode,
    leased: &MessageRecord,
) -> Result<Recorded, StoreError> {
    let payload = leased.envelope.as_ref();
    let payload =
        payload.ok_or_else(|| StoreError::Corrupt("a received message has no envelope".into()))?;
    let bytes = judging.bucket.get(payload).await?;
    let envelope = sbdh::receive(&bytes).map_err(|error| StoreError::Corrupt(error.into()))?;
    match &leased.addressee {
        Addressee::Taxpayer { taxpayer_id, document_id } => {
            judge_document(judging, mode, leased, &envelope, taxpayer_id, document_id).await
        }
        Addressee::Provider => status::judge(judging, mode, leased, &envelope).await,
        Addressee::Unknown => Err(StoreError::Unavailable(
            "the message is for somebody whom a newer version knows".into(),
        )),
    }
}

/// Makes the taxpayer's document with the status that is owed for it, and tells of it if it is valid.
async fn judge_document(
    judging: &Judging,
    mode: Mode,
    leased: &MessageRecord,
    envelope: &Envelope<'_>,
    taxpayer_id: &TaxpayerId,
    document_id: &DocumentId,
) -> Result<Recorded, StoreError> {
    let Judging { ctx, bucket, .. } = judging;
    let taxpayer = ctx.store.get_taxpayer_lately(mode, taxpayer_id).await?;
    let taxpayer =
        taxpayer.ok_or_else(|| StoreError::Corrupt("the message's taxpayer is gone".into()))?;
    let bytes = envelope.payload.document();
    let judgement = document::judge(&bytes, &envelope.header);
    // What is stored has the same name the next time.
    let (kind, begun) = (PayloadKind::Ubl, &mut Vec::new());
    let ubl = bucket.put(mode, taxpayer_id, document_id, kind, bytes.into_owned(), begun).await?;
    let names = (taxpayer_id.clone(), document_id.clone());
    let document = document::record(leased, names, &envelope.header, judgement, ubl, ctx.now())?;
    tracing::info!(%document_id, status = document.status.as_str(), "a document was judged");
    let sweep_at = later(ctx.now(), RELAY_GRACE);
    let (answer, due) = answer::owed(judging, leased, &envelope.header, &document);
    let filing = first::of_received(ctx, mode, leased, &document, due);
    let reporting = filing.as_ref().map(|new| Reporting::of(&new.filing));
    let document = DocumentRecord { reporting, ..document };
    let events = match document.status {
        Status::Received => {
            let (kind, participant) = (EventType::DocumentReceived, &taxpayer.participant_id);
            let event = record::event(ctx, mode, kind, participant, &document);
            vec![event.map_err(|error| StoreError::Corrupt(error.into()))?]
        }
        _ => Vec::new(),
    };
    let judged = Judged::Document {
        document: &document,
        events: &events,
        sweep_at,
        answer: (&answer, due),
        filing: filing.as_ref(),
    };
    ctx.store.end_message(mode, leased, judged).await
}
