//! The pattern of the code lists. Most of these rules ignore white space around a code.

use super::Facts;
use crate::codes;
use crate::codes::CodeList;
use crate::rules::{Group, Rule};
use crate::xml::names::{attr, cac, cbc};
use crate::xml::{Name, Node, normalize_space};

/// The pattern `Codesmodel` of the rules for billing.
pub(in crate::pint) fn billing(node: Node<'_>) -> Option<Group<Facts>> {
    match node.name() {
        cbc::INVOICE_TYPE_CODE | cbc::CREDIT_NOTE_TYPE_CODE => Some(TYPE_BILLING),
        _ => of_both(node),
    }
}

/// The pattern `Codesmodel` of the rules for self-billing.
pub(in crate::pint) fn selfbilling(node: Node<'_>) -> Option<Group<Facts>> {
    match node.name() {
        cbc::INVOICE_TYPE_CODE | cbc::CREDIT_NOTE_TYPE_CODE => Some(TYPE_SELFBILLING),
        _ => of_both(node),
    }
}

fn of_both(node: Node<'_>) -> Option<Group<Facts>> {
    let has = |name| node.attribute(name).is_some();
    let below = |parent| node.is_in(&[parent]);
    match node.name() {
        cbc::AMOUNT
        | cbc::BASE_AMOUNT
        | cbc::PRICE_AMOUNT
        | cbc::TAX_AMOUNT
        | cbc::TAXABLE_AMOUNT
        | cbc::LINE_EXTENSION_AMOUNT
        | cbc::TAX_EXCLUSIVE_AMOUNT
        | cbc::TAX_INCLUSIVE_AMOUNT
        | cbc::ALLOWANCE_TOTAL_AMOUNT
        | cbc::CHARGE_TOTAL_AMOUNT
        | cbc::PREPAID_AMOUNT
        | cbc::PAYABLE_ROUNDING_AMOUNT
        | cbc::PAYABLE_AMOUNT => Some(AMOUNT),
        cbc::DOCUMENT_CURRENCY_CODE => Some(DOCUMENT_CURRENCY),
        cbc::TAX_CURRENCY_CODE => Some(TAX_CURRENCY),
        cbc::ID if has(attr::SCHEME_ID) => of_id(node),
        cbc::COMPANY_ID if has(attr::SCHEME_ID) => {
            below(cac::PARTY_LEGAL_ENTITY).then_some(REGISTRATION)
        }
        cbc::ITEM_CLASSIFICATION_CODE if has(attr::LIST_ID) => {
            below(cac::COMMODITY_CLASSIFICATION).then_some(CLASSIFICATION)
        }
        cbc::IDENTIFICATION_CODE => match node.parent()?.name() {
            cac::COUNTRY => Some(COUNTRY),
            cac::ORIGIN_COUNTRY => Some(ORIGIN),
            _ => None,
        },
        cbc::PAYMENT_MEANS_CODE => below(cac::PAYMENT_MEANS).then_some(PAYMENT_MEANS),
        cbc::ALLOWANCE_CHARGE_REASON_CODE => below(cac::ALLOWANCE_CHARGE).then_some(REASON),
        cbc::INVOICED_QUANTITY | cbc::BASE_QUANTITY | cbc::CREDITED_QUANTITY => {
            has(attr::UNIT_CODE).then_some(UNIT)
        }
        cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT => has(attr::MIME_CODE).then_some(MIME_CODE),
        cbc::ENDPOINT_ID => has(attr::SCHEME_ID).then_some(ENDPOINT),
        _ => None,
    }
}

/// The contexts `…/cbc:ID[@schemeID]`.
fn of_id(id: Node<'_>) -> Option<Group<Facts>> {
    match id.parent()?.name() {
        cac::ADDITIONAL_DOCUMENT_REFERENCE | cac::DOCUMENT_REFERENCE => Some(OBJECT),
        cac::PARTY_IDENTIFICATION => Some(PARTY),
        cac::STANDARD_ITEM_IDENTIFICATION => Some(ITEM),
        cac::DELIVERY_LOCATION => Some(LOCATION),
        _ => None,
    }
}

/// `cbc:InvoiceTypeCode | cbc:CreditNoteTypeCode`
pub(super) const TYPE_BILLING: Group<Facts> = &[Rule {
    id: "ibr-cl-01",
    term: "IBT-003",
    about: &[],
    message: "The type is not allowed for a document of the seller.",
    fix: "Use 380 or 480 for an invoice, 381 or 81 for a credit note.",
    holds: |code, _| is_type(code, ["380", "480"], ["381", "81"]),
}];

/// `cbc:InvoiceTypeCode | cbc:CreditNoteTypeCode`
pub(super) const TYPE_SELFBILLING: Group<Facts> = &[Rule {
    id: "ibr-cl-01",
    term: "IBT-003",
    about: &[],
    message: "The type is not allowed for a document of the buyer.",
    fix: "Use 389 or 480 for an invoice, 261 or 81 for a credit note.",
    holds: |code, _| is_type(code, ["389", "480"], ["261", "81"]),
}];

