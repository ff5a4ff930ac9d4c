//! The Message Level Status that is owed for each document of another access point: waiting → answering →
//! sent. It is an item of its own, made in the transaction that ends the document's judgement:
//!
//! | the document | what is owed |
//! |---|---|
//! | breaks the rules | RE with what was found, at once |
//! | is valid, and the sender wants failures alone | nothing |
//! | is valid, and its receiver confirms that he has it (`confirm.rs`) | AP, at once |
//! | is valid, and nobody confirms within [`CONFIRMATION`] of its sending | AB |
//!
//! What it says is decided by one conditional write. From then on it goes like any message
//! (`transmit`): its ids are written down before its first byte leaves, and an attempt that may have
//! arrived is repeated as the same message. A status is never answered with one: what is for the
//! provider itself owes nothing.

pub(super) mod confirm;
pub mod figures;
mod status;

use jiff::{SignedDuration, Timestamp};
use tracing::Instrument;

use super::{
    Answering, Context, Judging, RELAY_GRACE, exchanges, later, lease,
    network::{Network, Why},
    transmit::{self, Decision, Held, Time, Way, decide, receipts},
    waiting,
};
use crate::{
    error::{Code, Failure},
    peppol::{
        identifiers::Spid,
        sbdh::{self, Header, MlsType},
    },
    store::{
        AnswerMessage, AnswerRecord, AnswerStatus, Answered, AttemptOutcome, DocumentRecord, Due,
        Lease, MessageRecord, Recorded, Seen, Status, StatusCode, StoreError, TransmissionRecord,
        keys::{Place, Proves},
    },
    types::{MessageId, Mode, ReportId},
};

/// How long the receiver may confirm a document, from M1 on. The network wants the status sent within 20
/// minutes (Network Policy 1.0.0, MLS-1): the rest is for its way.
pub const CONFIRMATION: SignedDuration = SignedDuration::from_mins(15);
/// How long an item that is to be parked is left alone by the sweeper meanwhile.
const UNTIL_PARKED: SignedDuration = SignedDuration::from_mins(60);

/// What is owed for a document that was judged, and when it must go on its way.
pub(super) fn owed(
    judging: &Judging,
    message: &MessageRecord,
    header: &Header,
    document: &DocumentRecord,
) -> (AnswerRecord, Option<Due>) {
    let (ctx, now) = (&judging.ctx, judging.ctx.now());
    // The clock of another may be ahead.
    let measured_from = message.sent_at.min(message.received_at);
    // Peppol MLS: without a word about it, or by an unknown one, failures alone are wanted.
    let wanted = header.mls_type.unwrap_or_default();
    let (status, code, due) = match (document.status, wanted) {
        (Status::Rejected, _) => {
            let due = Due::relayed(later(now, RELAY_GRACE));
            (AnswerStatus::Answering, Some(StatusCode::Rejected), Some(due))
        }
        (_, MlsType::AlwaysSend) => {
            let due = Due::watched(later(measured_from, CONFIRMATION).max(now));
            (AnswerStatus::Waiting, None, Some(due))
        }
        (_, MlsType::FailureOnly) => (AnswerStatus::NotOwed, None, None),
    };
    let answer = AnswerRecord {
        document_id: document.document_id.clone(),
        taxpayer_id: document.taxpayer_id.clone(),
        ref_to: message.instance_id.clone(),
        seat: message.sender.clone(),
        receiver: header.mls_receiver(&message.sender),
        instance_id: MessageId::new(now, &*ctx.random),
        status,
        code,
        measured_from,
        created_at: now,
        sent_at: None,
        lease: None,
        tries: 0,
    };
    (answer, due)
}

/// Sends the status that is owed for a document: works on a message of the answer queue. One that
/// comes twice, or early, does nothing. An error means that it should come again.
pub async fn answer(answering: &Answering, message: &AnswerMessage) -> Result<(), Failure> {
    let place = Place::Answer(message.mode, message.document_id.clone());
    let span = waiting::span("answer", &place);
    stage(answering, message, place).instrument(span).await
}

async fn stage(
    answering: &Answering,
    message: &AnswerMessage,
    place: Place,
) -> Result<(), Failure> {
    let time = Time::of_turn(answering.time);
    let leased = lease::taken(&answering.ctx, &place, take(answering, message).await).await?;
    let Some(leased) = leased else { return Ok(()) };
    // Boxed: the state of a whole stage is large.
    let result = Box::pin(work(answering, message.mode, &leased, time)).await;
    lease::finish(&answering.ctx, place, leased.lease.as_ref(), leased.tries, result).await
}

