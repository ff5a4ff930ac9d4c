//! References to other documents, and the supporting documents.

use rust_decimal::Decimal;

use super::{
    party::identifier,
    writer::{AED, Writer, two_decimals},
};
use crate::document::{Body, Document, SupportingDocument};

/// The value of an element that the schema requires but the caller did not give.
pub(crate) const UNKNOWN: &str = "NA";

/// DocumentTypeCode of a reference to the invoiced object (UNTDID 1001, 130).
pub(crate) const INVOICED_OBJECT: &str = "130";

/// DocumentTypeCode of the project reference on a credit note (UNTDID 1001, 50).
pub(crate) const PROJECT: &str = "50";

/// DocumentTypeCode of the total with VAT in AED.
pub(crate) const AED_TOTAL: &str = "aedtotal-incl-vat";

/// Writes all references between the period and the seller, from the order to the project.
pub(super) fn write(w: &mut Writer, document: &Document) {
    let body = &document.body;
    order(w, body);
    for preceding in &document.preceding_invoices {
        // IBG-03
        w.group("cac:BillingReference", |w| {
            w.group("cac:InvoiceDocumentReference", |w| {
                // IBT-025
                w.text("cbc:ID", &preceding.id);
                // IBT-026
                w.date("cbc:IssueDate", preceding.issue_date);
            });
        });
    }
    // IBT-016
    simple(w, "cac:DespatchDocumentReference", body.despatch_advice_reference.as_deref());
    // IBT-015
    simple(w, "cac:ReceiptDocumentReference", body.receiving_advice_reference.as_deref());
    // The schemas differ: on a credit note, the customs and tender references follow the contract and the supporting
    // documents.
    if document.is_credit_note() {
        contract(w, body);
        additional(w, document);
        customs_and_tender(w, body);
    } else {
        customs_and_tender(w, body);
        contract(w, body);
        additional(w, document);
        // IBT-011
        simple(w, "cac:ProjectReference", body.project_reference.as_deref());
    }
}

fn order(w: &mut Writer, body: &Body) {
    let sales_order = body.sales_order_reference.as_ref();
    w.group("cac:OrderReference", |w| {
        // IBT-013; UBL requires it even if only the sales order is known.
        let filler = sales_order.map(|_| UNKNOWN);
        let purchase_order = body.purchase_order_reference.as_deref().or(filler);
        w.text("cbc:ID", purchase_order.unwrap_or_default());
        // IBT-014
        w.maybe("cbc:SalesOrderID", sales_order);
    });
}

fn customs_and_tender(w: &mut Writer, body: &Body) {
    // BTAE-21
    simple(w, "cac:StatementDocumentReference", body.customs_reference_number.as_deref());
    // IBT-017
    simple(w, "cac:OriginatorDocumentReference", body.tender_or_lot_reference.as_deref());
}

fn contract(w: &mut Writer, body: &Body) {
    let value = body.contract_value.as_ref();
    w.group("cac:ContractDocumentReference", |w| {
        // IBT-012; UBL requires it even if only the value is known.
        let filler = value.map(|_| UNKNOWN);
        w.text("cbc:ID", body.contract_reference.as_deref().or(filler).unwrap_or_default());
        // BTAE-05
        w.maybe("cbc:DocumentDescription", value);
    });
}

fn additional(w: &mut Writer, document: &Document) {
    let body = &document.body;
    body.supporting_documents.iter().for_each(|of| supporting(w, of));
    if let Some(object) = &body.invoiced_object_identifier {
        w.group("cac:AdditionalDocumentReference", |w| {
            // IBT-018; it has no attachment and no description (ibr-071, ibr-072).
            identifier(w, "cbc:ID", object);
            w.text("cbc:DocumentTypeCode", INVOICED_OBJECT);
        });
    }
    if let Some(total) = document.totals.total_amount_with_vat_in_aed {
        aed_total(w, total);
    }
    if document.is_credit_note()
        && let Some(project) = &body.project_reference
    {
        w.group("cac:AdditionalDocumentReference", |w| {
            // IBT-011: a credit note has no ProjectReference.
            w.text("cbc:ID", project);
            w.text("cbc:DocumentTypeCode", PROJECT);
        });
    }
}

/// IBG-24 Supporting document.
fn supporting(w: &mut Writer, of: &SupportingDocument) {
    w.group("cac:AdditionalDocumentReference", |w| {
        // IBT-122
        w.text("cbc:ID", &of.id);
        // IBT-123
        w.maybe("cbc:DocumentDescription", of.description.as_ref());
        w.group("cac:Attachment", |w| {
            if let Some(attachment) = &of.attachment {
                // IBT-125
                w.with(
                    "cbc:EmbeddedDocumentBinaryObject",
                    &attachment.content_base64,
                    &[
                        // IBT-125-1
                        ("mimeCode", Some(&attachment.mime_code)),
                        // IBT-125-2
                        ("filename", Some(&attachment.filename)),
                    ],
                );
            }
            // IBT-124
            w.group("cac:ExternalReference", |w| w.maybe("cbc:URI", of.external_uri.as_ref()));
        });
    });
}

/// BTAE-20 Total with VAT in AED, for a document in another currency (ibr-175-ae).
fn aed_total(w: &mut Writer, total: Decimal) {
    w.group("cac:AdditionalDocumentReference", |w| {
        w.text("cbc:ID", AED);
        w.text("cbc:DocumentTypeCode", AED_TOTAL);
        w.text("cbc:DocumentDescription", &format!("{AED} {}", two_decimals(total)));
    });
}

fn simple(w: &mut Writer, name: &'static str, id: Option<&str>) {
    if let Some(id) = id {
        w.group(name, |w| w.text("cbc:ID", id));
    }
}
