//! Reading of tax reports. A caller that may read a document sees its reports. Sandbox has no reports.

use serde_json::{Value, json};

use super::{Api, Call, invoice};
use crate::{
    access::Scope,
    store::{
        Direction, DocumentRecord, PayloadKind, Reporting, TaxReportKind, TaxReportRecord,
        TaxReportStatus, TransmissionRecord, keys::Key,
    },
    testing::World,
    types::{Mode, OrganizationId, TaxpayerId},
};

/// A Live taxpayer with reported documents, and an organization with every scope on it.
struct Reported {
    api: Api,
    organization_id: OrganizationId,
    taxpayer_id: TaxpayerId,
    key: String,
}

impl Reported {
    async fn start() -> Self {
        let api = Api::over(World::unconnected().await).await;
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

    /// A document with its first report.
    async fn document(
        &self,
        direction: Direction,
        status: TaxReportStatus,
    ) -> (DocumentRecord, TaxReportRecord) {
        let (taxpayer_id, organization_id) = (&self.taxpayer_id, &self.organization_id);
        self.api.world.reported(taxpayer_id, organization_id, direction, status).await
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
    let (_, tax_report) = reported.document(Direction::Outbound, TaxReportStatus::Reported).await;
    let taxpayer = reported.taxpayer_id.clone();
    let Reported { mut api, .. } = reported;
    // The same identifiers in the other mode.
    api.world.mode = Mode::Sandbox;
    let live = Key::taxpayer(Mode::Live, &taxpayer);
    let items = api.world.raw_items("PROFILE").await;
    let item = items.into_iter().find(|item| *item["pk"].as_s().unwrap() == live.pk).unwrap();
    let mut record: Value = crate::store::from_item(item).unwrap();
    record["mode"] = "sandbox".into();
    api.world.put(Key::taxpayer(Mode::Sandbox, &taxpayer), &record).await;
    let key = api.another_organization(&taxpayer, &Scope::ALL).await;
    let call = |path: String| Call::get(&path).key(&key).taxpayer(&taxpayer);
    assert_eq!(api.call(call("/v1/reports".to_owned())).await.json()["items"], json!([]));
    for end in ["", "/xml"] {
        let answer = api.call(call(format!("/v1/reports/{}{end}", tax_report.report_id))).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()));
    }
}

#[tokio::test]
async fn every_report_about_a_document_is_listed_with_its_attempts() {
    let reported = Reported::start().await;
    let world = &reported.api.world;
    let (document, first) =
        reported.document(Direction::Outbound, TaxReportStatus::NotCompliant).await;
    world.clock.advance(jiff::SignedDuration::from_secs(60));
    let second =
        world.tax_report_about(&document, TaxReportKind::Resubmit, TaxReportStatus::Submitted);
    world.set_tax_report(&second).await;
    let document = DocumentRecord { later_reports: vec![second.report_id.clone()], ..document };
    world.put_document(&document).await;
    let transmission: TransmissionRecord =
        serde_json::from_str(include_str!("../../store/fixtures/transmission.json")).unwrap();
    let key = Key::tax_report_transmission(&reported.taxpayer_id, &second.report_id);
    world.put(key, &transmission).await;
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
    // Each report alone. A day later the authority's verdict is overdue.
    world.clock.advance(jiff::SignedDuration::from_hours(24));
    let one = reported.get(&format!("/v1/reports/{}", second["report_id"].as_str().unwrap())).await;
    assert_eq!(one["overdue"], true);
    assert_eq!(one["attempts"], second["attempts"]);
}

#[tokio::test]
async fn a_correction_and_its_report_name_what_they_supersede_and_the_message_to_the_authority() {
    let reported = Reported::start().await;
    let world = &reported.api.world;
    let (former, _) = reported.document(Direction::Outbound, TaxReportStatus::NotCompliant).await;
    let (document, _) = reported.document(Direction::Outbound, TaxReportStatus::Submitted).await;
    let supersedes_id = Some(former.document_id.clone());
    let of = world.tax_report_about(&document, TaxReportKind::Submit, TaxReportStatus::Submitted);
    let tax_report = TaxReportRecord { supersedes_id: supersedes_id.clone(), ..of };
    world.set_tax_report(&tax_report).await;
    let document = DocumentRecord {
        corrects_document_id: supersedes_id,
        reporting: Some(Reporting::of(&tax_report)),
        ..document
    };
    world.put_document(&document).await;
    let shown = reported.get(&format!("/v1/invoices/{}", document.document_id)).await;
    let message_id = tax_report.instance_id.to_string();
    assert_eq!(shown["supersedes_id"], former.document_id.as_str());
    assert_eq!(shown["submission_message_id"], message_id);
    let report = reported.get(&format!("/v1/reports/{}", tax_report.report_id)).await;
    assert_eq!(report["supersedes_id"], former.document_id.as_str());
    assert_eq!(report["submission_message_id"], message_id);
}

