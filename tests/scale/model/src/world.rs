//! The simulation: clients, functions, queues, the table and the receivers, advanced from event to event.
//!
//! A document of the model stands for `weight` documents. Its tokens, units and executions are multiplied by it, and are
//! spread over the time in which so many documents arrive. So limits are met at the same rates as with single documents.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BinaryHeap, VecDeque},
};

use crate::{
    aws,
    costs::{Kind, Life, Owner, Stage},
    limits::{Bucket, Owners, Partitions, Record, Throughput},
    measures::{Ledger, Series, Timed, Times, Used},
    random::{Random, Zipf, mean_of_lognormal},
    scenario::{Disturbance, Scenario},
    service::{Code, Deployment, FunctionSpec, Outside, PARALLELIZATION, Source},
};

/// The lives of documents, by their index.
pub const SENT: usize = 0;
/// A queued document.
pub const QUEUED: usize = 1;
/// A received document.
pub const RECEIVED: usize = 2;

/// Faults of AWS that happen all the time.
#[derive(Debug, Clone, Copy)]
pub struct Faults {
    /// Share of messages that a queue loses.
    pub lost: f64,
    /// Share of executions that end without a result.
    pub deaths: f64,
}

impl Default for Faults {
    fn default() -> Self {
        Faults { lost: aws::LOST_MESSAGES, deaths: aws::DEATHS }
    }
}

/// Everything that a run depends on.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Facts of the source.
    pub code: Code,
    /// Parameters and quotas.
    pub deployment: Deployment,
    /// The world outside.
    pub outside: Outside,
    /// The functions.
    pub functions: Vec<FunctionSpec>,
    /// The three lives.
    pub lives: Vec<Life>,
    /// Their shared partitions.
    pub kinds: Vec<Kind>,
    /// Faults of AWS.
    pub faults: Faults,
    /// How many documents one stands for.
    pub weight: f64,
    /// The seed.
    pub seed: u64,
    /// Whether the documents that one stands for are spread over their time. Only a test of a bare queue says no.
    pub spread: bool,
    /// Whether documents arrive at exponential intervals. Only a test of a bare queue says yes.
    pub poisson: bool,
}

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
enum Result {
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
    result: Result,
}

#[derive(Debug, Clone, Copy)]
enum Event {
    Arrive,
    Request(Task),
    Ready(Task),
    Due(Task),
    Table(u32),
    Finish(u32),
    Free { function: usize, slots: f64, documents: f64 },
    Stranger,
    Sandbox,
    Deploy,
    Second,
}

struct Scheduled {
    at: f64,
    number: u64,
    event: Event,
}

impl PartialEq for Scheduled {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Scheduled {}
impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Scheduled {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at).then(self.number.cmp(&other.number))
    }
}

struct DueTask {
    at: f64,
    task: Task,
}

impl PartialEq for DueTask {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for DueTask {}
impl PartialOrd for DueTask {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for DueTask {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at)
    }
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
    /// Whether a kind of partition counts requests, which go on when it cannot.
    counted: Vec<bool>,
    /// When the permits of each organization's endpoint are free again.
    endpoints: Vec<f64>,
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
    let World { ledger, times, series, limits, used, peak_executions, .. } = world;
    Outcome { ledger, times, series, limits, used, peak_writes, peak_executions, events }
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
            kept: deployment.kept(spec.name),
            short_of: short_of(spec.name),
            queue: VecDeque::new(),
            noisy: VecDeque::new(),
            queued: 0.0,
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
            partitions: Partitions::new(kinds, *weight),
            shared,
            counted: kinds
                .iter()
                .map(|it| it.pattern.contains("#RATE#") && !code.rate_holds)
                .collect(),
            endpoints: vec![0.0; outside.organizations + 1],
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

    // ------------------------------------------------------------------ clients

    fn arrive(&mut self) {
        let (weight, outside) = (self.setup.weight, &self.setup.outside);
        let rate = self.scenario.load.rate(self.now) + self.scenario.extra(self.now);
        if self.now >= self.scenario.load.end() {
            return;
        }
        self.limits.rate = rate;
        let interval = weight / rate.max(0.001);
        let wait = match self.setup.poisson {
            true => -interval * (1.0 - self.random.unit()).ln(),
            false => interval * self.random.between(0.5, 1.5),
        };
        self.after(wait.min(60.0), Event::Arrive);
        if rate <= 0.0 || wait > 60.0 {
            return;
        }
        // The largest integrator's own load comes on top of all others'.
        let alone = self.random.happens(self.scenario.extra(self.now) / rate);
        let mix = self.random.unit();
        let life = match mix {
            _ if alone => SENT,
            _ if mix < outside.mix.0 => SENT,
            _ if mix < outside.mix.0 + outside.mix.1 => QUEUED,
            _ => RECEIVED,
        };
        let organization = if alone { 0 } else { self.organizations.pick(&mut self.random) };
        let access_point = match self.random.happens(outside.large.1) {
            // The first of the large ones has most: 2/6, 1/6 … of their traffic.
            true => 1 + self.random.below(outside.large.0 + 1).saturating_sub(1),
            false => 1 + outside.large.0 + self.random.below(outside.small),
        };
        let (from, to) = self.scenario.window();
        let bystander = (from..to).contains(&self.now)
            && self.scenario.is_bystander(organization, access_point, alone);
        let taxpayer = match alone {
            // An integrator of its own has many taxpayers, none of them large.
            true => 10_000 + self.random.below(100_000),
            false => self.taxpayers.pick(&mut self.random),
        };
        let document = Document {
            life: life as u8,
            bystander,
            accepted: false,
            refused: false,
            parked: false,
            failed: false,
            organization: organization as u16,
            access_point: access_point as u16,
            taxpayer: taxpayer as u32,
            recipient: self.taxpayers.pick(&mut self.random) as u32,
            done: 0,
            live: 1,
            asked: self.now,
            spread: if self.setup.spread { interval } else { 0.0 },
        };
        self.documents.push(document);
        let task = Task {
            document: self.documents.len() as u32 - 1,
            stage: 0,
            tries: 0,
            attempts: 0,
            background: false,
            queued: self.now,
            origin: self.now,
            first: -1.0,
            turn: -1.0,
        };
        self.request(task);
    }

