//! Files and documents that were sent before.

use super::*;

#[tokio::test]
async fn the_same_file_again_sends_nothing_and_neither_does_its_table() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let numbers = ["A-1", "A-2", "A-3", "A-4"];
    let first = Box::pin(imported(&world, &caller, invoices(&numbers))).await;
    let stood = world.raw_items("DOCUMENT").await.len();
    let again = Box::pin(imported(&world, &caller, invoices(&numbers))).await;
    assert_eq!((first.counts, again.counts), (counts(4, 0, 0), counts(0, 4, 0)));
    assert_eq!((first.sha256 == again.sha256, first.import_id == again.import_id), (true, false));
    assert_eq!(world.raw_items("DOCUMENT").await.len(), stood);
    let ids =
        |outcomes: Vec<Outcome>| outcomes.into_iter().map(|it| it.document_id).collect::<Vec<_>>();
    assert_eq!(ids(outcomes(&world, &first).await), ids(outcomes(&world, &again).await));
    // A row with a number that was sent and another content is refused.
    let mut other = invoice("A-2", BUYER);
    other["line_items"][0]["quantity"] = json!("3");
    let file = lines(&[other, invoice("A-5", BUYER), invoice("A-5", BUYER)]);
    let third = Box::pin(imported(&world, &caller, file)).await;
    assert_eq!(third.counts, counts(1, 1, 1));
    let outcomes = outcomes(&world, &third).await;
    assert_eq!(outcomes[0].code, Some(Code::IdempotencyKeyReused));
    assert_eq!(outcomes[0].findings[0].finding.rule, "AP-IMPORT-number");
    // The second row of a number is not sent.
    assert_eq!(outcomes[1].outcome, OutcomeKind::Accepted);
    assert_eq!(outcomes[2].outcome, OutcomeKind::AlreadySent);
    assert_eq!(outcomes[1].document_id, outcomes[2].document_id);
    // Keys of callers are different from keys of imports.
    send_queued(&world.sending, &caller, &invoice("A-1", BUYER), Some("A-1")).await.unwrap();
    assert_eq!(sent(&world).await, ["A-1", "A-1", "A-2", "A-3", "A-4", "A-5"]);
}

#[tokio::test]
async fn two_files_with_the_same_documents_at_once_wait_for_each_other() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let bodies: Vec<Value> = (0..60).map(|at| invoice(&format!("A-{at}"), BUYER)).collect();
    let file = lines(&bodies);
    let again = [&file[..], b"\n"].concat();
    let (first, second) = (take(&world, &caller, file).await, take(&world, &caller, again).await);
    assert_ne!(first.import_id, second.import_id);
    let begun = world.now();
    worked(&world, &at_full_pace(&world)).await;
    let (first, second) = (get(&world, &caller, &first).await, get(&world, &caller, &second).await);
    for record in [&first, &second] {
        assert_eq!((record.status, record.counts.refused), (ImportStatus::Completed, 0));
        assert_eq!(record.counts.accepted + record.counts.already_sent, 60);
    }
    assert_eq!(first.counts.accepted + second.counts.accepted, 60);
    assert_eq!((sent(&world).await.len(), world.now()), (60, begun));
}

#[tokio::test]
async fn the_same_file_is_one_import_while_that_is_under_way() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let file = || NewImport { operation: Invoice, name: None, file: invoices(&["A-1", "A-2"]) };
    // Two concurrent requests and a later one make one import, with one entry in the audit trail.
    let (first, second) =
        tokio::join!(taken(&world, &caller, file()), taken(&world, &caller, file()));
    let (first, second) = (first.unwrap(), second.unwrap());
    let third =
        taken(&world, &caller, NewImport { name: Some("x".into()), ..file() }).await.unwrap();
    assert_eq!((&first.import_id, &first.import_id), (&second.import_id, &third.import_id));
    assert_ne!(first.replayed, second.replayed);
    assert!(third.replayed);
    let entries: Vec<AuditRecord> = world.items("aud_").await;
    assert_eq!(entries.iter().filter(|it| it.action == Action::ImportCreated).count(), 1);
    // Another kind of document, or other grants, make another import.
    let mut other = caller.clone();
    other.grant_ids.clear();
    assert!(!taken(&world, &other, file()).await.unwrap().replayed);
    Box::pin(world.settle()).await;
    // After its completion, the same file makes another import, which names the first one.
    let fourth = take(&world, &caller, invoices(&["A-1", "A-2"])).await;
    assert!(fourth.same_file.is_some());
    Box::pin(world.settle()).await;
    assert_eq!(get(&world, &caller, &fourth).await.counts, counts(0, 2, 0));
    assert_eq!(sent(&world).await, ["A-1", "A-2"]);
}

