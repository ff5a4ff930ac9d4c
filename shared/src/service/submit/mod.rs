//! Sends and validations.
//!
//! A send with an Idempotency-Key reserves the key, does its work, and ends in one transaction
//! that saves document, response and events together. What can go wrong on the way:
//!
//! | what | the key | the answer |
//! |---|---|---|
//! | the send or the document is refused | freed | 4xx |
//! | the bucket or a read fails before the transaction | freed | 503 |
//! | the transaction is known to have failed | freed | 503 |
//! | its outcome is not known, reading back tells | saved or freed | 201 or 503 |
//! | its outcome cannot be read back either | held until the lease ends | 503 |
//! | the process dies | held until the lease ends | none |
//! | another attempt took the key over meanwhile | the other's | the other's, or 409 |
//!
//! A Live document is recorded before its first byte leaves, and dispatched in the request:
//!
//! | what | the key | the answer |
//! |---|---|---|
//! | the recipient cannot be found, or cannot be reached at the moment | freed | 422 or 503 |
//! | it is delivered | saved | 201 |
//! | it is refused | saved | 422 |
//! | it is not known whether it was delivered | recorded | 503; the queue goes on, and saves the answer |
//!
//! The reservation fixes the ids of the send. Whoever takes it over goes on with them, so that
//! nothing is made twice and what is stored has the same name. When a key is freed, what the
//! attempt stored is removed. A send without a key has no reservation: it is one attempt, and a
//! caller who repeats it sends another document.

mod check;
mod examine;
mod leave;

pub(super) use self::check::{check_mode, check_subscription};
pub use self::examine::{Examination, Validation, examine, validate};
use jiff::Timestamp;

use self::{
    check::{check_queue, may_correct},
    leave::{Leaving, departing, leave},
};
use super::{
    Sending, corrections,
    dispatch::goes_out,
    idempotency::{self, replay, reserve, unconfirmed, unreadable},
    local_delivery::{self, Consequences, Outgoing},
    pipeline::{self, Accepted, Prepared},
    quotas,
    record::{self, Start},
    repetition,
    reply::{Render, Sent},
    report::first::{self, Exchanged},
    transmit::Time,
};
use crate::{
    access::Caller,
    document::{self, Operation, ReadError, Submission},
    error::{Code, Failure},
    store::{
        self, Departure, DocumentRecord, Due, EarlierUses, Effects, IdempotencyHash, ImportedRow,
        Payload, PayloadKind, Recorded, Release, Reporting, Reservation, Reserved, SendFacts,
        StoreError,
    },
    types::{Mode, hex},
};

/// A send as it came.
#[derive(Clone, Copy)]
pub struct Send<'a> {
    /// Which operation.
    pub operation: Operation,
    /// The body's bytes.
    pub body: &'a [u8],
    /// `Idempotency-Key`, in the form that the API admits.
    pub idempotency_key: Option<&'a str>,
    /// `Prefer: respond-async`
    pub respond_async: bool,
    /// The row of an import that it is.
    pub import: Option<&'a ImportedRow>,
}

/// What an attempt at a send works with.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    sending: &'a Sending,
    caller: &'a Caller,
    /// The reservation of a send with a key.
    reservation: Option<&'a Reservation>,
    /// What is fixed for the send, by this attempt or an earlier one.
    facts: &'a SendFacts,
    /// When this attempt began.
    now: Timestamp,
    /// How long it may take.
    time: Time,
}

/// Everything that an attempt has made and not yet recorded.
struct MadeDocument {
    record: DocumentRecord,
    due: Option<Due>,
    consequences: Consequences,
    /// What it brings about where its first message is fixed, or there is none.
    departure: Option<Departure>,
    /// The message of a document that leaves once it is recorded.
    leaving: Option<Leaving>,
    /// The document that it corrects, as it was read; such a one is queued.
    corrects: Option<Box<DocumentRecord>>,
}

/// How an attempt ended that was made as far as it could be.
enum Finished {
    Sent(Sent),
    /// The document is recorded, and its message may leave.
    Leaves(Box<(DocumentRecord, Leaving)>),
    /// Nothing is recorded: earlier documents have the number or the UUID.
    Repeats(EarlierUses),
}