    /// A request of a client, or of another access point.
    fn request(&mut self, mut task: Task) {
        let (now, weight) = (self.now, self.setup.weight);
        let function = self.function_of(&task);
        let from_peer = self.functions[function].spec.name == "inbound";
        let own = self.setup.code.own_throttles;
        let throttle = if from_peer && own { &mut self.throttle_as4 } else { &mut self.throttle };
        self.used.http += weight;
        if !throttle.admits(now, weight) {
            let name = if from_peer && own { "As4ThrottleRate" } else { "ThrottleRate" };
            self.limits.note(now, name, weight);
            return self.ask_again(task, from_peer);
        }
        if !from_peer {
            let organization = usize::from(self.documents[task.document as usize].organization);
            let rate = self.setup.deployment.requests_per_minute / 60.0;
            let admitted = self.requests[organization].admits(now, weight);
            if !admitted && (self.setup.code.rate_holds || rate < aws::PARTITION_WRITES) {
                self.limits.note(now, "RequestsPerMinute", weight);
                return self.ask_again(task, from_peer);
            }
        }
        task.queued = now;
        if let Err(why) = self.start_execution(task, function, 1.0) {
            self.limits.note(now, why, weight);
            self.ask_again(task, from_peer);
        }
    }

    /// A client that was refused asks again, until it gives up.
    fn ask_again(&mut self, mut task: Task, from_peer: bool) {
        let outside = &self.setup.outside;
        let wait = if from_peer {
            outside.peer_retries[usize::from(task.attempts).min(outside.peer_retries.len() - 1)]
        } else if u32::from(task.attempts) < outside.client_retries {
            f64::from(1_u32 << task.attempts.min(20))
        } else {
            let document = &mut self.documents[task.document as usize];
            document.refused = !document.accepted;
            document.live -= 1;
            return;
        };
        task.attempts = task.attempts.saturating_add(1);
        let wait = wait * self.random.between(0.5, 1.5);
        self.after(wait, Event::Request(task));
    }

    fn stranger(&mut self) {
        let Disturbance::Strangers { rate, to, .. } = self.scenario.disturbance else { return };
        let weight = self.setup.weight;
        if self.now < to {
            let wait = weight / rate * self.random.between(0.5, 1.5);
            self.after(wait, Event::Stranger);
        }
        self.used.http += weight;
        let now = self.now;
        // Half of them go to pages, which may have a throttle of their own, and half to `/v1`.
        if self.setup.code.own_throttles && self.random.happens(0.5) {
            return;
        }
        if !self.throttle.admits(now, weight) {
            self.limits.note(now, "ThrottleRate", weight);
            return;
        }
        // A request without a valid key: one read, and an answer.
        let function = self.place("api");
        self.take_function(function, 0.015, weight / rate, 0.0);
        self.used.reads += weight;
        self.reads.take(now, weight);
    }

    fn sandbox(&mut self) {
        let Disturbance::Sandbox { rate, to, seconds, .. } = self.scenario.disturbance else {
            return;
        };
        let (weight, now) = (self.setup.weight, self.now);
        if now < to {
            let wait = weight / rate * self.random.between(0.5, 1.5);
            self.after(wait, Event::Sandbox);
        }
        self.used.http += weight;
        if !self.throttle.admits(now, weight) {
            self.limits.note(now, "ThrottleRate", weight);
            return;
        }
        let last = self.requests.len() - 1;
        let holds = self.setup.code.rate_holds || rate < aws::PARTITION_WRITES;
        if !self.requests[last].admits(now, weight) && holds {
            self.limits.note(now, "RequestsPerMinute", weight);
            return;
        }
        let function = self.place("pdf");
        self.take_function(function, seconds, weight / rate, 0.0);
    }

    // ---------------------------------------------------------------- functions

    /// Takes executions of a function for requests that are no documents.
    fn take_function(&mut self, function: usize, duration: f64, spread: f64, documents: f64) {
        let weight = self.setup.weight;
        let slots = weight * duration / (duration + spread);
        match self.acquire(function, slots) {
            Ok(_) => {
                self.spend(function, weight * duration, weight);
                self.after(duration + spread, Event::Free { function, slots, documents });
            }
            Err(why) => self.limits.note(self.now, why, weight),
        }
    }

