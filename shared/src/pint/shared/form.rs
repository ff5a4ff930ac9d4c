//! The form of values on any element: dates, times, attachments, no empty elements.

use super::Facts;
use crate::rules::{Group, Rule, xpath};
use crate::xml::Node;
use crate::xml::names::{attr, cbc};
use crate::xml::normalize_space;

/// The contexts that match the end of an element name.
pub(super) fn of_name(node: Node<'_>) -> Option<Group<Facts>> {
    // The searched endings contain no colon, so the local name ends as the full name does.
    let name = node.local_name();
    if name.ends_with("Time") && node.namespace() == cbc::ID.namespace() {
        return Some(TIME);
    }
    name.ends_with("BinaryObject").then_some(BINARY_OBJECT)
}

/// `//*[not(*) and not(normalize-space())]`
pub(super) fn of_empty(node: Node<'_>) -> Option<Group<Facts>> {
    is_empty(node).then_some(EMPTY)
}

/// Whether an element contains neither elements nor text.
pub(super) fn is_empty(node: Node<'_>) -> bool {
    !xpath::exists(node.children()) && !node.has_text()
}

/// `cbc:IssueDate | cbc:DueDate | cbc:TaxPointDate | cbc:StartDate | cbc:EndDate |
/// cbc:ActualDeliveryDate`
pub(super) const DATE: Group<Facts> = &[Rule {
    id: "ibr-073",
    term: "",
    about: &[],
    message: "This is not a date of the form YYYY-MM-DD.",
    fix: "Write year, month and day, such as 2026-11-21, without a time zone.",
    holds: |date, _| {
        let length = xpath::own_text(std::iter::once(date)).map(|text| text.chars().count());
        length == Ok(10) && xpath::date(&date.text()).is_ok()
    },
}];

/// `//*[namespace-uri() = '…CommonBasicComponents-2' and ends-with(local-name(), 'Time')]`
pub(super) const TIME: Group<Facts> = &[Rule {
    id: "ibr-119",
    term: "IBT-168",
    about: &[],
    message: "This is not a time of the form hh:mm:ss.",
    fix: "Write hours, minutes and seconds, such as 17:38:00+04:00. The zone is optional.",
    holds: |time, _| xpath::is_time(&time.text()),
}];

/// `//*[ends-with(name(), 'BinaryObject')]`
pub(super) const BINARY_OBJECT: Group<Facts> = &[
    Rule {
        id: "ibr-074",
        term: "IBT-125",
        about: &[],
        message: "The attached document does not say which kind of file it is.",
        fix: "Give the MIME code, such as application/pdf.",
        holds: |object, _| object.attribute(attr::MIME_CODE).is_some(),
    },
    Rule {
        id: "ibr-075",
        term: "IBT-125",
        about: &[],
        message: "The attached document has no file name.",
        fix: "Give the name of the file.",
        holds: |object, _| object.attribute(attr::FILENAME).is_some(),
    },
];

/// `cbc:TaxCurrencyCode`
pub(super) const TAX_CURRENCY: Group<Facts> = &[Rule {
    id: "ibr-077",
    term: "IBT-006",
    about: &[],
    message: "The currency for the tax is that of the document.",
    fix: "Name a tax currency only when it differs from the currency of the document.",
    holds: |code, facts| {
        let Ok(text) = xpath::own_text(std::iter::once(code)) else { return false };
        let differs = |parent| {
            facts.shared.currency.with(parent, |currency| {
                currency.0.as_ref().is_ok_and(|currency| *currency != normalize_space(text))
            })
        };
        code.parent().is_some_and(differs)
    },
}];

/// `//*[not(*) and not(normalize-space())]`
pub(super) const EMPTY: Group<Facts> = &[NOT_EMPTY];

/// The rule about empty elements.
pub(super) const NOT_EMPTY: Rule<Facts> = Rule {
    id: "ibr-079",
    term: "",
    about: &[],
    message: "The element is empty.",
    fix: "Give it a value or leave it out.",
    holds: |_, _| false,
};
