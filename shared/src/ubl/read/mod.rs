//! Converts UBL to the body of a send. Each writer in the parent module has a reader here, in a file of the same name.
//!
//! Readers take values from the document. All values that no reader took are listed:
//! - an element for which a body has no field;
//! - a repeated element where a body has one field;
//! - a value in a form that a body does not accept;
//! - an object that lacks a required field of the body.

mod allowance;
mod delivery;
mod item;
mod line;
mod party;
mod payment;
mod reader;
mod reference;
mod tax;
#[cfg(test)]
mod tests;
mod total;
mod unmapped;

use self::reader::Reader;
#[cfg(feature = "service")]
pub(crate) use self::reader::date;
pub(crate) use self::reader::decimal;
pub use self::unmapped::{MAX_UNMAPPED_BYTES, MAX_UNMAPPED_VALUE, Unmapped, UnmappedValue};
use super::{process, writer::AED};
use crate::{
    document::{Body, GivenTotals, InvoicePeriod, Operation, Party},
    xml::{
        Node, Tree,
        names::{cac, cbc, credit_note, invoice, xsi},
    },
};

/// The content of a document, in the fields of the send bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The operation to which the body belongs.
    pub operation: Operation,
    /// The body, without fields that are not part of the document: profile, preferences, `document_id`s and the
    /// sender's own data.
    pub body: Body,
    /// IBG-07 Buyer of a self-billed document. Its body has no field for the buyer, because the buyer is the taxpayer
    /// who sends.
    pub customer: Option<Party>,
    /// The values for which a body has no field.
    pub unmapped: Unmapped,
}

/// Why the content of a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoContent {
    /// Not an invoice or credit note of UBL 2.1.
    #[error(
        "it is {name} of the namespace {namespace:?}, neither Invoice nor CreditNote of UBL 2.1"
    )]
    Root {
        /// The name of the root element.
        name: String,
        /// Its namespace; empty if there is none.
        namespace: String,
    },
    /// Not a document of PINT-AE.
    #[error("its CustomizationID is {0:?}, and not one of PINT-AE")]
    Customization(String),
}

/// Reads the content of an invoice or credit note of PINT-AE.
///
/// # Errors
/// If it is another kind of document.
pub fn content(document: &Tree<'_>) -> Result<Content, NoContent> {
    let root = document.root();
    let operation = operation(root)?;
    let currency = root.child(cbc::DOCUMENT_CURRENCY_CODE);
    let currency = currency.map(|of| of.normalized().into_owned());
    let mut r = Reader::new(operation, currency.unwrap_or_else(|| AED.to_owned()));
    let (body, customer) = body(&mut r, root);
    let unmapped = unmapped::list(document, &r.taken());
    Ok(Content { operation, body, customer, unmapped })
}

/// Returns the operation for a document of this specification, or of an extension of it.
fn operation(root: Node<'_>) -> Result<Operation, NoContent> {
    let is_credit_note = match root.name() {
        invoice::INVOICE => false,
        credit_note::CREDIT_NOTE => true,
        _ => {
            let (name, namespace) = (shown(root.qualified_name()), shown(root.namespace()));
            return Err(NoContent::Root { name, namespace });
        }
    };
    let customization = root.child(cbc::CUSTOMIZATION_ID).map(Node::normalized).unwrap_or_default();
    // Policy for use of Identifiers, section 4: an extension adds a part after `@`.
    let extends = |own: &str| {
        customization.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
    };
    let mut operations = Operation::ALL.into_iter();
    operations
        .find(|operation| {
            operation.is_credit_note() == is_credit_note && extends(process(*operation).0)
        })
        .ok_or_else(|| NoContent::Customization(shown(&customization)))
}

/// Maximum number of characters that an error repeats from the document.
const SHOWN: usize = 100;

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

fn body(r: &mut Reader, root: Node<'_>) -> (Body, Option<Party>) {
    let (mut body, mut totals) = (Body::default(), GivenTotals::default());
    header(r, root, &mut body);
    reference::read(r, root, &mut body, &mut totals);
    payment::read(r, root, &mut body);
    party::read(r, root, &mut body);
    let buyer = party::buyer(r, root);
    delivery::read(r, root, &mut body);
    allowance::of_document(r, root, &mut body);
    tax::exchange_rate(r, root, &mut body);
    tax::totals(r, root, &mut body, &mut totals);
    total::read(r, root, &mut totals);
    body.totals = Some(totals).filter(|totals| *totals != GivenTotals::default());
    body.line_items = line::read(r, root);
    if r.has("customer") {
        body.customer = buyer;
        return (body, None);
    }
    (body, buyer)
}

/// Reads the elements from the specification identifier to the credit note reason.
fn header(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    // A hint to processors (XML Schema part 1, section 4.3.2) and not content.
    let _ = r.attribute(root, xsi::SCHEMA_LOCATION);
    let (customization, profile) = process(r.operation);
    // IBT-024
    r.fixed(root, &[cbc::CUSTOMIZATION_ID], customization);
    // IBT-023
    r.fixed(root, &[cbc::PROFILE_ID], profile);
    // BTAE-02
    body.transaction_type_code = r.text(root, &[cbc::PROFILE_EXECUTION_ID]);
    // BTAE-07
    body.uuid = r.text(root, &[cbc::UUID]);
    // IBT-002
    body.issue_date = r.date(root, &[cbc::ISSUE_DATE]);
    // IBT-168
    body.issue_time = r.text(root, &[cbc::ISSUE_TIME]);
    number_and_type(r, root, body);
    // IBT-022
    body.note = r.text(root, &[cbc::NOTE]);
    // IBT-005
    body.currency = r.text(root, &[cbc::DOCUMENT_CURRENCY_CODE]);
    // IBT-006
    body.tax_accounting_currency_code = r.text(root, &[cbc::TAX_CURRENCY_CODE]);
    // IBT-019
    body.buyer_accounting_reference = r.text(root, &[cbc::ACCOUNTING_COST]);
    // IBT-010
    body.buyer_reference = r.text(root, &[cbc::BUYER_REFERENCE]);
    body.invoice_period = root.child(cac::INVOICE_PERIOD).and_then(|of| period(r, of));
}

/// Number, type, and the terms that only an invoice or only a credit note has.
fn number_and_type(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    if r.operation.is_credit_note() {
        // IBT-001
        body.credit_note_number = r.text(root, &[cbc::ID]);
        // IBT-003
        body.credit_note_type_code = r.text(root, &[cbc::CREDIT_NOTE_TYPE_CODE]);
        // BTAE-03
        body.credit_note_reason_code =
            r.text(root, &[cac::DISCREPANCY_RESPONSE, cbc::RESPONSE_CODE]);
    } else {
        // IBT-001
        body.invoice_number = r.text(root, &[cbc::ID]);
        // IBT-009
        body.due_date = r.date(root, &[cbc::DUE_DATE]);
        // IBT-003
        body.invoice_type_code = r.text(root, &[cbc::INVOICE_TYPE_CODE]);
        // IBT-007
        body.vat_point_date = r.date(root, &[cbc::TAX_POINT_DATE]);
    }
}

/// IBG-14 Invoicing period.
fn period(r: &mut Reader, of: Node<'_>) -> Option<InvoicePeriod> {
    r.group(|r| InvoicePeriod {
        // IBT-073
        start_date: r.date(of, &[cbc::START_DATE]),
        // IBT-074
        end_date: r.date(of, &[cbc::END_DATE]),
        // BTAE-06
        frequency_code: r.text(of, &[cbc::DESCRIPTION_CODE]),
    })
}
