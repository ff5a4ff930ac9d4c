//! What the model knows of the service, in one place: [`Code`] mirrors the source, [`Deployment`] the parameters of
//! `template.yaml` and the quotas of the account. Costs are in `costs.json` alone.

use crate::aws;

/// The template, from which parameters are read.
const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// A number of a parameter of the template: its `Default`, `MinValue` or `MaxValue`. 0 when it has none.
fn parameter(name: &str, of: &str) -> f64 {
    let stated = TEMPLATE.split_once(&format!("\n  {name}: {{")).and_then(|(_, rest)| {
        let rest = rest.lines().take(3).collect::<Vec<_>>().join(" ");
        let (_, value) = rest.split_once(&format!("{of}: "))?;
        let digits = value.trim_start_matches('"').split(|it: char| !it.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    stated.unwrap_or(0.0)
}

/// How a limit of concurrent messages to one access point works (`service/network/receivers.rs`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Places {
    /// Messages at once of a process, to an access point that answers (MOST).
    pub most: f64,
    /// An answer that is later than so many times the shortest, and a second, is much later (MUCH_LATER).
    pub much_later: f64,
    /// How long the shortest answer counts (BEST_COUNTS), in seconds: so long a slow access point has one place.
    pub best_counts: f64,
    /// How long a message waits for a place, of a request and of a job (`service/transmit/time.rs`), in seconds.
    pub patience: (f64, f64),
    /// When a message without a place comes again (BUSY), in seconds: at least and at most.
    pub busy: (f64, f64),
    /// How long the state of a breaker counts after it was read (FRESH), in seconds.
    pub fresh: f64,
}

/// Facts of the source.
#[derive(Debug, Clone)]
pub struct Code {
    /// Messages at once to an access point.
    pub places: Places,
    /// Failures that open a breaker (`store/breakers/mod.rs`, FAILURES).
    pub failures: u32,
    /// First and longest pause of a breaker (`store/breakers/mod.rs`, RECEIVER_PAUSES), in seconds.
    pub pauses: (f64, f64),
    /// Waits after attempts at a transmission (`service/transmit/schedule.rs`), in seconds; the last one repeats.
    pub transmissions: [f64; 5],
    /// No attempt begins later than this after the first one (`service/transmit/schedule.rs`, LONGEST), in seconds.
    pub longest: f64,
    /// The same for a report (`service/report/outcome.rs`), in seconds.
    pub longest_report: f64,
    /// Waits before attempts at a delivery (`webhook/schedule.rs`, WAITS), in seconds.
    pub deliveries: [f64; 10],
    /// First and longest backoff of a job that fails on our side (`service/retry.rs`), in seconds.
    pub backoff: (f64, f64),
    /// Attempts before a job is parked (`service/retry.rs`, MAX_TRIES).
    pub max_tries: u32,
    /// When a job is due again that was sent to its queue (`service/mod.rs`, QUEUE_GRACE), in seconds.
    pub queue_grace: f64,
    /// The lease of a worker (`template.yaml`, ReservationLeaseSeconds), in seconds.
    pub lease: f64,
    /// When a positive status of a received document, and its report, are due (`service/mls_outbound`), in seconds.
    pub confirmation: f64,
    /// Whether waits of at most 15 minutes go by the delay of a queue, and not by the sweeper (`service/sweep`).
    pub delays_by_queue: bool,
    /// The turns of reports of so long are leased by one write at most (`service/report/pace.rs`, BLOCK), in seconds.
    pub block_of_turns: f64,
    /// The most turns of reports a second that one item gives (`service/report/pace.rs`, OF_A_SHARD).
    pub turns_of_a_shard: f64,
    /// Jobs that a visit relays at once in all lanes of Live, how long it relays (`service/sweep/mod.rs`), in seconds, and how many visits
    /// run side by side.
    pub sweeper: (f64, f64, f64),
    /// Calls that the sweeper makes for a job: a read, a write and a message, each of which may be one of a batch.
    pub sweeper_calls: f64,
    /// Attempts of the SDK at a call (`lambda/deployment/aws.rs`, ATTEMPTS).
    pub sdk_attempts: u32,
    /// The first wait between them, and the longest (BACKOFF, LONGEST_BACKOFF), in seconds. A wait is a random part of that.
    pub sdk_backoff: (f64, f64),
    /// Requests in a minute of an organization that one counter counts (`service/requests.rs`, MOST_OF_A_SHARE).
    pub count_share: f64,
    /// How long a connection may take (`egress/mod.rs`), in seconds: that of a dead access point.
    pub connection: f64,
    /// Most requests in a minute that an organization can be given (`template.yaml`, RequestsPerMinute).
    pub most_requests: f64,
    /// Whether `/v1`, `/as4` and pages have throttles of their own (`template.yaml`).
    pub own_throttles: bool,
    /// Most reports a second that can be configured (`template.yaml`, ReportRate).
    pub most_reports: f64,
    /// Partitions that the deliveries and events of one invocation share: function, pattern (`service/relay/batch.rs`,
    /// `service/deliver`).
    pub shared_in_a_batch: &'static [(&'static str, &'static str)],
    /// CPU time of a call of the table or the bucket (`tests/bench/FIGURES.md`, deliveries), in seconds of one vCPU.
    pub cpu_of_a_call: f64,
    /// CPU time of everything else of a stage (`tests/bench/FIGURES.md`, sends and as4), in seconds of one vCPU.
    pub cpu_of_a_stage: f64,
}

/// The source as it is.
pub fn code() -> Code {
    Code {
        places: Places {
            most: 32.0,
            much_later: 3.0,
            best_counts: 600.0,
            patience: (7.5, 2.5),
            busy: (5.0, 15.0),
            fresh: 5.0,
        },
        failures: 5,
        pauses: (60.0, 3600.0),
        transmissions: [60.0, 300.0, 900.0, 1800.0, 3600.0],
        longest: 86_400.0,
        longest_report: 172_800.0,
        deliveries: [
            0.0, 5.0, 300.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 50_400.0, 72_000.0, 86_400.0,
        ],
        backoff: (60.0, 3600.0),
        max_tries: 15,
        queue_grace: 900.0,
        lease: 60.0,
        confirmation: 900.0,
        delays_by_queue: true,
        block_of_turns: 0.04,
        turns_of_a_shard: 700.0,
        sweeper: (1600.0, 50.0, 4.0),
        sweeper_calls: 1.2,
        sdk_attempts: 8,
        sdk_backoff: (0.05, 2.0),
        count_share: 20_000.0,
        connection: 5.0,
        most_requests: parameter("RequestsPerMinute", "MaxValue"),
        own_throttles: true,
        most_reports: parameter("ReportRate", "MaxValue"),
        shared_in_a_batch: &[
            ("relay", "#ENDPOINTS"),
            ("relay", "#GRANTS"),
            ("deliver", "#ENDPOINTS"),
            ("deliver", "#GRANTS"),
            ("deliver", "#GATE#"),
        ],
        cpu_of_a_call: 0.000_23,
        cpu_of_a_stage: 0.001,
    }
}

/// How a function is invoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// By requests.
    Http,
    /// By the stream of the table.
    Stream,
    /// By its queue.
    Queue,
    /// By the clock.
    Clock,
}

/// A function of `template.yaml`.
#[derive(Debug, Clone, Copy)]
pub struct FunctionSpec {
    /// Its name.
    pub name: &'static str,
    /// How it is invoked.
    pub source: Source,
    /// MemorySize (MB).
    pub memory: f64,
    /// BatchSize.
    pub batch: f64,
}

/// The functions that documents, strangers and Sandbox use.
const FUNCTIONS: [(&str, Source); 11] = [
    ("api", Source::Http),
    ("inbound", Source::Http),
    ("pdf", Source::Http),
    ("relay", Source::Stream),
    ("convert", Source::Queue),
    ("dispatch", Source::Queue),
    ("validate_inbound", Source::Queue),
    ("mls", Source::Queue),
    ("report", Source::Queue),
    ("deliver", Source::Queue),
    ("sweeper", Source::Clock),
];

/// The functions, with what the template says of them.
pub fn functions() -> Vec<FunctionSpec> {
    let number = |text: &str, name: &str| -> Option<f64> {
        let (_, value) = text.split_once(&format!("{name}: "))?;
        value.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok()
    };
    // The first one in the template is that of all functions.
    let usual = number(TEMPLATE, "MemorySize").unwrap_or(256.0);
    let spec = |(name, source)| {
        let of_it = TEMPLATE.split_once(&format!("Binary: {name} }}")).map_or("", |(_, it)| it);
        let of_it = of_it.split("BuildMethod:").next().unwrap_or("");
        FunctionSpec {
            name,
            source,
            memory: number(of_it, "MemorySize").unwrap_or(usual),
            batch: number(of_it, "BatchSize").unwrap_or(1.0),
        }
    };
    FUNCTIONS.into_iter().map(spec).collect()
}

/// The values of AccountConcurrency, and the functions' shares of each (`template.yaml`, Concurrency): name and executions.
pub fn shares() -> Vec<(f64, Vec<(String, f64)>)> {
    let (_, map) = TEMPLATE.split_once("\n  Concurrency:\n").unwrap_or(("", ""));
    let line = |line: &str| {
        let (account, shares) = line.trim().strip_prefix('"')?.split_once("\": { ")?;
        let share = |text: &str| {
            let (name, executions) = text.split_once(": ")?;
            let name = match name {
                "Sweep" => "sweeper".to_owned(),
                name => name.to_lowercase(),
            };
            Some((name, executions.parse().ok()?))
        };
        let shares = shares.trim_end_matches(" }").split(", ").filter_map(share).collect();
        Some((account.parse().ok()?, shares))
    };
    map.lines().map_while(line).collect()
}

/// Concurrent batches of a shard of the stream (`template.yaml`, ParallelizationFactor).
pub const PARALLELIZATION: f64 = 10.0;

/// Parameters of `template.yaml` and quotas of the account, in the order of the ladder's columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// ThrottleRate.
    pub throttle_rate: f64,
    /// ThrottleBurst.
    pub throttle_burst: f64,
    /// As4ThrottleRate.
    pub as4_rate: f64,
    /// RequestsPerMinute.
    pub requests_per_minute: f64,
    /// ReportRate.
    pub report_rate: f64,
    /// LiveStageConcurrency.
    pub stage_concurrency: f64,
    /// LiveDeliveryConcurrency.
    pub delivery_concurrency: f64,
    /// AccountConcurrency, and the quota of concurrent executions of the account: one of those of [`shares`].
    pub executions: f64,
    /// Quota: write units of the table.
    pub table_writes: f64,
    /// Quota: read units of the table.
    pub table_reads: f64,
    /// TableWarmWrites.
    pub warm_writes: f64,
    /// TableWarmReads.
    pub warm_reads: f64,
    /// Prefixes into which S3 has divided the bucket.
    pub prefixes: f64,
}

