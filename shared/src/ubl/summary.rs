//! Extracts the summary of a UBL document for its record. A missing or invalid value is omitted; the rules decide
//! whether the document may omit it.

use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::read::decimal as decimal_of;
use crate::{
    types::ParticipantId,
    xml::{
        Name, Node, Tree,
        names::{attr, cac, cbc},
    },
};

/// Maximum number of characters of a text in the summary. The document itself keeps the full text.
const TEXT_LIMIT: usize = 500;

/// The summary of an invoice or credit note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// IBT-024 Specification identifier.
    pub customization: Option<String>,
    /// IBT-001
    pub number: Option<String>,
    /// BTAE-07
    pub uuid: Option<Uuid>,
    /// IBT-002
    pub issue_date: Option<Date>,
    /// IBT-009
    pub due_date: Option<Date>,
    /// IBT-003
    pub type_code: Option<String>,
    /// IBT-005
    pub currency: Option<String>,
    /// BTAE-02
    pub transaction_type_code: Option<String>,
    /// IBT-109
    pub total_without_vat: Option<Decimal>,
    /// IBT-110
    pub total_vat: Option<Decimal>,
    /// IBT-112
    pub total_with_vat: Option<Decimal>,
    /// IBT-115
    pub amount_due: Option<Decimal>,
    /// IBG-04
    pub seller: Party,
    /// IBG-07
    pub buyer: Party,
}

/// The summary of a party.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Party {
    /// IBT-027, IBT-044
    pub name: Option<String>,
    /// IBT-034, IBT-049
    pub participant: Option<ParticipantId>,
}

/// Reads the summary of an invoice or credit note.
pub fn summary(document: &Tree<'_>) -> Summary {
    let root = document.root();
    let currency = text(root.child(cbc::DOCUMENT_CURRENCY_CODE));
    let total = |name| decimal(root.child(cac::LEGAL_MONETARY_TOTAL)?.child(name));
    // In UBL, an invoice has its due date in the header, and a credit note has it in the payment means.
    let due_date = root
        .child(cbc::DUE_DATE)
        .or_else(|| root.find(&[cac::PAYMENT_MEANS, cbc::PAYMENT_DUE_DATE]));
    let type_code =
        root.child(cbc::INVOICE_TYPE_CODE).or_else(|| root.child(cbc::CREDIT_NOTE_TYPE_CODE));
    Summary {
        customization: text(root.child(cbc::CUSTOMIZATION_ID)),
        number: text(root.child(cbc::ID)),
        uuid: parsed(root.child(cbc::UUID)),
        issue_date: parsed(root.child(cbc::ISSUE_DATE)),
        due_date: parsed(due_date),
        type_code: text(type_code),
        transaction_type_code: text(root.child(cbc::PROFILE_EXECUTION_ID)),
        total_without_vat: total(cbc::TAX_EXCLUSIVE_AMOUNT),
        total_vat: vat(root, currency.as_deref()),
        total_with_vat: total(cbc::TAX_INCLUSIVE_AMOUNT),
        amount_due: total(cbc::PAYABLE_AMOUNT),
        seller: party(root, cac::ACCOUNTING_SUPPLIER_PARTY),
        buyer: party(root, cac::ACCOUNTING_CUSTOMER_PARTY),
        currency,
    }
}

/// IBT-110. A second total, in the tax accounting currency, is IBT-111.
fn vat(root: Node<'_>, currency: Option<&str>) -> Option<Decimal> {
    let mut amounts = root.select(&[cac::TAX_TOTAL, cbc::TAX_AMOUNT]);
    let in_currency = |amount: &Node<'_>| {
        let of = amount.attribute(attr::CURRENCY_ID);
        of.is_some() && of == currency
    };
    decimal(amounts.find(in_currency))
}

fn party(root: Node<'_>, name: Name) -> Party {
    let Some(party) = root.child(name).and_then(|around| around.child(cac::PARTY)) else {
        return Party::default();
    };
    let endpoint = party.child(cbc::ENDPOINT_ID);
    let participant = endpoint.and_then(|endpoint| {
        let scheme = endpoint.attribute(attr::SCHEME_ID)?;
        ParticipantId::new(scheme, &endpoint.normalized()).ok()
    });
    let name = text(party.find(&[cac::PARTY_LEGAL_ENTITY, cbc::REGISTRATION_NAME]));
    Party { name, participant }
}

