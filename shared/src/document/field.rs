//! Checks of a single value, with the finding that each reports.

use rust_decimal::Decimal;

use super::{findings::Findings, place::Place};
use crate::codes::CodeList;

/// Quotes a value for a message and cuts a long one.
pub(super) fn quoted(value: &str) -> String {
    match value.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}…", &value[..end]),
        None => format!("{value:?}"),
    }
}

/// A code list with its name and the official rule that demands it (empty if none).
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub(super) list: CodeList,
    pub(super) name: &'static str,
    pub(super) rule: &'static str,
}

/// Checks that a code is in its list. An empty code is reported elsewhere.
pub(super) fn code(
    findings: &mut Findings,
    place: Place<'_>,
    value: Option<&str>,
    term: &'static str,
    listed: Listed,
) {
    let Some(value) = value.filter(|v| !v.is_empty() && !listed.list.contains(v)) else { return };
    let rule = official(listed.rule);
    let message = if listed.list.is_short() {
        format!("{} is not one of {}{rule}", quoted(value), listed.list.text())
    } else {
        format!("{} is not a code of {}{rule}", quoted(value), listed.name)
    };
    findings.term(place, "AP-JSON-code", term, message);
}

/// The official rule in parentheses, if there is one.
pub(super) fn official(rule: &str) -> String {
    if rule.is_empty() { String::new() } else { format!(" ({rule})") }
}

/// Checks the maximum length in characters.
pub(super) fn at_most(
    findings: &mut Findings,
    place: Place<'_>,
    value: Option<&str>,
    limit: usize,
    term: &'static str,
) {
    let length = value.map_or(0, |value| value.chars().count());
    if length > limit {
        let message = format!("{length} characters; at most {limit} are allowed");
        findings.term(place, "AP-JSON-length", term, message);
    }
}

/// Checks the maximum number of decimals. Trailing zeros do not count.
pub(super) fn decimals(
    findings: &mut Findings,
    place: Place<'_>,
    value: Option<Decimal>,
    limit: u32,
    term: &'static str,
) {
    if let Some(value) = value.filter(|value| value.normalize().scale() > limit) {
        let message = format!("{value} has more than {limit} decimals");
        findings.term(place, "AP-JSON-decimals", term, message);
    }
}

/// The sign that an amount must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    NotNegative,
    Positive,
}

/// Checks that an amount is not negative, or that it is positive.
pub(super) fn sign(
    findings: &mut Findings,
    place: Place<'_>,
    value: Option<Decimal>,
    sign: Sign,
    term: &'static str,
) {
    let Some(value) = value else { return };
    let (ok, what) = match sign {
        Sign::NotNegative => (value >= Decimal::ZERO, "must not be negative"),
        Sign::Positive => (value > Decimal::ZERO, "must be greater than 0"),
    };
    if !ok {
        findings.term(place, "AP-JSON-range", term, format!("{value} {what}"));
    }
}

/// Checks the form of a value; the message describes the form in words.
pub(super) fn form(
    findings: &mut Findings,
    place: Place<'_>,
    value: Option<&str>,
    term: &'static str,
    matches: fn(&str) -> bool,
    expected: &str,
) {
    if let Some(value) = value.filter(|value| !value.is_empty() && !matches(value)) {
        let message = format!("{} is not {expected}", quoted(value));
        findings.term(place, "AP-JSON-pattern", term, message);
    }
}

/// Whether the text consists of exactly `length` ASCII digits.
pub(super) fn is_digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether the text is a tax registration number: 15 digits, 1 first, 03 last (ibr-132-ae).
pub(super) fn is_trn(text: &str) -> bool {
    is_digits(text, 15) && text.starts_with('1') && text.ends_with("03")
}

/// Whether the text is a tax identification number: 10 digits, 1 first (ibr-148-ae). The last digit is not checked:
/// official examples fail the Luhn formula.
pub(super) fn is_tin(text: &str) -> bool {
    is_digits(text, 10) && text.starts_with('1')
}

/// Whether the text is a TRN or a TIN.
pub(super) fn is_trn_or_tin(text: &str) -> bool {
    is_trn(text) || is_tin(text)
}
