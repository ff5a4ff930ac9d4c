//! Merges the shards of the index of due jobs into one line for each lane of a mode, the longest due first. Each job
//! taken from the line was due before every job that is still unread.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;
use tokio::time::Instant;

#[cfg(test)]
use crate::store::keys::DUE_SHARDS;
use crate::{
    service::Relaying,
    store::{
        DueCursor, Listed, StoreError,
        keys::{JobId, Lane},
    },
    tasks::{Piece, side_by_side},
    types::Mode,
};

/// How many items one read of the index returns. It bounds the memory: each shard holds at most one read and the rest
/// of the read before.
const READ: usize = 25;
/// A shard with fewer items in the line than this is read on.
const LITTLE: usize = READ / 2;
/// The most items of a lane that are held at once.
#[cfg(test)]
pub(crate) const MOST_HELD: usize = DUE_SHARDS as usize * (LITTLE + READ);
/// How many shards of the index are read at once.
const SHARDS_AT_ONCE: usize = 8;

/// The line of a lane.
pub(super) struct Line {
    of: (Lane, Mode),
    shards: Vec<Shard>,
}

/// A shard of the index: the items that were read and are still in the line, and the position of the next read.
struct Shard {
    number: u8,
    read: VecDeque<Listed>,
    rest: Rest,
}

enum Rest {
    /// Where the next read begins; `None` for the beginning of the shard.
    From(Option<DueCursor>),
    End,
}

/// The next jobs of a line.
#[derive(Default)]
pub(super) struct Next {
    /// The longest due first.
    pub(super) job_ids: Vec<JobId>,
    /// Since when the longest due job of each kind is due.
    pub(super) due_since: BTreeMap<&'static str, Timestamp>,
    /// How many shards could not be read.
    pub(super) failed: usize,
    /// How many items were read and are not relayed yet, including these.
    pub(super) held: usize,
}

impl Line {
    pub(super) fn new(lane: Lane, mode: Mode, shards: &[u8]) -> Self {
        let shard = |number| Shard { number, read: VecDeque::new(), rest: Rest::From(None) };
        Line { of: (lane, mode), shards: shards.iter().copied().map(shard).collect() }
    }

    /// The next due jobs. None when there are no more, or when the time is over. A shard that cannot be read never
    /// blocks the others: the next sweep reads its rest.
    pub(super) async fn next(&mut self, relaying: &Relaying, until: Instant) -> Next {
        let mut next = Next { failed: self.read(relaying, until).await, ..Next::default() };
        next.held = self.shards.iter().map(|shard| shard.read.len()).sum();
        let horizon = self.shards.iter().filter_map(Shard::horizon).min();
        let mut listed: Vec<_> =
            self.shards.iter_mut().flat_map(|shard| shard.take(horizon)).collect();
        listed.sort_by_key(|listed| listed.at);
        for listed in &listed {
            next.due_since.entry(listed.job_id.kind()).or_insert(listed.at);
        }
        next.job_ids.extend(listed.into_iter().map(|listed| listed.job_id));
        next
    }

    /// Reads on in each shard that has few items left in the line. Returns how many shards could not be read.
    async fn read(&mut self, relaying: &Relaying, until: Instant) -> usize {
        let (of, now) = (self.of, relaying.ctx.now());
        let little = |shard: &mut Shard| shard.read.len() < LITTLE && !shard.at_end();
        let short: Vec<_> = self.shards.extract_if(.., little).collect();
        let work = short.into_iter().map(|shard| {
            let relaying = relaying.clone();
            async move { shard.read_on(&relaying, of, now).await }
        });
        let mut failed = 0;
        for piece in side_by_side(work, SHARDS_AT_ONCE, until).await {
            match piece {
                Piece::Done(Ok(shard)) => self.shards.push(shard),
                Piece::Done(Err((number, error))) => {
                    tracing::error!(lane = ?of.0, mode = %of.1, shard = number, %error, "due items cannot be listed");
                    failed += 1;
                }
                Piece::Panicked => failed += 1,
                Piece::NotReached => {}
            }
        }
        failed
    }
}

