//! Seller, buyer, payee, tax representative and place of delivery.

use super::{
    Facts,
    once::{self, once},
};
use crate::rules::{Group, Rule, xpath};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

const SELLER_PARTY: &[crate::xml::Name] = &[cac::PARTY, cac::ACCOUNTING_SUPPLIER_PARTY];
const BUYER_PARTY: &[crate::xml::Name] = &[cac::PARTY, cac::ACCOUNTING_CUSTOMER_PARTY];

/// The contexts of `cac:Party`.
pub(super) fn of_role(node: Node<'_>) -> Option<Group<Facts>> {
    match node.parent()?.name() {
        cac::ACCOUNTING_CUSTOMER_PARTY => Some(BUYER),
        cac::ACCOUNTING_SUPPLIER_PARTY => Some(SELLER),
        _ => None,
    }
}

/// The contexts of `cbc:EndpointID` that follow those of its schemes.
pub(super) fn of_endpoint(node: Node<'_>) -> Option<Group<Facts>> {
    if node.is_in(BUYER_PARTY) {
        return Some(BUYER_ENDPOINT);
    }
    node.is_in(SELLER_PARTY).then_some(SELLER_ENDPOINT)
}

/// The contexts of `cac:PostalAddress`.
pub(super) fn of_address(node: Node<'_>) -> Option<Group<Facts>> {
    if node.is_in(BUYER_PARTY) {
        return Some(BUYER_ADDRESS);
    }
    if node.is_in(SELLER_PARTY) {
        return Some(SELLER_ADDRESS);
    }
    node.is_in(&[cac::TAX_REPRESENTATIVE_PARTY]).then_some(REPRESENTATIVE_ADDRESS)
}

/// `cac:AccountingCustomerParty/cac:Party`
pub(super) const BUYER: Group<Facts> = &[Rule {
    id: "ibr-080",
    term: "IBT-049",
    about: &[cbc::ENDPOINT_ID],
    message: "The buyer has no electronic address.",
    fix: "Give the buyer's address in the network.",
    holds: |party, _| party.child(cbc::ENDPOINT_ID).is_some(),
}];

/// `cac:AccountingCustomerParty/cac:Party/cbc:EndpointID`
pub(super) const BUYER_ENDPOINT: Group<Facts> = &[Rule {
    id: "ibr-063",
    term: "IBT-049",
    about: &[],
    message: "The buyer's electronic address has no scheme.",
    fix: "Give the scheme of the address, such as 0235.",
    holds: |endpoint, _| endpoint.attribute(attr::SCHEME_ID).is_some(),
}];

/// `cac:AccountingCustomerParty/cac:Party/cac:PostalAddress`
pub(super) const BUYER_ADDRESS: Group<Facts> = &[
    Rule {
        id: "ibr-011",
        term: "IBT-055",
        about: &[cac::COUNTRY, cbc::IDENTIFICATION_CODE],
        message: "The buyer's address has no country.",
        fix: "Give the two-letter code of the country.",
        holds: |address, _| has_country(address),
    },
    Rule {
        id: "ibr-sr-54",
        term: "IBT-163",
        about: &[cac::ADDRESS_LINE],
        message: "The buyer's address has more than one further line.",
        fix: "Put the rest of the address into one line.",
        holds: |address, _| once(address, once::ADDRESS_LINES),
    },
];

/// `cac:AccountingSupplierParty/cac:Party`
pub(super) const SELLER: Group<Facts> = &[
    Rule {
        id: "ibr-co-26",
        term: "IBT-029",
        about: &[],
        message: "Nothing identifies the seller.",
        fix: "Give a seller identifier, a registration identifier or a tax identifier.",
        holds: |party, _| {
            party.find(&[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID]).is_some()
                || party.find(&[cac::PARTY_IDENTIFICATION, cbc::ID]).is_some()
                || party.find(&[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID]).is_some()
        },
    },
    Rule {
        id: "ibr-081",
        term: "IBT-034",
        about: &[cbc::ENDPOINT_ID],
        message: "The seller has no electronic address.",
        fix: "Give the seller's address in the network.",
        holds: |party, _| party.child(cbc::ENDPOINT_ID).is_some(),
    },
    Rule {
        id: "ibr-sr-42",
        term: "IBT-031",
        about: &[cac::PARTY_TAX_SCHEME],
        message: "The seller has more than two tax registrations.",
        fix: "Give one for VAT and at most one other.",
        holds: |party, _| xpath::at_most(2, party.all(cac::PARTY_TAX_SCHEME)),
    },
];

