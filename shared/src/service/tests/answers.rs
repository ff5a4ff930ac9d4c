//! The statuses that we owe for received messages, from the message to the status.

use std::sync::{Arc, LazyLock};

use jiff::{SignedDuration, Timestamp};

use crate::{
    access::Caller,
    peppol::{
        as4::Rule,
        identifiers::{DocumentType, Process},
        mls::{self, Reason, Verdict},
        sbdh::{self, MlsType},
    },
    service::{
        Delivering, SendingMls, deliver, documents, job,
        mls_outbound::figures::{self, Figures},
        relay, sweep,
    },
    store::{
        AttemptOutcome, DocumentRecord, MlsOutboundRecord, MlsOutboundStatus, PayloadMethod,
        StatusCode, TransmissionRecord, keys::Key,
    },
    testing::{
        Arrival, BUYER, Faults, Packed, Parcel, Takes, TestNetwork, World, befalls, enumerate_at,
    },
    types::Mode,
    webhook::receiver::{Behaviour, Fate, Receiver},
};

/// The participant of the sending access point.
const THEM: &str = "0242:000002";

struct Scene {
    world: World,
    network: TestNetwork,
    buyer: Caller,
    receiver: Receiver,
}

impl Scene {
    /// A world with a taxpayer whose endpoint answers 500 at first, and another access point that accepts statuses.
    async fn new() -> Scene {
        let (world, network) = World::live().await;
        network.register(THEM);
        let buyer = world.caller("Oasis", BUYER).await;
        let failing = Behaviour::status("500 Internal Server Error", "", "");
        let receiver = Receiver::start(failing).await;
        world.endpoint_at(&buyer.organization_id, &receiver.url).await;
        Scene { world, network, buyer, receiver }
    }

    /// A scene after a message was received and validated.
    async fn with(parcel: &Parcel) -> Scene {
        let scene = Scene::new().await;
        scene.comes(&parcel.pack()).await;
        scene
    }

    async fn comes(&self, packed: &Packed) {
        assert_eq!(packed.arrive(&self.world.receiving()).await, Arrival::Receipt);
        self.work().await;
    }

    /// Runs stream and queues until nothing is due.
    async fn work(&self) {
        let delivering = self.world.healthy().delivering;
        loop {
            self.world.stream().await;
            let received = self.world.run("judge", &self.world.validating()).await;
            let answers = self.world.run("answer", &self.world.answering()).await;
            let delivered = self.deliver(&delivering).await;
            if received + answers + delivered == 0 {
                return;
            }
        }
    }

    async fn deliver(&self, delivering: &Delivering) -> usize {
        let messages = self.world.cloud.receive("deliver");
        for message in &messages {
            deliver::deliver(delivering, &message.read()).await.unwrap();
        }
        messages.len()
    }

    /// Advances the clock, then runs all due jobs.
    async fn pass(&self, time: SignedDuration) {
        self.world.clock.advance(time);
        sweep::sweep(&self.world.relaying).await;
        self.work().await;
    }

    async fn document(&self) -> DocumentRecord {
        let [document] = self.world.documents().await.try_into().unwrap();
        document
    }

    async fn answers(&self) -> Vec<MlsOutboundRecord> {
        let mut found = Vec::new();
        for document in self.world.documents().await {
            let store = &self.world.ctx.store;
            found.extend(store.get_mls_outbound(Mode::Live, &document.document_id).await.unwrap());
        }
        found
    }

    async fn answer(&self) -> MlsOutboundRecord {
        let [answer] = self.answers().await.try_into().unwrap();
        answer
    }

    async fn transmission(&self) -> TransmissionRecord {
        let DocumentRecord { taxpayer_id, document_id, .. } = self.document().await;
        let store = &self.world.ctx.store;
        store.get_mls_transmission(Mode::Live, &taxpayer_id, &document_id).await.unwrap().unwrap()
    }

    /// The statuses that the other access point received.
    fn statuses(&self) -> Vec<mls::Status> {
        let taken = self.network.taken();
        let read = |sbdh: &[u8]| mls::read(&sbdh::read(sbdh).unwrap().payload.document()).unwrap();
        taken.iter().map(|taken| read(&taken.sbdh)).collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.statuses().iter().map(|status| status.verdict.code()).collect()
    }

