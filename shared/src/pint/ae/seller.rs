//! The seller: `cac:AccountingSupplierParty/cac:Party` and its address.

use super::header::Flag;
use super::party::{
    has_uae_endpoint, is_located, licence_has_authority, passport_has_country, registration_types,
    registrations, tax_ids,
};
use crate::codes;
use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// `cac:AccountingSupplierParty/cac:Party`
pub(super) const PARTY: Group<Facts> = &[
    Rule {
        id: "ibr-012-ae",
        term: "BTAE-18",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The seller is identified by a passport, but no country that issued it is given.",
        fix: "Give the two-letter code of the country that issued the passport.",
        holds: |party, _| passport_has_country(party),
    },
    Rule {
        id: "ibr-172-ae",
        term: "BTAE-12",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The seller is identified by a trade licence without the authority that issued \
                  it.",
        fix: "Name the authority that issued the seller's licence.",
        holds: |party, _| licence_has_authority(party),
    },
    Rule {
        id: "ibr-177-ae",
        term: "IBT-031",
        about: &[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID],
        message: "A disclosed agent bills for the seller, who has no tax identifier.",
        fix: "Give the seller's VAT identifier or tax registration identifier.",
        holds: |party, facts| {
            let is_document =
                |node: &Node<'_>| matches!(node.local_name(), "Invoice" | "CreditNote");
            let document = party.ancestors().find(is_document);
            let flagged = |document| facts.ae.below(document).first_flag(Flag::DisclosedAgent);
            !document.is_some_and(flagged) || tax_ids(party).next().is_some()
        },
    },
    Rule {
        id: "ibr-178-ae",
        term: "IBT-032-1",
        about: &[cac::PARTY_TAX_SCHEME, cac::TAX_SCHEME, cbc::ID],
        message: "Of the seller's two tax registrations not exactly one has the scheme VAT.",
        fix: "Give at most two: one with the scheme VAT, and one with another scheme, such as TIN.",
        holds: |party, _| {
            let schemes = party.all(cac::PARTY_TAX_SCHEME);
            let is_vat = |scheme: &Node<'_>| {
                scheme.select(&[cac::TAX_SCHEME, cbc::ID]).any(|id| id.text() == "VAT")
            };
            match schemes.clone().count() {
                0 | 1 => true,
                2 => schemes.filter(is_vat).count() == 1,
                _ => false,
            }
        },
    },
    Rule {
        id: "ibr-150-ae",
        term: "IBT-030",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The seller's legal registration identifier is missing.",
        fix: "Give it: a seller whose electronic address has the scheme 0235 needs one.",
        holds: |party, _| !has_uae_endpoint(party) || registrations(party).next().is_some(),
    },
    Rule {
        id: "ibr-173-ae",
        term: "BTAE-15",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The type of the seller's legal registration is not one of the known ones.",
        fix: "Use TL, EID, PAS or CD.",
        holds: |party, _| {
            let country = &[cac::POSTAL_ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE];
            let known = |kind| codes::SELLER_REGISTRATION_TYPES.contains(kind);
            registrations(party).next().is_none()
                || !has_uae_endpoint(party)
                || !party.select(country).any(|code| code.text() == "AE")
                || registration_types(party).any(known)
        },
    },
    Rule {
        id: "ibr-181-ae",
        term: "BTAE-15",
        about: &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID],
        message: "The type of the seller's legal registration is missing.",
        fix: "Say whether it is a trade licence (TL), an Emirates ID (EID), a passport (PAS) or a \
              cabinet decision (CD).",
        holds: |party, _| {
            !has_uae_endpoint(party)
                || registrations(party).next().is_none()
                || registration_types(party).next().is_some()
        },
    },
];

/// `cac:AccountingSupplierParty/cac:Party/cac:PostalAddress`
pub(super) const ADDRESS: Group<Facts> = &[Rule {
    id: "ibr-143-ae",
    term: "IBG-05",
    about: &[],
    message: "Street, city or subdivision is missing in the seller's address.",
    fix: "Give line 1, the city and the emirate, or the region of another country.",
    holds: |address, _| is_located(address),
}];
