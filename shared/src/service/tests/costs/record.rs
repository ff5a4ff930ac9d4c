//! The record of measured stages in `tests/scale/costs.json`.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::lives::Stage;
use crate::{
    store::keys::{
        ANSWER_SHARDS, AWAITED_SHARDS, DAILY_COUNTERS, DUE_SHARDS, EVENT_SHARDS, EXCHANGE_SHARDS,
        LIST_SHARDS, PARKED_SHARDS, USAGE_SHARDS, VERSION_SHARDS,
    },
    testing::{MeteredCall, Service, Units, kind},
};

/// The sums of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    units: Units,
    puts: usize,
    gets: usize,
    deletes: usize,
    put_bytes: usize,
    got_bytes: usize,
    queue_requests: usize,
    mails: usize,
}

impl Sums {
    fn of(calls: &[MeteredCall]) -> Self {
        let mut sums = Sums::default();
        for call in calls {
            sums.add_call(call);
        }
        sums
    }

    fn add_call(&mut self, call: &MeteredCall) {
        self.units.add(call.units());
        match (call.service, call.operation.as_str()) {
            (Service::Table, _) => {}
            (Service::Bucket, "GET" | "HEAD") => {
                self.gets += 1;
                self.got_bytes += call.bytes;
            }
            (Service::Bucket, "PUT" | "POST") => {
                self.puts += 1;
                self.put_bytes += call.bytes;
            }
            (Service::Bucket, "DELETE") => self.deletes += 1,
            (Service::Bucket, other) => panic!("the sums lack S3 {other}"),
            (Service::Queue, _) => self.queue_requests += call.requests,
            (Service::Mail, _) => self.mails += 1,
        }
    }

    /// The units that are written.
    pub(super) fn write_units(&self) -> usize {
        whole(self.units.write)
    }

    /// The units that are read, rounded up.
    pub(super) fn read_units(&self) -> usize {
        self.units.read.div_ceil(2)
    }

    /// The objects that are written.
    pub(super) fn puts(&self) -> usize {
        self.puts
    }

    fn json(&self) -> Value {
        json!({
            "write_units": self.write_units(),
            "read_units": halves(self.units.read),
            "puts": self.puts,
            "put_bytes": self.put_bytes,
            "gets": self.gets,
            "got_bytes": self.got_bytes,
            "deletes": self.deletes,
            "sqs_requests": self.queue_requests,
            "mails": self.mails,
        })
    }
}

/// Halves of units that are whole units.
fn whole(halves: usize) -> usize {
    assert_eq!(halves % 2, 0);
    halves / 2
}

/// Halves as a number with at most one decimal.
fn halves(halves: usize) -> Value {
    let decimals = if halves % 2 == 1 { ".5" } else { "" };
    serde_json::from_str(&format!("{}{decimals}", halves / 2)).unwrap()
}

/// The sums of a stage's first document. The bytes of documents differ by a few, their calls must not.
fn sums_of(stage: &Stage) -> Sums {
    let each: Vec<Sums> = stage.documents.iter().map(|calls| Sums::of(calls)).collect();
    let first = each[0];
    for other in &each[1..] {
        let same = Sums { put_bytes: first.put_bytes, got_bytes: first.got_bytes, ..*other };
        assert_eq!(same, first, "{}: documents differ", stage.name);
    }
    first
}

/// The sums of a life.
pub(super) fn sum(stages: &[Stage]) -> Sums {
    Sums::of(&stages.iter().flat_map(|stage| stage.documents[0].clone()).collect::<Vec<_>>())
}

/// The record of a life.
pub(super) fn life(stages: &[Stage]) -> Value {
    let stages_json = stages.iter().map(|stage| {
        let mut json = sums_of(stage).json();
        json["stage"] = stage.name.into();
        json["function"] = stage.function.into();
        json["calls"] = calls(&stage.documents[0]).into();
        json
    });
    let stages_json: Vec<Value> = stages_json.collect();
    json!({
        "stages": stages_json,
        "sum": sum(stages).json(),
        "kept": kept(stages),
        "partitions": partitions(stages),
    })
}

