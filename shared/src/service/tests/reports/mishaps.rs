//! A report and its verdict, with mishaps at every effect.

use super::*;
use crate::{service::report::OVERDUE, store::QUEUE_GRACE, testing::Fault};

#[tokio::test]
async fn a_tax_report_and_its_verdict_survive_every_mishap_at_every_effect() {
    let due = async || {
        let scene = Box::pin(Scene::with("A-1")).await;
        scene.world.stream().await;
        scene
    };
    let file = async |scene: &Scene, faults: &std::sync::Arc<Faults>| {
        let failing = scene.world.failing(faults);
        let tax_report = World::tax_reporting_by(&failing.sending, &failing.relaying);
        scene.authority.guard(befalls(faults));
        let [message] = scene.world.cloud.receive("report").try_into().unwrap();
        if Box::pin(job::run(&tax_report, &message.read())).await.is_err() {
            // The queue brings it again.
            scene.world.clock.advance(SignedDuration::from_mins(15));
        }
    };
    let submitted = async || {
        let scene = Box::pin(Scene::with("A-1")).await;
        Box::pin(scene.work()).await;
        let ref_to: InstanceId = (&scene.only().await.instance_id).into();
        (scene, Parcel::verdict("V-1", &ref_to, refuses()))
    };
    let receive = async |(scene, verdict): &(Scene, Parcel), faults: &std::sync::Arc<Faults>| {
        verdict.pack().arrive(&World::receiving_by(&scene.world.failing(faults).sending)).await;
    };
    let received = async || {
        let (scene, verdict) = submitted().await;
        let verdict = verdict.long();
        assert_eq!(verdict.pack().arrive(&scene.world.receiving()).await, Arrival::Receipt);
        scene.world.stream().await;
        (scene, verdict)
    };
    let decide = async |(scene, _): &(Scene, Parcel), faults: &std::sync::Arc<Faults>| {
        let failing = scene.world.failing(faults);
        let (ctx, bucket) = (failing.sending.ctx.clone(), failing.sending.bucket.clone());
        let validating =
            crate::service::ValidatingInbound { ctx, bucket, ..scene.world.validating() };
        let [message] = scene.world.cloud.receive("judge").try_into().unwrap();
        if Box::pin(job::run(&validating, &message.read())).await.is_err() {
            scene.world.clock.advance(SignedDuration::from_mins(15));
        }
    };
    let filed = async |scene: &Scene| {
        scene.authority.guard(|| Fate::Taken);
        scene.recover(TaxReportStatus::Submitted).await;
        while let Some((due, place)) = scene.world.next_receipt().await {
            scene.world.clock.advance(due.duration_since(scene.world.now()).max(hours(0)));
            sweep::take_up(&scene.world.relaying, &place).await;
            scene.work().await;
        }
        let taken = scene.authority.taken();
        let mut messages: Vec<_> = taken.iter().map(|it| &it.message_id).collect();
        messages.dedup();
        let submitted = scene.tax_reports().await;
        let ended = submitted.iter().filter(|it| it.status == TaxReportStatus::Submitted).count();
        vec![
            ("tax reports", submitted.len()),
            ("submitted", ended),
            ("messages", messages.len()),
            // The receipts of the document and of this report.
            ("receipts but one", scene.world.receipts().await.saturating_sub(1)),
            ("exchanges but one", scene.world.exchanges().await.saturating_sub(1)),
        ]
    };
    let decided = async |(scene, verdict): &(Scene, Parcel)| {
        // Without a receipt, the sender repeats the same message.
        assert_eq!(verdict.pack().arrive(&scene.world.receiving()).await, Arrival::Receipt);
        scene.recover(TaxReportStatus::NotCompliant).await;
        let ended = scene.tax_reports().await;
        let ended = ended.iter().filter(|it| it.status == TaxReportStatus::NotCompliant).count();
        let shown = scene.document().await.reporting.unwrap().outcome;
        let listed = async |status| {
            let selection =
                TaxReportSelection { status: Some(status), ..TaxReportSelection::default() };
            let taxpayer_id = &scene.sender.taxpayer.taxpayer_id;
            let page = scene
                .world
                .ctx
                .store
                .list_tax_reports(taxpayer_id, &selection, (None, 10), scene.world.now())
                .await
                .unwrap();
            page.items.len()
        };
        // A reader of the old list removes the pointer.
        assert_eq!(listed(TaxReportStatus::Submitted).await, 0);
        let pointers = scene.world.raw_items("rep_").await.len();
        vec![
            ("refused", ended),
            ("events", scene.published().await.len()),
            ("shown", usize::from(shown == Some(TaxReportOutcome::NotCompliant))),
            ("pointers", pointers),
            ("listed", listed(TaxReportStatus::NotCompliant).await),
        ]
    };
    let tallies = [
        Box::pin(enumerate_at("file", due, file, filed)).await,
        Box::pin(enumerate_at("verdict", submitted, receive, decided)).await,
        Box::pin(enumerate_at("mls-of-authority", received, decide, decided)).await,
    ];
    assert!(tallies.iter().all(|tally| (tally.lost, tally.doubled) == (0, 0)), "{tallies:?}");
}

#[tokio::test]
async fn a_report_whose_receipt_is_written_down_is_not_sent_again_though_its_worker_died() {
    let scene = Box::pin(Scene::with("A-1")).await;
    scene.world.stream().await;
    // Its only transaction is its end.
    let failing = scene.world.failing(&Faults::only("TransactWriteItems", Fault::Before));
    let reporting = World::tax_reporting_by(&failing.sending, &failing.relaying);
    let [message] = scene.world.cloud.receive("report").try_into().unwrap();
    Box::pin(job::run(&reporting, &message.read())).await.ok();
    assert_eq!(scene.only().await.status, TaxReportStatus::Filing);
    assert_eq!(scene.authority.taken().len(), 1);
    scene.world.clock.advance(SignedDuration::from_mins(15));
    scene.recover(TaxReportStatus::Submitted).await;
    assert_eq!(scene.authority.taken().len(), 1);
    assert_eq!(scene.world.exchanges().await, 2, "that of the document, and this one once");
}

#[tokio::test]
async fn the_sweeper_looks_once_at_a_submitted_report_before_its_verdict_is_overdue() {
    let scene = Box::pin(Scene::with("A-1")).await;
    Box::pin(scene.work()).await;
    let submitted_at = scene.only().await.submitted_at.unwrap();
    let after = async || {
        let (due, _) = scene.world.next_tax_report().await.unwrap();
        due.duration_since(submitted_at)
    };
    assert!(after().await <= QUEUE_GRACE, "as it was due before");
    scene.world.clock.advance(QUEUE_GRACE);
    sweep::sweep(&scene.world.relaying).await;
    assert!(scene.world.cloud.receive("report").is_empty(), "no worker has anything to do");
    assert_eq!(after().await, OVERDUE);
}
