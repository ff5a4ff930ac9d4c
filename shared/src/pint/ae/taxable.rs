//! The amounts that a VAT breakdown must have.

use super::category::Category;
use super::facts::Amounts;
use super::rates::Lines;
use crate::pint::Facts;
use crate::rules::Expected;
use crate::rules::xpath::{self, Decimal};
use crate::xml::Node;
use crate::xml::names::cbc;

/// Allowed difference of a sum in the categories S and N.
const SLACK: &str = "0.02";

/// The rate; `None` unless it is exactly one number.
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

/// Computes the expected amount from lines of one kind, and the charges and allowances of the document.
type Due<'f> = &'f dyn Fn(&Lines) -> Option<Decimal>;

/// Whether the taxable amount is close to the expected amount for one kind of lines.
fn is_close_to_some(category: Node<'_>, facts: &Facts, due: Due<'_>) -> Option<bool> {
    let taxable = amounts(category, facts)?.taxable.as_ref()?;
    let matches = |lines: &Lines| is_close(taxable, &due(lines)?);
    let kinds = [&facts.ae.lines, &facts.ae.credit_lines];
    Some(kinds.into_iter().any(|lines| matches(lines) == Some(true)))
}

/// The sum of category S at a rate that is used: lines plus charges minus allowances.
fn standard_sum(category: Node<'_>, facts: &Facts, lines: &Lines) -> Option<Decimal> {
    let rate = rate(category)?;
    let is_used = facts.ae.standard_allowance_charges.has(&rate) || lines.standard.has(&rate);
    let due = lines.sums.standard.sum(&rate).ok()?;
    let due = due.plus(&facts.ae.charges.standard.sum(&rate).ok()?);
    is_used.then_some(due.minus(&facts.ae.allowances.standard.sum(&rate).ok()?))
}

/// The sum of category N at a rate that lines have.
fn margin_sum(category: Node<'_>, lines: &Lines) -> Option<Decimal> {
    let rate = rate(category)?;
    let due = lines.sums.margin.sum(&rate).ok()?;
    lines.margin.has(&rate).then_some(due)
}

/// The sum of a category with a single rate: lines plus charges minus allowances.
fn flat_sum(facts: &Facts, lines: &Lines, of: Category) -> Option<Decimal> {
    let due = lines.sums.of(of).ok()?.plus(facts.ae.charges.of(of).ok()?);
    let due = due.minus(facts.ae.allowances.of(of).ok()?);
    lines.exist.then_some(due)
}

pub(super) fn is_standard_sum(category: Node<'_>, facts: &Facts) -> Option<bool> {
    is_close_to_some(category, facts, &|lines| standard_sum(category, facts, lines))
}

pub(super) fn is_margin_sum(category: Node<'_>, facts: &Facts) -> Option<bool> {
    is_close_to_some(category, facts, &|lines| margin_sum(category, lines))
}

/// Whether |tax| = |taxable| × rate / 100, rounded to cents.
pub(super) fn is_standard_tax(category: Node<'_>, facts: &Facts) -> Option<bool> {
    let tax = absolute(amounts(category, facts)?.tax.as_ref()?);
    let taxable = amounts(category, facts)?.taxable.as_ref()?;
    is_close(&tax, &tax_on(taxable, &rate(category)?))
}

/// |taxable| × rate / 100, rounded to cents.
fn tax_on(taxable: &Decimal, rate: &Decimal) -> Decimal {
    absolute(taxable).times(&rate.hundredth()).cents()
}

/// The tax of category S, with the sign of the taxable amount. No negative tax satisfies the rule.
fn standard_tax(category: Node<'_>, facts: &Facts) -> Option<Decimal> {
    let taxable = amounts(category, facts)?.taxable.as_ref()?;
    let tax = tax_on(taxable, &rate(category)?);
    let signed = if *taxable < Decimal::ZERO { Decimal::ZERO.minus(&tax) } else { tax.clone() };
    (tax >= Decimal::ZERO).then_some(signed)
}

fn absolute(number: &Decimal) -> Decimal {
    if *number < Decimal::ZERO { Decimal::ZERO.minus(number) } else { number.clone() }
}

/// Whether the taxable amount is exactly the sum of lines, charges and allowances of a category.
pub(super) fn is_flat_sum(category: Node<'_>, facts: &Facts, of: Category) -> bool {
    let amounts = amounts(category, facts);
    let Some(taxable) = amounts.and_then(|it| it.taxable.as_ref()) else { return false };
    let kinds = [&facts.ae.lines, &facts.ae.credit_lines];
    kinds.into_iter().any(|lines| flat_sum(facts, lines, of).is_some_and(|due| due == *taxable))
}

/// The amount that a rule about a breakdown expects.
pub(super) fn expected<'d>(id: &str, category: Node<'d>, facts: &Facts) -> Option<Expected<'d>> {
    let taxable = |due: Due<'_>| {
        let kinds = [&facts.ae.lines, &facts.ae.credit_lines];
        let due = kinds.into_iter().filter(|lines| lines.exist).find_map(due)?;
        Some((cbc::TAXABLE_AMOUNT, due))
    };
    let flat = |of| taxable(&|lines| flat_sum(facts, lines, of));
    let (name, due) = match id {
        "aligned-ibrp-s-08" => taxable(&|lines| standard_sum(category, facts, lines))?,
        "ibr-102-ae" => taxable(&|lines| margin_sum(category, lines))?,
        "aligned-ibrp-e-08" => flat(Category::Exempt)?,
        "aligned-ibrp-z-08" => flat(Category::Zero)?,
        "aligned-ibrp-o-08" => flat(Category::OutOfScope)?,
        "aligned-ibrp-ae-08-ae" => flat(Category::ReverseCharge)?,
        "aligned-ibrp-s-09" => (cbc::TAX_AMOUNT, standard_tax(category, facts)?),
        "ibr-108-ae"
        | "aligned-ibrp-e-09"
        | "aligned-ibrp-z-09"
        | "aligned-ibrp-o-09"
        | "aligned-ibrp-ae-09-ae" => (cbc::TAX_AMOUNT, Decimal::ZERO),
        _ => return None,
    };
    let at = xpath::lone(category.parent()?.all(name)).ok()?;
    Some(Expected::amount(at, due))
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
