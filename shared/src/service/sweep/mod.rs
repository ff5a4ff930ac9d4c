//! Sweeps the index of due jobs every minute. It is the safety net of relay and queues: it relays jobs that the relay
//! missed, and jobs whose worker died. It also relays what is due after more than the 15 minutes that a queue can delay a
//! message, and tax reports that wait for a circuit breaker or for a turn, in the order of their age.
//!
//! Several executions sweep a [`Part`] of the index each, side by side.

mod line;
mod part;

use std::{collections::BTreeMap, time::Duration};

use futures_util::future::join_all;
use jiff::Timestamp;
use tokio::time::Instant;
use tracing::Instrument;

use self::line::Line;
#[cfg(test)]
pub(crate) use self::line::MOST_HELD;
pub use self::part::Part;
use super::{Relaying, relay, retry};
use crate::{
    error::{Code, Failure},
    store::{
        StoreError, SweepRecord,
        keys::{JobId, Lane, PARKED_SHARDS},
    },
    tasks::{Piece, side_by_side},
    types::Mode,
};

/// How many jobs are relayed together. One call reads them all.
pub(crate) const TOGETHER: usize = 100;
/// How many such groups of a lane are relayed at once.
const GROUPS_AT_ONCE: usize = 4;
/// How long a sweep runs while jobs are due. The function may run for 60 seconds. The next sweep takes the rest.
const LONGEST: Duration = Duration::from_secs(50);

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Jobs that were relayed.
    pub relayed: usize,
    /// Jobs that could not be relayed. They are rescheduled or parked.
    pub failed: usize,
    /// Parked jobs at the beginning of the sweep, which the first part counts. An operator must act on them.
    pub parked: usize,
    /// The most jobs of one lane in memory at once.
    pub held: usize,
}

impl Swept {
    fn add(&mut self, other: Swept) {
        self.relayed += other.relayed;
        self.failed += other.failed;
        self.held = self.held.max(other.held);
    }
}

/// Sweeps the whole index. A test has few due jobs, and sweeps often: of the shards, only those with due jobs are read.
#[cfg(test)]
pub async fn sweep(relaying: &Relaying) -> Swept {
    let due = relaying.ctx.store.due_shards(relaying.ctx.now()).await.ok();
    let is_due = |shard: &u8| due.as_ref().is_none_or(|due| due.contains(shard));
    let shards: Vec<_> = Part::WHOLE.shards().filter(is_due).collect();
    sweep_shards(relaying, Part::WHOLE, &shards).await
}

/// Sweeps a part of the lanes of both modes concurrently, so that none waits for another's backlog. In each lane, the
/// longest due jobs come first. One failing job never blocks the others.
pub async fn sweep_part(relaying: &Relaying, part: Part) -> Swept {
    let shards: Vec<_> = part.shards().collect();
    sweep_shards(relaying, part, &shards).await
}

async fn sweep_shards(relaying: &Relaying, part: Part, shards: &[u8]) -> Swept {
    let until = Instant::now() + LONGEST;
    let parked = if part.is_first() { count_parked(relaying).await } else { 0 };
    let mut total = Swept { parked, ..Swept::default() };
    let (live, sandbox) = tokio::join!(
        sweep_mode(relaying, Mode::Live, (part, shards), until),
        sweep_mode(relaying, Mode::Sandbox, (part, shards), until)
    );
    total.add(live);
    total.add(sandbox);
    total
}

/// Since when the longest due job of each kind is due.
type DueSince = BTreeMap<String, Timestamp>;

async fn sweep_mode(
    relaying: &Relaying,
    mode: Mode,
    (part, shards): (Part, &[u8]),
    until: Instant,
) -> Swept {
    let lanes = Lane::all(mode).iter().map(|lane| {
        let line = Line::new(*lane, mode, shards);
        sweep_lane(relaying, line, until)
    });
    let (mut swept, mut due_since) = (Swept::default(), DueSince::new());
    for (of_lane, since) in join_all(lanes).await {
        swept.add(of_lane);
        for (kind, at) in since {
            let longest = due_since.entry(kind).or_insert(at);
            *longest = at.min(*longest);
        }
    }
    log_oldest(relaying, mode, &due_since);
    // The public status is no reason for a sweep to fail.
    if let Err(error) = note(relaying, mode, part, due_since).await {
        tracing::warn!(%mode, %error, "the sweep was not noted");
    }
    swept
}

async fn sweep_lane(relaying: &Relaying, mut line: Line, until: Instant) -> (Swept, DueSince) {
    let (mut swept, mut due_since) = (Swept::default(), DueSince::new());
    loop {
        let next = line.next(relaying, until).await;
        swept.failed += next.failed;
        swept.held = swept.held.max(next.held);
        for (kind, at) in next.due_since {
            due_since.entry(kind.to_owned()).or_insert(at);
        }
        if next.job_ids.is_empty() {
            return (swept, due_since);
        }
        swept.add(sweep_jobs(relaying, &next.job_ids, until).await);
    }
}

/// The template makes a metric of this: for how long the oldest due job of each kind was due.
fn log_oldest(relaying: &Relaying, mode: Mode, due_since: &DueSince) {
    let now = relaying.ctx.now();
    for (kind, at) in due_since {
        let seconds = now.duration_since(*at).as_secs();
        tracing::info!(%mode, kind, oldest_due_seconds = seconds, "jobs were due");
    }
}

