//! Compares the ledger of a tax authority with ours, on a simulated clock. Of many documents some are refused, some
//! never get a verdict, and some get it late. The authority is down for ten hours, and workers die at random.
//!
//! `LEDGER_DOCUMENTS=5000 cargo test --profile long --workspace --lib tests::ledger -- --nocapture` is a long run.

#![expect(clippy::print_stdout, reason = "the figures are what the run is for")]

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::{
    access::Caller,
    document::Operation::Invoice,
    peppol::mls::{self, Acceptance, Reason, Text, Verdict},
    service::{TaxReporting, job, later, report::Pace, sweep},
    store::{EventType, TaxReportKind, TaxReportOutcome, TaxReportRecord, TaxReportStatus},
    testing::{
        Arrival, BUYER, Faults, Message, Mishap, Parcel, TestNetwork, World, invoice, send,
        to_nobody,
    },
    types::{Random, SeededRandom},
    webhook::receiver::Fate,
};

/// How many documents are sent, unless the environment says otherwise.
const DOCUMENTS: usize = 24;
/// Reports per second.
const RATE: usize = 10;
const AWAY: SignedDuration = SignedDuration::from_hours(10);
/// A late verdict comes after it is overdue.
const LATE: SignedDuration = SignedDuration::from_hours(30);
/// One of so many workers dies.
const DEATHS: u64 = 8;

/// The authority's reaction to a report, by the number of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Accepts,
    Refuses,
    IsSilent,
    IsLate,
}

/// 5 % are refused, 2 % get no verdict, and 3 % get it late.
fn does(number: usize) -> Does {
    match number % 100 {
        0 | 20 | 40 | 60 | 80 => Does::Refuses,
        1 | 51 => Does::IsSilent,
        2 | 32 | 62 => Does::IsLate,
        _ => Does::Accepts,
    }
}

/// Whether a document is received and breaks the rules.
fn is_broken(number: usize) -> bool {
    number % 8 == 5
}

struct Ledger {
    world: World,
    authority: TestNetwork,
    sender: Caller,
    reporting: TaxReporting,
    random: SeededRandom,
    /// The delayed messages of the queue.
    delayed: Vec<(Timestamp, Message)>,
    /// How many messages of the authority were checked, and how many arrived in each second.
    seen: usize,
    arrivals: BTreeMap<i64, usize>,
    /// The message identifiers that the authority has for each document.
    entries: BTreeMap<usize, BTreeSet<String>>,
    /// Future verdicts.
    owed: Vec<(Timestamp, String, Does)>,
    verdicts: usize,
    deaths: usize,
}

impl Ledger {
    async fn new() -> Ledger {
        let (world, network) = World::live().await;
        let authority = network.authority().await;
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        world.caller("Oasis", BUYER).await;
        network.register("0235:1009876501");
        let interval = SignedDuration::from_millis(1_000 / i64::try_from(RATE).unwrap());
        let reporting = TaxReporting { pace: Pace::new(interval), ..world.tax_reporting() };
        Ledger {
            world,
            authority,
            sender,
            reporting,
            random: SeededRandom::new(41),
            delayed: Vec::new(),
            seen: 0,
            arrivals: BTreeMap::new(),
            entries: BTreeMap::new(),
            owed: Vec::new(),
            verdicts: 0,
            deaths: 0,
        }
    }

    /// Makes a document of one of four kinds: exchanged, for a predefined endpoint, received, or received and invalid.
    async fn document(&self, number: usize) {
        let name = format!("L-{number}");
        match number % 4 {
            0 => {
                let body = invoice(&name, "1009876501");
                send(&self.world.sending, &self.sender, Invoice, &body, None).await.unwrap();
            }
            1 => {
                let mut parcel = Parcel { mls_type: None, ..Parcel::invoice(&name) };
                if is_broken(number) {
                    parcel.break_rules();
                }
                assert_eq!(parcel.pack().arrive(&self.world.receiving()).await, Arrival::Receipt);
            }
            _ => {
                let body = to_nobody(&name);
                send(&self.world.sending, &self.sender, Invoice, &body, None).await.unwrap();
            }
        }
    }

