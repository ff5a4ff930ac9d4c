use std::cmp::Reverse;

use super::{agenda::Scheduled, *};
use crate::{
    costs::{self, Life},
    scenario::{Curve, Disturbance},
    service,
};

fn setup(lives: Vec<Life>, kinds: Vec<Kind>) -> Setup {
    Setup { weight: 5.0, ..Setup::new(lives, kinds) }
}

fn measured() -> (Vec<Life>, Vec<Kind>) {
    let mut all = costs::tests::lives();
    let mut lives: Vec<_> = ["sent_1_line", "queued_1_line", "received_1_line"]
        .map(|name| all.remove(name).unwrap())
        .into();
    let kinds = costs::unify(&mut lives);
    (lives, kinds)
}

fn scenario(load: Curve, drain: f64) -> Scenario {
    Scenario {
        name: "test",
        what: "",
        load,
        drain,
        disturbance: Disturbance::None,
        watched: Disturbance::None,
        weights: (1.0, 1.0),
    }
}

#[test]
fn accepted_documents_are_closed_open_parked_or_failed_and_none_is_lost() {
    let (lives, kinds) = measured();
    let mut setup = setup(lives, kinds);
    // Many deaths and lost messages: everything is recovered by the lease and the sweeper.
    setup.faults = Faults { lost: 0.01, deaths: 0.01 };
    let outcome = run(&setup, &scenario(Curve::flat(20.0, 600.0), 10_800.0));
    let Ledger { offered, accepted, refused, waiting, closed, open, parked, failed, lost, .. } =
        outcome.ledger;
    assert!(offered > 10_000.0, "{:?}", outcome.ledger);
    assert_eq!(offered, accepted + refused + waiting);
    assert_eq!(accepted, closed + open + parked + failed + lost);
    assert_eq!(lost, 0.0);
    assert!(closed > 0.99 * accepted, "{:?}", outcome.ledger);
    assert!(outcome.ledger.repeated > 0.0);
}

#[test]
fn a_document_uses_the_units_of_its_life() {
    let (lives, kinds) = measured();
    let sum = |of: fn(&Stage) -> f64| lives[SENT].sum(of);
    let (writes, puts) = (sum(|it| it.writes + it.due_writes), sum(|it| it.puts));
    let mut setup = setup(lives.clone(), kinds);
    setup.faults = Faults { lost: 0.0, deaths: 0.0 };
    setup.outside.mix = (1.0, 0.0);
    setup.outside.refused = 0.0;
    // A job for which an access point has no place begins its stage anew.
    setup.code.places.patience = (f64::INFINITY, f64::INFINITY);
    let outcome = run(&setup, &scenario(Curve::flat(20.0, 600.0), 7200.0));
    let documents = outcome.ledger.closed;
    assert_eq!(documents, outcome.ledger.offered, "{:?} {:?}", outcome.ledger, outcome.limits);
    assert_eq!(outcome.used.puts / documents, puts);
    // The sweeper's visits write as well.
    assert!((outcome.used.writes / documents / writes - 1.0).abs() < 0.05);
}

/// A life of one request and one job that takes a fixed time.
fn bare() -> Life {
    let stage = |name: &str, function: &str, after| Stage {
        name: name.to_owned(),
        function: function.to_owned(),
        writes: 0.0,
        due_writes: 0.0,
        reads: 0.0,
        puts: 0.0,
        gets: 0.0,
        queue_requests: 0.0,
        calls: (0.0, 0.0),
        shares: Vec::new(),
        after,
    };
    let stages = vec![stage("acceptance", "api", None), stage("conversion", "convert", Some(0))];
    Life { stages, kinds: Vec::new(), next: vec![vec![1], Vec::new()] }
}

