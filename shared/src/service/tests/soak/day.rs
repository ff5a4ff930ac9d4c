//! A day, as a simulation of discrete events: each task runs at its time, and its consequences become tasks.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};

use super::{
    agenda::{Agenda, ItemKey, Task, Who},
    books::Books,
    chaos::{Chaos, Current, Line},
    plan::{self, Document},
    workers::{DELIVER, QUEUES, Workers},
};
use crate::{
    access::{Caller, Scope},
    egress::{Client, Egress},
    service::{later, relay, sweep},
    store::keys::JobId,
    testing::{Answers, BUYER, Faults, Message, Receiving, TestNetwork, World},
    types::OrganizationId,
};

/// The recipient of sent documents, at another access point.
pub(super) const RECIPIENT: &str = "1009876501";
/// The access point whose documents and statuses arrive.
const THEIR_PROVIDER: &str = "0242:000002";
const SECOND: SignedDuration = SignedDuration::from_secs(1);
const MINUTE: SignedDuration = SignedDuration::from_mins(1);
/// When a queue brings a message again that is not done (template.yaml, VisibilityTimeout).
const VISIBILITY: SignedDuration = SignedDuration::from_mins(3);
/// A queue gives up a message that it brought so often (template.yaml, maxReceiveCount). The sweeper brings its job.
const MOST_RECEIVES: u32 = 5;
/// The largest batch of deliveries, and of changes.
const BATCH: usize = 10;
const CHANGES: usize = 100;
/// One of so many messages of a queue comes again, and one of so many comes late.
const REDELIVERED: u64 = 30;
const LATE: u64 = 20;
/// One of so many executions has a second one at the same time, with the same messages.
const RACES: u64 = 50;
/// One of so many sweeps reads the whole index of due jobs.
const WHOLE_SWEEPS: usize = 10;
/// The longest time that a message is late, and after which a message comes again.
const LONGEST: SignedDuration = SignedDuration::from_mins(10);
/// After this time of a day, nothing may be left to do. The last retries of webhooks are the longest.
const END: SignedDuration = SignedDuration::from_hours(24 * 7);

/// What happened.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) deaths: usize,
    pub(super) redeliveries: usize,
    pub(super) jumps: usize,
}

/// The jobs that can be due, as the stream shows them.
#[derive(Default)]
struct Due {
    times: BTreeMap<ItemKey, Timestamp>,
    sorted: BTreeSet<(Timestamp, ItemKey)>,
}

impl Due {
    fn note(&mut self, key: ItemKey, due_at: Option<Timestamp>) {
        if let Some(before) = self.times.remove(&key) {
            self.sorted.remove(&(before, key.clone()));
        }
        if let Some(at) = due_at {
            self.times.insert(key.clone(), at);
            self.sorted.insert((at, key));
        }
    }

    /// The jobs that are due at `now`, the longest due first, as many as a sweep relays together.
    fn until(&self, now: Timestamp) -> Vec<ItemKey> {
        let due = self.sorted.iter().take_while(|(at, _)| *at <= now);
        due.take(sweep::TOGETHER).map(|(_, key)| key.clone()).collect()
    }

    fn first(&self) -> Option<Timestamp> {
        self.sorted.first().map(|(at, _)| *at)
    }
}

/// A day, and everybody in it.
pub(super) struct Day {
    pub(super) world: World,
    pub(super) network: TestNetwork,
    pub(super) authority: TestNetwork,
    lines: [Line; 2],
    pub(super) webhooks: Receiving,
    /// The organizations with the numbers of their endpoints.
    pub(super) endpoints: BTreeMap<OrganizationId, Vec<usize>>,
    pub(super) senders: Vec<Caller>,
    pub(super) chaos: Chaos,
    pub(super) agenda: Agenda,
    pub(super) documents: Vec<Document>,
    pub(super) books: Books,
    pub(super) counts: Counts,
    current: Current,
    client: Client,
    healthy: Arc<Workers>,
    due: Due,
    begun: Timestamp,
    swept: Timestamp,
    /// How many sweeps there were.
    sweeps: usize,
}

