//! Checks identities. An identity in a body must match the taxpayer's registered profile, and seller and buyer must
//! differ.

use super::{
    facts::Facts,
    field::{is_trn, quoted},
    findings::Findings,
    issuance::Issuance,
    model::{Identifier, LegalRegistration, Party},
    place::Place,
};
use crate::types::ParticipantId;

/// Checks the supplier in a body against the profile. Legal name, TIN, TRN and legal registration must match. Address,
/// contact, trade name and identifiers may belong to a branch.
pub(super) fn registered(
    given: &Party,
    at: Place<'_>,
    issuance: &Issuance<'_>,
    findings: &mut Findings,
) {
    let profile = issuance.taxpayer;
    let party = &profile.party;
    let tin = issuance.participant.tin();
    if let Some(address) = &given.electronic_address {
        endpoint(address, at.field("electronic_address"), issuance.participant, findings);
    }
    let (place, rule) = (at.field("name"), "AP-PROFILE-name");
    same(&given.name, &party.name, place, "name", rule, "IBT-027", findings);
    if let Some(trn) = given.vat_identifier.as_deref()
        && !profile.has_vat_identifier(trn)
    {
        let own = party.vat_identifier.iter().chain(&profile.vat_identifiers);
        let own: Vec<_> = own.map(String::as_str).collect();
        let message = "not a TRN of the registered profile (vat_identifier, vat_identifiers)";
        let (place, rule) = (at.field("vat_identifier"), "AP-PROFILE-vat");
        differs(trn, Some(&own.join(" or ")), place, [rule, "IBT-031"], message, findings);
    }
    if let Some(id) = given.tax_registration_identifier.as_deref()
        && party.tax_registration_identifier.as_deref() != Some(id)
        && tin != Some(id)
    {
        let place = at.field("tax_registration_identifier");
        let message = "neither the taxpayer's TIN nor tax_registration_identifier of the \
                       registered profile";
        let own = party.tax_registration_identifier.as_deref().or(tin);
        let rule = ["AP-PROFILE-tax-registration", "IBT-032"];
        differs(id, own, place, rule, message, findings);
    }
    let place = at.field("identifiers");
    for (i, given) in given.identifiers.iter().enumerate() {
        let is_tin = given.scheme_id.as_deref() == Some(ParticipantId::TIN_SCHEME);
        if is_tin && Some(given.id.as_str()) != tin {
            let message =
                "an identifier of scheme 0235 is a TIN, but this is not the taxpayer's TIN";
            let place = place.index(i);
            let rule = ["AP-PROFILE-identifier", "IBT-029"];
            differs(&given.id, tin, place.field("id"), rule, message, findings);
        }
    }
    if let Some(legal) = &given.legal_registration {
        let place = at.field("legal_registration");
        legal_registration(legal, party.legal_registration.as_ref(), place, findings);
    }
}

/// Checks the electronic address, which is the taxpayer's TIN.
fn endpoint(
    address: &Identifier,
    at: Place<'_>,
    participant: &ParticipantId,
    findings: &mut Findings,
) {
    let scheme = address.scheme_id.as_deref().unwrap_or(ParticipantId::TIN_SCHEME);
    let given = ParticipantId::new(scheme, &address.id).ok();
    let is_own = given.as_ref().is_some_and(|given| match given.tin() {
        Some(tin) => participant.tin() == Some(tin),
        None => given == participant,
    });
    if !is_own {
        let (field, given, own) = match scheme == participant.scheme() {
            true => ("id", address.id.as_str(), participant.value()),
            false => ("scheme_id", scheme, participant.scheme()),
        };
        let message =
            format!("a document must have the taxpayer's own electronic address, {participant}");
        let rule = ["AP-PROFILE-endpoint", "IBT-034"];
        differs(given, Some(own), at.field(field), rule, &message, findings);
    }
}

