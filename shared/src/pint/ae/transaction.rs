//! The transaction flags (BTAE-02), and the conditions of each flag.

use super::header::Flag;
use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::names::{cac, cbc};
use crate::xml::{Name, Node};

/// `/ubl:Invoice | /cn:CreditNote`
pub(super) const TRANSACTION: Group<Facts> = &[
    Rule {
        id: "ibr-154-ae",
        term: "BTAE-02",
        about: &[cbc::PROFILE_EXECUTION_ID],
        message: "The transaction type code is not eight times 0 or 1.",
        fix: "Write eight digits, each 1 for a flag that is set; 00000000 when none is.",
        holds: |_, facts| facts.ae.header.has_flags() == Ok(true),
    },
    Rule {
        id: "ibr-007-ae",
        term: "BTAE-01",
        about: &[cac::BUYER_CUSTOMER_PARTY],
        message: "The supply involves a free trade zone, but the beneficiary is missing.",
        fix: "Give the beneficiary's TRN or TIN.",
        holds: |root, facts| is_unset(facts, Flag::FreeZone) || root.find(BENEFICIARIES).is_some(),
    },
    Rule {
        id: "ibr-137-ae",
        term: "BTAE-14",
        about: &[cac::SELLER_SUPPLIER_PARTY],
        message: "A disclosed agent bills, but the principal is missing.",
        fix: "Give the principal's TRN or TIN.",
        holds: |root, facts| {
            is_unset(facts, Flag::DisclosedAgent)
                || is_set(facts, Flag::DisclosedAgent) && root.find(PRINCIPALS).is_some()
        },
    },
    Rule {
        id: "ibr-176-ae",
        term: "BTAE-14",
        about: &[cac::SELLER_SUPPLIER_PARTY],
        message: "The principal's identifier is the seller's tax identifier.",
        fix: "Give the identifier of the principal for whom the agent bills.",
        holds: |root, facts| {
            is_unset(facts, Flag::DisclosedAgent)
                || is_set(facts, Flag::DisclosedAgent) && some_principal_differs(root)
        },
    },
    Rule {
        id: "ibr-138-ae",
        term: "IBG-14",
        about: &[cac::INVOICE_PERIOD],
        message: "The invoice is a summary, but the period that it covers is missing.",
        fix: "Give the period of the supplies.",
        holds: |root, facts| {
            is_unset(facts, Flag::Summary)
                || is_set(facts, Flag::Summary) && root.child(cac::INVOICE_PERIOD).is_some()
        },
    },
    Rule {
        id: "ibr-142-ae",
        term: "IBG-15",
        about: &[cac::DELIVERY, cac::DELIVERY_LOCATION, cac::ADDRESS],
        message: "The supply is e-commerce, but street, city or subdivision of the delivery is \
                  missing.",
        fix: "Give the address that the goods or services are delivered to.",
        holds: |root, facts| is_unset(facts, Flag::Commerce) || is_delivery_located(root),
    },
    Rule {
        id: "ibr-152-ae",
        term: "IBG-15",
        about: &[cac::DELIVERY, cac::DELIVERY_LOCATION, cac::ADDRESS],
        message: "The supply is an export, but street, city or subdivision of the delivery is \
                  missing.",
        fix: "Give the foreign address to which the goods or services are delivered.",
        holds: |root, facts| {
            is_unset(facts, Flag::Exports)
                || root.select(DELIVERY_COUNTRIES).any(|code| code.text() == "AE")
                || is_delivery_located(root)
        },
    },
    Rule {
        id: "ibr-157-ae",
        term: "BTAE-02",
        about: &[cbc::PROFILE_EXECUTION_ID],
        message: "The document is out of scope of VAT, but flagged as deemed supply, margin scheme \
                  or summary.",
        fix: "Unset the flags 2, 3 and 4, or use another type code.",
        holds: |_, facts| {
            !facts.ae.header.is_out_of_scope()
                || [Flag::Margin, Flag::DeemedSupply, Flag::Summary]
                    .into_iter()
                    .all(|flag| is_unset(facts, flag))
        },
    },
];

const BENEFICIARIES: &[Name] =
    &[cac::BUYER_CUSTOMER_PARTY, cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID];
const PRINCIPALS: &[Name] =
    &[cac::SELLER_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID];
const SELLER_TAX_IDS: &[Name] =
    &[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID];
const DELIVERY_COUNTRIES: &[Name] =
    &[cac::DELIVERY, cac::DELIVERY_LOCATION, cac::ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE];

fn is_set(facts: &Facts, flag: Flag) -> bool {
    facts.ae.header.flag(flag) == Ok(true)
}

/// Whether a flag is unset. With several texts of flags, a flag is neither set nor unset.
fn is_unset(facts: &Facts, flag: Flag) -> bool {
    facts.ae.header.flag(flag) == Ok(false)
}

/// Whether the seller's tax identifier differs from the identifier of a principal.
fn some_principal_differs(root: Node<'_>) -> bool {
    let (sellers, principals) = (root.select(SELLER_TAX_IDS), root.select(PRINCIPALS));
    let Some(seller) = sellers.clone().next().map(Node::text) else { return false };
    let Some(principal) = principals.clone().next().map(Node::text) else { return false };
    seller != principal
        || principals.map(Node::text).any(|other| other != seller)
        || sellers.map(Node::text).any(|other| other != principal)
}

/// Whether the delivery addresses together contain street, city and subdivision.
fn is_delivery_located(root: Node<'_>) -> bool {
    let has = |part: Name| {
        let mut addresses = root.select(&[cac::DELIVERY, cac::DELIVERY_LOCATION, cac::ADDRESS]);
        addresses.any(|address| address.child(part).is_some())
    };
    has(cbc::STREET_NAME) && has(cbc::CITY_NAME) && has(cbc::COUNTRY_SUBENTITY)
}
