//! Currencies and the exchange rate.

use crate::pint::Facts;
use crate::rules::xpath::some_equal;
use crate::rules::{Group, Rule};
use crate::xml::names::{attr, cac, cbc};
use crate::xml::{Name, Node};

/// `/ubl:Invoice | /cn:CreditNote`
pub(super) const CURRENCY: Group<Facts> = &[
    Rule {
        id: "ibr-140-ae",
        term: "IBT-006",
        about: &[cbc::TAX_CURRENCY_CODE],
        message: "The accounting currency of VAT is not AED.",
        fix: "Write AED, or leave it out of a document in AED.",
        holds: |root, _| {
            root.child(cbc::TAX_CURRENCY_CODE).is_none() || says(root, TAX_CURRENCY, is_aed)
        },
    },
    Rule {
        id: "ibr-153-ae",
        term: "BTAE-04",
        about: &[cac::TAX_EXCHANGE_RATE],
        message: "The exchange rate from the currency of the document to AED is incomplete.",
        fix: "Give the rate, the document's currency as its source, and AED as its target.",
        holds: |root, _| {
            !says(root, TAX_CURRENCY, is_aed)
                || !says(root, DOCUMENT_CURRENCY, is_foreign)
                || is_rate_complete(root)
        },
    },
    Rule {
        id: "ibr-159-ae",
        term: "BTAE-04",
        about: &[cac::TAX_EXCHANGE_RATE, cbc::CALCULATION_RATE],
        message: "The document is in a foreign currency, but the exchange rate is missing.",
        fix: "Give the exchange rate to AED.",
        holds: |root, facts| {
            says(root, DOCUMENT_CURRENCY, is_aed)
                || says(root, DOCUMENT_CURRENCY, is_foreign) && facts.ae.has_exchange_rate
        },
    },
    Rule {
        id: "ibr-175-ae",
        term: "BTAE-20",
        about: &[],
        message: "The document is in a foreign currency, but VAT in AED or the total in AED is \
                  missing.",
        fix: "Give AED as accounting currency, the total VAT in AED, and the total with VAT in AED.",
        holds: |root, _| {
            says(root, DOCUMENT_CURRENCY, is_aed)
                || says(root, DOCUMENT_CURRENCY, is_foreign)
                    && says(root, TAX_CURRENCY, is_aed)
                    && has_vat_in_aed(root)
                    && has_total_in_aed(root)
        },
    },
];

/// `cbc:CalculationRate`
pub(super) const RATE: Group<Facts> = &[Rule {
    id: "ibr-002-ae",
    term: "BTAE-04",
    about: &[],
    message: "The exchange rate is not a number with six decimals at most.",
    fix: "Write digits, and at most six of them after the point.",
    holds: |rate, _| {
        let text = rate.text();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0"));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        !whole.is_empty()
            && is_digits(whole)
            && is_digits(fraction)
            && (1..=6).contains(&fraction.len())
    },
}];

const DOCUMENT_CURRENCY: Name = cbc::DOCUMENT_CURRENCY_CODE;
const TAX_CURRENCY: Name = cbc::TAX_CURRENCY_CODE;

fn says(root: Node<'_>, name: Name, is_so: fn(&str) -> bool) -> bool {
    root.all(name).any(|code| is_so(&code.text()))
}

fn is_aed(code: &str) -> bool {
    code == "AED"
}

fn is_foreign(code: &str) -> bool {
    code != "AED"
}

fn is_rate_complete(root: Node<'_>) -> bool {
    let source = root.select(&[cac::TAX_EXCHANGE_RATE, cbc::SOURCE_CURRENCY_CODE]);
    let target = root.select(&[cac::TAX_EXCHANGE_RATE, cbc::TARGET_CURRENCY_CODE]);
    some_equal(source, root.all(DOCUMENT_CURRENCY))
        && some_equal(target, root.all(TAX_CURRENCY))
        && root.find(&[cac::TAX_EXCHANGE_RATE, cbc::CALCULATION_RATE]).is_some()
}

fn has_vat_in_aed(root: Node<'_>) -> bool {
    let mut amounts = root.select(&[cac::TAX_TOTAL, cbc::TAX_AMOUNT]);
    amounts.any(|amount| amount.attribute(attr::CURRENCY_ID) == Some("AED"))
}

/// Whether BTAE-20 is present. It is a document reference with its own type.
fn has_total_in_aed(root: Node<'_>) -> bool {
    root.all(cac::ADDITIONAL_DOCUMENT_REFERENCE).any(|reference| {
        let mut types = reference.all(cbc::DOCUMENT_TYPE_CODE);
        types.any(|code| code.text() == "aedtotal-incl-vat")
            && reference.child(cbc::DOCUMENT_DESCRIPTION).is_some()
    })
}
