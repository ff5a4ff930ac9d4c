//! Invoice periods of the document and of its lines.

use super::{Facts, facts};
use crate::rules::xpath::{self, Date};
use crate::rules::{Group, Rule};
use crate::xml::names::cbc;
use crate::xml::{Name, Node};

/// `cac:InvoiceLine/cac:InvoicePeriod | cac:CreditNoteLine/cac:InvoicePeriod`
pub(super) const LINE: Group<Facts> = &[
    Rule {
        id: "ibr-085",
        term: "IBT-134",
        about: &[cbc::START_DATE],
        message: "The period of the line begins before that of the document.",
        fix: "Let the period of the line begin within the period of the document.",
        holds: |period, facts| {
            in_document(period, facts, |document| {
                is_within(period, cbc::START_DATE, &document.start, |date, bound| date >= bound)
            })
        },
    },
    Rule {
        id: "ibr-086",
        term: "IBT-135",
        about: &[cbc::END_DATE],
        message: "The period of the line ends after that of the document.",
        fix: "Let the period of the line end within the period of the document.",
        holds: |period, facts| {
            in_document(period, facts, |document| {
                is_within(period, cbc::END_DATE, &document.end, |date, bound| date <= bound)
            })
        },
    },
    Rule {
        id: "ibr-030",
        term: "IBT-135",
        about: &[cbc::END_DATE],
        message: "The period of the line ends before it begins.",
        fix: "Give an end that is not before the start.",
        holds: |period, _| is_forward(period),
    },
    Rule {
        id: "ibr-co-20",
        term: "IBG-26",
        about: &[],
        message: "The period of the line has neither a start nor an end.",
        fix: "Give a start date, an end date or both.",
        holds: |period, _| has(period, cbc::START_DATE) || has(period, cbc::END_DATE),
    },
];

/// `cac:InvoicePeriod`, elsewhere
pub(super) const DOCUMENT: Group<Facts> = &[
    Rule {
        id: "ibr-029",
        term: "IBT-074",
        about: &[cbc::END_DATE],
        message: "The invoicing period ends before it begins.",
        fix: "Give an end that is not before the start.",
        holds: |period, _| is_forward(period),
    },
    Rule {
        id: "ibr-co-19",
        term: "IBG-14",
        about: &[],
        message: "The invoicing period has neither a start nor an end, nor a code.",
        fix: "Give a start date, an end date or both.",
        holds: |period, _| {
            [cbc::START_DATE, cbc::END_DATE, cbc::DESCRIPTION_CODE]
                .into_iter()
                .any(|name| has(period, name))
        },
    },
];

fn has(period: Node<'_>, name: Name) -> bool {
    period.child(name).is_some()
}

/// Whether the period of a line satisfies `check` for the period of the document, two levels up.
fn in_document(
    period: Node<'_>,
    facts: &Facts,
    check: impl FnOnce(&facts::Period) -> bool,
) -> bool {
    period.ancestors().nth(1).is_none_or(|document| facts.shared.period.with(document, check))
}

/// `cbc:… >= xs:date(…)`; true if one of the two is missing.
fn is_within(
    period: Node<'_>,
    name: Name,
    bound: &facts::Bound,
    is_inside: fn(Date, Date) -> bool,
) -> bool {
    let inside = || {
        let Ok(Some(bound)) = bound.date else { return false };
        let is_inside = |node: Node<'_>| Ok(is_inside(xpath::date(&node.text())?, bound));
        xpath::some(period.all(name), is_inside) == Ok(true)
    };
    !has(period, name) || !bound.exists || inside()
}

/// Whether the end is not before the start; true if one of the two is missing.
fn is_forward(period: Node<'_>) -> bool {
    let date = |name| xpath::date_of(period.all(name));
    !has(period, cbc::START_DATE)
        || !has(period, cbc::END_DATE)
        || matches!((date(cbc::START_DATE), date(cbc::END_DATE)), (Ok(start), Ok(end)) if end >= start)
}