/// Sends a document: at once, or through the queues when the caller prefers it.
///
/// A saved answer is replayed before anything else is asked: it is final, whatever became of the
/// subscription since.
pub async fn send(
    sending: &Sending,
    caller: &Caller,
    send: Send<'_>,
    render: Render,
) -> Result<Sent, Failure> {
    let key = send.idempotency_key.map(IdempotencyHash::of);
    let submission = match document::read(send.operation, send.body) {
        Ok(submission) => submission,
        Err(error) => {
            let failure = failure_of(error);
            return Err(unreadable(&sending.ctx, caller, key.as_ref(), failure).await);
        }
    };
    let (now, time) = (sending.ctx.now(), Time::of_request(sending.settings.time));
    let queued = send.respond_async || submission.body.corrects_document_id.is_some();
    let facts =
        SendFacts { import: send.import.cloned(), ..record::fix(&sending.ctx, now, queued) };
    let reservation = match key {
        None => None,
        Some(key) => {
            let fingerprint = hex(&submission.fingerprint);
            match reserve(sending, caller, key, &fingerprint, facts.clone()).await? {
                Reserved::Mine(reservation) => Some(reservation),
                Reserved::Taken(found) => return replay(found, &fingerprint),
            }
        }
    };
    let facts = reservation.as_ref().map_or(&facts, |reservation| &reservation.facts);
    let attempt = Attempt { sending, caller, reservation: reservation.as_ref(), facts, now, time };
    let (mut submission, mut earlier) = (submission, EarlierUses::default());
    let mut begun = BegunSend::default();
    loop {
        // Boxed: the state of all the work is large.
        match Box::pin(make(attempt, submission, send, &earlier, &mut begun)).await {
            Ok(made) => match Box::pin(finish(attempt, made, &earlier, render, &begun.stored))
                .await?
            {
                Finished::Sent(sent) => return Ok(sent),
                Finished::Leaves(leaves) => {
                    let (record, leaving) = *leaves;
                    return Box::pin(leave(attempt, record, leaving, render)).await;
                }
                // What was made does not say so yet.
                Finished::Repeats(uses) => {
                    submission = document::read(send.operation, send.body).map_err(failure_of)?;
                    earlier = uses;
                }
            },
            Err(failure) => {
                abandon(attempt, &begun.stored).await;
                return Err(failure);
            }
        }
    }
}

/// What an attempt has begun before it records anything.
#[derive(Default)]
struct BegunSend {
    /// What it stored.
    stored: Vec<Payload>,
    /// Whether it was counted against the quota of the Sandbox.
    is_counted: bool,
}

fn failure_of(error: ReadError) -> Failure {
    match error {
        ReadError::Malformed(message) => {
            Failure::new(Code::MalformedJson, format!("The body is not JSON: {message}"))
        }
        ReadError::Invalid(findings) => Failure::invalid(findings),
    }
}

/// What the pipeline needs to know of a send.
fn accepted<'a>(caller: &'a Caller, facts: &'a SendFacts) -> Accepted<'a> {
    let (taxpayer, document_id) = (&caller.taxpayer, &facts.document_id);
    Accepted { taxpayer, document_id, uuid: facts.uuid, at: facts.created_at }
}

/// Does the work of a send, up to what must be recorded. What is begun on the way is put into `begun`.
async fn make(
    attempt: Attempt<'_>,
    submission: Submission,
    send: Send<'_>,
    earlier: &EarlierUses,
    begun: &mut BegunSend,
) -> Result<MadeDocument, Failure> {
    let Attempt { sending, caller, facts, now, .. } = attempt;
    check_mode(sending, caller).await?;
    if facts.queued {
        let corrects = !send.respond_async && submission.body.corrects_document_id.is_some();
        check_queue(
            attempt,
            if corrects { "corrects_document_id" } else { "Prefer: respond-async" },
        )?;
    }
    let mut completed =
        pipeline::complete(&sending.ctx, accepted(caller, facts), submission).await?;
    let corrected = completed.corrected.take();
    if let Some(corrected) = &corrected {
        may_correct(attempt, corrected).await?;
    }
    let Prepared { document, ubl: bytes, warnings } = completed.write()?.warn_of(earlier);
    let (mode, taxpayer_id) = (caller.mode, &caller.taxpayer.taxpayer_id);
    let owner = (taxpayer_id, &caller.organization_id);
    // What is wrong with a document costs nothing of the quota, and what goes on has no effect before.
    if mode == Mode::Sandbox && !begun.is_counted {
        let most = sending.settings.sandbox_daily_sends;
        quotas::count(&sending.ctx, &caller.organization_id, most).await?;
        begun.is_counted = true;
    }
    let stored = &mut begun.stored;
    if facts.queued {
        let (kind, body) = (PayloadKind::Request, send.body.to_vec());
        let payload = sending.bucket.put(mode, taxpayer_id, &facts.document_id, kind, body, stored);
        let payload = payload.await?;
        let start = Start::Accepted(payload);
        let record = record::outbound(owner, facts, now, &document, &warnings, start);
        let due = Due::queued(now);
        let consequences = Consequences { events: Vec::new(), inbound: None };
        let corrects = corrected;
        return Ok(MadeDocument {
            record,
            due: Some(due),
            consequences,
            departure: None,
            corrects,
            leaving: None,
        });
    }
    let record = record::outbound(owner, facts, now, &document, &warnings, Start::Sent);
    if goes_out(mode, &record) {
        return departing(attempt, record, &bytes).await;
    }
    let (record, departure) = reported(sending, mode, record, Exchanged::None)?;
    let (kind, ubl) = (PayloadKind::Ubl, bytes.clone());
    let ubl = sending.bucket.put(mode, taxpayer_id, &facts.document_id, kind, ubl, stored).await?;
    let record = DocumentRecord { ubl: Some(ubl), ..record };
    let outgoing = Outgoing {
        mode,
        sender: &caller.taxpayer.participant_id,
        record: &record,
        bytes: &bytes,
        begun: facts.created_at,
    };
    let consequences = local_delivery::consequences(sending, &outgoing, stored).await?;
    Ok(MadeDocument { record, due: None, consequences, departure, corrects: None, leaving: None })
}

