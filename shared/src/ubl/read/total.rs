//! The document's totals.

use super::reader::Reader;
use crate::{
    document::GivenTotals,
    xml::{
        Node,
        names::{cac, cbc},
    },
};

/// IBG-22 Totals, without those of VAT.
pub(super) fn read(r: &mut Reader, root: Node<'_>, totals: &mut GivenTotals) {
    let Some(of) = root.child(cac::LEGAL_MONETARY_TOTAL) else { return };
    // IBT-106
    totals.sum_of_line_net_amounts = r.amount(of, &[cbc::LINE_EXTENSION_AMOUNT]);
    // IBT-109
    totals.total_amount_without_vat = r.amount(of, &[cbc::TAX_EXCLUSIVE_AMOUNT]);
    // IBT-112
    totals.total_amount_with_vat = r.amount(of, &[cbc::TAX_INCLUSIVE_AMOUNT]);
    // IBT-107
    totals.sum_of_allowances = r.amount(of, &[cbc::ALLOWANCE_TOTAL_AMOUNT]);
    // IBT-108
    totals.sum_of_charges = r.amount(of, &[cbc::CHARGE_TOTAL_AMOUNT]);
    // IBT-113
    totals.paid_amount = r.amount(of, &[cbc::PREPAID_AMOUNT]);
    // IBT-114
    totals.rounding_amount = r.amount(of, &[cbc::PAYABLE_ROUNDING_AMOUNT]);
    // IBT-115
    totals.amount_due_for_payment = r.amount(of, &[cbc::PAYABLE_AMOUNT]);
}
