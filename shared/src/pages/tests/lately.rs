//! A Live organization's recent documents, on its overview and beside its subscription.

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};

use super::{documents::looked_at, *};
use crate::{
    access::{Origin, Role, Scope, Taxpayer},
    pages::cookies,
    service::sessions,
    store::{
        Awaited, Direction, DocumentRecord, EventRecord, EventType, Reached, Reporting, Status,
        Subject, TaxReportStatus, keys::Key,
    },
    types::{DocumentId, EventId, Mode, OrganizationId},
};

pub(super) struct Scene {
    world: World,
    id: OrganizationId,
    falcon: Taxpayer,
}

impl Scene {
    pub(super) async fn new() -> Scene {
        let world = World::unconnected().await;
        let id = world.organization("Integrator").await;
        let falcon = world.taxpayer("Falcon", "1001234501").await;
        world.grant(&id, &falcon, &Scope::ALL).await;
        Scene { world, id, falcon }
    }

    pub(super) async fn browser(&self, role: Role) -> Browser {
        let email = format!("{}@integrator.example", role.as_str()).parse().unwrap();
        let member = self.world.member(&self.id, email, role).await;
        let pages = crate::pages::organization::routes(Router::new());
        let mut browser = Browser::new(router(app(&self.world), pages));
        let ctx = &self.world.ctx;
        let begun = sessions::begin(ctx, Mode::Live, &member, Origin::default()).await.unwrap();
        let cookie = cookies::session(Mode::Live).to_owned();
        browser.cookies.insert(cookie, begun.reveal().to_owned());
        browser
    }

    fn ago(&self, minutes: i64) -> Timestamp {
        self.world.now() - SignedDuration::from_mins(minutes)
    }

    /// Publishes an event to the organization: when a document was created, its state, and the pending answers.
    async fn tell(&self, made: Timestamp, reached: Reached, awaits: &[Awaited]) -> DocumentId {
        let random = &*self.world.ctx.random;
        let document_id = DocumentId::new(made, random);
        let fixture = include_str!("../../store/fixtures/event_document.json");
        let event = EventRecord {
            event_id: EventId::new(made, random),
            taxpayer_id: self.falcon.taxpayer_id.clone(),
            event_type: EventType::DocumentStatus,
            subject: Subject::Document { document_id: document_id.clone() },
            created_at: made,
            reached: Some(reached),
            awaits: awaits.to_vec(),
            ..serde_json::from_str(fixture).unwrap()
        };
        self.world.ctx.store.tell(&self.id, &event).await.unwrap();
        document_id
    }

    /// Like `tell`, and stores the document itself.
    async fn put(
        &self,
        number: &str,
        made: Timestamp,
        status: Status,
        published: (Reached, &[Awaited]),
    ) {
        let document_id = self.tell(made, published.0, published.1).await;
        let of = &self.falcon.taxpayer_id;
        let filed = TaxReportStatus::Due;
        let (document, _) = self.world.reported(of, &self.id, Direction::Outbound, filed).await;
        let reporting: DocumentRecord =
            serde_json::from_str(include_str!("../../store/fixtures/document.json")).unwrap();
        let reporting = reporting.reporting.map(|it| Reporting { outcome: None, ..it });
        let document = DocumentRecord {
            document_id,
            number: number.to_owned(),
            status,
            reporting,
            created_at: made,
            ..document
        };
        self.world.put_document(&document).await;
    }
}

/// The texts of the rows in the section with this title.
fn rows(page: &Given, title: &str) -> Vec<String> {
    let (_, section) = page.body.split_once(&format!("<h2>{title}</h2>")).unwrap();
    let section = section.split("</section>").next().unwrap();
    let row = |row: &str| {
        let body = format!("<{row}");
        Given { status: page.status, headers: HeaderMap::new(), body }.text()
    };
    section.split("<li>").skip(1).map(|it| row(&format!("li>{it}"))).collect()
}