/// A document with what its first message brings about: a report, and what is billed, two lines of the transaction that
/// records it.
fn reported(
    sending: &Sending,
    mode: Mode,
    record: DocumentRecord,
    exchanged: Exchanged,
) -> Result<(DocumentRecord, Option<Departure>), StoreError> {
    let departure = first::of_sent(&sending.ctx, mode, &record, exchanged)?;
    let reporting = departure.as_ref().map(|it| Reporting::of(&it.tax_report.tax_report));
    Ok((DocumentRecord { reporting, ..record }, departure))
}

/// Records what was made and finds out what became of it.
async fn finish(
    attempt: Attempt<'_>,
    mut made: MadeDocument,
    earlier: &EarlierUses,
    render: Render,
    stored: &[Payload],
) -> Result<Finished, Failure> {
    record_made(attempt, &mut made, earlier, render, stored).await
}

/// Records what was made. The message is taken out of it where that may leave.
async fn record_made(
    attempt: Attempt<'_>,
    made: &mut MadeDocument,
    earlier: &EarlierUses,
    render: Render,
    stored: &[Payload],
) -> Result<Finished, Failure> {
    let Attempt { sending, caller, reservation, facts, .. } = attempt;
    let MadeDocument { record, due, consequences, departure, corrects, leaving } = made;
    let reply = render(record, &record.warnings);
    let saved = match reply.saved() {
        Ok(saved) => saved,
        Err(error) => {
            abandon(attempt, stored).await;
            return Err(error.into());
        }
    };
    let recorded = sending
        .ctx
        .store
        .record_document(store::Recording {
            mode: caller.mode,
            document: record,
            due: *due,
            // What leaves now is answered when it is known what became of it.
            reservation: reservation
                .map(|reservation| (reservation, leaving.is_none().then_some(saved))),
            earlier,
            transmission: leaving.as_ref().map(|leaving| &leaving.ready.transmission),
            departure: departure.as_ref(),
            corrects: corrects.as_deref(),
            effects: Effects {
                events: &consequences.events,
                inbound: consequences.inbound.as_ref(),
                exchange: None,
            },
        })
        .await;
    if let Ok(Recorded::Lost) = recorded {
        match repetition::earlier_than(&sending.ctx, caller.mode, record).await {
            Ok(uses) if uses != *earlier => return Ok(Finished::Repeats(uses)),
            Ok(_) => {
                if let Some(read) = corrects {
                    let own = &record.document_id;
                    let said = corrections::overtaken(&sending.ctx, caller.mode, read, own).await;
                    if let Err(failure) = said {
                        abandon(attempt, stored).await;
                        return Err(failure);
                    }
                }
            }
            Err(error) => {
                abandon(attempt, stored).await;
                return Err(error.into());
            }
        }
    }
    let document_id = record.document_id.clone();
    let finished = || match leaving.take() {
        Some(leaving) => Finished::Leaves(Box::new((record.clone(), leaving))),
        None => Finished::Sent(Sent {
            reply,
            replayed: false,
            document_id,
            import: facts.import.clone(),
        }),
    };
    let (reservation, error) = match (recorded, reservation) {
        (Ok(Recorded::Done), _) => return Ok(finished()),
        // Without a key nothing can stand in the way but a conflict of new identifiers.
        (Ok(Recorded::Lost), None) => {
            sending.bucket.discard(stored).await;
            return Err(StoreError::Unknown("a document could not be recorded".into()).into());
        }
        // The transaction may still be applied: what it names must stay.
        (Err(error), None) => return Err(error.into()),
        (Ok(Recorded::Lost), Some(reservation)) => (reservation, None),
        (Err(error), Some(reservation)) => (reservation, Some(error)),
    };
    // Releasing tells: it cannot release what was recorded, and what it released can no longer be
    // recorded.
    match abandon(attempt, stored).await {
        Some(Release::Remains(found)) if found.ended_by(reservation.owner) => Ok(finished()),
        Some(Release::Remains(found)) => {
            replay(*found, &reservation.fingerprint).map(Finished::Sent)
        }
        Some(Release::Freed) | None => Err(match error {
            Some(error) => unconfirmed().because(error),
            None => unconfirmed(),
        }),
    }
}

/// Abandons an attempt that is not known to have recorded anything: frees its key, and removes
/// what it stored when nothing can name it any more. When the key cannot be freed the lease frees
/// it; the answer to the caller stays the same.
async fn abandon(attempt: Attempt<'_>, stored: &[Payload]) -> Option<Release> {
    let Attempt { sending, reservation, .. } = attempt;
    let Some(reservation) = reservation else {
        sending.bucket.discard(stored).await;
        return None;
    };
    let release = idempotency::free(&sending.ctx.store, reservation).await;
    if let Some(Release::Freed) = release {
        sending.bucket.discard(stored).await;
    }
    release
}
