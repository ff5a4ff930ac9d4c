//! Nothing of the Sandbox is reported. Every use case of the Sandbox runs in a deployment with a network and a tax
//! authority, and every effect is checked.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    document::Operation::{self, CreditNote, Invoice, SelfBilledCreditNote, SelfBilledInvoice},
    error::{Finding, Severity},
    peppol::smp::BusinessEntity,
    service::{business_cards, deliver, job, reply::Reply, report::first, submit, sweep},
    store::{DeliverMessage, DocumentRecord, ReportMessage, TaxReportRecord},
    testing::{AUTHORITY, TestNetwork, World, invoice, send, send_queued, ubl},
    types::{Mode, ReportId},
    webhook::receiver::{Behaviour, Receiver},
};

/// A Sandbox in a deployment that could report: with the network and the authority.
async fn connected() -> (World, TestNetwork, TestNetwork) {
    let mut world = World::new().await;
    let network = TestNetwork::start().await;
    let authority = network.authority().await;
    let render = |record: &DocumentRecord, _: &[crate::error::Finding]| Reply {
        status: 201,
        body: record.document_id.to_string().into_bytes(),
    };
    world.sending.live = Some(network.live(&world.sending.bucket, render).await);
    (world, network, authority)
}

/// Runs every queue except that of reports, which must be empty.
async fn settle(world: &World) {
    let delivering = world.healthy().delivering;
    loop {
        world.settle().await;
        let messages = world.cloud.receive("deliver");
        for message in &messages {
            let message: DeliverMessage = message.read();
            deliver::deliver(&delivering, &message).await.unwrap();
        }
        if messages.is_empty() {
            return;
        }
    }
}

fn body(operation: Operation, number: &str, other: &str) -> Value {
    let mut body = invoice(number, other);
    let fields = body.as_object_mut().unwrap();
    if operation.is_self_billed() {
        let supplier = fields.remove("customer").unwrap();
        fields.insert("supplier".to_owned(), supplier);
    }
    if matches!(operation, CreditNote | SelfBilledCreditNote) {
        let number = fields.remove("invoice_number").unwrap();
        fields.insert("credit_note_number".to_owned(), number);
        fields.insert("credit_note_reason_code".to_owned(), json!("DL8.61.1.A"));
        fields.insert("original_reference_kind".to_owned(), json!("external"));
        fields.insert("original_invoice_number".to_owned(), json!("X-1"));
        fields.insert("original_issue_date".to_owned(), json!("2026-11-01"));
    }
    body
}

