//! Recipients and access points that do not answer.

use super::*;

#[tokio::test]
async fn silence_is_unconfirmed_and_the_same_message_goes_on_until_it_is_known() {
    for takes in [
        Takes::AndHangsUp,
        Takes::AndAnswers(200, "application/soap+xml", String::new()),
        Takes::AndAnswers(200, "text/html", "<html>Welcome</html>".to_owned()),
        Takes::AndAnswers(500, "text/plain", "Internal error".to_owned()),
        Takes::AndAnswers(200, "application/soap+xml", "x".repeat(3 << 20)),
        Takes::AndSpoilsReceipt,
        Takes::Status(503),
    ] {
        let scene = Scene::new().await;
        scene.network.takes_first(std::slice::from_ref(&takes));
        let failure = scene.send("A-1", Some("k")).await.unwrap_err();
        assert_eq!(failure.code, Code::TransmissionUnconfirmed, "{takes:?}: {}", failure.message);
        let document = scene.document().await;
        assert!(failure.message.contains(document.document_id.as_str()));
        assert_eq!((document.status, &document.lease), (Status::Dispatching, &None));
        let waiting = scene.send("A-1", Some("k")).await.unwrap_err();
        assert_eq!(waiting.code, Code::IdempotencyInProgress);
        assert_eq!(waiting.document_id.as_deref(), Some(document.document_id.as_str()));

        scene.wait_and_dispatch().await;
        assert_eq!(scene.document().await.status, Status::Sent, "{takes:?}");
        let came: Vec<_> = scene.network.taken().into_iter().map(|it| it.message_id).collect();
        assert!(came.windows(2).all(|pair| pair[0] == pair[1]), "one message: {came:?}");
        assert_eq!(scene.network.came(), 2);
        let outcomes = [Some(AttemptOutcome::Unconfirmed), Some(AttemptOutcome::Received)];
        assert_eq!(scene.outcomes().await, outcomes, "{takes:?}");
        assert_eq!(scene.events().await, [EventType::DocumentSent]);
        // The reply that was still missing is saved now.
        let answer = scene.send("A-1", Some("k")).await.unwrap();
        assert!(answer.replayed && answer.reply.status == 201);
    }
}

#[tokio::test]
async fn an_error_that_may_pass_is_tried_again_under_a_new_message_id_and_the_same_instance() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::Refuses(Rule::NotDelivered)]);
    let failure = scene.send("A-1", Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::TransmissionUnconfirmed);
    let document = scene.document().await;
    let first = scene.transmission(&document.document_id).await.attempts[0].clone();
    assert_eq!(first.ebms_code.as_deref(), Some("EBMS:0202"));
    scene.wait_and_dispatch().await;
    let [taken] = &scene.network.taken()[..] else { panic!("not one message") };
    assert_ne!(first.message_id.as_ref(), Some(&taken.message_id));
    assert_eq!(taken.instance_id, document.message_id.to_string());
    let outcomes = [Some(AttemptOutcome::Deferred), Some(AttemptOutcome::Received)];
    assert_eq!(scene.outcomes().await, outcomes);
}

#[tokio::test]
async fn a_message_that_comes_before_its_time_makes_no_attempt() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::AndHangsUp);
    scene.send("A-1", Some("k")).await.unwrap_err();
    for attempts in 1..=5 {
        // As after a backlog, when the sweeper has sent a second message.
        scene.dispatch().await;
        assert_eq!(scene.network.came(), attempts);
        scene.wait_and_dispatch().await;
    }
}

#[tokio::test]
async fn a_queued_document_waits_for_its_recipient_a_day_and_then_fails() {
    let scene = Scene::new().await;
    scene.network.names(Names::ServerFailure);
    let body = invoice("A-1", RECIPIENT);
    let sent = send_queued(&scene.world.sending, &scene.sender, &body, Some("k")).await.unwrap();
    assert_eq!(sent.reply.status, 202);
    scene.world.stream().await;
    scene.world.work().await;
    scene.world.stream().await;
    scene.world.cloud.receive("dispatch");
    scene.dispatch().await;
    assert_eq!(scene.document().await.status, Status::Dispatching);
    for attempt in 2..40 {
        if scene.document().await.status != Status::Dispatching {
            break;
        }
        assert!(attempt < 35, "it goes on");
        scene.wait_and_dispatch().await;
    }
    let document = scene.document().await;
    assert_eq!(document.status, Status::Failed);
    assert_eq!(document.warnings[0].rule, "AP-NETWORK-given-up");
    assert_eq!(scene.network.came(), 0);
}

