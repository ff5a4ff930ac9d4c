//! Converts a [`Document`] to UBL 2.1 (PINT-AE 1.0.4), one file for each aggregate. `read/` converts back, with one
//! reader for each writer.
//!
//! The order of elements is that of the schemas. The code marks where Invoice and CreditNote differ. A comment names
//! the business term that the next line writes.

mod allowance;
mod delivery;
mod item;
mod line;
mod party;
mod payment;
mod read;
mod reference;
mod source;
mod summary;
mod tax;
mod total;
mod writer;

#[cfg(test)]
mod tests;

use jiff::civil::Date;

pub use self::read::{
    Content, MAX_UNMAPPED_BYTES, MAX_UNMAPPED_VALUE, NoContent, Unmapped, UnmappedValue, content,
};
#[cfg(feature = "service")]
pub(crate) use self::read::{date, decimal};
#[cfg(feature = "service")]
pub(crate) use self::reference::{AED_TOTAL, INVOICED_OBJECT, PROJECT, UNKNOWN};
pub use self::source::{pointer, pointer_of_sent};
pub use self::summary::{Party, Summary, summary};
use self::writer::{AED, Writer};
use crate::document::{Body, Document, Operation};

/// Maximum size of a UBL document that is sent. Recipients and the answers of this service cannot hold more.
/// [`write()`] also writes larger documents; its caller refuses them.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Writes the document as UBL: UTF-8 with XML declaration, indented by two spaces. The same document always gives the
/// same bytes. Writing cannot fail, because a [`Document`] has every value it needs.
pub fn write(document: &Document) -> Vec<u8> {
    // A line takes about 2 KiB, the part before the lines about 8 KiB.
    let mut w = Writer::new(8 * 1024 + 2 * 1024 * document.body.line_items.len());
    let root = if document.is_credit_note() { "CreditNote" } else { "Invoice" };
    w.root(root, |w| {
        let body = &document.body;
        let currency = body.currency.as_deref().unwrap_or(AED);
        header(w, document, currency);
        reference::write(w, document);
        party::write(w, document);
        delivery::write(w, body);
        payment::write(w, document, currency);
        // The schemas differ: the exchange rate follows the allowances on an invoice, and precedes them on a credit
        // note.
        if document.is_credit_note() {
            tax::exchange_rate(w, document, currency);
            allowance::of_document(w, body, currency);
        } else {
            allowance::of_document(w, body, currency);
            tax::exchange_rate(w, document, currency);
        }
        tax::totals(w, document, currency);
        total::write(w, &document.totals, currency);
        line::write(w, document, currency);
    });
    w.finish()
}

/// IBT-024 and IBT-023 of the operation.
fn process(operation: Operation) -> (&'static str, &'static str) {
    if operation.is_self_billed() {
        ("urn:peppol:pint:selfbilling-1@ae-1", "urn:peppol:bis:selfbilling")
    } else {
        ("urn:peppol:pint:billing-1@ae-1", "urn:peppol:bis:billing")
    }
}

/// Writes the elements from the specification identifier to the credit note reason.
fn header(w: &mut Writer, document: &Document, currency: &str) {
    let body = &document.body;
    // The profile of the caller affects only the network. The document never contains a `*` (ibr-sr-63).
    let (customization, profile) = process(document.operation);
    // IBT-024
    w.text("cbc:CustomizationID", customization);
    // IBT-023
    w.text("cbc:ProfileID", profile);
    // BTAE-02
    w.text("cbc:ProfileExecutionID", body.transaction_type_code.as_deref().unwrap_or("00000000"));
    // IBT-001
    w.text("cbc:ID", &document.number);
    // BTAE-07
    w.maybe("cbc:UUID", body.uuid.as_ref());
    // IBT-002
    w.date("cbc:IssueDate", body.issue_date);
    // IBT-168
    w.maybe("cbc:IssueTime", body.issue_time.as_ref());
    dates_and_type(w, document, body.vat_point_date);
    // IBT-005
    w.text("cbc:DocumentCurrencyCode", currency);
    if currency != AED {
        // IBT-006; forbidden when it equals the document currency (ibr-077).
        w.text("cbc:TaxCurrencyCode", AED);
    }
    // IBT-019
    w.maybe("cbc:AccountingCost", body.buyer_accounting_reference.as_ref());
    // IBT-010
    w.maybe("cbc:BuyerReference", body.buyer_reference.as_ref());
    period(w, body);
    if document.is_credit_note() {
        // BTAE-03
        w.group("cac:DiscrepancyResponse", |w| {
            w.maybe("cbc:ResponseCode", body.credit_note_reason_code.as_ref());
        });
    }
}

/// The schemas differ. An invoice has a due date, and its VAT point date follows the note. On a credit note, the VAT
/// point date precedes the type code.
fn dates_and_type(w: &mut Writer, document: &Document, vat_point_date: Option<Date>) {
    let note = document.body.note.as_ref();
    if document.is_credit_note() {
        // IBT-007
        w.date("cbc:TaxPointDate", vat_point_date);
        // IBT-003
        w.text("cbc:CreditNoteTypeCode", document.type_code);
        // IBT-022
        w.maybe("cbc:Note", note);
    } else {
        // IBT-009
        w.date("cbc:DueDate", document.body.due_date);
        // IBT-003
        w.text("cbc:InvoiceTypeCode", document.type_code);
        // IBT-022
        w.maybe("cbc:Note", note);
        // IBT-007
        w.date("cbc:TaxPointDate", vat_point_date);
    }
}

/// IBG-14 Invoicing period.
fn period(w: &mut Writer, body: &Body) {
    let Some(period) = &body.invoice_period else { return };
    w.group("cac:InvoicePeriod", |w| {
        // IBT-073
        w.date("cbc:StartDate", period.start_date);
        // IBT-074
        w.date("cbc:EndDate", period.end_date);
        // BTAE-06
        w.maybe("cbc:DescriptionCode", period.frequency_code.as_ref());
    });
}
