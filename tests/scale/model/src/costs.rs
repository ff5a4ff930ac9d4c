//! The measured costs of documents (`tests/scale/costs.json`), as stages that follow each other.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    lives: BTreeMap<String, RawLife>,
}

#[derive(Deserialize)]
struct RawLife {
    stages: Vec<RawStage>,
    partitions: Vec<RawPartition>,
}

#[derive(Deserialize)]
struct RawStage {
    stage: String,
    function: String,
    calls: Vec<String>,
    write_units: f64,
    read_units: f64,
    puts: f64,
    gets: f64,
    sqs_requests: f64,
}

#[derive(Deserialize)]
struct RawPartition {
    partition: String,
    one_for_each: String,
    shards: f64,
    write_units: f64,
    read_units: f64,
}

/// Whom a partition belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The whole service has one.
    Service,
    /// Each organization, its keys and its endpoint.
    Organization,
    /// Each taxpayer.
    Taxpayer,
    /// Each recipient and participant.
    Recipient,
    /// Each access point.
    AccessPoint,
}

/// A kind of partition that documents share.
#[derive(Debug, Clone)]
pub struct Kind {
    /// The pattern of its key.
    pub pattern: String,
    /// Whom it belongs to.
    pub owner: Owner,
    /// How many partitions one owner has.
    pub shards: f64,
    /// Whether DynamoDB can split it: its sort keys are hashes, so that writes do not all go to the last part.
    pub splits: bool,
}

/// The use of a shared partition by one stage of one document.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// The index of the kind.
    pub kind: usize,
    /// Write units.
    pub writes: f64,
    /// Read units.
    pub reads: f64,
}

/// One invocation of a function for one document.
#[derive(Debug, Clone)]
pub struct Stage {
    /// Its name in the file.
    pub name: String,
    /// Its function.
    pub function: String,
    /// Write units of the table, without the index of due jobs.
    pub writes: f64,
    /// Write units of the index of due jobs.
    pub due_writes: f64,
    /// Read units.
    pub reads: f64,
    /// Objects that are stored.
    pub puts: f64,
    /// Objects that are read.
    pub gets: f64,
    /// Requests to queues.
    pub queue_requests: f64,
    /// Calls of the table, and how many of them are transactions.
    pub calls: (f64, f64),
    /// The shared partitions that it uses.
    pub shares: Vec<Share>,
    /// The stage before it; none for the first one.
    pub after: Option<usize>,
}

/// The life of a document.
#[derive(Debug, Clone)]
pub struct Life {
    /// Its stages.
    pub stages: Vec<Stage>,
    /// Its kinds of shared partitions.
    pub kinds: Vec<Kind>,
    /// For each stage, the stages that follow.
    pub next: Vec<Vec<usize>>,
}

/// Reads the lives of a file.
pub fn read(path: &Path) -> Result<BTreeMap<String, Life>, String> {
    let text = fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
    let file: File =
        serde_json::from_str(&text).map_err(|why| format!("{}: {why}", path.display()))?;
    Ok(file.lives.into_iter().map(|(name, life)| (name, Life::new(&life))).collect())
}

/// The stages that may come before a stage, the likeliest first. A stage that the file does not have is passed over.
fn before(name: &str) -> Vec<String> {
    const FIRST: [&str; 4] = ["dispatch", "send", "validation", "receipt"];
    let named = |texts: &[&str]| texts.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    if let Some(event) = name.strip_suffix(": delivery") {
        return vec![format!("{event}: event")];
    }
    if let Some(of) = name.strip_suffix(": event") {
        return match of {
            "sent" => named(&["dispatch", "send"]),
            "received" => named(&["validation"]),
            _ => vec![format!("{of}: receipt")],
        };
    }
    match name {
        "conversion: relay" => named(&["acceptance"]),
        "conversion" => named(&["conversion: relay", "acceptance"]),
        "dispatch: relay" => named(&["conversion", "acceptance"]),
        "dispatch" => named(&["dispatch: relay", "conversion", "acceptance"]),
        "receipt: relay" => named(&["receipt"]),
        "validation" => named(&["receipt: relay", "receipt"]),
        "report: relay" | "report: sweep" => named(&FIRST),
        "report" => [named(&["report: relay", "report: sweep"]), named(&FIRST)].concat(),
        "status: sweep" => named(&["validation"]),
        "status" => named(&["status: sweep", "status: relay", "validation"]),
        "verdict: receipt" => named(&["report"]),
        "status: receipt" => named(&["dispatch", "send"]),
        "status: relay" => named(&["validation"]),
        _ => Vec::new(),
    }
}