impl Shard {
    /// Reads until the line has an item of this shard, or the shard has ended.
    async fn read_on(
        mut self,
        relaying: &Relaying,
        of: (Lane, Mode),
        now: Timestamp,
    ) -> Result<Shard, (u8, StoreError)> {
        let (store, limit) = (&relaying.ctx.store, i32::try_from(READ).unwrap_or(i32::MAX));
        while let Rest::From(from) = std::mem::replace(&mut self.rest, Rest::End) {
            let (listed, rest) = store
                .list_due(of, self.number, now, from, limit)
                .await
                .map_err(|error| (self.number, error))?;
            let is_enough = !listed.is_empty();
            self.read.extend(listed);
            self.rest = rest.map_or(Rest::End, |rest| Rest::From(Some(rest)));
            if is_enough {
                break;
            }
        }
        Ok(self)
    }

    fn at_end(&self) -> bool {
        matches!(self.rest, Rest::End)
    }

    /// The due time of the last item that was read. A later item of another shard may be due after an unread item of
    /// this one. `None` when the whole shard was read.
    fn horizon(&self) -> Option<Timestamp> {
        self.read.back().filter(|_| !self.at_end()).map(|last| last.at)
    }

    /// Removes from the line the items that are due until `horizon`.
    fn take(&mut self, horizon: Option<Timestamp>) -> impl Iterator<Item = Listed> {
        let within =
            horizon.map_or(self.read.len(), |until| self.read.partition_point(|it| it.at <= until));
        self.read.drain(..within)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::SignedDuration;
    use serde_json::json;

    use super::*;
    use crate::{
        service::{later, sweep::Part},
        store::{instant, keys::Key},
        testing::World,
        types::{ReportId, SeededRandom, TaxpayerId},
    };

    #[tokio::test]
    async fn what_is_due_the_longest_comes_first_whatever_shard_it_is_in() {
        let world = World::unconnected().await;
        let (now, random) = (world.now(), SeededRandom::new(3));
        let taxpayer_id: TaxpayerId = "txpay_1".parse().unwrap();
        // More items than one read returns in two shards, a few items in others, and one that is not due yet.
        let shard = |number: usize| match number % 7 {
            0..=3 => 5,
            4 | 5 => 40,
            _ => number % 64,
        };
        let count = 12 * READ;
        let mut expected = Vec::new();
        for number in 0..=count {
            // The due times are in another order than the insertions.
            let ago = SignedDuration::from_millis(i64::try_from(number * 7 % count).unwrap());
            let at = if number == count {
                later(now, SignedDuration::from_secs(1))
            } else {
                later(now, -ago)
            };
            let report_id = ReportId::new(now, &random);
            let key = Key::tax_report(&taxpayer_id, &report_id);
            let item =
                json!({"due_pk": format!("LIVE#DUE#{}", shard(number)), "due_at": instant(at)});
            world.put(key, &item).await;
            expected.push((at, JobId::TaxReport(taxpayer_id.clone(), report_id)));
        }
        expected.pop();
        expected.sort_by_key(|(at, _)| *at);
        let shards: Vec<_> = Part::WHOLE.shards().collect();
        let (mut line, mut found) = (Line::new(Lane::Others, Mode::Live, &shards), Vec::new());
        let (mut times, mut held) = (0, 0);
        loop {
            let until = Instant::now() + Duration::from_secs(60);
            let next = line.next(&world.relaying, until).await;
            assert_eq!(next.failed, 0);
            held = held.max(next.held);
            if next.job_ids.is_empty() {
                break;
            }
            times += 1;
            found.extend(next.job_ids);
        }
        let expected: Vec<_> = expected.into_iter().map(|(_, job_id)| job_id).collect();
        assert!(found == expected, "{} of {count}", found.len());
        assert!(times > 1, "more than one read of a shard");
        assert!(held < count, "{held}: what is due is never held all at once");
    }
}