    async fn figures(&self) -> Figures {
        let day = figures::day(self.world.now());
        figures::figures(&self.world.ctx, Mode::Live, (day, day)).await.unwrap()
    }
}

/// An invoice without a number, which is invalid.
fn invalid() -> Parcel {
    let parcel = Parcel::invoice("A-1");
    let text = String::from_utf8(parcel.document.clone()).unwrap();
    let document = text.replace("<cbc:ID>A-1</cbc:ID>", "").into_bytes();
    Parcel { document, ..parcel }
}

fn minutes(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

#[tokio::test]
async fn an_invalid_document_is_rejected_at_once() {
    for mls_type in [Some(MlsType::AlwaysSend), Some(MlsType::FailureOnly), None] {
        let parcel = Parcel { mls_type, ..invalid() };
        let scene = Scene::with(&parcel).await;
        let [status] = scene.statuses().try_into().unwrap();
        let Verdict::Rejected(rejection) = &status.verdict else { panic!("{status:?}") };
        assert!(rejection.issues().iter().any(|issue| issue.reason == Reason::Syntax));
        assert!(rejection.issues().iter().any(|issue| issue.line.xpath().is_some()));
        assert_eq!(status.ref_to.as_str(), parcel.instance_id);
        assert_eq!((status.sender.value(), status.receiver.value()), ("000001", "000002"));

        let [taken] = scene.network.taken().try_into().unwrap();
        let header = sbdh::read(&taken.sbdh).unwrap().header;
        assert_eq!(header.sender.to_string(), "0242:000001");
        assert_eq!(header.receiver.to_string(), THEM);
        assert_eq!(*header.document.document_type(), DocumentType::MESSAGE_LEVEL_STATUS);
        assert_eq!(header.process, Process::MESSAGE_LEVEL_STATUS);
        assert_eq!((header.mls_type, header.mls_to), (None, None));

        let answer = scene.answer().await;
        assert_eq!(answer.status, MlsOutboundStatus::Sent);
        assert_eq!(answer.code, Some(StatusCode::Rejected));
        assert_eq!(taken.instance_id, answer.instance_id.to_string());
        let transmission = scene.transmission().await;
        assert_eq!(transmission.attempts[0].outcome, Some(AttemptOutcome::Received));
        let receipt = transmission.receipt.unwrap();
        let receipt = scene.world.sending.bucket.get(receipt.stored().unwrap()).await.unwrap();
        assert!(String::from_utf8(receipt).unwrap().contains("NonRepudiationInformation"));
        // No further status follows.
        scene.pass(minutes(60)).await;
        assert_eq!(scene.codes(), ["RE"]);
    }
}

#[tokio::test]
async fn a_document_is_delivered_when_an_endpoint_has_acknowledged_it() {
    let scene = Scene::new().await;
    scene.receiver.behave(Behaviour::status("200 OK", "", ""));
    scene.comes(&Parcel::invoice("A-1").pack()).await;
    assert_eq!(scene.codes(), ["AP"]);
    scene.pass(minutes(60)).await;
    assert_eq!(scene.codes(), ["AP"]);
    assert_eq!(scene.answer().await.code, Some(StatusCode::Delivered));
}

#[tokio::test]
async fn a_document_is_delivered_when_it_was_retrieved() {
    let scene = Scene::with(&Parcel::invoice("A-1")).await;
    let (sending, caller) = (&scene.world.sending, &scene.buyer);
    let id = scene.document().await.document_id;
    // Neither the record nor a HEAD request confirms the document.
    documents::get(&sending.ctx, caller.reader(), id.as_str()).await.unwrap();
    let head = PayloadMethod::Head;
    documents::ubl(&sending.reading(), caller.reader(), id.as_str(), usize::MAX, head)
        .await
        .unwrap();
    scene.work().await;
    assert!(scene.statuses().is_empty());
    let get = PayloadMethod::Get;
    documents::sbdh(&sending.reading(), caller.reader(), id.as_str(), usize::MAX, get)
        .await
        .unwrap();
    scene.work().await;
    documents::ubl(&sending.reading(), caller.reader(), id.as_str(), usize::MAX, get)
        .await
        .unwrap();
    scene.work().await;
    assert_eq!(scene.codes(), ["AP"]);
}

#[tokio::test]
async fn a_document_is_forwarded_when_nobody_has_confirmed_it_by_minute_15() {
    let scene = Scene::with(&Parcel::invoice("A-1")).await;
    scene.pass(SignedDuration::from_secs(14 * 60 + 59)).await;
    assert_eq!(scene.answer().await.status, MlsOutboundStatus::Waiting);
    assert!(scene.statuses().is_empty());
    scene.pass(SignedDuration::from_secs(1)).await;
    assert_eq!(scene.codes(), ["AB"]);
    // A later confirmation has no effect: there is one status for a message.
    scene.receiver.behave(Behaviour::status("200 OK", "", ""));
    scene.pass(minutes(60)).await;
    let id = scene.document().await.document_id;
    let get = PayloadMethod::Get;
    documents::ubl(&scene.world.sending.reading(), scene.buyer.reader(), id.as_str(), 9, get)
        .await
        .unwrap();
    scene.pass(minutes(60)).await;
    assert_eq!(scene.codes(), ["AB"]);
    assert_eq!(scene.answer().await.code, Some(StatusCode::Forwarded));
}

#[tokio::test]
async fn who_wants_failures_alone_is_notified_of_nothing_else() {
    for mls_type in [Some(MlsType::FailureOnly), None] {
        let scene = Scene::new().await;
        scene.receiver.behave(Behaviour::status("200 OK", "", ""));
        scene.comes(&Parcel { mls_type, ..Parcel::invoice("A-1") }.pack()).await;
        scene.pass(minutes(60)).await;
        assert!(scene.statuses().is_empty());
        let answer = scene.answer().await;
        assert_eq!((answer.status, answer.code), (MlsOutboundStatus::NotOwed, None));
        assert_eq!(scene.figures().await, Figures::default());
    }
}

#[tokio::test]
async fn a_status_goes_where_it_is_wanted_if_that_is_the_senders_own_and_registered() {
    for (mls_to, registered, receiver) in [
        ("0242:000002-MLS", true, "0242:000002-MLS"),
        ("0242:000002-mls.One", true, "0242:000002-mls.One"),
        ("0242:000002-MLS", false, THEM),
        ("0242:000003", true, THEM),
        ("9915:000002", true, THEM),
    ] {
        let scene = Scene::new().await;
        if registered {
            scene.network.register(mls_to);
        }
        let mls_to = Some(mls_to.parse().unwrap());
        scene.comes(&Parcel { mls_to: mls_to.clone(), ..invalid() }.pack()).await;
        let [taken] = scene.network.taken().try_into().unwrap();
        let envelope = sbdh::read(&taken.sbdh).unwrap();
        assert_eq!(envelope.header.receiver, receiver.parse().unwrap(), "{mls_to:?}");
        let said = mls::read(&envelope.payload.document()).unwrap();
        assert_eq!(said.receiver.to_string(), receiver, "{mls_to:?}");
        assert_eq!(scene.answer().await.status, MlsOutboundStatus::Sent);
    }
}

#[tokio::test]
async fn a_status_is_never_answered_with_one() {
    let scene = Scene::new().await;
    let sample = include_bytes!("../../peppol/mls/samples/good/MessageLevelStatus_Example_RE.xml");
    let unreadable = b"<ApplicationResponse xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2\"/>";
    for document in [&sample[..], unreadable] {
        let instance_id = format!("status-{}", document.len());
        let message_id = format!("{instance_id}@their.test");
        let parcel = Parcel { instance_id, message_id, ..Parcel::status(document) };
        scene.comes(&parcel.pack()).await;
    }
    scene.pass(minutes(60)).await;
    assert!(scene.statuses().is_empty());
    let items = scene.world.raw_items("").await;
    assert!(!items.iter().any(|item| item["pk"].as_s().unwrap().contains("#ANSWER#")));
}

#[tokio::test]
async fn who_is_not_registered_for_statuses_gets_none() {
    let (world, network) = World::live().await;
    let buyer = world.caller("Oasis", BUYER).await;
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let scene = Scene { world, network, buyer, receiver };
    scene.comes(&invalid().pack()).await;
    assert_eq!(scene.answer().await.status, MlsOutboundStatus::Undeliverable);
    assert_eq!(scene.world.parked().await, 0);
    let figures = scene.figures().await;
    assert_eq!((figures.owed, figures.undeliverable, figures.open), (1, 1, 0));
}

#[tokio::test]
async fn after_silence_the_same_message_goes_again() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp, Takes::Status(503)]);
    scene.comes(&invalid().pack()).await;
    assert_eq!(scene.answer().await.status, MlsOutboundStatus::Answering);
    scene.pass(minutes(2)).await;
    scene.pass(minutes(6)).await;
    assert_eq!(scene.answer().await.status, MlsOutboundStatus::Sent);
    let taken = scene.network.taken();
    assert_eq!((taken.len(), scene.network.came()), (2, 3));
    assert!(taken.iter().all(|it| it == &taken[0]), "one message");
    let transmission = scene.transmission().await;
    let outcomes: Vec<_> = transmission.attempts.iter().map(|it| it.outcome.unwrap()).collect();
    use AttemptOutcome::{Received, Unconfirmed};
    assert_eq!(outcomes, [Unconfirmed, Unconfirmed, Received]);
}