impl Life {
    fn new(raw: &RawLife) -> Self {
        let kinds: Vec<_> = raw.partitions.iter().map(|it| kind(it, raw)).collect();
        let names: Vec<_> = raw.stages.iter().map(|it| it.stage.as_str()).collect();
        let place = |name: &str| names.iter().position(|it| *it == name);
        let mut stages: Vec<_> = raw
            .stages
            .iter()
            .enumerate()
            .map(|(index, it)| {
                let found = before(&it.stage).iter().find_map(|name| place(name));
                // A stage of an unknown name follows the one above it.
                let after = found.or(index.checked_sub(1)).filter(|&before| before < index);
                stage(it, &kinds, after)
            })
            .collect();
        for (index, it) in raw.partitions.iter().enumerate() {
            calibrate(&mut stages, index, it);
        }
        for stage in &mut stages {
            let due = stage.shares.iter().filter(|it| kinds[it.kind].pattern.contains("#DUE#"));
            stage.due_writes = due.map(|it| it.writes).sum::<f64>().min(stage.writes);
            stage.writes -= stage.due_writes;
        }
        let mut next = vec![Vec::new(); stages.len()];
        for (index, stage) in stages.iter().enumerate() {
            if let Some(before) = stage.after {
                next[before].push(index);
            }
        }
        Life { stages, kinds, next }
    }

    /// A sum over the stages.
    pub fn sum(&self, of: impl Fn(&Stage) -> f64) -> f64 {
        self.stages.iter().map(of).sum()
    }
}

/// Gives the kinds of several lives one numbering, and returns them: documents of all lives share their partitions.
pub fn unify(lives: &mut [Life]) -> Vec<Kind> {
    let mut all: Vec<Kind> = Vec::new();
    for life in lives {
        let places: Vec<_> = life
            .kinds
            .iter()
            .map(|kind| {
                all.iter().position(|it| it.pattern == kind.pattern).unwrap_or_else(|| {
                    all.push(kind.clone());
                    all.len() - 1
                })
            })
            .collect();
        for share in life.stages.iter_mut().flat_map(|it| &mut it.shares) {
            share.kind = places[share.kind];
        }
        life.kinds.clone_from(&all);
    }
    all
}

fn kind(raw: &RawPartition, life: &RawLife) -> Kind {
    let owner = match raw.one_for_each.as_str() {
        "organization" | "endpoint" | "API key" => Owner::Organization,
        "taxpayer" => Owner::Taxpayer,
        "recipient" | "participant" => Owner::Recipient,
        "access point" => Owner::AccessPoint,
        _ => Owner::Service,
    };
    let mut keys = life
        .stages
        .iter()
        .flat_map(|it| &it.calls)
        .flat_map(|call| items(call))
        .filter(|(partition, ..)| *partition == raw.partition)
        .map(|(_, sort, _)| sort)
        .peekable();
    let splits = keys.peek().is_some() && keys.all(|sort| sort.contains("#<hash>"));
    Kind { pattern: raw.partition.clone(), owner, shards: raw.shards, splits }
}

/// The items of a call: partition, sort key, how often.
fn items(call: &str) -> impl Iterator<Item = (&str, &str, f64)> {
    let of = call.split_once(": ").map_or("", |(_, rest)| rest);
    let of = of.split_once(' ').map_or("", |(_, rest)| rest);
    of.split(", ").filter(|it| !it.starts_with('/')).filter_map(|item| {
        let (item, times) = item.split_once(" ×").unwrap_or((item, "1"));
        let (partition, sort) = item.split_once(' ').unwrap_or((item, ""));
        (!partition.is_empty()).then(|| (partition, sort, times.parse().unwrap_or(1.0)))
    })
}

