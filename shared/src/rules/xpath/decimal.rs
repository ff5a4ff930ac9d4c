//! `xs:decimal` without rounding. The referee (SaxonC) computes with decimals of any length.
//!
//! A number of typical length lives in an `i128`. A longer number lives in a vector of digits. No operation loses a
//! digit, and no operation can fail.

use std::cmp::Ordering;
use std::fmt;

use super::{DynamicError, Evaluated, trim};

/// Maximum number of digits in one number. No amount has more, and arithmetic on a megabyte of digits would be an
/// attack.
const MOST_DIGITS: usize = 1000;

/// Largest power of ten that this module computes in an `i128`.
const MOST_SHIFT: usize = 36;

/// An exact decimal number: `unscaled / 10^scale`.
#[derive(Debug, Clone)]
pub struct Decimal {
    unscaled: Unscaled,
    scale: usize,
}

#[derive(Debug, Clone)]
enum Unscaled {
    Short(i128),
    Long(Long),
}

/// Sign and decimal digits, the lowest first, without leading zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Long {
    negative: bool,
    digits: Vec<u8>,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self { unscaled: Unscaled::Short(0), scale: 0 };

    /// A whole number.
    pub const fn whole(value: i64) -> Self {
        Self { unscaled: Unscaled::Short(value as i128), scale: 0 }
    }

    /// `xs:decimal(text)` (XML Schema part 2, 3.2.3): sign, digits, one point. White space around the text is ignored.
    ///
    /// # Errors
    /// For any other text, and for more than 1000 digits.
    pub fn parse(text: &str) -> Evaluated<Self> {
        let text = trim(text);
        let (negative, digits) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction)
        {
            return Err(DynamicError);
        }
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let both = whole.bytes().chain(fraction.bytes());
        let unscaled = match whole.len() + fraction.len() {
            0..=18 => {
                let value = both.fold(0_i64, |value, b| value * 10 + i64::from(b - b'0'));
                Unscaled::Short(i128::from(if negative { -value } else { value }))
            }
            19..=MOST_DIGITS => {
                let digits = both.rev().map(|b| b - b'0').collect();
                Long { negative, digits }.shorten()
            }
            _ => return Err(DynamicError),
        };
        Ok(Self { unscaled, scale: fraction.len() })
    }

    /// Whether the number is zero. As a condition, zero is false.
    pub fn is_zero(&self) -> bool {
        matches!(&self.unscaled, Unscaled::Short(0))
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        let short = || self.aligned(scale)?.checked_add(other.aligned(scale)?);
        let unscaled = short()
            .map_or_else(|| self.long(scale).plus(&other.long(scale)).shorten(), Unscaled::Short);
        Self { unscaled, scale }
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let short = match (&self.unscaled, &other.unscaled) {
            (Unscaled::Short(one), Unscaled::Short(two)) => one.checked_mul(*two),
            _ => None,
        };
        let long = || self.long(self.scale).times(&other.long(other.scale)).shorten();
        let unscaled = short.map_or_else(long, Unscaled::Short);
        Self { unscaled, scale: self.scale + other.scale }
    }

    /// A hundredth of it: `. div 100`.
    #[must_use]
    pub fn hundredth(&self) -> Self {
        Self { unscaled: self.unscaled.clone(), scale: self.scale + 2 }
    }

    /// `round(. * 100) div 100`: rounds to cents, halves upwards, also for negative numbers.
    #[must_use]
    pub fn cents(&self) -> Self {
        let Some(excess) = self.scale.checked_sub(2).filter(|excess| *excess > 0) else {
            return self.clone();
        };
        let short = |value: &i128| {
            let unit = power(excess)?;
            Some(value.checked_add(unit / 2)?.div_euclid(unit))
        };
        let unscaled = match &self.unscaled {
            Unscaled::Short(value) => short(value).map(Unscaled::Short),
            Unscaled::Long(_) => None,
        };
        let unscaled = unscaled.unwrap_or_else(|| self.long(self.scale).rounded(excess).shorten());
        Self { unscaled, scale: 2 }
    }

    fn negated(&self) -> Self {
        let unscaled = match &self.unscaled {
            Unscaled::Short(value) => match value.checked_neg() {
                Some(value) => Unscaled::Short(value),
                None => Unscaled::Long(Long { negative: false, ..Long::of(*value) }),
            },
            Unscaled::Long(long) => {
                Unscaled::Long(Long { negative: !long.negative, digits: long.digits.clone() })
            }
        };
        Self { unscaled, scale: self.scale }
    }

    /// The unscaled value at a scale that is not below the own scale; `None` if an `i128` cannot hold it.
    fn aligned(&self, scale: usize) -> Option<i128> {
        match &self.unscaled {
            Unscaled::Short(value) if scale == self.scale => Some(*value),
            Unscaled::Short(value) => value.checked_mul(power(scale - self.scale)?),
            Unscaled::Long(_) => None,
        }
    }

    fn long(&self, scale: usize) -> Long {
        let mut long = match &self.unscaled {
            Unscaled::Short(value) => Long::of(*value),
            Unscaled::Long(long) => long.clone(),
        };
        if !long.digits.is_empty() {
            long.digits.splice(0..0, std::iter::repeat_n(0, scale - self.scale));
        }
        long
    }
}

