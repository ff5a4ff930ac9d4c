//! Who is seller and who buyer, with their defaults.

use super::{
    complete::Issuance,
    field::{is_tin, is_trn},
    findings::Findings,
    model::{Address, Identifier, Operation, Party},
    place::Place,
};
use crate::types::ParticipantId;

use Role::{Buyer, Seller};

/// What a party is to the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Seller,
    Buyer,
}

/// Seller and buyer, with their defaults.
pub(super) fn resolve(
    operation: Operation,
    given_supplier: Option<&Party>,
    given_customer: Option<&Party>,
    issuance: &Issuance<'_>,
    findings: &mut Findings,
) -> (Party, Party) {
    let (own_role, own_given) = match operation.is_self_billed() {
        true => (Buyer, None),
        false => (Seller, given_supplier),
    };
    let mut own = own_given.unwrap_or(issuance.taxpayer).clone();
    let mut other = match operation.is_self_billed() {
        true => given_supplier,
        false => given_customer,
    }
    .cloned()
    .unwrap_or_default();
    if own_role == Buyer {
        // Terms that only a seller has; a buyer has one identifier (ibr-sr-16).
        own.tax_registration_identifier = None;
        own.tax_registration_scheme_id = None;
        own.additional_legal_information = None;
        own.identifiers.truncate(1);
    }
    fill(&mut other);
    fill(&mut own);
    if own.electronic_address.is_none() {
        let participant = issuance.participant;
        own.electronic_address = Some(Identifier {
            id: participant.value().to_owned(),
            scheme_id: Some(participant.scheme().to_owned()),
        });
    }
    if let Some(given) = own_given {
        let tin = tin_of(&own);
        // The registered taxpayer sends, nobody else: compare TINs, which are the participant.
        if tin.is_none() || tin.as_deref() != issuance.participant.tin() {
            let at = Place::ROOT.field("supplier");
            let at = match given.electronic_address {
                Some(_) => at.field("electronic_address"),
                None => at,
            };
            let message = format!(
                "the supplier must be the taxpayer itself, {}: leave supplier out to use the \
                 registered profile",
                issuance.participant
            );
            findings.term(at, "AP-PARTY-not-the-taxpayer", "IBT-034", message);
        }
    }
    match own_role {
        Seller => (own, other),
        Buyer => (other, own),
    }
}

/// The TIN that a party's electronic address names.
fn tin_of(party: &Party) -> Option<String> {
    let address = party.electronic_address.as_ref()?;
    let participant = ParticipantId::new(address.scheme_id.as_deref()?, &address.id).ok()?;
    participant.tin().map(str::to_owned)
}

/// Countries, schemes and the electronic address where they were left out.
fn fill(party: &mut Party) {
    if let Some(address) = &mut party.address {
        fill_country(address);
    }
    if party.tax_registration_identifier.is_some() {
        party.tax_registration_scheme_id.get_or_insert_with(|| "TIN".to_owned());
    }
    if party.electronic_address.is_none() {
        // The TIN is the first 10 digits of the TRN.
        let tin = match (&party.vat_identifier, &party.tax_registration_identifier) {
            (Some(trn), _) if is_trn(trn) => trn.get(..10).map(str::to_owned),
            (_, Some(tin)) if is_tin(tin) => Some(tin.clone()),
            _ => None,
        };
        party.electronic_address = tin.map(|id| Identifier { id, scheme_id: None });
    }
    if let Some(address) = &mut party.electronic_address {
        address.scheme_id.get_or_insert_with(|| ParticipantId::TIN_SCHEME.to_owned());
    }
}

/// AE where the country was left out.
pub(super) fn fill_country(address: &mut Address) {
    address.country_code.get_or_insert_with(|| "AE".to_owned());
}
