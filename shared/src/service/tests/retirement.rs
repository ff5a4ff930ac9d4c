//! Retirement: items of closed documents leave the table, and every fact is found as before.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, tz::TimeZone};
use tokio::time::Instant;

use super::archives::{YEAR, create, get, object, unpacked};
use crate::{
    access::Caller,
    document::Operation::Invoice,
    error::Code,
    peppol::{
        identifiers::InstanceId,
        mls::{Acceptance, Verdict},
    },
    service::{
        Context, documents, history,
        mls_outbound::CONFIRMATION,
        reports,
        retirement::{Retired, restore, retire_part},
        sweep::{Part, sweep},
    },
    store::{
        ArchiveStatus, DailyEntry, DailyList, Direction, EnvelopeHash, PayloadMethod,
        RETIRED_AFTER, RetirementPlace, Status, StatusRecord, StoreError, TaxReportStatus,
        USAGE_KEPT, UsageRecord, keys::Key,
    },
    testing::{
        Arrival, BUYER, Faults, Parcel, Tally, TestNetwork, World, accepted, enumerate_at, invoice,
        send, spent,
    },
    types::Mode,
};

/// The participant of the sending taxpayer.
const SENDER: &str = "1001234501";
/// A participant of another access point.
const RECIPIENT: &str = "1009876501";
/// The sort keys of the items that are retired.
const RETIRED: [&str; 5] = ["FILING", "STATUS#", "TRANSMISSION", "TRANSMISSION", "IDEMPOTENCY"];
/// Those of a received document: its report, and the transmissions of the report and of the status for it.
const RETIRED_RECEIVED: [&str; 3] = ["FILING", "TRANSMISSION", "TRANSMISSION"];

pub(super) struct Scene {
    pub(super) world: World,
    _network: TestNetwork,
    _authority: TestNetwork,
    caller: Caller,
}

impl Scene {
    /// A taxpayer with a subscription, who has sent and received nothing yet.
    async fn of((world, network): (World, TestNetwork), taxpayer: &str) -> Scene {
        let authority = network.authority().await;
        let caller = world.caller("Falcon", taxpayer).await;
        world.subscribe(&caller.organization_id).await;
        network.register(&format!("0235:{RECIPIENT}"));
        network.register("0242:000002");
        Scene { world, _network: network, _authority: authority, caller }
    }

    /// Sends a document with its report, which waits for its verdict, and without a status.
    async fn sends(&self, number: &str, key: &str) {
        let (world, body) = (&self.world, invoice(number, RECIPIENT));
        send(&world.sending, &self.caller, Invoice, &body, Some(key)).await.unwrap();
        world.stream().await;
        world.run("report", &world.tax_reporting()).await;
    }

    /// A document that was sent and not answered.
    async fn sent() -> Scene {
        let scene = Scene::of(World::live().await, SENDER).await;
        scene.sends("A-1", "key").await;
        scene
    }

    /// Accepts each document and each report that is not answered.
    async fn answers_all(&self) {
        let unanswered = self.world.tax_reports().await.into_iter();
        for (n, it) in unanswered.filter(|it| it.verdict.is_none()).enumerate() {
            let ref_to: InstanceId = (&it.instance_id).into();
            let verdict = Verdict::Accepted(Acceptance::default());
            self.comes(&Parcel::verdict(&format!("V-{n}"), &ref_to, verdict)).await;
        }
        let unanswered = self.world.documents().await.into_iter();
        for (n, it) in unanswered.filter(|it| it.status == Status::Sent).enumerate() {
            let status = accepted(&(&it.message_id).into(), self.world.now());
            let (instance_id, message_id) = (format!("S-{n}"), format!("S-{n}@their.test"));
            self.comes(&Parcel { instance_id, message_id, ..Parcel::status(&status) }).await;
        }
    }

    /// A document that was delivered and reported.
    async fn closed() -> Scene {
        let scene = Scene::sent().await;
        scene.answers_all().await;
        let [document] = scene.world.documents().await.try_into().unwrap();
        let [tax_report] = scene.world.tax_reports().await.try_into().unwrap();
        assert_eq!(document.status, Status::Delivered);
        assert_eq!(tax_report.status, TaxReportStatus::Reported);
        scene
    }

    /// [`Scene::closed`], long ago.
    pub(super) async fn old() -> Scene {
        let scene = Box::pin(Scene::closed()).await;
        scene.grows_old(SignedDuration::from_hours(48)).await;
        scene
    }

    /// A document that was received, answered and reported long ago.
    pub(super) async fn old_received() -> Scene {
        let scene = Box::pin(Scene::received()).await;
        let world = &scene.world;
        assert_eq!(world.run("answer", &world.answering()).await, 1);
        scene.grows_old(SignedDuration::from_hours(48)).await;
        scene
    }

