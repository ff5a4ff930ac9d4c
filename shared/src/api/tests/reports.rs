//! Reports to the tax authority read back: whoever sees a document sees what was reported of it, and in
//! Sandbox there is nothing to see.

use serde_json::{Value, json};

use super::{Api, Call, invoice};
use crate::{
    access::Scope,
    store::{
        Direction, DocumentRecord, FilingKind, FilingRecord, FilingRole, FilingStatus,
        TransmissionRecord,
        keys::{FilingList, Key},
    },
    testing::World,
    types::{DocumentId, MessageId, Mode, OrganizationId, ReportId, TaxpayerId},
};

/// A Live taxpayer whose documents were reported, and an organization that has every scope on it.
struct Reported {
    api: Api,
    organization_id: OrganizationId,
    taxpayer_id: TaxpayerId,
    key: String,
}

impl Reported {
    async fn start() -> Self {
        let api = Api::over(World { mode: Mode::Live, ..World::new().await }).await;
        let world = &api.world;
        let taxpayer = world.taxpayer("Reported", "1009876543").await;
        let organization_id = world.organization("Reporting").await;
        world.grant(&organization_id, &taxpayer, &Scope::ALL).await;
        let key = world.api_key(&organization_id).await.reveal().to_owned();
        let taxpayer_id = taxpayer.taxpayer_id;
        Reported { api, organization_id, taxpayer_id, key }
    }

    async fn key_with(&self, scopes: &[Scope]) -> String {
        self.api.another_organization(&self.taxpayer_id, scopes).await
    }

    /// A document with the report that was first made of it.
    async fn document(
        &self,
        direction: Direction,
        status: FilingStatus,
    ) -> (DocumentRecord, FilingRecord) {
        let world = &self.api.world;
        let fixture = include_str!("../../store/fixtures/document.json");
        let fixture: DocumentRecord = serde_json::from_str(fixture).unwrap();
        let document = DocumentRecord {
            document_id: DocumentId::new(world.now(), &*world.ctx.random),
            taxpayer_id: self.taxpayer_id.clone(),
            organization_id: Some(self.organization_id.clone()),
            direction,
            created_at: world.now(),
            ..fixture
        };
        world.put(Key::document(Mode::Live, &self.taxpayer_id, &document.document_id), &document).await;
        let filing = FilingRecord {
            report_id: ReportId::first_of(&document.document_id),
            ..self.filing(&document, status)
        };
        self.put(&filing).await;
        (document, filing)
    }

    fn filing(&self, document: &DocumentRecord, status: FilingStatus) -> FilingRecord {
        let ctx = &self.api.world.ctx;
        let role = match document.direction {
            Direction::Outbound => FilingRole::Sender,
            Direction::Inbound => FilingRole::Receiver,
        };
        FilingRecord {
            report_id: ReportId::new(ctx.now(), &*ctx.random),
            taxpayer_id: self.taxpayer_id.clone(),
            document_id: document.document_id.clone(),
            kind: FilingKind::Submit,
            role,
            status,
            instance_id: MessageId::new(ctx.now(), &*ctx.random),
            document_type_code: document.document_type_code.clone(),
            supersedes_id: None,
            transport_header_id: None,
            created_at: ctx.now(),
            updated_at: ctx.now(),
            begun_at: None,
            turn: None,
            authority: None,
            tax_data: None,
            submitted_at: None,
            verdict: None,
            reasons: Vec::new(),
            lease: None,
            tries: 0,
        }
    }

    async fn put(&self, filing: &FilingRecord) {
        let (world, taxpayer_id) = (&self.api.world, &self.taxpayer_id);
        world.put(Key::filing(taxpayer_id, &filing.report_id), filing).await;
        let list = match filing.status {
            FilingStatus::NotCompliant => FilingList::NotCompliant,
            FilingStatus::Failed => FilingList::Failed,
            _ => return,
        };
        let pointer = json!({"kind": filing.kind, "role": filing.role});
        world.put(Key::in_filings(taxpayer_id, list, &filing.report_id), &pointer).await;
    }

