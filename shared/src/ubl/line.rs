//! Lines: quantity, references, price and the amounts in AED.

use rust_decimal::Decimal;

use super::{
    allowance, item,
    party::identifier,
    reference::{INVOICED_OBJECT, UNKNOWN},
    writer::{AED, Writer},
};
use crate::document::{Document, Line, LineAmounts, Price};

/// The unit "one" of UN/ECE Recommendation 20.
const ONE: &str = "C62";

/// IBG-25 Lines.
pub(super) fn write(w: &mut Writer, document: &Document, currency: &str) {
    let (name, quantity) = if document.is_credit_note() {
        ("cac:CreditNoteLine", "cbc:CreditedQuantity")
    } else {
        ("cac:InvoiceLine", "cbc:InvoicedQuantity")
    };
    for (place, (of, amounts)) in
        document.body.line_items.iter().zip(&document.line_amounts).enumerate()
    {
        w.group(name, |w| line(w, of, amounts, place + 1, quantity, currency));
    }
}

/// Writes the children of a line. Invoice and credit note lines differ only in the position of TaxTotal, which PINT-AE
/// does not use.
fn line(
    w: &mut Writer,
    line: &Line,
    amounts: &LineAmounts,
    place: usize,
    quantity: &'static str,
    currency: &str,
) {
    let unit = line.unit_code.as_deref().unwrap_or(ONE);
    // IBT-126
    match &line.id {
        Some(id) => w.text("cbc:ID", id),
        None => w.text("cbc:ID", &place.to_string()),
    }
    // IBT-127
    w.maybe("cbc:Note", line.note.as_ref());
    // IBT-129, IBT-130
    w.quantity(quantity, line.quantity, Some(unit));
    // IBT-131
    w.amount("cbc:LineExtensionAmount", amounts.net_amount, currency);
    // IBT-133
    w.maybe("cbc:AccountingCost", line.buyer_accounting_reference.as_ref());
    if let Some(period) = &line.period {
        // IBG-26
        w.group("cac:InvoicePeriod", |w| {
            // IBT-134
            w.date("cbc:StartDate", period.start_date);
            // IBT-135
            w.date("cbc:EndDate", period.end_date);
        });
    }
    references(w, line);
    allowance::of_line(w, line, currency);
    item::write(w, &line.item, &line.vat);
    price(w, &line.price, unit, currency);
    w.group("cac:ItemPriceExtension", |w| {
        // BTAE-10
        w.amount("cbc:Amount", amounts.amount_in_aed, AED);
        // BTAE-08
        w.group("cac:TaxTotal", |w| {
            w.maybe_amount("cbc:TaxAmount", amounts.vat_amount_in_aed, AED);
        });
    });
}

fn references(w: &mut Writer, line: &Line) {
    let order = line.purchase_order_reference.as_ref();
    w.group("cac:OrderLineReference", |w| {
        // IBT-132; UBL requires it even if only the order is known.
        let order_line = line.purchase_order_line_reference.as_deref();
        w.text("cbc:LineID", order_line.or(order.map(|_| UNKNOWN)).unwrap_or_default());
        // IBT-183
        w.group("cac:OrderReference", |w| w.maybe("cbc:ID", order));
    });
    if let Some(despatch) = &line.despatch_advice_reference {
        w.group("cac:DespatchLineReference", |w| {
            w.text("cbc:LineID", UNKNOWN);
            // IBT-184
            w.group("cac:DocumentReference", |w| w.text("cbc:ID", despatch));
        });
    }
    if let Some(object) = &line.object_identifier {
        w.group("cac:DocumentReference", |w| {
            // IBT-128
            identifier(w, "cbc:ID", object);
            w.text("cbc:DocumentTypeCode", INVOICED_OBJECT);
        });
    }
}

/// IBG-29 Price, always with base quantity and gross price (ibr-126-ae). A completed document has all of them.
fn price(w: &mut Writer, price: &Price, unit: &str, currency: &str) {
    w.group("cac:Price", |w| {
        // IBT-146
        w.price("cbc:PriceAmount", price.net_price.unwrap_or_default(), currency);
        // IBT-149, IBT-150
        w.quantity(
            "cbc:BaseQuantity",
            price.base_quantity.unwrap_or(Decimal::ONE),
            Some(price.base_quantity_unit_code.as_deref().unwrap_or(unit)),
        );
        w.group("cac:AllowanceCharge", |w| {
            w.text("cbc:ChargeIndicator", allowance::indicator(false));
            // IBT-147; the schema requires it even without a discount.
            w.price("cbc:Amount", price.discount.unwrap_or_default(), currency);
            // IBT-148
            w.price("cbc:BaseAmount", price.gross_price.unwrap_or_default(), currency);
        });
    });
}
