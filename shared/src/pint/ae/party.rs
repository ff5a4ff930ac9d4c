//! Conditions on a `cac:Party` that the rules of buyer and seller share.

use crate::codes;
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// The scheme of electronic addresses that are tax identification numbers of the UAE.
pub(super) const UAE_TIN: &str = "0235";

/// IBT-030, IBT-047: the legal registration identifiers.
pub(super) fn registrations<'d>(party: Node<'d>) -> impl Iterator<Item = Node<'d>> + Clone {
    party.select(&[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID])
}

/// BTAE-15, BTAE-16: the types of the registrations.
pub(super) fn registration_types<'d>(party: Node<'d>) -> impl Iterator<Item = &'d str> {
    registrations(party).filter_map(|id| id.attribute(attr::SCHEME_AGENCY_ID))
}

/// BTAE-11, BTAE-12, BTAE-18, BTAE-19: the authorities or countries that issued the registrations.
fn issuers<'d>(party: Node<'d>) -> impl Iterator<Item = &'d str> {
    registrations(party).filter_map(|id| id.attribute(attr::SCHEME_AGENCY_NAME))
}

/// Whether a passport names its issuing country; true if the party has no passport. In the official expression, several
/// issuers are an error.
pub(super) fn passport_has_country(party: Node<'_>) -> bool {
    if registration_types(party).all(|kind| kind != "PAS") {
        return true;
    }
    let mut countries = issuers(party);
    match (countries.next(), countries.next()) {
        (Some(country), None) => is_passport_country(country),
        _ => false,
    }
}

/// Whether the code is an ISO 3166-1 country. Two further codes are valid only in addresses.
fn is_passport_country(code: &str) -> bool {
    codes::COUNTRIES.contains(code) && !matches!(code, "1A" | "XI")
}

/// Whether a trade licence names its issuing authority; true if the party has no trade licence.
pub(super) fn licence_has_authority(party: Node<'_>) -> bool {
    registration_types(party).all(|kind| kind != "TL") || issuers(party).next().is_some()
}

/// Whether an electronic address has the scheme 0235.
pub(super) fn has_uae_endpoint(party: Node<'_>) -> bool {
    party.all(cbc::ENDPOINT_ID).any(|id| id.attribute(attr::SCHEME_ID) == Some(UAE_TIN))
}

/// All tax identifiers, for any scheme.
pub(super) fn tax_ids<'d>(party: Node<'d>) -> impl Iterator<Item = Node<'d>> + Clone {
    party.select(&[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID])
}

/// Whether street, city and subdivision are present.
pub(super) fn is_located(address: Node<'_>) -> bool {
    [cbc::STREET_NAME, cbc::CITY_NAME, cbc::COUNTRY_SUBENTITY]
        .into_iter()
        .all(|part| address.child(part).is_some())
}
