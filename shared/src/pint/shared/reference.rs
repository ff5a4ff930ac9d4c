//! References to other documents, below the header and below lines.

use super::{
    Facts,
    once::{self, once},
};
use crate::rules::{Group, Rule, xpath};
use crate::xml::names::{cac, cbc};

/// `cac:AdditionalDocumentReference`
pub(super) const ADDITIONAL: Group<Facts> = &[
    Rule {
        id: "ibr-052",
        term: "IBT-122",
        about: &[cbc::ID],
        message: "The reference to a supporting document has no identifier.",
        fix: "Give each supporting document an identifier.",
        holds: |reference, _| xpath::has_text(reference.all(cbc::ID)),
    },
    Rule {
        id: "ibr-sr-33",
        term: "IBT-123",
        about: &[cbc::DOCUMENT_DESCRIPTION],
        message: "The supporting document has more than one description.",
        fix: "Give one description.",
        holds: |reference, _| once(reference, once::DESCRIPTIONS),
    },
];

/// `cac:BillingReference`
pub(super) const BILLING: Group<Facts> = &[
    Rule {
        id: "ibr-055",
        term: "IBT-025",
        about: &[cac::INVOICE_DOCUMENT_REFERENCE, cbc::ID],
        message: "The reference to an earlier invoice has no invoice number.",
        fix: "Give the number of the invoice that is meant.",
        holds: |billing, _| billing.find(&[cac::INVOICE_DOCUMENT_REFERENCE, cbc::ID]).is_some(),
    },
    // The same condition under a second id.
    Rule {
        id: "ibr-sr-07",
        term: "IBT-025",
        about: &[cac::INVOICE_DOCUMENT_REFERENCE, cbc::ID],
        message: "The reference to an earlier invoice has no invoice number.",
        fix: "Give the number of the invoice that is meant.",
        holds: |billing, _| billing.find(&[cac::INVOICE_DOCUMENT_REFERENCE, cbc::ID]).is_some(),
    },
    Rule {
        id: "ibr-sr-06",
        term: "IBT-025",
        about: &[cac::INVOICE_DOCUMENT_REFERENCE],
        message: "One reference names more than one earlier invoice.",
        fix: "Give its own reference to each invoice.",
        holds: |billing, _| once(billing, once::INVOICES),
    },
];

/// `cac:InvoiceLine/cac:DespatchLineReference/cac:DocumentReference/cbc:ID |
/// cac:CreditNoteLine/cac:DespatchLineReference/cac:DocumentReference/cbc:ID`
pub(super) const LINE_DESPATCH_ID: Group<Facts> = &[Rule {
    id: "ibr-092",
    term: "IBT-184",
    about: &[],
    message: "Both the document and a line refer to a despatch advice.",
    fix: "Keep the reference of the document or those of the lines.",
    holds: |_, facts| !facts.shared.has_despatch_reference,
}];

/// `cac:InvoiceLine/cac:DespatchLineReference | cac:CreditNoteLine/cac:DespatchLineReference`
pub(super) const LINE_DESPATCH: Group<Facts> = &[Rule {
    id: "ibr-sr-62",
    term: "IBT-184",
    about: &[cac::DOCUMENT_REFERENCE],
    message: "The line refers to more than one despatch advice.",
    fix: "Give one despatch advice a line.",
    holds: |reference, _| once(reference, once::DOCUMENTS),
}];
