//! The simulation: clients, functions, queues, the table and the receivers, advanced from event to event.
//!
//! A document of the model stands for `weight` documents. Its tokens, units and executions are multiplied by it, and are
//! spread over the time in which so many documents arrive. So limits are met at the same rates as with single documents.

mod agenda;
mod clients;
mod clock;
mod effects;
mod functions;
mod progress;
mod setup;
mod table;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use self::agenda::{DueTask, Event, Scheduled};
pub use self::setup::{Faults, Setup};
use crate::{
    aws,
    costs::{Kind, Stage},
    limits::{Bucket, Partitions, Record, Throughput},
    measures::{Ledger, Series, Times, Used},
    random::{Random, Zipf},
    scenario::{Disturbance, Scenario},
    service::{FunctionSpec, Source},
};

/// The lives of documents, by their index.
pub const SENT: usize = 0;
/// A queued document.
pub const QUEUED: usize = 1;
/// A received document.
pub const RECEIVED: usize = 2;

/// What a run says.
#[derive(Debug)]
pub struct Outcome {
    /// The documents.
    pub ledger: Ledger,
    /// The times.
    pub times: Times,
    /// The backlogs.
    pub series: Series,
    /// The limits that were met.
    pub limits: Record,
    /// What was used.
    pub used: Used,
    /// The most write units a second of the table, in a minute.
    pub peak_writes: f64,
    /// The most executions at once.
    pub peak_executions: f64,
    /// The most documents in each queue.
    pub deepest: Vec<(String, f64)>,
    /// When the last stage was done (seconds).
    pub closed_at: f64,
    /// How many events were simulated.
    pub events: u64,
}

#[derive(Debug, Clone, Copy)]
struct Document {
    life: u8,
    bystander: bool,
    accepted: bool,
    refused: bool,
    parked: bool,
    failed: bool,
    organization: u16,
    access_point: u16,
    taxpayer: u32,
    recipient: u32,
    /// Stages that are done.
    done: u32,
    /// Tasks that exist.
    live: u16,
    /// When a client or an access point first asked.
    asked: f64,
    /// The time in which as many documents arrive as one stands for.
    spread: f64,
}

/// A stage of a document that is to be done.
#[derive(Debug, Clone, Copy)]
struct Task {
    document: u32,
    stage: u8,
    /// Failures on our side.
    tries: u8,
    /// Attempts at the effect, or of the client.
    attempts: u8,
    /// Whether a synchronous send goes on in the background.
    background: bool,
    /// When it came to its queue.
    queued: f64,
    /// When what it is measured from happened: the event, or when it is due.
    origin: f64,
    /// When the first attempt began; negative before.
    first: f64,
    /// Its turn as a report; negative without.
    turn: f64,
}

#[derive(Debug, Clone, Copy)]
enum Ending {
    Done,
    /// An external system does not take it now; it is due again after a time. Whether it was asked.
    Later(f64, bool),
    /// A failure on our side.
    Failed,
    /// The execution ended without a result, before or after its effect.
    Died(bool),
    /// The report waits for its turn.
    Waits(f64),
    /// The receiver did not take it for as long as it is tried.
    GivenUp,
}

#[derive(Debug, Clone, Copy)]
struct Execution {
    task: Task,
    function: usize,
    slots: f64,
    fill: f64,
    attempt: u32,
    /// Its waits for the table and the bucket, and for the start of an environment (seconds).
    waits: f64,
    cold: f64,
    started: f64,
    result: Ending,
}

/// The share of the messages in flight from which on a fair queue holds an organization for noisy. AWS publishes no figure.
const NOISY: f64 = 0.25;
/// How many recent waits a function remembers.
const RECENT: usize = 64;

struct Function {
    spec: FunctionSpec,
    /// MaximumConcurrency of its queue.
    most: f64,
    /// Its share of the account's executions, and the limit that is met when all are taken.
    kept: Option<f64>,
    short_of: &'static str,
    queue: VecDeque<Task>,
    /// Tasks of organizations with many in flight, which a fair queue delivers after those of all others.
    noisy: VecDeque<Task>,
    /// Documents that wait in its queue, and that come to it later.
    queued: f64,
    /// The most that waited.
    deepest: f64,
    delayed: f64,
    in_use: f64,
    in_flight: f64,
    warm: f64,
    environments: Bucket,
    pollers: f64,
    recent: [f64; RECENT],
    recorded: usize,
    /// The organizations of the tasks that it began last.
    organizations: [u16; RECENT],
    begun: usize,
    /// The usual wait.
    usual: f64,
    /// Documents in this second, and in a second lately.
    coming: f64,
    rate: f64,
    /// What last kept it from starting.
    kept_by: &'static str,
}

struct Receiver {
    failures: f64,
    open_until: f64,
    pause: f64,
    /// The usual answer time, and since when answers are much later.
    usual: f64,
    slow_since: Option<f64>,
}

/// How a receiver answers.
enum Contact {
    Answered(f64),
    Silent(f64),
    Open(f64),
    Full(f64),
}

