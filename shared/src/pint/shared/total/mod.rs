//! Totals of the document and of its tax, and the currency of amounts.

use super::{
    Facts, form,
    once::{self, once},
};
use crate::rules::xpath::{self, Decimal, Evaluated};
use crate::rules::{Expected, Group, Rule};
use crate::xml::names::{attr, cac, cbc, credit_note, invoice};
use crate::xml::{Name, Node};

/// `/ubl:Invoice/cac:TaxTotal`
pub(super) fn of_tax_total(node: Node<'_>) -> Option<Group<Facts>> {
    is_below_root(node, invoice::INVOICE).then_some(TAX_TOTAL)
}

/// `/cn:CreditNote/cac:Taxtotal`. The official context misspells the element, so the tax total of a credit note is not
/// checked.
pub(super) fn of_misspelt_tax_total(node: Node<'_>) -> Option<Group<Facts>> {
    let misspelt =
        node.local_name() == "Taxtotal" && node.namespace() == cac::TAX_TOTAL.namespace();
    (misspelt && is_below_root(node, credit_note::CREDIT_NOTE)).then_some(TAX_TOTAL)
}

/// `cac:TaxTotal[…]/cbc:TaxAmount | cac:TaxTotal[…]/cac:TaxSubtotal/cbc:TaxableAmount |
/// cac:TaxTotal[…]/cac:TaxSubtotal/cbc:TaxAmount`. The rules check the condition of the predicate.
pub(super) fn of_tax_amount(node: Node<'_>) -> Option<Group<Facts>> {
    tax_total_of(node).map(|_| TAX_AMOUNT)
}

fn is_below_root(node: Node<'_>, root: Name) -> bool {
    node.parent().is_some_and(|parent| parent.name() == root && parent.parent().is_none())
}