/// `cbc:Amount | cbc:BaseAmount | cbc:PriceAmount | cbc:TaxAmount | …`
pub(super) const AMOUNT: Group<Facts> = &[Rule {
    id: "ibr-cl-03",
    term: "",
    about: &[],
    message: "The currency of the amount is not a code of ISO 4217.",
    fix: "Give the three-letter code of the currency, such as AED.",
    holds: |amount, facts| {
        amount.attribute(attr::CURRENCY_ID).is_some_and(|currency| {
            facts.shared.listed_currencies.contains(currency)
                || codes::CURRENCIES.contains(&normalize_space(currency))
        })
    },
}];

/// `cbc:DocumentCurrencyCode`
pub(super) const DOCUMENT_CURRENCY: Group<Facts> = &[Rule {
    id: "ibr-cl-04",
    term: "IBT-005",
    about: &[],
    message: "The currency of the document is not a code of ISO 4217.",
    fix: "Give the three-letter code of the currency, such as AED.",
    holds: |code, _| codes::CURRENCIES.contains(&code.normalized()),
}];

/// `cbc:TaxCurrencyCode`
pub(super) const TAX_CURRENCY: Group<Facts> = &[Rule {
    id: "ibr-cl-05",
    term: "IBT-006",
    about: &[],
    message: "The currency for the tax is not a code of ISO 4217.",
    fix: "Give the three-letter code of the currency, such as AED.",
    holds: |code, _| codes::CURRENCIES.contains(&code.normalized()),
}];

/// `cac:AdditionalDocumentReference[cbc:DocumentTypeCode = '130']/cbc:ID[@schemeID] |
/// cac:DocumentReference[cbc:DocumentTypeCode = '130']/cbc:ID[@schemeID]`; in references of other
/// types the rule holds.
pub(super) const OBJECT: Group<Facts> = &[Rule {
    id: "ibr-cl-07",
    term: "IBT-018",
    about: &[],
    message: "The scheme of the invoiced object is not a code of UNTDID 1153.",
    fix: "Give the code of the scheme, such as AAJ, or leave the scheme out.",
    holds: |id, facts| {
        is_listed(codes::REFERENCE_QUALIFIERS, id, attr::SCHEME_ID)
            || !id
                .parent()
                .is_some_and(|reference| facts.shared.object.with(reference, |object| object.0))
    },
}];

/// `cac:PartyIdentification/cbc:ID[@schemeID]`
pub(super) const PARTY: Group<Facts> = &[Rule {
    id: "ibr-cl-10",
    term: "",
    about: &[],
    message: "The scheme of the party's identifier is not a code of ISO 6523.",
    fix: "Give the four digits of the scheme; SEPA is possible for seller and payee.",
    holds: |id, _| {
        is_listed(codes::ICD, id, attr::SCHEME_ID)
            || (id
                .attribute(attr::SCHEME_ID)
                .is_some_and(|scheme| normalize_space(scheme) == "SEPA")
                && id.ancestors().any(|node| {
                    matches!(node.name(), cac::ACCOUNTING_SUPPLIER_PARTY | cac::PAYEE_PARTY)
                }))
    },
}];

/// `cac:PartyLegalEntity/cbc:CompanyID[@schemeID]`
pub(super) const REGISTRATION: Group<Facts> = &[Rule {
    id: "ibr-cl-11",
    term: "",
    about: &[],
    message: "The scheme of the registration identifier is not a code of ISO 6523.",
    fix: "Give the four digits of the scheme, or no scheme.",
    holds: |id, _| is_listed(codes::ICD, id, attr::SCHEME_ID),
}];

/// `cac:CommodityClassification/cbc:ItemClassificationCode[@listID]`
pub(super) const CLASSIFICATION: Group<Facts> = &[Rule {
    id: "ibr-cl-13",
    term: "IBT-158",
    about: &[],
    message: "The scheme of the item's classification is not a code of UNTDID 7143.",
    fix: "Give the code of the scheme, such as HS.",
    holds: |code, _| is_listed(codes::ITEM_CLASSIFICATIONS, code, attr::LIST_ID),
}];

/// `cac:Country/cbc:IdentificationCode`
pub(super) const COUNTRY: Group<Facts> = &[Rule {
    id: "ibr-cl-14",
    term: "",
    about: &[],
    message: "The country is not a code of ISO 3166-1.",
    fix: "Give the two-letter code of the country, such as AE.",
    holds: |code, _| codes::COUNTRIES.contains(&code.normalized()),
}];

/// `cac:OriginCountry/cbc:IdentificationCode`
pub(super) const ORIGIN: Group<Facts> = &[Rule {
    id: "ibr-cl-15",
    term: "IBT-159",
    about: &[],
    message: "The item's country of origin is not a code of ISO 3166-1.",
    fix: "Give the two-letter code of the country, such as AE.",
    holds: |code, _| codes::COUNTRIES.contains(&code.normalized()),
}];

