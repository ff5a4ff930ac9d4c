//! Reports that are stored in the objects of their documents.

use super::*;

#[tokio::test]
async fn the_report_about_a_document_that_leaves_at_once_is_stored_in_the_object_of_the_document() {
    let scene = Box::pin(Scene::with("A-1")).await;
    let objects = scene.world.cloud.objects().len();
    // It waits for its turn before it names the document: only an attempt that begins does that.
    Box::pin(scene.work()).await;
    assert_eq!(scene.world.cloud.objects().len(), objects + 1, "only the receipt");
    let TaxReportRecord { taxpayer_id, report_id, .. } = scene.only().await;
    let store = &scene.world.ctx.store;
    let transmission = store.get_tax_report_transmission(&taxpayer_id, &report_id).await;
    let transmission = transmission.unwrap().unwrap();
    let (envelope, tax_data) = (transmission.envelope.unwrap(), transmission.tax_data.unwrap());
    assert_eq!(envelope.key, scene.document().await.ubl.unwrap().key);
    let bucket = &scene.world.sending.bucket;
    let (envelope, tax_data) =
        (bucket.get(&envelope).await.unwrap(), bucket.get(&tax_data).await.unwrap());
    let [taken] = scene.authority.taken().try_into().unwrap();
    assert_eq!(taken.instance_id, scene.only().await.instance_id.to_string());
    let read = sbdh::read(&envelope).unwrap();
    assert_eq!(read.header.instance_id, (&scene.only().await.instance_id).into());
    let enveloped = read.payload.document().into_owned();
    let [enveloped, tax_data] = [enveloped, tax_data].map(|it| String::from_utf8(it).unwrap());
    assert!(tax_data.starts_with("<?xml") && tax_data.contains("A-1"), "{tax_data}");
    assert!(enveloped.contains("A-1"), "{enveloped}");
    // A later report is another one.
    scene.says("V-1", refuses()).await;
    scene.resubmit().await;
    Box::pin(scene.work()).await;
    assert_eq!(
        scene.world.cloud.objects().len(),
        objects + 4,
        "the verdict, and the new report with its receipt"
    );
}

#[tokio::test]
async fn a_report_whose_authority_is_another_one_by_now_is_made_anew() {
    let scene = Box::pin(Scene::with("A-1")).await;
    let reporting =
        TaxReporting { authority: Some(Spid::new("000002").unwrap()), ..scene.reporting.clone() };
    let objects = scene.world.cloud.objects().len();
    Box::pin(scene.work_with(&reporting)).await;
    assert!(scene.world.cloud.objects().len() > objects, "it is stored with its new receiver");
}
