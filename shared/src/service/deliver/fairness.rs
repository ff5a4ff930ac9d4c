//! Nobody starves anybody: endpoints that accept and never answer, and the deliveries of another
//! organization beside them, over a model of SQS and Lambda with the numbers of the template.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Mutex,
};

use super::{deliver_to_one, tests::send_invoice, *};
use crate::{
    access::By,
    document::Operation,
    egress::{Client, Egress},
    service::{
        Context,
        demo::Demo,
        webhooks::{self, Wanted},
    },
    store::keys::Place,
    testing::{World, invoice, sealing_key, send},
    types::{Clock, EventId, Mode, OrganizationId},
    webhook::receiver::{Manner, Receiver},
};

/// What a model is given.
#[derive(Clone, Copy)]
struct Numbers {
    /// Executions at once, of the mode's queue.
    executions: usize,
    /// Messages that one takes at once.
    batch: usize,
    /// Endpoints that never answer.
    silent: usize,
    /// Events to each of them.
    events: usize,
    /// Between two messages to silent endpoints.
    noise_every: Duration,
    /// Events of the other organization.
    quiet: usize,
    /// Between two of them.
    quiet_every: Duration,
    /// How long its receiver takes.
    answers_after: Duration,
    /// How long an attempt waits.
    deadline: Duration,
}

/// A clock that goes on from an instant.
struct Running(Timestamp, Instant);

impl Clock for Running {
    fn now(&self) -> Timestamp {
        later(self.0, SignedDuration::try_from(self.1.elapsed()).unwrap())
    }
}

/// A standard queue with message groups: visible messages of the group with the fewest in work
/// come first, as fair queues do once a group is noisy; within a group the oldest.
#[derive(Default)]
struct FairQueue {
    groups: BTreeMap<OrganizationId, Group>,
    sent: u64,
}

#[derive(Default)]
struct Group {
    in_work: usize,
    waiting: BTreeMap<(Instant, u64), DeliverMessage>,
}

impl FairQueue {
    fn send(&mut self, message: DeliverMessage, visible: Instant) {
        self.sent += 1;
        let group = self.groups.entry(message.organization_id.clone()).or_default();
        group.waiting.insert((visible, self.sent), message);
    }

    fn receive(&mut self, most: usize) -> Vec<DeliverMessage> {
        let now = Instant::now();
        let mut groups: Vec<_> = self.groups.values_mut().collect();
        groups.sort_by_key(|group| group.in_work);
        let mut received = Vec::new();
        for group in groups {
            while received.len() < most
                && let Some(first) = group.waiting.first_entry()
                && first.key().0 <= now
            {
                received.push(first.remove());
                group.in_work += 1;
            }
        }
        received
    }

    fn done(&mut self, message: &DeliverMessage) {
        self.groups.entry(message.organization_id.clone()).or_default().in_work -= 1;
    }
}

struct Scene {
    world: Arc<World>,
    delivering: Delivering,
    numbers: Numbers,
    quiet: Receiver,
    silent: Vec<Receiver>,
    noise: Vec<DeliverMessage>,
    measured: [Vec<DeliverMessage>; 2],
}

/// What a run shows.
struct Shown {
    /// From the queue to the receiver's answer, of each quiet delivery, the shortest first.
    taken: Vec<Duration>,
    /// The most executions that were at work at once.
    executions: usize,
    /// Messages that were taken from the queue.
    messages: u64,
    /// Messages that failed and would come again.
    failed: usize,
}

impl Shown {
    fn percentile(&self, percent: usize) -> Duration {
        self.taken[(self.taken.len() * percent).div_ceil(100) - 1]
    }
}

