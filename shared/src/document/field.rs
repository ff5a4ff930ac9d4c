//! Checks of one value each, with the finding they make.

use rust_decimal::Decimal;

use super::{findings::Findings, place::Place};
use crate::codes::CodeList;

/// A value as a message may repeat it: quoted, its start if it is long.
pub(super) fn quoted(value: &str) -> String {
    match value.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}…", &value[..end]),
        None => format!("{value:?}"),
    }
}

/// A business term, the official rule that speaks of it (or nothing), and the list's name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub(super) list: CodeList,
    pub(super) name: &'static str,
    pub(super) rule: &'static str,
}

/// The code must be in its list. An empty code has been reported before.
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

/// The official rule in brackets, if there is one.
pub(super) fn official(rule: &str) -> String {
    if rule.is_empty() { String::new() } else { format!(" ({rule})") }
}

/// At most so many characters.
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

/// At most so many decimals, not counting zeros at the end.
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

/// Not below zero, or above it.
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

/// A form that the value must have, told in words.
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

/// ASCII digits and nothing else, so many of them.
pub(super) fn is_digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|b| b.is_ascii_digit())
}

/// A tax registration number: 15 digits, 1 first, 03 last (ibr-132-ae).
pub(super) fn is_trn(text: &str) -> bool {
    is_digits(text, 15) && text.starts_with('1') && text.ends_with("03")
}

/// A tax identification number: 10 digits, 1 first (ibr-148-ae). Its last digit is no check
/// digit in practice: the official examples fail the Luhn formula.
pub(super) fn is_tin(text: &str) -> bool {
    is_digits(text, 10) && text.starts_with('1')
}

/// Either of the two.
pub(super) fn is_trn_or_tin(text: &str) -> bool {
    is_trn(text) || is_tin(text)
}
