//! The End User Statistics Report, by the official rules.
//!
//! One pattern, in which the first context that matches counts.

mod full_set;
mod header;
mod report;
mod subset;

use super::check::attribute;
use super::is_at;
use crate::rules::{Group, RuleSet, nothing_expected};
use crate::xml::names::{attr, eusr};
use crate::xml::{Name, Node};

/// The 42 rules.
pub const RULES: RuleSet = RuleSet {
    name: "eusr",
    version: "EUSR 1.1.4",
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
    subset::COUNTRY,
    subset::PER_PROCESS,
    subset::PER_PROCESS_AND_COUNTRY,
    subset::PER_TYPE_AND_COUNTRY,
    subset::PER_COUNTRY,
];

/// The subsets by document type and process.
const PER_PROCESS: &str = "PerDT-PR";
/// Those of them that tell the end users' country apart as well.
const PER_PROCESS_AND_COUNTRY: &str = "PerDT-PR-EUC";
/// The subsets by document type and the end users' country.
const PER_TYPE_AND_COUNTRY: &str = "PerDT-EUC";
/// The subsets by the end users' country alone.
const PER_COUNTRY: &str = "PerEUC";

/// The scheme of a country of end users.
const COUNTRY: &str = "EndUserCountry";

/// The pattern `default`.
fn pattern(node: Node<'_>) -> Option<Group<()>> {
    const ROOT: Name = eusr::END_USER_STATISTICS_REPORT;
    match node.name() {
        ROOT if is_at(node, &[]) => Some(report::REPORT),
        eusr::HEADER if is_at(node, &[ROOT]) => Some(header::HEADER),
        eusr::REPORTER_ID if is_at(node, &[eusr::HEADER, ROOT]) => Some(header::REPORTER),
        eusr::KEY if is_at(node, &[eusr::SUBSET, ROOT]) => {
            (attribute(node, attr::SCHEME_ID) == COUNTRY).then_some(subset::COUNTRY)
        }
        eusr::SUBSET if is_at(node, &[ROOT]) => match attribute(node, attr::TYPE).as_str() {
            PER_PROCESS => Some(subset::PER_PROCESS),
            PER_PROCESS_AND_COUNTRY => Some(subset::PER_PROCESS_AND_COUNTRY),
            PER_TYPE_AND_COUNTRY => Some(subset::PER_TYPE_AND_COUNTRY),
            PER_COUNTRY => Some(subset::PER_COUNTRY),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests;