    /// A document that was received and reported, and whose status is due, since nobody confirmed it.
    async fn received() -> Scene {
        let scene = Box::pin(Scene::of(World::live().await, BUYER)).await;
        let world = &scene.world;
        scene.comes(&Parcel::invoice("A-1")).await;
        world.stream().await;
        assert_eq!(world.run("judge", &world.validating()).await, 1);
        world.clock.advance(CONFIRMATION + SignedDuration::from_hours(1));
        sweep(&world.relaying).await;
        world.stream().await;
        assert_eq!(world.run("report", &world.tax_reporting()).await, 1);
        scene.answers_all().await;
        scene
    }

    /// So much more time passes than an item is in the table at least. Earlier days were visited before.
    async fn grows_old(&self, more: SignedDuration) {
        let (clock, store) = (&self.world.clock, &self.world.ctx.store);
        let day = self.world.now().to_zoned(TimeZone::UTC).date().yesterday().unwrap();
        for list in DailyList::ALL {
            for shard in 0..list.shards() {
                let place = RetirementPlace { day, after: None };
                store.put_retirement(list, shard, &place).await.unwrap();
            }
        }
        clock.advance(RETIRED_AFTER + more);
    }

    async fn comes(&self, parcel: &Parcel) {
        assert_eq!(parcel.pack().arrive(&self.world.receiving()).await, Arrival::Receipt);
    }

    pub(super) async fn retire(&self) -> Retired {
        retire(&self.world.ctx).await.unwrap()
    }

    /// The sort keys of those of its items that may be retired, as far as they are in the table.
    async fn in_table(&self) -> Vec<String> {
        let mut found = Vec::new();
        for sort in ["FILING", "STATUS#", "TRANSMISSION"] {
            let items = self.world.expiries(sort).await.into_iter();
            // The record of the verdict's message expires, and `FILINGS` is no report.
            let items = items.filter(|(key, expires)| expires.is_none() && key.sk != "FILINGS");
            found.extend(items.map(|_| sort.to_owned()));
        }
        let keys = self.world.raw_items("IDEMPOTENCY").await;
        let is_whole = |item: &&HashMap<String, AttributeValue>| item.contains_key("body");
        found.extend(keys.iter().filter(is_whole).map(|_| "IDEMPOTENCY".to_owned()));
        found
    }

    /// Everything that readers see of the document.
    async fn facts(&self) -> Vec<String> {
        let (ctx, reader) = (&self.world.ctx, self.caller.reader());
        let reading = self.world.sending.reading();
        let [document] = self.world.documents().await.try_into().unwrap();
        let id = document.document_id.as_str();
        let (here, get) = (usize::MAX, PayloadMethod::Get);
        let history = history::of(ctx, reader, None, id).await.unwrap();
        let listed = self.world.asked(None, 9);
        let listed = reports::list(ctx, reader, &reports::Filter::default(), listed).await.unwrap();
        let report_id = listed.items[0].tax_report.report_id.as_str();
        let mut facts = vec![
            format!("{history:?}"),
            format!("{:?}", listed.items),
            format!("{:?}", reports::about(ctx, reader, id).await.unwrap()),
            format!("{:?}", reports::get(ctx, reader, report_id).await.unwrap()),
            format!("{:?}", reports::xml(&reading, reader, report_id, here, get).await.unwrap()),
            format!("{:?}", documents::sbdh(&reading, reader, id, here, get).await.unwrap()),
        ];
        if document.direction == Direction::Outbound {
            // The send under the same key is not repeated, whatever its body is.
            let again = async |number| {
                let (sending, body) = (&self.world.sending, invoice(number, RECIPIENT));
                send(sending, &self.caller, Invoice, &body, Some("key")).await
            };
            let (same, other) = (again("A-1").await.unwrap(), again("A-2").await.unwrap_err());
            assert_eq!((same.replayed, other.code), (true, Code::IdempotencyKeyReused));
            facts.extend([
                format!("{same:?}"),
                format!("{other:?}"),
                format!("{:?}", documents::receipt(&reading, reader, id, here, get).await.unwrap()),
                format!("{:?}", ctx.store.list_statuses_of(&document).await.unwrap()),
            ]);
        }
        facts
    }
}

pub(super) async fn retire(ctx: &Context) -> Result<Retired, StoreError> {
    let until = Instant::now() + Duration::from_secs(60);
    Box::pin(retire_part(ctx, Part::WHOLE, until)).await
}

fn retired(documents: usize, kept: usize) -> Retired {
    Retired { documents, kept, ..Retired::default() }
}

