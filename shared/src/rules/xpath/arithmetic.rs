//! Arithmetic in `xs:double`. Official expressions use it for lines, allowances and charges, whose operands are
//! untyped.

#![expect(clippy::float_arithmetic, reason = "the official expressions compute in xs:double")]

use super::{Decimal, Double, Evaluated};

const HUNDRED: Double = 100.0;
const HALF: Double = 0.5;

/// `base * percent div 100`
pub fn percentage(base: Double, percent: Double) -> Double {
    base * percent / HUNDRED
}

/// `round(value * 100) div 100`: rounds to cents, halves upwards, also for negative numbers.
pub fn cents(value: Double) -> Double {
    let value = value * HUNDRED;
    let below = value.floor();
    let rounded = if value - below >= HALF { value.ceil() } else { below };
    rounded / HUNDRED
}

/// Writes a finite number as an amount with two decimals.
pub fn in_cents(value: Double) -> Option<String> {
    let text = value.is_finite().then(|| format!("{:.2}", cents(value)))?;
    Some(if text == "-0.00" { "0.00".to_owned() } else { text })
}

/// `quantity * (price div per) + charges - allowances`
pub fn line_net(
    quantity: Double,
    (price, per): (Double, Double),
    charges: Double,
    allowances: Double,
) -> Double {
    quantity * (price / per) + charges - allowances
}

/// `one + other`
///
/// # Errors
/// If one operand is not a number.
pub fn sum_of(one: Evaluated<Double>, other: Evaluated<Double>) -> Evaluated<Double> {
    Ok(one? + other?)
}

/// `xs:integer(value)`: drops the fraction.
///
/// # Errors
/// For NaN and infinity.
pub fn truncated(value: Double) -> Evaluated<Decimal> {
    Decimal::parse(&format!("{:.0}", value.trunc()))
}

#[cfg(test)]
mod tests {
    use super::super::{DynamicError, number};
    use super::*;

    #[test]
    fn halves_are_rounded_upwards_also_below_nought() {
        for (text, rounded) in [
            ("0.125", "0.13"),
            ("-0.125", "-0.12"),
            ("1.005", "1"), // the double is below the decimal
            ("-0.001", "0"),
            ("12345678901234567", "12345678901234567"),
            ("INF", "INF"),
        ] {
            assert_eq!(cents(number(text)), number(rounded), "{text}");
        }
        assert!(cents(number("NaN")).is_nan());
    }

    #[test]
    fn a_line_is_quantity_by_price_and_charges_less_allowances() {
        let [two, three, four, five] = ["2", "3", "4", "5"].map(number);
        assert_eq!(line_net(two, (three, four), five, three), number("3.5"));
        assert_eq!(percentage(four, five), number("0.2"));
    }

    #[test]
    fn a_sum_fails_with_one_of_its_numbers() {
        let [one, two, three] = ["1", "2", "3"].map(number);
        assert_eq!(sum_of(Ok(one), Ok(two)), Ok(three));
        assert_eq!(sum_of(Ok(one), Err(DynamicError)), Err(DynamicError));
    }
}
