//! References to other documents, and the supporting documents.

use rust_decimal::Decimal;

use super::{
    super::{
        reference::{AED_TOTAL, INVOICED_OBJECT, PROJECT, UNKNOWN},
        writer::AED,
    },
    reader::{Reader, decimal, says},
};
use crate::{
    document::{
        Attachment, Body, GivenTotals, Identifier, PrecedingInvoiceReference, SupportingDocument,
    },
    xml::{
        Node,
        names::{attr, cac, cbc},
    },
};

/// Reads all references between the period and the seller, from the order to the project.
pub(super) fn read(r: &mut Reader, root: Node<'_>, body: &mut Body, totals: &mut GivenTotals) {
    order(r, root, body);
    preceding(r, root, body);
    // IBT-016
    body.despatch_advice_reference = r.text(root, &[cac::DESPATCH_DOCUMENT_REFERENCE, cbc::ID]);
    // IBT-015
    body.receiving_advice_reference = r.text(root, &[cac::RECEIPT_DOCUMENT_REFERENCE, cbc::ID]);
    // BTAE-21
    body.customs_reference_number = r.text(root, &[cac::STATEMENT_DOCUMENT_REFERENCE, cbc::ID]);
    // IBT-017
    body.tender_or_lot_reference = r.text(root, &[cac::ORIGINATOR_DOCUMENT_REFERENCE, cbc::ID]);
    contract(r, root, body);
    // IBT-018
    body.invoiced_object_identifier = of_type(r, root, INVOICED_OBJECT, invoiced_object);
    // IBT-011: a credit note has no ProjectReference.
    body.project_reference = if r.operation.is_credit_note() {
        of_type(r, root, PROJECT, project)
    } else {
        r.text(root, &[cac::PROJECT_REFERENCE, cbc::ID])
    };
    totals.total_amount_with_vat_in_aed = of_type(r, root, AED_TOTAL, aed_total);
    // IBG-24: all other references.
    let own: &[&str] = match r.operation.is_credit_note() {
        true => &[INVOICED_OBJECT, AED_TOTAL, PROJECT],
        false => &[INVOICED_OBJECT, AED_TOTAL],
    };
    let is_own = |of: &Node<'_>| own.iter().any(|code| says(*of, &[cbc::DOCUMENT_TYPE_CODE], code));
    let others = root.all(cac::ADDITIONAL_DOCUMENT_REFERENCE).filter(|of| !is_own(of));
    body.supporting_documents = r.list(others, supporting);
}

/// IBT-013 and IBT-014. If only the sales order is known, the purchase order is a filler.
fn order(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    body.sales_order_reference = r.text(root, &[cac::ORDER_REFERENCE, cbc::SALES_ORDER_ID]);
    let order = r.text(root, &[cac::ORDER_REFERENCE, cbc::ID]);
    let is_filler = |order: &String| body.sales_order_reference.is_some() && order == UNKNOWN;
    body.purchase_order_reference = order.filter(|order| !is_filler(order));
}

/// IBG-03: on a credit note, the first reference is the credited invoice, which has its own fields.
fn preceding(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    let mut references = r.list(root.all(cac::BILLING_REFERENCE), |r, of| {
        let of = of.child(cac::INVOICE_DOCUMENT_REFERENCE)?;
        Some(PrecedingInvoiceReference {
            // IBT-025
            id: r.text(of, &[cbc::ID])?,
            // IBT-026
            issue_date: r.date(of, &[cbc::ISSUE_DATE]),
        })
    });
    if r.operation.is_credit_note() && !references.is_empty() {
        let credited = references.remove(0);
        body.original_reference_kind = Some("external".to_owned());
        body.original_invoice_number = Some(credited.id);
        body.original_issue_date = credited.issue_date;
    }
    body.preceding_invoice_references = references;
}

/// IBT-012 and BTAE-05. If only the value is known, the reference is a filler.
fn contract(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    let Some(of) = root.child(cac::CONTRACT_DOCUMENT_REFERENCE) else { return };
    body.contract_value = r.text(of, &[cbc::DOCUMENT_DESCRIPTION]);
    let reference = r.text(of, &[cbc::ID]);
    let is_filler = |reference: &String| body.contract_value.is_some() && reference == UNKNOWN;
    body.contract_reference = reference.filter(|reference| !is_filler(reference));
}

/// The first additional reference of a type (UNTDID 1001).
fn of_type<'d, T>(
    r: &mut Reader,
    root: Node<'d>,
    code: &str,
    read: fn(&mut Reader, Node<'d>) -> Option<T>,
) -> Option<T> {
    let mut references = root.all(cac::ADDITIONAL_DOCUMENT_REFERENCE);
    let of = references.find(|of| says(*of, &[cbc::DOCUMENT_TYPE_CODE], code))?;
    r.object(|r| {
        let value = read(r, of)?;
        r.fixed(of, &[cbc::DOCUMENT_TYPE_CODE], code);
        Some(value)
    })
}

/// IBT-018
fn invoiced_object(r: &mut Reader, of: Node<'_>) -> Option<Identifier> {
    r.identifier(of, &[cbc::ID])
}

/// IBT-011
fn project(r: &mut Reader, of: Node<'_>) -> Option<String> {
    r.text(of, &[cbc::ID])
}

/// BTAE-20, written with its currency (ibr-175-ae).
fn aed_total(r: &mut Reader, of: Node<'_>) -> Option<Decimal> {
    let text = of.child(cbc::DOCUMENT_DESCRIPTION)?;
    let amount = r.parsed(text, |text| decimal(text.trim().strip_prefix(AED)?))?;
    r.fixed(of, &[cbc::ID], AED);
    Some(amount)
}

/// IBG-24 Supporting document.
fn supporting(r: &mut Reader, of: Node<'_>) -> Option<SupportingDocument> {
    Some(SupportingDocument {
        // IBT-122
        id: r.text(of, &[cbc::ID])?,
        // IBT-123
        description: r.text(of, &[cbc::DOCUMENT_DESCRIPTION]),
        // IBT-124
        external_uri: r.text(of, &[cac::ATTACHMENT, cac::EXTERNAL_REFERENCE, cbc::URI]),
        attachment: r.object(|r| attachment(r, of)),
    })
}

/// IBT-125
fn attachment(r: &mut Reader, of: Node<'_>) -> Option<Attachment> {
    let of = of.find(&[cac::ATTACHMENT, cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT])?;
    Some(Attachment {
        content_base64: r.value(of)?,
        // IBT-125-1
        mime_code: r.attribute(of, attr::MIME_CODE)?,
        // IBT-125-2
        filename: r.attribute(of, attr::FILENAME)?,
    })
}
