//! Payment means, terms and paid amounts.

use super::{party::address, reader::Reader};
use crate::{
    document::{
        Body, CreditTransfer, DirectDebit, Identifier, PaidAmount, PaymentCard, PaymentMeans,
        PaymentTerms,
    },
    xml::{
        Node,
        names::{attr, cac, cbc},
    },
};

/// Reads the means, terms and paid amounts of a document.
pub(super) fn read(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    if r.has("payment_means") {
        body.payment_means = r.list(root.all(cac::PAYMENT_MEANS), means);
    }
    body.payment_terms = r.list(root.all(cac::PAYMENT_TERMS), terms);
    if r.has("paid_amounts") {
        body.paid_amounts = r.list(root.all(cac::PREPAID_PAYMENT), paid);
    }
}

/// IBG-16 Payment instructions.
fn means(r: &mut Reader, of: Node<'_>) -> Option<PaymentMeans> {
    let code = of.child(cbc::PAYMENT_MEANS_CODE)?;
    let is_credit_note = r.operation.is_credit_note();
    Some(PaymentMeans {
        // IBT-081
        means_code: r.value(code)?,
        // IBT-082
        means_text: r.attribute(code, attr::NAME),
        // IBT-178
        id: r.text(of, &[cbc::ID]),
        // IBT-009; an invoice has its due date in the header.
        due_date: if is_credit_note { r.date(of, &[cbc::PAYMENT_DUE_DATE]) } else { None },
        // IBT-083
        remittance_information: r.list(of.all(cbc::PAYMENT_ID), remittance),
        card: r.object(|r| card(r, of.child(cac::CARD_ACCOUNT)?)),
        credit_transfer: r.object(|r| credit_transfer(r, of.child(cac::PAYEE_FINANCIAL_ACCOUNT)?)),
        direct_debit: of.child(cac::PAYMENT_MANDATE).and_then(|of| direct_debit(r, of)),
    })
}

/// IBT-083
fn remittance(r: &mut Reader, of: Node<'_>) -> Option<Identifier> {
    r.identifier(of, &[])
}

/// IBG-18 Payment card.
fn card(r: &mut Reader, of: Node<'_>) -> Option<PaymentCard> {
    Some(PaymentCard {
        // IBT-087
        primary_account_number: r.text(of, &[cbc::PRIMARY_ACCOUNT_NUMBER_ID])?,
        network: r.text(of, &[cbc::NETWORK_ID]),
        // IBT-088
        holder_name: r.text(of, &[cbc::HOLDER_NAME]),
    })
}

/// IBG-17 Credit transfer.
fn credit_transfer(r: &mut Reader, of: Node<'_>) -> Option<CreditTransfer> {
    let institution = of.find(&[cac::FINANCIAL_INSTITUTION_BRANCH, cac::ADDRESS]);
    Some(CreditTransfer {
        // IBT-084
        account_identifier: r.identifier(of, &[cbc::ID])?,
        // IBT-085
        account_name: r.text(of, &[cbc::NAME]),
        // IBT-086
        service_provider_identifier: r.text(of, &[cac::FINANCIAL_INSTITUTION_BRANCH, cbc::ID]),
        // IBG-34
        institution_address: institution.and_then(|of| address(r, of)),
    })
}

/// IBG-19 Direct debit. The creditor identifier (IBT-090) is read with the seller.
fn direct_debit(r: &mut Reader, of: Node<'_>) -> Option<DirectDebit> {
    r.group(|r| DirectDebit {
        // IBT-089
        mandate_reference: r.text(of, &[cbc::ID]),
        creditor_identifier: None,
        // IBT-091
        debited_account_identifier: r.text(of, &[cac::PAYER_FINANCIAL_ACCOUNT, cbc::ID]),
    })
}

/// IBG-33 Payment terms.
fn terms(r: &mut Reader, of: Node<'_>) -> Option<PaymentTerms> {
    r.group(|r| PaymentTerms {
        // IBT-187
        instructions_id: r.text(of, &[cbc::PAYMENT_MEANS_ID]),
        // IBT-020
        note: r.text(of, &[cbc::NOTE]),
        // IBT-176
        amount: r.amount(of, &[cbc::AMOUNT]),
        // IBT-177
        due_date: r.date(of, &[cbc::INSTALLMENT_DUE_DATE]),
    })
}

/// IBG-35 Paid amount.
fn paid(r: &mut Reader, of: Node<'_>) -> Option<PaidAmount> {
    Some(PaidAmount {
        // IBT-180
        amount: r.amount(of, &[cbc::PAID_AMOUNT])?,
        // IBT-179
        id: r.text(of, &[cbc::ID]),
        // IBT-181
        received_date: r.date(of, &[cbc::RECEIVED_DATE]),
    })
}
