//! Received messages of another access point and their validation, over a real table.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use bytes::Bytes;
use jiff::SignedDuration;

use crate::{
    access::Caller,
    peppol::{
        identifiers::{DocumentType, Process},
        pki::testing::Flaw,
    },
    service::{Connection, Receiving, ValidatingInbound, documents, job, receive, sweep},
    store::{
        Direction, EventType, Lease, MessageRecord, MessageStatus, Payload, PayloadMethod, Status,
        StatusEffect, StatusRecord, keys::Key,
    },
    testing::{Arrival, BUYER, Fault, Faults, Packed, Parcel, TestNetwork, World, enumerate_at},
    types::Mode,
};

struct Scene {
    world: World,
    network: TestNetwork,
    buyer: Caller,
}

impl Scene {
    async fn new() -> Scene {
        let (world, network) = World::live().await;
        network.register("0242:000002");
        let buyer = world.caller("Oasis", BUYER).await;
        world.cloud.take_written();
        Scene { world, network, buyer }
    }

    async fn arrive(&self, packed: &Packed) -> Arrival {
        packed.arrive(&self.world.receiving()).await
    }

    /// Relays and sends the statuses that are owed. Returns how many messages were handled.
    async fn answer(&self) -> usize {
        self.world.stream().await;
        self.world.run("answer", &self.world.answering()).await
    }

    async fn messages(&self) -> Vec<MessageRecord> {
        self.world.items("MESSAGE").await
    }

    /// Relays and validates. Returns how many messages were handled.
    async fn validate_inbound(&self) -> usize {
        self.world.stream().await;
        let messages = self.world.cloud.receive("judge");
        for message in &messages {
            assert_eq!(message.mode, "live");
            job::run(&self.world.validating(), &message.read()).await.unwrap();
        }
        messages.len()
    }

    /// The stored objects without the authorities' lists.
    fn objects(&self) -> Vec<String> {
        let objects = self.world.cloud.objects().into_iter();
        objects.filter(|key| key.contains("/live/")).collect()
    }
}

/// Whether these are the sent bytes, without the XML declaration, which no envelope can hold.
fn is_within(parcel: &Parcel, ubl: &[u8]) -> bool {
    let sent = parcel.document.trim_ascii_end();
    ubl.starts_with(b"<Invoice") && sent.ends_with(ubl)
}

