//! The consequences of a Sandbox send (specification 1, points 3 and 4), and its allowed references.

use serde_json::{Value, json};

use crate::{
    access::TaxpayerStatus,
    access::{Audience, Scope},
    document::Operation::{CreditNote, Invoice, SelfBilledCreditNote, SelfBilledInvoice},
    error::{Code, Finding},
    service::{
        documents::get,
        reply::{Render, Reply},
        submit::{self, Send, validate},
    },
    store::{Direction, DocumentRecord, EventType, Status, keys::Key},
    testing::{World, customer, invoice, party, send, ubl},
    types::Mode,
};

fn split(documents: Vec<DocumentRecord>) -> (Vec<DocumentRecord>, Vec<DocumentRecord>) {
    documents.into_iter().partition(|document| document.direction == Direction::Outbound)
}

fn self_billed(number: &str, supplier_tin: &str) -> Value {
    let mut body = invoice(number, supplier_tin);
    body.as_object_mut().unwrap().remove("customer");
    body["supplier"] = party("Seller", supplier_tin);
    body
}

fn credit_note(number: &str, previous: &str) -> Value {
    let mut body = invoice("", "1001234502");
    for field in ["invoice_number", "due_date"] {
        body.as_object_mut().unwrap().remove(field);
    }
    body["credit_note_number"] = json!(number);
    body["credit_note_reason_code"] = json!("DL8.61.1.D");
    body["previous_document_id"] = json!(previous);
    body
}

#[tokio::test]
async fn a_recipient_in_the_same_sandbox_gets_its_own_document_and_event() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    let mut body = invoice("A-1", "1001234502");
    body["source_id"] = json!("mine");
    body["metadata"] = json!({"secret": "mine"});
    send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();

    let (sent, received) = split(world.documents().await);
    let ([sent], [received]) = (&sent[..], &received[..]) else { panic!() };
    assert_eq!(received.taxpayer_id, oasis.taxpayer.taxpayer_id);
    assert_eq!(received.status, Status::Received);
    assert_eq!(received.message_id, sent.message_id);
    assert_eq!(received.number, "A-1");
    // The sender's own fields are not copied.
    assert_eq!((&received.source_id, received.metadata.len()), (&None, 0));
    assert_eq!(received.organization_id, None);
    assert_eq!(sent.metadata["secret"], "mine");

    let outbound = ubl(&world.sending, &falcon, sent.document_id.as_str()).await.unwrap();
    let inbound = ubl(&world.sending, &oasis, received.document_id.as_str()).await.unwrap();
    assert_eq!(outbound, inbound);
    assert!(!String::from_utf8(outbound).unwrap().contains("mine"));

    let mut events = world.events().await;
    events.sort_by_key(|event| event.event_type);
    let [sent_event, received_event] = &events[..] else { panic!() };
    assert_eq!(sent_event.event_type, EventType::DocumentSent);
    assert_eq!(
        sent_event.audience,
        Audience::Granted {
            any_of: [Scope::InvoicesRead].into(),
            issuer: Some(falcon.organization_id.clone())
        }
    );
    assert_eq!(received_event.event_type, EventType::DocumentReceived);
    assert_eq!(received_event.taxpayer_id, oasis.taxpayer.taxpayer_id);
    let envelope: Value = serde_json::from_str(&received_event.body).unwrap();
    assert_eq!(envelope["participant_id"], "0235:1001234502");
    assert_eq!(envelope["data"]["counterparty"]["participant_id"], "0235:1001234501");
    assert!(!received_event.body.contains("mine"));
}

