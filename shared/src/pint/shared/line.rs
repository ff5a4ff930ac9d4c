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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pint::shared::testing::on_invoice;

    const ID: &str = "<cbc:ID>L-1</cbc:ID>";
    const QUANTITY: &str = "<cbc:InvoicedQuantity unitCode=\"KGM\">2.5</cbc:InvoicedQuantity>";
    const AMOUNT: &str =
        "<cbc:LineExtensionAmount currencyID=\"USD\">225.31</cbc:LineExtensionAmount>";
    const NAME: &str = "<cbc:Name>Copper</cbc:Name>";
    const PRICE: &str = "<cbc:PriceAmount currencyID=\"USD\">90.125</cbc:PriceAmount>";
    const GROSS: &str = "<cbc:BaseAmount currencyID=\"USD\">100</cbc:BaseAmount>";
    const BASE: &str = "<cbc:BaseQuantity unitCode=\"KGM\">1</cbc:BaseQuantity>";
    const OBJECT: &str = "<cbc:ID schemeID=\"AAJ\">OBJ-1</cbc:ID>";
    const OTHER_OBJECT: &str = "<cbc:DocumentTypeCode>130.0</cbc:DocumentTypeCode></cac:DocumentReference><cac:DocumentReference><cbc:ID>2</cbc:ID>";
    const OTHER_DOCUMENT: &str = "<cbc:DocumentTypeCode>50</cbc:DocumentTypeCode></cac:DocumentReference><cac:DocumentReference><cbc:ID>2</cbc:ID>";
    const ORDER: &str = "<cbc:LineID>7</cbc:LineID>";
    const PERIOD: &str = "<cac:InvoicePeriod>\n      <cbc:StartDate>2026-11-02<";
    const DISCOUNT: &str = "<cbc:Amount currencyID=\"USD\">9.875</cbc:Amount>";
    const NOTE: &str = "<cbc:Note>First line</cbc:Note>";
    const REASON: &str = "<cbc:TaxExemptionReason>Financial service</cbc:TaxExemptionReason>";
    const DESCRIPTION: &str = "<cbc:Description>Copper &amp; brass</cbc:Description>";
    const CLASS: &str = "listID=\"HS\" listVersionID=\"2022\"";

    #[test]
    fn a_line_has_all_it_needs_and_nothing_twice() {
        on_invoice(
            &[LINE],
            &[
                ("ibr-021", &[(ID, "<cbc:ID>0</cbc:ID>")], &[(ID, "<cbc:ID> </cbc:ID>")]),
                (
                    "ibr-022",
                    &[(QUANTITY, "<cbc:CreditedQuantity/>")],
                    &[(QUANTITY, "<cbc:MinimumQuantity/>")],
                ),
                (
                    "ibr-023",
                    &[(QUANTITY, "<cbc:CreditedQuantity unitCode=''/>")],
                    &[(QUANTITY, "<cbc:InvoicedQuantity>1</cbc:InvoicedQuantity>")],
                ),
                ("ibr-024", &[(AMOUNT, "<cbc:LineExtensionAmount/>")], &[(AMOUNT, "")]),
                ("ibr-025", &[(NAME, "<cbc:Name>a</cbc:Name>")], &[(NAME, "")]),
                ("ibr-026", &[(PRICE, "<cbc:PriceAmount/>")], &[(PRICE, "")]),
                (
                    "ibr-027",
                    &[(PRICE, "<cbc:PriceAmount>-0</cbc:PriceAmount>")],
                    &[(PRICE, "<cbc:PriceAmount>-0.01</cbc:PriceAmount>")],
                ),
                ("ibr-028", &[(GROSS, "")], &[(GROSS, "<cbc:BaseAmount>-1</cbc:BaseAmount>")]),
                (
                    "ibr-087",
                    &[(BASE, "<cbc:BaseQuantity>0.001</cbc:BaseQuantity>")],
                    &[(BASE, "<cbc:BaseQuantity>0</cbc:BaseQuantity>")],
                ),
                ("ibr-089", &[(OBJECT, OTHER_DOCUMENT)], &[(OBJECT, OTHER_OBJECT)]),
                (
                    "ibr-109",
                    &[],
                    &[(ORDER, "<cbc:LineID>7</cbc:LineID><cbc:LineID>8</cbc:LineID>")],
                ),
                (
                    "ibr-110",
                    &[],
                    &[(
                        PERIOD,
                        "<cac:InvoicePeriod/><cac:InvoicePeriod>\n      <cbc:StartDate>2026-11-02<",
                    )],
                ),
                (
                    "ibr-111",
                    &[(DISCOUNT, "")],
                    &[(DISCOUNT, "<cbc:Amount>1</cbc:Amount><cbc:Amount>1</cbc:Amount>")],
                ),
                (
                    "ibr-sr-34",
                    &[(NOTE, "")],
                    &[(NOTE, "<cbc:Note>a</cbc:Note><cbc:Note>b</cbc:Note>")],
                ),
                (
                    "ibr-sr-38",
                    &[(REASON, "")],
                    &[(REASON, "<cbc:TaxExemptionReason/><cbc:TaxExemptionReason/>")],
                ),
                (
                    "ibr-sr-50",
                    &[(DESCRIPTION, "")],
                    &[(
                        DESCRIPTION,
                        "<cbc:Description>a</cbc:Description><cbc:Description>b</cbc:Description>",
                    )],
                ),
            ],
        );
    }

    #[test]
    fn an_item_says_where_its_codes_come_from() {
        on_invoice(
            &[PROPERTY, CLASSIFICATION, STANDARD_ID, TAX_CATEGORY, BASE_QUANTITY],
            &[
                (
                    "ibr-054",
                    &[("<cbc:Name>Purity</cbc:Name>", "<cbc:Name/>")],
                    &[("<cbc:Name>Purity</cbc:Name>", "")],
                ),
                ("ibr-065", &[(CLASS, "listID=''")], &[(CLASS, "")]),
                ("ibr-064", &[("schemeID=\"0160\"", "schemeID=''")], &[("schemeID=\"0160\"", "")]),
                (
                    "ibr-sr-58",
                    &[("<cbc:ID>E</cbc:ID>\n        <cac:Tax", "<cbc:ID/>\n        <cac:Tax")],
                    &[("<cbc:ID>E</cbc:ID>\n        <cbc:Tax", "<cbc:Tax")],
                ),
                (
                    "ibr-088",
                    &[(BASE, "<cbc:BaseQuantity>1</cbc:BaseQuantity>")],
                    &[(BASE, "<cbc:BaseQuantity unitCode='GRM'>1</cbc:BaseQuantity>")],
                ),
            ],
        );
    }
}
