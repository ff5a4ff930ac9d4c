//! Checks of parties and addresses.

use super::OwnFacts;
use crate::codes::{self, CodeList};
use crate::pint::ae::header::Flag;
use crate::pint::ae::tax_id::{is_tin, is_trn};
use crate::rules::{Group, Rule};
use crate::xml::names::{attr, cac, cbc};
use crate::xml::{Name, Node};

/// The predefined endpoint for the buyer of a deemed supply.
const DEEMED_BUYER: &str = "9900000097";
/// The predefined endpoint for a buyer abroad without an electronic address.
const BUYER_ABROAD: &str = "9900000099";

/// `cac:AccountingSupplierParty/cac:Party`
pub(super) const SELLER: Group<OwnFacts> = &[
    Rule {
        id: "AP-PARTY-endpoint",
        term: "IBT-034",
        about: &[cbc::ENDPOINT_ID],
        message: "The seller's electronic address is of scheme 0235, but not a TIN.",
        fix: "Write the seller's TIN: the first ten digits of the TRN.",
        holds: |party, _| address(party).is_none_or(|id| is_taxpayer(&id.normalized())),
    },
    Rule {
        id: "AP-PARTY-vat-tin",
        term: "IBT-031",
        about: VAT_IDENTIFIER,
        message: "The seller's VAT identifier does not begin with the TIN of its electronic address.",
        fix: "Check both. A TRN is the TIN and five more digits, except the TRN of a VAT group.",
        // Of whoever wrote the document both are registered.
        holds: |party, facts| !facts.is_of_buyer || has_own_trn(party),
    },
    Rule {
        // ibr-173-ae asks sellers with an address in the UAE alone.
        id: "AP-PARTY-legal-registration",
        term: "BTAE-15",
        about: REGISTRATION,
        message: "The type of the seller's legal registration is not one of the known ones.",
        fix: "Use TL, EID, PAS or CD.",
        holds: |party, _| has_known_type(party, codes::SELLER_REGISTRATION_TYPES),
    },
];

/// `cac:AccountingCustomerParty/cac:Party`
pub(super) const BUYER: Group<OwnFacts> = &[
    Rule {
        id: "AP-PARTY-endpoint",
        term: "IBT-049",
        about: &[cbc::ENDPOINT_ID],
        message: "The buyer's electronic address is of scheme 0235, but not a TIN.",
        fix: "Write the buyer's TIN: the first ten digits of the TRN; or 9900000097, 9900000098 or \
              9900000099 for a buyer outside the network.",
        holds: |party, _| {
            address(party).is_none_or(|id| {
                let id = id.normalized();
                is_taxpayer(&id) || codes::PREDEFINED_ENDPOINTS.contains(&id)
            })
        },
    },
    Rule {
        id: "AP-PARTY-predefined-endpoint",
        term: "IBT-049",
        about: &[cbc::ENDPOINT_ID],
        message: "The buyer's electronic address does not match the transaction type.",
        fix: "Use 9900000097 with flag 2 (deemed supply) and 9900000099 with flag 8 (exports).",
        holds: |party, facts| {
            address(party).is_none_or(|id| match &*id.normalized() {
                DEEMED_BUYER => facts.has(Flag::DeemedSupply),
                BUYER_ABROAD => facts.has(Flag::Exports),
                _ => true,
            })
        },
    },
    Rule {
        id: "AP-PARTY-vat-tin",
        term: "IBT-048",
        about: VAT_IDENTIFIER,
        message: "The buyer's VAT identifier does not begin with the TIN of its electronic address.",
        fix: "Check both. A TRN is the TIN and five more digits, except the TRN of a VAT group.",
        holds: |party, facts| facts.is_of_buyer || has_own_trn(party),
    },
    Rule {
        id: "AP-FLAG-deemed",
        term: "IBT-049",
        about: &[cbc::ENDPOINT_ID],
        message: "The supply is deemed (flag 2), but the buyer's electronic address is not 9900000097.",
        fix: "Write 9900000097 with the scheme 0235. A deemed supply is reported, but not delivered to a buyer.",
        holds: |party, facts| {
            !facts.has(Flag::DeemedSupply)
                || address(party).is_some_and(|id| id.normalized() == DEEMED_BUYER)
        },
    },
    Rule {
        // ibr-183-ae asks buyers without a TIN alone.
        id: "AP-PARTY-legal-registration",
        term: "BTAE-16",
        about: REGISTRATION,
        message: "The type of the buyer's legal registration is not one of the known ones.",
        fix: "Use TL, CL, EID, PAS or CD.",
        holds: |party, _| has_known_type(party, codes::BUYER_REGISTRATION_TYPES),
    },
];