impl Scene {
    /// All is sent and relayed; nothing is delivered yet.
    async fn prepare(numbers: Numbers) -> Scene {
        let answer = "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n".to_owned();
        let manner = Manner::TakesItsTime(numbers.answers_after, answer);
        let quiet = Receiver::start(manner).await;
        let (world, demo) = World::with_demo(&quiet.url).await;
        let caller = world.caller("Noisy", "1001234599").await;
        let mut silent = Vec::new();
        for _ in 0..numbers.silent {
            let receiver = Receiver::start(Manner::Hangs).await;
            make_endpoint(&world.ctx, &caller.organization_id, &receiver.url).await;
            silent.push(receiver);
        }
        let world = Arc::new(world);
        for number in 0..numbers.events {
            let body = invoice(&format!("N-{number}"), "1007654321");
            send(&world.sending, &caller, Operation::Invoice, &body, None).await.unwrap();
        }
        let noise = relay_all(&world).await;
        assert_eq!(noise.len(), numbers.silent * numbers.events);
        let measured = [
            quiet_messages(&world, &demo, numbers.quiet).await,
            quiet_messages(&world, &demo, numbers.quiet).await,
        ];
        let clock = Running(world.ctx.now(), Instant::now());
        let delivering = Delivering {
            ctx: Context { clock: Arc::new(clock), ..world.ctx.clone() },
            queue: world.relaying.deliver.clone(),
            client: Client::with_deadline(Egress::Any, numbers.deadline).unwrap(),
            sealing_key: sealing_key().into(),
            closed: ClosedGates::default(),
        };
        Scene { world, delivering, numbers, quiet, silent, noise, measured }
    }

    /// Delivers one set of the quiet organization's events, with the noise or without.
    async fn run(&mut self, noisy: bool) -> Shown {
        let numbers = self.numbers;
        let measured = std::mem::take(&mut self.measured[usize::from(noisy)]);
        let noise = if noisy { std::mem::take(&mut self.noise) } else { Vec::new() };
        let queue = Arc::new(Mutex::new(FairQueue::default()));
        let sent: Arc<Mutex<HashMap<EventId, Instant>>> = Arc::default();
        let loads = (Arc::new(Mutex::new((0, 0))), Arc::new(Mutex::new((0, 0))));

        let feeders = [(noise, numbers.noise_every), (measured.clone(), numbers.quiet_every)];
        let mut running = tokio::task::JoinSet::new();
        for (messages, every) in feeders {
            let (queue, sent) = (queue.clone(), sent.clone());
            running.spawn(async move {
                let started = Instant::now();
                for (message, number) in messages.into_iter().zip(0..) {
                    tokio::time::sleep_until(started + every * number).await;
                    let now = Instant::now();
                    sent.lock().unwrap().insert(message.event_id.clone(), now);
                    queue.lock().unwrap().send(message, now);
                }
            });
        }
        let poller =
            poll(queue, self.world.clone(), self.delivering.clone(), numbers, loads.clone());
        let poller = tokio::spawn(poller);
        while let Some(feeder) = running.join_next().await {
            feeder.unwrap();
        }
        // The last ones still need their time.
        for _ in 0..800 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if self.answered(&measured).len() == measured.len() {
                break;
            }
        }
        poller.abort();
        let sent = sent.lock().unwrap();
        let mut taken: Vec<_> = self
            .answered(&measured)
            .into_iter()
            .map(|(event, at)| at.duration_since(sent[&event]) + numbers.answers_after)
            .collect();
        taken.sort_unstable();
        assert_eq!(taken.len(), measured.len(), "each was delivered");
        let (executions, (messages, failed)) =
            (loads.0.lock().unwrap().1, *loads.1.lock().unwrap());
        Shown { taken, executions, messages, failed }
    }

    /// When the first request about each event came.
    fn answered(&self, measured: &[DeliverMessage]) -> HashMap<EventId, Instant> {
        let mut first = HashMap::new();
        for received in self.quiet.received() {
            let event: EventId = received.header("webhook-id").unwrap().parse().unwrap();
            first.entry(event).or_insert(received.at);
        }
        let wanted = measured.iter();
        wanted.filter_map(|each| first.remove_entry(&each.event_id)).collect()
    }
}

