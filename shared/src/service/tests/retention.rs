//! How long the bucket keeps what is in it: the rules of the template, over the names of what a deployment stores.

use std::collections::BTreeSet;

use jiff::civil::{Date, date};

use super::archives::{YEAR, create};
use crate::{
    document::Operation::Invoice,
    service::{imports, report},
    store::{ARCHIVE_KEPT, IMPORT_KEPT},
    testing::{World, invoice, send},
    types::{Lock, LockMode},
};

const TEMPLATE: &str = include_str!("../../../../template.yaml");
/// A participant of another access point.
const RECIPIENT: &str = "1009876501";

/// The years that may be asked for, and for how many days that keeps something.
fn retention() -> Vec<(i16, i32)> {
    let mapping = TEMPLATE.split_once("\n  Retention:\n").unwrap().1;
    let entry = |line: &str| {
        let (years, days) = line.trim().strip_prefix('"')?.split_once("\": { Days: ")?;
        Some((years.parse().unwrap(), days.strip_suffix(" }").unwrap().parse().unwrap()))
    };
    mapping.lines().map_while(entry).collect()
}

/// The rules of the bucket that remove what stands: the prefixes of names, and after how many days.
fn rules(years: i16) -> Vec<(String, i32)> {
    let rules = TEMPLATE.split_once("\n      LifecycleConfiguration:\n").unwrap().1;
    let rules = rules.split_once("\n\n").unwrap().0;
    let rule = |rule: &str| {
        let field = |name: &str| {
            let line = rule.lines().find_map(|line| line.trim().strip_prefix(name))?;
            Some(line.trim().to_owned())
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
    rules.split("- Id: ").skip(1).filter_map(rule).collect()
}

/// After how many days an object is removed: of rules that overlap the shorter one holds.
fn removed_after(key: &str, years: i16) -> Option<i32> {
    let rules = rules(years).into_iter();
    rules.filter(|(prefix, _)| key.starts_with(prefix.as_str())).map(|(_, days)| days).min()
}

/// A Live world in which everything that is stored was stored, of which a lock holds what it is to.
pub(super) async fn everything(lock: Option<Lock>) -> (World, Vec<String>) {
    let (mut world, network) = World::live().await;
    if let Some(lock) = lock {
        let bucket = world.sending.bucket.clone();
        world.sending.bucket = bucket.locking(lock, world.ctx.clock.clone());
    }
    let _authority = network.authority().await;
    network.register(&format!("0235:{RECIPIENT}"));
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    let body = invoice("A-1", RECIPIENT);
    send(&world.sending, &sender, Invoice, &body, Some("A-1")).await.unwrap();
    world.stream().await;
    for message in world.cloud.receive("report") {
        report::file(&world.filing(), &message.read()).await.unwrap();
    }
    let file = format!("{}\n", invoice("A-2", RECIPIENT)).into_bytes();
    let new = imports::NewImport { operation: Invoice, name: None, file };
    imports::take(&world.sending, &sender, new).await.unwrap();
    create(&world, &sender, YEAR).await;
    Box::pin(world.settle()).await;
    let objects = world.cloud.objects().into_iter();
    let objects = objects
        .map(|key| key.split_once("/live/").map_or(key.clone(), |it| format!("live/{}", it.1)));
    let objects: Vec<_> = objects.collect();
    (world, objects)
}

fn extension(key: &str) -> &str {
    key.rsplit('.').next().unwrap()
}

#[tokio::test]
async fn documents_and_their_proofs_are_kept_as_long_as_asked_and_the_rest_is_removed_sooner() {
    let (_world, objects) = everything(None).await;
    let kept: BTreeSet<_> = objects.iter().map(|key| extension(key)).collect();
    for kind in ["xml", "sbdh", "receipt", "tdd", "gz", "ndjson", "zip"] {
        assert!(kept.contains(kind), "{kind} is not among {objects:?}");
    }
    let years: Vec<_> = retention().into_iter().map(|(years, _)| years).collect();
    assert_eq!(years, [5, 6, 7, 10, 15]);
    for years in years {
        for key in &objects {
            if !key.starts_with("live/") {
                // Revocation lists are of nobody, and written anew.
                assert!(key.contains("revocation/"), "{key}");
                continue;
            }
            let days =
                removed_after(key, years).unwrap_or_else(|| panic!("{key} is never removed"));
            let expected = match extension(key) {
                "zip" | "files" => ARCHIVE_KEPT.as_hours() / 24,
                "gz" | "ndjson" | "csv" => IMPORT_KEPT.as_hours() / 24,
                _ => {
                    assert!(keeps(days, years), "{key} is removed after {days} days");
                    continue;
                }
            };
            assert_eq!(i64::from(days), expected, "{key}");
        }
    }
    // Nobody has to keep what Sandbox has.
    assert_eq!(removed_after("sandbox/txpay_1/doc_1/0a.xml", 5), Some(366));
}

/// Whether what came on any day is there until the years after its own are over, and a year later no more.
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
    for kind in ["xml", "sbdh", "receipt", "tdd"] {
        assert!(locked.contains(kind), "{kind} is not among {locked:?}");
    }
    for kind in ["gz", "ndjson", "zip", "files", "json", "crl"] {
        assert!(!locked.contains(kind), "{kind} is locked");
    }
    // Every one of them, not only some.
    let held = objects.iter().filter(|key| locked.contains(extension(key))).count();
    assert_eq!(held, locks.len());
}
