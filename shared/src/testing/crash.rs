//! Crash points: each possible mishap is injected into each effect of a use case, each time in a new world.
//!
//! An effect is a call to the table, the bucket or a queue, or a webhook's request. Afterwards the caller retries,
//! queues redeliver, time passes and the sweeper runs. Then every result must exist exactly once. To add a use case,
//! add a line to `service/tests/crashes.rs`.

#![expect(clippy::print_stdout, reason = "the figures are what the run is for")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use jiff::SignedDuration;
use serde_json::Value;
use tokio::sync::Notify;

use super::{Faults, Message, Process, TestNetwork, World, invoice, send, send_queued};
use crate::{
    access::Caller,
    document::Operation::Invoice,
    environment::Environment,
    error::{Code, Failure},
    service::{convert::Convert, deliver, dispatch::Dispatch, job, sweep},
    store::{
        AwaitedOf, DeliveryRecord, DeliveryStatus, Direction, EventPointer, IdempotencyState,
        Status,
    },
    types::{DocumentId, EndpointId},
    webhook::receiver::{Fate, Manner, Received, Receiver},
};

/// A mishap of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mishap {
    /// The effect does not happen, and the process gets an error.
    FailsBefore,
    /// The effect happens, and the process dies: nothing after it runs.
    DiesAfter,
    /// The effect happens, the answer is lost, and the process continues.
    AnswerLost,
    /// The effect happens twice.
    RunsTwice,
}

impl Mishap {
    const ALL: [Mishap; 4] =
        [Mishap::FailsBefore, Mishap::DiesAfter, Mishap::AnswerLost, Mishap::RunsTwice];
}

/// The mishap of one effect of a process. Retries of the SDK belong to the same effect.
#[derive(Debug)]
pub(super) struct Crash {
    point: usize,
    mishap: Mishap,
    effects: Mutex<Vec<String>>,
    dead: AtomicBool,
    died: Notify,
}

impl Crash {
    pub(super) fn new(point: usize, mishap: Mishap) -> Self {
        let (effects, dead, died) = Default::default();
        Crash { point, mishap, effects, dead, died }
    }

    /// The mishap of a call of the effect with this name; an error when the process is dead.
    pub(super) fn befalls(&self, effect: &str) -> Result<Option<Mishap>, ()> {
        if self.dead.load(Ordering::Relaxed) {
            return Err(());
        }
        let mut effects = self.effects.lock().unwrap();
        let place = effects.iter().position(|known| known == effect).unwrap_or_else(|| {
            effects.push(effect.to_owned());
            effects.len() - 1
        });
        Ok((place == self.point).then_some(self.mishap))
    }

    /// Waits until the process is dead.
    pub(super) async fn died(&self) {
        self.died.notified().await;
    }

    pub(super) fn die(&self) {
        self.dead.store(true, Ordering::Relaxed);
        self.died.notify_one();
    }

    fn count(&self) -> usize {
        self.effects.lock().unwrap().len()
    }

    /// The mishap of a webhook's request.
    pub(super) fn befalls_request(&self) -> Fate {
        let effect = format!("request {}", self.count());
        match self.befalls(&effect) {
            Ok(None) => Fate::Taken,
            Ok(Some(Mishap::FailsBefore)) => Fate::Refused,
            Ok(Some(Mishap::RunsTwice)) => Fate::TakenTwice,
            Ok(Some(Mishap::AnswerLost)) => Fate::Unanswered,
            Ok(Some(Mishap::DiesAfter)) => {
                self.die();
                Fate::Unanswered
            }
            Err(()) => Fate::Refused,
        }
    }
}

/// The mishaps of a process's HTTP requests, which are effects like its other calls.
pub(crate) fn befalls(faults: &Arc<Faults>) -> impl Fn() -> Fate + Clone + use<> {
    let faults = faults.clone();
    move || faults.crash.as_ref().unwrap().befalls_request()
}

/// How a document is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Keyed,
    Unkeyed,
    Queued,
    /// To a recipient at another access point.
    Live,
    LiveQueued,
}

/// The paths of the sender's endpoints at the receiver; each gets every event.
const ENDPOINTS: [&str; 2] = ["/hook", "/hook/second"];

/// A world with a sender that has endpoints, a recipient, and one invoice.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) receiver: Receiver,
    /// The path of each endpoint.
    endpoints: BTreeMap<EndpointId, &'static str>,
    network: Option<TestNetwork>,
    sender: Caller,
    body: Value,
    sent: Mutex<Option<Way>>,
    accepted: Mutex<Vec<DocumentId>>,
}

/// The results that do not exist exactly once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) points: usize,
    pub(crate) lost: usize,
    pub(crate) doubled: usize,
}

