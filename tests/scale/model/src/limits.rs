//! Limits that a load meets: token buckets, partitions and tables of DynamoDB, and the record of what was met first.

use std::collections::BTreeMap;

use crate::{
    aws,
    costs::{Kind, Owner},
};

/// A token bucket: it fills at a rate, up to its size.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// Tokens a second.
    pub rate: f64,
    size: f64,
    level: f64,
    at: f64,
}

impl Bucket {
    /// A full bucket.
    pub fn new(rate: f64, size: f64) -> Self {
        Bucket { rate, size, level: size, at: 0.0 }
    }

    fn fill(&mut self, now: f64) {
        self.level = (self.level + (now - self.at).max(0.0) * self.rate).min(self.size);
        self.at = self.at.max(now);
    }

    /// Whether there are as many tokens.
    pub fn has(&mut self, now: f64, tokens: f64) -> bool {
        self.fill(now);
        self.level >= tokens
    }

    /// Takes tokens, also more than there are.
    pub fn take(&mut self, now: f64, tokens: f64) {
        self.fill(now);
        self.level -= tokens;
    }

    /// Takes tokens if there are as many.
    pub fn admits(&mut self, now: f64, tokens: f64) -> bool {
        let admitted = self.has(now, tokens);
        if admitted {
            self.level -= tokens;
        }
        admitted
    }
}

/// What a limit turned away.
#[derive(Debug, Clone, Copy)]
pub struct Met {
    /// When it was met first (seconds).
    pub at: f64,
    /// Documents a second that were offered then.
    pub rate: f64,
    /// How many requests, calls or jobs it turned away or made wait.
    pub times: f64,
}

/// The limits that were met.
#[derive(Debug, Default)]
pub struct Record {
    /// Documents a second that are offered now.
    pub rate: f64,
    met: BTreeMap<String, Met>,
}

impl Record {
    /// Notes that a limit was met.
    pub fn note(&mut self, now: f64, limit: &str, times: f64) {
        match self.met.get_mut(limit) {
            Some(met) => met.times += times,
            None => {
                let met = Met { at: now, rate: self.rate, times };
                self.met.insert(limit.to_owned(), met);
            }
        }
    }

    /// The limits that turned away at least so many, the first one first.
    pub fn in_order(&self, at_least: f64) -> Vec<(&str, Met)> {
        let mut met: Vec<_> = self.met.iter().map(|(name, met)| (name.as_str(), *met)).collect();
        met.retain(|(_, met)| met.times >= at_least);
        met.sort_by(|(_, one), (_, other)| one.at.total_cmp(&other.at));
        met
    }
}

/// A partition that documents share.
#[derive(Debug)]
pub struct Partition {
    writes: Bucket,
    reads: Bucket,
    splits: bool,
    hot_since: Option<f64>,
    last_hot: f64,
}

impl Partition {
    /// A partition in so many shards. A document of the model stands for `weight`, which do not come at one instant: as
    /// many units may be taken at once.
    pub fn new(shards: f64, splits: bool, at_once: f64) -> Self {
        let bucket = |rate: f64| Bucket::new(rate * shards, rate * shards + at_once);
        Partition {
            writes: bucket(aws::PARTITION_WRITES),
            reads: bucket(aws::PARTITION_READS),
            splits,
            hot_since: None,
            last_hot: f64::MIN,
        }
    }

    /// Whether it takes as many units now. A partition that was too hot for long is split, if its keys are spread.
    pub fn has(&mut self, now: f64, writes: f64, reads: f64) -> bool {
        let has = (writes == 0.0 || self.writes.has(now, writes))
            && (reads == 0.0 || self.reads.has(now, reads));
        if !has && self.splits {
            // Heat that ended a minute ago is over.
            let since = self.hot_since.filter(|_| now - self.last_hot < 60.0).unwrap_or(now);
            (self.hot_since, self.last_hot) = (Some(since), now);
            if now - since >= aws::SPLIT_AFTER {
                self.hot_since = None;
                for bucket in [&mut self.writes, &mut self.reads] {
                    bucket.rate *= 2.0;
                    bucket.size *= 2.0;
                }
            }
        }
        has
    }

    /// Takes units.
    pub fn take(&mut self, now: f64, writes: f64, reads: f64) {
        self.writes.take(now, writes);
        self.reads.take(now, reads);
    }
}

/// The throughput of an on-demand table or index: at most its quota, its warm throughput, or twice an earlier peak.
#[derive(Debug)]
pub struct Throughput {
    warm: f64,
    quota: f64,
    bucket: Bucket,
    /// Units of each minute.
    minutes: Vec<f64>,
    this_minute: f64,
    at_once: f64,
}

impl Throughput {
    /// A throughput that begins warm.
    pub fn new(warm: f64, quota: f64, at_once: f64) -> Self {
        let rate = warm.min(quota);
        let bucket = Bucket::new(rate, rate + at_once);
        Throughput { warm, quota, bucket, minutes: Vec::new(), this_minute: 0.0, at_once }
    }

    /// Whether it takes as many units.
    pub fn has(&mut self, now: f64, units: f64) -> bool {
        self.bucket.has(now, units)
    }

    /// Takes units.
    pub fn take(&mut self, now: f64, units: f64) {
        self.bucket.take(now, units);
        self.this_minute += units;
    }

