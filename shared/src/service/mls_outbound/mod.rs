//! The Message Level Status that we owe for each document of another access point: waiting → answering → sent. It is an
//! item of its own, made in the transaction that ends the document's validation:
//!
//! | the document | what is owed |
//! |---|---|
//! | breaks the rules | RE with what was found, at once |
//! | is valid, and the sender wants failures alone | nothing |
//! | is valid, and its receiver confirms that it has the document (`confirm.rs`) | AP, at once |
//! | is valid, and nobody confirms within [`CONFIRMATION`] of its sending | AB |
//!
//! One conditional write decides the status. From then on it is transmitted like any message (`transmit`). Its ids are
//! written before its first byte leaves. An attempt that may have arrived is repeated as the same message. No status is
//! owed for a status, so messages for the provider itself owe nothing.

pub(super) mod confirm;
pub mod figures;
mod status;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{
    Context, RELAY_GRACE, SendingMls, ValidatingInbound, exchange_counts,
    job::{self, Job},
    later,
    network::{self, Network},
    retry,
    transmit::{self, Content, Decision, Exchange, Time, decide, receipts},
};
use crate::{
    error::{Code, Failure},
    peppol::{
        identifiers::Spid,
        sbdh::{self, Header, MlsType},
    },
    store::{
        Answered, AttemptOutcome, DocumentRecord, Due, JobVersion, MessageRecord,
        MlsOutboundMessage, MlsOutboundRecord, MlsOutboundStatus, Recorded, Seen, Status,
        StatusCode, StoreError, TransmissionRecord,
        keys::{JobId, Proves},
    },
    types::{MessageId, Mode, ReportId},
};

/// How long the receiver may confirm a document, from M1 on. The network wants the status sent within 20 minutes
/// (Network Policy 1.0.0, MLS-1). The rest of the time is for the transmission.
pub const CONFIRMATION: SignedDuration = SignedDuration::from_mins(15);
/// Keeps the sweeper away from an item until it is parked.
const UNTIL_PARKED: SignedDuration = SignedDuration::from_mins(60);

