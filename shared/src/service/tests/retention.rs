//! The retention of objects in the bucket: the template's rules, applied to the names of everything that a deployment
//! stores.

use std::collections::BTreeSet;

use jiff::civil::{Date, date};

use super::{
    archives::{YEAR, create},
    retirement,
};
use crate::{
    access::{By, Caller},
    document::Operation::Invoice,
    peppol::identifiers::InstanceId,
    rendering::Languages,
    service::{Context, documents, imports, peppol_reports},
    store::{ARCHIVE_KEPT, IMPORT_KEPT, PayloadMethod},
    testing::{
        Arrival, BUYER, OPENPEPPOL, Parcel, TestNetwork, World, accepted, invoice, render_import,
        send,
    },
    types::{DocumentId, Lock, LockMode},
};

const TEMPLATE: &str = include_str!("../../../../template.yaml");
/// A participant of another access point.
const RECIPIENT: &str = "1009876501";
/// That access point itself, which statuses are sent to.
const THEM: &str = "0242:000002";
/// The extensions of documents and evidence, and of other objects.
const KEPT: [&str; 5] = ["xml", "sbdh.gz", "receipt.gz", "report", "tar.gz"];
const MADE: [&str; 4] = ["json", "content", "html", "pdf"];
const OF_IMPORTS: [&str; 3] = ["gz", "ndjson", "csv"];
const OF_ARCHIVES: [&str; 2] = ["zip", "files"];

/// The retention years that can be configured, and the days that they keep objects.
fn retention() -> Vec<(i16, i32)> {
    let mapping = TEMPLATE.split_once("\n  Retention:\n").unwrap().1;
    let entry = |line: &str| {
        let (years, days) = line.trim().strip_prefix('"')?.split_once("\": { Days: ")?;
        Some((years.parse().unwrap(), days.strip_suffix(" }").unwrap().parse().unwrap()))
    };
    mapping.lines().map_while(entry).collect()
}

/// The rules of the bucket that remove objects: the prefixes of names, and the days.
fn rules(years: i16) -> Vec<(String, i32)> {
    let rules = TEMPLATE.split_once("\n      LifecycleConfiguration:\n").unwrap().1;
    let rules = rules.split_once("\n\n").unwrap().0;
    let rule = |rule: &str| {
        let field = |name: &str| {
            let value = rule.lines().next()?.split_once(name)?.1.trim().trim_end_matches(" }");
            // The arguments of a function contain commas too. A function comes last.
            let is_function = value.starts_with('!');
            Some(if is_function { value } else { value.split(',').next()? }.to_owned())
        };
        let days = field("ExpirationInDays:")?;
        let days = match days.parse() {
            Ok(days) => days,
            Err(_) => {
                assert_eq!(days, "!FindInMap [Retention, !Ref RetentionYears, Days]");
                retention().into_iter().find(|(of, _)| *of == years).unwrap().1
            }
        };
        Some((field("Prefix:").unwrap(), days))
    };
    rules.split("- { Id: ").skip(1).filter_map(rule).collect()
}

/// The maximum days of an upload. S3 counts its age from its beginning, and then a rule of the template ends it.
fn upload_days() -> i64 {
    let (_, days) =
        TEMPLATE.split_once("AbortIncompleteMultipartUpload: { DaysAfterInitiation: ").unwrap();
    days.split_once(" }").unwrap().0.parse().unwrap()
}

/// After how many days an object is removed. Of overlapping rules the shorter one applies.
fn removed_after(key: &str, years: i16) -> Option<i32> {
    let rules = rules(years).into_iter();
    rules.filter(|(prefix, _)| key.starts_with(prefix.as_str())).map(|(_, days)| days).min()
}

