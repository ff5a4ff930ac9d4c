//! The document's totals.

use super::writer::Writer;
use crate::document::Totals;

/// IBG-22 Totals, except those of VAT.
pub(super) fn write(w: &mut Writer, totals: &Totals, currency: &str) {
    w.group("cac:LegalMonetaryTotal", |w| {
        // IBT-106
        w.amount("cbc:LineExtensionAmount", totals.sum_of_line_net_amounts, currency);
        // IBT-109
        w.amount("cbc:TaxExclusiveAmount", totals.total_amount_without_vat, currency);
        // IBT-112
        w.amount("cbc:TaxInclusiveAmount", totals.total_amount_with_vat, currency);
        // IBT-107
        w.maybe_amount("cbc:AllowanceTotalAmount", totals.sum_of_allowances, currency);
        // IBT-108
        w.maybe_amount("cbc:ChargeTotalAmount", totals.sum_of_charges, currency);
        // IBT-113
        w.maybe_amount("cbc:PrepaidAmount", totals.paid_amount, currency);
        // IBT-114
        w.maybe_amount("cbc:PayableRoundingAmount", totals.rounding_amount, currency);
        // IBT-115
        w.amount("cbc:PayableAmount", totals.amount_due_for_payment, currency);
    });
}
