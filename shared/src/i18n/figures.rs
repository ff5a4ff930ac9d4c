//! Formats dates, times and amounts for people.
//!
//! - **Digits are Latin in Arabic too**, as on the pages of the UAE government and in CLDR (`ar-AE`, default numbering
//!   system `latn`). Readers compare the numbers with a printed invoice.
//! - **Times** are in the zone of the UAE, which pages name. A script may add the reader's local time.
//! - **Amounts** keep the digits of the document. They are grouped and have at least two decimals, and are never
//!   computed or rounded.

use jiff::civil::{Date, DateTime};
use rust_decimal::Decimal;

use super::{Language, text};

/// The names of the messages with the months.
const MONTHS: [&str; 12] = [
    "month-1", "month-2", "month-3", "month-4", "month-5", "month-6", "month-7", "month-8",
    "month-9", "month-10", "month-11", "month-12",
];

/// A day, such as `23 Nov 2026`.
pub fn date(language: Language, day: Date) -> String {
    let month = usize::try_from(day.month()).ok().and_then(|month| MONTHS.get(month - 1));
    let month = month.map_or(String::new(), |name| text(language, name, &[]));
    format!("{} {month} {}", day.day(), day.year())
}

/// A date and time to the second, which distinguishes events in a sequence: `23 Nov 2026, 09:41:07`.
pub fn second(language: Language, there: DateTime) -> String {
    let (day, comma) = (date(language, there.date()), comma(language));
    format!("{day}{comma} {:02}:{:02}:{:02}", there.hour(), there.minute(), there.second())
}

fn comma(language: Language) -> char {
    match language {
        Language::English => ',',
        Language::Arabic => '،',
    }
}

/// Minimum number of decimals of an amount: those of a fil.
const DECIMALS: u32 = 2;

/// An amount with its currency, such as `AED 12,345.60`, without a line break opportunity.
pub fn amount(currency: &str, mut amount: Decimal) -> String {
    let space = if currency.is_empty() { "" } else { "\u{a0}" };
    if amount.scale() < DECIMALS {
        // An amount whose digits fill the [`Decimal`] keeps its scale.
        amount.rescale(DECIMALS);
    }
    format!("{currency}{space}{}", number(amount))
}

/// A number, such as `12,345.60`.
pub fn number(number: Decimal) -> String {
    let text = number.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let (whole, decimals) = match digits.split_once('.') {
        Some((whole, decimals)) => (whole, format!(".{decimals}")),
        None => (digits, String::new()),
    };
    format!("{sign}{}{decimals}", grouped(whole))
}

/// Groups digits by three.
fn grouped(digits: &str) -> String {
    let mut shown = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_keeps_its_digits() {
        for (amount, shown) in [
            ("0", "AED\u{a0}0.00"),
            ("450", "AED\u{a0}450.00"),
            ("0.00", "AED\u{a0}0.00"),
            ("999.9", "AED\u{a0}999.90"),
            ("1000", "AED\u{a0}1,000.00"),
            ("0.0075", "AED\u{a0}0.0075"),
            ("-1234567.50", "AED\u{a0}-1,234,567.50"),
            ("79228162514264337593543950335", "AED\u{a0}79,228,162,514,264,337,593,543,950,335"),
            ("0.1234567890123456789012345678", "AED\u{a0}0.1234567890123456789012345678"),
        ] {
            assert_eq!(super::amount("AED", amount.parse().unwrap()), shown);
        }
    }

    #[test]
    fn a_time_is_written_in_latin_digits() {
        let at = "2026-11-23T00:30:59".parse().unwrap();
        assert_eq!(second(Language::English, at), "23 Nov 2026, 00:30:59");
        assert_eq!(second(Language::Arabic, at), "23 نوفمبر 2026، 00:30:59");
        let first = "2026-01-01".parse().unwrap();
        assert_eq!(date(Language::English, first), "1 Jan 2026");
    }
}
