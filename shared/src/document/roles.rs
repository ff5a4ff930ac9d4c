//! Determines the seller and the buyer, and fills in their defaults.

use super::{
    field::{is_tin, is_trn},
    findings::Findings,
    identity,
    issuance::Issuance,
    model::{Address, Identifier, Operation, Party},
    place::Place,
};
use crate::types::ParticipantId;

/// The role of a party in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Seller,
    Buyer,
}

/// Returns the seller and the buyer with their defaults.
pub(super) fn resolve(
    operation: Operation,
    given_supplier: Option<&Party>,
    given_customer: Option<&Party>,
    issuance: &Issuance<'_>,
    findings: &mut Findings,
) -> (Party, Party) {
    let (supplier, customer) = (Place::ROOT.field("supplier"), Place::ROOT.field("customer"));
    if operation.is_self_billed() {
        let mut seller = given_supplier.cloned().unwrap_or_default();
        fill(&mut seller, supplier, "IBT-034", findings);
        let mut buyer = registered(issuance);
        // Only a seller has these terms. A buyer has at most one identifier (ibr-sr-16).
        buyer.tax_registration_identifier = None;
        buyer.tax_registration_scheme_id = None;
        buyer.additional_legal_information = None;
        buyer.identifiers.truncate(1);
        return (seller, buyer);
    }
    let seller = match given_supplier {
        None => registered(issuance),
        Some(given) => {
            identity::registered(given, supplier, issuance, findings);
            let mut seller = given.clone();
            // The TIN must not come from the TRN, which may belong to a VAT group.
            seller.electronic_address.get_or_insert_with(|| address(issuance.participant));
            fill(&mut seller, supplier, "IBT-034", findings);
            seller
        }
    };
    let mut buyer = given_customer.cloned().unwrap_or_default();
    fill(&mut buyer, customer, "IBT-049", findings);
    (seller, buyer)
}

/// The taxpayer as a party, from its registered profile.
pub(super) fn registered(issuance: &Issuance<'_>) -> Party {
    let mut own = issuance.taxpayer.party.clone();
    own.electronic_address = Some(address(issuance.participant));
    if own.vat_identifier.is_none() {
        own.vat_identifier = issuance.taxpayer.vat_identifiers.first().cloned();
    }
    fill(&mut own, Place::ROOT, "", &mut Findings::default());
    own
}

fn address(participant: &ParticipantId) -> Identifier {
    Identifier {
        id: participant.tin().unwrap_or(participant.value()).to_owned(),
        scheme_id: Some(participant.scheme().to_owned()),
    }
}

/// Fills in countries, schemes and the electronic address.
fn fill(party: &mut Party, at: Place<'_>, term: &'static str, findings: &mut Findings) {
    if let Some(address) = &mut party.address {
        fill_country(address);
    }
    if party.tax_registration_identifier.is_some() {
        party.tax_registration_scheme_id.get_or_insert_with(|| "TIN".to_owned());
    }
    if party.electronic_address.is_none() {
        let tin = match (&party.vat_identifier, &party.tax_registration_identifier) {
            (Some(trn), _) if is_trn(trn) => tin_of(trn),
            (_, Some(tin)) if is_tin(tin) => Some(tin.clone()),
            _ => None,
        };
        party.electronic_address = tin.map(|id| Identifier { id, scheme_id: None });
    }
    let Some(address) = &mut party.electronic_address else { return };
    let scheme = address.scheme_id.get_or_insert_with(|| ParticipantId::TIN_SCHEME.to_owned());
    // The network identifies a business by its TIN.
    if scheme == ParticipantId::TIN_SCHEME
        && is_trn(&address.id)
        && let Some(tin) = tin_of(&address.id)
    {
        let message = format!(
            "{} is a TRN, but an electronic address is a TIN: the service uses its first 10 digits, {tin}",
            address.id
        );
        let place = at.field("electronic_address");
        findings.warning(place.field("id"), "AP-PARTY-endpoint-trn", term, message);
        address.id = tin;
    }
}

/// The TIN is the first 10 digits of the TRN.
fn tin_of(trn: &str) -> Option<String> {
    trn.get(..10).map(str::to_owned)
}

/// Fills in AE as the country.
pub(super) fn fill_country(address: &mut Address) {
    address.country_code.get_or_insert_with(|| "AE".to_owned());
}
