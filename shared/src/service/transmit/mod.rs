//! An outbound exchange of a document, a status or a report: one attempt is a lookup and one message.
//!
//! | step | what is fixed by then |
//! |---|---|
//! | [`prepare()`]: lookup, place at the access point, envelope | nothing is sent yet; the attempt can be abandoned |
//! | the caller writes the transmission | the ids of the message, and that an attempt began |
//! | [`send`]: the message and its answer | the outcome of the attempt, with the receipt |
//! | [`decide`] | what that means for the document |
//!
//! [`attempt`] makes these steps in one call. A synchronous send writes its transmission together with the document, and
//! so makes them itself.
//!
//! A retry after silence, and after an error that nobody signed, is the same message under the same id: the receiver may
//! have it. After an error that the receiver signed, the message gets a new id, since some receivers book an id before
//! they deliver. The envelope, and with it its instance identifier, never changes.

mod attempts;
pub(super) mod conclude;
mod decision;
pub(super) mod envelope;
mod message;
mod prepare;
pub(super) mod receipts;
mod schedule;
mod time;

pub(crate) use self::decision::{final_finding, final_finding_of_lookup};
use self::{
    attempts::{cut, duration},
    message::post,
};
pub(super) use self::{
    decision::{Decision, SendOutcome, decide, next_attempt, send_outcome},
    prepare::{Blocked, Content, Known, Ready, prepare},
    time::Time,
};
use super::{Context, network::Network};
use crate::{
    peppol::{identifiers::DocumentType, sbdh::Header},
    store::{AttemptOutcome, Bucket, Payload, StoreError, TransmissionRecord},
    types::Mode,
};

/// An outbound exchange: a message to one access point, and the receipt or error that answers it.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'a> {
    pub(super) ctx: &'a Context,
    pub(super) bucket: &'a Bucket,
    pub(super) network: &'a Network,
    pub(super) mode: Mode,
    /// How long it may take.
    pub(super) time: Time,
    /// The header of the envelope that the first attempt makes.
    pub(super) header: &'a Header,
    /// The registration at which the lookup begins, where the document's profile names one.
    pub(super) sought: Option<&'a DocumentType>,
}

/// Makes one attempt at the exchange of a document. `begin` writes the transmission before the first byte of the message
/// is sent, and returns it as it is then stored. It also gets the document that was stored with the envelope. Returns the
/// transmission and the outcome of the attempt; `None` when another worker was faster.
pub(super) async fn attempt<F>(
    exchange: Exchange<'_>,
    transmission: TransmissionRecord,
    content: Content<'_>,
    begin: impl FnOnce(TransmissionRecord, Option<Payload>) -> F,
) -> Result<Option<(TransmissionRecord, AttemptOutcome)>, StoreError>
where
    F: Future<Output = Result<Option<TransmissionRecord>, StoreError>>,
{
    // An earlier worker recorded the receipt, and died before it recorded what that means.
    let last = transmission.attempts.last().and_then(|last| last.outcome);
    if let Some(received @ AttemptOutcome::Received) = last {
        return Ok(Some((transmission, received)));
    }
    let mut ready = match Box::pin(prepare(exchange, transmission, content)).await? {
        Ok(ready) => ready,
        Err(Blocked::Lookup(transmission, failure)) => {
            return Ok(Some((*transmission, attempts::outcome_of(failure.why))));
        }
        Err(Blocked::Breaker(transmission)) => {
            return Ok(Some((*transmission, AttemptOutcome::Held)));
        }
    };
    let begun = begin(ready.transmission.clone(), ready.document.take()).await?;
    let Some(begun) = begun else { return Ok(None) };
    ready.transmission = begun;
    Ok(Some(Box::pin(send(exchange, ready)).await))
}

/// Sends the message, and reads what comes back for it. Its transmission is written before.
pub(super) async fn send(
    exchange: Exchange<'_>,
    ready: Ready,
) -> (TransmissionRecord, AttemptOutcome) {
    let Ready { mut transmission, query, mut found, remembered, message, envelope, place, .. } =
        ready;
    let started = exchange.ctx.now();
    let mut came = post(exchange, &query, &found, &message, &envelope).await;
    place.observed(exchange.ctx, came.sign).await;
    // No connection to the address of an earlier lookup: the recipient may have moved since. Nothing was sent.
    if remembered
        && came.unconnected
        && let Some(moved) = exchange
            .network
            .find_anew(exchange.ctx, exchange.mode, &query, exchange.time.to_begin())
            .await
        && moved.address != found.address
    {
        found = moved;
        came = post(exchange, &query, &found, &message, &envelope).await;
        if let Some(attempt) = transmission.attempts.last_mut() {
            attempt.endpoint = Some(found.address.clone());
            attempt.receiver = Some(found.certificate.common_name().to_owned());
        }
    }
    if let Some(receipt) = came.receipt {
        transmission.receipt = receipts::written_down(exchange, &transmission, receipt).await;
    }
    let outcome = match came.outcome {
        // Every earlier message was answered, so there is no duplicate, whatever the receiver says.
        AttemptOutcome::Duplicate if !transmission.silent => AttemptOutcome::Refused,
        outcome => outcome,
    };
    match outcome {
        AttemptOutcome::Unconfirmed => transmission.silent = true,
        // The id may be booked although nothing was delivered.
        AttemptOutcome::Deferred => transmission.message = None,
        _ => {}
    }
    if let Some(attempt) = transmission.attempts.last_mut() {
        attempt.duration_ms = Some(duration(started, exchange.ctx.now()));
        attempt.outcome = Some(outcome);
        attempt.ebms_code = came.ebms_code;
        attempt.cause = came.cause.as_deref().map(cut);
    }
    tracing::info!(
        as4.message_id = message.message_id, as4.receiver = found.certificate.common_name(),
        as4.outcome = ?outcome, error.cause = came.cause.as_deref().unwrap_or(""),
        "transmission attempted"
    );
    (transmission, outcome)
}
