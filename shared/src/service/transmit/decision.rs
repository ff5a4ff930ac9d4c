//! What an attempt means for the document, the status or the report that it carries.

use jiff::{SignedDuration, Timestamp};

use super::{
    attempts::{note_lookup_failure, outcome_of},
    schedule,
};
use crate::{
    error::Finding,
    peppol::lookup::{LookupError, Query},
    service::{Context, later, network::LookupFailure},
    store::{AttemptOutcome, TransmissionRecord},
    types::Random,
};

/// What an attempt means for a document or a status.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::service) enum Decision {
    /// It is sent.
    Sent,
    /// The next attempt is due then.
    Later(Timestamp),
    /// It may have been delivered, and no attempt follows. The finding says why.
    Unconfirmed(Finding),
    /// It was not delivered, and no attempt follows. The finding says why.
    Failed(Finding),
}

/// The outcome of an attempt at a report.
pub(in crate::service) enum SendOutcome {
    /// The receiver has it.
    Arrived,
    /// The receiver refused it.
    Refused,
    /// The report is sent again, as long as there is time.
    Open,
}

/// What an attempt means for a report.
pub(in crate::service) fn send_outcome(outcome: AttemptOutcome) -> SendOutcome {
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
pub(in crate::service) fn decide(
    ctx: &Context,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Decision {
    decide_at((ctx.now(), &*ctx.random), transmission, outcome)
}

/// The finding that ends a document after such an attempt; `None` when another attempt follows, or it is sent.
pub(crate) fn final_finding(
    at: (Timestamp, &dyn Random),
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Option<Finding> {
    match decide_at(at, transmission, outcome) {
        Decision::Unconfirmed(finding) | Decision::Failed(finding) => Some(finding),
        Decision::Sent | Decision::Later(_) => None,
    }
}

/// The finding that ends a document whose recipient's access point was not found.
pub(crate) fn final_finding_of_lookup(
    at: (Timestamp, &dyn Random),
    mut transmission: TransmissionRecord,
    query: &Query,
    error: &LookupError,
) -> Option<Finding> {
    let failure = LookupFailure::of(query, error);
    note_lookup_failure(&mut transmission, &failure, (at.0, at.0));
    final_finding(at, &transmission, outcome_of(failure.why))
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
        | AttemptOutcome::Unknown => {
            let first = transmission.attempts.first().map_or(now, |first| first.started_at);
            match next_attempt((now, random), transmission, first, schedule::LONGEST) {
                Some(next) => Decision::Later(next),
                None => over("AP-NETWORK-given-up", "No attempt succeeded for a day; the last one"),
            }
        }
    }
}

/// When the next attempt is due; `None` when that is longer than `longest` after `first`.
pub(in crate::service) fn next_attempt(
    (now, random): (Timestamp, &dyn Random),
    transmission: &TransmissionRecord,
    first: Timestamp,
    longest: SignedDuration,
) -> Option<Timestamp> {
    match transmission.held_until() {
        Some(until) => (until <= later(first, longest)).then_some(until),
        None => schedule::next(transmission.tried, (first, longest), now, random),
    }
}
