//! Allowances and charges, on the document and on lines.

use rust_decimal::Decimal;

use super::{tax::category, writer::Writer};
use crate::document::{Body, DocumentAllowanceCharge, Line, LineAllowanceCharge};

/// IBG-20 allowances and IBG-21 charges of the document.
pub(super) fn of_document(w: &mut Writer, body: &Body, currency: &str) {
    body.allowances.iter().for_each(|of| on_document(w, of, false, currency));
    body.charges.iter().for_each(|of| on_document(w, of, true, currency));
}

/// IBG-27 allowances and IBG-28 charges of a line.
pub(super) fn of_line(w: &mut Writer, line: &Line, currency: &str) {
    line.allowances.iter().for_each(|of| on_line(w, of, false, currency));
    line.charges.iter().for_each(|of| on_line(w, of, true, currency));
}

fn on_document(w: &mut Writer, of: &DocumentAllowanceCharge, charge: bool, currency: &str) {
    let reason = (of.reason_code.as_ref(), of.reason.as_ref());
    let amounts = (of.percentage, of.amount, of.base_amount);
    write(w, charge, reason, amounts, currency, |w| {
        // IBT-095, IBT-102; IBT-096, IBT-103; IBT-196, IBT-198; IBT-197, IBT-199
        category(
            w,
            "cac:TaxCategory",
            &of.vat_category_code,
            of.vat_rate,
            of.vat_exemption_reason_code.as_ref(),
            of.vat_exemption_reason.as_ref(),
        );
    });
}

fn on_line(w: &mut Writer, of: &LineAllowanceCharge, charge: bool, currency: &str) {
    let reason = (of.reason_code.as_ref(), of.reason.as_ref());
    let amounts = (of.percentage, of.amount, of.base_amount);
    // On a line, the VAT is that of the line.
    write(w, charge, reason, amounts, currency, |_| {});
}

/// Writes an allowance or a charge; `vat` adds the elements that exist only on the document. The terms in the comments
/// are those of the document level, then those of the line level.
fn write(
    w: &mut Writer,
    charge: bool,
    (reason_code, reason): (Option<&String>, Option<&String>),
    (percentage, amount, base_amount): (Option<Decimal>, Option<Decimal>, Option<Decimal>),
    currency: &str,
    vat: impl FnOnce(&mut Writer),
) {
    w.group("cac:AllowanceCharge", |w| {
        w.text("cbc:ChargeIndicator", indicator(charge));
        // IBT-098, IBT-105; IBT-140, IBT-145
        w.maybe("cbc:AllowanceChargeReasonCode", reason_code);
        // IBT-097, IBT-104; IBT-139, IBT-144
        w.maybe("cbc:AllowanceChargeReason", reason);
        // IBT-094, IBT-101; IBT-138, IBT-143
        w.number("cbc:MultiplierFactorNumeric", percentage);
        // IBT-092, IBT-099; IBT-136, IBT-141
        w.amount("cbc:Amount", amount.unwrap_or(Decimal::ZERO), currency);
        // IBT-093, IBT-100; IBT-137, IBT-142
        w.maybe_amount("cbc:BaseAmount", base_amount, currency);
        vat(w);
    });
}

/// The ChargeIndicator of an allowance or a charge.
pub(super) fn indicator(charge: bool) -> &'static str {
    if charge { "true" } else { "false" }
}