struct World<'a> {
    setup: &'a Setup,
    scenario: &'a Scenario,
    random: Random,
    now: f64,
    agenda: BinaryHeap<Reverse<Scheduled>>,
    number: u64,
    documents: Vec<Document>,
    executions: Vec<Execution>,
    free: Vec<u32>,
    functions: Vec<Function>,
    receivers: Vec<Receiver>,
    partitions: Partitions,
    /// Whether a function shares a kind of partition within a batch.
    shared: Vec<Vec<bool>>,
    paced: Vec<bool>,
    fresh: Vec<bool>,
    writes: Throughput,
    reads: Throughput,
    index: Throughput,
    puts: Bucket,
    gets: Bucket,
    prefixes: f64,
    prefixes_hot: f64,
    throttle: Bucket,
    throttle_as4: Bucket,
    requests: Vec<Bucket>,
    next_turn: f64,
    due: BinaryHeap<Reverse<DueTask>>,
    executions_in_use: f64,
    /// Those of functions without a share of their own.
    rest_in_use: f64,
    /// How many they share.
    rest: f64,
    taxpayers: Zipf,
    organizations: Zipf,
    times: Times,
    ledger: Ledger,
    used: Used,
    limits: Record,
    series: Series,
    next_sample: f64,
    seconds: u64,
    peak_executions: f64,
    closed_at: f64,
}

/// The receiver that stands for the authority.
const AUTHORITY: usize = 0;

/// Runs a scenario.
pub fn run(setup: &Setup, scenario: &Scenario) -> Outcome {
    let mut world = World::new(setup, scenario);
    world.start();
    let mut events = 0;
    let end = scenario.load.end() + scenario.drain;
    while let Some(Reverse(Scheduled { at, event, .. })) = world.agenda.pop() {
        if at > end {
            break;
        }
        world.now = at;
        events += 1;
        world.happen(event);
    }
    world.close();
    let peak_writes = world.writes.peak() + world.index.peak();
    let queues = world.functions.iter().filter(|it| it.spec.source == Source::Queue);
    let deepest = queues.map(|it| (it.spec.name.to_owned(), it.deepest)).collect();
    let World { ledger, times, series, limits, used, peak_executions, closed_at, .. } = world;
    Outcome {
        ledger,
        times,
        series,
        limits,
        used,
        peak_writes,
        peak_executions,
        deepest,
        closed_at,
        events,
    }
}

