//! Amounts in English words.

use super::{Parts, currencies::Currency};

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// The names of the groups of three digits.
const SCALES: [(u64, &str); 4] = [
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
];

pub(super) fn amount(parts: &Parts, currency: &Currency) -> String {
    let counted = |count, [one, many]: [&str; 2]| {
        format!("{} {}", number(count), if count == 1 { one } else { many })
    };
    let units = counted(parts.units, currency.english);
    let text = match (parts.units, parts.subunits) {
        (_, 0) => units,
        (0, subunits) => counted(subunits, currency.english_sub),
        (_, subunits) => format!("{units} and {}", counted(subunits, currency.english_sub)),
    };
    sentence(parts, &text)
}

/// An amount of a currency that is known by its code only.
pub(super) fn foreign(parts: &Parts, code: &str) -> String {
    let fraction = parts.fraction();
    let and = if fraction.is_empty() { "" } else { " and " };
    sentence(parts, &format!("{} {code}{and}{fraction}", number(parts.units)))
}

fn sentence(parts: &Parts, text: &str) -> String {
    let text = if parts.is_negative { format!("minus {text}") } else { text.to_owned() };
    let mut letters = text.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn number(number: u64) -> String {
    let mut words = Vec::new();
    let mut rest = number;
    for (scale, name) in SCALES {
        if rest >= scale {
            words.push(format!("{} {name}", below_thousand(rest / scale)));
            rest %= scale;
        }
    }
    if rest > 0 || words.is_empty() {
        words.push(below_thousand(rest));
    }
    words.join(" ")
}

fn below_thousand(number: u64) -> String {
    let (hundreds, rest) = (number / 100, number % 100);
    match (hundreds, rest) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => format!("{} hundred", small(hundreds)),
        (hundreds, rest) => format!("{} hundred {}", small(hundreds), below_hundred(rest)),
    }
}

fn below_hundred(number: u64) -> String {
    let tens = |tens| at(&TENS, tens);
    match (number / 10, number % 10) {
        (0 | 1, _) => small(number).to_owned(),
        (ten, 0) => tens(ten).to_owned(),
        (ten, one) => format!("{}-{}", tens(ten), small(one)),
    }
}

fn small(number: u64) -> &'static str {
    at(&SMALL, number)
}

fn at(words: &[&'static str], index: u64) -> &'static str {
    usize::try_from(index).ok().and_then(|index| words.get(index)).copied().unwrap_or_default()
}
