//! Imports, from the file to the outcome of each document.

use std::{sync::Arc, time::Duration};

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    access::{Action, Actor, AuditRecord, By, Caller, Origin},
    document::Operation::Invoice,
    error::{Code, Failure},
    import_tables::Format,
    service::{
        documents::Stored,
        grants,
        imports::{self, Importing, NewImport, Outcome, OutcomeKind, Pace, Requested, Taken},
        job, sweep,
    },
    store::{
        Direction, DocumentRecord, ImportCounts, ImportRecord, ImportStatus, PayloadMethod, Status,
        keys::Key,
    },
    testing::{Faults, Tally, World, enumerate_at, invoice, render_import, send_queued},
};

/// A buyer that receives nothing.
const BUYER: &str = "1009999901";

fn lines(bodies: &[Value]) -> Vec<u8> {
    bodies.iter().map(|body| format!("{body}\n")).collect::<String>().into_bytes()
}

fn invoices(numbers: &[&str]) -> Vec<u8> {
    lines(&numbers.iter().map(|number| invoice(number, BUYER)).collect::<Vec<_>>())
}

pub(super) async fn take(world: &World, caller: &Caller, file: impl Into<Vec<u8>>) -> ImportRecord {
    let new = NewImport { operation: Invoice, name: None, file: file.into() };
    let taken = taken(world, caller, new).await.unwrap();
    imports::get(&world.ctx, caller.into(), taken.import_id.as_str()).await.unwrap()
}

/// Makes an import by a request.
async fn taken(world: &World, caller: &Caller, new: NewImport) -> Result<Taken, Failure> {
    imports::take(&world.sending, caller, requested(new), render_import).await
}

/// A request of an operator, without a key.
fn requested(new: NewImport) -> Requested<'static> {
    Requested { by: By::operator(), new, idempotency_key: None }
}

pub(super) async fn get(world: &World, caller: &Caller, record: &ImportRecord) -> ImportRecord {
    imports::get(&world.ctx, caller.into(), record.import_id.as_str()).await.unwrap()
}

async fn result(world: &World, record: &ImportRecord) -> Vec<u8> {
    let (reading, method) = (world.sending.reading(), PayloadMethod::Get);
    match imports::result(&reading, record, usize::MAX, method).await.unwrap() {
        Stored::Here(bytes) => bytes,
        Stored::Elsewhere(address) => panic!("{address}"),
    }
}

async fn outcomes(world: &World, record: &ImportRecord) -> Vec<Outcome> {
    let bytes = result(world, record).await;
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// Makes an import and completes it.
async fn imported(world: &World, caller: &Caller, file: impl Into<Vec<u8>>) -> ImportRecord {
    let record = take(world, caller, file).await;
    Box::pin(world.settle()).await;
    let record = get(world, caller, &record).await;
    assert_eq!(record.status, ImportStatus::Completed);
    assert_eq!((record.lease.clone(), record.tries, record.parts.len()), (None, 0, 0));
    assert_eq!(record.counts.done(), record.documents);
    record
}

fn counts(accepted: u32, already_sent: u32, refused: u32) -> ImportCounts {
    ImportCounts { accepted, already_sent, refused }
}

async fn sent(world: &World) -> Vec<String> {
    let documents = world.documents().await.into_iter();
    let sent = documents.filter(|document| document.direction == Direction::Outbound);
    let mut numbers: Vec<_> = sent.map(|document| document.number).collect();
    numbers.sort();
    numbers
}

#[tokio::test]
async fn every_document_of_a_file_is_sent_and_each_has_its_outcome() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut wrong = invoice("A-3", BUYER);
    wrong["line_items"][0]["quantity"] = json!("two");
    wrong["due_dat"] = json!("2026-12-31");
    let mut file = lines(&[invoice("A-1", BUYER), invoice("A-2", BUYER), wrong]);
    file.extend(b"\n{\"invoice_number\": \n");
    file.extend(invoices(&["A-4", "A-5"]));
    let record = Box::pin(imported(&world, &caller, file)).await;
    assert_eq!((record.format, record.counts), (Format::Ndjson, counts(4, 0, 2)));
    assert_eq!(sent(&world).await, ["A-1", "A-2", "A-4", "A-5"]);
    assert!(world.documents().await.iter().all(|document| document.status == Status::Sent));
    let outcomes = outcomes(&world, &record).await;
    let rows: Vec<_> = outcomes.iter().map(|outcome| outcome.row).collect();
    assert_eq!(rows, [1, 2, 3, 5, 6, 7]);
    let ids: Vec<_> = world.documents().await.into_iter().map(|it| it.document_id).collect();
    for outcome in &outcomes {
        let is_sent = outcome.outcome == OutcomeKind::Accepted;
        assert_eq!(outcome.document_id.as_ref().is_some_and(|id| ids.contains(id)), is_sent);
        assert_eq!(outcome.code.is_none(), is_sent, "{outcome:?}");
    }
    let refused = &outcomes[2];
    assert_eq!(
        (refused.number.as_deref(), refused.code),
        (Some("A-3"), Some(Code::ValidationFailed))
    );
    let mut found: Vec<_> = refused.findings.iter().map(|it| it.finding.pointer.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, ["/due_dat", "/line_items/0/quantity"]);
    assert!(refused.findings.iter().all(|placed| placed.row == 3 && placed.column.is_none()));
    assert_eq!(outcomes[3].code, Some(Code::MalformedJson));
}

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