fn text(node: Option<Node<'_>>) -> Option<String> {
    let text: String = node?.normalized().chars().take(TEXT_LIMIT).collect();
    (!text.is_empty()).then_some(text)
}

fn parsed<T: std::str::FromStr>(node: Option<Node<'_>>) -> Option<T> {
    node?.normalized().parse().ok()
}

/// An amount; `None` if it has more digits than [`Decimal`] holds.
fn decimal(node: Option<Node<'_>>) -> Option<Decimal> {
    decimal_of(&node?.normalized())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    const INVOICE: &str = r#"<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:peppol:pint:billing-1@ae-1</cbc:CustomizationID>
  <cbc:ProfileExecutionID>00000010</cbc:ProfileExecutionID>
  <cbc:ID> A  1 </cbc:ID>
  <cbc:UUID>5f9f1c4e-0d52-4c1a-9d5e-0b7a3f0b7c11</cbc:UUID>
  <cbc:IssueDate>2026-06-01</cbc:IssueDate>
  <cbc:DueDate>2026-07-01</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty><cac:Party>
    <cbc:EndpointID schemeID="0235">1001234501</cbc:EndpointID>
    <cac:PartyLegalEntity><cbc:RegistrationName>Falcon</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cbc:EndpointID>1001234502</cbc:EndpointID>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:TaxTotal><cbc:TaxAmount currencyID="AED">18.36</cbc:TaxAmount></cac:TaxTotal>
  <cac:TaxTotal><cbc:TaxAmount currencyID="USD">5</cbc:TaxAmount></cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    <cbc:TaxExclusiveAmount currencyID="USD">100.00</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="USD">105.00</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount currencyID="USD">+.5</cbc:PayableAmount>
  </cac:LegalMonetaryTotal>
</Invoice>"#;

    fn read(text: &str) -> Summary {
        summary(&xml::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn a_record_is_read_from_an_invoice() {
        let found = read(INVOICE);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            found,
            Summary {
                customization: text("urn:peppol:pint:billing-1@ae-1"),
                number: text("A 1"),
                uuid: "5f9f1c4e-0d52-4c1a-9d5e-0b7a3f0b7c11".parse().ok(),
                issue_date: "2026-06-01".parse().ok(),
                due_date: "2026-07-01".parse().ok(),
                type_code: text("380"),
                currency: text("USD"),
                transaction_type_code: text("00000010"),
                total_without_vat: "100.00".parse().ok(),
                total_vat: "5".parse().ok(),
                total_with_vat: "105.00".parse().ok(),
                amount_due: "0.5".parse().ok(),
                seller: Party { name: text("Falcon"), participant: "0235:1001234501".parse().ok() },
                // An endpoint without a scheme is not an address.
                buyer: Party::default(),
            }
        );
    }

    #[test]
    fn a_credit_note_has_its_due_date_with_its_means_of_payment() {
        let note = INVOICE
            .replace("Invoice-2", "CreditNote-2")
            .replace("<Invoice ", "<CreditNote ")
            .replace("</Invoice>", "</CreditNote>")
            .replace("InvoiceTypeCode>380", "CreditNoteTypeCode>381")
            .replace("InvoiceTypeCode", "CreditNoteTypeCode")
            .replace("<cbc:DueDate>2026-07-01</cbc:DueDate>", "")
            .replace(
                "<cac:TaxTotal><cbc:TaxAmount currencyID=\"AED\">",
                "<cac:PaymentMeans><cbc:PaymentDueDate>2026-07-02</cbc:PaymentDueDate></cac:PaymentMeans>$&",
            )
            .replace("$&", "<cac:TaxTotal><cbc:TaxAmount currencyID=\"AED\">");
        let found = read(&note);
        assert_eq!(found.due_date, "2026-07-02".parse().ok());
        assert_eq!(found.type_code.as_deref(), Some("381"));
    }

    #[test]
    fn what_cannot_be_read_is_left_out_and_what_is_long_is_cut() {
        assert_eq!(read("<Invoice/>"), Summary::default());
        let long = "9".repeat(TEXT_LIMIT + 1);
        let found = read(
            &INVOICE
                .replace(" A  1 ", &long)
                .replace("2026-06-01", "1 June")
                .replace("100.00", &long),
        );
        assert_eq!(found.number.map(|number| number.len()), Some(TEXT_LIMIT));
        assert_eq!((found.issue_date, found.total_without_vat), (None, None));
    }
}
