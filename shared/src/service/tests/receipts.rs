//! Receipts of other access points are kept even if the bucket fails.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use super::{
    archives::{self, YEAR},
    live::Scene,
    reports,
};
use crate::{
    document::Operation::Invoice,
    service::{documents::Stored, sweep},
    store::{AttemptOutcome, Receipt, Status, TaxReportStatus, TransmissionRecord},
    testing::{World, invoice, send_queued},
    types::DocumentId,
};

/// The bytes of the receipt, if the transmission record holds them.
async fn inline(scene: &Scene, document_id: &DocumentId) -> Option<Vec<u8>> {
    match scene.transmission(document_id).await.receipt {
        Some(Receipt::Inline(bytes)) => Some(bytes),
        _ => None,
    }
}

#[tokio::test]
async fn a_receipt_makes_a_document_sent_although_the_bucket_takes_nothing() {
    for queued in [false, true] {
        let scene = Scene::new().await;
        scene.world.cloud.refuse_objects(&[".receipt.gz"]);
        match queued {
            true => {
                let body = invoice("A-1", super::live::RECIPIENT);
                send_queued(&scene.world.sending, &scene.sender, &body, Some("k")).await.unwrap();
                scene.world.settle().await;
            }
            false => assert_eq!(scene.send("A-1", Some("k")).await.unwrap().reply.status, 201),
        }
        let document = scene.document().await;
        let id = &document.document_id;
        assert_eq!((document.status, scene.network.came()), (Status::Sent, 1), "{queued}");
        let held = inline(&scene, id).await.expect("it is in the transmission");
        assert_eq!(scene.outcomes().await, [Some(AttemptOutcome::Received)]);
        // A caller gets the receipt from there.
        let Stored::Here(given) = scene.receipt(id, 10).await.unwrap() else { panic!() };
        assert_eq!(given, held);

        // The sweeper moves it, with retries.
        scene.world.pass(SignedDuration::from_mins(2)).await;
        assert_eq!(inline(&scene, id).await, Some(held.clone()));
        scene.world.cloud.refuse_objects(&[]);
        scene.world.pass(SignedDuration::from_mins(5)).await;
        let receipt = scene.transmission(id).await.receipt.unwrap();
        let stored = scene.world.sending.bucket.get(receipt.stored().unwrap()).await.unwrap();
        assert_eq!(stored, held);
        assert_eq!(scene.world.parked().await, 0);
        let waits = scene.world.next_due().await;
        assert!(waits.is_none_or(|(_, place)| place.kind() == "event"));
        assert_eq!(scene.network.came(), 1, "nothing was sent again");
    }
}

#[tokio::test]
async fn an_archive_has_the_receipt_wherever_it_is() {
    let scene = Scene::new().await;
    scene.world.cloud.refuse_objects(&[".receipt.gz"]);
    scene.send("A-1", Some("k")).await.unwrap();
    let held = inline(&scene, &scene.document().await.document_id).await.unwrap();
    let files = async || -> BTreeMap<String, Vec<u8>> {
        let record = archives::create(&scene.world, &scene.sender, YEAR).await;
        Box::pin(scene.world.settle()).await;
        archives::unpacked(&archives::object(&scene.world, &record).unwrap())
    };
    let receipt = |files: BTreeMap<String, Vec<u8>>| {
        let mut found = files.into_iter().filter(|(path, _)| path.ends_with("/receipt.xml"));
        found.next().map(|(_, bytes)| bytes)
    };
    assert_eq!(receipt(files().await).as_ref(), Some(&held));
    scene.world.cloud.refuse_objects(&[]);
    scene.world.pass(SignedDuration::from_mins(2)).await;
    assert_eq!(inline(&scene, &scene.document().await.document_id).await, None);
    assert_eq!(receipt(files().await), Some(held));
}

#[tokio::test]
async fn the_receipt_for_a_report_is_kept_likewise() {
    let (world, network) = World::live().await;
    let authority = network.authority().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    world.cloud.refuse_objects(&[".receipt.gz"]);
    let body = reports::body("A-1", reports::NOBODY);
    crate::testing::send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
    let tax_report = world.tax_reporting();
    let work = async || {
        world.stream().await;
        world.run("report", &tax_report).await;
    };
    let transmission = async || -> TransmissionRecord {
        let [tax_report] = world.tax_reports().await.try_into().unwrap();
        assert_eq!(tax_report.status, TaxReportStatus::Submitted);
        let store = &world.ctx.store;
        let transmission =
            store.get_tax_report_transmission(&tax_report.taxpayer_id, &tax_report.report_id).await;
        transmission.unwrap().unwrap()
    };
    work().await;
    assert!(matches!(transmission().await.receipt, Some(Receipt::Inline(_))));
    world.cloud.refuse_objects(&[]);
    let (due, place) = world.next_receipt().await.unwrap();
    world.clock.advance(due.duration_since(world.now()));
    sweep::take_up(&world.relaying, &place).await;
    work().await;
    assert!(transmission().await.receipt.unwrap().stored().is_some());
    assert_eq!(authority.came(), 1);
}
