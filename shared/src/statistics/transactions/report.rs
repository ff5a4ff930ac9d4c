//! The report as a whole: its type, and how its subtotals add up to its total.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::super::check::{Keys, PROFILE, attribute, identifier, says};
use super::super::combinations::once_each;
use super::super::rule;
use super::{PER_COUNTRIES, PER_PROTOCOL, PER_PROVIDER};
use crate::rules::Group;
use crate::rules::xpath::{Double, Evaluated, compare_number, is_number, lone, some, sum_of};
use crate::xml::names::{attr, tsr};
use crate::xml::{Name, Node};

/// `/tsr:TransactionStatisticsReport`
pub(super) const REPORT: Group<()> = &[
    rule(
        "SCH-TSR-01",
        &[tsr::CUSTOMIZATION_ID],
        "The specification is not that of the Transaction Statistics Report.",
        "Write urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0.",
        |report, _| {
            let wanted = "urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0";
            says(report, tsr::CUSTOMIZATION_ID, wanted)
        },
    ),
    rule(
        "SCH-TSR-02",
        &[tsr::PROFILE_ID],
        "The process is not that of reports to OpenPeppol.",
        "Write urn:fdc:peppol.eu:edec:bis:reporting:1.0.",
        |report, _| says(report, tsr::PROFILE_ID, PROFILE),
    ),
    rule(
        "SCH-TSR-03",
        &[],
        "There are exchanges, and no subtotal by transport protocol.",
        "Add a Subtotal of type PerTP for each transport protocol.",
        |report, _| is_empty(report) || has(report, PER_PROTOCOL),
    ),
    rule(
        "SCH-TSR-04",
        &[tsr::TOTAL, tsr::INCOMING],
        "The incoming exchanges by transport protocol do not add up to the total.",
        "Count each incoming exchange once in the total and once in a Subtotal of type PerTP.",
        |report, _| is_empty(report) || adds_up(report, PER_PROTOCOL, tsr::INCOMING),
    ),
    rule(
        "SCH-TSR-05",
        &[tsr::TOTAL, tsr::OUTGOING],
        "The outgoing exchanges by transport protocol do not add up to the total.",
        "Count each outgoing exchange once in the total and once in a Subtotal of type PerTP.",
        |report, _| is_empty(report) || adds_up(report, PER_PROTOCOL, tsr::OUTGOING),
    ),
    rule(
        "SCH-TSR-06",
        &[],
        "A transport protocol has more than one subtotal.",
        "Put the exchanges of each transport protocol into one Subtotal.",
        |report, _| {
            let mut seen = HashSet::new();
            let mut keys = subtotals(report, PER_PROTOCOL).flat_map(|part| part.all(tsr::KEY));
            keys.all(|key| seen.insert(identifier(key)))
        },
    ),
    rule(
        "SCH-TSR-07",
        &[],
        "There are exchanges, and no subtotal by service provider, document type and process.",
        "Add a Subtotal of type PerSP-DT-PR for each combination of the three.",
        |report, _| is_empty(report) || has(report, PER_PROVIDER),
    ),
    rule(
        "SCH-TSR-08",
        &[tsr::TOTAL, tsr::INCOMING],
        "The incoming exchanges by service provider, document type and process do not add up to the total.",
        "Count each incoming exchange once in the total and once in a Subtotal of type PerSP-DT-PR.",
        |report, _| is_empty(report) || adds_up(report, PER_PROVIDER, tsr::INCOMING),
    ),
    rule(
        "SCH-TSR-09",
        &[tsr::TOTAL, tsr::OUTGOING],
        "The outgoing exchanges by service provider, document type and process do not add up to the total.",
        "Count each outgoing exchange once in the total and once in a Subtotal of type PerSP-DT-PR.",
        |report, _| is_empty(report) || adds_up(report, PER_PROVIDER, tsr::OUTGOING),
    ),
    rule(
        "SCH-TSR-10",
        &[],
        "A combination of service provider, document type and process has more than one subtotal.",
        "Put the exchanges of each combination into one Subtotal.",
        |report, _| {
            let parts = subtotals(report, PER_PROVIDER).map(providers);
            once_each(parts.collect())
        },
    ),
    rule(
        "SCH-TSR-11",
        &[],
        "There are incoming exchanges, and no subtotal by service provider, document type, process and countries.",
        "Add a Subtotal of type PerSP-DT-PR-CC for each combination of the five.",
        |report, _| has_nothing_incoming(report) || has(report, PER_COUNTRIES),
    ),
    rule(
        "SCH-TSR-12",
        &[tsr::TOTAL, tsr::INCOMING],
        "The incoming exchanges by countries do not add up to the total.",
        "Count each incoming exchange once in the total and once in a Subtotal of type PerSP-DT-PR-CC.",
        |report, _| has_nothing_incoming(report) || adds_up(report, PER_COUNTRIES, tsr::INCOMING),
    ),
    rule(
        "SCH-TSR-14",
        &[],
        "A combination of service provider, document type, process and countries has more than one subtotal.",
        "Put the exchanges of each combination into one Subtotal.",
        |report, _| {
            let parts = subtotals(report, PER_COUNTRIES).map(|part| {
                let keys = Keys { part, key: tsr::KEY };
                let mut kinds = providers(part);
                kinds.extend([keys.values("SenderCountry"), keys.values("ReceiverCountry")]);
                kinds
            });
            once_each(parts.collect())
        },
    ),
    rule(
        "SCH-TSR-39",
        &[tsr::SUBTOTAL],
        "A subtotal is of no known type.",
        "Use only the types PerTP, PerSP-DT-PR and PerSP-DT-PR-CC.",
        |report, _| {
            report.all(tsr::SUBTOTAL).all(|part| {
                let kind = attribute(part, attr::TYPE);
                [PER_PROTOCOL, PER_PROVIDER, PER_COUNTRIES].contains(&kind.as_str())
            })
        },
    ),
];

