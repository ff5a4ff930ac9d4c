//! The outcome of an attempt, and of the whole tax report.
//!
//! | an attempt ends with | the tax report |
//! |---|---|
//! | a verified receipt, or the authority's access point says that it has the report | is submitted |
//! | a signed refusal | has failed |
//! | no message, since a circuit breaker is open | is retried, however long that lasts |
//! | any other outcome, within 48 hours of the first attempt | is retried |
//! | any other outcome, later | has failed; submitted, if any of its messages may have arrived |

use jiff::{SignedDuration, Timestamp};

use super::{LONGEST, failure};
use crate::{
    error::Finding,
    service::{
        Context, later,
        tax_report_event::{about, event},
        transmit::{self, SendOutcome},
    },
    store::{
        AttemptOutcome, CountedExchange, Due, Filed, Recorded, SettledTaxReport, StoreError,
        TaxReportRecord, TaxReportStatus, TransmissionAttempt, TransmissionRecord,
    },
    types::Random,
};

/// Reports that wait for a breaker are spread over this time after it closes.
const IN_LINE: SignedDuration = SignedDuration::from_secs(60);
/// A report has not failed before so many attempts, however long a breaker was open between them.
const FEWEST: u32 = 10;
/// A younger report that waits is not logged.
const NOTED: SignedDuration = SignedDuration::from_mins(5);

/// The consequence of an attempt for its tax report.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ended {
    Later(Timestamp),
    Submitted,
    Failed(Box<Finding>),
}

