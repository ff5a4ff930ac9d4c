//! Lines and their items.

use super::{
    Facts, facts,
    once::{self, once},
};
use crate::rules::xpath::{self, Evaluated};
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// `cac:InvoiceLine | cac:CreditNoteLine`
pub(super) const LINE: Group<Facts> = &[
    Rule {
        id: "ibr-021",
        term: "IBT-126",
        about: &[cbc::ID],
        message: "The line has no identifier.",
        fix: "Give every line its own identifier.",
        holds: |line, _| xpath::has_text(line.all(cbc::ID)),
    },
    Rule {
        id: "ibr-022",
        term: "IBT-129",
        about: &[],
        message: "The line has no quantity.",
        fix: "Give the quantity that is invoiced or credited.",
        holds: |line, _| quantities(line).next().is_some(),
    },
    Rule {
        id: "ibr-023",
        term: "IBT-130",
        about: &[],
        message: "The quantity of the line has no unit of measure.",
        fix: "Give a unit code of UN/ECE Recommendation 20, such as C62 for one piece.",
        holds: |line, _| {
            quantities(line).any(|quantity| quantity.attribute(attr::UNIT_CODE).is_some())
        },
    },
    Rule {
        id: "ibr-024",
        term: "IBT-131",
        about: &[cbc::LINE_EXTENSION_AMOUNT],
        message: "The line has no net amount.",
        fix: "Give the net amount of the line.",
        holds: |line, _| line.child(cbc::LINE_EXTENSION_AMOUNT).is_some(),
    },
    Rule {
        id: "ibr-025",
        term: "IBT-153",
        about: &[cac::ITEM, cbc::NAME],
        message: "The item of the line has no name.",
        fix: "Give the item a name.",
        holds: |line, _| xpath::has_text(line.select(&[cac::ITEM, cbc::NAME])),
    },
    Rule {
        id: "ibr-026",
        term: "IBT-146",
        about: &[cac::PRICE, cbc::PRICE_AMOUNT],
        message: "The line has no net price.",
        fix: "Give the price of the item after the discount.",
        holds: |line, _| line.find(&[cac::PRICE, cbc::PRICE_AMOUNT]).is_some(),
    },
    Rule {
        id: "ibr-027",
        term: "IBT-146",
        about: &[cac::PRICE, cbc::PRICE_AMOUNT],
        message: "The net price of the line is below nought.",
        fix: "Give a price of at least zero. For returned goods use a negative quantity.",
        holds: |line, _| some_not_negative(line.select(&[cac::PRICE, cbc::PRICE_AMOUNT])),
    },
    Rule {
        id: "ibr-028",
        term: "IBT-148",
        about: &[cac::PRICE, cac::ALLOWANCE_CHARGE, cbc::BASE_AMOUNT],
        message: "The gross price of the line is below nought.",
        fix: "Give a price of at least nought.",
        holds: |line, _| {
            let prices = || line.select(&[cac::PRICE, cac::ALLOWANCE_CHARGE, cbc::BASE_AMOUNT]);
            some_not_negative(prices()) || !xpath::exists(prices())
        },
    },
    Rule {
        id: "ibr-087",
        term: "IBT-149",
        about: &[cac::PRICE, cbc::BASE_QUANTITY],
        message: "The quantity that the price is for is not above nought.",
        fix: "Give the number of units that the price is for, often 1.",
        holds: |line, _| match xpath::decimal(line.select(&[cac::PRICE, cbc::BASE_QUANTITY])) {
            Ok(quantity) => quantity.is_none_or(|quantity| quantity > xpath::Decimal::ZERO),
            Err(_) => false,
        },
    },
    Rule {
        id: "ibr-089",
        term: "IBT-128",
        about: &[cac::DOCUMENT_REFERENCE],
        message: "The line has more than one invoiced object.",
        fix: "Give one invoiced object (document type 130) a line.",
        holds: |line, _| objects(line).is_ok_and(|objects| objects <= 1),
    },
    Rule {
        id: "ibr-109",
        term: "IBT-132",
        about: &[cac::ORDER_LINE_REFERENCE, cbc::LINE_ID],
        message: "The line refers to more than one order line.",
        fix: "Give one order line a line.",
        holds: |line, _| once(line, once::ORDER_LINES),
    },
    Rule {
        id: "ibr-110",
        term: "IBG-26",
        about: &[cac::INVOICE_PERIOD],
        message: "The line has more than one period.",
        fix: "Give one period a line.",
        holds: |line, _| once(line, once::PERIODS),
    },
    Rule {
        id: "ibr-111",
        term: "IBT-147",
        about: &[cac::PRICE, cac::ALLOWANCE_CHARGE, cbc::AMOUNT],
        message: "The price of the line has more than one discount.",
        fix: "Put the discounts on the price into one.",
        holds: |line, _| once(line, once::PRICE_DISCOUNTS),
    },
    Rule {
        id: "ibr-sr-34",
        term: "IBT-127",
        about: &[cbc::NOTE],
        message: "The line has more than one note.",
        fix: "Combine the notes into one.",
        holds: |line, _| once(line, once::NOTES),
    },
    Rule {
        id: "ibr-sr-38",
        term: "IBT-185",
        about: &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON],
        message: "The item has more than one tax exemption reason.",
        fix: "Give one text.",
        holds: |line, _| once(line, once::ITEM_EXEMPTION_REASONS),
    },
    Rule {
        id: "ibr-sr-50",
        term: "IBT-154",
        about: &[cac::ITEM, cbc::DESCRIPTION],
        message: "The item has more than one description.",
        fix: "Put the descriptions into one.",
        holds: |line, _| once(line, once::ITEM_DESCRIPTIONS),
    },
];

