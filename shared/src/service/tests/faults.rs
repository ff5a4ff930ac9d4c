//! The answers of a busy service. Each call of a send is throttled, meets a transaction, or fails, once or from then
//! on. Afterwards a healthy process tries again. Crash points of each effect are in `crashes.rs`.
//!
//! A success answer must be true. There must be one document with one event, or none and a free key. Nothing may be
//! done twice.

use std::{collections::BTreeSet, sync::Arc};

use jiff::SignedDuration;
use tokio::task::JoinSet;

use crate::{
    document::Operation::Invoice,
    error::Code,
    store::{Direction, Status},
    testing::{Fault, Faults, World, invoice, send},
};

const FAULTS: [Fault; 4] = [Fault::Before, Fault::After, Fault::Throttled, Fault::Conflict];
/// A fault that ends soon, one that outlasts the SDK's retries, and a process that dies.
const LENGTHS: [usize; 3] = [1, 4, usize::MAX];

/// Runs a test for each kind and length of fault, each in its own world. They run concurrently, since most time is
/// spent in pauses between retries.
async fn for_each_fault<F>(test: impl Fn(World, Fault, usize) -> F)
where
    F: Future<Output = ()> + std::marker::Send + 'static,
{
    let mut tests = JoinSet::new();
    for fault in FAULTS {
        for length in LENGTHS {
            tests.spawn(test(World::new().await, fault, length));
        }
    }
    tests.join_all().await;
}

/// Counts the calls of a use case without faults.
fn counting() -> Arc<Faults> {
    Faults::new(Fault::Before, usize::MAX, 0)
}

#[tokio::test]
async fn a_send_with_a_key_survives_every_fault_of_every_call() {
    let calls = {
        let world = World::new().await;
        let falcon = world.caller("Falcon", "1001234501").await;
        world.caller("Oasis", "1001234502").await;
        world.begin_day(&falcon.organization_id).await;
        let faults = counting();
        let body = invoice("A-1", "1001234502");
        send(&world.failing(&faults).sending, &falcon, Invoice, &body, Some("k")).await.unwrap();
        faults.calls()
    };
    // Reservation, quota, UBL, the recipient and its UBL, the claim of the number, the pointers, and the transaction.
    // Authorization is one more.
    assert_eq!(calls, 8);
    for_each_fault(move |world, fault, length| send_with_faults(world, fault, length, calls)).await;
}

async fn send_with_faults(world: World, fault: Fault, length: usize, calls: usize) {
    let falcon = world.caller("Falcon", "1001234501").await;
    world.caller("Oasis", "1001234502").await;
    world.begin_day(&falcon.organization_id).await;
    for call in 0..calls {
        let point = format!("{fault:?} at call {call}, {length} calls long");
        let (key, body) = (format!("k-{call}"), invoice(&format!("A-{call}"), "1001234502"));
        let faults = Faults::new(fault, call, length);
        let first =
            send(&world.failing(&faults).sending, &falcon, Invoice, &body, Some(&key)).await;
        if let Err(failure) = &first {
            assert!(
                matches!(failure.code, Code::IdempotencyUnavailable | Code::ServiceUnavailable),
                "{point}: {:?}",
                failure.code
            );
        }
        // The SDK retries a single failure. If the process dies, the caller gets an error.
        match (length, fault) {
            (1, _) => assert!(first.is_ok(), "{point}"),
            (usize::MAX, Fault::Before | Fault::Throttled | Fault::After) => {
                assert!(first.is_err(), "{point}");
            }
            _ => {}
        }
        // The send is repeated at once, and again when every lease has ended.
        let mut last = send(&world.sending, &falcon, Invoice, &body, Some(&key)).await;
        if let Err(failure) = &last {
            assert_eq!(failure.code, Code::IdempotencyInProgress, "{point}");
            assert!(first.is_err(), "{point}");
            world.clock.advance(SignedDuration::from_secs(61));
            last = send(&world.sending, &falcon, Invoice, &body, Some(&key)).await;
        }
        let last = last.unwrap_or_else(|failure| panic!("{point}: {failure:?}"));
        if let Ok(first) = &first {
            assert_eq!(
                (&first.document_id, &first.reply.body),
                (&last.document_id, &last.reply.body),
                "{point}"
            );
            assert!(last.replayed, "{point}");
        }
    }
    every_number_once(&world, calls).await;
}

#[tokio::test]
async fn a_send_without_a_key_makes_one_document_or_says_that_it_failed() {
    let calls = {
        let world = World::new().await;
        let falcon = world.caller("Falcon", "1001234501").await;
        let faults = counting();
        let body = invoice("A-1", "1009999901");
        send(&world.failing(&faults).sending, &falcon, Invoice, &body, None).await.unwrap();
        faults.calls()
    };
    for_each_fault(move |world, fault, length| async move {
        let falcon = world.caller("Falcon", "1001234501").await;
        for call in 0..calls {
            let number = format!("A-{call}");
            let faults = Faults::new(fault, call, length);
            let body = invoice(&number, "1009999901");
            let sent = send(&world.failing(&faults).sending, &falcon, Invoice, &body, None).await;
            let made = world.documents().await.into_iter().filter(|d| d.number == number).count();
            match sent {
                Ok(_) => assert_eq!(made, 1),
                // A caller without a key cannot know: the write was applied, and cannot be read back.
                Err(_) => assert!(made == 0 || (fault, length) == (Fault::After, usize::MAX)),
            }
        }
    })
    .await;
}

/// Checks that each of `count` numbers was sent once and received once, with one event each, and that every key is
/// saved.
async fn every_number_once(world: &World, count: usize) {
    let documents = world.documents().await;
    for direction in [Direction::Outbound, Direction::Inbound] {
        let of: Vec<_> = documents.iter().filter(|d| d.direction == direction).collect();
        let numbers: BTreeSet<_> = of.iter().map(|d| &d.number).collect();
        assert_eq!((of.len(), numbers.len()), (count, count), "{direction:?}");
    }
    assert!(documents.iter().all(|d| matches!(d.status, Status::Sent | Status::Received)));
    let events = world.events().await;
    let documents: BTreeSet<_> = events.iter().map(|event| event.document_id().unwrap()).collect();
    assert_eq!((events.len(), documents.len()), (2 * count, 2 * count));
    assert_eq!(world.idempotency_records().await.len(), count);
}
