use jiff::Timestamp;

use super::TimeError;

/// The form of an `xs:dateTime` without its fraction: digits and separators.
const FORM: &[u8] = b"0000-00-00T00:00:00";

/// Reads an `xs:dateTime` with a zone: with or without a fraction, in UTC or with an offset.
pub(super) fn instant(text: &str) -> Result<Timestamp, TimeError> {
    let (local, rest) = text.split_at_checked(FORM.len()).ok_or(TimeError::Form)?;
    let fits = |(byte, form): (u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        _ => byte == *form,
    };
    if !local.bytes().zip(FORM).all(fits) {
        return Err(TimeError::Form);
    }
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    match zone.as_bytes() {
        [] => Err(TimeError::NoZone),
        // The library checks the values of the digits.
        [b'Z'] | [b'+' | b'-', _, _, b':', _, _] => text.parse().map_err(|_| TimeError::Form),
        _ => Err(TimeError::Form),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_other_access_points_are_read() {
        for (text, utc) in [
            ("2013-02-19T05:10:10Z", "2013-02-19T05:10:10Z"),
            ("2013-02-19T05:10:10+01:00", "2013-02-19T04:10:10Z"),
            ("2026-01-01T04:14:07.178+04:00", "2026-01-01T00:14:07.178Z"),
            ("2026-01-01T00:00:00.1234567Z", "2026-01-01T00:00:00.1234567Z"),
            ("2025-12-31T19:00:00-05:00", "2026-01-01T00:00:00Z"),
        ] {
            assert_eq!(instant(text).unwrap().to_string(), utc);
        }
    }

    #[test]
    fn what_is_no_instant_is_refused() {
        for text in [
            "",
            "2026",
            "2026-01-01",
            "2026-01-01Z",
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-02-30T00:00:00Z",
            "2026-01-01T25:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00z",
            "2026-01-01T00:00:00+04",
            "2026-01-01T00:00:00+ab:cd",
            "2026-01-01T00:00:00Z[UTC]",
            "2026-01-01T00:00:0\u{e9}Z",
            "-2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00+04:00x",
        ] {
            assert_eq!(instant(text), Err(TimeError::Form), "{text}");
        }
        for text in ["2026-01-01T00:00:00", "2023-11-15T16:58:54.263385"] {
            assert_eq!(instant(text), Err(TimeError::NoZone), "{text}");
        }
    }
}
