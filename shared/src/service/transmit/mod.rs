//! A document, a status or a report on its way through the network: one attempt is a lookup and one message.
//!
//! | step | what is fixed by then |
//! |---|---|
//! | [`prepare`]: lookup, breaker, envelope | nothing left yet; the attempt can be given up |
//! | the caller writes the transmission | the ids of the message, and that an attempt began |
//! | [`transmit`]: the message and its answer | what the attempt came to, with the receipt |
//! | [`decide`] | what that means for the document |
//!
//! A retry after silence, and after an error that anybody can have said, is the same message under the same id: the
//! receiver may have it. After an error that the receiver signed, the message takes a new id, since some book an id
//! before they deliver. The envelope, and with it its instance identifier, is the same for ever.

pub(super) mod conclude;
pub(super) mod envelope;
pub(super) mod receipts;
mod schedule;
mod time;

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};
use jiff::{SignedDuration, Timestamp};
use tokio::time::{Instant, timeout_at};

pub(super) use self::time::Time;
use super::{
    Context, later,
    network::{Located, LookupFailure, Network, Why},
};
use crate::{
    egress::{self, EgressError, ErrorKind, Limits},
    error::Finding,
    peppol::{
        as4::{self, Answer, Authenticity, Freight, Outgoing, Participants, Sent, Verdict},
        identifiers::{DocumentType, SeatId},
        lookup::{Found, LookupError, Query},
        pki::Role,
        sbdh::{self, Header},
    },
    store::{
        As4Message, AttemptOutcome, Bucket, Payload, PayloadKind, StoreError, TransmissionAttempt,
        TransmissionRecord,
        breakers::{Admission, BreakerKey, Observed, Permit, Released},
    },
    types::{Mode, Random},
};

/// When the permit of an execution that died expires.
const PERMIT_LIFETIME: SignedDuration = SignedDuration::from_secs(30);
/// How long a document waits for a breaker that is full.
const FULL: SignedDuration = SignedDuration::from_secs(60);
/// How long it waits before it asks again whether there is room for it.
const ASK_AGAIN: Duration = Duration::from_millis(250);
/// An access point that takes so long for a message is a slow one.
const SLOW: SignedDuration = SignedDuration::from_secs(3);
/// How many characters of a cause are kept.
const CAUSE_LIMIT: usize = 500;

/// An outbound exchange: a message to one access point, and the receipt or error that answers it.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'a> {
    pub(super) ctx: &'a Context,
    pub(super) bucket: &'a Bucket,
    pub(super) network: &'a Network,
    pub(super) mode: Mode,
    /// How long it may take.
    pub(super) time: Time,
    /// Who sends what to whom. It is the envelope's for the first attempt, which makes that.
    pub(super) header: &'a Header,
    /// The registration at which the lookup begins, where the document's profile names one.
    pub(super) sought: Option<&'a DocumentType>,
}

/// An attempt whose message may leave, once the transmission is written.
pub(super) struct Ready {
    /// With the attempt begun in it.
    pub(super) transmission: TransmissionRecord,
    query: Query,
    found: Found,
    /// Whether an earlier lookup found it.
    remembered: bool,
    message: As4Message,
    envelope: Vec<u8>,
    permit: Permit,
}

/// Why no message may be sent.
pub(super) enum Blocked {
    /// The lookup: with the attempt in the transmission.
    Lookup(Box<TransmissionRecord>, LookupFailure),
    /// The recipient's access point failed too often, or has as many messages as it takes at once; nothing was tried. With
    /// what was told of that in the transmission.
    Breaker {
        transmission: Box<TransmissionRecord>,
        /// When to come again.
        until: Timestamp,
    },
}

/// What an attempt means for the document, or the status, on its way.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// It is sent.
    Sent,
    /// The next attempt is due then.
    Later(Timestamp),
    /// It may have been delivered, and nothing more is tried; why.
    Unconfirmed(Finding),
    /// It was not delivered, and nothing more is tried; why.
    Failed(Finding),
}

