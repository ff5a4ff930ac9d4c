//! Drains the tax reports that waited during an outage of the tax authority, on a simulated clock. The oldest come
//! first, at the configured rate, with a bounded number in memory.
//!
//! `BACKLOG=10000 cargo test --profile long --workspace --lib tests::backlog -- --nocapture` is a long run.

#![expect(clippy::print_stdout, reason = "the figures are what the run is for")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::{SignedDuration, Timestamp};

use crate::{
    document::Operation::Invoice,
    service::{
        TaxReporting, job, later,
        report::{self, Pace},
        sweep::{self, MOST_HELD},
    },
    store::{AttemptOutcome, Carried, TaxReportKind, TransmissionRecord},
    testing::{Message, TestNetwork, World, send, to_nobody},
    types::{MessageId, ReportId},
    webhook::receiver::Fate,
};

/// How many reports wait, unless the environment says otherwise.
const TAX_REPORTS: usize = 150;
/// Reports per second.
const RATE: usize = 20;
/// The time between two documents.
const BETWEEN: SignedDuration = SignedDuration::from_secs(3);
/// Concurrently relayed reports may change their order by this many places.
const MOST_APART: usize = 100;
/// The breaker opens after five failures, and admits one probe after each pause.
const MOST_FAILED: usize = 30;
/// A queue counts whole seconds, so the reports of two seconds may be sent together.
const BURST: usize = 2 * RATE;
const MINUTE: SignedDuration = SignedDuration::from_secs(60);

/// Whether more than one message was sent. While the breaker is open, none is.
fn left_twice(transmission: &TransmissionRecord) -> bool {
    transmission.attempts.iter().filter(|it| it.outcome != Some(AttemptOutcome::Held)).count() > 1
}

/// The report that a message carries.
fn reported(transmission: TransmissionRecord) -> Option<ReportId> {
    match transmission.carries {
        Carried::Report(_, report_id) => Some(report_id),
        _ => None,
    }
}

struct Backlog {
    world: World,
    authority: TestNetwork,
    reporting: TaxReporting,
    /// The delayed messages of the queue, in the order of delivery.
    delayed: BTreeMap<(Timestamp, usize), Message>,
    queued: usize,
    /// The age of each report that the authority received, and the time of its receipt.
    taken: Vec<(usize, Timestamp)>,
    /// The most jobs that a sweep held in memory.
    held: usize,
    /// The age of each report, by its message identifier. The oldest report has age 0.
    ages: BTreeMap<String, usize>,
}

impl Backlog {
    /// Makes `count` tax reports, one after the other, while the authority is down. Each is attempted once.
    async fn of(count: usize) -> Backlog {
        let (world, network) = World::live().await;
        let authority = network.authority().await;
        authority.guard(|| Fate::Refused);
        let sender = world.caller("Falcon", "1001234501").await;
        world.subscribe(&sender.organization_id).await;
        let interval = SignedDuration::from_micros(1_000_000 / i64::try_from(RATE).unwrap());
        let reporting = TaxReporting { pace: Pace::new(interval), ..world.tax_reporting() };
        let (delayed, taken, ages) = Default::default();
        let (queued, held) = (0, 0);
        let mut backlog =
            Backlog { world, authority, reporting, delayed, queued, taken, held, ages };
        let body = to_nobody("B-1");
        let world = &backlog.world;
        let sent = send(&world.sending, &sender, Invoice, &body, None).await.unwrap();
        let (taxpayer_id, report_id) =
            (&sender.taxpayer.taxpayer_id, ReportId::first_of(&sent.document_id));
        let first = world.ctx.store.get_tax_report(taxpayer_id, &report_id).await.unwrap().unwrap();
        // All reports are about one document, since their content does not matter here.
        backlog.ages.insert(first.instance_id.to_string(), 0);
        for age in 1..count {
            backlog.second().await;
            backlog.world.clock.advance(BETWEEN);
            let ctx = &backlog.world.ctx;
            let mut new = report::first::again(ctx, &first, TaxReportKind::Submit);
            new.tax_report.instance_id = MessageId::new(ctx.now(), &*ctx.random);
            backlog.ages.insert(new.tax_report.instance_id.to_string(), age);
            backlog.world.put_tax_report(&new).await;
        }
        backlog.second().await;
        backlog
    }

    /// Runs the relay and the workers for everything that is due at this instant.
    async fn second(&mut self) {
        self.world.stream_changes().await;
        let now = self.world.now();
        for message in self.world.cloud.receive("report") {
            let at = later(now, SignedDuration::from_secs(message.delay_seconds));
            self.queued += 1;
            self.delayed.insert((at, self.queued), message);
        }
        while let Some(entry) = self.delayed.first_entry().filter(|it| it.key().0 <= now) {
            let message = entry.remove();
            Box::pin(job::run(&self.reporting, &message.read())).await.unwrap();
        }
        let taken = self.authority.taken_since(self.taken.len());
        self.taken.extend(taken.iter().map(|one| (self.ages[&one.instance_id], now)));
    }

