//! Compares the model with the local service: the same workload, with the times of one machine instead of AWS's limits.
//!
//! A file of JSON says what was run and measured:
//!
//! ```json
//! {"documents": 2000, "rate": 20, "answer": 0.02, "webhook": 0.01, "poll": 0.1,
//!  "functions": {"api": {"executions": 4, "seconds": 0.004, "batch": 1}},
//!  "measured": {"seconds": 130.0, "deepest": {"deliver": 12}}}
//! ```
//!
//! `rate` is documents a second, `seconds` the time of a function for one document without what it waits for outside, and
//! `deepest` the most messages in a queue. A function that is not named takes no time.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use serde::Deserialize;

use crate::{
    scenario::{Curve, Disturbance, Scenario},
    world::{self, Faults, Setup},
};

/// How far the model may be from the measurement.
const CLOSE: f64 = 0.2;

/// What was run and measured.
#[derive(Debug, Clone, Deserialize)]
pub struct Emulator {
    documents: f64,
    rate: f64,
    answer: f64,
    webhook: f64,
    poll: f64,
    functions: BTreeMap<String, Timing>,
    measured: Option<Measured>,
}

/// The time of a function on one machine.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Timing {
    /// Executions at once.
    pub executions: f64,
    /// Seconds for one document.
    pub seconds: f64,
    /// The most messages of an execution.
    pub batch: f64,
}

/// One machine instead of AWS.
#[derive(Debug, Clone)]
pub struct Machine {
    /// How often queues are polled (seconds).
    pub poll: f64,
    /// The times of the functions.
    pub functions: BTreeMap<String, Timing>,
}

#[derive(Debug, Clone, Deserialize)]
struct Measured {
    seconds: f64,
    #[serde(default)]
    deepest: BTreeMap<String, f64>,
}

impl Emulator {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
        serde_json::from_str(&text).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Runs the workload in the model, and compares. An error is a difference that is too large.
    pub fn compare(&self, setup: &Setup) -> Result<String, String> {
        let mut setup = Setup { weight: 1.0, spread: false, ..setup.clone() };
        setup.faults = Faults { lost: 0.0, deaths: 0.0 };
        let outside = &mut setup.outside;
        (outside.mix, outside.refused) = ((1.0, 0.0), 0.0);
        let constant = |seconds: f64| (seconds, seconds * 1.01);
        (outside.answer, outside.webhook) = (constant(self.answer), constant(self.webhook));
        (outside.verdict, outside.status) = (constant(self.answer), constant(self.answer));
        for function in &mut setup.functions {
            let timing = self.functions.get(function.name);
            function.batch = timing.map_or(function.batch, |it| it.batch);
        }
        setup.machine = Some(Machine { poll: self.poll, functions: self.functions.clone() });
        let scenario = Scenario {
            name: "emulator",
            what: "the workload of the local service",
            load: Curve::flat(self.rate, self.documents / self.rate),
            drain: 7200.0,
            disturbance: Disturbance::None,
            watched: Disturbance::None,
            weights: (1.0, 1.0),
        };
        let outcome = world::run(&setup, &scenario);
        let mut text = format!(
            "{:.0} documents were offered, {:.0} closed, the last one after {:.0} s.\n\n",
            outcome.ledger.offered, outcome.ledger.closed, outcome.closed_at
        );
        let mut far = Vec::new();
        text.push_str("| what | model | measured | difference |\n|---|---|---|---|\n");
        let mut row = |what: String, model: f64, measured: Option<f64>| {
            let difference = measured.map(|it| model / it - 1.0);
            let said = measured.map_or("–".to_owned(), |it| format!("{it:.1}"));
            let percent = difference.map_or("–".to_owned(), |it| format!("{:.0} %", it * 100.0));
            let _ = writeln!(text, "| {what} | {model:.1} | {said} | {percent} |");
            if difference.is_some_and(|it| it.abs() > CLOSE) {
                far.push(what);
            }
        };
        let measured = self.measured.as_ref();
        let rate = outcome.ledger.closed / outcome.closed_at.max(0.001);
        row("documents a second".to_owned(), rate, measured.map(|it| self.documents / it.seconds));
        for (name, deepest) in &outcome.deepest {
            let of = measured.and_then(|it| it.deepest.get(name)).copied();
            row(format!("deepest queue: {name}"), *deepest, of);
        }
        match far.is_empty() {
            true => Ok(text),
            false => {
                Err(format!("{text}\nmore than 20 % from the measurement: {}", far.join(", ")))
            }
        }
    }
}