fn tax_total_of(amount: Node<'_>) -> Option<Node<'_>> {
    let parent = amount.parent()?;
    match parent.name() {
        cac::TAX_TOTAL if amount.name() == cbc::TAX_AMOUNT => Some(parent),
        cac::TAX_SUBTOTAL => parent.parent().filter(|total| total.name() == cac::TAX_TOTAL),
        _ => None,
    }
}

/// `cac:TaxTotal[cbc:TaxAmount/@currencyID = /*/cbc:DocumentCurrencyCode]`
fn is_in_document_currency(amount: Node<'_>, facts: &Facts) -> bool {
    let total = tax_total_of(amount);
    total.is_some_and(|total| facts.shared.tax_totals.binary_search(&total.index()).is_ok())
}

/// `cac:LegalMonetaryTotal`
pub(super) const MONETARY: Group<Facts> = &[
    Rule {
        id: "ibr-012",
        term: "IBT-106",
        about: &[cbc::LINE_EXTENSION_AMOUNT],
        message: "The sum of the lines is missing.",
        fix: "Give the sum of the net amounts of the lines.",
        holds: |total, _| total.child(cbc::LINE_EXTENSION_AMOUNT).is_some(),
    },
    Rule {
        id: "ibr-013",
        term: "IBT-109",
        about: &[cbc::TAX_EXCLUSIVE_AMOUNT],
        message: "The total without tax is missing.",
        fix: "Give the total of the document without tax.",
        holds: |total, _| total.child(cbc::TAX_EXCLUSIVE_AMOUNT).is_some(),
    },
    Rule {
        id: "ibr-014",
        term: "IBT-112",
        about: &[cbc::TAX_INCLUSIVE_AMOUNT],
        message: "The total with tax is missing.",
        fix: "Give the total of the document with tax.",
        holds: |total, _| total.child(cbc::TAX_INCLUSIVE_AMOUNT).is_some(),
    },
    Rule {
        id: "ibr-015",
        term: "IBT-115",
        about: &[cbc::PAYABLE_AMOUNT],
        message: "The amount to be paid is missing.",
        fix: "Give the amount that is due.",
        holds: |total, _| total.child(cbc::PAYABLE_AMOUNT).is_some(),
    },
    Rule {
        id: "ibr-091",
        term: "IBT-115",
        about: &[cbc::PAYABLE_AMOUNT],
        message: "The amount to be paid has more than two decimals.",
        fix: "Write it with two decimals.",
        holds: |total, _| xpath::at_most_decimals(2, total.all(cbc::PAYABLE_AMOUNT)),
    },
    Rule {
        id: "ibr-121",
        term: "IBT-107",
        about: &[cbc::ALLOWANCE_TOTAL_AMOUNT],
        message: "The total of allowances has more than two decimals.",
        fix: "Write it with two decimals.",
        holds: |total, _| xpath::at_most_decimals(2, total.all(cbc::ALLOWANCE_TOTAL_AMOUNT)),
    },
    Rule {
        id: "ibr-122",
        term: "IBT-108",
        about: &[cbc::CHARGE_TOTAL_AMOUNT],
        message: "The total of charges has more than two decimals.",
        fix: "Write it with two decimals.",
        holds: |total, _| xpath::at_most_decimals(2, total.all(cbc::CHARGE_TOTAL_AMOUNT)),
    },
    Rule {
        id: "ibr-123",
        term: "IBT-109",
        about: &[cbc::TAX_EXCLUSIVE_AMOUNT],
        message: "The total without tax has more than two decimals.",
        fix: "Write it with two decimals.",
        holds: |total, _| xpath::at_most_decimals(2, total.all(cbc::TAX_EXCLUSIVE_AMOUNT)),
    },
    Rule {
        id: "ibr-125",
        term: "IBT-112",
        about: &[cbc::TAX_INCLUSIVE_AMOUNT],
        message: "The total with tax has more than two decimals.",
        fix: "Write it with two decimals.",
        holds: |total, _| xpath::at_most_decimals(2, total.all(cbc::TAX_INCLUSIVE_AMOUNT)),
    },
    Rule {
        id: "ibr-co-10",
        term: "IBT-106",
        about: &[cbc::LINE_EXTENSION_AMOUNT],
        message: "The sum of the lines is not the sum of their net amounts.",
        fix: "Add up the net amounts of all lines, rounded to two decimals.",
        holds: |total, facts| {
            equals(amount(total, cbc::LINE_EXTENSION_AMOUNT), &cents(&facts.shared.line_total))
        },
    },
    Rule {
        id: "ibr-co-11",
        term: "IBT-107",
        about: &[cbc::ALLOWANCE_TOTAL_AMOUNT],
        message: "The total of allowances is not the sum of the allowances of the document.",
        fix: "Add up the allowances of the document. Leave the total out if there are none.",
        holds: |total, facts| {
            beside(total, facts, |document| {
                is_sum(total, cbc::ALLOWANCE_TOTAL_AMOUNT, &document.allowances)
            })
        },
    },
    Rule {
        id: "ibr-co-12",
        term: "IBT-108",
        about: &[cbc::CHARGE_TOTAL_AMOUNT],
        message: "The total of charges is not the sum of the charges of the document.",
        fix: "Add up the charges of the document. Leave the total out if there are none.",
        holds: |total, facts| {
            beside(total, facts, |document| {
                is_sum(total, cbc::CHARGE_TOTAL_AMOUNT, &document.charges)
            })
        },
    },
    Rule {
        id: "ibr-co-13",
        term: "IBT-109",
        about: &[cbc::TAX_EXCLUSIVE_AMOUNT],
        message: "The total without tax is not the sum of the lines, less allowances, plus charges.",
        fix: "Take the sum of the lines, subtract the allowances and add the charges.",
        holds: |total, facts| {
            beside(total, facts, |document| document.tax_included) || is_net_total(total)
        },
    },
    Rule {
        id: "ibr-co-16",
        term: "IBT-115",
        about: &[cbc::PAYABLE_AMOUNT],
        message: "The amount to be paid is not the total with tax minus the paid amount plus rounding.",
        fix: "Take the total with tax, subtract the amount paid before, and add the rounding.",
        holds: |total, _| is_payable(total) == Ok(Some(true)),
    },
];

/// `/ubl:Invoice/cac:TaxTotal | /cn:CreditNote/cac:Taxtotal`
pub(super) const TAX_TOTAL: Group<Facts> = &[
    Rule {
        id: "ibr-124",
        term: "IBT-110",
        about: &[cbc::TAX_AMOUNT],
        message: "The total of the tax has more than two decimals.",
        fix: "Write it with two decimals.",
        holds: |total, _| xpath::at_most_decimals(2, total.all(cbc::TAX_AMOUNT)),
    },
    Rule {
        id: "ibr-co-14",
        term: "IBT-110",
        about: &[cbc::TAX_AMOUNT],
        message: "The total of the tax is not the sum over the tax categories.",
        fix: "Add up the tax amounts of the breakdown, rounded to two decimals.",
        holds: |total, _| {
            total.child(cac::TAX_SUBTOTAL).is_none() || {
                let sum = xpath::sum(total.all(cac::TAX_SUBTOTAL), cbc::TAX_AMOUNT);
                equals(amount(total, cbc::TAX_AMOUNT), &cents(&sum))
            }
        },
    },
];

/// `//cac:TaxSubtotal`
pub(super) const SUBTOTAL: Group<Facts> = &[Rule {
    id: "ibr-sr-32",
    term: "IBT-120",
    about: &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON],
    message: "The tax category has more than one exemption reason.",
    fix: "Give one text.",
    holds: |subtotal, _| once(subtotal, once::CATEGORY_EXEMPTION_REASONS),
}];

