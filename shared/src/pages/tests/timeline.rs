//! The history of a document on its page.

use jiff::SignedDuration;

use super::{
    documents::{looked_at, signed_in, signed_in_member},
    *,
};
use crate::{
    access::{Scope, Taxpayer},
    error::Finding,
    store::{
        AttemptOutcome, Direction, DocumentRecord, EventRecord, EventType, MessageLevelStatus,
        MlsOutboundRecord, MlsOutboundStatus, Reached, Status, StatusCode, Subject,
        TaxReportRecord, TaxReportStatus, TaxReportVerdict, TransmissionAttempt,
        TransmissionRecord, keys::Key,
    },
    types::{EventId, Mode, OrganizationId},
};

/// A business, an organization that acts for it, and a Live document between them with a report.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) falcon: Taxpayer,
    pub(super) organization_id: OrganizationId,
    pub(super) document: DocumentRecord,
    pub(super) tax_report: TaxReportRecord,
    /// The browsers of the business and of the organization.
    pub(super) browsers: [Browser; 2],
}

pub(super) fn attempt() -> TransmissionAttempt {
    let way: TransmissionRecord =
        serde_json::from_str(include_str!("../../store/fixtures/transmission.json")).unwrap();
    way.attempts.into_iter().next().unwrap()
}

impl Scene {
    pub(super) async fn new(direction: Direction, filed: TaxReportStatus) -> Scene {
        let world = World::unconnected().await;
        let address = "accounts@falcon.example".parse().unwrap();
        let falcon = world.registered("Falcon Trading LLC", "1001234501", &address).await;
        let organization_id = world.organization("Integrator").await;
        world.grant(&organization_id, &falcon, &Scope::ALL).await;
        let of = &falcon.taxpayer_id;
        let (document, tax_report) = world.reported(of, &organization_id, direction, filed).await;
        let member = signed_in_member(&world, &organization_id).await;
        let browsers = [signed_in(&world, &falcon).await, member];
        Scene { world, falcon, organization_id, document, tax_report, browsers }
    }

    /// A time after the creation of the document.
    pub(super) fn at(&self, seconds: i64) -> jiff::Timestamp {
        self.document.created_at + SignedDuration::from_secs(seconds)
    }

    pub(super) async fn put_attempts(
        &self,
        way: TransmissionRecord,
        attempts: Vec<TransmissionAttempt>,
    ) {
        let way = TransmissionRecord { attempts, ..way };
        self.world.ctx.store.put_transmission(Mode::Live, way).await.unwrap().unwrap();
    }

    /// Publishes an event about the document to the organization.
    async fn tell(&self, event_type: EventType, reached: Reached, seconds: i64) {
        let fixture = include_str!("../../store/fixtures/event_document.json");
        let event = EventRecord {
            event_id: EventId::new(self.at(seconds), &*self.world.ctx.random),
            taxpayer_id: self.falcon.taxpayer_id.clone(),
            event_type,
            subject: Subject::Document { document_id: self.document.document_id.clone() },
            created_at: self.at(seconds),
            reached: Some(reached),
            awaits: Vec::new(),
            ..serde_json::from_str(fixture).unwrap()
        };
        self.world.ctx.store.tell(&self.organization_id, &event).await.unwrap();
    }

    /// The page for the business, and for the organization.
    pub(super) async fn pages(&self, name: &str) -> [Given; 2] {
        let (of, id) = (&self.falcon.taxpayer_id, &self.document.document_id);
        let [mut own, mut member] = self.browsers.clone();
        let path = format!("/organization/taxpayers/{of}/documents/{id}");
        [
            looked_at(&mut own, name, &format!("/documents/{id}")).await,
            looked_at(&mut member, &format!("organization-{name}"), &path).await,
        ]
    }

    /// The timeline of a page, the first entry first: seconds after the creation of the document, and the entry.
    fn timeline(&self, page: &Given) -> Vec<(i64, String)> {
        let (_, list) = page.body.split_once("<ol class=\"timeline\"").unwrap();
        let list = list.split("</ol>").next().unwrap();
        let entry = |item: &str| {
            let at = item.split_once("datetime=\"").unwrap().1.split('"').next().unwrap();
            let at: jiff::Timestamp = at.parse().unwrap();
            let said = item.split_once("<p>").unwrap().1.split("</p>").next().unwrap();
            let said = said.replace("<strong>", "").replace("</strong>", "");
            (at.duration_since(self.document.created_at).as_secs(), said)
        };
        let mut entries: Vec<_> = list.split("<li ").skip(1).map(entry).collect();
        entries.reverse();
        entries
    }
}

/// A time to the second in the UAE, in the format of pages.
fn at_uae(at: jiff::Timestamp) -> String {
    crate::types::UAE_OFFSET.to_datetime(at).strftime("%H:%M:%S").to_string()
}

