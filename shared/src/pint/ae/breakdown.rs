//! The rules of each VAT category for its breakdown: `/*/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory` of scheme VAT.

use super::category::{Category, matched, some_is_zero};
use super::taxable::{
    is_flat_sum, is_margin_sum, is_standard_sum, is_standard_tax, is_tax_zero, is_without_tax,
};
use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// Category S.
pub(super) const STANDARD: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-s-08",
        term: "IBT-116",
        about: &[],
        message: "The taxable amount of category S is not the sum of the lines, charges and allowances of that rate.",
        fix: "Make it the sum of the lines of that rate, plus the charges and less the allowances.",
        holds: |category, facts| is_standard_sum(category, facts).unwrap_or(false),
    },
    Rule {
        id: "aligned-ibrp-s-09",
        term: "IBT-117",
        about: &[],
        message: "The tax of category S is not its rate of the taxable amount.",
        fix: "Make it taxable amount × rate / 100, rounded to two decimals.",
        holds: |category, facts| is_standard_tax(category, facts).unwrap_or(false),
    },
    Rule {
        id: "aligned-ibrp-s-10",
        term: "IBG-23",
        about: &[],
        message: "The VAT breakdown of category S has a reason of exemption.",
        fix: "Leave text and code of the reason out.",
        holds: |category, _| {
            category.child(cbc::TAX_EXEMPTION_REASON).is_none()
                && category.child(cbc::TAX_EXEMPTION_REASON_CODE).is_none()
        },
    },
];

/// Category N.
pub(super) const MARGIN: Group<Facts> = &[
    Rule {
        id: "ibr-102-ae",
        term: "IBT-116",
        about: &[],
        message: "The taxable amount of category N is not the sum of the lines of that rate.",
        fix: "Make it the sum of the net amounts of the lines of that rate.",
        holds: |category, facts| is_margin_sum(category, facts).unwrap_or(false),
    },
    Rule {
        id: "ibr-108-ae",
        term: "IBT-117",
        about: &[],
        message: "The tax of category N is not 0.",
        fix: "Write 0: VAT on the margin is not shown.",
        holds: |category, facts| is_tax_zero(category, facts),
    },
];

/// Category E.
pub(super) const EXEMPT: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-e-08",
        term: "IBT-116",
        about: &[],
        message: "The taxable amount of category E is not the sum of its lines, charges and allowances.",
        fix: "Make it the sum of the lines of the category, plus the charges and less the \
              allowances.",
        holds: |category, facts| is_flat_sum(category, facts, Category::Exempt),
    },
    Rule {
        id: "aligned-ibrp-e-09",
        term: "IBT-117",
        about: &[],
        message: "The tax of category E is not 0.",
        fix: "Write 0 as the tax amount.",
        holds: |category, facts| is_without_tax(category, facts),
    },
    Rule {
        id: "ibr-121-ae",
        term: "IBT-119",
        about: &[cbc::PERCENT],
        message: "The VAT breakdown of category E has a rate.",
        fix: "Leave the rate out.",
        holds: |category, _| category.child(cbc::PERCENT).is_none(),
    },
];

/// Category Z.
pub(super) const ZERO: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-z-08",
        term: "IBT-116",
        about: &[],
        message: "The taxable amount of category Z is not the sum of its lines, charges and allowances.",
        fix: "Make it the sum of the lines of the category, plus the charges and less the \
              allowances.",
        holds: |category, facts| is_flat_sum(category, facts, Category::Zero),
    },
    Rule {
        id: "aligned-ibrp-z-09",
        term: "IBT-117",
        about: &[],
        message: "The tax of category Z is not 0.",
        fix: "Write 0 as the tax amount.",
        holds: |category, facts| is_without_tax(category, facts),
    },
    Rule {
        id: "ibr-120-ae",
        term: "IBT-119",
        about: &[cbc::PERCENT],
        message: "The rate of category Z is not 0.",
        fix: "Write 0 as the rate.",
        holds: |category, _| some_is_zero(category.all(cbc::PERCENT)),
    },
];

/// Category O.
pub(super) const OUT_OF_SCOPE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-o-08",
        term: "IBT-116",
        about: &[],
        message: "The taxable amount of category O is not the sum of its lines, charges and allowances.",
        fix: "Make it the sum of the lines of the category, plus the charges and less the \
              allowances.",
        holds: |category, facts| is_flat_sum(category, facts, Category::OutOfScope),
    },
    Rule {
        id: "aligned-ibrp-o-09",
        term: "IBT-117",
        about: &[],
        message: "The tax of category O is not 0.",
        fix: "Write 0 as the tax amount.",
        holds: |category, facts| is_without_tax(category, facts),
    },
    Rule {
        id: "aligned-ibrp-o-11-ae",
        term: "IBT-119",
        about: &[cbc::PERCENT],
        message: "The VAT breakdown of category O has a rate.",
        fix: "Leave the rate out.",
        holds: |category, _| category.child(cbc::PERCENT).is_none(),
    },
];

/// Category AE: all its rates in one sum.
pub(super) const REVERSE_CHARGE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-ae-08-ae",
        term: "IBT-116",
        about: &[],
        message: "The taxable amount of category AE is not the sum of its lines, charges and allowances.",
        fix: "Make it the sum of the lines of the category, plus the charges and less the \
              allowances.",
        holds: |category, facts| is_flat_sum(category, facts, Category::ReverseCharge),
    },
    Rule {
        id: "aligned-ibrp-ae-09-ae",
        term: "IBT-117",
        about: &[],
        message: "The tax of category AE is not 0.",
        fix: "Write 0 as the tax amount.",
        holds: |category, facts| is_without_tax(category, facts),
    },
];

/// The group of a `cac:TaxCategory` below a `cac:TaxSubtotal`.
pub(super) fn group(node: Node<'_>, subtotal: Node<'_>) -> Option<Group<Facts>> {
    let total = subtotal.parent().filter(|total| total.name() == cac::TAX_TOTAL)?;
    if total.parent()?.parent().is_some() {
        return None;
    }
    Some(match matched(node)? {
        Category::Standard => STANDARD,
        Category::Margin => MARGIN,
        Category::Exempt => EXEMPT,
        Category::Zero => ZERO,
        Category::OutOfScope => OUT_OF_SCOPE,
        Category::ReverseCharge => REVERSE_CHARGE,
    })
}
