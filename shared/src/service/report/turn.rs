//! Limits the rate of tax reports to what the deployment configures, also when thousands have waited for an authority
//! that was down. Each report takes a turn (`pace.rs`), and its message comes again in the second of that turn. A worker
//! holds only the report that it sends. The oldest reports take their turns first. Reports that waited for the authority
//! or for a turn are due in the order of their age (`outcome.rs`), and the sweeper relays them in that order.

use jiff::{SignedDuration, Timestamp};

use super::{
    outcome::{in_line, note_unsubmitted},
    pace::{AHEAD, Given},
};
use crate::{
    service::{RELAY_GRACE, TaxReporting, later},
    store::{JobVersion, ReportMessage, StoreError, TaxReportRecord},
};

/// How long a turn stays valid. A later report takes a new turn. So reports that missed their turns together are not
/// sent all at once.
const KEPT: SignedDuration = SignedDuration::from_secs(30);

/// Whether a tax report may be sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Goes,
    /// The report comes again at its turn, or when there are turns again.
    Waits,
}

/// Whether it is a tax report's turn. If not, the report is rescheduled.
pub(super) async fn of(
    reporting: &TaxReporting,
    record: &TaxReportRecord,
    version: &JobVersion,
    message: &ReportMessage,
) -> Result<Turn, StoreError> {
    let (store, now) = (&reporting.ctx.store, reporting.ctx.now());
    let is_valid = |turn: &Timestamp| now <= later(*turn, KEPT) && *turn <= later(now, AHEAD);
    let given = match record.turn.filter(is_valid) {
        Some(turn) => Given::Turn(turn),
        None => reporting.pace.turn(store, now).await?,
    };
    match given {
        Given::Turn(turn) if turn.as_second() <= now.as_second() => return Ok(Turn::Goes),
        Given::Turn(turn) => {
            // The queue brings the message in the second of its turn.
            let delay = SignedDuration::from_secs(turn.as_second() - now.as_second());
            if give(reporting, version, Some(turn), later(turn, RELAY_GRACE)).await? {
                bring(reporting, message, delay).await;
            }
        }
        Given::Full(free) => {
            // Half of the turns ahead are free then. The oldest reports come first.
            let again = in_line(later(free, -AHEAD / 2).max(now), record.created_at);
            give(reporting, version, None, again).await?;
        }
    }
    note_unsubmitted(record, now);
    Ok(Turn::Waits)
}

async fn bring(reporting: &TaxReporting, message: &ReportMessage, delay: SignedDuration) {
    if let Err(error) = reporting.queue.send_later(&[(message.clone(), delay)]).await {
        tracing::warn!(error.cause = %error, "a tax report was not queued: the sweeper dispatches it");
    }
}

/// Writes the turn of a report. If the relay updates the job at the same moment, the write is repeated once. `false`
/// when the report has advanced.
async fn give(
    reporting: &TaxReporting,
    version: &JobVersion,
    turn: Option<Timestamp>,
    sweep_at: Timestamp,
) -> Result<bool, StoreError> {
    let store = &reporting.ctx.store;
    if store.give_turn(version, turn, sweep_at).await? {
        return Ok(true);
    }
    match store.get_job(&version.job_id).await? {
        Some(job) if job.lease.is_none() => store.give_turn(&job.version, turn, sweep_at).await,
        _ => Ok(false),
    }
}