/// The calls of a document, the most expensive ones first: units, operation, and the kinds of keys.
fn calls(calls: &[MeteredCall]) -> Vec<String> {
    let mut calls: Vec<(usize, usize, String)> = calls
        .iter()
        .map(|call| {
            let mut items: BTreeMap<String, usize> = BTreeMap::new();
            for touched in &call.touched {
                let name = format!("{} {}", kind(&touched.partition), kind(&touched.sort));
                *items.entry(name.trim_end().to_owned()).or_default() += 1;
            }
            let items: Vec<String> = items
                .into_iter()
                .map(|(name, times)| match times {
                    1 => name,
                    _ => format!("{name} ×{times}"),
                })
                .collect();
            let Units { write, read } = call.units();
            let text = format!(
                "{} write, {} read: {} {}",
                whole(write),
                halves(read),
                call.operation,
                items.join(", ")
            );
            (write, read, text.trim_end().to_owned())
        })
        .collect();
    calls.sort_by(|a, b| (b.0, b.1, &a.2).cmp(&(a.0, a.1, &b.2)));
    calls.into_iter().map(|(_, _, text)| text).collect()
}

/// DynamoDB adds this to the size of each item for its index. A secondary index adds it again for each entry.
/// (<https://aws.amazon.com/dynamodb/pricing/on-demand/>, "Data storage")
const OVERHEAD: usize = 100;

/// The items of the table that a life leaves, and their bytes.
fn kept(stages: &[Stage]) -> Value {
    // An item by its key: whether the life created it, its bytes, the days until it expires.
    let mut items: BTreeMap<(&str, &str), (bool, usize, Option<usize>)> = BTreeMap::new();
    // An item that the life removes after days was kept for so long.
    let (mut kept, mut expiring, mut written_at) = (Vec::new(), Vec::new(), BTreeMap::new());
    for stage in stages {
        for touched in stage.documents[0].iter().flat_map(|it| &it.touched) {
            let Some(written) = touched.written else { continue };
            let key = (touched.partition.as_str(), touched.sort.as_str());
            let item = items.entry(key).or_insert((written.before == 0, 0, None));
            if let (0, Some(at)) = (written.after, written_at.insert(key, stage.at)) {
                let days = stage.at.duration_since(at).as_hours() / 24;
                expiring.push((written.before + OVERHEAD, usize::try_from(days).unwrap()));
            }
            (item.1, item.2) = (written.after, written.expires.map(|at| days(stage.at, at)));
        }
    }
    // An item of another document too is a counter, not an item of this document.
    let others = stages.iter().flat_map(|stage| &stage.documents[1]).flat_map(|it| &it.touched);
    let others: BTreeSet<_> = others.map(|it| (family(&it.partition), it.sort.as_str())).collect();
    items.retain(|(partition, sort), _| !others.contains(&(family(partition), *sort)));
    items.retain(|_, (created, bytes, _)| *created && *bytes > 0);
    for ((partition, sort), (_, bytes, expires)) in items {
        let bytes = bytes + OVERHEAD;
        match expires {
            Some(days) => expiring.push((bytes, days)),
            None => {
                let item = format!("{} {}", kind(partition), kind(sort));
                kept.push((item.trim_end().to_owned(), bytes));
            }
        }
    }
    kept.sort();
    let each = kept.iter().map(|(item, bytes)| json!({"item": item, "table_bytes": bytes}));
    json!({
        "items": kept.len(),
        "table_bytes": kept.iter().map(|(_, bytes)| bytes).sum::<usize>(),
        "each": each.collect::<Vec<_>>(),
        "expiring_items": expiring.len(),
        "expiring_table_bytes": expiring.iter().map(|(bytes, _)| bytes).sum::<usize>(),
        "expiring_byte_days": expiring.iter().map(|(bytes, days)| bytes * days).sum::<usize>(),
    })
}

/// The days from an instant until another one (seconds since 1970), of which a part counts as one.
fn days(from: Timestamp, until: i64) -> usize {
    usize::try_from((until - from.as_second()).max(0)).unwrap().div_ceil(24 * 60 * 60)
}