#[tokio::test]
async fn what_cannot_be_delivered_in_a_day_is_parked_with_its_reason() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::Refuses(Rule::NotDelivered));
    scene.comes(&invalid().pack()).await;
    for _ in 0..40 {
        scene.pass(minutes(66)).await;
    }
    assert_eq!(scene.world.parked().await, 1);
    let id = scene.document().await.document_id;
    let job_id = crate::store::keys::JobId::MlsOutbound(Mode::Live, id.clone());
    let parked = scene.world.ctx.store.get_parked(&job_id).await.unwrap().unwrap();
    assert!(parked.reason.starts_with("No attempt succeeded for a day"), "{}", parked.reason);
    assert_eq!(scene.figures().await.owed, 0, "of another day");
    // After the cause is corrected and the job is redriven, the status is sent, still as one message.
    scene.network.takes(Takes::Well);
    assert!(scene.world.ctx.store.redrive(&job_id, scene.world.now()).await.unwrap());
    scene.pass(SignedDuration::ZERO).await;
    assert_eq!(scene.answer().await.status, MlsOutboundStatus::Sent);
    assert_eq!(scene.codes(), ["RE"]);
}

#[tokio::test]
async fn a_refused_status_is_parked_at_once() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::Refuses(Rule::NotServiced));
    scene.comes(&invalid().pack()).await;
    let id = scene.document().await.document_id;
    let job_id = crate::store::keys::JobId::MlsOutbound(Mode::Live, id);
    let parked = scene.world.ctx.store.get_parked(&job_id).await.unwrap().unwrap();
    assert!(parked.reason.contains("PEPPOL:NOT_SERVICED"), "{}", parked.reason);
}

