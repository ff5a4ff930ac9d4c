//! What each VAT category demands of an allowance or a charge: `cac:AllowanceCharge/cac:TaxCategory`
//! of scheme VAT.

use super::category::{Category, has_rate_above_zero, has_rate_zero, matched};
use crate::pint::Facts;
use crate::rules::{Group, Rule, xpath};
use crate::xml::Node;
use crate::xml::names::cbc;

/// An allowance of category S.
pub(super) const STANDARD_ALLOWANCE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-s-06",
    term: "IBT-096",
    about: &[cbc::PERCENT],
    message: "The VAT rate of an allowance of category S is not above zero.",
    fix: "Write 5, or use another category.",
    holds: |category, _| has_rate_above_zero(category),
}];

/// A charge of category S.
pub(super) const STANDARD_CHARGE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-s-07",
    term: "IBT-103",
    about: &[cbc::PERCENT],
    message: "The VAT rate of a charge of category S is not above zero.",
    fix: "Write 5, or use another category.",
    holds: |category, _| has_rate_above_zero(category),
}];

/// An allowance of category Z.
pub(super) const ZERO_ALLOWANCE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-z-06",
    term: "IBT-096",
    about: &[cbc::PERCENT],
    message: "The VAT rate of an allowance of category Z is not 0.",
    fix: "Write 0, or use another category.",
    holds: |category, _| has_rate_zero(category),
}];

/// A charge of category Z.
pub(super) const ZERO_CHARGE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-z-07",
    term: "IBT-103",
    about: &[cbc::PERCENT],
    message: "The VAT rate of a charge of category Z is not 0.",
    fix: "Write 0, or use another category.",
    holds: |category, _| has_rate_zero(category),
}];

/// An allowance of category E.
pub(super) const EXEMPT_ALLOWANCE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-e-06",
    term: "IBT-096",
    about: &[cbc::PERCENT],
    message: "The VAT rate of an allowance of category E is not 0.",
    fix: "Write 0: here category E has a rate.",
    holds: |category, _| has_rate_zero(category),
}];

/// A charge of category E.
pub(super) const EXEMPT_CHARGE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-e-07",
    term: "IBT-103",
    about: &[cbc::PERCENT],
    message: "The VAT rate of a charge of category E is not 0.",
    fix: "Write 0: here category E has a rate.",
    holds: |category, _| has_rate_zero(category),
}];

/// An allowance of category O.
pub(super) const OUT_OF_SCOPE_ALLOWANCE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-o-06",
    term: "IBT-096",
    about: &[cbc::PERCENT],
    message: "An allowance of category O has a VAT rate.",
    fix: "Leave the rate out.",
    holds: |category, _| category.child(cbc::PERCENT).is_none(),
}];

/// A charge of category O.
pub(super) const OUT_OF_SCOPE_CHARGE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-o-07",
    term: "IBT-103",
    about: &[cbc::PERCENT],
    message: "A charge of category O has a VAT rate.",
    fix: "Leave the rate out.",
    holds: |category, _| category.child(cbc::PERCENT).is_none(),
}];

/// An allowance of category AE.
pub(super) const REVERSE_CHARGE_ALLOWANCE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-ae-06",
    term: "IBT-096",
    about: &[cbc::PERCENT],
    message: "The VAT rate of an allowance of category AE is not 0.",
    fix: "Write 0: here category AE has that rate.",
    holds: |category, _| has_rate_zero(category),
}];

/// A charge of category AE.
pub(super) const REVERSE_CHARGE_CHARGE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-ae-07",
    term: "IBT-103",
    about: &[cbc::PERCENT],
    message: "The VAT rate of a charge of category AE is not 0.",
    fix: "Write 0: here category AE has that rate.",
    holds: |category, _| has_rate_zero(category),
}];

/// The group of a `cac:TaxCategory` below an allowance or charge.
pub(super) fn group(node: Node<'_>, parent: Node<'_>) -> Option<Group<Facts>> {
    let category = matched(node)?;
    let is = |wanted| xpath::is_boolean(parent.all(cbc::CHARGE_INDICATOR), wanted) == Ok(true);
    let [allowance, charge] = match category {
        Category::Standard => [STANDARD_ALLOWANCE, STANDARD_CHARGE],
        Category::Zero => [ZERO_ALLOWANCE, ZERO_CHARGE],
        Category::Exempt => [EXEMPT_ALLOWANCE, EXEMPT_CHARGE],
        Category::OutOfScope => [OUT_OF_SCOPE_ALLOWANCE, OUT_OF_SCOPE_CHARGE],
        Category::ReverseCharge => [REVERSE_CHARGE_ALLOWANCE, REVERSE_CHARGE_CHARGE],
        Category::Margin => return None,
    };
    if is(false) { Some(allowance) } else { is(true).then_some(charge) }
}

#[cfg(test)]
mod tests {
    use super::super::testing::on_invoice;
    use super::*;

    const ALLOWANCE_S: &str =
        "<cac:TaxCategory>\n      <cbc:ID>S</cbc:ID>\n      <cbc:Percent>5</cbc:Percent>";
    const CHARGE_Z: &str =
        "<cac:TaxCategory>\n      <cbc:ID>Z</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>";

    #[test]
    fn each_category_has_its_rate_on_allowances_and_charges() {
        on_invoice(
            &[
                STANDARD_ALLOWANCE,
                ZERO_ALLOWANCE,
                EXEMPT_ALLOWANCE,
                OUT_OF_SCOPE_ALLOWANCE,
                REVERSE_CHARGE_ALLOWANCE,
                STANDARD_CHARGE,
                ZERO_CHARGE,
                EXEMPT_CHARGE,
                OUT_OF_SCOPE_CHARGE,
                REVERSE_CHARGE_CHARGE,
            ],
            &[
                (
                    "aligned-ibrp-s-06",
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>S</cbc:ID>\n      <cbc:Percent>5</cbc:Percent>",
                    )],
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>S</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-s-07",
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>S</cbc:ID>\n      <cbc:Percent>5</cbc:Percent>",
                    )],
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>S</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-z-06",
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>Z</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>Z</cbc:ID>\n      <cbc:Percent>5</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-z-07",
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>Z</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>Z</cbc:ID>\n      <cbc:Percent>5</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-e-06",
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>E</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>E</cbc:ID>\n      <cbc:Percent>5</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-e-07",
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>E</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>E</cbc:ID>\n      <cbc:Percent>5</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-o-06",
                    &[(ALLOWANCE_S, "<cac:TaxCategory>\n      <cbc:ID>O</cbc:ID>")],
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>O</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-o-07",
                    &[(CHARGE_Z, "<cac:TaxCategory>\n      <cbc:ID>O</cbc:ID>")],
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>O</cbc:ID>\n      <cbc:Percent>0</cbc:Percent>",
                    )],
                ),
                (
                    "aligned-ibrp-ae-06",
                    &[(
                        ALLOWANCE_S,
                        "<cac:TaxCategory>\n      <cbc:ID>AE</cbc:ID>\n      <cbc:Percent>0.00</cbc:Percent>",
                    )],
                    &[(ALLOWANCE_S, "<cac:TaxCategory>\n      <cbc:ID>AE</cbc:ID>")],
                ),
                (
                    "aligned-ibrp-ae-07",
                    &[(
                        CHARGE_Z,
                        "<cac:TaxCategory>\n      <cbc:ID>AE</cbc:ID>\n      <cbc:Percent>0.00</cbc:Percent>",
                    )],
                    &[(CHARGE_Z, "<cac:TaxCategory>\n      <cbc:ID>AE</cbc:ID>")],
                ),
            ],
        );
    }
}