const CURRENCY: Rule<Facts> = Rule {
    id: "ibr-126",
    term: "IBT-005",
    about: &[],
    message: "The amount is not in the currency of the document.",
    fix: "Give the amount in the document's currency, and say so.",
    holds: |amount, facts| {
        let currency = amount.attribute(attr::CURRENCY_ID);
        currency.is_some_and(|currency| facts.shared.currencies.contains(currency))
            || amount.ancestors().any(|node| node.name() == cac::ITEM_PRICE_EXTENSION)
    },
};

/// `cbc:Amount | cbc:BaseAmount | cbc:PriceAmount | cbc:LineExtensionAmount | …`
pub(super) const AMOUNT: Group<Facts> = &[CURRENCY];

/// What a tax amount has to obey: in a total of the document's currency the rule on currencies,
/// in another total, where that context does not match, the next one, against empty elements.
pub(super) const TAX_AMOUNT: Group<Facts> = &[
    Rule {
        holds: |amount, facts| {
            !is_in_document_currency(amount, facts) || (CURRENCY.holds)(amount, facts)
        },
        ..CURRENCY
    },
    Rule {
        holds: |amount, facts| !form::is_empty(amount) || is_in_document_currency(amount, facts),
        ..form::NOT_EMPTY
    },
];

fn amount(total: Node<'_>, name: Name) -> Evaluated<Option<Decimal>> {
    xpath::decimal(total.all(name))
}

fn cents(value: &Evaluated<Decimal>) -> Evaluated<Decimal> {
    value.as_ref().map(Decimal::cents).map_err(|error| *error)
}

fn equals(amount: Evaluated<Option<Decimal>>, expected: &Evaluated<Decimal>) -> bool {
    matches!((amount, expected), (Ok(Some(amount)), Ok(expected)) if amount == *expected)
}

/// Whether a total satisfies a condition on its siblings.
fn beside(
    total: Node<'_>,
    facts: &Facts,
    check: impl FnOnce(&super::facts::Allowances) -> bool,
) -> bool {
    total.parent().is_some_and(|document| facts.shared.allowances.with(document, check))
}

/// Whether a total equals the sum of the chosen amounts. Without any, the total must be absent.
fn is_sum(total: Node<'_>, name: Name, chosen: &super::facts::Chosen) -> bool {
    match amount(total, name) {
        Ok(None) => chosen.some == Ok(false),
        amount => equals(amount, &cents(&chosen.sum)),
    }
}

/// The currency that ibr-126 expects: the document currency, if there is exactly one.
pub(super) fn expected_currency<'d>(amount: Node<'d>, facts: &Facts) -> Option<Expected<'d>> {
    let currency = facts.shared.currencies.only()?.to_owned();
    let found = amount.attribute(attr::CURRENCY_ID).unwrap_or_default().to_owned();
    Some(Expected { at: None, found: Some(found), value: currency })
}

