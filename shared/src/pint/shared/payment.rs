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
