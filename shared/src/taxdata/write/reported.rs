//! Writes the terms that a report repeats from the document (TDG-002), with unchanged values.

use std::borrow::Cow;

use super::Unreportable;
use crate::xml::{
    Node, Writer,
    names::{attr, cac, cbc},
    normalize_space,
};

/// The type of the document reference that holds BTAE-20 (PINT-AE, ibr-175-ae).
const AED_TOTAL: &str = "aedtotal-incl-vat";

/// The currency of BTAE-20, which precedes the amount.
const AED: &str = "AED";

/// Writes `pxs:ReportedDocument`, in the order of the schema.
///
/// # Errors
/// If the document lacks a value that ibr-tdd-24 to ibr-tdd-45 demand.
pub(super) fn write(out: &mut Writer, document: Node<'_>) -> Result<(), Unreportable> {
    out.group("pxs:ReportedDocument", &[], |out| {
        header(out, document)?;
        let currencies = currencies(out, document)?;
        seller(out, document)?;
        buyer(out, document);
        totals(out, document, currencies)
    })
}

/// Writes the terms from the specification identifier to the type code.
fn header(out: &mut Writer, document: Node<'_>) -> Result<(), Unreportable> {
    for (name, element, term) in [
        (cbc::CUSTOMIZATION_ID, "cbc:CustomizationID", "IBT-024"),
        (cbc::PROFILE_ID, "cbc:ProfileID", "IBT-023"),
        (cbc::ID, "cbc:ID", "IBT-001"),
        (cbc::UUID, "cbc:UUID", "BTAE-07"),
        (cbc::ISSUE_DATE, "cbc:IssueDate", "IBT-002"),
    ] {
        out.text(element, &required(document.child(name), term)?.text());
    }
    // IBT-168
    if let Some(time) = document.child(cbc::ISSUE_TIME) {
        out.text("cbc:IssueTime", &time.text());
    }
    let of_invoice = document.child(cbc::INVOICE_TYPE_CODE);
    let code = of_invoice.or_else(|| document.child(cbc::CREDIT_NOTE_TYPE_CODE));
    out.text("pxs:DocumentTypeCode", &required(code, "IBT-003")?.text());
    Ok(())
}

/// The document currency, and the tax accounting currency if it differs.
type Currencies<'d> = (Cow<'d, str>, Option<Cow<'d, str>>);

fn currencies<'d>(out: &mut Writer, document: Node<'d>) -> Result<Currencies<'d>, Unreportable> {
    let code = required(document.child(cbc::DOCUMENT_CURRENCY_CODE), "IBT-005")?;
    out.text("cbc:DocumentCurrencyCode", &code.text());
    let own = code.normalized();
    // ibr-tdd-31: the tax accounting currency must differ from the document currency.
    let others = document.child(cbc::TAX_CURRENCY_CODE).filter(|tax| tax.normalized() != own);
    if let Some(code) = others {
        out.text("cbc:TaxCurrencyCode", &code.text());
    }
    Ok((own, others.map(Node::normalized)))
}

/// Writes IBT-031, or IBT-032 for a seller without TRN: exactly one (ibr-tdd-42).
fn seller(out: &mut Writer, document: Node<'_>) -> Result<(), Unreportable> {
    let party = document.find(&[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY]);
    let registered = required(party.and_then(registration), "IBT-031")?;
    required(registered.child(cbc::COMPANY_ID), "IBT-031")?;
    required(registered.find(&[cac::TAX_SCHEME, cbc::ID]), "IBT-031-1")?;
    out.group("cac:AccountingSupplierParty", &[], |out| {
        out.group("cac:Party", &[], |out| tax_scheme(out, registered));
    });
    Ok(())
}

/// Writes those of IBT-046 and IBT-048 that exist. An export may lack both (ibr-tdd-33); then the group is omitted. All
/// other documents have the group.
fn buyer(out: &mut Writer, document: Node<'_>) {
    let party = document.find(&[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY]);
    let id = party.and_then(|party| party.find(&[cac::PARTY_IDENTIFICATION, cbc::ID]));
    let registered = party.and_then(registration);
    if id.is_none() && registered.is_none() && is_export(document) {
        return;
    }
    out.group("cac:AccountingCustomerParty", &[], |out| {
        out.group("cac:Party", &[], |out| {
            if let Some(id) = id {
                let attributes = id.written_attributes();
                let attributes = attributes.map(|of| (of.qualified_name(), of.value()));
                out.group("cac:PartyIdentification", &[], |out| {
                    out.leaf("cbc:ID", attributes, &id.text());
                });
            }
            if let Some(registered) = registered {
                tax_scheme(out, registered);
            }
        });
    });
}