/// The amount that a rule about a total expects.
pub(super) fn expected<'d>(id: &str, total: Node<'d>, facts: &Facts) -> Option<Expected<'d>> {
    let chosen = |choose: fn(&super::facts::Allowances) -> &super::facts::Chosen| {
        let sum = |document: &_| cents(&choose(document).sum).ok();
        facts.shared.allowances.with(total.parent()?, sum)
    };
    let rounded = |name| Some((name, amount(total, name).ok()??.cents()));
    let (name, due) = match id {
        "ibr-co-10" => (cbc::LINE_EXTENSION_AMOUNT, cents(&facts.shared.line_total).ok()?),
        "ibr-co-11" => (cbc::ALLOWANCE_TOTAL_AMOUNT, chosen(|it| &it.allowances)?),
        "ibr-co-12" => (cbc::CHARGE_TOTAL_AMOUNT, chosen(|it| &it.charges)?),
        "ibr-co-13" => (cbc::TAX_EXCLUSIVE_AMOUNT, net_total(total).ok()??),
        "ibr-co-14" => {
            let sum = xpath::sum(total.all(cac::TAX_SUBTOTAL), cbc::TAX_AMOUNT);
            (cbc::TAX_AMOUNT, cents(&sum).ok()?)
        }
        "ibr-co-16" => (cbc::PAYABLE_AMOUNT, payable(total).ok()??),
        "ibr-091" => rounded(cbc::PAYABLE_AMOUNT)?,
        "ibr-121" => rounded(cbc::ALLOWANCE_TOTAL_AMOUNT)?,
        "ibr-122" => rounded(cbc::CHARGE_TOTAL_AMOUNT)?,
        "ibr-123" => rounded(cbc::TAX_EXCLUSIVE_AMOUNT)?,
        "ibr-124" => rounded(cbc::TAX_AMOUNT)?,
        "ibr-125" => rounded(cbc::TAX_INCLUSIVE_AMOUNT)?,
        _ => return None,
    };
    // With several amounts, no value is expected.
    let at = xpath::lone(total.all(name)).ok()?;
    Some(Expected::amount(at, due))
}

fn is_net_total(total: Node<'_>) -> bool {
    let net = amount(total, cbc::TAX_EXCLUSIVE_AMOUNT);
    matches!((net, net_total(total)), (Ok(Some(net)), Ok(Some(sum))) if net == sum)
}

/// The total without tax. Without allowances and charges, it is not rounded.
fn net_total(total: Node<'_>) -> Evaluated<Option<Decimal>> {
    let lines = amount(total, cbc::LINE_EXTENSION_AMOUNT)?;
    let charges = amount(total, cbc::CHARGE_TOTAL_AMOUNT)?;
    let allowances = amount(total, cbc::ALLOWANCE_TOTAL_AMOUNT)?;
    Ok(lines.map(|lines| match (charges, allowances) {
        (None, None) => lines,
        (charges, allowances) => lines
            .plus(&charges.unwrap_or(Decimal::ZERO))
            .minus(&allowances.unwrap_or(Decimal::ZERO))
            .cents(),
    }))
}

/// The payable amount for which both sides of ibr-co-16 are equal; `None` if there is none.
fn payable(total: Node<'_>) -> Evaluated<Option<Decimal>> {
    let part = |name| Ok(amount(total, name)?.unwrap_or(Decimal::ZERO));
    let (paid, rounding) = (part(cbc::PREPAID_AMOUNT)?, part(cbc::PAYABLE_ROUNDING_AMOUNT)?);
    let Some(gross) = amount(total, cbc::TAX_INCLUSIVE_AMOUNT)? else { return Ok(None) };
    let due = if paid.is_zero() { gross } else { gross.minus(&paid).cents() };
    let is_reached = rounding.is_zero() || due == due.cents();
    Ok(is_reached.then(|| due.plus(&rounding)))
}

/// Checks the payable amount; `None` if an amount is missing. An amount of zero counts as missing. A side without the
/// optional part is not rounded.
fn is_payable(total: Node<'_>) -> Evaluated<Option<bool>> {
    let part = |name| Ok(amount(total, name)?.filter(|value| !value.is_zero()));
    let less = |whole: Decimal, part: Option<Decimal>| match part {
        Some(part) => whole.minus(&part).cents(),
        None => whole,
    };
    let paid = part(cbc::PREPAID_AMOUNT)?;
    let rounding = part(cbc::PAYABLE_ROUNDING_AMOUNT)?;
    let payable = amount(total, cbc::PAYABLE_AMOUNT)?;
    let gross = amount(total, cbc::TAX_INCLUSIVE_AMOUNT)?;
    Ok(payable.zip(gross).map(|(payable, gross)| less(payable, rounding) == less(gross, paid)))
}