#[tokio::test]
async fn what_may_have_been_delivered_does_not_fail_but_stays_unconfirmed() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp]);
    scene.send("A-1", Some("k")).await.unwrap_err();
    scene.network.takes(Takes::Refuses(Rule::NotServiced));
    scene.wait_and_dispatch().await;
    let document = scene.document().await;
    assert_eq!(document.status, Status::Unconfirmed);
    assert_eq!(scene.events().await, [EventType::DocumentStatus]);
    let answer = scene.send("A-1", Some("k")).await.unwrap();
    assert!(String::from_utf8(answer.reply.body).unwrap().contains("unconfirmed"));
    let record = &scene.world.idempotency_records().await[0];
    assert!(matches!(record.state, IdempotencyState::Saved { .. }));
}

#[tokio::test]
async fn documents_to_an_access_point_that_stays_away_wait_visibly_and_fail_after_a_day() {
    let scene = Scene::new().await;
    scene.network.publishes(Publishes::At("http://127.0.0.1:9/as4".to_owned()));
    scene.queue(8).await;
    scene.world.settle().await;
    let mut held = 0;
    for document in scene.world.documents().await {
        assert_eq!(document.status, Status::Dispatching);
        let attempts = scene.transmission(&document.document_id).await.attempts;
        let last = attempts.last().unwrap();
        if last.outcome == Some(AttemptOutcome::Held) {
            held += 1;
            assert!(last.held_until.is_some() && last.endpoint.is_some());
            assert!(last.cause.as_deref().unwrap().contains("nothing was sent"), "{last:?}");
        }
    }
    assert_eq!(held, 3, "five were tried in vain");
    for _ in 0..54 {
        scene.world.pass(SignedDuration::from_mins(30)).await;
    }
    for document in scene.world.documents().await {
        assert_eq!(document.status, Status::Failed);
        assert_eq!(document.warnings[0].rule, "AP-NETWORK-given-up", "{:?}", document.warnings);
        let TransmissionRecord { attempts, .. } = scene.transmission(&document.document_id).await;
        let held = |pair: &[TransmissionAttempt]| {
            pair.iter().all(|it| it.outcome == Some(AttemptOutcome::Held))
        };
        assert!(!attempts.windows(2).any(held), "one wait is recorded once: {attempts:?}");
    }
    assert_eq!(scene.events().await, [EventType::DocumentStatus; 8]);
    let event = &scene.world.events().await[0];
    assert!(event.body.contains(r#""cause":{"rule":"AP-NETWORK-given-up","#), "{}", event.body);
}

#[tokio::test]
async fn documents_that_waited_for_an_access_point_leave_when_it_is_back() {
    let scene = Scene::new().await;
    scene.network.publishes(Publishes::At("http://127.0.0.1:9/as4".to_owned()));
    scene.queue(8).await;
    scene.world.pass(SignedDuration::from_mins(90)).await;
    scene.network.publishes(Publishes::Well);
    for _ in 0..8 {
        scene.world.pass(SignedDuration::from_mins(30)).await;
    }
    assert_eq!(scene.network.taken().len(), 8);
    let sent = |document: &DocumentRecord| document.status == Status::Sent;
    assert!(scene.world.documents().await.iter().all(sent));
}

#[tokio::test]
async fn an_access_point_that_does_not_answer_is_left_alone() {
    let scene = Scene::new().await;
    scene.network.publishes(Publishes::At("http://127.0.0.1:9/as4".to_owned()));
    for number in 0..5 {
        let failure = scene.send(&format!("A-{number}"), None).await.unwrap_err();
        assert_eq!(failure.code, Code::TransmissionUnconfirmed);
    }
    let failure = scene.send("A-5", Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::RecipientUnreachable);
    assert_eq!(scene.world.documents().await.len(), 5, "nothing of the last one");
}

#[tokio::test]
async fn a_document_is_listed_as_in_flight_once_its_request_has_ended_or_died() {
    let scene = Scene::new().await;
    let in_flight = async || {
        let filter = documents::Filter { status: Some(Status::Dispatching), ..Default::default() };
        let asked = scene.world.asked(None, 10);
        let found = documents::list(&scene.world.ctx, scene.sender.reader(), &filter, asked).await;
        found.unwrap().items.into_iter().map(|it| it.number).collect::<Vec<_>>()
    };
    // The request dies while it waits for the answer.
    scene.network.takes_first(&[Takes::After(Duration::from_secs(600)), Takes::Status(503)]);
    let recorded = async {
        while scene.world.documents().await.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        answer = scene.send("A-1", Some("k")) => panic!("{answer:?}"),
        () = recorded => {}
    }
    assert_eq!(in_flight().await, [""; 0]);
    // The worker that takes it over lists it, whatever becomes of its attempt.
    scene.wait_and_dispatch().await;
    assert_eq!(scene.document().await.status, Status::Dispatching);
    assert_eq!(in_flight().await, ["A-1"]);
    scene.wait_and_dispatch().await;
    assert_eq!(scene.document().await.status, Status::Sent);
    assert_eq!(in_flight().await, [""; 0]);

    // The request ends, and the document goes on.
    scene.network.takes_first(&[Takes::Status(503)]);
    scene.send("A-2", None).await.unwrap_err();
    assert_eq!(in_flight().await, ["A-2"]);
}
