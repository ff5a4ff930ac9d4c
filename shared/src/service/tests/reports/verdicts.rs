//! What the authority says about a report, and what becomes of one that does not arrive.

use super::*;
use crate::service::tests::archives;

#[tokio::test]
async fn a_refusal_of_the_authority_is_published_with_its_reasons() {
    let scene = Scene::with("A-1").await;
    scene.work().await;
    scene.says("V-1", refuses()).await;
    let tax_report = scene.only().await;
    assert_eq!(tax_report.status, TaxReportStatus::NotCompliant);
    let [reason] = &tax_report.reasons[..] else { panic!("{tax_report:?}") };
    assert!(reason.message.contains("ibr-tdd-01"));
    let [event] = scene.published().await.try_into().unwrap();
    let event: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(event["data"]["report"]["outcome"], "NOT_COMPLIANT");
    assert_eq!(event["data"]["report"]["reasons"][0]["message"], &*reason.message);
    // It is in the list of such reports.
    let status = Some(TaxReportStatus::NotCompliant);
    let selection = TaxReportSelection { status, ..TaxReportSelection::default() };
    let (store, taxpayer_id) = (&scene.world.ctx.store, &tax_report.taxpayer_id);
    let page = store
        .list_tax_reports(taxpayer_id, &selection, (None, 10), scene.world.now())
        .await
        .unwrap();
    assert_eq!(page.items.len(), 1);
    // A second verdict changes nothing.
    scene.says("V-2", accepts()).await;
    assert_eq!(scene.only().await, tax_report);
    assert_eq!(scene.published().await.len(), 1);
    let effects = scene.effects().await;
    assert!(effects.contains(&Some(StatusEffect::Second)), "{effects:?}");
}

#[tokio::test]
async fn a_report_leads_to_the_proofs_of_its_verdict_when_the_record_of_the_message_has_expired() {
    let scene = Scene::with("A-1").await;
    scene.work().await;
    scene.says("V-1", accepts()).await;
    let until = later(scene.world.now(), hours(100 * 24)).as_second();
    let [(status, expires)] = scene.world.expiries("STATUS#").await.try_into().unwrap();
    assert_eq!(expires, Some(until));
    let proofs = async || {
        let record = archives::create(&scene.world, &scene.sender, archives::YEAR).await;
        Box::pin(scene.world.settle()).await;
        let files = archives::unpacked(&archives::object(&scene.world, &record).unwrap());
        ["/verdict.xml", "/verdict-receipt.xml"].map(|end| {
            let (_, file) = files.iter().find(|(path, _)| path.ends_with(end)).unwrap();
            String::from_utf8(file.clone()).unwrap()
        })
    };
    let before = proofs().await;
    assert!(before[0].contains("V-1") && before[1].contains("NonRepudiationInformation"));
    scene.world.remove(status).await;
    assert_eq!(proofs().await, before);
}

#[tokio::test]
async fn a_verdict_of_anybody_else_changes_nothing() {
    let scene = Scene::with("A-1").await;
    scene.work().await;
    let ref_to: InstanceId = (&scene.only().await.instance_id).into();
    // Verdicts of another provider, in its own name and in the authority's.
    let theirs = Parcel::verdict("V-1", &ref_to, accepts());
    let own = mls::Status {
        id: Text::new("V-2").unwrap(),
        issued_at: scene.world.now(),
        sender: Spid::new("000002").unwrap(),
        receiver: Spid::new("000001").unwrap(),
        ref_to: ref_to.clone(),
        verdict: accepts(),
    };
    let other = Parcel::status(&mls::write(&own));
    let forged = Parcel {
        message_id: "forged@their.test".to_owned(),
        instance_id: "forged".to_owned(),
        from: other.from,
        ..theirs
    };
    for parcel in [other, forged] {
        scene.comes(&parcel).await;
        assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
    }
    assert_eq!(scene.effects().await, [Some(StatusEffect::Foreign); 2]);
    assert!(scene.published().await.is_empty());
}

#[tokio::test]
async fn a_verdict_that_overtakes_the_receipt_waits_for_it() {
    let scene = Scene::with("A-1").await;
    scene.authority.takes_first(&[Takes::AndHangsUp]);
    scene.work().await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Filing);
    scene.says("V-1", accepts()).await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Filing);
    // The retry is the same message.
    scene.pass(SignedDuration::from_mins(2)).await;
    scene.pass(SignedDuration::from_mins(5)).await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Reported);
    let taken = scene.authority.taken();
    assert_eq!(taken.len(), 2);
    assert_eq!(taken[0].message_id, taken[1].message_id);
    assert_eq!(scene.published().await.len(), 1);
}

