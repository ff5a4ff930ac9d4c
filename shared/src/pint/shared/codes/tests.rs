use super::*;
use crate::pint::shared::testing::{on_invoice, on_selfbilled};

const PAYEE: &str = "<cbc:ID schemeID=\"0060\">P-1</cbc:ID>";

#[test]
fn currencies_countries_and_types_are_those_of_the_lists() {
    on_invoice(
        &[TYPE_BILLING, AMOUNT, DOCUMENT_CURRENCY, TAX_CURRENCY, COUNTRY, ORIGIN],
        &[
            ("ibr-cl-01", &[(">380<", "> 480 <")], &[(">380<", ">381<")]),
            (
                "ibr-cl-03",
                &[("currencyID=\"USD\">2.50", "currencyID=' AED '>2.50")],
                &[("currencyID=\"USD\">2.50", "currencyID='usd'>2.50")],
            ),
            ("ibr-cl-04", &[(">USD<", ">EUR<")], &[(">USD<", ">ECU<")]),
            (
                "ibr-cl-05",
                &[(">AED</cbc:TaxC", "> EUR </cbc:TaxC")],
                &[(">AED</cbc:TaxC", "></cbc:TaxC")],
            ),
            (
                "ibr-cl-14",
                &[("AE</cbc:Identif", "1A</cbc:Identif")],
                &[("AE</cbc:Identif", "ae</cbc:Identif")],
            ),
            (
                "ibr-cl-15",
                &[("CN</cbc:Identif", "XI</cbc:Identif")],
                &[("CN</cbc:Identif", "UK</cbc:Identif")],
            ),
        ],
    );
    on_selfbilled(
        &[TYPE_SELFBILLING],
        &[("ibr-cl-01", &[(">380<", ">389<")], &[(">380<", ">380<")])],
    );
}

#[test]
fn schemes_of_identifiers_are_those_of_the_lists() {
    on_invoice(
        &[OBJECT, PARTY, REGISTRATION, CLASSIFICATION, ITEM, ENDPOINT, LOCATION],
        &[
            (
                "ibr-cl-07",
                &[("\"AAJ\">METER-1", "\"ABZ\">METER-1")],
                &[("\"AAJ\">METER-1", "\"0060\">METER-1")],
            ),
            (
                "ibr-cl-07",
                &[(
                    "\"AAJ\">METER-1</cbc:ID>\n    <cbc:DocumentTypeCode>130<",
                    "\"0060\">METER-1</cbc:ID>\n    <cbc:DocumentTypeCode>131<",
                )],
                &[("\"AAJ\">OBJ-1", "\"aaj\">OBJ-1")],
            ),
            (
                "ibr-cl-10",
                &[(PAYEE, "<cbc:ID schemeID=' SEPA '>1</cbc:ID>")],
                &[(PAYEE, "<cbc:ID schemeID='sepa'>1</cbc:ID>")],
            ),
            (
                "ibr-cl-11",
                &[("schemeID=\"0199\"", "schemeID='0248'")],
                &[("schemeID=\"0199\"", "schemeID='0249'")],
            ),
            (
                "ibr-cl-13",
                &[("listID=\"HS\"", "listID='ZZZ'")],
                &[("listID=\"HS\"", "listID='ZZ'")],
            ),
            (
                "ibr-cl-21",
                &[("schemeID=\"0160\"", "schemeID='0088'")],
                &[("schemeID=\"0160\"", "schemeID=''")],
            ),
            (
                "ibr-cl-25",
                &[("schemeID=\"0235\"", "schemeID='9959'")],
                &[("schemeID=\"0235\"", "schemeID='0003'")],
            ),
            (
                "ibr-cl-26",
                &[("schemeID=\"0060\">LOC", "schemeID='0088'>LOC")],
                &[("schemeID=\"0060\">LOC", "schemeID='SEPA'>LOC")],
            ),
        ],
    );
}

#[test]
fn reasons_units_means_and_files_are_those_of_the_lists() {
    on_invoice(
        &[PAYMENT_MEANS, REASON, UNIT, MIME_CODE],
        &[
            ("ibr-cl-16", &[("\">30<", "\"> ZZZ <")], &[("\">30<", "\">0<")]),
            ("ibr-cl-19", &[(">95<", ">41<")], &[(">95<", ">FC<")]),
            ("ibr-cl-20", &[(">FC<", ">ABK<")], &[(">FC<", ">95<")]),
            (
                "ibr-cl-23",
                &[("unitCode=\"KGM\"", "unitCode=' XZZ '")],
                &[("unitCode=\"KGM\"", "unitCode='KILO'")],
            ),
            (
                "ibr-cl-24",
                &[("\"application/pdf\"", "'image/png'")],
                &[("\"application/pdf\"", "' image/png'")],
            ),
        ],
    );
}