#[tokio::test]
async fn an_event_has_the_envelope_of_the_specification() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let mut body = invoice("A-1", "1009999901");
    body["source_id"] = json!("order-1");
    let sent = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    let [event] = &world.events().await[..] else { panic!() };
    let [document] = &world.documents().await[..] else { panic!() };
    let envelope: Value = serde_json::from_str(&event.body).unwrap();
    assert_eq!(
        envelope,
        json!({
            "id": event.event_id.as_str(),
            "type": "document.sent",
            "version": "1",
            "created_at": "2026-11-20T08:00:00.000Z",
            "participant_id": "0235:1001234501",
            "environment": "sandbox",
            "test": false,
            "data": {
                "taxpayer_id": falcon.taxpayer.taxpayer_id.as_str(),
                "document_id": sent.document_id.as_str(),
                "message_id": document.message_id.to_string(),
                "source_id": "order-1",
                "document_type_code": "380",
                "submission_id": format!("sub_{}", &sent.document_id.as_str()["doc_".len()..]),
                "type": "invoice",
                "direction": "outbound",
                "number": "A-1",
                "status": "sent",
                "issue_date": "2026-11-20",
                "currency": "AED",
                "total_with_vat": "210.00",
                "amount_due": "210.00",
                "counterparty": {"name": "Somebody", "participant_id": "0235:1009999901"},
            },
        })
    );
}

#[tokio::test]
async fn in_self_billing_the_seller_receives() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    let body = self_billed("S-1", "1001234502");
    send(&world.sending, &falcon, SelfBilledInvoice, &body, None).await.unwrap();
    let (sent, received) = split(world.documents().await);
    assert_eq!(sent[0].taxpayer_id, falcon.taxpayer.taxpayer_id);
    assert_eq!(received[0].taxpayer_id, oasis.taxpayer.taxpayer_id);
    let events = world.events().await;
    let received =
        events.iter().find(|event| event.event_type == EventType::DocumentReceived).unwrap();
    let envelope: Value = serde_json::from_str(&received.body).unwrap();
    assert_eq!(envelope["data"]["counterparty"]["participant_id"], "0235:1001234501");
}

#[tokio::test]
async fn a_recipient_who_is_elsewhere_inactive_or_a_predefined_endpoint_gets_nothing() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    // A taxpayer with the identifier of a predefined endpoint does not receive the document.
    world.taxpayer("Nobody", "9900000098").await;
    let inactive = crate::access::Taxpayer {
        taxpayer_id: "txpay_inactive".parse().unwrap(),
        participant_id: "0235:1001234509".parse().unwrap(),
        status: TaxpayerStatus::Suspended,
        ..falcon.taxpayer.clone()
    };
    world.ctx.store.create_taxpayer(&inactive).await.unwrap();
    for (i, tin) in ["1009999901", "1001234509", "9900000098"].iter().enumerate() {
        let mut body = invoice(&format!("A-{i}"), tin);
        body["customer"]["vat_identifier"] = json!("100123450900003");
        send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
    }
    let (sent, received) = split(world.documents().await);
    assert_eq!((sent.len(), received.len()), (3, 0));
    assert_eq!(world.events().await.len(), 3);
}

#[tokio::test]
async fn a_credit_note_names_an_invoice_of_the_taxpayers_own() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let oasis = world.caller("Oasis", "1001234502").await;
    let body = invoice("A-1", "1001234502");
    let original = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap().document_id;
    let body = self_billed("S-1", "1001234502");
    let self_billed =
        send(&world.sending, &falcon, SelfBilledInvoice, &body, None).await.unwrap().document_id;
    let (_, received) = split(world.documents().await);
    let received = received.iter().find(|d| d.number == "A-1").unwrap();

    let good = credit_note("C-1", original.as_str());
    let sent = send(&world.sending, &falcon, CreditNote, &good, None).await.unwrap();
    let record = get(&world.ctx, falcon.reader(), sent.document_id.as_str()).await.unwrap();
    assert_eq!(record.previous_document_id, Some(original.clone()));
    let xml = ubl(&world.sending, &falcon, sent.document_id.as_str()).await.unwrap();
    assert!(String::from_utf8(xml).unwrap().contains(">A-1<"));

    for (caller, previous) in [
        (&falcon, "doc_404"),
        (&falcon, "nonsense"),
        // A document of another kind, of another tenant, and a received one.
        (&falcon, self_billed.as_str()),
        (&oasis, original.as_str()),
        (&oasis, received.document_id.as_str()),
    ] {
        let body = credit_note("C-2", previous);
        let failure = send(&world.sending, caller, CreditNote, &body, Some("k")).await.unwrap_err();
        assert_eq!(failure.code, Code::ValidationFailed, "{previous}");
        let found = failure.findings.iter().any(|finding| {
            finding.pointer == "/previous_document_id" && finding.rule.starts_with("AP-REFERENCE")
        });
        assert!(found, "{previous}: {:?}", failure.findings);
    }
    let mut mirrored = credit_note("C-3", self_billed.as_str());
    mirrored.as_object_mut().unwrap().remove("customer");
    mirrored["supplier"] = party("Seller", "1001234502");
    send(&world.sending, &falcon, SelfBilledCreditNote, &mirrored, None).await.unwrap();
}

