use std::{fmt, str::FromStr};

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, Time},
    tz::Offset,
};
use serde::{Deserialize, Serialize};

/// A calendar month in UTC, the period of a report to OpenPeppol: `2026-10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Month {
    first: Date,
}

/// Why a text is not a month.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a month is written YYYY-MM, such as 2026-10")]
pub struct MonthError;

impl Month {
    /// The month of an instant.
    pub fn of(instant: Timestamp) -> Self {
        Month { first: Offset::UTC.to_datetime(instant).date().first_of_month() }
    }

    /// The month before.
    #[must_use]
    pub fn previous(self) -> Self {
        Month { first: self.first.saturating_sub(1.day()).first_of_month() }
    }

    /// Its first day.
    pub fn first(self) -> Date {
        self.first
    }

    /// Its last day.
    pub fn last(self) -> Date {
        self.first.last_of_month()
    }

    /// The first instant after it.
    pub fn end(self) -> Timestamp {
        let after = self.last().saturating_add(1.day()).to_datetime(Time::midnight());
        Offset::UTC.to_timestamp(after).unwrap_or(Timestamp::MAX)
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.first.year(), self.first.month())
    }
}

impl FromStr for Month {
    type Err = MonthError;

    fn from_str(text: &str) -> Result<Self, MonthError> {
        let number = |text: &str, digits: usize| {
            let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
            fits.then(|| text.parse::<i16>().ok()).flatten()
        };
        let parts = text.split_once('-').and_then(|(year, month)| {
            Some((number(year, 4)?, i8::try_from(number(month, 2)?).ok()?))
        });
        let (year, month) = parts.ok_or(MonthError)?;
        let first = Date::new(year, month, 1).map_err(|_| MonthError)?;
        Ok(Month { first })
    }
}

impl TryFrom<String> for Month {
    type Error = MonthError;

    fn try_from(text: String) -> Result<Self, MonthError> {
        text.parse()
    }
}

impl From<Month> for String {
    fn from(month: Month) -> String {
        month.to_string()
    }
}