/// The VAT registration of a party, or else its first tax registration.
fn registration(party: Node<'_>) -> Option<Node<'_>> {
    let is_vat = |of: &Node<'_>| {
        of.find(&[cac::TAX_SCHEME, cbc::ID]).is_some_and(|scheme| scheme.normalized() == "VAT")
    };
    let mut all = party.all(cac::PARTY_TAX_SCHEME);
    all.clone().find(is_vat).or_else(|| all.next())
}

/// Writes only the identifier and the scheme of a registration (ibr-tdd-43, ibr-tdd-49).
fn tax_scheme(out: &mut Writer, registered: Node<'_>) {
    out.group("cac:PartyTaxScheme", &[], |out| {
        if let Some(id) = registered.child(cbc::COMPANY_ID) {
            out.text("cbc:CompanyID", &id.text());
        }
        out.group("cac:TaxScheme", &[], |out| {
            if let Some(scheme) = registered.find(&[cac::TAX_SCHEME, cbc::ID]) {
                out.text("cbc:ID", &scheme.text());
            }
        });
    });
}

/// The eighth transaction flag of BTAE-02.
fn is_export(document: Node<'_>) -> bool {
    let flags = document.child(cbc::PROFILE_EXECUTION_ID).map(Node::normalized);
    flags.is_some_and(|flags| {
        flags.len() == 8 && flags.bytes().all(|b| matches!(b, b'0' | b'1')) && flags.ends_with('1')
    })
}

/// Writes IBT-110 and IBT-111, one for each currency (ibr-tdd-34), and IBT-109.
fn totals(
    out: &mut Writer,
    document: Node<'_>,
    (own, tax): Currencies<'_>,
) -> Result<(), Unreportable> {
    let currencies = [Some((own.clone(), "IBT-110")), tax.map(|tax| (tax, "IBT-111"))];
    for (currency, term) in currencies.into_iter().flatten() {
        let amounts = document.select(&[cac::TAX_TOTAL, cbc::TAX_AMOUNT]);
        let total = required(in_currency(amounts, &currency), term)?;
        out.group("cac:TaxTotal", &[], |out| amount(out, "cbc:TaxAmount", total));
    }
    let amounts = document.select(&[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_EXCLUSIVE_AMOUNT]);
    let total = required(in_currency(amounts, &own), "IBT-109")?;
    out.group("pxs:MonetaryTotal", &[], |out| amount(out, "cbc:TaxExclusiveAmount", total));
    Ok(())
}

fn in_currency<'d>(
    mut amounts: impl Iterator<Item = Node<'d>>,
    currency: &str,
) -> Option<Node<'d>> {
    amounts.find(|amount| amount.attribute(attr::CURRENCY_ID) == Some(currency))
}

fn amount(out: &mut Writer, element: &str, amount: Node<'_>) {
    let currency = amount.attribute(attr::CURRENCY_ID);
    out.leaf(element, currency.map(|currency| ("currencyID", currency)), &amount.text());
}

/// Writes `pxs:CustomContent` with BTAE-20, if the document has it. The amount is written without its currency.
pub(super) fn custom_content(out: &mut Writer, document: Node<'_>) {
    let is_total = |reference: &Node<'_>| {
        let mut types = reference.all(cbc::DOCUMENT_TYPE_CODE);
        types.any(|code| code.normalized() == AED_TOTAL)
    };
    let reference = document.all(cac::ADDITIONAL_DOCUMENT_REFERENCE).find(is_total);
    let Some(text) = reference.and_then(|of| of.child(cbc::DOCUMENT_DESCRIPTION)) else { return };
    let text = text.normalized();
    let amount = text.strip_prefix(AED).unwrap_or(&text);
    out.group("pxs:CustomContent", &[], |out| {
        out.text("cbc:ID", "BTAE-20");
        out.text("cbc:Value", &normalize_space(amount));
    });
}

fn required<'d>(node: Option<Node<'d>>, term: &'static str) -> Result<Node<'d>, Unreportable> {
    node.ok_or(Unreportable::Missing(term))
}
