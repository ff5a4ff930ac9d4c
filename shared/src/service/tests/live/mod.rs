//! Live sends over a network on loopback, with and without failures.

#![expect(clippy::print_stdout, reason = "the figure of a batch is printed")]

mod away;
mod lookups;

use std::{sync::Arc, time::Duration};

use aws_sdk_dynamodb::types::AttributeValue;
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::{SignedDuration, Timestamp};
use tokio::{
    task::JoinSet,
    time::{Instant, timeout},
};

use crate::{
    access::{By, Caller},
    document::Operation,
    environment::Environment,
    error::{Code, Failure},
    peppol::{
        as4::Rule,
        identifiers::{DocumentType, Process, Spid},
        lookup::Query,
        pki::testing::{Flaw, PKI},
        sbdh::{self, MlsTo, MlsType},
    },
    service::{
        dispatch::Dispatch,
        documents::{self, Stored},
        job,
        network::{Located, LookupFailure, Network, Why},
        reply::Sent,
        sweep,
        taxpayers::{self, Patch, SettingsPatch},
    },
    store::{
        AttemptOutcome, DocumentRecord, EventType, IdempotencyState, PayloadMethod, StageMessage,
        Status, TransmissionAttempt, TransmissionRecord, keys::Key,
    },
    testing::{
        Names, Publishes, THEIR_SEAT, Takes, TestNetwork, World, invoice, send, send_queued,
    },
    types::{Clock, DocumentId, Mode},
};

pub(super) const RECIPIENT: &str = "1009876543";

/// A world with a sender whose organization has a subscription, and a recipient at another access point.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) network: TestNetwork,
    pub(super) sender: Caller,
}

impl Scene {
    pub(super) async fn new() -> Scene {
        let (world, network) = World::live().await;
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        network.register(&format!("0235:{RECIPIENT}"));
        Scene { world, network, sender }
    }

    pub(super) async fn send(&self, number: &str, key: Option<&str>) -> Result<Sent, Failure> {
        let body = invoice(number, RECIPIENT);
        send(&self.world.sending, &self.sender, Operation::Invoice, &body, key).await
    }

    pub(super) async fn queue(&self, documents: usize) {
        for number in 0..documents {
            let (body, key) = (invoice(&format!("A-{number}"), RECIPIENT), format!("k-{number}"));
            send_queued(&self.world.sending, &self.sender, &body, Some(&key)).await.unwrap();
        }
    }

    pub(super) async fn document(&self) -> DocumentRecord {
        let mut documents = self.world.documents().await;
        assert_eq!(documents.len(), 1);
        documents.remove(0)
    }

    pub(super) async fn transmission(&self, document_id: &DocumentId) -> TransmissionRecord {
        let (store, taxpayer) = (&self.world.ctx.store, &self.sender.taxpayer.taxpayer_id);
        store.get_transmission(Mode::Live, taxpayer, document_id).await.unwrap().unwrap()
    }

    pub(super) async fn receipt(
        &self,
        document_id: &DocumentId,
        here: usize,
    ) -> Result<Stored, Failure> {
        let (reading, reader) = (self.world.sending.reading(), self.sender.reader());
        let id = document_id.as_str();
        let filed = documents::receipt(&reading, reader, id, here, PayloadMethod::Get).await?;
        Ok(filed.stored)
    }

    pub(super) async fn outcomes(&self) -> Vec<Option<AttemptOutcome>> {
        let document = self.document().await;
        let transmission = self.transmission(&document.document_id).await;
        transmission.attempts.iter().map(|attempt| attempt.outcome).collect()
    }

    pub(super) async fn dispatch(&self) {
        let document = self.document().await;
        let message = StageMessage {
            mode: Mode::Live,
            taxpayer_id: document.taxpayer_id,
            document_id: document.document_id,
            organization_id: document.organization_id,
        };
        job::run(&Dispatch(self.world.sending.clone()), &message).await.unwrap();
    }

