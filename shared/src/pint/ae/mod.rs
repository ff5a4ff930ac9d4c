//! The 132 rules of the UAE: the official file of jurisdiction-aligned rules.
//!
//! | context | file |
//! |---|---|
//! | the document | [`document`], [`transaction`], [`currency`], [`usage`] |
//! | buyer, seller, their addresses and tax identifiers | [`buyer`], [`seller`], [`tax_id`] |
//! | other addresses, terms of delivery | [`address`] |
//! | means of payment | [`payment`] |
//! | allowances and charges | [`allowance`], [`allowance_category`] |
//! | VAT breakdown | [`subtotal`], [`breakdown`] |
//! | lines | [`mod@line`], [`line_category`], [`item`], [`price`] |
//! | codes | [`mod@codes`] |

mod address;
mod allowance;
mod allowance_category;
mod breakdown;
mod buyer;
mod by_element;
mod category;
mod codes;
mod currency;
mod document;
pub(super) mod facts;
pub(super) mod header;
mod item;
mod line;
mod line_category;
mod party;
mod payment;
mod price;
mod rates;
mod seller;
mod subtotal;
pub(super) mod tax_id;
mod taxable;
mod transaction;
mod usage;

pub(super) use codes::pattern as codes;

use crate::pint;
use crate::rules::{Expected, Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc, credit_note, invoice};

/// The pattern `UBL-modelaligned`. A node belongs to the first official context that matches.
pub(super) fn model(node: Node<'_>) -> Option<Group<pint::Facts>> {
    match node.name() {
        cac::PARTY => match node.parent()?.name() {
            cac::ACCOUNTING_CUSTOMER_PARTY => Some(buyer::PARTY),
            cac::ACCOUNTING_SUPPLIER_PARTY => Some(seller::PARTY),
            _ => None,
        },
        cac::DELIVERY_TERMS => Some(address::DELIVERY_TERMS),
        cac::POSTAL_ADDRESS => Some(postal_address(node.parent())),
        cac::ALLOWANCE_CHARGE if node.is_in(&[cac::PRICE]) => Some(price::DISCOUNT),
        cac::ALLOWANCE_CHARGE => allowance::group(node),
        cac::PRICE => Some(price::PRICE),
        cac::PAYMENT_MEANS => Some(payment::PAYMENT_MEANS),
        cbc::CALCULATION_RATE => Some(currency::RATE),
        cac::INVOICE_LINE | cac::CREDIT_NOTE_LINE => Some(line::LINE),
        invoice::INVOICE | credit_note::CREDIT_NOTE => node.parent().is_none().then_some(DOCUMENT),
        cac::ITEM => Some(item::ITEM),
        cac::TAX_SUBTOTAL => Some(subtotal::SUBTOTAL),
        cac::CLASSIFIED_TAX_CATEGORY => line_category::group(node),
        cac::TAX_CATEGORY => {
            let parent = node.parent()?;
            match parent.name() {
                cac::ALLOWANCE_CHARGE => allowance_category::group(node),
                cac::TAX_SUBTOTAL => breakdown::group(node, parent),
                _ => None,
            }
        }
        cbc::COMPANY_ID => node.is_in(&[cac::PARTY_TAX_SCHEME]).then_some(tax_id::TAX_ID),
        cbc::ID => node.is_in(&[cac::TAX_SCHEME]).then_some(tax_id::SCHEME),
        _ => None,
    }
}

/// Returns the value that the rule with this id demands of its context.
pub(super) fn expected<'d>(
    id: &str,
    context: Node<'d>,
    facts: &pint::Facts,
) -> Option<Expected<'d>> {
    match id {
        "aligned-ibrp-004" => price::expected(context),
        "ibr-131-ae" | "ibr-146-ae" => allowance::expected(context),
        "ibr-147-ae" => line::expected_net(context),
        "aligned-ibrp-sr-12" => document::expected_vat_ids(context),
        "ibr-179-ae" => Some(buyer::expected_tax_ids(context)),
        "ibr-123-ae" => Some(line::expected_categories(context)),
        _ => usage::expected(id, facts).or_else(|| taxable::expected(id, context, facts)),
    }
}

