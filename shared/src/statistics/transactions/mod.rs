//! The official rules of the Transaction Statistics Report.
//!
//! There is one pattern. The first matching context decides.

mod header;
mod report;
mod subtotal;

use super::check::{SUBJECT_NAME, attribute};
use super::is_at;
use crate::rules::{Group, RuleSet, nothing_expected};
use crate::xml::names::{attr, tsr};
use crate::xml::{Name, Node};

/// The 40 rules.
pub const RULES: RuleSet = RuleSet {
    name: "tsr",
    version: "TSR 1.0.4",
    patterns: &[pattern],
    gather: |_| (),
    expected: nothing_expected,
};

/// The groups of the pattern `default`.
#[cfg(test)]
pub(crate) const GROUPS: &[Group<()>] = &[
    report::REPORT,
    header::HEADER,
    header::REPORTER,
    subtotal::PROVIDER,
    subtotal::COUNTRY,
    subtotal::PER_PROTOCOL,
    subtotal::PER_PROVIDER,
    subtotal::PER_COUNTRIES,
    subtotal::OTHER,
];

/// The type of subtotals by transport protocol.
const PER_PROTOCOL: &str = "PerTP";
/// The type of subtotals by service provider, document type and process.
const PER_PROVIDER: &str = "PerSP-DT-PR";
/// The type of subtotals by service provider, document type, process and countries.
const PER_COUNTRIES: &str = "PerSP-DT-PR-CC";

/// The pattern `default`.
fn pattern(node: Node<'_>) -> Option<Group<()>> {
    const ROOT: Name = tsr::TRANSACTION_STATISTICS_REPORT;
    match node.name() {
        ROOT if is_at(node, &[]) => Some(report::REPORT),
        tsr::HEADER if is_at(node, &[ROOT]) => Some(header::HEADER),
        tsr::REPORTER_ID if is_at(node, &[tsr::HEADER, ROOT]) => Some(header::REPORTER),
        tsr::KEY if is_at(node, &[tsr::SUBTOTAL, ROOT]) => {
            match attribute(node, attr::SCHEME_ID).as_str() {
                SUBJECT_NAME => Some(subtotal::PROVIDER),
                "SenderCountry" | "ReceiverCountry" => Some(subtotal::COUNTRY),
                _ => None,
            }
        }
        tsr::SUBTOTAL if is_at(node, &[ROOT]) => Some(match attribute(node, attr::TYPE).as_str() {
            PER_PROTOCOL => subtotal::PER_PROTOCOL,
            PER_PROVIDER => subtotal::PER_PROVIDER,
            PER_COUNTRIES => subtotal::PER_COUNTRIES,
            _ => subtotal::OTHER,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
