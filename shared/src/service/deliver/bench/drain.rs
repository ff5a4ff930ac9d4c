//! Measures that draining very many events needs no more memory than draining few. The table and the receiver run in
//! another process.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Command, Stdio},
};

use serde::{Deserialize, Serialize};

use super::*;
use crate::{
    environment::Environment,
    service::{
        Context,
        deliver::{
            model::make_endpoint,
            tests::{relayed, send_invoice},
        },
    },
    store::{EventRecord, keys::Key},
    testing::{Receiving, World, straight},
    types::{EndpointId, EventId, FixedClock, Mode, OrganizationId, SeededRandom},
};

/// Tells the other process how many events to make.
const EVENTS: &str = "BENCH_EVENTS";
/// The other process is this program again, with this test alone.
const OTHER: &str = "service::deliver::bench::drain::the_other_process";
/// How many events each run drains.
const FEW: usize = 10_000;
const MANY: usize = 100_000;

/// The address of the other process's table, and the identifiers in it.
#[derive(Serialize, Deserialize)]
struct Place {
    table: String,
    now: Timestamp,
    organization_id: OrganizationId,
    endpoints: Vec<EndpointId>,
}

/// Identifiers that are computed from the number, so that no list is kept.
fn event_id(now: Timestamp, number: usize) -> EventId {
    EventId::new(now, &SeededRandom::new(1_000_000 + number as u64))
}

/// The endpoint of each event: ten consecutive events for one endpoint, as in a batch.
fn endpoint(number: usize) -> usize {
    number / BATCH % ENDPOINTS
}

/// Writes `count` events with a delivery each, every one under its own identifier.
async fn seed(world: &World, receiving: &Receiving, count: usize) -> Place {
    let demo = world.demo(&receiving.url(0)).await;
    send_invoice(world, &demo).await;
    let message = relayed(world).await;
    let DeliverMessage { mode, organization_id, event_id: first, endpoint_id, .. } = &message;
    let store = &world.ctx.store;
    let delivery = store.get_delivery(*mode, organization_id, first, endpoint_id).await;
    let delivery = delivery.unwrap().unwrap();
    let taxpayer_id = delivery.taxpayer_id.clone();
    let event = store.get_event(*mode, &taxpayer_id, first).await.unwrap().unwrap();
    receiving.knows(0, demo.webhook_endpoint.secret.parse().unwrap());
    let mut endpoints = vec![endpoint_id.clone()];
    for number in 1..ENDPOINTS {
        let (id, secret) = make_endpoint(&world.ctx, organization_id, &receiving.url(number)).await;
        receiving.knows(number, secret);
        endpoints.push(id);
    }
    let now = world.ctx.now();
    let items = (0..count).flat_map(|number| {
        let (event_id, endpoint_id) = (event_id(now, number), endpoints[endpoint(number)].clone());
        let body = event.body.replace(first.as_str(), event_id.as_str());
        let event = EventRecord { event_id: event_id.clone(), body, ..event.clone() };
        let delivery = DeliveryRecord {
            event_id: event_id.clone(),
            endpoint_id: endpoint_id.clone(),
            ..delivery.clone()
        };
        let key = Key::delivery(*mode, organization_id, &endpoint_id, &event_id);
        [
            (Key::event(*mode, &taxpayer_id, &event_id), serde_dynamo::to_item(event).unwrap()),
            (key, serde_dynamo::to_item(delivery).unwrap()),
        ]
    });
    world.put_all(items).await;
    let table = world.cloud.dynamodb_url().to_owned();
    Place { table, now, organization_id: organization_id.clone(), endpoints }
}

#[expect(clippy::print_stdout, reason = "it speaks to the process that started it")]
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
#[ignore = "a part of the measurement below"]
async fn the_other_process() {
    let environment = Environment::of_process();
    let Some(count) = environment.get(EVENTS) else { return };
    let world = World::new().await;
    let receiving = Receiving::start(Some(world.ctx.now())).await;
    let place = seed(&world, &receiving, count.parse().unwrap()).await;
    println!("\nPLACE {}", serde_json::to_string(&place).unwrap());
    tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new()))
        .await
        .unwrap()
        .unwrap();
    let (requests, verified) = receiving.counts();
    println!("COUNTS {requests} {verified}");
}

struct Other {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Other {
    fn start(events: usize) -> (Other, Place) {
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program)
            .args(["--exact", OTHER, "--ignored", "--nocapture"])
            .env(EVENTS, events.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut other = Other { child, lines };
        let place = serde_json::from_str(&other.said("PLACE ")).unwrap();
        (other, place)
    }

    fn said(&mut self, what: &str) -> String {
        let mut lines = self.lines.by_ref().map(Result::unwrap);
        let said = lines.find_map(|line| line.strip_prefix(what).map(str::to_owned));
        said.expect("the other process ended")
    }

    /// How many requests the receiver got, and how many signatures it verified.
    fn ends(mut self) -> (usize, usize) {
        self.child.stdin.take().unwrap().write_all(b"\n").unwrap();
        let counts = self.said("COUNTS ");
        let (requests, verified) = counts.split_once(' ').unwrap();
        assert!(self.child.wait().unwrap().success());
        (requests.parse().unwrap(), verified.parse().unwrap())
    }
}

/// The peak memory of this process since the last reset, in kB (proc(5): `VmHWM`, `clear_refs`).
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Drains `count` events. Returns the peak memory in kB, the duration, and the count of verified signatures.
async fn drained(count: usize) -> (u64, Duration, usize) {
    let (other, place) = tokio::task::spawn_blocking(move || Other::start(count)).await.unwrap();
    let world = World::new().await;
    let ctx = Context {
        store: straight(&place.table),
        clock: Arc::new(FixedClock::at(place.now)),
        ..world.ctx.clone()
    };
    let delivering = delivering(&ctx, &world);
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let begun = Instant::now();
    for first in (0..count).step_by(BATCH) {
        let messages: Vec<_> = (first..first + BATCH)
            .map(|number| DeliverMessage {
                mode: Mode::Sandbox,
                organization_id: place.organization_id.clone(),
                event_id: event_id(place.now, number),
                endpoint_id: place.endpoints[endpoint(number)].clone(),
                first: None,
            })
            .collect();
        for outcome in deliver_to_one(&delivering, &messages).await {
            assert_eq!(outcome.unwrap(), Outcome::Delivered);
        }
    }
    let taken = begun.elapsed();
    let most = peak();
    let (requests, verified) = other.ends();
    assert_eq!(requests, count);
    (most, taken, verified)
}

#[expect(clippy::print_stdout, reason = "what was measured is to be seen")]
#[tokio::test]
#[ignore = "a measurement, for an optimized build"]
async fn a_hundred_thousand_events() {
    let mut peaks = HashMap::new();
    for count in [FEW, MANY] {
        let (most, taken, verified) = drained(count).await;
        println!(
            "{count} events drained by one execution at a time in {taken:?}: at most {} MB, {verified} signatures verified",
            most / 1024,
        );
        peaks.insert(count, most);
    }
    let percent = peaks[&MANY] * 100 / peaks[&FEW];
    println!("  ten times as many events: {percent} % of the memory");
    assert!(percent <= 110, "memory grows with the number of events");
}
