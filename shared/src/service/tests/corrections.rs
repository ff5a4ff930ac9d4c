//! Corrections of documents that were rejected at stage C3. Their reports are withdrawn first, each has one correction,
//! and no fault loses or duplicates anything.

use std::sync::Arc;

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    access::Caller,
    document::Operation::Invoice,
    error::{Code, Failure},
    service::{
        Sending,
        reply::{Reply, Sent},
        reports::Report,
        resubmission::{self, ResubmissionRequest},
    },
    store::{
        Direction, DocumentRecord, EventRecord, IdempotencyState, Status, TaxReportKind,
        TaxReportRecord, TaxReportStatus,
    },
    testing::{Faults, TestNetwork, World, enumerate_at, invoice, send},
    types::{DocumentId, Mode},
};

const RECIPIENT: &str = "1009876543";

/// A Live taxpayer whose invoice was rejected by the recipient's access point.
struct Scene {
    world: World,
    network: TestNetwork,
    sender: Caller,
    rejected: DocumentRecord,
}

impl Scene {
    /// A scene whose first report has this status.
    async fn new(status: TaxReportStatus) -> Scene {
        let (world, network) = World::live().await;
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        network.register(&format!("0235:{RECIPIENT}"));
        let (taxpayer_id, organization) = (&sender.taxpayer.taxpayer_id, &sender.organization_id);
        let (document, _) =
            world.reported(taxpayer_id, organization, Direction::Outbound, status).await;
        let rejected = DocumentRecord {
            operation: Invoice,
            document_type_code: "380".to_owned(),
            number: "A-1".to_owned(),
            status: Status::Rejected,
            unanswered: None,
            ..document
        };
        world.put_document(&rejected).await;
        Scene { world, network, sender, rejected }
    }

    fn body(&self, corrects: &DocumentId) -> Value {
        let mut body = invoice("A-1", RECIPIENT);
        body["corrects_document_id"] = json!(corrects.as_str());
        body
    }

    async fn correct(&self, corrects: &DocumentId, key: &str) -> Result<Sent, Failure> {
        self.correct_by(&self.world.sending, corrects, key).await
    }

    async fn correct_by(
        &self,
        sending: &Sending,
        corrects: &DocumentId,
        key: &str,
    ) -> Result<Sent, Failure> {
        Box::pin(send(sending, &self.sender, Invoice, &self.body(corrects), Some(key))).await
    }

    async fn document(&self, id: &DocumentId) -> DocumentRecord {
        let (store, taxpayer_id) = (&self.world.ctx.store, &self.sender.taxpayer.taxpayer_id);
        store.get_document(Mode::Live, taxpayer_id, id).await.unwrap().unwrap()
    }

    async fn reports(&self, id: &DocumentId) -> Vec<TaxReportRecord> {
        self.world.ctx.store.list_tax_reports_about(&self.document(id).await).await.unwrap()
    }

    async fn kinds(&self, id: &DocumentId) -> Vec<TaxReportKind> {
        self.reports(id).await.iter().map(|tax_report| tax_report.kind).collect()
    }

    /// Sets the status of the latest report about a document.
    async fn decide(&self, id: &DocumentId, status: TaxReportStatus) {
        let latest = self.reports(id).await.pop().unwrap();
        self.world.set_tax_report(&TaxReportRecord { status, ..latest }).await;
    }

    async fn becomes(&self, id: &DocumentId, status: Status) {
        let document = self.document(id).await;
        let said = self.rejected.message_level_status.clone();
        let message_level_status = said.filter(|_| status == Status::Rejected);
        let lease = None;
        self.world
            .put_document(&DocumentRecord { status, message_level_status, lease, ..document })
            .await;
    }

    async fn corrections(&self) -> Vec<DocumentRecord> {
        let documents = self.world.documents().await.into_iter();
        documents.filter(|it| it.document_id != self.rejected.document_id).collect()
    }
}

fn code(result: Result<Sent, Failure>) -> Code {
    result.unwrap_err().code
}