#[tokio::test]
async fn the_figures_tell_what_was_owed_sent_in_time_and_open() {
    let scene = Scene::new().await;
    scene.comes(&invalid().pack()).await;
    for number in ["A-2", "A-3"] {
        scene.comes(&Parcel::invoice(number).pack()).await;
    }
    let m1 = scene.answers().await[0].measured_from;
    let expected =
        Figures { owed: 3, sent: 1, in_time: 1, open: 2, oldest: Some(m1), ..Figures::default() };
    assert_eq!(scene.figures().await, expected);
    // The network is down until after minute 20.
    scene.network.takes(Takes::Status(503));
    scene.pass(minutes(15)).await;
    scene.pass(minutes(6)).await;
    let figures = scene.figures().await;
    assert_eq!((figures.sent, figures.open, figures.overdue), (1, 2, 2));
    scene.network.takes(Takes::Well);
    scene.pass(minutes(30)).await;
    let figures = scene.figures().await;
    assert_eq!((figures.owed, figures.sent, figures.in_time, figures.open), (3, 3, 1, 0));
    assert_eq!(figures.per_mille(), Some(333));
}

#[tokio::test]
async fn a_clock_that_is_ahead_moves_no_deadline() {
    let scene = Scene::with(&Parcel::invoice("A-1")).await;
    let answer = scene.answer().await;
    assert!(answer.measured_from <= answer.created_at);
    assert_ne!(answer.measured_from, Timestamp::UNIX_EPOCH);
    let key = Key::mls_outbound(Mode::Live, &answer.document_id);
    let due = scene.world.raw_items(&key.sk).await;
    assert!(due.iter().any(|item| item.contains_key("due_at")));
}

