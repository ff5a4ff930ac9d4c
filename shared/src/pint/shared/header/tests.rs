use super::*;
use crate::pint::shared::testing::{on_credit_note, on_invoice};

#[test]
fn a_document_says_what_it_is() {
    on_invoice(
        &[&DOCUMENT[..6], &DOCUMENT[16..17]],
        &[
            ("ibr-001", &[("ing-1@ae-1<", "<")], &[("urn:peppol:pint:billing-1@ae-1<", " <")]),
            ("ibr-sr-63", &[("ing-1@ae-1<", "<")], &[("ing-1@ae-1<", "ing-1@ae-*<")]),
            ("ibr-002", &[(">INV-1<", ">0<")], &[(">INV-1<", "><")]),
            (
                "ibr-003",
                &[(">2026-11-19<", ">x<")],
                &[("<cbc:IssueDate>2026-11-19</cbc:IssueDate>", "")],
            ),
            ("ibr-004", &[(">380<", ">x<")], &[(">380<", "> <")]),
            ("ibr-005", &[(">USD<", ">x<")], &[(">USD<", "><")]),
            (
                "ibr-076",
                &[("urn:peppol:bis:billing<", "<")],
                &[("<cbc:ProfileID>urn:peppol:bis:billing</cbc:ProfileID>", "")],
            ),
        ],
    );
    on_credit_note(&[&DOCUMENT[4..5]], &[("ibr-004", &[(">381<", ">x<")], &[(">381<", "> <")])]);
}

#[test]
fn seller_buyer_and_lines_are_there() {
    on_invoice(
        &[&DOCUMENT[6..12]],
        &[
            (
                "ibr-006",
                &[("<cbc:RegistrationName>Oasis Supplies FZE</cbc:RegistrationName>", "")],
                &[("<cbc:RegistrationName>Falcon Trading LLC</cbc:RegistrationName>", "")],
            ),
            (
                "ibr-007",
                &[("<cbc:RegistrationName>Falcon Trading LLC</cbc:RegistrationName>", "")],
                &[(
                    "<cbc:RegistrationName>Oasis Supplies FZE</cbc:RegistrationName>",
                    "<cbc:RegistrationName> </cbc:RegistrationName>",
                )],
            ),
            (
                "ibr-008",
                &[
                    ("<cac:AccountingCustomerParty>", "<cac:AccountingCustomerParty/><cac:Party>"),
                    ("</cac:AccountingCustomerParty>", "</cac:Party>"),
                ],
                &[
                    ("<cac:AccountingSupplierParty>", "<cac:SellerSupplierParty>"),
                    ("</cac:AccountingSupplierParty>", "</cac:SellerSupplierParty>"),
                ],
            ),
            (
                "ibr-010",
                &[
                    ("<cac:AccountingSupplierParty>", "<cac:SellerSupplierParty>"),
                    ("</cac:AccountingSupplierParty>", "</cac:SellerSupplierParty>"),
                ],
                &[
                    ("<cac:AccountingCustomerParty>", "<cac:BuyerCustomerParty>"),
                    ("</cac:AccountingCustomerParty>", "</cac:BuyerCustomerParty>"),
                ],
            ),
            (
                "ibr-016",
                &[("</Invoice>", "<cac:CreditNoteLine/></Invoice>")],
                &[
                    ("<cac:InvoiceLine>", "<cac:Lines><cac:InvoiceLine>"),
                    ("</Invoice>", "</cac:Lines></Invoice>"),
                ],
            ),
            (
                "ibr-053",
                &[("currencyID=\"AED\">868.82", "currencyID=\"USD\">868.82")],
                &[(">AED</cbc:TaxC", "> AED </cbc:TaxC")],
            ),
        ],
    );
}

