//! Message Level Statuses of other access points about our documents, from message to event.

mod mishaps;

use jiff::SignedDuration;
use serde_json::{Value, json, to_value};

use crate::{
    access::{By, Caller, Grant},
    document::Operation,
    peppol::{
        identifiers::Spid,
        mls::{self, Acceptance, Issue, Line, Reason, Rejection, Text, Verdict},
    },
    service::{
        documents::{self, Filter},
        grants, later,
        overview::overview,
        sweep,
        tests::archives,
    },
    store::{
        Awaited, Direction, DocumentRecord, EventRecord, EventType, MessageRecord, MessageStatus,
        Reached, Status, StatusCode, StatusEffect, StatusRecord,
    },
    testing::{Arrival, Parcel, Takes, TestNetwork, World, invoice, send},
    types::sha256_hex,
};

const RECIPIENT: &str = "1009876543";

/// A world with our invoice for the other access point.
struct Scene {
    world: World,
    network: TestNetwork,
    sender: Caller,
}

impl Scene {
    async fn new() -> Scene {
        let (world, network) = World::live().await;
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        network.register(&format!("0235:{RECIPIENT}"));
        Scene { world, network, sender }
    }

    /// A scene with a sent invoice.
    async fn sent() -> Scene {
        let scene = Scene::new().await;
        scene.send().await;
        assert_eq!(scene.document().await.status, Status::Sent);
        scene
    }

    async fn send(&self) {
        let body = invoice("A-1", RECIPIENT);
        let _ = send(&self.world.sending, &self.sender, Operation::Invoice, &body, None).await;
    }

    async fn document(&self) -> DocumentRecord {
        let [document] = self.world.documents().await.try_into().unwrap();
        document
    }

    /// A status about the invoice in a message of its own.
    async fn status(&self, number: u32, verdict: Verdict) -> Parcel {
        let ref_to = (&self.document().await.message_id).into();
        let status = mls::Status {
            id: text(&format!("S-{number}")),
            issued_at: self.world.now(),
            sender: Spid::new("000002").unwrap(),
            receiver: Spid::new("000001").unwrap(),
            ref_to,
            verdict,
        };
        Parcel {
            message_id: format!("s{number}@their.test"),
            instance_id: format!("status-{number}"),
            ..Parcel::status(&mls::write(&status))
        }
    }

    async fn comes(&self, parcel: &Parcel) {
        assert_eq!(parcel.pack().arrive(&self.world.receiving()).await, Arrival::Receipt);
        self.validate_inbound().await;
    }

    async fn validate_inbound(&self) {
        self.world.stream().await;
        self.world.run("judge", &self.world.validating()).await;
    }

    async fn effects(&self) -> Vec<StatusEffect> {
        let statuses: Vec<StatusRecord> = self.world.items("STATUS#").await;
        statuses.iter().map(|status| status.effect.unwrap()).collect()
    }

    /// The published events about changes of status.
    async fn published(&self) -> Vec<Value> {
        let events: Vec<EventRecord> = self.world.events().await;
        let events = events.iter().filter(|it| it.event_type == EventType::DocumentStatus);
        events.map(|event| serde_json::from_str(&event.body).unwrap()).collect()
    }

    /// How many documents the list has with a status.
    async fn listed(&self, status: Status) -> usize {
        let filter = Filter { status: Some(status), ..Filter::default() };
        let (ctx, asked) = (&self.world.ctx, self.world.asked(None, 10));
        let page = documents::list(ctx, self.sender.reader(), &filter, asked).await.unwrap();
        page.items.len()
    }
}

fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

fn accepted() -> Verdict {
    Verdict::Accepted(Acceptance::default())
}

fn rejected(issues: &[(&str, Reason)]) -> Verdict {
    let issue = |(line, reason): &(&str, Reason)| Issue {
        line: if *line == "NA" { Line::NOT_APPLICABLE } else { Line::at(text(line)) },
        description: text("[x] is wrong"),
        reason: *reason,
    };
    let issues = issues.iter().map(issue).collect();
    Verdict::Rejected(Rejection::new(text("Rejected for its findings"), issues).unwrap())
}