/// Decides the consequence of an attempt for its tax report.
pub(super) fn decide(
    ctx: &Context,
    leased: &TaxReportRecord,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Ended {
    decide_at((ctx.now(), &*ctx.random), leased.begun_at, transmission, outcome)
}

/// The failure that is published after such an attempt; `None` when the report is retried or submitted.
pub(crate) fn final_finding(
    at: (Timestamp, &dyn Random),
    begun_at: Timestamp,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Option<Finding> {
    match decide_at(at, Some(begun_at), transmission, outcome) {
        Ended::Failed(finding) => Some(*finding),
        Ended::Later(_) | Ended::Submitted => None,
    }
}

fn decide_at(
    (now, random): (Timestamp, &dyn Random),
    begun_at: Option<Timestamp>,
    transmission: &TransmissionRecord,
    outcome: AttemptOutcome,
) -> Ended {
    match transmit::send_outcome(outcome) {
        SendOutcome::Arrived => Ended::Submitted,
        // A refusal does not undo an earlier message that may have arrived.
        SendOutcome::Refused if transmission.silent => Ended::Submitted,
        SendOutcome::Refused => failure(
            "AP-REPORT-refused",
            "The tax authority's access point refused it",
            transmission,
        ),
        SendOutcome::Open => {
            if let Some(opens) = transmission.held_until() {
                return Ended::Later(in_line(opens, begun_at.unwrap_or(now)));
            }
            let first = attempted_since(transmission).unwrap_or(now);
            let next = transmit::next_attempt((now, random), transmission, first, LONGEST);
            next.map_or_else(|| over(transmission), Ended::Later)
        }
    }
}

/// Since when messages were attempted. `None` while they were too few to end the report.
fn attempted_since(transmission: &TransmissionRecord) -> Option<Timestamp> {
    let is_held = |it: &&TransmissionAttempt| it.outcome == Some(AttemptOutcome::Held);
    let held = transmission.attempts.iter().filter(is_held).count();
    let made = transmission.tried.saturating_sub(u32::try_from(held).unwrap_or(u32::MAX));
    let first = transmission.attempts.iter().find(|it| !is_held(it))?;
    (made >= FEWEST).then_some(first.started_at)
}

/// When a report that waits for a breaker is due. The reports are spread over [`IN_LINE`] after `opens`, the oldest
/// first. So the oldest of a backlog are sent first, since the sweeper relays jobs in the order of their due times.
pub(super) fn in_line(opens: Timestamp, begun_at: Timestamp) -> Timestamp {
    let age = opens.duration_since(begun_at).clamp(SignedDuration::ZERO, LONGEST);
    let (younger, longest) = ((LONGEST - age).as_millis(), LONGEST.as_millis());
    let behind = younger * IN_LINE.as_millis() / longest;
    later(opens, SignedDuration::from_millis(i64::try_from(behind).unwrap_or(0)))
}

/// The consequence when no further attempt is made.
fn over(transmission: &TransmissionRecord) -> Ended {
    if transmission.may_have_arrived() {
        return Ended::Submitted;
    }
    failure("AP-REPORT-given-up", "No attempt succeeded for 48 hours; the last one", transmission)
}

/// Records the outcome of an attempt.
pub(super) async fn end(
    ctx: &Context,
    leased: &TaxReportRecord,
    ended: Ended,
    transmission: Option<&TransmissionRecord>,
    exchange: Option<&CountedExchange>,
) -> Result<Recorded, StoreError> {
    let at = ctx.now();
    let recorded = match &ended {
        Ended::Later(next) => {
            // Those that wait for a breaker stay in the index, which keeps their order.
            let due = match transmission.and_then(TransmissionRecord::held_until) {
                Some(_) => Due::watched(*next),
                None => Due::begins(*next, at),
            };
            ctx.store.end_tax_report(leased, Filed::Later(due), transmission, exchange, at).await?
        }
        Ended::Submitted => {
            let filed = Filed::Submitted;
            ctx.store.end_tax_report(leased, filed, transmission, exchange, at).await?
        }
        Ended::Failed(finding) => {
            let (document, participant_id) = about(ctx, leased).await?;
            let reasons = vec![(**finding).clone()];
            let status = TaxReportStatus::Failed;
            let event = event(ctx, &participant_id, &document, (leased, status, &reasons), at)?;
            let failed = Filed::Failed(Box::new(SettledTaxReport {
                tax_report: leased.clone(),
                status,
                verdict: None,
                reasons,
                document,
                event,
                at,
            }));
            ctx.store.end_tax_report(leased, failed, transmission, exchange, at).await?
        }
    };
    if recorded == Recorded::Done {
        note(leased, &ended, at);
    }
    Ok(recorded)
}

/// The template makes a metric of this: how old a tax report is that waits to be submitted.
pub(super) fn note_unsubmitted(record: &TaxReportRecord, now: Timestamp) {
    let age = now.duration_since(record.created_at);
    if age >= NOTED {
        tracing::info!(report_unsubmitted_seconds = age.as_secs(), "a tax report waits");
    }
}

/// The template makes metrics of these: the seconds until a tax report arrived, and the count of failed ones.
fn note(leased: &TaxReportRecord, ended: &Ended, at: Timestamp) {
    let (kind, role) = (leased.kind.as_str(), leased.role.as_str());
    match ended {
        Ended::Later(until) => {
            tracing::info!(kind, role, %until, "a tax report is retried");
            note_unsubmitted(leased, at);
        }
        Ended::Submitted => {
            let begun_at = leased.begun_at.unwrap_or(at);
            let seconds = at.duration_since(begun_at).as_secs();
            tracing::info!(kind, role, report_seconds = seconds, "a tax report was submitted");
        }
        Ended::Failed(finding) => tracing::warn!(
            kind, role, report_failed = 1, document_id = %leased.document_id,
            reason = %finding.message, "a tax report has failed"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_first_comes_first_when_a_gate_opens() {
        let opens: Timestamp = "2026-11-20T08:00:00Z".parse().unwrap();
        let begun = |ago: SignedDuration| later(opens, -ago);
        let behind = |ago| in_line(opens, begun(ago)).duration_since(opens);
        for (ago, expected) in [
            (SignedDuration::from_hours(72), 0),
            (SignedDuration::from_hours(48), 0),
            (SignedDuration::from_hours(24), 30_000),
            (SignedDuration::ZERO, 60_000),
            (-SignedDuration::from_secs(1), 60_000),
        ] {
            assert_eq!(behind(ago), SignedDuration::from_millis(expected), "{ago}");
        }
        // The order also holds for reports that began within seconds.
        for seconds in 0..1_000 {
            let (one, other) = (36_000 + seconds * 3, 36_000 + (seconds + 1) * 3);
            let of = |seconds| behind(SignedDuration::from_secs(seconds));
            assert!(of(one) > of(other), "{seconds}");
        }
    }
}
