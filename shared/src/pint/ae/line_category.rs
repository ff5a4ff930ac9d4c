//! The rules of each VAT category for a line: `cac:Item/cac:ClassifiedTaxCategory` of scheme VAT.

use super::category::{Category, has_rate_above_zero, has_rate_zero, matched};
use super::facts::VatInAed;
use crate::pint::Facts;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// Category S.
pub(super) const STANDARD: Group<Facts> = &[Rule {
    id: "aligned-ibrp-s-05",
    term: "IBT-152",
    about: &[cbc::PERCENT],
    message: "The VAT rate of a line of category S is not above zero.",
    fix: "Write 5, or use category Z for supplies at zero.",
    holds: |category, _| has_rate_above_zero(category),
}];

/// Category Z.
pub(super) const ZERO: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-z-05",
        term: "IBT-152",
        about: &[cbc::PERCENT],
        message: "The VAT rate of a line of category Z is not 0.",
        fix: "Write 0, or use another category.",
        holds: |category, _| has_rate_zero(category),
    },
    Rule {
        id: "ibr-165-ae",
        term: "BTAE-08",
        about: &[],
        message: "The VAT of a line of category Z is not 0.",
        fix: "Write 0 as the VAT of the line in AED.",
        holds: |category, facts| vat(category, facts) == Some(VatInAed::Zero),
    },
];

/// Category E.
pub(super) const EXEMPT: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-e-05",
        term: "IBT-152",
        about: &[cbc::PERCENT],
        message: "A line of category E has a VAT rate.",
        fix: "Leave the rate out.",
        holds: |category, _| category.child(cbc::PERCENT).is_none(),
    },
    Rule {
        id: "ibr-163-ae",
        term: "BTAE-08",
        about: &[],
        message: "A line of category E has an amount of VAT.",
        fix: "Leave the VAT of the line in AED out.",
        holds: |category, facts| vat(category, facts) == Some(VatInAed::None),
    },
];

/// Category O.
pub(super) const OUT_OF_SCOPE: Group<Facts> = &[Rule {
    id: "aligned-ibrp-o-05",
    term: "IBT-152",
    about: &[cbc::PERCENT],
    message: "A line of category O has a VAT rate.",
    fix: "Leave the rate out.",
    holds: |category, _| category.child(cbc::PERCENT).is_none(),
}];

/// Category AE.
pub(super) const REVERSE_CHARGE: Group<Facts> = &[
    Rule {
        id: "aligned-ibrp-ae-05-ae",
        term: "IBT-152",
        about: &[],
        message: "A line of category AE has no VAT rate.",
        fix: "Give the rate at which the buyer accounts for VAT.",
        holds: |category, _| category.child(cbc::PERCENT).is_some(),
    },
    Rule {
        id: "ibr-103-ae",
        term: "IBT-048",
        about: &[],
        message: "VAT is due by reverse charge, but the buyer has no VAT identifier.",
        fix: "Give the buyer's TRN.",
        holds: |category, facts| {
            let document = line(category).and_then(Node::parent);
            document.is_some_and(|document| facts.ae.below(document).buyer_has_tax_id)
        },
    },
    Rule {
        id: "ibr-162-ae",
        term: "BTAE-08",
        about: &[],
        message: "The VAT of a line of category AE is not 0.",
        fix: "Write 0 as the VAT of the line in AED: the buyer accounts for it.",
        holds: |category, facts| vat(category, facts) == Some(VatInAed::Zero),
    },
    Rule {
        id: "ibr-174-ae",
        term: "IBT-157",
        about: &[],
        message: "An item under reverse charge has no standard identifier of scheme 0160.",
        fix: "Give the GTIN of the item with the scheme 0160.",
        holds: |category, facts| {
            let item = category.parent();
            item.is_some_and(|item| facts.ae.trade_items.get(item).is_some())
        },
    },
];

/// The group of a `cac:ClassifiedTaxCategory`.
pub(super) fn group(node: Node<'_>) -> Option<Group<Facts>> {
    let item = node.parent().filter(|item| item.name() == cac::ITEM)?;
    if !matches!(item.parent()?.name(), cac::INVOICE_LINE | cac::CREDIT_NOTE_LINE) {
        return None;
    }
    match matched(node)? {
        Category::Standard => Some(STANDARD),
        Category::Zero => Some(ZERO),
        Category::Exempt => Some(EXEMPT),
        Category::OutOfScope => Some(OUT_OF_SCOPE),
        Category::ReverseCharge => Some(REVERSE_CHARGE),
        Category::Margin => None,
    }
}

fn line(category: Node<'_>) -> Option<Node<'_>> {
    category.parent()?.parent()
}

/// `../../cac:ItemPriceExtension/cac:TaxTotal/cbc:TaxAmount`
fn vat(category: Node<'_>, facts: &Facts) -> Option<VatInAed> {
    facts.ae.vat_in_aed.get(line(category)?).copied()
}