impl<'a> World<'a> {
    fn new(setup: &'a Setup, scenario: &'a Scenario) -> Self {
        let Setup { code, deployment, outside, functions, kinds, weight, .. } = setup;
        let at_once = 400.0 * weight;
        let shared = functions
            .iter()
            .map(|function| {
                let shares = |kind: &Kind| {
                    code.shared_in_a_batch.iter().any(|(name, pattern)| {
                        *name == function.name && kind.pattern.contains(pattern)
                    })
                };
                kinds.iter().map(shares).collect()
            })
            .collect();
        let most = |spec: &FunctionSpec| match (spec.source, spec.name) {
            (Source::Queue, "deliver") => deployment.delivery_concurrency.min(aws::POLLERS_MOST),
            (Source::Queue, _) => deployment.stage_concurrency.min(aws::POLLERS_MOST),
            (Source::Stream, _) => f64::MAX,
            _ => f64::MAX,
        };
        let kept = deployment.kept();
        let rest = deployment.executions - kept.iter().map(|(_, share)| share).sum::<f64>();
        let short_of = |name| match name {
            "api" => "Lambda: executions of the account, share of api",
            "inbound" => "Lambda: executions of the account, share of inbound",
            "relay" => "Lambda: executions of the account, share of relay",
            "report" => "Lambda: executions of the account, share of report",
            _ => "Lambda: executions of the account, share of pdf",
        };
        let function = |spec: &FunctionSpec| Function {
            spec: *spec,
            most: most(spec),
            kept: match &setup.machine {
                Some(machine) => machine.functions.get(spec.name).map(|it| it.executions),
                None => kept.iter().find(|(name, _)| name == spec.name).map(|(_, share)| *share),
            },
            short_of: short_of(spec.name),
            queue: VecDeque::new(),
            noisy: VecDeque::new(),
            queued: 0.0,
            deepest: 0.0,
            delayed: 0.0,
            in_use: 0.0,
            in_flight: 0.0,
            warm: 0.0,
            environments: Bucket::new(aws::ENVIRONMENTS, aws::ENVIRONMENTS_AT_ONCE),
            pollers: aws::POLLERS,
            recent: [0.0; RECENT],
            recorded: 0,
            organizations: [u16::MAX; RECENT],
            begun: 0,
            usual: 0.5,
            coming: 0.0,
            rate: 0.0,
            kept_by: "",
        };
        let receiver = || Receiver {
            failures: 0.0,
            open_until: 0.0,
            pause: code.pauses.0,
            usual: outside.answer.0,
            slow_since: None,
        };
        let receivers = 1 + outside.large.0 + outside.small;
        let per_minute = deployment.requests_per_minute;
        // A large limit of requests has several counters.
        let mut counters = kinds.clone();
        for kind in counters.iter_mut().filter(|it| it.pattern.contains("#RATE#")) {
            kind.shards = (per_minute / code.count_share).ceil().max(1.0);
        }
        // So has a large rate of reports.
        for kind in counters.iter_mut().filter(|it| it.pattern.ends_with("#PACE")) {
            kind.shards = (deployment.report_rate / code.turns_of_a_shard).ceil().max(1.0);
        }
        let requests = || Bucket::new(per_minute / 60.0, per_minute / 10.0 + 4.0 * weight);
        let throttle = |rate, burst| Bucket::new(rate, burst + 4.0 * weight);
        let length = scenario.load.end() + scenario.drain;
        World {
            setup,
            scenario,
            random: Random::new(setup.seed),
            now: 0.0,
            agenda: BinaryHeap::new(),
            number: 0,
            documents: Vec::new(),
            executions: Vec::new(),
            free: Vec::new(),
            functions: functions.iter().map(function).collect(),
            receivers: std::iter::repeat_with(receiver).take(receivers).collect(),
            partitions: Partitions::new(&counters, *weight),
            shared,
            fresh: kinds.iter().map(|it| it.pattern.contains("#RECEIVER#")).collect(),
            paced: kinds.iter().map(|it| it.pattern.ends_with("#PACE")).collect(),
            writes: Throughput::new(deployment.warm_writes, deployment.table_writes, at_once),
            reads: Throughput::new(deployment.warm_reads, deployment.table_reads, at_once),
            index: Throughput::new(deployment.warm_writes, deployment.table_writes, at_once),
            puts: Bucket::new(aws::PREFIX_PUTS, aws::PREFIX_PUTS + 50.0 * weight),
            gets: Bucket::new(aws::PREFIX_GETS, aws::PREFIX_GETS + 50.0 * weight),
            prefixes: 0.0,
            prefixes_hot: 0.0,
            throttle: throttle(deployment.throttle_rate, deployment.throttle_burst),
            throttle_as4: throttle(deployment.as4_rate, deployment.as4_rate),
            requests: std::iter::repeat_with(requests).take(outside.organizations + 1).collect(),
            next_turn: 0.0,
            due: BinaryHeap::new(),
            executions_in_use: 0.0,
            rest_in_use: 0.0,
            rest,
            taxpayers: Zipf::new(outside.taxpayers),
            organizations: Zipf::new(outside.organizations),
            times: Times::default(),
            ledger: Ledger::default(),
            used: Used::default(),
            limits: Record::default(),
            series: Series { step: (length / 240.0).max(1.0), lines: Vec::new() },
            next_sample: 0.0,
            seconds: 0,
            peak_executions: 0.0,
            closed_at: 0.0,
        }
    }

    fn start(&mut self) {
        self.set_prefixes(self.setup.deployment.prefixes);
        self.at(0.0, Event::Arrive);
        self.at(1.0, Event::Second);
        match self.scenario.disturbance {
            Disturbance::Deploy { at } => self.at(at, Event::Deploy),
            Disturbance::Strangers { from, .. } => self.at(from, Event::Stranger),
            Disturbance::Sandbox { from, .. } => self.at(from, Event::Sandbox),
            _ => {}
        }
    }

    fn at(&mut self, at: f64, event: Event) {
        self.number += 1;
        self.agenda.push(Reverse(Scheduled { at, number: self.number, event }));
    }

    fn after(&mut self, wait: f64, event: Event) {
        self.at(self.now + wait.max(0.0), event);
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Arrive => self.arrive(),
            Event::Request(task) => self.request(task),
            Event::Ready(task) => self.ready(task),
            Event::Due(task) => {
                let function = self.function_of(&task);
                self.functions[function].delayed -= self.setup.weight;
                self.ready(task);
            }
            Event::Table(index) => self.table(index),
            Event::Finish(index) => self.finish(index),
            Event::Free { function, slots, documents } => {
                let it = &mut self.functions[function];
                it.in_use -= slots;
                it.in_flight -= documents;
                self.executions_in_use -= slots;
                if it.kept.is_none() {
                    self.rest_in_use -= slots;
                    self.pump_rest(function);
                }
                self.pump(function);
            }
            Event::Stranger => self.stranger(),
            Event::Sandbox => self.sandbox(),
            Event::Deploy => {
                for function in &mut self.functions {
                    function.warm = 0.0;
                }
            }
            Event::Second => self.second(),
        }
    }

    fn stage(&self, task: &Task) -> &'a Stage {
        let life = self.documents[task.document as usize].life;
        &self.setup.lives[usize::from(life)].stages[usize::from(task.stage)]
    }

    fn place(&self, name: &str) -> usize {
        let found = self.functions.iter().position(|it| it.spec.name == name);
        found.unwrap_or(self.functions.len() - 1)
    }

    fn function_of(&self, task: &Task) -> usize {
        let name = if task.background { "dispatch" } else { &self.stage(task).function };
        self.place(name)
    }
}

#[cfg(test)]
mod tests;
