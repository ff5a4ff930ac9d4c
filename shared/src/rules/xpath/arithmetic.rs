//! Arithmetic in `xs:double`, as far as official expressions compute in it: those of lines,
//! allowances and charges, whose operands are untyped.

#![expect(clippy::float_arithmetic, reason = "the official expressions compute in xs:double")]

use super::{Double, Evaluated};

const HUNDRED: Double = 100.0;
const HALF: Double = 0.5;

/// `base * percent div 100`
pub fn percentage(base: Double, percent: Double) -> Double {
    base * percent / HUNDRED
}

/// `round(value * 100) div 100`: to cents, a half upwards, also below nought.
pub fn cents(value: Double) -> Double {
    let value = value * HUNDRED;
    let below = value.floor();
    let rounded = if value - below >= HALF { value.ceil() } else { below };
    rounded / HUNDRED
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

/// `sum(numbers)`
///
/// # Errors
/// When one of them is no number.
pub fn total(numbers: impl Iterator<Item = Evaluated<Double>>) -> Evaluated<Double> {
    let nought = Double::from(0_u8);
    numbers.into_iter().try_fold(nought, |sum, number| Ok(sum + number?))
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
        assert_eq!(total([Ok(number("1")), Ok(number("2"))].into_iter()), Ok(number("3")));
        assert_eq!(total([Ok(number("1")), Err(DynamicError)].into_iter()), Err(DynamicError));
        assert_eq!(total(std::iter::empty()), Ok(number("0")));
    }
}
