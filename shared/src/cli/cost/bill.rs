//! The bill for documents: counts times prices. Each figure that is not measured is an assumption with a name here.

use rust_decimal::Decimal;

use super::{
    counts::{Document, Kept, Life, Stage, Sums},
    prices::Prices,
};
use crate::cli::Error;

/// The memory (MB) of a function in `template.yaml`, and the assumed wall time (ms) of an invocation. Most of that time
/// it waits for another system.
const FUNCTIONS: [(&str, u64, u64); 10] = [
    ("api", 512, 680),
    ("relay", 256, 60),
    ("deliver", 256, 250),
    ("report", 512, 700),
    ("inbound", 512, 150),
    ("validate_inbound", 1024, 80),
    ("sweeper", 1024, 400),
    ("dispatch", 512, 700),
    // A visit that finds nothing to retire. Archives are not in the bill.
    ("archives", 2048, 50),
    // Any other function.
    ("", 256, 700),
];

/// The assumed share (ms) of a document in the wall time of an invocation that retires items.
const RETIREMENT_MS: u64 = 10;

/// Assumed bytes of logs of an invocation, with the lines of Lambda and API Gateway.
const LOG_BYTES: u64 = 900;
/// How long logs are kept (`template.yaml`, LogRetentionDays), in months.
const LOG_MONTHS: u64 = 3;
/// Assumed requests of a queue for each request that sends a message: it is received and deleted alone.
const REQUESTS_OF_A_MESSAGE: u64 = 3;
/// Use of provisioned capacity that auto scaling follows, in percent, if documents are sent by day and a million come in a
/// month. `tests/scale/run model` computes it.
const UTILIZATION: u64 = 52;
/// Alarms of auto scaling: two each for reads and writes of the table and of its index.
const SCALING_ALARMS: u64 = 8;

/// A month has 730 hours.
const HOURS: u64 = 730;
const HOURS_A_DAY: u64 = 24;
const MINUTES: u64 = HOURS * 60;
const SECONDS: u64 = MINUTES * 60;

/// Queues that functions poll (`template.yaml`; `tests/local_aws/test_template.py` counts them, secrets and alarms).
const EVENT_SOURCES: u64 = 16;
/// Assumed requests of an event source that finds nothing: five pollers that wait 20 seconds each.
const POLLS_A_MINUTE: u64 = 15;
/// Secrets and alarms of the stack.
const SECRETS: u64 = 7;
const ALARMS: u64 = 66;

/// A line of a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) what: String,
    pub(super) quantity: Decimal,
    pub(super) usd: Decimal,
}

/// A part of a bill.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) title: String,
    pub(super) lines: Vec<Line>,
}

impl Part {
    /// The sum of the lines.
    pub(super) fn sum(&self) -> Decimal {
        self.lines.iter().map(|line| line.usd).sum()
    }

    /// The lines of the table's units, by the prices of a million writes and reads.
    fn units(
        &mut self,
        sum: &Sums,
        sends: u64,
        (writes, reads): (Decimal, Decimal),
    ) -> Result<(), Error> {
        let sends = Decimal::from(sends);
        self.line("table: write units", Decimal::from(sum.write_units) * sends, MILLION, writes);
        self.line("table: read units", sum.read_units()? * sends, MILLION, reads);
        Ok(())
    }

    /// The lines of the table's bytes, by the price of a GB in a month.
    fn table_bytes(&mut self, kept: &Kept, sends: u64, months: u64, gb_month: Decimal) {
        let times = |count: u64| Decimal::from(count) * Decimal::from(sends);
        let price = gb_month * Decimal::from(months);
        self.line("table: bytes, with recovery", times(kept.table_bytes), GB, price);
        let byte_months = times(kept.expiring_byte_days * HOURS_A_DAY) / Decimal::from(HOURS);
        self.line("table: bytes that expire, times their months", byte_months, GB, gb_month);
    }

    fn line(&mut self, what: impl Into<String>, quantity: Decimal, each: u64, price: Decimal) {
        let usd = quantity * price / Decimal::from(each);
        self.lines.push(Line { what: what.into(), quantity, usd });
    }
}

const ONE: u64 = 1;
const THOUSAND: u64 = 1_000;
const MILLION: u64 = 1_000_000;
/// AWS's GB of storage.
const GB: u64 = 1 << 30;
/// A GB second of Lambda.
const MB_MILLISECONDS: u64 = 1_024 * 1_000;

/// The costs of sending or receiving so many documents.
pub(super) fn exchanging(
    document: &Document,
    prices: &Prices,
    (verb, documents): (&str, u64),
) -> Result<Part, Error> {
    let mut part = Part { title: format!("{verb} {documents} documents"), lines: Vec::new() };
    let unit_prices = (prices.table_writes_million, prices.table_reads_million);
    part.units(&document.life.sum, documents, unit_prices)?;
    beside_the_table(&mut part, document, prices, documents);
    Ok(part)
}

