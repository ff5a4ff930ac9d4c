//! The elements that must not repeat. A finding of such a rule contains the number of elements.

use crate::rules::xpath;
use crate::xml::names::{cac, cbc};
use crate::xml::{Name, Node};

pub(super) const CARDS: &[Name] = &[cac::PAYMENT_MEANS, cac::CARD_ACCOUNT];
pub(super) const MANDATES: &[Name] = &[cac::PAYMENT_MEANS, cac::PAYMENT_MANDATE];
pub(super) const CONTRACTS: &[Name] = &[cac::CONTRACT_DOCUMENT_REFERENCE, cbc::ID];
pub(super) const RECEIVING_ADVICES: &[Name] = &[cac::RECEIPT_DOCUMENT_REFERENCE, cbc::ID];
pub(super) const DESPATCH_ADVICES: &[Name] = &[cac::DESPATCH_DOCUMENT_REFERENCE, cbc::ID];
pub(super) const PERIODS: &[Name] = &[cac::INVOICE_PERIOD];
pub(super) const SELLER_NAMES: &[Name] =
    &[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_LEGAL_ENTITY, cbc::REGISTRATION_NAME];
pub(super) const SELLER_TRADE_NAMES: &[Name] =
    &[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_NAME, cbc::NAME];
pub(super) const SELLER_REGISTRATIONS: &[Name] =
    &[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID];
pub(super) const SELLER_LEGAL_FORMS: &[Name] =
    &[cac::ACCOUNTING_SUPPLIER_PARTY, cac::PARTY, cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_LEGAL_FORM];
pub(super) const BUYER_NAMES: &[Name] =
    &[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY, cac::PARTY_LEGAL_ENTITY, cbc::REGISTRATION_NAME];
pub(super) const BUYER_REGISTRATIONS: &[Name] =
    &[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY, cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID];
pub(super) const BUYER_TAX_IDS: &[Name] =
    &[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY, cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID];
pub(super) const DELIVERIES: &[Name] = &[cac::DELIVERY];
pub(super) const BUYER_TRADE_NAMES: &[Name] =
    &[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY, cac::PARTY_NAME, cbc::NAME];
pub(super) const BUYER_IDS: &[Name] =
    &[cac::ACCOUNTING_CUSTOMER_PARTY, cac::PARTY, cac::PARTY_IDENTIFICATION, cbc::ID];
pub(super) const PROJECTS: &[Name] = &[cac::PROJECT_REFERENCE, cbc::ID];
pub(super) const PERIOD_CODES: &[Name] = &[cac::INVOICE_PERIOD, cbc::DESCRIPTION_CODE];
pub(super) const NOTES: &[Name] = &[cbc::NOTE];
pub(super) const TENDERS: &[Name] = &[cac::ORIGINATOR_DOCUMENT_REFERENCE, cbc::ID];
pub(super) const REGISTRATIONS: &[Name] = &[cac::PARTY_LEGAL_ENTITY, cbc::COMPANY_ID];
pub(super) const NAMES: &[Name] = &[cac::PARTY_NAME, cbc::NAME];
pub(super) const REPRESENTATIVE_TAX_IDS: &[Name] =
    &[cac::PARTY, cac::PARTY_TAX_SCHEME, cbc::COMPANY_ID];
pub(super) const ADDRESS_LINES: &[Name] = &[cac::ADDRESS_LINE, cbc::LINE];
pub(super) const RECIPIENT_NAMES: &[Name] = &[cac::DELIVERY_PARTY, cac::PARTY_NAME, cbc::NAME];
pub(super) const MEANS_CODES: &[Name] = &[cbc::PAYMENT_MEANS_CODE];
pub(super) const MANDATE_IDS: &[Name] = &[cac::PAYMENT_MANDATE, cbc::ID];
pub(super) const MEANS_IDS: &[Name] = &[cbc::PAYMENT_MEANS_ID];
pub(super) const DESCRIPTIONS: &[Name] = &[cbc::DOCUMENT_DESCRIPTION];
pub(super) const INVOICES: &[Name] = &[cac::INVOICE_DOCUMENT_REFERENCE];
pub(super) const DOCUMENTS: &[Name] = &[cac::DOCUMENT_REFERENCE];
pub(super) const REASONS: &[Name] = &[cbc::ALLOWANCE_CHARGE_REASON];
pub(super) const EXEMPTION_REASONS: &[Name] = &[cbc::TAX_EXEMPTION_REASON];
pub(super) const CATEGORY_EXEMPTION_REASONS: &[Name] =
    &[cac::TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON];
