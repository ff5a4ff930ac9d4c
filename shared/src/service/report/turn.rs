//! Limits the rate of tax reports to what the deployment configures, also when thousands have waited for an authority
//! that was down. Each report takes a turn, and its message comes again at that turn. A worker holds only the report
//! that it sends. The oldest reports take their turns first. Reports that waited for the authority are due in the order
//! of their age (`outcome.rs`), and the sweeper relays them in that order.

use jiff::{SignedDuration, Timestamp};

use crate::{
    service::{RELAY_GRACE, TaxReporting, later},
    store::{JobVersion, MAX_DELAY, ReportMessage, StoreError, TaxReportRecord},
};

/// How long a turn stays valid. A later report takes a new turn. So reports that missed their turns together are not
/// sent all at once.
const KEPT: SignedDuration = SignedDuration::from_secs(30);
const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// Whether a tax report may be sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Goes,
    /// The report's message comes again at its turn.
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
    let turn = match record.turn.filter(|turn| now <= later(*turn, KEPT)) {
        Some(turn) => turn,
        None => store.take_turn(now, reporting.interval).await?,
    };
    // A queue counts whole seconds: a report whose turn is within this second is sent now.
    if turn <= later(now, SECOND) {
        return Ok(Turn::Goes);
    }
    wait(reporting, version, message, now, turn).await?;
    Ok(Turn::Waits)
}

async fn wait(
    reporting: &TaxReporting,
    version: &JobVersion,
    message: &ReportMessage,
    now: Timestamp,
    turn: Timestamp,
) -> Result<(), StoreError> {
    // A queue counts whole seconds: one more, so that the message does not come too early.
    let delay = SignedDuration::from_secs(turn.duration_since(now).as_secs()) + SECOND;
    let queued = delay <= MAX_DELAY;
    // The sweeper relays reports whose wait is too long for the queue.
    let sweep_at = match queued {
        true => later(turn, RELAY_GRACE),
        false => later(turn, -MAX_DELAY / 2),
    };
    if !give(reporting, version, turn, sweep_at).await? || !queued {
        return Ok(());
    }
    if let Err(error) = reporting.queue.send_later(&[(message.clone(), delay)]).await {
        tracing::warn!(error.cause = %error, "a tax report was not queued: the sweeper dispatches it");
    }
    Ok(())
}

/// Writes the turn of a report. If the relay updates the job at the same moment, the write is repeated once. `false`
/// when the report has advanced.
async fn give(
    reporting: &TaxReporting,
    version: &JobVersion,
    turn: Timestamp,
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