#[tokio::test]
async fn a_correction_goes_out_once_what_was_reported_is_withdrawn() {
    let scene = Scene::new(TaxReportStatus::Submitted).await;
    let id = &scene.rejected.document_id;
    assert_eq!(code(scene.correct(id, "k").await), Code::CorrectionRecoveryPending);
    assert_eq!(scene.kinds(id).await, [TaxReportKind::Submit]);
    scene.decide(id, TaxReportStatus::Reported).await;
    // It is withdrawn once, however often the correction is tried.
    for key in ["k", "k", "another"] {
        let failure = scene.correct(id, key).await.unwrap_err();
        assert_eq!(failure.code, Code::CorrectionRecoveryPending);
        assert_eq!(scene.kinds(id).await, [TaxReportKind::Submit, TaxReportKind::Withdraw]);
    }
    assert!(scene.corrections().await.is_empty());
    let [first, withdrawal] = scene.reports(id).await.try_into().unwrap();
    assert_eq!(withdrawal.transport_header_id, first.transport_header_id);
    assert_ne!(withdrawal.instance_id, first.instance_id);
    scene.decide(id, TaxReportStatus::Reported).await;
    let sent = scene.correct(id, "k").await.unwrap();
    assert_eq!((sent.reply.status, sent.replayed), (202, false));
    assert!(scene.correct(id, "k").await.unwrap().replayed);
    assert_eq!(scene.document(id).await.corrected_by.as_ref(), Some(&sent.document_id));
    // The correction is sent, and its own report names the replaced document.
    scene.world.settle().await;
    let correction = scene.document(&sent.document_id).await;
    assert_eq!((correction.status, &correction.number[..]), (Status::Sent, "A-1"));
    assert!(correction.warnings.iter().all(|it| it.rule != "AP-NUMBER-repeated"));
    assert_eq!(scene.network.taken().len(), 1);
    let [own] = scene.reports(&sent.document_id).await.try_into().unwrap();
    assert_eq!((own.kind, own.supersedes_id.as_ref()), (TaxReportKind::Submit, Some(id)));
    // So do the events about it.
    let events: Vec<EventRecord> = scene.world.items("EVENT").await;
    let about = |event: &&EventRecord| event.body.contains(correction.document_id.as_str());
    let superseding: Vec<_> = events.iter().filter(about).collect();
    assert!(!superseding.is_empty());
    for event in superseding {
        let body: Value = serde_json::from_str(&event.body).unwrap();
        assert_eq!(body["data"]["supersedes_id"], id.as_str(), "{}", event.body);
    }
}

#[tokio::test]
async fn a_withdrawal_that_never_arrived_is_made_anew_and_a_refused_one_waits_for_somebody() {
    let scene = Scene::new(TaxReportStatus::Reported).await;
    let id = &scene.rejected.document_id;
    assert_eq!(code(scene.correct(id, "k").await), Code::CorrectionRecoveryPending);
    scene.decide(id, TaxReportStatus::Failed).await;
    assert_eq!(code(scene.correct(id, "k").await), Code::CorrectionRecoveryPending);
    assert_eq!(scene.kinds(id).await.len(), 3);
    scene.decide(id, TaxReportStatus::NotCompliant).await;
    for _ in 0..2 {
        let failure = scene.correct(id, "k").await.unwrap_err();
        assert_eq!(failure.code, Code::CorrectionRecoveryPending);
        assert!(failure.message.contains("refused the withdrawal"), "{}", failure.message);
        assert_eq!(scene.kinds(id).await.len(), 3);
    }
    // A caller resubmits the withdrawal.
    again(&scene, &scene.world.sending, id).await.unwrap();
    let kinds = scene.kinds(id).await;
    assert_eq!(kinds[1..], [TaxReportKind::Withdraw; 3]);
    scene.decide(id, TaxReportStatus::Reported).await;
    scene.correct(id, "k").await.unwrap();
}

#[tokio::test]
async fn of_two_corrections_one_is_accepted_and_the_other_gets_an_error_that_names_it() {
    let scene = Scene::new(TaxReportStatus::NotCompliant).await;
    let id = &scene.rejected.document_id;
    let (a, b) = tokio::join!(scene.correct(id, "a"), scene.correct(id, "b"));
    let (won, lost) = match (a, b) {
        (Ok(won), Err(lost)) | (Err(lost), Ok(won)) => (won, lost),
        both => panic!("{both:?}"),
    };
    assert_eq!(lost.code, Code::AlreadyCorrected);
    assert!(lost.message.contains(won.document_id.as_str()), "{}", lost.message);
    assert_eq!(lost.document_id.as_deref(), Some(won.document_id.as_str()));
    let later = scene.correct(id, "c").await.unwrap_err();
    assert!(later.message.contains(won.document_id.as_str()), "{}", later.message);
    assert_eq!(scene.corrections().await.len(), 1);
    assert_eq!(scene.world.idempotency_records().await.len(), 1);
}

