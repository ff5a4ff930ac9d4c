//! The turns of tax reports that a process has leased. A turn belongs to a second of the clock: a report goes at any
//! instant of that second. So the reports of all processes in a second are never more than the turns in it.
//!
//! A process leases as many turns as it expects to need, at most those of [`BLOCK`]. Turns that it does not use in time
//! are lost. While more reports wait than may be sent, the free turns are ahead of the clock, and every turn is used.
//!
//! A large rate is divided among shards, since one item takes 1,000 writes a second. While a deployment replaces
//! functions that know other shards, both may send, so the rate can be exceeded for these minutes.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::{
    service::later,
    store::{Store, StoreError, TurnLease, TurnRequest},
};

/// The most turns a second that one item gives. Where each process needs few turns, each turn is a write.
const OF_A_SHARD: i64 = 700;
/// The turns of this time are the most that a process leases at once.
const BLOCK: SignedDuration = SignedDuration::from_millis(40);
/// How far ahead turns are leased: a queue delays a message for 15 minutes. A later report gets no turn, so that
/// no turn is given for a time when the reports before it may still wait.
pub(super) const AHEAD: SignedDuration = SignedDuration::from_mins(14);
const SECOND: i64 = 1_000_000;
/// After this part of a second, other processes have probably leased turns of it.
const FIRST_PART: i64 = SECOND / 20;

/// The rate of tax reports, and the turns that this process has leased. Its clones share the turns.
#[derive(Clone)]
pub struct Pace {
    /// The time between two turns of a shard.
    interval: SignedDuration,
    shards: u8,
    /// How many callers wait for the lease of a block, the one that leases it included.
    waiting: Arc<AtomicU32>,
    leased: Arc<Mutex<Leased>>,
}

/// The turns that were leased and are not used yet.
#[derive(Debug, Default)]
struct Leased {
    /// The first of them.
    next: Timestamp,
    left: u32,
    /// For each shard, a turn that was free when this process asked last. The next free turn is never before it.
    free: Vec<Option<Timestamp>>,
    demand: Demand,
}

/// How many turns this process needs in a second.
#[derive(Debug, Default)]
struct Demand {
    /// The second of the last turn that was asked for, since 1970.
    second: i64,
    /// The turns that were asked for in it, and in the two seconds before it, the later one first.
    asked: u32,
    before: [u32; 2],
}

/// A turn for a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// The report may be sent in the second of this instant.
    Turn(Timestamp),
    /// All turns of the next [`AHEAD`] are taken. This is the next free one, or an earlier one.
    Full(Timestamp),
}

impl Pace {
    /// At most one report in each `interval`, over all processes.
    pub fn new(interval: SignedDuration) -> Self {
        let rate = SECOND / i64::try_from(interval.as_micros()).unwrap_or(i64::MAX).max(1);
        let shards = (rate.saturating_add(OF_A_SHARD - 1) / OF_A_SHARD).clamp(1, u8::MAX.into());
        let interval = match shards {
            1 => interval,
            // Rounded so that the shards have no more turns together.
            shards => SignedDuration::from_micros(1 + (SECOND - 1) / (rate / shards).max(1)),
        };
        let shards = u8::try_from(shards).unwrap_or(u8::MAX);
        let leased = Leased { free: vec![None; shards.into()], ..Leased::default() };
        Pace { interval, shards, waiting: Arc::default(), leased: Arc::new(leased.into()) }
    }

    /// The pace of another process of the same deployment.
    #[cfg(test)]
    pub(crate) fn of_another(&self) -> Self {
        let leased = Leased { free: vec![None; self.shards.into()], ..Leased::default() };
        Pace { waiting: Arc::default(), leased: Arc::new(leased.into()), ..*self }
    }

    /// The shards, from one by the clock on. Processes lease at different times, so they use all shards alike.
    fn in_turn(&self, now: Timestamp) -> impl Iterator<Item = u8> + use<> {
        let first = now.as_millisecond().rem_euclid(self.shards.into());
        let first = u8::try_from(first).unwrap_or_default();
        (first..self.shards).chain(0..first)
    }

    /// The shard whose next turn is the earliest, as far as this process knows.
    fn earliest(&self, leased: &Leased, now: Timestamp) -> u8 {
        let free = |shard: &u8| leased.free[usize::from(*shard)];
        self.in_turn(now).min_by_key(free).unwrap_or_default()
    }

