//! Allowances and charges of the document, of a line and of a price.

use super::{
    Facts, facts, is_in_line,
    once::{self, once},
};
use crate::rules::{Group, Rule, xpath};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// The contexts of `cac:AllowanceCharge`.
pub(super) fn of_indicator(node: Node<'_>) -> Group<Facts> {
    if node.is_in(&[cac::PRICE]) {
        return PRICE;
    }
    match facts::is_charge(node) {
        Some(false) => ALLOWANCE,
        Some(true) => CHARGE,
        None => UNCLEAR,
    }
}

/// `cac:Price/cac:AllowanceCharge`
pub(super) const PRICE: Group<Facts> = &[Rule {
    id: "ibr-083",
    term: "IBT-147",
    about: &[cbc::CHARGE_INDICATOR],
    message: "A price has a charge; only a discount is possible there.",
    fix: "Set the indicator of the price's discount to `false`.",
    holds: |discount, _| indicates(discount, &["false"]),
}];

/// `cac:AllowanceCharge[cbc:ChargeIndicator = false()]`
pub(super) const ALLOWANCE: Group<Facts> = &[
    Rule {
        id: "ibr-sr-30",
        term: "IBT-097",
        about: &[cbc::ALLOWANCE_CHARGE_REASON],
        message: "The allowance has more than one reason text.",
        fix: "Give one text.",
        holds: |allowance, _| once(allowance, once::REASONS),
    },
    Rule {
        id: "ibr-031",
        term: "IBT-092",
        about: &[cbc::AMOUNT],
        message: "The allowance of the document has no amount.",
        fix: "Give the amount of the allowance, without tax.",
        holds: |allowance, _| has_amount(allowance) || is_in_line(allowance),
    },
    Rule {
        id: "ibr-033",
        term: "IBT-097",
        about: &[cbc::ALLOWANCE_CHARGE_REASON],
        message: "The allowance of the document has neither a reason nor a reason code.",
        fix: "Give a reason text or a code of UNTDID 5189, or both.",
        holds: |allowance, _| has_reason(allowance) || is_in_line(allowance),
    },
    Rule {
        id: "ibr-041",
        term: "IBT-136",
        about: &[cbc::AMOUNT],
        message: "The allowance of the line has no amount.",
        fix: "Give the amount of the allowance, without tax.",
        holds: |allowance, _| has_amount(allowance) || !is_in_line(allowance),
    },
    Rule {
        id: "ibr-042",
        term: "IBT-139",
        about: &[cbc::ALLOWANCE_CHARGE_REASON],
        message: "The allowance of the line has neither a reason nor a reason code.",
        fix: "Give a reason text or a code of UNTDID 5189, or both.",
        holds: |allowance, _| has_reason(allowance) || !is_in_line(allowance),
    },
];

/// `cac:AllowanceCharge[cbc:ChargeIndicator = true()]`
pub(super) const CHARGE: Group<Facts> = &[
    Rule {
        id: "ibr-036",
        term: "IBT-099",
        about: &[cbc::AMOUNT],
        message: "The charge of the document has no amount.",
        fix: "Give the amount of the charge, without tax.",
        holds: |charge, _| has_amount(charge) || is_in_line(charge),
    },
    Rule {
        id: "ibr-sr-31",
        term: "IBT-104",
        about: &[cbc::ALLOWANCE_CHARGE_REASON],
        message: "The charge has more than one reason text.",
        fix: "Give one text.",
        holds: |charge, _| once(charge, once::REASONS),
    },
    Rule {
        id: "ibr-038",
        term: "IBT-104",
        about: &[cbc::ALLOWANCE_CHARGE_REASON],
        message: "The charge of the document has neither a reason nor a reason code.",
        fix: "Give a reason text or a code of UNTDID 7161, or both.",
        holds: |charge, _| has_reason(charge) || is_in_line(charge),
    },
    Rule {
        id: "ibr-043",
        term: "IBT-141",
        about: &[cbc::AMOUNT],
        message: "The charge of the line has no amount.",
        fix: "Give the amount of the charge, without tax.",
        holds: |charge, _| has_amount(charge) || !is_in_line(charge),
    },
    // The official expression does not ask for a line, unlike its message.
    Rule {
        id: "ibr-044",
        term: "IBT-144",
        about: &[cbc::ALLOWANCE_CHARGE_REASON],
        message: "The charge has neither a reason nor a reason code.",
        fix: "Give a reason text or a code of UNTDID 7161, or both.",
        holds: |charge, _| has_reason(charge),
    },
];

/// `cac:AllowanceCharge`, when its indicator is neither true nor false
pub(super) const UNCLEAR: Group<Facts> = &[Rule {
    id: "ibr-082",
    term: "",
    about: &[cbc::CHARGE_INDICATOR],
    message: "It is not said whether this is an allowance or a charge.",
    fix: "Set the indicator to `false` for an allowance and to `true` for a charge.",
    holds: |either, _| indicates(either, &["true", "false"]),
}];

/// `cac:AllowanceCharge/cac:TaxCategory`
pub(super) const CATEGORY: Group<Facts> = &[Rule {
    id: "ibr-sr-61",
    term: "IBT-197",
    about: &[cbc::TAX_EXEMPTION_REASON],
    message: "The allowance or charge has more than one tax exemption reason.",
    fix: "Give one text.",
    holds: |category, _| once(category, once::EXEMPTION_REASONS),
}];

fn has_amount(either: Node<'_>) -> bool {
    either.child(cbc::AMOUNT).is_some()
}

fn has_reason(either: Node<'_>) -> bool {
    let reason = [cbc::ALLOWANCE_CHARGE_REASON, cbc::ALLOWANCE_CHARGE_REASON_CODE];
    either.children().any(|child| reason.contains(&child.name()))
}

/// `normalize-space(cbc:ChargeIndicator/text()) = …`
fn indicates(either: Node<'_>, wanted: &[&str]) -> bool {
    let text = xpath::own_text(either.all(cbc::CHARGE_INDICATOR));
    text.is_ok_and(|text| wanted.contains(&xpath::trim(text)))
}