/// Who is at work, and what is done.
type Counts = (Arc<Mutex<(usize, usize)>>, Arc<Mutex<(u64, usize)>>);

/// Hands batches to execution environments, which remember what they met. An idle one is used before
/// another is started, and of several the first: as many are in use as there is work for.
async fn poll(
    queue: Arc<Mutex<FairQueue>>,
    world: Arc<World>,
    delivering: Delivering,
    numbers: Numbers,
    counts: Counts,
) {
    let environments = (0..numbers.executions).map(|_| {
        let closed = ClosedGates::default();
        Delivering { closed, ..delivering.clone() }
    });
    let environments: Vec<_> = environments.collect();
    let mut idle: BTreeSet<usize> = (0..numbers.executions).collect();
    let mut busy = tokio::task::JoinSet::new();
    loop {
        while let Some(done) = busy.try_join_next() {
            idle.insert(done.unwrap());
        }
        let messages = if idle.is_empty() { Vec::new() } else { receive(&queue, &world, numbers) };
        if messages.is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
            continue;
        }
        let environment = idle.pop_first().unwrap();
        let (queue, counts) = (queue.clone(), counts.clone());
        let delivering = environments[environment].clone();
        busy.spawn(async move {
            execute(&queue, messages, &delivering, numbers, &counts).await;
            environment
        });
    }
}

/// A batch, once what was sent for later is in the queue.
fn receive(queue: &Mutex<FairQueue>, world: &World, numbers: Numbers) -> Vec<DeliverMessage> {
    let mut queue = queue.lock().unwrap();
    let now = Instant::now();
    for message in world.cloud.receive("deliver") {
        let delay = Duration::from_secs(message.delay_seconds.try_into().unwrap());
        queue.send(message.read(), now + delay);
    }
    queue.receive(numbers.batch)
}

/// One execution: a batch given to the function, and back what failed.
async fn execute(
    queue: &Mutex<FairQueue>,
    messages: Vec<DeliverMessage>,
    delivering: &Delivering,
    numbers: Numbers,
    (at_work, done): &Counts,
) {
    {
        let mut at_work = at_work.lock().unwrap();
        at_work.0 += 1;
        at_work.1 = at_work.1.max(at_work.0);
    }
    let mut groups: Vec<Vec<DeliverMessage>> = Vec::new();
    for message in &messages {
        match groups.iter_mut().find(|group| group[0].same_endpoint(message)) {
            Some(group) => group.push(message.clone()),
            None => groups.push(vec![message.clone()]),
        }
    }
    let work = groups.iter().cloned().map(|group| {
        let delivering = delivering.clone();
        async move { deliver_to_one(&delivering, &group).await }
    });
    let until = Instant::now() + Duration::from_secs(29);
    let pieces = side_by_side(work, numbers.batch, until).await;
    let mut queue = queue.lock().unwrap();
    for message in &messages {
        queue.done(message);
    }
    let mut failed = 0;
    for (group, piece) in groups.into_iter().zip(pieces) {
        let outcomes = piece.done().unwrap_or_default();
        for (place, message) in group.into_iter().enumerate() {
            if !matches!(outcomes.get(place), Some(Ok(_))) {
                failed += 1;
                queue.send(message, Instant::now() + Duration::from_secs(180));
            }
        }
    }
    at_work.lock().unwrap().0 -= 1;
    let mut done = done.lock().unwrap();
    done.0 += u64::try_from(messages.len()).unwrap();
    done.1 += failed;
}

async fn make_endpoint(ctx: &Context, organization_id: &OrganizationId, url: &str) {
    let wanted = Wanted { url: url.to_owned(), ..Wanted::default() };
    let (owner, secret) = ((Mode::Sandbox, organization_id), Secret::new(&*ctx.random));
    webhooks::make(ctx, &sealing_key(), owner, wanted, secret, &By::operator()).await.unwrap();
}

