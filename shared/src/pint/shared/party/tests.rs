use super::*;
use crate::pint::shared::testing::on_invoice;

const SELLER_ID: &str = "<cbc:EndpointID schemeID=\"0235\">1001234501</cbc:EndpointID>";
const BUYER_ID: &str = "<cbc:EndpointID schemeID=\"0235\">1001234502</cbc:EndpointID>";
const COUNTRY: &str = "<cbc:IdentificationCode>AE</cbc:IdentificationCode>";
const DELIVERED_TO: &str = "<cbc:IdentificationCode>SA</cbc:IdentificationCode>";
const NO_COUNTRY: &str = "<cbc:Name>AE</cbc:Name>";
const LINE: &str = "<cbc:Line>Line 3</cbc:Line>";
const OTHER: &str = "<cbc:Line>a</cbc:Line>";
const TWO_LINES: &str = "<cbc:Line>a</cbc:Line><cbc:Line>b</cbc:Line>";
const PAYEE_NAME: &str = "<cbc:Name>Payee</cbc:Name>";
const PAYEE_ID: &str = "<cbc:ID schemeID=\"0060\">P-1</cbc:ID>";
const PAYEE_COMPANY: &str = "<cbc:CompanyID schemeID=\"0199\">P-2</cbc:CompanyID>";
const AGENT_NAME: &str = "<cbc:Name>Representative</cbc:Name>";
const AGENT_ID: &str = "<cbc:CompanyID>100123450900003</cbc:CompanyID>";
const AGENT: &str = "<cac:TaxRepresentativeParty>";
const RECIPIENT: &str = "<cbc:Name>Recipient</cbc:Name>";

#[test]
fn seller_and_buyer_can_be_reached_and_found() {
    on_invoice(
        &[
            BUYER,
            BUYER_ENDPOINT,
            BUYER_ADDRESS,
            SELLER,
            SELLER_ENDPOINT,
            SELLER_ADDRESS,
            TAX_SCHEME,
        ],
        &[
            ("ibr-080", &[(SELLER_ID, "")], &[(BUYER_ID, "")]),
            (
                "ibr-063",
                &[(BUYER_ID, "<cbc:EndpointID schemeID=''>1</cbc:EndpointID>")],
                &[(BUYER_ID, "<cbc:EndpointID>1</cbc:EndpointID>")],
            ),
            ("ibr-011", &[(COUNTRY, NO_COUNTRY)], &[(COUNTRY, COUNTRY_A), (COUNTRY, NO_COUNTRY)]),
            ("ibr-sr-54", &[(LINE, TWO_LINES)], &[(LINE, OTHER), (LINE, TWO_LINES)]),
            (
                "ibr-co-26",
                &[("<cbc:CompanyID>100123450100003<", "<cbc:CompanyID>1<")],
                &[(
                    "<cac:PartyIdentification>",
                    "</cac:Party><cac:Party><cac:PartyIdentification/></cac:Party><cac:Party><cac:PartyIdentification>",
                )],
            ),
            ("ibr-081", &[(BUYER_ID, "")], &[(SELLER_ID, "")]),
            ("ibr-sr-42", &[], &[(SELLER_ID, "<cac:PartyTaxScheme/>")]),
            (
                "ibr-062",
                &[(BUYER_ID, "<cbc:EndpointID>1</cbc:EndpointID>")],
                &[(SELLER_ID, "<cbc:EndpointID>1</cbc:EndpointID>")],
            ),
            (
                "ibr-009",
                &[(COUNTRY, COUNTRY_A), (COUNTRY, NO_COUNTRY)],
                &[(COUNTRY, "<cbc:IdentificationCode> </cbc:IdentificationCode>")],
            ),
            ("ibr-sr-53", &[(LINE, OTHER), (LINE, TWO_LINES)], &[(LINE, TWO_LINES)]),
            ("ibr-sr-57", &[(AGENT_ID, "<cbc:CompanyID/>")], &[(AGENT_ID, "<cbc:ID>1</cbc:ID>")]),
        ],
    );
}

/// A country code that the search for the next country skips.
const COUNTRY_A: &str = "<cbc:IdentificationCode>SA</cbc:IdentificationCode>";

