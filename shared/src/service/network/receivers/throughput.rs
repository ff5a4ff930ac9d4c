//! How many messages a second an access point is sent, and what one that dies costs another one. Executions receive
//! batches of ten as SQS hands them out; each has a memory of its own, and the table holds the breakers.
//!
//! `tests/bench/run receivers`

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use super::*;
use crate::{
    egress::{CONNECTION, DEADLINE},
    testing::World,
    types::SystemClock,
};

/// Messages of a batch.
const BATCH: usize = 10;
/// How long a run lasts.
const RUN: Duration = Duration::from_secs(30);

/// An access point of the model.
struct Modelled {
    address: &'static str,
    answers_after: Duration,
    /// From when on nothing is answered, and how long it takes to notice that.
    dies: Option<(Duration, Duration)>,
    answered: AtomicUsize,
    unanswered: AtomicUsize,
    /// Messages that come again later.
    put_off: AtomicUsize,
}

impl Modelled {
    fn new(
        address: &'static str,
        answers_after: Duration,
        dies: Option<(Duration, Duration)>,
    ) -> Arc<Self> {
        let none = AtomicUsize::default;
        let (answered, unanswered, put_off) = (none(), none(), none());
        Arc::new(Modelled { address, answers_after, dies, answered, unanswered, put_off })
    }

    /// One message of an execution.
    async fn send(&self, ctx: &Context, receivers: &Receivers, begun: Instant) {
        let patience = Duration::from_millis(2_500);
        let place = match receivers.admit(ctx, Mode::Live, self.address, patience).await.unwrap() {
            Admission::Admitted(place) => place,
            Admission::Open(_) | Admission::Busy(_) => {
                self.put_off.fetch_add(1, Relaxed);
                return;
            }
        };
        if let Some((_, shows_after)) = self.dies.filter(|(after, _)| begun.elapsed() >= *after) {
            sleep(shows_after).await;
            self.unanswered.fetch_add(1, Relaxed);
            place.observed(ctx, Sign::Fails).await;
        } else {
            sleep(self.answers_after).await;
            self.answered.fetch_add(1, Relaxed);
            place.observed(ctx, Sign::Answers).await;
        }
    }
}

/// Executions without a rest, with more messages waiting than they can send. Message by message the access points
/// alternate.
async fn run(world: &World, executions: usize, to: &[Arc<Modelled>]) {
    let ctx = Context { clock: Arc::new(SystemClock), ..world.straight() };
    let begun = Instant::now();
    let mut running = JoinSet::new();
    for _ in 0..executions {
        let (ctx, to) = (ctx.clone(), to.to_vec());
        running.spawn(async move {
            let receivers = Arc::new(Receivers::default());
            while begun.elapsed() < RUN {
                let mut batch = JoinSet::new();
                for number in 0..BATCH {
                    let (ctx, receivers) = (ctx.clone(), receivers.clone());
                    let to = to[number % to.len()].clone();
                    batch.spawn(async move { to.send(&ctx, &receivers, begun).await });
                }
                batch.join_all().await;
            }
        });
    }
    running.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes three minutes"]
async fn messages_a_second() {
    let world = World::apart().await;
    for (millis, executions, goal) in [(500, 60, 1_000), (3_000, 200, 500)] {
        let it = Modelled::new("https://one.example/as4", Duration::from_millis(millis), None);
        run(&world, executions, std::slice::from_ref(&it)).await;
        let rate = it.answered.load(Relaxed) / usize::try_from(RUN.as_secs()).unwrap();
        println!(
            "an access point that answers after {millis} ms: {rate} messages a second by {executions} executions of {BATCH} (goal: {goal})"
        );
        assert!(rate >= goal);
    }
    let quick = Duration::from_millis(500);
    let alone = Modelled::new("https://alone.example/as4", quick, None);
    run(&world, 60, std::slice::from_ref(&alone)).await;
    let share = alone.answered.load(Relaxed) / 2;
    let kinds = [
        ("whose host is gone", "https://gone.example/as4", CONNECTION),
        ("that accepts and never answers", "https://silent.example/as4", DEADLINE),
    ];
    for (what, address, shows_after) in kinds {
        let beside = Modelled::new(address.strip_suffix("as4").unwrap(), quick, None);
        let dead = Modelled::new(address, quick, Some((Duration::from_secs(5), shows_after)));
        run(&world, 60, &[beside.clone(), dead.clone()]).await;
        println!(
            "beside one {what} after 5 of {} seconds: {} messages, of a share of {share}; the other got {} in vain, \
             and {} were put off",
            RUN.as_secs(),
            beside.answered.load(Relaxed),
            dead.unanswered.load(Relaxed),
            dead.put_off.load(Relaxed),
        );
    }
}
