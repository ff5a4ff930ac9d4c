//! Checks of lines: VAT category and amounts in AED.

use super::OwnFacts;
use crate::codes;
use crate::pint::ae::header::Flag;
use crate::rules::xpath::{self, Decimal};
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// `cac:ClassifiedTaxCategory`
pub(super) const TAX_CATEGORY: Group<OwnFacts> = &[
    Rule {
        // ibr-190-ae asks the breakdown and the document's allowances and charges alone.
        id: "AP-VAT-rate",
        term: "IBT-152",
        about: &[cbc::PERCENT],
        message: "The VAT rate of a line of category S is not 5.",
        fix: "Write 5: the UAE have no other standard rate.",
        holds: |category, _| {
            let rate = xpath::decimal(category.all(cbc::PERCENT));
            !is(category, "S") || !matches!(rate, Ok(Some(rate)) if rate != Decimal::whole(5))
        },
    },
    Rule {
        // ibr-167-ae asks for any code.
        id: "AP-VAT-exemption",
        term: "IBT-186",
        about: &[cbc::TAX_EXEMPTION_REASON_CODE],
        message: "The exemption reason is not one of the known codes.",
        fix: "Use DL8.46.1, DL8.46.2, DL8.46.3 or DL8.46.4.",
        holds: |category, _| {
            let mut reasons = category.all(cbc::TAX_EXEMPTION_REASON_CODE);
            reasons.all(|code| codes::EXEMPTIONS.contains(&code.normalized()))
        },
    },
    Rule {
        id: "AP-FLAG-margin",
        term: "IBT-151",
        about: &[cbc::ID],
        message: "Category N is for the margin scheme, whose flag 3 is not set.",
        fix: "Set flag 3 of the transaction type code, or use another category.",
        holds: |category, facts| !is(category, "N") || facts.has(Flag::Margin),
    },
    Rule {
        id: "AP-FLAG-exports-category",
        term: "IBT-151",
        about: &[cbc::ID],
        message: "A line of an export (flag 8) has the standard rate (S).",
        fix: "Exports are zero rated: use category Z, or remove flag 8.",
        holds: |category, facts| !is(category, "S") || !facts.has(Flag::Exports),
    },
    Rule {
        // The official rules allow Z, the specification does not.
        id: "AP-TYPE-out-of-scope",
        term: "IBT-151",
        about: &[cbc::ID],
        message: "Category Z is in a document out of scope of VAT.",
        fix: "Use E or O, or another type code.",
        holds: |category, facts| !is(category, "Z") || !facts.header.is_out_of_scope(),
    },
    Rule {
        id: "AP-TYPE-self-billed",
        term: "IBT-151",
        about: &[cbc::ID],
        message: "A self-billed document may only have the categories S, Z and AE.",
        fix: "The seller has to bill supplies of other categories.",
        holds: |category, facts| {
            let is_other = ["E", "O", "N"].into_iter().any(|code| is(category, code));
            !facts.is_self_billed || !is_other
        },
    },
];

/// `cac:ItemPriceExtension`
pub(super) const IN_AED: Group<OwnFacts> = &[Rule {
    id: "AP-LINE-aed",
    term: "BTAE-10",
    about: &[cbc::AMOUNT],
    message: "The amounts of the line in AED are marked with another currency.",
    fix: "Convert them to AED, and set their currency to AED.",
    holds: |extension, _| {
        let taxes = extension.select(&[cac::TAX_TOTAL, cbc::TAX_AMOUNT]);
        let mut currencies = extension
            .all(cbc::AMOUNT)
            .chain(taxes)
            .filter_map(|amount| amount.attribute(attr::CURRENCY_ID));
        currencies.all(|currency| currency == "AED")
    },
}];

fn is(category: Node<'_>, code: &str) -> bool {
    category.all(cbc::ID).any(|id| id.normalized() == code)
}
