//! Crash points: each possible mishap is injected into each effect of a use case, each time in a new world.
//!
//! An effect is a call to the table, the bucket or a queue, or a webhook's request. Afterwards the caller retries,
//! queues redeliver, time passes and the sweeper runs. Then every result must exist exactly once. To add a use case,
//! add a line to `service/tests/crashes.rs`.

#![expect(clippy::print_stdout, reason = "the figures are what the run is for")]

mod mishap;
mod scene;

pub(super) use self::mishap::Crash;
pub(crate) use self::{
    mishap::{Mishap, befalls},
    scene::{Scene, SendKind, is_temporary},
};

use std::sync::{Arc, LazyLock, Mutex};

use super::{Faults, Process};
use crate::{environment::Environment, webhook::receiver::Fate};

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
