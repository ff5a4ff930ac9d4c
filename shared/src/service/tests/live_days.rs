//! Failures of other systems, and the effect of each on a Live send: its answer, its attempt, its document, and the
//! time.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use tokio::{task::JoinSet, time::Instant};

use super::live::{RECIPIENT, Scene, Standing};
use crate::{
    document::Operation,
    error::Code,
    peppol::as4::Rule,
    service::{dispatch::Dispatch, job, network::receivers::Admission},
    store::{AttemptOutcome, EventType, Status, breakers::RECEIVER_PAUSES},
    testing::{Publishes, Takes, invoice, send},
    types::Mode,
    webhook::receiver::{Behaviour, Receiver},
};

/// The answer of a gateway whose access point is down.
fn page(status: u16) -> Takes {
    Takes::AndAnswers(status, "text/html", "<html>Bad gateway</html>".to_owned())
}

impl Scene {
    /// The causes of the attempts at the document.
    async fn causes(&self) -> Vec<String> {
        let document = self.document().await;
        let attempts = self.transmission(&document.document_id).await.attempts;
        attempts.into_iter().map(|attempt| attempt.cause.unwrap_or_default()).collect()
    }

    async fn message_ids(&self) -> Vec<String> {
        let document = self.document().await;
        let attempts = self.transmission(&document.document_id).await.attempts;
        attempts.into_iter().filter_map(|attempt| attempt.message_id).collect()
    }

    /// Until when the access point's breaker is open.
    async fn open_until(&self) -> Timestamp {
        let (ctx, address) = (&self.world.ctx, self.network.address());
        let receivers = &self.connected().await.receivers;
        match receivers.admit(ctx, Mode::Live, &address, Duration::ZERO).await.unwrap() {
            Admission::Open(until) => until,
            Admission::Admitted(_) | Admission::Busy(_) => panic!("it is not open"),
        }
    }
}

#[tokio::test]
async fn sends_at_once_to_an_access_point_that_was_never_asked_are_all_delivered() {
    let scene = Scene::new().await;
    let mut sending = scene.world.sending.clone();
    sending.ctx.clock = Arc::new(Standing(scene.world.now()));
    let sends: JoinSet<_> = (0..8)
        .map(|number| {
            let (sending, sender) = (sending.clone(), scene.sender.clone());
            async move {
                let body = invoice(&format!("A-{number}"), RECIPIENT);
                send(&sending, &sender, Operation::Invoice, &body, None).await
            }
        })
        .collect();
    for sent in sends.join_all().await {
        assert_eq!(sent.unwrap().reply.status, 201);
    }
    assert_eq!(scene.network.taken().len(), 8);
}

#[tokio::test]
async fn a_send_is_answered_in_its_time_however_slow_the_others_are() {
    let time = Duration::from_secs(8);
    let answered = async |publishes: Publishes, takes: Takes, code: Code, cause: &str| {
        let scene = Scene::new().await;
        scene.network.publishes(publishes.clone());
        scene.network.takes(takes);
        let mut sending = scene.world.sending.clone();
        sending.settings.time = time;
        let (body, begun) = (invoice("A-1", RECIPIENT), Instant::now());
        let sent = send(&sending, &scene.sender, Operation::Invoice, &body, Some("k")).await;
        assert!(begun.elapsed() < time, "{publishes:?}: {:?}", begun.elapsed());
        let failure = sent.unwrap_err();
        assert_eq!(failure.code, code, "{publishes:?}: {}", failure.message);
        if code == Code::TransmissionUnconfirmed {
            let document = scene.document().await;
            assert_eq!((document.status, &document.lease), (Status::Dispatching, &None));
            assert_eq!(scene.outcomes().await, [Some(AttemptOutcome::Unconfirmed)]);
            let causes = scene.causes().await;
            assert!(causes[0].contains(cause), "{causes:?}");
        } else {
            assert!(failure.message.contains(cause), "{}", failure.message);
            assert!(scene.world.documents().await.is_empty());
        }
    };
    let (slow, slower) = (Duration::from_millis(400), Duration::from_secs(60));
    let unconfirmed = Code::TransmissionUnconfirmed;
    let bytes = format!("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{}", "x".repeat(9000));
    let dripping = Receiver::start(Behaviour::Drips(Duration::from_millis(50), bytes)).await;
    tokio::join!(
        answered(Publishes::After(slow), Takes::After(slower), unconfirmed, "no answer within"),
        answered(
            Publishes::At(dripping.url.clone()),
            Takes::Well,
            unconfirmed,
            "not complete in time"
        ),
        answered(Publishes::After(slower), Takes::Well, Code::RecipientLookupFailed, "no answer"),
    );
}