/// The lines for everything but the table.
fn beside_the_table(part: &mut Part, document: &Document, prices: &Prices, documents: u64) {
    let Life { stages, sum, .. } = &document.life;
    let times = |count: u64| Decimal::from(count) * Decimal::from(documents);
    part.line("bucket: PUTs", times(sum.puts), THOUSAND, prices.puts_thousand);
    part.line("bucket: GETs", times(sum.gets), THOUSAND, prices.gets_thousand);
    let gb_seconds = gb_seconds(stages) * Decimal::from(documents);
    part.line("Lambda: GB seconds", gb_seconds, ONE, prices.lambda_gb_second);
    let invocations = u64::try_from(stages.len()).unwrap_or(u64::MAX);
    part.line("Lambda: requests", times(invocations), MILLION, prices.lambda_requests_million);
    let requests = times(sum.sqs_requests * REQUESTS_OF_A_MESSAGE);
    part.line("queues: requests", requests, MILLION, prices.queue_requests_million);
    let http = stages.iter().filter(|it| ["api", "inbound"].contains(&it.function.as_str()));
    let http = u64::try_from(http.count()).unwrap_or(u64::MAX);
    part.line("HTTP API: requests", times(http), MILLION, prices.http_requests_million);
    let logs = times(invocations * LOG_BYTES);
    part.line("logs: bytes", logs, GB, prices.logs_gb);
    let price = prices.logs_gb_month * Decimal::from(LOG_MONTHS);
    part.line(format!("logs: bytes, {LOG_MONTHS} months"), logs, GB, price);
}

/// The costs of keeping the documents.
pub(super) fn keeping(
    document: &Document,
    prices: &Prices,
    documents: u64,
    months: u64,
) -> Result<Part, Error> {
    let Document { life: Life { sum, .. }, kept, retirement } = document;
    let times = |count: u64| Decimal::from(count) * Decimal::from(documents);
    let mut part = Part { title: format!("keeping them for {months} months"), lines: Vec::new() };
    part.table_bytes(
        kept,
        documents,
        months,
        prices.table_gb_month + prices.table_recovery_gb_month,
    );
    let price = prices.bucket_gb_month * Decimal::from(months);
    part.line("bucket: bytes", times(sum.put_bytes + retirement.put_bytes), GB, price);
    part.units(retirement, documents, (prices.table_writes_million, prices.table_reads_million))?;
    part.line("bucket: PUTs", times(retirement.puts), THOUSAND, prices.puts_thousand);
    let mb_milliseconds = FUNCTIONS.iter().find(|(name, ..)| *name == "archives");
    let mb_milliseconds = mb_milliseconds.map_or(0, |(_, memory, _)| memory * RETIREMENT_MS);
    let gb_seconds = times(mb_milliseconds) / Decimal::from(MB_MILLISECONDS);
    part.line("Lambda: GB seconds", gb_seconds, ONE, prices.lambda_gb_second);
    Ok(part)
}

/// The costs of the table for sending and keeping, if it has the class STANDARD_INFREQUENT_ACCESS.
pub(super) fn infrequent(
    Document { life: Life { sum, .. }, kept, .. }: &Document,
    prices: &Prices,
    sends: u64,
    months: u64,
) -> Result<Part, Error> {
    let class = "STANDARD_INFREQUENT_ACCESS";
    let title = format!("the table of the class {class} instead, for {months} months");
    let mut part = Part { title, lines: Vec::new() };
    let unit_prices = (prices.infrequent_writes_million, prices.infrequent_reads_million);
    part.units(sum, sends, unit_prices)?;
    let price = prices.infrequent_gb_month + prices.table_recovery_gb_month;
    part.table_bytes(kept, sends, months, price);
    Ok(part)
}

/// The costs of sending all documents within a month, if the table has provisioned capacity.
pub(super) fn provisioned(document: &Document, prices: &Prices, sends: u64) -> Result<Part, Error> {
    let sum = &document.life.sum;
    let title = format!(
        "sending them with provisioned capacity instead, {UTILIZATION} % in use, all within a month"
    );
    let mut part = Part { title, lines: Vec::new() };
    let capacity = |units: Decimal| {
        let each_second = units * Decimal::from(sends) / Decimal::from(SECONDS);
        (each_second * Decimal::from(100_u8) / Decimal::from(UTILIZATION)).ceil()
    };
    let hours = Decimal::from(HOURS);
    let writes = capacity(Decimal::from(sum.write_units));
    part.line("table: write units a second", writes, ONE, prices.provisioned_write_hour * hours);
    let reads = capacity(sum.read_units()?);
    part.line("table: read units a second", reads, ONE, prices.provisioned_read_hour * hours);
    part.line("alarms of auto scaling", Decimal::from(SCALING_ALARMS), ONE, prices.alarm_month);
    beside_the_table(&mut part, document, prices, sends);
    Ok(part)
}

