//! The numbers of end users, in the full set and in its subsets.

use std::cmp::Ordering;

use crate::rules::xpath::{
    Decimal, Double, DynamicError, Evaluated, integer, is_number, lone, sum_of, truncated,
};
use crate::xml::names::eusr;
use crate::xml::{Name, Node};

/// `xs:integer(eusr:FullSet/name)`
pub(super) fn whole(report: Node<'_>, name: Name) -> Evaluated<Option<Decimal>> {
    integer(report.all(eusr::FULL_SET).flat_map(|set| set.all(name)))
}

/// `xs:integer(eusr:FullSet/eusr:SendingEndUsers) + xs:integer(eusr:FullSet/eusr:ReceivingEndUsers)`
pub(super) fn total(report: Node<'_>) -> Evaluated<Option<Decimal>> {
    let sending = whole(report, eusr::SENDING_END_USERS)?;
    let receiving = whole(report, eusr::RECEIVING_END_USERS)?;
    Ok(sending.zip(receiving).map(|(sending, receiving)| sending.plus(&receiving)))
}

/// `$total = 0`
pub(super) fn is_empty(report: Node<'_>) -> bool {
    matches!(total(report), Ok(Some(total)) if total.is_zero())
}

/// `one <= other`; false if one of them is missing or raises an error.
pub(super) fn is_at_most(
    one: Evaluated<Option<Decimal>>,
    other: Evaluated<Option<Decimal>>,
) -> bool {
    matches!((one, other), (Ok(Some(one)), Ok(Some(other))) if one <= other)
}

/// `max(eusr:Subset/name) le xs:integer(eusr:FullSet/name)`, compared as doubles.
pub(super) fn holds_the_most(report: Node<'_>, name: Name) -> bool {
    let largest = || -> Evaluated<Option<Double>> {
        let mut largest: Option<Double> = None;
        for node in report.all(eusr::SUBSET).flat_map(|subset| subset.all(name)) {
            let value = is_number(&node.text())?;
            if value.is_nan() {
                return Err(DynamicError);
            }
            largest = Some(largest.map_or(value, |largest| largest.max(value)));
        }
        Ok(largest)
    };
    let whole = || whole(report, name)?.map(|whole| is_number(&whole.to_string())).transpose();
    match (largest(), whole()) {
        (Ok(Some(largest)), Ok(Some(whole))) => {
            !matches!(largest.partial_cmp(&whole), None | Some(Ordering::Greater))
        }
        _ => false,
    }
}

/// `xs:integer($st/name)`
pub(super) fn part(subset: Node<'_>, name: Name) -> Evaluated<Option<Decimal>> {
    integer(subset.all(name))
}

/// `xs:integer($st/eusr:SendingEndUsers + $st/eusr:ReceivingEndUsers)`, added as doubles.
pub(super) fn part_total(subset: Node<'_>) -> Evaluated<Option<Decimal>> {
    let one = |name| lone(subset.all(name));
    let sending = one(eusr::SENDING_END_USERS)?;
    let receiving = one(eusr::RECEIVING_END_USERS)?;
    let Some((sending, receiving)) = sending.zip(receiving) else { return Ok(None) };
    let sum = sum_of(is_number(&sending.text()), is_number(&receiving.text()))?;
    truncated(sum).map(Some)
}