/// Takes the answer, and decides what it says if nobody has confirmed the document in time; `None` when
/// there is nothing to send, or another worker has it.
async fn take(
    answering: &Answering,
    AnswerMessage { mode, document_id, .. }: &AnswerMessage,
) -> Result<Option<AnswerRecord>, StoreError> {
    let (ctx, now) = (&answering.ctx, answering.ctx.now());
    let Some(record) = ctx.store.get_answer(*mode, document_id).await? else { return Ok(None) };
    if record.lease.as_ref().is_some_and(|lease| now < lease.until) {
        return Ok(None);
    }
    let code = match (record.status, record.code) {
        (AnswerStatus::Waiting, _) if later(record.measured_from, CONFIRMATION) <= now => {
            StatusCode::Forwarded
        }
        (AnswerStatus::Answering, Some(code)) => code,
        (AnswerStatus::Answering, None) => {
            return Err(StoreError::Corrupt("an answer on its way says nothing".into()));
        }
        _ => {
            let place = Place::Receipt(*mode, Proves::Answer(document_id.clone()));
            receipts::shelve_due(ctx, &answering.bucket, place).await;
            return Ok(None);
        }
    };
    let lease = Lease { owner: ctx.new_uuid(), until: later(now, answering.lease) };
    ctx.store.lease_answer(*mode, &record, code, lease, now).await
}

/// One attempt.
async fn work(
    answering: &Answering,
    mode: Mode,
    leased: &AnswerRecord,
    time: Time,
) -> Result<Recorded, StoreError> {
    let Answering { ctx, bucket, connection, .. } = answering;
    let connection = connection.as_ref().ok_or_else(|| {
        StoreError::Unavailable("this deployment is not connected to the network".into())
    })?;
    let network = connection.network().await?;
    let transmission = ctx.store.get_answer_transmission(mode, &leased.document_id).await?;
    let transmission = transmission.unwrap_or_else(|| {
        TransmissionRecord::of_status(leased.taxpayer_id.clone(), leased.document_id.clone())
    });
    let (header, status) = made(answering, mode, network, leased, &transmission).await?;
    let way = Way { ctx, bucket, network, mode, time, header: &header, sought: None };
    let stored = &mut Vec::new();
    let held = match Box::pin(transmit::prepare(way, transmission, &status, stored)).await? {
        Ok(ready) => return send(way, leased, ready).await,
        Err(held) => held,
    };
    // Peppol MLS: an MLS_TO that is not registered is ignored.
    let fallback = leased.seat.spid();
    match held {
        Held::Lookup(transmission, missed)
            if matches!(missed.why, Why::NotRegistered | Why::NotCapable)
                && transmission.envelope.is_none()
                && header.receiver != *fallback.participant() =>
        {
            let (header, status) = make(answering, mode, network, leased, fallback).await?;
            let way = Way { header: &header, ..way };
            match Box::pin(transmit::prepare(way, *transmission, &status, stored)).await? {
                Ok(ready) => send(way, leased, ready).await,
                Err(held) => hold(way, leased, held).await,
            }
        }
        held => hold(way, leased, held).await,
    }
}

/// The envelope's header and the status in it: as the first attempt made them, or made now.
async fn made(
    answering: &Answering,
    mode: Mode,
    network: &Network,
    leased: &AnswerRecord,
    transmission: &TransmissionRecord,
) -> Result<(Header, Vec<u8>), StoreError> {
    let Some(envelope) = &transmission.envelope else {
        return make(answering, mode, network, leased, &leased.receiver).await;
    };
    let bytes = answering.bucket.get(envelope).await?;
    let envelope = sbdh::read(&bytes).map_err(|error| StoreError::Corrupt(error.into()))?;
    let status = envelope.payload.document().into_owned();
    Ok((envelope.header, status))
}

async fn make(
    answering: &Answering,
    mode: Mode,
    network: &Network,
    leased: &AnswerRecord,
    receiver: &Spid,
) -> Result<(Header, Vec<u8>), StoreError> {
    let Answering { ctx, .. } = answering;
    let seat = network.seat();
    let seat = seat.ok_or_else(|| StoreError::Unavailable("we have no seat".into()))?;
    let (taxpayer_id, document_id) = (&leased.taxpayer_id, &leased.document_id);
    let document = ctx.store.get_document(mode, taxpayer_id, document_id).await?;
    let document =
        document.ok_or_else(|| StoreError::Corrupt("the answer's document is gone".into()))?;
    status::make(leased, &document, seat.spid(), receiver, ctx.now())
}

