//! The document itself and its references.

use super::place::{
    Kind, Place, code, date, filler, group, has_type, number, qualified, silent, text,
};
use crate::{
    ubl::{INVOICED_OBJECT, PROJECT, UNKNOWN},
    xml::names::{attr, cac, cbc},
};

/// The document itself.
pub(in crate::rendering) const DOCUMENT: &[Place] = &[
    text("IBT-001", &[cbc::ID]),
    code("IBT-003", &[cbc::INVOICE_TYPE_CODE]),
    code("IBT-003", &[cbc::CREDIT_NOTE_TYPE_CODE]),
    date("IBT-002", &[cbc::ISSUE_DATE]),
    text("IBT-168", &[cbc::ISSUE_TIME]),
    date("IBT-009", &[cbc::DUE_DATE]),
    date("IBT-007", &[cbc::TAX_POINT_DATE]),
    group(
        "",
        &[cac::INVOICE_PERIOD],
        &[
            date("IBT-073", &[cbc::START_DATE]),
            date("IBT-074", &[cbc::END_DATE]),
            code("BTAE-06", &[cbc::DESCRIPTION_CODE]),
        ],
    ),
    code("BTAE-02", &[cbc::PROFILE_EXECUTION_ID]),
    code("BTAE-03", &[cac::DISCREPANCY_RESPONSE, cbc::RESPONSE_CODE]),
    text("IBT-005", &[cbc::DOCUMENT_CURRENCY_CODE]),
    text("IBT-006", &[cbc::TAX_CURRENCY_CODE]),
    number("BTAE-04", &[cac::TAX_EXCHANGE_RATE, cbc::CALCULATION_RATE]),
    silent(&[cac::TAX_EXCHANGE_RATE, cbc::SOURCE_CURRENCY_CODE]),
    silent(&[cac::TAX_EXCHANGE_RATE, cbc::TARGET_CURRENCY_CODE]),
    text("IBT-010", &[cbc::BUYER_REFERENCE]),
    text("IBT-019", &[cbc::ACCOUNTING_COST]),
    text("IBT-022", &[cbc::NOTE]),
    text("BTAE-07", &[cbc::UUID]),
    text("IBT-024", &[cbc::CUSTOMIZATION_ID]),
    text("IBT-023", &[cbc::PROFILE_ID]),
];

/// The references to other documents.
pub(in crate::rendering) const REFERENCES: &[Place] = &[
    group(
        "IBG-03",
        &[cac::BILLING_REFERENCE, cac::INVOICE_DOCUMENT_REFERENCE],
        &[text("IBT-025", &[cbc::ID]), date("IBT-026", &[cbc::ISSUE_DATE])],
    ),
    filler(&[cac::ORDER_REFERENCE, cbc::ID]),
    text("IBT-013", &[cac::ORDER_REFERENCE, cbc::ID]).when(|node| node.normalized() != UNKNOWN),
    text("IBT-014", &[cac::ORDER_REFERENCE, cbc::SALES_ORDER_ID]),
    text("IBT-016", &[cac::DESPATCH_DOCUMENT_REFERENCE, cbc::ID]),
    text("IBT-015", &[cac::RECEIPT_DOCUMENT_REFERENCE, cbc::ID]),
    text("BTAE-21", &[cac::STATEMENT_DOCUMENT_REFERENCE, cbc::ID]),
    text("IBT-017", &[cac::ORIGINATOR_DOCUMENT_REFERENCE, cbc::ID]),
    text("IBT-012", &[cac::CONTRACT_DOCUMENT_REFERENCE, cbc::ID]),
    text("BTAE-05", &[cac::CONTRACT_DOCUMENT_REFERENCE, cbc::DOCUMENT_DESCRIPTION]),
    text("IBT-011", &[cac::PROJECT_REFERENCE, cbc::ID]),
    group(
        "",
        &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        &[text("IBT-011", &[cbc::ID]), silent(&[cbc::DOCUMENT_TYPE_CODE])],
    )
    .when(|node| has_type(node, PROJECT)),
    group(
        "",
        &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
        &[
            qualified("IBT-018", &[cbc::ID], Kind::Text, &[(attr::SCHEME_ID, "IBT-018-1")]),
            silent(&[cbc::DOCUMENT_TYPE_CODE]),
        ],
    )
    .when(|node| has_type(node, INVOICED_OBJECT)),
];

/// The attachments.
pub(in crate::rendering) const ATTACHMENTS: &[Place] = &[group(
    "IBG-24",
    &[cac::ADDITIONAL_DOCUMENT_REFERENCE],
    &[
        text("IBT-122", &[cbc::ID]),
        text("IBT-123", &[cbc::DOCUMENT_DESCRIPTION]),
        text("IBT-124", &[cac::ATTACHMENT, cac::EXTERNAL_REFERENCE, cbc::URI]),
        qualified(
            "IBT-125",
            &[cac::ATTACHMENT, cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT],
            Kind::File,
            &[(attr::FILENAME, "IBT-125-2"), (attr::MIME_CODE, "IBT-125-1")],
        ),
    ],
)
.when(|node| node.child(cbc::DOCUMENT_TYPE_CODE).is_none())];