pub(super) const ORDER_LINES: &[Name] = &[cac::ORDER_LINE_REFERENCE, cbc::LINE_ID];
pub(super) const PRICE_DISCOUNTS: &[Name] = &[cac::PRICE, cac::ALLOWANCE_CHARGE, cbc::AMOUNT];
pub(super) const ITEM_EXEMPTION_REASONS: &[Name] =
    &[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY, cbc::TAX_EXEMPTION_REASON];
pub(super) const ITEM_DESCRIPTIONS: &[Name] = &[cac::ITEM, cbc::DESCRIPTION];

/// The rules that allow at most one element at the end of a path.
pub(super) const ONCE: [(&str, &[Name]); 47] = [
    ("ibr-066", CARDS),
    ("ibr-067", MANDATES),
    ("ibr-094", CONTRACTS),
    ("ibr-095", RECEIVING_ADVICES),
    ("ibr-096", DESPATCH_ADVICES),
    ("ibr-097", PERIODS),
    ("ibr-098", SELLER_NAMES),
    ("ibr-099", SELLER_TRADE_NAMES),
    ("ibr-100", SELLER_REGISTRATIONS),
    ("ibr-101", SELLER_LEGAL_FORMS),
    ("ibr-102", BUYER_NAMES),
    ("ibr-103", BUYER_REGISTRATIONS),
    ("ibr-104", BUYER_TAX_IDS),
    ("ibr-107", DELIVERIES),
    ("ibr-112", BUYER_TRADE_NAMES),
    ("ibr-sr-16", BUYER_IDS),
    ("ibr-sr-39", PROJECTS),
    ("ibr-sr-49", PERIOD_CODES),
    ("ibr-sr-51", NOTES),
    ("ibr-sr-52", TENDERS),
    ("ibr-106", REGISTRATIONS),
    ("ibr-sr-19", NAMES),
    ("ibr-sr-22", NAMES),
    ("ibr-sr-23", REPRESENTATIVE_TAX_IDS),
    ("ibr-sr-53", ADDRESS_LINES),
    ("ibr-sr-54", ADDRESS_LINES),
    ("ibr-sr-55", ADDRESS_LINES),
    ("ibr-sr-56", ADDRESS_LINES),
    ("ibr-108", RECIPIENT_NAMES),
    ("ibr-sr-27", MEANS_CODES),
    ("ibr-sr-28", MANDATE_IDS),
    ("ibr-sr-59", ADDRESS_LINES),
    ("ibr-sr-05", NOTES),
    ("ibr-sr-60", MEANS_IDS),
    ("ibr-sr-33", DESCRIPTIONS),
    ("ibr-sr-06", INVOICES),
    ("ibr-sr-62", DOCUMENTS),
    ("ibr-sr-30", REASONS),
    ("ibr-sr-31", REASONS),
    ("ibr-sr-61", EXEMPTION_REASONS),
    ("ibr-sr-32", CATEGORY_EXEMPTION_REASONS),
    ("ibr-109", ORDER_LINES),
    ("ibr-110", PERIODS),
    ("ibr-111", PRICE_DISCOUNTS),
    ("ibr-sr-34", NOTES),
    ("ibr-sr-38", ITEM_EXEMPTION_REASONS),
    ("ibr-sr-50", ITEM_DESCRIPTIONS),
];

/// `count(path) <= 1`
pub(super) fn once(context: Node<'_>, path: &'static [Name]) -> bool {
    xpath::at_most(1, context.select(path))
}