#[tokio::test]
async fn a_credit_note_unlike_what_it_credits_is_warned_of() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let dollars = json!({"currency": "USD", "currency_exchange_rate": "3.6725"});
    let cases = [
        (json!({}), &[][..]),
        (json!({"totals": {"total_amount_with_vat": "210.00"}}), &[]),
        (
            json!({"charges": [{"amount": "1", "reason": "x", "vat_category_code": "S"}]}),
            &[("/previous_document_id", "AP-CREDIT-total")],
        ),
        (dollars, &[("/currency", "AP-CREDIT-currency")]),
        (
            json!({"customer": customer("Another", "1001234509")}),
            &[("/customer", "AP-CREDIT-party")],
        ),
    ];
    for (place, (changes, warned)) in cases.into_iter().enumerate() {
        let body = invoice(&format!("A-{place}"), "1001234502");
        let original = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap();
        let mut body = credit_note(&format!("C-{place}"), original.document_id.as_str());
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let sent = send(&world.sending, &falcon, CreditNote, &body, None).await.unwrap();
        let record = get(&world.ctx, falcon.reader(), sent.document_id.as_str()).await.unwrap();
        let found = record.warnings.iter().map(|warning| (&*warning.pointer, &*warning.rule));
        assert_eq!(found.collect::<Vec<_>>(), warned, "{changes}");
    }
}

