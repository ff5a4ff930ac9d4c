//! Archives, from the request to the file.

use std::{collections::BTreeMap, io::Read, sync::Arc, time::Duration};

use flate2::read::DeflateDecoder;
use jiff::{SignedDuration, civil::date};
use serde_json::Value;

use super::retention;
use crate::{
    access::{Caller, Reader, ReaderKind, Scope},
    document::Operation::Invoice,
    error::Code,
    service::{
        archives::{self, Archiving, Period},
        documents::{self, Stored},
        job, sweep,
    },
    store::{
        ARCHIVE_KEPT, ArchiveRecord, ArchiveStatus, Direction, MessageRecord, PayloadMethod,
        Status, keys::Key,
    },
    testing::{Faults, Tally, World, enumerate_at, invoice, send},
    types::{Mode, sha256_hex},
};

const BUYER: &str = "1009999901";
/// All documents of the tests are of this year.
pub(super) const YEAR: Period = Period { from: date(2026, 1, 1), to: date(2026, 12, 31) };
const NUMBERS: [&str; 8] = ["A-1", "A-2", "A-3", "A-4", "A-5", "A-6", "A-7", "A-8"];

async fn sent(world: &World, caller: &Caller, number: &str) {
    send(&world.sending, caller, Invoice, &invoice(number, BUYER), None).await.unwrap();
}

pub(super) async fn create(world: &World, caller: &Caller, period: Period) -> ArchiveRecord {
    let by = Some(&caller.organization_id);
    archives::create(&world.ctx, caller.reader(), by, period).await.unwrap()
}

pub(super) async fn get(world: &World, caller: &Caller, record: &ArchiveRecord) -> ArchiveRecord {
    archives::get(&world.ctx, caller.reader(), record.archive_id.as_str()).await.unwrap()
}

/// The file of an archive in the bucket.
pub(super) fn object(world: &World, record: &ArchiveRecord) -> Option<Vec<u8>> {
    let name = format!("/{}.zip", record.archive_id);
    let key = world.cloud.objects().into_iter().find(|key| key.ends_with(&name))?;
    let bytes = world.cloud.set_object(&key, None)?;
    world.cloud.set_object(&key, Some(bytes.clone()));
    Some(bytes)
}