/// A Live world with every kind of stored object, with an object lock on request.
pub(super) async fn everything(lock: Option<Lock>) -> (World, Vec<String>) {
    let (mut world, network) = World::live().await;
    if let Some(lock) = lock {
        let bucket = world.sending.bucket.clone();
        world.sending.bucket = bucket.locking(lock, world.ctx.clock.clone());
    }
    let _authority = network.authority().await;
    network.register(&format!("0235:{RECIPIENT}"));
    Box::pin(month(&world, &network)).await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    let body = invoice("A-1", RECIPIENT);
    let sent = send(&world.sending, &sender, Invoice, &body, Some("A-1")).await.unwrap();
    world.stream().await;
    world.run("report", &world.tax_reporting()).await;
    copies(&world, &sender, &sent.document_id).await;
    Box::pin(received(&world, &network)).await;
    let of_json = format!("{}\n", invoice("A-2", RECIPIENT));
    let of_csv = include_str!("../../../../events/imports/invoices.csv").to_owned();
    for file in [of_json, of_csv] {
        let file = file.into_bytes();
        let new = imports::NewImport { operation: Invoice, name: None, file };
        let requested = imports::Requested { by: By::operator(), new, idempotency_key: None };
        imports::take(&world.sending, &sender, requested, render_import).await.unwrap();
    }
    // All of them are in the archive, which then has more than one part.
    Box::pin(world.settle()).await;
    create(&world, &sender, YEAR).await;
    Box::pin(world.settle()).await;
    let objects = world.cloud.objects().into_iter();
    let objects = objects
        .map(|key| key.split_once("/live/").map_or(key.clone(), |it| format!("live/{}", it.1)));
    let objects: Vec<_> = objects.collect();
    (world, objects)
}

/// Makes the OpenPeppol reports.
async fn month(world: &World, network: &TestNetwork) {
    network.register(OPENPEPPOL);
    let reporting = world.peppol_reporting();
    peppol_reports::make_due(&reporting).await.unwrap();
    world.stream().await;
    world.run("report", &reporting).await;
}

/// Makes the stored renderings of a document that would be too large for an answer.
async fn copies(world: &World, reader: &Caller, document_id: &DocumentId) {
    let (reading, reader, id) = (world.sending.reading(), reader.reader(), document_id.as_str());
    let (none_here, get) = (0, PayloadMethod::Get);
    let body = |_: &_, content: crate::ubl::Content| content.body.to_json().to_string().into();
    let sizes = (none_here, usize::MAX);
    documents::content(&reading, reader, id, sizes, get, body).await.unwrap();
    let both = documents::ViewChoice { languages: Languages::Both, annex: true };
    documents::view(&reading, reader, id, none_here, get, both).await.unwrap();
    #[cfg(feature = "pdf")]
    documents::pdf(&reading, reader, id, none_here, get, both).await.unwrap();
}

/// Receives a document of another access point and sends our status about it. Receives its status about our document.
async fn received(world: &World, network: &TestNetwork) {
    network.register(THEM);
    world.caller("Oasis", BUYER).await;
    let about: InstanceId = network.taken().last().unwrap().instance_id.parse().unwrap();
    let status = Parcel::status(&accepted(&about, world.now()));
    for parcel in [Parcel::invoice("B-1"), status] {
        assert_eq!(parcel.pack().arrive(&world.receiving()).await, Arrival::Receipt);
    }
    world.stream().await;
    world.run("judge", &world.validating()).await;
    world.stream().await;
    world.run("answer", &world.answering()).await;
}

/// What follows the hash in the name of an object.
fn extension(key: &str) -> &str {
    key.split_once('.').unwrap().1
}

