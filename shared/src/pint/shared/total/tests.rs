use super::*;
use crate::pint::shared::testing::{on_credit_note, on_invoice};

const LINES: &str = "<cbc:LineExtensionAmount currencyID=\"USD\">1228.31</cbc:LineExtensionAmount>";
const NET: &str = "<cbc:TaxExclusiveAmount currencyID=\"USD\">1228.31</cbc:TaxExclusiveAmount>";
const GROSS: &str = "<cbc:TaxInclusiveAmount currencyID=\"USD\">1239.45</cbc:TaxInclusiveAmount>";
const ALLOWANCES: &str =
    "<cbc:AllowanceTotalAmount currencyID=\"USD\">2.50</cbc:AllowanceTotalAmount>";
const CHARGES: &str = "<cbc:ChargeTotalAmount currencyID=\"USD\">2.50</cbc:ChargeTotalAmount>";
const PAYABLE: &str = "<cbc:PayableAmount currencyID=\"USD\">1234.47</cbc:PayableAmount>";
const AMOUNT_2_50: &str = "<cbc:Amount currencyID=\"USD\">2.50</cbc:Amount>";
const INDICATOR: &str = "<cbc:TaxIncludedIndicator>false</cbc:TaxIncludedIndicator>";

#[test]
fn the_totals_are_there_and_have_two_decimals() {
    on_invoice(
        &[&MONETARY[..9]],
        &[
            ("ibr-012", &[("1228.31</cbc:LineExt", "</cbc:LineExt")], &[(LINES, "")]),
            ("ibr-013", &[("1228.31</cbc:TaxEx", "</cbc:TaxEx")], &[(NET, "")]),
            ("ibr-014", &[("1239.45</cbc:TaxIn", "</cbc:TaxIn")], &[(GROSS, "")]),
            ("ibr-015", &[("1234.47</cbc:Pay", "</cbc:Pay")], &[(PAYABLE, "")]),
            ("ibr-091", &[("1234.47<", "1234.4<")], &[("1234.47<", "1234.470<")]),
            (
                "ibr-121",
                &[("2.50</cbc:AllowanceTotal", "3</cbc:AllowanceTotal")],
                &[("2.50</cbc:AllowanceTotal", "2.500</cbc:AllowanceTotal")],
            ),
            (
                "ibr-122",
                &[("2.50</cbc:ChargeTotal", "2.5</cbc:ChargeTotal")],
                &[("2.50</cbc:ChargeTotal", "2.50 </cbc:ChargeTotal")],
            ),
            ("ibr-123", &[(NET, "")], &[("1228.31</cbc:TaxEx", "1228.310</cbc:TaxEx")]),
            ("ibr-125", &[(GROSS, "")], &[("1239.45</cbc:TaxIn", "1239.450</cbc:TaxIn")]),
        ],
    );
}

#[test]
fn the_totals_add_up() {
    on_invoice(
        &[&MONETARY[9..]],
        &[
            (
                "ibr-co-10",
                &[("1000.00</cbc:Line", "1000.004999</cbc:Line")],
                &[("1000.00</cbc:Line", "1000.005</cbc:Line")],
            ),
            (
                "ibr-co-11",
                &[(AMOUNT_2_50, "<cbc:Amount>2.504</cbc:Amount>")],
                &[(AMOUNT_2_50, "<cbc:Amount>2.51</cbc:Amount>")],
            ),
            (
                "ibr-co-12",
                &[(CHARGES, ""), ("<cbc:ChargeIndicator>true<", "<cbc:ChargeIndicator>false<")],
                &[(CHARGES, "")],
            ),
            (
                "ibr-co-13",
                &[
                    (INDICATOR, "<cbc:TaxIncludedIndicator>true</cbc:TaxIncludedIndicator>"),
                    (NET, ""),
                ],
                &[(ALLOWANCES, "")],
            ),
            (
                "ibr-co-13",
                &[(ALLOWANCES, ""), (CHARGES, "")],
                &[(ALLOWANCES, ""), (CHARGES, ""), ("1228.31</cbc:TaxEx", "1228.30</cbc:TaxEx")],
            ),
            (
                "ibr-co-16",
                &[("5.00</cbc:Prepaid", "0</cbc:Prepaid"), ("1234.47<", "1239.47<")],
                &[("5.00</cbc:Prepaid", "5.01</cbc:Prepaid")],
            ),
            (
                "ibr-co-16",
                &[("5.00</cbc:Prepaid", "5.004</cbc:Prepaid")],
                &[("0.02</cbc:PayableR", "</cbc:PayableR")],
            ),
        ],
    );
}

