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

#[cfg(test)]
mod tests {
    use super::super::testing::on_invoice;
    use super::*;

    const ACCOUNT: &str = "<cbc:ID schemeID=\"IBAN\">AE070331234567890123456</cbc:ID>";
    const CREDIT_TRANSFER: &str =
        "<cbc:PaymentMeansCode name=\"Credit transfer\">30</cbc:PaymentMeansCode>";

    #[test]
    fn a_credit_transfer_names_an_account() {
        on_invoice(
            &[PAYMENT_MEANS],
            &[(
                "ibr-192-ae",
                &[
                    (ACCOUNT, ""),
                    (CREDIT_TRANSFER, "<cbc:PaymentMeansCode>10</cbc:PaymentMeansCode>"),
                ],
                &[(ACCOUNT, "")],
            )],
        );
    }
}