/// Runs a use case once for each of its effects and each mishap. `prepare` sets up the world, `attempt` runs the use
/// case in a process that may die.
pub(crate) async fn enumerate(
    name: &str,
    prepare: impl AsyncFn(&Scene),
    attempt: impl AsyncFn(&Scene, &Process),
) -> Tally {
    Box::pin(enumerate_from(Scene::new, name, prepare, attempt)).await
}

/// Like [`enumerate`], for Live documents.
pub(crate) async fn enumerate_live(
    name: &str,
    prepare: impl AsyncFn(&Scene),
    attempt: impl AsyncFn(&Scene, &Process),
) -> Tally {
    Box::pin(enumerate_from(Scene::live, name, prepare, attempt)).await
}

async fn enumerate_from(
    scene: impl AsyncFn() -> Scene,
    name: &str,
    prepare: impl AsyncFn(&Scene),
    attempt: impl AsyncFn(&Scene, &Process),
) -> Tally {
    let run = async |point: usize, mishap: Mishap| {
        // Boxed, since without optimization this future does not fit a test's stack.
        let scene = Box::pin(scene()).await;
        Box::pin(prepare(&scene)).await;
        let faults = Faults::crash(point, mishap);
        let crash = faults.crash.as_ref().unwrap();
        let befalls = befalls(&faults);
        scene.receiver.guard(befalls.clone());
        if let Some(network) = &scene.network {
            network.guard(befalls);
        }
        let process = scene.world.process(&faults);
        tokio::select! {
            biased;
            () = crash.died.notified() => {}
            () = Box::pin(attempt(&scene, &process)) => {}
        }
        let effects = crash.count();
        scene.receiver.guard(|| Fate::Taken);
        if let Some(network) = &scene.network {
            network.guard(|| Fate::Taken);
        }
        Box::pin(scene.recover()).await;
        let point = format!("{name}: {mishap:?} at effect {point}");
        let tally = Box::pin(scene.check(&point)).await;
        (effects, tally)
    };
    at_every_point(name, run).await
}

