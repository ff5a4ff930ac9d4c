//! The allowances and charges, the VAT, the totals and the payment.

use super::place::{
    Kind, Place, amount, code, date, filler, group, has_type, is_charge, is_documents, percent,
    qualified, silent, term, text,
};
use crate::{
    ubl::AED_TOTAL,
    xml::names::{attr, cac, cbc},
};

/// The allowances and charges of the document.
pub(in crate::rendering) const ALLOWANCES: &[Place] = &[
    group(
        "IBG-20",
        &[cac::ALLOWANCE_CHARGE],
        &[
            text("IBT-097", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-098", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            percent("IBT-094", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            amount("IBT-093", &[cbc::BASE_AMOUNT]),
            amount("IBT-092", &[cbc::AMOUNT]),
            code("IBT-095", &[cac::TAX_CATEGORY, cbc::ID]),
            percent("IBT-096", &[cac::TAX_CATEGORY, cbc::PERCENT]),
            text("IBT-095-1", &[cac::TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
            code("IBT-196", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
            text("IBT-197", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(|node| !is_charge(node)),
    group(
        "IBG-21",
        &[cac::ALLOWANCE_CHARGE],
        &[
            text("IBT-104", &[cbc::ALLOWANCE_CHARGE_REASON]),
            text("IBT-105", &[cbc::ALLOWANCE_CHARGE_REASON_CODE]),
            percent("IBT-101", &[cbc::MULTIPLIER_FACTOR_NUMERIC]),
            amount("IBT-100", &[cbc::BASE_AMOUNT]),
            amount("IBT-099", &[cbc::AMOUNT]),
            code("IBT-102", &[cac::TAX_CATEGORY, cbc::ID]),
            percent("IBT-103", &[cac::TAX_CATEGORY, cbc::PERCENT]),
            text("IBT-102-1", &[cac::TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
            code("IBT-198", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
            text("IBT-199", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
            silent(&[cbc::CHARGE_INDICATOR]),
        ],
    )
    .when(is_charge),
];

/// The VAT of each category.
pub(in crate::rendering) const BREAKDOWN: &[Place] = &[group(
    "IBG-23",
    &[cac::TAX_TOTAL, cac::TAX_SUBTOTAL],
    &[
        code("IBT-118", &[cac::TAX_CATEGORY, cbc::ID]),
        percent("IBT-119", &[cac::TAX_CATEGORY, cbc::PERCENT]),
        text("IBT-118-1", &[cac::TAX_CATEGORY, cac::TAX_SCHEME, cbc::ID]),
        text("IBT-120", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON]),
        code("IBT-121", &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON_CODE]),
        amount("IBT-116", &[cbc::TAXABLE_AMOUNT]),
        amount("IBT-117", &[cbc::TAX_AMOUNT]),
    ],
)];

/// The totals.
pub(in crate::rendering) const TOTALS: &[Place] = &[
    amount("IBT-106", &[cac::LEGAL_MONETARY_TOTAL, cbc::LINE_EXTENSION_AMOUNT]),
    amount("IBT-107", &[cac::LEGAL_MONETARY_TOTAL, cbc::ALLOWANCE_TOTAL_AMOUNT]),
    amount("IBT-108", &[cac::LEGAL_MONETARY_TOTAL, cbc::CHARGE_TOTAL_AMOUNT]),
    amount("IBT-109", &[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_EXCLUSIVE_AMOUNT]),
    group("", &[cac::TAX_TOTAL], &[amount("IBT-110", &[cbc::TAX_AMOUNT])]).when(is_documents),
    group("", &[cac::TAX_TOTAL], &[amount("IBT-111", &[cbc::TAX_AMOUNT])])
        .when(|node| !is_documents(node)),
    text("IBT-200", &[cac::TAX_TOTAL, cbc::TAX_INCLUDED_INDICATOR]),
    amount("IBT-112", &[cac::LEGAL_MONETARY_TOTAL, cbc::TAX_INCLUSIVE_AMOUNT]),
    group(
        "",
        &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        &[
            term("BTAE-20", &[cbc::DOCUMENT_DESCRIPTION], Kind::AmountInAed),
            silent(&[cbc::ID]),
            silent(&[cbc::DOCUMENT_TYPE_CODE]),
        ],
    )
    .when(|node| has_type(node, AED_TOTAL)),
    amount("IBT-113", &[cac::LEGAL_MONETARY_TOTAL, cbc::PREPAID_AMOUNT]),
    amount("IBT-114", &[cac::LEGAL_MONETARY_TOTAL, cbc::PAYABLE_ROUNDING_AMOUNT]),
    amount("IBT-115", &[cac::LEGAL_MONETARY_TOTAL, cbc::PAYABLE_AMOUNT]),
];

/// The payment instructions, terms and prepaid amounts.
pub(in crate::rendering) const PAYMENT: &[Place] = &[
    group(
        "IBG-16",
        &[cac::PAYMENT_MEANS],
        &[
            qualified(
                "IBT-081",
                &[cbc::PAYMENT_MEANS_CODE],
                Kind::Code,
                &[(attr::NAME, "IBT-082")],
            ),
            // A credit note has its due date here.
            date("IBT-009", &[cbc::PAYMENT_DUE_DATE]),
            text("IBT-178", &[cbc::ID]),
            qualified("IBT-083", &[cbc::PAYMENT_ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-083-1")]),
            qualified(
                "IBT-084",
                &[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::ID],
                Kind::Text,
                &[(attr::SCHEME_ID, "IBT-084-1")],
            ),
            text("IBT-085", &[cac::PAYEE_FINANCIAL_ACCOUNT, cbc::NAME]),
            group(
                "",
                &[cac::PAYEE_FINANCIAL_ACCOUNT, cac::FINANCIAL_INSTITUTION_BRANCH],
                &[
                    text("IBT-086", &[cbc::ID]),
                    text("IBT-169", &[cac::ADDRESS, cbc::STREET_NAME]),
                    text("IBT-170", &[cac::ADDRESS, cbc::ADDITIONAL_STREET_NAME]),
                    text("IBT-174", &[cac::ADDRESS, cac::ADDRESS_LINE, cbc::LINE]),
                    text("IBT-171", &[cac::ADDRESS, cbc::CITY_NAME]),
                    text("IBT-172", &[cac::ADDRESS, cbc::POSTAL_ZONE]),
                    code("IBT-173", &[cac::ADDRESS, cbc::COUNTRY_SUBENTITY]),
                    code("IBT-175", &[cac::ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE]),
                ],
            ),
            text("IBT-087", &[cac::CARD_ACCOUNT, cbc::PRIMARY_ACCOUNT_NUMBER_ID]),
            filler(&[cac::CARD_ACCOUNT, cbc::NETWORK_ID]),
            text("IBT-088", &[cac::CARD_ACCOUNT, cbc::HOLDER_NAME]),
            text("IBT-089", &[cac::PAYMENT_MANDATE, cbc::ID]),
            text("IBT-091", &[cac::PAYMENT_MANDATE, cac::PAYER_FINANCIAL_ACCOUNT, cbc::ID]),
        ],
    ),
    group(
        "IBG-33",
        &[cac::PAYMENT_TERMS],
        &[
            text("IBT-187", &[cbc::PAYMENT_MEANS_ID]),
            text("IBT-020", &[cbc::NOTE]),
            amount("IBT-176", &[cbc::AMOUNT]),
            date("IBT-177", &[cbc::INSTALLMENT_DUE_DATE]),
        ],
    ),
    group(
        "IBG-35",
        &[cac::PREPAID_PAYMENT],
        &[
            text("IBT-179", &[cbc::ID]),
            amount("IBT-180", &[cbc::PAID_AMOUNT]),
            date("IBT-181", &[cbc::RECEIVED_DATE]),
        ],
    ),
];
