//! Lookups of recipients.

use super::*;

/// How many documents a batch to one buyer has: a few, or the number in `BATCH`.
fn batch() -> usize {
    Environment::of_process().get("BATCH").map_or(20, |documents| documents.parse().unwrap())
}

#[tokio::test]
async fn a_batch_to_one_buyer_asks_the_network_once() {
    let (scene, documents) = (Scene::new().await, batch());
    for number in 0..documents {
        scene.send(&format!("A-{number}"), None).await.unwrap();
    }
    assert_eq!(scene.network.taken().len(), documents);
    let (questions, asked) = (scene.network.questions(), scene.network.asked());
    println!("{documents} documents to one buyer: {questions} question to DNS, {asked} to the SMP");
    assert_eq!((questions, asked), (1, 2), "one lookup: the name, the group and the metadata");
    scene.world.clock.advance(SignedDuration::from_mins(16));
    scene.network.publishes(Publishes::Status(503));
    scene.send("A-later", None).await.unwrap();
    assert_eq!(scene.network.asked(), 3, "what was found before serves while the SMP is down");
    let mut last = scene.world.items::<TransmissionRecord>("TRANSMISSION").await;
    last.sort_by_key(|transmission| transmission.attempts[0].started_at);
    let stale: Vec<_> = last.iter().map(|it| it.attempts[0].stale_lookup).collect();
    assert_eq!((stale.len(), stale.iter().filter(|stale| **stale).count()), (documents + 1, 1));
    assert_eq!(stale.last(), Some(&true), "and the attempt says so");
}

/// The lookup query of an invoice.
fn buyer() -> Query {
    Query {
        participant: format!("0235:{RECIPIENT}").parse().unwrap(),
        document_type: DocumentType::INVOICE,
        process: Process::BILLING,
        sought: None,
    }
}

#[tokio::test]
async fn lookups_of_one_buyer_at_one_time_ask_the_network_once_however_long_it_takes() {
    for answers_after in [0, 3] {
        let scene = Scene::new().await;
        scene.network.publishes(Publishes::After(Duration::from_secs(answers_after)));
        let located = scene.lookups(scene.standing(), Duration::from_secs(20)).await;
        let (documents, asked) = (located.len(), scene.network.asked());
        println!("{documents} at one time, answers after {answers_after} s: {asked} questions");
        assert!(located.iter().all(|it| it.as_ref().is_ok_and(|located| !located.stale)));
        assert_eq!((scene.network.questions(), asked), (1, 2));
    }
}

#[tokio::test]
async fn a_network_that_does_not_answer_is_asked_once_by_all_who_wait_for_it() {
    let scene = Scene::new().await;
    scene.network.publishes(Publishes::After(Duration::from_secs(60)));
    let (begun, within) = (Instant::now(), Duration::from_secs(4));
    for located in scene.lookups(scene.standing(), within).await {
        assert_eq!(located.err().map(|failure| failure.why), Some(Why::Failed));
    }
    assert!(begun.elapsed() < within, "each within its own time: {:?}", begun.elapsed());
    assert_eq!((scene.network.questions(), scene.network.asked()), (1, 1));
    // A later lookup asks again, and waits for no failed one.
    scene.network.publishes(Publishes::Well);
    let located = scene.lookups(scene.standing(), within).await;
    assert!(located.iter().all(Result::is_ok));
    assert_eq!((scene.network.questions(), scene.network.asked()), (2, 3));
}

