//! What a breakdown must come to.

use std::cmp::Ordering;

use super::category::Category;
use super::rates::Lines;
use crate::pint::Facts;
use crate::rules::xpath::{self, Decimal, Evaluated};
use crate::xml::names::cbc;
use crate::xml::{Name, Node};

/// How far a sum of the categories S and N may be off.
const SLACK: &str = "0.02";

/// A number that must be there once; nothing when the rule fires over it.
fn number(parent: Option<Node<'_>>, name: Name) -> Option<Decimal> {
    xpath::decimal(parent?.all(name)).ok().flatten()
}

/// `u:slack`
fn is_close(one: &Decimal, other: &Decimal) -> Option<bool> {
    let slack = Decimal::parse(SLACK).ok()?;
    Some(one.plus(&slack) >= *other && one.minus(&slack) <= *other)
}

pub(super) fn is_standard_sum(category: Node<'_>, facts: &Facts) -> Option<bool> {
    let rate = number(Some(category), cbc::PERCENT)?;
    let taxable = number(category.parent(), cbc::TAXABLE_AMOUNT)?;
    let on_document = facts.ae.standard_allowance_charges.has(&rate);
    let matches = |lines: &Lines| {
        let due = lines.sums.standard.sum(&rate).ok()?;
        let due = due.plus(&facts.ae.charges.standard.sum(&rate).ok()?);
        let due = due.minus(&facts.ae.allowances.standard.sum(&rate).ok()?);
        Some((on_document || lines.standard.has(&rate)) && is_close(&taxable, &due)?)
    };
    Some(matches(&facts.ae.lines) == Some(true) || matches(&facts.ae.credit_lines) == Some(true))
}

pub(super) fn is_margin_sum(category: Node<'_>, facts: &Facts) -> Option<bool> {
    let rate = number(Some(category), cbc::PERCENT)?;
    let taxable = number(category.parent(), cbc::TAXABLE_AMOUNT)?;
    let matches = |lines: &Lines| {
        let due = lines.sums.margin.sum(&rate).ok()?;
        Some(lines.margin.has(&rate) && is_close(&taxable, &due)?)
    };
    Some(matches(&facts.ae.lines) == Some(true) || matches(&facts.ae.credit_lines) == Some(true))
}

/// |tax| = |taxable| × rate / 100, to cents.
pub(super) fn is_standard_tax(category: Node<'_>) -> Option<bool> {
    let rate = number(Some(category), cbc::PERCENT)?;
    let taxable = absolute(number(category.parent(), cbc::TAXABLE_AMOUNT)?);
    let tax = absolute(number(category.parent(), cbc::TAX_AMOUNT)?);
    is_close(&tax, &taxable.times(&rate.hundredth()).cents())
}

fn absolute(number: Decimal) -> Decimal {
    if number < Decimal::ZERO { Decimal::ZERO.minus(&number) } else { number }
}

/// Whether the taxable amount is exactly what lines, charges and allowances of a category come to.
pub(super) fn is_flat_sum(category: Node<'_>, facts: &Facts, of: Category) -> bool {
    let Some(taxable) = number(category.parent(), cbc::TAXABLE_AMOUNT) else { return false };
    let due = |lines: &Lines| -> Evaluated<Decimal> {
        let due = lines.sums.of(of)?.plus(facts.ae.charges.of(of)?);
        Ok(due.minus(facts.ae.allowances.of(of)?))
    };
    let matches = |lines: &Lines| lines.exist && due(lines).is_ok_and(|due| due == taxable);
    matches(&facts.ae.lines) || matches(&facts.ae.credit_lines)
}

/// `xs:decimal(../cbc:TaxAmount) = 0`
pub(super) fn is_without_tax(category: Node<'_>) -> bool {
    number(category.parent(), cbc::TAX_AMOUNT).is_some_and(|tax| tax.is_zero())
}

/// `nodes = 0`
pub(super) fn some_is_zero<'d>(nodes: impl Iterator<Item = Node<'d>>) -> bool {
    xpath::some(nodes, |node| Ok(xpath::compare_number(&node.text(), 0)? == Ordering::Equal))
        == Ok(true)
}
