//! Parties, from the seller to the tax representative.

use super::reader::{Reader, says};
use crate::{
    document::{
        Address, Body, Contact, DirectDebit, LegalRegistration, Party, Payee, TaxRepresentative,
    },
    xml::{
        Name, Node,
        names::{attr, cac, cbc},
    },
};

/// Reads all parties of the document except the buyer. The payment means must be read before.
pub(super) fn read(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    let debit = body.payment_means.iter_mut().find_map(|of| of.direct_debit.as_mut());
    body.supplier = seller(r, root, debit);
    body.payee = r.object(|r| payee(r, root.child(cac::PAYEE_PARTY)?));
    // BTAE-01
    body.beneficiary_identifier = related(r, root, cac::BUYER_CUSTOMER_PARTY);
    // BTAE-14
    body.principal_identifier = related(r, root, cac::SELLER_SUPPLIER_PARTY);
    body.tax_representative =
        r.object(|r| tax_representative(r, root.child(cac::TAX_REPRESENTATIVE_PARTY)?));
}

/// IBG-04 Seller.
fn seller(r: &mut Reader, root: Node<'_>, debit: Option<&mut DirectDebit>) -> Option<Party> {
    let of = root.find(&[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY])?;
    // IBT-090: with a direct debit, its creditor identifier is the seller's identifier with scheme SEPA, after IBT-029.
    let creditor = of.all(cac::PARTY_IDENTIFICATION).filter(is_sepa).last();
    let creditor = creditor.filter(|_| debit.is_some());
    if let (Some(debit), Some(of)) = (debit, creditor) {
        debit.creditor_identifier = r.identifier(of, &[cbc::ID]).map(|creditor| creditor.id);
    }
    r.group(|r| {
        let mut seller = party(r, of, |of| Some(of) != creditor);
        if let Some(scheme) = tax_schemes(of, false).next() {
            let read = r.object(|r| {
                // IBT-032, IBT-032-1
                let id = r.text(scheme, &[cbc::COMPANY_ID])?;
                Some((id, r.text(scheme, &[cac::TAX_SCHEME, cbc::ID])?))
            });
            (seller.tax_registration_identifier, seller.tax_registration_scheme_id) = read.unzip();
        }
        // IBT-033
        seller.additional_legal_information =
            r.text(of, &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_LEGAL_FORM]);
        seller
    })
}

/// IBG-07 Buyer. A buyer has one identifier and no terms that only a seller has.
pub(super) fn buyer(r: &mut Reader, root: Node<'_>) -> Option<Party> {
    let of = root.find(&[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY])?;
    let first = of.child(cac::PARTY_IDENTIFICATION);
    r.group(|r| party(r, of, |of| Some(of) == first))
}

/// Reads the common terms of seller and buyer.
fn party(r: &mut Reader, of: Node<'_>, identifies: impl Fn(Node<'_>) -> bool) -> Party {
    let identifiers = of.all(cac::PARTY_IDENTIFICATION).filter(|of| identifies(*of));
    Party {
        // IBT-034, IBT-049
        electronic_address: r.identifier(of, &[cbc::ENDPOINT_ID]),
        // IBT-029, IBT-046
        identifiers: r.list(identifiers, |r, of| r.identifier(of, &[cbc::ID])),
        // IBT-028, IBT-045
        trading_name: r.text(of, &[cac::PARTY_NAME, cbc::NAME]),
        // IBG-05, IBG-08
        address: of.child(cac::POSTAL_ADDRESS).and_then(|of| address(r, of)),
        // IBT-031, IBT-048
        vat_identifier: tax_schemes(of, true).next().and_then(|of| vat(r, of)),
        tax_registration_identifier: None,
        tax_registration_scheme_id: None,
        // IBT-027, IBT-044
        name: r.text(of, &[cac::PARTY_LEGAL_ENTITY, cbc::REGISTRATION_NAME]),
        legal_registration: r.object(|r| legal_registration(r, of)),
        additional_legal_information: None,
        contact: of.child(cac::CONTACT).and_then(|of| contact(r, of)),
    }
}

/// The scheme of creditor identifiers.
const SEPA: &str = "SEPA";

fn is_sepa(of: &Node<'_>) -> bool {
    of.child(cbc::ID).and_then(|id| id.attribute(attr::SCHEME_ID)) == Some(SEPA)
}