#[tokio::test]
async fn an_invoice_that_is_credited_in_full_twice_is_warned_of() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let body = invoice("A-1", "1001234502");
    let original = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap().document_id;
    let warned = async |number: &str, key: &str, quantity: &str, queued: bool| {
        let mut body = credit_note(number, original.as_str());
        body["line_items"][0]["quantity"] = json!(quantity);
        let bytes = body.to_string();
        let validation = validate(&world.ctx, &falcon, CreditNote, bytes.as_bytes()).await.unwrap();
        let send = Send {
            operation: CreditNote,
            body: bytes.as_bytes(),
            idempotency_key: Some(key),
            respond_async: queued,
            import: None,
        };
        let render: Render =
            |record, _| Reply { status: 201, body: record.document_id.to_string().into_bytes() };
        let sent = submit::send(&world.sending, &falcon, send, render).await.unwrap();
        world.settle().await;
        let record = get(&world.ctx, falcon.reader(), sent.document_id.as_str()).await.unwrap();
        let of_total = |findings: &[Finding]| -> Vec<String> {
            let found = findings.iter().filter(|it| it.rule == "AP-CREDIT-total");
            found.map(|it| it.message.to_string()).collect()
        };
        let found = of_total(&record.warnings);
        assert_eq!(of_total(&validation.findings), found, "validated as it is sent");
        found
    };
    // Half of the total, the other half, and all of it again: directly and through the queues.
    assert_eq!(warned("C-1", "k-1", "1", false).await, Vec::<String>::new());
    let half = warned("C-2", "k-2", "1", true).await;
    assert_eq!(half, Vec::<String>::new(), "its own record is none before it");
    let more = warned("C-3", "k-3", "2", false).await;
    let [message] = &more[..] else { panic!("{more:?}") };
    for said in
        ["210.00 is credited", "2 earlier credit notes credit 210.00", "total of A-1, 210.00 AED"]
    {
        assert!(message.contains(said), "{message}");
    }
    assert_eq!(warned("C-4", "k-4", "2", true).await.len(), 1);
    // A credit note that failed credits nothing.
    for document in world.documents().await {
        if document.operation == CreditNote && document.direction == Direction::Outbound {
            let key = Key::document(Mode::Sandbox, &document.taxpayer_id, &document.document_id);
            world.put(key, &DocumentRecord { status: Status::Failed, ..document }).await;
        }
    }
    assert_eq!(warned("C-5", "k-5", "2", false).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_correction_needs_a_key_and_a_document_that_was_rejected() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    let mut body = invoice("A-1", "1009999901");
    let original = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap().document_id;
    body["corrects_document_id"] = json!(original.as_str());

    let failure = send(&world.sending, &falcon, Invoice, &body, None).await.unwrap_err();
    assert_eq!(failure.code, Code::IdempotencyKeyRequired);
    let failure = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::NotCorrectable);
    assert!(world.idempotency_records().await.is_empty());

    for (field, value, pointer) in [
        ("corrects_document_id", "doc_404", "/corrects_document_id"),
        ("invoice_number", "A-2", "/invoice_number"),
        ("invoice_type_code", "480", "/corrects_document_id"),
    ] {
        let mut body = body.clone();
        body[field] = json!(value);
        if value == "480" {
            body["line_items"][0]["vat"]["category_code"] = json!("O");
        }
        let failure = send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap_err();
        assert_eq!(failure.code, Code::ValidationFailed, "{field}");
        assert!(
            failure.findings.iter().any(|finding| finding.pointer == pointer),
            "{field}: {:?}",
            failure.findings
        );
    }
    let mut sending = world.sending.clone();
    sending.settings.queued_delivery = false;
    let failure = send(&sending, &falcon, Invoice, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::QueuedDeliveryDisabled);
}

#[tokio::test]
async fn a_live_send_needs_a_subscription_and_then_a_network() {
    let world = World::new().await;
    let sandbox = world.caller("Falcon", "1001234501").await;
    let live = crate::access::Caller { mode: crate::types::Mode::Live, ..sandbox };
    let body = invoice("A-1", "1009999901");
    let failure = send(&world.sending, &live, Invoice, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::SubscriptionRequired);
    // A record from before there were seats.
    let before = crate::store::keys::Key::subscription_before(&live.organization_id);
    world.put(before, &json!({"active": true})).await;
    let failure = send(&world.sending, &live, Invoice, &body, Some("k")).await.unwrap_err();
    assert_eq!(failure.code, Code::ServiceUnavailable);
    assert!(world.documents().await.is_empty());
}

#[tokio::test]
async fn metadata_and_texts_as_large_as_they_may_be_fit_the_items() {
    let world = World::new().await;
    let falcon = world.caller("Falcon", "1001234501").await;
    world.caller("Oasis", "1001234502").await;
    let mut body = invoice("A-1", "1001234502");
    body["source_id"] = json!("s".repeat(255));
    body["customer"]["name"] = json!("ن".repeat(2_000));
    let pairs: serde_json::Map<String, Value> =
        (0..100).map(|i| (format!("{i:0>50}"), json!("v".repeat(100)))).collect();
    body["metadata"] = Value::Object(pairs);
    let line = body["line_items"][0].clone();
    body["line_items"] = Value::Array(vec![line; 1_000]);
    send(&world.sending, &falcon, Invoice, &body, Some("k")).await.unwrap();
    let (sent, _) = split(world.documents().await);
    assert_eq!(sent[0].metadata.len(), 100);
    assert_eq!(sent[0].customer.name.chars().count(), 500);
}
