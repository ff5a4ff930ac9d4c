//! Items: `cac:Item`.

use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// `cac:Item`
pub(super) const ITEM: Group<Facts> = &[
    Rule {
        id: "ibr-125-ae",
        term: "IBT-154",
        about: &[cbc::DESCRIPTION],
        message: "The item has no description.",
        fix: "Describe the goods or services.",
        holds: |item, _| item.child(cbc::DESCRIPTION).is_some(),
    },
    Rule {
        id: "ibr-166-ae",
        term: "BTAE-09",
        about: &[cac::COMMODITY_CLASSIFICATION, cbc::NATURE_CODE],
        message: "VAT is due by reverse charge (AE), but the kind of goods or services is missing.",
        fix: "Give the code of the kind of goods or services, such as DL8.48.8.2.",
        holds: |item, _| {
            let mut categories = item.select(&[cac::CLASSIFIED_TAX_CATEGORY, cbc::ID]);
            categories.all(|id| id.text() != "AE")
                || item.find(&[cac::COMMODITY_CLASSIFICATION, cbc::NATURE_CODE]).is_some()
        },
    },
    Rule {
        id: "ibr-184-ae",
        term: "IBT-158",
        about: &[cac::COMMODITY_CLASSIFICATION, cbc::ITEM_CLASSIFICATION_CODE],
        message: "The item is goods (G), but has no classification.",
        fix: "Give its HS code.",
        holds: |item, _| !is_of_type(item, "G") || is_classified(item),
    },
    Rule {
        id: "ibr-185-ae",
        term: "BTAE-17",
        about: &[cac::ADDITIONAL_ITEM_IDENTIFICATION, cbc::ID],
        message: "The item is a service (S), but has no service accounting code.",
        fix: "Give its service accounting code (SAC).",
        holds: |item, _| !is_of_type(item, "S") || has_service_code(item),
    },
    Rule {
        id: "ibr-186-ae",
        term: "BTAE-13",
        about: &[],
        message: "The item is goods and services (B), but one of the two codes is missing.",
        fix: "Give its HS code and its service accounting code (SAC).",
        holds: |item, _| !is_of_type(item, "B") || (is_classified(item) && has_service_code(item)),
    },
    Rule {
        id: "ibr-187-ae",
        term: "",
        about: &[],
        message: "The item is wrong.",
        fix: "Nothing: this official rule is always obeyed.",
        holds: |_, _| true,
    },
    Rule {
        id: "ibr-188-ae",
        term: "IBT-158-1",
        about: &[cac::COMMODITY_CLASSIFICATION, cbc::ITEM_CLASSIFICATION_CODE],
        message: "The classification of the item is of another scheme than HS.",
        fix: "Classify the item by its HS code, and say so: HS.",
        holds: |item, _| {
            !is_classified(item)
                || classifications(item).any(|it| it.attribute(attr::LIST_ID) == Some("HS"))
        },
    },
    Rule {
        id: "ibr-189-ae",
        term: "BTAE-17-1",
        about: &[cac::ADDITIONAL_ITEM_IDENTIFICATION, cbc::ID],
        message: "The service accounting code of the item is not marked as SAC.",
        fix: "Give the scheme SAC with the service accounting code.",
        holds: |item, _| {
            !has_service_code(item)
                || service_codes(item).any(|it| it.attribute(attr::SCHEME_ID) == Some("SAC"))
        },
    },
];

fn is_of_type(item: Node<'_>, code: &str) -> bool {
    let mut types = item.select(&[cac::COMMODITY_CLASSIFICATION, cbc::COMMODITY_CODE]);
    types.any(|it| it.text() == code)
}

fn classifications<'d>(item: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    item.select(&[cac::COMMODITY_CLASSIFICATION, cbc::ITEM_CLASSIFICATION_CODE])
}

fn is_classified(item: Node<'_>) -> bool {
    classifications(item).next().is_some()
}

fn service_codes<'d>(item: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    item.select(&[cac::ADDITIONAL_ITEM_IDENTIFICATION, cbc::ID])
}

fn has_service_code(item: Node<'_>) -> bool {
    service_codes(item).next().is_some()
}