    async fn get_as(&self, key: &str, path: &str) -> super::Answer {
        self.api.call(Call::get(path).key(key).taxpayer(&self.taxpayer_id)).await
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.get_as(&self.key, path).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {answer:?}");
        answer.json()
    }

    async fn listed(&self, key: &str, query: &str) -> Vec<String> {
        let answer = self.get_as(key, &format!("/v1/reports{query}")).await;
        assert_eq!(answer.status.as_u16(), 200, "{query}: {answer:?}");
        ids(&answer.json())
    }
}

fn ids(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().unwrap().iter();
    items.map(|item| item["report_id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn nothing_is_reported_in_sandbox() {
    let api = Api::start().await;
    let sent = api.as_falcon(Call::post("/v1/invoices", invoice().to_string())).await.json();
    assert!(sent["reporting"].is_null());
    let id = sent["document_id"].as_str().unwrap();
    let about = api.as_falcon(Call::get(&format!("/v1/invoices/{id}/reports"))).await;
    assert_eq!(about.json(), json!({"items": []}));
    let list = api.as_falcon(Call::get("/v1/reports")).await;
    assert_eq!(list.json(), json!({"items": [], "next_cursor": null}));
    let report = id.replace("doc_", "rep_");
    for end in ["", "/xml"] {
        let answer = api.as_falcon(Call::get(&format!("/v1/reports/{report}{end}"))).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()));
    }
}

#[tokio::test]
async fn a_key_of_the_sandbox_sees_no_report_of_a_taxpayer_by_the_same_id() {
    let reported = Reported::start().await;
    let (_, filing) = reported.document(Direction::Outbound, FilingStatus::Reported).await;
    let taxpayer = reported.taxpayer_id.clone();
    let Reported { mut api, .. } = reported;
    // The same identifiers in the other mode.
    api.world.mode = Mode::Sandbox;
    let live = Key::taxpayer(Mode::Live, &taxpayer);
    let items = api.world.raw_items("PROFILE").await;
    let item = items.into_iter().find(|item| *item["pk"].as_s().unwrap() == live.pk).unwrap();
    let mut record: Value = serde_dynamo::from_item(item).unwrap();
    record["mode"] = "sandbox".into();
    api.world.put(Key::taxpayer(Mode::Sandbox, &taxpayer), &record).await;
    let key = api.another_organization(&taxpayer, &Scope::ALL).await;
    let call = |path: String| Call::get(&path).key(&key).taxpayer(&taxpayer);
    assert_eq!(api.call(call("/v1/reports".to_owned())).await.json()["items"], json!([]));
    for end in ["", "/xml"] {
        let answer = api.call(call(format!("/v1/reports/{}{end}", filing.report_id))).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()));
    }
}