#[tokio::test]
async fn server_errors_without_an_answer_of_as4_open_the_breaker() {
    for status in [500, 502, 504] {
        let scene = Scene::new().await;
        scene.network.takes(page(status));
        for number in 0..5 {
            let failure = scene.send(&format!("A-{number}"), None).await.unwrap_err();
            assert_eq!(failure.code, Code::TransmissionUnconfirmed, "{status}");
        }
        let failure = scene.send("A-5", None).await.unwrap_err();
        assert_eq!(failure.code, Code::RecipientUnreachable, "{status}");
        assert_eq!(scene.network.came(), 5, "{status}");
    }
}

#[tokio::test]
async fn an_access_point_that_fails_on_is_left_alone_twice_as_long_each_time_up_to_an_hour() {
    let scene = Scene::new().await;
    scene.network.takes(page(502));
    for number in 0..5 {
        scene.send(&format!("A-{number}"), None).await.unwrap_err();
    }
    let mut pause = RECEIVER_PAUSES.first;
    for number in 5..13 {
        let now = scene.world.now();
        assert_eq!(scene.open_until().await.duration_since(now), pause);
        scene.world.clock.advance(pause);
        let failure = scene.send(&format!("A-{number}"), None).await.unwrap_err();
        assert_eq!(failure.code, Code::TransmissionUnconfirmed, "one tries");
        pause = RECEIVER_PAUSES.longest.min(pause * 2);
    }
    assert_eq!(pause, RECEIVER_PAUSES.longest);
    let until = scene.open_until().await;
    scene.network.takes(Takes::Well);
    scene.world.clock.advance(until.duration_since(scene.world.now()));
    scene.send("A-14", None).await.unwrap();
    scene.send("A-15", None).await.unwrap();
}

#[tokio::test]
async fn what_anybody_can_say_after_silence_costs_no_message_its_id() {
    let scene = Scene::new().await;
    let unsigned = Takes::RefusesUnsigned(Rule::NotDelivered);
    scene.network.takes_first(&[Takes::AndHangsUp, unsigned]);
    scene.send("A-1", None).await.unwrap_err();
    scene.wait_and_dispatch().await;
    scene.wait_and_dispatch().await;
    assert_eq!(scene.document().await.status, Status::Sent);
    let ids = scene.message_ids().await;
    assert_eq!(ids.len(), 3);
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
    let [_, unsigned, _] = &scene.causes().await[..] else { panic!("not three attempts") };
    assert!(unsigned.contains("EBMS:0202") && unsigned.contains("unsigned"), "{unsigned}");
}

#[tokio::test]
async fn a_day_of_unsigned_errors_proves_nothing_either() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::RefusesUnsigned(Rule::NotServiced));
    scene.send("A-1", None).await.unwrap_err();
    for attempt in 2..40 {
        if scene.document().await.status != Status::Dispatching {
            break;
        }
        assert!(attempt < 35, "it goes on");
        scene.wait_and_dispatch().await;
    }
    assert_eq!(scene.document().await.status, Status::Unconfirmed);
    let ids = scene.message_ids().await;
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
}

