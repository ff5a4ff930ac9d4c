//! The lines.

use super::place::{
    Kind, Place, amount, code, date, filler, group, has_type, is_charge, percent, qualified,
    silent, text,
};
use crate::{
    ubl::{INVOICED_OBJECT, UNKNOWN},
    xml::names::{attr, cac, cbc},
};

/// The lines.
pub(in crate::rendering) const LINES: &[Place] =
    &[group("IBG-25", &[cac::INVOICE_LINE], LINE), group("IBG-25", &[cac::CREDIT_NOTE_LINE], LINE)];

const LINE: &[Place] = &[
    text("IBT-126", &[cbc::ID]),
    text("IBT-153", &[cac::ITEM, cbc::NAME]),
    text("IBT-154", &[cac::ITEM, cbc::DESCRIPTION]),
    qualified("IBT-129", &[cbc::INVOICED_QUANTITY], Kind::Number, &[(attr::UNIT_CODE, "IBT-130")]),
    qualified("IBT-129", &[cbc::CREDITED_QUANTITY], Kind::Number, &[(attr::UNIT_CODE, "IBT-130")]),
    amount("IBT-146", &[cac::PRICE, cbc::PRICE_AMOUNT]),
    qualified(
        "IBT-149",
        &[cac::PRICE, cbc::BASE_QUANTITY],
        Kind::Number,
        &[(attr::UNIT_CODE, "IBT-150")],
    ),
    group(
        "",
        &[cac::PRICE, cac::ALLOWANCE_CHARGE],
        &[
            amount("IBT-147", &[cbc::AMOUNT]),
            amount("IBT-148", &[cbc::BASE_AMOUNT]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    ),
    code("IBT-151", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::ID]),
    percent("IBT-152", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::PERCENT]),
    text("IBT-167", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
    code("IBT-186", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
    text("IBT-185", &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
    amount("IBT-131", &[cbc::LINE_EXTENSION_AMOUNT]),
    amount("BTAE-08", &[cac::ITEM_PRICE_EXTENSION, cac::TAX_TOTAL, cbc::TAX_AMOUNT]),
    amount("BTAE-10", &[cac::ITEM_PRICE_EXTENSION, cbc::AMOUNT]),
    text("IBT-127", &[cbc::NOTE]),
    date("IBT-134", &[cac::INVOICE_PERIOD, cbc::START_DATE]),
    date("IBT-135", &[cac::INVOICE_PERIOD, cbc::END_DATE]),
    text("IBT-133", &[cbc::ACCOUNTING_COST]),
    filler(&[cac::ORDER_LINE_REFERENCE, cbc::LINE_ID]),
    text("IBT-132", &[cac::ORDER_LINE_REFERENCE, cbc::LINE_ID])
        .when(|node| node.normalized() != UNKNOWN),
    text("IBT-183", &[cac::ORDER_LINE_REFERENCE, cac::ORDER_REFERENCE, cbc::ID]),
    text("IBT-184", &[cac::DESPATCH_LINE_REFERENCE, cac::DOCUMENT_REFERENCE, cbc::ID]),
    filler(&[cac::DESPATCH_LINE_REFERENCE, cbc::LINE_ID]),
    group(
        "",
        &[cac::DOCUMENT_REFERENCE],
        &[
            qualified("IBT-128", &[cbc::ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-128-1")]),
            silent(&[cbc::DOCUMENT_TYPE_CODE]),
        ],
    )
    .when(|node| has_type(node, INVOICED_OBJECT)),
    text("IBT-155", &[cac::ITEM, cac::SELLERS_ITEM_IDENTIFICATION, cbc::ID]),
    text("IBT-156", &[cac::ITEM, cac::BUYERS_ITEM_IDENTIFICATION, cbc::ID]),
    qualified(
        "IBT-157",
        &[cac::ITEM, cac::STANDARD_ITEM_IDENTIFICATION, cbc::ID],
        Kind::Text,
        &[(attr::SCHEME_ID, "IBT-157-1")],
    ),
    code("BTAE-13", &[cac::ITEM, cac::COMMODITY_CLASSIFICATION, cbc::COMMODITY_CODE]),
    code("BTAE-09", &[cac::ITEM, cac::COMMODITY_CLASSIFICATION, cbc::NATURE_CODE]),
    qualified(
        "IBT-158",
        &[cac::ITEM, cac::COMMODITY_CLASSIFICATION, cbc::ITEM_CLASSIFICATION_CODE],
        Kind::Text,
        &[(attr::LIST_ID, "IBT-158-1"), (attr::LIST_VERSION_ID, "IBT-158-2")],
    ),
    qualified(
        "BTAE-17",
        &[cac::ITEM, cac::ADDITIONAL_ITEM_IDENTIFICATION, cbc::ID],
        Kind::Text,
        &[(attr::SCHEME_ID, "BTAE-17-1"), (attr::SCHEME_VERSION_ID, "BTAE-17-2")],
    ),
    code("IBT-159", &[cac::ITEM, cac::ORIGIN_COUNTRY, cbc::IDENTIFICATION_CODE]),
    text("BTAE-24", &[cac::ITEM, cac::ITEM_INSTANCE, cac::LOT_IDENTIFICATION, cbc::LOT_NUMBER_ID]),
    group(
        "IBG-32",
        &[cac::ITEM, cac::ADDITIONAL_ITEM_PROPERTY],
        &[text("IBT-160", &[cbc::NAME]), text("IBT-161", &[cbc::VALUE])],
    ),
    group(
        "IBG-27",
        &[cac::ALLOWANCE_CHARGE],
        &[
            amount("IBT-136", &[cbc::AMOUNT]),
            amount("IBT-137", &[cbc::BASE_AMOUNT]),
            percent("IBT-138", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            text("IBT-139", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-140", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(|node| !is_charge(node)),
    group(
        "IBG-28",
        &[cac::ALLOWANCE_CHARGE],
        &[
            amount("IBT-141", &[cbc::AMOUNT]),
            amount("IBT-142", &[cbc::BASE_AMOUNT]),
            percent("IBT-143", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            text("IBT-144", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-145", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(is_charge),
];