#[test]
fn a_queue_with_one_execution_is_as_long_as_the_formula_of_m_d_1_says() {
    let mut setup = setup(vec![bare(), bare(), bare()], Vec::new());
    (setup.weight, setup.spread, setup.poisson) = (1.0, false, true);
    setup.faults = Faults { lost: 0.0, deaths: 0.0 };
    setup.outside.mix = (0.0, 1.0);
    setup.deployment.stage_concurrency = 1.0;
    // A job takes 0.1 s: as much CPU time as the memory has of a vCPU.
    for function in &mut setup.functions {
        function.batch = 1.0;
    }
    let convert = service::functions().into_iter().find(|it| it.name == "convert").unwrap();
    let (lasts, rate, time) = (0.1, 8.0, 60_000.0);
    setup.code.cpu_of_a_stage = lasts * convert.memory / aws::VCPU;
    let mut setup_api = setup.clone();
    setup_api.deployment.executions = 1e6;
    let scenario = scenario(Curve::flat(rate, time), 600.0);
    let outcome = run(&setup_api, &scenario);
    let waiting = outcome.series.lines.iter().find(|(name, _)| name == "convert").unwrap();
    let samples = &waiting.1[5..240.min(waiting.1.len())];
    let length = samples.iter().sum::<f64>() / samples.len() as f64;
    // Pollaczek and Khinchin for M/D/1: the queue has ρ² / (2 (1 - ρ)) jobs that wait.
    let busy: f64 = rate * lasts;
    let expected = busy * busy / (2.0 * (1.0 - busy));
    assert!((length / expected - 1.0).abs() < 0.25, "{length} instead of {expected}");
}

#[test]
fn a_queue_is_polled_by_300_more_executions_each_minute() {
    let mut setup = setup(vec![bare(), bare(), bare()], Vec::new());
    (setup.weight, setup.spread) = (1.0, false);
    setup.outside.mix = (0.0, 1.0);
    setup.deployment.stage_concurrency = 1000.0;
    for function in &mut setup.functions {
        function.batch = 1.0;
    }
    let convert = service::functions().into_iter().find(|it| it.name == "convert").unwrap();
    setup.code.cpu_of_a_stage = 20.0 * convert.memory / aws::VCPU;
    let scenario = scenario(Curve::flat(100.0, 130.0), 1.0);
    let mut world = World::new(&setup, &scenario);
    world.start();
    let mut seen = Vec::new();
    while let Some(Reverse(Scheduled { at, event, .. })) = world.agenda.pop() {
        world.now = at;
        let tick = matches!(event, Event::Second);
        world.happen(event);
        let place = world.place("convert");
        if tick && [60, 120].contains(&world.seconds) {
            seen.push(world.functions[place].in_use);
        }
        if at > 121.0 {
            break;
        }
    }
    let grown = seen[1] - seen[0];
    assert!((270.0..=310.0).contains(&grown), "{seen:?}");
}

#[test]
fn one_machine_is_as_fast_as_its_slowest_function() {
    let (lives, kinds) = measured();
    let setup = setup(lives, kinds);
    // Six deliveries and events for each document; the function deliver takes three times 0.1 s.
    let file = r#"{"documents": 400, "rate": 20, "answer": 0.01, "webhook": 0.001, "poll": 0.1,
        "functions": {"deliver": {"executions": 2, "seconds": 0.1, "batch": 1}},
        "measured": {"seconds": 60.0}}"#;
    let emulator: crate::emulator::Emulator = serde_json::from_str(file).unwrap();
    let text = emulator.compare(&setup).unwrap();
    assert!(text.contains("| documents a second | 6."), "{text}");
}

#[test]
fn one_machine_takes_batches_and_lets_requests_wait() {
    let (lives, kinds) = measured();
    let setup = setup(lives, kinds);
    // Ten deliveries at once take 0.05 s, 0.005 s for each, and a second at the endpoint: 18.2 of two executions in a second, three of
    // them for each document. Of eight documents a second, 18 deliveries for 125 seconds are left.
    let file = r#"{"documents": 1000, "rate": 8, "answer": 0.01, "webhook": 1, "poll": 0.05,
        "functions": {"deliver": {"executions": 2, "call": 0.05, "seconds": 0.005, "batch": 10},
                      "report": {"executions": 2, "seconds": 0.01, "batch": 10},
                      "api": {"executions": 1, "call": 0.1, "seconds": 0, "batch": 1}},
        "measured": {"seconds": 165.0, "deepest": {"deliver": 727, "report": 5}}}"#;
    let emulator: crate::emulator::Emulator = serde_json::from_str(file).unwrap();
    let text = emulator.compare(&setup).unwrap();
    assert!(text.contains("| documents a second | 6."), "{text}");
    let (offered, rest) = text.split_once(" documents were offered, ").unwrap();
    assert!(rest.starts_with(&format!("{offered} closed")), "{text}");
    // A queue that does not build up is not compared.
    assert!(text.contains("| 5.0 | – |"), "{text}");
}