    /// The ages of the reports whose message failed before it arrived.
    async fn failed(&self) -> BTreeSet<usize> {
        let transmissions: Vec<TransmissionRecord> = self.world.items("TRANSMISSION").await;
        let tried: BTreeSet<_> =
            transmissions.into_iter().filter(left_twice).filter_map(reported).collect();
        let tax_reports = self.world.tax_reports().await.into_iter();
        tax_reports
            .filter(|tax_report| tried.contains(&tax_report.report_id))
            .map(|tax_report| self.ages[&tax_report.instance_id.to_string()])
            .collect()
    }

    /// The breaker admits a probe while the authority is still down: the waiting reports are rescheduled.
    async fn in_vain(&mut self) {
        for _ in 0..3 {
            self.world.clock.advance(MINUTE);
            self.sweep().await;
            self.second().await;
        }
        assert!(self.taken.is_empty());
    }

    async fn sweep(&mut self) {
        self.held = self.held.max(sweep::sweep(&self.world.relaying).await.held);
    }

    /// Advances the clock second by second until every report has arrived. Every minute the sweeper runs.
    async fn drain(&mut self, count: usize) -> usize {
        let mut seconds = 0;
        while self.taken.len() < count {
            if seconds % 60 == 0 {
                self.sweep().await;
            }
            self.second().await;
            self.world.clock.advance(SignedDuration::from_secs(1));
            seconds += 1;
            assert!(seconds < 100_000, "{} of {count}", self.taken.len());
        }
        seconds
    }
}

/// The most of them in any minute.
fn most_in_a_minute(times: impl Iterator<Item = Timestamp>) -> usize {
    let (mut window, mut most) = (VecDeque::new(), 0);
    for at in times {
        window.push_back(at);
        while window.front().is_some_and(|from| later(*from, MINUTE) <= at) {
            window.pop_front();
        }
        most = most.max(window.len());
    }
    most
}

/// The fewest of them in any full minute. `None` if there was no full minute.
fn fewest_in_a_minute(times: &[Timestamp]) -> Option<usize> {
    let (first, last) = (*times.first()?, *times.last()?);
    let begins = (0..).map(|seconds| later(first, SignedDuration::from_secs(seconds)));
    let whole = begins.map(|from| (from, later(from, MINUTE))).take_while(|(_, to)| *to <= last);
    let before = |instant: &Timestamp| times.partition_point(|at| at < instant);
    whole.map(|(from, to)| before(&to) - before(&from)).min()
}

/// How many are not at their place by age.
fn out_of_place(ages: &[usize]) -> usize {
    let mut sorted = ages.to_vec();
    sorted.sort_unstable();
    ages.iter().zip(&sorted).filter(|(age, place)| age != place).count()
}

/// The largest distance of a report from its place by age.
fn places_apart(ages: &[usize]) -> usize {
    let mut sorted = ages.to_vec();
    sorted.sort_unstable();
    let place: BTreeMap<_, _> = sorted.iter().enumerate().map(|(at, age)| (age, at)).collect();
    ages.iter().enumerate().map(|(at, age)| at.abs_diff(place[age])).max().unwrap_or_default()
}

#[tokio::test]
async fn a_backlog_is_drained_at_the_set_rate_with_the_oldest_first() {
    let asked = crate::environment::Environment::of_process();
    let count = asked.get("BACKLOG").map_or(TAX_REPORTS, |it| it.parse().unwrap());
    let mut backlog = Box::pin(Backlog::of(count)).await;
    assert!(backlog.taken.is_empty());
    Box::pin(backlog.in_vain()).await;
    backlog.authority.guard(|| Fate::Taken);
    Box::pin(backlog.drain(count)).await;

    assert_eq!(backlog.taken.len(), count, "each once");
    let most = most_in_a_minute(backlog.taken.iter().map(|(_, at)| *at));
    // Reports whose own message failed have their own retry schedule. All others keep their order.
    let failed = backlog.failed().await;
    let in_line: Vec<_> =
        backlog.taken.iter().filter(|(age, _)| !failed.contains(age)).copied().collect();
    let (ages, times): (Vec<_>, Vec<_>) = in_line.iter().copied().unzip();
    let (apart, misplaced) = (places_apart(&ages), out_of_place(&ages));
    let fewest = fewest_in_a_minute(&times);
    let seconds = in_line[in_line.len() - 1].1.duration_since(in_line[0].1).as_secs();
    let least = fewest.map_or_else(|| "any".to_owned(), |fewest| fewest.to_string());
    println!(
        "{count} tax reports: {} in line in {seconds} s at a rate of {RATE}, in a minute {least} to {most}; {misplaced} \
         out of their place by age, none by more than {apart}; {} whose own message had failed by their own schedule; \
         a sweep held {} at once",
        in_line.len(),
        failed.len(),
        backlog.held
    );
    // Each mode has a line of its own.
    assert!(backlog.held <= MOST_HELD, "{}", backlog.held);
    assert!(fewest.is_none_or(|fewest| fewest >= RATE * 60 * 95 / 100), "{fewest:?}");
    assert!(most <= RATE * 60 + BURST, "{most} in a minute");
    assert!(apart <= MOST_APART, "{apart} places from their place by age");
    assert!(failed.len() <= MOST_FAILED, "{failed:?}");
    let seconds = usize::try_from(seconds).unwrap();
    assert!(in_line.len() + BURST >= seconds * RATE * 95 / 100, "{seconds} s");
}
