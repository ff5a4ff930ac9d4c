//! The totals of the reported document.

use super::has_none_of;
use crate::rules::xpath::normalized;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, cbc};

/// The further children of a UBL tax total, beside the amount.
const TAX_CHILDREN: &[&str] =
    &["RoundingAmount", "TaxEvidenceIndicator", "TaxIncludedIndicator", "TaxSubtotal"];

/// `…/pxs:ReportedDocument/cac:TaxTotal`
pub(super) const TAX_TOTAL: Group<()> = &[Rule {
    id: "ibr-tdd-51",
    term: "IBT-110",
    about: &[],
    message: "The total of tax has more than the amount.",
    fix: "Remove all but cbc:TaxAmount.",
    holds: |total, _| has_none_of(total, TAX_CHILDREN, &[]),
}];

/// `…/pxs:ReportedDocument/pxs:MonetaryTotal`
pub(super) const TOTAL: Group<()> = &[
    Rule {
        id: "ibr-tdd-52",
        term: "IBT-109",
        about: &[cbc::TAX_EXCLUSIVE_AMOUNT],
        message: "The total without VAT is missing.",
        fix: "Copy it from the source document.",
        holds: |total, _| total.child(cbc::TAX_EXCLUSIVE_AMOUNT).is_some(),
    },
    Rule {
        id: "ibr-tdd-53",
        term: "IBT-109",
        about: &[cbc::TAX_EXCLUSIVE_AMOUNT],
        message: "The total without VAT is not in the document's currency.",
        fix: "Give it with the document's currency as its currencyID.",
        holds: |total, _| {
            let document = total.parent().into_iter();
            let currencies = document.flat_map(|node| node.all(cbc::DOCUMENT_CURRENCY_CODE));
            normalized(currencies).is_ok_and(|currency| {
                let is_in =
                    |amount: Node<'_>| amount.attribute(attr::CURRENCY_ID) == Some(&*currency);
                total.all(cbc::TAX_EXCLUSIVE_AMOUNT).any(is_in)
            })
        },
    },
    Rule {
        id: "ibr-tdd-54",
        term: "IBT-112",
        about: &[cbc::TAX_INCLUSIVE_AMOUNT],
        message: "The total with VAT is given, which must not be reported.",
        fix: "Remove the total with VAT.",
        holds: |total, _| total.child(cbc::TAX_INCLUSIVE_AMOUNT).is_none(),
    },
];