#[tokio::test]
async fn while_the_network_does_not_answer_it_is_asked_once_a_minute_for_what_was_found_before() {
    let scene = Scene::new().await;
    scene.send("A-1", None).await.unwrap();
    scene.world.clock.advance(SignedDuration::from_mins(16));
    scene.network.publishes(Publishes::Status(503));
    let asked = scene.network.asked();
    for (number, more) in [(2, 1), (3, 1), (4, 1)] {
        scene.send(&format!("A-{number}"), None).await.unwrap();
        assert_eq!(scene.network.asked(), asked + more);
    }
    scene.world.clock.advance(SignedDuration::from_mins(1));
    scene.send("A-5", None).await.unwrap();
    assert_eq!(scene.network.asked(), asked + 2, "once more");
    // The first answer counts at once.
    scene.network.publishes(Publishes::Well);
    scene.world.clock.advance(SignedDuration::from_mins(1));
    for number in 6..8 {
        scene.send(&format!("A-{number}"), None).await.unwrap();
        assert_eq!(scene.network.asked(), asked + 4);
    }
    assert_eq!(scene.network.taken().len(), 7);
}

#[tokio::test]
async fn a_receipt_that_proves_nothing_says_why_and_the_same_message_goes_again() {
    let cases = [
        (Takes::AndSignsNothing, "not signed"),
        (Takes::AndConfirmsAnother, "another@our.test"),
        (Takes::AndBreaksOff, "HTTP 200"),
        (Takes::AndSpoilsReceipt, "digest"),
    ];
    for (takes, word) in cases {
        let scene = Scene::new().await;
        scene.network.takes_first(std::slice::from_ref(&takes));
        let failure = scene.send("A-1", None).await.unwrap_err();
        assert_eq!(failure.code, Code::TransmissionUnconfirmed, "{takes:?}");
        let document = scene.document().await;
        assert_eq!(failure.document_id.as_deref(), Some(document.document_id.as_str()));
        assert_eq!(document.status, Status::Dispatching, "{takes:?}");
        let [cause] = &scene.causes().await[..] else { panic!("not one attempt") };
        assert!(cause.to_lowercase().contains(&word.to_lowercase()), "{takes:?}: {cause}");
        assert_eq!(scene.transmission(&document.document_id).await.receipt, None);
        scene.wait_and_dispatch().await;
        assert_eq!(scene.document().await.status, Status::Sent, "{takes:?}");
        let [first, second] = &scene.message_ids().await[..] else { panic!("not two") };
        assert_eq!(first, second, "{takes:?}");
        let outcomes = [Some(AttemptOutcome::Unconfirmed), Some(AttemptOutcome::Received)];
        assert_eq!(scene.outcomes().await, outcomes);
    }
}

#[tokio::test]
async fn of_dispatchers_at_once_one_sends_the_document() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::Status(503)]);
    scene.send("A-1", None).await.unwrap_err();
    let message = scene.due_message().await;
    let workers: JoinSet<_> = (0..8)
        .map(|_| {
            let (sending, message) = (scene.world.sending.clone(), message.clone());
            async move { job::run(&Dispatch(sending.clone()), &message).await.is_ok() }
        })
        .collect();
    assert_eq!(workers.join_all().await, [true; 8]);
    assert_eq!((scene.network.came(), scene.document().await.status), (2, Status::Sent));
    assert_eq!(scene.events().await, [EventType::DocumentSent]);
}

#[tokio::test]
async fn a_dispatcher_that_another_took_over_from_changes_nothing_any_more() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::Status(503), Takes::After(Duration::from_millis(800))]);
    scene.send("A-1", None).await.unwrap_err();
    let message = scene.due_message().await;
    let first = {
        let (sending, message) = (scene.world.sending.clone(), message.clone());
        tokio::spawn(async move { job::run(&Dispatch(sending.clone()), &message).await })
    };
    while scene.network.came() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Its lease ends while the access point is still working.
    scene.world.clock.advance(SignedDuration::from_secs(61));
    job::run(&Dispatch(scene.world.sending.clone()), &message).await.unwrap();
    let sent: Timestamp = scene.document().await.updated_at;
    first.await.unwrap().unwrap();
    let document = scene.document().await;
    assert_eq!((document.status, document.updated_at), (Status::Sent, sent));
    let [first, second] = &scene.network.taken()[..] else { panic!("not two messages") };
    assert_eq!(first, second, "one message, which came twice");
    assert_eq!(scene.events().await, [EventType::DocumentSent]);
}
