//! One organization's deliveries never starve another's. Endpoints accept connections and never answer, while another
//! organization's deliveries run. SQS and Lambda are a model with the numbers of the template.

use std::{collections::HashMap, sync::Mutex};

use super::{
    model::{FairQueue, Pool, Running, make_endpoint, parameter, poll, relay_all},
    tests::send_invoice,
    *,
};
use crate::{
    document::Operation,
    egress::{Client, Egress},
    service::{Context, demo::Demo},
    testing::{Answers, Receiving, World, apart, invoice, sealing_key, send},
};

/// The number of the endpoint that answers. The endpoints after it never answer.
const QUIET: usize = 0;

/// The parameters of a run.
#[derive(Clone, Copy)]
struct Numbers {
    pool: Pool,
    /// Endpoints that never answer.
    silent: usize,
    /// Events for each silent endpoint.
    events: usize,
    /// Time between two messages to silent endpoints.
    noise_every: Duration,
    /// Events of the quiet organization.
    quiet: usize,
    /// Time between two messages of the quiet organization.
    quiet_every: Duration,
    /// The answer time of its receiver.
    answers_after: Duration,
    /// The deadline of an attempt.
    deadline: Duration,
}

struct Scene {
    world: Arc<World>,
    delivering: Delivering,
    numbers: Numbers,
    receiving: Receiving,
    noise: Vec<DeliverMessage>,
    measured: [Vec<DeliverMessage>; 2],
}

/// The result of a run.
struct Shown {
    /// The time from the queue to the receiver's answer of each quiet delivery, the shortest first.
    taken: Vec<Duration>,
    /// The most executions that ran at once.
    executions: usize,
    /// Messages that were received from the queue.
    messages: u64,
    /// Messages that failed and would be redelivered.
    failed: usize,
}

impl Shown {
    fn percentile(&self, percent: usize) -> Duration {
        self.taken[(self.taken.len() * percent).div_ceil(100) - 1]
    }
}

impl Scene {
    /// Sends and relays all events. Nothing is delivered yet.
    async fn prepare(numbers: Numbers) -> Scene {
        // The table and the receivers have threads of their own, so that their time does not count as the deliveries'
        // time.
        let world = World::apart().await;
        let receiving = apart(|| Receiving::start(None)).await;
        let demo = world.demo(&receiving.url(QUIET)).await;
        receiving.behaves(QUIET, Answers::After(numbers.answers_after));
        let caller = world.caller("Noisy", "1001234599").await;
        for number in 1..=numbers.silent {
            make_endpoint(&world.ctx, &caller.organization_id, &receiving.url(number)).await;
            receiving.behaves(number, Answers::Never);
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
            ctx: Context { clock: Arc::new(clock), ..world.straight() },
            queue: world.relaying.deliver.clone(),
            client: Client::with_deadline(Egress::Any, numbers.deadline).unwrap(),
            sealing_key: sealing_key().into(),
            open_breakers: OpenBreakers::default(),
        };
        receiving.notes();
        Scene { world, delivering, numbers, receiving, noise, measured }
    }

    /// Delivers one set of the quiet organization's events, with the noise or without.
    async fn run(&mut self, noisy: bool) -> Shown {
        let numbers = self.numbers;
        let measured = std::mem::take(&mut self.measured[usize::from(noisy)]);
        let noise = if noisy { std::mem::take(&mut self.noise) } else { Vec::new() };
        let queue = Arc::new(Mutex::new(FairQueue::default()));
        let sent: Arc<Mutex<HashMap<String, Instant>>> = Arc::default();
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
                    sent.lock().unwrap().insert(message.event_id.as_str().to_owned(), now);
                    queue.lock().unwrap().send(message, now);
                }
            });
        }
        let poller =
            poll(queue, self.world.clone(), self.delivering.clone(), numbers.pool, loads.clone());
        let poller = tokio::spawn(poller);
        while let Some(feeder) = running.join_next().await {
            feeder.unwrap();
        }
        // Waits for the last deliveries.
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

    /// When the first request about each event arrived.
    fn answered(&self, measured: &[DeliverMessage]) -> HashMap<String, Instant> {
        let mut noted = self.receiving.noted();
        let keys = measured.iter().map(|each| (QUIET, each.event_id.as_str().to_owned()));
        keys.filter_map(|key| noted.remove_entry(&key)).map(|((_, id), at)| (id, at)).collect()
    }

    /// How many events each silent endpoint got.
    fn asked(&self) -> Vec<usize> {
        let noted = self.receiving.noted();
        let of = |number| noted.keys().filter(|(endpoint, _)| *endpoint == number).count();
        (1..=self.numbers.silent).map(of).collect()
    }
}

async fn quiet_messages(world: &Arc<World>, demo: &Demo, count: usize) -> Vec<DeliverMessage> {
    for _ in 0..count {
        send_invoice(world, demo).await;
    }
    let messages = relay_all(world).await;
    assert_eq!(messages.len(), count);
    messages
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endpoints_that_never_answer_hold_one_execution_each_and_nobody_else() {
    let numbers = Numbers {
        pool: Pool { executions: 8, batch: 10 },
        silent: 5,
        events: 20,
        noise_every: Duration::from_millis(5),
        quiet: 10,
        quiet_every: Duration::from_millis(60),
        answers_after: Duration::from_millis(5),
        deadline: Duration::from_secs(120),
    };
    let mut scene = Scene::prepare(numbers).await;
    // No hanging attempt ends during the run: without a breaker, all eight executions would hang.
    let shown = scene.run(true).await;
    assert!(shown.percentile(100) < numbers.deadline / 4, "{:?}", shown.taken);
    assert_eq!(shown.failed, 0);
    for asked in scene.asked() {
        assert!((1..=numbers.pool.batch).contains(&asked), "asked {asked} times");
    }
}

/// `tests/bench/run fairness`
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes eleven minutes"]
#[expect(clippy::print_stdout, reason = "its output is what it is for")]
async fn fairness() {
    let numbers = Numbers {
        pool: Pool { executions: parameter("SandboxDeliveryConcurrency"), batch: 10 },
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
    let asked: usize = scene.asked().iter().sum();
    println!(
        "{} deliveries of one organization, {} a second, to a receiver that answers after {:?}; \
         {} executions of {} messages",
        numbers.quiet,
        1000 / numbers.quiet_every.as_millis(),
        numbers.answers_after,
        numbers.pool.executions,
        numbers.pool.batch,
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
        "  beside them: {} events to {} endpoints that accept and never answer, which were sent {}",
        numbers.silent * numbers.events,
        numbers.silent,
        asked,
    );
    let hundredths =
        noisy.percentile(99).as_micros() * 100 / quiet.percentile(99).as_micros().max(1);
    println!("  p99 beside them is {}.{:02} times that alone", hundredths / 100, hundredths % 100);
    assert!(hundredths <= 120, "the goal is at most 1.2 times");
}