/// The status that is owed for a validated document, and when it is due.
pub(super) fn owed(
    validating: &ValidatingInbound,
    message: &MessageRecord,
    header: &Header,
    document: &DocumentRecord,
) -> (MlsOutboundRecord, Option<Due>) {
    let (ctx, now) = (&validating.ctx, validating.ctx.now());
    // The sender's clock may be ahead.
    let measured_from = message.sent_at.min(message.received_at);
    // Peppol MLS: without a type, or with an unknown one, the sender wants failures only.
    let wanted = header.mls_type.unwrap_or_default();
    let (status, code, due) = match (document.status, wanted) {
        (Status::Rejected, _) => {
            let due = Due::queued(now);
            (MlsOutboundStatus::Answering, Some(StatusCode::Rejected), Some(due))
        }
        (_, MlsType::AlwaysSend) => {
            let due = Due::begins(later(measured_from, CONFIRMATION).max(now), now);
            (MlsOutboundStatus::Waiting, None, Some(due))
        }
        (_, MlsType::FailureOnly) => (MlsOutboundStatus::NotOwed, None, None),
    };
    let answer = MlsOutboundRecord {
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

impl Job for SendingMls {
    type Message = MlsOutboundMessage;
    type Record = MlsOutboundRecord;
    const OPERATION: &'static str = "mls";

    fn ctx(&self) -> &Context {
        &self.ctx
    }

    fn id(message: &MlsOutboundMessage) -> JobId {
        JobId::MlsOutbound(message.mode, message.document_id.clone())
    }

    async fn lease(
        &self,
        message: &MlsOutboundMessage,
    ) -> Result<Option<MlsOutboundRecord>, StoreError> {
        lease(self, message).await
    }

    async fn work(
        &self,
        message: &MlsOutboundMessage,
        leased: &mut MlsOutboundRecord,
        begun: Instant,
    ) -> Result<Recorded, Failure> {
        Ok(work(self, message.mode, leased, Time::of_turn(begun, self.time)).await?)
    }
}

/// Leases the status, and decides its code if nobody has confirmed the document in time. `None` when there is nothing
/// to send, or another worker has the lease.
async fn lease(
    sending: &SendingMls,
    MlsOutboundMessage { mode, document_id, .. }: &MlsOutboundMessage,
) -> Result<Option<MlsOutboundRecord>, StoreError> {
    let (ctx, now) = (&sending.ctx, sending.ctx.now());
    let record = ctx.store.get_mls_outbound(*mode, document_id).await?;
    let Some(record) = record.filter(|record| job::is_free(ctx, record)) else { return Ok(None) };
    let code = match (record.status, record.code) {
        (MlsOutboundStatus::Waiting, _) if later(record.measured_from, CONFIRMATION) <= now => {
            StatusCode::Forwarded
        }
        (MlsOutboundStatus::Answering, Some(code)) => code,
        (MlsOutboundStatus::Answering, None) => {
            return Err(StoreError::Corrupt(
                "a Message Level Status in progress has no code".into(),
            ));
        }
        _ => {
            let job_id = JobId::Receipt(*mode, Proves::MlsOutbound(document_id.clone()));
            receipts::shelve_due(ctx, &sending.bucket, job_id).await;
            return Ok(None);
        }
    };
    let lease = job::new_lease(ctx, sending.lease);
    ctx.store.lease_mls_outbound(*mode, &record, code, lease, now).await
}

/// One attempt.
async fn work(
    sending: &SendingMls,
    mode: Mode,
    leased: &MlsOutboundRecord,
    time: Time,
) -> Result<Recorded, StoreError> {
    let SendingMls { ctx, bucket, connection, .. } = sending;
    let network = network::connected(connection.as_deref()).await?;
    let MlsOutboundRecord { taxpayer_id, document_id, .. } = leased;
    let transmission = ctx.store.get_mls_transmission(mode, taxpayer_id, document_id).await?;
    let transmission = transmission
        .unwrap_or_else(|| TransmissionRecord::of_status(taxpayer_id.clone(), document_id.clone()));
    let (header, status) = made(sending, mode, network, leased, &transmission).await?;
    let exchange = Exchange { ctx, bucket, network, mode, time, header: &header, sought: None };
    let Some((transmission, outcome)) = attempt(exchange, transmission, &status).await? else {
        return Ok(Recorded::Lost);
    };
    // Peppol MLS: an MLS_TO that is not registered is ignored.
    let fallback = leased.seat.spid();
    let ignored = is_unregistered(outcome)
        && transmission.envelope.is_none()
        && header.receiver != *fallback.participant();
    if !ignored {
        return conclude(exchange, leased, &transmission, outcome).await;
    }
    let (header, status) = make(sending, mode, network, leased, fallback).await?;
    let exchange = Exchange { header: &header, ..exchange };
    match attempt(exchange, transmission, &status).await? {
        Some((transmission, outcome)) => conclude(exchange, leased, &transmission, outcome).await,
        None => Ok(Recorded::Lost),
    }
}

/// Makes one attempt, which is recorded before its message is sent.
async fn attempt(
    exchange: Exchange<'_>,
    transmission: TransmissionRecord,
    status: &[u8],
) -> Result<Option<(TransmissionRecord, AttemptOutcome)>, StoreError> {
    let content = Content::of(status);
    let begin = |transmission, _| exchange.ctx.store.put_transmission(exchange.mode, transmission);
    transmit::attempt(exchange, transmission, content, begin).await
}

/// Whether the receiver of a status cannot receive it.
fn is_unregistered(outcome: AttemptOutcome) -> bool {
    matches!(outcome, AttemptOutcome::NotRegistered | AttemptOutcome::NotCapable)
}

/// The envelope's header and its status: those of the first attempt, or new ones.
async fn made(
    sending: &SendingMls,
    mode: Mode,
    network: &Network,
    leased: &MlsOutboundRecord,
    transmission: &TransmissionRecord,
) -> Result<(Header, Vec<u8>), StoreError> {
    let Some(envelope) = &transmission.envelope else {
        return make(sending, mode, network, leased, &leased.receiver).await;
    };
    let bytes = sending.bucket.get(envelope).await?;
    let envelope = sbdh::read(&bytes).map_err(|error| StoreError::Corrupt(error.into()))?;
    let status = envelope.payload.document().into_owned();
    Ok((envelope.header, status))
}

async fn make(
    sending: &SendingMls,
    mode: Mode,
    network: &Network,
    leased: &MlsOutboundRecord,
    receiver: &Spid,
) -> Result<(Header, Vec<u8>), StoreError> {
    let SendingMls { ctx, .. } = sending;
    let seat = network.own_seat()?;
    let (taxpayer_id, document_id) = (&leased.taxpayer_id, &leased.document_id);
    let document = ctx.store.get_document(mode, taxpayer_id, document_id).await?;
    let document = document.ok_or_else(|| {
        StoreError::Corrupt("the document of a Message Level Status no longer exists".into())
    })?;
    status::make(leased, &document, seat.spid(), receiver, ctx.now())
}

/// Records the outcome of an attempt.
async fn conclude(
    exchange: Exchange<'_>,
    leased: &MlsOutboundRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Result<Recorded, StoreError> {
    let (ctx, at) = (exchange.ctx, exchange.ctx.now());
    let until_parked = later(at, UNTIL_PARKED);
    let (answered, abandoned) = match decide(ctx, transmission, outcome) {
        Decision::Sent => (Answered::Sent, None),
        Decision::Later(next) => (Answered::Later(next), None),
        Decision::Unconfirmed(_) => (Answered::Unconfirmed, None),
        // Not every provider accepts statuses yet.
        Decision::Failed(_) if is_unregistered(outcome) => (Answered::Undeliverable, None),
        Decision::Failed(finding) => (Answered::Later(until_parked), Some(finding.message)),
    };
    let counted = match answered {
        Answered::Sent => exchange_counts::sent(exchange.header, transmission, at),
        _ => None,
    };
    let (transmission_after, counted) = (Some(transmission), counted.as_ref());
    let ended = ctx.store.end_mls_outbound(
        exchange.mode,
        leased,
        answered,
        transmission_after,
        counted,
        at,
    );
    let recorded = ended.await?;
    match abandoned {
        _ if recorded != Recorded::Done => {}
        None => {
            note(leased, answered, at);
            if answered == Answered::Sent && leased.code == Some(StatusCode::Delivered) {
                report(ctx, leased).await;
            }
        }
        Some(reason) => park(exchange, leased, until_parked, reason.into_owned()).await,
    }
    Ok(recorded)
}

/// Reports a confirmed document at once, since its sender knows now that it arrived. Otherwise the report waits until
/// the status would have been due.
async fn report(ctx: &Context, leased: &MlsOutboundRecord) {
    let report_id = ReportId::first_of(&leased.document_id);
    let sweep_at = later(ctx.now(), RELAY_GRACE);
    let brought = ctx.store.advance_tax_report(&leased.taxpayer_id, &report_id, sweep_at).await;
    if let Err(error) = brought {
        tracing::warn!(%error, "a tax report could not be rescheduled to an earlier time");
    }
}

/// Parks a status whose transmission has failed for good. An operator must act.
async fn park(
    exchange: Exchange<'_>,
    leased: &MlsOutboundRecord,
    due_at: Timestamp,
    reason: String,
) {
    let job_id = JobId::MlsOutbound(exchange.mode, leased.document_id.clone());
    let (failure, seen) = (Failure::new(Code::InternalError, reason), Seen::DueAt(due_at));
    // If this write fails too, the sweeper relays the job once more, and it fails and parks again.
    let _ =
        retry::reschedule(exchange.ctx, &JobVersion { job_id, seen, tries: 0 }, 0, failure).await;
}

/// The template makes metrics of these: the seconds from M1 to the sending of a status, and the count of unsent
/// statuses.
fn note(leased: &MlsOutboundRecord, answered: Answered, at: Timestamp) {
    let code = leased.code.map_or("", StatusCode::as_str);
    match answered {
        Answered::Sent => {
            let seconds = at.duration_since(leased.measured_from).as_secs();
            tracing::info!(code, mls_seconds = seconds, seat = %leased.seat, "a status was sent");
        }
        Answered::Unconfirmed | Answered::Undeliverable => {
            tracing::warn!(code, mls_unsent = 1, seat = %leased.seat, ?answered, "a status was not sent");
        }
        Answered::Later(until) => tracing::info!(code, %until, "a status is retried"),
    }
}
