//! Days of mixed use on a simulated clock, from a seed. Several integrators send documents, and another access point
//! sends and receives documents. The tax authority, the other access point and webhook endpoints are away for a time.
//! Workers die, queues bring messages late, twice and in any order, and the clock jumps ahead. In the end, every document
//! and each of its consequences must exist exactly once.
//!
//! `tests/scale/run soak` is a long run. It divides the documents among days with a world and a seed each, so that the
//! table of no day grows without bound.

#![expect(clippy::print_stdout, reason = "the figures are what the run is for")]

mod agenda;
mod books;
mod chaos;
mod clients;
mod closing;
mod day;
mod others;
mod plan;
mod workers;

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use tokio::time::Instant;

use self::{closing::Closing, day::Day};
use crate::environment::Environment;

/// At least so many documents are accepted, unless the environment says otherwise.
const DOCUMENTS: u64 = 50;
/// The most documents of a day.
const MOST_IN_A_DAY: u64 = 5_000;
/// How many days are simulated at once. A soak has at least as many.
const AT_ONCE: u64 = 2;
/// The stack of a thread: a future of a debug build is large.
const STACK: usize = 16 << 20;

/// Simulates a day, and closes its books.
fn simulate(seed: u64, documents: u64) -> Closing {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut day = Box::pin(Day::new(seed, documents.try_into().unwrap())).await;
        Box::pin(day.pass()).await;
        Box::pin(day.close()).await
    })
}

/// Simulates the days of a soak.
fn soak(first_seed: u64, documents: u64) -> Closing {
    let days = documents.div_ceil(MOST_IN_A_DAY).max(AT_ONCE);
    let (next, total) = (AtomicU64::new(0), Mutex::new(Closing::default()));
    let work = || loop {
        let day = next.fetch_add(1, Ordering::Relaxed);
        if days <= day {
            return;
        }
        // The remainder is spread over the first days.
        let count = documents / days + u64::from(day < documents % days);
        let (seed, begun) = (first_seed + day, Instant::now());
        let closing = simulate(seed, count);
        println!(
            "seed {seed}: {} documents in {} s, {} lost, {} doubled, {} open",
            closing.documents,
            begun.elapsed().as_secs(),
            closing.lost,
            closing.doubled,
            closing.open
        );
        total.lock().unwrap().add(closing);
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap();
        }
    });
    total.into_inner().unwrap()
}

#[test]
fn after_days_of_mixed_use_every_document_and_each_of_its_consequences_exists_once() {
    let asked = Environment::of_process();
    let number = |name: &str, default| asked.get(name).map_or(default, |it| it.parse().unwrap());
    let begun = Instant::now();
    let closing = soak(number("SOAK_SEED", 1), number("SOAK_DOCUMENTS", DOCUMENTS));
    for (what, count) in [
        ("documents", closing.documents),
        ("events", closing.events),
        ("webhooks delivered", closing.deliveries),
        ("deaths", closing.counts.deaths),
        ("redeliveries", closing.counts.redeliveries),
        ("jumps of the clock", closing.counts.jumps),
        ("repeats", closing.repeats),
        ("lost", closing.lost),
        ("doubled", closing.doubled),
        ("open", closing.open),
        ("seconds", begun.elapsed().as_secs().try_into().unwrap()),
    ] {
        println!("{what:<20}{count:>12}");
    }
    for finding in &closing.findings {
        println!("{finding}");
    }
    assert_eq!((closing.lost, closing.doubled, closing.open), (0, 0, 0));
}
