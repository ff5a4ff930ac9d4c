//! Lines: quantity, references, price and the amounts in AED.

use super::{
    super::{
        reference::{INVOICED_OBJECT, UNKNOWN},
        writer::AED,
    },
    allowance, item,
    reader::{Reader, boolean, says},
};
use crate::{
    document::{Identifier, Line, Period, Price},
    xml::{
        Name, Node,
        names::{cac, cbc},
    },
};

/// IBG-25 Lines.
pub(super) fn read(r: &mut Reader, root: Node<'_>) -> Vec<Line> {
    if r.operation.is_credit_note() {
        r.list(root.all(cac::CREDIT_NOTE_LINE), |r, of| line(r, of, &[cbc::CREDITED_QUANTITY]))
    } else {
        r.list(root.all(cac::INVOICE_LINE), |r, of| line(r, of, &[cbc::INVOICED_QUANTITY]))
    }
}

fn line(r: &mut Reader, of: Node<'_>, quantity: &'static [Name]) -> Option<Line> {
    // IBT-129, IBT-130
    let (quantity, unit_code) = r.quantity(of, quantity)?;
    let (item, vat) = item::read(r, of)?;
    let (allowances, charges) = allowance::of_line(r, of);
    let (order_line, order) = order(r, of);
    Some(Line {
        // IBT-126
        id: r.text(of, &[cbc::ID]),
        // IBT-127
        note: r.text(of, &[cbc::NOTE]),
        quantity,
        unit_code,
        // IBT-131
        net_amount: r.amount(of, &[cbc::LINE_EXTENSION_AMOUNT]),
        // IBT-133
        buyer_accounting_reference: r.text(of, &[cbc::ACCOUNTING_COST]),
        period: period(r, of),
        purchase_order_line_reference: order_line,
        purchase_order_reference: order,
        despatch_advice_reference: despatch(r, of),
        object_identifier: object(r, of),
        allowances,
        charges,
        item,
        vat,
        price: price(r, of)?,
        // BTAE-10
        amount_in_aed: r.amount_in(AED, of, &[cac::ITEM_PRICE_EXTENSION, cbc::AMOUNT]),
        // BTAE-08
        vat_amount_in_aed: r.amount_in(
            AED,
            of,
            &[cac::ITEM_PRICE_EXTENSION, cac::TAX_TOTAL, cbc::TAX_AMOUNT],
        ),
    })
}

/// IBG-26
fn period(r: &mut Reader, line: Node<'_>) -> Option<Period> {
    let of = line.child(cac::INVOICE_PERIOD)?;
    r.group(|r| Period {
        // IBT-134
        start_date: r.date(of, &[cbc::START_DATE]),
        // IBT-135
        end_date: r.date(of, &[cbc::END_DATE]),
    })
}

/// IBT-132 and IBT-183. If only the order is known, the line reference is a filler.
fn order(r: &mut Reader, line: Node<'_>) -> (Option<String>, Option<String>) {
    let Some(of) = line.child(cac::ORDER_LINE_REFERENCE) else { return (None, None) };
    let order = r.text(of, &[cac::ORDER_REFERENCE, cbc::ID]);
    let order_line = r.text(of, &[cbc::LINE_ID]);
    (order_line.filter(|line| order.is_none() || line != UNKNOWN), order)
}

/// IBT-184
fn despatch(r: &mut Reader, line: Node<'_>) -> Option<String> {
    let of = line.child(cac::DESPATCH_LINE_REFERENCE)?;
    let despatch = r.text(of, &[cac::DOCUMENT_REFERENCE, cbc::ID])?;
    r.fixed(of, &[cbc::LINE_ID], UNKNOWN);
    Some(despatch)
}

/// IBT-128
fn object(r: &mut Reader, line: Node<'_>) -> Option<Identifier> {
    let mut references = line.all(cac::DOCUMENT_REFERENCE);
    let of = references.find(|of| says(*of, &[cbc::DOCUMENT_TYPE_CODE], INVOICED_OBJECT))?;
    let object = r.identifier(of, &[cbc::ID])?;
    r.fixed(of, &[cbc::DOCUMENT_TYPE_CODE], INVOICED_OBJECT);
    Some(object)
}

/// IBG-29
fn price(r: &mut Reader, line: Node<'_>) -> Option<Price> {
    let of = line.child(cac::PRICE)?;
    let discount = of.child(cac::ALLOWANCE_CHARGE).filter(|of| {
        let is_charge = of.child(cbc::CHARGE_INDICATOR).and_then(|is| boolean(&is.text()));
        is_charge == Some(false)
    });
    r.group(|r| {
        // IBT-149, IBT-150
        let base = r.quantity(of, &[cbc::BASE_QUANTITY]);
        let (base_quantity, base_quantity_unit_code) = base.unzip();
        let mut price = Price {
            // IBT-146
            net_price: r.amount(of, &[cbc::PRICE_AMOUNT]),
            base_quantity,
            base_quantity_unit_code: base_quantity_unit_code.flatten(),
            discount: None,
            gross_price: None,
        };
        if let Some(of) = discount {
            // IBT-147
            price.discount = r.amount(of, &[cbc::AMOUNT]);
            // IBT-148
            price.gross_price = r.amount(of, &[cbc::BASE_AMOUNT]);
            let _ = r.boolean(of, &[cbc::CHARGE_INDICATOR]);
        }
        price
    })
}
