//! The buyer: `cac:AccountingCustomerParty/cac:Party` and its address.

use super::header::Flag;
use super::party::{
    UAE_TIN, has_uae_endpoint, is_located, licence_has_authority, passport_has_country,
    registration_types, registrations, tax_ids,
};
use crate::codes;
use crate::pint::Facts;
use crate::rules::xpath::{self, Evaluated};
use crate::rules::{Expected, Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// `cac:AccountingCustomerParty/cac:Party`
pub(super) const PARTY: Group<Facts> = &[
    Rule {
        id: "ibr-010-ae",
        term: "BTAE-19",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The buyer is identified by a passport, but no country that issued it is given.",
        fix: "Give the two-letter code of the country that issued the passport.",
        holds: |party, _| passport_has_country(party),
    },
    Rule {
        id: "ibr-101-ae",
        term: "BTAE-11",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The buyer is identified by a trade licence without the authority that issued it.",
        fix: "Name the authority that issued the buyer's licence.",
        holds: |party, _| licence_has_authority(party),
    },
    Rule {
        id: "ibr-149-ae",
        term: "IBT-048",
        about: &[cbc::ENDPOINT_ID],
        message: "The buyer's electronic address begins with neither 1 nor 9, and there is no tax \
                  identifier.",
        fix: "Give the buyer's TIN as electronic address, or the buyer's VAT identifier too.",
        holds: |party, _| {
            let mut schemes = endpoint_schemes(party);
            schemes.any(|scheme| scheme != UAE_TIN)
                || endpoint_begins_as_tin(party) == Ok(true)
                || tax_ids(party).next().is_some()
        },
    },
    Rule {
        id: "ibr-179-ae",
        term: "IBT-048",
        about: &[cac::PARTY_TAX_SCHEME],
        message: "The buyer has more than one tax identifier.",
        fix: "Keep one tax identifier of the buyer.",
        holds: |party, _| tax_ids(party).count() <= 1,
    },
    Rule {
        id: "ibr-135-ae",
        term: "IBT-046",
        about: &[],
        message: "The buyer's electronic address is not a TIN, and the buyer has neither an \
                  identifier nor a VAT identifier.",
        fix: "Give the buyer's identifier or VAT identifier, or set the flag of exports if goods \
              leave the country.",
        holds: |party, facts| {
            let exports = is_export(party, facts);
            let in_uae = has_uae_endpoint(party);
            let tin = endpoint_is_tin(party);
            let lifted = exports == Ok(true) || !in_uae || tin == Ok(true);
            let identified = || {
                let id = &[cac::PARTY_IDENTIFICATION, cbc::ID];
                party.find(id).is_some() || tax_ids(party).next().is_some()
            };
            lifted || (exports.is_ok() && tin.is_ok() && identified())
        },
    },
    Rule {
        id: "ibr-180-ae",
        term: "BTAE-16",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The type of the buyer's legal registration is missing.",
        fix: "Say whether it is a trade licence (TL), an Emirates ID (EID), a passport (PAS) or a \
              cabinet decision (CD).",
        holds: |party, _| {
            !has_uae_endpoint(party)
                || registrations(party).next().is_none()
                || registration_types(party).next().is_some()
        },
    },
    Rule {
        id: "ibr-183-ae",
        term: "BTAE-16",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The type of the buyer's legal registration is not one of the known ones.",
        fix: "Use TL, CL, EID, PAS or CD.",
        holds: |party, _| {
            registrations(party).next().is_none()
                || !has_uae_endpoint(party)
                || endpoint_begins_as_tin(party) == Ok(true)
                || registration_types(party)
                    .any(|kind| codes::BUYER_REGISTRATION_TYPES.contains(kind))
        },
    },
];

/// `cac:AccountingCustomerParty/cac:Party/cac:PostalAddress`
pub(super) const ADDRESS: Group<Facts> = &[Rule {
    id: "ibr-144-ae",
    term: "IBG-08",
    about: &[],
    message: "Street, city or subdivision is missing in the buyer's address.",
    fix: "Give line 1, the city and the emirate, or the region of another country.",
    holds: |address, _| is_located(address),
}];

/// The count that ibr-179-ae expects.
pub(super) fn expected_tax_ids(party: Node<'_>) -> Expected<'_> {
    Expected::count(tax_ids(party).count(), 1)
}

fn endpoint_schemes<'d>(party: Node<'d>) -> impl Iterator<Item = &'d str> {
    party.all(cbc::ENDPOINT_ID).filter_map(|id| id.attribute(attr::SCHEME_ID))
}

/// `matches(normalize-space(cbc:EndpointID), '^[19]')`
fn endpoint_begins_as_tin(party: Node<'_>) -> Evaluated<bool> {
    Ok(xpath::normalized(party.all(cbc::ENDPOINT_ID))?.starts_with(['1', '9']))
}

/// `matches(cbc:EndpointID, '^1\d{9}$')`
fn endpoint_is_tin(party: Node<'_>) -> Evaluated<bool> {
    let address = xpath::string(party.all(cbc::ENDPOINT_ID))?;
    let digits = address.strip_prefix('1').unwrap_or_default();
    Ok(digits.chars().count() == 9 && digits.chars().all(xpath::is_digit))
}

/// Whether the document of the party has the flag of exports.
fn is_export(party: Node<'_>, facts: &Facts) -> Evaluated<bool> {
    let document = party.parent().and_then(Node::parent);
    document.map_or(Ok(false), |document| facts.ae.below(document).flag(Flag::Exports))
}
