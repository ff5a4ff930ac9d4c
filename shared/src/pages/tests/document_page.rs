//! The page of a document: its steps, the framed invoice, and its refresh.

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};

use super::{documents, timeline, *};
use crate::{
    store::{
        AttemptOutcome, Direction, DocumentRecord, MessageLevelStatus, MlsOutboundRecord,
        MlsOutboundStatus, Reporting, Status, StatusCode, TaxReportOutcome, TaxReportStatus,
        TransmissionAttempt, TransmissionRecord, keys::Key,
    },
    types::Mode,
};

/// The steps of a page: class, name, state, and seconds after the creation of the document.
fn steps(scene: &timeline::Scene, page: &Given) -> Vec<(String, String, String, Option<i64>)> {
    let (_, list) = page.body.split_once("<ol class=\"steps\">").unwrap();
    let between = |text: &str, from: &str, to: &str| {
        Some(text.split_once(from)?.1.split(to).next().unwrap().to_owned())
    };
    let step = |item: &str| {
        let at = between(item, "datetime=\"", "\"");
        let at = at.map(|at| at.parse::<jiff::Timestamp>().unwrap());
        (
            between(item, "class=\"", "\"").unwrap(),
            between(item, "<strong>", "</strong>").unwrap(),
            between(item, "class=\"word\">", "<").unwrap(),
            at.map(|at| at.duration_since(scene.document.created_at).as_secs()),
        )
    };
    list.split("</ol>").next().unwrap().split("<li ").skip(1).map(step).collect()
}

fn expected(of: &[(&str, &str, &str, Option<i64>)]) -> Vec<(String, String, String, Option<i64>)> {
    let owned = |(a, b, c, at): &(&str, &str, &str, Option<i64>)| {
        ((*a).to_owned(), (*b).to_owned(), (*c).to_owned(), *at)
    };
    of.iter().map(owned).collect()
}

/// Whether a page refreshes itself.
fn is_refreshed(page: &Given) -> bool {
    page.body.contains("data-refresh=")
}

#[tokio::test]
async fn a_sent_document_has_four_steps_each_with_its_state_and_time() {
    let scene = timeline::Scene::new(Direction::Outbound, TaxReportStatus::Due).await;
    let plain = DocumentRecord {
        message_level_status: None,
        dispatching_at: None,
        converted_at: None,
        corrected_by: None,
        mls_type: "ALWAYS_SEND".to_owned(),
        ..scene.document.clone()
    };
    let issued = ("good", "Issued", "Accepted for sending", Some(0));
    let put = async |document: DocumentRecord| {
        scene.world.put_document(&document).await;
        let [own, _] = scene.pages("document-steps").await;
        (steps(&scene, &own), is_refreshed(&own))
    };
    // On its way, it has no report yet.
    let on_its_way =
        DocumentRecord { status: Status::Dispatching, reporting: None, ..plain.clone() };
    let known = [
        issued,
        ("busy", "Delivered", "Sending", None),
        ("plain", "Accepted", "Not yet", None),
        ("plain", "Reported", "Not yet", None),
    ];
    assert_eq!(put(on_its_way.clone()).await, (expected(&known), true));
    let failed = DocumentRecord { status: Status::Failed, updated_at: scene.at(7), ..on_its_way };
    let known = [
        issued,
        ("bad", "Delivered", "Failed", Some(7)),
        ("plain", "Accepted", "Not sent", None),
        ("plain", "Reported", "No report", None),
    ];
    assert_eq!(put(failed).await, (expected(&known), false));
    // Sent, it waits for the recipient and for the authority.
    let arrived = TransmissionAttempt {
        started_at: scene.at(60),
        duration_ms: Some(30_000),
        outcome: Some(AttemptOutcome::Received),
        ..timeline::attempt()
    };
    let (of, id) = (scene.falcon.taxpayer_id.clone(), scene.document.document_id.clone());
    scene.put_attempts(TransmissionRecord::new(of, id), vec![arrived]).await;
    let sent = DocumentRecord { status: Status::Sent, ..plain.clone() };
    let delivered = ("good", "Delivered", "With the recipient’s access point", Some(90));
    let known = [
        issued,
        delivered,
        ("busy", "Accepted", "Waiting for the recipient’s access point", None),
        ("busy", "Reported", "Reporting", None),
    ];
    assert_eq!(put(sent.clone()).await, (expected(&known), true));
    // No answer follows, unless the recipient rejects it.
    let quiet = DocumentRecord { mls_type: "FAILURE_ONLY".to_owned(), ..sent.clone() };
    let (found, _) = put(quiet).await;
    assert_eq!(found[2].2, "No answer is expected");
    // Both have answered.
    let mls = scene.document.message_level_status.clone();
    let reporting = Some(Reporting {
        outcome: Some(TaxReportOutcome::Reported),
        updated_at: scene.at(240),
        ..Reporting::of(&scene.tax_report)
    });
    for (code, status, tone, word) in [
        (StatusCode::Delivered, Status::Delivered, "good", "Delivered"),
        (StatusCode::Rejected, Status::Rejected, "bad", "Rejected"),
    ] {
        let received_at = scene.at(180);
        let mls = mls.clone().map(|mls| MessageLevelStatus { code, received_at, ..mls });
        let answered = DocumentRecord {
            message_level_status: mls,
            reporting: reporting.clone(),
            status,
            ..sent.clone()
        };
        let known = [
            issued,
            delivered,
            (tone, "Accepted", word, Some(180)),
            ("good", "Reported", "Reported", Some(240)),
        ];
        assert_eq!(put(answered).await, (expected(&known), false));
    }
}

