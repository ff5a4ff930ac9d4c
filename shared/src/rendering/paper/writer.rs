//! Puts values into the words of the languages of a paper.

use rust_decimal::Decimal;

use super::{
    super::{Block, Languages, Row, Value, codes, countries, name, words},
    text::{Field, Item, Label, Text, Written, comma},
};
use crate::i18n::{self, Language, figures};

/// Minimum decimals of a price and of an amount of an unknown currency.
const DECIMALS: u32 = 2;

/// Puts values into words.
pub(in crate::rendering) struct Writer {
    spoken: &'static [Language],
    pub(super) main: Language,
}

impl Writer {
    pub(in crate::rendering) fn of(languages: Languages) -> Self {
        let spoken: &[Language] = match languages {
            Languages::One(Language::English) => &[Language::English],
            Languages::One(Language::Arabic) => &[Language::Arabic],
            Languages::Both => &Language::ALL,
        };
        Writer { spoken, main: spoken.first().copied().unwrap_or_default() }
    }

    /// A label from the text of each language.
    pub(super) fn label<T: Into<std::borrow::Cow<'static, str>>>(
        &self,
        text: impl Fn(Language) -> Option<T>,
    ) -> Label {
        let texts = self.spoken.iter().filter_map(|language| {
            Some(Text { language: *language, text: text(*language)?.into() })
        });
        let mut texts: Vec<_> = texts.collect();
        // "IBAN" is the same in both languages.
        texts.dedup_by(|next, text| next.text == text.text);
        Label(texts)
    }

    /// The comma of the main language, with its space.
    pub(super) fn comma(&self) -> &'static str {
        comma(self.main)
    }

    /// The name of a term or a group.
    pub(super) fn term(&self, term: &'static str) -> Label {
        self.label(|language| Some(name(language, term)))
    }

    /// A message of the paper itself.
    pub(super) fn words(&self, message: &str) -> Label {
        self.label(|language| Some(i18n::text(language, message, &[])))
    }

    /// A value with its currency or unit.
    pub(super) fn text(&self, row: &Row) -> String {
        match &row.value {
            Value::Text(text) | Value::Code(text) => text.clone(),
            Value::Date(day) => figures::date(self.main, *day),
            Value::Amount { currency, amount } => self.money(row.term, currency, *amount),
            Value::Number(number) => figures::number(number.normalize()),
            Value::Percent(rate) => format!("{}%", rate.normalize()),
            Value::File(bytes) => {
                let unit = i18n::text(self.main, "paper-bytes", &[]);
                format!("{} {unit}", figures::number((*bytes).into()))
            }
        }
    }

    /// An amount after its currency.
    fn money(&self, term: &str, currency: &str, amount: Decimal) -> String {
        let digits = digits(term, currency, amount);
        if currency.is_empty() { digits } else { format!("{currency}\u{a0}{digits}") }
    }

    pub(super) fn field(&self, row: &Row) -> Field {
        Field::new(row.term, self.text(row))
    }

    /// A value in a column whose heading names the currency.
    pub(super) fn bare(&self, row: &Row, currency: &str) -> Field {
        match &row.value {
            Value::Amount { currency: own, amount } if own == currency => {
                Field::new(row.term, digits(row.term, own, *amount))
            }
            _ => self.field(row),
        }
    }

    /// A value by its meaning in the main language; by itself if the meaning is unknown.
    pub(super) fn named(&self, row: &Row) -> Field {
        let code = row.text().unwrap_or_default();
        let meaning = meaning(self.main, row.term, code);
        Field { term: row.term, value: Written::whole(meaning.unwrap_or_else(|| self.text(row))) }
    }

    /// The meaning of a code in all languages; empty if it is unknown.
    pub(super) fn meaning(&self, row: &Row) -> Label {
        match &row.value {
            Value::Code(code) => self.label(|language| meaning(language, row.term, code)),
            _ => Label::default(),
        }
    }

    /// Takes a term out of a block, with a label of the paper.
    pub(super) fn item(&self, block: &mut Block, term: &str, message: &str) -> Option<Item> {
        let row = block.take(term)?;
        Some(Item::one(self.words(message), self.field(&row)))
    }
}

/// The meaning of a code in a language.
fn meaning(language: Language, term: &str, code: &str) -> Option<String> {
    let country = || match term {
        "IBT-040" | "IBT-055" | "IBT-069" | "IBT-080" | "IBT-159" | "IBT-175" | "BTAE-18"
        | "BTAE-19" => countries::name(language, code).map(str::to_owned),
        _ => None,
    };
    codes::meaning(language, term, code).or_else(country)
}

/// The digits of an amount: grouped, and with at least the decimals of its currency. A price has at least two.
fn digits(term: &str, currency: &str, mut amount: Decimal) -> String {
    let least = if PRICES.contains(&term) { DECIMALS } else { words::decimals(currency) };
    if amount.scale() < least {
        // An amount whose digits fill the [`Decimal`] keeps its scale.
        amount.rescale(least);
    }
    figures::number(amount)
}

/// Net price, discount and gross price of an item.
const PRICES: [&str; 3] = ["IBT-146", "IBT-147", "IBT-148"];
