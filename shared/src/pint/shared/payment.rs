//! Payment means, payment terms and prepaid payments.

use super::{
    Facts,
    once::{self, once},
};
use crate::rules::{Group, Rule, xpath};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// `cac:PaymentMeans`
pub(super) const MEANS: Group<Facts> = &[
    Rule {
        id: "ibr-049",
        term: "IBT-081",
        about: &[cbc::PAYMENT_MEANS_CODE],
        message: "The payment instruction does not say by which means to pay.",
        fix: "Give a code of UNTDID 4461, such as 30 for a credit transfer.",
        holds: |means, _| means.child(cbc::PAYMENT_MEANS_CODE).is_some(),
    },
    Rule {
        id: "ibr-sr-27",
        term: "IBT-081",
        about: &[cbc::PAYMENT_MEANS_CODE],
        message: "The payment instruction has more than one code.",
        fix: "Give one code an instruction.",
        holds: |means, _| once(means, once::MEANS_CODES),
    },
    Rule {
        id: "ibr-sr-28",
        term: "IBT-089",
        about: &[cac::PAYMENT_MANDATE, cbc::ID],
        message: "The payment instruction has more than one mandate reference.",
        fix: "Give one mandate reference.",
        holds: |means, _| once(means, once::MANDATE_IDS),
    },
    Rule {
        id: "ibr-sr-46",
        term: "IBT-082",
        about: &[cbc::PAYMENT_MEANS_CODE],
        message: "The payment instruction names its means more than once.",
        fix: "Give one name.",
        holds: |means, _| xpath::at_most(1, named_codes(means)),
    },
];

/// `cac:PaymentMeans/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cac:Address`
pub(super) const BRANCH_ADDRESS: Group<Facts> = &[Rule {
    id: "ibr-sr-59",
    term: "IBT-174",
    about: &[cac::ADDRESS_LINE],
    message: "The address of the payee's bank has more than one further line.",
    fix: "Put the rest of the address into one line.",
    holds: |address, _| once(address, once::ADDRESS_LINES),
}];

/// `cac:PaymentTerms`
pub(super) const TERMS: Group<Facts> = &[
    Rule {
        id: "ibr-sr-05",
        term: "IBT-020",
        about: &[cbc::NOTE],
        message: "The payment terms have more than one text.",
        fix: "Put the terms into one text.",
        holds: |terms, _| once(terms, once::NOTES),
    },
    Rule {
        id: "ibr-sr-60",
        term: "IBT-187",
        about: &[cbc::PAYMENT_MEANS_ID],
        message: "The payment terms refer to more than one payment instruction.",
        fix: "Give one instruction.",
        holds: |terms, _| once(terms, once::MEANS_IDS),
    },
];

/// `cac:PrepaidPayment[1]`; the further ones obey.
pub(super) const PREPAID: Group<Facts> = &[Rule {
    id: "ibr-093",
    term: "IBT-113",
    about: &[],
    message: "An amount was paid before, but the total of such amounts is missing.",
    fix: "Give the total of the amounts paid before.",
    holds: |payment, facts| {
        payment.parent().is_some_and(|document| {
            facts.shared.prepaid.with(document, |prepaid| {
                prepaid.has_amount || prepaid.first != Some(payment.index())
            })
        })
    },
}];

/// The payment means codes with a name.
pub(super) fn named_codes<'d>(means: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    means.all(cbc::PAYMENT_MEANS_CODE).filter(|code| code.attribute(attr::NAME).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pint::shared::testing::on_invoice;

    const CODE: &str = "<cbc:PaymentMeansCode name=\"Credit transfer\">30</cbc:PaymentMeansCode>";
    const MANDATE: &str = "<cbc:ID>M-1</cbc:ID>";
    const NOTE: &str = "<cbc:Note>Half at once</cbc:Note>";
    const INSTRUCTION: &str = "<cbc:PaymentMeansID>PI-1</cbc:PaymentMeansID>";
    const CHARGE: &str = "<cac:AllowanceCharge>";
    const PAID: &str = "<cbc:PrepaidAmount currencyID=\"USD\">5.00</cbc:PrepaidAmount>";
    const BANK: &str = "<cbc:ID>EBILAEAD</cbc:ID>\n        <cac:Address>";

    #[test]
    fn a_payment_is_reported_once() {
        on_invoice(
            &[MEANS, BRANCH_ADDRESS, TERMS, PREPAID],
            &[
                ("ibr-049", &[(CODE, "<cbc:PaymentMeansCode/>")], &[(CODE, "")]),
                (
                    "ibr-sr-27",
                    &[(CODE, "<cbc:PaymentMeansCode>1</cbc:PaymentMeansCode>")],
                    &[(CODE, "<cbc:PaymentMeansCode/><cbc:PaymentMeansCode/>")],
                ),
                ("ibr-sr-28", &[], &[(MANDATE, "<cbc:ID>1</cbc:ID><cbc:ID>2</cbc:ID>")]),
                (
                    "ibr-sr-46",
                    &[(CODE, "<cbc:PaymentMeansCode name='a'/><cbc:PaymentMeansCode/>")],
                    &[(CODE, "<cbc:PaymentMeansCode name='a'/><cbc:PaymentMeansCode name='b'/>")],
                ),
                (
                    "ibr-sr-59",
                    &[],
                    &[(
                        BANK,
                        "<cac:Address><cac:AddressLine><cbc:Line>a</cbc:Line></cac:AddressLine>",
                    )],
                ),
                (
                    "ibr-sr-05",
                    &[(NOTE, "")],
                    &[(NOTE, "<cbc:Note>a</cbc:Note><cbc:Note>b</cbc:Note>")],
                ),
                (
                    "ibr-sr-60",
                    &[(INSTRUCTION, "")],
                    &[(
                        INSTRUCTION,
                        "<cbc:PaymentMeansID>1</cbc:PaymentMeansID><cbc:PaymentMeansID>2</cbc:PaymentMeansID>",
                    )],
                ),
                (
                    "ibr-093",
                    &[(
                        CHARGE,
                        "<cac:PrepaidPayment><cbc:ID>1</cbc:ID></cac:PrepaidPayment><cac:AllowanceCharge>",
                    )],
                    &[
                        (
                            CHARGE,
                            "<cac:PrepaidPayment><cbc:ID>1</cbc:ID></cac:PrepaidPayment><cac:AllowanceCharge>",
                        ),
                        (PAID, ""),
                    ],
                ),
            ],
        );
    }
}
