//! Sends and validations.
//!
//! A send with an Idempotency-Key reserves the key, does its work, and ends in one transaction
//! that saves document, response and events together. What can go wrong on the way:
//!
//! | what | the key | the answer |
//! |---|---|---|
//! | the document is refused | freed | 4xx |
//! | the bucket or a read fails before the transaction | freed | 503 |
//! | the transaction is known to have failed | freed | 503 |
//! | its outcome is not known, reading back tells | saved or freed | 201 or 503 |
//! | its outcome cannot be read back either | held until the lease ends | 503 |
//! | the process dies | held until the lease ends | none |
//! | another attempt took the key over meanwhile | the other's | the other's, or 409 |
//!
//! Each attempt has a document identifier of its own, so an attempt never mistakes another's
//! document for its own.

use uuid::Uuid;

use super::{
    Context, RELAY_GRACE, Sending, inspect, later,
    local_delivery::{self, Consequences},
    record::{self, Attempt, Start},
    references,
};
use crate::{
    access::Caller,
    document::{self, Document, Operation, Party, ReadError, Submission},
    error::{Code, Failure, Finding},
    store::{
        self, DocumentRecord, Due, Effects, IdempotencyRecord, IdempotencyState, PayloadKind,
        Recorded, Relay, Release, Reservation, Reserved, SavedReply, StoreError,
    },
    types::{DocumentId, Mode, hex, uae_date},
};

/// A send as it came.
#[derive(Clone, Copy)]
pub struct Send<'a> {
    /// Which operation.
    pub operation: Operation,
    /// The body's bytes.
    pub body: &'a [u8],
    /// `Idempotency-Key`
    pub idempotency_key: Option<&'a str>,
    /// `Prefer: respond-async`
    pub respond_async: bool,
}

/// What the API answers: made before the write, so that it can be saved with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// The body: JSON in UTF-8.
    pub body: Vec<u8>,
}

/// The outcome of a send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// What to answer.
    pub reply: Reply,
    /// Whether this is the saved answer to an earlier request.
    pub replayed: bool,
    /// The document.
    pub document_id: DocumentId,
}

/// Makes the answer for a document and its warnings. The API gives it; what it returns is saved
/// byte for byte.
pub type Render = fn(&DocumentRecord, &[Finding]) -> Reply;

/// Everything that an attempt has made and not yet recorded.
struct Made {
    record: DocumentRecord,
    due: Option<Due>,
    consequences: Consequences,
}

/// Sends a document: at once, or through the queues when the caller prefers it.
pub async fn send(
    sending: &Sending,
    caller: &Caller,
    send: Send<'_>,
    render: Render,
) -> Result<Sent, Failure> {
    check_mode(&sending.ctx, caller).await?;
    let key = send.idempotency_key.map(checked_key).transpose()?;
    if send.respond_async {
        check_queue(sending, key, "Prefer: respond-async")?;
    }
    let submission = match document::read(send.operation, send.body) {
        Ok(submission) => submission,
        Err(error) => return Err(unreadable(&sending.ctx, caller, key, error).await),
    };
    let corrects = submission.body.corrects_document_id.is_some();
    if corrects {
        check_queue(sending, key, "corrects_document_id")?;
    }
    let queued = send.respond_async || corrects;
    let attempt = Attempt::new(&sending.ctx);
    let fingerprint = hex(&submission.fingerprint);
    let reservation = match key {
        None => None,
        Some(key) => match reserve(sending, caller, key, &fingerprint, &attempt).await? {
            Ok(reservation) => Some(reservation),
            Err(found) => return judge(found, &fingerprint),
        },
    };
    // Boxed: the state of all the work is large.
    let work = make(sending, caller, &attempt, submission, queued.then_some(send.body));
    let made = match Box::pin(work).await {
        Ok(made) => made,
        Err(failure) => {
            if let Some(reservation) = &reservation {
                let _ = release(&sending.ctx, reservation).await;
            }
            return Err(failure);
        }
    };
    let reply = render(&made.record, &made.record.warnings);
    Box::pin(finish(&sending.ctx, caller.mode, reservation, made, reply)).await
}

/// Runs the conversion and checks of a send. Nothing is recorded, transmitted or logged.
pub async fn validate(
    ctx: &Context,
    caller: &Caller,
    operation: Operation,
    body: &[u8],
) -> Result<Vec<Finding>, Failure> {
    let submission = document::read(operation, body).map_err(failure_of)?;
    let (document, warnings) = check(ctx, caller, &Attempt::new(ctx), submission).await?;
    let (_, warnings) = inspect::write(&document, warnings)?;
    Ok(warnings)
}

