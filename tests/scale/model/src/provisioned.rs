//! A table with provisioned capacity that auto scaling follows, under the load of a day: how much of its write capacity is
//! used, and how much of the load it throttles.
//!
//! Documents come at random, and all units of a document are used in the minute in which it comes. What is throttled is
//! counted, and not tried again.

use crate::{aws, random::Random, scenario::Curve};

const MINUTE: f64 = 60.0;
const MINUTES_A_DAY: usize = 24 * 60;
const MINUTES_AN_HOUR: usize = 60;

/// A table or an index, whose capacity is scaled on its own.
#[derive(Debug)]
struct Capacity {
    /// The least units a second (`TableMinWrites` of the template).
    least: f64,
    /// Units a second.
    provisioned: f64,
    /// Units that were not used lately.
    burst: f64,
    /// Those a second that were used in the last minutes, the last one last.
    used: Vec<f64>,
    /// The capacity of the next minute, where it was changed.
    next: Option<f64>,
    /// The minutes in which it was decreased since the day began.
    decreases: Vec<usize>,
    sum: Sum,
}

/// The units of a day.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    provisioned: f64,
    used: f64,
    throttled: f64,
}

impl Capacity {
    fn new(least: f64) -> Self {
        let (used, decreases) = (Vec::new(), Vec::new());
        let sum = Sum::default();
        Capacity { least, provisioned: least, burst: 0.0, used, next: None, decreases, sum }
    }

    /// A minute in which so many units are wanted.
    fn minute(&mut self, minute: usize, wanted: f64) {
        self.provisioned = self.next.take().unwrap_or(self.provisioned);
        let here = self.provisioned * MINUTE;
        let used = wanted.min(here + self.burst);
        let most = self.provisioned * aws::BURST;
        self.burst = (self.burst + here - used).min(most);
        self.sum.provisioned += here;
        self.sum.used += used;
        self.sum.throttled += wanted - used;
        self.used.push(used / MINUTE);
        self.scale(minute % MINUTES_A_DAY);
    }

    /// Changes the capacity as target tracking does.
    fn scale(&mut self, minute: usize) {
        if minute == 0 {
            self.decreases.clear();
        }
        let latest = |minutes: f64| {
            let first = self.used.len().checked_sub(minutes as usize)?;
            self.used.get(first..)
        };
        let now = self.provisioned;
        let is_busy = latest(aws::SCALE_OUT_AFTER)
            .is_some_and(|used| used.iter().all(|it| *it > now * aws::SCALE_TARGET));
        let is_idle = latest(aws::SCALE_IN_AFTER)
            .is_some_and(|used| used.iter().all(|it| *it < now * aws::SCALE_IN_BELOW));
        let last = self.used.last().copied().unwrap_or_default();
        let wanted = (last / aws::SCALE_TARGET).max(self.least);
        if is_busy && wanted > now {
            self.next = Some(wanted);
        } else if is_idle && wanted < now && self.may_decrease(minute) {
            self.next = Some(wanted);
            self.decreases.push(minute);
        }
    }

    /// A table is decreased four times in a day, and once in each hour in which it was not.
    fn may_decrease(&self, minute: usize) -> bool {
        let is_rested = |last: &usize| minute.saturating_sub(*last) >= MINUTES_AN_HOUR;
        self.decreases.len() < aws::DECREASES as usize
            || self.decreases.last().is_none_or(is_rested)
    }
}

/// What a day shows.
#[derive(Debug, Clone, Copy)]
pub struct Day {
    /// Documents.
    pub documents: f64,
    /// The share of the provisioned write units that is used.
    pub in_use: f64,
    /// The share of the wanted write units that is throttled.
    pub throttled: f64,
}

/// A day of so many documents with the load of `curve`, after another one like it. A document takes `units` of the table
/// and of its index, which have `least` units a second at least.
pub fn day(curve: &Curve, documents: f64, units: [f64; 2], least: f64, seed: u64) -> Day {
    let mut random = Random::new(seed);
    let mut capacities = units.map(|units| (units, Capacity::new(least)));
    for minute in 0..2 * MINUTES_A_DAY {
        if minute == MINUTES_A_DAY {
            capacities.iter_mut().for_each(|(_, it)| it.sum = Sum::default());
        }
        let at = (minute % MINUTES_A_DAY) as f64 * MINUTE;
        let mean = curve.rate(at) * MINUTE * documents / curve.sum();
        let came = random.poisson(mean);
        for (units, capacity) in &mut capacities {
            capacity.minute(minute, came * *units);
        }
    }
    let sum = |of: fn(&Sum) -> f64| capacities.iter().map(|(_, it)| of(&it.sum)).sum::<f64>();
    let (used, throttled) = (sum(|it| it.used), sum(|it| it.throttled));
    let in_use = used / sum(|it| it.provisioned);
    Day { documents, in_use, throttled: throttled / (used + throttled) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_load_uses_what_the_target_says() {
        let curve = Curve::flat(1.0, 24.0 * 3600.0);
        let Day { in_use, throttled, .. } = day(&curve, 8.64e6, [78.0, 10.0], 1.0, 1);
        assert!((0.5..0.71).contains(&in_use), "{in_use}");
        assert_eq!(throttled, 0.0);
    }

    #[test]
    fn a_load_that_jumps_is_throttled_until_the_capacity_follows() {
        let mut capacity = Capacity::new(10.0);
        for minute in 0..10 {
            capacity.minute(minute, 5.0 * MINUTE);
        }
        assert_eq!(capacity.sum.throttled, 0.0);
        // The load is 60 times as much as it was, and the burst capacity 300 s of 10 units at most.
        capacity.minute(10, 300.0 * MINUTE);
        assert!(capacity.sum.throttled > 0.0, "{capacity:?}");
        for minute in 11..14 {
            capacity.minute(minute, 300.0 * MINUTE);
        }
        assert!(capacity.provisioned > 10.0, "{capacity:?}");
    }

    #[test]
    fn an_idle_table_is_decreased_after_a_quarter_of_an_hour_and_so_often_in_a_day() {
        let mut capacity = Capacity::new(1.0);
        capacity.provisioned = 100.0;
        for minute in 0..14 {
            capacity.minute(minute, 0.0);
        }
        assert_eq!(capacity.next, None);
        capacity.minute(14, 0.0);
        assert_eq!(capacity.next, Some(1.0));
        capacity.decreases = vec![0, 1, 2, 3];
        assert!(!capacity.may_decrease(62));
        assert!(capacity.may_decrease(63));
    }
}