    /// The next turn. Callers are served in their order, and the first of them leases for all that wait.
    pub(super) async fn turn(&self, store: &Store, now: Timestamp) -> Result<Given, StoreError> {
        let _waiting = Waiting::new(&self.waiting);
        let mut leased = self.leased.lock().await;
        leased.demand.note(now);
        leased.lapse(now, self.interval);
        if leased.left == 0 && !self.lease_of_this_second(store, &mut leased, now).await? {
            let shard = self.earliest(&leased, now);
            let until = later(now, AHEAD);
            if let Some(free) = self.lease(store, &mut leased, shard, now, until).await? {
                return Ok(Given::Full(free));
            }
        }
        Ok(Given::Turn(leased.take(self.interval)))
    }

    /// Leases turns of this second from any shard that has some. `false` when there are none; a single shard is not asked
    /// for them alone.
    async fn lease_of_this_second(
        &self,
        store: &Store,
        leased: &mut Leased,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let rest = SECOND - 1 - now.as_microsecond().rem_euclid(SECOND);
        let until = later(now, SignedDuration::from_micros(rest));
        for shard in self.in_turn(now).filter(|_| self.shards > 1) {
            if self.lease(store, leased, shard, now, until).await?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Leases turns of a shard that begin no later than `until`. Returns the next free turn if that is later.
    async fn lease(
        &self,
        store: &Store,
        leased: &mut Leased,
        shard: u8,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        let free = leased.free[usize::from(shard)];
        if let Some(free) = free.filter(|free| until < *free) {
            return Ok(Some(free));
        }
        let (count, running) = (self.count(leased, free, now), leased.is_running(free, now));
        let request = TurnRequest { count, interval: self.interval, until, running };
        let lease = store.lease_turns(shard, now, request).await?;
        let (free, full) = match lease {
            TurnLease::From(first) => (leased.fill(first, count, self.interval), None),
            TurnLease::Full(free) => (free, Some(free)),
        };
        leased.free[usize::from(shard)] = Some(free);
        Ok(full)
    }

    /// How many turns to lease: what this process needs until the second of the next free turn is over.
    fn count(&self, leased: &Leased, free: Option<Timestamp>, now: Timestamp) -> u32 {
        let most = BLOCK.as_micros() * i128::from(self.shards) / self.interval.as_micros().max(1);
        let from = free.filter(|free| now < *free).unwrap_or(now);
        // The end of a second is not leased turn by turn.
        let rest = ((from.as_second() + 1) * SECOND - now.as_microsecond()).max(SECOND / 8);
        let expected = (i64::from(leased.demand.rate()) * rest + SECOND - 1) / SECOND;
        let wanted = expected.max(self.waiting.load(Ordering::Relaxed).into());
        let most = u32::try_from(most).unwrap_or(u32::MAX).max(1);
        u32::try_from(wanted).unwrap_or(u32::MAX).clamp(1, most)
    }
}

impl Leased {
    /// Drops the turns whose second is over.
    fn lapse(&mut self, now: Timestamp, interval: SignedDuration) {
        while self.left > 0 && self.next.as_second() < now.as_second() {
            self.take(interval);
        }
    }

    /// Whether the turns of this second are probably not the first ones that are leased since long.
    fn is_running(&self, free: Option<Timestamp>, now: Timestamp) -> bool {
        let leased = free.is_some_and(|free| free.as_second() >= now.as_second());
        let later_part = now.as_microsecond().rem_euclid(SECOND) > FIRST_PART;
        leased || (later_part && self.demand.before[0] > 0)
    }

    /// Takes a block over. Returns the turn after it.
    fn fill(&mut self, first: Timestamp, count: u32, interval: SignedDuration) -> Timestamp {
        (self.next, self.left) = (first, count);
        later(first, interval * i32::try_from(count).unwrap_or(i32::MAX))
    }

    fn take(&mut self, interval: SignedDuration) -> Timestamp {
        self.left = self.left.saturating_sub(1);
        let next = later(self.next, interval);
        std::mem::replace(&mut self.next, next)
    }
}

impl Demand {
    fn note(&mut self, now: Timestamp) {
        let second = now.as_second();
        if second != self.second {
            self.before = match second - self.second {
                1 => [self.asked, self.before[0]],
                2 => [0, self.asked],
                _ => [0, 0],
            };
            (self.second, self.asked) = (second, 0);
        }
        self.asked += 1;
    }

    /// Turns a second.
    fn rate(&self) -> u32 {
        let [before, earlier] = self.before;
        self.asked.max(before).max(earlier)
    }
}

/// Counts a caller as long as it waits.
struct Waiting<'a>(&'a AtomicU32);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicU32) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "the figures are what the run is for")]
mod tests {
    use std::collections::BTreeMap;