#[test]
fn what_is_one_thing_is_given_once() {
    on_invoice(
        &[&DOCUMENT[12..16], &DOCUMENT[17..]],
        &[
            ("ibr-066", &[], &[("<cac:CardAccount>", "<cac:CardAccount/><cac:CardAccount>")]),
            (
                "ibr-067",
                &[],
                &[("<cac:PaymentMandate>", "<cac:PaymentMandate/><cac:PaymentMandate>")],
            ),
            (
                "ibr-071",
                &[("<cbc:ID>ATT-2</cbc:ID>", "<cbc:ID>2</cbc:ID><cac:Attachment/>")],
                &[(
                    "<cbc:ID schemeID=\"AAJ\">METER-1</cbc:ID>",
                    "<cbc:ID>1</cbc:ID><cac:Attachment/>",
                )],
            ),
            (
                "ibr-072",
                &[("<cbc:ID>ATT-2</cbc:ID>", "<cbc:ID>2</cbc:ID><cbc:DocumentDescription/>")],
                &[(
                    "<cbc:ID schemeID=\"AAJ\">METER-1</cbc:ID>",
                    "<cbc:ID>1</cbc:ID><cbc:DocumentDescription/>",
                )],
            ),
            (
                "ibr-078",
                &[(
                    "<cbc:ID>ATT-2</cbc:ID>",
                    "<cbc:ID>2</cbc:ID><cbc:DocumentTypeCode> 130</cbc:DocumentTypeCode>",
                )],
                &[(
                    "<cbc:ID>ATT-2</cbc:ID>",
                    "<cbc:ID>2</cbc:ID><cbc:DocumentTypeCode>130</cbc:DocumentTypeCode>",
                )],
            ),
            (
                "ibr-084",
                &[("currencyID=\"AED\">40.91", "currencyID=\"AED\">0")],
                &[("currencyID=\"AED\">40.91", "currencyID=\"AED\">-40.91")],
            ),
            (
                "ibr-090",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:OrderReference/><cac:AccountingSupplierParty>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:ProjectReference><cbc:ID>1</cbc:ID></cac:ProjectReference><cac:ProjectReference><cbc:ID>1</cbc:ID></cac:ProjectReference><cac:AccountingSupplierParty>",
                )],
            ),
            (
                "ibr-094",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:ContractDocumentReference/><cac:AccountingSupplierParty>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:ContractDocumentReference><cbc:ID>1</cbc:ID></cac:ContractDocumentReference><cac:ContractDocumentReference><cbc:ID>1</cbc:ID></cac:ContractDocumentReference><cac:AccountingSupplierParty>",
                )],
            ),
            (
                "ibr-095",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:ReceiptDocumentReference/><cac:AccountingSupplierParty>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:ReceiptDocumentReference><cbc:ID>1</cbc:ID></cac:ReceiptDocumentReference><cac:ReceiptDocumentReference><cbc:ID>1</cbc:ID></cac:ReceiptDocumentReference><cac:AccountingSupplierParty>",
                )],
            ),
            (
                "ibr-sr-39",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:ProjectReference/><cac:AccountingSupplierParty>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:ProjectReference><cbc:ID>1</cbc:ID></cac:ProjectReference><cac:ProjectReference><cbc:ID>1</cbc:ID></cac:ProjectReference><cac:AccountingSupplierParty>",
                )],
            ),
            (
                "ibr-sr-52",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:OriginatorDocumentReference/><cac:AccountingSupplierParty>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:OriginatorDocumentReference><cbc:ID>1</cbc:ID></cac:OriginatorDocumentReference><cac:OriginatorDocumentReference><cbc:ID>1</cbc:ID></cac:OriginatorDocumentReference><cac:AccountingSupplierParty>",
                )],
            ),
            (
                "ibr-096",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:DespatchDocumentReference/><cac:AccountingSupplierParty>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:DespatchDocumentReference><cbc:ID>1</cbc:ID></cac:DespatchDocumentReference><cac:DespatchDocumentReference><cbc:ID>1</cbc:ID></cac:DespatchDocumentReference><cac:AccountingSupplierParty>",
                )],
            ),
            ("ibr-097", &[], &[("<cac:InvoicePeriod>", "<cac:InvoicePeriod/><cac:InvoicePeriod>")]),
            (
                "ibr-098",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity></cac:PartyLegalEntity></cac:Party>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>a</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>",
                )],
            ),
            (
                "ibr-099",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyName/></cac:Party>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>a</cbc:Name></cac:PartyName></cac:Party>",
                )],
            ),
            (
                "ibr-100",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity></cac:PartyLegalEntity></cac:Party>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity><cbc:CompanyID>a</cbc:CompanyID></cac:PartyLegalEntity></cac:Party>",
                )],
            ),
            (
                "ibr-101",
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity></cac:PartyLegalEntity></cac:Party>",
                )],
                &[(
                    "<cac:AccountingSupplierParty>",
                    "<cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity><cbc:CompanyLegalForm>a</cbc:CompanyLegalForm></cac:PartyLegalEntity></cac:Party>",
                )],
            ),
            (
                "ibr-102",
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity></cac:PartyLegalEntity></cac:Party>",
                )],
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>a</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>",
                )],
            ),
            (
                "ibr-103",
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity></cac:PartyLegalEntity></cac:Party>",
                )],
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity><cbc:CompanyID>a</cbc:CompanyID></cac:PartyLegalEntity></cac:Party>",
                )],
            ),
            (
                "ibr-104",
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyTaxScheme/></cac:Party>",
                )],
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>a</cbc:CompanyID></cac:PartyTaxScheme></cac:Party>",
                )],
            ),
            ("ibr-107", &[], &[("<cac:Delivery>", "<cac:Delivery/><cac:Delivery>")]),
            (
                "ibr-112",
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyName/></cac:Party>",
                )],
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyName><cbc:Name>a</cbc:Name></cac:PartyName></cac:Party>",
                )],
            ),
            (
                "ibr-co-15",
                &[
                    ("1239.45</cbc:TaxIn", "1239.40</cbc:TaxIn"),
                    (
                        "<cbc:TaxIncludedIndicator>false</cbc:TaxIncludedIndicator>",
                        "<cbc:TaxIncludedIndicator>1</cbc:TaxIncludedIndicator>",
                    ),
                ],
                &[("1239.45</cbc:TaxIn", "1239.40</cbc:TaxIn")],
            ),
            (
                "ibr-co-15",
                &[("11.14</cbc:TaxAmount>", "11.1449</cbc:TaxAmount>")],
                &[(
                    "<cac:TaxTotal>",
                    "<cac:TaxTotal><cbc:TaxAmount currencyID=\"AED\">1</cbc:TaxAmount></cac:TaxTotal><cac:TaxTotal>",
                )],
            ),
            (
                "ibr-sr-16",
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyIdentification/></cac:Party>",
                )],
                &[(
                    "<cac:AccountingCustomerParty>",
                    "<cac:AccountingCustomerParty><cac:Party><cac:PartyIdentification><cbc:ID>a</cbc:ID></cac:PartyIdentification></cac:Party>",
                )],
            ),
            (
                "ibr-sr-49",
                &[],
                &[(
                    "<cbc:DescriptionCode>MTH",
                    "<cbc:DescriptionCode>OTH</cbc:DescriptionCode><cbc:DescriptionCode>MTH",
                )],
            ),
            (
                "ibr-sr-51",
                &[("Line 1\nLine 2</cbc:Note>", "</cbc:Note>")],
                &[("Line 1\nLine 2</cbc:Note>", "a</cbc:Note><cbc:Note>b</cbc:Note>")],
            ),
        ],
    );
}
