//! The report as a whole: its type, and how its subsets relate to the full set.

use super::super::check::{Keys, PROFILE, attribute, says};
use super::super::combinations::once_each;
use super::super::rule;
use super::full_set::{holds_the_most, is_at_most, is_empty, part, part_total, total, whole};
use super::{COUNTRY, PER_COUNTRY, PER_PROCESS, PER_PROCESS_AND_COUNTRY, PER_TYPE_AND_COUNTRY};
use crate::rules::Group;
use crate::rules::xpath::Decimal;
use crate::xml::Node;
use crate::xml::names::{attr, eusr};

/// `/eusr:EndUserStatisticsReport`
pub(super) const REPORT: Group<()> = &[
    rule(
        "SCH-EUSR-01",
        &[eusr::CUSTOMIZATION_ID],
        "The specification is not that of the End User Statistics Report.",
        "Write urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1.",
        |report, _| {
            let wanted = "urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1";
            says(report, eusr::CUSTOMIZATION_ID, wanted)
        },
    ),
    rule(
        "SCH-EUSR-02",
        &[eusr::PROFILE_ID],
        "The process is not that of reports to OpenPeppol.",
        "Write urn:fdc:peppol.eu:edec:bis:reporting:1.0.",
        |report, _| says(report, eusr::PROFILE_ID, PROFILE),
    ),
    rule(
        "SCH-EUSR-03",
        &[eusr::FULL_SET, eusr::SENDING_END_USERS],
        "A subset has more sending end users than the whole report, or the report has none.",
        "Count in the full set every end user of every subset.",
        |report, _| is_empty(report) || holds_the_most(report, eusr::SENDING_END_USERS),
    ),
    rule(
        "SCH-EUSR-04",
        &[eusr::FULL_SET, eusr::RECEIVING_END_USERS],
        "A subset has more receiving end users than the whole report, or the report has none.",
        "Count in the full set every end user of every subset.",
        |report, _| is_empty(report) || holds_the_most(report, eusr::RECEIVING_END_USERS),
    ),
    rule(
        "SCH-EUSR-22",
        &[eusr::FULL_SET, eusr::SENDING_OR_RECEIVING_END_USERS],
        "A subset has more end users than the whole report, or the report has none.",
        "Count in the full set every end user of every subset.",
        |report, _| {
            is_empty(report) || holds_the_most(report, eusr::SENDING_OR_RECEIVING_END_USERS)
        },
    ),
    rule(
        "SCH-EUSR-19",
        &[eusr::FULL_SET, eusr::SENDING_OR_RECEIVING_END_USERS],
        "There are more end users than those who send and those who receive together.",
        "Count an end user who does both once among those who send or receive.",
        |report, _| is_at_most(whole(report, eusr::SENDING_OR_RECEIVING_END_USERS), total(report)),
    ),
    rule(
        "SCH-EUSR-20",
        &[eusr::FULL_SET, eusr::SENDING_OR_RECEIVING_END_USERS],
        "There are fewer end users in all than those who send.",
        "Count every sending end user among those who send or receive.",
        |report, _| {
            let sending = whole(report, eusr::SENDING_END_USERS);
            is_at_most(sending, whole(report, eusr::SENDING_OR_RECEIVING_END_USERS))
        },
    ),
    rule(
        "SCH-EUSR-21",
        &[eusr::FULL_SET, eusr::SENDING_OR_RECEIVING_END_USERS],
        "There are fewer end users in all than those who receive.",
        "Count every receiving end user among those who send or receive.",
        |report, _| {
            let receiving = whole(report, eusr::RECEIVING_END_USERS);
            is_at_most(receiving, whole(report, eusr::SENDING_OR_RECEIVING_END_USERS))
        },
    ),
    rule(
        "SCH-EUSR-15",
        &[],
        "There are end users, and no subset by document type and process.",
        "Add a Subset of type PerDT-PR for each combination of the two.",
        |report, _| is_empty(report) || has(report, PER_PROCESS),
    ),
    rule(
        "SCH-EUSR-13",
        &[],
        "A combination of document type and process has more than one subset.",
        "Put the end users of each combination into one Subset.",
        |report, _| once(report, PER_PROCESS, &["DT", "PR"], false),
    ),
    rule(
        "SCH-EUSR-29",
        &[],
        "A combination of document type, process and country has more than one subset.",
        "Put the end users of each combination into one Subset.",
        |report, _| once(report, PER_PROCESS_AND_COUNTRY, &["DT", "PR"], true),
    ),
    rule(
        "SCH-EUSR-37",
        &[],
        "There are end users, and no subset by document type and country.",
        "Add a Subset of type PerDT-EUC for each combination of the two.",
        |report, _| is_empty(report) || has(report, PER_TYPE_AND_COUNTRY),
    ),
    rule(
        "SCH-EUSR-38",
        &[],
        "A combination of document type and country has more than one subset.",
        "Put the end users of each combination into one Subset.",
        |report, _| once(report, PER_TYPE_AND_COUNTRY, &["DT"], true),
    ),
    rule(
        "SCH-EUSR-39",
        &[],
        "There are end users, and no subset by country.",
        "Add a Subset of type PerEUC for each country.",
        |report, _| is_empty(report) || has(report, PER_COUNTRY),
    ),
    rule(
        "SCH-EUSR-40",
        &[],
        "A country has more than one subset.",
        "Put the end users of each country into one Subset.",
        |report, _| once(report, PER_COUNTRY, &[], true),
    ),
    rule(
        "SCH-EUSR-14",
        &[eusr::SUBSET],
        "A subset is of no known type.",
        "Use only the types PerDT-PR, PerDT-PR-EUC, PerDT-EUC and PerEUC.",
        |report, _| {
            let known = [PER_PROCESS, PER_PROCESS_AND_COUNTRY, PER_TYPE_AND_COUNTRY, PER_COUNTRY];
            let mut subsets = report.all(eusr::SUBSET);
            subsets.all(|subset| known.contains(&attribute(subset, attr::TYPE).as_str()))
        },
    ),
    rule(
        "SCH-EUSR-33",
        &[eusr::SUBSET],
        "A subset has more end users than those in it who send and who receive together.",
        "Count an end user who does both once among those who send or receive.",
        |report, _| {
            every(report, |subset| {
                let both = part(subset, eusr::SENDING_OR_RECEIVING_END_USERS);
                is_at_most(both, part_total(subset))
            })
        },
    ),
    rule(
        "SCH-EUSR-34",
        &[eusr::SUBSET],
        "A subset has fewer end users than those in it who send.",
        "Count every sending end user among those who send or receive.",
        |report, _| {
            every(report, |subset| {
                let sending = part(subset, eusr::SENDING_END_USERS);
                is_at_most(sending, part(subset, eusr::SENDING_OR_RECEIVING_END_USERS))
            })
        },
    ),
    rule(
        "SCH-EUSR-35",
        &[eusr::SUBSET],
        "A subset has fewer end users than those in it who receive.",
        "Count every receiving end user among those who send or receive.",
        |report, _| {
            every(report, |subset| {
                let receiving = part(subset, eusr::RECEIVING_END_USERS);
                is_at_most(receiving, part(subset, eusr::SENDING_OR_RECEIVING_END_USERS))
            })
        },
    ),
    rule(
        "SCH-EUSR-36",
        &[eusr::SUBSET],
        "A subset has no end users.",
        "Leave the subset out.",
        |report, _| {
            every(report, |subset| {
                let both = part(subset, eusr::SENDING_OR_RECEIVING_END_USERS);
                matches!(both, Ok(Some(both)) if both > Decimal::ZERO)
            })
        },
    ),
];

/// The subsets of this type.
fn subsets<'d>(report: Node<'d>, kind: &str) -> impl Iterator<Item = Node<'d>> {
    report.all(eusr::SUBSET).filter(move |subset| attribute(*subset, attr::TYPE) == kind)
}

/// Whether a subset of this type exists.
fn has(report: Node<'_>, kind: &str) -> bool {
    subsets(report, kind).next().is_some()
}

/// Whether a condition holds for every subset.
fn every(report: Node<'_>, holds: impl Fn(Node<'_>) -> bool) -> bool {
    report.all(eusr::SUBSET).all(holds)
}

/// Whether each combination of keys of these meta schemes, and optionally of a country, has one subset of this type.
fn once(report: Node<'_>, kind: &str, meta_schemes: &[&str], by_country: bool) -> bool {
    let parts = subsets(report, kind).map(|part| {
        let keys = Keys { part, key: eusr::KEY };
        let mut kinds: Vec<_> = meta_schemes.iter().map(|meta| keys.identifiers(meta)).collect();
        if by_country {
            kinds.push(keys.values(COUNTRY));
        }
        kinds
    });
    once_each(parts.collect())
}
