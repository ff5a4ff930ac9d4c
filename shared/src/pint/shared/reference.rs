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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pint::shared::testing::{on_credit_note, on_invoice};

    const INVOICE: &str = "<cac:InvoiceDocumentReference>\n      <cbc:ID>INV-7</cbc:ID>\n      <cbc:IssueDate>2026-10-30</cbc:IssueDate>\n    </cac:InvoiceDocumentReference>";
    const DESPATCH: &str =
        "<cac:DocumentReference>\n        <cbc:ID>DA-1</cbc:ID>\n      </cac:DocumentReference>";
    const TWO: &str = "<cac:DocumentReference><cbc:ID>A</cbc:ID></cac:DocumentReference><cac:DocumentReference><cbc:ID>B</cbc:ID></cac:DocumentReference>";
    const SUPPLIER: &str = "<cac:AccountingSupplierParty>";

    #[test]
    fn supporting_documents_and_despatch_advices_are_referred_to_once() {
        on_invoice(
            &[ADDITIONAL, LINE_DESPATCH_ID, LINE_DESPATCH],
            &[
                (
                    "ibr-052",
                    &[("<cbc:ID>ATT-1</cbc:ID>", "<cbc:ID> A </cbc:ID>")],
                    &[("<cbc:ID>ATT-1</cbc:ID>", "<cbc:ID> </cbc:ID>")],
                ),
                (
                    "ibr-sr-33",
                    &[],
                    &[(
                        "<cbc:ID>ATT-1</cbc:ID>",
                        "<cbc:ID>A</cbc:ID><cbc:DocumentDescription>b</cbc:DocumentDescription>",
                    )],
                ),
                (
                    "ibr-092",
                    &[],
                    &[(
                        SUPPLIER,
                        "<cac:DespatchDocumentReference><cbc:ID>D</cbc:ID></cac:DespatchDocumentReference><cac:AccountingSupplierParty>",
                    )],
                ),
                ("ibr-sr-62", &[], &[(DESPATCH, TWO)]),
            ],
        );
    }

    #[test]
    fn an_earlier_invoice_is_named() {
        on_credit_note(
            &[BILLING],
            &[
                (
                    "ibr-055",
                    &[("<cbc:ID>INV-7</cbc:ID>", "<cbc:ID/>")],
                    &[("<cbc:ID>INV-7</cbc:ID>", "<cbc:UUID>7</cbc:UUID>")],
                ),
                (
                    "ibr-sr-07",
                    &[("<cbc:ID>INV-7</cbc:ID>", "<cbc:ID/>")],
                    &[("<cbc:ID>INV-7</cbc:ID>", "")],
                ),
                (
                    "ibr-sr-06",
                    &[],
                    &[(
                        INVOICE,
                        "<cac:InvoiceDocumentReference><cbc:ID>A</cbc:ID></cac:InvoiceDocumentReference><cac:InvoiceDocumentReference><cbc:ID>B</cbc:ID></cac:InvoiceDocumentReference>",
                    )],
                ),
            ],
        );
    }
}