/// The files of a bag by path, read from the central directory. Each is checked against the manifest.
pub(super) fn unpacked(bag: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let number = |at: usize, bytes: usize| {
        (0..bytes).rev().fold(0, |number, byte| number << 8 | usize::from(bag[at + byte]))
    };
    let end = bag.len() - 22;
    assert_eq!(&bag[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (number(end + 10, 2), number(end + 16, 4));
    let mut files = BTreeMap::new();
    for _ in 0..count {
        assert_eq!(&bag[at..at + 4], b"PK\x01\x02");
        let (packed, size, name) = (number(at + 20, 4), number(at + 24, 4), number(at + 28, 2));
        let path = String::from_utf8(bag[at + 46..at + 46 + name].to_vec()).unwrap();
        let local = number(at + 42, 4);
        assert_eq!(&bag[local..local + 4], b"PK\x03\x04");
        let begin = local + 30 + number(local + 26, 2);
        let mut content = Vec::new();
        DeflateDecoder::new(&bag[begin..begin + packed]).read_to_end(&mut content).unwrap();
        assert_eq!(content.len(), size);
        let path = path.split_once('/').unwrap().1.to_owned();
        at += 46 + name;
        if path.ends_with('/') {
            continue;
        }
        assert!(files.insert(path, content).is_none());
    }
    let manifest = String::from_utf8(files["manifest-sha256.txt"].clone()).unwrap();
    let proved = manifest.lines().map(|line| line.split_once("  ").unwrap());
    let proved: BTreeMap<_, _> = proved.map(|(digest, path)| (path, digest)).collect();
    for (path, content) in files.iter().filter(|(path, _)| path.starts_with("data/")) {
        assert_eq!(proved[path.as_str()], sha256_hex(content), "{path}");
    }
    assert_eq!(proved.len(), files.len() - 4);
    files
}

/// The numbers of the documents whose UBL is in a bag.
fn numbers(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let described = files.iter().filter(|(path, _)| path.ends_with("/document.json"));
    let number = |(path, json): (&String, &Vec<u8>)| {
        let ubl = path.replace(".json", ".xml");
        assert!(files[&ubl].starts_with(b"<?xml"), "{ubl}");
        let json: Value = serde_json::from_slice(json).unwrap();
        json["document"]["number"].as_str().unwrap().to_owned()
    };
    let mut numbers: Vec<_> = described.map(number).collect();
    numbers.sort();
    numbers
}

#[tokio::test]
async fn an_archive_has_every_document_of_its_period_with_the_proof_that_it_is_whole() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let others = world.caller("Oasis", "1001234502").await;
    for number in NUMBERS {
        sent(&world, &caller, number).await;
    }
    sent(&world, &others, "B-1").await;
    let record = create(&world, &caller, YEAR).await;
    // A document that is sent after the request is not in the archive.
    world.clock.advance(SignedDuration::from_secs(1));
    sent(&world, &caller, "A-9").await;
    Box::pin(world.settle()).await;
    let record = get(&world, &caller, &record).await;
    assert_eq!((record.status, record.documents), (ArchiveStatus::Completed, 8));
    assert_eq!((record.lease.clone(), record.tries, record.parts.len()), (None, 0, 0));
    let bag = object(&world, &record).unwrap();
    assert_eq!(record.bytes, Some(bag.len() as u64));
    let files = unpacked(&bag);
    assert_eq!(numbers(&files), NUMBERS);
    let info = String::from_utf8(files["bag-info.txt"].clone()).unwrap();
    let taxpayer = &caller.taxpayer.taxpayer_id;
    assert!(info.contains(&format!("Source-Organization: {taxpayer}\n")), "{info}");
    assert!(info.contains("Documents: 8\n") && info.contains("Mode: sandbox\n"), "{info}");
    let reader = caller.reader();
    let (bucket, method) = (&world.sending.bucket, PayloadMethod::Get);
    let id = record.archive_id.as_str();
    let file = archives::file(&world.ctx, bucket, reader, id, method).await.unwrap();
    assert!(matches!(file, Stored::Elsewhere(address) if address.contains("/archives/")));
    // The archive expires after a week, even if the table still has it.
    world.clock.advance(ARCHIVE_KEPT);
    let gone = archives::get(&world.ctx, reader, id).await.unwrap_err();
    assert_eq!(gone.code, Code::NotFound);
    let list = archives::list(&world.ctx, reader, world.asked(None, 9)).await.unwrap();
    assert_eq!(list.items.len(), 0);
}

#[tokio::test]
async fn an_archive_of_a_period_without_documents_is_an_empty_bag() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    sent(&world, &caller, "A-1").await;
    let before = Period { from: date(2025, 1, 1), to: date(2025, 12, 31) };
    let record = create(&world, &caller, before).await;
    Box::pin(world.settle()).await;
    let record = get(&world, &caller, &record).await;
    assert_eq!((record.status, record.documents), (ArchiveStatus::Completed, 0));
    assert_eq!(unpacked(&object(&world, &record).unwrap()).len(), 4);
}

#[tokio::test]
async fn workers_hand_an_archive_on_and_its_parts_are_one_file() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for number in NUMBERS {
        sent(&world, &caller, number).await;
    }
    let record = create(&world, &caller, YEAR).await;
    let archiving = Archiving { slice: Duration::ZERO, ..world.archiving() };
    let mut workers = 0;
    loop {
        world.stream().await;
        let Some(message) = world.cloud.receive("archives").pop() else { break };
        Box::pin(job::run(&archiving, &message.read())).await.unwrap();
        workers += 1;
    }
    assert!(workers > 2, "{workers}");
    let record = get(&world, &caller, &record).await;
    assert_eq!(record.status, ArchiveStatus::Completed);
    assert_eq!(numbers(&unpacked(&object(&world, &record).unwrap())), NUMBERS);
}