impl Deployment {
    /// The executions that are kept for functions, by their names. The others share the rest.
    pub fn kept(&self) -> Vec<(String, f64)> {
        let shares = shares().into_iter().find(|(account, _)| *account >= self.executions);
        shares.map(|(_, shares)| shares).unwrap_or_default()
    }

    /// The defaults of the template and of AWS.
    pub fn defaults() -> Self {
        Deployment {
            throttle_rate: parameter("ThrottleRate", "Default"),
            throttle_burst: parameter("ThrottleBurst", "Default"),
            as4_rate: parameter("As4ThrottleRate", "Default"),
            requests_per_minute: parameter("RequestsPerMinute", "Default"),
            report_rate: parameter("ReportRate", "Default"),
            stage_concurrency: parameter("LiveStageConcurrency", "Default"),
            delivery_concurrency: parameter("LiveDeliveryConcurrency", "Default"),
            executions: aws::CONCURRENCY,
            table_writes: aws::TABLE_WRITES,
            table_reads: aws::TABLE_READS,
            warm_writes: parameter("TableWarmWrites", "Default"),
            warm_reads: parameter("TableWarmReads", "Default"),
            prefixes: 1.0,
        }
    }

    /// What the scenarios run with: all that can be raised is raised for 2,500 documents a second and a peak above it.
    pub fn national(code: &Code) -> Self {
        Deployment {
            throttle_rate: 20_000.0,
            throttle_burst: 20_000.0,
            as4_rate: 20_000.0,
            requests_per_minute: code.most_requests,
            report_rate: code.most_reports.min(5000.0),
            stage_concurrency: 1000.0,
            delivery_concurrency: 1000.0,
            executions: 10_000.0,
            table_writes: 2_000_000.0,
            table_reads: 1_000_000.0,
            warm_writes: 1_500_000.0,
            warm_reads: 500_000.0,
            prefixes: 64.0,
        }
    }
}