impl Day {
    pub(super) async fn new(seed: u64, count: usize) -> Day {
        let (world, network) = World::live().await;
        let authority = network.authority().await;
        network.register(&format!("0235:{RECIPIENT}"));
        network.register(THEIR_PROVIDER);
        let webhooks = Receiving::start(None).await;
        webhooks.notes();
        let mut endpoints = BTreeMap::new();
        let mut senders = Vec::new();
        let mut number = 0;
        // An integrator of two taxpayers, one of one, and the recipient's.
        for (name, tins) in [
            ("Falcon", &["1001234501", "1001234502"][..]),
            ("Gazelle", &["1001234503"]),
            ("Oasis", &[BUYER]),
        ] {
            let organization_id = world.organization(name).await;
            world.subscribe(&organization_id).await;
            let key = world.api_key(&organization_id).await;
            for tin in tins {
                let taxpayer = world.taxpayer(name, tin).await;
                world.grant(&organization_id, &taxpayer, &Scope::ALL).await;
                let scopes = &[Scope::InvoicesWrite];
                senders.push(world.authorize(&key, &taxpayer, None, scopes).await.unwrap());
            }
            for _ in 0..tins.len() {
                world.endpoint_at(&organization_id, &webhooks.url(number)).await;
                endpoints.entry(organization_id.clone()).or_insert_with(Vec::new).push(number);
                number += 1;
            }
        }
        let (chaos, current) = (Chaos::new(seed), Current::default());
        let lines = [Line::new(&chaos, &current), Line::new(&chaos, &current)];
        for (access_point, line) in [&authority, &network].into_iter().zip(lines.clone()) {
            access_point.guard(move || line.fate());
        }
        let client = Client::with_deadline(Egress::Any, Duration::from_secs(2)).unwrap();
        let healthy = Arc::new(Workers::new(&world, &client, None));
        let documents = plan::documents(&chaos, count);
        let (mut agenda, begun) = (Agenda::new(&chaos), world.now());
        for (time, task) in plan::tasks(&chaos, &documents, number) {
            agenda.put(later(begun, time), task);
        }
        Day {
            world,
            network,
            authority,
            lines,
            webhooks,
            endpoints,
            senders,
            chaos,
            agenda,
            documents,
            books: Books::default(),
            counts: Counts::default(),
            current,
            client,
            healthy,
            due: Due::default(),
            begun,
            swept: begun,
            sweeps: 0,
        }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.world.now()
    }

    /// Lets a process work, which may die. `None` when it died.
    pub(super) async fn perform<T>(&mut self, work: impl AsyncFnOnce(&Workers) -> T) -> Option<T> {
        let Some(faults) = self.chaos.faults() else {
            return Some(Box::pin(work(&self.healthy.clone())).await);
        };
        let process = Workers::new(&self.world, &self.client, Some(&faults));
        self.meets(Some(faults.clone()));
        let done = tokio::select! {
            biased;
            () = faults.died() => None,
            done = Box::pin(work(&process)) => Some(done),
        };
        self.meets(None);
        self.counts.deaths += usize::from(done.is_none());
        done
    }

    fn meets(&self, faults: Option<Arc<Faults>>) {
        *self.current.lock().unwrap() = faults;
    }

    /// Lets the day pass, and the time after it until nothing is left to do.
    pub(super) async fn pass(&mut self) {
        Box::pin(self.collect()).await;
        loop {
            let task = self.agenda.next();
            let sweep = self.next_sweep();
            let Some(at) = [task, sweep].into_iter().flatten().min() else { return };
            if later(self.begun, END) < at {
                return;
            }
            let wait = at.duration_since(self.now()).max(SignedDuration::ZERO);
            self.world.clock.advance(wait);
            if sweep == Some(at) {
                Box::pin(self.sweep()).await;
            } else if let Some(task) = self.agenda.take() {
                Box::pin(self.run(task)).await;
            }
            Box::pin(self.collect()).await;
        }
    }

    /// The sweeper runs each minute. A sweep that would find nothing due changes nothing, and is left out.
    fn next_sweep(&self) -> Option<Timestamp> {
        let due = self.due.first()?.max(later(self.swept, MINUTE));
        let minutes = u64::try_from(due.duration_since(self.begun).as_secs()).unwrap() / 60 + 1;
        Some(later(self.begun, MINUTE * i32::try_from(minutes).unwrap()))
    }

    /// A sweep. One of several reads the whole index of due jobs. The others relay the jobs that the stream has shown to be
    /// due, since the many shards without a due job change nothing.
    async fn sweep(&mut self) {
        self.swept = self.now();
        self.sweeps += 1;
        if self.sweeps.is_multiple_of(WHOLE_SWEEPS) {
            self.perform(async |it| sweep::sweep(&it.process.relaying).await).await;
            return;
        }
        let due = self.due.until(self.now());
        let due: Vec<_> = due.iter().filter_map(|(pk, sk)| JobId::parse(pk, sk)).collect();
        self.perform(async |it| sweep::take_up_all(&it.process.relaying, &due).await).await;
    }

    async fn run(&mut self, task: Task) {
        match task {
            Task::Request(request) => Box::pin(self.request(request)).await,
            Task::Document(document) => self.send_to_us(document),
            Task::Parcel(parcel) => Box::pin(self.arrive(parcel)).await,
            Task::Changes(keys) => Box::pin(self.relay(keys)).await,
            Task::Message(message, receives) => {
                Box::pin(self.execute(message, receives)).await;
            }
            Task::Away(who, away) => self.is_away(who, away),
            Task::Jump(by) => {
                self.world.clock.advance(by);
                self.counts.jumps += 1;
            }
        }
    }

