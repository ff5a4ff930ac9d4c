//! Imports, from the file to the outcome of each document.

mod access;
mod repeated;
mod tables;

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

/// Sets the status of all sent documents.
async fn come_to(world: &World, status: Status) {
    for document in world.documents().await {
        let key = Key::document(world.mode, &document.taxpayer_id, &document.document_id);
        world.put(key, &DocumentRecord { status, ..document }).await;
    }
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
