//! Places at an access point: all are freed, and a document without one waits visibly for a limited time.

use jiff::SignedDuration;
use tracing::Level;

use super::live::{RECIPIENT, Scene};
use crate::{
    document::Operation::Invoice,
    log::testing::Log,
    service::convert::Convert,
    service::dispatch::Dispatch,
    service::job,
    service::later,
    service::network::{Network, receivers::Place},
    store::{AttemptOutcome, EventType, Status, TransmissionRecord},
    testing::{Fault, Faults, invoice, send},
    types::Mode,
};

impl Scene {
    /// The network of the process.
    pub(super) async fn connected(&self) -> &Network {
        self.world.sending.network().await.unwrap().0
    }

    /// How many places at the recipient's access point are taken.
    async fn places_taken(&self) -> usize {
        self.connected().await.receivers.in_flight(Mode::Live, &self.network.address())
    }

    /// Takes every place at the recipient's access point.
    async fn fill(&self) -> Vec<Place> {
        let (ctx, address) = (&self.world.ctx, self.network.address());
        self.connected().await.receivers.all_places(ctx, Mode::Live, &address).await
    }
}

#[tokio::test]
async fn a_send_that_fails_gives_its_place_back() {
    let scene = Scene::new().await;
    scene.world.cloud.refuse_objects(&[".tar.gz"]);
    scene.send("A-1", Some("k")).await.unwrap_err();
    assert_eq!((scene.places_taken().await, scene.network.came()), (0, 0));
    for key in [None, Some("k")] {
        let scene = Scene::new().await;
        let faults = Faults::only("TransactWriteItems", Fault::Before);
        let failing = scene.world.failing(&faults);
        let body = invoice("A-1", RECIPIENT);
        send(&failing.sending, &scene.sender, Invoice, &body, key).await.unwrap_err();
        assert_eq!((scene.places_taken().await, scene.network.came()), (0, 0), "{key:?}");
    }
}

#[tokio::test]
async fn a_queued_document_that_fails_gives_its_place_back() {
    let scene = Scene::new().await;
    scene.queue(1).await;
    scene.world.stream().await;
    scene.world.run("convert", &Convert(scene.world.sending.clone())).await;
    scene.world.stream().await;
    let [message] = scene.world.cloud.receive("dispatch").try_into().unwrap();
    // The write before the first byte fails.
    let failing = scene.world.failing(&Faults::only("TransactWriteItems", Fault::Before));
    job::run(&Dispatch(failing.sending.clone()), &message.read()).await.unwrap();
    assert_eq!((scene.places_taken().await, scene.network.came()), (0, 0));
    scene.world.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(scene.document().await.status, Status::Sent);
}

#[tokio::test]
async fn a_queued_document_before_a_full_access_point_waits_visibly_and_fails_after_a_day() {
    let scene = Scene::new().await;
    let _taken = scene.fill().await;
    scene.queue(1).await;
    let log = Log::start(Level::INFO);
    scene.world.settle().await;
    let document = scene.document().await;
    assert_eq!(document.status, Status::Dispatching);
    let TransmissionRecord { attempts, .. } = scene.transmission(&document.document_id).await;
    let [attempt] = &attempts[..] else { panic!("{attempts:?}") };
    assert_eq!(attempt.outcome, Some(AttemptOutcome::Held));
    let due = later(scene.world.now(), SignedDuration::from_secs(15));
    assert!(attempt.held_until.is_some_and(|until| until <= due), "{attempt:?}");
    assert!(
        attempt.cause.as_deref().unwrap().contains("reached its concurrency limit"),
        "{attempt:?}"
    );
    let lines = log.lines();
    let full = lines.iter().find(|line| line["receiver_full"] == 1).expect("it is counted");
    assert_eq!(full["as4.receiver"], crate::testing::THEIR_SEAT);

    for _ in 0..2 {
        assert_eq!(scene.document().await.status, Status::Dispatching);
        scene.world.pass(SignedDuration::from_mins(12 * 59)).await;
    }
    scene.world.pass(SignedDuration::from_mins(57)).await;
    let document = scene.document().await;
    assert_eq!(document.status, Status::Failed);
    assert_eq!(document.warnings[0].rule, "AP-NETWORK-given-up", "{:?}", document.warnings);
    assert_eq!(scene.outcomes().await, [Some(AttemptOutcome::Held)], "one wait is recorded once");
    assert_eq!(scene.events().await, [EventType::DocumentStatus]);
    assert_eq!(scene.network.came(), 0);
}

#[tokio::test]
async fn a_queued_document_leaves_once_there_is_room_again() {
    let scene = Scene::new().await;
    let taken = scene.fill().await;
    scene.queue(1).await;
    scene.world.settle().await;
    scene.world.clock.advance(SignedDuration::from_hours(100));
    drop(taken);
    // The day has passed, and an attempt is made nevertheless.
    scene.world.pass(SignedDuration::ZERO).await;
    assert_eq!(scene.document().await.status, Status::Sent);
    use AttemptOutcome::{Held, Received};
    assert_eq!(scene.outcomes().await, [Some(Held), Some(Received)]);
}