/// A worker as in production: a chunk of a hundred, with many concurrent sends.
fn at_full_pace(world: &World) -> Importing {
    Importing { pace: Pace::default(), ..world.importing() }
}

/// Completes the waiting imports concurrently. A rescheduled chunk would be due later, and its import would not be
/// completed.
async fn worked(world: &World, importing: &Importing) {
    world.stream().await;
    let messages: Vec<_> =
        world.cloud.receive("imports").iter().map(|message| message.read()).collect();
    let workers = messages.into_iter().map(|message| {
        let importing = importing.clone();
        tokio::spawn(async move { Box::pin(job::run(&importing, &message)).await })
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_number_twice_in_each_hundred_documents_puts_off_no_chunk() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut bodies: Vec<Value> = (0..300).map(|at| invoice(&format!("A-{at}"), BUYER)).collect();
    // Two equal rows, and one with the same number and another content.
    for (row, first) in [(50, 0), (101, 100), (299, 200)] {
        bodies[row] = bodies[first].clone();
    }
    bodies[299]["line_items"][0]["quantity"] = json!("3");
    let record = take(&world, &caller, lines(&bodies)).await;
    let begun = world.now();
    worked(&world, &at_full_pace(&world)).await;
    let record = get(&world, &caller, &record).await;
    assert_eq!((record.status, record.counts), (ImportStatus::Completed, counts(297, 2, 1)));
    assert_eq!(world.now(), begun);
    assert_eq!(sent(&world).await.len(), 297);
    let listed = outcomes(&world, &record).await;
    let rows: Vec<_> = listed.iter().map(|outcome| outcome.row).collect();
    assert_eq!(rows, (1..=300).collect::<Vec<_>>());
    // The first row is sent.
    for (row, first) in [(50, 0), (101, 100)] {
        assert_eq!(listed[first].outcome, OutcomeKind::Accepted);
        assert_eq!(listed[row].outcome, OutcomeKind::AlreadySent);
        assert_eq!(listed[row].document_id, listed[first].document_id);
    }
    assert_eq!(
        (listed[200].outcome, listed[299].outcome),
        (OutcomeKind::Accepted, OutcomeKind::Refused)
    );
    let message = listed[299].message.as_deref().unwrap();
    assert!(message.starts_with("Row 201 of this file has this number"), "{message}");
    assert_eq!(listed[299].findings[0].finding.message, message);
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
async fn a_table_that_is_not_sorted_sends_no_invoice_without_some_of_its_lines() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let good = include_str!("../../../../events/imports/invoices.csv");
    let [names, first, second, other] = good.lines().collect::<Vec<_>>().try_into().unwrap();
    let third = other.replace("INV-2002", "INV-2003");
    let table = [names, first, other, second, &third].join("\n");
    let record = Box::pin(imported(&world, &caller, table)).await;
    assert_eq!((record.documents, record.counts), (4, counts(2, 0, 2)));
    assert_eq!(sent(&world).await, ["INV-2002", "INV-2003"]);
    let listed = String::from_utf8(result(&world, &record).await).unwrap();
    for row in ["2", "4"] {
        let begins =
            format!("{row},{row},INV-2001,refused,,validation_failed,error,AP-IMPORT-apart,{row},");
        assert!(listed.contains(&begins), "{listed}");
    }
    assert!(listed.contains("rows 2 and 4 have the number \"\"INV-2001\"\""), "{listed}");
}

#[tokio::test]
async fn an_outcome_names_its_findings_as_they_are_called() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut wrong = invoice("A-1", BUYER);
    wrong["line_items"][0]["quantity"] = json!("two");
    let record = Box::pin(imported(&world, &caller, lines(&[wrong]))).await;
    let listed = outcomes(&world, &record).await;
    let message = listed[0].message.as_deref().unwrap();
    assert!(message.ends_with("see findings.") && !message.contains("see errors"), "{message}");
}

/// Sets the status of all sent documents.
async fn come_to(world: &World, status: Status) {
    for document in world.documents().await {
        let key = Key::document(world.mode, &document.taxpayer_id, &document.document_id);
        world.put(key, &DocumentRecord { status, ..document }).await;
    }
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

#[tokio::test]
async fn a_table_is_answered_by_a_table_with_the_row_and_column_to_correct() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let good = include_str!("../../../../events/imports/invoices.csv");
    let spoiled = good.replacen(",20,C62,", ",=20,C62,", 1);
    let record = Box::pin(imported(&world, &caller, spoiled)).await;
    assert_eq!((record.format, record.documents, record.counts), (Format::Csv, 2, counts(1, 0, 1)));
    assert_eq!(sent(&world).await, ["INV-2002"]);
    let table = result(&world, &record).await;
    let mut reader = csv::Reader::from_reader(table.as_slice());
    let headings = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cell = |row: usize, name: &str| {
        let at = headings.iter().position(|heading| heading == name).unwrap();
        rows[row].get(at).unwrap().to_owned()
    };
    assert_eq!((cell(0, "row"), cell(0, "last_row")), ("2".to_owned(), "3".to_owned()));
    assert_eq!(
        (cell(0, "number"), cell(0, "outcome")),
        ("INV-2001".to_owned(), "refused".to_owned())
    );
    assert_eq!(cell(0, "column"), "line_items.quantity");
    assert_eq!(
        (cell(0, "finding_row"), cell(0, "code")),
        ("3".to_owned(), "validation_failed".to_owned())
    );
    let last = rows.len() - 1;
    assert_eq!((cell(last, "row"), cell(last, "outcome")), ("4".to_owned(), "accepted".to_owned()));
    assert!(!cell(last, "document_id").is_empty());
    // A caller's text is no formula in a spreadsheet.
    let formula = good.replace("INV-2002", "=2+5");
    let record = Box::pin(imported(&world, &caller, formula)).await;
    let table = String::from_utf8(result(&world, &record).await).unwrap();
    assert!(table.contains(",'=2+5,"), "{table}");
}

#[tokio::test]
async fn every_finding_about_a_long_document_is_listed() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let mut long = invoice("A-1", BUYER);
    let mut line = long["line_items"][0].clone();
    line["quantity"] = json!("two");
    line["price"]["net_price"] = json!("three");
    long["line_items"] = json!(vec![line; 100]);
    // Another document in the file keeps its share of the findings.
    let file = lines(&[long, invoice("A-2", BUYER)]);
    let record = Box::pin(imported(&world, &caller, file)).await;
    assert_eq!(record.counts, counts(1, 0, 1));
    let listed = outcomes(&world, &record).await;
    let pointers: Vec<_> =
        listed[0].findings.iter().map(|it| it.finding.pointer.as_str()).collect();
    for line in 0..100 {
        for field in ["quantity", "price/net_price"] {
            let pointer = format!("/line_items/{line}/{field}");
            assert!(pointers.contains(&pointer.as_str()), "{pointer} of {}", pointers.len());
        }
    }
    assert!(listed[0].findings.iter().all(|it| it.finding.rule != "AP-FINDINGS"));
}