    fn dies(&mut self) -> Option<std::sync::Arc<Faults>> {
        let mut bytes = [0; 8];
        self.random.fill(&mut bytes);
        let chance = u64::from_be_bytes(bytes);
        let point = usize::try_from(chance / DEATHS % 14).unwrap();
        chance.is_multiple_of(DEATHS).then(|| Faults::crash(point, Mishap::DiesAfter))
    }

    /// A worker that handles a message and may die. The lease and the sweeper recover its job.
    async fn handle(&mut self, message: Message) {
        let faults = self.dies();
        let process = faults.as_ref().map(|faults| self.world.failing(faults));
        let work = async {
            if message.queue == "judge" {
                let sending = process.as_ref().map_or(&self.world.sending, |it| &it.sending);
                let validating = World::validating_by(sending);
                job::run(&validating, &message.read()).await
            } else {
                let tax_report = match &process {
                    Some(process) => TaxReporting {
                        pace: self.reporting.pace.of_another(),
                        ..World::tax_reporting_by(&process.sending, &process.relaying)
                    },
                    None => self.reporting.clone(),
                };
                Box::pin(job::run(&tax_report, &message.read())).await
            }
        };
        let alive = match &faults {
            None => work.await.is_ok(),
            Some(faults) => tokio::select! {
                biased;
                () = faults.died() => false,
                done = work => done.is_ok(),
            },
        };
        self.deaths += usize::from(!alive);
    }

    /// Runs everything that is due at this instant.
    async fn work(&mut self) {
        loop {
            self.world.stream_changes().await;
            let now = self.world.now();
            let mut messages = self.world.cloud.receive("judge");
            for message in self.world.cloud.receive("report") {
                let at = later(now, SignedDuration::from_secs(message.delay_seconds));
                if at <= now { messages.push(message) } else { self.delayed.push((at, message)) }
            }
            messages.extend(self.delayed.extract_if(.., |(at, _)| *at <= now).map(|(_, it)| it));
            if messages.is_empty() {
                return;
            }
            for message in messages {
                self.handle(message).await;
            }
            self.enter();
            self.decide().await;
        }
    }

    /// Enters the messages that the authority received since the last call into its ledger.
    fn enter(&mut self) {
        let (now, taken) = (self.world.now(), self.authority.taken_since(self.seen));
        for one in &taken {
            *self.arrivals.entry(now.as_second()).or_default() += 1;
            let number = one.number("L-").unwrap();
            if !self.entries.entry(number).or_default().insert(one.instance_id.clone()) {
                continue; // the same message again
            }
            let does = does(number);
            match does {
                Does::Accepts | Does::Refuses => {
                    self.owed.push((now, one.instance_id.clone(), does))
                }
                Does::IsLate => self.owed.push((later(now, LATE), one.instance_id.clone(), does)),
                Does::IsSilent => {}
            }
        }
        self.seen += taken.len();
    }

    /// Sends the verdicts that are due.
    async fn decide(&mut self) {
        let now = self.world.now();
        let due: Vec<_> = self.owed.extract_if(.., |(at, ..)| *at <= now).collect();
        for (_, instance_id, does) in due {
            self.verdicts += 1;
            let verdict = match does {
                Does::Refuses => {
                    let said = Text::new("It is not compliant.").unwrap();
                    let finding = (None::<&str>, Reason::Rule, "It lacks something.");
                    Verdict::Rejected(mls::reject(said, [finding]).unwrap())
                }
                _ => Verdict::Accepted(Acceptance::default()),
            };
            let name = format!("V-{}", self.verdicts);
            let parcel = Parcel::verdict(&name, &instance_id.parse().unwrap(), verdict);
            assert_eq!(parcel.pack().arrive(&self.world.receiving()).await, Arrival::Receipt);
        }
    }

    /// Advances the clock, message by message, up to `time`.
    async fn pass(&mut self, time: SignedDuration) {
        let until = later(self.world.now(), time);
        loop {
            let next = self.delayed.iter().map(|(at, _)| *at).min().unwrap_or(until).min(until);
            let wait = next.duration_since(self.world.now()).max(SignedDuration::ZERO);
            self.world.clock.advance(wait);
            self.decide().await;
            if next >= until {
                sweep::sweep(&self.world.relaying).await;
            }
            self.work().await;
            if next >= until {
                return;
            }
        }
    }

    async fn tax_reports(&self) -> Vec<TaxReportRecord> {
        self.world.tax_reports().await
    }
}