/// How many documents are sent and retired to measure the CPU time, in a release build:
///
///     cargo test --release -p access-point --lib the_cpu_time_of_retirement -- --ignored --nocapture
const MEASURED: u32 = 200;
/// The CPUs of a function with the memory of `archives` (AWS Lambda developer guide, "Configure Lambda function memory":
/// 1,769 MB have one), in percent.
const CPU_PERCENT: u64 = 2_048 * 100 / 1_769;
/// The documents a second of a day with 52 million.
const GOAL: u64 = 52_000_000 / (24 * 60 * 60);

#[expect(clippy::print_stdout, reason = "what was measured is to be seen")]
#[tokio::test]
#[ignore = "a measurement, for an optimized build"]
async fn the_cpu_time_of_retirement() {
    let scene = Scene::of(World::live_apart().await, SENDER).await;
    for number in 0..MEASURED {
        scene.sends(&format!("A-{number}"), &format!("key-{number}")).await;
    }
    scene.answers_all().await;
    scene.grows_old(SignedDuration::from_hours(48)).await;
    let (time, done) = spent(scene.retire()).await;
    let documents = u64::from(MEASURED);
    assert_eq!(done, retired(documents as usize, 0));
    let parts = u64::try_from(super::costs::parts("retire").len()).unwrap();
    let each = u64::try_from(time.as_micros()).unwrap() / documents;
    let busy = 1_000_000 * CPU_PERCENT / 100 / each;
    // A part works 29 seconds of each minute.
    let sustained = busy * parts * 29 / 60;
    let verdict = if sustained < GOAL { "MISSED: " } else { "" };
    println!(
        "a retired document: {each} µs of CPU without TLS; a part that works takes {busy} documents a second, {parts} parts \
         take {sustained} in each second of a day ({verdict}goal at least {GOAL})"
    );
}

#[tokio::test]
async fn what_is_retired_is_found_by_id_and_in_lists_and_can_be_put_back() {
    let scene = Box::pin(Scene::old()).await;
    let before = Box::pin(scene.facts()).await;
    assert_eq!(scene.in_table().await, RETIRED);
    assert_eq!(scene.retire().await, retired(1, 0));
    assert_eq!(scene.in_table().await, [""; 0]);
    assert_eq!(Box::pin(scene.facts()).await, before);
    // Its place is noted, so the next run has nothing to visit.
    assert_eq!(scene.retire().await, Retired::default());
    let restore = || restore(&scene.world.ctx, &scene.caller.taxpayer.taxpayer_id);
    assert_eq!(restore().await.unwrap(), RETIRED.len());
    assert_eq!(scene.in_table().await, RETIRED);
    assert_eq!(Box::pin(scene.facts()).await, before);
    assert_eq!(restore().await.unwrap(), 0);
}

#[tokio::test]
async fn an_archive_has_the_same_files_after_retirement() {
    let scene = Box::pin(Scene::old()).await;
    let archive = async || {
        let record = create(&scene.world, &scene.caller, YEAR).await;
        Box::pin(scene.world.settle()).await;
        let record = get(&scene.world, &scene.caller, &record).await;
        assert_eq!(record.status, ArchiveStatus::Completed, "{record:?}");
        let files = unpacked(&object(&scene.world, &record).unwrap());
        let of_documents = files.into_iter().filter(|(path, _)| path.starts_with("data/"));
        of_documents.collect::<Vec<_>>()
    };
    let before = Box::pin(archive()).await;
    assert_eq!(scene.retire().await, retired(1, 0));
    let paths = |files: &[(String, Vec<u8>)]| -> BTreeSet<String> {
        files.iter().map(|(path, _)| path.clone()).collect()
    };
    let after = Box::pin(archive()).await;
    assert!(paths(&before).iter().any(|path| path.contains("/statuses/")));
    assert_eq!(paths(&after), paths(&before));
    assert!(after == before);
}

#[tokio::test]
async fn only_a_closed_document_of_a_day_long_past_is_retired() {
    let young = Box::pin(Scene::closed()).await;
    young.grows_old(SignedDuration::ZERO).await;
    assert_eq!(young.retire().await, Retired::default());
    assert_eq!(young.in_table().await, RETIRED);
    young.world.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(young.retire().await, retired(1, 0));
    // A report without a verdict is not over.
    let open = Box::pin(Scene::sent()).await;
    open.grows_old(SignedDuration::from_hours(48)).await;
    assert_eq!(open.retire().await, retired(0, 1));
    let kept = ["FILING", "TRANSMISSION", "TRANSMISSION", "IDEMPOTENCY"];
    assert_eq!(open.in_table().await, kept);

    let unanswered = Box::pin(Scene::received()).await;
    unanswered.grows_old(SignedDuration::from_hours(48)).await;
    assert_eq!(unanswered.retire().await, retired(0, 1));
    assert_eq!(unanswered.in_table().await, ["FILING", "TRANSMISSION"]);
}