    /// Ends a minute.
    pub fn minute(&mut self, now: f64) {
        self.minutes.push(self.this_minute / 60.0);
        self.this_minute = 0.0;
        let old = self.minutes.len().saturating_sub((aws::PEAK_AGE / 60.0) as usize);
        let peak = self.minutes[..old].iter().copied().fold(0.0, f64::max);
        let rate = self.warm.max(aws::PEAK_FACTOR * peak).min(self.quota);
        if rate > self.bucket.rate {
            self.bucket.has(now, 0.0);
            self.bucket.rate = rate;
            self.bucket.size = rate + self.at_once;
        }
    }

    /// Units a second that it takes now.
    pub fn rate(&self) -> f64 {
        self.bucket.rate
    }

    /// Whether the quota is what limits it.
    pub fn at_quota(&self) -> bool {
        self.bucket.rate >= self.quota
    }

    /// The most units a second in a minute.
    pub fn peak(&self) -> f64 {
        self.minutes.iter().copied().fold(0.0, f64::max)
    }
}

/// The owners of a document's shared partitions.
#[derive(Debug, Clone, Copy)]
pub struct Owners {
    /// Its organization.
    pub organization: usize,
    /// Its taxpayer.
    pub taxpayer: usize,
    /// Its recipient.
    pub recipient: usize,
    /// The access point that a stage sends to.
    pub access_point: usize,
}

/// Taxpayers of higher ranks are too small to fill a partition.
const TRACKED: usize = 256;

/// The shared partitions of a kind of document.
#[derive(Debug)]
pub struct Partitions {
    kinds: Vec<(Kind, Vec<Partition>)>,
}

impl Partitions {
    /// The partitions of the kinds of a life.
    pub fn new(kinds: &[Kind], weight: f64) -> Self {
        let of = |kind: &Kind| {
            let count = match kind.owner {
                Owner::Service => 1,
                _ => TRACKED + 64,
            };
            let one = || Partition::new(kind.shards, kind.splits, 30.0 * weight);
            (kind.clone(), std::iter::repeat_with(one).take(count).collect())
        };
        Partitions { kinds: kinds.iter().map(of).collect() }
    }

    /// The partition of a kind for a document; none when its owner is too small to matter.
    pub fn of(&mut self, kind: usize, owners: Owners) -> Option<&mut Partition> {
        let (kind, partitions) = &mut self.kinds[kind];
        let index = match kind.owner {
            Owner::Service => 0,
            Owner::Organization => owners.organization,
            Owner::Taxpayer => owners.taxpayer,
            Owner::Recipient => owners.recipient,
            Owner::AccessPoint => owners.access_point,
        };
        partitions.get_mut(index)
    }

    /// The pattern of a kind.
    pub fn pattern(&self, kind: usize) -> &str {
        &self.kinds[kind].0.pattern
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_bucket_admits_its_burst_and_then_its_rate() {
        let mut bucket = Bucket::new(200.0, 400.0);
        let at_once = (0..1000).filter(|_| bucket.admits(0.0, 1.0)).count();
        assert_eq!(at_once, 400);
        let in_a_second =
            (0..1000).filter(|it| bucket.admits(f64::from(*it) / 1000.0, 1.0)).count();
        assert!((198..=200).contains(&in_a_second), "{in_a_second}");
    }

    #[test]
    fn a_partition_takes_1000_write_units_and_3000_read_units_a_second() {
        let mut partition = Partition::new(1.0, false, 0.0);
        let mut taken = (0, 0);
        for call in 0..200_000 {
            let now = f64::from(call) / 10_000.0;
            if partition.has(now, 1.0, 0.0) {
                partition.take(now, 1.0, 0.0);
                taken.0 += 1;
            }
            if partition.has(now, 0.0, 1.0) {
                partition.take(now, 0.0, 1.0);
                taken.1 += 1;
            }
        }
        // A second's units may be taken at once.
        assert!((20_000..=21_001).contains(&taken.0), "{taken:?}");
        assert!((60_000..=63_001).contains(&taken.1), "{taken:?}");
    }

    #[test]
    fn a_partition_with_spread_keys_is_split_after_ten_minutes_of_heat_and_another_is_not() {
        let run = |splits| {
            let (mut partition, mut last_minute) = (Partition::new(1.0, splits, 0.0), 0);
            for call in 0..1_600_000 {
                let now = f64::from(call) / 2000.0;
                if partition.has(now, 1.0, 0.0) {
                    partition.take(now, 1.0, 0.0);
                    last_minute += i32::from(now >= 740.0);
                }
            }
            last_minute
        };
        assert!((118_000..=120_001).contains(&run(true)), "{}", run(true));
        assert!((59_000..=61_001).contains(&run(false)), "{}", run(false));
    }

    #[test]
    fn a_table_takes_twice_a_peak_that_is_half_an_hour_old_up_to_its_quota() {
        let mut table = Throughput::new(4000.0, 10_000.0, 0.0);
        for minute in 1..=100 {
            let now = f64::from(minute) * 60.0;
            table.take(now, 60.0 * table.rate());
            let before = table.rate();
            table.minute(now);
            match minute {
                1..=30 => assert_eq!(table.rate(), 4000.0, "minute {minute}"),
                31 => assert_eq!((before, table.rate()), (4000.0, 8000.0)),
                32..=60 => assert!(table.rate() <= 8000.0, "minute {minute}: {}", table.rate()),
                _ => {}
            }
        }
        assert_eq!(table.rate(), 10_000.0);
        assert!(table.at_quota());
    }
}
