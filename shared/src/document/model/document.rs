//! The completed document.

use rust_decimal::Decimal;

use super::{Body, Party, PrecedingInvoiceReference};

/// The four send operations; validation is [`Operation::Invoice`] without effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `POST /invoices`
    Invoice,
    /// `POST /credit-notes`
    CreditNote,
    /// `POST /self-billing/invoices`
    SelfBilledInvoice,
    /// `POST /self-billing/credit-notes`
    SelfBilledCreditNote,
}

/// A document with every value that its UBL needs. Defaults are filled in, amounts are computed, all checks have
/// passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The operation that created the document.
    pub operation: Operation,
    /// Whether the caller gave `payment_means` as one object, whose pointers have no index.
    pub single_payment_means: bool,
    /// The body with its defaults. Present are: type code, flags, currency, UUID, issue date, line ids, units, VAT
    /// rates, prices, and the amounts of allowances and charges.
    pub body: Body,
    /// IBT-001 Number.
    pub number: String,
    /// IBT-003 Type code: 380, 480, 381, 81, 389 or 261.
    pub type_code: &'static str,
    /// IBG-04 Seller.
    pub seller: Party,
    /// IBG-07 Buyer.
    pub buyer: Party,
    /// IBG-03 Preceding invoices, with the credited one.
    pub preceding_invoices: Vec<PrecedingInvoiceReference>,
    /// IBG-22 Totals.
    pub totals: Totals,
    /// IBG-23 VAT breakdown, in the order of first appearance.
    pub vat_breakdown: Vec<VatBreakdown>,
    /// The computed amounts of each line, in the order of `body.line_items`.
    pub line_amounts: Vec<LineAmounts>,
}

/// IBG-22 Totals, rounded to 2 decimals. They are in the document currency unless stated otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Totals {
    /// IBT-106
    pub sum_of_line_net_amounts: Decimal,
    /// IBT-107; present only when the document has allowances.
    pub sum_of_allowances: Option<Decimal>,
    /// IBT-108; present only when the document has charges.
    pub sum_of_charges: Option<Decimal>,
    /// IBT-109
    pub total_amount_without_vat: Decimal,
    /// IBT-110
    pub total_vat_amount: Decimal,
    /// IBT-111, in AED; present only when the document currency is not AED.
    pub total_vat_amount_in_aed: Option<Decimal>,
    /// IBT-112
    pub total_amount_with_vat: Decimal,
    /// BTAE-20, in AED; present only when the document currency is not AED.
    pub total_amount_with_vat_in_aed: Option<Decimal>,
    /// IBT-113
    pub paid_amount: Option<Decimal>,
    /// IBT-114
    pub rounding_amount: Option<Decimal>,
    /// IBT-115
    pub amount_due_for_payment: Decimal,
    /// IBT-200, when the caller gave it.
    pub tax_included: Option<bool>,
}

/// IBG-23 One row of the VAT breakdown: a category and a rate.
#[derive(Debug, Clone, PartialEq)]
pub struct VatBreakdown {
    /// IBT-118
    pub category_code: String,
    /// IBT-119; `None` for E and O.
    pub rate: Option<Decimal>,
    /// IBT-116
    pub taxable_amount: Decimal,
    /// IBT-117
    pub tax_amount: Decimal,
}

/// The computed amounts of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineAmounts {
    /// IBT-131 Net amount, in the document currency.
    pub net_amount: Decimal,
    /// BTAE-08 VAT in AED; `None` for E.
    pub vat_amount_in_aed: Option<Decimal>,
    /// BTAE-10 Amount with VAT in AED.
    pub amount_in_aed: Decimal,
}
