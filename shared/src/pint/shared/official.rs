//! Lists all groups of rules and tests that they are exactly those of the official file.

use super::*;

/// The groups of the pattern `UBL-model`. Their order does not matter.
pub(in crate::pint) const MODEL: &[Group<Facts>] = &[
    allowance::PRICE,
    allowance::ALLOWANCE,
    allowance::CHARGE,
    allowance::UNCLEAR,
    allowance::CATEGORY,
    form::DATE,
    form::TIME,
    form::BINARY_OBJECT,
    form::TAX_CURRENCY,
    form::EMPTY,
    header::DOCUMENT,
    identifier::GLN,
    identifier::SWEDEN,
    identifier::NORWAY,
    identifier::DENMARK,
    identifier::BELGIUM,
    identifier::ITALY_IPA,
    identifier::ITALY_FISCAL,
    identifier::ITALY_VAT,
    identifier::AUSTRALIA,
    line::LINE,
    line::PROPERTY,
    line::CLASSIFICATION,
    line::STANDARD_ID,
    line::TAX_CATEGORY,
    line::BASE_QUANTITY,
    party::BUYER,
    party::BUYER_ENDPOINT,
    party::BUYER_ADDRESS,
    party::SELLER,
    party::SELLER_ENDPOINT,
    party::SELLER_ADDRESS,
    party::PAYEE,
    party::REPRESENTATIVE,
    party::REPRESENTATIVE_ADDRESS,
    party::TAX_SCHEME,
    party::DELIVERY_ADDRESS,
    party::DELIVERY,
    payment::MEANS,
    payment::BRANCH_ADDRESS,
    payment::TERMS,
    payment::PREPAID,
    period::LINE,
    period::DOCUMENT,
    reference::ADDITIONAL,
    reference::BILLING,
    reference::LINE_DESPATCH_ID,
    reference::LINE_DESPATCH,
    total::MONETARY,
    total::TAX_TOTAL,
    total::SUBTOTAL,
    total::AMOUNT,
];

/// The groups of the code pattern, without the type codes, which differ between billing and self-billing.
pub(in crate::pint) const CODES: &[Group<Facts>] = &[
    codes::AMOUNT,
    codes::DOCUMENT_CURRENCY,
    codes::TAX_CURRENCY,
    codes::OBJECT,
    codes::PARTY,
    codes::REGISTRATION,
    codes::CLASSIFICATION,
    codes::COUNTRY,
    codes::ORIGIN,
    codes::PAYMENT_MEANS,
    codes::REASON,
    codes::ITEM,
    codes::UNIT,
    codes::MIME_CODE,
    codes::ENDPOINT,
    codes::LOCATION,
];

/// The groups of type codes, for billing and for self-billing.
pub(in crate::pint) const TYPES: &[Group<Facts>] = &[codes::TYPE_BILLING, codes::TYPE_SELFBILLING];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::official::{ORDER, implemented};

    #[test]
    fn every_rule_represents_one_official_assert() {
        let official = implemented();
        let types =
            [("pint-billing", codes::TYPE_BILLING), ("pint-selfbilling", codes::TYPE_SELFBILLING)];
        for (set, of_type) in types {
            let codes = [CODES, &[of_type]].concat();
            for (groups, pattern, count) in [(MODEL, "UBL-model", 152), (&codes, "Codesmodel", 18)]
            {
                let mut ours: Vec<_> =
                    groups.iter().copied().flatten().map(|rule| rule.id).collect();
                ours.sort_unstable();
                let of_pattern =
                    official.iter().filter(|it| it.set == set && it.pattern == pattern);
                let ids = of_pattern.map(|it| it.id.as_str()).filter(|id| *id != ORDER);
                assert_eq!(ours, ids.collect::<Vec<_>>(), "{set} {pattern}");
                assert_eq!(ours.len(), count, "{set} {pattern}");
            }
        }
    }

    #[test]
    fn what_is_in_a_second_group_is_a_rule_of_the_first() {
        let known = |id| MODEL.iter().copied().flatten().any(|rule| rule.id == id);
        assert!(total::TAX_AMOUNT.iter().all(|rule| known(rule.id)));
    }
}
