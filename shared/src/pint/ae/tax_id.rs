//! Tax identifiers and their schemes.

use super::category::is_vat;
use crate::pint::Facts;
use crate::rules::xpath;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// `cac:PartyTaxScheme/cbc:CompanyID`: the two official contexts in one group, for which one it is
/// takes a walk over the party.
pub(super) const TAX_ID: Group<Facts> = &[
    Rule {
        // cac:Party[… = 'AE']/cac:PartyTaxScheme[… = 'VAT']/cbc:CompanyID
        id: "ibr-132-ae",
        term: "IBT-031",
        about: &[],
        message: "The VAT identifier of a party in the UAE is not a TRN.",
        fix: "Give 15 digits that begin with 1 and end in 03.",
        holds: |id, facts| !is_vat_id_in_uae(id, facts) || is_trn(&id.text()),
    },
    Rule {
        // cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme[… != 'VAT']/cbc:CompanyID
        id: "ibr-148-ae",
        term: "IBT-032",
        about: &[],
        message: "The seller's tax registration identifier is not a TIN.",
        fix: "Give ten digits that begin with 1.",
        holds: |id, facts| {
            is_vat_id_in_uae(id, facts) || !is_other_id_of_seller(id) || is_tin(&id.text())
        },
    },
];

/// `cac:TaxScheme/cbc:ID`
pub(super) const SCHEME: Group<Facts> = &[Rule {
    id: "ibr-133-ae",
    term: "IBT-167",
    about: &[],
    message: "The tax scheme is not VAT.",
    fix: "Write VAT; another scheme needs a seller with a TIN as tax identifier.",
    holds: |id, facts| id.text() == "VAT" || facts.ae.seller_has_tin,
}];

fn is_vat_id_in_uae(id: Node<'_>, facts: &Facts) -> bool {
    id.parent().is_some_and(|scheme| {
        let in_uae = |party| facts.ae.uae_parties.get(party).is_some();
        is_vat(scheme) == Ok(true) && scheme.parent().is_some_and(in_uae)
    })
}

fn is_other_id_of_seller(id: Node<'_>) -> bool {
    let mut above = id.ancestors();
    let Some(scheme) = above.next() else { return false };
    let around = [above.next(), above.next()].map(|node| node.map(Node::name));
    let is_other = xpath::some(scheme.all(cac::TAX_SCHEME), |it| {
        Ok(!xpath::normalized(it.all(cbc::ID))?.eq_ignore_ascii_case("VAT"))
    });
    around == [Some(cac::PARTY), Some(cac::ACCOUNTING_SUPPLIER_PARTY)] && is_other == Ok(true)
}

/// Whether the text is a tax registration number: 15 digits, 1 first, 03 last.
pub(in crate::pint) fn is_trn(text: &str) -> bool {
    text.len() == 15 && text.starts_with('1') && text.ends_with("03") && is_digits(text)
}

/// Whether the text is a tax identification number: 10 digits, 1 first.
pub(in crate::pint) fn is_tin(text: &str) -> bool {
    text.len() == 10 && text.starts_with('1') && is_digits(text)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