fn postal_address(party: Option<Node<'_>>) -> Group<pint::Facts> {
    let party = party.filter(|party| party.name() == cac::PARTY);
    match party.and_then(Node::parent).map(Node::name) {
        Some(cac::ACCOUNTING_CUSTOMER_PARTY) => buyer::ADDRESS,
        Some(cac::ACCOUNTING_SUPPLIER_PARTY) => seller::ADDRESS,
        _ => address::POSTAL_ADDRESS,
    }
}

/// `/ubl:Invoice | /cn:CreditNote`: one group, whose rules are in four files.
const DOCUMENT: Group<pint::Facts> =
    &joined([document::DOCUMENT, transaction::TRANSACTION, currency::CURRENCY, usage::USAGE]);

const DOCUMENT_RULES: usize = document::DOCUMENT.len()
    + transaction::TRANSACTION.len()
    + currency::CURRENCY.len()
    + usage::USAGE.len();

const fn joined(groups: [Group<pint::Facts>; 4]) -> [Rule<pint::Facts>; DOCUMENT_RULES] {
    const NONE: Rule<pint::Facts> =
        Rule { id: "", term: "", about: &[], message: "", fix: "", holds: |_, _| true };
    let mut joined = [NONE; DOCUMENT_RULES];
    let (mut next, mut group) = (0, 0);
    while group < groups.len() {
        let mut place = 0;
        while place < groups[group].len() {
            let Rule { id, term, about, message, fix, holds } = groups[group][place];
            joined[next] = Rule { id, term, about, message, fix, holds };
            next += 1;
            place += 1;
        }
        group += 1;
    }
    joined
}

/// The groups of the pattern `UBL-modelaligned`. Their order does not matter.
pub(super) const MODEL: &[Group<pint::Facts>] = &[
    DOCUMENT,
    address::POSTAL_ADDRESS,
    address::DELIVERY_TERMS,
    allowance::ALLOWANCE,
    allowance::CHARGE,
    allowance_category::STANDARD,
    allowance_category::ZERO,
    allowance_category::EXEMPT,
    allowance_category::OUT_OF_SCOPE,
    allowance_category::REVERSE_CHARGE,
    breakdown::STANDARD,
    breakdown::MARGIN,
    breakdown::EXEMPT,
    breakdown::ZERO,
    breakdown::OUT_OF_SCOPE,
    breakdown::REVERSE_CHARGE,
    buyer::PARTY,
    buyer::ADDRESS,
    currency::RATE,
    item::ITEM,
    line::LINE,
    line_category::STANDARD,
    line_category::ZERO,
    line_category::EXEMPT,
    line_category::OUT_OF_SCOPE,
    line_category::REVERSE_CHARGE,
    payment::PAYMENT_MEANS,
    price::DISCOUNT,
    price::PRICE,
    seller::PARTY,
    seller::ADDRESS,
    subtotal::SUBTOTAL,
    tax_id::TAX_ID,
    tax_id::SCHEME,
];

/// The groups of the code pattern.
pub(super) const CODES: &[Group<pint::Facts>] = &[
    codes::CREDIT_REASON,
    codes::BUYER_PASSPORT,
    codes::SELLER_PASSPORT,
    codes::FREQUENCY,
    codes::CATEGORY,
    codes::NATURE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::official::{ORDER, implemented};

    #[test]
    fn every_rule_represents_one_official_assert() {
        let official = implemented();
        for (groups, pattern) in [(MODEL, "UBL-modelaligned"), (CODES, "Codesmodelaligned")] {
            let mut ours: Vec<_> = groups.iter().copied().flatten().map(|rule| rule.id).collect();
            ours.sort_unstable();
            for set in ["pint-billing", "pint-selfbilling"] {
                let of_pattern =
                    official.iter().filter(|it| it.set == set && it.pattern == pattern);
                let ids = of_pattern.map(|it| it.id.as_str()).filter(|id| *id != ORDER);
                assert_eq!(ours, ids.collect::<Vec<_>>(), "{set} {pattern}");
            }
        }
        let count = |groups: &[Group<pint::Facts>]| groups.iter().map(|it| it.len()).sum::<usize>();
        assert_eq!((count(MODEL), count(CODES)), (126, 6));
    }
}
