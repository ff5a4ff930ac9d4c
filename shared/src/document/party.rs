//! Checks the seller, buyer, payee and tax representative.

#[cfg(feature = "service")]
use super::model::Body;
use super::{
    facts::Facts,
    field::{Listed, code, form, is_tin, is_trn, official, quoted},
    findings::Findings,
    identifier::malformed,
    limits::{COUNTRY, SCHEME},
    model::{Address, Identifier, LegalRegistration, Operation, Party, Payee, TaxRepresentative},
    place::Place,
    roles::{Role, fill_country},
};
use crate::{codes, types::ParticipantId};

use Role::{Buyer, Seller};

/// The business terms and the official rules of a role.
struct Terms {
    name: [&'static str; 2],
    address: [&'static str; 2],
    place: [&'static str; 4],
    place_rule: &'static str,
    endpoint: [&'static str; 2],
    identifier: &'static str,
    vat: &'static str,
    legal: &'static str,
    legal_type: [&'static str; 2],
    authority: [&'static str; 2],
    passport: [&'static str; 2],
}

const SELLER: Terms = Terms {
    name: ["IBT-027", "ibr-006"],
    address: ["IBG-05", "ibr-008"],
    place: ["IBT-035", "IBT-037", "IBT-039", "IBT-040"],
    place_rule: "ibr-143-ae",
    endpoint: ["IBT-034", "ibr-081"],
    identifier: "IBT-029",
    vat: "IBT-031",
    legal: "IBT-030",
    legal_type: ["BTAE-15", "ibr-173-ae, ibr-181-ae"],
    authority: ["BTAE-12", "ibr-172-ae"],
    passport: ["BTAE-18", "ibr-012-ae"],
};

const BUYER: Terms = Terms {
    name: ["IBT-044", "ibr-007"],
    address: ["IBG-08", "ibr-010"],
    place: ["IBT-050", "IBT-052", "IBT-054", "IBT-055"],
    place_rule: "ibr-144-ae",
    endpoint: ["IBT-049", "ibr-080"],
    identifier: "IBT-046",
    vat: "IBT-048",
    legal: "IBT-047",
    legal_type: ["BTAE-16", "ibr-180-ae, ibr-183-ae"],
    authority: ["BTAE-11", "ibr-101-ae"],
    passport: ["BTAE-19", "ibr-010-ae"],
};

/// Checks seller and buyer.
pub(super) fn check(
    operation: Operation,
    supplier_given: bool,
    seller: &Party,
    buyer: &Party,
    facts: &Facts,
    findings: &mut Findings,
) {
    let (supplier, customer) = (Place::ROOT.field("supplier"), Place::ROOT.field("customer"));
    if operation.is_self_billed() {
        party(seller, Seller, supplier, facts, findings);
    } else if supplier_given {
        let mut own = Findings::default();
        party(seller, Seller, supplier, facts, &mut own);
        let fix = "Leave supplier out to use the registered profile, or give all of it.";
        findings.absorb(own, fix);
    } else {
        let mut own = Findings::default();
        party(seller, Seller, Place::ROOT, facts, &mut own);
        findings.absorb_profile(own, "/supplier");
    }
    if operation.is_self_billed() {
        let mut own = Findings::default();
        party(buyer, Buyer, Place::ROOT, facts, &mut own);
        findings.absorb_profile(own, "");
    } else {
        party(buyer, Buyer, customer, facts, findings);
    }
}

/// Checks a party as the seller of an invoice whose content is not known yet.
#[cfg(feature = "service")]
pub(super) fn supplier(seller: &Party, findings: &mut Findings) {
    let facts = Facts::of(Operation::Invoice, &Body::default(), &Party::default());
    party(seller, Seller, Place::ROOT, &facts, findings);
}

fn party(party: &Party, role: Role, at: Place<'_>, facts: &Facts, findings: &mut Findings) {
    let terms = if role == Seller { &SELLER } else { &BUYER };
    if party.name.is_none() {
        let message = format!("the name is required ({})", terms.name[1]);
        findings.term(at.field("name"), "AP-PARTY-name", terms.name[0], message);
    }
    address(party.address.as_ref(), at.field("address"), terms, findings);
    endpoint(party, role, at, terms, facts, findings);
    let in_uae = country_of(party) == Some("AE");
    let (place, value) = (at.field("vat_identifier"), party.vat_identifier.as_deref());
    if in_uae {
        let expected = "a TRN: 15 digits, 1 first and 03 last (ibr-132-ae)";
        form(findings, place, value, terms.vat, is_trn, expected);
    }
    let place = at.field("identifiers");
    for (i, given) in party.identifiers.iter().enumerate() {
        identifier(given, place.index(i), terms.identifier, "ibr-cl-10", findings);
    }
    if role == Buyer {
        buyer_only(party, at, facts, findings);
    } else {
        seller_only(party, at, facts, findings);
    }
    if let Some(legal) = &party.legal_registration {
        legal_registration(legal, party, role, at.field("legal_registration"), terms, findings);
    }
}

fn buyer_only(buyer: &Party, at: Place<'_>, facts: &Facts, findings: &mut Findings) {
    if buyer.identifiers.len() > 1 {
        let message = "a buyer has at most one identifier (ibr-sr-16)";
        let place = at.field("identifiers");
        findings.term(place.index(1), "AP-PARTY-identifiers", "IBT-046", message);
    }
    let seller_only = [
        ("tax_registration_identifier", &buyer.tax_registration_identifier, "IBT-032"),
        ("additional_legal_information", &buyer.additional_legal_information, "IBT-033"),
    ];
    for (field, value, term) in seller_only {
        if value.is_some() {
            let message = "only sellers have this field: leave it out";
            findings.term(at.field(field), "AP-PARTY-seller-only", term, message);
        }
    }
    if facts.is_out_of_scope() && buyer.legal_registration.is_none() {
        let message = "type 480 or 81 needs the buyer's legal registration (ibr-136-ae)";
        let place = at.field("legal_registration");
        findings.term(place, "AP-PARTY-legal-registration", "IBT-047", message);
    }
}

fn seller_only(seller: &Party, at: Place<'_>, facts: &Facts, findings: &mut Findings) {
    if seller.vat_identifier.is_none() && !facts.is_out_of_scope() {
        let message = "the seller's VAT identifier (TRN) is required (ibr-134-ae)";
        findings.term(at.field("vat_identifier"), "AP-PARTY-vat", "IBT-031", message);
    }
    let (place, value) =
        (at.field("tax_registration_identifier"), seller.tax_registration_identifier.as_deref());
    let expected = "a TIN: 10 digits, 1 first (ibr-148-ae)";
    form(findings, place, value, "IBT-032", is_tin, expected);
    if seller.tax_registration_scheme_id.as_deref().is_some_and(|s| s.eq_ignore_ascii_case("VAT")) {
        let message = "VAT is the scheme of vat_identifier: give another scheme (ibr-178-ae)";
        let place = at.field("tax_registration_scheme_id");
        findings.term(place, "AP-PARTY-tax-scheme", "IBT-032-1", message);
    }
    let has_tax_id =
        seller.vat_identifier.is_some() || seller.tax_registration_identifier.is_some();
    if !has_tax_id && facts.is_out_of_scope() {
        let rules = if facts.flags.agent() { "ibr-177-ae" } else { "tax reporting needs one" };
        let message = format!("a VAT identifier or a tax registration (TIN) is required ({rules})");
        let place = at.field("tax_registration_identifier");
        findings.term(place, "AP-PARTY-vat", "IBT-032", message);
    }
    let on_tin = scheme_of(seller) == Some(ParticipantId::TIN_SCHEME);
    if on_tin && seller.legal_registration.is_none() {
        let message = "the seller's legal registration is required (ibr-150-ae)";
        let place = at.field("legal_registration");
        findings.term(place, "AP-PARTY-legal-registration", "IBT-030", message);
    }
}

fn scheme_of(party: &Party) -> Option<&str> {
    party.electronic_address.as_ref()?.scheme_id.as_deref()
}

fn country_of(party: &Party) -> Option<&str> {
    party.address.as_ref()?.country_code.as_deref()
}

fn address(given: Option<&Address>, at: Place<'_>, terms: &Terms, findings: &mut Findings) {
    let Some(address) = given else {
        let message = format!("the address is required ({})", terms.address[1]);
        findings.term(at, "AP-ADDRESS-required", terms.address[0], message);
        return;
    };
    place_lines(address, at, terms.place, terms.place_rule, findings);
    let (place, value) = (at.field("country_code"), address.country_code.as_deref());
    code(findings, place, value, terms.place[3], COUNTRY);
    emirate(address, at, terms.place[2], findings);
}

/// Demands line 1, city and subdivision.
pub(super) fn place_lines(
    address: &Address,
    at: Place<'_>,
    terms: [&'static str; 4],
    rule: &'static str,
    findings: &mut Findings,
) {
    for (field, value, term) in [
        ("line_1", &address.line_1, terms[0]),
        ("city", &address.city, terms[1]),
        ("country_subdivision", &address.country_subdivision, terms[2]),
    ] {
        if value.is_none() {
            let message = format!("{field} is required ({rule})");
            findings.term(at.field(field), "AP-ADDRESS-required", term, message);
        }
    }
}

/// Checks that an address in the UAE names its emirate. Only the tax representative's emirate is enforced by an
/// official rule (ibr-128-ae). In other addresses a wrong emirate is a warning.
pub(super) fn emirate(
    address: &Address,
    at: Place<'_>,
    term: &'static str,
    findings: &mut Findings,
) {
    if address.country_code.as_deref() == Some("AE")
        && let Some(value) = address.country_subdivision.as_deref()
        && !codes::EMIRATES.contains(value)
    {
        let list = codes::EMIRATES.text();
        let message = format!("{} is not an emirate code. Use {list}", quoted(value));
        findings.warning(at.field("country_subdivision"), "AP-ADDRESS-emirate", term, message);
    }
}

fn endpoint(
    party: &Party,
    role: Role,
    of: Place<'_>,
    terms: &Terms,
    facts: &Facts,
    findings: &mut Findings,
) {
    let at = of.field("electronic_address");
    let [term, rule] = terms.endpoint;
    let Some(address) = &party.electronic_address else {
        let message = format!(
            "an electronic address is required ({rule}); the service derives it from a TRN or TIN. Buyers outside the \
             network: 0235 with 9900000097 (deemed supply), 9900000098 (not subject to e-invoicing) or 9900000099 \
             (export)"
        );
        findings.term(at, "AP-PARTY-endpoint", term, message);
        return;
    };
    let scheme = address.scheme_id.as_deref().unwrap_or_default();
    let id = address.id.as_str();
    let listed = Listed { list: codes::EAS, name: "the EAS list", rule: "ibr-cl-25" };
    code(findings, at.field("scheme_id"), Some(scheme), term, listed);
    if let Some(expected) = malformed(scheme, id) {
        let message = format!("{} is not {expected}", quoted(id));
        findings.term(at.field("id"), "AP-PARTY-identifier", term, message);
    } else if scheme != ParticipantId::TIN_SCHEME {
        if codes::EAS.contains(scheme) && ParticipantId::new(scheme, id).is_err() {
            let message = "not a participant identifier: up to 50 printable ASCII characters";
            findings.term(at.field("id"), "AP-PARTY-endpoint", term, message);
        }
    } else if codes::PREDEFINED_ENDPOINTS.contains(id) {
        predefined(id, role, at, term, facts, findings);
    } else if !is_tin(id) {
        let message = format!(
            "{} is neither a TIN (10 digits, 1 first) nor a predefined endpoint: {}",
            quoted(id),
            codes::PREDEFINED_ENDPOINTS.text()
        );
        findings.term(at.field("id"), "AP-PARTY-endpoint", term, message);
    }
    // ibr-135-ae, ibr-149-ae.
    let identified = !party.identifiers.is_empty() || party.vat_identifier.is_some();
    let on_tin = scheme == ParticipantId::TIN_SCHEME;
    if role == Buyer && on_tin && !is_tin(id) && !facts.flags.exports() && !identified {
        let message =
            "a buyer without its own TIN needs an identifier or a VAT identifier (ibr-135-ae)";
        let place = of.field("identifiers");
        findings.term(place, "AP-PARTY-identifier-required", "IBT-046", message);
    }
}

/// Checks that a predefined endpoint matches its scenario.
fn predefined(
    id: &str,
    role: Role,
    at: Place<'_>,
    term: &'static str,
    facts: &Facts,
    findings: &mut Findings,
) {
    let place = at.field("id");
    if role == Seller {
        let message = "a predefined endpoint is for buyers, not for sellers";
        findings.term(place, "AP-PARTY-endpoint", term, message);
    } else if id == "9900000097" && !facts.flags.deemed() {
        let message = "9900000097 is for deemed supplies: set flag 2 of transaction_type_code";
        findings.warning(place, "AP-PARTY-predefined-endpoint", term, message);
    } else if id == "9900000099" && !facts.flags.exports() {
        let message = "9900000099 is for exports: set flag 8 of transaction_type_code";
        findings.warning(place, "AP-PARTY-predefined-endpoint", term, message);
    }
}

/// Checks the scheme of an identifier and, for some schemes, its form.
pub(super) fn identifier(
    given: &Identifier,
    at: Place<'_>,
    term: &'static str,
    rule: &'static str,
    findings: &mut Findings,
) {
    let Some(scheme) = given.scheme_id.as_deref() else { return };
    // ibr-cl-10 accepts SEPA in addition to the list: the creditor identifier (IBT-090) of seller and payee. It does
    // not accept SEPA for a buyer (IBT-046).
    let creditor = scheme == "SEPA" && rule == "ibr-cl-10" && term != "IBT-046";
    if !creditor {
        code(findings, at.field("scheme_id"), Some(scheme), term, Listed { rule, ..SCHEME });
    }
    if let Some(expected) = malformed(scheme, &given.id) {
        let message = format!("{} is not {expected}", quoted(&given.id));
        findings.term(at.field("id"), "AP-PARTY-identifier", term, message);
    }
}

fn legal_registration(
    legal: &LegalRegistration,
    party: &Party,
    role: Role,
    at: Place<'_>,
    terms: &Terms,
    findings: &mut Findings,
) {
    if let Some(scheme) = legal.scheme_id.as_deref() {
        let given = Identifier { id: legal.id.clone(), scheme_id: Some(scheme.to_owned()) };
        identifier(&given, at, terms.legal, "ibr-cl-11", findings);
    }
    let [term, rule] = terms.legal_type;
    let kind = legal.r#type.as_deref();
    let list = match role {
        Seller => codes::SELLER_REGISTRATION_TYPES,
        Buyer => codes::BUYER_REGISTRATION_TYPES,
    };
    match kind {
        Some(_) => code(findings, at.field("type"), kind, term, Listed { list, name: "", rule }),
        None if scheme_of(party) == Some(ParticipantId::TIN_SCHEME) => {
            let message = format!("the type is required: {}{}", list.text(), official(rule));
            findings.term(at.field("type"), "AP-PARTY-legal-registration", term, message);
        }
        None => {}
    }
    // UBL has one attribute for authority and country; its meaning depends on the type.
    let [authority, passport] = [
        (legal.authority_name.as_deref(), "authority_name", terms.authority, "TL"),
        (legal.passport_country_code.as_deref(), "passport_country_code", terms.passport, "PAS"),
    ];
    for (value, field, [term, rule], wanted) in [authority, passport] {
        let rule_id = "AP-PARTY-legal-registration";
        if value.is_none() && kind == Some(wanted) {
            let message = format!("type {wanted} needs it ({rule})");
            findings.term(at.field(field), rule_id, term, message);
        } else if value.is_some() && kind != Some(wanted) {
            let message = format!("allowed only for type {wanted}");
            findings.term(at.field(field), rule_id, term, message);
        }
    }
    if let Some(country) = legal.passport_country_code.as_deref() {
        let [term, rule] = terms.passport;
        let (place, listed) = (at.field("passport_country_code"), Listed { rule, ..COUNTRY });
        // The list of passport countries has neither 1A nor XI.
        if matches!(country, "1A" | "XI") {
            let message = format!("{country} does not issue passports ({rule})");
            findings.term(place, "AP-JSON-code", term, message);
        } else {
            code(findings, place, Some(country), term, listed);
        }
    }
}

/// IBG-10: the payee must differ from the seller (ibr-017).
pub(super) fn payee(payee: &Payee, seller: &Party, findings: &mut Findings) {
    let at = Place::ROOT.field("payee");
    if seller.trading_name.as_deref() == Some(payee.name.as_str()) {
        let message = "the payee has the seller's trading name: leave payee out (ibr-017)";
        findings.term(at.field("name"), "AP-PAYEE-is-seller", "IBT-059", message);
    }
    if let Some(given) = &payee.identifier {
        let place = at.field("identifier");
        if seller.identifiers.iter().any(|own| own.id == given.id) {
            let message = "the payee has an identifier of the seller: leave payee out (ibr-017)";
            findings.term(place.field("id"), "AP-PAYEE-is-seller", "IBT-060", message);
        }
        identifier(given, place, "IBT-060", "ibr-cl-10", findings);
    }
    if let Some(given) = &payee.legal_registration_identifier {
        let place = at.field("legal_registration_identifier");
        identifier(given, place, "IBT-061", "ibr-cl-11", findings);
    }
}

/// IBG-11: checks the tax representative, whose emirate an official rule enforces.
pub(super) fn tax_representative(given: &mut TaxRepresentative, findings: &mut Findings) {
    let at = Place::ROOT.field("tax_representative");
    let place = at.field("address");
    fill_country(&mut given.address);
    let country = given.address.country_code.as_deref();
    code(findings, place.field("country_code"), country, "IBT-069", COUNTRY);
    if country == Some("AE") {
        let expected = "a TRN: 15 digits, 1 first and 03 last";
        let value = Some(given.vat_identifier.as_str());
        form(findings, at.field("vat_identifier"), value, "IBT-063", is_trn, expected);
        let subdivision = given.address.country_subdivision.as_deref();
        if !subdivision.is_some_and(|value| codes::EMIRATES.contains(value)) {
            let message =
                format!("an emirate is required: {} (ibr-128-ae)", codes::EMIRATES.text());
            let place = place.field("country_subdivision");
            findings.term(place, "AP-ADDRESS-emirate", "IBT-068", message);
        }
    }
}
