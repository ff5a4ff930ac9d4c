//! The scenarios: an offered load, and what goes wrong.

/// A load over time: documents a second at instants, and straight lines between them.
#[derive(Debug, Clone)]
pub struct Curve(Vec<(f64, f64)>);

impl Curve {
    /// The same rate all the time.
    pub fn flat(rate: f64, length: f64) -> Self {
        Curve(vec![(0.0, rate), (length, rate)])
    }

    /// A rate that is reached within five minutes.
    fn ramped(rate: f64, length: f64) -> Self {
        Curve(vec![(0.0, rate / 10.0), (300.0, rate), (length, rate)])
    }

    /// The same load, which also grows to a multiple within a minute, for an hour.
    pub fn surging(&self, from: f64, factor: f64) -> Self {
        let (begin, full, end) = (from, from + MINUTE, from + HOUR);
        let rate = |at, factor| (at, self.rate(at) * factor);
        let before = self.0.iter().copied().filter(|(at, _)| *at < begin);
        let after = self.0.iter().copied().filter(|(at, _)| *at > end);
        let surge = [rate(begin, 1.0), rate(full, factor), rate(end, factor), rate(end, 1.0)];
        Curve(before.chain(surge).chain(after).collect())
    }

    /// The rate at an instant.
    pub fn rate(&self, at: f64) -> f64 {
        let next = self.0.partition_point(|(instant, _)| *instant <= at);
        match (next.checked_sub(1).and_then(|it| self.0.get(it)), self.0.get(next)) {
            (Some(&(from, before)), Some(&(to, after))) => {
                before + (after - before) * (at - from) / (to - from)
            }
            (Some(&(_, rate)), None) | (None, Some(&(_, rate))) => rate,
            (None, None) => 0.0,
        }
    }

    /// When it ends.
    pub fn end(&self) -> f64 {
        self.0.last().map_or(0.0, |(end, _)| *end)
    }

    /// All documents.
    pub fn sum(&self) -> f64 {
        self.0.windows(2).map(|it| (it[1].0 - it[0].0) * (it[0].1 + it[1].1) / 2.0).sum()
    }
}

/// What goes wrong. Times are in seconds from the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Disturbance {
    /// Nothing.
    None,
    /// One integrator sends so many documents a second on top of the load.
    Integrator {
        /// Documents a second.
        rate: f64,
        /// From when.
        from: f64,
        /// Until when.
        to: f64,
    },
    /// The authority does not answer.
    Authority {
        /// From when.
        from: f64,
        /// Until when.
        to: f64,
    },
    /// The largest access point takes longer, then does not answer.
    Receiver {
        /// How much longer it takes (seconds).
        slower: f64,
        /// From when it is slow.
        from: f64,
        /// From when it is dead.
        dead: f64,
        /// Until when.
        to: f64,
    },
    /// A share of the calls of the table is throttled.
    Throttled {
        /// The share.
        share: f64,
        /// From when.
        from: f64,
        /// Until when.
        to: f64,
    },
    /// All functions are deployed anew.
    Deploy {
        /// When.
        at: f64,
    },
    /// Requests without a valid key.
    Strangers {
        /// Requests a second.
        rate: f64,
        /// From when.
        from: f64,
        /// Until when.
        to: f64,
    },
    /// PDFs for one Sandbox customer.
    Sandbox {
        /// Requests a second.
        rate: f64,
        /// CPU time of a PDF of 1,000 lines (`tests/bench/FIGURES.md`, pdf), in seconds.
        seconds: f64,
        /// From when.
        from: f64,
        /// Until when.
        to: f64,
    },
}

/// A scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name on the command line.
    pub name: &'static str,
    /// What happens in it.
    pub what: &'static str,
    /// The offered load.
    pub load: Curve,
    /// How long the simulation goes on after it (seconds).
    pub drain: f64,
    /// What goes wrong.
    pub disturbance: Disturbance,
    /// Whose bystanders are timed: what goes wrong here, or in the scenario that this is compared with.
    pub watched: Disturbance,
    /// How many documents one of the model stands for, in full and with `--quick`.
    pub weights: (f64, f64),
}

/// The largest access point: the first after the authority.
const LARGEST: usize = 1;

