//! The rate limit of tax reports. One item holds the next free turn, and each caller gets a turn in the order of
//! requests. So any number of independent workers keep one rate.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::{
    Store, StoreError,
    dynamo::{Expression, Updated, corrupt, from_item},
    keys::Key,
};

/// How often concurrent requests for a turn are retried.
const ATTEMPTS: u32 = 6;

/// The next free turn, in microseconds since 1970.
#[derive(Deserialize)]
struct Pace {
    next: i64,
}

impl Store {
    /// Returns the next turn: `interval` after the one before, and not in the past. The turn of a worker that dies, or
    /// of a repeated call, is lost. So the rate can be lower, never higher.
    pub async fn take_turn(
        &self,
        now: Timestamp,
        interval: SignedDuration,
    ) -> Result<Timestamp, StoreError> {
        let interval = i64::try_from(interval.as_micros()).map_err(corrupt)?;
        let now = now.as_microsecond();
        let values =
            |text: &str| Expression::new(text).name("#next", "next").number(":interval", interval);
        for attempt in 0..ATTEMPTS {
            let queue = values("SET #next = #next + :interval");
            let later = Expression::new("#next >= :now").number(":now", now);
            if let Updated::Done(item) =
                self.update(Key::tax_report_pace(), queue, Some(later)).await?
            {
                return instant_of(from_item::<Pace>(item)?.next - interval);
            }
            // The last turn is in the past.
            let begin = values("SET #next = :now + :interval").number(":now", now);
            let over = Expression::new("attribute_not_exists(#next) OR #next < :now");
            if let Updated::Done(item) =
                self.update(Key::tax_report_pace(), begin, Some(over)).await?
            {
                return instant_of(from_item::<Pace>(item)?.next - interval);
            }
            self.back_off(attempt).await;
        }
        Err(StoreError::Unavailable("too many requests for a turn at once".into()))
    }
}

fn instant_of(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(corrupt)
}