/// The costs of a month without documents.
pub(super) fn idle(Life { stages, sum, .. }: &Life, prices: &Prices) -> Result<Part, Error> {
    let minutes = Decimal::from(MINUTES);
    let mut part = Part { title: "a month without documents".to_owned(), lines: Vec::new() };
    let writes = Decimal::from(sum.write_units) * minutes;
    part.line("table: write units of schedules", writes, MILLION, prices.table_writes_million);
    let reads = sum.read_units()? * minutes;
    part.line("table: read units of schedules", reads, MILLION, prices.table_reads_million);
    let gb_seconds = gb_seconds(stages) * minutes;
    part.line("Lambda: GB seconds of schedules", gb_seconds, ONE, prices.lambda_gb_second);
    let requests = Decimal::from(stages.len()) * minutes;
    part.line("Lambda: requests", requests, MILLION, prices.lambda_requests_million);
    let polls = Decimal::from(EVENT_SOURCES * POLLS_A_MINUTE) * minutes;
    part.line("queues: requests that find nothing", polls, MILLION, prices.queue_requests_million);
    part.line("secrets", Decimal::from(SECRETS), ONE, prices.secret_month);
    part.line("alarms", Decimal::from(ALARMS), ONE, prices.alarm_month);
    Ok(part)
}

/// The memory and time of the invocations of stages.
fn gb_seconds(stages: &[Stage]) -> Decimal {
    let of = |stage: &Stage| {
        let named = FUNCTIONS.iter().find(|(name, ..)| *name == stage.function || name.is_empty());
        named.map_or(0, |(_, memory, time)| memory * time)
    };
    let mb_milliseconds: u64 = stages.iter().map(of).sum();
    Decimal::from(mb_milliseconds) / Decimal::from(MB_MILLISECONDS)
}