    fn is_away(&self, who: Who, away: bool) {
        match who {
            Who::Authority => self.lines[0].is_away(away),
            Who::AccessPoint => self.lines[1].is_away(away),
            Who::Endpoint(number) => {
                let failing = Answers::Status(StatusCode::SERVICE_UNAVAILABLE);
                let well = Answers::Status(StatusCode::NO_CONTENT);
                self.webhooks.behaves(number, if away { failing } else { well });
            }
        }
    }

    /// Puts on the agenda what the last task has brought about.
    async fn collect(&mut self) {
        let now = self.now();
        let _written = self.world.cloud.take_written();
        let changed = self.world.cloud.take_changed().into_iter();
        let changed: Vec<_> = changed.filter(|(pk, sk)| JobId::parse(pk, sk).is_some()).collect();
        for batch in changed.chunks(CHANGES) {
            let at = later(now, self.chaos.within(SECOND));
            self.agenda.put(at, Task::Changes(batch.to_vec()));
        }
        for message in QUEUES.into_iter().flat_map(|queue| self.world.cloud.receive(queue)) {
            let late = if self.chaos.one_in(LATE) { LONGEST } else { SECOND };
            let delay = SignedDuration::from_secs(message.delay_seconds) + self.chaos.within(late);
            self.agenda.put(later(now, delay), Task::Message(message, 0));
        }
        self.note_taken();
    }

    /// The relay gets changes from the stream. The stream brings them again until the relay succeeds.
    async fn relay(&mut self, keys: Vec<ItemKey>) {
        let job_ids = keys.iter().filter_map(|(pk, sk)| JobId::parse(pk, sk));
        let job_ids: Vec<_> = job_ids.collect();
        let jobs = self.world.ctx.store.get_jobs(&job_ids).await.unwrap();
        let mut marked = Vec::new();
        for ((key, job_id), job) in keys.iter().zip(job_ids).zip(jobs) {
            let job = job.unwrap();
            self.due.note(key.clone(), job.as_ref().map(|job| job.due_at));
            marked.extend(job.and_then(|job| job.mark).map(|_| job_id));
        }
        if marked.is_empty() {
            return;
        }
        let relayed = self
            .perform(async |it| {
                let batch = relay::Batch::new(&it.process.relaying);
                let mut done = true;
                for job_id in &marked {
                    done &= batch.relay(job_id, None).await.is_ok();
                }
                done
            })
            .await;
        if relayed != Some(true) || self.comes_again() {
            self.agenda.put(later(self.now(), self.chaos.within(MINUTE)), Task::Changes(keys));
        }
    }

    fn comes_again(&mut self) -> bool {
        let again = self.chaos.one_in(REDELIVERED);
        self.counts.redeliveries += usize::from(again);
        again
    }

    /// A queue brings messages to two processes at once.
    async fn race(&mut self, messages: &[Message]) -> Vec<bool> {
        self.counts.redeliveries += messages.len();
        let (one, other) = (&self.healthy, Workers::new(&self.world, &self.client, None));
        let (done, _) =
            tokio::join!(Box::pin(one.handle(messages)), Box::pin(other.handle(messages)));
        done
    }

    /// A function gets a message, and deliveries to an endpoint in one batch.
    async fn execute(&mut self, message: Message, receives: u32) {
        let mut batch = vec![(message, receives)];
        if batch[0].0.queue == DELIVER {
            let endpoint_id = batch[0].0.body["endpoint_id"].clone();
            let is_to_it = |other: &Message| {
                other.queue == DELIVER && other.body["endpoint_id"] == endpoint_id
            };
            batch.extend(self.agenda.take_messages(self.now(), BATCH - 1, is_to_it));
        }
        let messages: Vec<_> = batch.iter().map(|(message, _)| message.clone()).collect();
        let done = if self.chaos.one_in(RACES) {
            self.race(&messages).await
        } else {
            self.perform(async |it| it.handle(&messages).await).await.unwrap_or_default()
        };
        for (place, (message, receives)) in batch.into_iter().enumerate() {
            let is_done = done.get(place).copied().unwrap_or_default();
            if !is_done && receives + 1 < MOST_RECEIVES {
                let again = later(self.now(), VISIBILITY);
                self.agenda.put(again, Task::Message(repeated(message), receives + 1));
            } else if is_done && self.comes_again() {
                let again = later(self.now(), self.chaos.within(LONGEST));
                self.agenda.put(again, Task::Message(repeated(message), receives));
            }
        }
    }
}

/// A message that its queue delivers again, as the function `deliver` takes it (ApproximateReceiveCount).
fn repeated(mut message: Message) -> Message {
    if let Some(body) = message.body.as_object_mut() {
        body.remove("first");
    }
    message
}
