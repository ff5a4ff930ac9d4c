//! The official rules of the End User Statistics Report.
//!
//! There is one pattern. The first matching context decides.

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

/// The type of subsets by document type and process.
const PER_PROCESS: &str = "PerDT-PR";
/// The type of subsets by document type, process and country of the end users.
const PER_PROCESS_AND_COUNTRY: &str = "PerDT-PR-EUC";
/// The type of subsets by document type and country of the end users.
const PER_TYPE_AND_COUNTRY: &str = "PerDT-EUC";
/// The type of subsets by country of the end users.
const PER_COUNTRY: &str = "PerEUC";

/// The scheme of the country of end users.
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