/// `//cac:AdditionalItemProperty`
pub(super) const PROPERTY: Group<Facts> = &[Rule {
    id: "ibr-054",
    term: "IBG-32",
    about: &[],
    message: "An attribute of the item lacks its name or its value.",
    fix: "Give both, or leave the attribute out.",
    holds: |property, _| {
        property.child(cbc::NAME).is_some() && property.child(cbc::VALUE).is_some()
    },
}];

/// `cac:InvoiceLine/cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode |
/// cac:CreditNoteLine/cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode`
pub(super) const CLASSIFICATION: Group<Facts> = &[Rule {
    id: "ibr-065",
    term: "IBT-158",
    about: &[],
    message: "The classification of the item does not say from which scheme it is.",
    fix: "Give the code of the scheme, such as HS.",
    holds: |code, _| code.attribute(attr::LIST_ID).is_some(),
}];

/// `cac:InvoiceLine/cac:Item/cac:StandardItemIdentification/cbc:ID |
/// cac:CreditNoteLine/cac:Item/cac:StandardItemIdentification/cbc:ID`
pub(super) const STANDARD_ID: Group<Facts> = &[Rule {
    id: "ibr-064",
    term: "IBT-157",
    about: &[],
    message: "The standard identifier of the item does not say from which scheme it is.",
    fix: "Give the code of the scheme, such as 0160 for a GTIN.",
    holds: |id, _| id.attribute(attr::SCHEME_ID).is_some(),
}];

/// `cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory`; there is none for credit notes.
pub(super) const TAX_CATEGORY: Group<Facts> = &[Rule {
    id: "ibr-sr-58",
    term: "IBT-151",
    about: &[cbc::ID],
    message: "The tax category of the item has no code.",
    fix: "Give the code of the category, such as S for the standard rate.",
    holds: |category, _| category.child(cbc::ID).is_some(),
}];

/// `cac:Price/cbc:BaseQuantity[@unitCode]`
pub(super) const BASE_QUANTITY: Group<Facts> = &[Rule {
    id: "ibr-088",
    term: "IBT-150",
    about: &[],
    message: "The unit that the price is for is not that of the line's quantity.",
    fix: "Use one unit for the quantity of the line and for the price.",
    holds: |quantity, facts| {
        let Some(unit) = quantity.attribute(attr::UNIT_CODE) else { return true };
        quantity.ancestors().nth(1).is_none_or(|line| {
            let same = |seen: &facts::Quantity| !seen.exists || seen.units.contains(unit);
            facts.shared.quantity.with(line, same)
        })
    },
}];

/// The number of invoiced objects of a line. The official rule compares their type code as a number.
pub(super) fn objects(line: Node<'_>) -> Evaluated<usize> {
    let is_object = |reference: Node<'_>| {
        xpath::some(reference.all(cbc::DOCUMENT_TYPE_CODE), |code| {
            Ok(xpath::compare_number(&code.text(), 130)?.is_eq())
        })
    };
    line.all(cac::DOCUMENT_REFERENCE).map(|reference| is_object(reference).map(usize::from)).sum()
}

fn quantities(line: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let names = [cbc::INVOICED_QUANTITY, cbc::CREDITED_QUANTITY];
    line.children().filter(move |child| names.contains(&child.name()))
}

/// `prices >= 0`, for untyped values
fn some_not_negative<'d>(prices: impl Iterator<Item = Node<'d>>) -> bool {
    let not_negative = |price: Node<'_>| Ok(xpath::compare_number(&price.text(), 0)?.is_ge());
    xpath::some(prices, not_negative) == Ok(true)
}
