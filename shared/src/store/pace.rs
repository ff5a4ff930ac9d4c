//! The rate limit of tax reports. An item holds the next free turn of a shard. A process leases a block of turns with
//! one conditional write, and no two processes share a turn. So any number of independent workers keep one rate, and an
//! item is written once for a block.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::{
    Store, StoreError,
    dynamo::{Expression, Item, Updated, corrupt, from_item},
    keys::Key,
};

/// How often a lease is tried while other processes lease turns.
const ATTEMPTS: u32 = 6;

/// The next free turn, in microseconds since 1970.
#[derive(Deserialize)]
struct Pace {
    next: i64,
}

/// The request for a block of turns.
#[derive(Debug, Clone, Copy)]
pub struct TurnRequest {
    /// How many turns.
    pub count: u32,
    /// The time between two turns.
    pub interval: SignedDuration,
    /// The latest instant at which the block may begin.
    pub until: Timestamp,
    /// Whether turns of this second or of a later one are probably leased already. It says which write to try first.
    pub running: bool,
}

/// The answer to a request for a block of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnLease {
    /// The block begins at this turn. The others follow after one interval each.
    From(Timestamp),
    /// All turns until the latest instant have been given. This is the next free one.
    Full(Timestamp),
}

impl Store {
    /// Leases the next block of turns of a shard: it begins after the turns that were leased before, and not before this second. The
    /// turns of a worker that dies, or of a repeated call, are lost. So the rate can be lower, never higher.
    pub async fn lease_turns(
        &self,
        shard: u8,
        now: Timestamp,
        TurnRequest { count, interval, until, mut running }: TurnRequest,
    ) -> Result<TurnLease, StoreError> {
        let interval = i64::try_from(interval.as_micros()).map_err(corrupt)?;
        let (span, second) = (interval * i64::from(count), now.as_second() * 1_000_000);
        let update = |text: &str| Expression::new(text).name("#next", "next").number(":span", span);
        for attempt in 0..ATTEMPTS {
            let written = if running {
                let behind = Expression::new("#next BETWEEN :second AND :until")
                    .number(":second", second)
                    .number(":until", until.as_microsecond());
                self.update(
                    Key::tax_report_pace(shard),
                    update("SET #next = #next + :span"),
                    Some(behind),
                )
            } else {
                let begin = update("SET #next = :second + :span").number(":second", second);
                let over = Expression::new("attribute_not_exists(#next) OR #next < :second");
                self.update(Key::tax_report_pace(shard), begin, Some(over))
            };
            match written.await? {
                Updated::Done(item) => {
                    return Ok(TurnLease::From(instant_of(next_of(item)? - span)?));
                }
                Updated::Refused(item) if item.is_empty() => running = false,
                Updated::Refused(item) => {
                    let next = instant_of(next_of(item)?)?;
                    if until < next {
                        return Ok(TurnLease::Full(next));
                    }
                    running = next.as_microsecond() >= second;
                }
            }
            // The first refusal only shows which write is right.
            if attempt > 0 {
                self.back_off(attempt).await;
            }
        }
        Err(StoreError::Unavailable("too many requests for a turn at once".into()))
    }
}

fn next_of(item: Item) -> Result<i64, StoreError> {
    Ok(from_item::<Pace>(item)?.next)
}

fn instant_of(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(corrupt)
}