    /// Advances the clock until the document is due. Returns its message.
    pub(super) async fn due_message(&self) -> StageMessage {
        let (due, place) = self.world.next_due().await.unwrap();
        let wait = due.duration_since(self.world.now()).max(SignedDuration::ZERO);
        self.world.clock.advance(wait);
        sweep::take_up(&self.world.relaying, &place).await;
        let messages = self.world.cloud.receive("dispatch");
        assert_eq!(messages.len(), 1);
        messages[0].read()
    }

    pub(super) async fn wait_and_dispatch(&self) {
        let message = self.due_message().await;
        job::run(&Dispatch(self.world.sending.clone()), &message).await.unwrap();
    }

    pub(super) async fn events(&self) -> Vec<EventType> {
        self.world.events().await.iter().map(|event| event.event_type).collect()
    }
}

#[tokio::test]
async fn a_live_send_is_delivered_once_with_a_receipt_as_evidence() {
    let scene = Scene::new().await;
    let sent = scene.send("A-1", Some("k")).await.unwrap();
    assert_eq!(sent.reply.status, 201);
    let document = scene.document().await;
    assert_eq!((document.status, &document.lease), (Status::Sent, &None));
    let [taken] = &scene.network.taken()[..] else { panic!("not one message") };
    assert_eq!(taken.instance_id, document.message_id.to_string());
    let envelope = sbdh::read(&taken.sbdh).unwrap();
    assert_eq!(envelope.header.sender.to_string(), "0235:1001234501");
    assert_eq!(envelope.header.receiver.to_string(), format!("0235:{RECIPIENT}"));
    assert_eq!(envelope.header.mls_type, Some(MlsType::AlwaysSend));
    let ubl = scene.world.sending.bucket.get(document.ubl.as_ref().unwrap()).await.unwrap();
    assert!(envelope.payload.document().len() <= ubl.len());

    let transmission = scene.transmission(&document.document_id).await;
    let [attempt] = &transmission.attempts[..] else { panic!("{transmission:?}") };
    assert_eq!(attempt.outcome, Some(AttemptOutcome::Received));
    assert!(document.dispatching_at.is_some_and(|at| at <= attempt.started_at), "{document:?}");
    assert_eq!(attempt.receiver.as_deref(), Some(THEIR_SEAT));
    assert_eq!(attempt.message_id.as_ref(), Some(&taken.message_id));
    let receipt = transmission.receipt.as_ref().unwrap().stored().unwrap();
    let receipt = scene.world.sending.bucket.get(receipt).await.unwrap();
    assert!(String::from_utf8(receipt).unwrap().contains("NonRepudiationInformation"));
    assert_eq!(scene.events().await, [EventType::DocumentSent]);
    let Stored::Here(given) = scene.receipt(&document.document_id, 3_000_000).await.unwrap() else {
        panic!("it is elsewhere")
    };
    let stored = transmission.receipt.as_ref().unwrap().stored().unwrap();
    assert_eq!(given, scene.world.sending.bucket.get(stored).await.unwrap());

    let again = scene.send("A-1", Some("k")).await.unwrap();
    assert!(again.replayed && again.reply == sent.reply);
    assert_eq!(scene.network.came(), 1);
}

#[tokio::test]
async fn where_there_is_no_receipt_its_absence_is_explained() {
    let scene = Scene::new().await;
    scene.send("A-1", Some("k")).await.unwrap();
    let sent = scene.document().await;
    let (taxpayer_id, document_id) = (&sent.taxpayer_id, &sent.document_id);
    let none = TransmissionRecord { receipt: None, ..scene.transmission(document_id).await };
    scene.world.put(Key::transmission(Mode::Live, taxpayer_id, document_id), &none).await;
    let why = async |status| {
        let document = DocumentRecord { status, ..sent.clone() };
        scene.world.put(Key::document(Mode::Live, taxpayer_id, document_id), &document).await;
        let failure = scene.receipt(document_id, 10).await.unwrap_err();
        assert_eq!(failure.code, Code::NotFound);
        failure.message
    };
    for (status, word) in [
        (Status::Converted, "Retry later"),
        (Status::Dispatching, "Retry later"),
        (Status::Unconfirmed, "sent no receipt"),
        (Status::Failed, "was not delivered"),
        (Status::Sent, "received the document"),
    ] {
        let message = why(status).await;
        assert!(message.contains(word), "{message}");
    }
}