#[tokio::test]
async fn the_recipients_access_point_ends_the_way_of_a_document() {
    let forwarded = Verdict::AcceptedUnconfirmed(Acceptance::default());
    for (verdict, status, code) in [
        (accepted(), Status::Delivered, StatusCode::Delivered),
        (forwarded, Status::Forwarded, StatusCode::Forwarded),
        (rejected(&[("NA", Reason::Delivery)]), Status::Rejected, StatusCode::Rejected),
    ] {
        let scene = Scene::sent().await;
        let before = scene.document().await;
        let parcel = scene.status(1, verdict).await;
        scene.comes(&parcel).await;
        let document = scene.document().await;
        assert_eq!(document.status, status);
        let said = document.message_level_status.clone().unwrap();
        assert_eq!((said.code, said.sender.as_str()), (code, "PAE000002"));
        assert_eq!(said.instance_id.as_str(), "status-1");
        let unchanged = DocumentRecord {
            status: before.status,
            message_level_status: None,
            updated_at: before.updated_at,
            version: before.version,
            ..document
        };
        assert_eq!(unchanged, before, "nothing else changes");
        assert_eq!(scene.effects().await, [StatusEffect::Applied]);
        let [event] = scene.published().await.try_into().unwrap();
        assert_eq!(event["data"]["status"], status.as_str());
        assert_eq!(event["data"]["document_id"], before.document_id.as_str());
        assert_eq!(event["data"]["message_level_status"]["code"], to_value(code).unwrap());
        assert_eq!(
            event["data"]["message_level_status"]["findings"],
            to_value(&said.findings).unwrap()
        );
        let first = said
            .findings
            .first()
            .map_or(Value::Null, |it| json!({"rule": it.rule, "message": it.message}));
        assert_eq!(event["data"]["cause"], first);
        assert_eq!(event["previous_attributes"]["status"], "sent");
        assert_eq!((scene.listed(status).await, scene.listed(Status::Sent).await), (1, 0));
    }
}

#[tokio::test]
async fn what_only_matches_a_status_with_its_document_expires_and_the_proof_stays() {
    let scene = Scene::sent().await;
    let parcel = scene.status(1, accepted()).await;
    scene.comes(&parcel).await;
    let until = later(scene.world.now(), SignedDuration::from_hours(100 * 24)).as_second();
    // Nothing but its own record may know the message, or what it is about may, too.
    for prefix in ["AS4", "MESSAGE", "OUTBOUND"] {
        let [(key, expires)] = scene.world.expiries(prefix).await.try_into().unwrap();
        assert_eq!(expires, Some(until), "{prefix}");
        if prefix == "OUTBOUND" {
            scene.comes(&parcel).await;
            assert_eq!(scene.effects().await, [StatusEffect::Applied]);
        }
        scene.world.remove(key).await;
    }
    for prefix in ["AS4", "MESSAGE"] {
        let [(key, _)] = scene.world.expiries(prefix).await.try_into().unwrap();
        scene.world.remove(key).await;
    }
    for prefix in ["STATUS#", "DOCUMENT", "TRANSMISSION"] {
        let found = scene.world.expiries(prefix).await;
        assert!(
            !found.is_empty() && found.iter().all(|(_, expires)| expires.is_none()),
            "{prefix}"
        );
    }

    scene.comes(&parcel).await;
    assert_eq!(scene.effects().await, [StatusEffect::Applied]);

    let archive = archives::create(&scene.world, &scene.sender, archives::YEAR).await;
    Box::pin(scene.world.settle()).await;
    let archive = archives::get(&scene.world, &scene.sender, &archive).await;
    let files = archives::unpacked(&archives::object(&scene.world, &archive).unwrap());
    let named = |end: &str| {
        let found =
            files.iter().find(|(path, _)| path.contains("/statuses/") && path.ends_with(end));
        String::from_utf8(found.unwrap().1.clone()).unwrap()
    };
    let receipt = named("-receipt.xml");
    assert!(receipt.contains("<eb:RefToMessageId>s1@their.test<"), "{receipt}");
    assert!(named(&format!("{}.xml", sha256_hex(b"status-1"))).contains("status-1"));
}