#[tokio::test]
async fn an_archive_whose_upload_the_bucket_forgot_begins_anew() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for number in NUMBERS {
        sent(&world, &caller, number).await;
    }
    let record = create(&world, &caller, YEAR).await;
    let archiving = Archiving { slice: Duration::ZERO, ..world.archiving() };
    world.stream().await;
    let message = world.cloud.receive("archives").pop().unwrap();
    Box::pin(job::run(&archiving, &message.read())).await.unwrap();
    assert_eq!(get(&world, &caller, &record).await.parts.len(), 1);
    world.cloud.forget_uploads();
    Box::pin(world.settle()).await;
    let record = get(&world, &caller, &record).await;
    assert_eq!((record.status, record.documents), (ArchiveStatus::Completed, 8));
    assert_eq!(numbers(&unpacked(&object(&world, &record).unwrap())), NUMBERS);
}

#[tokio::test]
async fn of_a_period_with_too_many_documents_there_is_no_file_and_it_is_said_why() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    for number in 0..=archives::MAX_DOCUMENTS {
        sent(&world, &caller, &format!("A-{number}")).await;
    }
    let record = create(&world, &caller, YEAR).await;
    Box::pin(world.settle()).await;
    let current = get(&world, &caller, &record).await;
    assert_eq!((current.status, current.bytes), (ArchiveStatus::TooLarge, None));
    assert!(object(&world, &record).is_none());
    let (bucket, id) = (&world.sending.bucket, record.archive_id.as_str());
    let file = archives::file(&world.ctx, bucket, caller.reader(), id, PayloadMethod::Get).await;
    let why = file.unwrap_err();
    assert_eq!(why.code, Code::NotFound);
    assert!(why.message.contains("shorter periods"), "{}", why.message);
}

#[tokio::test]
async fn what_was_removed_after_its_time_is_left_out_and_said_to_be_gone() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    sent(&world, &caller, "A-1").await;
    let document = world.documents().await.remove(0);
    assert_eq!(document.status, Status::Sent);
    for key in world.cloud.objects() {
        world.cloud.set_object(&key, None);
    }
    let record = create(&world, &caller, YEAR).await;
    Box::pin(world.settle()).await;
    let record = get(&world, &caller, &record).await;
    assert_eq!((record.status, record.documents), (ArchiveStatus::Completed, 1));
    let files = unpacked(&object(&world, &record).unwrap());
    let paths: Vec<_> = files.keys().filter(|path| path.starts_with("data/")).collect();
    assert_eq!(paths.len(), 1);
    assert!(paths[0].ends_with("/document.json"));
    let (reading, id) = (world.sending.reading(), document.document_id.as_str());
    let get = PayloadMethod::Get;
    let gone = documents::ubl(&reading, caller.reader(), id, 1_000_000, get).await.unwrap_err();
    assert_eq!(gone.code, Code::NotFound);
    assert!(gone.message.contains("removed"), "{}", gone.message);
}

