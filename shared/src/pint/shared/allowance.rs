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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pint::shared::testing::on_invoice;

    const CODE_95: &str = "<cbc:AllowanceChargeReasonCode>95</cbc:AllowanceChargeReasonCode>";
    const CODE_FC: &str = "<cbc:AllowanceChargeReasonCode>FC</cbc:AllowanceChargeReasonCode>";
    const REASON: &str = "<cbc:AllowanceChargeReason>By agreement</cbc:AllowanceChargeReason>";
    const AGREED: &str = "<cbc:AllowanceChargeReason>Agreed</cbc:AllowanceChargeReason>";
    const AMOUNT: &str = "<cbc:Amount currencyID=\"USD\">2.50</cbc:Amount>";
    const LINE_AMOUNT: &str = "<cbc:Amount currencyID=\"USD\">1.00</cbc:Amount>";
    const ALLOWANCE_IS: &str = "<cbc:ChargeIndicator>false</cbc:ChargeIndicator>";
    const CHARGE_IS: &str = "<cbc:ChargeIndicator>true</cbc:ChargeIndicator>";
    const EXEMPT: &str = "<cbc:TaxExemptionReason>a</cbc:TaxExemptionReason>";

    #[test]
    fn allowances_and_charges_say_how_much_and_why() {
        on_invoice(
            &[PRICE, ALLOWANCE, CHARGE, UNCLEAR, CATEGORY],
            &[
                (
                    "ibr-083",
                    &[(
                        "false</cbc:ChargeIndicator>\n        <",
                        " false </cbc:ChargeIndicator>\n<",
                    )],
                    &[("false</cbc:ChargeIndicator>\n        <", "0</cbc:ChargeIndicator>\n<")],
                ),
                (
                    "ibr-sr-30",
                    &[],
                    &[(
                        "<cbc:MultiplierFactorNumeric>2.5<",
                        "<cbc:AllowanceChargeReason>b</cbc:AllowanceChargeReason><cbc:MultiplierFactorNumeric>2.5<",
                    )],
                ),
                ("ibr-031", &[(LINE_AMOUNT, "")], &[(AMOUNT, "")]),
                ("ibr-033", &[(CODE_95, "")], &[(CODE_95, ""), (REASON, "")]),
                ("ibr-041", &[(AMOUNT, "")], &[(LINE_AMOUNT, "")]),
                (
                    "ibr-042",
                    &[(AGREED, "")],
                    &[(CODE_95, ""), (CODE_95, ""), (REASON, ""), (AGREED, "")],
                ),
                ("ibr-036", &[(AMOUNT, "")], &[(AMOUNT, ""), (AMOUNT, "")]),
                (
                    "ibr-sr-31",
                    &[(
                        REASON,
                        "<cbc:AllowanceChargeReason>a</cbc:AllowanceChargeReason><cbc:AllowanceChargeReason>b</cbc:AllowanceChargeReason>",
                    )],
                    &[(CODE_FC, "<cbc:AllowanceChargeReason>b</cbc:AllowanceChargeReason>")],
                ),
                ("ibr-038", &[(CODE_FC, "")], &[(REASON, ""), (REASON, ""), (CODE_FC, "")]),
                ("ibr-043", &[(LINE_AMOUNT, "")], &[(LINE_AMOUNT, ""), (LINE_AMOUNT, "")]),
                (
                    "ibr-044",
                    &[(CODE_FC, "")],
                    &[(AGREED, ""), (AGREED, ""), (CODE_FC, ""), (CODE_FC, "")],
                ),
                (
                    "ibr-082",
                    &[(ALLOWANCE_IS, "<cbc:ChargeIndicator> 0 </cbc:ChargeIndicator>")],
                    &[(CHARGE_IS, "<cbc:ChargeIndicator>yes</cbc:ChargeIndicator>")],
                ),
                (
                    "ibr-sr-61",
                    &[("<cbc:Percent>5</cbc:Percent>", EXEMPT)],
                    &[("<cbc:ID>S</cbc:ID>", EXEMPT), ("<cbc:Percent>5</cbc:Percent>", EXEMPT)],
                ),
            ],
        );
    }
}