#[tokio::test]
async fn documents_and_their_proofs_are_kept_as_long_as_asked_and_the_rest_is_removed_sooner() {
    let (_world, objects) = everything(None).await;
    let kept: BTreeSet<_> = objects.iter().map(|key| extension(key)).collect();
    for kind in [&KEPT[..], &MADE, &OF_IMPORTS, &OF_ARCHIVES].concat() {
        // Only the function with the typesetter makes PDFs.
        let is_made = kind != "pdf" || cfg!(feature = "pdf");
        assert_eq!(kept.contains(kind), is_made, "{kind}: {objects:?}");
    }
    for folder in ["live/status/", "live/monthly/"] {
        assert!(objects.iter().any(|key| key.starts_with(folder)), "{folder}: {objects:?}");
    }
    let years: Vec<_> = retention().into_iter().map(|(years, _)| years).collect();
    assert_eq!(years, [5, 6, 7, 10, 15]);
    for years in years {
        for key in &objects {
            if !key.starts_with("live/") {
                // Revocation lists belong to no tenant and are written again and again.
                assert!(key.contains("revocation/"), "{key}");
                continue;
            }
            let days =
                removed_after(key, years).unwrap_or_else(|| panic!("{key} is never removed"));
            let expected = match extension(key) {
                // The API promises the time from the completion of the archive.
                kind if OF_ARCHIVES.contains(&kind) => ARCHIVE_KEPT.as_hours() / 24 + upload_days(),
                kind if OF_IMPORTS.contains(&kind) => IMPORT_KEPT.as_hours() / 24,
                kind => {
                    assert!(KEPT.contains(&kind) || MADE.contains(&kind), "{key}");
                    assert!(keeps(days, years), "{key} is removed after {days} days");
                    continue;
                }
            };
            assert_eq!(i64::from(days), expected, "{key}");
        }
    }
    // Sandbox objects have no legal retention. The promised times apply there too.
    assert_eq!(removed_after("sandbox/txpay_1/doc_1/0a.xml", 5), Some(366));
    for folder in ["archives", "imports"] {
        let [live, sandbox] = ["live", "sandbox"].map(|mode| format!("{mode}/{folder}/txpay_1/0a"));
        assert_eq!(removed_after(&live, 5), removed_after(&sandbox, 5));
    }
}

/// Whether an object from any day is kept until the years after its own year are over, and is removed within a further
/// year.
fn keeps(days: i32, years: i16) -> bool {
    let first: Date = date(2026, 1, 1);
    let all = (0..4 * 366).map(|day| first.saturating_add(jiff::Span::new().days(day)));
    all.into_iter().all(|came| {
        let removed = came.saturating_add(jiff::Span::new().days(days));
        let until = date(came.year() + years + 1, 1, 1);
        until <= removed && removed < until.saturating_add(jiff::Span::new().days(2 * 366))
    })
}

#[tokio::test]
async fn retired_items_are_held_and_kept_as_documents_are() {
    let scene = Box::pin(retirement::Scene::old()).await;
    let World { ctx, cloud, .. } = &scene.world;
    let lock = Lock { mode: LockMode::Compliance, years: 5 };
    let bucket = scene.world.sending.bucket.clone().locking(lock, ctx.clock.clone());
    let store = ctx.store.clone().with_cold_storage(bucket, ctx.clock.clone());
    retirement::retire(&Context { store, ..ctx.clone() }).await.unwrap();
    let is_retired = |key: &String| key.ends_with("/items.jsonl.gz");
    let key = cloud.objects().into_iter().find(is_retired).unwrap();
    assert!(cloud.locks().iter().any(|(locked, _)| *locked == key));
    let (_, name) = key.split_once("/live/").unwrap();
    for (years, _) in retention() {
        let days = removed_after(&format!("live/{name}"), years).unwrap();
        assert!(keeps(days, years), "{key} is removed after {days} days");
    }
}

#[tokio::test]
async fn a_lock_holds_documents_and_proofs_alone_to_the_end_of_the_years_after_their_own() {
    let lock = Lock { mode: LockMode::Compliance, years: 5 };
    let (world, objects) = everything(Some(lock)).await;
    let locks = world.cloud.locks();
    let year = world.now().to_zoned(jiff::tz::TimeZone::UTC).year();
    let until = format!("{}-12-31T20:00:00Z", year + 5);
    let mut locked = BTreeSet::new();
    for (key, (mode, at)) in &locks {
        assert_eq!((mode.as_str(), at.as_str()), ("COMPLIANCE", until.as_str()), "{key}");
        locked.insert(extension(key));
    }
    assert_eq!(locked, KEPT.into());
    // Every object of these kinds is locked, not only some.
    let held = objects.iter().filter(|key| locked.contains(extension(key))).count();
    assert_eq!(held, locks.len());
}