#[tokio::test]
async fn the_ledger_of_the_authority_and_our_tax_reports_agree() {
    let asked = crate::environment::Environment::of_process();
    let count = asked.get("LEDGER_DOCUMENTS").map_or(DOCUMENTS, |it| it.parse().unwrap());
    let mut ledger = Box::pin(Ledger::new()).await;
    // After a third of the documents, the authority is down for ten hours.
    let mut back = None;
    for number in 0..count {
        if number == count / 3 {
            ledger.authority.guard(|| Fate::Refused);
            back = Some(later(ledger.world.now(), AWAY));
        }
        ledger.document(number).await;
        ledger.world.clock.advance(SignedDuration::from_secs(7));
        if number % 10 == 9 {
            Box::pin(ledger.work()).await;
        }
    }
    let back = back.unwrap_or(ledger.world.now());
    while ledger.world.now() < back {
        let left = back.duration_since(ledger.world.now());
        Box::pin(ledger.pass(left.min(SignedDuration::from_mins(60)))).await;
    }
    ledger.authority.guard(|| Fate::Taken);
    let waited = ledger
        .tax_reports()
        .await
        .iter()
        .filter(|it| it.status != TaxReportStatus::Reported)
        .count();
    // A day and a half later, every open breaker, dead worker and late verdict is resolved.
    for _ in 0..24 {
        Box::pin(ledger.pass(SignedDuration::from_mins(93))).await;
    }

    let tax_reports = ledger.tax_reports().await;
    assert_eq!(tax_reports.len(), count, "one for each document");
    let documents = ledger.world.documents().await;
    let events = ledger.world.events().await;
    let events = events.iter().filter(|it| it.event_type == EventType::DocumentReported);
    let mut published: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for event in events {
        let body: Value = serde_json::from_str(&event.body).unwrap();
        let report = &body["data"]["report"];
        let text = |name: &str| report[name].as_str().unwrap().to_owned();
        published.entry(text("report_id")).or_default().push(text("outcome"));
    }
    let by_document: BTreeMap<_, _> = tax_reports.iter().map(|it| (&it.document_id, it)).collect();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut events_published = 0;
    for document in &documents {
        let number: usize = document.number.strip_prefix("L-").unwrap().parse().unwrap();
        let tax_report = by_document[&document.document_id];
        let outcome = match does(number) {
            Does::Accepts | Does::IsLate => Some(TaxReportOutcome::Reported),
            Does::Refuses => Some(TaxReportOutcome::NotCompliant),
            Does::IsSilent => None,
        };
        assert_eq!(tax_report.status.outcome(), outcome, "{number}: {tax_report:?}");
        assert_eq!(document.reporting.as_ref().unwrap().outcome, outcome, "{number}");
        assert_eq!(
            tax_report.kind == TaxReportKind::Failed,
            is_broken(number),
            "{number}: {tax_report:?}"
        );
        *outcomes.entry(tax_report.status.as_str()).or_default() += 1;
        // The authority has the report under one identifier, which is ours.
        let names = &ledger.entries[&number];
        assert_eq!(*names, BTreeSet::from([tax_report.instance_id.to_string()]), "{number}");
        let kind = format!("{}/{}", tax_report.kind.as_str(), tax_report.role.as_str());
        *kinds.entry(kind).or_default() += 1;
        let of_it = published.remove(tax_report.report_id.as_str()).unwrap_or_default();
        let expected: Vec<_> = outcome.iter().map(|outcome| outcome.as_str()).collect();
        assert_eq!(of_it, expected, "{number}");
        events_published += of_it.len();
    }
    assert_eq!(documents.len(), count);
    assert_eq!(ledger.entries.len(), count, "nothing missing");
    assert!(published.is_empty(), "of no tax report: {published:?}");
    let parked = ledger.world.raw_items("").await;
    assert!(!parked.iter().any(|item| item.contains_key("parked")));
    let most = ledger.arrivals.values().max().copied().unwrap_or_default();
    println!(
        "{count} documents: {kinds:?}, {outcomes:?}, {events_published} events; {} messages at the authority under {count} \
         names, {} workers died, {waited} waited for it to come back, at most {most} in a second at a rate of {RATE}; \
         0 twice, 0 missing",
        ledger.seen, ledger.deaths
    );
    assert!(most <= 2 * RATE, "{most}");
}