fn power(exponent: usize) -> Option<i128> {
    (exponent <= MOST_SHIFT).then(|| 10_i128.pow(u32::try_from(exponent).unwrap_or_default()))
}

impl fmt::Display for Decimal {
    /// Writes an amount with two decimals, or with more if the value needs more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale.max(2);
        let Long { negative, mut digits } = self.long(scale);
        digits.resize(digits.len().max(scale + 1), 0);
        let spare = digits.iter().take(scale - 2).take_while(|digit| **digit == 0).count();
        if negative {
            f.write_str("-")?;
        }
        for (place, digit) in digits.iter().enumerate().skip(spare).rev() {
            write!(f, "{digit}{}", if place == scale { "." } else { "" })?;
        }
        Ok(())
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.aligned(scale), other.aligned(scale)) {
            (Some(one), Some(two)) => one.cmp(&two),
            _ => self.long(scale).cmp(&other.long(scale)),
        }
    }
}

impl Long {
    fn of(value: i128) -> Self {
        let mut rest = value.unsigned_abs();
        let mut digits = Vec::new();
        while rest > 0 {
            digits.push(u8::try_from(rest % 10).unwrap_or_default());
            rest /= 10;
        }
        Self { negative: value < 0, digits }
    }

    /// Converts to the short form where the value fits, so that zero is always short.
    fn shorten(mut self) -> Unscaled {
        let length = self.digits.iter().rposition(|digit| *digit > 0).map_or(0, |last| last + 1);
        self.digits.truncate(length);
        if self.digits.len() > MOST_SHIFT {
            return Unscaled::Long(self);
        }
        let value =
            self.digits.iter().rfold(0_i128, |value, digit| value * 10 + i128::from(*digit));
        Unscaled::Short(if self.negative { -value } else { value })
    }

