//! The cost of sends, deliveries and lists at the table, and the rate at which the hottest partition is full. A
//! partition key has 1,000 write units or 3,000 read units a second.
//!
//! `cargo test -p access-point --lib capacity -- --nocapture` prints the tables.

#![expect(clippy::print_stdout, reason = "the tables are what the tests are for")]

mod pages;

use jiff::{SignedDuration, Timestamp, civil::date};

use crate::{
    access::{Credentials, Scope},
    document::Operation::{CreditNote, Invoice, SelfBilledInvoice},
    egress::{Client, Egress},
    peppol::{
        identifiers::InstanceId,
        mls::{Acceptance, Verdict},
    },
    service::{
        Delivering, Receiving, TaxReporting, ValidatingInbound, authorize,
        convert::Convert,
        deliver::{Outcome, deliver_to_one},
        demo::Demo,
        dispatch::Dispatch,
        documents::{self, Filter},
        page::{CursorKey, Page, PageQuery},
        relay,
        report::Pace,
        reports, sweep,
        webhooks::events::{EventFilter, deliveries_to_endpoint, list_events},
    },
    store::{
        Awaited, DeliverMessage, DeliveryRecord, DeliveryState, Direction, EventRecord, EventType,
        Reached, Status, Subject, TaxReportKind, TaxReportOutcome, TaxReportStatus,
        keys::{AWAITED_SHARDS, DAILY_COUNTERS, EVENT_SHARDS, JobId, LIST_SHARDS},
    },
    testing::{
        Arrival, Metered, Parcel, Simulated, StoredSecret, Units, Usage, World, counting, invoice,
        sealing_key, send, send_queued,
    },
    types::{DocumentId, EventId, Mode},
    webhook::receiver::{Behaviour, Receiver},
};

/// How often each operation runs: often enough that shards differ only by chance.
const TIMES: usize = 120;

/// The cost of one operation.
struct Cost {
    what: &'static str,
    usage: Usage,
    times: usize,
}

impl Cost {
    fn calls(&self) -> usize {
        self.usage.calls.len() / self.times
    }

    fn total(&self) -> Units {
        let units = self.usage.partitions.values();
        units.fold(Units::default(), |sum, units| Units {
            write: sum.write + units.write,
            read: sum.read + units.read,
        })
    }

    /// The rate per second at which the hottest partition is full, and that partition.
    fn rate(&self) -> (usize, &str) {
        let rates = self.usage.partitions.iter().map(|(partition, units)| {
            let of = |limit: usize, halves: usize| 2 * limit * self.times / halves.max(1);
            (of(1_000, units.write).min(of(3_000, units.read)), partition.as_str())
        });
        rates.min().unwrap()
    }