impl Scenario {
    /// Documents a second of an integrator on top of the load.
    pub fn extra(&self, now: f64) -> f64 {
        match self.disturbance {
            Disturbance::Integrator { rate, from, to } if (from..to).contains(&now) => rate,
            _ => 0.0,
        }
    }

    /// How much slower a receiver answers; none when it does not answer.
    pub fn answer(&self, receiver: usize, now: f64) -> Option<f64> {
        match self.disturbance {
            Disturbance::Authority { from, to } if receiver == 0 && (from..to).contains(&now) => {
                None
            }
            Disturbance::Receiver { slower, from, dead, .. }
                if receiver == LARGEST && (from..dead).contains(&now) =>
            {
                Some(slower)
            }
            Disturbance::Receiver { dead, to, .. }
                if receiver == LARGEST && (dead..to).contains(&now) =>
            {
                None
            }
            _ => Some(0.0),
        }
    }

    /// Whether a document has nothing to do with what goes wrong.
    pub fn is_bystander(&self, organization: usize, access_point: usize, alone: bool) -> bool {
        match self.watched {
            Disturbance::Integrator { .. } => !alone && organization != 0,
            Disturbance::Receiver { .. } => access_point != LARGEST,
            _ => true,
        }
    }

    /// When it goes wrong: bystanders are timed from then on.
    pub fn window(&self) -> (f64, f64) {
        match self.watched {
            Disturbance::None => (0.0, f64::MAX),
            Disturbance::Deploy { at } => (at, at + 2.0 * MINUTE),
            Disturbance::Integrator { from, to, .. }
            | Disturbance::Authority { from, to }
            | Disturbance::Receiver { from, to, .. }
            | Disturbance::Throttled { from, to, .. }
            | Disturbance::Strangers { from, to, .. }
            | Disturbance::Sandbox { from, to, .. } => (from, to),
        }
    }

    /// The same load without what goes wrong.
    pub fn quiet(&self) -> Scenario {
        Scenario { disturbance: Disturbance::None, watched: self.disturbance, ..self.clone() }
    }
}

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;

/// The load of a day with 52 million documents: hours and their shares of the mean rate.
const DAY: [(f64, f64); 9] = [
    (0.0, 0.15),
    (5.0, 0.2),
    (8.0, 1.4),
    (10.0, 2.3),
    (12.0, 2.3),
    (14.0, 1.5),
    (17.0, 1.8),
    (20.0, 0.6),
    (24.0, 0.15),
];
const DAY_DOCUMENTS: f64 = 52e6;

/// That load.
pub fn day() -> Curve {
    let shape = Curve(DAY.iter().map(|(hour, share)| (hour * HOUR, *share)).collect());
    let mean = DAY_DOCUMENTS / shape.sum();
    Curve(shape.0.into_iter().map(|(at, share)| (at, share * mean)).collect())
}