/// Messages with fixed bytes, as a sender repeats them. Each new encryption would give other bytes.
static VALID: LazyLock<Packed> = LazyLock::new(|| Parcel::invoice("A-1").pack());
static INVALID: LazyLock<Packed> = LazyLock::new(|| invalid().pack());

/// Runs everything that a healthy deployment does by itself, then counts the results.
async fn after_all(scene: &Scene, code: &str) -> Vec<(&'static str, usize)> {
    scene.network.guard(|| Fate::Taken);
    // The queue's visibility timeout: then it brings a message again that was not acknowledged.
    scene.world.clock.advance(minutes(3));
    for _ in 0..40 {
        scene.work().await;
        let Some((due, job_id)) = scene.world.next_due().await else { break };
        let wait = due.duration_since(scene.world.now()).max(SignedDuration::ZERO);
        scene.world.clock.advance(wait);
        sweep::take_up(&scene.world.relaying, &job_id).await;
    }
    let mut messages = scene.network.taken();
    messages.dedup_by_key(|taken| (taken.message_id.clone(), taken.instance_id.clone()));
    let said = scene.codes();
    let answers = scene.answers().await;
    let sent = answers.iter().filter(|answer| answer.status == MlsOutboundStatus::Sent).count();
    vec![
        ("documents", scene.world.documents().await.len()),
        ("answers", answers.len()),
        ("answers sent", sent),
        ("messages at the other side", messages.len()),
        ("verdicts", usize::from(!said.is_empty() && said.iter().all(|it| *it == code))),
        // Not counting the received message.
        ("exchanges but one", scene.world.exchanges().await.saturating_sub(1)),
        ("receipts in the bucket", scene.world.receipts().await),
        ("at rest", usize::from(scene.world.next_due().await.is_none())),
    ]
}

#[tokio::test]
async fn a_status_survives_every_mishap_at_every_effect() {
    let sending = |scene: &Scene, faults: &Arc<Faults>| {
        scene.network.guard(befalls(faults));
        let failing = scene.world.failing(faults).sending;
        let connection = failing.live.map(|live| live.connection);
        SendingMls {
            ctx: failing.ctx,
            bucket: failing.bucket,
            connection,
            ..scene.world.answering()
        }
    };
    let answer = async |scene: &Scene, faults: &Arc<Faults>| {
        let sending = sending(scene, faults);
        let [message] = scene.world.cloud.messages().try_into().unwrap();
        if job::run(&sending, &message.read()).await.is_ok() {
            scene.world.cloud.acknowledge(&message);
        }
    };
    // Until the message is in the queue.
    let validated = async |packed: &Packed| {
        let scene = Scene::new().await;
        scene.receiver.behave(Behaviour::status("200 OK", "", ""));
        assert_eq!(packed.arrive(&scene.world.receiving()).await, Arrival::Receipt);
        scene.world.stream().await;
        scene.world.run("judge", &scene.world.validating()).await;
        scene.world.stream().await;
        scene
    };
    let rejected = async || validated(&INVALID).await;
    let acknowledged = async || validated(&VALID).await;
    let deliver = async |scene: &Scene, faults: &Arc<Faults>| {
        let delivering = scene.world.process(faults).delivering;
        let [message] = scene.world.cloud.messages().try_into().unwrap();
        if deliver::deliver(&delivering, &message.read()).await.is_ok() {
            scene.world.cloud.acknowledge(&message);
        }
    };
    let overdue = async || {
        let scene = Scene::new().await;
        scene.comes(&VALID).await;
        scene.world.clock.advance(minutes(15));
        let id = scene.document().await.document_id;
        let job_id = crate::store::keys::JobId::MlsOutbound(Mode::Live, id);
        relay::Batch::new(&scene.world.relaying).relay(&job_id, None).await.unwrap();
        scene
    };
    let tallies = [
        enumerate_at("answer: rejected", rejected, answer, async |s| after_all(s, "RE").await)
            .await,
        enumerate_at("answer: forwarded", overdue, answer, async |s| after_all(s, "AB").await)
            .await,
        enumerate_at("confirmation", acknowledged, deliver, async |s| after_all(s, "AP").await)
            .await,
    ];
    assert!(tallies.iter().all(|tally| (tally.lost, tally.doubled) == (0, 0)), "{tallies:?}");
}
