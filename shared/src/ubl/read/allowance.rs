//! Allowances and charges, on the document and on lines.

use rust_decimal::Decimal;

use super::{
    reader::{Reader, boolean},
    tax::category,
};
use crate::{
    document::{Body, DocumentAllowanceCharge, LineAllowanceCharge},
    xml::{
        Node,
        names::{cac, cbc},
    },
};

/// IBG-20 allowances and IBG-21 charges of the document.
pub(super) fn of_document(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    body.allowances = r.list(each(root, false), on_document);
    body.charges = r.list(each(root, true), on_document);
}

/// IBG-27 allowances and IBG-28 charges of a line.
pub(super) fn of_line(
    r: &mut Reader,
    line: Node<'_>,
) -> (Vec<LineAllowanceCharge>, Vec<LineAllowanceCharge>) {
    (r.list(each(line, false), on_line), r.list(each(line, true), on_line))
}

fn each(of: Node<'_>, charges: bool) -> impl Iterator<Item = Node<'_>> {
    of.all(cac::ALLOWANCE_CHARGE).filter(move |of| indicator(*of) == Some(charges))
}

fn indicator(of: Node<'_>) -> Option<bool> {
    boolean(&of.child(cbc::CHARGE_INDICATOR)?.text())
}

fn on_document(r: &mut Reader, of: Node<'_>) -> Option<DocumentAllowanceCharge> {
    // IBT-095, IBT-102; IBT-096, IBT-103; IBT-196, IBT-198; IBT-197, IBT-199
    let category = category(r, of, cac::TAX_CATEGORY)?;
    let Terms { reason_code, reason, percentage, amount, base_amount } = terms(r, of);
    Some(DocumentAllowanceCharge {
        amount,
        base_amount,
        percentage,
        reason,
        reason_code,
        vat_category_code: category.code,
        vat_rate: category.rate,
        vat_exemption_reason_code: category.exemption_code,
        vat_exemption_reason: category.exemption_reason,
    })
}

fn on_line(r: &mut Reader, of: Node<'_>) -> Option<LineAllowanceCharge> {
    let Terms { reason_code, reason, percentage, amount, base_amount } = terms(r, of);
    let read = LineAllowanceCharge { amount, base_amount, percentage, reason, reason_code };
    Some(read).filter(|read| *read != LineAllowanceCharge::default())
}

/// The fields of an allowance or a charge at both levels.
struct Terms {
    reason_code: Option<String>,
    reason: Option<String>,
    percentage: Option<Decimal>,
    amount: Option<Decimal>,
    base_amount: Option<Decimal>,
}

/// The terms in the comments are those of the document level, then those of the line level.
fn terms(r: &mut Reader, of: Node<'_>) -> Terms {
    // The indicator is already known: it decided the list to which this element belongs.
    let _ = r.boolean(of, &[cbc::CHARGE_INDICATOR]);
    Terms {
        // IBT-098, IBT-105; IBT-140, IBT-145
        reason_code: r.text(of, &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
        // IBT-097, IBT-104; IBT-139, IBT-144
        reason: r.text(of, &[cbc::ALLOWANCE_CHARGE_REASON]),
        // IBT-094, IBT-101; IBT-138, IBT-143
        percentage: r.number(of, &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
        // IBT-092, IBT-099; IBT-136, IBT-141
        amount: r.amount(of, &[cbc::AMOUNT]),
        // IBT-093, IBT-100; IBT-137, IBT-142
        base_amount: r.amount(of, &[cbc::BASE_AMOUNT]),
    }
}
