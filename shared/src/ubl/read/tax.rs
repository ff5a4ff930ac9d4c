//! VAT: categories, the breakdown, the totals in both currencies, the exchange rate.

use rust_decimal::Decimal;

use super::{super::writer::AED, reader::Reader};
use crate::{
    document::{Body, GivenTotals, GivenVatBreakdown},
    xml::{
        Name, Node,
        names::{attr, cac, cbc},
    },
};

/// A VAT category.
pub(super) struct Category {
    pub(super) code: String,
    pub(super) rate: Option<Decimal>,
    pub(super) exemption_code: Option<String>,
    pub(super) exemption_reason: Option<String>,
}

/// Reads a VAT category from the child element with this name.
pub(super) fn category(r: &mut Reader, of: Node<'_>, name: Name) -> Option<Category> {
    let of = of.child(name)?;
    let code = r.text(of, &[cbc::ID])?;
    r.fixed(of, &[cac::TAX_SCHEME, cbc::ID], "VAT");
    Some(Category {
        code,
        rate: r.number(of, &[cbc::PERCENT]),
        exemption_code: r.text(of, &[cbc::TAX_EXEMPTION_REASON_CODE]),
        exemption_reason: r.text(of, &[cbc::TAX_EXEMPTION_REASON]),
    })
}

/// BTAE-04 Exchange rate to AED.
pub(super) fn exchange_rate(r: &mut Reader, root: Node<'_>, body: &mut Body) {
    let Some(of) = root.child(cac::TAX_EXCHANGE_RATE) else { return };
    let currency = r.currency.clone();
    r.fixed(of, &[cbc::SOURCE_CURRENCY_CODE], &currency);
    r.fixed(of, &[cbc::TARGET_CURRENCY_CODE], AED);
    body.currency_exchange_rate = r.number(of, &[cbc::CALCULATION_RATE]);
}

/// The VAT totals in both currencies, and IBG-23.
pub(super) fn totals(r: &mut Reader, root: Node<'_>, body: &mut Body, totals: &mut GivenTotals) {
    let currency = r.currency.clone();
    if let Some(total) = total_in(root, &currency) {
        // IBT-110
        totals.total_vat_amount = r.amount(total, &[cbc::TAX_AMOUNT]);
        // IBT-200
        totals.tax_included = r.boolean(total, &[cbc::TAX_INCLUDED_INDICATOR]);
        body.vat_breakdown = r.list(total.all(cac::TAX_SUBTOTAL), subtotal);
    }
    if currency != AED
        && let Some(total) = total_in(root, AED)
    {
        // IBT-111
        totals.total_vat_amount_in_accounting_currency =
            r.amount_in(AED, total, &[cbc::TAX_AMOUNT]);
    }
}

fn total_in<'d>(root: Node<'d>, currency: &str) -> Option<Node<'d>> {
    root.all(cac::TAX_TOTAL).find(|total| {
        let amount = total.child(cbc::TAX_AMOUNT);
        amount.and_then(|amount| amount.attribute(attr::CURRENCY_ID)) == Some(currency)
    })
}

/// IBG-23
fn subtotal(r: &mut Reader, of: Node<'_>) -> Option<GivenVatBreakdown> {
    // IBT-118, IBT-119; the breakdown of a body has no exemption reasons.
    let category = of.child(cac::TAX_CATEGORY)?;
    let vat_category_code = r.text(category, &[cbc::ID])?;
    r.fixed(category, &[cac::TAX_SCHEME, cbc::ID], "VAT");
    Some(GivenVatBreakdown {
        vat_category_code,
        vat_rate: r.number(category, &[cbc::PERCENT]),
        // IBT-116
        taxable_amount: r.amount(of, &[cbc::TAXABLE_AMOUNT]),
        // IBT-117
        tax_amount: r.amount(of, &[cbc::TAX_AMOUNT]),
    })
}
