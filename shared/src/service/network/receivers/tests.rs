//! Places at an access point, in one process and in several.

use super::*;
use crate::{
    store::breakers::{PROBE, RECEIVER_PAUSES},
    testing::World,
    types::SeededRandom,
};

const ADDRESS: &str = "https://ap.example/as4";

/// A process with a memory of its own.
struct Process {
    ctx: Context,
    receivers: Receivers,
}

impl Process {
    fn of(world: &World) -> Process {
        Process { ctx: world.ctx.clone(), receivers: Receivers::default() }
    }

    async fn ask(&self) -> Admission {
        self.receivers.admit(&self.ctx, Mode::Live, ADDRESS, Duration::ZERO).await.unwrap()
    }

    async fn place(&self) -> Place {
        match self.ask().await {
            Admission::Admitted(place) => place,
            Admission::Open(until) => panic!("open until {until}"),
            Admission::Busy(until) => panic!("busy until {until}"),
        }
    }

    /// One message.
    async fn sees(&self, sign: Sign) {
        self.place().await.observed(&self.ctx, sign).await;
    }

    /// As many messages as there are places, at once. Returns their count.
    async fn round(&self, world: &World, takes: SignedDuration, sign: Sign) -> usize {
        let places = self.receivers.all_places(&self.ctx, Mode::Live, ADDRESS).await;
        let count = places.len();
        world.clock.advance(takes);
        for place in places {
            place.observed(&self.ctx, sign).await;
        }
        count
    }
}

const OVERLOADED: Sign = Sign::Overloaded { retry_after: None };

fn seconds(seconds: i64) -> SignedDuration {
    SignedDuration::from_secs(seconds)
}

#[tokio::test]
async fn places_double_each_round_while_an_access_point_answers_and_halve_when_it_does_not() {
    let world = World::unconnected().await;
    let process = Process::of(&world);
    let quick = SignedDuration::from_millis(300);
    let mut rounds = Vec::new();
    for _ in 0..5 {
        rounds.push(process.round(&world, quick, Sign::Answers).await);
    }
    // The places that are freed before are no longer needed: the last answers of a round add none.
    assert!(rounds.is_sorted() && rounds[0] == FIRST && rounds[4] > 3 * FIRST, "{rounds:?}");
    let before = *rounds.last().unwrap();
    let mut places = process.receivers.all_places(&process.ctx, Mode::Live, ADDRESS).await;
    let count = places.len();
    assert!(count >= before);
    // All messages that are on their way together are one sign of congestion.
    for place in places.drain(..3) {
        place.observed(&process.ctx, OVERLOADED).await;
        world.clock.advance(quick);
    }
    drop(places);
    let after = process.round(&world, quick, Sign::Answers).await;
    assert_eq!(after, count / 2);
    // From then on, a place is added after each round.
    let next = process.round(&world, quick, Sign::Answers).await;
    assert!(next <= after + 1, "{after}, then {next}");
}

#[tokio::test]
async fn an_access_point_that_always_takes_three_seconds_gets_as_many_places_as_a_quick_one() {
    let world = World::unconnected().await;
    let process = Process::of(&world);
    for _ in 0..8 {
        process.round(&world, seconds(3), Sign::Answers).await;
    }
    let most = process.round(&world, seconds(3), Sign::Answers).await;
    assert!(most > 5 * FIRST, "{most}");
    // It takes much longer than it can: it is congested.
    process.round(&world, seconds(20), Sign::Answers).await;
    assert!(process.round(&world, seconds(3), Sign::Answers).await <= most / 2 + 1);
    for _ in 0..8 {
        process.round(&world, seconds(20), Sign::Answers).await;
    }
    assert_eq!(process.round(&world, seconds(20), Sign::Answers).await, FIRST);
    // It has been slow for so long that this is what it can.
    for _ in 0..60 {
        process.round(&world, seconds(20), Sign::Answers).await;
    }
    assert!(process.round(&world, seconds(20), Sign::Answers).await >= most / 2);
}

#[tokio::test]
async fn an_access_point_that_one_message_overloads_has_a_pause_or_as_long_as_it_asks_for() {
    let world = World::unconnected().await;
    let process = Process::of(&world);
    let paused = async || match process.ask().await {
        Admission::Busy(until) => until.duration_since(world.now()),
        Admission::Admitted(_) | Admission::Open(_) => panic!("it is not paused"),
    };
    process.sees(Sign::Answers).await;
    for places in [4, 2] {
        let free = process.receivers.all_places(&process.ctx, Mode::Live, ADDRESS).await;
        assert_eq!(free.len(), places);
        drop(free);
        process.sees(OVERLOADED).await;
        world.clock.advance(seconds(1));
    }
    process.sees(OVERLOADED).await;
    let pause = paused().await;
    assert!(pause >= PAUSE + BUSY && pause <= PAUSE + BUSY * 3, "{pause}");
    world.clock.advance(pause);
    process.sees(Sign::Answers).await;
    let asks = Sign::Overloaded { retry_after: Some(seconds(120)) };
    process.sees(asks).await;
    assert!(paused().await >= seconds(120));
    world.clock.advance(seconds(240));
    process.sees(Sign::Overloaded { retry_after: Some(seconds(86_400)) }).await;
    assert!(paused().await <= LONGEST_ASKED + BUSY * 3, "nobody can stop us for a day");
}