/// The subtotals of this type.
fn subtotals<'d>(report: Node<'d>, kind: &str) -> impl Iterator<Item = Node<'d>> {
    report.all(tsr::SUBTOTAL).filter(move |part| attribute(*part, attr::TYPE) == kind)
}

/// Whether a subtotal of this type exists.
fn has(report: Node<'_>, kind: &str) -> bool {
    subtotals(report, kind).next().is_some()
}

/// The service providers, document types and processes of a subtotal.
fn providers(part: Node<'_>) -> Vec<Vec<String>> {
    let keys = Keys { part, key: tsr::KEY };
    ["SP", "DT", "PR"].map(|meta| keys.identifiers(meta)).into()
}

/// `tsr:Total/name`
fn totals<'d>(report: Node<'d>, name: Name) -> impl Iterator<Item = Node<'d>> {
    report.all(tsr::TOTAL).flat_map(move |total| total.all(name))
}

/// `tsr:Total/tsr:Incoming + tsr:Total/tsr:Outgoing = 0`
fn is_empty(report: Node<'_>) -> bool {
    let one = |name| -> Evaluated<Option<Double>> {
        lone(totals(report, name))?.map(|node| is_number(&node.text())).transpose()
    };
    match (one(tsr::INCOMING), one(tsr::OUTGOING)) {
        (Ok(Some(incoming)), Ok(Some(outgoing))) => {
            let nothing = Double::from(0_u8);
            sum_of(Ok(incoming), Ok(outgoing)).is_ok_and(|total| total == nothing)
        }
        _ => false,
    }
}

/// `$empty or tsr:Total/tsr:Incoming = 0`
fn has_nothing_incoming(report: Node<'_>) -> bool {
    let is_nought = |node: Node<'_>| Ok(compare_number(&node.text(), 0)?.is_eq());
    is_empty(report) || some(totals(report, tsr::INCOMING), is_nought) == Ok(true)
}

/// `sum(subtotals/name) = tsr:Total/name`
fn adds_up(report: Node<'_>, kind: &str, name: Name) -> bool {
    let parts = subtotals(report, kind).flat_map(|part| part.all(name));
    let sum = parts.map(|node| is_number(&node.text())).reduce(sum_of).transpose();
    let is_sum = |node: Node<'_>| match sum? {
        // The referee (SaxonC) orders doubles this way: negative zero differs from zero, and NaN equals nothing.
        Some(sum) => {
            Ok(!sum.is_nan() && sum.total_cmp(&is_number(&node.text())?) == Ordering::Equal)
        }
        None => Ok(compare_number(&node.text(), 0)?.is_eq()),
    };
    some(totals(report, name), is_sum) == Ok(true)
}
