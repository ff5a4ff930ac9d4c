//! Payment means, terms and paid amounts.

use jiff::civil::Date;

use super::{
    party::{address, identifier},
    reference::UNKNOWN,
    writer::Writer,
};
use crate::document::{
    CreditTransfer, DirectDebit, Document, PaidAmount, PaymentCard, PaymentMeans, PaymentTerms,
};

/// Writes the means, terms and paid amounts of a document.
pub(super) fn write(w: &mut Writer, document: &Document, currency: &str) {
    let body = &document.body;
    for of in &body.payment_means {
        // A credit note has no DueDate, so IBT-009 is written here.
        let due_date = of.due_date.filter(|_| document.is_credit_note());
        means(w, of, due_date);
    }
    body.payment_terms.iter().for_each(|of| terms(w, of, currency));
    // A UBL credit note has no PrepaidPayment.
    if !document.is_credit_note() {
        body.paid_amounts.iter().for_each(|of| paid(w, of, currency));
    }
}

/// IBG-16 Payment instructions.
fn means(w: &mut Writer, means: &PaymentMeans, due_date: Option<Date>) {
    w.group("cac:PaymentMeans", |w| {
        // IBT-178
        w.maybe("cbc:ID", means.id.as_ref());
        // IBT-081, IBT-082
        let name = [("name", means.means_text.as_deref())];
        w.with("cbc:PaymentMeansCode", &means.means_code, &name);
        // IBT-009
        w.date("cbc:PaymentDueDate", due_date);
        // IBT-083
        means.remittance_information.iter().for_each(|id| identifier(w, "cbc:PaymentID", id));
        if let Some(of) = &means.card {
            card(w, of);
        }
        if let Some(of) = &means.credit_transfer {
            credit_transfer(w, of);
        }
        if let Some(of) = &means.direct_debit {
            direct_debit(w, of);
        }
    });
}

/// IBG-18 Payment card.
fn card(w: &mut Writer, card: &PaymentCard) {
    w.group("cac:CardAccount", |w| {
        // IBT-087
        w.text("cbc:PrimaryAccountNumberID", &card.primary_account_number);
        w.text("cbc:NetworkID", card.network.as_deref().unwrap_or(UNKNOWN));
        // IBT-088
        w.maybe("cbc:HolderName", card.holder_name.as_ref());
    });
}

/// IBG-17 Credit transfer.
fn credit_transfer(w: &mut Writer, of: &CreditTransfer) {
    w.group("cac:PayeeFinancialAccount", |w| {
        // IBT-084
        identifier(w, "cbc:ID", &of.account_identifier);
        // IBT-085
        w.maybe("cbc:Name", of.account_name.as_ref());
        w.group("cac:FinancialInstitutionBranch", |w| {
            // IBT-086
            w.maybe("cbc:ID", of.service_provider_identifier.as_ref());
            if let Some(of) = &of.institution_address {
                // IBG-34
                address(w, "cac:Address", of);
            }
        });
    });
}

/// IBG-19 Direct debit. The creditor identifier (IBT-090) is written with the seller.
fn direct_debit(w: &mut Writer, of: &DirectDebit) {
    w.group("cac:PaymentMandate", |w| {
        // IBT-089
        w.maybe("cbc:ID", of.mandate_reference.as_ref());
        // IBT-091
        w.group("cac:PayerFinancialAccount", |w| {
            w.maybe("cbc:ID", of.debited_account_identifier.as_ref());
        });
    });
}

/// IBG-33 Payment terms.
fn terms(w: &mut Writer, terms: &PaymentTerms, currency: &str) {
    w.group("cac:PaymentTerms", |w| {
        // IBT-187
        w.maybe("cbc:PaymentMeansID", terms.instructions_id.as_ref());
        // IBT-020
        w.maybe("cbc:Note", terms.note.as_ref());
        // IBT-176
        w.maybe_amount("cbc:Amount", terms.amount, currency);
        // IBT-177
        w.date("cbc:InstallmentDueDate", terms.due_date);
    });
}

/// IBG-35 Paid amount.
fn paid(w: &mut Writer, paid: &PaidAmount, currency: &str) {
    w.group("cac:PrepaidPayment", |w| {
        // IBT-179
        w.maybe("cbc:ID", paid.id.as_ref());
        // IBT-180
        w.amount("cbc:PaidAmount", paid.amount, currency);
        // IBT-181
        w.date("cbc:ReceivedDate", paid.received_date);
    });
}
