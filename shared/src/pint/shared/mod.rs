//! The rules that PINT-AE shares with all other specialisations of PINT. The official file has two patterns. In a
//! pattern, a node belongs to the first context that matches.

mod allowance;
mod codes;
pub(in crate::pint) mod facts;
mod form;
mod header;
mod identifier;
mod line;
pub(in crate::pint) mod official;
mod once;
mod party;
mod payment;
mod period;
mod reference;
mod total;

use super::Facts;
use crate::rules::{Expected, Group};
use crate::xml::names::{attr, cac, cbc, credit_note, invoice};
use crate::xml::{Name, Node};

/// The two code patterns: for documents of the seller, and for documents of the buyer.
pub(in crate::pint) use codes::{billing as codes_billing, selfbilling as codes_selfbilling};

/// `ancestor::cac:InvoiceLine | ancestor::cac:CreditNoteLine`.
fn is_in_line(node: Node<'_>) -> bool {
    node.ancestors().any(is_line)
}

fn is_line(node: Node<'_>) -> bool {
    matches!(node.name(), cac::INVOICE_LINE | cac::CREDIT_NOTE_LINE)
}

/// `cac:InvoiceLine/… | cac:CreditNoteLine/…`: whether this path leads from a line to the parent of the node.
fn is_in_line_by(node: Node<'_>, path: &[Name]) -> bool {
    node.is_in(path) && node.ancestors().nth(path.len()).is_some_and(is_line)
}

/// The pattern `UBL-model`. The first matching context decides.
pub(in crate::pint) fn model(node: Node<'_>) -> Option<Group<Facts>> {
    let group = match node.name() {
        cbc::ENDPOINT_ID => identifier::of_scheme(node).or_else(|| party::of_endpoint(node)),
        cbc::ID => of_id(node),
        cbc::COMPANY_ID => identifier::of_scheme(node),
        cac::ALLOWANCE_CHARGE => Some(allowance::of_indicator(node)),
        cac::TAX_CATEGORY if node.is_in(&[cac::ALLOWANCE_CHARGE]) => Some(allowance::CATEGORY),
        cac::ADDITIONAL_DOCUMENT_REFERENCE => Some(reference::ADDITIONAL),
        cac::PARTY => party::of_role(node),
        cac::POSTAL_ADDRESS => party::of_address(node),
        cac::ADDRESS => of_address(node),
        cac::LEGAL_MONETARY_TOTAL => Some(total::MONETARY),
        invoice::INVOICE | credit_note::CREDIT_NOTE => {
            node.parent().is_none().then_some(header::DOCUMENT)
        }
        cac::INVOICE_LINE | cac::CREDIT_NOTE_LINE => Some(line::LINE),
        cac::INVOICE_PERIOD if node.parent().is_some_and(is_line) => Some(period::LINE),
        cac::INVOICE_PERIOD => Some(period::DOCUMENT),
        cac::ADDITIONAL_ITEM_PROPERTY => Some(line::PROPERTY),
        cbc::ITEM_CLASSIFICATION_CODE => {
            is_in_line_by(node, &[cac::COMMODITY_CLASSIFICATION, cac::ITEM])
                .then_some(line::CLASSIFICATION)
        }
        cac::CLASSIFIED_TAX_CATEGORY => {
            node.is_in(&[cac::ITEM, cac::INVOICE_LINE]).then_some(line::TAX_CATEGORY)
        }
        cac::PAYEE_PARTY => Some(party::PAYEE),
        cac::PAYMENT_MEANS => Some(payment::MEANS),
        cbc::AMOUNT
        | cbc::BASE_AMOUNT
        | cbc::PRICE_AMOUNT
        | cbc::LINE_EXTENSION_AMOUNT
        | cbc::TAX_EXCLUSIVE_AMOUNT
        | cbc::TAX_INCLUSIVE_AMOUNT
        | cbc::ALLOWANCE_TOTAL_AMOUNT
        | cbc::CHARGE_TOTAL_AMOUNT
        | cbc::PREPAID_AMOUNT
        | cbc::PAYABLE_ROUNDING_AMOUNT
        | cbc::PAYABLE_AMOUNT => Some(total::AMOUNT),
        cbc::TAX_AMOUNT | cbc::TAXABLE_AMOUNT => total::of_tax_amount(node),
        cac::PAYMENT_TERMS => Some(payment::TERMS),
        cac::BILLING_REFERENCE => Some(reference::BILLING),
        cac::TAX_REPRESENTATIVE_PARTY => Some(party::REPRESENTATIVE),
        cac::TAX_TOTAL => total::of_tax_total(node),
        cac::TAX_SUBTOTAL => Some(total::SUBTOTAL),
        cac::PARTY_TAX_SCHEME => Some(party::TAX_SCHEME),
        cbc::ISSUE_DATE
        | cbc::DUE_DATE
        | cbc::TAX_POINT_DATE
        | cbc::START_DATE
        | cbc::END_DATE
        | cbc::ACTUAL_DELIVERY_DATE => Some(form::DATE),
        cbc::TAX_CURRENCY_CODE => Some(form::TAX_CURRENCY),
        Name::OTHER => total::of_misspelt_tax_total(node).or_else(|| form::of_name(node)),
        _ => form::of_name(node),
    };
    group.or_else(|| form::of_empty(node)).or_else(|| after_empty(node))
}