#[tokio::test]
async fn a_rejection_leads_back_to_the_fields_of_the_body() {
    let scene = Scene::sent().await;
    let issues = [
        ("/Invoice/cac:InvoiceLine[1]/cac:Item/cbc:Name", Reason::Rule),
        ("/*:Invoice[namespace-uri()='urn:x'][1]/*:ID[namespace-uri()='urn:y'][1]", Reason::Syntax),
        ("/Invoice/cac:PaymentMeans[1]/cbc:PaymentMeansCode", Reason::Warning),
        ("/Invoice/cac:InvoiceLine[9]", Reason::Rule),
        ("NA", Reason::Rule),
    ];
    let parcel = scene.status(1, rejected(&issues)).await;
    scene.comes(&parcel).await;
    let said = scene.document().await.message_level_status.unwrap();
    assert_eq!(said.description.as_deref(), Some("Rejected for its findings"));
    let found: Vec<_> = said.findings.iter().map(|it| (&*it.rule, it.pointer.as_str())).collect();
    let expected = [
        ("AP-MLS-BV", "/line_items/0/item/name"),
        ("AP-MLS-SV", "/invoice_number"),
        ("AP-MLS-BW", "/payment_means"),
        ("AP-MLS-BV", ""),
        ("AP-MLS-BV", ""),
    ];
    assert_eq!(found, expected);
    assert_eq!(said.findings[0].location.as_deref(), Some(issues[0].0));
}

#[tokio::test]
async fn no_second_verdict_changes_the_first() {
    let scene = Scene::sent().await;
    let first = scene.status(1, accepted()).await;
    scene.comes(&first).await;
    let current = scene.document().await;
    let second = scene.status(2, rejected(&[("NA", Reason::Rule)])).await;
    scene.comes(&second).await;
    assert_eq!(scene.document().await, current);
    let mut effects = scene.effects().await;
    effects.sort_by_key(|effect| effect.as_str());
    assert_eq!(effects, [StatusEffect::Applied, StatusEffect::Second]);
    assert_eq!(scene.published().await.len(), 1);
}

#[tokio::test]
async fn a_status_of_another_provider_changes_nothing() {
    let scene = Scene::sent().await;
    let current = scene.document().await;
    let ours = scene.status(1, accepted()).await;
    let signed_by_another = Parcel { from: "PAE000003", ..ours };
    scene.comes(&signed_by_another).await;
    assert_eq!(scene.document().await, current);
    assert_eq!(scene.effects().await, [StatusEffect::Foreign]);
    // The right status still counts.
    let right = scene.status(2, accepted()).await;
    scene.comes(&right).await;
    assert_eq!(scene.document().await.status, Status::Delivered);
}

#[tokio::test]
async fn a_status_that_overtakes_the_receipt_waits_for_it() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp]);
    scene.send().await;
    assert_eq!(scene.document().await.status, Status::Dispatching);
    let parcel = scene.status(1, accepted()).await;
    scene.comes(&parcel).await;
    assert_eq!(scene.document().await.status, Status::Dispatching);
    assert!(scene.effects().await.is_empty());
    // The retry sends the same message, which is received.
    for _ in 0..6 {
        let Some((due, job_id)) = scene.world.next_due().await else { break };
        scene.world.clock.advance(due.duration_since(scene.world.now()).max(SignedDuration::ZERO));
        sweep::take_up(&scene.world.relaying, &job_id).await;
        scene.world.work().await;
        scene.validate_inbound().await;
    }
    assert_eq!(scene.document().await.status, Status::Delivered);
    assert_eq!(scene.effects().await, [StatusEffect::Applied]);
    let [event] = scene.published().await.try_into().unwrap();
    assert_eq!(event["previous_attributes"]["status"], "sent");
}