/// Returns the tax schemes of a party that are VAT, or those that are not.
fn tax_schemes(of: Node<'_>, of_vat: bool) -> impl Iterator<Item = Node<'_>> {
    let is_vat = |scheme: Node<'_>| says(scheme, &[cac::TAX_SCHEME, cbc::ID], VAT);
    of.all(cac::PARTY_TAX_SCHEME).filter(move |scheme| is_vat(*scheme) == of_vat)
}

const VAT: &str = "VAT";

fn vat(r: &mut Reader, scheme: Node<'_>) -> Option<String> {
    let id = r.text(scheme, &[cbc::COMPANY_ID])?;
    r.fixed(scheme, &[cac::TAX_SCHEME, cbc::ID], VAT);
    Some(id)
}

/// IBT-030, IBT-047
fn legal_registration(r: &mut Reader, party: Node<'_>) -> Option<LegalRegistration> {
    let of = party.find(&[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID])?;
    let mut legal = LegalRegistration {
        id: r.value(of)?,
        scheme_id: r.attribute(of, attr::SCHEME_ID),
        // BTAE-15, BTAE-16
        r#type: r.attribute(of, attr::SCHEME_AGENCY_ID),
        authority_name: None,
        passport_country_code: None,
    };
    // One attribute carries two terms; the type decides which.
    match legal.r#type.as_deref() {
        // BTAE-12, BTAE-11
        Some("TL") => legal.authority_name = r.attribute(of, attr::SCHEME_AGENCY_NAME),
        // BTAE-18, BTAE-19
        Some("PAS") => legal.passport_country_code = r.attribute(of, attr::SCHEME_AGENCY_NAME),
        _ => {}
    }
    Some(legal)
}

/// IBG-06, IBG-09
fn contact(r: &mut Reader, of: Node<'_>) -> Option<Contact> {
    r.group(|r| Contact {
        // IBT-041, IBT-056
        name: r.text(of, &[cbc::NAME]),
        // IBT-042, IBT-057
        telephone: r.text(of, &[cbc::TELEPHONE]),
        // IBT-043, IBT-058
        email: r.text(of, &[cbc::ELECTRONIC_MAIL]),
    })
}

/// IBG-10 Payee.
fn payee(r: &mut Reader, of: Node<'_>) -> Option<Payee> {
    Some(Payee {
        // IBT-059
        name: r.text(of, &[cac::PARTY_NAME, cbc::NAME])?,
        // IBT-060
        identifier: r.identifier(of, &[cac::PARTY_IDENTIFICATION, cbc::ID]),
        // IBT-061
        legal_registration_identifier: r
            .identifier(of, &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID]),
    })
}

/// Reads a party of which only the TRN or TIN is known.
fn related(r: &mut Reader, root: Node<'_>, role: Name) -> Option<String> {
    r.text(root.child(role)?, &[cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID])
}

/// IBG-11 Seller's tax representative.
fn tax_representative(r: &mut Reader, of: Node<'_>) -> Option<TaxRepresentative> {
    Some(TaxRepresentative {
        // IBT-062
        name: r.text(of, &[cac::PARTY_NAME, cbc::NAME])?,
        // IBT-063
        vat_identifier: vat(r, tax_schemes(of, true).next()?)?,
        // IBG-12
        address: address(r, of.child(cac::POSTAL_ADDRESS)?)?,
    })
}

/// Reads an address.
pub(super) fn address(r: &mut Reader, of: Node<'_>) -> Option<Address> {
    r.group(|r| Address {
        // IBT-035, IBT-050, IBT-064, IBT-075, IBT-169
        line_1: r.text(of, &[cbc::STREET_NAME]),
        // IBT-036, IBT-051, IBT-065, IBT-076, IBT-170
        line_2: r.text(of, &[cbc::ADDITIONAL_STREET_NAME]),
        // IBT-162, IBT-163, IBT-164, IBT-165, IBT-174
        line_3: r.text(of, &[cac::ADDRESS_LINE, cbc::LINE]),
        // IBT-037, IBT-052, IBT-066, IBT-077, IBT-171
        city: r.text(of, &[cbc::CITY_NAME]),
        // IBT-038, IBT-053, IBT-067, IBT-078, IBT-172
        post_code: r.text(of, &[cbc::POSTAL_ZONE]),
        // IBT-039, IBT-054, IBT-068, IBT-079, IBT-173
        country_subdivision: r.text(of, &[cbc::COUNTRY_SUBENTITY]),
        // IBT-040, IBT-055, IBT-069, IBT-080, IBT-175
        country_code: r.text(of, &[cac::COUNTRY, cbc::IDENTIFICATION_CODE]),
    })
}