/// Live sends need a subscription, and a network that is not connected yet.
async fn check_mode(ctx: &Context, caller: &Caller) -> Result<(), Failure> {
    if caller.mode == Mode::Sandbox {
        return Ok(());
    }
    let subscription = ctx.store.get_subscription(caller.mode, &caller.organization_id).await?;
    // Specification 4.1, rule 1.
    if !subscription.is_some_and(|subscription| subscription.active) {
        return Err(Failure::new(
            Code::SubscriptionRequired,
            "Live sends need an active subscription of the organization.",
        ));
    }
    Err(Failure::new(
        Code::ServiceUnavailable,
        "Live dispatch over Peppol is not available on this deployment yet; Sandbox is.",
    ))
}

/// Specification 4.1: one or more printable non-space ASCII characters.
fn checked_key(key: &str) -> Result<&str, Failure> {
    if !key.is_empty() && key.bytes().all(|b| (0x21..=0x7e).contains(&b)) {
        return Ok(key);
    }
    Err(Failure::new(
        Code::InvalidRequest,
        "The header Idempotency-Key must be one or more printable ASCII characters without space \
         (0x21 to 0x7E).",
    ))
}

/// Queued delivery needs a key and a deployment that has it.
fn check_queue(sending: &Sending, key: Option<&str>, what: &str) -> Result<(), Failure> {
    if key.is_none() {
        return Err(Failure::new(
            Code::IdempotencyKeyRequired,
            format!("{what} needs the header Idempotency-Key, since it uses queued delivery."),
        ));
    }
    if !sending.settings.queued_delivery {
        return Err(Failure::new(
            Code::QueuedDeliveryDisabled,
            format!("{what} needs queued delivery, which is not enabled on this deployment."),
        ));
    }
    Ok(())
}

fn failure_of(error: ReadError) -> Failure {
    match error {
        ReadError::Malformed(message) => {
            Failure::new(Code::MalformedJson, format!("The body is not JSON: {message}"))
        }
        ReadError::Invalid(findings) => Failure::invalid(findings),
    }
}

/// A body that cannot be read can never have been saved: under a key that is in use it is a
/// changed payload.
async fn unreadable(
    ctx: &Context,
    caller: &Caller,
    key: Option<&str>,
    error: ReadError,
) -> Failure {
    let Some(key) = key else { return failure_of(error) };
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    match ctx.store.get_idempotency(caller.mode, taxpayer_id, key).await {
        Err(cause) => unconfirmed().because(cause),
        Ok(Some(record)) if in_use(&record, ctx.now()) => reused(),
        Ok(_) => failure_of(error),
    }
}

fn in_use(record: &IdempotencyRecord, now: jiff::Timestamp) -> bool {
    match record.state {
        IdempotencyState::Saved { .. } => true,
        IdempotencyState::InProgress => now < record.lease_until,
    }
}

/// Reserves the key, or gives the record that stands in the way.
async fn reserve(
    sending: &Sending,
    caller: &Caller,
    key: &str,
    fingerprint: &str,
    attempt: &Attempt,
) -> Result<Result<Reservation, IdempotencyRecord>, Failure> {
    let owner: Uuid = sending.ctx.new_uuid();
    let reservation = Reservation {
        mode: caller.mode,
        taxpayer_id: caller.taxpayer.taxpayer_id.clone(),
        key: key.to_owned(),
        fingerprint: fingerprint.to_owned(),
        document_id: attempt.document_id.clone(),
        owner,
        lease_until: later(attempt.now, sending.settings.lease),
    };
    match sending.ctx.store.reserve_submission(&reservation, attempt.now).await {
        Ok(Reserved::Mine) => Ok(Ok(reservation)),
        Ok(Reserved::Taken(record)) => Ok(Err(record)),
        Err(error) => Err(unconfirmed().because(error)),
    }
}

/// What a key's record means for a request that is not its own (specification 3.3).
fn judge(record: IdempotencyRecord, fingerprint: &str) -> Result<Sent, Failure> {
    if record.fingerprint != fingerprint {
        return Err(reused());
    }
    match record.state {
        IdempotencyState::Saved { status, body } => Ok(Sent {
            reply: Reply { status, body: body.into_bytes() },
            replayed: true,
            document_id: record.document_id,
        }),
        IdempotencyState::InProgress => Err(Failure::new(
            Code::IdempotencyInProgress,
            "An attempt with this Idempotency-Key is in progress or unconfirmed: retry the same \
             payload with the same key.",
        )),
    }
}

fn reused() -> Failure {
    Failure::new(
        Code::IdempotencyKeyReused,
        "This Idempotency-Key was used with another payload: use a new key for a new document, or \
         repeat the payload exactly.",
    )
}

fn unconfirmed() -> Failure {
    Failure::new(
        Code::IdempotencyUnavailable,
        "The reservation or the response could not be saved: retry the same payload with the same \
         Idempotency-Key.",
    )
}

