//! The VAT of each category, and the totals.

use rust_decimal::Decimal;
use serde::Serialize;

use super::{
    super::{Block, Row, Value, View},
    payment::BESIDE,
    text::{Field, Item, Label},
    writer::Writer,
};

/// The VAT of each category.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Tax {
    /// The headings of category, taxable amount and VAT.
    pub(in crate::rendering) headings: [Label; 3],
    pub(in crate::rendering) rows: Vec<TaxRow>,
}

#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct TaxRow {
    /// The category with its rate.
    pub(in crate::rendering) category: Item,
    pub(in crate::rendering) base: Option<Field>,
    pub(in crate::rendering) amount: Option<Field>,
    /// Why there is no VAT.
    pub(in crate::rendering) reason: Option<Item>,
}

/// A row of the totals.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Total {
    pub(in crate::rendering) item: Item,
    /// Why it is allowed or charged.
    pub(in crate::rendering) reason: Option<Field>,
    /// How it looks: `plain`, `due` or `grey`.
    pub(in crate::rendering) look: &'static str,
    /// Whether it is subtracted.
    pub(in crate::rendering) is_less: bool,
}

impl Total {
    /// How many characters it shows.
    pub(super) fn length(&self) -> usize {
        self.item.length() + self.reason.as_ref().map_or(0, |reason| reason.value.text().len())
    }
}

impl TaxRow {
    /// Whether it surely has a few lines only.
    pub(super) fn is_short(&self) -> bool {
        self.reason.as_ref().is_none_or(|reason| reason.length() <= BESIDE)
    }
}

impl Writer {
    pub(super) fn tax(&self, view: &mut View) -> Option<Tax> {
        let rows: Vec<_> = view.breakdown.iter_mut().map(|block| self.tax_row(block)).collect();
        let headings = ["paper-vat-category", "paper-taxable", "paper-vat"];
        let headings = headings.map(|message| self.words(message));
        (!rows.is_empty()).then_some(Tax { headings, rows })
    }

    fn tax_row(&self, block: &mut Block) -> TaxRow {
        let category = block.row("IBT-118").map(|row| self.named(row));
        let rate = block.take("IBT-119").map(|row| self.field(&row));
        let mut amount = |term| block.take(term).map(|row| self.field(&row));
        let (base, amount) = (amount("IBT-116"), amount("IBT-117"));
        let reason = block.row("IBT-121").map(|row| self.named(row));
        let text = block.take("IBT-120").map(|row| self.field(&row));
        TaxRow {
            category: Item {
                fields: [category, rate].into_iter().flatten().collect(),
                separator: " ",
                ..Item::default()
            },
            base,
            amount,
            reason: Item::several(Label::default(), [reason, text].into_iter().flatten(), " · "),
        }
    }

    pub(super) fn totals(&self, view: &mut View) -> Vec<Total> {
        let View { document, allowances, totals, payment, .. } = view;
        let mut rows = Vec::new();
        let row = |item: Option<Item>, look, is_less| {
            item.map(|item| Total { item, reason: None, look, is_less })
        };
        let due = amount_of(totals.row("IBT-115"));
        // A sum that repeats the next one stays in the annex.
        if amount_of(totals.row("IBT-106")) != amount_of(totals.row("IBT-109")) {
            rows.extend(row(self.item(totals, "IBT-106", "paper-sum-lines"), "plain", false));
        }
        rows.extend(allowances.iter_mut().filter_map(|block| self.allowance(block)));
        rows.extend(row(self.item(totals, "IBT-109", "paper-sum-net"), "plain", false));
        rows.extend(row(self.item(totals, "IBT-110", "paper-sum-vat"), "plain", false));
        if amount_of(totals.row("IBT-112")) != due {
            rows.extend(row(self.item(totals, "IBT-112", "paper-sum-gross"), "plain", false));
        }
        if amount_of(totals.row("IBT-113")).is_some_and(|(_, amount)| !amount.is_zero()) {
            rows.extend(row(self.item(totals, "IBT-113", "paper-prepaid"), "plain", true));
        }
        for block in payment.groups("IBG-35") {
            let label = self.words("paper-prepaid-part");
            let terms = ["IBT-180", "IBT-181", "IBT-179"];
            let fields = terms.into_iter().filter_map(|term| block.take(term));
            let fields: Vec<_> = fields.map(|row| self.field(&row)).collect();
            rows.extend(row(Item::several(label, fields, " · "), "grey", false));
        }
        rows.extend(row(self.item(totals, "IBT-114", "paper-rounding"), "plain", false));
        rows.extend(row(self.item(totals, "IBT-115", "paper-sum-due"), "due", false));
        rows.extend(row(self.item(totals, "IBT-111", "paper-vat-in-aed"), "grey", false));
        let is_foreign = document.text("IBT-005").is_some_and(|currency| currency != "AED");
        if is_foreign {
            rows.extend(row(self.item(totals, "BTAE-20", "paper-sum-in-aed"), "grey", false));
        }
        rows.extend(row(self.exchange_rate(document), "grey", false));
        rows
    }

    /// An allowance or a charge of the document, with its reason.
    fn allowance(&self, block: &mut Block) -> Option<Total> {
        let is_less = block.group == "IBG-20";
        let terms = if is_less { ("IBT-092", "IBT-097") } else { ("IBT-099", "IBT-104") };
        let row = block.take(terms.0)?;
        let label = self.words(if is_less { "paper-allowance" } else { "paper-charge" });
        let reason = block.take(terms.1).map(|row| self.field(&row));
        Some(Total { item: Item::one(label, self.field(&row)), reason, look: "plain", is_less })
    }

    /// What one unit of the currency is in AED.
    fn exchange_rate(&self, document: &mut Block) -> Option<Item> {
        let currency = document.text("IBT-005").unwrap_or_default().to_owned();
        let rate = document.take("BTAE-04")?;
        let text = match (&rate.value, currency.as_str()) {
            (Value::Number(_), currency) if !currency.is_empty() => {
                format!("1\u{a0}{currency} = {}\u{a0}AED", self.text(&rate))
            }
            _ => self.text(&rate),
        };
        Some(Item::one(self.words("paper-exchange-rate"), Field::new(rate.term, text)))
    }
}

/// An amount with its currency, to compare it.
fn amount_of(row: Option<&Row>) -> Option<(String, Decimal)> {
    match &row?.value {
        Value::Amount { currency, amount } => Some((currency.clone(), *amount)),
        _ => None,
    }
}