/// The assumptions, for the reader of a bill.
pub(super) fn assumptions() -> String {
    let mut text = format!(
        "Assumed: {LOG_BYTES} bytes of logs an invocation; {REQUESTS_OF_A_MESSAGE} queue requests a message; \
         {EVENT_SOURCES} queues with {POLLS_A_MINUTE} empty polls a minute; {SECRETS} secrets; {ALARMS} alarms;\n\
         milliseconds of an invocation:"
    );
    for (name, memory, time) in FUNCTIONS {
        let name = if name.is_empty() { "others" } else { name };
        text.push_str(&format!(" {name} {time} ({memory} MB),"));
    }
    text.push_str(&format!(
        " {RETIREMENT_MS} for each document whose items are retired.\nNot included: data transfer, mails, KMS, free tiers, discounts, custom metrics, taxes.\n",
    ));
    text
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{
        super::{
            counts::{Counts, MEASURED},
            prices::{BUILT_IN, PriceFile},
        },
        *,
    };

    /// The maximum in USD for a million sends and for keeping them for seven years, and the goals. The maximums are only
    /// ever lowered.
    const SENDING: (u32, u32) = (114, 90);
    const PROVISIONED: (u32, u32) = (89, 90);
    const KEEPING: (u32, u32) = (137, 150);

    fn measured(of: &str) -> Decimal {
        measured_of("sent_1_line", of)
    }

    fn measured_of(life: &str, of: &str) -> Decimal {
        let costs: Value = serde_json::from_str(MEASURED).unwrap();
        costs["lives"][life].pointer(of).unwrap().to_string().parse().unwrap()
    }

    fn quantity(part: &Part, what: &str) -> Decimal {
        part.lines.iter().find(|line| line.what.starts_with(what)).unwrap().quantity
    }

    #[test]
    fn the_counts_of_a_bill_are_what_the_meter_says() {
        let (counts, file) = (Counts::measured().unwrap(), PriceFile::read("", BUILT_IN).unwrap());
        let prices = file.region("us-east-1").unwrap();
        let sends = Decimal::from(10_u8);
        let part = exchanging(&counts.sent, prices, ("sending", 10)).unwrap();
        for (what, of) in [
            ("table: write units", "/sum/write_units"),
            ("table: read units", "/sum/read_units"),
            ("bucket: PUTs", "/sum/puts"),
            ("bucket: GETs", "/sum/gets"),
        ] {
            assert_eq!(quantity(&part, what), measured(of) * sends, "{what}");
        }
        let requests = measured("/sum/sqs_requests") * sends * Decimal::from(REQUESTS_OF_A_MESSAGE);
        assert_eq!(quantity(&part, "queues: requests"), requests);
        let part = keeping(&counts.sent, prices, 10, 84).unwrap();
        let kept = measured_of("retired_1_line", "/kept/table_bytes") * sends;
        assert_eq!(quantity(&part, "table: bytes, "), kept);
        let costs: Value = serde_json::from_str(MEASURED).unwrap();
        let stages = costs["lives"]["retired_1_line"]["stages"].as_array().unwrap();
        let retirement = |of: &str| Decimal::from(stages.last().unwrap()[of].as_u64().unwrap());
        let bytes = measured("/sum/put_bytes") + retirement("put_bytes");
        assert_eq!(quantity(&part, "bucket: bytes"), bytes * sends);
        let writes = retirement("write_units") * sends;
        assert_eq!(quantity(&part, "table: write units"), writes);
        assert_eq!(quantity(&part, "bucket: PUTs"), retirement("puts") * sends);
        let part = idle(&counts.idle, prices).unwrap();
        let visits = |of: &str| {
            let of_visit = &costs["lives"]["idle_minute"]["sum"][of];
            of_visit.to_string().parse::<Decimal>().unwrap() * Decimal::from(MINUTES)
        };
        assert_eq!(quantity(&part, "table: write units"), visits("write_units"));
        assert_eq!(quantity(&part, "table: read units"), visits("read_units"));
        let stages = costs["lives"]["sent_1_line"]["stages"].as_array().unwrap();
        let sum: u64 = stages.iter().map(|it| it["write_units"].as_u64().unwrap()).sum();
        assert_eq!(measured("/sum/write_units"), Decimal::from(sum), "a stage is left out");
    }

    #[test]
    fn a_million_sends_cost_what_they_may() {
        let (counts, file) = (Counts::measured().unwrap(), PriceFile::read("", BUILT_IN).unwrap());
        let prices = file.region("us-east-1").unwrap();
        let sent = exchanging(&counts.sent, prices, ("sending", MILLION)).unwrap().sum();
        let provisioned = provisioned(&counts.sent, prices, MILLION).unwrap().sum();
        let kept = keeping(&counts.sent, prices, MILLION, 84).unwrap().sum();
        for (what, usd, (ceiling, goal)) in [
            ("sending", sent, SENDING),
            ("sending with provisioned capacity", provisioned, PROVISIONED),
            ("keeping for 84 months", kept, KEEPING),
        ] {
            assert!(usd <= Decimal::from(ceiling), "{what}: {usd} USD, not {ceiling}; goal {goal}");
        }
    }

    #[test]
    fn the_use_of_provisioned_capacity_is_what_the_model_says() {
        let results = include_str!("../../../../tests/scale/results.md");
        let a_million_in_a_month = "| 33,333 | ";
        let (_, row) = results.split_once(a_million_in_a_month).unwrap();
        assert_eq!(row.split_once('.').unwrap().0.parse(), Ok(UTILIZATION));
    }

    #[test]
    fn a_price_is_multiplied_and_a_part_is_summed() {
        let mut part = Part { title: String::new(), lines: Vec::new() };
        part.line("a", Decimal::from(3_000_000_u32), MILLION, Decimal::new(625, 3));
        part.line("b", Decimal::from(2_u8), ONE, Decimal::new(1, 1));
        assert_eq!(part.lines[0].usd, Decimal::new(1_875, 3));
        assert_eq!(part.sum(), Decimal::new(2_075, 3));
    }

    #[test]
    fn the_memory_of_functions_is_that_of_the_template() {
        let template = include_str!("../../../../template.yaml");
        for (name, memory, _) in FUNCTIONS.into_iter().filter(|(name, ..)| !name.is_empty()) {
            let (_, of_it) = template.split_once(&format!("Binary: {name} }}")).unwrap();
            let of_it = of_it.split("BuildMethod:").next().unwrap();
            let stated = of_it.split_once("MemorySize: ").map(|(_, rest)| rest);
            let stated = stated.and_then(|it| it.split_whitespace().next()?.parse().ok());
            assert_eq!(stated.unwrap_or(256), memory, "{name}");
        }
    }

    #[test]
    fn every_stage_is_of_a_function_of_the_template() {
        let template = include_str!("../../../../template.yaml");
        let counts = Counts::measured().unwrap();
        for stage in counts
            .sent
            .life
            .stages
            .iter()
            .chain(&counts.received.life.stages)
            .chain(&counts.idle.stages)
        {
            let named = format!("Binary: {} }}", stage.function);
            assert!(template.contains(&named), "{}", stage.function);
        }
    }
}
