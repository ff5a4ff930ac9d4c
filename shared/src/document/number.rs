//! Compares JSON numbers by value.

use std::borrow::Cow;

/// The canonical spelling of a number: `1` for 1, 1.0 and 1e0, `1.5` for 1.50 and 15e-1. A number that would need an
/// exponent because of its length stays unchanged.
pub(super) fn canonical_number(text: &str) -> Cow<'_, str> {
    /// No field accepts a longer number.
    const LONGEST: usize = 64;
    let (sign, unsigned) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() {
        return "0".into();
    }
    // The position of the point, counted from the first digit that is kept.
    let leading = digits.len() - trimmed.len();
    let place = exponent.parse().ok().and_then(|exponent: isize| {
        let point = isize::try_from(whole.len()).ok()?.checked_add(exponent)?;
        point.checked_sub(isize::try_from(leading).ok()?)
    });
    let digits = trimmed.trim_end_matches('0');
    let Some(place) = place.filter(|place| place.unsigned_abs() + digits.len() <= LONGEST) else {
        return text.into();
    };
    let number = match usize::try_from(place) {
        Err(_) | Ok(0) => format!("0.{}{digits}", "0".repeat(place.unsigned_abs())),
        Ok(place) if place >= digits.len() => format!("{digits:0<place$}"),
        Ok(place) => format!("{}.{}", &digits[..place], &digits[place..]),
    };
    format!("{sign}{number}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbers_value_has_one_spelling() {
        for (spellings, canonical) in [
            (&["1", "1.0", "1.00", "1e0", "1E+0", "10e-1", "0.1e1", "100e-2"][..], "1"),
            (&["1.5", "1.50", "15e-1", "0.15e1", "0.00015E4"], "1.5"),
            (&["-0.07", "-7e-2", "-0.070"], "-0.07"),
            (&["100", "1e2", "100.0", "0.1e3"], "100"),
            (&["0", "-0", "0.0", "0e9", "-0.00e-3"], "0"),
            (&["12345678901234567890.5", "123456789012345678905e-1"], "12345678901234567890.5"),
        ] {
            for spelling in spellings {
                assert_eq!(canonical_number(spelling), canonical, "{spelling}");
            }
        }
        // No field accepts these numbers; the spelling only has to keep them distinct.
        for text in ["1e400", "1e-400", "1e99999999999999999999", "-1e9223372036854775807"] {
            assert_eq!(canonical_number(text), text);
        }
    }
}