#[tokio::test]
async fn a_correction_that_is_rejected_is_corrected_in_turn() {
    let scene = Scene::new(TaxReportStatus::Failed).await;
    let id = &scene.rejected.document_id;
    let first = scene.correct(id, "1").await.unwrap().document_id;
    scene.world.settle().await;
    scene.becomes(&first, Status::Rejected).await;
    let error = scene.correct(id, "2").await.unwrap_err();
    assert_eq!(error.code, Code::AlreadyCorrected);
    assert!(error.message.contains("correct that document"), "{}", error.message);
    // Its own report is still on its way, and is withdrawn afterwards.
    assert_eq!(code(scene.correct(&first, "3").await), Code::CorrectionRecoveryPending);
    scene.decide(&first, TaxReportStatus::Reported).await;
    assert_eq!(code(scene.correct(&first, "3").await), Code::CorrectionRecoveryPending);
    scene.decide(&first, TaxReportStatus::Reported).await;
    let second = scene.correct(&first, "3").await.unwrap().document_id;
    scene.world.settle().await;
    let [own] = scene.reports(&second).await.try_into().unwrap();
    assert_eq!(own.supersedes_id, Some(first));
}

#[tokio::test]
async fn a_correction_that_was_never_sent_leaves_its_place_to_another() {
    let scene = Scene::new(TaxReportStatus::NotCompliant).await;
    let id = &scene.rejected.document_id;
    let first = scene.correct(id, "1").await.unwrap().document_id;
    assert_eq!(code(scene.correct(id, "2").await), Code::AlreadyCorrected);
    scene.becomes(&first, Status::Failed).await;
    // Its own report is withdrawn as well.
    let of_first = TaxReportRecord {
        report_id: crate::types::ReportId::first_of(&first),
        ..scene.world.tax_report_about(
            &scene.document(&first).await,
            TaxReportKind::Submit,
            TaxReportStatus::Reported,
        )
    };
    scene.world.set_tax_report(&of_first).await;
    assert_eq!(code(scene.correct(id, "2").await), Code::CorrectionRecoveryPending);
    assert_eq!(scene.kinds(&first).await, [TaxReportKind::Submit, TaxReportKind::Withdraw]);
    scene.decide(&first, TaxReportStatus::Reported).await;
    let second = scene.correct(id, "2").await.unwrap().document_id;
    assert_eq!(scene.document(id).await.corrected_by, Some(second));
}

#[tokio::test]
async fn what_was_not_rejected_at_c3_is_not_corrected() {
    let scene = Scene::new(TaxReportStatus::Reported).await;
    let id = &scene.rejected.document_id;
    for status in Status::ALL {
        if status == Status::Rejected {
            continue;
        }
        scene.becomes(id, status).await;
        assert_eq!(code(scene.correct(id, "k").await), Code::NotCorrectable, "{status:?}");
    }
    // A document that we rejected: an inbound one.
    let direction = Direction::Inbound;
    scene.world.put_document(&DocumentRecord { direction, ..scene.rejected.clone() }).await;
    assert_eq!(code(scene.correct(id, "k").await), Code::ValidationFailed);
    assert_eq!(scene.kinds(id).await, [TaxReportKind::Submit], "nothing is withdrawn");
}

#[tokio::test]
async fn a_validation_withdraws_nothing() {
    let scene = Scene::new(TaxReportStatus::Reported).await;
    let id = &scene.rejected.document_id;
    let body = scene.body(id).to_string();
    let (ctx, sender) = (&scene.world.ctx, &scene.sender);
    crate::service::submit::validate(ctx, sender, Invoice, body.as_bytes()).await.unwrap();
    assert_eq!(scene.kinds(id).await, [TaxReportKind::Submit]);
}

/// Resubmits the report about a document.
async fn again(scene: &Scene, sending: &Sending, id: &DocumentId) -> Result<Sent, Failure> {
    let render = |report: Report| Reply {
        status: 202,
        body: report.tax_report.report_id.as_str().as_bytes().to_vec(),
    };
    let document_id = id.as_str();
    let request = ResubmissionRequest { document_id, body: Ok(()), idempotency_key: Some("again") };
    resubmission::resubmit(sending, &scene.sender, request, render).await
}