/// A clock that does not advance, but really sleeps.
pub(super) struct Standing(pub(super) Timestamp);

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        self.0
    }
}

#[tokio::test]
async fn what_keeps_a_document_from_leaving_frees_its_key_and_says_why() {
    let cases = [
        (Code::RecipientNotRegistered, Names::NoName, Publishes::Well),
        (Code::RecipientNotRegistered, Names::Well, Publishes::Status(404)),
        (Code::RecipientNotCapable, Names::Well, Publishes::OtherDocuments),
        (Code::RecipientLookupFailed, Names::ServerFailure, Publishes::Well),
        (Code::RecipientLookupFailed, Names::Well, Publishes::Status(500)),
        (Code::RecipientLookupFailed, Names::Well, Publishes::Garbage),
        (Code::RecipientRegistrationDefective, Names::Well, Publishes::Foreign),
        (Code::RecipientRegistrationDefective, Names::Well, Publishes::Flawed(Flaw::Revoked)),
        (Code::RecipientRegistrationDefective, Names::Well, Publishes::Flawed(Flaw::Expired)),
        (
            Code::RecipientRegistrationDefective,
            Names::Well,
            Publishes::At("http://example.com/as4".to_owned()),
        ),
    ];
    for (code, names, publishes) in cases {
        let scene = Scene::new().await;
        scene.network.names(names);
        scene.network.publishes(publishes.clone());
        let failure = scene.send("A-1", Some("k")).await.unwrap_err();
        assert_eq!(failure.code, code, "{names:?} {publishes:?}: {}", failure.message);
        assert!(scene.world.documents().await.is_empty() && scene.events().await.is_empty());
        assert!(scene.world.cloud.objects().iter().all(|object| object.contains("revocation")));
        // The key is free, and the cached failure expires soon.
        scene.network.names(Names::Well);
        scene.network.publishes(Publishes::Well);
        scene.world.clock.advance(SignedDuration::from_mins(1));
        scene.send("A-1", Some("k")).await.unwrap();
        assert_eq!(scene.network.taken().len(), 1);
    }
}

#[tokio::test]
async fn a_recipient_that_is_not_found_costs_the_bucket_nothing() {
    let scene = Scene::new().await;
    let metered = scene.world.metered();
    scene.network.names(Names::NoName);
    let body = invoice("A-1", RECIPIENT);
    let sent = send(&metered.sending, &scene.sender, Operation::Invoice, &body, Some("k")).await;
    assert_eq!(sent.unwrap_err().code, Code::RecipientNotRegistered);
    let calls = metered.meter.take().calls;
    assert!(!calls.is_empty() && calls.iter().all(|call| !call.starts_with("S3")), "{calls:?}");
}

#[tokio::test]
async fn a_refusal_is_final_when_it_is_signed_and_its_answer_is_replayed() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::Refuses(Rule::NotServiced));
    let failure = scene.send("A-1", Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::TransmissionRefused);
    assert!(failure.message.contains("PEPPOL:NOT_SERVICED"), "{}", failure.message);
    let document = scene.document().await;
    assert_eq!(document.status, Status::Failed);
    assert_eq!(document.warnings[0].rule, "AP-NETWORK-refused");
    assert_eq!(scene.events().await, [EventType::DocumentStatus]);
    let again = scene.send("A-1", Some("k")).await.unwrap_err();
    assert_eq!((again.code, &again.message), (failure.code, &failure.message));
    let of_it = Some(document.document_id.as_str());
    assert_eq!((again.document_id.as_deref(), failure.document_id.as_deref()), (of_it, of_it));
    assert!(again.replayed && !failure.replayed);
    assert_eq!(scene.network.came(), 1);

    // An unsigned refusal proves nothing, since anybody can send it.
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::RefusesUnsigned(Rule::NotServiced)]);
    let failure = scene.send("A-1", Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::TransmissionUnconfirmed);
    scene.wait_and_dispatch().await;
    assert_eq!(scene.document().await.status, Status::Sent);
}

