//! `xs:date` and `xs:time`, cast and compared as the referee (SaxonC) does.
//!
//! The referee accepts time zones up to 14 hours and 59 minutes, and the year zero (XML Schema 1.1). A date without a
//! zone belongs to the referee's zone, which is UTC.

use super::{DynamicError, Evaluated, trim};

const MINUTES_A_DAY: i64 = 24 * 60;

/// An `xs:date`, stored as the minute in which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(i64);

/// `xs:date(text)`.
///
/// # Errors
/// For a text that is not a date of the calendar.
pub fn date(text: &str) -> Evaluated<Date> {
    read_date(trim(text)).ok_or(DynamicError)
}

/// `text castable as xs:time`.
pub fn is_time(text: &str) -> bool {
    read_time(trim(text)).is_some()
}

fn read_date(text: &str) -> Option<Date> {
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (years, rest) = rest.split_once('-')?;
    if years.len() < 4 || (years.len() > 4 && years.starts_with('0')) || !all_digits(years) {
        return None;
    }
    let year = i64::from(years.parse::<i32>().ok()?);
    let year = if negative { -year } else { year };
    let (month, rest) = two_digits(rest)?;
    let (day, rest) = two_digits(rest.strip_prefix('-')?)?;
    let zone = zone(rest)?;
    if !(1..=12).contains(&month) || !(1..=days(year, month)).contains(&day) {
        return None;
    }
    Some(Date((day_number(year, month, day) * MINUTES_A_DAY) - zone))
}

fn read_time(text: &str) -> Option<()> {
    let (hour, rest) = two_digits(text)?;
    let (minute, rest) = two_digits(rest.strip_prefix(':')?)?;
    let (second, rest) = two_digits(rest.strip_prefix(':')?)?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, rest),
    };
    zone(rest)?;
    let midnight =
        minute == 0 && second == 0 && fraction.is_none_or(|f| f.bytes().all(|b| b == b'0'));
    let valid = minute < 60
        && second < 60
        && fraction != Some("")
        && (hour < 24 || (hour == 24 && midnight));
    valid.then_some(())
}

/// Reads an offset as minutes east of Greenwich. The text is empty, `Z`, or a sign with hours and minutes.
fn zone(text: &str) -> Option<i64> {
    let (sign, rest) = match text.as_bytes() {
        [] | [b'Z'] => return Some(0),
        [b'+', ..] => (1, &text[1..]),
        [b'-', ..] => (-1, &text[1..]),
        _ => return None,
    };
    let (hours, rest) = two_digits(rest)?;
    let (minutes, rest) = two_digits(rest.strip_prefix(':')?)?;
    (rest.is_empty() && hours <= 14 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

fn two_digits(text: &str) -> Option<(i64, &str)> {
    let digits = text.get(..2).filter(|digits| all_digits(digits))?;
    Some((digits.parse().ok()?, &text[2..]))
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn days(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 0000-03-01 of the Gregorian calendar. In years that start in March, the leap day is the last day.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (month * 153 + 2) / 5 + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        for text in [
            "2026-11-01",
            " 2026-11-01 ",
            "2026-11-01Z",
            "2026-11-01+14:59",
            "0000-02-29",
            "-0004-02-29",
            "2000-02-29",
            "2147483647-01-01",
        ] {
            assert!(date(text).is_ok(), "{text:?}");
        }
        for text in [
            "",
            "2026-11-31",
            "2026-02-29",
            "1900-02-29",
            "-0005-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-1-01",
            "202-11-01",
            "02026-11-01",
            "2147483648-01-01",
            "2026-11-01+15:00",
            "2026-11-01+00:60",
            "2026-11-01z",
            "2026-11-01T00:00:00",
            "+2026-11-01",
            "2026-11-0\u{663}",
        ] {
            assert!(date(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn dates_compare_by_the_instant_at_which_they_begin() {
        let ordered = [
            "-0005-12-31",
            "0000-02-29",
            "0000-03-01",
            "1999-12-31",
            "2026-02-28",
            "2026-03-01+00:01",
            "2026-03-01",
            "2026-03-01-00:01",
            "2026-03-02",
            "99999-01-01",
        ];
        let dates: Vec<_> = ordered.iter().map(|text| date(text).unwrap()).collect();
        assert!(dates.is_sorted_by(|a, b| a < b));
        assert_eq!(date("2026-03-01Z"), date("2026-03-01"));
    }

    #[test]
    fn midnight_has_two_names_and_no_hour_has_61_minutes() {
        for text in
            ["00:00:00", "24:00:00.000", " 12:00:00.5Z ", "12:00:00-14:59", "23:59:59+00:00"]
        {
            assert!(is_time(text), "{text:?}");
        }
        for text in [
            "",
            "24:00:01",
            "24:00:00.0001",
            "12:60:00",
            "12:00:60",
            "12:00",
            "1:00:00",
            "12:00:00.",
            "12:00:00 Z",
            "12:00:00+15:00",
            "12:00:00+0100",
            "-12:00:00",
        ] {
            assert!(!is_time(text), "{text:?}");
        }
    }
}
