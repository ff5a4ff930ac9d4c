//! The VAT breakdown of all categories: `cac:TaxSubtotal`.

use super::category::{code, is_vat};
use crate::pint::Facts;
use crate::rules::xpath::{self, Evaluated};
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// `cac:TaxSubtotal`
pub(super) const SUBTOTAL: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-045",
        term: "IBT-116",
        about: &[cbc::TAXABLE_AMOUNT],
        message: "The VAT breakdown has no taxable amount.",
        fix: "Give the sum of the amounts taxed in this category at this rate.",
        holds: |subtotal, _| subtotal.child(cbc::TAXABLE_AMOUNT).is_some(),
    },
    Rule {
        id: "aligned-ibrp-046",
        term: "IBT-117",
        about: &[cbc::TAX_AMOUNT],
        message: "The VAT breakdown has no tax amount.",
        fix: "Give the VAT of this category and rate.",
        holds: |subtotal, _| subtotal.child(cbc::TAX_AMOUNT).is_some(),
    },
    Rule {
        id: "aligned-ibrp-047",
        term: "IBT-118",
        about: &[cac::TAX_CATEGORY],
        message: "The VAT breakdown has no VAT category.",
        fix: "Give the category, with VAT as its tax scheme.",
        holds: |subtotal, _| {
            some_vat_category(subtotal, |it| Ok(it.child(cbc::ID).is_some())) == Ok(true)
        },
    },
    Rule {
        id: "aligned-ibrp-048",
        term: "IBT-119",
        about: &[cac::TAX_CATEGORY],
        message: "The VAT breakdown has no rate.",
        fix: "Give the rate; only the categories O and E have none.",
        holds: |subtotal, _| {
            let is_without_rate = |it: Node<'_>| Ok(matches!(&*code(it)?, "O" | "E"));
            some_vat_category(subtotal, |it| Ok(it.child(cbc::PERCENT).is_some())) == Ok(true)
                || some_vat_category(subtotal, is_without_rate) == Ok(true)
        },
    },
    Rule {
        id: "ibr-119-ae",
        term: "IBT-119",
        about: &[cac::TAX_CATEGORY],
        message: "Category and rate of the VAT breakdown do not go together.",
        fix: "Leave the rate out for the categories O and E; give it for every other.",
        holds: |subtotal, _| {
            let mut codes = subtotal.select(&[cac::TAX_CATEGORY, cbc::ID]);
            let is_without_rate = codes.any(|id| matches!(&*id.text(), "O" | "E"));
            let rate = subtotal.find(&[cac::TAX_CATEGORY, cbc::PERCENT]);
            rate.is_none() == is_without_rate
        },
    },
];

fn some_vat_category(
    subtotal: Node<'_>,
    mut is_so: impl FnMut(Node<'_>) -> Evaluated<bool>,
) -> Evaluated<bool> {
    let categories = subtotal.all(cac::TAX_CATEGORY);
    xpath::some(categories, |category| Ok(is_vat(category)? && is_so(category)?))
}
