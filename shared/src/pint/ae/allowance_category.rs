//! The rules of each VAT category for an allowance or a charge: `cac:AllowanceCharge/cac:TaxCategory` of scheme VAT.

use super::category::{Category, has_rate_above_zero, has_rate_zero, matched};
use super::facts::Kind;
use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::cbc;

/// Category S.
pub(super) const STANDARD: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-s-06",
        term: "IBT-096",
        about: &[cbc::PERCENT],
        message: "The VAT rate of an allowance of category S is not above zero.",
        fix: "Write 5, or use another category.",
        holds: |category, facts| {
            !is(Kind::Allowance, category, facts) || has_rate_above_zero(category)
        },
    },
    Rule {
        id: "aligned-ibrp-s-07",
        term: "IBT-103",
        about: &[cbc::PERCENT],
        message: "The VAT rate of a charge of category S is not above zero.",
        fix: "Write 5, or use another category.",
        holds: |category, facts| {
            !is(Kind::Charge, category, facts) || has_rate_above_zero(category)
        },
    },
];

/// Category Z.
pub(super) const ZERO: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-z-06",
        term: "IBT-096",
        about: &[cbc::PERCENT],
        message: "The VAT rate of an allowance of category Z is not 0.",
        fix: "Write 0, or use another category.",
        holds: |category, facts| !is(Kind::Allowance, category, facts) || has_rate_zero(category),
    },
    Rule {
        id: "aligned-ibrp-z-07",
        term: "IBT-103",
        about: &[cbc::PERCENT],
        message: "The VAT rate of a charge of category Z is not 0.",
        fix: "Write 0, or use another category.",
        holds: |category, facts| !is(Kind::Charge, category, facts) || has_rate_zero(category),
    },
];

/// Category E.
pub(super) const EXEMPT: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-e-06",
        term: "IBT-096",
        about: &[cbc::PERCENT],
        message: "The VAT rate of an allowance of category E is not 0.",
        fix: "Write 0: here category E has a rate.",
        holds: |category, facts| !is(Kind::Allowance, category, facts) || has_rate_zero(category),
    },
    Rule {
        id: "aligned-ibrp-e-07",
        term: "IBT-103",
        about: &[cbc::PERCENT],
        message: "The VAT rate of a charge of category E is not 0.",
        fix: "Write 0: here category E has a rate.",
        holds: |category, facts| !is(Kind::Charge, category, facts) || has_rate_zero(category),
    },
];

/// Category O.
pub(super) const OUT_OF_SCOPE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-o-06",
        term: "IBT-096",
        about: &[cbc::PERCENT],
        message: "An allowance of category O has a VAT rate.",
        fix: "Leave the rate out.",
        holds: |category, facts| {
            !is(Kind::Allowance, category, facts) || category.child(cbc::PERCENT).is_none()
        },
    },
    Rule {
        id: "aligned-ibrp-o-07",
        term: "IBT-103",
        about: &[cbc::PERCENT],
        message: "A charge of category O has a VAT rate.",
        fix: "Leave the rate out.",
        holds: |category, facts| {
            !is(Kind::Charge, category, facts) || category.child(cbc::PERCENT).is_none()
        },
    },
];

/// Category AE.
pub(super) const REVERSE_CHARGE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-ae-06",
        term: "IBT-096",
        about: &[cbc::PERCENT],
        message: "The VAT rate of an allowance of category AE is not 0.",
        fix: "Write 0: here category AE has that rate.",
        holds: |category, facts| !is(Kind::Allowance, category, facts) || has_rate_zero(category),
    },
    Rule {
        id: "aligned-ibrp-ae-07",
        term: "IBT-103",
        about: &[cbc::PERCENT],
        message: "The VAT rate of a charge of category AE is not 0.",
        fix: "Write 0: here category AE has that rate.",
        holds: |category, facts| !is(Kind::Charge, category, facts) || has_rate_zero(category),
    },
];

/// The group of a `cac:TaxCategory` below an allowance or charge. Distinguishing the two needs a walk over the
/// siblings, so each rule uses the gathered facts.
pub(super) fn group(node: Node<'_>) -> Option<Group<Facts>> {
    Some(match matched(node)? {
        Category::Standard => STANDARD,
        Category::Zero => ZERO,
        Category::Exempt => EXEMPT,
        Category::OutOfScope => OUT_OF_SCOPE,
        Category::ReverseCharge => REVERSE_CHARGE,
        Category::Margin => return None,
    })
}

fn is(kind: Kind, category: Node<'_>, facts: &Facts) -> bool {
    let known = category.parent().and_then(|node| facts.ae.kinds.get(node));
    known == Some(&kind)
}
