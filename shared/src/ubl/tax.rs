//! VAT: categories, the breakdown, the totals in both currencies, the exchange rate.

use rust_decimal::Decimal;

use super::writer::{AED, Writer};
use crate::document::Document;

/// Writes a VAT category as an element of this name.
pub(super) fn category(
    w: &mut Writer,
    name: &'static str,
    code: &str,
    rate: Option<Decimal>,
    exemption_code: Option<&String>,
    exemption_reason: Option<&String>,
) {
    w.group(name, |w| {
        w.text("cbc:ID", code);
        w.number("cbc:Percent", rate);
        w.maybe("cbc:TaxExemptionReasonCode", exemption_code);
        w.maybe("cbc:TaxExemptionReason", exemption_reason);
        w.group("cac:TaxScheme", |w| w.text("cbc:ID", "VAT"));
    });
}

/// BTAE-04 Exchange rate to AED, for a document in another currency (ibr-153-ae, ibr-159-ae).
pub(super) fn exchange_rate(w: &mut Writer, document: &Document, currency: &str) {
    if currency == AED {
        return;
    }
    let Some(rate) = document.body.currency_exchange_rate else { return };
    w.group("cac:TaxExchangeRate", |w| {
        w.text("cbc:SourceCurrencyCode", currency);
        w.text("cbc:TargetCurrencyCode", AED);
        w.number("cbc:CalculationRate", Some(rate));
    });
}

/// Writes the VAT totals. The document currency comes first, because ibr-co-15 reads only the first total. AED follows.
pub(super) fn totals(w: &mut Writer, document: &Document, currency: &str) {
    let totals = &document.totals;
    w.group("cac:TaxTotal", |w| {
        // IBT-110
        w.amount("cbc:TaxAmount", totals.total_vat_amount, currency);
        if let Some(included) = totals.tax_included {
            // IBT-200
            w.text("cbc:TaxIncludedIndicator", if included { "true" } else { "false" });
        }
        for row in &document.vat_breakdown {
            // IBG-23
            w.group("cac:TaxSubtotal", |w| {
                // IBT-116
                w.amount("cbc:TaxableAmount", row.taxable_amount, currency);
                // IBT-117
                w.amount("cbc:TaxAmount", row.tax_amount, currency);
                // IBT-118, IBT-119
                category(w, "cac:TaxCategory", &row.category_code, row.rate, None, None);
            });
        }
    });
    if let Some(in_aed) = totals.total_vat_amount_in_aed {
        // IBT-111
        w.group("cac:TaxTotal", |w| w.amount("cbc:TaxAmount", in_aed, AED));
    }
}
