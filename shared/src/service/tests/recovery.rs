//! Corrections and resubmissions of reports over loopback, with an authority and a recipient that have access points of
//! their own.

use serde_json::json;

use crate::{
    access::Caller,
    document::Operation::Invoice,
    error::{Code, Failure},
    peppol::{
        as4::Rule,
        identifiers::{InstanceId, Spid},
        mls::{self, Acceptance, Reason, Text, Verdict},
        sbdh,
    },
    service::{
        reply::{Reply, Sent},
        reports::Report,
        resubmission::{self, ResubmissionRequest},
    },
    store::{
        DocumentRecord, EventType, Status, TaxReportKind, TaxReportOutcome, TaxReportRecord,
        TaxReportStatus,
    },
    taxdata,
    testing::{Arrival, Parcel, Takes, TestNetwork, World, invoice, send},
    types::{DocumentId, MessageId, Mode},
};

const RECIPIENT: &str = "1009876501";

struct Scene {
    world: World,
    network: TestNetwork,
    authority: TestNetwork,
    sender: Caller,
}

impl Scene {
    async fn new() -> Scene {
        let (world, network) = World::live().await;
        let authority = network.authority().await;
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        network.register(&format!("0235:{RECIPIENT}"));
        Scene { world, network, authority, sender }
    }

    async fn send(&self, corrects: Option<&DocumentId>, key: &str) -> Result<Sent, Failure> {
        let mut body = invoice("A-1", RECIPIENT);
        if let Some(corrects) = corrects {
            body["corrects_document_id"] = json!(corrects.as_str());
        }
        Box::pin(send(&self.world.sending, &self.sender, Invoice, &body, Some(key))).await
    }

    async fn resubmit(&self, id: &DocumentId) -> Result<Sent, Failure> {
        let render = |_: Report| Reply { status: 202, body: Vec::new() };
        let document_id = id.as_str();
        let request = ResubmissionRequest { document_id, body: Ok(()), idempotency_key: None };
        resubmission::resubmit(&self.world.sending, &self.sender, request, render).await
    }

    async fn work(&self) {
        let tax_report = self.world.tax_reporting();
        loop {
            self.world.stream().await;
            let mut worked = self.world.work().await;
            worked += self.world.run("judge", &self.world.validating()).await;
            worked += self.world.run("report", &tax_report).await;
            if worked == 0 {
                return;
            }
        }
    }

    async fn document(&self, id: &DocumentId) -> DocumentRecord {
        let (store, taxpayer_id) = (&self.world.ctx.store, &self.sender.taxpayer.taxpayer_id);
        store.get_document(Mode::Live, taxpayer_id, id).await.unwrap().unwrap()
    }

    /// The reports about a document.
    async fn reports(&self, id: &DocumentId) -> Vec<TaxReportRecord> {
        let document = self.document(id).await;
        self.world.ctx.store.list_tax_reports_about(&document).await.unwrap()
    }

    /// The authority sends its verdict on the latest report about a document.
    async fn decides(&self, id: &DocumentId, name: &str, verdict: Verdict) {
        let latest = self.reports(id).await.pop().unwrap();
        assert_eq!(latest.status, TaxReportStatus::Submitted);
        let parcel = Parcel::verdict(name, &(&latest.instance_id).into(), verdict);
        self.comes(&parcel).await;
    }

    /// The recipient's access point rejects a document.
    async fn rejects(&self, message_id: &MessageId, name: &str) {
        let ref_to: InstanceId = message_id.into();
        let status = mls::write(&mls::Status {
            id: Text::new(name).unwrap(),
            issued_at: self.world.now(),
            sender: Spid::new("000002").unwrap(),
            receiver: Spid::new("000001").unwrap(),
            ref_to,
            verdict: refused(),
        });
        let parcel = Parcel {
            message_id: format!("{name}@their.test"),
            instance_id: name.to_owned(),
            ..Parcel::status(&status)
        };
        self.comes(&parcel).await;
    }

    async fn comes(&self, parcel: &Parcel) {
        assert_eq!(parcel.pack().arrive(&self.world.receiving()).await, Arrival::Receipt);
        self.work().await;
    }

    /// The kinds and outcomes of the published events about a document's reports, in alphabetical order.
    async fn published(&self, id: &DocumentId) -> Vec<(String, String)> {
        let mut events = self.world.events().await;
        events.retain(|it| {
            it.event_type == EventType::DocumentReported && it.document_id() == Some(id)
        });
        let body = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let published = events.iter().map(|event| body(&event.body)["data"]["report"].clone());
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let mut published: Vec<_> =
            published.map(|report| (text(&report["kind"]), text(&report["outcome"]))).collect();
        published.sort();
        published
    }