#[tokio::test]
async fn who_died_while_asking_holds_others_up_no_longer_than_a_lookup_takes() {
    let scene = Scene::new().await;
    let ctx = &scene.world.ctx;
    let dying = async |network: &Network| {
        let until = Instant::now() + Duration::from_secs(20);
        let _ = network.find(ctx, Mode::Live, &buyer(), until).await;
    };
    scene.network.publishes(Publishes::After(Duration::from_secs(60)));
    let (network, _) = scene.world.sending.network().await.unwrap();
    let died = timeout(Duration::from_millis(300), dying(network)).await;
    assert!(died.is_err() && scene.network.asked() == 1);
    scene.network.publishes(Publishes::Well);
    let (begun, until) = (ctx.now(), Instant::now() + Duration::from_secs(20));
    let located = network.find(ctx, Mode::Live, &buyer(), until).await;
    assert!(located.is_ok_and(|located| !located.stale));
    assert_eq!(scene.network.asked(), 3);
    let waited = ctx.now().duration_since(begun);
    let short = SignedDuration::from_secs(9)..SignedDuration::from_secs(10);
    assert!(short.contains(&waited), "{waited}");
}

#[tokio::test]
async fn an_access_point_whose_certificate_was_replaced_is_looked_up_anew() {
    let scene = Scene::new().await;
    scene.send("A-1", None).await.unwrap();
    let revoked = PKI.issue(&PKI.ap, THEIR_SEAT, Flaw::Revoked).certificate;
    let revoked = AttributeValue::S(STANDARD.encode(revoked.der()));
    let remember_the_revoked = async || {
        let [known] = &scene.world.raw_items("LOOKUP").await[..] else { panic!("not one") };
        let mut outcome = known["outcome"].as_m().unwrap().clone();
        let mut found = outcome["found"].as_m().unwrap().clone();
        found.insert("certificate".to_owned(), revoked.clone());
        outcome.insert("found".to_owned(), AttributeValue::M(found));
        let (pk, outcome) = (known["pk"].as_s().unwrap(), AttributeValue::M(outcome));
        scene.world.set(pk, "LOOKUP", "outcome", outcome).await;
    };
    remember_the_revoked().await;
    let asked = scene.network.asked();
    scene.send("A-2", None).await.unwrap();
    assert_eq!(scene.network.asked(), asked + 2, "the network was asked again");
    assert_eq!(scene.network.taken().len(), 2);

    // While the network does not answer, the lookup fails. The registration is not reported as wrong.
    remember_the_revoked().await;
    scene.network.publishes(Publishes::Status(503));
    let failure = scene.send("A-3", None).await.unwrap_err();
    assert_eq!(failure.code, Code::RecipientLookupFailed, "{}", failure.message);
}

/// A lookup is cached for 15 minutes. The recipient has moved meanwhile.
#[tokio::test]
async fn where_nobody_is_at_a_kept_address_the_network_is_asked_once_more() {
    let scene = Scene::new().await;
    scene.network.publishes(Publishes::At("http://127.0.0.1:9/as4".to_owned()));
    scene.send("A-1", None).await.unwrap_err();
    scene.network.publishes(Publishes::Well);
    let sent = scene.send("A-2", None).await.unwrap();
    assert_eq!(sent.reply.status, 201, "{sent:?}");
    let transmission = scene.transmission(&sent.document_id).await;
    let [attempt] = &transmission.attempts[..] else { panic!("{transmission:?}") };
    assert_eq!(attempt.outcome, Some(AttemptOutcome::Received));
    assert!(attempt.endpoint.as_ref().is_some_and(|url| !url.contains(":9/")), "{attempt:?}");
}

impl Scene {
    /// As many concurrent lookups of one buyer as a batch has documents, by this clock and within this time.
    async fn lookups(
        &self,
        clock: Arc<dyn Clock>,
        within: Duration,
    ) -> Vec<Result<Located, LookupFailure>> {
        let mut sending = self.world.sending.clone();
        sending.ctx.clock = clock;
        let lookups: JoinSet<_> = (0..batch())
            .map(|_| {
                let sending = sending.clone();
                async move {
                    let (network, _) = sending.network().await.unwrap();
                    let until = Instant::now() + within;
                    network.find(&sending.ctx, Mode::Live, &buyer(), until).await
                }
            })
            .collect();
        lookups.join_all().await
    }

    fn standing(&self) -> Arc<Standing> {
        Arc::new(Standing(self.world.now()))
    }
}