fn stage(raw: &RawStage, kinds: &[Kind], after: Option<usize>) -> Stage {
    let mut shares: Vec<Share> = Vec::new();
    let mut calls = (0.0, 0.0);
    for call in &raw.calls {
        let mut words = call.split(' ');
        let writes: f64 = words.next().and_then(|it| it.parse().ok()).unwrap_or(0.0);
        let reads: f64 = words.nth(1).and_then(|it| it.parse().ok()).unwrap_or(0.0);
        let all: f64 = items(call).map(|(.., times)| times).sum();
        if writes + reads > 0.0 {
            calls.0 += 1.0;
            calls.1 += f64::from(u8::from(call.contains("TransactWrite")));
        }
        for (partition, _, times) in items(call) {
            if let Some(kind) = kinds.iter().position(|it| it.pattern == partition) {
                let share =
                    Share { kind, writes: writes * times / all, reads: reads * times / all };
                match shares.iter_mut().find(|it| it.kind == kind) {
                    Some(known) => {
                        known.writes += share.writes;
                        known.reads += share.reads;
                    }
                    None => shares.push(share),
                }
            }
        }
    }
    Stage {
        name: raw.stage.clone(),
        function: raw.function.clone(),
        writes: raw.write_units,
        due_writes: 0.0,
        reads: raw.read_units,
        puts: raw.puts,
        gets: raw.gets,
        queue_requests: raw.sqs_requests,
        calls,
        shares,
        after,
    }
}

/// Scales the shares of a partition, so that their sum over the stages is what was measured.
fn calibrate(stages: &mut [Stage], kind: usize, measured: &RawPartition) {
    let of = |stages: &[Stage], units: fn(&Share) -> f64| -> f64 {
        let shares = stages.iter().flat_map(|it| &it.shares);
        shares.filter(|it| it.kind == kind).map(units).sum()
    };
    let scale = |measured: f64, sum: f64| if sum > 0.0 { measured / sum } else { 0.0 };
    let writes = scale(measured.write_units, of(stages, |it| it.writes));
    let reads = scale(measured.read_units, of(stages, |it| it.reads));
    let shares = stages.iter_mut().flat_map(|it| &mut it.shares);
    for share in shares.filter(|it| it.kind == kind) {
        share.writes *= writes;
        share.reads *= reads;
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The lives of the checked-in file.
    pub fn lives() -> BTreeMap<String, Life> {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../costs.json")).unwrap()
    }

    #[test]
    fn every_stage_follows_another_but_the_first() {
        for (name, life) in lives() {
            for (index, stage) in life.stages.iter().enumerate() {
                assert_eq!(stage.after.is_none(), index == 0, "{name}: {}", stage.name);
            }
        }
    }

    #[test]
    fn the_shares_of_a_partition_are_what_was_measured() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../costs.json");
        let file: File = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for (name, raw) in &file.lives {
            let life = Life::new(raw);
            for (index, measured) in raw.partitions.iter().enumerate() {
                let shares = life.stages.iter().flat_map(|it| &it.shares);
                let writes: f64 = shares.filter(|it| it.kind == index).map(|it| it.writes).sum();
                assert!(
                    (writes - measured.write_units).abs() < 0.001,
                    "{name}: {}",
                    measured.partition
                );
            }
            let units: f64 = raw.stages.iter().map(|it| it.write_units).sum();
            assert!((life.sum(|it| it.writes + it.due_writes) - units).abs() < 0.001, "{name}");
        }
    }

    #[test]
    fn a_call_names_its_items() {
        let call =
            "10 write, 0 read: TransactWriteItems LIVE#DUE#<n> <instant> ×2, LIVE#PACE FILINGS";
        let found: Vec<_> = items(call).collect();
        assert_eq!(found, [("LIVE#DUE#<n>", "<instant>", 2.0), ("LIVE#PACE", "FILINGS", 1.0)]);
        assert_eq!(items("0 write, 0 read: PUT /payloads/live/<hash>.xml").count(), 0);
        assert_eq!(items("0 write, 0 read: SendMessageBatch").count(), 0);
    }
}