/// The postal addresses of seller and buyer, which ibr-128-ae does not reach.
pub(super) const ADDRESS: Group<OwnFacts> = &[EMIRATE];

/// The address of delivery, which ibr-128-ae does not reach.
pub(super) const DELIVERY_ADDRESS: Group<OwnFacts> = &[
    EMIRATE,
    Rule {
        id: "AP-FLAG-exports",
        term: "IBT-080",
        about: COUNTRY,
        message: "The supply is an export (flag 8), but is delivered in the UAE.",
        fix: "Give the foreign address to which the goods or services are delivered.",
        holds: |address, facts| !facts.has(Flag::Exports) || !is_in_uae(address),
    },
    Rule {
        id: "AP-FLAG-exports-missing",
        term: "BTAE-02",
        about: COUNTRY,
        message: "The delivery address is abroad, but the document is not marked as an export (flag 8).",
        fix: "Set flag 8 of the transaction type code for an export.",
        holds: |address, facts| {
            facts.has(Flag::Exports)
                || facts.header.is_out_of_scope()
                || address.select(COUNTRY).next().is_none()
                || is_in_uae(address)
        },
    },
];

/// Beneficiary and principal.
pub(super) const TAXPAYER: Group<OwnFacts> = &[Rule {
    id: "AP-PARTY-taxpayer",
    term: "BTAE-01",
    about: &[cbc::ID],
    message: "The identifier of the beneficiary or principal is neither a TRN nor a TIN.",
    fix: "Give the TRN (15 digits) or the TIN (ten digits).",
    holds: |party, _| party.all(cbc::ID).all(|id| is_taxpayer(&id.normalized())),
}];

/// `cac:TaxRepresentativeParty`, which ibr-132-ae does not reach.
pub(super) const TAX_REPRESENTATIVE: Group<OwnFacts> = &[Rule {
    id: "AP-PARTY-vat",
    term: "IBT-063",
    about: &[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID],
    message: "The VAT identifier of the tax representative is not a TRN.",
    fix: "Give 15 digits that begin with 1 and end in 03.",
    holds: |party, _| {
        let mut ids = party.select(&[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID]);
        let in_uae = party.child(cac::POSTAL_ADDRESS).is_some_and(is_in_uae);
        !in_uae || ids.all(|id| is_trn(&id.normalized()))
    },
}];

const EMIRATE: Rule<OwnFacts> = Rule {
    id: "AP-ADDRESS-emirate",
    term: "IBT-039",
    about: &[cbc::COUNTRY_SUBENTITY],
    message: "The address is in the UAE, but its subdivision is not an emirate.",
    fix: "Use AUH, DXB, SHJ, UAQ, FUJ, AJM or RAK.",
    holds: |address, _| {
        let mut subdivisions = address.all(cbc::COUNTRY_SUBENTITY);
        !is_in_uae(address) || subdivisions.all(|code| codes::EMIRATES.contains(&code.normalized()))
    },
};

const VAT_IDENTIFIER: &[Name] = &[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID];
const REGISTRATION: &[Name] = &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID];
const COUNTRY: &[Name] = &[cac::COUNTRY, cbc::IDENTIFICATION_CODE];

/// The electronic address with scheme 0235.
fn address(party: Node<'_>) -> Option<Node<'_>> {
    party.all(cbc::ENDPOINT_ID).find(|id| id.attribute(attr::SCHEME_ID) == Some("0235"))
}

/// Whether an identifier is a TIN or a TRN. Several official examples use a TRN in place of the TIN.
fn is_taxpayer(id: &str) -> bool {
    is_tin(id) || is_trn(id)
}

/// Whether the TRN of a party starts with the TIN of its electronic address. A party without a TRN passes.
fn has_own_trn(party: Node<'_>) -> bool {
    let Some(tin) = address(party).map(|id| id.normalized().into_owned()) else { return true };
    let mut ids = party.select(VAT_IDENTIFIER).map(|id| id.normalized().into_owned());
    !is_tin(&tin) || ids.all(|id| !is_trn(&id) || id.starts_with(&tin))
}

fn has_known_type(party: Node<'_>, known: CodeList) -> bool {
    let mut types =
        party.select(REGISTRATION).filter_map(|id| id.attribute(attr::SCHEME_AGENCY_ID));
    types.all(|kind| known.contains(kind))
}

fn is_in_uae(address: Node<'_>) -> bool {
    address.select(COUNTRY).any(|code| code.normalized() == "AE")
}
