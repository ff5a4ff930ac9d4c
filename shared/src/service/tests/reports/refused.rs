//! Documents that the authority's rules or currencies exclude.

use super::*;

#[tokio::test]
async fn a_report_that_the_rules_refuse_fails_with_its_reason_and_can_be_filed_again() {
    let scene = Scene::with("A-1").await;
    let right = scene.document().await.ubl.unwrap();
    let DocumentRecord { taxpayer_id, document_id, .. } = scene.document().await;
    // A document as a fault of ours would leave it.
    let text = b"<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\"/>";
    let (bucket, kind, begun) = (&scene.world.sending.bucket, PayloadKind::Ubl, &mut Vec::new());
    let put = bucket.put(Mode::Live, &taxpayer_id, &document_id, kind, text.to_vec(), begun);
    let wrong = serde_dynamo::to_attribute_value(put.await.unwrap()).unwrap();
    scene.world.set("LIVE#TAXPAYER", "DOCUMENT", "ubl", wrong).await;
    scene.work().await;
    assert_eq!((scene.parked().await, scene.authority.came()), (0, 0));
    let failed = scene.only().await;
    assert_eq!(failed.status, TaxReportStatus::Failed);
    let [reason] = &failed.reasons[..] else { panic!("{:?}", failed.reasons) };
    assert_eq!(reason.rule, "AP-REPORT-invalid");
    let [event] = scene.published().await.try_into().unwrap();
    let event: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(event["data"]["report"]["outcome"], "FAILED");
    assert_eq!(event["data"]["report"]["reasons"][0]["rule"], "AP-REPORT-invalid");

    // The cause is corrected and the report resubmitted. The authority has no earlier one, so R is not possible.
    let right = serde_dynamo::to_attribute_value(right).unwrap();
    scene.world.set("LIVE#TAXPAYER", "DOCUMENT", "ubl", right).await;
    scene.resubmit().await;
    scene.work().await;
    let [again] = scene.reports().try_into().unwrap();
    assert_eq!(said(&again, "pxs:DocumentTypeCode"), Some("S"));
}

#[tokio::test]
async fn an_invoice_in_a_currency_that_reports_do_not_have_is_not_sent() {
    let scene = Scene::new().await;
    for (recipient, code) in [(RECIPIENT, "XCG"), (RECIPIENT, "STN"), (NOBODY, "XCG")] {
        let mut body = body("A-1", recipient);
        body["currency"] = json!(code);
        body["currency_exchange_rate"] = json!("2.0");
        let (ctx, sender) = (&scene.world.ctx, &scene.sender);
        let bytes = serde_json::to_vec(&body).unwrap();
        let validated = submit::validate(ctx, sender, Invoice, &bytes).await.unwrap();
        let sent = send(&scene.world.sending, sender, Invoice, &body, Some("k")).await;
        for findings in [validated.findings, sent.unwrap_err().findings] {
            let [finding] = &findings[..] else { panic!("{findings:?}") };
            assert_eq!(finding.rule, "AP-REPORT-invalid");
            assert_eq!((&*finding.pointer, finding.value.as_deref()), ("/currency", Some(code)));
            assert!(finding.message.contains("ibr-tdd-30-1") && finding.fix.is_some());
        }
    }
    assert!(scene.world.documents().await.is_empty() && scene.tax_reports().await.is_empty());
    // The key is free, and a document that can be reported is sent.
    let mut body = body("A-1", RECIPIENT);
    body["currency"] = json!("USD");
    body["currency_exchange_rate"] = json!("3.6725");
    send(&scene.world.sending, &scene.sender, Invoice, &body, Some("k")).await.unwrap();
}

#[tokio::test]
async fn the_report_about_a_document_that_came_in_such_a_currency_fails_visibly() {
    let scene = Scene::new().await;
    // PINT-AE allows the currency, and the other access point sends it.
    let theirs = World::new().await;
    let seller = theirs.caller("Their seller", "1001234501").await;
    let mut body = body("B-1", BUYER);
    body["currency"] = json!("USD");
    body["currency_exchange_rate"] = json!("3.6725");
    let sent = send(&theirs.sending, &seller, Invoice, &body, None).await.unwrap();
    let bytes = ubl(&theirs.sending, &seller, sent.document_id.as_str()).await.unwrap();
    let document = String::from_utf8(bytes).unwrap().replace("USD", "XCG").into_bytes();
    scene.comes(&Parcel { document, ..Parcel::invoice("B-1") }).await;
    scene.pass(SignedDuration::from_mins(20)).await;
    scene.pass(SignedDuration::from_mins(20)).await;
    let failed = scene.only().await;
    assert_eq!((failed.status, failed.role), (TaxReportStatus::Failed, TaxReportRole::Receiver));
    assert_eq!(failed.reasons[0].rule, "AP-REPORT-invalid", "{:?}", failed.reasons);
    assert_eq!((scene.published().await.len(), scene.parked().await), (1, 0));
}
