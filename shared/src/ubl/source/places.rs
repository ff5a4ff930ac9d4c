//! Maps elements to fields. The tables mirror the files of the writer. An element without an entry belongs to the field
//! of its nearest ancestor with an entry.

use self::To::{Beside, Item, Member, Same, Top};
use super::{
    super::reference::{AED_TOTAL, INVOICED_OBJECT, PROJECT},
    ordinal,
};
use crate::{
    document::Operation,
    xml::{
        Name, Node,
        names::{attr, cac, cbc},
    },
};

/// Where the value of an element is in the JSON.
#[derive(Debug, Clone, Copy)]
pub(super) enum To {
    /// In the object of the parent element.
    Same,
    /// In a member of that object; `/` separates nested members.
    Member(&'static str),
    /// In a member of the object that contains that object.
    Beside(&'static str),
    /// In a list; the first matching sibling is item 0.
    Item(&'static str),
    /// In a member of the body, at any depth in the UBL.
    Top(&'static str),
}

/// The mapping of one element.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) element: Name,
    /// Distinguishes elements with the same name.
    pub(super) when: fn(Node<'_>) -> bool,
    pub(super) to: To,
    pub(super) inside: &'static [Place],
}

impl Place {
    const fn when(self, when: fn(Node<'_>) -> bool) -> Self {
        Place { when, ..self }
    }
}

const fn group(element: Name, to: To, inside: &'static [Place]) -> Place {
    Place { element, when: |_| true, to, inside }
}

const fn field(element: Name, member: &'static str) -> Place {
    group(element, Member(member), &[])
}

/// The entries below the root element.
pub(super) fn top(operation: Operation) -> [&'static [Place]; 2] {
    match (operation.is_credit_note(), operation.is_self_billed()) {
        (false, false) => [INVOICE, BODY],
        (true, false) => [CREDIT_NOTE, BODY],
        (false, true) => [SELF_BILLED_INVOICE, BODY],
        (true, true) => [SELF_BILLED_CREDIT_NOTE, BODY],
    }
}

const NUMBER_OF_INVOICE: Place = field(cbc::ID, "invoice_number");
const NUMBER_OF_CREDIT_NOTE: Place = field(cbc::ID, "credit_note_number");
const BUYER: Place =
    group(cac::ACCOUNTING_CUSTOMER_PARTY, Member("customer"), &[group(cac::PARTY, Same, PARTY)]);

const INVOICE: &[Place] = &[NUMBER_OF_INVOICE, BUYER];
const CREDIT_NOTE: &[Place] = &[NUMBER_OF_CREDIT_NOTE, BUYER];
/// The buyer is the taxpayer, for whom the body has no field.
const SELF_BILLED_INVOICE: &[Place] = &[NUMBER_OF_INVOICE];
const SELF_BILLED_CREDIT_NOTE: &[Place] = &[NUMBER_OF_CREDIT_NOTE];

const BODY: &[Place] = &[
    field(cbc::UUID, "uuid"),
    field(cbc::ISSUE_DATE, "issue_date"),
    field(cbc::ISSUE_TIME, "issue_time"),
    field(cbc::DUE_DATE, "due_date"),
    field(cbc::INVOICE_TYPE_CODE, "invoice_type_code"),
    field(cbc::CREDIT_NOTE_TYPE_CODE, "credit_note_type_code"),
    field(cbc::PROFILE_EXECUTION_ID, "transaction_type_code"),
    field(cbc::NOTE, "note"),
    field(cbc::TAX_POINT_DATE, "vat_point_date"),
    field(cbc::DOCUMENT_CURRENCY_CODE, "currency"),
    field(cbc::TAX_CURRENCY_CODE, "tax_accounting_currency_code"),
    field(cbc::ACCOUNTING_COST, "buyer_accounting_reference"),
    field(cbc::BUYER_REFERENCE, "buyer_reference"),
    group(
        cac::INVOICE_PERIOD,
        Member("invoice_period"),
        &[
            field(cbc::START_DATE, "start_date"),
            field(cbc::END_DATE, "end_date"),
            field(cbc::DESCRIPTION_CODE, "frequency_code"),
        ],
    ),
    group(cac::DISCREPANCY_RESPONSE, Same, &[field(cbc::RESPONSE_CODE, "credit_note_reason_code")]),
    group(
        cac::ORDER_REFERENCE,
        Same,
        &[
            field(cbc::ID, "purchase_order_reference"),
            field(cbc::SALES_ORDER_ID, "sales_order_reference"),
        ],
    ),
    group(cac::BILLING_REFERENCE, Member("preceding_invoice_references"), &[]),
    field(cac::DESPATCH_DOCUMENT_REFERENCE, "despatch_advice_reference"),
    field(cac::RECEIPT_DOCUMENT_REFERENCE, "receiving_advice_reference"),
    field(cac::STATEMENT_DOCUMENT_REFERENCE, "customs_reference_number"),
    field(cac::ORIGINATOR_DOCUMENT_REFERENCE, "tender_or_lot_reference"),
    group(
        cac::CONTRACT_DOCUMENT_REFERENCE,
        Same,
        &[field(cbc::ID, "contract_reference"), field(cbc::DOCUMENT_DESCRIPTION, "contract_value")],
    ),
    group(
        cac::ADDITIONAL_DOCUMENT_REFERENCE,
        Member("invoiced_object_identifier"),
        &[field(cbc::ID, "id")],
    )
    .when(|node| is(node, cbc::DOCUMENT_TYPE_CODE, INVOICED_OBJECT)),
    field(cac::ADDITIONAL_DOCUMENT_REFERENCE, "totals/total_amount_with_vat_in_aed")
        .when(|node| is(node, cbc::DOCUMENT_TYPE_CODE, AED_TOTAL)),
    field(cac::ADDITIONAL_DOCUMENT_REFERENCE, "project_reference")
        .when(|node| is(node, cbc::DOCUMENT_TYPE_CODE, PROJECT)),
    group(
        cac::ADDITIONAL_DOCUMENT_REFERENCE,
        Item("supporting_documents"),
        &[
            field(cbc::ID, "id"),
            field(cbc::DOCUMENT_DESCRIPTION, "description"),
            group(
                cac::ATTACHMENT,
                Same,
                &[
                    field(cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT, "attachment/content_base64"),
                    field(cac::EXTERNAL_REFERENCE, "external_uri"),
                ],
            ),
        ],
    )
    .when(|node| node.child(cbc::DOCUMENT_TYPE_CODE).is_none()),
    field(cac::PROJECT_REFERENCE, "project_reference"),
    group(cac::ACCOUNTING_SUPPLIER_PARTY, Member("supplier"), &[group(cac::PARTY, Same, PARTY)]),
    group(
        cac::PAYEE_PARTY,
        Member("payee"),
        &[
            field(cac::PARTY_NAME, "name"),
            group(cac::PARTY_IDENTIFICATION, Member("identifier"), &[field(cbc::ID, "id")]),
            group(
                cac::PARTY_LEGAL_ENTITY,
                Member("legal_registration_identifier"),
                &[field(cbc::COMPANY_ID, "id")],
            ),
        ],
    ),
    field(cac::BUYER_CUSTOMER_PARTY, "beneficiary_identifier"),
    field(cac::SELLER_SUPPLIER_PARTY, "principal_identifier"),
    group(
        cac::TAX_REPRESENTATIVE_PARTY,
        Member("tax_representative"),
        &[
            field(cac::PARTY_NAME, "name"),
            group(cac::POSTAL_ADDRESS, Member("address"), ADDRESS),
            group(cac::PARTY_TAX_SCHEME, Same, &[field(cbc::COMPANY_ID, "vat_identifier")]),
        ],
    ),
    group(
        cac::DELIVERY,
        Member("delivery"),
        &[
            field(cbc::ACTUAL_DELIVERY_DATE, "actual_delivery_date"),
            group(
                cac::DELIVERY_LOCATION,
                Same,
                &[
                    group(cbc::ID, Member("location_identifier"), &[]),
                    group(cac::ADDRESS, Top("delivery_address"), ADDRESS),
                ],
            ),
            group(
                cac::DELIVERY_PARTY,
                Same,
                &[
                    field(cac::PARTY_IDENTIFICATION, "party_identifier"),
                    field(cac::PARTY_NAME, "party_name"),
                ],
            ),
            field(cac::DELIVERY_TERMS, "incoterms_code"),
        ],
    ),
    group(cac::PAYMENT_MEANS, Item("payment_means"), PAYMENT_MEANS),
    group(
        cac::PAYMENT_TERMS,
        Item("payment_terms"),
        &[
            field(cbc::PAYMENT_MEANS_ID, "instructions_id"),
            field(cbc::NOTE, "note"),
            field(cbc::AMOUNT, "amount"),
            field(cbc::INSTALLMENT_DUE_DATE, "due_date"),
        ],
    ),
    group(
        cac::PREPAID_PAYMENT,
        Item("paid_amounts"),
        &[
            field(cbc::ID, "id"),
            field(cbc::PAID_AMOUNT, "amount"),
            field(cbc::RECEIVED_DATE, "received_date"),
        ],
    ),
    group(cac::ALLOWANCE_CHARGE, Item("charges"), DOCUMENT_ALLOWANCE).when(is_charge),
    group(cac::ALLOWANCE_CHARGE, Item("allowances"), DOCUMENT_ALLOWANCE)
        .when(|node| !is_charge(node)),
    group(
        cac::TAX_EXCHANGE_RATE,
        Same,
        &[
            field(cbc::SOURCE_CURRENCY_CODE, "currency"),
            field(cbc::CALCULATION_RATE, "currency_exchange_rate"),
        ],
    ),
    group(
        cac::TAX_TOTAL,
        Same,
        &[
            field(cbc::TAX_AMOUNT, "totals/total_vat_amount"),
            field(cbc::TAX_INCLUDED_INDICATOR, "totals/tax_included"),
            field(cac::TAX_SUBTOTAL, "vat_breakdown"),
        ],
    )
    .when(|node| ordinal(node, |_| true) == 0),
    field(cac::TAX_TOTAL, "totals/total_vat_amount_in_accounting_currency"),
    group(
        cac::LEGAL_MONETARY_TOTAL,
        Member("totals"),
        &[
            field(cbc::LINE_EXTENSION_AMOUNT, "sum_of_line_net_amounts"),
            field(cbc::TAX_EXCLUSIVE_AMOUNT, "total_amount_without_vat"),
            field(cbc::TAX_INCLUSIVE_AMOUNT, "total_amount_with_vat"),
            field(cbc::ALLOWANCE_TOTAL_AMOUNT, "sum_of_allowances"),
            field(cbc::CHARGE_TOTAL_AMOUNT, "sum_of_charges"),
            field(cbc::PREPAID_AMOUNT, "paid_amount"),
            field(cbc::PAYABLE_ROUNDING_AMOUNT, "rounding_amount"),
            field(cbc::PAYABLE_AMOUNT, "amount_due_for_payment"),
        ],
    ),
    group(cac::INVOICE_LINE, Item("line_items"), LINE),
    group(cac::CREDIT_NOTE_LINE, Item("line_items"), LINE),
];

/// A `BillingReference` that the body lists.
pub(super) const LISTED_INVOICE: &[Place] = &[group(
    cac::INVOICE_DOCUMENT_REFERENCE,
    Same,
    &[field(cbc::ID, "id"), field(cbc::ISSUE_DATE, "issue_date")],
)];

/// The `BillingReference` to an invoice that was issued elsewhere.
pub(super) const CREDITED_INVOICE: &[Place] = &[group(
    cac::INVOICE_DOCUMENT_REFERENCE,
    Same,
    &[field(cbc::ID, "original_invoice_number"), field(cbc::ISSUE_DATE, "original_issue_date")],
)];

const PARTY: &[Place] = &[
    group(cbc::ENDPOINT_ID, Member("electronic_address/id"), &[]),
    group(cac::PARTY_IDENTIFICATION, Item("identifiers"), &[field(cbc::ID, "id")])
        .when(|node| !is_creditor(node)),
    // IBT-090 is one of the seller's identifiers.
    group(cac::PARTY_IDENTIFICATION, Top("payment_means"), &[]).when(is_creditor),
    field(cac::PARTY_NAME, "trading_name"),
    group(cac::POSTAL_ADDRESS, Member("address"), ADDRESS),
    group(
        cac::PARTY_TAX_SCHEME,
        Same,
        &[
            field(cbc::COMPANY_ID, "vat_identifier"),
            group(cac::TAX_SCHEME, Member("vat_identifier"), &[]),
        ],
    )
    .when(|node| node.child(cac::TAX_SCHEME).is_some_and(|scheme| is(scheme, cbc::ID, "VAT"))),
    group(
        cac::PARTY_TAX_SCHEME,
        Same,
        &[
            field(cbc::COMPANY_ID, "tax_registration_identifier"),
            field(cac::TAX_SCHEME, "tax_registration_scheme_id"),
        ],
    ),
    group(
        cac::PARTY_LEGAL_ENTITY,
        Same,
        &[
            field(cbc::REGISTRATION_NAME, "name"),
            field(cbc::COMPANY_ID, "legal_registration/id"),
            field(cbc::COMPANY_LEGAL_FORM, "additional_legal_information"),
        ],
    ),
    group(
        cac::CONTACT,
        Member("contact"),
        &[
            field(cbc::NAME, "name"),
            field(cbc::TELEPHONE, "telephone"),
            field(cbc::ELECTRONIC_MAIL, "email"),
        ],
    ),
];

const ADDRESS: &[Place] = &[
    field(cbc::STREET_NAME, "line_1"),
    field(cbc::ADDITIONAL_STREET_NAME, "line_2"),
    field(cac::ADDRESS_LINE, "line_3"),
    field(cbc::CITY_NAME, "city"),
    field(cbc::POSTAL_ZONE, "post_code"),
    field(cbc::COUNTRY_SUBENTITY, "country_subdivision"),
    field(cac::COUNTRY, "country_code"),
];

const PAYMENT_MEANS: &[Place] = &[
    field(cbc::ID, "id"),
    field(cbc::PAYMENT_MEANS_CODE, "means_code"),
    field(cbc::PAYMENT_DUE_DATE, "due_date"),
    group(cbc::PAYMENT_ID, Item("remittance_information"), &[]),
    group(
        cac::CARD_ACCOUNT,
        Member("card"),
        &[
            field(cbc::PRIMARY_ACCOUNT_NUMBER_ID, "primary_account_number"),
            field(cbc::NETWORK_ID, "network"),
            field(cbc::HOLDER_NAME, "holder_name"),
        ],
    ),
    group(
        cac::PAYEE_FINANCIAL_ACCOUNT,
        Member("credit_transfer"),
        &[
            field(cbc::ID, "account_identifier/id"),
            field(cbc::NAME, "account_name"),
            group(
                cac::FINANCIAL_INSTITUTION_BRANCH,
                Same,
                &[
                    field(cbc::ID, "service_provider_identifier"),
                    group(cac::ADDRESS, Member("institution_address"), ADDRESS),
                ],
            ),
        ],
    ),
    group(
        cac::PAYMENT_MANDATE,
        Member("direct_debit"),
        &[
            field(cbc::ID, "mandate_reference"),
            field(cac::PAYER_FINANCIAL_ACCOUNT, "debited_account_identifier"),
        ],
    ),
];

const DOCUMENT_ALLOWANCE: &[Place] = &[
    field(cbc::ALLOWANCE_CHARGE_REASON_CODE, "reason_code"),
    field(cbc::ALLOWANCE_CHARGE_REASON, "reason"),
    field(cbc::MULTIPLIER_FACTOR_NUMERIC, "percentage"),
    field(cbc::AMOUNT, "amount"),
    field(cbc::BASE_AMOUNT, "base_amount"),
    group(
        cac::TAX_CATEGORY,
        Same,
        &[
            field(cbc::ID, "vat_category_code"),
            field(cbc::PERCENT, "vat_rate"),
            field(cbc::TAX_EXEMPTION_REASON_CODE, "vat_exemption_reason_code"),
            field(cbc::TAX_EXEMPTION_REASON, "vat_exemption_reason"),
        ],
    ),
];

const LINE: &[Place] = &[
    field(cbc::ID, "id"),
    field(cbc::NOTE, "note"),
    field(cbc::INVOICED_QUANTITY, "quantity"),
    field(cbc::CREDITED_QUANTITY, "quantity"),
    field(cbc::LINE_EXTENSION_AMOUNT, "net_amount"),
    field(cbc::ACCOUNTING_COST, "buyer_accounting_reference"),
    group(
        cac::INVOICE_PERIOD,
        Member("period"),
        &[field(cbc::START_DATE, "start_date"), field(cbc::END_DATE, "end_date")],
    ),
    group(
        cac::ORDER_LINE_REFERENCE,
        Same,
        &[
            field(cbc::LINE_ID, "purchase_order_line_reference"),
            field(cac::ORDER_REFERENCE, "purchase_order_reference"),
        ],
    ),
    field(cac::DESPATCH_LINE_REFERENCE, "despatch_advice_reference"),
    group(cac::DOCUMENT_REFERENCE, Member("object_identifier"), &[field(cbc::ID, "id")]),
    group(cac::ALLOWANCE_CHARGE, Item("charges"), DOCUMENT_ALLOWANCE).when(is_charge),
    group(cac::ALLOWANCE_CHARGE, Item("allowances"), DOCUMENT_ALLOWANCE)
        .when(|node| !is_charge(node)),
    group(cac::ITEM, Member("item"), ITEM),
    group(
        cac::PRICE,
        Member("price"),
        &[
            field(cbc::PRICE_AMOUNT, "net_price"),
            field(cbc::BASE_QUANTITY, "base_quantity"),
            group(
                cac::ALLOWANCE_CHARGE,
                Same,
                &[field(cbc::AMOUNT, "discount"), field(cbc::BASE_AMOUNT, "gross_price")],
            ),
        ],
    ),
    group(
        cac::ITEM_PRICE_EXTENSION,
        Same,
        &[field(cbc::AMOUNT, "amount_in_aed"), field(cac::TAX_TOTAL, "vat_amount_in_aed")],
    ),
];

const ITEM: &[Place] = &[
    field(cbc::DESCRIPTION, "description"),
    field(cbc::NAME, "name"),
    field(cac::BUYERS_ITEM_IDENTIFICATION, "buyer_identifier"),
    field(cac::SELLERS_ITEM_IDENTIFICATION, "seller_identifier"),
    group(
        cac::STANDARD_ITEM_IDENTIFICATION,
        Member("standard_identifier"),
        &[field(cbc::ID, "id")],
    ),
    group(
        cac::ADDITIONAL_ITEM_IDENTIFICATION,
        Item("service_accounting_codes"),
        &[field(cbc::ID, "code")],
    ),
    field(cac::ORIGIN_COUNTRY, "origin_country_code"),
    group(
        cac::COMMODITY_CLASSIFICATION,
        Same,
        &[
            field(cbc::NATURE_CODE, "rcm_goods_type_code"),
            field(cbc::COMMODITY_CODE, "type_code"),
            field(cbc::ITEM_CLASSIFICATION_CODE, "classifications/0/code"),
        ],
    )
    .when(|node| ordinal(node, |_| true) == 0),
    group(
        cac::COMMODITY_CLASSIFICATION,
        Item("classifications"),
        &[field(cbc::ITEM_CLASSIFICATION_CODE, "code")],
    ),
    group(
        cac::CLASSIFIED_TAX_CATEGORY,
        Beside("vat"),
        &[
            field(cbc::ID, "category_code"),
            field(cbc::PERCENT, "rate"),
            field(cbc::TAX_EXEMPTION_REASON_CODE, "exemption_reason_code"),
            field(cbc::TAX_EXEMPTION_REASON, "exemption_reason"),
        ],
    ),
    group(
        cac::ADDITIONAL_ITEM_PROPERTY,
        Item("attributes"),
        &[field(cbc::NAME, "name"), field(cbc::VALUE, "value")],
    ),
    field(cac::ITEM_INSTANCE, "batch_number"),
];

/// Whether a child element has this text.
fn is(node: Node<'_>, child: Name, text: &str) -> bool {
    node.child(child).is_some_and(|child| child.text() == text)
}

fn is_charge(node: Node<'_>) -> bool {
    is(node, cbc::CHARGE_INDICATOR, "true")
}

fn is_creditor(node: Node<'_>) -> bool {
    node.child(cbc::ID).and_then(|id| id.attribute(attr::SCHEME_ID)) == Some("SEPA")
}