#[tokio::test]
async fn every_report_about_a_document_is_told_with_its_attempts() {
    let reported = Reported::start().await;
    let world = &reported.api.world;
    let (document, first) = reported.document(Direction::Outbound, FilingStatus::NotCompliant).await;
    world.clock.advance(jiff::SignedDuration::from_secs(60));
    let second = FilingRecord {
        kind: FilingKind::Resubmit,
        ..reported.filing(&document, FilingStatus::Submitted)
    };
    reported.put(&second).await;
    let document = DocumentRecord { later_reports: vec![second.report_id.clone()], ..document };
    let key = Key::document(Mode::Live, &reported.taxpayer_id, &document.document_id);
    world.put(key, &document).await;
    let way: TransmissionRecord =
        serde_json::from_str(include_str!("../../store/fixtures/transmission.json")).unwrap();
    let key = Key::filing_transmission(&reported.taxpayer_id, &second.report_id);
    world.put(key, &way).await;
    let path = format!("/v1/invoices/{}/reports", document.document_id);
    let about = reported.get(&path).await;
    assert_eq!(ids(&about), [first.report_id.to_string(), second.report_id.to_string()]);
    let (first, second) = (&about["items"][0], &about["items"][1]);
    assert_eq!((&first["kind"], &first["outcome"]), (&json!("S"), &json!("NOT_COMPLIANT")));
    assert_eq!(first["attempts"], json!([]));
    assert_eq!(first["decided_at"], "2026-11-20T08:00:00.000Z");
    assert_eq!((&second["kind"], &second["outcome"]), (&json!("R"), &Value::Null));
    assert_eq!((&second["role"], &second["overdue"]), (&json!("01"), &json!(false)));
    assert_eq!(second["attempts"][0]["cause"], "EBMS:0202 DeliveryFailure");
    assert_eq!(first["submission_id"], second["submission_id"]);
    assert_ne!(first["submission_message_id"], second["submission_message_id"]);
    // The same one by one; and a day later the authority's verdict is overdue.
    world.clock.advance(jiff::SignedDuration::from_hours(24));
    let one = reported.get(&format!("/v1/reports/{}", second["report_id"].as_str().unwrap())).await;
    assert_eq!(one["overdue"], true);
    assert_eq!(one["attempts"], second["attempts"]);
}

#[tokio::test]
async fn filters_find_the_reports_that_they_name() {
    let reported = Reported::start().await;
    let mut all = Vec::new();
    for (direction, status) in [
        (Direction::Outbound, FilingStatus::Reported),
        (Direction::Outbound, FilingStatus::NotCompliant),
        (Direction::Inbound, FilingStatus::NotCompliant),
        (Direction::Inbound, FilingStatus::Failed),
        (Direction::Outbound, FilingStatus::Submitted),
    ] {
        all.push(reported.document(direction, status).await.1.report_id.to_string());
        reported.api.world.clock.advance(jiff::SignedDuration::from_secs(1));
    }
    let inbound_only = reported.key_with(&[Scope::InboundRead]).await;
    let outbound_too = reported.key_with(&[Scope::InvoicesRead]).await;
    let cases: [(&str, &[usize], &[usize]); 13] = [
        ("", &[4, 3, 2, 1, 0], &[3, 2]),
        ("?outcome=REPORTED", &[0], &[]),
        ("?outcome=NOT_COMPLIANT", &[2, 1], &[2]),
        ("?outcome=FAILED", &[3], &[3]),
        ("?outcome=FAILED&status=failed", &[3], &[3]),
        ("?outcome=FAILED&status=reported", &[], &[]),
        ("?outcome=UNKNOWN", &[], &[]),
        ("?status=submitted", &[4], &[]),
        ("?kind=S", &[4, 3, 2, 1, 0], &[3, 2]),
        ("?kind=W", &[], &[]),
        ("?kind=S&outcome=NOT_COMPLIANT", &[2, 1], &[2]),
        ("?created_from=2026-11-20T08:00:02Z&created_to=2026-11-20T08:00:03Z", &[3, 2], &[3, 2]),
        ("?outcome=NOT_COMPLIANT&created_to=2026-11-20T08:00:01Z", &[1], &[]),
    ];
    for (query, every, inbound) in cases {
        let named = |places: &[usize]| places.iter().map(|at| all[*at].clone()).collect::<Vec<_>>();
        assert_eq!(reported.listed(&outbound_too, query).await, named(every), "{query}");
        assert_eq!(reported.listed(&inbound_only, query).await, named(inbound), "{query}");
    }
    for query in ["?outcome=reported", "?kind=X", "?status=REPORTED", "?limit=101"] {
        let answer = reported.get_as(&reported.key, &format!("/v1/reports{query}")).await;
        assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{query}");
    }
}

