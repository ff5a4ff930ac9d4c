//! Parties, from the seller to the tax representative.

use super::writer::Writer;
use crate::{
    document::{Address, Document, Identifier, Party, Payee, TaxRepresentative},
    types::ParticipantId,
};

/// Writes all parties of the document, in the order of both schemas.
pub(super) fn write(w: &mut Writer, document: &Document) {
    let body = &document.body;
    // IBG-04
    w.group("cac:AccountingSupplierParty", |w| {
        w.group("cac:Party", |w| {
            // IBT-090: the creditor identifier of a direct debit is an identifier of the seller with scheme SEPA,
            // beside IBT-029.
            let creditor = body
                .payment_means
                .iter()
                .filter_map(|means| means.direct_debit.as_ref()?.creditor_identifier.as_deref())
                .next();
            party(w, &document.seller, creditor);
        });
    });
    // IBG-07
    w.group("cac:AccountingCustomerParty", |w| {
        w.group("cac:Party", |w| party(w, &document.buyer, None));
    });
    if let Some(of) = &body.payee {
        payee(w, of);
    }
    // BTAE-01
    related(w, "cac:BuyerCustomerParty", body.beneficiary_identifier.as_deref());
    // BTAE-14
    related(w, "cac:SellerSupplierParty", body.principal_identifier.as_deref());
    if let Some(of) = &body.tax_representative {
        tax_representative(w, of);
    }
}

/// IBG-04 Seller or IBG-07 Buyer.
fn party(w: &mut Writer, party: &Party, creditor: Option<&str>) {
    // IBT-034, IBT-049
    if let Some(address) = &party.electronic_address {
        let scheme = address.scheme_id.as_deref().unwrap_or(ParticipantId::TIN_SCHEME);
        w.with("cbc:EndpointID", &address.id, &[("schemeID", Some(scheme))]);
    }
    for id in &party.identifiers {
        // IBT-029, IBT-046
        w.group("cac:PartyIdentification", |w| identifier(w, "cbc:ID", id));
    }
    if let Some(creditor) = creditor {
        // IBT-090
        w.group("cac:PartyIdentification", |w| {
            w.with("cbc:ID", creditor, &[("schemeID", Some("SEPA"))]);
        });
    }
    // IBT-028, IBT-045
    w.group("cac:PartyName", |w| w.maybe("cbc:Name", party.trading_name.as_ref()));
    if let Some(of) = &party.address {
        // IBG-05, IBG-08
        address(w, "cac:PostalAddress", of);
    }
    // IBT-031, IBT-048
    tax_scheme(w, party.vat_identifier.as_deref(), "VAT");
    // IBT-032, IBT-032-1
    tax_scheme(
        w,
        party.tax_registration_identifier.as_deref(),
        party.tax_registration_scheme_id.as_deref().unwrap_or("TIN"),
    );
    w.group("cac:PartyLegalEntity", |w| {
        // IBT-027, IBT-044
        w.maybe("cbc:RegistrationName", party.name.as_ref());
        if let Some(legal) = &party.legal_registration {
            // One attribute carries two terms: the authority of a trade licence (BTAE-12, BTAE-11) or the country of a
            // passport (BTAE-18, BTAE-19).
            let issuer = legal.authority_name.as_ref().or(legal.passport_country_code.as_ref());
            // IBT-030, IBT-047
            w.with(
                "cbc:CompanyID",
                &legal.id,
                &[
                    ("schemeID", legal.scheme_id.as_deref()),
                    // BTAE-15, BTAE-16
                    ("schemeAgencyID", legal.r#type.as_deref()),
                    ("schemeAgencyName", issuer.map(String::as_str)),
                ],
            );
        }
        // IBT-033
        w.maybe("cbc:CompanyLegalForm", party.additional_legal_information.as_ref());
    });
    if let Some(contact) = &party.contact {
        w.group("cac:Contact", |w| {
            // IBT-041, IBT-056
            w.maybe("cbc:Name", contact.name.as_ref());
            // IBT-042, IBT-057
            w.maybe("cbc:Telephone", contact.telephone.as_ref());
            // IBT-043, IBT-058
            w.maybe("cbc:ElectronicMail", contact.email.as_ref());
        });
    }
}

/// IBG-10 Payee.
fn payee(w: &mut Writer, payee: &Payee) {
    w.group("cac:PayeeParty", |w| {
        if let Some(id) = &payee.identifier {
            // IBT-060
            w.group("cac:PartyIdentification", |w| identifier(w, "cbc:ID", id));
        }
        // IBT-059
        w.group("cac:PartyName", |w| w.text("cbc:Name", &payee.name));
        if let Some(id) = &payee.legal_registration_identifier {
            // IBT-061
            w.group("cac:PartyLegalEntity", |w| identifier(w, "cbc:CompanyID", id));
        }
    });
}

/// Writes a party of which only the TRN or TIN is known.
fn related(w: &mut Writer, role: &'static str, id: Option<&str>) {
    let Some(id) = id else { return };
    w.group(role, |w| {
        w.group("cac:Party", |w| {
            w.group("cac:PartyIdentification", |w| w.text("cbc:ID", id));
        });
    });
}

/// IBG-11 Seller's tax representative.
fn tax_representative(w: &mut Writer, of: &TaxRepresentative) {
    w.group("cac:TaxRepresentativeParty", |w| {
        // IBT-062
        w.group("cac:PartyName", |w| w.text("cbc:Name", &of.name));
        // IBG-12
        address(w, "cac:PostalAddress", &of.address);
        // IBT-063
        tax_scheme(w, Some(&of.vat_identifier), "VAT");
    });
}

fn tax_scheme(w: &mut Writer, id: Option<&str>, scheme: &str) {
    let Some(id) = id else { return };
    w.group("cac:PartyTaxScheme", |w| {
        w.text("cbc:CompanyID", id);
        w.group("cac:TaxScheme", |w| w.text("cbc:ID", scheme));
    });
}

/// Writes an address as an element of this name.
pub(super) fn address(w: &mut Writer, name: &'static str, address: &Address) {
    w.group(name, |w| {
        // IBT-035, IBT-050, IBT-064, IBT-075, IBT-169
        w.maybe("cbc:StreetName", address.line_1.as_ref());
        // IBT-036, IBT-051, IBT-065, IBT-076, IBT-170
        w.maybe("cbc:AdditionalStreetName", address.line_2.as_ref());
        // IBT-037, IBT-052, IBT-066, IBT-077, IBT-171
        w.maybe("cbc:CityName", address.city.as_ref());
        // IBT-038, IBT-053, IBT-067, IBT-078, IBT-172
        w.maybe("cbc:PostalZone", address.post_code.as_ref());
        // IBT-039, IBT-054, IBT-068, IBT-079, IBT-173
        w.maybe("cbc:CountrySubentity", address.country_subdivision.as_ref());
        // IBT-162, IBT-163, IBT-164, IBT-165, IBT-174
        w.group("cac:AddressLine", |w| w.maybe("cbc:Line", address.line_3.as_ref()));
        // IBT-040, IBT-055, IBT-069, IBT-080, IBT-175
        w.group("cac:Country", |w| {
            w.text("cbc:IdentificationCode", address.country_code.as_deref().unwrap_or("AE"));
        });
    });
}

/// An identifier with its scheme, if it has one.
pub(super) fn identifier(w: &mut Writer, name: &'static str, id: &Identifier) {
    w.with(name, &id.id, &[("schemeID", id.scheme_id.as_deref())]);
}