#[tokio::test]
async fn filters_find_the_reports_that_they_name() {
    let reported = Reported::start().await;
    let mut all = Vec::new();
    for (direction, status) in [
        (Direction::Outbound, TaxReportStatus::Reported),
        (Direction::Outbound, TaxReportStatus::NotCompliant),
        (Direction::Inbound, TaxReportStatus::NotCompliant),
        (Direction::Inbound, TaxReportStatus::Failed),
        (Direction::Outbound, TaxReportStatus::Submitted),
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
        let (_, tax_report) =
            reported.document(Direction::Outbound, TaxReportStatus::Reported).await;
        all.insert(0, tax_report.report_id.to_string());
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
    let (sent, about_sent) =
        reported.document(Direction::Outbound, TaxReportStatus::Reported).await;
    let (received, about_received) =
        reported.document(Direction::Inbound, TaxReportStatus::Reported).await;
    let paths = |document: &DocumentRecord, tax_report: &TaxReportRecord| {
        let (document, report) = (&document.document_id, &tax_report.report_id);
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
    // Another taxpayer does not see them.
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
    let (document, tax_report) =
        reported.document(Direction::Outbound, TaxReportStatus::Filing).await;
    let path = format!("/v1/reports/{}/xml", tax_report.report_id);
    let answer = reported.get_as(&reported.key, &path).await;
    assert_eq!(answer.error(), (404, "not_found".to_owned()));
    assert!(answer.message().contains("filing"), "{}", answer.message());
    let bucket = &reported.api.world.sending.bucket;
    let (kind, begun) = (PayloadKind::TaxData, &mut Vec::new());
    let (taxpayer_id, id) = (&reported.taxpayer_id, &document.document_id);
    let mut stored = async |bytes: &str| {
        let bytes = bytes.as_bytes().to_vec();
        Some(bucket.put(Mode::Live, taxpayer_id, id, kind, bytes, begun).await.unwrap())
    };
    let given = async || {
        let answer = reported.get_as(&reported.key, &path).await;
        (answer.status.as_u16(), String::from_utf8(answer.body.to_vec()).unwrap())
    };
    let report_id = tax_report.report_id.clone();
    let sent = TransmissionRecord {
        tax_data: stored("<TaxData/>").await,
        ..TransmissionRecord::of_report(taxpayer_id.clone(), id.clone(), report_id)
    };
    reported.api.world.ctx.store.put_transmission(Mode::Live, sent).await.unwrap().unwrap();
    assert_eq!(given().await, (200, "<TaxData/>".to_owned()));
    // Earlier versions stored it in the report.
    let tax_data = stored("<Earlier/>").await;
    reported.api.world.set_tax_report(&TaxReportRecord { tax_data, ..tax_report }).await;
    assert_eq!(given().await, (200, "<Earlier/>".to_owned()));
}

#[tokio::test]
async fn a_report_that_did_not_hold_is_filed_again_once_under_a_key() {
    let reported = Reported::start().await;
    let (document, first) =
        reported.document(Direction::Outbound, TaxReportStatus::NotCompliant).await;
    let path = format!("/v1/invoices/{}/reports", document.document_id);
    let call = |body: &str, key: &str| {
        let call = Call::post(&path, body).key(&reported.key).taxpayer(&reported.taxpayer_id);
        if key.is_empty() { call } else { call.with("idempotency-key", key) }
    };
    let call = async |body: &str, key: &str| reported.api.call(call(body, key)).await;
    let answer = call(r#"{"kind": "R"}"#, "k-1").await;
    assert_eq!(answer.status.as_u16(), 202, "{answer:?}");
    let again = answer.json();
    assert_eq!((&again["kind"], &again["status"]), (&json!("R"), &json!("due")));
    assert_eq!(again["submission_id"], first.submission_id());
    assert_ne!(again["submission_message_id"], json!(first.instance_id.to_string()));
    assert!(!answer.headers.contains_key("idempotent-replayed"));
    // A repeated request has the same response. A different request with the same key is refused.
    let replayed = call(r#"{ "kind" : "R" }"#, "k-1").await;
    assert_eq!(replayed.header("idempotent-replayed"), "true");
    assert_eq!(replayed.body, answer.body);
    for body in ["{}", r#"{"kind": "S"}"#, "["] {
        let answer = call(body, "k-1").await;
        assert_eq!(answer.error(), (409, "idempotency_key_reused".to_owned()), "{body}");
    }
    for key in ["k-2", ""] {
        let answer = call(r#"{"kind": "R"}"#, key).await;
        assert_eq!(answer.error(), (409, "report_not_repairable".to_owned()));
        assert!(answer.message().contains(again["report_id"].as_str().unwrap()));
    }
    let about = reported.get(&path).await;
    assert_eq!(about["items"].as_array().unwrap().len(), 2, "{about}");
    let shown = reported.get(&format!("/v1/invoices/{}", document.document_id)).await;
    assert_eq!(shown["reporting"]["report_id"], again["report_id"]);
    assert!(shown["reporting"]["outcome"].is_null());
}

#[tokio::test]
async fn what_asks_for_a_report_is_read_strictly() {
    let reported = Reported::start().await;
    let (document, _) = reported.document(Direction::Outbound, TaxReportStatus::Failed).await;
    let path = format!("/v1/invoices/{}/reports", document.document_id);
    for (body, code, pointer) in [
        ("", "malformed_json", ""),
        ("[]", "validation_failed", ""),
        ("{}", "validation_failed", "/kind"),
        (r#"{"kind": null}"#, "validation_failed", "/kind"),
        (r#"{"kind": "S"}"#, "validation_failed", "/kind"),
        (r#"{"kind": "R", "a/b": 1}"#, "validation_failed", "/a~1b"),
    ] {
        let call = Call::post(&path, body).key(&reported.key).taxpayer(&reported.taxpayer_id);
        let answer = reported.api.call(call).await;
        assert_eq!(answer.error().1, code, "{body}");
        let found = answer.json()["detail"]["errors"].as_array().unwrap().clone();
        assert!(found.iter().all(|finding| finding["pointer"] == pointer), "{body}: {found:?}");
        assert_eq!(found.is_empty(), code == "malformed_json", "{body}");
    }
}

#[tokio::test]
async fn reports_are_filed_again_for_those_who_see_the_document_or_sent_it() {
    let reported = Reported::start().await;
    let (sent, _) = reported.document(Direction::Outbound, TaxReportStatus::Failed).await;
    let (received, _) = reported.document(Direction::Inbound, TaxReportStatus::Failed).await;
    let stranger = reported.key_with(&[Scope::InvoicesWrite]).await;
    let recipient = reported.key_with(&[Scope::InvoicesWrite, Scope::InboundRead]).await;
    let ask = async |key: &str, document: &DocumentRecord| {
        let path = format!("/v1/invoices/{}/reports", document.document_id);
        let call = Call::post(&path, r#"{"kind": "R"}"#).key(key).taxpayer(&reported.taxpayer_id);
        reported.api.call(call).await.status.as_u16()
    };
    assert_eq!(ask(&stranger, &sent).await, 404);
    assert_eq!(ask(&stranger, &received).await, 404);
    assert_eq!(ask(&recipient, &sent).await, 404);
    assert_eq!(ask(&recipient, &received).await, 202);
    assert_eq!(ask(&reported.key, &sent).await, 202);
}

#[tokio::test]
async fn in_sandbox_there_is_nothing_to_resubmit() {
    let api = Api::start().await;
    let sent = api.as_falcon(Call::post("/v1/invoices", invoice().to_string())).await.json();
    let path = format!("/v1/invoices/{}/reports", sent["document_id"].as_str().unwrap());
    let before = api.everything().await;
    let call = Call::post(&path, r#"{"kind": "R"}"#).with("idempotency-key", "k");
    assert_eq!(api.as_falcon(call).await.error(), (409, "report_not_repairable".to_owned()));
    assert!(api.everything().await == before);
}