#[tokio::test]
async fn a_status_waits_for_two_days_and_two_hours_at_most() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp]);
    scene.send().await;
    let parcel = scene.status(1, accepted()).await;
    scene.comes(&parcel).await;
    scene.world.clock.advance(SignedDuration::from_hours(51));
    let (_, job_id) = scene.world.next_due().await.unwrap();
    for job_id in [job_id.clone(), message_place(&scene).await] {
        sweep::take_up(&scene.world.relaying, &job_id).await;
    }
    scene.validate_inbound().await;
    assert_eq!(scene.effects().await, [StatusEffect::Early]);
    assert_eq!(scene.document().await.status, Status::Dispatching);
    let messages: Vec<MessageRecord> = scene.world.items("MESSAGE").await;
    assert!(messages.iter().all(|message| message.status == MessageStatus::Validated));
}

async fn message_place(scene: &Scene) -> crate::store::keys::JobId {
    let [message]: [MessageRecord; 1] = scene.world.items("MESSAGE").await.try_into().unwrap();
    crate::store::keys::JobId::Message(scene.world.mode, message.hash())
}

#[tokio::test]
async fn what_is_unconfirmed_is_settled_and_leaves_its_list() {
    let scene = Scene::new().await;
    scene.network.takes_first(&[Takes::AndHangsUp, Takes::CallsDuplicate]);
    scene.send().await;
    let (due, job_id) = scene.world.next_due().await.unwrap();
    scene.world.clock.advance(due.duration_since(scene.world.now()));
    sweep::take_up(&scene.world.relaying, &job_id).await;
    scene.world.work().await;
    assert_eq!(scene.listed(Status::Unconfirmed).await, 1);
    scene.world.clock.advance(SignedDuration::from_secs(1));
    let parcel = scene.status(1, rejected(&[("NA", Reason::Rule)])).await;
    scene.comes(&parcel).await;
    assert_eq!(scene.document().await.status, Status::Rejected);
    let lists = scene.world.raw_items(scene.document().await.document_id.as_str()).await;
    let names: Vec<_> = lists.iter().map(|item| item["pk"].as_s().unwrap().clone()).collect();
    assert!(names.iter().any(|pk| pk.contains("STATUS#rejected")), "{names:?}");
    assert!(!names.iter().any(|pk| pk.contains("STATUS#failed")), "{names:?}");
    let published: Vec<_> = scene.published().await;
    assert_eq!(published[1]["previous_attributes"]["status"], "unconfirmed");
}

#[tokio::test]
async fn rejected_documents_are_found_whichever_way_they_went() {
    let scene = Scene::sent().await;
    let parcel = scene.status(1, rejected(&[("NA", Reason::Rule)])).await;
    scene.comes(&parcel).await;
    for (direction, found) in [(Direction::Outbound, 1), (Direction::Inbound, 0)] {
        let filter = Filter {
            direction: Some(direction),
            status: Some(Status::Rejected),
            ..Filter::default()
        };
        let (ctx, asked) = (&scene.world.ctx, scene.world.asked(None, 10));
        let page = documents::list(ctx, scene.sender.reader(), &filter, asked).await.unwrap();
        assert_eq!(page.items.len(), found, "{direction:?}");
    }
}

#[tokio::test]
async fn a_document_that_failed_is_on_the_overview_of_everybody_who_was_notified_and_may_read_it() {
    let scene = Scene::sent().await;
    let parcel = scene.status(1, rejected(&[("NA", Reason::Rule)])).await;
    scene.comes(&parcel).await;
    scene.world.stream().await;
    let (ctx, mode) = (&scene.world.ctx, scene.world.mode);
    let id = &scene.sender.organization_id;
    let shown = overview(ctx, mode, id).await.unwrap();
    let [failed] = &shown.failures[..] else { panic!("{shown:?}") };
    assert_eq!((failed.reached, &failed.document), (Reached::Rejected, &scene.document().await));
    let today = shown.days[0];
    assert_eq!((today.of(Reached::Sent), today.of(Reached::Rejected)), (1, 1));
    // The verdict on its report is still awaited, but no status any more.
    let awaited: Vec<_> = shown.awaited.iter().map(|it| (it.what, it.is_overdue)).collect();
    assert_eq!(awaited, [(Awaited::Verdict, false)]);
    let stranger = scene.world.organization("Stranger").await;
    let other = overview(ctx, mode, &stranger).await.unwrap();
    assert!(other.failures.is_empty() && other.awaited.is_empty() && other.days.is_empty());

    for grant in scene.world.items::<Grant>("GRANT#").await {
        grants::revoke(ctx, mode, &grant.organization_id, &grant.grant_id, &By::operator())
            .await
            .unwrap();
    }
    let after = overview(ctx, mode, id).await.unwrap();
    assert!(after.failures.is_empty() && after.awaited.is_empty(), "it may read nothing there");
    assert_eq!(after.days, shown.days, "what was published to it stays counted");
}

