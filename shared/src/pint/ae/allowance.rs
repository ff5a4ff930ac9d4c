//! Allowances and charges of the document and of lines: `cac:AllowanceCharge` outside prices.

use super::category::is_vat;
use crate::pint::Facts;
use crate::rules::xpath::{self, Double, Evaluated};
use crate::rules::{Expected, Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc, credit_note, invoice};

/// `cac:AllowanceCharge[cbc:ChargeIndicator = false()][not(ancestor::cac:Price)]`
pub(super) const ALLOWANCE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-032",
        term: "IBT-095",
        about: &[cac::TAX_CATEGORY, cbc::ID],
        message: "The allowance on the document has no VAT category.",
        fix: "Give the VAT category of the items that the allowance reduces.",
        holds: |allowance, _| has_vat_category(allowance) == Ok(true),
    },
    Rule {
        id: "aligned-ibrp-057",
        term: "IBT-093",
        about: &[],
        message: "Of base amount and percentage of the allowance only one is given.",
        fix: "Give both or neither.",
        holds: |allowance, _| has_base_and_percentage_or_neither(allowance),
    },
    Rule {
        id: "ibr-131-ae",
        term: "IBT-092",
        about: &[cbc::AMOUNT],
        message: "The amount of the allowance is not that percentage of the base amount.",
        fix: "Make it base amount × percentage / 100, exact or rounded to two decimals.",
        holds: |allowance, _| is_percentage_of_base(allowance) == Ok(true),
    },
    Rule {
        id: "ibr-115-ae",
        term: "IBT-095",
        about: &[cac::TAX_CATEGORY, cbc::ID],
        message: "The allowance has the VAT category of the margin scheme (N).",
        fix: "Use another category, or take the allowance off the prices of the lines.",
        holds: |allowance, _| !has_category(allowance, "N"),
    },
    Rule {
        id: "ibr-168-ae",
        term: "IBT-098",
        about: &[cbc::ALLOWANCE_CHARGE_REASON_CODE],
        message: "The allowance is on exempt supplies (E), but has no reason code.",
        fix: "Give the reason code of the allowance.",
        holds: |allowance, _| {
            !has_category(allowance, "E")
                || allowance.child(cbc::ALLOWANCE_CHARGE_REASON_CODE).is_some()
        },
    },
];

/// `cac:AllowanceCharge[cbc:ChargeIndicator = true()]`
pub(super) const CHARGE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-037",
        term: "IBT-102",
        about: &[cac::TAX_CATEGORY, cbc::ID],
        message: "The charge on the document has no VAT category.",
        fix: "Give the VAT category of the charged items.",
        holds: |charge, _| has_vat_category(charge) == Ok(true),
    },
    Rule {
        id: "aligned-ibrp-058",
        term: "IBT-100",
        about: &[],
        message: "Of base amount and percentage of the charge only one is given.",
        fix: "Give both or neither.",
        holds: |charge, _| has_base_and_percentage_or_neither(charge),
    },
    Rule {
        id: "ibr-146-ae",
        term: "IBT-099",
        about: &[cbc::AMOUNT],
        message: "The amount of the charge is not that percentage of the base amount.",
        fix: "Make it base amount × percentage / 100, exact or rounded to two decimals.",
        holds: |charge, _| is_percentage_of_base(charge) == Ok(true),
    },
    Rule {
        id: "ibr-114-ae",
        term: "IBT-102",
        about: &[cac::TAX_CATEGORY, cbc::ID],
        message: "The charge has the VAT category of the margin scheme (N).",
        fix: "Use another category, or add the charge to the prices of the lines.",
        holds: |charge, _| !has_category(charge, "N"),
    },
    Rule {
        id: "ibr-169-ae",
        term: "IBT-105",
        about: &[cbc::ALLOWANCE_CHARGE_REASON_CODE],
        message: "The charge is for exempt supplies (E), but has no reason code.",
        fix: "Give the reason code of the charge.",
        holds: |charge, _| {
            !has_category(charge, "E") || charge.child(cbc::ALLOWANCE_CHARGE_REASON_CODE).is_some()
        },
    },
];

/// The group of an allowance or charge that is not directly inside a price.
pub(super) fn group(node: Node<'_>) -> Option<Group<Facts>> {
    let is = |wanted| xpath::is_boolean(node.all(cbc::CHARGE_INDICATOR), wanted) == Ok(true);
    let in_price = || node.ancestors().any(|above| above.name() == cac::PRICE);
    if is(false) && !in_price() { Some(ALLOWANCE) } else { is(true).then_some(CHARGE) }
}

/// Whether an allowance or charge of the document has a VAT category. On lines, none is needed.
fn has_vat_category(node: Node<'_>) -> Evaluated<bool> {
    let parent = node.parent().map(Node::name);
    if !matches!(parent, Some(invoice::INVOICE | credit_note::CREDIT_NOTE)) {
        return Ok(true);
    }
    xpath::some(node.all(cac::TAX_CATEGORY), |category| {
        Ok(is_vat(category)? && category.child(cbc::ID).is_some())
    })
}

fn has_base_and_percentage_or_neither(node: Node<'_>) -> bool {
    let has = |name| node.child(name).is_some();
    has(cbc::MULTIPLIER_FACTOR_NUMERIC) == has(cbc::BASE_AMOUNT)
}

fn has_category(node: Node<'_>, code: &str) -> bool {
    node.select(&[cac::TAX_CATEGORY, cbc::ID]).any(|id| id.text() == code)
}

/// Whether the amount equals base amount × percentage / 100, exactly or rounded. The computation uses `xs:double`, as
/// `number()` and the official expression do.
fn is_percentage_of_base(node: Node<'_>) -> Evaluated<bool> {
    let has = |name| node.child(name).is_some();
    if !has(cbc::BASE_AMOUNT) || !has(cbc::MULTIPLIER_FACTOR_NUMERIC) {
        return Ok(true);
    }
    let amount = xpath::number(&xpath::string(node.all(cbc::AMOUNT))?);
    let part = percentage_of_base(node)?;
    Ok(amount == part || amount == xpath::cents(part))
}

fn percentage_of_base(node: Node<'_>) -> Evaluated<Double> {
    let number = |name| Ok(xpath::number(&xpath::string(node.all(name))?));
    Ok(xpath::percentage(number(cbc::BASE_AMOUNT)?, number(cbc::MULTIPLIER_FACTOR_NUMERIC)?))
}

/// The rounded amount that ibr-131-ae and ibr-146-ae expect.
pub(super) fn expected(node: Node<'_>) -> Option<Expected<'_>> {
    let at = xpath::lone(node.all(cbc::AMOUNT)).ok()?;
    Some(Expected::amount(at, xpath::in_cents(percentage_of_base(node).ok()?)?))
}