#[test]
fn a_payee_is_someone_else_and_has_one_name_and_one_identifier() {
    on_invoice(
        &[PAYEE],
        &[
            (
                "ibr-017",
                &[(PAYEE_NAME, "<cbc:Name>Falcon Trading LLC</cbc:Name>")],
                &[(PAYEE_NAME, "<cbc:Name>Falcon Trading LLC (trading)</cbc:Name>")],
            ),
            (
                "ibr-105",
                &[(PAYEE_ID, "<cbc:ID>1</cbc:ID><cbc:ID schemeID='sepa'>2</cbc:ID>")],
                &[(PAYEE_ID, "<cbc:ID>1</cbc:ID><cbc:ID schemeID='0060'>2</cbc:ID>")],
            ),
            (
                "ibr-106",
                &[
                    (PAYEE_NAME, "<cbc:Name>Falcon Trading LLC</cbc:Name>"),
                    (
                        PAYEE_COMPANY,
                        "<cbc:CompanyID>1</cbc:CompanyID><cbc:CompanyID>2</cbc:CompanyID>",
                    ),
                ],
                &[(
                    PAYEE_COMPANY,
                    "<cbc:CompanyID>1</cbc:CompanyID><cbc:CompanyID>2</cbc:CompanyID>",
                )],
            ),
            (
                "ibr-sr-19",
                &[(PAYEE_NAME, "<cbc:Name>a</cbc:Name><cbc:Name>Falcon Trading LLC</cbc:Name>")],
                &[(PAYEE_NAME, "<cbc:Name>a</cbc:Name><cbc:Name>b</cbc:Name>")],
            ),
        ],
    );
}

#[test]
fn a_tax_representative_is_named_and_found() {
    on_invoice(
        &[REPRESENTATIVE, REPRESENTATIVE_ADDRESS],
        &[
            ("ibr-018", &[(AGENT_NAME, "<cbc:Name>a</cbc:Name>")], &[(AGENT_NAME, "<cbc:Name/>")]),
            (
                "ibr-019",
                &[(AGENT, "<cac:TaxRepresentativeParty><cac:PostalAddress/>")],
                &[(
                    AGENT,
                    "<cac:TaxRepresentativeParty/><cac:TaxRepresentativeParty><cac:PostalAddress/>",
                )],
            ),
            ("ibr-056", &[(AGENT_ID, "<cbc:CompanyID/>")], &[(AGENT_ID, "<cbc:ID>1</cbc:ID>")]),
            ("ibr-sr-22", &[], &[(AGENT_NAME, "<cbc:Name>a</cbc:Name><cbc:Name>a</cbc:Name>")]),
            (
                "ibr-sr-23",
                &[(AGENT_ID, "<cbc:CompanyID>1</cbc:CompanyID><cbc:CompanyID>2</cbc:CompanyID>")],
                &[(
                    AGENT,
                    "<cac:TaxRepresentativeParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>1</cbc:CompanyID><cbc:CompanyID>2</cbc:CompanyID></cac:PartyTaxScheme></cac:Party>",
                )],
            ),
            ("ibr-020", &[], &[(COUNTRY, COUNTRY_A), (COUNTRY, COUNTRY_A), (COUNTRY, NO_COUNTRY)]),
            ("ibr-sr-55", &[(LINE, TWO_LINES)], &[(LINE, OTHER), (LINE, OTHER), (LINE, TWO_LINES)]),
        ],
    );
}

#[test]
fn a_delivery_has_a_country_and_one_recipient() {
    on_invoice(
        &[DELIVERY_ADDRESS, DELIVERY],
        &[
            (
                "ibr-057",
                &[(DELIVERED_TO, "<cbc:IdentificationCode/>")],
                &[(DELIVERED_TO, NO_COUNTRY)],
            ),
            (
                "ibr-sr-56",
                &[(LINE, OTHER), (LINE, OTHER), (LINE, TWO_LINES)],
                &[(LINE, OTHER), (LINE, OTHER), (LINE, OTHER), (LINE, TWO_LINES)],
            ),
            (
                "ibr-108",
                &[(RECIPIENT, "<cbc:Name>a</cbc:Name>")],
                &[(RECIPIENT, "<cbc:Name>a</cbc:Name><cbc:Name>b</cbc:Name>")],
            ),
        ],
    );
}