/// All scenarios.
pub fn all() -> Vec<Scenario> {
    // What is disturbed has a load of 1,000 documents a second.
    let base = |length| Curve::ramped(1000.0, length);
    let scenario = |name, what, load, drain, disturbance, weights| Scenario {
        name,
        what,
        load,
        drain,
        disturbance,
        watched: disturbance,
        weights,
    };
    vec![
        scenario(
            "ksef-hour",
            "2,500 documents a second for an hour",
            Curve::ramped(2500.0, HOUR + 5.0 * MINUTE),
            2.0 * HOUR,
            Disturbance::None,
            (40.0, 150.0),
        ),
        scenario(
            "day",
            "52 million documents in a day, with its peak before noon",
            day(),
            2.0 * HOUR,
            Disturbance::None,
            (200.0, 1000.0),
        ),
        scenario(
            "month-end",
            "ten times the load within 30 minutes: from 250 to 2,500 documents a second, then an hour of it",
            Curve(vec![
                (0.0, 25.0),
                (5.0 * MINUTE, 250.0),
                (30.0 * MINUTE, 250.0),
                (HOUR, 2500.0),
                (2.0 * HOUR, 2500.0),
                (2.5 * HOUR, 250.0),
            ]),
            2.0 * HOUR,
            Disturbance::None,
            (50.0, 200.0),
        ),
        scenario(
            "largest-integrator",
            "one integrator sends 1,500 documents a second for 30 minutes beside 200 of all others",
            Curve::ramped(200.0, HOUR),
            2.0 * HOUR,
            Disturbance::Integrator { rate: 1500.0, from: 15.0 * MINUTE, to: 45.0 * MINUTE },
            (30.0, 60.0),
        ),
        scenario(
            "authority-away",
            "the authority does not answer for 4 hours, at 1,000 documents a second",
            base(5.0 * HOUR),
            8.0 * HOUR,
            Disturbance::Authority { from: 0.5 * HOUR, to: 4.5 * HOUR },
            (100.0, 400.0),
        ),
        scenario(
            "slow-then-dead",
            "the largest access point takes 5 seconds longer for an hour, then does not answer for an hour, at 1,000 documents a second",
            base(3.0 * HOUR),
            4.0 * HOUR,
            Disturbance::Receiver {
                slower: 5.0,
                from: 0.5 * HOUR,
                dead: 1.5 * HOUR,
                to: 2.5 * HOUR,
            },
            (60.0, 250.0),
        ),
        scenario(
            "table-throttles",
            "1 % of the calls of the table are throttled for ten minutes, at 1,000 documents a second",
            base(45.0 * MINUTE),
            2.0 * HOUR,
            Disturbance::Throttled { share: 0.01, from: 15.0 * MINUTE, to: 25.0 * MINUTE },
            (20.0, 60.0),
        ),
        scenario(
            "cold-deploy",
            "every function is deployed anew in the middle of 2,500 documents a second",
            Curve::ramped(2500.0, 30.0 * MINUTE),
            2.0 * HOUR,
            Disturbance::Deploy { at: 17.0 * MINUTE },
            (25.0, 100.0),
        ),
        scenario(
            "strangers",
            "5,000 requests a second without a key for ten minutes, at 1,000 documents a second",
            base(45.0 * MINUTE),
            2.0 * HOUR,
            Disturbance::Strangers { rate: 5000.0, from: 15.0 * MINUTE, to: 25.0 * MINUTE },
            (20.0, 60.0),
        ),
        scenario(
            "sandbox-mad",
            "one Sandbox customer asks for 2,000 PDFs of 1,000 lines a second for ten minutes, at 1,000 documents a second",
            base(45.0 * MINUTE),
            2.0 * HOUR,
            Disturbance::Sandbox {
                rate: 2000.0,
                seconds: 1.65,
                from: 15.0 * MINUTE,
                to: 25.0 * MINUTE,
            },
            (20.0, 60.0),
        ),
    ]
}

/// The load of a rung of the ladder.
pub fn rung(rate: f64) -> Scenario {
    Scenario {
        name: "ladder",
        what: "a step of the ladder",
        load: Curve::ramped(rate, 25.0 * MINUTE),
        drain: HOUR,
        disturbance: Disturbance::None,
        watched: Disturbance::None,
        weights: ((rate / 40.0).max(1.0), (rate / 15.0).max(2.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_in_straight_lines() {
        let curve = Curve(vec![(0.0, 0.0), (10.0, 100.0), (20.0, 100.0)]);
        assert_eq!(
            [0.0, 5.0, 10.0, 15.0, 30.0].map(|at| curve.rate(at)),
            [0.0, 50.0, 100.0, 100.0, 100.0]
        );
        assert_eq!(curve.sum(), 1500.0);
    }

    #[test]
    fn a_surge_grows_within_a_minute_and_lasts_an_hour() {
        let curve = Curve::flat(2.0, 10.0 * HOUR).surging(HOUR, 10.0);
        let rates = [0.0, 60.0, 60.5, 61.0, 119.0, 121.0].map(|minute| curve.rate(minute * MINUTE));
        assert_eq!(rates, [2.0, 2.0, 11.0, 20.0, 20.0, 2.0]);
    }

    #[test]
    fn a_day_has_52_million_documents() {
        assert!((day().sum() / 52e6 - 1.0).abs() < 1e-9);
        assert!(day().rate(11.0 * HOUR) > 1000.0);
    }

    #[test]
    fn every_scenario_has_a_name_of_its_own() {
        let mut names: Vec<_> = all().iter().map(|it| it.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 10);
    }
}