#[tokio::test]
async fn the_overview_awaits_a_verdict_and_shows_a_refusal_until_a_later_report_is_accepted() {
    let scene = Scene::with("A-1").await;
    scene.send("A-2", NOBODY).await;
    scene.work().await;
    let id = &scene.sender.organization_id;
    let shown = async || overview(&scene.world.ctx, scene.world.mode, id).await.unwrap();
    // Nobody owes a status for the predefined endpoints.
    let awaited: Vec<_> = shown().await.awaited.iter().map(|it| it.what).collect();
    assert_eq!(awaited, [Awaited::Status, Awaited::Verdict]);
    let tax_reports = scene.tax_reports().await;
    for (tax_report, verdict) in tax_reports.iter().zip([refuses(), accepts()]) {
        let ref_to: InstanceId = (&tax_report.instance_id).into();
        let name = format!("V-{}", tax_report.report_id);
        scene.comes(&Parcel::verdict(&name, &ref_to, verdict)).await;
    }
    let after = shown().await;
    assert_eq!(after.awaited.iter().map(|it| it.what).collect::<Vec<_>>(), [Awaited::Status]);
    let failed: Vec<_> = after.failures.iter().map(|it| it.reached).collect();
    assert_eq!(failed, [Reached::NotCompliant]);
    let today = after.days[0];
    let counts = [Reached::Sent, Reached::Reported, Reached::NotCompliant].map(|it| today.of(it));
    assert_eq!(counts, [2, 1, 1]);
}

#[tokio::test]
async fn a_tax_report_without_a_verdict_is_overdue_after_a_day_and_nobody_guesses() {
    let scene = Scene::with("A-1").await;
    scene.work().await;
    let submitted = scene.only().await;
    for _ in 0..3 {
        let (due, _) = scene.world.next_tax_report().await.unwrap();
        assert!(due.duration_since(scene.world.now()) <= hours(24));
        scene.pass(hours(24)).await;
        assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
    }
    assert_eq!((scene.published().await.len(), scene.reports().len()), (0, 1));
    assert_eq!(scene.only().await.submitted_at, submitted.submitted_at);
    scene.says("V-1", accepts()).await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Reported);
}

#[tokio::test]
async fn what_provably_did_not_arrive_for_48_hours_has_failed_and_a_late_verdict_changes_nothing() {
    let scene = Scene::with("A-1").await;
    scene.network.names(Names::ServerFailure);
    let stored = scene.world.cloud.objects();
    scene.work().await;
    for _ in 0..49 {
        assert!(scene.published().await.is_empty());
        scene.pass(hours(1)).await;
        scene.pass(SignedDuration::from_mins(5)).await;
        if scene.only().await.status == TaxReportStatus::Failed {
            break;
        }
    }
    let failed = scene.only().await;
    assert_eq!(failed.status, TaxReportStatus::Failed);
    let age = failed.updated_at.duration_since(failed.begun_at.unwrap());
    assert!((hours(46)..=hours(49)).contains(&age), "{age}");
    assert_eq!(failed.reasons[0].rule, "AP-REPORT-given-up");
    assert_eq!(scene.world.cloud.objects(), stored, "no attempt leaves what never went");
    let [event] = scene.published().await.try_into().unwrap();
    let event: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(event["data"]["report"]["outcome"], "FAILED");
    assert_eq!(scene.document().await.reporting.unwrap().outcome, Some(TaxReportOutcome::Failed));
    let status = Some(TaxReportStatus::Failed);
    let selection = TaxReportSelection { status, ..TaxReportSelection::default() };
    let store = &scene.world.ctx.store;
    let page = store
        .list_tax_reports(&failed.taxpayer_id, &selection, (None, 10), scene.world.now())
        .await
        .unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(scene.world.next_tax_report().await, None);
}

#[tokio::test]
async fn an_attempt_that_ends_so_means_that() {
    use TaxReportStatus::{Failed, Filing, Submitted};
    for (takes, status) in [
        (Takes::Well, Submitted),
        // Nothing was sent before, so it cannot be a duplicate.
        (Takes::CallsDuplicate, Failed),
        (Takes::Refuses(Rule::Sbdh), Failed),
        (Takes::RefusesUnsigned(Rule::Sbdh), Filing),
        (Takes::AndHangsUp, Filing),
        (Takes::AndSpoilsReceipt, Filing),
        (Takes::Status(503), Filing),
    ] {
        let scene = Scene::with("A-1").await;
        scene.authority.takes(takes.clone());
        scene.work().await;
        assert_eq!(scene.only().await.status, status, "{takes:?}");
        let published = usize::from(status == Failed);
        assert_eq!(scene.published().await.len(), published, "{takes:?}");
    }
}

#[tokio::test]
async fn a_duplicate_after_silence_means_that_the_authority_has_the_report() {
    let scene = Scene::with("A-1").await;
    scene.authority.takes_first(&[Takes::AndHangsUp]);
    scene.work().await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Filing);
    scene.authority.takes(Takes::CallsDuplicate);
    scene.pass(hours(1)).await;
    scene.work().await;
    assert_eq!(scene.only().await.status, TaxReportStatus::Submitted);
    assert!(scene.published().await.is_empty());
}
