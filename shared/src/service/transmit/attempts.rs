//! The attempts of a transmission, as its record keeps them.

use jiff::Timestamp;

use crate::{
    peppol::lookup::Found,
    service::network::{LookupFailure, Why},
    store::{AttemptOutcome, TransmissionAttempt, TransmissionRecord},
};

/// How many characters of a cause are kept.
const CAUSE_LIMIT: usize = 500;

/// A new attempt, which counts.
pub(super) fn begun(transmission: &mut TransmissionRecord, now: Timestamp) -> TransmissionAttempt {
    transmission.tried += 1;
    TransmissionAttempt::begun(transmission.tried, now)
}

/// Notes an attempt that found no access point, with its start and end.
pub(super) fn note_lookup_failure(
    transmission: &mut TransmissionRecord,
    failure: &LookupFailure,
    (begin, end): (Timestamp, Timestamp),
) {
    let mut attempt = begun(transmission, begin);
    attempt.duration_ms = Some(duration(begin, end));
    attempt.outcome = Some(outcome_of(failure.why));
    attempt.cause = Some(cut(&failure.message));
    keep(transmission, attempt);
}

/// Notes that nothing is sent to an access point until then, and why. The note is one attempt, for as long as that lasts.
pub(super) fn hold(
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
pub(super) fn keep(transmission: &mut TransmissionRecord, attempt: TransmissionAttempt) {
    if transmission.attempts.len() >= TransmissionRecord::ATTEMPTS_KEPT {
        transmission.attempts.remove(1);
    }
    transmission.attempts.push(attempt);
}

/// The milliseconds between two instants.
pub(super) fn duration(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.duration_since(from).as_millis()).unwrap_or(0)
}

/// A cause that fits its record.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(CAUSE_LIMIT).collect()
}

/// The outcome of a lookup that found no access point.
pub(super) fn outcome_of(why: Why) -> AttemptOutcome {
    match why {
        Why::NotRegistered => AttemptOutcome::NotRegistered,
        Why::NotCapable => AttemptOutcome::NotCapable,
        Why::Defective => AttemptOutcome::Defective,
        Why::Failed => AttemptOutcome::LookupFailed,
    }
}