/// Notes what a sweep saw, for the public status.
async fn note(
    relaying: &Relaying,
    mode: Mode,
    part: Part,
    due_since: DueSince,
) -> Result<(), StoreError> {
    let (store, at) = (&relaying.ctx.store, relaying.ctx.now());
    let before = store.get_sweep_of(mode, part.number()).await?;
    let mut seen_at = before.map(|before| before.seen_at).unwrap_or_default();
    seen_at.extend(due_since.keys().map(|kind| (kind.clone(), at)));
    let record = SweepRecord { at, due_since, seen_at };
    store.put_sweep(mode, part.number(), &record).await
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
    let groups = || job_ids.chunks(TOGETHER);
    let work = groups().map(|group| {
        let (relaying, group) = (relaying.clone(), group.to_vec());
        async move { take_up_all(&relaying, &group).await }
    });
    let mut swept = Swept::default();
    for (group, piece) in groups().zip(side_by_side(work, GROUPS_AT_ONCE, until).await) {
        match piece {
            Piece::Done(one) => swept.add(one),
            Piece::Panicked => swept.add(sweep_each(relaying, group, until).await),
            Piece::NotReached => {}
        }
    }
    swept
}

/// Relays the jobs of a group one by one, since one of them panics.
async fn sweep_each(relaying: &Relaying, group: &[JobId], until: Instant) -> Swept {
    let work = group.iter().cloned().map(|job_id| {
        let relaying = relaying.clone();
        async move { take_up(&relaying, &job_id).await }
    });
    let mut swept = Swept::default();
    for (job_id, piece) in group.iter().zip(side_by_side(work, GROUPS_AT_ONCE, until).await) {
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
    take_up_all(relaying, std::slice::from_ref(job_id)).await
}

/// Relays those of some jobs that are really due.
pub(crate) async fn take_up_all(relaying: &Relaying, job_ids: &[JobId]) -> Swept {
    let mut swept = Swept::default();
    for (job_id, relayed) in job_ids.iter().zip(relay::relay_due(relaying, job_ids).await) {
        match relayed {
            Ok(relayed) => swept.relayed += usize::from(relayed),
            Err(failure) => {
                let failed = fail(relaying, job_id, failure);
                swept.add(failed.instrument(retry::span("sweep", job_id)).await);
            }
        }
    }
    swept
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
        service::{QUEUE_GRACE, later, report},
        store::{Due, NewTaxReport, TaxReportKind},
        testing::{World, invoice, send, send_queued},
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
        world.clock.advance(QUEUE_GRACE);
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

    #[tokio::test]
    #[expect(clippy::print_stdout, reason = "the figures are what the run is for")]
    async fn a_sweep_makes_little_more_than_one_call_for_each_job() {
        let (world, network) = World::live().await;
        let _authority = network.authority().await;
        network.register("0235:1009876501");
        let caller = world.caller("Falcon", "1001234501").await;
        world.subscribe(&caller.organization_id).await;
        let body = invoice("A-1", "1009876501");
        send(&world.sending, &caller, Operation::Invoice, &body, None).await.unwrap();
        let [first] = world.tax_reports().await.try_into().unwrap();
        let count = 1_000_u32;
        for _ in 0..count {
            let again = report::first::again(&world.ctx, &first, TaxReportKind::Submit);
            let due = Due::watched(world.now());
            world.put_tax_report(&NewTaxReport { due, ..again }).await;
        }
        let metered = world.metered();
        let begun = Instant::now();
        let swept = sweep_part(&metered.relaying, Part::WHOLE).await;
        let taken = begun.elapsed().as_millis().max(1);
        let calls = metered.meter.take().calls.len();
        println!(
            "{} jobs in {taken} ms with {calls} calls: {} a second",
            swept.relayed,
            u128::from(count) * 1000 / taken
        );
        assert_eq!((swept.relayed, swept.failed), (count as usize, 0));
        assert_eq!(world.cloud.receive("report").len(), swept.relayed);
        // Empty shards, and the counts of parked items, are read as well.
        assert!(calls < swept.relayed * 13 / 10 + 500, "{calls}");
    }

    #[tokio::test]
    async fn what_begins_within_15_minutes_goes_to_its_queue_at_once_with_a_delay() {
        let world = World::new().await;
        let caller = world.caller("Falcon", "1001234501").await;
        let body = invoice("A-1", "1007654321");
        send_queued(&world.sending, &caller, &body, Some("A-1")).await.unwrap();
        let [job_id] = world.marked().await.try_into().unwrap();
        let store = &world.ctx.store;
        let version = async || store.get_job(&job_id).await.unwrap().unwrap().version;
        for (minutes, delayed) in [(5, true), (15, true), (16, false)] {
            let now = world.now();
            let begins = later(now, SignedDuration::from_mins(minutes));
            store.reschedule(&version().await, 1, Due::begins(begins, now)).await.unwrap();
            // A sweep before the time does nothing.
            assert_eq!(sweep(&world.relaying).await.relayed, 0, "{minutes}");
            world.clock.advance(SignedDuration::from_secs(1));
            relay::Batch::new(&world.relaying).relay(&job_id, None).await.unwrap();
            let delays: Vec<_> =
                world.cloud.receive("convert").iter().map(|it| it.delay_seconds).collect();
            let expected = if delayed { vec![minutes * 60] } else { Vec::new() };
            assert_eq!(delays, expected, "{minutes}");
            let job = store.get_job(&job_id).await.unwrap().unwrap();
            assert_eq!(job.mark, None, "a change before that does not send it again");
            assert!(job.due_at >= begins, "{minutes}");
            assert_eq!(job.due_at > begins, delayed, "{minutes}");
        }
    }
}