    /// Takes executions. Returns the share that begins with a cold start, or what is missing.
    fn acquire(&mut self, function: usize, slots: f64) -> std::result::Result<f64, &'static str> {
        // A function with a share of the account has all of it, and no more.
        match self.functions[function].kept {
            Some(kept) if self.functions[function].in_use + slots > kept => {
                return Err(self.functions[function].short_of);
            }
            None if self.rest_in_use + slots > self.setup.deployment.rest() => {
                return Err("Lambda: executions of the account, shared by the stages");
            }
            _ => {}
        }
        let it = &mut self.functions[function];
        let cold = (it.in_use + slots - it.warm).clamp(0.0, slots);
        if cold > 0.0 && !it.environments.admits(self.now, cold) {
            return Err("Lambda: new environments a second");
        }
        it.warm = it.warm.max(it.in_use + slots);
        it.in_use += slots;
        if it.kept.is_none() {
            self.rest_in_use += slots;
        }
        self.executions_in_use += slots;
        self.peak_executions = self.peak_executions.max(self.executions_in_use);
        Ok(cold / slots)
    }

    fn spend(&mut self, function: usize, seconds: f64, invocations: f64) {
        let memory = self.functions[function].spec.memory;
        self.used.gb_seconds += seconds * memory / 1024.0;
        self.used.invocations += invocations;
    }

    /// Starts the executions for a task, `fill` documents in each.
    fn start_execution(
        &mut self,
        task: Task,
        function: usize,
        fill: f64,
    ) -> std::result::Result<(), &'static str> {
        let (code, weight) = (&self.setup.code, self.setup.weight);
        let stage = self.stage(&task);
        let object = match stage.puts + stage.gets > 0.0 {
            true => self.random.lognormal(aws::OBJECT, aws::OBJECT_P99),
            false => 0.0,
        };
        let (calls, transactions) = stage.calls;
        let waits = (calls - transactions) * aws::ITEM
            + transactions * aws::TRANSACTION
            // Objects are stored two at a time.
            + ((stage.puts / 2.0).ceil() + stage.gets) * object;
        let share = (self.functions[function].spec.memory / aws::VCPU).min(1.0);
        let cpu = (calls + stage.puts + stage.gets) * code.cpu_of_a_call + code.cpu_of_a_stage;
        let cpu = cpu * fill / share;
        let spread = self.documents[task.document as usize].spread;
        // What the others of a batch take: it lasts as long as its slowest.
        let typical = self.slowest(function, fill).max(waits) + cpu;
        let slots = weight / fill * typical / (typical + spread);
        let it = &self.functions[function];
        if it.in_flight + weight > aws::IN_FLIGHT.max(weight) && it.spec.source == Source::Queue {
            return Err("SQS: messages in flight");
        }
        let cold = self.acquire(function, slots)?;
        let cold = match self.random.happens(cold) {
            true => aws::COLD_START * self.random.between(0.7, 1.6),
            false => 0.0,
        };
        self.functions[function].in_flight += weight;
        let execution = Execution {
            task,
            function,
            slots,
            fill,
            attempt: 0,
            waits: waits + cpu,
            cold,
            started: self.now,
            result: Result::Done,
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.executions[index as usize] = execution;
                index
            }
            None => {
                self.executions.push(execution);
                self.executions.len() as u32 - 1
            }
        };
        self.table(index);
        Ok(())
    }

    /// The longest of `fill - 1` recent waits of a function.
    fn slowest(&mut self, function: usize, fill: f64) -> f64 {
        let known = self.functions[function].recorded.min(RECENT);
        if known == 0 {
            return 0.05;
        }
        let others = (fill - 1.0).round().clamp(1.0, 9.0) as usize;
        let mut most: f64 = 0.0;
        for _ in 0..others {
            let pick = self.random.below(known);
            most = most.max(self.functions[function].recent[pick]);
        }
        most
    }

    fn remember(&mut self, function: usize, waits: f64) {
        let it = &mut self.functions[function];
        it.recent[it.recorded % RECENT] = waits;
        it.recorded += 1;
        it.usual += (waits - it.usual) * 0.01;
    }

    /// The executions that a queue or a stream may have at once.
    fn most_at_once(&self, function: usize) -> f64 {
        let it = &self.functions[function];
        match it.spec.source {
            Source::Queue => it.pollers.min(it.most),
            Source::Stream => self.lanes(),
            _ => f64::MAX,
        }
    }

    /// A partition of the table is a shard of its stream.
    fn lanes(&self) -> f64 {
        (self.writes.rate() / aws::PARTITION_WRITES).ceil() * PARALLELIZATION
    }

    /// Starts what waits for the executions that functions share, in turn.
    fn pump_rest(&mut self, from: usize) {
        for step in 1..self.functions.len() {
            let other = (from + step) % self.functions.len();
            if self.functions[other].kept.is_none() && self.functions[other].queued > 0.0 {
                self.pump(other);
            }
        }
    }

    /// Starts what waits, as far as executions are free.
    fn pump(&mut self, function: usize) {
        let weight = self.setup.weight;
        loop {
            let most = self.most_at_once(function);
            let lanes = self.lanes();
            let it = &mut self.functions[function];
            let Some(&task) = it.queue.front().or(it.noisy.front()) else { return };
            let available = most - it.in_use;
            if available <= 0.0 {
                it.kept_by = match it.spec.source {
                    Source::Stream => "relay: shards of the stream",
                    _ if it.pollers < it.most => "SQS: more pollers a minute",
                    _ if it.spec.name == "deliver" => "LiveDeliveryConcurrency",
                    _ => "LiveStageConcurrency",
                };
                return;
            }
            let usual = match it.spec.source {
                // A poll takes what came since the one before, for each concurrent batch.
                Source::Stream => it.rate * aws::STREAM_POLL / lanes,
                _ => 1.0,
            };
            let fill = (it.queued / available).max(usual).clamp(1.0, it.spec.batch);
            if let Err(why) = self.start_execution(task, function, fill) {
                self.functions[function].kept_by = why;
                return;
            }
            let organization = self.documents[task.document as usize].organization;
            let now = self.now;
            let it = &mut self.functions[function];
            // A queue of some seconds is no limit that was met.
            if now - task.queued > 30.0 && !it.kept_by.is_empty() {
                let name = it.spec.name;
                match it.kept_by {
                    "LiveStageConcurrency" => {
                        self.limits.note(now, &format!("LiveStageConcurrency ({name})"), weight);
                    }
                    limit => self.limits.note(now, limit, weight),
                }
            }
            if it.queue.pop_front().is_none() {
                it.noisy.pop_front();
            }
            it.queued -= weight;
            it.organizations[it.begun % RECENT] = organization;
            it.begun += 1;
        }
    }

    fn ready(&mut self, mut task: Task) {
        let function = self.function_of(&task);
        task.queued = self.now;
        match self.functions[function].spec.source {
            Source::Http => self.request(task),
            Source::Clock => {
                // The sweeper relays it, or a delayed message says that it is due.
                self.charge(&task, function, 1.0);
                self.complete(task);
            }
            Source::Queue | Source::Stream => {
                let organization = self.documents[task.document as usize].organization;
                let share = self.share_in_queue(function, usize::from(organization));
                let it = &mut self.functions[function];
                match it.spec.source == Source::Queue && share > NOISY {
                    true => it.noisy.push_back(task),
                    false => it.queue.push_back(task),
                }
                it.queued += self.setup.weight;
                it.coming += self.setup.weight;
                self.pump(function);
            }
        }
    }

    // -------------------------------------------------------------------- table

    fn owners(&self, task: &Task) -> Owners {
        let document = &self.documents[task.document as usize];
        let authority = self.stage(task).name == "report";
        Owners {
            organization: usize::from(document.organization),
            taxpayer: document.taxpayer as usize,
            recipient: document.recipient as usize,
            access_point: if authority { AUTHORITY } else { usize::from(document.access_point) },
        }
    }

    /// How many documents of a batch share a use of a partition.
    fn shared_by(&self, function: usize, kind: usize, owners: Owners, fill: f64) -> f64 {
        if self.paced[kind] {
            let block = self.setup.code.block_of_turns * self.setup.deployment.report_rate;
            return block.min(fill).max(1.0);
        }
        if self.fresh[kind] {
            // A process reads the state of a breaker once in a while.
            let messages = self.setup.code.places.fresh / self.functions[function].usual * fill;
            return (messages * self.share_of_receiver(owners.access_point)).max(1.0);
        }
        if !self.shared[function][kind] {
            return 1.0;
        }
        let share = match self.setup.kinds[kind].owner {
            Owner::Taxpayer => self.taxpayers.share(owners.taxpayer),
            _ => self.share_in_queue(function, owners.organization),
        };
        1.0 + (fill - 1.0) * share
    }

    /// The share of an organization in what a function began lately.
    fn share_in_queue(&self, function: usize, organization: usize) -> f64 {
        let it = &self.functions[function];
        let known = it.begun.clamp(1, RECENT);
        let same = it.organizations[..known].iter().filter(|of| usize::from(**of) == organization);
        same.count() as f64 / known as f64
    }

    /// Takes the units of a stage. Returns how long it waited for a count that a request does not need (seconds). An error
    /// is the limit that has not enough units.
    fn take_units(
        &mut self,
        task: &Task,
        function: usize,
        fill: f64,
    ) -> std::result::Result<f64, String> {
        let (now, weight, stage) = (self.now, self.setup.weight, self.stage(task));
        let owners = self.owners(task);
        let mut uncounted = false;
        for share in &stage.shares {
            let by = self.shared_by(function, share.kind, owners, fill);
            if let Some(partition) = self.partitions.of(share.kind, owners) {
                let (writes, reads) = (share.writes * weight / by, share.reads * weight / by);
                if !partition.has(now, writes, reads) {
                    if self.counted[share.kind] {
                        uncounted = true;
                        continue;
                    }
                    return Err(format!("partition {}", self.partitions.pattern(share.kind)));
                }
            }
        }
        for (throughput, units, what) in [
            (&mut self.writes, stage.writes, "write units of the table"),
            (&mut self.reads, stage.reads, "read units of the table"),
            (&mut self.index, stage.due_writes, "write units of the index"),
        ] {
            if units > 0.0 && !throughput.has(now, units * weight) {
                let why = if throughput.at_quota() { "quota" } else { "warm throughput" };
                return Err(format!("{what}: {why}"));
            }
        }
        self.charge(task, function, fill);
        if uncounted {
            self.limits.note(now, "requests that are not counted", weight);
        }
        Ok(if uncounted { self.setup.code.count_patience } else { 0.0 })
    }

    fn charge(&mut self, task: &Task, function: usize, fill: f64) {
        let (now, weight, stage) = (self.now, self.setup.weight, self.stage(task));
        let owners = self.owners(task);
        let (mut writes, mut reads) = (stage.writes, stage.reads);
        for share in &stage.shares {
            let by = self.shared_by(function, share.kind, owners, fill);
            writes -= share.writes * (1.0 - 1.0 / by);
            reads -= share.reads * (1.0 - 1.0 / by);
            if let Some(partition) = self.partitions.of(share.kind, owners) {
                partition.take(now, share.writes * weight / by, share.reads * weight / by);
            }
        }
        self.writes.take(now, writes * weight);
        self.reads.take(now, reads * weight);
        self.index.take(now, stage.due_writes * weight);
        self.used.writes += (writes + stage.due_writes) * weight;
        self.used.reads += reads * weight;
        self.used.queue_requests += stage.queue_requests * weight;
    }

    /// The SDK's wait after so many attempts.
    fn backoff(&mut self, attempts: u32) -> f64 {
        let longest =
            (aws::SDK_BACKOFF * f64::from(1_u32 << attempts.min(10))).min(aws::SDK_LONGEST);
        longest * self.random.unit()
    }

    /// Makes the calls of an execution, again when the table throttled them.
    fn table(&mut self, index: u32) {
        let Execution { task, function, fill, attempt, .. } = self.executions[index as usize];
        let weight = self.setup.weight;
        if self.stage(&task).name == "report"
            && let Some(wait) = self.waits_for_turn(index)
        {
            return self.end(index, Result::Waits(wait), 0.03);
        }
        if self.stage(&task).name.ends_with(": delivery") && self.endpoint_is_busy(&task) {
            return self.postpone_delivery(index);
        }
        let mut retries = 0.0;
        if let Disturbance::Throttled { share, from, to } = self.scenario.disturbance
            && (from..to).contains(&self.now)
        {
            for _ in 0..self.stage(&task).calls.0 as u32 {
                let mut tried = 0;
                while self.random.happens(share) {
                    retries += self.backoff(tried);
                    tried += 1;
                    self.limits.note(self.now, "throttled calls of the table", weight);
                    if tried >= self.setup.code.sdk_attempts {
                        return self.end(index, Result::Failed, retries);
                    }
                }
            }
        }
        match self.take_units(&task, function, fill) {
            Ok(waited) => self.work(index, retries + waited),
            Err(limit) => {
                self.limits.note(self.now, &limit, weight);
                if attempt + 1 >= self.setup.code.sdk_attempts {
                    return self.end(index, Result::Failed, 0.01);
                }
                let wait = self.backoff(attempt);
                self.executions[index as usize].attempt += 1;
                self.after(wait, Event::Table(index));
            }
        }
    }

    /// How long a report waits for its turn; none when it may be sent.
    fn waits_for_turn(&mut self, index: u32) -> Option<f64> {
        /// How long a turn stays valid (`service/report/turn.rs`, KEPT).
        const KEPT: f64 = 30.0;
        let (now, weight) = (self.now, self.setup.weight);
        let task = &mut self.executions[index as usize].task;
        if task.turn < 0.0 || now > task.turn + KEPT {
            task.turn = self.next_turn.max(now);
            self.next_turn = task.turn + weight / self.setup.deployment.report_rate;
        }
        let wait = task.turn - now;
        (wait > 1.0).then(|| {
            self.limits.note(now, "ReportRate", weight);
            wait
        })
    }

    fn work(&mut self, index: u32, retries: f64) {
        let (now, weight) = (self.now, self.setup.weight);
        let Execution { task, function, fill, .. } = self.executions[index as usize];
        let stage = self.stage(&task);
        self.used.puts += stage.puts * weight;
        self.used.gets += stage.gets * weight;
        let mut wait = retries;
        let (puts, gets) = (stage.puts * weight, stage.gets * weight);
        if self.puts.has(now, puts) && self.gets.has(now, gets) {
            self.puts.take(now, puts);
            self.gets.take(now, gets);
        } else if puts + gets > 0.0 {
            // 503 Slow Down: the SDK tries again.
            self.limits.note(now, "S3: requests of a prefix", weight);
            let tried = self.executions[index as usize].attempt;
            if tried + 1 >= self.setup.code.sdk_attempts {
                return self.end(index, Result::Failed, wait + 0.05);
            }
            self.executions[index as usize].attempt += 1;
            let backoff = self.backoff(tried);
            return self.after(backoff, Event::Table(index));
        }
        if self.random.happens(self.setup.faults.deaths) {
            let after = self.random.happens(0.5);
            return self.end(index, Result::Died(after), wait);
        }
        let in_background = self.functions[function].spec.source != Source::Http;
        let result = match stage.name.as_str() {
            "send" | "dispatch" | "status" => {
                let receiver = usize::from(self.documents[task.document as usize].access_point);
                let (result, waited) = self.exchange(receiver, &task, in_background, fill);
                wait += waited;
                result
            }
            "report" => {
                let (result, waited) = self.exchange(AUTHORITY, &task, true, fill);
                wait += waited;
                result
            }
            name if name.ends_with(": delivery") => {
                let (result, waited) = self.deliver(&task, fill);
                wait += waited;
                result
            }
            _ => Result::Done,
        };
        self.end(index, result, wait);
    }

    /// Whether all permits of an endpoint are taken. What one document stands for does not come at one instant.
    fn endpoint_is_busy(&self, task: &Task) -> bool {
        let document = &self.documents[task.document as usize];
        self.endpoints[usize::from(document.organization)] - self.now > 0.2 + document.spread
    }

    /// A delivery without a permit comes again in a moment: the breaker and the delivery are written.
    fn postpone_delivery(&mut self, index: u32) {
        let (now, weight) = (self.now, self.setup.weight);
        let (least, most) = self.setup.code.endpoint_busy;
        self.limits.note(now, "permits of a webhook endpoint", weight);
        self.used.writes += 3.0 * weight;
        self.used.reads += 2.0 * weight;
        self.writes.take(now, 2.0 * weight);
        self.index.take(now, weight);
        let wait = self.random.between(least, most);
        self.end(index, Result::Waits(wait), 0.01);
    }

    /// An attempt at a delivery.
    fn deliver(&mut self, task: &Task, fill: f64) -> (Result, f64) {
        let document = self.documents[task.document as usize];
        let organization = usize::from(document.organization);
        let (median, p99) = self.setup.outside.webhook;
        let took = self.random.lognormal(median, p99);
        let (code, weight) = (&self.setup.code, self.setup.weight);
        let together =
            1.0 + (fill - 1.0) * self.share_in_queue(self.place("deliver"), organization);
        let busy_until = self.endpoints[organization].max(self.now);
        // As many deliveries as one stands for take the mean time.
        let mean = mean_of_lognormal(median, p99);
        self.endpoints[organization] =
            busy_until + weight / together * mean / code.endpoint_permits;
        if task.attempts == 0 {
            let since = self.now - task.origin;
            self.times.add(Timed::Webhook, since, self.setup.weight, document.bystander);
        }
        if !self.random.happens(self.setup.outside.refused) {
            return (Result::Done, took);
        }
        let result = match code.deliveries.get(usize::from(task.attempts) + 1) {
            Some(wait) => Result::Later(wait * self.random.between(0.8, 1.2), true),
            None => Result::GivenUp,
        };
        (result, took)
    }

    /// A message to an access point, and what follows from its answer.
    fn exchange(
        &mut self,
        receiver: usize,
        task: &Task,
        in_background: bool,
        fill: f64,
    ) -> (Result, f64) {
        let code = &self.setup.code;
        let first = if task.first < 0.0 { self.now } else { task.first };
        let longest = if receiver == AUTHORITY { code.longest_report } else { code.longest };
        let (wait, asked, took) = match self.contact(receiver, in_background, fill) {
            Contact::Answered(took) => return (Result::Done, took),
            Contact::Silent(took) => {
                let index = usize::from(task.attempts).min(code.transmissions.len() - 1);
                (code.transmissions[index], true, took)
            }
            Contact::Open(until) => (until - self.now, false, 0.0),
            Contact::Full(took) => {
                (self.random.between(code.places.busy.0, code.places.busy.1), false, took)
            }
        };
        let wait = wait * self.random.between(1.0, 1.1);
        if in_background && self.now + wait > first + longest {
            return (Result::GivenUp, took);
        }
        (Result::Later(wait, asked), took)
    }

    /// The share of an access point in the messages of a function.
    fn share_of_receiver(&self, receiver: usize) -> f64 {
        let (large, share) = self.setup.outside.large;
        match receiver {
            AUTHORITY => 1.0,
            1 => share * 2.0 / (large + 1) as f64,
            _ if receiver <= large => share / (large + 1) as f64,
            _ => (1.0 - share) / self.setup.outside.small as f64,
        }
    }

    fn contact(&mut self, receiver: usize, in_background: bool, fill: f64) -> Contact {
        let (code, now, weight) = (&self.setup.code, self.now, self.setup.weight);
        let answer = self.scenario.answer(receiver, now);
        let (median, p99) = self.setup.outside.answer;
        let took = match answer {
            Some(slower) => self.random.lognormal(median, p99) + slower,
            None if in_background => code.answer.1,
            None => code.answer.0,
        };
        let it = &mut self.receivers[receiver];
        if now < it.open_until {
            self.limits.note(now, "open breaker of an access point", weight);
            return Contact::Open(it.open_until);
        }
        // A slow access point has one place in each process, until its slowness is what is expected of it.
        let late = took > it.usual * code.places.much_later + 1.0;
        it.slow_since = if late { it.slow_since.or(Some(now)) } else { None };
        let is_slow = it.slow_since.is_some_and(|since| now - since < code.places.best_counts);
        let places = if is_slow { 1.0 } else { code.places.most };
        let patience = if in_background { code.places.patience.1 } else { code.places.patience.0 };
        let wanted = (fill * self.share_of_receiver(receiver)).max(1.0);
        if took > patience && self.random.happens(1.0 - places / wanted) {
            self.limits.note(now, "places at an access point", weight);
            return Contact::Full(patience);
        }
        let it = &mut self.receivers[receiver];
        if answer.is_some() {
            it.failures = 0.0;
            it.pause = code.pauses.0;
            return Contact::Answered(took);
        }
        it.failures += weight;
        if it.failures >= f64::from(code.failures) && it.open_until <= now {
            it.open_until = now + took + it.pause;
            it.pause = (it.pause * 2.0).min(code.pauses.1);
        }
        Contact::Silent(took)
    }

    /// Ends an execution after a wait (seconds) that its effect takes.
    fn end(&mut self, index: u32, result: Result, wait: f64) {
        let execution = &mut self.executions[index as usize];
        execution.result = result;
        let Execution { function, slots, fill, waits, cold, started, task, .. } = *execution;
        let weight = self.setup.weight;
        // Calls that were repeated took time already.
        let lasts = match result {
            // A read, a write and a message, and nothing else.
            Result::Waits(_) => waits.min(0.03) + wait,
            _ => waits + wait,
        };
        self.remember(function, lasts);
        let whole = match fill > 1.0 {
            true => lasts.max(self.slowest(function, fill)),
            false => lasts,
        } + cold;
        let spread = self.documents[task.document as usize].spread;
        // The executions were taken for a typical time: what is longer or shorter is held longer or shorter.
        let area = weight / fill * (whole + self.now - started);
        let held = (area / slots).max(whole.min(spread));
        self.spend(function, area, weight / fill);
        if self.functions[function].spec.source == Source::Queue {
            // A batch is received and deleted.
            self.used.queue_requests += 2.0 * weight / fill;
        }
        let free_at = (started + held).max(self.now);
        self.at(free_at, Event::Free { function, slots, documents: weight });
        self.after(lasts + cold, Event::Finish(index));
    }

    fn finish(&mut self, index: u32) {
        let Execution { mut task, function, result, .. } = self.executions[index as usize];
        self.free.push(index);
        let source = self.functions[function].spec.source;
        let from_peer = self.functions[function].spec.name == "inbound";
        let code = &self.setup.code;
        match result {
            Result::Done => self.complete(task),
            Result::Later(_, asked) if source == Source::Http => {
                if asked {
                    // The document is written, the answer is open: it is accepted, and sent again in the background.
                    self.accept(&task);
                    task.background = true;
                    task.first = self.now;
                    task.attempts = 1;
                    self.later(task, code.transmissions[0]);
                } else {
                    self.ask_again(task, from_peer);
                }
            }
            Result::Later(wait, asked) => {
                if task.first < 0.0 {
                    task.first = self.now;
                }
                task.attempts = task.attempts.saturating_add(u8::from(asked));
                self.later(task, wait);
            }
            // A report without a turn for long is due before its turn.
            Result::Waits(wait) if wait > aws::QUEUE_DELAY => {
                self.due_later(task, wait - aws::QUEUE_DELAY / 2.0);
            }
            Result::Waits(wait) => self.by_queue(task, wait),
            Result::Failed | Result::Died(_) if source == Source::Http => {
                if matches!(result, Result::Died(true)) {
                    self.repeat(&task);
                }
                self.ask_again(task, from_peer);
            }
            Result::Failed => {
                task.tries += 1;
                if u32::from(task.tries) >= code.max_tries {
                    let document = &mut self.documents[task.document as usize];
                    document.parked = true;
                    document.live -= 1;
                } else {
                    let doubled = code.backoff.0 * f64::from(1_u32 << (task.tries - 1).min(20));
                    self.later(task, doubled.min(code.backoff.1));
                }
            }
            Result::Died(after) => {
                // The work is due again when the lease is over; the relay's batch comes again at once.
                if after {
                    self.repeat(&task);
                }
                let wait = if source == Source::Stream { 1.0 } else { code.lease };
                self.due_later(task, wait);
            }
            Result::GivenUp => {
                let document = &mut self.documents[task.document as usize];
                document.failed = true;
                document.live -= 1;
            }
        }
    }

    /// An effect that was made, of which nothing is recorded, is made again under the id that was written before it.
    fn repeat(&mut self, task: &Task) {
        let stage = self.stage(task);
        let has_effect = ["send", "dispatch", "status", "report"].contains(&stage.name.as_str())
            || stage.name.ends_with(": delivery");
        if has_effect {
            self.ledger.repeated += self.setup.weight;
        }
    }

    /// A task that comes again after a wait: by the delay of its queue, or by the sweeper.
    fn later(&mut self, task: Task, wait: f64) {
        match self.setup.code.delays_by_queue && wait <= aws::QUEUE_DELAY {
            true => self.by_queue(task, wait),
            false => self.due_later(task, wait),
        }
    }

    fn by_queue(&mut self, task: Task, wait: f64) {
        let function = self.function_of(&task);
        self.functions[function].delayed += self.setup.weight;
        self.used.queue_requests += self.setup.weight;
        self.after(wait, Event::Due(task));
    }

    fn due_later(&mut self, task: Task, wait: f64) {
        let function = self.function_of(&task);
        self.functions[function].delayed += self.setup.weight;
        self.due.push(Reverse(DueTask { at: self.now + wait, task }));
    }

    fn accept(&mut self, task: &Task) {
        let document = &mut self.documents[task.document as usize];
        if !document.accepted {
            document.accepted = true;
            if usize::from(document.life) == SENT {
                let took = self.now - document.asked;
                let bystander = document.bystander;
                self.times.add(Timed::Send, took, self.setup.weight, bystander);
            }
        }
    }

    /// A stage is done: the next ones begin.
    fn complete(&mut self, task: Task) {
        let stage = self.stage(&task);
        let weight = self.setup.weight;
        let document = &mut self.documents[task.document as usize];
        document.live -= 1;
        let bit = 1_u32 << task.stage;
        if document.done & bit != 0 {
            return;
        }
        document.done |= bit;
        let (life, asked, bystander) =
            (usize::from(document.life), document.asked, document.bystander);
        if task.stage == 0 {
            self.accept(&task);
        }
        match stage.name.as_str() {
            "status" => self.times.add(Timed::Status, self.now - asked, weight, bystander),
            "report" => self.times.add(Timed::Report, self.now - task.origin, weight, bystander),
            _ => {}
        }
        for &next in &self.setup.lives[life].next[usize::from(task.stage)] {
            self.begin(task, next, asked);
        }
    }

    /// Begins a stage after the one of `task`.
    fn begin(&mut self, task: Task, next: usize, asked: f64) {
        let life = usize::from(self.documents[task.document as usize].life);
        let (before, stage) = (self.stage(&task), &self.setup.lives[life].stages[next]);
        self.documents[task.document as usize].live += 1;
        let ends = |suffix: &str| stage.name.ends_with(suffix);
        let mut new = Task {
            document: task.document,
            stage: next as u8,
            tries: 0,
            attempts: 0,
            background: false,
            queued: self.now,
            origin: match ends(": delivery") || before.function == "relay" {
                true => task.origin,
                false => self.now,
            },
            first: -1.0,
            turn: -1.0,
        };
        let waits_for_status = life == RECEIVED && before.name == "validation";
        if waits_for_status
            && (stage.name.starts_with("status") || stage.name.starts_with("report"))
        {
            // What is owed for a valid document is due when its receiver had time to confirm it.
            let due = (asked + self.setup.code.confirmation).max(self.now);
            new.origin = due;
            return self.later(new, due - self.now);
        }
        if before.function == "sweeper" {
            new.origin = task.origin;
        }
        let function = self.place(&stage.function);
        match self.functions[function].spec.source {
            Source::Http => {
                let of = if stage.name.starts_with("verdict") {
                    self.setup.outside.verdict
                } else {
                    self.setup.outside.status
                };
                // Nobody waits for ever: the network wants a status within 20 minutes.
                let wait = self.random.lognormal(of.0, of.1).min(2.0 * of.1);
                self.after(wait, Event::Request(new));
            }
            Source::Stream => {
                let wait = 0.05 + self.random.between(0.0, aws::STREAM_POLL);
                self.after(wait, Event::Ready(new));
            }
            Source::Queue if self.random.happens(self.setup.faults.lost) => {
                self.due_later(new, self.setup.code.queue_grace);
            }
            Source::Queue | Source::Clock => self.after(0.02, Event::Ready(new)),
        }
    }

    // -------------------------------------------------------------------- clock

    fn second(&mut self) {
        let now = self.now;
        self.seconds += 1;
        self.after(1.0, Event::Second);
        for index in 0..self.functions.len() {
            let it = &mut self.functions[index];
            it.rate += (it.coming - it.rate) * 0.2;
            it.coming = 0.0;
            // Idle environments end little by little.
            it.warm = it.warm.max(it.in_use);
            it.warm -= (it.warm - it.in_use) / aws::KEPT_WARM;
            if it.spec.source == Source::Queue {
                // More executions poll while messages are left although all poll. Few poll a quiet queue.
                let left = it.queued >= (it.spec.batch * aws::POLLERS).max(3.0 * self.setup.weight);
                if it.queued <= 0.0 && it.in_use < 0.5 * it.pollers {
                    it.pollers = (it.pollers - 1.0).max(aws::POLLERS);
                } else if left && it.in_use > 0.8 * it.pollers {
                    it.pollers = (it.pollers + aws::POLLERS_MORE).min(it.most);
                }
            }
            self.pump(index);
        }
        if self.seconds.is_multiple_of(60) {
            self.minute();
        }
        if now >= self.next_sample {
            self.next_sample = now + self.series.step;
            self.sample();
        }
    }

    fn minute(&mut self) {
        let now = self.now;
        self.writes.minute(now);
        self.reads.minute(now);
        self.index.minute(now);
        // S3 divides prefixes that are busy.
        let hot = !self.puts.has(now, aws::PREFIX_PUTS * self.prefixes * 0.2);
        self.prefixes_hot = if hot { self.prefixes_hot + 60.0 } else { 0.0 };
        if self.prefixes_hot >= aws::PREFIX_SPLIT {
            self.prefixes_hot = 0.0;
            self.set_prefixes(self.prefixes * 2.0);
        }
        self.sweep();
    }

    fn set_prefixes(&mut self, prefixes: f64) {
        let at_once = 50.0 * self.setup.weight;
        self.prefixes = prefixes;
        self.puts = Bucket::new(aws::PREFIX_PUTS * prefixes, aws::PREFIX_PUTS * prefixes + at_once);
        self.gets = Bucket::new(aws::PREFIX_GETS * prefixes, aws::PREFIX_GETS * prefixes + at_once);
    }

    /// Jobs that the sweeper relays in a second.
    fn sweeps(&self) -> f64 {
        let code = &self.setup.code;
        let memory = self.functions[self.place("sweeper")].spec.memory;
        let share = (memory / aws::VCPU).min(1.0);
        // A read, a conditional write and a message.
        let of_cpu = share / (3.0 * code.cpu_of_a_call);
        (code.sweeper.0 / (2.0 * aws::ITEM + 0.01)).min(of_cpu) * code.sweeper.2
    }

    fn sweep(&mut self) {
        let (weight, longest) = (self.setup.weight, self.setup.code.sweeper.1);
        let rate = self.sweeps();
        let function = self.place("sweeper");
        let mut relayed = 0.0;
        while let Some(Reverse(next)) = self.due.peek() {
            if next.at > self.now {
                break;
            }
            if relayed + weight > rate * longest && relayed > 0.0 {
                self.limits.note(self.now, "sweeper: jobs a minute", weight);
                break;
            }
            let Some(Reverse(DueTask { task, .. })) = self.due.pop() else { break };
            relayed += weight;
            // Stages of the sweeper have their own costs in the file.
            if self.stage(&task).function != "sweeper" {
                self.used.writes += 3.0 * weight;
                self.used.reads += weight;
                self.used.queue_requests += weight;
                self.writes.take(self.now, weight);
                self.index.take(self.now, 2.0 * weight);
            }
            self.after(relayed / rate, Event::Due(task));
        }
        self.spend(function, (relayed / rate).max(1.0), 1.0);
        self.used.writes += 2.0;
        self.used.reads += 70.0;
    }

    fn sample(&mut self) {
        if self.series.lines.is_empty() {
            let names = self.functions.iter().filter(|it| it.spec.source != Source::Http);
            let names = names.map(|it| it.spec.name.to_owned());
            self.series.lines = names.map(|name| (name, Vec::new())).collect();
        }
        let overdue = self.due.iter().filter(|it| it.0.at <= self.now).count() as f64;
        let weight = self.setup.weight;
        for (name, samples) in &mut self.series.lines {
            let it = self.functions.iter().find(|it| it.spec.name == name);
            // What is not due yet as the service intends is no backlog.
            let value = it.map_or(0.0, |it| match it.spec.name {
                "sweeper" => overdue * weight,
                _ => it.queued + it.delayed,
            });
            samples.push(value);
        }
    }

    /// Closes the ledger.
    fn close(&mut self) {
        let weight = self.setup.weight;
        for document in &self.documents {
            let stages = self.setup.lives[usize::from(document.life)].stages.len();
            let all = if stages >= 32 { u32::MAX } else { (1_u32 << stages) - 1 };
            let ledger = &mut self.ledger;
            ledger.offered += weight;
            if !document.accepted {
                match document.refused {
                    true => ledger.refused += weight,
                    false => ledger.waiting += weight,
                }
                continue;
            }
            ledger.accepted += weight;
            if document.done == all {
                ledger.closed += weight;
            } else if document.live > 0 {
                ledger.open += weight;
            } else if document.parked {
                ledger.parked += weight;
            } else if document.failed {
                ledger.failed += weight;
            } else {
                ledger.lost += weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        costs,
        scenario::{Curve, Disturbance},
        service,
    };

    fn setup(lives: Vec<Life>, kinds: Vec<Kind>) -> Setup {
        let code = service::code();
        Setup {
            deployment: Deployment::national(&code),
            code,
            outside: service::outside(),
            functions: service::FUNCTIONS.to_vec(),
            lives,
            kinds,
            faults: Faults::default(),
            weight: 5.0,
            seed: 1,
            spread: true,
            poisson: false,
        }
    }

    fn measured() -> (Vec<Life>, Vec<Kind>) {
        let mut all = costs::tests::lives();
        let mut lives: Vec<_> = ["sent_1_line", "queued_1_line", "received_1_line"]
            .map(|name| all.remove(name).unwrap())
            .into();
        let kinds = costs::unify(&mut lives);
        (lives, kinds)
    }

    fn scenario(load: Curve, drain: f64) -> Scenario {
        Scenario {
            name: "test",
            what: "",
            load,
            drain,
            disturbance: Disturbance::None,
            watched: Disturbance::None,
            weights: (1.0, 1.0),
        }
    }

    #[test]
    fn accepted_documents_are_closed_open_parked_or_failed_and_none_is_lost() {
        let (lives, kinds) = measured();
        let mut setup = setup(lives, kinds);
        // Many deaths and lost messages: everything is recovered by the lease and the sweeper.
        setup.faults = Faults { lost: 0.01, deaths: 0.01 };
        let outcome = run(&setup, &scenario(Curve::flat(20.0, 600.0), 10_800.0));
        let Ledger {
            offered, accepted, refused, waiting, closed, open, parked, failed, lost, ..
        } = outcome.ledger;
        assert!(offered > 10_000.0, "{:?}", outcome.ledger);
        assert_eq!(offered, accepted + refused + waiting);
        assert_eq!(accepted, closed + open + parked + failed + lost);
        assert_eq!(lost, 0.0);
        assert!(closed > 0.99 * accepted, "{:?}", outcome.ledger);
        assert!(outcome.ledger.repeated > 0.0);
    }

    #[test]
    fn a_document_uses_the_units_of_its_life() {
        let (lives, kinds) = measured();
        let sum = |of: fn(&Stage) -> f64| lives[SENT].sum(of);
        let (writes, puts) = (sum(|it| it.writes + it.due_writes), sum(|it| it.puts));
        let mut setup = setup(lives.clone(), kinds);
        setup.faults = Faults { lost: 0.0, deaths: 0.0 };
        setup.outside.mix = (1.0, 0.0);
        setup.outside.refused = 0.0;
        let outcome = run(&setup, &scenario(Curve::flat(20.0, 600.0), 7200.0));
        let documents = outcome.ledger.closed;
        assert_eq!(documents, outcome.ledger.offered, "{:?} {:?}", outcome.ledger, outcome.limits);
        assert_eq!(outcome.used.puts / documents, puts);
        // The sweeper's visits write as well, and deliveries of one batch share a permit.
        assert!((outcome.used.writes / documents / writes - 1.0).abs() < 0.05);
    }

    /// A life of one request and one job that takes a fixed time.
    fn bare() -> Life {
        let stage = |name: &str, function: &str, after| Stage {
            name: name.to_owned(),
            function: function.to_owned(),
            writes: 0.0,
            due_writes: 0.0,
            reads: 0.0,
            puts: 0.0,
            gets: 0.0,
            queue_requests: 0.0,
            calls: (0.0, 0.0),
            shares: Vec::new(),
            after,
        };
        let stages =
            vec![stage("acceptance", "api", None), stage("conversion", "convert", Some(0))];
        Life { stages, kinds: Vec::new(), next: vec![vec![1], Vec::new()] }
    }

    #[test]
    fn a_queue_with_one_execution_is_as_long_as_the_formula_of_m_d_1_says() {
        let mut setup = setup(vec![bare(), bare(), bare()], Vec::new());
        (setup.weight, setup.spread, setup.poisson) = (1.0, false, true);
        setup.faults = Faults { lost: 0.0, deaths: 0.0 };
        setup.outside.mix = (0.0, 1.0);
        setup.deployment.stage_concurrency = 1.0;
        // A job takes 0.1 s: as much CPU time as the memory has of a vCPU.
        for function in &mut setup.functions {
            function.batch = 1.0;
        }
        let convert = service::FUNCTIONS.iter().find(|it| it.name == "convert").unwrap();
        let (lasts, rate, time) = (0.1, 8.0, 200_000.0);
        setup.code.cpu_of_a_stage = lasts * convert.memory / aws::VCPU;
        let mut setup_api = setup.clone();
        setup_api.deployment.executions = 1e6;
        let scenario = scenario(Curve::flat(rate, time), 600.0);
        let outcome = run(&setup_api, &scenario);
        let waiting = outcome.series.lines.iter().find(|(name, _)| name == "convert").unwrap();
        let samples = &waiting.1[5..240.min(waiting.1.len())];
        let length = samples.iter().sum::<f64>() / samples.len() as f64;
        // Pollaczek and Khinchin for M/D/1: the queue has ρ² / (2 (1 - ρ)) jobs that wait.
        let busy: f64 = rate * lasts;
        let expected = busy * busy / (2.0 * (1.0 - busy));
        assert!((length / expected - 1.0).abs() < 0.25, "{length} instead of {expected}");
    }

    #[test]
    fn a_queue_is_polled_by_300_more_executions_each_minute() {
        let mut setup = setup(vec![bare(), bare(), bare()], Vec::new());
        (setup.weight, setup.spread) = (1.0, false);
        setup.outside.mix = (0.0, 1.0);
        setup.deployment.stage_concurrency = 1000.0;
        for function in &mut setup.functions {
            function.batch = 1.0;
        }
        let convert = service::FUNCTIONS.iter().find(|it| it.name == "convert").unwrap();
        setup.code.cpu_of_a_stage = 20.0 * convert.memory / aws::VCPU;
        let scenario = scenario(Curve::flat(100.0, 130.0), 1.0);
        let mut world = World::new(&setup, &scenario);
        world.start();
        let mut seen = Vec::new();
        while let Some(Reverse(Scheduled { at, event, .. })) = world.agenda.pop() {
            world.now = at;
            let tick = matches!(event, Event::Second);
            world.happen(event);
            let place = world.place("convert");
            if tick && [60, 120].contains(&world.seconds) {
                seen.push(world.functions[place].in_use);
            }
            if at > 121.0 {
                break;
            }
        }
        let grown = seen[1] - seen[0];
        assert!((270.0..=310.0).contains(&grown), "{seen:?}");
    }
}