/// `cac:AccountingSupplierParty/cac:Party/cbc:EndpointID`
pub(super) const SELLER_ENDPOINT: Group<Facts> = &[Rule {
    id: "ibr-062",
    term: "IBT-034",
    about: &[],
    message: "The seller's electronic address has no scheme.",
    fix: "Give the scheme of the address, such as 0235.",
    holds: |endpoint, _| endpoint.attribute(attr::SCHEME_ID).is_some(),
}];

/// `cac:AccountingSupplierParty/cac:Party/cac:PostalAddress`
pub(super) const SELLER_ADDRESS: Group<Facts> = &[
    Rule {
        id: "ibr-009",
        term: "IBT-040",
        about: &[cac::COUNTRY, cbc::IDENTIFICATION_CODE],
        message: "The seller's address has no country.",
        fix: "Give the two-letter code of the country.",
        holds: |address, _| has_country(address),
    },
    Rule {
        id: "ibr-sr-53",
        term: "IBT-162",
        about: &[cac::ADDRESS_LINE],
        message: "The seller's address has more than one further line.",
        fix: "Put the rest of the address into one line.",
        holds: |address, _| once(address, once::ADDRESS_LINES),
    },
];

/// `cac:PayeeParty`
pub(super) const PAYEE: Group<Facts> = &[
    Rule {
        id: "ibr-017",
        term: "IBT-059",
        about: &[cac::PARTY_NAME, cbc::NAME],
        message: "The payee has no name, or has the name or an identifier of the seller.",
        fix: "Name the payee, and name one only when it is not the seller.",
        holds: |payee, facts| {
            let names = || payee.select(&[cac::PARTY_NAME, cbc::NAME]);
            let ids = payee.select(&[cac::PARTY_IDENTIFICATION, cbc::ID]);
            let of = |seller: &super::facts::Seller| {
                !names().any(|name| seller.trade_names.contains(&name.text()))
                    && !ids.clone().any(|id| seller.identifiers.contains(&id.text()))
            };
            xpath::exists(names())
                && payee.parent().is_none_or(|above| facts.shared.seller.with(above, of))
        },
    },
    Rule {
        id: "ibr-105",
        term: "IBT-060",
        about: &[cac::PARTY_IDENTIFICATION],
        message: "The payee has more than one identifier.",
        fix: "Give one identifier besides that of a SEPA creditor.",
        holds: |payee, facts| xpath::at_most(1, payee_ids(payee)) || is_seller(payee, facts),
    },
    Rule {
        id: "ibr-106",
        term: "IBT-061",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The payee has more than one registration identifier.",
        fix: "Give one identifier.",
        holds: |payee, facts| once(payee, once::REGISTRATIONS) || is_seller(payee, facts),
    },
    Rule {
        id: "ibr-sr-19",
        term: "IBT-059",
        about: &[cac::PARTY_NAME, cbc::NAME],
        message: "The payee has more than one name.",
        fix: "Give one name.",
        holds: |payee, facts| once(payee, once::NAMES) || is_seller(payee, facts),
    },
];

/// `cac:TaxRepresentativeParty`
pub(super) const REPRESENTATIVE: Group<Facts> = &[
    Rule {
        id: "ibr-018",
        term: "IBT-062",
        about: &[cac::PARTY_NAME, cbc::NAME],
        message: "The tax representative has no name.",
        fix: "Give the name of the seller's tax representative.",
        holds: |party, _| xpath::has_text(party.select(&[cac::PARTY_NAME, cbc::NAME])),
    },
    Rule {
        id: "ibr-019",
        term: "IBG-12",
        about: &[cac::POSTAL_ADDRESS],
        message: "The tax representative has no address.",
        fix: "Give the address of the seller's tax representative.",
        holds: |party, _| party.child(cac::POSTAL_ADDRESS).is_some(),
    },
    Rule {
        id: "ibr-056",
        term: "IBT-063",
        about: &[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID],
        message: "The tax representative has no tax identifier.",
        fix: "Give the tax identifier of the seller's tax representative.",
        holds: |party, _| party.find(&[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID]).is_some(),
    },
    Rule {
        id: "ibr-sr-22",
        term: "IBT-062",
        about: &[cac::PARTY_NAME, cbc::NAME],
        message: "The tax representative has more than one name.",
        fix: "Give one name.",
        holds: |party, _| once(party, once::NAMES),
    },
    // The official path leads through a `cac:Party` that the schema has no place for.
    Rule {
        id: "ibr-sr-23",
        term: "IBT-063",
        about: &[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID],
        message: "The tax representative has more than one tax identifier.",
        fix: "Give one identifier.",
        holds: |party, _| once(party, once::REPRESENTATIVE_TAX_IDS),
    },
];

