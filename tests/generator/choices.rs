//! Chance as a stream of numbers, in which 0 is always the simplest choice: a stream of zeros, or
//! one that has ended, gives the simplest valid document. Shrinking the numbers shrinks the
//! document.

use jiff::{ToSpan, civil::Date};
use proptest::{collection::vec, prelude::*};
use rust_decimal::Decimal;
use serde_json::{Number, Value};

/// The stream of choices that makes one document.
#[derive(Debug)]
pub struct Choices(std::vec::IntoIter<u32>);

impl Choices {
    /// Choices for one document; longer streams make richer documents.
    pub fn strategy() -> impl Strategy<Value = Vec<u32>> {
        vec(any::<u32>(), 1..4096)
    }

    /// A stream of choices.
    pub fn new(numbers: Vec<u32>) -> Self {
        Choices(numbers.into_iter())
    }

    /// A number below `bound`; 0 is the simplest.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0.next().unwrap_or(0) % bound.max(1)
    }

    /// A number between both bounds; the lower one is the simplest.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases; false is simpler.
    pub fn flip(&mut self, percent: u32) -> bool {
        self.below(100) >= 100 - percent
    }

    /// One of the list; the first is the simplest.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }

    /// A value in so many of a hundred cases.
    pub fn maybe<T>(&mut self, percent: u32, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flip(percent).then(|| make(self))
    }

    /// A decimal of `low` to `high` hundredths, thousandths and so on.
    pub fn scaled(&mut self, low: u32, high: u32, decimals: u32) -> Decimal {
        Decimal::new(self.between(low, high).into(), decimals)
    }

    /// The decimal as JSON: a string, or a number.
    pub fn decimal(&mut self, value: Decimal) -> Value {
        let text = value.to_string();
        if self.flip(30)
            && let Ok(number) = text.parse::<Number>()
        {
            return Value::Number(number);
        }
        Value::String(text)
    }

    /// A text of one to four words, now and then with characters that XML has to escape, with
    /// Arabic, or with a line break.
    pub fn text(&mut self) -> String {
        const WORDS: &[&str] = &[
            "Falcon",
            "Steel",
            "dates & nuts",
            "premium",
            "<grade> \"A\"",
            "O'Brien",
            "شركة",
            "التجارة",
            "Zürich",
            "100%",
            "]]>",
            "résumé",
            "line\nbreak",
            "tab\tstop",
            "😀",
        ];
        let count = self.between(1, 4);
        let words: Vec<_> = (0..count).map(|_| self.pick(WORDS)).collect();
        words.join(" ")
    }

    /// A reference such as `PO-1042`.
    pub fn reference(&mut self, prefix: &str) -> String {
        format!("{prefix}-{}", self.between(1, 99_999))
    }

    /// A day up to `span` days after `from`.
    pub fn day_after(&mut self, from: Date, span: u32) -> Date {
        from.saturating_add(i64::from(self.below(span + 1)).days())
    }

    /// A day from `span` days to one day before `until`.
    pub fn day_before(&mut self, until: Date, span: u32) -> Date {
        until.saturating_sub((1 + i64::from(self.below(span))).days())
    }
}
