//! Tax identifiers and their schemes.

use super::category::is_vat;
use crate::pint::Facts;
use crate::rules::xpath;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// `cac:Party[… = 'AE']/cac:PartyTaxScheme[… = 'VAT']/cbc:CompanyID`
pub(super) const VAT_ID: Group<Facts> = &[Rule {
    id: "ibr-132-ae",
    term: "IBT-031",
    about: &[],
    message: "The VAT identifier of a party in the UAE is not a TRN.",
    fix: "Give 15 digits that begin with 1 and end in 03.",
    holds: |id, _| is_trn(&id.text()),
}];

/// `cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme[… != 'VAT']/cbc:CompanyID`
pub(super) const OTHER_ID: Group<Facts> = &[Rule {
    id: "ibr-148-ae",
    term: "IBT-032",
    about: &[],
    message: "The seller's tax registration identifier is not a TIN.",
    fix: "Give ten digits that begin with 1.",
    holds: |id, _| is_tin(&id.text()),
}];

/// `cac:TaxScheme/cbc:ID`
pub(super) const SCHEME: Group<Facts> = &[Rule {
    id: "ibr-133-ae",
    term: "IBT-167",
    about: &[],
    message: "The tax scheme is not VAT.",
    fix: "Write VAT; another scheme needs a seller with a TIN as tax identifier.",
    holds: |id, facts| id.text() == "VAT" || facts.ae.seller_has_tin,
}];

/// The group of a `cbc:CompanyID` in a `cac:PartyTaxScheme`.
pub(super) fn group(scheme: Node<'_>) -> Option<Group<Facts>> {
    let party = scheme.parent().filter(|party| party.name() == cac::PARTY)?;
    let country = &[cac::POSTAL_ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE];
    let in_uae = || party.select(country).any(|code| code.text() == "AE");
    if is_vat(scheme) == Ok(true) && in_uae() {
        return Some(VAT_ID);
    }
    let is_seller = party.parent()?.name() == cac::ACCOUNTING_SUPPLIER_PARTY;
    let is_other = xpath::some(scheme.all(cac::TAX_SCHEME), |it| {
        Ok(!xpath::normalized(it.all(cbc::ID))?.eq_ignore_ascii_case("VAT"))
    });
    (is_seller && is_other == Ok(true)).then_some(OTHER_ID)
}

/// A tax registration number: 15 digits, from 1 to 03.
pub(in crate::pint) fn is_trn(text: &str) -> bool {
    text.len() == 15 && text.starts_with('1') && text.ends_with("03") && is_digits(text)
}

/// A tax identification number: ten digits from 1.
pub(in crate::pint) fn is_tin(text: &str) -> bool {
    text.len() == 10 && text.starts_with('1') && is_digits(text)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::testing::on_invoice;
    use super::*;

    #[test]
    fn tax_identifiers_have_their_form() {
        on_invoice(
            &[VAT_ID, OTHER_ID, SCHEME],
            &[
                (
                    "ibr-132-ae",
                    &[(">100123450200003<", ">199999999999903<")],
                    &[(">100123450200003<", ">100123450200004<")],
                ),
                (
                    "ibr-148-ae",
                    &[(">1001234501</cbc:CompanyID>", ">1999999999</cbc:CompanyID>")],
                    &[(">1001234501</cbc:CompanyID>", ">2001234501</cbc:CompanyID>")],
                ),
                (
                    "ibr-133-ae",
                    &[],
                    &[(">1001234501</cbc:CompanyID>", ">2001234501</cbc:CompanyID>")],
                ),
            ],
        );
    }
}