#[tokio::test]
async fn a_received_document_has_the_steps_that_its_business_sees() {
    let scene = timeline::Scene::new(Direction::Inbound, TaxReportStatus::Due).await;
    let received = DocumentRecord {
        status: Status::Received,
        message_level_status: None,
        warnings: Vec::new(),
        ..scene.document.clone()
    };
    scene.world.put_document(&received).await;
    let [own, _] = scene.pages("document-steps-received").await;
    let begun = ("good", "Received", "Received from another access point or business", Some(0));
    let known = [
        begun,
        ("good", "Checked", "Valid", Some(0)),
        ("plain", "Answered", "no status is required", None),
        ("busy", "Reported", "Reporting", None),
    ];
    assert_eq!(steps(&scene, &own), expected(&known));
    let answer: MlsOutboundRecord =
        serde_json::from_str(include_str!("../../store/fixtures/answer.json")).unwrap();
    let id = &scene.document.document_id;
    let answer = MlsOutboundRecord {
        document_id: id.clone(),
        taxpayer_id: scene.falcon.taxpayer_id.clone(),
        status: MlsOutboundStatus::Sent,
        code: Some(StatusCode::Rejected),
        sent_at: Some(scene.at(5)),
        ..answer
    };
    scene.world.put(Key::mls_outbound(Mode::Live, id), &answer).await;
    scene.world.put_document(&DocumentRecord { status: Status::Rejected, ..received }).await;
    let [own, _] = scene.pages("document-steps-rejected").await;
    let found = steps(&scene, &own);
    assert_eq!(
        found[1..3],
        expected(&[
            ("bad", "Checked", "Rejected", Some(0)),
            ("bad", "Answered", "Rejected", Some(5)),
        ])
    );
}

#[tokio::test]
async fn the_invoice_is_framed_safely_and_opens_alone() {
    let mut scene = documents::Scene::new().await;
    let id = scene.send("A-1", "Oasis").await;
    let path = format!("/sandbox/documents/{id}");
    let page = scene.browser.get(&path).await;
    let policy = page.header(CONTENT_SECURITY_POLICY);
    for part in ["default-src 'none'", "connect-src 'self'", "frame-src 'self'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert_eq!(page.attribute("iframe", "sandbox"), "allow-same-origin");
    let source = page.attribute("iframe", "src");
    assert_eq!(source, format!("{path}/view?annex=false"));
    assert!(page.body.contains(&format!("href=\"{source}\"")), "it opens alone");
    let invoice = scene.browser.get(&source).await;
    let policy = invoice.header(CONTENT_SECURITY_POLICY);
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"));
    assert!(!policy.contains("script-src") && invoice.body.contains("Issue date"), "{policy}");
    // Pages of the portal are framed by nobody.
    assert!(page.header(CONTENT_SECURITY_POLICY).contains("frame-ancestors 'none'"));
    // Its data are shown as text.
    let data = scene.browser.get(&format!("{path}/data")).await;
    assert_eq!(data.header(CONTENT_TYPE), "application/json");
    assert_eq!(data.header(CONTENT_DISPOSITION), "inline; filename=\"Tax-Invoice-A-1.json\"");
    assert_eq!(data.body, scene.browser.get(&format!("{path}/content")).await.body);
    // A long invoice is not framed: its view can be at an address of the bucket.
    let mut large = scene.world.documents().await.remove(0);
    large.ubl.as_mut().unwrap().bytes = 300_001;
    let key = Key::document(Mode::Sandbox, &large.taxpayer_id, &large.document_id);
    scene.world.put(key, &large).await;
    let page = scene.browser.get(&path).await;
    assert!(!page.body.contains("<iframe") && page.text().contains("This document is long"));
    assert!(page.body.contains(&format!("href=\"{path}/view\"")), "{}", page.body);
}
