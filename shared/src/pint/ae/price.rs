//! Prices: `cac:Price` and the discount inside it.

use crate::pint::Facts;
use crate::rules::xpath::{self, Decimal};
use crate::rules::{Expected, Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// `cac:Price/cac:AllowanceCharge`
pub(super) const DISCOUNT: Group<Facts> = &[Rule {
    id: "aligned-ibrp-004",
    term: "IBT-146",
    about: &[],
    message: "The net price is not the gross price less the discount.",
    fix: "Subtract the discount from the gross price; without a discount write 0.",
    holds: |discount, facts| {
        discount.child(cbc::BASE_AMOUNT).is_none()
            || is_difference(discount, facts).unwrap_or(false)
    },
}];

/// `cac:Price`
pub(super) const PRICE: Group<Facts> = &[Rule {
    id: "ibr-126-ae",
    term: "IBT-148",
    about: &[],
    message: "The base quantity or the gross price is missing.",
    fix: "Give both: the base quantity (1 when the price is for one unit) and the gross price.",
    holds: |price, _| {
        price.child(cbc::BASE_QUANTITY).is_some()
            && price.find(&[cac::ALLOWANCE_CHARGE, cbc::BASE_AMOUNT]).is_some()
    },
}];

/// Whether net price = gross price − discount; `None` unless each is exactly one number.
fn is_difference(discount: Node<'_>, facts: &Facts) -> Option<bool> {
    let net = facts.ae.prices.get(discount.parent()?)?.as_ref()?;
    Some(*net == difference(discount)?)
}

fn difference(discount: Node<'_>) -> Option<Decimal> {
    let number = |name| xpath::decimal(discount.all(name)).ok().flatten();
    Some(number(cbc::BASE_AMOUNT)?.minus(&number(cbc::AMOUNT)?))
}

/// The net price that aligned-ibrp-004 expects.
pub(super) fn expected(discount: Node<'_>) -> Option<Expected<'_>> {
    let net = discount.parent()?.child(cbc::PRICE_AMOUNT);
    Some(Expected::amount(net, difference(discount)?))
}
