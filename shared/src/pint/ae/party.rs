//! What the rules of buyer and seller ask of a `cac:Party`.

use crate::codes;
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// The scheme of electronic addresses that are tax identification numbers of the UAE.
pub(super) const UAE_TIN: &str = "0235";

/// IBT-030, IBT-047: the legal registration identifiers.
pub(super) fn registrations<'d>(party: Node<'d>) -> impl Iterator<Item = Node<'d>> + Clone {
    party.select(&[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID])
}

/// BTAE-15, BTAE-16: what kinds of registrations they are.
pub(super) fn registration_types<'d>(party: Node<'d>) -> impl Iterator<Item = &'d str> {
    registrations(party).filter_map(|id| id.attribute(attr::SCHEME_AGENCY_ID))
}

/// BTAE-11, BTAE-12, BTAE-18, BTAE-19: the authorities, or countries, that issued them.
fn issuers<'d>(party: Node<'d>) -> impl Iterator<Item = &'d str> {
    registrations(party).filter_map(|id| id.attribute(attr::SCHEME_AGENCY_NAME))
}

/// Whether a passport, if one identifies the party, names the country that issued it. Several
/// issuers are an error of the official expression.
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

/// ISO 3166-1 without the two codes that only addresses may have.
fn is_passport_country(code: &str) -> bool {
    codes::COUNTRIES.contains(code) && !matches!(code, "1A" | "XI")
}

/// Whether a trade licence, if one identifies the party, names the authority that issued it.
pub(super) fn licence_has_authority(party: Node<'_>) -> bool {
    registration_types(party).all(|kind| kind != "TL") || issuers(party).next().is_some()
}

/// Whether an electronic address has the scheme 0235.
pub(super) fn has_uae_endpoint(party: Node<'_>) -> bool {
    party.all(cbc::ENDPOINT_ID).any(|id| id.attribute(attr::SCHEME_ID) == Some(UAE_TIN))
}

/// The tax identifiers, whatever their scheme.
pub(super) fn tax_ids<'d>(party: Node<'d>) -> impl Iterator<Item = Node<'d>> + Clone {
    party.select(&[cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID])
}

/// Whether street, city and subdivision are there.
pub(super) fn is_located(address: Node<'_>) -> bool {
    [cbc::STREET_NAME, cbc::CITY_NAME, cbc::COUNTRY_SUBENTITY]
        .into_iter()
        .all(|part| address.child(part).is_some())
}
