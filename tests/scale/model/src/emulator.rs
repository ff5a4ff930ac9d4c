//! Compares the model with the local service: the same workload, with the times of one machine instead of AWS's limits.
//!
//! A file of JSON says what was run and measured; `tests/scale/run local --validate` writes one:
//!
//! ```json
//! {"documents": 2000, "rate": 20, "queued": 1, "answer": 0.02, "authority": 0, "webhook": 0.01,
//!  "status": [0.5, 2], "verdict": [0.5, 2], "poll": 0.1, "stream": 0.1,
//!  "functions": {"api": {"executions": 4, "call": 0.01, "seconds": 0.004, "batch": 1}},
//!  "measured": {"seconds": 130.0, "deepest": {"deliver": 12}}}
//! ```
//!
//! `rate` is documents a second, and `queued` the share of those that are sent after the answer. `answer`, `authority` and `webhook` are
//! what the other access point, the authority and the endpoint wait before they answer. `status` and `verdict` are median and p99 of the
//! time until they come. `poll` and `stream` are how often a queue and the stream without messages are asked.
//!
//! A function takes `call` for each execution, and `seconds` for each document in it. That includes what it waits for outside, except for
//! the times above. A function that is not named takes no time. `deepest` is the most messages in a queue.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use serde::Deserialize;

use crate::{
    scenario::{Curve, Disturbance, Scenario},
    service::Deployment,
    world::{self, Faults, Setup},
};

/// How far the model may be from the measurement.
const CLOSE: f64 = 0.2;
/// A queue that is worked off in so many seconds is a burst, not a queue that builds up: samples, one a second, see its depth by chance.
const BURST: f64 = 5.0;

/// What was run and measured.
#[derive(Debug, Clone, Deserialize)]
pub struct Emulator {
    documents: f64,
    rate: f64,
    #[serde(default)]
    queued: f64,
    answer: f64,
    authority: Option<f64>,
    webhook: f64,
    status: Option<(f64, f64)>,
    verdict: Option<(f64, f64)>,
    poll: f64,
    stream: Option<f64>,
    functions: BTreeMap<String, Timing>,
    measured: Option<Measured>,
}

/// The time of a function on one machine.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Timing {
    /// Executions at once.
    pub executions: f64,
    /// Seconds of an execution, however many documents it has.
    #[serde(default)]
    pub call: f64,
    /// Seconds for each of its documents.
    pub seconds: f64,
    /// The most messages of an execution.
    pub batch: f64,
}

/// One machine instead of AWS.
#[derive(Debug, Clone)]
pub struct Machine {
    /// How often queues are polled (seconds).
    pub poll: f64,
    /// How often the stream is polled (seconds).
    pub stream: f64,
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
        let outcome = world::run(&self.setup(setup), &self.scenario());
        let mut text = format!(
            "{:.0} documents were offered, {:.0} closed, the last one after {:.0} s.\n\n",
            outcome.ledger.offered, outcome.ledger.closed, outcome.closed_at
        );
        let mut far = Vec::new();
        text.push_str("| what | model | measured | difference |\n|---|---|---|---|\n");
        let mut row = |what: String, model: f64, measured: Option<f64>, is_meaningful: bool| {
            let difference = measured.map(|it| model / it - 1.0);
            let said = measured.map_or("–".to_owned(), |it| format!("{it:.1}"));
            let percent = match difference {
                Some(it) if is_meaningful => format!("{:.0} %", it * 100.0),
                _ => "–".to_owned(),
            };
            let _ = writeln!(text, "| {what} | {model:.1} | {said} | {percent} |");
            if is_meaningful && difference.is_some_and(|it| it.abs() > CLOSE) {
                far.push(what);
            }
        };
        let measured = self.measured.as_ref();
        let rate = outcome.ledger.closed / outcome.closed_at.max(0.001);
        let measured_rate = measured.map(|it| self.documents / it.seconds);
        row("documents a second".to_owned(), rate, measured_rate, true);
        for (name, deepest) in &outcome.deepest {
            let of = measured.and_then(|it| it.deepest.get(name)).copied();
            let is_meaningful = deepest.max(of.unwrap_or(0.0)) > self.burst(name);
            row(format!("deepest queue: {name}"), *deepest, of, is_meaningful);
        }
        match far.is_empty() {
            true => Ok(text),
            false => {
                Err(format!("{text}\nmore than 20 % from the measurement: {}", far.join(", ")))
            }
        }
    }

    /// The most messages of a burst, which executions work off in [`BURST`].
    fn burst(&self, function: &str) -> f64 {
        let waits = match function {
            "dispatch" => self.answer,
            "report" => self.authority.unwrap_or(self.answer),
            "deliver" => self.webhook,
            _ => 0.0,
        };
        self.functions.get(function).map_or(0.0, |it| {
            let lasts = it.call + it.seconds * it.batch + waits;
            BURST / lasts.max(0.001) * it.executions * it.batch
        })
    }

    fn setup(&self, setup: &Setup) -> Setup {
        let mut setup = Setup { weight: 1.0, spread: false, ..setup.clone() };
        setup.faults = Faults { lost: 0.0, deaths: 0.0 };
        setup.deployment = Deployment::defaults();
        let outside = &mut setup.outside;
        (outside.mix, outside.refused) = ((1.0 - self.queued, self.queued), 0.0);
        // No time has no logarithm.
        let constant = |seconds: f64| (seconds.max(1e-6), seconds.max(1e-6) * 1.01);
        (outside.answer, outside.webhook) = (constant(self.answer), constant(self.webhook));
        outside.authority = constant(self.authority.unwrap_or(self.answer));
        outside.status = self.status.unwrap_or(outside.answer);
        outside.verdict = self.verdict.unwrap_or(outside.authority);
        for function in &mut setup.functions {
            let timing = self.functions.get(function.name);
            function.batch = timing.map_or(function.batch, |it| it.batch);
        }
        let stream = self.stream.unwrap_or(self.poll);
        setup.machine =
            Some(Machine { poll: self.poll, stream, functions: self.functions.clone() });
        setup
    }

    fn scenario(&self) -> Scenario {
        Scenario {
            name: "emulator",
            what: "the workload of the local service",
            load: Curve::flat(self.rate, self.documents / self.rate),
            drain: 7200.0,
            disturbance: Disturbance::None,
            watched: Disturbance::None,
            weights: (1.0, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{self, tests::lives};

    #[test]
    fn the_model_foretells_what_the_local_service_does() {
        let mut all = lives();
        let mut lives: Vec<_> = ["sent_1_line", "queued_1_line", "received_1_line"]
            .map(|name| all.remove(name).unwrap())
            .into();
        let kinds = costs::unify(&mut lives);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../local.json");
        let text = Emulator::read(&file).unwrap().compare(&Setup::new(lives, kinds)).unwrap();
        assert!(text.contains("deepest queue: deliver"), "{text}");
    }
}
