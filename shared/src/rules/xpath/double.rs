//! `xs:double`, for official expressions that compute with floating-point numbers.

use std::cmp::Ordering;

use super::{DynamicError, Evaluated, trim};

/// An `xs:double`.
#[expect(clippy::disallowed_types, reason = "official expressions compute with xs:double")]
pub type Double = f64;

/// The powers of ten for the decimals of a short number.
const POWERS: [Double; 15] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];

/// The referee reads whole numbers up to this length as integers, and integers have no negative zero.
const SHORT_INTEGER: usize = 11;

/// `xs:double(text)` (XML Schema 1.1 part 2, 3.3.5).
///
/// # Errors
/// For a text that is not a number, `NaN` or infinity.
pub fn is_number(text: &str) -> Evaluated<Double> {
    if let Some(value) = short_form(text.as_bytes()) {
        return Ok(value);
    }
    match trim(text) {
        "NaN" => Ok(Double::NAN),
        "INF" | "+INF" => Ok(Double::INFINITY),
        "-INF" => Ok(Double::NEG_INFINITY),
        text if is_finite_form(text) => text.parse().map_err(|_| DynamicError),
        _ => Err(DynamicError),
    }
}

/// Fast path for amounts: digits with at most one point. A double holds up to 15 digits and the power of ten exactly.
/// One division therefore rounds as general parsing does.
#[expect(clippy::float_arithmetic, reason = "exact operands, one rounding")]
fn short_form(text: &[u8]) -> Option<Double> {
    if text.is_empty() || text.len() > POWERS.len() {
        return None;
    }
    let mut digits = 0_u64;
    let mut point = None;
    for (place, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits = digits * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() && text.len() > 1 => point = Some(place),
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |point| text.len() - point - 1);
    let high = u32::try_from(digits >> 32).ok()?;
    let low = u32::try_from(digits & u64::from(u32::MAX)).ok()?;
    let whole =
        Double::from(high) * (Double::from(u32::MAX) + Double::from(1_u8)) + Double::from(low);
    Some(whole / POWERS[decimals])
}

/// `number(text)`: NaN where a cast would fail.
pub fn number(text: &str) -> Double {
    is_number(text).unwrap_or(Double::NAN)
}

/// Compares an untyped value with a whole number, as in the general comparison `cbc:PriceAmount >= 0`. The referee
/// orders doubles as IEEE 754 `totalOrder` does: `NaN` is above every number, and `-0.0` is below zero.
///
/// # Errors
/// For a text that is not an `xs:double`.
pub fn compare_number(text: &str, with: i32) -> Evaluated<Ordering> {
    let value = is_number(text)?;
    let short = trim(text).len() <= SHORT_INTEGER && !text.contains(['.', 'e', 'E']);
    let value = if short && value == Double::from(0_u8) { Double::from(0_u8) } else { value };
    Ok(value.total_cmp(&Double::from(with)))
}

/// Whether the text consists of an optional sign, digits with an optional point, and an optional exponent.
fn is_finite_form(text: &str) -> bool {
    let unsigned = |text: &str| match text.as_bytes().first() {
        Some(b'+' | b'-') => 1,
        _ => 0,
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let text = &text[unsigned(text)..];
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, &exponent[unsigned(exponent)..]),
        None => (text, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    !(whole.is_empty() && fraction.is_empty())
        && digits(whole)
        && digits(fraction)
        && !exponent.is_empty()
        && digits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lexical_form_is_that_of_xml_schema() {
        for text in ["1", "-1.5", "+1.", ".5", "1e5", "1E-5", " 5 ", "INF", "+INF", "-INF", "NaN"] {
            assert!(is_number(text).is_ok(), "{text:?}");
        }
        for text in
            ["", ".", "-", "x", "1d", "0x10", "1_0", "inf", "nan", "+NaN", "1e", "1 2", "1,5"]
        {
            assert!(is_number(text).is_err(), "{text:?}");
        }
        assert!(number("x").is_nan());
    }

    #[test]
    fn short_numbers_are_read_as_long_ones() {
        for text in [
            "0",
            "7.",
            ".5",
            "0.1",
            "532.1645",
            "123456789012345",
            "1234567890.1234",
            "0.000000000001",
        ] {
            assert_eq!(is_number(text), text.parse().map_err(|_| DynamicError), "{text:?}");
        }
    }

    #[test]
    fn comparisons_follow_the_total_order() {
        for (text, order) in [
            ("0", Ordering::Equal),
            ("0.00", Ordering::Equal),
            ("-0", Ordering::Equal),
            (" -0000000000 ", Ordering::Equal),
            ("-00000000000", Ordering::Less),
            ("-0.00", Ordering::Less),
            ("-0e5", Ordering::Less),
            ("-1e-400", Ordering::Less),
            ("NaN", Ordering::Greater),
            ("INF", Ordering::Greater),
            ("-INF", Ordering::Less),
        ] {
            assert_eq!(compare_number(text, 0), Ok(order), "{text:?}");
        }
        assert_eq!(compare_number("1.3e2", 130), Ok(Ordering::Equal));
        assert_eq!(compare_number("x", 0), Err(DynamicError));
    }
}