#[tokio::test]
async fn no_use_case_of_the_sandbox_makes_a_tax_report_or_goes_out() {
    let (world, network, authority) = connected().await;
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "")).await;
    let sender = world.caller("Falcon", "1001234501").await;
    let recipient = world.caller("Oasis", "1001234502").await;
    for caller in [&sender, &recipient] {
        world.endpoint_at(&caller.organization_id, &receiver.url).await;
    }
    // Every kind of send, direct and queued, to a taxpayer here, to one elsewhere, and to a predefined endpoint.
    let (mut number, mut sent) = (0, 0);
    for operation in [Invoice, CreditNote, SelfBilledInvoice, SelfBilledCreditNote] {
        for other in ["1001234502", "1009876543", "9900000098"] {
            number += 1;
            let body = body(operation, &format!("A-{number}"), other);
            let key = format!("k-{number}");
            let done = send(&world.sending, &sender, operation, &body, Some(&key)).await;
            sent += usize::from(done.is_ok());
            let text = body.to_string();
            let checked = submit::validate(&world.ctx, &sender, operation, text.as_bytes()).await;
            let is_error = |it: &Finding| it.severity == Severity::Error;
            assert_eq!(!checked.unwrap().findings.iter().any(is_error), done.is_ok());
            // A repetition is replayed, and an invalid body is refused.
            let again = send(&world.sending, &sender, operation, &body, Some(&key)).await;
            assert_eq!(again.is_ok(), done.is_ok());
            let wrong = json!({});
            send(&world.sending, &sender, operation, &wrong, None).await.unwrap_err();
        }
    }
    for other in ["1001234502", "1009876543"] {
        number += 1;
        let queued = body(Invoice, &format!("A-{number}"), other);
        let key = format!("k-{number}");
        send_queued(&world.sending, &sender, &queued, Some(&key)).await.unwrap();
        sent += 1;
    }
    assert!(sent >= 6, "{sent}");
    settle(&world).await;
    // Received documents are retrieved and published.
    for document in world.documents().await {
        let owner =
            if document.taxpayer_id == sender.taxpayer.taxpayer_id { &sender } else { &recipient };
        if document.taxpayer_id == owner.taxpayer.taxpayer_id {
            ubl(&world.sending, owner, document.document_id.as_str()).await.unwrap();
        }
    }
    let entities = vec![BusinessEntity { country: "AE".to_owned(), ..BusinessEntity::default() }];
    business_cards::put_card(&world.ctx, &sender.taxpayer, entities).await.unwrap();
    // Time passes, and the sweeper runs.
    for hours in [0, 1, 24, 48] {
        world.clock.advance(SignedDuration::from_hours(hours) + SignedDuration::from_mins(20));
        sweep::sweep(&world.relaying).await;
        settle(&world).await;
    }

    let written: BTreeSet<_> = world.cloud.take_written().into_iter().collect();
    // Each sweep notes for each mode what it saw of the jobs; in Live there was nothing.
    let live: Vec<_> = written.iter().filter(|pk| !pk.starts_with("SANDBOX#")).collect();
    assert_eq!(live, ["LIVE#SWEEP"]);
    let swept = world.ctx.store.get_sweep(Mode::Live).await.unwrap().unwrap();
    assert!(swept.due_since.is_empty() && swept.seen_at.is_empty(), "{swept:?}");
    assert!(!written.iter().any(|pk| pk.contains("FILING")), "{written:?}");
    assert!(world.raw_items("rep_").await.is_empty());
    assert!(world.cloud.receive("report").is_empty());
    for there in [&network, &authority] {
        assert_eq!((there.asked(), there.came()), (0, 0));
    }
    assert!(world.documents().await.iter().all(|document| document.reporting.is_none()));
    // "Activity there creates no Live billing usage" (specification 1).
    assert!(world.usage().await.is_empty());
}

#[tokio::test]
async fn a_tax_report_of_a_sandbox_document_finds_no_document() {
    let (world, network, authority) = connected().await;
    let sender = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "9900000098");
    let mut body = body;
    body["customer"]["identifiers"] = json!([{"id": "B-1"}]);
    body["customer"].as_object_mut().unwrap().remove("vat_identifier");
    send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
    let [document] = world.documents().await.try_into().unwrap();
    // The function that makes tax reports makes none.
    let made = first::of_sent(&world.ctx, Mode::Sandbox, &document, first::Exchanged::None);
    assert!(made.unwrap().is_none());
    // A message of the queue finds none.
    let tax_report = world.tax_reporting();
    let DocumentRecord { taxpayer_id, document_id, .. } = document.clone();
    let report_id = ReportId::first_of(&document_id);
    let message = ReportMessage { taxpayer_id, report_id };
    job::run(&tax_report, &message).await.unwrap();
    // Even if a report existed, its document would not be found under the key of Live.
    let made = first::of_sent(&world.ctx, Mode::Live, &document, first::Exchanged::None);
    world.put_tax_report(&made.unwrap().unwrap().tax_report).await;
    job::run(&tax_report, &message).await.unwrap();
    let [current]: [TaxReportRecord; 1] = world.tax_reports().await.try_into().unwrap();
    assert_eq!((current.tax_data, current.authority), (None, None));
    assert_eq!(world.parked().await, 1, "somebody must look");
    assert_eq!((network.came(), authority.came(), authority.asked()), (0, 0, 0), "{AUTHORITY}");
}