/// `cac:TaxRepresentativeParty/cac:PostalAddress`
pub(super) const REPRESENTATIVE_ADDRESS: Group<Facts> = &[
    Rule {
        id: "ibr-020",
        term: "IBT-069",
        about: &[cac::COUNTRY, cbc::IDENTIFICATION_CODE],
        message: "The tax representative's address has no country.",
        fix: "Give the two-letter code of the country.",
        holds: |address, _| has_country(address),
    },
    Rule {
        id: "ibr-sr-55",
        term: "IBT-164",
        about: &[cac::ADDRESS_LINE],
        message: "The tax representative's address has more than one further line.",
        fix: "Put the rest of the address into one line.",
        holds: |address, _| once(address, once::ADDRESS_LINES),
    },
];

/// `//cac:PartyTaxScheme`
pub(super) const TAX_SCHEME: Group<Facts> = &[Rule {
    id: "ibr-sr-57",
    term: "",
    about: &[cbc::COMPANY_ID],
    message: "A tax registration of a party has no identifier.",
    fix: "Give the tax identifier, or leave the registration out.",
    holds: |scheme, _| scheme.child(cbc::COMPANY_ID).is_some(),
}];

/// `cac:Delivery/cac:DeliveryLocation/cac:Address`
pub(super) const DELIVERY_ADDRESS: Group<Facts> = &[
    Rule {
        id: "ibr-057",
        term: "IBT-080",
        about: &[cac::COUNTRY, cbc::IDENTIFICATION_CODE],
        message: "The address of delivery has no country.",
        fix: "Give the two-letter code of the country.",
        holds: |address, _| address.find(&[cac::COUNTRY, cbc::IDENTIFICATION_CODE]).is_some(),
    },
    Rule {
        id: "ibr-sr-56",
        term: "IBT-165",
        about: &[cac::ADDRESS_LINE],
        message: "The address of delivery has more than one further line.",
        fix: "Put the rest of the address into one line.",
        holds: |address, _| once(address, once::ADDRESS_LINES),
    },
];

/// `cac:Delivery`
pub(super) const DELIVERY: Group<Facts> = &[Rule {
    id: "ibr-108",
    term: "IBT-070",
    about: &[cac::DELIVERY_PARTY, cac::PARTY_NAME],
    message: "The recipient of the delivery has more than one name.",
    fix: "Give one name.",
    holds: |delivery, _| once(delivery, once::RECIPIENT_NAMES),
}];

fn has_country(address: Node<'_>) -> bool {
    xpath::has_text(address.select(&[cac::COUNTRY, cbc::IDENTIFICATION_CODE]))
}

/// The identifiers of a payee, except SEPA creditor identifiers.
pub(super) fn payee_ids<'d>(payee: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    payee.select(&[cac::PARTY_IDENTIFICATION, cbc::ID]).filter(|id| !is_sepa(*id))
}

/// `upper-case(@schemeID) = 'SEPA'`
fn is_sepa(id: Node<'_>) -> bool {
    let scheme = id.attribute(attr::SCHEME_ID).unwrap_or_default();
    scheme.chars().flat_map(char::to_uppercase).eq("SEPA".chars())
}

/// `cac:PartyName/cbc:Name =
/// ../cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName`
fn is_seller(payee: Node<'_>, facts: &Facts) -> bool {
    let mut names = payee.select(&[cac::PARTY_NAME, cbc::NAME]);
    payee.parent().is_some_and(|above| {
        facts.shared.seller.with(above, |seller| {
            names.any(|name| seller.registration_names.contains(&name.text()))
        })
    })
}
