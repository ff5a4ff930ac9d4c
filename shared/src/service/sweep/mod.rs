//! Sweeps the index of due jobs every minute. It relays events and documents that the relay missed, documents whose
//! worker died, and deliveries whose next attempt is due.

mod line;

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;
use tokio::time::Instant;
use tracing::Instrument;

use self::line::Line;
#[cfg(test)]
pub(crate) use self::line::MOST_HELD;
use super::{Relaying, relay, retry};
use crate::{
    error::{Code, Failure},
    store::{
        StoreError, SweepRecord,
        keys::{JobId, PARKED_SHARDS},
    },
    tasks::{Piece, side_by_side},
    types::Mode,
};

/// How many jobs of a mode are relayed at once.
const ITEMS_AT_ONCE: usize = 64;
/// How long a sweep runs while jobs are due. The function may run for 30 seconds. The next sweep takes the rest.
const LONGEST: Duration = Duration::from_secs(25);

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Jobs that were relayed.
    pub relayed: usize,
    /// Jobs that could not be relayed. They are rescheduled or parked.
    pub failed: usize,
    /// Parked jobs at the beginning of the sweep. An operator must act on them.
    pub parked: usize,
    /// The most jobs of one mode in memory at once.
    pub held: usize,
}

impl Swept {
    fn add(&mut self, other: Swept) {
        self.relayed += other.relayed;
        self.failed += other.failed;
        self.held = self.held.max(other.held);
    }
}

/// Sweeps both modes concurrently, so that neither waits for the other's backlog. In each mode, the longest due jobs
/// come first. One failing job never blocks the others.
pub async fn sweep(relaying: &Relaying) -> Swept {
    let until = Instant::now() + LONGEST;
    let mut total = Swept { parked: count_parked(relaying).await, ..Swept::default() };
    let (live, sandbox) = tokio::join!(
        sweep_mode(relaying, Mode::Live, until),
        sweep_mode(relaying, Mode::Sandbox, until)
    );
    total.add(live);
    total.add(sandbox);
    total
}

async fn sweep_mode(relaying: &Relaying, mode: Mode, until: Instant) -> Swept {
    let (mut line, mut swept) = (Line::new(mode), Swept::default());
    let mut due_since = BTreeMap::new();
    loop {
        let next = line.next(relaying, until).await;
        swept.failed += next.failed;
        swept.held = swept.held.max(next.held);
        for (kind, at) in next.due_since {
            due_since.entry(kind.to_owned()).or_insert(at);
        }
        if next.job_ids.is_empty() {
            // The public status is no reason for a sweep to fail.
            if let Err(error) = note(relaying, mode, due_since).await {
                tracing::warn!(%mode, %error, "the sweep was not noted");
            }
            return swept;
        }
        swept.add(sweep_jobs(relaying, &next.job_ids, until).await);
    }
}

/// Notes what a sweep saw, for the public status.
async fn note(
    relaying: &Relaying,
    mode: Mode,
    due_since: BTreeMap<String, Timestamp>,
) -> Result<(), StoreError> {
    let (store, at) = (&relaying.ctx.store, relaying.ctx.now());
    let mut seen_at = store.get_sweep(mode).await?.map(|before| before.seen_at).unwrap_or_default();
    seen_at.extend(due_since.keys().map(|kind| (kind.clone(), at)));
    store.put_sweep(mode, &SweepRecord { at, due_since, seen_at }).await
}

async fn count_parked(relaying: &Relaying) -> usize {
    let mut parked = 0;
    for mode in [Mode::Live, Mode::Sandbox] {
        for shard in 0..PARKED_SHARDS {
            match relaying.ctx.store.count_parked(mode, shard).await {
                Ok(count) => parked += count,
                Err(error) => {
                    tracing::error!(%mode, shard, %error, "parked items cannot be counted");
                }
            }
        }
    }
    parked
}

async fn sweep_jobs(relaying: &Relaying, job_ids: &[JobId], until: Instant) -> Swept {
    let work = job_ids.iter().cloned().map(|job_id| {
        let relaying = relaying.clone();
        async move { take_up(&relaying, &job_id).await }
    });
    let mut swept = Swept::default();
    for (job_id, piece) in job_ids.iter().zip(side_by_side(work, ITEMS_AT_ONCE, until).await) {
        match piece {
            Piece::Done(one) => swept.add(one),
            Piece::Panicked => {
                let failure = Failure::new(Code::InternalError, "the job panicked");
                swept.add(fail(relaying, job_id, failure).await);
            }
            Piece::NotReached => {}
        }
    }
    swept
}

/// Relays a job of the index, if it is really due.
pub(crate) async fn take_up(relaying: &Relaying, job_id: &JobId) -> Swept {
    let work = async {
        match relay::relay_due(relaying, job_id).await {
            Ok(relayed) => Swept { relayed: usize::from(relayed), ..Swept::default() },
            Err(failure) => fail(relaying, job_id, failure).await,
        }
    };
    work.instrument(retry::span("sweep", job_id)).await
}

async fn fail(relaying: &Relaying, job_id: &JobId, failure: Failure) -> Swept {
    if let Err(failure) = retry::failed(&relaying.ctx, job_id, failure).await {
        let error = failure.source.as_deref().map(tracing::field::display);
        tracing::error!(%job_id, error, "an item was not relayed");
    }
    Swept { failed: 1, ..Swept::default() }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use crate::{
        document::Operation,
        testing::{World, invoice, send},
    };

    #[tokio::test]
    async fn an_item_that_cannot_be_read_keeps_no_other_from_its_way() {
        let world = World::new().await;
        let caller = world.caller("Falcon", "1001234501").await;
        world.endpoint(&caller.organization_id, &[]).await;
        let count = 12;
        for number in 0..count {
            let body = invoice(&format!("A-{number}"), "1007654321");
            send(&world.sending, &caller, Operation::Invoice, &body, None).await.unwrap();
        }
        // Every third event is corrupted, and is due long before the others.
        let events = world.events().await;
        for event in events.iter().step_by(3) {
            world.spoil(event).await;
        }
        world.clock.advance(SignedDuration::from_secs(61));
        let spoilt = events.len().div_ceil(3);
        let swept = sweep(&world.relaying).await;
        let (relayed, held) = (events.len() - spoilt, events.len());
        assert_eq!(swept, Swept { relayed, failed: spoilt, parked: 0, held });
        let messages = world.cloud.receive("deliver");
        assert_eq!(messages.len(), events.len() - spoilt);
        // No event comes again: an unreadable event is parked at once.
        let swept = sweep(&world.relaying).await;
        assert_eq!(swept, Swept { parked: spoilt, ..Swept::default() });
    }
}