#[tokio::test]
async fn a_duplicate_is_no_proof_that_a_document_arrived_and_none_that_it_did_not() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp, Takes::CallsDuplicate]);
    scene.send("A-1", Some("k")).await.unwrap_err();
    scene.wait_and_dispatch().await;
    let document = scene.document().await;
    assert_eq!(document.status, Status::Unconfirmed);
    assert_eq!(document.warnings[0].rule, "AP-NETWORK-duplicate");
    let outcomes = [Some(AttemptOutcome::Unconfirmed), Some(AttemptOutcome::Duplicate)];
    assert_eq!(scene.outcomes().await, outcomes);
    assert!(scene.world.next_due().await.is_none_or(|(_, place)| place.kind() == "event"));
}

#[tokio::test]
async fn a_duplicate_of_what_was_never_sent_is_a_refusal() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::CallsDuplicate);
    let failure = scene.send("A-1", Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::TransmissionRefused, "{}", failure.message);
    assert_eq!(scene.document().await.status, Status::Failed);
    assert_eq!(scene.outcomes().await, [Some(AttemptOutcome::Refused)]);
}

#[tokio::test]
async fn a_predefined_endpoint_is_neither_looked_up_nor_sent_to() {
    let scene = Scene::new().await;
    let mut body = invoice("A-1", "9900000098");
    body["customer"]["identifiers"] = serde_json::json!([{"id": "B-1"}]);
    body["customer"].as_object_mut().unwrap().remove("vat_identifier");
    let sent = send(&scene.world.sending, &scene.sender, Operation::Invoice, &body, None).await;
    assert_eq!(sent.unwrap().reply.status, 201);
    assert_eq!(scene.document().await.status, Status::Sent);
    assert_eq!((scene.network.asked(), scene.network.came()), (0, 0));
}

#[tokio::test]
async fn a_live_send_without_a_subscription_is_refused() {
    let (world, network) = World::live().await;
    let sender = world.caller("Falcon", "1001234501").await;
    network.register(&format!("0235:{RECIPIENT}"));
    let body = invoice("A-1", RECIPIENT);
    let refused = send(&world.sending, &sender, Operation::Invoice, &body, None).await;
    assert_eq!(refused.unwrap_err().code, Code::SubscriptionRequired);
    assert_eq!(network.asked(), 0);
}

#[tokio::test]
async fn the_setting_of_the_taxpayer_says_where_statuses_are_asked_to_go() {
    let scene = Scene::new().await;
    scene.send("A-1", None).await.unwrap();
    let spid = Spid::new("000001-MLS").unwrap();
    let settings = SettingsPatch { mls_to: Some(Some(spid.clone())), ..SettingsPatch::default() };
    let patch = Patch { settings, ..Patch::default() };
    let (ctx, by) = (&scene.world.ctx, By::operator());
    taxpayers::patch(ctx, &scene.sender, &patch, &by).await.unwrap();
    scene.send("A-2", None).await.unwrap();
    let body = invoice("A-3", RECIPIENT);
    send_queued(&scene.world.sending, &scene.sender, &body, Some("k")).await.unwrap();
    scene.world.settle().await;
    let taken = scene.network.taken();
    let asked = taken.iter().map(|it| sbdh::read(&it.sbdh).unwrap().header.mls_to);
    let named = Some(MlsTo::from(&spid));
    assert_eq!(asked.collect::<Vec<_>>(), [None, named.clone(), named]);
}

/// RFC 9110, section 15.5.14.
#[tokio::test]
async fn a_receiver_to_which_a_message_is_too_large_has_refused_it() {
    let scene = Scene::new().await;
    scene.network.takes(Takes::Status(413));
    let failure = scene.send("A-1", Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::TransmissionRefused, "{failure:?}");
    assert_eq!(scene.document().await.status, Status::Failed);
    assert_eq!(scene.outcomes().await, [Some(AttemptOutcome::Refused)]);
}