fn said(entries: &[(i64, &str)]) -> Vec<(i64, String)> {
    entries.iter().map(|(at, said)| (*at, (*said).to_owned())).collect()
}

#[tokio::test]
async fn every_state_that_a_sent_document_was_in_has_its_time_and_what_was_told_of_it() {
    let scene = Scene::new(Direction::Outbound, TaxReportStatus::NotCompliant).await;
    let Scene { world, falcon, document, tax_report, .. } = &scene;
    let mls = document.message_level_status.clone().unwrap();
    let mls = MessageLevelStatus {
        code: StatusCode::Delivered,
        received_at: scene.at(180),
        findings: Vec::new(),
        ..mls
    };
    let sent = DocumentRecord {
        message_level_status: Some(mls),
        converted_at: Some(scene.at(1)),
        dispatching_at: Some(scene.at(2)),
        updated_at: scene.at(180),
        ..document.clone()
    };
    world.put_document(&sent).await;
    let fixture: TaxReportRecord =
        serde_json::from_str(include_str!("../../store/fixtures/tax_report.json")).unwrap();
    let verdict = TaxReportVerdict { received_at: scene.at(300), ..fixture.verdict.unwrap() };
    let (verdict, submitted_at) = (Some(verdict), Some(scene.at(240)));
    let tax_report =
        TaxReportRecord { verdict, submitted_at, updated_at: scene.at(300), ..tax_report.clone() };
    world.set_tax_report(&tax_report).await;
    let (of, id) = (falcon.taxpayer_id.clone(), document.document_id.clone());
    let put_off = TransmissionAttempt { started_at: scene.at(2), ..attempt() };
    let outcome = Some(AttemptOutcome::Received);
    let (started_at, duration_ms) = (scene.at(60), Some(30_000));
    let arrived = TransmissionAttempt { number: 2, started_at, duration_ms, outcome, ..attempt() };
    scene.put_attempts(TransmissionRecord::new(of, id), vec![put_off, arrived]).await;
    for (event_type, reached, at) in [
        (EventType::DocumentSent, Reached::Sent, 90),
        (EventType::DocumentStatus, Reached::Delivered, 180),
        (EventType::DocumentReported, Reached::NotCompliant, 300),
    ] {
        scene.tell(event_type, reached, at).await;
    }
    let [own, member] = scene.pages("timeline-sent").await;
    let known = [
        (0, "Accepted for sending"),
        (0, "Report to the tax authority created"),
        (1, "Status: Prepared"),
        (2, "Status: Sending"),
        (2, "Attempt to send: deferred by the recipient’s access point"),
        (60, "Attempt to send: received, with a receipt"),
        (90, "Status: Sent"),
        (180, "Status from the recipient’s access point: Delivered"),
        (240, "Report to the tax authority: Awaiting response"),
        (300, "Response of the tax authority: Not compliant"),
    ];
    assert_eq!(scene.timeline(&own), said(&known));
    // Entries within a minute have different times.
    for at in [1, 2] {
        let at = at_uae(scene.at(at));
        assert!(own.body.contains(&format!("{at}</time>")), "{at}: {}", own.body);
    }
    let published = [
        (90, "Your organization was notified: Sent"),
        (180, "Your organization was notified: Delivered"),
        (300, "Your organization was notified: Not compliant"),
    ];
    let timeline = scene.timeline(&member);
    let (heard, seen): (Vec<_>, Vec<_>) =
        timeline.into_iter().partition(|(_, said)| said.starts_with("Your organization"));
    assert_eq!(heard, said(&published));
    assert_eq!(seen, said(&known));
}