/// Checks a document against everything that is known.
async fn check(
    ctx: &Context,
    caller: &Caller,
    attempt: &Attempt,
    submission: Submission,
) -> Result<(Document, Vec<Finding>), Failure> {
    let references =
        references::resolve(ctx, caller.mode, &caller.taxpayer.taxpayer_id, &submission).await?;
    let profile = profile(&caller.taxpayer.profile)?;
    let result = document::complete(
        submission,
        &document::Issuance {
            taxpayer: &profile,
            participant: &caller.taxpayer.participant_id,
            today: uae_date(attempt.now),
            uuid: attempt.uuid,
            original: references.original.as_ref(),
        },
    );
    references.judge(result)
}

/// The registered profile of a taxpayer.
pub(super) fn profile(json: &str) -> Result<Party, StoreError> {
    Party::from_json(json.as_bytes())
        .map_err(|_| StoreError::Corrupt("the taxpayer's profile is not a party".into()))
}

/// Does the work of a send, up to what must be recorded. `queued` is the body when the send goes
/// through the queues.
async fn make(
    sending: &Sending,
    caller: &Caller,
    attempt: &Attempt,
    submission: Submission,
    queued: Option<&[u8]>,
) -> Result<Made, Failure> {
    let (document, warnings) = check(&sending.ctx, caller, attempt, submission).await?;
    let (bytes, warnings) = inspect::write(&document, warnings)?;
    let store = |kind, bytes| {
        let taxpayer_id = &caller.taxpayer.taxpayer_id;
        sending.bucket.put(caller.mode, taxpayer_id, &attempt.document_id, kind, bytes)
    };
    if let Some(body) = queued {
        let request = store(PayloadKind::Request, body.to_vec()).await?;
        let start = Start::Accepted(request);
        let record = record::outbound(caller, attempt, &document, &warnings, start);
        let due = Due { at: later(attempt.now, RELAY_GRACE), relay: Some(Relay::Convert) };
        let consequences = Consequences { events: Vec::new(), inbound: None };
        return Ok(Made { record, due: Some(due), consequences });
    }
    let payload = store(PayloadKind::Ubl, bytes.clone()).await?;
    let record = record::outbound(caller, attempt, &document, &warnings, Start::Sent(payload));
    let sender = &caller.taxpayer.participant_id;
    let consequences =
        local_delivery::consequences(sending, caller.mode, sender, &record, &bytes).await?;
    Ok(Made { record, due: None, consequences })
}

/// Records what was made and finds out what became of it.
async fn finish(
    ctx: &Context,
    mode: Mode,
    reservation: Option<Reservation>,
    made: Made,
    reply: Reply,
) -> Result<Sent, Failure> {
    let Made { record, due, consequences } = made;
    let saved = match std::str::from_utf8(&reply.body) {
        Ok(body) => SavedReply { status: reply.status, body },
        Err(error) => {
            if let Some(reservation) = &reservation {
                let _ = release(ctx, reservation).await;
            }
            return Err(StoreError::Corrupt(error.into()).into());
        }
    };
    let recorded = ctx
        .store
        .record_document(store::Recording {
            mode,
            document: &record,
            due,
            reservation: reservation.as_ref().map(|reservation| (reservation, saved)),
            effects: Effects {
                events: &consequences.events,
                inbound: consequences.inbound.as_ref(),
                sweep_at: later(record.created_at, RELAY_GRACE),
            },
        })
        .await;
    let sent = Sent { reply, replayed: false, document_id: record.document_id };
    match (recorded, reservation) {
        (Ok(Recorded::Done), _) => Ok(sent),
        // Without a key nothing can stand in the way but a conflict of new identifiers.
        (Ok(Recorded::Lost), None) => {
            Err(StoreError::Unknown("a document could not be recorded".into()).into())
        }
        (Err(error), None) => Err(error.into()),
        // The lease was over and another attempt has the key: its outcome is the outcome.
        (Ok(Recorded::Lost), Some(reservation)) => {
            let Reservation { taxpayer_id, key, fingerprint, .. } = &reservation;
            match ctx.store.get_idempotency(mode, taxpayer_id, key).await {
                Ok(Some(found)) if found.owner != reservation.owner => judge(found, fingerprint),
                Ok(_) => {
                    let _ = release(ctx, &reservation).await;
                    Err(unconfirmed())
                }
                Err(error) => Err(unconfirmed().because(error)),
            }
        }
        // Releasing tells: it cannot release what was saved, and what it released can no longer
        // be saved.
        (Err(error), Some(reservation)) => match release(ctx, &reservation).await {
            Some(Release::Saved) => Ok(sent),
            Some(Release::Freed) | None => Err(unconfirmed().because(error)),
        },
    }
}

/// Frees a key. When that fails the lease frees it; the answer to the caller stays the same.
async fn release(ctx: &Context, reservation: &Reservation) -> Option<Release> {
    match ctx.store.release_reservation(reservation).await {
        Ok(release) => Some(release),
        Err(error) => {
            tracing::warn!(
                taxpayer_id = %reservation.taxpayer_id,
                lease_until = %reservation.lease_until,
                error = %error,
                "an idempotency key stays reserved until its lease ends"
            );
            None
        }
    }
}
