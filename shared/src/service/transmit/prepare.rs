//! Prepares an attempt: finds the recipient's access point, gets a permit of its circuit breaker, and makes the message.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{
    Exchange,
    attempts::{begun, hold, keep, note_lookup_failure},
};
use crate::{
    peppol::{
        lookup::{Found, Query},
        sbdh::{self, Header},
    },
    service::{
        Context, later,
        network::{Located, LookupFailure},
    },
    store::{
        As4Message, Payload, PayloadKind, StoreError, TransmissionRecord,
        breakers::{Admission, BreakerKey, Observed, Permit, Released},
    },
};

/// When the permit of an execution that died expires.
const PERMIT_LIFETIME: SignedDuration = SignedDuration::from_secs(30);
/// How long a document waits for a breaker that is full.
const FULL: SignedDuration = SignedDuration::from_secs(60);
/// The pause before a full breaker is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(250);

/// An attempt whose message may be sent, once its transmission is written.
pub(in crate::service) struct Ready {
    /// It has the attempt, which has begun.
    pub(in crate::service) transmission: TransmissionRecord,
    pub(super) query: Query,
    pub(super) found: Found,
    /// Whether an earlier lookup found it.
    pub(super) remembered: bool,
    pub(super) message: As4Message,
    pub(super) envelope: Vec<u8>,
    pub(super) permit: Permit,
}

/// Why no message may be sent.
pub(in crate::service) enum Blocked {
    /// The lookup. The transmission has the failed attempt.
    Lookup(Box<TransmissionRecord>, LookupFailure),
    /// The circuit breaker: the access point keeps failing, or has as many messages as it takes at once. No attempt was
    /// made. The transmission says so.
    Breaker(Box<TransmissionRecord>),
}

/// Finds the recipient's access point, and makes the message with `document` in it as soon as the breaker admits one more.
/// Adds what it stores to `stored`.
pub(in crate::service) async fn prepare(
    exchange: Exchange<'_>,
    mut transmission: TransmissionRecord,
    document: &[u8],
    stored: &mut Vec<Payload>,
) -> Result<Result<Ready, Blocked>, StoreError> {
    let (ctx, mut now) = (exchange.ctx, exchange.ctx.now());
    // A worker died between the first byte and the outcome.
    let last = transmission.attempts.last();
    transmission.silent |= last.is_some_and(|it| it.outcome.is_none() && it.message_id.is_some());
    let Header { receiver, document: identification, process, .. } = exchange.header;
    let query = Query {
        participant: receiver.clone(),
        document_type: identification.document_type().clone(),
        process: process.clone(),
        sought: exchange.sought.cloned(),
    };
    let to_begin = exchange.time.to_begin();
    let Located { found, stale, remembered } =
        match exchange.network.find(ctx, exchange.mode, &query, to_begin).await {
            Ok(located) => located,
            Err(failure) => {
                tracing::info!(
                    recipient = %query.participant, lookup.outcome = ?failure.why,
                    error.cause = failure.message, "the recipient's access point was not found"
                );
                note_lookup_failure(&mut transmission, &failure, (now, ctx.now()));
                return Ok(Err(Blocked::Lookup(Box::new(transmission), failure)));
            }
        };
    let breaker = BreakerKey::receiver(exchange.mode, &found.address);
    let mut asked = 1;
    let permit = loop {
        match ctx.store.admit(&breaker, ctx.new_uuid(), now, later(now, PERMIT_LIFETIME)).await? {
            Admission::Admitted(permit) => break permit,
            Admission::Open { until, .. } => {
                let why = format!("failed repeatedly, and is not contacted until {until:.0}");
                hold(&mut transmission, &found, (now, until), &why);
                return Ok(Err(Blocked::Breaker(Box::new(transmission))));
            }
            Admission::Full { .. } if asked == exchange.time.asks || to_begin <= Instant::now() => {
                let until = later(now, FULL);
                let why = "has reached its concurrency limit";
                hold(&mut transmission, &found, (now, until), why);
                // The template makes a metric of `receiver_full`.
                tracing::warn!(
                    receiver_full = 1, as4.receiver = found.certificate.common_name(), %until,
                    "an access point is at its concurrency limit: its documents wait"
                );
                return Ok(Err(Blocked::Breaker(Box::new(transmission))));
            }
            Admission::Full { .. } => {
                asked += 1;
                ctx.clock.sleep(ASK_AGAIN).await;
                now = ctx.now();
            }
        }
    };
    let bytes = match envelope_of(exchange, &mut transmission, document, stored).await {
        Ok(bytes) => bytes,
        Err(error) => {
            release_permit(ctx, permit, Observed::default()).await;
            return Err(error);
        }
    };
    let message = transmission.message.get_or_insert_with(|| new_message(exchange, now)).clone();
    let mut attempt = begun(&mut transmission, now);
    attempt.endpoint = Some(found.address.clone());
    attempt.receiver = Some(found.certificate.common_name().to_owned());
    attempt.message_id = Some(message.message_id.clone());
    attempt.stale_lookup = stale;
    keep(&mut transmission, attempt);
    Ok(Ok(Ready { transmission, query, found, remembered, message, envelope: bytes, permit }))
}

/// The envelope, as the first attempt stored it, or made and stored now.
async fn envelope_of(
    exchange: Exchange<'_>,
    transmission: &mut TransmissionRecord,
    document: &[u8],
    stored: &mut Vec<Payload>,
) -> Result<Vec<u8>, StoreError> {
    if let Some(payload) = &transmission.envelope {
        return exchange.bucket.get(payload).await;
    }
    let (carries, kind) = (&transmission.carries, PayloadKind::Envelope);
    let bytes = sbdh::write(exchange.header, document);
    let envelope =
        exchange.bucket.put_carried(exchange.mode, carries, kind, bytes.clone(), stored).await?;
    transmission.envelope = Some(envelope);
    Ok(bytes)
}

/// Releases the permit of an attempt whose message was not sent.
pub(in crate::service) async fn release(ctx: &Context, ready: Ready) {
    release_permit(ctx, ready.permit, Observed::default()).await;
}

/// Releases a permit, with what its holder observed.
pub(super) async fn release_permit(ctx: &Context, permit: Permit, observed: Observed) {
    match ctx.store.release(permit, observed, ctx.now()).await {
        Ok(Released { opened_until: None, .. }) => {}
        Ok(Released { opened_until: Some(until), .. }) => {
            tracing::warn!(%until, "the circuit breaker of an access point opened: its documents wait")
        }
        Err(error) => tracing::warn!(%error, "a permit was not released"),
    }
}

fn new_message(exchange: Exchange<'_>, now: Timestamp) -> As4Message {
    As4Message {
        message_id: exchange.network.new_message_id(exchange.ctx),
        conversation_id: exchange.ctx.new_uuid().to_string(),
        timestamp: now,
    }
}
