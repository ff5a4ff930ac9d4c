//! Measures the latency of healthy endpoints beside one that never answers and one that is slow.

use std::{collections::HashMap, sync::Mutex};

use super::*;
use crate::{
    service::{
        Context,
        deliver::{
            model::{FairQueue, Pool, Running, make_endpoint, parameter, poll, relay_all},
            tests::send_invoice,
        },
    },
    testing::{Answers, Receiving, World, apart},
};

/// Events that go to every endpoint.
const EVENTS: usize = 120;
/// The time between two messages.
const EVERY: Duration = Duration::from_millis(10);
/// The answer time of a healthy endpoint, and of a slow one.
const WELL: Duration = Duration::from_millis(100);
const SLOW: Duration = Duration::from_secs(3);
/// The endpoints that are not healthy.
const DEAD_ONE: usize = 0;
const SLOW_ONE: usize = 1;
/// The goal for the healthy endpoints' latency, in percent of a run without the others.
const GOAL: u128 = 110;

/// The time from the queue to the answer of each delivery to a healthy endpoint, the shortest first.
async fn run(sick: bool) -> Vec<Duration> {
    let world = World::apart().await;
    let receiving = apart(|| Receiving::start(None)).await;
    let demo = world.demo(&receiving.url(0)).await;
    let mut numbers = HashMap::from([(demo.webhook_endpoint.endpoint_id.clone(), 0)]);
    for number in 1..ENDPOINTS {
        let (id, _) =
            make_endpoint(&world.ctx, &demo.organization_id, &receiving.url(number)).await;
        numbers.insert(id, number);
    }
    for number in 0..ENDPOINTS {
        receiving.behaves(number, Answers::After(WELL));
    }
    if sick {
        receiving.behaves(DEAD_ONE, Answers::Never);
        receiving.behaves(SLOW_ONE, Answers::After(SLOW));
    }
    for _ in 0..EVENTS {
        send_invoice(&world, &demo).await;
    }
    let world = Arc::new(world);
    let mut messages = relay_all(&world).await;
    assert_eq!(messages.len(), EVENTS * ENDPOINTS);
    messages.sort_by_cached_key(|it| (it.event_id.clone(), it.endpoint_id.clone()));
    receiving.notes();

    let clock = Arc::new(Running(world.ctx.now(), Instant::now()));
    let ctx = Context { clock, ..world.straight() };
    let pool = Pool { executions: parameter("SandboxDeliveryConcurrency"), batch: BATCH };
    let queue = Arc::new(Mutex::new(FairQueue::default()));
    let counts = (Arc::default(), Arc::default());
    let work = poll(queue.clone(), world.clone(), delivering(&ctx, &world), pool, counts);
    let poller = tokio::spawn(work);
    let (started, mut sent) = (Instant::now(), HashMap::new());
    for (message, place) in messages.into_iter().zip(0..) {
        tokio::time::sleep_until(started + EVERY * place).await;
        let now = Instant::now();
        let number = numbers[&message.endpoint_id];
        sent.insert((number, message.event_id.as_str().to_owned()), now);
        queue.lock().unwrap().send(message, now);
    }
    let well = |(number, _): &&(usize, String)| ![DEAD_ONE, SLOW_ONE].contains(number);
    for _ in 0..1200 {
        let noted = receiving.noted();
        if sent.keys().filter(well).all(|key| noted.contains_key(key)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    poller.abort();
    let noted = receiving.noted();
    let took = |key: &(usize, String)| noted[key].duration_since(sent[key]) + WELL;
    let mut taken: Vec<_> = sent.keys().filter(well).map(took).collect();
    taken.sort_unstable();
    taken
}

#[expect(clippy::print_stdout, reason = "what was measured is to be seen")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement, for an optimized build"]
async fn beside_one_that_is_dead_and_one_that_is_slow() {
    let mut ends = Vec::new();
    for (name, sick) in [("all are well", false), ("one is dead, one slow", true)] {
        let taken = run(sick).await;
        let percentile = |percent: usize| taken[(taken.len() * percent).div_ceil(100) - 1];
        println!(
            "{name}: {} deliveries to {} of {ENDPOINTS} endpoints, one each {EVERY:?}: p50 {:?}, p99 {:?}, most {:?}",
            taken.len(),
            ENDPOINTS - 2,
            percentile(50),
            percentile(99),
            percentile(100),
        );
        ends.push(percentile(99).as_micros());
    }
    let hundredths = ends[1] * 100 / ends[0].max(1);
    let verdict = if hundredths > GOAL { "MISSED: " } else { "" };
    println!(
        "  p99 beside them is {}.{:02} times that of the healthy run ({verdict}goal at most 1.1)",
        hundredths / 100,
        hundredths % 100,
    );
}