#[tokio::test]
async fn failures_that_each_another_process_sees_open_the_breaker_for_all() {
    let world = World::unconnected().await;
    for _ in 0..FAILURES {
        Process::of(&world).sees(Sign::Fails).await;
    }
    let others = Process::of(&world);
    let Admission::Open(until) = others.ask().await else { panic!("it is not open") };
    assert_eq!(until.duration_since(world.now()), RECEIVER_PAUSES.first);
    // One probe at a time. Where its process dies, another one follows.
    world.clock.advance(RECEIVER_PAUSES.first);
    let dead = others.place().await;
    assert!(matches!(Process::of(&world).ask().await, Admission::Busy(_)));
    drop(dead);
    assert!(matches!(Process::of(&world).ask().await, Admission::Busy(_)));
    world.clock.advance(PROBE);
    let probing = Process::of(&world);
    probing.sees(Sign::Fails).await;
    let Admission::Open(until) = Process::of(&world).ask().await else { panic!("it is not open") };
    assert_eq!(until.duration_since(world.now()), RECEIVER_PAUSES.first * 2);
    world.clock.advance(RECEIVER_PAUSES.first * 2);
    probing.sees(Sign::Answers).await;
    for _ in 0..FAILURES - 1 {
        Process::of(&world).sees(Sign::Fails).await;
    }
    drop(Process::of(&world).place().await);
}

#[tokio::test]
async fn a_breaker_that_opened_closes_for_everybody_within_seconds_of_an_answer() {
    let world = World::unconnected().await;
    let (alive, other) = (Process::of(&world), Process::of(&world));
    let late = alive.place().await;
    for _ in 0..FAILURES {
        other.sees(Sign::Fails).await;
    }
    assert!(matches!(other.ask().await, Admission::Open(_)));
    // A message that left before is answered after all. Its process has heard of the breaker meanwhile.
    world.clock.advance(FRESH);
    assert!(matches!(alive.ask().await, Admission::Open(_)));
    late.observed(&alive.ctx, Sign::Answers).await;
    world.clock.advance(FRESH);
    drop(other.place().await);
}

#[tokio::test]
async fn an_access_point_that_answers_costs_no_write_and_few_reads() {
    let world = World::unconnected().await;
    let metered = world.metered();
    let process = Process { ctx: metered.sending.ctx.clone(), receivers: Receivers::default() };
    for _ in 0..100 {
        process.sees(Sign::Answers).await;
        world.clock.advance(SignedDuration::from_millis(500));
    }
    let usage = metered.meter.take();
    // Fifty seconds, and the state counts for five.
    assert_eq!(usage.calls.len(), 10, "{:?}", usage.calls);
    let units = usage
        .partitions
        .values()
        .fold((0, 0), |(write, read), units| (write + units.write, read + units.read));
    assert_eq!(units, (0, 10), "halves of units");
}

#[tokio::test]
async fn a_busy_access_point_that_fails_now_and_then_stays_open_to_all() {
    let world = World::unconnected().await;
    let processes: Vec<_> = (0..40).map(|_| Process::of(&world)).collect();
    let random = SeededRandom::new(11);
    let mut refused = 0;
    for number in 0..4_000_usize {
        let process = &processes[number % processes.len()];
        world.clock.advance(SignedDuration::from_millis(10));
        let fails = part(seconds(100), &random) < seconds(5);
        match process.ask().await {
            Admission::Admitted(place) => {
                let sign = if fails { Sign::Fails } else { Sign::Answers };
                place.observed(&process.ctx, sign).await;
            }
            Admission::Open(_) | Admission::Busy(_) => refused += 1,
        }
    }
    assert_eq!(refused, 0, "one message in twenty fails");
}

#[tokio::test]
async fn a_message_waits_for_a_place_and_comes_again_by_the_queue_where_none_is_freed() {
    let world = World::unconnected().await;
    let process = Arc::new(Process::of(&world));
    let mut taken = process.receivers.all_places(&process.ctx, Mode::Live, ADDRESS).await;
    assert_eq!(taken.len(), FIRST);
    let Admission::Busy(until) = process.ask().await else { panic!("there is a place") };
    let wait = until.duration_since(world.now());
    assert!(wait >= BUSY && wait <= BUSY * 3, "{wait}");
    let waiting = {
        let process = process.clone();
        tokio::spawn(async move {
            let patience = Duration::from_secs(20);
            process.receivers.admit(&process.ctx, Mode::Live, ADDRESS, patience).await.unwrap()
        })
    };
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!waiting.is_finished());
    taken.pop();
    assert!(matches!(waiting.await.unwrap(), Admission::Admitted(_)));
}