#[tokio::test]
async fn a_torn_row_refuses_its_document_and_no_other() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let good = include_str!("../../../../events/imports/invoices.csv");
    let (names, _) = good.split_once('\n').unwrap();
    let torn = good.replacen(",20,C62,", ",20,C62,,", 1);
    let record = Box::pin(imported(&world, &caller, torn)).await;
    assert_eq!(record.counts, counts(1, 0, 1));
    assert_eq!(sent(&world).await, ["INV-2002"]);
    let table = String::from_utf8(result(&world, &record).await).unwrap();
    let columns = names.split(',').count();
    let said = format!("row 3 has {} values, but there are {columns} columns", columns + 1);
    assert!(table.contains(&said) && table.contains("AP-IMPORT-row"), "{table}");
}

#[tokio::test]
async fn a_worker_hands_an_import_on_when_its_time_is_up() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let record =
        take(&world, &caller, invoices(&["A-1", "A-2", "A-3", "A-4", "A-5", "A-6", "A-7"])).await;
    let importing = Importing { slice: Duration::ZERO, ..world.importing() };
    for done in [3, 6, 7] {
        world.stream().await;
        let messages = world.cloud.receive("imports");
        assert_eq!(messages.len(), 1);
        let message = messages[0].read();
        Box::pin(job::run(&importing, &message)).await.unwrap();
        let current = get(&world, &caller, &record).await;
        assert_eq!((current.counts, current.lease), (counts(done, 0, 0), None));
        assert_eq!(current.status, ImportStatus::Running);
        assert_eq!(sent(&world).await.len(), usize::try_from(done).unwrap());
    }
    world.stream().await;
    let message = world.cloud.receive("imports")[0].read();
    Box::pin(job::run(&importing, &message)).await.unwrap();
    let current = get(&world, &caller, &record).await;
    assert_eq!(current.status, ImportStatus::Completed);
    assert_eq!(outcomes(&world, &current).await.len(), 7);
    // A late message has no effect.
    Box::pin(job::run(&importing, &message)).await.unwrap();
    assert_eq!(get(&world, &caller, &record).await, current);
}

