//! Decimal arithmetic that cannot overflow, and the rounding of PINT.

use rust_decimal::{Decimal, RoundingStrategy};

/// The limit of computed amounts: 10^13. The official rules compute lines and allowances in binary floating point
/// (ibr-131-ae, -146-ae, -147-ae). Above the limit, that arithmetic is no longer exact to the cent.
pub const AMOUNT_LIMIT: Decimal = Decimal::from_parts(1_316_134_912, 2328, 0, false, 0);

/// Rounds to 2 decimals, half up: XPath `round()` moves a half towards positive infinity.
pub(super) fn round2(value: Decimal) -> Decimal {
    let half = if value.is_sign_negative() {
        RoundingStrategy::MidpointTowardZero
    } else {
        RoundingStrategy::MidpointAwayFromZero
    };
    let mut rounded = value.round_dp_with_strategy(2, half);
    rounded.rescale(2);
    if rounded.is_zero() { Decimal::new(0, 2) } else { rounded }
}

/// Returns the amount if it is below the limit.
pub(super) fn within_limit(value: Decimal) -> Option<Decimal> {
    (value.abs() < AMOUNT_LIMIT).then_some(value)
}

/// `base × percent / 100`, rounded; `None` above the limit.
pub(super) fn percent_of(base: Decimal, percent: Decimal) -> Option<Decimal> {
    within_limit(round2(base.checked_mul(percent)?.checked_div(Decimal::ONE_HUNDRED)?))
}

/// An amount as the official rules round it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rounded {
    pub(super) amount: Decimal,
    /// Whether the exact value lies half way between two cents, so that binary floating point decides.
    pub(super) tie: bool,
}

impl Rounded {
    fn within_limit(self) -> Option<Self> {
        within_limit(self.amount).map(|_| self)
    }
}

/// IBT-092, -099, -136, -141 from a base amount and a percentage.
pub(super) fn allowance(base: Decimal, percent: Decimal) -> Option<Rounded> {
    let exact = base.checked_mul(percent)?.checked_div(Decimal::ONE_HUNDRED)?;
    at_tie(exact, || official::allowance(base, percent)).within_limit()
}

/// IBT-131 from quantity, net price, base quantity and the amounts of allowances and charges.
pub(super) fn line_net(
    quantity: Decimal,
    price: Decimal,
    base_quantity: Decimal,
    charges: &[Decimal],
    allowances: &[Decimal],
) -> Option<Rounded> {
    let product = quantity.checked_mul(price)?.checked_div(base_quantity)?;
    within_limit(product)?;
    let sum = |amounts: &[Decimal]| {
        amounts.iter().try_fold(Decimal::ZERO, |sum, amount| sum.checked_add(*amount))
    };
    let (charges_sum, allowances_sum) = (sum(charges)?, sum(allowances)?);
    // The amounts have 2 decimals at most, so rounding the product is enough.
    let exact = product.checked_add(charges_sum)?.checked_sub(allowances_sum)?;
    at_tie(exact, || official::line_net(quantity, price, base_quantity, charges, allowances))
        .within_limit()
}

/// Rounds an exact value. For a value half way between two cents, ibr-131-ae, -146-ae and -147-ae accept only the cent
/// that their floating-point arithmetic returns. A receiver refuses a document with the other cent.
fn at_tie(exact: Decimal, official: impl FnOnce() -> Option<i64>) -> Rounded {
    let half_up = round2(exact);
    // The maximum error of binary floating point: 53 bits, after three operations.
    let margin = exact.abs() * Decimal::new(1, 15) + Decimal::new(1, 9);
    let from_half = (exact - half_up).abs() - Decimal::new(5, 3);
    if from_half.abs() > margin {
        return Rounded { amount: half_up, tie: false };
    }
    let cents = official().map(|cents| Decimal::new(cents, 2));
    let cents = cents.filter(|cents| (cents - exact).abs() < Decimal::new(1, 2));
    Rounded { amount: cents.unwrap_or(half_up), tie: true }
}

/// The arithmetic of the official rules, all in `xs:double`. It only chooses between two neighbouring cents; no amount
/// comes from it.
#[expect(clippy::disallowed_types, clippy::float_arithmetic, reason = "xs:double of the rules")]
mod official {
    use rust_decimal::Decimal;

    fn double(value: Decimal) -> Option<f64> {
        value.to_string().parse().ok()
    }

    fn sum(values: &[Decimal]) -> Option<f64> {
        values.iter().try_fold(0.0, |sum, value| Some(sum + double(*value)?))
    }

    /// XPath `round()`: half towards positive infinity.
    fn round(value: f64) -> Option<i64> {
        let floor = value.floor();
        let rounded = if value - floor >= 0.5 { floor + 1.0 } else { floor };
        format!("{rounded:.0}").parse().ok()
    }

    /// `round((base * percent div 100) * 100)`
    pub(super) fn allowance(base: Decimal, percent: Decimal) -> Option<i64> {
        round((double(base)? * double(percent)? / 100.0) * 100.0)
    }

    /// `round((quantity * (price div base) + sum(charges) - sum(allowances)) * 100)`
    pub(super) fn line_net(
        quantity: Decimal,
        price: Decimal,
        base: Decimal,
        charges: &[Decimal],
        allowances: &[Decimal],
    ) -> Option<i64> {
        let product = double(quantity)? * (double(price)? / double(base)?);
        round((product + sum(charges)? - sum(allowances)?) * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn a_half_cent_goes_up_also_below_zero() {
        for (value, rounded) in [
            ("1.005", "1.01"),
            ("1.00499", "1.00"),
            ("-1.005", "-1.00"),
            ("-1.0051", "-1.01"),
            ("2", "2.00"),
            ("-0.001", "0.00"),
            ("0.0049999999999999999999999999", "0.00"),
        ] {
            assert_eq!(round2(d(value)).to_string(), rounded, "{value}");
        }
        assert_eq!(AMOUNT_LIMIT, d("10000000000000"));
    }

    #[test]
    fn a_line_on_a_half_cent_falls_where_the_official_rule_falls() {
        // In binary, 1.005 is slightly smaller: 1.00. 0.125 is exact: 0.13.
        let rounded = |amount, tie| Some(Rounded { amount: d(amount), tie });
        assert_eq!(line_net(d("1"), d("1.005"), d("1"), &[], &[]), rounded("1.00", true));
        assert_eq!(line_net(d("1"), d("0.125"), d("1"), &[], &[]), rounded("0.13", true));
        assert_eq!(line_net(d("1"), d("1.0051"), d("1"), &[], &[]), rounded("1.01", false));
        let net = line_net(d("2"), d("10"), d("3"), &[d("1")], &[d("0.5")]);
        assert_eq!(net, rounded("7.17", false));
    }

    #[test]
    fn what_is_too_large_is_none_and_no_panic() {
        let max = d("999999999999999999.9999999999");
        assert_eq!(line_net(max, max, d("0.0000000001"), &[], &[]), None);
        assert_eq!(line_net(max, d("1"), d("1"), &[], &[]), None);
        assert_eq!(allowance(max, max), None);
        assert_eq!(percent_of(max, d("5")), None);
    }
}