fn error(arrival: Arrival) -> (String, String) {
    match arrival {
        Arrival::Error(code, detail) => (code, detail),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_invoice_is_confirmed_validated_and_published() {
    let scene = Scene::new().await;
    let parcel = Parcel::invoice("A-1");
    assert_eq!(scene.arrive(&parcel.pack()).await, Arrival::Receipt);
    let [message] = scene.messages().await.try_into().unwrap();
    assert_eq!(message.status, MessageStatus::Received);
    assert_eq!(message.sender.as_str(), "PAE000002");
    assert_eq!(scene.objects().len(), 1, "the message, the envelope and our receipt, together");
    let receipt = scene.world.sending.bucket.get(message.receipt.as_ref().unwrap()).await.unwrap();
    let receipt = String::from_utf8(receipt).unwrap();
    assert!(receipt.contains(&message.as4_message_id) && receipt.contains("SignatureValue>"));

    assert_eq!(scene.validate_inbound().await, 1);
    let [document] = scene.world.documents().await.try_into().unwrap();
    assert_eq!((document.direction, document.status), (Direction::Inbound, Status::Received));
    assert_eq!((document.number.as_str(), document.currency.as_str()), ("A-1", "AED"));
    assert_eq!(document.total_with_vat.to_string(), "210.00");
    assert_eq!(document.profile, "pint:billing-1@ae-1");
    assert_eq!(document.mls_type, "ALWAYS_SEND");
    assert_eq!(document.message_id.to_string(), parcel.instance_id);
    assert_eq!(document.created_at, message.received_at);
    let events = scene.world.events().await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].event_type, EventType::DocumentReceived);
    assert!(events[0].body.contains(r#""participant_id":"0235:1009876543""#), "{}", events[0].body);

    let id = document.document_id.as_str();
    let ubl = crate::testing::ubl(&scene.world.sending, &scene.buyer, id).await.unwrap();
    assert!(is_within(&parcel, &ubl));
    let reading = scene.world.sending.reading();
    let sbdh = documents::sbdh(&reading, scene.buyer.reader(), id, usize::MAX, PayloadMethod::Get);
    let documents::Stored::Here(sbdh) = sbdh.await.unwrap().stored else { panic!("elsewhere") };
    let envelope = crate::peppol::sbdh::read(&sbdh).unwrap();
    assert_eq!(envelope.header.instance_id.as_str(), parcel.instance_id);
    // A second validation changes nothing.
    scene.world.pass(SignedDuration::from_hours(1)).await;
    assert_eq!(scene.validate_inbound().await, 0);
    assert_eq!(scene.world.documents().await.len(), 1);
    assert_eq!(scene.world.parked().await, 0);
}

#[tokio::test]
async fn an_invalid_invoice_is_rejected_with_its_findings_and_not_published() {
    let scene = Scene::new().await;
    let mut parcel = Parcel::invoice("A-1");
    let text = String::from_utf8(parcel.document.clone()).unwrap();
    parcel.document = text.replace("<cbc:ID>A-1</cbc:ID>", "").into_bytes();
    assert_eq!(scene.arrive(&parcel.pack()).await, Arrival::Receipt);
    scene.validate_inbound().await;
    let [document] = scene.world.documents().await.try_into().unwrap();
    assert_eq!((document.status, document.number.as_str()), (Status::Rejected, ""));
    assert!(document.warnings.iter().any(|w| w.rule == "xml-schema"), "{:?}", document.warnings);
    assert!(scene.world.events().await.is_empty());
    let id = document.document_id.as_str();
    let ubl = crate::testing::ubl(&scene.world.sending, &scene.buyer, id).await.unwrap();
    assert!(is_within(&parcel, &ubl));
}

#[tokio::test]
async fn a_document_that_is_not_what_its_envelope_says_is_rejected() {
    let scene = Scene::new().await;
    let parcel = Parcel {
        document_type: DocumentType::SELF_BILLED_INVOICE,
        process: Process::SELF_BILLING,
        ..Parcel::invoice("A-1")
    };
    assert_eq!(scene.arrive(&parcel.pack()).await, Arrival::Receipt);
    scene.validate_inbound().await;
    let [document] = scene.world.documents().await.try_into().unwrap();
    assert_eq!(document.status, Status::Rejected);
    assert_eq!(document.warnings[0].rule, "AP-INBOUND-type");
}

#[tokio::test]
async fn a_document_for_somebody_else_than_its_envelope_is_rejected() {
    let scene = Scene::new().await;
    let parcel = Parcel::invoice("A-1");
    let text = String::from_utf8(parcel.document.clone()).unwrap();
    let endpoint = format!(">{BUYER}</cbc:EndpointID>");
    assert!(text.contains(&endpoint), "{text}");
    let document = text.replace(&endpoint, ">1007654321</cbc:EndpointID>").into_bytes();
    assert_eq!(scene.arrive(&Parcel { document, ..parcel }.pack()).await, Arrival::Receipt);
    scene.validate_inbound().await;
    let [document] = scene.world.documents().await.try_into().unwrap();
    assert_eq!(document.status, Status::Rejected);
    assert!(document.warnings.iter().any(|finding| finding.rule == "AP-INBOUND-receiver"));
}

#[tokio::test]
async fn what_comes_again_is_confirmed_again_and_stored_once() {
    let scene = Scene::new().await;
    let parcel = Parcel::invoice("A-1");
    for message_id in ["1@their.test", "1@their.test", "2@their.test"] {
        let again = Parcel { message_id: message_id.to_owned(), ..parcel.clone() };
        assert_eq!(scene.arrive(&again.pack()).await, Arrival::Receipt, "{message_id}");
    }
    scene.validate_inbound().await;
    assert_eq!(scene.arrive(&parcel.pack()).await, Arrival::Receipt, "validated meanwhile");
    scene.validate_inbound().await;
    assert_eq!(scene.messages().await.len(), 1);
    assert_eq!(scene.world.documents().await.len(), 1);
    // Only the receipt of the first message is kept, with that message; and the document.
    assert_eq!(scene.objects().len(), 2);
}

#[tokio::test]
async fn a_document_is_never_taken_twice_also_when_the_claim_of_its_message_has_expired() {
    let scene = Scene::new().await;
    let packed = Parcel::invoice("A-1").pack();
    assert_eq!(scene.arrive(&packed).await, Arrival::Receipt);
    scene.validate_inbound().await;
    let [(message, expires)] = scene.world.expiries("MESSAGE").await.try_into().unwrap();
    assert_eq!(expires, None, "{message:?}");
    let [(claim, expires)] = scene.world.expiries("AS4").await.try_into().unwrap();
    assert!(expires.is_some(), "{claim:?}");
    scene.world.remove(claim).await;
    assert_eq!(scene.arrive(&packed).await, Arrival::Receipt);
    scene.validate_inbound().await;
    assert_eq!(scene.world.documents().await.len(), 1);
}

#[tokio::test]
async fn nobody_gets_a_receipt_for_what_is_not_stored() {
    let scene = Scene::new().await;
    let parcel = Parcel::invoice("A-1");
    assert_eq!(scene.arrive(&parcel.pack()).await, Arrival::Receipt);
    // The envelope of another access point with the same identifier, another document in the same envelope, and another
    // envelope with the same eb:MessageId.
    let foreign = Parcel { from: "PAE000003", ..parcel.clone() };
    let other = Parcel { document: Parcel::invoice("A-2").document, ..parcel.clone() };
    let other = Parcel { message_id: "2@their.test".to_owned(), ..other };
    let reused = Parcel { message_id: parcel.message_id.clone(), ..Parcel::invoice("A-3") };
    for (parcel, rule) in
        [(foreign, "instance-id-used"), (other, "instance-id-used"), (reused, "message-id-used")]
    {
        let (code, detail) = error(scene.arrive(&parcel.pack()).await);
        assert_eq!(code, "EBMS:0004");
        assert!(detail.starts_with(rule), "{detail}");
    }
    assert_eq!(scene.messages().await.len(), 1);
}

/// RFC 9562, section 4: the letters of a UUID "are case insensitive on input".
#[tokio::test]
async fn an_envelope_id_in_the_other_letter_case_is_the_same_one() {
    let scene = Scene::new().await;
    let id = "9b2d1c1e-6f0a-4c1b-8f6e-0123456789ab".to_owned();
    let parcel = Parcel { instance_id: id.clone(), ..Parcel::invoice("A-1") };
    assert_eq!(scene.arrive(&parcel.pack()).await, Arrival::Receipt);
    let again =
        Parcel { instance_id: id.to_uppercase(), message_id: "2@their.test".into(), ..parcel };
    assert_eq!(scene.arrive(&again.pack()).await, Arrival::Receipt, "a repetition");
    assert_eq!(scene.messages().await.len(), 1);
}

#[tokio::test]
async fn what_a_worker_left_that_died_is_not_in_the_way() {
    let scene = Scene::new().await;
    let packed = Parcel::invoice("A-1").pack();
    let faults = Faults::only("TransactWriteItems", Fault::Before);
    let ctx = scene.world.failing(&faults).sending.ctx;
    let broken = Receiving { ctx, ..scene.world.receiving() };
    assert_eq!(packed.arrive(&broken).await, Arrival::Unavailable);
    assert_eq!((scene.messages().await.len(), scene.objects().len()), (0, 1));
    assert_eq!(scene.arrive(&packed).await, Arrival::Receipt);
    scene.validate_inbound().await;
    assert_eq!(scene.world.documents().await.len(), 1);
}

/// Earlier releases claimed a message before they stored it.
#[tokio::test]
async fn a_worker_of_an_earlier_release_may_finish_until_its_claim_is_over() {
    let scene = Scene::new().await;
    let parcel = Parcel::invoice("A-1");
    let record: MessageRecord =
        serde_json::from_str(include_str!("../../store/fixtures/message.json")).unwrap();
    let until = scene.world.now() + SignedDuration::from_secs(30);
    let claimed = MessageRecord {
        instance_id: parcel.instance_id.parse().unwrap(),
        status: MessageStatus::Claimed,
        lease: record.lease.clone().map(|lease| Lease { until, ..lease }),
        message: None,
        envelope: None,
        receipt: None,
        ..record
    };
    scene.world.put(Key::inbound(Mode::Live, &claimed.hash()), &claimed).await;
    let packed = parcel.pack();
    assert_eq!(scene.arrive(&packed).await, Arrival::Unavailable);
    scene.world.clock.advance(SignedDuration::from_secs(30));
    assert_eq!(scene.arrive(&packed).await, Arrival::Receipt);
    scene.validate_inbound().await;
    assert_eq!(scene.world.documents().await.len(), 1);
}

#[tokio::test]
async fn what_is_not_served_is_said_by_the_one_detail_that_is_prescribed() {
    let scene = Scene::new().await;
    let parcel = Parcel::invoice("A-1");
    let of = |receiver: &str| Parcel { receiver: receiver.parse().unwrap(), ..parcel.clone() };
    let text = DocumentType::INVOICE.to_string();
    for other in [
        of("0235:1001234509"),
        of("0235:9900000097"),
        of("9915:x"),
        // Our own participant accepts only status messages, and another provider's participant is not ours.
        of("0242:000001"),
        of("0242:000009"),
        Parcel { process: Process::SELF_BILLING, ..parcel.clone() },
        Parcel { document_type: text.replace("@ae-1", "@sg-1").parse().unwrap(), ..parcel.clone() },
        Parcel {
            document_type: text
                .replace("peppol-doctype-wildcard", "busdox-docid-qns")
                .parse()
                .unwrap(),
            ..parcel.clone()
        },
    ] {
        let (code, detail) = error(scene.arrive(&other.pack()).await);
        assert_eq!(code, "EBMS:0004");
        // Our reader appends the description of the error.
        assert_eq!(detail.split(' ').next(), Some("PEPPOL:NOT_SERVICED"), "{detail}");
    }
    assert!(scene.messages().await.is_empty() && scene.objects().is_empty());
}

#[tokio::test]
async fn a_message_that_is_not_what_it_should_be_is_refused_by_its_rule() {
    let scene = Scene::new().await;
    let parcel = Parcel::invoice("A-1");
    let packed = parcel.pack();
    let flawed = |flaw| Parcel { flaw, ..parcel.clone() }.pack();
    let tampered = {
        let mut packed = packed.clone();
        let place = packed.body.len() - 200;
        packed.body[place] ^= 1;
        packed
    };
    let other = Some("0235:1001234509".parse().unwrap());
    let contradicting = Parcel { final_recipient: other, ..parcel.clone() }.pack();
    let no_document = Parcel { document: b"<Order/>".to_vec(), ..parcel.clone() }.pack();
    let junk = Packed { body: b"junk".to_vec(), ..packed.clone() };
    for (packed, code, rule) in [
        (flawed(Flaw::Revoked), "EBMS:0101", "signer-untrusted"),
        (flawed(Flaw::Expired), "EBMS:0101", "signer-untrusted"),
        (tampered, "EBMS:0102", "security-decryption"),
        (contradicting, "EBMS:0004", "sbdh-recipient"),
        (no_document, "EBMS:0004", "sbdh-invalid"),
        (junk, "EBMS:0007", "mime-boundary"),
    ] {
        let (found, detail) = error(scene.arrive(&packed).await);
        assert_eq!((found.as_str(), detail.split(':').next()), (code, Some(rule)), "{detail}");
    }
    assert!(scene.messages().await.is_empty() && scene.objects().is_empty());
}

#[tokio::test]
async fn a_ping_is_answered_and_dropped() {
    let scene = Scene::new().await;
    assert_eq!(scene.arrive(&Parcel::invoice("A-1").ping()).await, Arrival::Receipt);
    assert!(scene.messages().await.is_empty() && scene.objects().is_empty());
}

#[tokio::test]
async fn what_fails_on_our_side_asks_for_the_message_again() {
    let scene = Scene::new().await;
    let packed = Parcel::invoice("A-1").pack();
    for fault in [Fault::Before, Fault::After, Fault::Throttled] {
        let faults = Faults::new(fault, 0, usize::MAX);
        let ctx = scene.world.failing(&faults).sending.ctx;
        let receiving = Receiving { ctx, ..scene.world.receiving() };
        assert_eq!(packed.arrive(&receiving).await, Arrival::Unavailable, "{fault:?}");
    }
    let unconnected = Receiving { connection: None, ..scene.world.receiving() };
    assert_eq!(packed.arrive(&unconnected).await, Arrival::Unavailable);
    scene.world.clock.advance(SignedDuration::from_secs(31));
    assert_eq!(scene.arrive(&packed).await, Arrival::Receipt);
}

#[tokio::test]
async fn a_message_that_takes_too_long_is_asked_for_again() {
    let scene = Scene::new().await;
    let hanging = Connection::new(|| Box::pin(std::future::pending()));
    let receiving = Receiving { connection: Some(hanging), ..scene.world.receiving() };
    let (body, within) = (Bytes::from_static(b"a message"), Duration::from_millis(50));
    let answer = receive::receive_within(&receiving, "text/plain", body, within).await;
    assert_eq!(answer, receive::Answer::Unavailable);
}

#[tokio::test]
async fn messages_at_once_are_one() {
    let scene = Arc::new(Scene::new().await);
    let packed = Parcel::invoice("A-1").pack();
    let receiving = scene.world.receiving();
    let (one, two) = tokio::join!(packed.arrive(&receiving), packed.arrive(&receiving));
    assert!([&one, &two].contains(&&Arrival::Receipt), "{one:?} {two:?}");
    assert!(!matches!((&one, &two), (Arrival::Error(..), _) | (_, Arrival::Error(..))));
    scene.validate_inbound().await;
    assert_eq!(scene.world.documents().await.len(), 1);
    assert_eq!(scene.arrive(&packed).await, Arrival::Receipt);
}

#[tokio::test]
async fn a_status_message_for_us_is_kept_under_what_it_is_about() {
    let scene = Scene::new().await;
    let sample = include_bytes!("../../peppol/mls/samples/good/MessageLevelStatus_Example_RE.xml");
    assert_eq!(scene.arrive(&Parcel::status(sample).pack()).await, Arrival::Receipt);
    scene.validate_inbound().await;
    let [status]: [StatusRecord; 1] = scene.world.items("STATUS#").await.try_into().unwrap();
    assert_eq!((status.code.as_str(), status.sender.as_str()), ("RE", "PAE000002"));
    assert_eq!(status.effect, Some(StatusEffect::NoDocument));
    assert!(scene.world.documents().await.is_empty());

    let broken = Parcel {
        message_id: "2@their.test".to_owned(),
        instance_id: "2".to_owned(),
        ..Parcel::status(b"<ApplicationResponse xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2\"/>")
    };
    assert_eq!(scene.arrive(&broken.pack()).await, Arrival::Receipt);
    scene.validate_inbound().await;
    let statuses: Vec<StatusRecord> = scene.world.items("STATUS#").await;
    assert_eq!(statuses.len(), 1);
    let messages = scene.messages().await;
    assert!(messages.iter().all(|message| message.status == MessageStatus::Validated));
}

/// A message with fixed bytes, as a sender repeats it. Each new encryption would give other bytes.
static REPEATED: LazyLock<Packed> = LazyLock::new(|| Parcel::invoice("A-1").pack());

/// The sender repeats the message until it has a receipt, queues redeliver, and time passes. Then counts the results.
async fn after_all(scene: &Scene) -> Vec<(&'static str, usize)> {
    let packed = &*REPEATED;
    let mut receipts = 0;
    for _ in 0..3 {
        if scene.arrive(packed).await == Arrival::Receipt {
            receipts = 1;
            break;
        }
        scene.world.clock.advance(SignedDuration::from_secs(31));
    }
    for _ in 0..20 {
        if scene.validate_inbound().await + scene.answer().await > 0 {
            continue;
        }
        let Some((due, place)) = scene.world.next_due().await else { break };
        let wait = due.duration_since(scene.world.now()).max(SignedDuration::ZERO);
        scene.world.clock.advance(wait);
        sweep::take_up(&scene.world.relaying, &place).await;
    }
    let messages = scene.messages().await;
    let validated =
        messages.iter().filter(|message| message.status == MessageStatus::Validated).count();
    let documents = scene.world.documents().await;
    let received = documents.iter().filter(|document| document.status == Status::Received).count();
    // No record refers to what a worker stored that died.
    let objects = scene.objects();
    let is_there = |payload: &Option<Payload>| {
        payload.as_ref().is_some_and(|it| objects.iter().any(|key| key.ends_with(&it.key)))
    };
    let is_kept =
        |it: &&MessageRecord| [&it.message, &it.envelope, &it.receipt].map(is_there) == [true; 3];
    let kept = messages.iter().filter(is_kept).count();
    vec![
        ("receipts", receipts),
        ("messages", messages.len()),
        ("messages validated", validated),
        ("documents", documents.len()),
        ("documents received", received),
        ("events", scene.world.events().await.len()),
        ("statuses", scene.network.taken().len()),
        ("messages with all of their payloads", kept),
        ("documents with their UBL", documents.iter().filter(|it| is_there(&it.ubl)).count()),
        // Not counting the received message: the sent status.
        ("exchanges but one", scene.world.exchanges().await.saturating_sub(1)),
        ("parked or not", 1 + scene.world.parked().await),
    ]
}

#[tokio::test]
async fn receipt_and_validation_survive_every_mishap_at_every_effect() {
    let packed = &*REPEATED;
    let receive = async |scene: &Scene, faults: &Arc<Faults>| {
        let sending = scene.world.failing(faults).sending;
        let (ctx, bucket) = (sending.ctx, sending.bucket);
        packed.arrive(&Receiving { ctx, bucket, ..scene.world.receiving() }).await;
    };
    let received = async || {
        let scene = Scene::new().await;
        assert_eq!(scene.arrive(packed).await, Arrival::Receipt);
        scene.world.stream().await;
        scene
    };
    let validate = async |scene: &Scene, faults: &Arc<Faults>| {
        let sending = scene.world.failing(faults).sending;
        let validating = ValidatingInbound {
            ctx: sending.ctx,
            bucket: sending.bucket,
            ..scene.world.validating()
        };
        let [message] = scene.world.cloud.messages().try_into().unwrap();
        if job::run(&validating, &message.read()).await.is_ok() {
            scene.world.cloud.acknowledge(&message);
        }
    };
    let tallies = [
        enumerate_at("receive", Scene::new, receive, after_all).await,
        enumerate_at("validate_inbound", received, validate, after_all).await,
    ];
    assert!(tallies.iter().all(|tally| (tally.lost, tally.doubled) == (0, 0)), "{tallies:?}");
}