#[test]
fn the_tax_adds_up_in_an_invoice() {
    on_invoice(
        &[TAX_TOTAL, SUBTOTAL],
        &[
            (
                "ibr-124",
                &[("11.14</cbc:TaxAmount>\n    <cbc:TaxInc", "</cbc:TaxAmount>\n    <cbc:TaxInc")],
                &[(
                    "11.14</cbc:TaxAmount>\n    <cbc:TaxInc",
                    "11.140</cbc:TaxAmount>\n    <cbc:TaxInc",
                )],
            ),
            (
                "ibr-co-14",
                &[("0.00</cbc:TaxAmount>", "0.0049</cbc:TaxAmount>")],
                &[("0.00</cbc:TaxAmount>", "0.005</cbc:TaxAmount>")],
            ),
            (
                "ibr-sr-32",
                &[("<cbc:Percent>5<", "<cbc:TaxExemptionReason/><cbc:Percent>5<")],
                &[(
                    "</cbc:TaxableAmount>",
                    "</cbc:TaxableAmount><cac:TaxCategory><cbc:TaxExemptionReason/><cbc:TaxExemptionReason/></cac:TaxCategory>",
                )],
            ),
        ],
    );
}

#[test]
fn the_tax_of_a_credit_note_is_looked_at_only_under_the_misspelt_name() {
    let credit_note: &str = include_str!("../../samples/credit-note.xml");
    assert!(credit_note.contains("cac:TaxTotal"));
    on_credit_note(
        &[TAX_TOTAL],
        &[
            (
                "ibr-124",
                &[(
                    "11.14</cbc:TaxAmount>\n    <cbc:TaxInc",
                    "11.140</cbc:TaxAmount>\n    <cbc:TaxInc",
                )],
                &[(
                    "<cac:TaxTotal>",
                    "<cac:Taxtotal><cbc:TaxAmount>1.000</cbc:TaxAmount></cac:Taxtotal><cac:TaxTotal>",
                )],
            ),
            (
                "ibr-co-14",
                &[(
                    "11.14</cbc:TaxAmount>\n    <cbc:TaxInc",
                    "11.15</cbc:TaxAmount>\n    <cbc:TaxInc",
                )],
                &[(
                    "<cac:TaxTotal>",
                    "<cac:Taxtotal><cac:TaxSubtotal/></cac:Taxtotal><cac:TaxTotal>",
                )],
            ),
        ],
    );
}

#[test]
fn amounts_are_in_the_currency_of_the_document() {
    on_invoice(
        &[AMOUNT],
        &[(
            "ibr-126",
            &[("<cbc:Amount currencyID=\"AED\">868.82<", "<cbc:Amount currencyID=\"EUR\">868.82<")],
            &[("<cbc:Amount currencyID=\"USD\">2.50<", "<cbc:Amount currencyID=\"AED\">2.50<")],
        )],
    );
    on_invoice(
        &[TAX_AMOUNT],
        &[
            (
                "ibr-126",
                &[("currencyID=\"AED\">40.91", "currencyID=\"EUR\">40.91")],
                &[("currencyID=\"USD\">222.81", "currencyID=\"AED\">222.81")],
            ),
            (
                "ibr-079",
                &[("currencyID=\"USD\">222.81", "currencyID=\"USD\">")],
                &[("currencyID=\"AED\">40.91", "currencyID=\"AED\">")],
            ),
        ],
    );
}
