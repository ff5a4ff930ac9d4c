//! Dates, times and durations (Part 2 sections 3.2.6 to 3.2.14).
//!
//! libxml2 is stricter than the recommendation about white space:
//! - no white space around a date or a year;
//! - white space is accepted before a time, a month or a day;
//! - white space is accepted after a date with a time and a zone.

use super::{Datatype, digits, trim_start};

/// Whether the value belongs to this date or time type.
pub(super) fn is_moment(kind: Datatype, value: &[u8]) -> bool {
    let mut cursor = Cursor(match kind {
        Datatype::Time | Datatype::Month | Datatype::MonthDay | Datatype::Day => trim_start(value),
        _ => value,
    });
    let read = match kind {
        Datatype::Time => cursor.time(),
        Datatype::Month => cursor.literal(b"--").and_then(|()| cursor.month()).map(drop),
        Datatype::MonthDay => cursor.month_and_day(),
        Datatype::Day => cursor.literal(b"---").and_then(|()| cursor.day(31)),
        Datatype::Year => cursor.year().map(drop),
        Datatype::YearMonth => cursor.year_and_month().map(drop),
        Datatype::Date => cursor.date(),
        _ => cursor.date().and_then(|()| cursor.literal(b"T")).and_then(|()| cursor.time()),
    };
    let local = cursor.0;
    let read = read.and_then(|()| cursor.zone());
    let zoned = cursor.0.len() < local.len();
    let rest = if zoned && kind == Datatype::DateTime { trim_start(cursor.0) } else { cursor.0 };
    read.is_some() && rest.is_empty()
}

/// The rest of the input. Each step consumes what it reads, and returns `None` if the input does not match.
struct Cursor<'v>(&'v [u8]);

impl Cursor<'_> {
    fn literal(&mut self, wanted: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(wanted)?;
        Some(())
    }

    fn two(&mut self, least: u8, most: u8) -> Option<u8> {
        let [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] = self.0 else { return None };
        self.0 = rest;
        let number = (tens - b'0') * 10 + (ones - b'0');
        (least..=most).contains(&number).then_some(number)
    }

    /// At least four digits, without needless zeros; there is no year 0. As in libxml2, a year that exceeds 64 bits is
    /// refused.
    fn year(&mut self) -> Option<u64> {
        self.0 = self.0.strip_prefix(b"-").unwrap_or(self.0);
        let (year, rest) = digits(self.0);
        if year.len() < 4 || (year.len() > 4 && year.first() == Some(&b'0')) {
            return None;
        }
        self.0 = rest;
        let year: i64 = std::str::from_utf8(year).ok()?.parse().ok()?;
        u64::try_from(year).ok().filter(|year| *year > 0)
    }

    fn month(&mut self) -> Option<u8> {
        self.two(1, 12)
    }

    fn day(&mut self, most: u8) -> Option<()> {
        self.two(1, most).map(drop)
    }

    fn year_and_month(&mut self) -> Option<(u64, u8)> {
        let year = self.year()?;
        self.literal(b"-")?;
        Some((year, self.month()?))
    }

    fn date(&mut self) -> Option<()> {
        let (year, month) = self.year_and_month()?;
        self.literal(b"-")?;
        self.day(last_day(month, is_leap(year)))
    }

    fn month_and_day(&mut self) -> Option<()> {
        self.literal(b"--")?;
        let month = self.month()?;
        self.literal(b"-")?;
        self.day(last_day(month, true))
    }

    fn time(&mut self) -> Option<()> {
        let hour = self.two(0, 24)?;
        self.literal(b":")?;
        let minute = self.two(0, 59)?;
        self.literal(b":")?;
        let second = self.two(0, 59)?;
        let mut fraction: &[u8] = &[];
        if let Some(rest) = self.0.strip_prefix(b".") {
            (fraction, self.0) = digits(rest);
            if fraction.is_empty() {
                return None;
            }
        }
        let (is_zero, is_sixty) = sums_to(second, fraction);
        // 24:00:00 is the end of the day.
        (!is_sixty && (hour < 24 || (minute == 0 && is_zero))).then_some(())
    }

    /// `Z`, an offset of at most fourteen hours, or nothing.
    fn zone(&mut self) -> Option<()> {
        if self.literal(b"Z").is_some() {
            return Some(());
        }
        let [b'+' | b'-', rest @ ..] = self.0 else { return Some(()) };
        self.0 = rest;
        let hours = self.two(0, 14)?;
        self.literal(b":")?;
        let minutes = self.two(0, 59)?;
        (hours < 14 || minutes == 0).then_some(())
    }
}

/// Whether libxml2 reads the seconds with this fraction as exactly 0, and whether it reads them as 60. libxml2 adds the
/// digits in a double, so 59.99999999999999 rounds to 60 and is refused.
/// digits up in a double, so 59.99999999999999 rounds to 60, and is refused.
#[expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "the official validator adds the digits of a second in a double"
)]
fn sums_to(second: u8, fraction: &[u8]) -> (bool, bool) {
    let mut sum = f64::from(second);
    let mut weight = 1.0;
    for digit in fraction {
        weight /= 10.0;
        sum += f64::from(digit - b'0') * weight;
    }
    (sum <= 0.0, sum >= 60.0)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn last_day(month: u8, leap: bool) -> u8 {
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `xs:duration` (Part 2 section 3.2.6). libxml2 accepts `1.` and `.5` seconds. It accepts white space before the
/// value, but not after it, and no number above 64 bits.
pub(super) fn is_duration(value: &[u8]) -> bool {
    let value = trim_start(value);
    let value = value.strip_prefix(b"-").unwrap_or(value);
    value.strip_prefix(b"P").is_some_and(|parts| !parts.is_empty() && parts_of(parts).is_some())
}

/// Years, months, days, `T`, hours, minutes, seconds. The order is fixed, and each part occurs at most once.
fn parts_of(mut rest: &[u8]) -> Option<()> {
    const UNITS: &[u8] = b"YMDHMS";
    const HOURS: usize = 3;
    const DAY: i64 = 86400;
    let (mut unit, mut months, mut days, mut seconds) = (0, 0_i64, 0_i64, 0_i64);
    while !rest.is_empty() {
        if let Some(times) = rest.strip_prefix(b"T") {
            if unit > HOURS {
                return None;
            }
            (rest, unit) = (times, HOURS);
        } else if unit == HOURS {
            return None;
        }
        let (whole, after) = digits(rest);
        let fraction = after.strip_prefix(b".").map(digits);
        let (part, after) = fraction.unwrap_or((&[], after));
        let (letter, after) = after.split_first()?;
        let from = UNITS.get(unit..)?;
        let place = unit + from.iter().position(|known| known == letter)?;
        // Hours, minutes and seconds require a preceding `T`.
        if unit < HOURS && place >= HOURS {
            return None;
        }
        if (whole.is_empty() && part.is_empty()) || (fraction.is_some() && *letter != b'S') {
            return None;
        }
        let number =
            if whole.is_empty() { Some(0) } else { std::str::from_utf8(whole).ok()?.parse().ok() };
        let number: i64 = number?;
        match place {
            0 => months = number.checked_mul(12)?,
            1 => months = months.checked_add(number)?,
            2 => days = number,
            _ => {
                let size = match place {
                    3 => 3600,
                    4 => 60,
                    _ => 1,
                };
                days = days.checked_add(number / (DAY / size))?;
                seconds += number % (DAY / size) * size;
            }
        }
        (rest, unit) = (after, place + 1);
    }
    days.checked_add(seconds / DAY).map(drop)
}
