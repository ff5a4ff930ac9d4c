//! The lines: one row each, with what is small below the name.

use rust_decimal::Decimal;
use serde::Serialize;

use super::{
    super::{Block, Row, Value, View, units},
    text::{self, Field, Item, Label},
    writer::Writer,
};

/// The table of lines.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Lines {
    pub(in crate::rendering) columns: Vec<Column>,
    pub(in crate::rendering) lines: Vec<Line>,
}

/// A column of the table.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Column {
    /// Its name in the layouts.
    pub(in crate::rendering) name: &'static str,
    pub(in crate::rendering) label: Label,
    /// The currency of its amounts, unless each has its own.
    pub(in crate::rendering) currency: String,
}

/// A row of the table.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Line {
    /// One cell for each column: the values in it.
    pub(in crate::rendering) cells: Vec<Item>,
    /// What stands below the name.
    #[serde(serialize_with = "text::joined")]
    pub(in crate::rendering) details: Vec<Item>,
    /// Whether it may continue on the next page.
    pub(in crate::rendering) is_long: bool,
}

impl Line {
    /// Its number in the document.
    pub(super) fn number(&self) -> String {
        self.cells.first().map(Item::text).unwrap_or_default()
    }
}

/// Characters of a line that fit a page surely.
const SHORT: usize = 1_200;

impl Writer {
    pub(super) fn lines(&self, view: &mut View) -> Lines {
        let lines = &mut view.lines;
        let currency = |term: &str| common_currency(lines, term);
        let (price, net, tax) = (currency("IBT-146"), currency("IBT-131"), currency("BTAE-08"));
        let has_discount = lines.iter_mut().any(|line| discount(line).is_some());
        let column = |name, message: &str, currency: &str| {
            let label = self.words(message).with(currency);
            Column { name, label, currency: currency.to_owned() }
        };
        let has_tax = lines.iter().any(|line| line.row("BTAE-08").is_some());
        let columns = [
            Some(column("place", "paper-line", "")),
            Some(column("name", "paper-description", "")),
            Some(column("quantity", "paper-quantity", "")),
            Some(column("price", "paper-price", &price)),
            has_discount.then(|| column("discount", "paper-discount", &net)),
            Some(column("rate", "paper-vat", "")),
            has_tax.then(|| column("tax", "paper-vat-amount", &tax)),
            Some(column("net", "paper-net", &net)),
        ];
        let columns: Vec<_> = columns.into_iter().flatten().collect();
        let words = Words::of(self);
        let lines = lines.iter_mut().map(|line| self.line(line, &columns, &words));
        Lines { lines: lines.collect(), columns }
    }

    fn line(&self, line: &mut Block, columns: &[Column], words: &Words) -> Line {
        let cells: Vec<_> = columns.iter().map(|column| self.cell(line, column)).collect();
        let details = self.details(line, words);
        let length: usize = cells.iter().chain(&details).map(Item::length).sum();
        Line { cells, details, is_long: length > SHORT }
    }

    fn cell(&self, line: &mut Block, column: &Column) -> Item {
        let fields = match column.name {
            "quantity" => return self.quantity(line, "IBT-129", "IBT-130"),
            "name" => self.name(line),
            "rate" => self.rate(line),
            "discount" => discount(line)
                .and_then(|block| block.take("IBT-136"))
                .map(|row| self.bare(&row, &column.currency)),
            name => {
                let term = match name {
                    "place" => "IBT-126",
                    "price" => "IBT-146",
                    "tax" => "BTAE-08",
                    _ => "IBT-131",
                };
                line.take(term).map(|row| self.bare(&row, &column.currency))
            }
        };
        Item { fields: fields.into_iter().collect(), ..Item::default() }
    }

    /// The name; also the description if it repeats the name, as that of a line without one does.
    fn name(&self, line: &mut Block) -> Option<Field> {
        let name = self.field(&line.take("IBT-153")?);
        let is_repeated =
            line.text("IBT-154").is_some_and(|text| text.trim() == name.value.text().trim());
        let description = is_repeated.then(|| line.take("IBT-154")).flatten();
        Some(Field {
            term: if description.is_some() { "IBT-153 IBT-154" } else { name.term },
            ..name
        })
    }

    /// A quantity with the name of its unit, or with its code.
    fn quantity(&self, line: &mut Block, quantity: &str, unit: &'static str) -> Item {
        let Some(row) = line.take(quantity) else { return Item::default() };
        let number = match row.value {
            Value::Number(number) => Some(number),
            _ => None,
        };
        let name = line.text(unit).and_then(|code| units::name(self.main, code, number));
        let unit = match name {
            Some(name) => Some(Field::new(unit, name)),
            None => line.take(unit).map(|row| self.field(&row)),
        };
        let fields = [Some(self.field(&row)), unit].into_iter().flatten().collect();
        Item { fields, separator: "\u{a0}", ..Item::default() }
    }

    /// The rate of a standard-rated line; the name of any other category.
    fn rate(&self, line: &mut Block) -> Option<Field> {
        let category = line.row("IBT-151");
        let is_special = matches!(category.and_then(Row::text), Some("AE" | "E" | "N" | "O" | "Z"));
        let named = category.map(|row| self.named(row));
        let rate = if is_special { None } else { line.take("IBT-152") };
        rate.map(|rate| self.field(&rate)).or(named)
    }