    use futures_util::future::join_all;

    use super::*;
    use crate::testing::World;

    /// What became of the reports of a run.
    struct Run {
        /// Reports that were sent, by second.
        sent: BTreeMap<i64, u32>,
        /// Reports that were sent when they came.
        at_once: u32,
        /// Reports that got no turn.
        turned_away: u32,
        /// Thousandths of a write unit of the item for each report that was offered.
        units: u32,
    }

    /// How many reports a worker handles at once: a batch of the queue.
    const BATCH: u32 = 10;

    /// Offers reports at an even rate to workers with a process each.
    async fn run(rate: i64, offered: u32, workers: usize, seconds: i64) -> Run {
        let world = World::unconnected().await;
        let metered = world.metered();
        let store = &metered.sending.ctx.store;
        let interval = SignedDuration::from_micros((1_000_000 + rate - 1) / rate);
        let workers: Vec<_> = (0..workers).map(|_| Pace::new(interval)).collect();
        let begin = Timestamp::from_second(world.now().as_second()).unwrap();
        let mut run = Run { sent: BTreeMap::new(), at_once: 0, turned_away: 0, units: 0 };
        let batches = i64::from(offered / BATCH);
        for number in 0..batches * seconds {
            let now = later(begin, SignedDuration::from_micros(number * 1_000_000 / batches));
            let worker = &workers[usize::try_from(number).unwrap() % workers.len()];
            let turns = (0..BATCH).map(|_| worker.turn(store, now));
            for given in join_all(turns).await {
                let Given::Turn(turn) = given.unwrap() else {
                    run.turned_away += 1;
                    continue;
                };
                assert!(turn.as_second() >= now.as_second());
                // The queue brings the report in the second of its turn.
                *run.sent.entry(turn.as_second() - begin.as_second()).or_default() += 1;
                run.at_once += u32::from(turn.as_second() == now.as_second());
            }
        }
        let usage = metered.meter.take();
        let of_pace = usage.partitions.iter().filter(|(name, _)| name.starts_with("LIVE#PACE"));
        let halves = u32::try_from(of_pace.map(|(_, units)| units.write).sum::<usize>()).unwrap();
        let offered = offered * u32::try_from(seconds).unwrap();
        run.units = halves * 500 / offered;
        run
    }

    #[tokio::test]
    async fn reports_go_at_2500_a_second_and_never_above_it_whatever_the_number_of_workers() {
        for workers in [1, 8, 25] {
            for offered in [2_000, 2_500, 5_000] {
                let Run { sent, at_once, turned_away, units } =
                    run(2_500, offered, workers, 8).await;
                let most = sent.values().max().copied().unwrap();
                println!(
                    "{workers} workers, {offered} reports a second: {units} thousandths of a write unit each, {at_once} sent at once, \
                     {most} in a second at most, the last in second {:?}",
                    sent.keys().last()
                );
                assert!(most <= 2_500, "{most} in a second");
                assert!(units < 100, "{units}");
                assert_eq!(turned_away, 0);
                let planned = offered.min(2_500);
                let full: u32 = (1..7).map(|second| sent[&second]).sum();
                assert!(full >= 6 * planned * 95 / 100, "{sent:?}");
                if offered < 2_500 {
                    assert!(at_once >= offered * 8 * 95 / 100, "{at_once}");
                }
            }
        }
    }

    #[tokio::test]
    async fn at_20_a_second_each_turn_is_leased_alone() {
        for workers in [1, 8] {
            let Run { sent, units, .. } = run(20, 40, workers, 10).await;
            assert!(sent.values().all(|count| *count <= 20), "{sent:?}");
            assert!((0..19).all(|second| sent[&second] == 20), "{sent:?}");
            assert!(units <= 1_100, "{units}");
        }
    }

    #[tokio::test]
    async fn turns_are_not_given_for_longer_than_a_queue_can_wait() {
        // 200 reports come in a second where 2 may go: after 14 minutes of turns nobody gets one.
        let Run { sent, turned_away, units, .. } = run(2, 200, 4, 10).await;
        assert_eq!(*sent.keys().last().unwrap(), (AHEAD + SignedDuration::from_secs(9)).as_secs());
        assert!(turned_away > 0 && units < 1_000, "{turned_away} {units}");
    }
}