#[tokio::test]
async fn nothing_is_sent_once_the_grant_was_revoked() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let record = take(&world, &caller, invoices(&["A-1", "A-2", "A-3", "A-4"])).await;
    world.stream().await;
    let importing = Importing { slice: Duration::ZERO, ..world.importing() };
    let message = world.cloud.receive("imports")[0].read();
    Box::pin(job::run(&importing, &message)).await.unwrap();
    let grant_id = caller.grant_ids.first().unwrap();
    let (organization_id, by) = (&caller.organization_id, By::operator());
    grants::revoke(&world.ctx, world.mode, organization_id, grant_id, &by).await.unwrap();
    // A grant that was not used for the import's request does not let it continue.
    world.grant(organization_id, &caller.taxpayer, &crate::access::Scope::ALL).await;
    Box::pin(world.settle()).await;
    let record = get(&world, &caller, &record).await;
    assert_eq!((record.status, record.counts), (ImportStatus::Completed, counts(3, 0, 1)));
    let outcomes = outcomes(&world, &record).await;
    assert_eq!(outcomes[3].code, Some(Code::GrantRequired));
    assert_eq!(outcomes[3].number.as_deref(), Some("A-4"));
    assert_eq!(sent(&world).await, ["A-1", "A-2", "A-3"]);
}

#[tokio::test]
async fn an_import_is_in_the_audit_trail_of_the_organization() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let by = By { actor: Actor::Operator, origin: Origin::new(None, Some("curl"), None) };
    let new = NewImport { operation: Invoice, name: None, file: invoices(&["A-1"]) };
    let requested = Requested { by, ..requested(new) };
    let taken = imports::take(&world.sending, &caller, requested, render_import).await.unwrap();
    let record =
        imports::get(&world.ctx, (&caller).into(), taken.import_id.as_str()).await.unwrap();
    let entries: Vec<AuditRecord> = world.items("aud_").await;
    let entry = entries.iter().find(|entry| entry.action == Action::ImportCreated).unwrap();
    assert_eq!(entry.subject, record.import_id.as_str());
    assert_eq!((&entry.actor, entry.at), (&Actor::Operator, record.created_at));
}

#[tokio::test]
async fn an_import_costs_the_quota_what_its_sends_do() {
    let mut world = World::new().await;
    world.sending.settings.sandbox_daily_sends = 2;
    let caller = world.caller("Falcon", "1001234501").await;
    let file = invoices(&["A-1", "A-2", "A-3"]);
    let record = Box::pin(imported(&world, &caller, file.clone())).await;
    assert_eq!(record.counts, counts(2, 0, 1));
    assert_eq!(outcomes(&world, &record).await[2].code, Some(Code::QuotaExceeded));
    // The next day the same file sends the rest.
    world.clock.advance(SignedDuration::from_hours(24));
    let record = Box::pin(imported(&world, &caller, file)).await;
    assert_eq!(record.counts, counts(1, 2, 0));
}