/// Returns the value that the rule with this id demands of its context.
pub(in crate::pint) fn expected<'d>(
    id: &str,
    context: Node<'d>,
    facts: &Facts,
) -> Option<Expected<'d>> {
    match id {
        "ibr-co-15" => header::expected_gross(context, facts),
        "ibr-126" => total::expected_currency(context, facts),
        _ => total::expected(id, context, facts).or_else(|| expected_count(id, context)),
    }
}

/// The count that a rule about repeated elements expects.
fn expected_count<'d>(id: &str, context: Node<'d>) -> Option<Expected<'d>> {
    let (found, most) = match id {
        "ibr-078" => (header::objects(context).count(), 1),
        "ibr-089" => (line::objects(context).ok()?, 1),
        "ibr-090" => (header::projects(context), 1),
        "ibr-105" => (party::payee_ids(context).count(), 1),
        "ibr-sr-42" => (context.all(cac::PARTY_TAX_SCHEME).count(), 2),
        "ibr-sr-46" => (payment::named_codes(context).count(), 1),
        _ => {
            let (_, path) = once::ONCE.iter().find(|(rule, _)| *rule == id)?;
            (context.select(path).count(), 1)
        }
    };
    Some(Expected::count(found, most))
}

/// The contexts that follow the context of empty elements.
fn after_empty(node: Node<'_>) -> Option<Group<Facts>> {
    match node.name() {
        cbc::BASE_QUANTITY if node.is_in(&[cac::PRICE]) => {
            node.attribute(attr::UNIT_CODE).map(|_| line::BASE_QUANTITY)
        }
        cbc::ID => is_in_line_by(node, &[cac::DOCUMENT_REFERENCE, cac::DESPATCH_LINE_REFERENCE])
            .then_some(reference::LINE_DESPATCH_ID),
        cac::DESPATCH_LINE_REFERENCE => {
            node.parent().is_some_and(is_line).then_some(reference::LINE_DESPATCH)
        }
        cac::PREPAID_PAYMENT => Some(payment::PREPAID),
        cac::DELIVERY => Some(party::DELIVERY),
        _ => None,
    }
}

fn of_id(node: Node<'_>) -> Option<Group<Facts>> {
    match node.parent()?.name() {
        cac::PARTY_IDENTIFICATION => identifier::of_scheme(node),
        cac::STANDARD_ITEM_IDENTIFICATION => {
            is_in_line_by(node, &[cac::STANDARD_ITEM_IDENTIFICATION, cac::ITEM])
                .then_some(line::STANDARD_ID)
        }
        _ => None,
    }
}

fn of_address(node: Node<'_>) -> Option<Group<Facts>> {
    const BRANCH: &[Name] =
        &[cac::FINANCIAL_INSTITUTION_BRANCH, cac::PAYEE_FINANCIAL_ACCOUNT, cac::PAYMENT_MEANS];
    if node.is_in(&[cac::DELIVERY_LOCATION, cac::DELIVERY]) {
        return Some(party::DELIVERY_ADDRESS);
    }
    node.is_in(BRANCH).then_some(payment::BRANCH_ADDRESS)
}