#[tokio::test]
async fn an_import_under_a_key_is_made_once() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let file =
        |numbers: &[&str]| NewImport { operation: Invoice, name: None, file: invoices(numbers) };
    let under = async |key, new| {
        let requested = Requested { idempotency_key: Some(key), ..requested(new) };
        imports::take(&world.sending, &caller, requested, render_import).await
    };
    let first = under("k", file(&["A-1"])).await.unwrap();
    assert!(!first.replayed);
    let again = under("k", file(&["A-1"])).await.unwrap();
    assert_eq!((&again.import_id, &again.reply), (&first.import_id, &first.reply));
    assert!(again.replayed);
    // The reply stays the same after the import is completed.
    Box::pin(world.settle()).await;
    let again = under("k", file(&["A-1"])).await.unwrap();
    assert_eq!((again.reply, again.replayed), (first.reply.clone(), true));
    // Another file, another kind of document, or a send is another payload.
    let unreadable = NewImport { file: b"x\n".to_vec(), ..file(&[]) };
    let note = NewImport {
        operation: crate::document::Operation::CreditNote,
        file: b"{}\n".to_vec(),
        ..file(&[])
    };
    for other in [file(&["A-2"]), unreadable, note] {
        let failure = under("k", other).await.unwrap_err();
        assert_eq!((failure.code, failure.document_id), (Code::IdempotencyKeyReused, None));
    }
    let failure = send_queued(&world.sending, &caller, &invoice("A-3", BUYER), Some("k")).await;
    let failure = failure.unwrap_err();
    assert_eq!((failure.code, failure.document_id), (Code::IdempotencyKeyReused, None));
    send_queued(&world.sending, &caller, &invoice("A-3", BUYER), Some("s")).await.unwrap();
    let failure = under("s", file(&["A-1"])).await.unwrap_err();
    assert_eq!(failure.code, Code::IdempotencyKeyReused);
    // A refusal leaves the key free. Another key for a file that is being imported gets the same import.
    assert!(under("n", NewImport { file: b"x\n".to_vec(), ..file(&[]) }).await.is_err());
    let new = under("n", file(&["A-4"])).await.unwrap();
    let other = under("o", file(&["A-4"])).await.unwrap();
    assert_eq!((&new.import_id, new.replayed), (&other.import_id, false));
    assert!(other.replayed);
    assert_eq!(under("o", file(&["A-4"])).await.unwrap().import_id, new.import_id);
}

#[tokio::test]
async fn what_failed_after_it_was_accepted_is_sent_anew_by_another_import() {
    let (world, network) = World::live().await;
    let caller = world.caller("Falcon", "1001234501").await;
    world.subscribe(&caller.organization_id).await;
    let file = || invoices(&["A-1", "A-2"]);
    let ids = |outcomes: &[Outcome]| {
        outcomes.iter().map(|it| it.document_id.clone().unwrap()).collect::<Vec<_>>()
    };
    let first = Box::pin(imported(&world, &caller, file())).await;
    assert!(world.documents().await.iter().all(|document| document.status == Status::Failed));
    let first = ids(&outcomes(&world, &first).await);
    // A failed document is sent again, whether it fails again, and whether it was corrected.
    let again = Box::pin(imported(&world, &caller, file())).await;
    assert_eq!(again.counts, counts(2, 0, 0));
    let again = ids(&outcomes(&world, &again).await);
    network.register(&format!("0235:{BUYER}"));
    // The negative lookup is cached for a minute.
    world.clock.advance(SignedDuration::from_mins(2));
    let mut corrected = invoice("A-2", BUYER);
    corrected["line_items"][0]["quantity"] = json!("3");
    let file = lines(&[invoice("A-1", BUYER), corrected]);
    let record = Box::pin(imported(&world, &caller, file.clone())).await;
    assert_eq!(record.counts, counts(2, 0, 0));
    let listed = outcomes(&world, &record).await;
    let third = ids(&listed);
    for (row, outcome) in listed.iter().enumerate() {
        let findings: Vec<_> = outcome.findings.iter().map(|it| &it.finding).collect();
        let rules: Vec<_> = findings.iter().map(|it| it.rule.as_ref()).collect();
        assert_eq!(rules, ["AP-IMPORT-again"], "{findings:?}");
        let message = &findings[0].message;
        assert!(message.contains(again[row].as_str()), "{message}");
    }
    let mut all = [first, again, third.clone()].concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6);
    let documents = world.documents().await;
    let left: Vec<_> = documents.iter().filter(|it| it.status != Status::Failed).collect();
    assert_eq!(left.len(), 2);
    assert!(left.iter().all(|it| third.contains(&it.document_id)));
    assert_eq!(network.taken().len(), 2);
    // A document that was sent stays: the same one is not sent again, and another one with its number is refused.
    let record = Box::pin(imported(&world, &caller, file)).await;
    assert_eq!(record.counts, counts(0, 2, 0));
    let listed = outcomes(&world, &record).await;
    assert_eq!(ids(&listed), third);
    assert!(listed.iter().all(|outcome| outcome.findings.is_empty()), "{listed:?}");
    let mut other = invoice("A-1", BUYER);
    other["line_items"][0]["quantity"] = json!("4");
    let record = Box::pin(imported(&world, &caller, lines(&[other]))).await;
    let listed = outcomes(&world, &record).await;
    assert_eq!(listed[0].findings[0].finding.rule, "AP-IMPORT-number");
}

#[tokio::test]
async fn what_may_have_arrived_is_never_sent_anew() {
    for status in [Status::Unconfirmed, Status::Dispatching, Status::Rejected, Status::Delivered] {
        let world = World::new().await;
        let caller = world.caller("Falcon", "1001234501").await;
        Box::pin(imported(&world, &caller, invoices(&["A-1", "A-2"]))).await;
        come_to(&world, status).await;
        let mut other = invoice("A-2", BUYER);
        other["line_items"][0]["quantity"] = json!("3");
        let file = lines(&[invoice("A-1", BUYER), other]);
        let again = Box::pin(imported(&world, &caller, file)).await;
        assert_eq!(again.counts, counts(0, 1, 1), "{status:?}");
        assert_eq!(sent(&world).await, ["A-1", "A-2"]);
    }
}