#[tokio::test]
async fn pages_of_reports_follow_each_other_and_cursors_belong_to_their_list() {
    let reported = Reported::start().await;
    let mut all = Vec::new();
    for _ in 0..5 {
        let (_, filing) = reported.document(Direction::Outbound, FilingStatus::Reported).await;
        all.insert(0, filing.report_id.to_string());
        reported.api.world.clock.advance(jiff::SignedDuration::from_secs(1));
    }
    let (mut listed, mut query) = (Vec::new(), "?limit=2".to_owned());
    let mut cursors = Vec::new();
    loop {
        let page = reported.get(&format!("/v1/reports{query}")).await;
        assert!(page["items"].as_array().unwrap().iter().all(|item| item["attempts"].is_null()));
        listed.extend(ids(&page));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        cursors.push(cursor.to_owned());
        query = format!("?limit=2&cursor={cursor}");
    }
    assert_eq!(listed, all);
    for path in ["/v1/reports?kind=S", "/v1/invoices?limit=2"] {
        let answer = reported.get_as(&reported.key, &format!("{path}&cursor={}", cursors[0])).await;
        assert_eq!(answer.error(), (400, "invalid_request".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn what_is_reported_of_a_document_is_seen_by_who_sees_the_document() {
    let reported = Reported::start().await;
    let (sent, about_sent) = reported.document(Direction::Outbound, FilingStatus::Reported).await;
    let (received, about_received) =
        reported.document(Direction::Inbound, FilingStatus::Reported).await;
    let paths = |document: &DocumentRecord, filing: &FilingRecord| {
        let (document, report) = (&document.document_id, &filing.report_id);
        [format!("/v1/invoices/{document}/reports"), format!("/v1/reports/{report}")]
    };
    let inbound_only = reported.key_with(&[Scope::InboundRead]).await;
    let reader = reported.key_with(&[Scope::InvoicesRead]).await;
    for (key, of_sent, of_received) in [(&inbound_only, 404, 200), (&reader, 200, 200)] {
        for path in paths(&sent, &about_sent) {
            assert_eq!(reported.get_as(key, &path).await.status.as_u16(), of_sent, "{path}");
        }
        for path in paths(&received, &about_received) {
            assert_eq!(reported.get_as(key, &path).await.status.as_u16(), of_received, "{path}");
        }
    }
    // Another taxpayer has them not.
    let world = &reported.api.world;
    let other = world.taxpayer("Other", "1009876544").await.taxpayer_id;
    let key = reported.api.another_organization(&other, &Scope::ALL).await;
    for path in paths(&sent, &about_sent) {
        let answer = reported.api.call(Call::get(&path).key(&key).taxpayer(&other)).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()), "{path}");
    }
    for id in ["rep_0", "doc_0", "%00", "REP_1"] {
        let answer = reported.get_as(&reported.key, &format!("/v1/reports/{id}")).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()), "{id}");
    }
}

#[tokio::test]
async fn the_tax_data_document_comes_byte_for_byte_once_it_was_made() {
    let reported = Reported::start().await;
    let (document, filing) = reported.document(Direction::Outbound, FilingStatus::Filing).await;
    let path = format!("/v1/reports/{}/xml", filing.report_id);
    let answer = reported.get_as(&reported.key, &path).await;
    assert_eq!(answer.error(), (404, "not_found".to_owned()));
    assert!(answer.message().contains("filing"), "{}", answer.message());
    let bucket = &reported.api.world.sending.bucket;
    let (kind, begun) = (crate::store::PayloadKind::TaxData, &mut Vec::new());
    let (taxpayer_id, id) = (&reported.taxpayer_id, &document.document_id);
    let bytes = b"<TaxData/>".to_vec();
    let tax_data = bucket.put(Mode::Live, taxpayer_id, id, kind, bytes, begun).await.unwrap();
    reported.put(&FilingRecord { tax_data: Some(tax_data), ..filing }).await;
    let answer = reported.get_as(&reported.key, &path).await;
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, &b"<TaxData/>"[..]));
}
