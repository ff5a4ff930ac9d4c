//! Means of payment.

use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::names::{cac, cbc};

/// `cac:PaymentMeans`
pub(super) const PAYMENT_MEANS: Group<Facts> = &[Rule {
    id: "ibr-192-ae",
    term: "IBT-084",
    about: &[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::ID],
    message: "Payment is by credit transfer, but no account to pay to is given.",
    fix: "Give the account identifier, such as the IBAN.",
    holds: |means, _| {
        means.all(cbc::PAYMENT_MEANS_CODE).all(|code| code.text() != "30")
            || means.find(&[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::ID]).is_some()
    },
}];