fn legal_registration(
    given: &LegalRegistration,
    registered: Option<&LegalRegistration>,
    at: Place<'_>,
    findings: &mut Findings,
) {
    let rule = "AP-PROFILE-legal-registration";
    let Some(own) = registered else {
        let message = "the registered profile has no legal registration";
        return findings.term(at, rule, "IBT-030", message);
    };
    if given.id != own.id {
        let message = otherwise("legal_registration.id", &given.id, Some(&own.id));
        let rule = [rule, "IBT-030"];
        differs(&given.id, Some(&own.id), at.field("id"), rule, &message, findings);
    }
    for (field, named, given, own, term) in [
        (
            "scheme_id",
            "legal_registration.scheme_id",
            &given.scheme_id,
            &own.scheme_id,
            "IBT-030-1",
        ),
        ("type", "legal_registration.type", &given.r#type, &own.r#type, "BTAE-15"),
        (
            "authority_name",
            "legal_registration.authority_name",
            &given.authority_name,
            &own.authority_name,
            "BTAE-12",
        ),
        (
            "passport_country_code",
            "legal_registration.passport_country_code",
            &given.passport_country_code,
            &own.passport_country_code,
            "BTAE-18",
        ),
    ] {
        same(given, own, at.field(field), named, rule, term, findings);
    }
}

/// Checks that a given value equals the registered value.
fn same(
    given: &Option<String>,
    registered: &Option<String>,
    at: Place<'_>,
    field: &str,
    rule: &'static str,
    term: &'static str,
    findings: &mut Findings,
) {
    if let Some(given) = given
        && registered.as_ref() != Some(given)
    {
        let registered = registered.as_deref();
        let message = otherwise(field, given, registered);
        differs(given, registered, at, [rule, term], &message, findings);
    }
}

/// Reports a wrong value, with the registered value if there is one.
fn differs(
    given: &str,
    registered: Option<&str>,
    at: Place<'_>,
    [rule, term]: [&'static str; 2],
    message: &str,
    findings: &mut Findings,
) {
    match registered.filter(|registered| !registered.is_empty()) {
        Some(registered) => {
            let values = [given.to_owned(), registered.to_owned()];
            findings.unequal(at, rule, term, values, message);
        }
        None => findings.term(at, rule, term, message),
    }
}

fn otherwise(field: &str, given: &str, registered: Option<&str>) -> String {
    let Some(registered) = registered else {
        return format!("the registered profile has no such value ({field}): leave it out");
    };
    // White space and case are differences that a reader overlooks.
    let plain = |text: &str| {
        text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect::<String>()
    };
    let why = match plain(given) == plain(registered) {
        true => ": spaces and capital letters matter",
        false => "",
    };
    format!("the registered profile has {} ({field}){why}", quoted(registered))
}

/// Reports a document whose seller and buyer are the same taxpayer, because the network would return it to its sender.
/// A deemed supply is the exception: its seller is also its buyer, and the endpoint 9900000097 represents the buyer.
pub(super) fn itself(
    counterparty: &Party,
    given: &Party,
    at: Place<'_>,
    participant: &ParticipantId,
    facts: &Facts,
    findings: &mut Findings,
) {
    let Some(tin) = participant.tin() else { return };
    let own = |id: &Option<String>| {
        id.as_deref().is_some_and(|id| id == tin || (is_trn(id) && id.starts_with(tin)))
    };
    let goes_to = counterparty.electronic_address.as_ref();
    let comes_back = goes_to.is_some_and(|address| {
        address.scheme_id.as_deref() == Some(ParticipantId::TIN_SCHEME) && address.id == tin
    });
    let is_own = own(&given.vat_identifier) || own(&given.tax_registration_identifier);
    if !comes_back && (!is_own || facts.flags.deemed()) {
        return;
    }
    let place = at.field("electronic_address");
    let (place, term) = match () {
        () if given.electronic_address.is_some() && comes_back => (place.field("id"), "IBT-049"),
        () if own(&given.vat_identifier) => (at.field("vat_identifier"), "IBT-048"),
        () => (at.field("tax_registration_identifier"), "IBT-032"),
    };
    let message = if facts.flags.deemed() {
        "this is the taxpayer itself: in a deemed supply (flag 2), the buyer's electronic address is 9900000097"
    } else {
        "this is the taxpayer itself: seller and buyer must be different"
    };
    findings.term(place, "AP-PARTY-itself", term, message);
}
