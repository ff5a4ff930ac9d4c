//! The transaction, and the terms of the invoice or credit note that the report repeats.

use std::borrow::Cow;

use crate::codes::TAX_DATA_CURRENCIES;
use crate::rules::xpath::{Evaluated, normalized};
use crate::rules::{Group, Rule};
use crate::xml::names::{attr, cac, cbc, ext, tdd};
use crate::xml::{Name, Node};

/// `/pxs:TaxData/pxs:ReportedTransaction`
pub(super) const TRANSACTION: Group<()> = &[
    Rule {
        id: "ibr-tdd-22",
        term: "TDG-002",
        about: &[tdd::REPORTED_DOCUMENT],
        message: "The transaction has no reported document.",
        fix: "Add the reported document; only a report of type F (failed) needs none.",
        holds: |transaction, _| {
            transaction.child(tdd::REPORTED_DOCUMENT).is_some() || is_failure(transaction)
        },
    },
    Rule {
        id: "ibr-tdd-23",
        term: "TDG-003",
        about: &[tdd::SOURCE_DOCUMENT],
        message: "The transaction has no source document.",
        fix: "Embed the invoice or credit note that is reported.",
        holds: |transaction, _| transaction.child(tdd::SOURCE_DOCUMENT).is_some(),
    },
];

/// `/pxs:TaxData/pxs:ReportedTransaction/pxs:ReportedDocument`
pub(super) const DOCUMENT: Group<()> = &[
    Rule {
        id: "ibr-tdd-24",
        term: "IBT-024",
        about: &[cbc::CUSTOMIZATION_ID],
        message: "The reported document has no specification identifier.",
        fix: "Copy it from the source document.",
        holds: |document, _| document.child(cbc::CUSTOMIZATION_ID).is_some(),
    },
    Rule {
        id: "ibr-tdd-25",
        term: "IBT-023",
        about: &[cbc::PROFILE_ID],
        message: "The reported document has no business process.",
        fix: "Copy it from the source document.",
        holds: |document, _| document.child(cbc::PROFILE_ID).is_some(),
    },
    Rule {
        id: "ibr-tdd-26",
        term: "IBT-001",
        about: &[cbc::ID],
        message: "The reported document has no number.",
        fix: "Copy it from the source document.",
        holds: |document, _| document.child(cbc::ID).is_some(),
    },
    Rule {
        id: "ibr-tdd-27",
        term: "BTAE-07",
        about: &[cbc::UUID],
        message: "The reported document has no UUID.",
        fix: "Copy it from the source document.",
        holds: |document, _| document.child(cbc::UUID).is_some(),
    },
    Rule {
        id: "ibr-tdd-28",
        term: "IBT-002",
        about: &[cbc::ISSUE_DATE],
        message: "The reported document has no issue date.",
        fix: "Copy it from the source document.",
        holds: |document, _| document.child(cbc::ISSUE_DATE).is_some(),
    },
    Rule {
        id: "ibr-tdd-29",
        term: "IBT-003",
        about: &[tdd::DOCUMENT_TYPE_CODE],
        message: "The reported document has no type code.",
        fix: "Copy it from the source document, as pxs:DocumentTypeCode.",
        holds: |document, _| document.child(tdd::DOCUMENT_TYPE_CODE).is_some(),
    },
    Rule {
        id: "ibr-tdd-30",
        term: "IBT-005",
        about: &[cbc::DOCUMENT_CURRENCY_CODE],
        message: "The reported document has no currency.",
        fix: "Copy it from the source document.",
        holds: |document, _| document.child(cbc::DOCUMENT_CURRENCY_CODE).is_some(),
    },
    Rule {
        id: "ibr-tdd-30-1",
        term: "IBT-005",
        about: &[cbc::DOCUMENT_CURRENCY_CODE],
        message: "The currency of the reported document is not one of the known codes.",
        fix: "Give the ISO 4217 code of the currency, such as AED.",
        holds: |document, _| is_absent_or_known(document, cbc::DOCUMENT_CURRENCY_CODE),
    },
    Rule {
        id: "ibr-tdd-31",
        term: "IBT-006",
        about: &[cbc::TAX_CURRENCY_CODE],
        message: "The currency for tax accounting is that of the document.",
        fix: "Leave out the currency for tax accounting, unless it is another one.",
        holds: |document, _| {
            document.child(cbc::TAX_CURRENCY_CODE).is_none()
                || currencies(document).is_ok_and(|(own, tax)| own != tax)
        },
    },
    Rule {
        id: "ibr-tdd-31-1",
        term: "IBT-006",
        about: &[cbc::TAX_CURRENCY_CODE],
        message: "The currency for tax accounting is not one of the known codes.",
        fix: "Give the ISO 4217 code of the currency, which is AED.",
        holds: |document, _| is_absent_or_known(document, cbc::TAX_CURRENCY_CODE),
    },
    Rule {
        id: "ibr-tdd-32",
        term: "IBG-04",
        about: &[cac::ACCOUNTING_SUPPLIER_PARTY],
        message: "The reported document has no seller.",
        fix: "Add the seller with the tax identifier of the source document.",
        holds: |document, _| document.child(cac::ACCOUNTING_SUPPLIER_PARTY).is_some(),
    },
    Rule {
        id: "ibr-tdd-33",
        term: "IBG-07",
        about: &[cac::ACCOUNTING_CUSTOMER_PARTY],
        message: "The reported document has no buyer, and the source document is not an export.",
        fix: "Add the buyer, or set the exports flag in the source document if it is one.",
        holds: |document, _| {
            document.child(cac::ACCOUNTING_CUSTOMER_PARTY).is_some() || is_export(document)
        },
    },
    Rule {
        id: "ibr-tdd-34",
        term: "IBT-110",
        about: &[cac::TAX_TOTAL],
        message: "The reported document does not have one total of tax for each currency.",
        fix: "Give a total in the document's currency, and one in that of tax accounting if any.",
        holds: |document, _| {
            let currencies = 1 + usize::from(document.child(cbc::TAX_CURRENCY_CODE).is_some());
            document.all(cac::TAX_TOTAL).count() == currencies
        },
    },
    Rule {
        id: "ibr-tdd-35",
        term: "IBT-110",
        about: &[cac::TAX_TOTAL],
        message: "There is not exactly one total of tax in the document's currency.",
        fix: "Give one, with the document's currency as its currencyID.",
        holds: |document, _| has_one_total_in(document, cbc::DOCUMENT_CURRENCY_CODE),
    },
    Rule {
        id: "ibr-tdd-36",
        term: "IBT-111",
        about: &[cac::TAX_TOTAL],
        message: "There is not exactly one total of tax in the currency for tax accounting.",
        fix: "Give one, with that currency as its currencyID.",
        holds: |document, _| {
            document.child(cbc::TAX_CURRENCY_CODE).is_none()
                || has_one_total_in(document, cbc::TAX_CURRENCY_CODE)
        },
    },
    Rule {
        id: "ibr-tdd-37",
        term: "IBG-22",
        about: &[tdd::MONETARY_TOTAL],
        message: "The reported document does not have exactly one block of totals.",
        fix: "Give one pxs:MonetaryTotal with the total without VAT.",
        holds: |document, _| document.all(tdd::MONETARY_TOTAL).count() == 1,
    },
    Rule {
        id: "ibr-tdd-38",
        term: "IBT-109",
        about: &[tdd::MONETARY_TOTAL, cbc::TAX_EXCLUSIVE_AMOUNT],
        message: "The total without VAT is not in the document's currency.",
        fix: "Give it with the document's currency as its currencyID.",
        holds: |document, _| {
            let totals = document.all(tdd::MONETARY_TOTAL);
            // Without exactly one total the currency does not matter, not even two of them.
            totals.clone().count() != 1
                || normalized(document.all(cbc::DOCUMENT_CURRENCY_CODE)).is_ok_and(|currency| {
                    count_in(totals, cbc::TAX_EXCLUSIVE_AMOUNT, &currency) == 1
                })
        },
    },
];