#[tokio::test]
async fn an_import_is_seen_by_the_organization_that_asked_for_it_alone() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let other = world.organization("Other").await;
    world.grant(&other, &caller.taxpayer, &crate::access::Scope::ALL).await;
    let stranger = Caller { organization_id: other, ..caller.clone() };
    let mut made = Vec::new();
    for number in ["A-1", "A-2", "A-3"] {
        made.push(take(&world, &caller, invoices(&[number])).await.import_id);
        world.clock.advance(SignedDuration::from_secs(1));
    }
    let page = imports::list(&world.ctx, (&caller).into(), world.asked(None, 2)).await.unwrap();
    let ids: Vec<_> = page.items.iter().map(|record| record.import_id.clone()).collect();
    assert_eq!(ids, [made[2].clone(), made[1].clone()]);
    let next = page.next_cursor.as_deref();
    let page = imports::list(&world.ctx, (&caller).into(), world.asked(next, 2)).await.unwrap();
    assert_eq!(page.items[0].import_id, made[0]);
    assert_eq!((page.items.len(), page.next_cursor), (1, None));
    let id = made[0].as_str();
    assert!(imports::get(&world.ctx, (&caller).into(), id).await.is_ok());
    let list = imports::list(&world.ctx, (&stranger).into(), world.asked(None, 2)).await.unwrap();
    assert!(list.items.is_empty());
    for (who, id) in [(&stranger, id), (&caller, "imp_0"), (&caller, "nothing")] {
        let refused = imports::get(&world.ctx, who.into(), id).await.unwrap_err();
        assert_eq!(refused.code, Code::NotFound);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_one_leaves_nothing() {
    let mut world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let before = (world.raw_items("").await.len(), world.cloud.objects());
    let new = |file: &[u8]| NewImport { operation: Invoice, name: None, file: file.to_vec() };
    let refused = taken(&world, &caller, new(b"nothing\n1\n")).await.unwrap_err();
    assert_eq!(refused.code, Code::ValidationFailed);
    assert_eq!(refused.findings[0].rule, "AP-IMPORT-column");
    let long = NewImport { name: Some("x".repeat(256)), ..new(&invoices(&["A-1"])) };
    let refused = taken(&world, &caller, long).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidRequest);
    world.sending.settings.queued_delivery = false;
    let refused = taken(&world, &caller, new(&invoices(&["A-1"]))).await;
    assert_eq!(refused.unwrap_err().code, Code::QueuedDeliveryDisabled);
    let live = World::unconnected().await;
    let payer = live.caller("Falcon", "1001234501").await;
    let refused = taken(&live, &payer, new(&invoices(&["A-1"]))).await;
    assert_eq!(refused.unwrap_err().code, Code::SubscriptionRequired);
    assert_eq!((world.raw_items("").await.len(), world.cloud.objects()), before);
}

/// A world with an import on the queue.
struct Scene {
    world: World,
    caller: Caller,
    record: Option<ImportRecord>,
}

impl Scene {
    async fn new() -> Self {
        let world = World::new().await;
        let caller = world.caller("Falcon", "1001234501").await;
        Scene { world, caller, record: None }
    }

    async fn with_import(numbers: &[&str]) -> Self {
        let scene = Self::new().await;
        let record = take(&scene.world, &scene.caller, invoices(numbers)).await;
        scene.world.stream().await;
        Scene { record: Some(record), ..scene }
    }

    /// Runs everything that a deployment does by itself, until nothing is due.
    async fn recover(&self) {
        let Scene { world, .. } = self;
        for _ in 0..50 {
            Box::pin(world.settle()).await;
            let Some((due, place)) = world.next_due().await else { return };
            let wait = due.duration_since(world.now()).max(SignedDuration::ZERO);
            world.clock.advance(wait);
            sweep::take_up(&world.relaying, &place).await;
        }
        panic!("it does not come to rest");
    }

    /// The counts of things that must exist once.
    async fn counts(&self, record: &ImportRecord, numbers: &[&str]) -> Vec<(&'static str, usize)> {
        let record = get(&self.world, &self.caller, record).await;
        let sent = sent(&self.world).await;
        let mut counted = vec![
            ("completed import", usize::from(record.status == ImportStatus::Completed)),
            ("sent, all of them", usize::from(sent == numbers)),
        ];
        let accepted = record.counts.accepted;
        counted.push(("counted as sent, each", usize::from(accepted == record.documents)));
        let outcomes = outcomes(&self.world, &record).await;
        let documents = usize::try_from(record.documents).unwrap();
        counted.push(("outcomes, one for each", usize::from(outcomes.len() == documents)));
        counted
    }
}

