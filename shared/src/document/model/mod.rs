//! The fields of the four send operations, named after PINT business terms, and the completed document. The comment of
//! each field names its term. The tables of PINT-AE give the UBL element of each term.

mod body;
mod document;
mod line;
mod party;
mod payment;

use super::json::Object;

pub use body::{
    Attachment, Body, DocumentAllowanceCharge, GivenTotals, GivenVatBreakdown, Identifier,
    InvoicePeriod, Metadata, PrecedingInvoiceReference, SupportingDocument,
};
pub use document::{Document, LineAmounts, Operation, Totals, VatBreakdown};
pub use line::{
    Classification, Item, ItemAttribute, Line, LineAllowanceCharge, LineVat, Period, Price,
    ServiceAccountingCode,
};
pub use party::{Address, Contact, Delivery, LegalRegistration, Party, Payee, TaxRepresentative};
pub use payment::{
    CreditTransfer, DirectDebit, PaidAmount, PaymentCard, PaymentMeans, PaymentTerms,
};

/// All objects of a body by the name of their schema, with their fields and whether each is required.
pub const OBJECTS: [&[Object]; 4] =
    [body::OBJECTS, party::OBJECTS, payment::OBJECTS, line::OBJECTS];