/// Sends the message of an attempt that was written down.
async fn send(
    way: Way<'_>,
    leased: &AnswerRecord,
    ready: transmit::Ready,
) -> Result<Recorded, StoreError> {
    let begun = way.ctx.store.put_transmission(way.mode, ready.transmission.clone()).await;
    match transmit::transmit_written(way, ready, begun).await? {
        Some((transmission, outcome)) => conclude(way, leased, &transmission, outcome).await,
        None => Ok(Recorded::Lost),
    }
}

/// Notes why no message left.
async fn hold(way: Way<'_>, leased: &AnswerRecord, held: Held) -> Result<Recorded, StoreError> {
    match held {
        Held::Lookup(transmission, missed) => {
            conclude(way, leased, &transmission, transmit::outcome_of(missed.why)).await
        }
        Held::Gate { transmission, .. } => {
            conclude(way, leased, &transmission, AttemptOutcome::Held).await
        }
    }
}

/// Writes down what an attempt came to.
async fn conclude(
    way: Way<'_>,
    leased: &AnswerRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Result<Recorded, StoreError> {
    let (ctx, at) = (way.ctx, way.ctx.now());
    let unregistered =
        matches!(outcome, AttemptOutcome::NotRegistered | AttemptOutcome::NotCapable);
    let until_parked = later(at, UNTIL_PARKED);
    let (answered, given_up) = match decide(ctx, transmission, outcome) {
        Decision::Sent => (Answered::Sent, None),
        Decision::Later(next) => (Answered::Later(next), None),
        Decision::Unconfirmed(_) => (Answered::Unconfirmed, None),
        // Not everybody takes statuses yet.
        Decision::Failed(_) if unregistered => (Answered::Undeliverable, None),
        Decision::Failed(finding) => (Answered::Later(until_parked), Some(finding.message)),
    };
    let exchange = match answered {
        Answered::Sent => exchanges::sent(way.header, transmission, at),
        _ => None,
    };
    let (way_on, exchange) = (Some(transmission), exchange.as_ref());
    let ended = ctx.store.end_answer(way.mode, leased, answered, way_on, exchange, at);
    let recorded = ended.await?;
    if recorded == Recorded::Done {
        receipts::shelve(ctx, way.bucket, way.mode, transmission).await;
    }
    match given_up {
        _ if recorded != Recorded::Done => {}
        None => {
            note(leased, answered, at);
            if answered == Answered::Sent && leased.code == Some(StatusCode::Delivered) {
                report(ctx, leased).await;
            }
        }
        Some(reason) => park(way, leased, until_parked, reason.into_owned()).await,
    }
    Ok(recorded)
}

/// Has a document reported whose receiver confirmed it, now that its sender knows. Otherwise that waits until
/// the status would have been due.
async fn report(ctx: &Context, leased: &AnswerRecord) {
    let report_id = ReportId::first_of(&leased.document_id);
    let sweep_at = later(ctx.now(), RELAY_GRACE);
    let brought = ctx.store.bring_filing_forward(&leased.taxpayer_id, &report_id, sweep_at).await;
    if let Err(error) = brought {
        tracing::warn!(%error, "a filing is not brought forward");
    }
}

/// Parks an answer whose transmission has failed for good: somebody must look.
async fn park(way: Way<'_>, leased: &AnswerRecord, due_at: Timestamp, reason: String) {
    let place = Place::Answer(way.mode, leased.document_id.clone());
    let failure = Failure::new(Code::InternalError, reason);
    // What cannot be noted is tried once more, and given up then.
    let _ = waiting::put_off(way.ctx, &Seen { place, due_at, tries: 0 }, 0, failure).await;
}

/// The template makes metrics of these: how long after M1 a status was sent, and how many were not.
fn note(leased: &AnswerRecord, answered: Answered, at: Timestamp) {
    let code = leased.code.map_or("", StatusCode::as_str);
    match answered {
        Answered::Sent => {
            let seconds = at.duration_since(leased.measured_from).as_secs();
            tracing::info!(code, mls_seconds = seconds, seat = %leased.seat, "a status was sent");
        }
        Answered::Unconfirmed | Answered::Undeliverable => {
            tracing::warn!(code, mls_unsent = 1, seat = %leased.seat, ?answered, "a status was not sent");
        }
        Answered::Later(until) => tracing::info!(code, %until, "a status is tried again"),
    }
}