    fn plus(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            return Self { negative: self.negative, digits: add(&self.digits, &other.digits) };
        }
        match compare(&self.digits, &other.digits) {
            Ordering::Less => {
                Self { negative: other.negative, digits: subtract(&other.digits, &self.digits) }
            }
            _ => Self { negative: self.negative, digits: subtract(&self.digits, &other.digits) },
        }
    }

    fn times(&self, other: &Self) -> Self {
        let mut digits = vec![0_u8; self.digits.len() + other.digits.len() + 1];
        for (place, one) in self.digits.iter().enumerate() {
            let mut carry = 0_u8;
            for (offset, digit) in digits[place..].iter_mut().enumerate() {
                let two = other.digits.get(offset).copied().unwrap_or(0);
                if offset >= other.digits.len() && carry == 0 {
                    break;
                }
                let value = *digit + one * two + carry;
                *digit = value % 10;
                carry = value / 10;
            }
        }
        Self { negative: self.negative != other.negative, digits }
    }

    /// Removes the lowest digits and rounds halves upwards.
    fn rounded(mut self, excess: usize) -> Self {
        let half = |digits: &[u8]| {
            let top = digits.get(excess - 1).copied().unwrap_or(0);
            let rest = digits[..digits.len().min(excess - 1)].iter().any(|digit| *digit > 0);
            top > 5 || (top == 5 && (rest || !self.negative))
        };
        let up = half(&self.digits);
        let kept = self.digits.split_off(self.digits.len().min(excess));
        let digits = if up { add(&kept, &[1]) } else { kept };
        Self { negative: self.negative, digits }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => compare(&self.digits, &other.digits),
            (true, true) => compare(&other.digits, &self.digits),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

fn compare(one: &[u8], two: &[u8]) -> Ordering {
    one.len().cmp(&two.len()).then_with(|| one.iter().rev().cmp(two.iter().rev()))
}

fn add(one: &[u8], two: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut digits = Vec::with_capacity(one.len().max(two.len()) + 1);
    for place in 0..one.len().max(two.len()) {
        let digit = |digits: &[u8]| digits.get(place).copied().unwrap_or(0);
        let sum = digit(one) + digit(two) + carry;
        digits.push(sum % 10);
        carry = sum / 10;
    }
    if carry > 0 {
        digits.push(carry);
    }
    digits
}

/// Subtracts `two` from `one`; `two` must not be greater.
fn subtract(one: &[u8], two: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let mut digits = Vec::with_capacity(one.len());
    for (place, digit) in one.iter().enumerate() {
        let less = two.get(place).copied().unwrap_or(0) + borrow;
        borrow = u8::from(*digit < less);
        digits.push(digit + borrow * 10 - less);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn the_lexical_form_is_that_of_xml_schema() {
        for text in ["0", "-0", "+1.50", " 12.\n", ".5", "-.5", "007", "1.000"] {
            assert!(Decimal::parse(text).is_ok(), "{text:?}");
        }
        for text in ["", " ", ".", "-", "+", "1,5", "1e2", "--1", "1 2", "1.2.3", "INF", "\u{663}"]
        {
            assert!(Decimal::parse(text).is_err(), "{text:?}");
        }
        assert!(Decimal::parse(&"1".repeat(1000)).is_ok());
        assert!(Decimal::parse(&"1".repeat(1001)).is_err());
    }

    #[test]
    fn numbers_are_equal_by_value() {
        assert_eq!(number("1.500"), number("1.5"));
        assert_eq!(number("-0"), Decimal::ZERO);
        assert!(number("-2") < number("-1.99"));
        let long = format!("1{}", "0".repeat(60));
        assert!(number(&long) > number("1"));
        assert!(number(&format!("-{long}")) < number("-1"));
        assert_eq!(number(&format!("{long}.10")), number(&format!("{long}.1")));
        assert!(number(&format!("{long}.11")) > number(&format!("{long}.1")));
    }

    #[test]
    fn no_digit_is_lost_however_long_the_numbers_are() {
        let long = format!("{}.{}", "9".repeat(40), "9".repeat(40));
        let tiny = format!("0.{}1", "0".repeat(39));
        let sum = number(&long).plus(&number(&tiny));
        assert_eq!(sum, number(&format!("1{}", "0".repeat(40))));
        assert_eq!(sum.minus(&number(&tiny)), number(&long));
        assert_eq!(number("1").minus(&sum).plus(&sum), number("1"));
        assert!(number(&long).minus(&number(&long)).is_zero());
        let nines = number(&"9".repeat(50));
        let square = format!("{}8{}1", "9".repeat(49), "0".repeat(49));
        assert_eq!(nines.times(&nines), number(&square));
        assert_eq!(nines.times(&number("-1")), Decimal::ZERO.minus(&nines));
        let edge = number("170141183460469231731687303715884105727");
        assert_eq!(edge.plus(&edge), edge.times(&number("2")));
    }

    #[test]
    fn halves_are_rounded_upwards_also_below_nought() {
        let zeros = "0".repeat(50);
        for (text, cents) in [
            ("1", "1"),
            ("1.005", "1.01"),
            ("1.0049999", "1"),
            ("-1.005", "-1"),
            ("-1.0050001", "-1.01"),
            ("-0.001", "0"),
            ("0.004", "0"),
        ] {
            assert_eq!(number(text).cents(), number(cents), "{text}");
            let long = if text.contains('.') { format!("{text}{zeros}1") } else { text.into() };
            let up = number(&long).cents();
            let expected = if text == "-1.005" { number("-1.01") } else { number(cents) };
            assert_eq!(up, expected, "{long}");
        }
        let large = "8".repeat(45);
        assert_eq!(number(&format!("{large}.125")).cents(), number(&format!("{large}.13")));
        assert_eq!(number(&format!("-{large}.125")).cents(), number(&format!("-{large}.12")));
    }

    #[test]
    fn a_percentage_is_a_hundredth() {
        assert_eq!(number("200").times(&number("5").hundredth()), number("10"));
    }
}