#[tokio::test]
async fn a_status_is_awaited_for_25_minutes_and_then_overdue_until_it_comes() {
    let scene = Scene::sent().await;
    scene.world.stream().await;
    let (ctx, mode) = (&scene.world.ctx, scene.world.mode);
    let awaited = async || {
        let shown = overview(ctx, mode, &scene.sender.organization_id).await.unwrap();
        shown.awaited.iter().map(|it| (it.what, it.is_overdue)).collect::<Vec<_>>()
    };
    assert_eq!(awaited().await, [(Awaited::Status, false)]);
    scene.world.clock.advance(SignedDuration::from_mins(25));
    assert_eq!(awaited().await, [(Awaited::Status, true)]);
    let parcel = scene.status(1, accepted()).await;
    assert_eq!(parcel.pack().arrive(&scene.world.receiving()).await, Arrival::Receipt);
    // The document shows it before the event is relayed.
    assert!(awaited().await.is_empty());
    assert!(
        scene.world.raw_items("AWAITED#").await.is_empty(),
        "the overview removes what it finds settled"
    );
    scene.world.stream().await;
    assert_eq!(awaited().await, [(Awaited::Verdict, false)]);
    assert_eq!(scene.world.raw_items("AWAITED#").await.len(), 1);
    scene.world.clock.advance(SignedDuration::from_hours(8 * 24));
    assert!(awaited().await.is_empty(), "it is not shown for ever");
}

#[tokio::test]
async fn a_status_has_its_effect_before_its_receipt_and_a_long_one_after_it() {
    let scene = Scene::sent().await;
    let receiving = scene.world.receiving();
    let small = scene.status(1, rejected(&[("/Invoice/cbc:ID", Reason::Rule)])).await;
    assert_eq!(small.pack().arrive(&receiving).await, Arrival::Receipt);
    assert_eq!(scene.document().await.status, Status::Rejected);
    assert_eq!(
        (scene.effects().await, scene.published().await.len()),
        (vec![StatusEffect::Applied], 1)
    );
    assert_eq!(
        scene.world.expiries("MESSAGE").await.iter().filter(|(_, at)| at.is_some()).count(),
        1
    );
    scene.world.stream().await;
    assert!(scene.world.cloud.messages().iter().all(|message| message.queue != "judge"));

    let scene = Scene::sent().await;
    let long = scene.status(1, accepted()).await.long();
    assert_eq!(long.pack().arrive(&scene.world.receiving()).await, Arrival::Receipt);
    assert_eq!(scene.document().await.status, Status::Sent);
    scene.validate_inbound().await;
    assert_eq!(scene.document().await.status, Status::Delivered);
}

#[tokio::test]
async fn of_two_statuses_that_arrive_together_one_is_applied_and_the_other_is_validated_again() {
    let scene = Scene::sent().await;
    let receiving = scene.world.receiving();
    let first = scene.status(1, accepted()).await.pack();
    let second = scene.status(2, rejected(&[("NA", Reason::Rule)])).await.pack();
    let both = tokio::join!(first.arrive(&receiving), second.arrive(&receiving));
    assert_eq!(both, (Arrival::Receipt, Arrival::Receipt));
    assert_eq!(scene.published().await.len(), 1);
    scene.validate_inbound().await;
    let mut effects = scene.effects().await;
    effects.sort_by_key(|effect| effect.as_str());
    assert_eq!(effects, [StatusEffect::Applied, StatusEffect::Second]);
    assert_eq!(scene.published().await.len(), 1);
}
