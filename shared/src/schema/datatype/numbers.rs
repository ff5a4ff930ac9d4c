//! Numbers of any length: `xs:decimal`, `xs:integer` and its derived types, `xs:double`.

use super::{digits, is_blank, trim, trim_start};

/// `xs:decimal` (Part 2 section 3.2.3). `1.` and `.5` are valid, `.` is not.
pub(super) fn is_decimal(value: &[u8]) -> bool {
    let value = trim_start(value);
    let value = value.strip_prefix(b"-").or_else(|| value.strip_prefix(b"+")).unwrap_or(value);
    let (whole, rest) = digits(value);
    let (fraction, rest) = digits(rest.strip_prefix(b".").unwrap_or(rest));
    !(whole.is_empty() && fraction.is_empty()) && rest.iter().all(|byte| is_blank(*byte))
}

/// `xs:double` and `xs:float` (Part 2 sections 3.2.4 and 3.2.5). libxml2 accepts an exponent without digits. It accepts
/// white space after a number, but not after `INF` and `NaN`.
pub(super) fn is_double(value: &[u8]) -> bool {
    let value = trim_start(value);
    if matches!(value, b"NaN" | b"INF" | b"-INF") {
        return true;
    }
    let value = value.strip_prefix(b"-").or_else(|| value.strip_prefix(b"+")).unwrap_or(value);
    let (whole, rest) = digits(value);
    let (fraction, rest) = digits(rest.strip_prefix(b".").unwrap_or(rest));
    let rest = match rest {
        [b'e' | b'E', b'+' | b'-', rest @ ..] | [b'e' | b'E', rest @ ..] => digits(rest).1,
        rest => rest,
    };
    !(whole.is_empty() && fraction.is_empty()) && rest.iter().all(|byte| is_blank(*byte))
}

/// An integer of any length from `least` to `most` (Part 2 section 3.3.13).
pub(super) fn integer(value: &str, least: Option<i128>, most: Option<i128>) -> bool {
    let value = trim(value);
    let unsigned = value.strip_prefix(['-', '+']).unwrap_or(value);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let significant = unsigned.trim_start_matches('0');
    // A number that exceeds an `i128` is outside every bound on its side of zero.
    let beyond = i128::MAX;
    let size = if significant.is_empty() { 0 } else { significant.parse().unwrap_or(beyond) };
    let number = if value.starts_with('-') { -size } else { size };
    least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
}

/// An integer within the bounds of a machine type.
pub(super) fn within<T: Into<i128>, U: Into<i128>>(value: &str, least: T, most: U) -> bool {
    integer(value, Some(least.into()), Some(most.into()))
}