/// Imports with a fault at each effect.
pub(super) async fn tallies() -> Vec<Tally> {
    let numbers = ["A-1", "A-2", "A-3", "A-4"];
    // Boxed: without optimization the state of all crash tests does not fit a stack.
    let made = Box::pin(enumerate_at(
        "import is made",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let sending = scene.world.failing(faults).sending;
            let new = NewImport { operation: Invoice, name: None, file: invoices(&numbers) };
            let requested = requested(new);
            let _ = imports::take(&sending, &scene.caller, requested, render_import).await;
        },
        async |scene: &Scene| {
            // A caller without an answer asks again. Each document is sent once, however many imports there are.
            take(&scene.world, &scene.caller, invoices(&numbers)).await;
            scene.recover().await;
            let all =
                imports::list(&scene.world.ctx, (&scene.caller).into(), scene.world.asked(None, 9));
            let all = all.await.unwrap().items;
            let accepted: u32 = all.iter().map(|record| record.counts.accepted).sum();
            vec![
                ("sent, all of them", usize::from(sent(&scene.world).await == numbers)),
                ("counted as sent, each", usize::from(accepted == 4)),
            ]
        },
    ));
    let under_key = Box::pin(enumerate_at(
        "import is made under a key",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let sending = scene.world.failing(faults).sending;
            let new = NewImport { operation: Invoice, name: None, file: invoices(&numbers) };
            let requested = Requested { idempotency_key: Some("k"), ..requested(new) };
            let _ = imports::take(&sending, &scene.caller, requested, render_import).await;
        },
        async |scene: &Scene| {
            // By then the lease of a dead attempt has ended.
            scene.world.clock.advance(SignedDuration::from_mins(5));
            let new = NewImport { operation: Invoice, name: None, file: invoices(&numbers) };
            let requested = Requested { idempotency_key: Some("k"), ..requested(new) };
            let taken =
                imports::take(&scene.world.sending, &scene.caller, requested, render_import).await;
            let taken = taken.unwrap();
            scene.recover().await;
            let all =
                imports::list(&scene.world.ctx, (&scene.caller).into(), scene.world.asked(None, 9));
            let all = all.await.unwrap().items;
            let accepted: u32 = all.iter().map(|record| record.counts.accepted).sum();
            let is_it = all.iter().all(|record| record.import_id == taken.import_id);
            vec![
                ("import, the one that was answered", usize::from(all.len() == 1 && is_it)),
                ("sent, all of them", usize::from(sent(&scene.world).await == numbers)),
                ("counted as sent, each", usize::from(accepted == 4)),
            ]
        },
    ));
    let brought_on = Box::pin(enumerate_at(
        "import is brought on",
        async || Scene::with_import(&numbers).await,
        bring_on,
        async |scene: &Scene| {
            scene.recover().await;
            scene.counts(scene.record.as_ref().unwrap(), &numbers).await
        },
    ));
    let sent_anew = Box::pin(enumerate_at(
        "import sends anew what failed",
        async || {
            let Scene { world, caller, .. } = Scene::new().await;
            Box::pin(imported(&world, &caller, invoices(&numbers))).await;
            come_to(&world, Status::Failed).await;
            let record = take(&world, &caller, invoices(&numbers)).await;
            world.stream().await;
            Scene { world, caller, record: Some(record) }
        },
        bring_on,
        async |scene: &Scene| {
            scene.recover().await;
            let twice = ["A-1", "A-1", "A-2", "A-2", "A-3", "A-3", "A-4", "A-4"];
            let mut counted = scene.counts(scene.record.as_ref().unwrap(), &twice).await;
            let documents = scene.world.documents().await;
            let failed = documents.iter().filter(|document| document.status == Status::Failed);
            counted.push(("failed before, all of them", usize::from(failed.count() == 4)));
            counted
        },
    ));
    vec![made.await, under_key.await, brought_on.await, sent_anew.await]
}

/// A worker advances the import and may die.
async fn bring_on(scene: &Scene, faults: &Arc<Faults>) {
    let sending = scene.world.failing(faults).sending;
    let importing = Importing { sending, ..scene.world.importing() };
    let message = scene.world.cloud.messages().into_iter().find(|it| it.queue == "imports");
    let message = message.unwrap();
    if Box::pin(job::run(&importing, &message.read())).await.is_ok() {
        scene.world.cloud.acknowledge(&message);
    }
}