    /// The kinds of the reports that the authority received. Each is valid by schema and rules.
    fn taken(&self) -> Vec<String> {
        let kind = |sbdh: &[u8]| {
            let document = sbdh::read(sbdh).unwrap().payload.document().into_owned();
            taxdata::check(&document).unwrap();
            let text = String::from_utf8(document).unwrap();
            let (_, rest) = text.split_once("<pxs:DocumentTypeCode>").unwrap();
            rest.split_once("</").unwrap().0.to_owned()
        };
        self.authority.taken().iter().map(|it| kind(&it.sbdh)).collect()
    }
}

fn accepted() -> Verdict {
    Verdict::Accepted(Acceptance::default())
}

fn refused() -> Verdict {
    let finding = (None::<&str>, Reason::Rule, "It breaks a rule.".to_owned());
    let said = Text::new("Refused.").unwrap();
    Verdict::Rejected(mls::reject(said, [finding]).unwrap())
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[tokio::test]
async fn a_report_that_the_authority_refused_is_filed_again_and_holds() {
    let scene = Scene::new().await;
    let id = scene.send(None, "k").await.unwrap().document_id;
    assert_eq!(scene.resubmit(&id).await.unwrap_err().code, Code::ReportNotRepairable);
    scene.work().await;
    scene.decides(&id, "V-1", refused()).await;
    scene.resubmit(&id).await.unwrap();
    scene.work().await;
    scene.decides(&id, "V-2", accepted()).await;
    assert_eq!(scene.taken(), ["S", "R"]);
    assert_eq!(scene.resubmit(&id).await.unwrap_err().code, Code::ReportNotRepairable);
    let shown = scene.document(&id).await.reporting.unwrap();
    assert_eq!(
        (shown.kind, shown.outcome),
        (TaxReportKind::Resubmit, Some(TaxReportOutcome::Reported))
    );
    assert_eq!(scene.published(&id).await, pairs(&[("R", "REPORTED"), ("S", "NOT_COMPLIANT")]));
    let transactions: Vec<_> =
        scene.reports(&id).await.into_iter().map(|it| it.transport_header_id).collect();
    assert!(transactions[0].is_some() && transactions[0] == transactions[1], "{transactions:?}");
}

#[tokio::test]
async fn a_report_that_the_authority_never_had_is_submitted_again_not_revised() {
    let scene = Scene::new().await;
    scene.authority.takes(Takes::Refuses(Rule::Sbdh));
    let id = scene.send(None, "k").await.unwrap().document_id;
    scene.work().await;
    assert_eq!(scene.published(&id).await, pairs(&[("S", "FAILED")]));
    scene.authority.takes(Takes::Well);
    scene.resubmit(&id).await.unwrap();
    scene.work().await;
    assert_eq!(scene.taken(), ["S"]);
    scene.decides(&id, "V-1", accepted()).await;
    let shown = scene.document(&id).await.reporting.unwrap();
    assert_eq!(
        (shown.kind, shown.outcome),
        (TaxReportKind::Submit, Some(TaxReportOutcome::Reported))
    );
    assert_eq!(scene.published(&id).await, pairs(&[("S", "FAILED"), ("S", "REPORTED")]));
}

#[tokio::test]
async fn a_rejected_document_is_withdrawn_and_its_correction_reported() {
    let scene = Scene::new().await;
    let id = scene.send(None, "k").await.unwrap().document_id;
    scene.work().await;
    scene.decides(&id, "V-1", accepted()).await;
    scene.rejects(&scene.document(&id).await.message_id, "M-1").await;
    assert_eq!(scene.document(&id).await.status, Status::Rejected);
    for _ in 0..2 {
        let failure = scene.send(Some(&id), "c").await.unwrap_err();
        assert_eq!(failure.code, Code::CorrectionRecoveryPending);
        scene.work().await;
    }
    assert_eq!(scene.taken(), ["S", "W"]);
    scene.decides(&id, "V-2", accepted()).await;
    let correction = scene.send(Some(&id), "c").await.unwrap().document_id;
    scene.work().await;
    assert_eq!(scene.network.taken().len(), 2, "the document and its correction");
    scene.decides(&correction, "V-3", accepted()).await;
    assert_eq!(scene.taken(), ["S", "W", "S"]);
    assert_eq!(scene.published(&id).await, pairs(&[("S", "REPORTED"), ("W", "REPORTED")]));
    assert_eq!(scene.published(&correction).await, pairs(&[("S", "REPORTED")]));
    let [own] = scene.reports(&correction).await.try_into().unwrap();
    assert_eq!(own.supersedes_id, Some(id.clone()));
    // The document shows its report, not the withdrawal.
    assert_eq!(scene.document(&id).await.reporting.unwrap().kind, TaxReportKind::Submit);
}