async fn quiet_messages(world: &Arc<World>, demo: &Demo, count: usize) -> Vec<DeliverMessage> {
    for _ in 0..count {
        send_invoice(world, demo).await;
    }
    let messages = relay_all(world).await;
    assert_eq!(messages.len(), count);
    messages
}

/// Has the relay turn every event into deliveries; takes their messages.
async fn relay_all(world: &Arc<World>) -> Vec<DeliverMessage> {
    let events = world.events().await;
    let work = events.into_iter().map(|event| {
        let world = world.clone();
        async move {
            let place = Place::Event(event.mode, event.taxpayer_id, event.event_id);
            relay::relay(&world.relaying, &place).await.unwrap();
        }
    });
    let pieces = side_by_side(work, 20, Instant::now() + Duration::from_secs(600)).await;
    assert!(pieces.into_iter().all(|piece| piece.done().is_some()));
    world.cloud.receive("deliver").iter().map(|message| message.read()).collect()
}

/// The default of a parameter of the template.
fn parameter(name: &str) -> usize {
    let template = include_str!("../../../../template.yaml");
    let mut lines = template.lines().skip_while(|line| *line != format!("  {name}:"));
    let default = lines.find_map(|line| line.strip_prefix("    Default: ")).unwrap();
    default.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endpoints_that_never_answer_hold_one_execution_each_and_nobody_else() {
    let numbers = Numbers {
        executions: 8,
        batch: 10,
        silent: 5,
        events: 20,
        noise_every: Duration::from_millis(5),
        quiet: 10,
        quiet_every: Duration::from_millis(60),
        answers_after: Duration::from_millis(5),
        deadline: Duration::from_secs(120),
    };
    let mut scene = Scene::prepare(numbers).await;
    // Nothing that hangs ends meanwhile: without a gate all eight would wait.
    let shown = scene.run(true).await;
    assert!(shown.percentile(100) < numbers.deadline / 4, "{:?}", shown.taken);
    assert_eq!(shown.failed, 0);
    for receiver in &scene.silent {
        let asked = receiver.received().len();
        assert!((1..=numbers.batch).contains(&asked), "asked {asked} times");
    }
}

/// `tests/bench/run fairness`
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes eleven minutes"]
#[expect(clippy::print_stdout, reason = "its output is what it is for")]
async fn fairness() {
    let numbers = Numbers {
        executions: parameter("SandboxDeliveryConcurrency"),
        batch: 10,
        silent: 50,
        events: 200,
        noise_every: Duration::from_millis(30),
        quiet: 300,
        quiet_every: Duration::from_secs(1),
        answers_after: Duration::from_millis(100),
        deadline: crate::egress::DEADLINE,
    };
    let mut scene = Scene::prepare(numbers).await;
    let quiet = scene.run(false).await;
    let noisy = scene.run(true).await;
    let asked: usize = scene.silent.iter().map(|receiver| receiver.received().len()).sum();
    println!(
        "{} deliveries of one organization, {} a second, to a receiver that answers after {:?}; \
         {} executions of {} messages",
        numbers.quiet,
        1000 / numbers.quiet_every.as_millis(),
        numbers.answers_after,
        numbers.executions,
        numbers.batch,
    );
    for (name, shown) in [("alone", &quiet), ("beside them", &noisy)] {
        println!(
            "  {name:<12} p50 {:?}, p99 {:?}, most {:?}; {} messages, {} failed, at most {} executions",
            shown.percentile(50),
            shown.percentile(99),
            shown.percentile(100),
            shown.messages,
            shown.failed,
            shown.executions,
        );
    }
    println!(
        "  beside them: {} events to {} endpoints that accept and never answer, {} attempts at them",
        numbers.silent * numbers.events,
        numbers.silent,
        asked,
    );
    let hundredths =
        noisy.percentile(99).as_micros() * 100 / quiet.percentile(99).as_micros().max(1);
    println!("  p99 beside them is {}.{:02} times that alone", hundredths / 100, hundredths % 100);
    assert!(hundredths <= 120, "the goal is at most 1.2 times");
}