/// Repeats a request until it has an answer, as a caller does.
async fn repeated(
    scene: &Scene,
    ask: impl AsyncFn() -> Result<Sent, Failure>,
) -> Result<Sent, Failure> {
    let mut answer = ask().await;
    for _ in 0..3 {
        match &answer {
            Err(failure)
                if matches!(
                    failure.code,
                    Code::IdempotencyInProgress
                        | Code::IdempotencyUnavailable
                        | Code::ServiceUnavailable
                ) =>
            {
                scene.world.clock.advance(SignedDuration::from_secs(61));
                answer = ask().await;
            }
            _ => return answer,
        }
    }
    answer
}

async fn saved(scene: &Scene) -> usize {
    let keys = scene.world.idempotency_records().await.into_iter();
    keys.filter(|key| !matches!(key.state, IdempotencyState::InProgress)).count()
}

#[tokio::test]
async fn resubmission_withdrawal_and_correction_survive_every_mishap_at_every_effect() {
    let resubmit = async |scene: &Scene, faults: &Arc<Faults>| {
        let sending = scene.world.failing(faults).sending;
        let _ = again(scene, &sending, &scene.rejected.document_id).await;
    };
    let resubmitted = async |scene: &Scene| {
        let id = &scene.rejected.document_id;
        let answer = repeated(scene, async || again(scene, &scene.world.sending, id).await).await;
        let kinds = scene.kinds(id).await;
        let resubmitted = kinds.iter().filter(|kind| **kind == TaxReportKind::Resubmit).count();
        vec![
            ("answers", usize::from(answer.is_ok())),
            ("reports", resubmitted),
            ("names in the document", scene.document(id).await.later_reports.len()),
            ("on their way", usize::from(scene.world.next_tax_report().await.is_some())),
            ("keys with an answer", saved(scene).await),
        ]
    };
    let correct = async |scene: &Scene, faults: &Arc<Faults>| {
        let sending = scene.world.failing(faults).sending;
        let _ = scene.correct_by(&sending, &scene.rejected.document_id, "k").await;
    };
    let withdrawn = async |scene: &Scene| {
        let id = &scene.rejected.document_id;
        let answer = repeated(scene, async || scene.correct(id, "k").await).await;
        let kinds = scene.kinds(id).await;
        let withdrawals = kinds.iter().filter(|kind| **kind == TaxReportKind::Withdraw).count();
        vec![
            ("refusals", usize::from(code(answer) == Code::CorrectionRecoveryPending)),
            ("withdrawals", withdrawals),
            ("names in the document", scene.document(id).await.later_reports.len()),
            ("on their way", usize::from(scene.world.next_tax_report().await.is_some())),
            ("keys and one", 1 + scene.world.idempotency_records().await.len()),
            ("corrections and one", 1 + scene.corrections().await.len()),
        ]
    };
    let corrected = async |scene: &Scene| {
        let id = &scene.rejected.document_id;
        let answer = repeated(scene, async || scene.correct(id, "k").await).await;
        let corrections = scene.corrections().await;
        let by = scene.document(id).await.corrected_by;
        let named = corrections.iter().filter(|it| Some(&it.document_id) == by.as_ref()).count();
        vec![
            ("answers", usize::from(answer.is_ok())),
            ("corrections", corrections.len()),
            ("corrections that are named", named),
            ("on their way", scene.world.marked().await.len()),
            ("keys with an answer", saved(scene).await),
        ]
    };
    let in_use = async || {
        let scene = Scene::new(TaxReportStatus::NotCompliant).await;
        scene.becomes(&scene.rejected.document_id, Status::Delivered).await;
        scene
    };
    let held = async || Scene::new(TaxReportStatus::Reported).await;
    let free = async || Scene::new(TaxReportStatus::NotCompliant).await;
    let tallies = [
        enumerate_at("resubmit", in_use, resubmit, resubmitted).await,
        enumerate_at("withdraw", held, correct, withdrawn).await,
        enumerate_at("correct", free, correct, corrected).await,
    ];
    assert!(tallies.iter().all(|tally| (tally.lost, tally.doubled) == (0, 0)), "{tallies:?}");
}