/// Whether the report has type F.
fn is_failure(node: Node<'_>) -> bool {
    let types = node.tree().root().all(tdd::DOCUMENT_TYPE_CODE);
    normalized(types).as_deref() == Ok("F")
}

/// Whether the eighth transaction flag (BTAE-02) of the embedded document is set.
fn is_export(document: Node<'_>) -> bool {
    const CONTENT: &[Name] = &[tdd::SOURCE_DOCUMENT, ext::EXTENSION_CONTENT];
    let contents = document.parent().into_iter().flat_map(|above| above.select(CONTENT));
    let flags = contents.flat_map(Node::children).flat_map(|d| d.all(cbc::PROFILE_EXECUTION_ID));
    normalized(flags).is_ok_and(|flags| {
        flags.len() == 8 && flags.bytes().all(|b| matches!(b, b'0' | b'1')) && flags.ends_with('1')
    })
}

/// The document currency and the tax accounting currency; empty if absent.
fn currencies(document: Node<'_>) -> Evaluated<(Cow<'_, str>, Cow<'_, str>)> {
    let of = |name| normalized(document.all(name));
    Ok((of(cbc::DOCUMENT_CURRENCY_CODE)?, of(cbc::TAX_CURRENCY_CODE)?))
}

fn is_absent_or_known(document: Node<'_>, name: Name) -> bool {
    document.child(name).is_none()
        || normalized(document.all(name)).is_ok_and(|code| TAX_DATA_CURRENCIES.contains(&code))
}

/// Whether exactly one tax total has the currency that the element `currency` names.
fn has_one_total_in(document: Node<'_>, currency: Name) -> bool {
    normalized(document.all(currency)).is_ok_and(|currency| {
        count_in(document.all(cac::TAX_TOTAL), cbc::TAX_AMOUNT, &currency) == 1
    })
}

/// `count(totals[amount/@currencyID = currency])`
fn count_in<'d>(totals: impl Iterator<Item = Node<'d>>, amount: Name, currency: &str) -> usize {
    let is_in = |amount: Node<'_>| amount.attribute(attr::CURRENCY_ID) == Some(currency);
    totals.filter(|total| total.all(amount).any(is_in)).count()
}