#[tokio::test]
async fn who_may_not_read_all_documents_has_no_archive() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let record = create(&world, &caller, YEAR).await;
    let scopes = [Scope::InboundRead].into();
    let taxpayer_id = &caller.taxpayer.taxpayer_id;
    let (mode, kind) = (Mode::Sandbox, ReaderKind::Software);
    let inbound = Reader { mode, taxpayer_id, scopes: &scopes, kind };
    let id = record.archive_id.as_str();
    let refused = archives::create(&world.ctx, inbound, None, YEAR).await.unwrap_err();
    assert_eq!(refused.code, Code::InsufficientScope);
    let refused = archives::get(&world.ctx, inbound, id).await.unwrap_err();
    assert_eq!(refused.code, Code::InsufficientScope);
    let others = world.caller("Oasis", "1001234502").await;
    let unknown = archives::get(&world.ctx, others.reader(), id).await.unwrap_err();
    assert_eq!(unknown.code, Code::NotFound);
    let backwards = Period { from: YEAR.to, to: YEAR.from };
    let refused = archives::create(&world.ctx, caller.reader(), None, backwards).await;
    assert_eq!(refused.unwrap_err().code, Code::InvalidRequest);
    let bucket = &world.sending.bucket;
    let file = archives::file(&world.ctx, bucket, caller.reader(), id, PayloadMethod::Get).await;
    assert_eq!(file.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn a_period_is_gathered_once_however_often_and_at_whatever_instant_it_is_asked_for() {
    let world = World::new().await;
    let caller = world.caller("Falcon", "1001234501").await;
    let others = world.caller("Oasis", "1001234502").await;
    let asked = || create(&world, &caller, YEAR);
    let (first, second, third) = tokio::join!(asked(), asked(), asked());
    assert_eq!([&second.archive_id, &third.archive_id], [&first.archive_id; 2]);
    assert_eq!(asked().await.archive_id, first.archive_id);
    let earlier = Period { from: date(2025, 1, 1), ..YEAR };
    let apart = [create(&world, &caller, earlier).await, create(&world, &others, YEAR).await];
    assert!(apart.iter().all(|it| it.archive_id != first.archive_id));
    let listed = archives::list(&world.ctx, caller.reader(), world.asked(None, 9)).await.unwrap();
    assert_eq!(listed.items.len(), 2);
    // After its completion there may be newer documents, so a new archive is gathered, once for both requests.
    Box::pin(world.settle()).await;
    world.clock.advance(SignedDuration::from_secs(1));
    let (anew, again) = tokio::join!(asked(), asked());
    assert_ne!(anew.archive_id, first.archive_id);
    assert_eq!(anew.archive_id, again.archive_id);
    // A new archive is made when the table has removed the earlier ones.
    world.clock.advance(ARCHIVE_KEPT);
    Box::pin(world.settle()).await;
    world.remove(Key::archive(world.mode, &caller.taxpayer.taxpayer_id, &anew.archive_id)).await;
    assert_ne!(asked().await.archive_id, anew.archive_id);
}

/// A world with documents and an archive on the queue.
struct Scene {
    world: World,
    caller: Caller,
    record: Option<ArchiveRecord>,
}

impl Scene {
    async fn new() -> Self {
        let world = World::new().await;
        let caller = world.caller("Falcon", "1001234501").await;
        for number in NUMBERS {
            sent(&world, &caller, number).await;
        }
        Box::pin(world.settle()).await;
        Scene { world, caller, record: None }
    }

    async fn with_archive() -> Self {
        let scene = Self::new().await;
        let record = create(&scene.world, &scene.caller, YEAR).await;
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
    async fn counts(&self, record: &ArchiveRecord) -> Vec<(&'static str, usize)> {
        let record = get(&self.world, &self.caller, record).await;
        let archived = object(&self.world, &record).map(|bag| numbers(&unpacked(&bag)));
        vec![
            ("completed archive", usize::from(record.status == ArchiveStatus::Completed)),
            ("archived, each document", usize::from(archived.is_some_and(|it| it == NUMBERS))),
        ]
    }
}

/// Archives with a fault at each effect.
pub(super) async fn tallies() -> Vec<Tally> {
    // Boxed: without optimization the state of all crash tests does not fit a stack.
    let made = Box::pin(enumerate_at(
        "archive is made",
        Scene::new,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let ctx = scene.world.failing(faults).sending.ctx;
            let _ = archives::create(&ctx, scene.caller.reader(), None, YEAR).await;
        },
        async |scene: &Scene| {
            // A caller without an answer asks again, and gets the archive that is being gathered.
            let record = create(&scene.world, &scene.caller, YEAR).await;
            scene.recover().await;
            scene.counts(&record).await
        },
    ));
    let gathered = Box::pin(enumerate_at(
        "archive is gathered",
        Scene::with_archive,
        async |scene: &Scene, faults: &Arc<Faults>| {
            let sending = scene.world.failing(faults).sending;
            let (ctx, bucket) = (sending.ctx, sending.bucket);
            let archiving = Archiving { ctx, bucket, ..scene.world.archiving() };
            let mut messages = scene.world.cloud.messages().into_iter();
            let message = messages.find(|it| it.queue == "archives").unwrap();
            if Box::pin(job::run(&archiving, &message.read())).await.is_ok() {
                scene.world.cloud.acknowledge(&message);
            }
        },
        async |scene: &Scene| {
            scene.recover().await;
            scene.counts(scene.record.as_ref().unwrap()).await
        },
    ));
    vec![made.await, gathered.await]
}

#[tokio::test]
async fn a_live_document_is_archived_with_the_proofs_of_its_way() {
    let (world, objects) = Box::pin(retention::everything(None)).await;
    let bag = objects.iter().find(|key| key.ends_with(".zip")).unwrap();
    let whole = world.cloud.objects().into_iter().find(|key| key.ends_with(bag.as_str())).unwrap();
    let files = unpacked(&world.cloud.set_object(&whole, None).unwrap());
    let paths: Vec<_> = files.keys().filter_map(|path| path.strip_prefix("data/")).collect();
    let documents = world.documents().await;
    let document = documents.iter().find(|it| it.number == "A-1").unwrap();
    let folder = format!("documents/{}_{}", document.issue_date, document.document_id);
    let report = format!("{folder}/reports/{}", document.reporting.as_ref().unwrap().report_id);
    for path in ["document.json", "document.xml", "envelope.xml", "receipt.xml"] {
        assert!(paths.contains(&format!("{folder}/{path}").as_str()), "{path}: {paths:?}");
    }
    for path in ["tax-data.xml", "envelope.xml", "receipt.xml"] {
        assert!(paths.contains(&format!("{report}/{path}").as_str()), "{path}: {paths:?}");
    }
    // A received document has the message that the sender's access point signed.
    let came = documents.iter().find(|it| it.direction == Direction::Inbound).unwrap();
    let scopes = [Scope::InvoicesRead].into();
    let (taxpayer_id, mode, kind) = (&came.taxpayer_id, Mode::Live, ReaderKind::Software);
    let reader = Reader { mode, taxpayer_id, scopes: &scopes, kind };
    let record = archives::create(&world.ctx, reader, None, YEAR).await.unwrap();
    Box::pin(world.settle()).await;
    let received = unpacked(&object(&world, &record).unwrap());
    let folder_of_it = format!("data/documents/{}_{}", came.issue_date, came.document_id);
    let message = &received[&format!("{folder_of_it}/message.as4")];
    let message = String::from_utf8_lossy(message);
    assert!(message.contains("<ds:Signature") || message.contains("SignatureValue>"), "{message}");
    // It also has the receipt that we signed for the message.
    let receipt =
        String::from_utf8(received[&format!("{folder_of_it}/receipt.xml")].clone()).unwrap();
    let messages: Vec<MessageRecord> = world.items("MESSAGE").await;
    let named = |it: &&MessageRecord| it.instance_id.as_str() == came.message_id.to_string();
    let brought = messages.iter().find(named).unwrap();
    assert!(
        receipt.contains(&brought.as4_message_id) && receipt.contains("SignatureValue>"),
        "{receipt}"
    );
    let described = &files[&format!("data/{folder}/document.json")];
    let described: Value = serde_json::from_slice(described).unwrap();
    assert_eq!(described["attempts"][0]["outcome"], "received", "{described:#}");
    assert_eq!(described["reports"][0]["status"], "submitted", "{described:#}");
}