#[tokio::test]
async fn what_we_told_the_sender_of_a_received_document_is_on_its_timeline() {
    let scene = Scene::new(Direction::Inbound, TaxReportStatus::Due).await;
    let Scene { world, falcon, document, .. } = &scene;
    let (of, id) = (falcon.taxpayer_id.clone(), document.document_id.clone());
    let received =
        DocumentRecord { status: Status::Received, message_level_status: None, ..document.clone() };
    world.put_document(&received).await;
    let begun = [(0, "Received from another access point or business")];
    let reported = (0, "Report to the tax authority created");
    let [own, _] = scene.pages("timeline-received-just-now").await;
    assert_eq!(scene.timeline(&own), said(&[begun[0], reported]));
    let arrived = TransmissionAttempt {
        started_at: scene.at(60),
        duration_ms: Some(30_000),
        outcome: Some(AttemptOutcome::Received),
        ..attempt()
    };
    let way = TransmissionRecord::of_status(of.clone(), id.clone());
    scene.put_attempts(way, vec![arrived]).await;
    let answer: MlsOutboundRecord =
        serde_json::from_str(include_str!("../../store/fixtures/answer.json")).unwrap();
    let put = async |status, code, sent_at| {
        let (document_id, taxpayer_id) = (id.clone(), of.clone());
        let created_at = scene.at(0);
        let answer = answer.clone();
        let answer = MlsOutboundRecord {
            document_id,
            taxpayer_id,
            status,
            code,
            created_at,
            sent_at,
            ..answer
        };
        world.put(Key::mls_outbound(Mode::Live, &id), &answer).await;
        let [own, member] = scene.pages("timeline-received").await;
        assert_eq!(scene.timeline(&own), scene.timeline(&member));
        // The details contain the status and its id.
        assert_eq!(own.text().contains("CodeAP"), code == Some(StatusCode::Delivered));
        assert!(own.text().contains(answer.instance_id.to_string().as_str()), "{}", own.text());
        scene.timeline(&own)
    };
    let attempted = (60, "Attempt to send our status: received, with a receipt");
    let of_state = |at, state: &'static str| [begun[0], reported, attempted, (at, state)];
    let sent = put(MlsOutboundStatus::Sent, Some(StatusCode::Delivered), Some(scene.at(90))).await;
    let state = "Our status to the sender’s access point: Delivered";
    assert_eq!(sent, said(&of_state(90, state)));
    let refused =
        put(MlsOutboundStatus::Sent, Some(StatusCode::Rejected), Some(scene.at(90))).await;
    let state = "Our status to the sender’s access point: Rejected";
    assert_eq!(refused, said(&of_state(90, state)));
    for (status, state) in [
        (MlsOutboundStatus::Unconfirmed, "sent, without a receipt"),
        (MlsOutboundStatus::Undeliverable, "the access point does not accept statuses"),
    ] {
        let shown = put(status, Some(StatusCode::Forwarded), None).await;
        let state = format!("Our status to the sender’s access point: {state}");
        assert_eq!(shown.last(), Some(&(90, state)));
    }
    for (status, state) in [
        (MlsOutboundStatus::Waiting, "waiting for the document to be retrieved"),
        (MlsOutboundStatus::Answering, "sending"),
        (MlsOutboundStatus::NotOwed, "no status is required"),
    ] {
        let shown = put(status, None, None).await;
        let state = (0, format!("Our status to the sender’s access point: {state}"));
        assert!(shown.contains(&state), "{shown:?}");
    }
}

#[tokio::test]
async fn the_fullest_page_of_a_document_has_at_most_50_kb() {
    let scene = Scene::new(Direction::Outbound, TaxReportStatus::NotCompliant).await;
    let Scene { world, falcon, document, tax_report, .. } = &scene;
    let long = "What <others> said & wrote of it, \"in full\". ".repeat(12);
    let finding = Finding {
        fix: Some(long.clone().into()),
        value: Some(long.clone()),
        expected: Some(long.clone()),
        location: Some(long.clone()),
        ..Finding::error("/line_items/0/price", "AP-LINE-131", long.clone())
    };
    let mls = document.message_level_status.clone().unwrap();
    let mls = MessageLevelStatus {
        description: Some(long.repeat(4)),
        findings: vec![finding.clone(); 50],
        ..mls
    };
    let full = DocumentRecord {
        message_level_status: Some(mls),
        warnings: vec![finding.clone(); 55],
        source_id: Some("\"".repeat(200)),
        ..document.clone()
    };
    world.put_document(&full).await;
    let fixture: TaxReportRecord =
        serde_json::from_str(include_str!("../../store/fixtures/tax_report.json")).unwrap();
    let verdict =
        TaxReportVerdict { description: Some(long.repeat(4)), ..fixture.verdict.unwrap() };
    let (verdict, reasons) = (Some(verdict), vec![finding; 7]);
    world.set_tax_report(&TaxReportRecord { verdict, reasons, ..tax_report.clone() }).await;
    let attempts = (1..=20).map(|number| TransmissionAttempt {
        number,
        cause: Some(long.clone()),
        endpoint: Some(format!("https://ap.example/{}", "x".repeat(1_000))),
        ..attempt()
    });
    let (of, id) = (falcon.taxpayer_id.clone(), document.document_id.clone());
    scene.put_attempts(TransmissionRecord::new(of, id), attempts.collect()).await;
    for at in 0..25 {
        scene.tell(EventType::DocumentReported, Reached::NotCompliant, at).await;
    }
    let [own, member] = scene.pages("document-full").await;
    for page in [own, member] {
        let text = page.text();
        assert!(text.contains("earlier entr") && text.contains("more findings"), "{text}");
        assert!(page.body.matches("AP-LINE-131").count() >= 4, "{text}");
        assert!(scene.timeline(&page).len() >= 10, "{text}");
    }
}
