//! Payment means, terms and paid amounts.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::{Address, Identifier};
use crate::document::json::objects;

objects! {
    /// IBG-16 Payment instructions.
    struct PaymentMeans {
        /// IBT-178 Instructions identifier.
        id: Option<String>,
        /// IBT-081 Payment means type code (UNCL 4461).
        means_code: String,
        /// IBT-082 Payment means text.
        means_text: Option<String>,
        /// IBT-009 Payment due date of a credit note. A credit note has no `due_date` of its own.
        due_date: Option<Date>,
        /// IBT-083 Remittance information.
        remittance_information: Vec<Identifier>,
        /// IBG-17 Credit transfer. Required for means code 30.
        credit_transfer: Option<CreditTransfer>,
        /// IBG-18 Payment card.
        card: Option<PaymentCard>,
        /// IBG-19 Direct debit.
        direct_debit: Option<DirectDebit>,
    }

    /// IBG-17 Credit transfer.
    struct CreditTransfer {
        /// IBT-084 Account identifier, such as an IBAN with the scheme `IBAN`.
        account_identifier: Identifier,
        /// IBT-085 Account name.
        account_name: Option<String>,
        /// IBT-086 Payment service provider identifier (BIC).
        service_provider_identifier: Option<String>,
        /// IBT-169 to IBT-175 Address of the institution.
        institution_address: Option<Address>,
    }

    /// IBG-18 Payment card.
    struct PaymentCard {
        /// IBT-087 Primary account number: at most the first six and the last four digits.
        primary_account_number: String,
        /// Card network. Default: `NA`, because UBL requires a value.
        network: Option<String>,
        /// IBT-088 Holder name.
        holder_name: Option<String>,
    }

    /// IBG-19 Direct debit.
    struct DirectDebit {
        /// IBT-089 Mandate reference.
        mandate_reference: Option<String>,
        /// IBT-090 Creditor identifier. In the UBL it is an identifier of the seller with scheme
        /// SEPA.
        creditor_identifier: Option<String>,
        /// IBT-091 Debited account.
        debited_account_identifier: Option<String>,
    }

    /// IBG-33 Payment terms.
    struct PaymentTerms {
        /// IBT-187 Identifier of the payment instructions to which these terms belong.
        instructions_id: Option<String>,
        /// IBT-020 Note.
        note: Option<String>,
        /// IBT-176 Amount of the instalment.
        amount: Option<Decimal>,
        /// IBT-177 Due date of the instalment.
        due_date: Option<Date>,
    }

    /// IBG-35 Paid amount.
    struct PaidAmount {
        /// IBT-179 Payment identifier.
        id: Option<String>,
        /// IBT-180 Amount.
        amount: Decimal,
        /// IBT-181 Date received.
        received_date: Option<Date>,
    }
}
