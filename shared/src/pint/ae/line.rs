//! Lines: `cac:InvoiceLine` and `cac:CreditNoteLine`.

use std::cmp::Ordering;

use super::category::code;
use crate::pint::Facts;
use crate::rules::xpath::{self, Double, DynamicError, Evaluated};
use crate::rules::{Expected, Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// `cac:InvoiceLine | cac:CreditNoteLine`
pub(super) const LINE: Group<Facts> = &[
    Rule {
        id: "ibr-104-ae",
        term: "BTAE-08",
        about: &[cac::ITEM_PRICE_EXTENSION],
        message: "The VAT of the line in AED, or its amount in AED, is missing.",
        fix: "Give both for every line that is not exempt (E).",
        holds: |line, _| {
            let beyond_exempt = xpath::some(categories(line), |it| Ok(code(it)? != "E"));
            beyond_exempt == Ok(false) || (has_vat_in_aed(line) && has_aed(line))
        },
    },
    Rule {
        id: "ibr-111-ae",
        term: "IBT-152",
        about: &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY],
        message: "The VAT rate of a line under the margin scheme (N) is not above zero.",
        fix: "Give the rate that applies to the margin.",
        holds: |line, _| !has_category(line, "N") || has_positive_rate(line) == Ok(true),
    },
    Rule {
        id: "ibr-145-ae",
        term: "IBT-151",
        about: &[cac::ITEM],
        message: "The line has no VAT category.",
        fix: "Give the VAT category of the item.",
        holds: |line, _| categories(line).next().is_some(),
    },
    Rule {
        id: "ibr-147-ae",
        term: "IBT-131",
        about: &[cbc::LINE_EXTENSION_AMOUNT],
        message: "The net amount of the line is not quantity × price + charges − allowances.",
        fix: "Make it quantity × net price / base quantity, plus the charges and less the \
              allowances of the line, rounded to two decimals.",
        holds: |line, _| balance(line).is_ok_and(Balance::is_even),
    },
    Rule {
        id: "ibr-167-ae",
        term: "IBT-186",
        about: &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY],
        message: "The line is exempt (E), but has no code for the reason.",
        fix: "Give the exemption reason code, such as DL8.46.1.",
        holds: |line, _| {
            let reason = &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE];
            !has_category(line, "E") || line.find(reason).is_some()
        },
    },
    Rule {
        id: "ibr-123-ae",
        term: "IBG-30",
        about: &[cac::ITEM],
        message: "A line of a document out of scope of VAT needs exactly one VAT category.",
        fix: "Give one category, E, O or Z.",
        holds: |line, facts| {
            let out_of_scope = |parent| facts.ae.below(parent).is_out_of_scope();
            !line.parent().is_some_and(out_of_scope) || categories(line).count() == 1
        },
    },
    Rule {
        id: "ibr-194-ae",
        term: "BTAE-10",
        about: &[cac::ITEM_PRICE_EXTENSION, cbc::AMOUNT],
        message: "The amount of the line in AED is missing.",
        fix: "Give the amount of the line with VAT in AED.",
        holds: |line, _| has_aed(line),
    },
];

fn categories<'d>(line: Node<'d>) -> impl Iterator<Item = Node<'d>> + Clone {
    line.select(&[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY])
}

fn has_category(line: Node<'_>, code: &str) -> bool {
    let mut ids = line.select(&[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::ID]);
    ids.any(|id| id.text() == code)
}

fn has_aed(line: Node<'_>) -> bool {
    line.find(&[cac::ITEM_PRICE_EXTENSION, cbc::AMOUNT]).is_some()
}

fn has_vat_in_aed(line: Node<'_>) -> bool {
    line.find(&[cac::ITEM_PRICE_EXTENSION, cac::TAX_TOTAL, cbc::TAX_AMOUNT]).is_some()
}

fn has_positive_rate(line: Node<'_>) -> Evaluated<bool> {
    let rates = line.select(&[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::PERCENT]);
    xpath::some(rates, |rate| Ok(xpath::compare_number(&rate.text(), 0)? == Ordering::Greater))
}

/// The net amount of a line, and the computed amount. Each is `None` if an operand is missing.
#[derive(Clone, Copy)]
struct Balance {
    net: Option<Double>,
    due: Option<Double>,
}

impl Balance {
    /// Whether both are equal after rounding to cents.
    fn is_even(self) -> bool {
        self.net.zip(self.due).is_some_and(|(net, due)| xpath::cents(net) == xpath::cents(due))
    }
}

/// The amount that ibr-147-ae expects.
pub(super) fn expected_net(line: Node<'_>) -> Option<Expected<'_>> {
    let due = xpath::in_cents(balance(line).ok()?.due?)?;
    Some(Expected::amount(line.child(cbc::LINE_EXTENSION_AMOUNT), due))
}

/// The count that ibr-123-ae expects.
pub(super) fn expected_categories(line: Node<'_>) -> Expected<'_> {
    Expected::count(categories(line).count(), 1)
}

/// Computes both sides in `xs:double`, because the values are untyped. One walk computes both, because this rule is the
/// most expensive of all.
fn balance(line: Node<'_>) -> Evaluated<Balance> {
    let (mut net, mut quantity, mut price, mut per) = (None, None, None, None);
    let (mut charges, mut allowances) = (Double::default(), Double::default());
    for child in line.children() {
        match child.name() {
            cbc::LINE_EXTENSION_AMOUNT => operand(&mut net, child)?,
            cbc::INVOICED_QUANTITY | cbc::CREDITED_QUANTITY => operand(&mut quantity, child)?,
            cac::PRICE => {
                for part in child.children() {
                    match part.name() {
                        cbc::PRICE_AMOUNT => operand(&mut price, part)?,
                        cbc::BASE_QUANTITY => operand(&mut per, part)?,
                        _ => {}
                    }
                }
            }
            cac::ALLOWANCE_CHARGE => {
                adjust(&mut charges, &mut allowances, child)?;
            }
            _ => {}
        }
    }
    let factors = quantity.zip(price.zip(per));
    let due = |(quantity, price)| xpath::line_net(quantity, price, charges, allowances);
    Ok(Balance { net, due: factors.map(due) })
}

/// Records an operand of arithmetic; an error if there are several.
fn operand(slot: &mut Option<Double>, node: Node<'_>) -> Evaluated<()> {
    match slot.replace(xpath::is_number(&node.text())?) {
        Some(_) => Err(DynamicError),
        None => Ok(()),
    }
}

/// `+ sum(cac:AllowanceCharge[cbc:ChargeIndicator='…']/cbc:Amount)`, for charges and allowances.
fn adjust(charges: &mut Double, allowances: &mut Double, node: Node<'_>) -> Evaluated<()> {
    let (mut is_charge, mut is_allowance, mut amounts) = (false, false, Ok(Double::default()));
    for child in node.children() {
        match child.name() {
            cbc::CHARGE_INDICATOR => {
                let indicator = child.text();
                is_charge |= indicator == "true";
                is_allowance |= indicator == "false";
            }
            cbc::AMOUNT => amounts = xpath::sum_of(amounts, xpath::is_number(&child.text())),
            _ => {}
        }
    }
    if is_charge {
        *charges = xpath::sum_of(Ok(*charges), amounts)?;
    }
    if is_allowance {
        *allowances = xpath::sum_of(Ok(*allowances), amounts)?;
    }
    Ok(())
}
