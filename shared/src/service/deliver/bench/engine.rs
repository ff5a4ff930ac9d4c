//! Measures the CPU time of a delivery, and of its calls to the table alone.

use std::{collections::HashSet, time::Duration};

use super::*;
use crate::{
    service::deliver::{
        model::{make_endpoint, relay_all},
        tests::send_invoice,
    },
    tasks::side_by_side,
    testing::{Bare, Call, Receiving, Recorder, World, apart, spent},
    webhook::headers,
};

/// How many events go to each endpoint, and how many deliveries warm up connections and memory.
const EVENTS: usize = 60;
const WARM: usize = 500;
/// How many deliveries are posted without any record.
const POSTED: usize = 2_000;
/// The goal: deliveries per second and core.
const GOAL: u128 = 5_000;

/// A world with due events. The deliveries to each endpoint are in batches.
struct Side {
    delivering: Delivering,
    world: Arc<World>,
    batches: Vec<Vec<DeliverMessage>>,
}

/// Every side is prepared in the same way, so that each makes the same calls to its table.
async fn prepare(world: World, receiving: &Receiving) -> Side {
    let demo = world.demo(&receiving.url(0)).await;
    receiving.knows(0, demo.webhook_endpoint.secret.parse().unwrap());
    for number in 1..ENDPOINTS {
        let url = receiving.url(number);
        let (_, secret) = make_endpoint(&world.ctx, &demo.organization_id, &url).await;
        receiving.knows(number, secret);
    }
    for _ in 0..EVENTS {
        send_invoice(&world, &demo).await;
    }
    let world = Arc::new(world);
    let mut messages = relay_all(&world).await;
    assert_eq!(messages.len(), EVENTS * ENDPOINTS);
    messages.sort_by_cached_key(|it| (it.endpoint_id.clone(), it.event_id.clone()));
    let batches = messages.chunks(BATCH).map(<[_]>::to_vec).collect();
    let delivering = delivering(&world.straight(), &world);
    Side { delivering, world, batches }
}

async fn deliver_batch(delivering: &Delivering, messages: &[DeliverMessage]) {
    for outcome in deliver_to_one(delivering, messages).await {
        assert_eq!(outcome.unwrap(), Outcome::Delivered);
    }
}

/// Makes the calls of a batch concurrently, as the engine does. A call that needs the result of an earlier write comes
/// in the second wave.
async fn make_again(bare: &Bare, asked: Vec<Call>) {
    let (mut put, mut waves, mut alone) = (HashSet::new(), [Vec::new(), Vec::new()], Vec::new());
    for call in asked {
        match call.puts() {
            Some(key) => waves[usize::from(!put.insert(key))].push(call),
            None => alone.push(call),
        }
    }
    for call in alone {
        bare.make(call).await;
    }
    for wave in waves {
        let work = wave.into_iter().map(|call| {
            let bare = bare.clone();
            async move { bare.make(call).await }
        });
        let until = Instant::now() + Duration::from_secs(60);
        let pieces = side_by_side(work, usize::MAX, until).await;
        assert!(pieces.into_iter().all(|piece| piece.done().is_some()));
    }
}

/// CPU time of a delivery without any record: it signs the body, posts it, and reads the answer.
async fn posted(side: &Side, receiving: &Receiving) -> Duration {
    let (delivering, secret) = (&side.delivering, Secret::new(&*side.world.ctx.random));
    let event = side.world.events().await.remove(0);
    let (url, mut whole) = (receiving.url(ENDPOINTS), Duration::ZERO);
    for round in 0..(WARM + POSTED) / BATCH {
        let work = (0..BATCH).map(|_| {
            let (client, url) = (delivering.client.clone(), url.clone());
            let (event, secret) = (event.clone(), secret.clone());
            let at = delivering.ctx.now();
            async move {
                let (id, body) = (event.event_id.as_str(), event.body.into_bytes());
                let headers = headers(std::slice::from_ref(&secret), id, at, &body);
                client.post(&url, headers, body).await.unwrap();
            }
        });
        let until = Instant::now() + Duration::from_secs(60);
        let (one, _) = spent(side_by_side(work, usize::MAX, until)).await;
        if round >= WARM / BATCH {
            whole += one;
        }
    }
    whole / u32::try_from(POSTED).unwrap()
}

#[expect(clippy::print_stdout, reason = "what was measured is to be seen")]
#[tokio::test]
#[ignore = "a measurement, for an optimized build"]
async fn a_delivery_beside_its_calls() {
    let recorder = Recorder::default();
    // The receiver does not check the time of a signature: the clock moves while events are relayed, so early
    // signatures are old when they are sent.
    let receiving = apart(|| Receiving::start(None)).await;
    let recorded = prepare(World::apart().await, &receiving).await;
    let measured = prepare(World::apart().await, &receiving).await;
    let alike = prepare(World::apart().await, &receiving).await;
    let bare: Bare = alike.world.bare_straight();
    let recording = delivering(&recorded.world.straight_recorded(&recorder), &recorded.world);
    let (mut whole, mut calls, mut made, mut done) = (Duration::ZERO, Duration::ZERO, 0, 0);
    for (place, batch) in recorded.batches.iter().enumerate() {
        deliver_batch(&recording, batch).await;
        let asked = recorder.take();
        let count = asked.len();
        let (one, ()) = spent(deliver_batch(&measured.delivering, &measured.batches[place])).await;
        let (alone, ()) = spent(make_again(&bare, asked)).await;
        if place * BATCH >= WARM {
            (whole, calls) = (whole + one, calls + alone);
            (made, done) = (made + count, done + batch.len());
        }
    }
    let (requests, verified) = receiving.counts();
    let posted = posted(&measured, &receiving).await;
    assert_eq!(requests, 2 * EVENTS * ENDPOINTS);
    let done = u32::try_from(done).unwrap();
    let rate = |spent: Duration| 1_000_000_000 * u128::from(done) / spent.as_nanos().max(1);
    let own = whole.saturating_sub(calls);
    let verdict = if rate(own) < GOAL { "MISSED: " } else { "" };
    println!(
        "{done} signed deliveries in batches of {BATCH} to {ENDPOINTS} endpoints, CPU time of the engine's thread:"
    );
    println!("  whole: {:?} a delivery, {} a second a core", whole / done, rate(whole));
    println!("  of that {made} calls to the table, made bare: {:?} a delivery", calls / done);
    println!(
        "  the engine's own: {:?} a delivery, {} a second a core ({verdict}goal {GOAL})",
        own / done,
        rate(own),
    );
    println!("  signed and posted alone: {posted:?}, {} a second a core", rate(posted * done));
    println!("  {verified} of {requests} signatures were verified");
}
