//! Code lists of the UAE: the pattern `Codesmodelaligned`.

use crate::codes::{COUNTRIES, CREDIT_REASONS, FREQUENCIES, LINE_CATEGORIES, RCM_TYPES};
use crate::pint::Facts;
use crate::rules::xpath;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// `cac:DiscrepancyResponse/cbc:ResponseCode`
pub(super) const CREDIT_REASON: Group<Facts> = &[Rule {
    id: "ibr-001-ae",
    term: "BTAE-03",
    about: &[],
    message: "The reason of the credit note is not one of the known codes.",
    fix: "Use DL8.61.1.A to DL8.61.1.E, or VD for a volume discount.",
    holds: |code, _| CREDIT_REASONS.contains(&code.normalized()),
}];

/// `cac:AccountingCustomerParty/…/cbc:CompanyID[@schemeAgencyID='PAS']/@schemeAgencyName`
pub(super) const BUYER_PASSPORT: Group<Facts> = &[Rule {
    id: "ibr-011-ae",
    term: "BTAE-19",
    about: &[],
    message: "The country that issued the buyer's passport is not an ISO 3166-1 code.",
    fix: "Give the two-letter code of the country.",
    holds: |id, _| has_country(id),
}];

/// `cac:AccountingSupplierParty/…/cbc:CompanyID[@schemeAgencyID='PAS']/@schemeAgencyName`
pub(super) const SELLER_PASSPORT: Group<Facts> = &[Rule {
    id: "ibr-013-ae",
    term: "BTAE-18",
    about: &[],
    message: "The country that issued the seller's passport is not an ISO 3166-1 code.",
    fix: "Give the two-letter code of the country.",
    holds: |id, _| has_country(id),
}];

/// `cac:InvoicePeriod/cbc:DescriptionCode`
pub(super) const FREQUENCY: Group<Facts> = &[Rule {
    id: "ibr-005-ae",
    term: "BTAE-06",
    about: &[],
    message: "The frequency of billing is not one of the known codes.",
    fix: "Use DLY, WKY, Q15, MTH, Q45, Q60, QTR, HYR, YRL or OTH.",
    holds: |code, _| FREQUENCIES.contains(&code.normalized()),
}];

/// `cac:TaxCategory/cbc:ID | cac:ClassifiedTaxCategory/cbc:ID`
pub(super) const CATEGORY: Group<Facts> = &[Rule {
    id: "ibr-139-ae",
    term: "IBT-151",
    about: &[],
    message: "The VAT category is not one of the known codes.",
    fix: "Use S, Z, E, O, AE or N.",
    holds: |code, _| LINE_CATEGORIES.contains(&code.normalized()),
}];

/// `cbc:NatureCode`
pub(super) const NATURE: Group<Facts> = &[Rule {
    id: "ibr-006-ae",
    term: "BTAE-09",
    about: &[],
    message: "The kind of goods or services under reverse charge is not one of the known codes.",
    fix: "Use DL8.48.8.1, DL8.48.8.2, DL8.48.3.1, DL8.48.3.2 or DL8.48.3.3.",
    holds: |code, _| RCM_TYPES.contains(&code.normalized()),
}];

/// The group of a node.
pub(in crate::pint) fn pattern(node: Node<'_>) -> Option<Group<Facts>> {
    match node.name() {
        cbc::RESPONSE_CODE => node.is_in(&[cac::DISCREPANCY_RESPONSE]).then_some(CREDIT_REASON),
        cbc::COMPANY_ID if node.is_in(&[cac::PARTY_LEGAL_ENTITY]) => passport(node),
        cbc::DESCRIPTION_CODE => node.is_in(&[cac::INVOICE_PERIOD]).then_some(FREQUENCY),
        cbc::ID => {
            let of_category =
                node.is_in(&[cac::TAX_CATEGORY]) || node.is_in(&[cac::CLASSIFIED_TAX_CATEGORY]);
            of_category.then_some(CATEGORY)
        }
        cbc::NATURE_CODE => Some(NATURE),
        _ => None,
    }
}

/// Returns the group for an element with the attribute that the official context matches. An element has each attribute
/// at most once, so the element can represent it.
fn passport(id: Node<'_>) -> Option<Group<Facts>> {
    let party = id.parent()?.parent().filter(|party| party.name() == cac::PARTY)?;
    let is_passport = id.attribute(attr::SCHEME_AGENCY_ID) == Some("PAS");
    if !is_passport || id.attribute(attr::SCHEME_AGENCY_NAME).is_none() {
        return None;
    }
    match party.parent()?.name() {
        cac::ACCOUNTING_CUSTOMER_PARTY => Some(BUYER_PASSPORT),
        cac::ACCOUNTING_SUPPLIER_PARTY => Some(SELLER_PASSPORT),
        _ => None,
    }
}

fn has_country(id: Node<'_>) -> bool {
    let country = id.attribute(attr::SCHEME_AGENCY_NAME).unwrap_or_default();
    COUNTRIES.contains(xpath::trim(country))
}