    fn print(&self) {
        let Units { write, read } = self.total();
        let tenths = |halves: usize| {
            let tenths = halves * 5 / self.times;
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        let (rate, partition) = self.rate();
        // The kind of partition, without its tenant.
        let kinds =
            partition.split('#').skip(1).filter(|part| !part.contains('_') && part.len() < 20);
        println!(
            "{:46} {:5} {:>7} {:>7} {rate:8}/s  {}",
            self.what,
            self.calls(),
            tenths(write),
            tenths(read),
            kinds.collect::<Vec<_>>().join(" ").to_lowercase(),
        );
    }
}

/// Runs an operation [`TIMES`] times. Returns the total cost.
async fn cost<F: Future<Output = ()>>(
    metered: &Metered,
    what: &'static str,
    work: impl FnMut(usize) -> F,
) -> Cost {
    cost_of(metered, what, TIMES, work).await
}

/// Runs an operation a number of times. Returns the total cost.
async fn cost_of<F: Future<Output = ()>>(
    metered: &Metered,
    what: &'static str,
    times: usize,
    mut work: impl FnMut(usize) -> F,
) -> Cost {
    let _before = metered.meter.take();
    for number in 0..times {
        work(number).await;
    }
    Cost { what, usage: metered.meter.take(), times }
}

fn for_first_taxpayer<'a>(demo: &'a Demo, authorization: &'a str) -> Credentials<'a> {
    Credentials {
        authorization: Some(authorization),
        taxpayer_id: Some(demo.taxpayers[0].taxpayer_id.as_str()),
        grant_id: None,
    }
}

#[tokio::test]
async fn a_taxpayer_sustains_500_sends_a_second_and_an_endpoint_2500_deliveries() {
    let receiver = Receiver::start(Behaviour::status("200 OK", "", "thanks")).await;
    let (world, demo) = World::with_demo(&receiver.url).await;
    let world = &world;
    let metered = &world.metered();
    let sending = &metered.sending;
    let authorization = format!("Api-Key {}", demo.api_keys.sandbox);
    let credentials = for_first_taxpayer(&demo, &authorization);
    let caller = || async {
        // Like every request, a send includes its authorization.
        authorize(&sending.ctx, &counting(), credentials, &[Scope::InvoicesWrite]).await.unwrap()
    };
    // The use of the key is recorded once an hour.
    caller().await;

    println!("\n{:46} calls   write    read  hottest partition full at", "");
    let mut sends = Vec::new();
    for (what, key, customer) in [
        ("a send without a key", false, "1009999901"),
        ("a send with a key", true, "1009999901"),
        ("a send with a key to a taxpayer here", true, "1001234502"),
    ] {
        let cost = cost(metered, what, |number| async move {
            world_time(world);
            let mut body = invoice(&format!("{what} {number}"), customer);
            body["source_id"] = format!("{what} {number}").into();
            let key = key.then(|| format!("{what} {number}").replace(' ', "-"));
            send(sending, &caller().await, Invoice, &body, key.as_deref()).await.unwrap();
        });
        sends.push(cost.await);
    }
    // A send makes one event, and another one if the recipient is a taxpayer here.
    let events = world.events().await;
    let mut events = events.iter();
    let mut relayed = Vec::new();
    let relay = cost(metered, "an event to its one endpoint", |_| {
        let event = events.next().unwrap();
        let job_id = JobId::Event(Mode::Sandbox, event.taxpayer_id.clone(), event.event_id.clone());
        relayed.push(event.event_id.clone());
        let relaying = &metered.relaying;
        async move { relay::Batch::new(relaying).relay(&job_id, None).await.unwrap() }
    });
    let relay = relay.await;
    let delivering = &Delivering {
        ctx: sending.ctx.clone(),
        queue: metered.relaying.deliver.clone(),
        client: Client::new(Egress::Any).unwrap(),
        sealing_key: sealing_key().into(),
        open_breakers: crate::service::deliver::OpenBreakers::default(),
    };
    let messages: Vec<DeliverMessage> =
        world.cloud.receive("deliver").iter().map(|message| message.read()).collect();
    assert_eq!(messages.len(), TIMES);
    let _before = metered.meter.take();
    // As the function receives them under load: ten share one permit of the endpoint's breaker.
    for batch in messages.chunks(10) {
        for outcome in deliver_to_one(delivering, batch).await {
            assert_eq!(outcome.unwrap(), Outcome::Delivered);
        }
    }
    let delivery = Cost {
        what: "a delivery that is taken, of ten",
        usage: metered.meter.take(),
        times: TIMES,
    };
    for cost in sends.iter().chain([&relay, &delivery]) {
        cost.print();
    }
    for cost in &sends {
        // Two calls count the request and the Sandbox quota. A Live send has no such quota. Two make claims, side by side.
        assert!(cost.calls() <= 11, "{}: {:?}", cost.what, &cost.usage.calls[..cost.calls()]);
        assert!(cost.rate().0 >= 500, "{}: {:?}", cost.what, cost.rate());
    }
    // The total of a send with one endpoint, since its parts may use the same partition.
    let together = joined(&[&sends[2], &relay, &delivery], "a send, its event and its delivery");
    together.print();
    assert!(together.rate().0 >= 500, "{:?}", together.rate());
    let of_endpoint = joined(&[&relay, &delivery], "an event and its delivery, of one endpoint");
    let list = format!("#DELIVERIES#{}#ALL#", messages[0].endpoint_id);
    let lists = [(&*list, EVENT_SHARDS), ("#EVENTS#", EVENT_SHARDS)];
    let of_endpoint = lists.into_iter().fold(of_endpoint, evened);
    of_endpoint.print();
    // An endpoint with so many events has them from several taxpayers, so the taxpayer's partition does not count.
    let of_endpoint = without(of_endpoint, "#TAXPAYER#");
    assert!(of_endpoint.rate().0 >= 2_500, "{:?}", of_endpoint.rate());

    metered.meter.take();
    sweep::sweep(&metered.relaying).await;
    let sweep = Cost { what: "a sweep that finds little", usage: metered.meter.take(), times: 1 };
    sweep.print();

    // Lists read other partitions than sends: only pointers and documents.
    let caller = caller().await;
    metered.meter.take();
    let filter = Filter { direction: Some(Direction::Outbound), ..Filter::default() };
    let page = documents::list(&sending.ctx, caller.reader(), &filter, world.asked(None, 20)).await;
    assert_eq!(page.unwrap().items.len(), 20);
    let list = Cost { what: "a page of 20 documents", usage: metered.meter.take(), times: 1 };
    list.print();
    assert!(list.calls() <= 3);
    for partition in list.usage.partitions.keys() {
        let of_lists = partition.contains("#LIST#") || partition.contains("#DOCUMENT#");
        assert!(of_lists, "a list reads {partition}");
        let sent = sends.iter().filter_map(|send| send.usage.partitions.get(partition));
        assert!(sent.map(|units| units.read).sum::<usize>() == 0, "a send reads {partition}");
    }
}

#[tokio::test]
async fn a_taxpayer_sustains_500_queued_sends_a_second() {
    let (world, demo) = World::with_demo("https://receiver.example").await;
    let world = &world;
    let metered = &world.metered();
    let sending = &metered.sending;
    let authorization = format!("Api-Key {}", demo.api_keys.sandbox);
    let credentials = for_first_taxpayer(&demo, &authorization);
    let caller = || async {
        authorize(&sending.ctx, &counting(), credentials, &[Scope::InvoicesWrite]).await.unwrap()
    };
    // The use of the key is recorded once an hour, and the demo data has events of its own.
    caller().await;
    stages(world, metered).await;
    let queued = cost(metered, "a queued send, with all its stages", |number| async move {
        world_time(world);
        let body = invoice(&format!("queued {number}"), "1009999901");
        let key = format!("queued-{number}");
        send_queued(sending, &caller().await, &body, Some(&key)).await.unwrap();
        stages(world, metered).await;
    });
    let queued = queued.await;
    queued.print();
    assert!(queued.rate().0 >= 500, "{:?}", queued.rate());
}

/// How many Live sends are made, each with an exchange with another access point.
const LIVE_TIMES: usize = 24;
/// The rate of tax reports (template.yaml, ReportRate).
const REPORT_RATE: i64 = 500;

#[tokio::test]
async fn a_taxpayer_sustains_500_live_sends_a_second_each_with_its_tax_report() {
    let (world, network) = World::live().await;
    let _authority = network.authority().await;
    let sender = world.caller("Falcon", "1001234501").await;
    world.subscribe(&sender.organization_id).await;
    network.register("0235:1009876501");
    let (world, metered) = (&world, &world.metered());
    let sending = &metered.sending;
    let key = world.api_key(&sender.organization_id).await;
    let authorization = format!("Api-Key {}", key.reveal());
    let credentials = Credentials {
        authorization: Some(&authorization),
        taxpayer_id: Some(sender.taxpayer.taxpayer_id.as_str()),
        grant_id: None,
    };
    let caller = || async {
        authorize(&sending.ctx, &counting(), credentials, &[Scope::InvoicesWrite]).await.unwrap()
    };
    // The use of the key is recorded once an hour, and the recipient is looked up once in 15 minutes.
    let body = invoice("the first", "1009876501");
    send(sending, &caller().await, Invoice, &body, None).await.unwrap();
    let send = cost_of(
        metered,
        "a Live send with a key, and its tax report made",
        LIVE_TIMES,
        |number| async move {
            world_time(world);
            let mut body = invoice(&format!("Live {number}"), "1009876501");
            body["source_id"] = format!("Live {number}").into();
            let key = format!("Live-{number}");
            send(sending, &caller().await, Invoice, &body, Some(&key)).await.unwrap();
        },
    );
    let send = send.await;

    let marked = world.marked().await;
    let mut tax_reports = marked.iter().filter(|job_id| matches!(job_id, JobId::TaxReport(..)));
    // The turns of all of them are in one second.
    let begun = SignedDuration::from_nanos(world.now().subsec_nanosecond().into());
    world.clock.advance(SignedDuration::from_secs(1) - begun);
    let interval = SignedDuration::from_micros(1_000_000 / REPORT_RATE);
    let reporting = &TaxReporting {
        pace: Pace::new(interval),
        ..World::tax_reporting_by(sending, &metered.relaying)
    };
    let way = cost_of(metered, "a tax report, until the authority has it", LIVE_TIMES, |_| {
        let job_id = tax_reports.next().unwrap();
        async move {
            relay::Batch::new(&metered.relaying).relay(job_id, None).await.unwrap();
            world.run("report", reporting).await;
        }
    });
    let way = way.await;

    let receiving = &Receiving { ctx: sending.ctx.clone(), ..world.receiving() };
    let validating = &ValidatingInbound { ctx: sending.ctx.clone(), ..world.validating() };
    let submitted = world.tax_reports().await;
    let mut submitted =
        submitted.into_iter().filter(|tax_report| tax_report.status == TaxReportStatus::Submitted);
    let verdict = cost_of(metered, "its verdict", LIVE_TIMES, |number| {
        let instance_id: InstanceId = (&submitted.next().unwrap().instance_id).into();
        async move {
            let accepted = Verdict::Accepted(Acceptance::default());
            let parcel = Parcel::verdict(&format!("V-{number}"), &instance_id, accepted);
            assert_eq!(parcel.pack().arrive(receiving).await, Arrival::Receipt);
            for job_id in world.marked().await {
                if matches!(job_id, JobId::Message(..)) {
                    relay::Batch::new(&metered.relaying).relay(&job_id, None).await.unwrap();
                }
            }
            world.run("judge", validating).await;
        }
    });
    let verdict = verdict.await;
    let lists = [("#FILINGS#ALL#", LIST_SHARDS), ("#FILINGS#OPEN#", LIST_SHARDS)];
    let of_tax_reports = |cost| lists.into_iter().fold(cost, evened);
    let [send, way, verdict] = [send, way, verdict].map(of_tax_reports);
    for cost in [&send, &way, &verdict] {
        cost.print();
    }
    let reported = world.tax_reports().await;
    let reported =
        reported.iter().filter(|tax_report| tax_report.status == TaxReportStatus::Reported);
    assert_eq!(reported.count(), LIVE_TIMES);
    assert!(send.rate().0 >= 500, "{:?}", send.rate());
    // Tax reports have a rate of their own over all taxpayers, whatever one taxpayer sends.
    let report = joined(&[&way, &verdict], "a tax report and its verdict");
    report.print();
    let most = usize::try_from(REPORT_RATE).unwrap();
    assert!(report.rate().0 >= most, "{:?}", report.rate());
}

#[tokio::test]
async fn an_organization_is_notified_of_2500_live_documents_a_second_with_all_that_is_awaited_of_them()
 {
    let world = World::new().await;
    let metered = &world.metered();
    let organization_id = &world.organization("Integrator").await;
    let random = &*world.ctx.random;
    let like = include_str!("../../../store/fixtures/event_document.json");
    let like: &EventRecord = &serde_json::from_str(like).unwrap();
    println!("\n{:46} calls   write    read  hottest partition full at", "");
    let heard = cost(metered, "what is published about a Live document", |_| {
        world_time(&world);
        let now = world.now();
        let document_id = DocumentId::new(now, random);
        let store = &metered.sending.ctx.store;
        async move {
            for (reached, awaits) in [
                (Reached::Sent, &[Awaited::Status, Awaited::Verdict][..]),
                (Reached::Delivered, &[]),
                (Reached::Reported, &[]),
            ] {
                let event = EventRecord {
                    event_id: EventId::new(now, random),
                    subject: Subject::Document { document_id: document_id.clone() },
                    created_at: now,
                    reached: Some(reached),
                    awaits: awaits.to_vec(),
                    ..like.clone()
                };
                store.tell(organization_id, &event).await.unwrap();
            }
        }
    });
    let lists =
        [("#EVENTS#", EVENT_SHARDS), ("#AWAITED#", AWAITED_SHARDS), ("#TALLY#", DAILY_COUNTERS)];
    let heard = lists.into_iter().fold(heard.await, evened);
    heard.print();
    assert!(world.raw_items("AWAITED#").await.is_empty(), "all of it came");
    let (rate, partition) = heard.rate();
    assert!(partition.ends_with("#EVENTS#"), "{partition}");
    assert!(rate >= 2_500, "{rate}");
}

fn world_time(world: &World) {
    world.clock.advance(SignedDuration::from_millis(1));
}

/// Relays the marked jobs and runs their stages, with counting.
async fn stages(world: &World, metered: &Metered) {
    for _ in 0..3 {
        let changed = world.cloud.take_changed();
        for job_id in changed.iter().filter_map(|(pk, sk)| JobId::parse(pk, sk)) {
            relay::Batch::new(&metered.relaying).relay(&job_id, None).await.unwrap();
        }
        world.run("convert", &Convert(metered.sending.clone())).await;
        world.run("dispatch", &Dispatch(metered.sending.clone())).await;
    }
}

/// The total of several operations that belong together.
fn joined(costs: &[&Cost], what: &'static str) -> Cost {
    let mut usage = Usage::default();
    for cost in costs {
        usage.calls.extend(cost.usage.calls.iter().cloned());
        for (partition, units) in &cost.usage.partitions {
            let sum: &mut Units = usage.partitions.entry(partition.clone()).or_default();
            sum.write += units.write;
            sum.read += units.read;
        }
    }
    Cost { what, usage, times: costs[0].times }
}

/// The same cost with the average of a list's shards, since few operations differ by chance.
fn evened(mut cost: Cost, (list, shards): (&str, u8)) -> Cost {
    let is_shard = |partition: &str| {
        partition.trim_end_matches(|it: char| it.is_ascii_digit()).ends_with(list)
    };
    let of_kind = cost.usage.partitions.extract_if(.., |partition, _| is_shard(partition));
    let (mut name, mut sum) = (None, Units::default());
    for (partition, units) in of_kind {
        sum.write += units.write;
        sum.read += units.read;
        name = Some(partition.trim_end_matches(|it: char| it.is_ascii_digit()).to_owned());
    }
    let shards = usize::from(shards);
    let each = Units { write: sum.write.div_ceil(shards), read: sum.read.div_ceil(shards) };
    cost.usage.partitions.extend(name.map(|name| (name, each)));
    cost
}

fn without(mut cost: Cost, kind: &str) -> Cost {
    cost.usage.partitions.retain(|partition, _| !partition.contains(kind));
    cost
}
