//! Idempotency keys (specification 3.3): a key is reserved, found in use, or its saved answer is replayed.

use jiff::Timestamp;

use super::{
    Context, Sending, later,
    reply::{Reply, Sent},
};
use crate::{
    access::Caller,
    error::{Code, Failure},
    store::{
        IdempotencyHash, IdempotencyRecord, IdempotencyState, ImportedRow, Release, Reservation,
        Reserved, SendFacts, Store,
    },
    types::DocumentId,
};

/// A body that cannot be read can never have been saved: under a key that is in use it is a
/// changed payload.
pub(super) async fn unreadable(
    ctx: &Context,
    caller: &Caller,
    key: Option<&IdempotencyHash>,
    failure: Failure,
) -> Failure {
    let Some(key) = key else { return failure };
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    match ctx.store.get_idempotency(caller.mode, taxpayer_id, key).await {
        Err(cause) => unconfirmed().because(cause),
        Ok(Some(record)) if in_use(&record, ctx.now()) => reused(&record),
        Ok(_) => failure,
    }
}

fn in_use(record: &IdempotencyRecord, now: Timestamp) -> bool {
    match record.state {
        IdempotencyState::Saved { .. }
        | IdempotencyState::Recorded
        | IdempotencyState::Unknown(_) => true,
        IdempotencyState::InProgress => now < record.lease_until,
    }
}

/// Reserves the key, or returns the record that has it.
pub(super) async fn reserve(
    sending: &Sending,
    caller: &Caller,
    key: IdempotencyHash,
    fingerprint: &str,
    facts: SendFacts,
) -> Result<Reserved, Failure> {
    let now = facts.created_at;
    let reservation = Reservation {
        mode: caller.mode,
        taxpayer_id: caller.taxpayer.taxpayer_id.clone(),
        key,
        fingerprint: fingerprint.to_owned(),
        facts,
        owner: sending.ctx.new_uuid(),
        lease_until: later(now, sending.settings.lease),
    };
    let reserved = sending.ctx.store.reserve_submission(reservation, now).await;
    reserved.map_err(|error| unconfirmed().because(error))
}

/// Frees the key of an attempt that is not known to have recorded anything. `None` when it cannot be freed:
/// then the lease frees it.
pub(super) async fn free(store: &Store, reservation: &Reservation) -> Option<Release> {
    match store.release_reservation(reservation).await {
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

/// What a key's record means for a request that is not its own (specification 3.3).
pub(super) fn replay(record: IdempotencyRecord, fingerprint: &str) -> Result<Sent, Failure> {
    if record.fingerprint != fingerprint {
        return Err(reused(&record));
    }
    match record.state {
        IdempotencyState::Saved { status, body } => {
            let reply = Reply { status, body: body.into_bytes() };
            match reply.failure() {
                None => {
                    let SendFacts { document_id, import, .. } = record.facts;
                    Ok(Sent { reply, replayed: true, document_id, import })
                }
                Some(failure) => Err(Failure { replayed: true, ..failure }),
            }
        }
        IdempotencyState::InProgress
        | IdempotencyState::Recorded
        | IdempotencyState::Unknown(_) => Err(about_sent(
            &record,
            Code::IdempotencyInProgress,
            "An attempt with this Idempotency-Key is in progress or unconfirmed: retry the same \
             payload with the same key."
                .to_owned(),
        )),
    }
}

fn reused(record: &IdempotencyRecord) -> Failure {
    let of = sent(record).map_or(String::new(), |id| format!(", for the document {id}"));
    let message = format!(
        "This Idempotency-Key was used with another payload{of}: use a new key for a new \
         document, or repeat the payload exactly."
    );
    about_sent(record, Code::IdempotencyKeyReused, message)
}

/// The document that was sent under a key, once it is there; none under the key of an import.
fn sent(record: &IdempotencyRecord) -> Option<&DocumentId> {
    match record.state {
        _ if record.facts.import.as_ref().is_some_and(ImportedRow::is_whole) => None,
        IdempotencyState::Saved { .. } | IdempotencyState::Recorded => {
            Some(&record.facts.document_id)
        }
        IdempotencyState::InProgress | IdempotencyState::Unknown(_) => None,
    }
}

fn about_sent(record: &IdempotencyRecord, code: Code, message: String) -> Failure {
    Failure { document_id: sent(record).map(ToString::to_string), ..Failure::new(code, message) }
}

pub(super) fn unconfirmed() -> Failure {
    Failure::new(
        Code::IdempotencyUnavailable,
        "The reservation or the response could not be saved: retry the same payload with the same \
         Idempotency-Key.",
    )
}