/// Finds the recipient's access point and fixes the message with `document` in it, as soon as there is room for one more at
/// that access point. What is stored on the way is put into `stored`.
pub(super) async fn prepare(
    exchange: Exchange<'_>,
    mut transmission: TransmissionRecord,
    document: &[u8],
    stored: &mut Vec<Payload>,
) -> Result<Result<Ready, Blocked>, StoreError> {
    let (ctx, mut now) = (exchange.ctx, exchange.ctx.now());
    // A worker died between the first byte and what came of it.
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
            Err(missed) => {
                tracing::info!(
                    recipient = %query.participant, lookup.outcome = ?missed.why,
                    error.cause = missed.message, "the recipient's access point was not found"
                );
                note_missed(&mut transmission, &missed, (now, ctx.now()));
                return Ok(Err(Blocked::Lookup(Box::new(transmission), missed)));
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
                return Ok(Err(Blocked::Breaker { transmission: Box::new(transmission), until }));
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
                return Ok(Err(Blocked::Breaker { transmission: Box::new(transmission), until }));
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
            leave(ctx, permit, Observed::default()).await;
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

/// Gives up an attempt whose message did not leave.
pub(super) async fn give_back(ctx: &Context, ready: Ready) {
    leave(ctx, ready.permit, Observed::default()).await;
}

/// Sends the message and reads what comes back for it. The transmission must have been written.
pub(super) async fn transmit(
    exchange: Exchange<'_>,
    ready: Ready,
) -> (TransmissionRecord, AttemptOutcome) {
    let Ready { mut transmission, query, mut found, remembered, message, envelope, permit } = ready;
    let started = exchange.ctx.now();
    let mut came = post(exchange, &query, &found, &message, &envelope).await;
    let slow = exchange.ctx.now().duration_since(started) >= SLOW;
    let observed = match came.answered {
        true => Observed { answers: 1, slow, ..Observed::default() },
        false if came.ours => Observed::default(),
        false => Observed { failures: 1, ..Observed::default() },
    };
    leave(exchange.ctx, permit, observed).await;
    // Nobody is at the address that an earlier lookup found: the recipient may have moved since. Nothing has left.
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
        // Who has had nothing that was not answered has no duplicate, whatever it says: it takes no message.
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

/// Writes an attempt down before its first byte leaves, and makes it; `None` when another worker was faster.
pub(super) async fn write_and_transmit(
    exchange: Exchange<'_>,
    ready: Ready,
) -> Result<Option<(TransmissionRecord, AttemptOutcome)>, StoreError> {
    let store = &exchange.ctx.store;
    let written = store.put_transmission(exchange.mode, ready.transmission.clone()).await;
    transmit_written(exchange, ready, written).await
}

/// The same once an attempt that began is written down, as it then stands; `None` when another worker was faster.
/// What cannot go on releases its permit.
pub(super) async fn transmit_written(
    exchange: Exchange<'_>,
    mut ready: Ready,
    written: Result<Option<TransmissionRecord>, StoreError>,
) -> Result<Option<(TransmissionRecord, AttemptOutcome)>, StoreError> {
    match written {
        Ok(Some(begun)) => {
            ready.transmission = begun;
            Ok(Some(Box::pin(transmit(exchange, ready)).await))
        }
        other => {
            give_back(exchange.ctx, ready).await;
            other.map(|_| None)
        }
    }
}

/// The outcome of an attempt at a report, which is repeated until its time is over.
pub(super) enum SendOutcome {
    /// The receiver has it.
    Arrived,
    /// The receiver refused it.
    Refused,
    /// The report is sent again.
    Open,
}

/// The outcome of an attempt at a report.
pub(super) fn send_outcome(outcome: AttemptOutcome) -> SendOutcome {
    match outcome {
        AttemptOutcome::Received | AttemptOutcome::Duplicate => SendOutcome::Arrived,
        AttemptOutcome::Refused => SendOutcome::Refused,
        AttemptOutcome::NotRegistered
        | AttemptOutcome::NotCapable
        | AttemptOutcome::Defective
        | AttemptOutcome::LookupFailed
        | AttemptOutcome::Held
        | AttemptOutcome::Unreachable
        | AttemptOutcome::Unconfirmed
        | AttemptOutcome::Deferred
        | AttemptOutcome::Unknown => SendOutcome::Open,
    }
}

/// What an attempt means for its document.
pub(super) fn decide(
    ctx: &Context,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Decision {
    decide_at((ctx.now(), &*ctx.random), transmission, outcome)
}

/// What is told of a document for which nothing more is tried after such an attempt.
pub(crate) fn told(
    at: (Timestamp, &dyn Random),
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Option<Finding> {
    match decide_at(at, transmission, outcome) {
        Decision::Unconfirmed(finding) | Decision::Failed(finding) => Some(finding),
        Decision::Sent | Decision::Later(_) => None,
    }
}

/// The same of a document that has not left yet, since the recipient's access point was not found.
pub(crate) fn told_of_lookup(
    at: (Timestamp, &dyn Random),
    mut transmission: TransmissionRecord,
    query: &Query,
    error: &LookupError,
) -> Option<Finding> {
    let missed = LookupFailure::of(query, error);
    note_missed(&mut transmission, &missed, (at.0, at.0));
    told(at, &transmission, outcome_of(missed.why))
}

fn decide_at(
    (now, random): (Timestamp, &dyn Random),
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Decision {
    let cause = || transmission.last_cause().unwrap_or_default();
    let over = |rule, what: &str| {
        let finding = Finding::error("", rule, format!("{what}: {}", cause()));
        // What may have been delivered has not failed.
        if transmission.silent { Decision::Unconfirmed(finding) } else { Decision::Failed(finding) }
    };
    match outcome {
        AttemptOutcome::Received => Decision::Sent,
        AttemptOutcome::NotRegistered => {
            over("AP-NETWORK-not-registered", "The recipient is not registered in the network")
        }
        AttemptOutcome::NotCapable => {
            over("AP-NETWORK-not-capable", "The recipient does not receive documents of this kind")
        }
        AttemptOutcome::Defective => {
            over("AP-NETWORK-defective", "The recipient's registration is wrong")
        }
        AttemptOutcome::Refused => {
            over("AP-NETWORK-refused", "The recipient's access point refused the document")
        }
        // Whoever says that it has the document already gave no receipt, but did not refuse it either.
        AttemptOutcome::Duplicate => {
            let what = "The recipient's access point answered that it has the document, but sent no receipt";
            let message = format!("{what}: {}", cause());
            Decision::Unconfirmed(Finding::error("", "AP-NETWORK-duplicate", message))
        }
        AttemptOutcome::LookupFailed
        | AttemptOutcome::Held
        | AttemptOutcome::Unreachable
        | AttemptOutcome::Unconfirmed
        | AttemptOutcome::Deferred
        | AttemptOutcome::Unknown => match next((now, random), transmission) {
            Some(next) => Decision::Later(next),
            None => over("AP-NETWORK-given-up", "No attempt succeeded for a day; the last one"),
        },
    }
}

/// When a document or a status is tried again, where its day is not over.
fn next(
    (now, random): (Timestamp, &dyn Random),
    transmission: &TransmissionRecord,
) -> Option<Timestamp> {
    let first = transmission.attempts.first().map_or(now, |first| first.started_at);
    match transmission.attempts.last().and_then(|last| last.held_until) {
        Some(until) => (until <= later(first, schedule::LONGEST)).then_some(until),
        None => schedule::next(transmission.tried, (first, schedule::LONGEST), now, random),
    }
}

/// When the next attempt is due after `tried`, of which none begins later after `first` than `longest`.
pub(super) fn next_attempt(
    (now, random): (Timestamp, &dyn Random),
    tried: u32,
    first: Timestamp,
    longest: SignedDuration,
) -> Option<Timestamp> {
    schedule::next(tried, (first, longest), now, random)
}

/// What came back for a message.
struct Came {
    outcome: AttemptOutcome,
    /// Whether the other side answered at all.
    answered: bool,
    /// Whether the reason is on our side.
    ours: bool,
    /// Whether nobody was there to connect to.
    unconnected: bool,
    ebms_code: Option<String>,
    cause: Option<String>,
    receipt: Option<Vec<u8>>,
}

impl Came {
    fn of(outcome: AttemptOutcome, answered: bool, cause: impl ToString) -> Self {
        let cause = Some(cause.to_string());
        let (ours, unconnected) = (false, false);
        Came { outcome, answered, ours, unconnected, ebms_code: None, cause, receipt: None }
    }

    /// Nothing left, for a reason of our own.
    fn ours(cause: impl ToString) -> Self {
        Came { ours: true, ..Came::of(AttemptOutcome::Unreachable, false, cause) }
    }
}

async fn post(
    exchange: Exchange<'_>,
    query: &Query,
    found: &Found,
    message: &As4Message,
    envelope: &[u8],
) -> Came {
    let now = exchange.ctx.now();
    let Some(signer) = exchange.network.keys.signer(now) else {
        return Came::ours("no certificate of this service is valid now");
    };
    let ids = (message.message_id.parse(), found.certificate.common_name().parse::<SeatId>());
    let (Ok(message_id), Ok(receiver)) = ids else {
        return Came::ours("the message's identifiers cannot be used");
    };
    let Query { participant, document_type, process, .. } = query;
    let outgoing = Outgoing {
        message_id: &message_id,
        conversation_id: &message.conversation_id,
        timestamp: message.timestamp,
        receiver: &found.certificate,
        participants: &Participants {
            original_sender: exchange.header.sender.clone(),
            final_recipient: participant.clone(),
        },
        freight: Freight::Document { document_type, process },
    };
    let built = as4::build(&outgoing, envelope, signer, &*exchange.ctx.random).await;
    let built = match built {
        Ok(built) => built,
        Err(error) => return Came::ours(error),
    };
    let sent = Sent { message_id, receiver, references: built.references };
    let Ok(content_type) = HeaderValue::try_from(built.content_type) else {
        return Came::ours("the message's Content-Type cannot be used");
    };
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type)]);
    let deadline = exchange.time.of_message();
    if deadline.is_zero() {
        return Came::ours("there was no time left to send it");
    }
    let limits = Limits { deadline, answer_bytes: as4::MOST_ANSWER_BYTES + 1 };
    let client = &exchange.network.client;
    match client.request(Method::POST, &found.address, headers, built.body, limits).await {
        Ok(answer) => {
            let read = Box::pin(read(exchange, &sent, answer));
            timeout_at(exchange.time.to_end(), read).await.unwrap_or_else(|_| {
                let cause = "the certificate of the responder was not verified in time";
                Came::of(AttemptOutcome::Unconfirmed, true, cause)
            })
        }
        Err(EgressError { kind, message }) => match kind {
            // Nothing of the message has left.
            ErrorKind::Connect => {
                Came { unconnected: true, ..Came::of(AttemptOutcome::Unreachable, false, message) }
            }
            ErrorKind::Blocked | ErrorKind::InvalidUrl => {
                Came::of(AttemptOutcome::Unreachable, false, message)
            }
            ErrorKind::Timeout | ErrorKind::Protocol => {
                Came::of(AttemptOutcome::Unconfirmed, false, message)
            }
        },
    }
}

/// Reads an answer, whatever its status, and proves who gave it.
async fn read(exchange: Exchange<'_>, sent: &Sent, answer: egress::Answer) -> Came {
    let egress::Answer { status, content_type, body, complete, .. } = answer;
    // Of what stands before an access point that is gone.
    let served = status != StatusCode::TOO_MANY_REQUESTS && !status.is_server_error();
    match as4::read_answer(status.as_u16(), content_type.as_deref().unwrap_or_default(), &body) {
        Answer::Nothing(_) if !complete && body.len() <= as4::MOST_ANSWER_BYTES => {
            let (code, bytes) = (status.as_u16(), body.len());
            let cause = format!(
                "HTTP {code} with an answer that broke off, or was not complete in time, after {bytes} bytes"
            );
            Came::of(AttemptOutcome::Unconfirmed, served, cause)
        }
        // "Content Too Large": it is not processed (RFC 9110, section 15.5.14), and is no smaller another time.
        Answer::Nothing(silence) if status == StatusCode::PAYLOAD_TOO_LARGE => {
            Came::of(AttemptOutcome::Refused, served, silence)
        }
        Answer::Nothing(silence) => Came::of(AttemptOutcome::Unconfirmed, served, silence),
        Answer::Receipt(receipt) => {
            let trusted =
                exchange.network.trusted(exchange.ctx, receipt.signer(), Role::AccessPoint).await;
            let confirmed = match trusted {
                Ok(signer) => receipt.verify(&signer, sent).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match confirmed {
                Ok(_) => Came {
                    receipt: Some(body),
                    cause: None,
                    ..Came::of(AttemptOutcome::Received, true, "")
                },
                Err(cause) => Came::of(AttemptOutcome::Unconfirmed, true, cause),
            }
        }
        Answer::Rejected(rejection) => {
            let proven = match rejection.signer() {
                None => false,
                Some(signer) => {
                    let trusted =
                        exchange.network.trusted(exchange.ctx, signer, Role::AccessPoint).await;
                    trusted.is_ok_and(|signer| rejection.verify(&signer, sent).is_ok())
                }
            };
            let authenticity = if proven { Authenticity::Proven } else { Authenticity::Unproven };
            let error = rejection.errors().first();
            let outcome = match rejection.verdict(authenticity) {
                Verdict::Final => AttemptOutcome::Refused,
                Verdict::Duplicate => AttemptOutcome::Duplicate,
                Verdict::Retry => AttemptOutcome::Deferred,
                Verdict::Unproven => AttemptOutcome::Unconfirmed,
            };
            let said = error.map_or(String::new(), |error| {
                let unsigned = if proven { "" } else { ", unsigned" };
                format!("{} {}{unsigned}: {}", error.code, error.short_description, error.detail)
            });
            let ebms_code = error.map(|error| error.code.clone());
            Came { ebms_code, ..Came::of(outcome, true, said) }
        }
    }
}

async fn leave(ctx: &Context, permit: Permit, observed: Observed) {
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

fn begun(transmission: &mut TransmissionRecord, now: Timestamp) -> TransmissionAttempt {
    transmission.tried += 1;
    TransmissionAttempt::begun(transmission.tried, now)
}

/// Notes an attempt that found no access point, with its begin and end.
fn note_missed(
    transmission: &mut TransmissionRecord,
    missed: &LookupFailure,
    (begin, end): (Timestamp, Timestamp),
) {
    let mut attempt = begun(transmission, begin);
    attempt.duration_ms = Some(duration(begin, end));
    attempt.outcome = Some(outcome_of(missed.why));
    attempt.cause = Some(cut(&missed.message));
    keep(transmission, attempt);
}

/// Notes that nothing is sent to an access point until then, and why. That is told once, for as long as it lasts.
fn hold(
    transmission: &mut TransmissionRecord,
    found: &Found,
    (now, until): (Timestamp, Timestamp),
    why: &str,
) {
    let held = |it: &TransmissionAttempt| it.outcome == Some(AttemptOutcome::Held);
    if !transmission.attempts.last().is_some_and(held) {
        let attempt = begun(transmission, now);
        keep(transmission, attempt);
    }
    if let Some(attempt) = transmission.attempts.last_mut() {
        attempt.duration_ms = Some(duration(attempt.started_at, now));
        attempt.endpoint = Some(found.address.clone());
        attempt.receiver = Some(found.certificate.common_name().to_owned());
        attempt.outcome = Some(AttemptOutcome::Held);
        attempt.held_until = Some(until);
        attempt.cause = Some(format!("nothing was sent: {} {why}", found.address));
    }
}

/// Adds an attempt; the first stays, since the schedule counts from it.
fn keep(transmission: &mut TransmissionRecord, attempt: TransmissionAttempt) {
    if transmission.attempts.len() >= TransmissionRecord::ATTEMPTS_KEPT {
        transmission.attempts.remove(1);
    }
    transmission.attempts.push(attempt);
}

pub(super) fn outcome_of(why: Why) -> AttemptOutcome {
    match why {
        Why::NotRegistered => AttemptOutcome::NotRegistered,
        Why::NotCapable => AttemptOutcome::NotCapable,
        Why::Defective => AttemptOutcome::Defective,
        Why::Failed => AttemptOutcome::LookupFailed,
    }
}

fn duration(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.duration_since(from).as_millis()).unwrap_or(0)
}

fn cut(text: &str) -> String {
    text.chars().take(CAUSE_LIMIT).collect()
}
