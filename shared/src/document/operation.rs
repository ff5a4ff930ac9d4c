//! The four operations: their top-level fields, and which of them are required.

use super::model::{Body, Operation};

/// The operations that have a field, and the operations that require it.
struct Membership {
    field: &'static str,
    has: &'static [Operation],
    requires: &'static [Operation],
}

use Operation::{CreditNote, Invoice, SelfBilledCreditNote, SelfBilledInvoice};

const INVOICES: &[Operation] = &[Invoice, SelfBilledInvoice];
const CREDIT_NOTES: &[Operation] = &[CreditNote, SelfBilledCreditNote];
const BILLING: &[Operation] = &[Invoice, CreditNote];
const SELF_BILLING: &[Operation] = &[SelfBilledInvoice, SelfBilledCreditNote];
const ALL: &[Operation] = &[Invoice, CreditNote, SelfBilledInvoice, SelfBilledCreditNote];
const NOT_SELF_BILLED_CREDIT_NOTE: &[Operation] = &[Invoice, CreditNote, SelfBilledInvoice];
const NONE: &[Operation] = &[];

/// The fields that only some operations have, or that some operations require. Every other field of [`Body`] is
/// optional in all operations.
const MEMBERSHIPS: &[Membership] = &[
    Membership { field: "invoice_number", has: INVOICES, requires: INVOICES },
    Membership { field: "credit_note_number", has: CREDIT_NOTES, requires: CREDIT_NOTES },
    Membership { field: "due_date", has: INVOICES, requires: INVOICES },
    Membership { field: "invoice_type_code", has: INVOICES, requires: NONE },
    Membership { field: "credit_note_type_code", has: CREDIT_NOTES, requires: NONE },
    // ibr-124-ae: a credit note has no VAT point date.
    Membership { field: "vat_point_date", has: INVOICES, requires: NONE },
    Membership { field: "supplier", has: ALL, requires: SELF_BILLING },
    Membership { field: "customer", has: BILLING, requires: BILLING },
    Membership { field: "delivery", has: NOT_SELF_BILLED_CREDIT_NOTE, requires: NONE },
    Membership { field: "delivery_address", has: NOT_SELF_BILLED_CREDIT_NOTE, requires: NONE },
    Membership { field: "payment_means", has: NOT_SELF_BILLED_CREDIT_NOTE, requires: NONE },
    // A UBL credit note has no PrepaidPayment.
    Membership { field: "paid_amounts", has: INVOICES, requires: NONE },
    Membership { field: "line_items", has: ALL, requires: ALL },
    Membership { field: "credit_note_reason_code", has: CREDIT_NOTES, requires: NONE },
    Membership { field: "original_reference_kind", has: CREDIT_NOTES, requires: NONE },
    Membership { field: "original_invoice_number", has: CREDIT_NOTES, requires: NONE },
    Membership { field: "original_issue_date", has: CREDIT_NOTES, requires: NONE },
    Membership { field: "previous_document_id", has: CREDIT_NOTES, requires: NONE },
];

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 4] = [Invoice, CreditNote, SelfBilledInvoice, SelfBilledCreditNote];

    /// The operation whose body has these fields. Who bills himself names the seller and no buyer.
    pub fn of_body(body: &serde_json::Value) -> Option<Self> {
        let has = |name: &str| body.get(name).is_some_and(|value| !value.is_null());
        let self_billed = match (has("customer"), has("supplier")) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => return None,
        };
        match (has("invoice_number"), has("credit_note_number"), self_billed) {
            (true, false, false) => Some(Invoice),
            (true, false, true) => Some(SelfBilledInvoice),
            (false, true, false) => Some(CreditNote),
            (false, true, true) => Some(SelfBilledCreditNote),
            _ => None,
        }
    }

    /// The name in records and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Invoice => "invoice",
            CreditNote => "credit_note",
            SelfBilledInvoice => "self_billed_invoice",
            SelfBilledCreditNote => "self_billed_credit_note",
        }
    }

    /// The operation with this name; the inverse of [`Operation::as_str`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.as_str() == name)
    }

    /// The path of the operation, after the version.
    pub fn path(self) -> &'static str {
        match self {
            Invoice => "/invoices",
            CreditNote => "/credit-notes",
            SelfBilledInvoice => "/self-billing/invoices",
            SelfBilledCreditNote => "/self-billing/credit-notes",
        }
    }

    /// Whether the buyer issues the document.
    pub fn is_self_billed(self) -> bool {
        matches!(self, SelfBilledInvoice | SelfBilledCreditNote)
    }

    /// The self-billing operation for the same kind of document.
    pub(super) fn in_self_billing(self) -> Self {
        match self {
            Invoice | SelfBilledInvoice => SelfBilledInvoice,
            CreditNote | SelfBilledCreditNote => SelfBilledCreditNote,
        }
    }

    /// Whether the document is a credit note.
    pub fn is_credit_note(self) -> bool {
        matches!(self, CreditNote | SelfBilledCreditNote)
    }

    /// The field that holds the document's number (IBT-001).
    pub fn number_field(self) -> &'static str {
        if self.is_credit_note() { "credit_note_number" } else { "invoice_number" }
    }

    /// The top-level fields of the operation in the order of [`Body`], and whether each is required.
    pub fn fields(self) -> impl Iterator<Item = (&'static str, bool)> {
        Body::FIELDS.iter().filter_map(move |(field, _)| {
            match MEMBERSHIPS.iter().find(|membership| membership.field == *field) {
                Some(membership) => membership
                    .has
                    .contains(&self)
                    .then(|| (*field, membership.requires.contains(&self))),
                None => Some((*field, false)),
            }
        })
    }

    /// `Ok` if the operation has the field. `Err` holds the paths of the operations that have it; the list is empty if
    /// none does.
    pub(super) fn has_field(self, field: &str) -> Result<(), Vec<&'static str>> {
        if !Body::FIELDS.iter().any(|(known, _)| *known == field) {
            return Err(Vec::new());
        }
        match MEMBERSHIPS.iter().find(|membership| membership.field == field) {
            Some(membership) if !membership.has.contains(&self) => {
                Err(membership.has.iter().map(|operation| operation.path()).collect())
            }
            _ => Ok(()),
        }
    }

    /// IBT-003 Type codes, the default first (ibr-cl-01).
    pub fn type_codes(self) -> [&'static str; 2] {
        match self {
            Invoice => ["380", "480"],
            CreditNote => ["381", "81"],
            SelfBilledInvoice => ["389", "480"],
            SelfBilledCreditNote => ["261", "81"],
        }
    }
}

impl std::fmt::Display for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
