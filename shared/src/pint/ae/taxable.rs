//! What a breakdown must come to.

use super::category::Category;
use super::facts::Amounts;
use super::rates::Lines;
use crate::pint::Facts;
use crate::rules::xpath::{self, Decimal, Evaluated};
use crate::xml::Node;
use crate::xml::names::cbc;

/// How far a sum of the categories S and N may be off.
const SLACK: &str = "0.02";

/// The rate; nothing unless it is one number.
fn rate(category: Node<'_>) -> Option<Decimal> {
    xpath::decimal(category.all(cbc::PERCENT)).ok().flatten()
}

fn amounts<'f>(category: Node<'_>, facts: &'f Facts) -> Option<&'f Amounts> {
    facts.ae.subtotals.get(category.parent()?)
}

/// `u:slack`
fn is_close(one: &Decimal, other: &Decimal) -> Option<bool> {
    let slack = Decimal::parse(SLACK).ok()?;
    Some(one.plus(&slack) >= *other && one.minus(&slack) <= *other)
}

pub(super) fn is_standard_sum(category: Node<'_>, facts: &Facts) -> Option<bool> {
    let rate = rate(category)?;
    let taxable = amounts(category, facts)?.taxable.as_ref()?;
    let on_document = facts.ae.standard_allowance_charges.has(&rate);
    let matches = |lines: &Lines| {
        let due = lines.sums.standard.sum(&rate).ok()?;
        let due = due.plus(&facts.ae.charges.standard.sum(&rate).ok()?);
        let due = due.minus(&facts.ae.allowances.standard.sum(&rate).ok()?);
        Some((on_document || lines.standard.has(&rate)) && is_close(taxable, &due)?)
    };
    Some(matches(&facts.ae.lines) == Some(true) || matches(&facts.ae.credit_lines) == Some(true))
}

pub(super) fn is_margin_sum(category: Node<'_>, facts: &Facts) -> Option<bool> {
    let rate = rate(category)?;
    let taxable = amounts(category, facts)?.taxable.as_ref()?;
    let matches = |lines: &Lines| {
        let due = lines.sums.margin.sum(&rate).ok()?;
        Some(lines.margin.has(&rate) && is_close(taxable, &due)?)
    };
    Some(matches(&facts.ae.lines) == Some(true) || matches(&facts.ae.credit_lines) == Some(true))
}

/// |tax| = |taxable| × rate / 100, to cents.
pub(super) fn is_standard_tax(category: Node<'_>, facts: &Facts) -> Option<bool> {
    let rate = rate(category)?;
    let amounts = amounts(category, facts)?;
    let (taxable, tax) = (absolute(amounts.taxable.as_ref()?), absolute(amounts.tax.as_ref()?));
    is_close(&tax, &taxable.times(&rate.hundredth()).cents())
}

fn absolute(number: &Decimal) -> Decimal {
    if *number < Decimal::ZERO { Decimal::ZERO.minus(number) } else { number.clone() }
}

/// Whether the taxable amount is exactly what lines, charges and allowances of a category come to.
pub(super) fn is_flat_sum(category: Node<'_>, facts: &Facts, of: Category) -> bool {
    let amounts = amounts(category, facts);
    let Some(taxable) = amounts.and_then(|it| it.taxable.as_ref()) else { return false };
    let due = |lines: &Lines| -> Evaluated<Decimal> {
        let due = lines.sums.of(of)?.plus(facts.ae.charges.of(of)?);
        Ok(due.minus(facts.ae.allowances.of(of)?))
    };
    let matches = |lines: &Lines| lines.exist && due(lines).is_ok_and(|due| due == *taxable);
    matches(&facts.ae.lines) || matches(&facts.ae.credit_lines)
}

/// `xs:decimal(../cbc:TaxAmount) = 0`
pub(super) fn is_without_tax(category: Node<'_>, facts: &Facts) -> bool {
    let tax = amounts(category, facts).and_then(|it| it.tax.as_ref());
    tax.is_some_and(Decimal::is_zero)
}

/// `../cbc:TaxAmount = 0`
pub(super) fn is_tax_zero(category: Node<'_>, facts: &Facts) -> bool {
    amounts(category, facts).is_some_and(|it| it.is_tax_zero)
}
