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

#[cfg(test)]
mod tests {
    use super::super::testing::on_invoice;
    use super::*;

    const TAX_REPRESENTATIVE: &str = "<cac:TaxRepresentativeParty>";
    const INCOTERMS: &str = "<cbc:ID schemeID=\"Incoterms\">CIF</cbc:ID>";

    #[test]
    fn addresses_in_the_uae_name_an_emirate_and_terms_of_delivery_a_code() {
        on_invoice(
            &[POSTAL_ADDRESS, DELIVERY_TERMS],
            &[
                (
                    "ibr-128-ae",
                    &[(
                        TAX_REPRESENTATIVE,
                        "<cac:TaxRepresentativeParty><cac:PostalAddress><cbc:CountrySubentity>Riyadh</cbc:CountrySubentity><cac:Country><cbc:IdentificationCode>SA</cbc:IdentificationCode></cac:Country></cac:PostalAddress>",
                    )],
                    &[(
                        TAX_REPRESENTATIVE,
                        "<cac:TaxRepresentativeParty><cac:PostalAddress><cbc:CountrySubentity>Riyadh</cbc:CountrySubentity><cac:Country><cbc:IdentificationCode>AE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>",
                    )],
                ),
                ("ibr-196-ae", &[], &[(INCOTERMS, "")]),
            ],
        );
    }
}
