//! Addresses of other parties, and delivery terms.

use crate::codes;
use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::names::{cac, cbc};

/// `cac:PostalAddress`, but for those of buyer and seller, which an earlier context takes.
pub(super) const POSTAL_ADDRESS: Group<Facts> = &[Rule {
    id: "ibr-128-ae",
    term: "IBT-068",
    about: &[cbc::COUNTRY_SUBENTITY],
    message: "The address is in the UAE, but its subdivision is not an emirate.",
    fix: "Use AUH, DXB, SHJ, UAQ, FUJ, AJM or RAK.",
    holds: |address, _| {
        let mut countries = address.select(&[cac::COUNTRY, cbc::IDENTIFICATION_CODE]);
        let mut subdivisions = address.all(cbc::COUNTRY_SUBENTITY);
        countries.all(|code| code.text() != "AE")
            || subdivisions.any(|code| codes::EMIRATES.contains(&code.text()))
    },
}];

/// `cac:DeliveryTerms`
pub(super) const DELIVERY_TERMS: Group<Facts> = &[Rule {
    id: "ibr-196-ae",
    term: "BTAE-22",
    about: &[cbc::ID],
    message: "The terms of delivery name no Incoterms code.",
    fix: "Give the Incoterms code, such as CIF.",
    holds: |terms, _| terms.child(cbc::ID).is_some(),
}];