/// The world outside.
#[derive(Debug, Clone)]
pub struct Outside {
    /// Taxpayers and integrators, with Zipf's distribution (exponent 1).
    pub taxpayers: usize,
    /// Integrators.
    pub organizations: usize,
    /// Access points that have most of the traffic, and their share.
    pub large: (usize, f64),
    /// The others.
    pub small: usize,
    /// Share of documents that are sent while the caller waits, and that are queued; the others are received.
    pub mix: (f64, f64),
    /// Share of messages to access points that answer within so long: median and p99, in seconds.
    pub answer: (f64, f64),
    /// The same of the authority.
    pub authority: (f64, f64),
    /// The same of webhook endpoints.
    pub webhook: (f64, f64),
    /// Deliveries that an endpoint refuses.
    pub refused: f64,
    /// Time until a verdict of the authority comes: median and p99, in seconds.
    pub verdict: (f64, f64),
    /// Time until a status of another access point comes: median and p99, in seconds.
    pub status: (f64, f64),
    /// Attempts of a client after the first one at 429, 502, 503; the waits are doubled from a second, with jitter.
    pub client_retries: u32,
    /// Waits of other access points after attempts to send to us, in seconds; the last one repeats.
    pub peer_retries: [f64; 5],
}

/// The world outside, as it is assumed.
pub fn outside() -> Outside {
    Outside {
        taxpayers: 500_000,
        organizations: 300,
        large: (5, 0.8),
        small: 45,
        mix: (0.5, 0.1),
        answer: (0.3, 1.2),
        authority: (0.3, 1.2),
        webhook: (0.15, 1.0),
        refused: 0.002,
        verdict: (2.0, 30.0),
        status: (5.0, 600.0),
        client_retries: 6,
        peer_retries: [10.0, 60.0, 300.0, 900.0, 3600.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_in_the_template() {
        let (code, defaults) = (code(), Deployment::defaults());
        for value in [
            code.most_requests,
            code.most_reports,
            defaults.throttle_rate,
            defaults.throttle_burst,
            defaults.as4_rate,
            defaults.requests_per_minute,
            defaults.report_rate,
            defaults.stage_concurrency,
            defaults.delivery_concurrency,
        ] {
            assert!(value >= 2.0, "{code:?} {defaults:?}");
        }
        assert_eq!(parameter("AccountConcurrency", "Default"), defaults.executions);
        assert_eq!(defaults.warm_writes, aws::NEW_TABLE_WRITES);
        assert_eq!(defaults.warm_reads, aws::NEW_TABLE_READS);
        assert_eq!(parameter("Nothing", "Default"), 0.0);
        assert!(TEMPLATE.contains(&format!("ParallelizationFactor: {PARALLELIZATION}")));
    }

    #[test]
    fn functions_and_shares_are_read_from_the_template() {
        let functions = functions();
        let of = |name| functions.iter().find(|it| it.name == name).unwrap();
        assert_eq!((of("relay").memory, of("relay").batch), (256.0, 100.0));
        assert_eq!((of("validate_inbound").memory, of("deliver").batch), (1024.0, 10.0));
        let shares = shares();
        let accounts: Vec<_> = shares.iter().map(|(account, _)| *account).collect();
        assert_eq!(accounts, [1000.0, 5000.0, 10_000.0]);
        for (account, shares) in shares {
            let sum: f64 = shares.iter().map(|(_, share)| share).sum();
            assert!(shares.iter().any(|(name, _)| name == "sweeper"), "{shares:?}");
            assert!(sum > 0.0 && sum < 0.95 * account, "{shares:?}");
        }
    }
}
