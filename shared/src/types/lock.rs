//! The retention lock of stored documents.

use jiff::{Timestamp, civil::Date};

use super::{UAE_OFFSET, uae_date};

/// A retention lock: nobody may delete a locked object before the end (S3 Object Lock).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lock {
    /// The kind of lock.
    pub mode: LockMode,
    /// The number of years after the year in which the object was stored.
    pub years: i16,
}

/// The kind of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// Users with the bypass permission may delete.
    Governance,
    /// Nobody may delete.
    Compliance,
}

impl Lock {
    /// The end of the lock for an object stored at `now`: the end of that year in the UAE plus `years`.
    pub fn until(self, now: Timestamp) -> Option<Timestamp> {
        let year = uae_date(now).year().checked_add(self.years)?.checked_add(1)?;
        let end = Date::new(year, 1, 1).ok()?.to_zoned(UAE_OFFSET.to_time_zone()).ok()?;
        Some(end.timestamp())
    }
}
