//! Whose turn it is: filings go at the rate that the deployment sets, also when thousands of them have
//! waited for an authority that was down. Each asks for a turn, and comes again when that is there; nobody
//! holds more than the filing that he is at. The oldest ask first, since what waited for the authority is due in
//! the order of its age (`outcome.rs`), which is the order in which the sweeper takes it up.

use jiff::{SignedDuration, Timestamp};

use crate::{
    service::{RELAY_GRACE, TaxReporting, later},
    store::{JobVersion, MAX_DELAY, ReportMessage, StoreError, TaxReportRecord},
};

/// How long after its instant a turn still holds. A filing that comes later asks for another one: what
/// was kept from its turns together does not go together.
const KEPT: SignedDuration = SignedDuration::from_secs(30);
const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// Whether a filing may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Goes,
    /// It comes again at its turn.
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
    // A queue counts whole seconds: what has its turn within this one goes now.
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
    // What the queue cannot hold so long the sweeper has meanwhile.
    let sweep_at = match queued {
        true => later(turn, RELAY_GRACE),
        false => later(turn, -MAX_DELAY / 2),
    };
    if !give(reporting, version, turn, sweep_at).await? || !queued {
        return Ok(());
    }
    if let Err(error) = reporting.queue.send_later(&[(message.clone(), delay)]).await {
        tracing::warn!(error.cause = %error, "a filing's turn is left to the sweeper");
    }
    Ok(())
}

/// Gives the filing its turn. The relay may note just now that it has sent the message that we are at: then it is
/// given once more. `false` when the filing has come on.
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
