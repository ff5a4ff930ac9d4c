//! Prepares an attempt: finds the recipient's access point, takes a place at it, and makes the message.

use bytes::Bytes;
use jiff::Timestamp;

use super::{
    Exchange,
    attempts::{begun, hold, keep, note_lookup_failure},
};
use crate::{
    peppol::{
        lookup::{Found, Query},
        sbdh::{self, Header},
    },
    service::network::{
        Located, LookupFailure,
        receivers::{Admission, Place},
    },
    store::{As4Message, Payload, PayloadKind, StoreError, TransmissionRecord},
};

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
    /// The document, if it was stored with its envelope.
    pub(in crate::service) document: Option<Payload>,
    pub(super) place: Place,
}

/// What an envelope carries.
#[derive(Clone, Copy)]
pub(in crate::service) struct Content<'a> {
    pub(in crate::service) bytes: &'a [u8],
    /// As what it is stored with its envelope; `None` when it is stored already, or nowhere else.
    pub(in crate::service) stored_as: Option<PayloadKind>,
    /// What is stored beside it, if there is room.
    pub(in crate::service) beside: &'a [(PayloadKind, Bytes)],
    /// Its envelope, if that is stored and the caller has read it.
    pub(in crate::service) known: Option<Known<'a>>,
}

/// An envelope that is stored, and that the caller has read.
#[derive(Clone, Copy)]
pub(in crate::service) struct Known<'a> {
    pub(in crate::service) stored: &'a Payload,
    pub(in crate::service) envelope: &'a [u8],
    /// Its content, if no attempt named it before.
    pub(in crate::service) document: Option<&'a Payload>,
}

impl<'a> Content<'a> {
    /// What is stored already, or nowhere else.
    pub(in crate::service) fn of(bytes: &'a [u8]) -> Self {
        Content { bytes, stored_as: None, beside: &[], known: None }
    }
}

/// Why no message may be sent.
pub(in crate::service) enum Blocked {
    /// The lookup. The transmission has the failed attempt.
    Lookup(Box<TransmissionRecord>, LookupFailure),
    /// The circuit breaker: the access point keeps failing, or has as many messages as it takes at once. No attempt was
    /// made. The transmission says so.
    Breaker(Box<TransmissionRecord>),
}

/// Finds the recipient's access point, and makes the message with `content` in it as soon as there is a place for it.
pub(in crate::service) async fn prepare(
    exchange: Exchange<'_>,
    mut transmission: TransmissionRecord,
    content: Content<'_>,
) -> Result<Result<Ready, Blocked>, StoreError> {
    let (ctx, now) = (exchange.ctx, exchange.ctx.now());
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
    let admission = exchange
        .network
        .receivers
        .admit(ctx, exchange.mode, &found.address, exchange.time.for_a_place())
        .await?;
    let now = ctx.now();
    let place = match admission {
        Admission::Admitted(place) => place,
        Admission::Open(until) => {
            let why = format!("failed repeatedly, and is not contacted until {until:.0}");
            hold(&mut transmission, &found, (now, until), &why);
            return Ok(Err(Blocked::Breaker(Box::new(transmission))));
        }
        Admission::Busy(until) => {
            let why = "has reached its concurrency limit";
            hold(&mut transmission, &found, (now, until), why);
            // The template makes a metric of `receiver_full`.
            tracing::warn!(
                receiver_full = 1, as4.receiver = found.certificate.common_name(), %until,
                "an access point is at its concurrency limit: its documents wait"
            );
            return Ok(Err(Blocked::Breaker(Box::new(transmission))));
        }
    };
    let (envelope, document) = envelope_of(exchange, &mut transmission, content).await?;
    let message = transmission.message.get_or_insert_with(|| new_message(exchange, now)).clone();
    let mut attempt = begun(&mut transmission, now);
    attempt.endpoint = Some(found.address.clone());
    attempt.receiver = Some(found.certificate.common_name().to_owned());
    attempt.message_id = Some(message.message_id.clone());
    attempt.stale_lookup = stale;
    keep(&mut transmission, attempt);
    Ok(Ok(Ready { transmission, query, found, remembered, message, envelope, document, place }))
}

/// The envelope, as the first attempt stored it, or made and stored now; and its content, if that is stored with it.
async fn envelope_of(
    exchange: Exchange<'_>,
    transmission: &mut TransmissionRecord,
    Content { bytes, stored_as, beside, known }: Content<'_>,
) -> Result<(Vec<u8>, Option<Payload>), StoreError> {
    let Exchange { bucket, mode, header, .. } = exchange;
    if let Some(Known { stored, envelope, document }) = known {
        transmission.envelope = Some(stored.clone());
        return Ok((envelope.to_vec(), document.cloned()));
    }
    if let Some(payload) = &transmission.envelope {
        return Ok((bucket.get(payload).await?, None));
    }
    let envelope = sbdh::write(header, bytes);
    let enveloped = (PayloadKind::Envelope, Bytes::copy_from_slice(&envelope));
    let carries = &transmission.carries;
    let (stored, document) = match stored_as {
        None => {
            let [stored] = bucket.put_carried(mode, carries, [enveloped], beside).await?;
            (stored, None)
        }
        Some(kind) => {
            let payloads = [enveloped, (kind, Bytes::copy_from_slice(bytes))];
            let [stored, document] = bucket.put_carried(mode, carries, payloads, beside).await?;
            (stored, Some(document))
        }
    };
    transmission.envelope = Some(stored);
    Ok((envelope, document))
}

fn new_message(exchange: Exchange<'_>, now: Timestamp) -> As4Message {
    As4Message {
        message_id: exchange.network.new_message_id(exchange.ctx),
        conversation_id: exchange.ctx.new_uuid().to_string(),
        timestamp: now,
    }
}
