//! Decimals, dates and times in JSON.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::{
    findings::Findings,
    json::{FromJson, ToJson, Tree, wrong_type},
    number::canonical_number,
    place::Place,
};

/// Maximum number of digits before the decimal point.
pub const MAX_INTEGER_DIGITS: usize = 18;
/// Maximum number of digits after the decimal point.
pub const MAX_DECIMALS: usize = 10;

/// Parses a JSON number. It may have an exponent (RFC 8259, section 6), because programs write small and large numbers
/// so: 1e-05, 1E+2.
fn parse_number(text: &str) -> Result<Decimal, &'static str> {
    const EXPONENT: [char; 2] = ['e', 'E'];
    if !text.contains(EXPONENT) {
        return parse_decimal(text);
    }
    let plain = canonical_number(text);
    // A number with too many digits keeps its exponent.
    if plain.contains(EXPONENT) { Err(DIGITS) } else { parse_decimal(&plain) }
}

const DIGITS: &str = "at most 18 digits before and 10 after the decimal point";

/// Parses plain decimal notation, `-?digits[.digits]`, without a float.
fn parse_decimal(text: &str) -> Result<Decimal, &'static str> {
    const NOTATION: &str = "not a decimal number in plain notation, such as \"1250.50\"";
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (integer, fraction) = match unsigned.split_once('.') {
        Some((integer, fraction)) if !fraction.is_empty() => (integer, fraction),
        Some(_) => return Err(NOTATION),
        None => (unsigned, ""),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if integer.is_empty() || !digits(integer) || !digits(fraction) {
        return Err(NOTATION);
    }
    if integer.len() > 1 && integer.starts_with('0') {
        return Err("a number without leading zeros is expected");
    }
    // A [`Decimal`] holds these 28 digits without loss.
    if integer.len() > MAX_INTEGER_DIGITS || fraction.len() > MAX_DECIMALS {
        return Err(DIGITS);
    }
    let value = Decimal::from_str_exact(text).map_err(|_| NOTATION)?;
    Ok(if value.is_zero() { value.abs() } else { value })
}

impl FromJson for Decimal {
    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self> {
        let parsed = match tree {
            Tree::Number(text) => parse_number(text),
            Tree::Text(text) => parse_decimal(text),
            _ => {
                wrong_type(tree, "a decimal number, as a string or a number", place, findings);
                return None;
            }
        };
        match parsed {
            Ok(value) => Some(value),
            Err(message) => {
                findings.error(place, "AP-JSON-decimal", message);
                None
            }
        }
    }
}

impl ToJson for Decimal {
    fn to_json(&self) -> Option<serde_json::Value> {
        Some(self.to_string().into())
    }
}

/// Parses `YYYY-MM-DD` and no other form (the `full-date` of RFC 3339; years 0001 to 9999).
pub(super) fn parse_date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 {
        return None;
    }
    let number = |range: std::ops::Range<usize>| {
        bytes.get(range)?.iter().try_fold(0i16, |value, byte| {
            byte.is_ascii_digit().then(|| value * 10 + i16::from(byte - b'0'))
        })
    };
    if bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    // `xs:date` of XSD 1.0 has no year 0000.
    if year == 0 {
        return None;
    }
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

impl FromJson for Date {
    fn from_json(tree: &Tree<'_>, place: Place<'_>, findings: &mut Findings) -> Option<Self> {
        let Tree::Text(text) = tree else {
            wrong_type(tree, "a date such as \"2026-11-30\"", place, findings);
            return None;
        };
        let date = parse_date(text);
        if date.is_none() {
            let message = "not a calendar date in the form YYYY-MM-DD";
            findings.error(place, "AP-JSON-date", message);
        }
        date
    }
}

impl ToJson for Date {
    fn to_json(&self) -> Option<serde_json::Value> {
        Some(self.to_string().into())
    }
}

/// Whether the text is an `xs:time`: `hh:mm:ss`, an optional fraction of up to 9 digits, an optional zone. 24:00:00 is
/// refused.
pub(super) fn parse_time(text: &str) -> bool {
    let pair = |part: &str, max: u8| {
        part.len() == 2
            && part.bytes().all(|b| b.is_ascii_digit())
            && part.parse::<u8>().is_ok_and(|n| n <= max)
    };
    let clock = |part: &str| {
        let mut parts = part.split(':');
        pair(parts.next().unwrap_or_default(), 23)
            && pair(parts.next().unwrap_or_default(), 59)
            && parts.next().is_none_or(|seconds| pair(seconds, 59))
            && parts.next().is_none()
    };
    let Some((time, rest)) = text.split_at_checked(8) else { return false };
    let zone = match rest.strip_prefix('.') {
        Some(rest) => {
            let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            if !(1..=9).contains(&(rest.len() - zone.len())) {
                return false;
            }
            zone
        }
        None => rest,
    };
    let zone_ok = match zone.strip_prefix(['+', '-']) {
        Some(offset) => offset.len() == 5 && clock(offset) && offset <= "14:00",
        None => zone.is_empty() || zone == "Z",
    };
    clock(time) && zone_ok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_keeps_every_digit_and_its_scale() {
        for text in ["0", "0.10", "-12.5", "999999999999999999.9999999999", "123456789012345678"] {
            assert_eq!(parse_decimal(text).unwrap().to_string(), text);
        }
        assert_eq!(parse_decimal("-0.00").unwrap().to_string(), "0.00");
    }

    #[test]
    fn a_json_number_may_have_an_exponent_and_a_string_may_not() {
        for (text, plain) in [
            ("1e0", "1"),
            ("1E+2", "100"),
            ("1e-05", "0.00001"),
            ("-2.50e1", "-25"),
            ("0e9", "0"),
            ("1.10", "1.10"),
        ] {
            assert_eq!(parse_number(text).unwrap().to_string(), plain, "{text}");
        }
        for text in ["1e18", "1e-11", "1e400", "1e-99999999999999999999"] {
            assert_eq!(parse_number(text), Err(DIGITS), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_decimal_notation_is_refused() {
        for text in [
            "",
            "-",
            ".5",
            "5.",
            "1e3",
            "1E3",
            "+1",
            "1,5",
            " 1",
            "1 ",
            "0x1",
            "NaN",
            "1.2.3",
            "--1",
            "01",
            "00",
            "1_000",
            "١",
            "1234567890123456789",
            "0.12345678901",
        ] {
            assert!(parse_decimal(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_time_is_a_clock_time_with_or_without_a_zone() {
        for text in ["00:00:00", "23:59:59Z", "18:24:10+04:00", "18:24:10.5-14:00"] {
            assert!(parse_time(text), "{text:?}");
        }
        for text in [
            "",
            "24:00:00",
            "18:24",
            "18:24:60",
            "18:24:10 Z",
            "18:24:10+4",
            "18:24:10+14:01",
            "18:24:10.",
            "1:02:03",
            "18:24:10+04:00:00",
            "aa:bb:cc",
            "१२:00:00",
        ] {
            assert!(!parse_time(text), "{text:?}");
        }
    }

    #[test]
    fn a_date_is_a_day_of_the_calendar_in_ten_characters() {
        assert_eq!(parse_date("2028-02-29").unwrap().to_string(), "2028-02-29");
        for text in [
            "2027-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "0000-01-01",
            "2026-1-01",
            "2026-01-01Z",
            "20260101",
            "2026/01/01",
            "2026-01-0a",
            "",
        ] {
            assert!(parse_date(text).is_none(), "{text:?}");
        }
    }
}