/// `cac:PaymentMeans/cbc:PaymentMeansCode`
pub(super) const PAYMENT_MEANS: Group<Facts> = &[Rule {
    id: "ibr-cl-16",
    term: "IBT-081",
    about: &[],
    message: "The means of payment is not a code of UNTDID 4461.",
    fix: "Give a code of that list, such as 30 for a credit transfer.",
    holds: |code, _| codes::PAYMENT_MEANS.contains(&code.normalized()),
}];

/// `cac:AllowanceCharge[cbc:ChargeIndicator = false()]/cbc:AllowanceChargeReasonCode |
/// cac:AllowanceCharge[cbc:ChargeIndicator = true()]/cbc:AllowanceChargeReasonCode`: two contexts,
/// whose conditions the rules ask.
pub(super) const REASON: Group<Facts> = &[
    Rule {
        id: "ibr-cl-19",
        term: "IBT-098",
        about: &[],
        message: "The reason of the allowance is not a code of UNTDID 5189 that PINT knows.",
        fix: "Give a code of that list, such as 95 for a discount, or only a text.",
        holds: |code, facts| {
            codes::ALLOWANCE_REASONS.contains(&code.normalized()) || !is_for(code, facts, false)
        },
    },
    Rule {
        id: "ibr-cl-20",
        term: "IBT-105",
        about: &[],
        message: "The reason of the charge is not a code of UNTDID 7161.",
        fix: "Give a code of that list, such as FC for freight, or only a text.",
        holds: |code, facts| {
            codes::CHARGE_REASONS.contains(&code.normalized()) || !is_for(code, facts, true)
        },
    },
];

/// `cac:StandardItemIdentification/cbc:ID[@schemeID]`
pub(super) const ITEM: Group<Facts> = &[Rule {
    id: "ibr-cl-21",
    term: "IBT-157",
    about: &[],
    message: "The scheme of the item's standard identifier is not a code of ISO 6523.",
    fix: "Give the four digits of the scheme, such as 0160 for a GTIN.",
    holds: |id, _| is_listed(codes::ICD, id, attr::SCHEME_ID),
}];

/// `cbc:InvoicedQuantity[@unitCode] | cbc:BaseQuantity[@unitCode] |
/// cbc:CreditedQuantity[@unitCode]`
pub(super) const UNIT: Group<Facts> = &[Rule {
    id: "ibr-cl-23",
    term: "IBT-130",
    about: &[],
    message: "The unit is not a code of UN/ECE Recommendations 20 and 21.",
    fix: "Give a code of those lists, such as C62 for one piece; codes of packages begin with X.",
    holds: |quantity, _| is_listed(codes::UNITS, quantity, attr::UNIT_CODE),
}];

/// `cbc:EmbeddedDocumentBinaryObject[@mimeCode]`
pub(super) const MIME_CODE: Group<Facts> = &[Rule {
    id: "ibr-cl-24",
    term: "IBT-125",
    about: &[],
    message: "Files of this kind cannot be attached.",
    fix: "Attach a PDF, PNG, JPEG, CSV, XML, Excel or OpenDocument spreadsheet file.",
    holds: |object, _| {
        object.attribute(attr::MIME_CODE).is_some_and(|c| codes::MIME_CODES.contains(c))
    },
}];

/// `cbc:EndpointID[@schemeID]`
pub(super) const ENDPOINT: Group<Facts> = &[Rule {
    id: "ibr-cl-25",
    term: "",
    about: &[],
    message: "The scheme of the electronic address is not a code of the EAS list.",
    fix: "Give the four digits of the scheme, such as 0235 for a UAE taxpayer.",
    holds: |id, _| is_listed(codes::EAS, id, attr::SCHEME_ID),
}];

/// `cac:DeliveryLocation/cbc:ID[@schemeID]`
pub(super) const LOCATION: Group<Facts> = &[Rule {
    id: "ibr-cl-26",
    term: "IBT-071",
    about: &[],
    message: "The scheme of the delivery location is not a code of ISO 6523.",
    fix: "Give the four digits of the scheme, such as 0088 for a GLN.",
    holds: |id, _| is_listed(codes::ICD, id, attr::SCHEME_ID),
}];

fn is_listed(list: CodeList, node: Node<'_>, attribute: Name) -> bool {
    node.attribute(attribute).is_some_and(|code| list.contains(&normalize_space(code)))
}

fn is_type(code: Node<'_>, invoice: [&str; 2], credit_note: [&str; 2]) -> bool {
    let codes = if code.name() == cbc::INVOICE_TYPE_CODE { invoice } else { credit_note };
    codes.contains(&&*code.normalized())
}

/// Whether a reason code belongs to a charge, or to an allowance.
fn is_for(code: Node<'_>, facts: &Facts, charge: bool) -> bool {
    code.parent().is_some_and(|either| {
        facts.shared.indicator.with(either, |indicator| indicator.0 == Some(charge))
    })
}