#[tokio::test]
async fn an_item_that_changed_after_it_was_read_stays_and_counts() {
    let scene = Box::pin(Scene::old()).await;
    let [document] = scene.world.documents().await.try_into().unwrap();
    let (store, taxpayer_id, id) =
        (&scene.world.ctx.store, &document.taxpayer_id, &document.document_id);
    let usage = scene.world.raw_items(id.as_str()).await.into_iter();
    let mut usage = usage.filter(|item| item["pk"].as_s().unwrap().starts_with("LIVE#USAGE#"));
    let usage: UsageRecord = serde_dynamo::from_item(usage.next().unwrap()).unwrap();
    let entry = DailyEntry::Sent(usage);
    let read = store.get_retirable(&entry).await.unwrap().unwrap();
    let sent = store.get_transmission(Mode::Live, taxpayer_id, id).await.unwrap().unwrap();
    let changed = store.put_transmission(Mode::Live, sent).await.unwrap().unwrap();
    assert_eq!(store.retire(&read).await.unwrap(), RETIRED.len() - 1);
    assert_eq!(scene.in_table().await, ["TRANSMISSION"]);
    let found = store.get_transmission(Mode::Live, taxpayer_id, id).await.unwrap();
    assert_eq!(found, Some(changed));
}

#[tokio::test]
async fn a_status_that_comes_after_retirement_stands_beside_the_retired_one() {
    let scene = Box::pin(Scene::old()).await;
    let [document] = scene.world.documents().await.try_into().unwrap();
    let [status] =
        scene.world.ctx.store.list_statuses_of(&document).await.unwrap().try_into().unwrap();
    assert_eq!(scene.retire().await, retired(1, 0));
    let late = StatusRecord { instance_id: "S-1".parse().unwrap(), ..status };
    let [about, own] = [&late.ref_to, &late.instance_id].map(EnvelopeHash::of);
    scene.world.put(Key::status_message(Mode::Live, &about, &own), &late).await;
    let statuses = scene.world.ctx.store.list_statuses_of(&document).await.unwrap();
    let mut names: Vec<_> = statuses.iter().map(|status| status.instance_id.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["S-0", "S-1"]);
}

#[tokio::test]
async fn the_first_runs_visit_all_days_that_have_usage_records() {
    for age in [RETIRED_AFTER + SignedDuration::from_hours(48), USAGE_KEPT] {
        let scene = Box::pin(Scene::closed()).await;
        scene.world.clock.advance(age);
        let mut behind = usize::MAX;
        loop {
            let Retired { documents, kept, failed, days_behind } = scene.retire().await;
            assert_eq!((kept, failed), (0, 0));
            if documents == 1 {
                break;
            }
            assert!(days_behind < behind, "a document of that age is not visited");
            behind = days_behind;
        }
    }
}

#[tokio::test]
async fn items_of_a_received_document_are_retired_and_put_back_as_well() {
    let scene = Box::pin(Scene::old_received()).await;
    let before = scene.facts().await;
    assert_eq!(scene.in_table().await, RETIRED_RECEIVED);
    assert_eq!(scene.retire().await, retired(1, 0));
    assert_eq!(scene.in_table().await, [""; 0]);
    assert_eq!(scene.facts().await, before);
    let restored = restore(&scene.world.ctx, &scene.caller.taxpayer.taxpayer_id).await.unwrap();
    assert_eq!((restored, scene.in_table().await), (3, RETIRED_RECEIVED.map(str::to_owned).into()));
    assert_eq!(scene.facts().await, before);
}

/// Retirement with mishaps at each of its effects.
pub(super) async fn tallies() -> Vec<Tally> {
    let sent = tally("retirement of items", Scene::old);
    let received = tally("retirement of a received document's items", Scene::old_received);
    vec![Box::pin(sent).await, Box::pin(received).await]
}

async fn tally(name: &str, make: impl AsyncFn() -> Scene) -> Tally {
    enumerate_at(
        name,
        async || {
            let scene = Box::pin(make()).await;
            let facts = Box::pin(scene.facts()).await;
            (scene, facts)
        },
        async |(scene, _): &(Scene, Vec<String>), faults: &Arc<Faults>| {
            let _ = retire(&scene.world.failing(faults).sending.ctx).await;
        },
        async |(scene, before): &(Scene, Vec<String>)| {
            let now = Box::pin(scene.facts()).await;
            let same = usize::from(now == *before);
            // The next run ends what the one that died began.
            scene.retire().await;
            let left = scene.in_table().await.len();
            let after = usize::from(Box::pin(scene.facts()).await == *before);
            vec![("facts", same), ("facts in the end", after), ("retired", left + 1)]
        },
    )
    .await
}
