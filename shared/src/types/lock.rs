//! How long what is to be kept can be removed by nobody.

use jiff::{Timestamp, civil::Date};

use super::{UAE_OFFSET, uae_date};

/// Nobody may remove what is to be kept, as long as it is (S3 Object Lock).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lock {
    /// To whom that applies.
    pub mode: LockMode,
    /// For how many years after the one in which something came.
    pub years: i16,
}

/// To whom a lock applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// To all but those who were given the right to pass over it.
    Governance,
    /// To all.
    Compliance,
}

impl Lock {
    /// Until when what comes at an instant is locked: to the end of its year in the UAE, and the years after that.
    pub fn until(self, now: Timestamp) -> Option<Timestamp> {
        let year = uae_date(now).year().checked_add(self.years)?.checked_add(1)?;
        let end = Date::new(year, 1, 1).ok()?.to_zoned(UAE_OFFSET.to_time_zone()).ok()?;
        Some(end.timestamp())
    }
}