    fn details(&self, line: &mut Block, words: &Words) -> Vec<Item> {
        let mut details = Vec::new();
        let plain = |row: Row| Item::one(Label::default(), self.field(&row));
        details.extend(line.take("IBT-154").map(plain));
        details.extend(line.take_all("IBT-127").into_iter().map(plain));
        self.prices(line, words, &mut details);
        for (term, label) in &words.codes {
            let named = |row: &Row| Item::one(label.clone(), self.named(row));
            // The name of a country stands for its code, which stays.
            match *term {
                "IBT-159" | "BTAE-09" => details.extend(line.row(term).map(named)),
                "IBT-158" => details.extend(self.classifications(line, label)),
                _ => details.extend(line.take_all(term).iter().map(named)),
            }
        }
        let period: Vec<_> =
            ["IBT-134", "IBT-135"].into_iter().filter_map(|term| line.take(term)).collect();
        let period = period.iter().map(|row| self.field(row));
        details.extend(Item::several(words.period.clone(), period, " – "));
        details.extend(line.take("IBT-185").map(plain));
        for property in line.groups("IBG-32") {
            let parts = ["IBT-160", "IBT-161"].into_iter().filter_map(|term| property.take(term));
            let parts: Vec<_> = parts.map(|row| self.field(&row)).collect();
            details.extend(Item::several(Label::default(), parts, ": "));
        }
        details
    }

    /// The classifications, each after its scheme: `HS 84433250`.
    fn classifications(&self, line: &mut Block, label: &Label) -> Vec<Item> {
        let codes = line.take_all("IBT-158");
        let schemes = line.rows.iter().filter(|row| row.term == "IBT-158-1").count();
        if codes.len() != schemes {
            return codes.iter().map(|row| Item::one(label.clone(), self.field(row))).collect();
        }
        let schemes = line.take_all("IBT-158-1");
        let pairs = schemes.iter().zip(&codes).map(|(scheme, code)| Item {
            label: Label::default(),
            fields: vec![self.field(scheme), self.field(code)],
            separator: "\u{a0}",
        });
        pairs.collect()
    }

    /// What makes the price and the net amount: base quantity, gross price, discounts and charges.
    fn prices(&self, line: &mut Block, words: &Words, details: &mut Vec<Item>) {
        let is_one = |row: &Row| row.value == Value::Number(Decimal::ONE);
        if line.row("IBT-149").is_some_and(|row| !is_one(row)) {
            let quantity = self.quantity(line, "IBT-149", "IBT-150");
            details.push(Item { label: words.price_per.clone(), ..quantity });
        }
        let is_zero = |row: &Row| match row.value {
            Value::Amount { amount, .. } => amount.is_zero(),
            _ => false,
        };
        if line.row("IBT-147").is_some_and(|row| !is_zero(row)) {
            for (term, label) in [("IBT-148", &words.gross), ("IBT-147", &words.less)] {
                details
                    .extend(line.take(term).map(|row| Item::one(label.clone(), self.field(&row))));
            }
        }
        for (group, [reason, amount], label) in [
            ("IBG-27", ["IBT-139", "IBT-136"], &words.discount),
            ("IBG-28", ["IBT-144", "IBT-141"], &words.charge),
        ] {
            for block in line.groups(group) {
                let [reason, amount] = [reason, amount].map(|term| block.take(term));
                // A single discount stands in its column, and its reason needs no label.
                let label = amount.as_ref().map_or_else(Label::default, |_| label.clone());
                let fields = [reason, amount].into_iter().flatten();
                let fields: Vec<_> = fields.map(|row| self.field(&row)).collect();
                details.extend(Item::several(label, fields, " "));
            }
        }
    }
}

/// The words of the details, written once for all lines.
struct Words {
    codes: Vec<(&'static str, Label)>,
    period: Label,
    price_per: Label,
    gross: Label,
    less: Label,
    discount: Label,
    charge: Label,
}

impl Words {
    fn of(writer: &Writer) -> Self {
        // The details are too small for two languages.
        let words = |message: &str| {
            let mut label = writer.words(message);
            label.0.truncate(1);
            label
        };
        let codes = [
            ("IBT-158", "paper-detail-classification"),
            ("BTAE-17", "paper-detail-service"),
            ("IBT-155", "paper-detail-item"),
            ("IBT-156", "paper-detail-buyer-item"),
            ("IBT-157", "paper-detail-standard-item"),
            ("IBT-159", "paper-detail-origin"),
            ("BTAE-24", "paper-detail-lot"),
            ("IBT-183", "paper-detail-order"),
            ("IBT-132", "paper-detail-order-line"),
            ("IBT-184", "paper-detail-dispatch"),
            ("BTAE-09", "paper-detail-supply"),
        ];
        Words {
            codes: codes.into_iter().map(|(term, message)| (term, words(message))).collect(),
            period: words("paper-period"),
            price_per: words("paper-detail-price-per"),
            gross: words("paper-detail-gross"),
            less: words("paper-detail-less"),
            discount: words("paper-discount"),
            charge: words("paper-charge"),
        }
    }
}

/// The allowance of a line that has exactly one.
fn discount(line: &mut Block) -> Option<&mut Block> {
    let mut all = line.groups("IBG-27");
    let first = all.next()?;
    all.next().is_none().then_some(first).filter(|block| block.row("IBT-136").is_some())
}

/// The currency of all amounts of a term; empty if they differ.
fn common_currency(lines: &[Block], term: &str) -> String {
    let rows = lines.iter().flat_map(|line| &line.rows).filter(|row| row.term == term);
    let mut currencies = rows.map(|row| match &row.value {
        Value::Amount { currency, .. } => currency.as_str(),
        _ => "",
    });
    let first = currencies.next().unwrap_or_default();
    if currencies.all(|other| other == first) { first.to_owned() } else { String::new() }
}
