//! The consumption of one document, as the tests measured it (`tests/scale/costs.json`).

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Number, Value};

use crate::cli::Error;

/// The measurement that the tests hold.
pub(super) const MEASURED: &str = include_str!("../../../../tests/scale/costs.json");

/// A Live document of one line, sent while the caller waits: report, verdict, status, three events, three deliveries. The
/// second life goes on until items of the document are retired from the table.
const SENT: [&str; 2] = ["sent_1_line", "retired_1_line"];
/// A received Live document of one line: status, report, verdict, two events, two deliveries. The second life is as above.
const RECEIVED: [&str; 2] = ["received_1_line", "received_retired_1_line"];
/// The stage that retires items, the last one.
const RETIREMENT: &str = "retirement";
/// The visits of schedules in a minute in which nothing is due.
const IDLE: &str = "idle_minute";

/// The measurement.
#[derive(Debug, Deserialize)]
struct Costs {
    lives: BTreeMap<String, Life>,
}

/// The consumption from the first stage to the last one.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Life {
    pub(super) stages: Vec<Stage>,
    pub(super) sum: Sums,
    pub(super) kept: Kept,
}

/// One invocation of a function.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub(super) struct Stage {
    name: String,
    pub(super) function: String,
    sum: Sums,
}

#[derive(Deserialize)]
struct Named {
    stage: String,
    function: String,
}

impl TryFrom<Value> for Stage {
    type Error = serde_json::Error;

    fn try_from(value: Value) -> Result<Self, serde_json::Error> {
        let Named { stage: name, function } = Named::deserialize(&value)?;
        Ok(Stage { name, function, sum: Sums::deserialize(value)? })
    }
}

/// The counts of a life.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Sums {
    pub(super) write_units: u64,
    /// With halves.
    read_units: Number,
    pub(super) puts: u64,
    pub(super) put_bytes: u64,
    pub(super) gets: u64,
    /// Calls that send messages.
    pub(super) sqs_requests: u64,
}

impl Sums {
    /// The units that are read.
    pub(super) fn read_units(&self) -> Result<Decimal, Error> {
        let text = self.read_units.to_string();
        text.parse().map_err(|why| Error::failed(format!("the read units {text}"), why))
    }
}

/// The bytes that a life leaves in the table.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Kept {
    pub(super) table_bytes: u64,
    /// The bytes of items that expire, each times the days until then.
    pub(super) expiring_byte_days: u64,
}

/// A document, with what it leaves once items of it are retired.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) life: Life,
    pub(super) kept: Kept,
    /// The stage that retires the items.
    pub(super) retirement: Sums,
}

/// The counts that a bill needs.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) sent: Document,
    pub(super) received: Document,
    pub(super) idle: Life,
}

impl Counts {
    /// The counts in the program.
    pub(super) fn measured() -> Result<Self, Error> {
        let costs: Costs =
            serde_json::from_str(MEASURED).map_err(|why| Error::failed("costs.json", why))?;
        let life = |name: &str| {
            let life = costs.lives.get(name).cloned();
            life.ok_or_else(|| Error::Failed(format!("costs.json has no {name}")))
        };
        let document = |[lived, retired]: [&str; 2]| {
            let Life { mut stages, kept, .. } = life(retired)?;
            let retirement = stages.pop().filter(|last| last.name == RETIREMENT);
            let none = || Error::Failed(format!("{retired} does not end with {RETIREMENT}"));
            let retirement = retirement.ok_or_else(none)?.sum;
            Ok::<_, Error>(Document { life: life(lived)?, kept, retirement })
        };
        Ok(Counts { sent: document(SENT)?, received: document(RECEIVED)?, idle: life(IDLE)? })
    }
}