#[tokio::test]
async fn the_overview_tells_what_failed_what_is_awaited_and_what_is_late() {
    let scene = Scene::new().await;
    let (both, verdict) = ([Awaited::Status, Awaited::Verdict], [Awaited::Verdict]);
    let day = 24 * 60;
    scene.put("FAILED-1", scene.ago(30), Status::Failed, (Reached::Failed, &[])).await;
    scene.put("REJECTED-1", scene.ago(20), Status::Rejected, (Reached::Rejected, &verdict)).await;
    scene.put("SENT-1", scene.ago(10), Status::Sent, (Reached::Sent, &both)).await;
    scene.put("LATE-1", scene.ago(day + 60), Status::Sent, (Reached::Sent, &both)).await;
    // Near its end: the verdict is due within the hour.
    scene.put("NEAR-1", scene.ago(day - 50), Status::Delivered, (Reached::Sent, &verdict)).await;
    for url in ["https://failing.example/hook", "https://disabled.example/hook"] {
        scene.world.endpoint_at(&scene.id, url).await;
    }
    let watched =
        crate::service::webhooks::list(&scene.world.ctx, Mode::Live, &scene.id).await.unwrap();
    for it in &watched {
        let id = &it.endpoint.endpoint_id;
        if it.endpoint.url.contains("failing") {
            let breaker = serde_json::json!({"failing_since": scene.ago(5)});
            scene.world.put(Key::endpoint_breaker(Mode::Live, &scene.id, id), &breaker).await;
        } else {
            let Key { pk, sk } = Key::endpoint(Mode::Live, &scene.id, id);
            let disabled = serde_json::json!({"reason": "failing", "at": scene.ago(5)});
            let disabled = serde_dynamo::to_attribute_value(disabled).unwrap();
            scene.world.set(&pk, &sk, "disabled", disabled).await;
            let status = AttributeValue::S("disabled".to_owned());
            scene.world.set(&pk, &sk, "status", status).await;
        }
    }
    let mut browser = scene.browser(Role::Viewer).await;
    let page = looked_at(&mut browser, "organization-overview", "/organization").await;
    let attention = rows(&page, "Needs attention");
    let begins = |row: &String, with: &str| row.starts_with(with);
    assert_eq!(attention.len(), 4, "{attention:?}");
    assert!(begins(&attention[0], "REJECTED-1") && attention[0].contains("Rejected"));
    assert!(begins(&attention[1], "FAILED-1") && attention[1].contains("Failed"));
    for (url, state) in [
        ("https://failing.example/hook", "Failing"),
        ("https://disabled.example/hook", "Disabled: failed for days"),
    ] {
        let row = attention.iter().find(|row| begins(row, url));
        assert!(row.is_some_and(|row| row.contains(state)), "{attention:?}");
    }
    // Every report is due and was not delivered; the authority's answer is still pending. A document is listed once, with
    // the answer that is due first.
    let awaited = rows(&page, "Awaited responses");
    let (status, verdict) =
        ("Status from the recipient’s access point", "Response of the tax authority to the report");
    let expected = [
        ("LATE-1", status, true),
        ("SENT-1", status, false),
        ("NEAR-1", verdict, false),
        ("REJECTED-1", verdict, false),
    ];
    assert_eq!(awaited.len(), expected.len(), "{awaited:?}");
    for (row, (number, what, is_late)) in awaited.iter().zip(expected) {
        assert!(begins(row, number) && row.contains(what), "{number}: {awaited:?}");
        assert_eq!(row.contains("Overdue"), is_late, "{number}: {awaited:?}");
    }
    let events = "href=\"/organization/events\">All events</a>";
    assert!(page.body.contains(events), "{}", page.body);
    // Four figures with what they hint at, and how the service is.
    let figures = page.body.split_once("<dl class=\"figures\">").unwrap().1;
    let figures: Vec<_> = figures.split("</dl>").next().unwrap().split("<div>").skip(1).collect();
    let figures: Vec<_> = figures
        .iter()
        .map(|it| {
            let of =
                |tag: &str| it.split_once(tag).unwrap().1.split('<').next().unwrap().to_owned();
            (of("<dt>"), of("\"number\">"), of("\"hint\">"))
        })
        .collect();
    let figures: Vec<_> = figures
        .iter()
        .map(|(name, count, hint)| {
            format!("{name}: {count}, {hint}").replace(['\u{2068}', '\u{2069}'], "")
        })
        .collect();
    let expected = [
        "Sent: 3, 1 today",
        "Received: 0, 0 today",
        "Rejected or failed: 2, 2 need attention",
        "Waiting for an answer: 4, 1 overdue",
    ];
    assert_eq!(figures, expected);
    for health in ["Answers of others are overdue", "A webhook fails"] {
        assert!(page.text().contains(health), "{health}: {}", page.text());
    }
    // Failures are also highlighted among the counts.
    assert!(page.body.contains("<span class=\"badge bad\">1</span>"), "{}", page.body);
}

#[tokio::test]
async fn the_subscription_shows_how_many_documents_were_sent_and_received_of_late() {
    let scene = Scene::new().await;
    scene.world.subscribe(&scene.id).await;
    let mut browser = scene.browser(Role::Billing).await;
    let path = "/organization/billing";
    let page = looked_at(&mut browser, "organization-billing-none", path).await;
    assert!(!page.text().contains("last 30 days"), "{}", page.text());
    let day = 24 * 60;
    for (made, reached, many) in [
        (10, Reached::Sent, 3),
        (10, Reached::Delivered, 2),
        (10, Reached::Failed, 1),
        (20 * day, Reached::Sent, 2),
        (20 * day, Reached::Received, 4),
        (30 * day, Reached::Sent, 1),
    ] {
        for _ in 0..many {
            scene.tell(scene.ago(made), reached, &[]).await;
        }
    }
    let page = looked_at(&mut browser, "organization-billing", path).await;
    let text = page.text();
    assert!(text.contains("Documents of the last 30 days"), "{text}");
    assert!(text.contains("separate count of the billing provider"), "{text}");
    let (_, table) = page.body.split_once("<table").unwrap();
    let rows: Vec<Vec<_>> = table
        .split("<tr>")
        .skip(2)
        .map(|row| {
            let cells = row.split("<td class=\"number\">").skip(1);
            cells.map(|cell| cell.split("</t").next().unwrap()).collect()
        })
        .collect();
    assert_eq!(rows, [["5", "4"], ["3", "0"], ["2", "4"]], "{table}");
}

#[tokio::test]
async fn the_overview_names_seats_and_certificates_that_come_to_their_end() {
    let scene = Scene::new().await;
    let (ctx, by) = (&scene.world.ctx, crate::access::By::operator());
    crate::service::subscriptions::set(ctx, &scene.id, Some(10), &by).await.unwrap();
    scene.tell(scene.ago(5), Reached::Sent, &[]).await;
    let mut browser = scene.browser(Role::Owner).await;
    let text = browser.get("/organization").await.text();
    assert!(!text.contains("seats are in use") && !text.contains("certificate"), "{text}");
    crate::service::subscriptions::set(ctx, &scene.id, Some(1), &by).await.unwrap();
    let end = scene.world.now() + SignedDuration::from_hours(29 * 24);
    ctx.store.put_certificate_end(end).await.unwrap();
    let attention = rows(&browser.get("/organization").await, "Needs attention");
    assert_eq!(attention.len(), 2, "{attention:?}");
    assert!(attention[0].contains("1 of 1 seats are in use"), "{attention:?}");
    assert!(attention[1].contains("A certificate of the service expires on"), "{attention:?}");
}