/// Like [`enumerate`], for a use case with its own world. `make` sets up the world, `attempt` runs the use case with
/// the faults, `count` returns the results after recovery that should exist once.
pub(crate) async fn enumerate_at<S>(
    name: &str,
    make: impl AsyncFn() -> S,
    attempt: impl AsyncFn(&S, &Arc<Faults>),
    count: impl AsyncFn(&S) -> Vec<(&'static str, usize)>,
) -> Tally {
    let run = async |point: usize, mishap: Mishap| {
        let scene = make().await;
        let faults = Faults::crash(point, mishap);
        let crash = faults.crash.as_ref().unwrap();
        tokio::select! {
            biased;
            () = crash.died.notified() => {}
            () = attempt(&scene, &faults) => {}
        }
        let mut tally = Tally::default();
        for (what, found) in count(&scene).await {
            tally.lost += 1_usize.saturating_sub(found);
            tally.doubled += found.saturating_sub(1);
            if found != 1 {
                println!("{name}: {mishap:?} at effect {point}: {found} {what}");
            }
        }
        (crash.count(), tally)
    };
    at_every_point(name, run).await
}

/// Runs a use case with mishaps at each of its effects, which `run` counts, and sums up the results. By default each
/// effect has one of the four mishaps in turn; CRASH_POINTS=all in the environment runs all four.
async fn at_every_point(name: &str, run: impl AsyncFn(usize, Mishap) -> (usize, Tally)) -> Tally {
    let (effects, mut total) = run(usize::MAX, Mishap::FailsBefore).await;
    assert!(effects > 0, "{name} has no effect");
    let all = Environment::of_process().get("CRASH_POINTS").is_some_and(|asked| asked == "all");
    for point in 0..effects {
        let turn =
            |(index, _): &(usize, Mishap)| all || (index + point).is_multiple_of(Mishap::ALL.len());
        for (_, mishap) in Mishap::ALL.into_iter().enumerate().filter(turn) {
            let (_, tally) = run(point, mishap).await;
            total.points += 1;
            total.lost += tally.lost;
            total.doubled += tally.doubled;
        }
    }
    println!(
        "{name}: {effects} effects, {} points, {} lost, {} doubled",
        total.points, total.lost, total.doubled
    );
    println!("{}", Sum::add(effects, &total));
    total
}

/// The sum of all use cases in this process so far, over all tests.
#[derive(Debug, Default)]
struct Sum {
    use_cases: usize,
    effects: usize,
    of: Tally,
}

impl Sum {
    /// Adds a use case, and returns the sum as text.
    fn add(effects: usize, tally: &Tally) -> String {
        static SO_FAR: LazyLock<Mutex<Sum>> = LazyLock::new(Mutex::default);
        let mut sum = SO_FAR.lock().unwrap();
        sum.use_cases += 1;
        sum.effects += effects;
        sum.of.points += tally.points;
        sum.of.lost += tally.lost;
        sum.of.doubled += tally.doubled;
        let Sum { use_cases, effects, of: Tally { points, lost, doubled } } = &*sum;
        format!(
            "so far {use_cases} use cases, {effects} effects, {points} points, {lost} lost, {doubled} doubled"
        )
    }
}

fn ok() -> Manner {
    Manner::status("200 OK", "", "")
}

impl Scene {
    async fn new() -> Scene {
        Self::of(World::new().await, None).await
    }

    async fn live() -> Scene {
        let (world, network) = World::live().await;
        network.register("0235:1001234502");
        Self::of(world, Some(network)).await
    }

    async fn of(world: World, network: Option<TestNetwork>) -> Scene {
        let receiver = Receiver::start(ok()).await;
        let sender = world.caller("Falcon", "1001234501").await;
        if network.is_some() {
            world.subscribe(&sender.organization_id).await;
        } else {
            world.caller("Oasis", "1001234502").await;
        }
        let (site, mut endpoints) = (receiver.url.trim_end_matches("/hook"), BTreeMap::new());
        for path in ENDPOINTS {
            let url = format!("{site}{path}");
            endpoints.insert(world.endpoint_at(&sender.organization_id, &url).await, path);
        }
        let body = invoice("A-1", "1001234502");
        let (sent, accepted) = Default::default();
        Scene { world, receiver, endpoints, network, sender, body, sent, accepted }
    }

    /// Sends the invoice.
    pub(crate) async fn send(&self, process: &Process, way: Way) {
        *self.sent.lock().unwrap() = Some(way);
        let (sending, sender, body) = (&process.sending, &self.sender, &self.body);
        let sent = match way {
            Way::Keyed | Way::Live => {
                Box::pin(send(sending, sender, Invoice, body, Some("k"))).await
            }
            Way::Unkeyed => send(sending, sender, Invoice, body, None).await,
            Way::Queued | Way::LiveQueued => send_queued(sending, sender, body, Some("k")).await,
        };
        match sent {
            Ok(sent) => self.accepted.lock().unwrap().push(sent.document_id),
            Err(failure) => assert!(
                matches!(
                    failure.code,
                    Code::IdempotencyUnavailable
                        | Code::IdempotencyInProgress
                        | Code::ServiceUnavailable
                        | Code::RecipientLookupFailed
                        | Code::RecipientUnreachable
                        | Code::TransmissionUnconfirmed
                ),
                "{failure:?}"
            ),
        }
    }

    /// Lets a process handle the first message of a queue, which redelivers it unless the process succeeds. Returns
    /// whether there was a message.
    pub(crate) async fn work(&self, process: &Process, queue: &str) -> bool {
        let messages = self.world.cloud.messages();
        let Some(message) = messages.into_iter().find(|message| message.queue == queue) else {
            return false;
        };
        if handle(process, &message).await.is_ok() {
            self.world.cloud.acknowledge(&message);
        }
        true
    }

    /// Everything that a healthy deployment does by itself, and the caller's retries.
    async fn recover(&self) {
        self.receiver.behave(ok());
        let process = self.world.healthy();
        let way = *self.sent.lock().unwrap();
        if let Some(way @ (Way::Keyed | Way::Queued | Way::Live | Way::LiveQueued)) = way {
            self.send(&process, way).await;
            if self.accepted.lock().unwrap().is_empty() {
                self.world.clock.advance(SignedDuration::from_secs(61));
                self.send(&process, way).await;
            }
        }
        for _ in 0..100 {
            self.world.stream().await;
            let mut worked = false;
            for queue in ["convert", "dispatch", "deliver"] {
                worked |= self.work(&process, queue).await;
            }
            if worked {
                continue;
            }
            // All queues are empty: time passes until an item is due.
            let Some((due, place)) = self.world.next_due().await else { return };
            self.world
                .clock
                .advance(due.duration_since(self.world.now()).max(SignedDuration::ZERO));
            sweep::take_up(&process.relaying, &place).await;
        }
        panic!("it does not come to rest");
    }

    /// Counts the results that do not exist exactly once.
    async fn check(&self, point: &str) -> Tally {
        let mut tally = Tally::default();
        let mut count = |what: &str, found: usize, least: usize, most: usize| {
            tally.lost += least.saturating_sub(found);
            tally.doubled += found.saturating_sub(most);
            if !(least..=most).contains(&found) {
                println!("{point}: {found} {what}, not {least} to {most}");
            }
        };
        let world = &self.world;
        let (way, accepted) = (*self.sent.lock().unwrap(), self.accepted.lock().unwrap().clone());
        let documents = world.documents().await;
        let (sent, received): (Vec<_>, Vec<_>) =
            documents.iter().partition(|document| document.direction == Direction::Outbound);
        // A caller without a key cannot know the result after a lost answer, but there are never two documents.
        let least = usize::from(way != Some(Way::Unkeyed) || !accepted.is_empty());
        count("documents sent", sent.len(), least, 1);
        for id in &accepted {
            let stands = sent.iter().filter(|document| document.document_id == *id).count();
            count("documents of an answer", stands, 1, 1);
        }
        let ended = sent.iter().filter(|document| document.status == Status::Sent).count();
        count("documents at their end", ended, sent.len(), sent.len());
        match &self.network {
            None => count("documents received", received.len(), sent.len(), sent.len()),
            Some(network) => {
                let taken = network.taken();
                let instances: BTreeSet<_> = taken.iter().map(|it| &it.instance_id).collect();
                let messages: BTreeSet<_> = taken.iter().map(|it| &it.message_id).collect();
                count("envelopes at the recipient", instances.len(), sent.len(), sent.len());
                count("messages at the recipient", messages.len(), sent.len(), sent.len());
                let counted = world.exchanges().await;
                count("exchanges counted", counted, instances.len(), instances.len());
                count("receipts in the bucket", world.receipts().await, sent.len(), sent.len());
            }
        }
        let events = world.events().await;
        for document in &documents {
            let told =
                events.iter().filter(|e| e.document_id() == Some(&document.document_id)).count();
            count("events of a document", told, 1, 1);
        }
        count("events", events.len(), documents.len(), documents.len());
        // Each event belongs to the taxpayer of one organization.
        let found: Vec<EventPointer> = world.items("evt_").await;
        let found: BTreeSet<_> = found.iter().map(|pointer| &pointer.event_id).collect();
        count("events that are found", found.len(), events.len(), events.len());
        let tallied = world.raw_items("TALLY#").await.into_iter().flatten();
        let counters = tallied.filter(|(name, value)| name != "ttl" && value.is_n());
        let told = counters.map(|(_, value)| value.as_n().unwrap().parse::<usize>().unwrap()).sum();
        count("documents on the overview", told, events.len(), events.len());
        let awaited: Vec<AwaitedOf> = world.items("AWAITED#").await;
        let due = if self.network.is_some() { 2 * sent.len() } else { 0 };
        count("answers that are awaited", awaited.len(), due, due);
        let deliveries: Vec<DeliveryRecord> = world.items("DELIVERY").await;
        let owed = ENDPOINTS.len() * sent.len();
        count("deliveries", deliveries.len(), owed, owed);
        let requests = self.receiver.received();
        for delivery in &deliveries {
            let taken = usize::from(delivery.status == DeliveryStatus::Delivered);
            count("deliveries made", taken, 1, 1);
            let id = Some(delivery.event_id.as_str());
            let line = format!("POST {} ", self.endpoints[&delivery.endpoint_id]);
            let is_of_it = |request: &&Received| {
                request.header("webhook-id") == id && request.head.starts_with(&line)
            };
            let came = requests.iter().filter(is_of_it).count();
            count("requests of a delivery", came, 1, usize::MAX);
        }
        let tax_reports = world.tax_reports().await;
        // Each sent document is reported and billed once, and nothing else is.
        let left = if self.network.is_some() { sent.len() } else { 0 };
        count("filings", tax_reports.len(), left, left);
        count("billed documents", world.usage().await.len(), left, left);
        let keys = world.idempotency_records().await;
        let saved = keys.iter().filter(|key| {
            matches!(key.state, IdempotencyState::Saved { .. })
                && sent.iter().any(|document| document.document_id == key.facts.document_id)
        });
        let keyed = usize::from(way != Some(Way::Unkeyed));
        count("keys", keys.len(), keyed, keyed);
        count("keys with an answer", saved.count(), keyed, keyed);
        for mark in ["due_pk", "relay", "parked"] {
            count(mark, world.marks(mark).await.len(), 0, 0);
        }
        count("messages", world.cloud.messages().len(), 0, 0);
        // A failed attempt leaves its stored objects, under a key of no document: no function may delete the payloads
        // of documents.
        let orphans = world.cloud.objects().into_iter().filter(|object| {
            // Objects without a tenant belong to no document.
            let shared = object.contains("/revocation/");
            !shared
                && !documents.iter().any(|document| object.contains(document.document_id.as_str()))
        });
        let allowed = if way.is_some() { 2 } else { 0 };
        count("payloads of no document", orphans.count(), 0, allowed);
        tally
    }
}

async fn handle(process: &Process, message: &Message) -> Result<(), Failure> {
    match message.queue.as_str() {
        "convert" => job::run(&Convert(process.sending.clone()), &message.read()).await,
        "dispatch" => Box::pin(job::run(&Dispatch(process.sending.clone()), &message.read())).await,
        "deliver" => deliver::deliver(&process.delivering, &message.read()).await.map(drop),
        queue => panic!("nobody works off {queue}"),
    }
}