/// A partition without its shard. The window of a rate limit is no shard.
fn family(partition: &str) -> &str {
    match partition.rsplit_once('#') {
        Some((family, shard))
            if !partition.contains("#RATE#") && shard.bytes().all(|it| it.is_ascii_digit()) =>
        {
            family
        }
        _ => partition,
    }
}

/// How many partitions share the load of a kind.
fn shards(kind: &str) -> u8 {
    let Some(family) = kind.strip_suffix("#<n>").filter(|it| !it.contains("#RATE#")) else {
        return 1;
    };
    let last = family.rsplit('#').find(|part| !part.starts_with('<')).unwrap();
    match last {
        "DUE" | "answer" | "filing" | "delivery" => DUE_SHARDS,
        "PARKED" => PARKED_SHARDS,
        "EXCHANGES" => EXCHANGE_SHARDS,
        "USAGE" => USAGE_SHARDS,
        "ANSWER" => ANSWER_SHARDS,
        "TALLY" => DAILY_COUNTERS,
        "AWAITED" => AWAITED_SHARDS,
        "ENDPOINTS" => VERSION_SHARDS,
        "EVENTS" => EVENT_SHARDS,
        _ if kind.contains("#DELIVERIES#") => EVENT_SHARDS,
        _ if ["#LIST#", "#FILINGS#"].iter().any(|it| kind.contains(it)) => LIST_SHARDS,
        _ => panic!("{kind} lacks its number of shards"),
    }
}

/// The owner of one partition of a kind.
fn scope(kind: &str) -> &'static str {
    let named = [
        ("#GATE#", "endpoint"),
        ("#DELIVERIES#", "endpoint"),
        ("#RATE#", "organization"),
        ("#ORGANIZATION#", "organization"),
        ("#TAXPAYER#", "taxpayer"),
        ("#APIKEY#", "API key"),
        ("#RECEIVER#", "access point"),
        ("#LOOKUP#", "recipient"),
        ("#PARTICIPANT#", "participant"),
    ];
    let named = named.iter().find(|(part, _)| kind.contains(part));
    named.map_or("service", |(_, scope)| scope)
}

/// The partitions that several documents share, and the consumption of one document in each.
fn partitions(stages: &[Stage]) -> Vec<Value> {
    let families = |calls: &[MeteredCall]| -> BTreeSet<String> {
        let touched = calls.iter().filter(|it| it.service == Service::Table);
        let touched = touched.flat_map(|call| &call.touched);
        touched.map(|touched| family(&touched.partition).to_owned()).collect()
    };
    let mut shared = BTreeSet::new();
    for stage in stages {
        let [one, other] = &stage.documents[..] else { panic!("two are measured") };
        shared.extend(families(one).intersection(&families(other)).cloned());
    }
    let mut families: BTreeMap<&str, (String, Units)> = BTreeMap::new();
    for touched in stages.iter().flat_map(|stage| &stage.documents[0]).flat_map(|it| &it.touched) {
        let family = family(&touched.partition);
        if shared.contains(family) {
            let of = || (kind(&touched.partition), Units::default());
            families.entry(family).or_insert_with(of).1.add(touched.units);
        }
    }
    // Of two partitions of a kind, such as the breakers of two access points, the one that is full first.
    let mut units: BTreeMap<String, Units> = BTreeMap::new();
    for (kind, of_family) in families.into_values() {
        let most = units.entry(kind).or_default();
        most.write = most.write.max(of_family.write);
        most.read = most.read.max(of_family.read);
    }
    let mut rows: Vec<Value> = units
        .into_iter()
        .map(|(kind, units)| {
            json!({
                "partition": kind,
                "one_for_each": scope(&kind),
                "shards": shards(&kind),
                "write_units": whole(units.write),
                "read_units": halves(units.read),
            })
        })
        .collect();
    rows.sort_by_key(|row| row["partition"].as_str().unwrap().to_owned());
    rows
}
